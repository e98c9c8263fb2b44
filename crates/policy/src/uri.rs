//! Addresses of files and directories, normalised so that two that mean the same place compare as such.

use std::fmt;
use std::sync::Arc;

/// A normalised address: scheme and authority in lower case, no empty or `.` components, no slash at the
/// end. `%` is an ordinary character: nothing is decoded (`spec/policy-decisions.md`, "URI comparison").
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Uri(Arc<str>);

/// Why an address stands for no place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UriError {
    Empty,
    /// `dir/file`: relative to nothing that the policy knows.
    Relative,
    /// `..` in a grant, or above the root.
    ParentComponent,
    /// `{a/b,c}`: braces that reach over a slash.
    OpenBrace,
    /// A control character.
    ControlCharacter,
    /// A scheme or authority that none can be.
    Malformed,
}

impl UriError {
    #[must_use]
    pub const fn message(self) -> &'static str {
        match self {
            Self::Empty => "the address is empty",
            Self::Relative => "the address is relative; give it from the root on",
            Self::ParentComponent => "the address has a `..` component",
            Self::OpenBrace => "the address has braces that reach over a slash",
            Self::ControlCharacter => "the address has a control character",
            Self::Malformed => "the address has a malformed scheme or authority",
        }
    }
}

impl fmt::Display for UriError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message())
    }
}

impl std::error::Error for UriError {}

impl Uri {
    /// An address that a statement asks for: `..` goes one component up.
    ///
    /// # Errors
    /// [`UriError`] where it stands for no place.
    pub fn requested(text: &str, default_file_system: &str) -> Result<Self, UriError> {
        normalise(text, default_file_system, Parents::Resolve)
    }

    /// An address that a right is given on: `..` is refused.
    ///
    /// # Errors
    /// [`UriError`] where it stands for no place, or for none that can be seen at once.
    pub fn granted(text: &str, default_file_system: &str) -> Result<Self, UriError> {
        normalise(text, default_file_system, Parents::Refuse)
    }

    /// An address that is known to be normalised, as a store keeps it.
    #[must_use]
    pub fn from_normalised(text: &str) -> Self {
        Self(Arc::from(text))
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Is `other` this place or one beneath it? A prefix counts at the end of a component only: `/data`
    /// does not cover `/data2`.
    #[must_use]
    pub fn covers(&self, other: &Self) -> bool {
        other.0.strip_prefix(&*self.0).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// This place and those above it, up to the root of its file system.
    pub fn and_ancestors(&self) -> impl Iterator<Item = &str> {
        let root = root_length(&self.0);
        let mut next = Some(&*self.0);
        std::iter::from_fn(move || {
            let here = next?;
            next = here.rfind('/').filter(|&slash| slash >= root).and_then(|slash| here.get(..slash));
            Some(here)
        })
    }
}

impl fmt::Display for Uri {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[derive(Clone, Copy)]
enum Parents {
    Resolve,
    Refuse,
}

/// The root of a file system is its scheme and authority alone (`hdfs://nn:8020`, `file://`), so that the
/// rule for prefixes holds for it as for every other place.
fn root_length(address: &str) -> usize {
    let authority = address.find("://").map_or(0, |colon| colon + 3);
    address.get(authority..).and_then(|rest| rest.find('/')).map_or(address.len(), |slash| authority + slash)
}

fn normalise(text: &str, default_file_system: &str, parents: Parents) -> Result<Uri, UriError> {
    let text = text.trim();
    if text.is_empty() {
        return Err(UriError::Empty);
    }
    if text.chars().any(char::is_control) {
        return Err(UriError::ControlCharacter);
    }
    let (scheme, authority, path) = split(text, default_file_system)?;
    let mut components: Vec<&str> = Vec::new();
    for component in path.split('/') {
        match (component, parents) {
            ("" | ".", _) => {}
            ("..", Parents::Refuse) => return Err(UriError::ParentComponent),
            ("..", Parents::Resolve) => {
                components.pop().ok_or(UriError::ParentComponent)?;
            }
            _ if is_escaped_parent(component) => return Err(UriError::ParentComponent),
            _ if has_open_brace(component) => return Err(UriError::OpenBrace),
            _ => components.push(component),
        }
    }
    let mut address = format!("{}://{}", scheme.to_lowercase(), authority.to_lowercase());
    for component in components {
        address.push('/');
        address.push_str(component);
    }
    Ok(Uri(Arc::from(address)))
}

/// Hadoop takes paths for patterns. It writes out braces that reach over a slash, and `/in/{a/b,.}./x` is then
/// `/in/../x` as well.
fn has_open_brace(component: &str) -> bool {
    component.matches('{').count() != component.matches('}').count()
}

/// Hadoop drops `\` from a component only after it has looked for `..`.
fn is_escaped_parent(component: &str) -> bool {
    component.contains('\\') && component.replace('\\', "") == ".."
}

/// Scheme, authority and path; what is absent is the default file system's.
fn split<'t>(text: &'t str, default_file_system: &'t str) -> Result<(&'t str, &'t str, &'t str), UriError> {
    let (default_scheme, default_authority) =
        default_file_system.split_once("://").unwrap_or((default_file_system, ""));
    let default_authority = default_authority.split('/').next().unwrap_or("");
    if let Some(rest) = text.strip_prefix("//") {
        // No scheme: `//host/path`, or a path with a doubled slash. Hadoop reads the latter.
        return Ok((default_scheme, default_authority, rest));
    }
    if text.starts_with('/') {
        return Ok((default_scheme, default_authority, text));
    }
    let (scheme, rest) = text.split_once(':').ok_or(UriError::Relative)?;
    if scheme.contains('/') {
        return Err(UriError::Relative);
    }
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
    if !is_scheme {
        return Err(UriError::Malformed);
    }
    let Some(rest) = rest.strip_prefix("//") else {
        return if rest.starts_with('/') {
            let same = scheme.eq_ignore_ascii_case(default_scheme);
            Ok((scheme, if same { default_authority } else { "" }, rest))
        } else {
            Err(UriError::Relative)
        };
    };
    let (authority, path) = rest.find('/').map_or((rest, ""), |slash| rest.split_at(slash));
    if authority.contains(char::is_whitespace) {
        return Err(UriError::Malformed);
    }
    let same = authority.is_empty() && scheme.eq_ignore_ascii_case(default_scheme);
    Ok((scheme, if same { default_authority } else { authority }, path))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEFAULT: &str = "hdfs://nn:8020";

    fn requested(text: &str) -> String {
        Uri::requested(text, DEFAULT).map_or_else(|error| error.to_string(), |uri| uri.to_string())
    }

    #[test]
    fn absent_parts_are_the_default_file_systems() {
        assert_eq!(requested("/tmp/a"), "hdfs://nn:8020/tmp/a");
        assert_eq!(requested("hdfs:///tmp/a/"), "hdfs://nn:8020/tmp/a");
        assert_eq!(requested("hdfs:/tmp/a"), "hdfs://nn:8020/tmp/a");
        assert_eq!(requested("file:/tmp/a"), "file:///tmp/a");
        assert_eq!(requested("HDFS://NN:8020//tmp/./A"), "hdfs://nn:8020/tmp/A");
        assert_eq!(requested("//tmp//a"), "hdfs://nn:8020/tmp/a");
    }

    #[test]
    fn parents_are_resolved_in_requests_and_refused_in_grants() {
        assert_eq!(requested("/a/b/../c"), "hdfs://nn:8020/a/c");
        assert_eq!(Uri::requested("/a/../../c", DEFAULT), Err(UriError::ParentComponent));
        assert_eq!(Uri::granted("/a/../c", DEFAULT), Err(UriError::ParentComponent));
        assert_eq!(requested("/a/%2e%2e/c"), "hdfs://nn:8020/a/%2e%2e/c");
    }

    #[test]
    fn what_hadoop_makes_a_parent_of_is_refused() {
        for path in ["/in/\\.\\./secret", "/in/.\\./secret"] {
            assert_eq!(Uri::requested(path, DEFAULT), Err(UriError::ParentComponent), "{path}");
        }
        for path in ["/in/{a/b,..}/secret", "/in/{a/b,.}./secret", "/in/{../secret,a}"] {
            assert_eq!(Uri::requested(path, DEFAULT), Err(UriError::OpenBrace), "{path}");
        }
        assert_eq!(requested("/in/{a,b}/*.csv"), "hdfs://nn:8020/in/{a,b}/*.csv");
    }

    #[test]
    fn a_prefix_ends_at_a_component() {
        let data = Uri::granted("/data", DEFAULT).unwrap();
        assert!(data.covers(&Uri::requested("/data/x=1", DEFAULT).unwrap()));
        assert!(data.covers(&data));
        assert!(!data.covers(&Uri::requested("/data2", DEFAULT).unwrap()));
        let root = Uri::granted("/", DEFAULT).unwrap();
        assert!(root.covers(&data));
        assert!(!root.covers(&Uri::requested("hdfs://other:8020/data", DEFAULT).unwrap()));
    }

    #[test]
    fn ancestors_end_at_the_root() {
        let uri = Uri::requested("/a/b", DEFAULT).unwrap();
        let places: Vec<&str> = uri.and_ancestors().collect();
        assert_eq!(places, ["hdfs://nn:8020/a/b", "hdfs://nn:8020/a", "hdfs://nn:8020"]);
    }
}
