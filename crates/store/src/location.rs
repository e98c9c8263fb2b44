//! Where a store is.

use std::fmt;
use std::path::PathBuf;

use guardbee_engine::store::StoreError;

/// A path, or the address of a server. Shown without the password.
#[derive(Clone, PartialEq, Eq)]
pub enum Location {
    Sqlite(PathBuf),
    Postgres(ServerUrl),
}

/// The address of a server with its password, which is never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct ServerUrl(String);

impl Location {
    /// # Errors
    /// [`StoreError::Location`] where the text is neither.
    pub fn parse(text: &str) -> Result<Self, StoreError> {
        let lower = text.to_ascii_lowercase();
        if lower.starts_with("postgres://") || lower.starts_with("postgresql://") {
            return Ok(Self::Postgres(ServerUrl(text.to_owned())));
        }
        let path = match lower.strip_prefix("sqlite:") {
            Some(rest) => {
                let rest = text.get(text.len() - rest.len()..).unwrap_or_default();
                rest.strip_prefix("//").unwrap_or(rest)
            }
            None => text,
        };
        if path.is_empty() {
            return Err(StoreError::Location("no path is given".into()));
        }
        if let Some((scheme, _)) = path.split_once("://") {
            let message = format!(
                "`{scheme}` is not known; give a path, `sqlite:PATH` or `postgres://USER:PASSWORD@HOST/DATABASE`"
            );
            return Err(StoreError::Location(message));
        }
        Ok(Self::Sqlite(path.into()))
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(path) => write!(f, "{}", path.display()),
            Self::Postgres(url) => write!(f, "{url}"),
        }
    }
}

impl fmt::Debug for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl ServerUrl {
    /// With the password.
    pub(crate) fn secret(&self) -> &str {
        &self.0
    }
}

/// Scheme, host and database alone: passwords may stand in front of the host and among the parameters.
impl fmt::Display for ServerUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (scheme, rest) = self.0.split_once("://").unwrap_or(("postgres", &self.0));
        let rest = rest.split(['?', '#']).next().unwrap_or_default();
        let rest = rest.rsplit_once('@').map_or(rest, |(_, behind)| behind);
        write!(f, "{scheme}://{rest}")
    }
}

impl fmt::Debug for ServerUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        Location::parse(text).map_or_else(|error| error.to_string(), |location| format!("{location:?}"))
    }

    #[test]
    fn paths_and_servers_are_told_apart() {
        assert_eq!(shown("policy.db"), "policy.db");
        assert_eq!(shown("sqlite:policy.db"), "policy.db");
        assert_eq!(shown("SQLITE:///var/lib/policy.db"), "/var/lib/policy.db");
        assert!(shown("sqlite:").contains("no path"));
        assert!(shown("mysql://ana:geheim@db/policy").contains("`mysql` is not known"));
        assert!(!shown("mysql://ana:geheim@db/policy").contains("geheim"));
    }

    #[test]
    fn passwords_are_not_shown() {
        assert_eq!(shown("postgres://ana:geheim@db:5432/policy"), "postgres://db:5432/policy");
        assert_eq!(shown("postgresql://ana:ge@heim@db/policy?password=geheim"), "postgresql://db/policy");
        assert_eq!(shown("Postgres://db/policy#geheim"), "Postgres://db/policy");
    }
}
