//! One privilege as Sentry writes it: `server=s->db=d->table=t->action=select`.

use guardbee_model::Name;
use guardbee_policy::{GrantOption, NamePattern, Privilege, Privileges, Scope, Uri};

use crate::ini::trim;

/// A privilege, understood.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SentryPrivilege {
    pub(crate) scope: Scope,
    pub(crate) privileges: Privileges,
    pub(crate) grant_option: GrantOption,
}

/// The parts of a privilege, before they are given a meaning. Absent parts are broader ones.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Parts<'t> {
    pub(crate) server: Option<Part<'t>>,
    pub(crate) database: Option<Part<'t>>,
    pub(crate) table: Option<Part<'t>>,
    pub(crate) column: Option<Part<'t>>,
    pub(crate) uri: Option<Part<'t>>,
    pub(crate) action: Option<Part<'t>>,
    pub(crate) grant_option: Option<Part<'t>>,
}

/// The value of a part and the byte it begins at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Part<'t> {
    pub(crate) value: &'t str,
    pub(crate) at: usize,
}

/// What is wrong with a privilege.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) at: usize,
    pub(crate) code: &'static str,
    pub(crate) message: String,
    pub(crate) hint: Option<&'static str>,
}

impl Fault {
    fn new(at: usize, code: &'static str, message: String) -> Self {
        Self { at, code, message, hint: None }
    }

    const fn with_hint(mut self, hint: &'static str) -> Self {
        self.hint = Some(hint);
        self
    }
}

/// What a privilege means here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Meaning {
    Granted(SentryPrivilege, Option<Remark>),
    /// Sentry reads it, and it never lets anything pass.
    GrantsNothing(Fault),
}

/// What is worth a look about a privilege that was carried over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Remark {
    /// `db=*`: Sentry lets it stand for rights on the server as well.
    EveryDatabase,
    /// An action on an address: any counts as all.
    ActionOnUri,
}

impl<'t> Parts<'t> {
    /// Cuts a privilege at `->` and `=`, and checks the keys and their order.
    pub(crate) fn cut(text: &'t str) -> Result<Self, Fault> {
        let mut parts = Self::default();
        let mut start = 0;
        let mut deepest = 0;
        for piece in text.split("->") {
            let at = start + piece.len() - piece.trim_start_matches(|c: char| c <= ' ').len();
            start += piece.len() + 2;
            if parts.grant_option.is_some() {
                let message = "`grantoption` must be the last part".to_owned();
                return Err(Fault::new(at, "misplaced-part", message));
            }
            let Some((key, value)) = piece.split_once('=') else {
                let message = format!("`{}` is no `key=value`", trim(piece));
                return Err(Fault::new(at, "malformed-privilege", message));
            };
            let value_at =
                start - 2 - value.len() + value.len() - value.trim_start_matches(|c: char| c <= ' ').len();
            let (key, value) = (trim(key), trim(value));
            if key.is_empty() || value.is_empty() {
                let message = format!("`{}` lacks a key or a value", trim(piece));
                return Err(Fault::new(at, "malformed-privilege", message));
            }
            let (depth, place) = parts.place(key).ok_or_else(|| unknown_key(at, key, value))?;
            if place.is_some() {
                return Err(Fault::new(at, "repeated-part", format!("`{key}` is given twice")));
            }
            *place = Some(Part { value, at: value_at });
            if depth < deepest {
                let message = format!("`{key}` stands behind a narrower part");
                return Err(Fault::new(at, "misplaced-part", message)
                    .with_hint("the order is server, db, table, column, action"));
            }
            deepest = depth;
        }
        Ok(parts)
    }

    fn place(&mut self, key: &str) -> Option<(u8, &mut Option<Part<'t>>)> {
        let is = |name: &str| key.eq_ignore_ascii_case(name);
        Some(if is("server") {
            (0, &mut self.server)
        } else if is("db") {
            (1, &mut self.database)
        } else if is("uri") {
            (1, &mut self.uri)
        } else if is("table") || is("view") {
            (2, &mut self.table)
        } else if is("column") {
            (3, &mut self.column)
        } else if is("action") {
            (4, &mut self.action)
        } else if is("grantoption") {
            (5, &mut self.grant_option)
        } else {
            return None;
        })
    }

    /// What the parts mean; `default_file_system` completes addresses.
    pub(crate) fn meaning(&self, default_file_system: &str) -> Result<Meaning, Fault> {
        let server = self.server.ok_or_else(|| {
            Fault::new(0, "no-server", "the privilege names no server".to_owned())
                .with_hint("begin it with `server=NAME->`")
        })?;
        if is_wildcard(server.value) {
            let message = "a privilege on every server is not allowed".to_owned();
            return Err(Fault::new(server.at, "every-server", message).with_hint("name the server"));
        }
        let grant_option = self.read_grant_option()?;
        if let Some(uri) = self.uri {
            return self.on_uri(uri, default_file_system, grant_option);
        }
        let (scope, remark) = match self.scope() {
            Ok(scope) => scope,
            Err(ScopeFault::Wrong(fault)) => return Err(fault),
            Err(ScopeFault::GrantsNothing(fault)) => return Ok(Meaning::GrantsNothing(fault)),
        };
        let privileges = match self.action {
            None => Privileges::ALL,
            Some(action) => match read_action(action.value) {
                Some(privileges) => privileges,
                None => {
                    let message = format!("`{}` is no action that lets anything pass", action.value);
                    return Ok(Meaning::GrantsNothing(Fault::new(action.at, "unknown-action", message)));
                }
            },
        };
        Ok(Meaning::Granted(SentryPrivilege { scope, privileges, grant_option }, remark))
    }

    fn read_grant_option(&self) -> Result<GrantOption, Fault> {
        match self.grant_option {
            None => Ok(GrantOption::Without),
            Some(part) if part.value.eq_ignore_ascii_case("true") => Ok(GrantOption::With),
            Some(part) if part.value.eq_ignore_ascii_case("false") => Ok(GrantOption::Without),
            Some(part) => {
                let message = format!("`{}` is no grant option", part.value);
                Err(Fault::new(part.at, "malformed-privilege", message).with_hint("write `true` or `false`"))
            }
        }
    }

    fn on_uri(&self, uri: Part<'_>, file_system: &str, grant_option: GrantOption) -> Result<Meaning, Fault> {
        if self.database.is_some() || self.table.is_some() || self.column.is_some() {
            let message = "an address stands on the server, not in a database".to_owned();
            return Err(Fault::new(uri.at, "uri-in-database", message));
        }
        if uri.value.contains("${") {
            let message = format!("`{}` holds a property of Java", uri.value);
            return Err(Fault::new(uri.at, "property", message).with_hint("write its value in its place"));
        }
        let address = Uri::granted(uri.value, file_system)
            .map_err(|error| Fault::new(uri.at, "bad-uri", format!("`{}`: {error}", uri.value)))?;
        let remark = self.action.filter(|action| !is_every_action(action.value)).map(|_| Remark::ActionOnUri);
        let privilege =
            SentryPrivilege { scope: Scope::Uri(address), privileges: Privileges::ALL, grant_option };
        Ok(Meaning::Granted(privilege, remark))
    }

    /// Wildcards at the end say no more than the part before them, but for the one behind the server: a right
    /// on every database is none on addresses.
    fn scope(&self) -> Result<(Scope, Option<Remark>), ScopeFault> {
        let gap = |part: Option<Part<'_>>, missing: &str| match part {
            Some(part) => {
                let message = format!("`{}` has no {missing} to be in", part.value);
                Err(ScopeFault::Wrong(Fault::new(part.at, "missing-part", message)))
            }
            None => Ok(()),
        };
        let Some(database) = self.database else {
            gap(self.table, "database")?;
            gap(self.column, "table")?;
            return Ok((Scope::Server, None));
        };
        let remark = (is_wildcard(database.value)).then_some(Remark::EveryDatabase);
        let database = pattern(database)?;
        let table = match self.table {
            Some(table) => pattern(table)?,
            None => {
                gap(self.column, "table")?;
                return Ok((Scope::Database(database), remark));
            }
        };
        let column = match self.column {
            Some(column) => pattern(column)?,
            None => NamePattern::any(),
        };
        if !column.is_any() {
            return Ok((Scope::Column { database, table, column }, None));
        }
        if !table.is_any() {
            return Ok((Scope::Table { database, table }, None));
        }
        Ok((Scope::Database(database), remark))
    }
}

enum ScopeFault {
    Wrong(Fault),
    GrantsNothing(Fault),
}

/// A name, or every name. A `*` within a name is an ordinary character to Sentry, and no name has one.
fn pattern(part: Part<'_>) -> Result<NamePattern, ScopeFault> {
    if is_wildcard(part.value) {
        return Ok(NamePattern::any());
    }
    if part.value == "+" || part.value.contains('*') {
        let message = format!("`{}` is read by sentry as a name, and nothing has that name", part.value);
        let hint = "sentry knows `*` alone as a wildcard";
        return Err(ScopeFault::GrantsNothing(Fault::new(part.at, "literal-star", message).with_hint(hint)));
    }
    Ok(NamePattern::from(Name::fold(part.value)))
}

fn unknown_key(at: usize, key: &str, value: &str) -> Fault {
    let fault = Fault::new(at, "unknown-key", format!("no authorizable found for `{key}={value}`"));
    match &*key.to_ascii_lowercase() {
        "collection" | "config" | "connector" | "link" | "job" | "indexer" | "host" | "topic" | "cluster"
        | "consumergroup" | "transactionalid" => {
            fault.with_hint("privileges of other services are not carried over")
        }
        _ => fault.with_hint("the keys are server, db, table, column, uri, action"),
    }
}

pub(crate) fn is_wildcard(value: &str) -> bool {
    value == "*" || value.eq_ignore_ascii_case("all")
}

pub(crate) fn is_every_action(value: &str) -> bool {
    is_wildcard(value) || value == "+"
}

/// The privileges of an action; none where it is no action that Sentry lets pass for Hive.
pub(crate) fn read_action(value: &str) -> Option<Privileges> {
    if is_every_action(value) {
        return Some(Privileges::ALL);
    }
    ACTIONS
        .iter()
        .find(|(word, _)| value.eq_ignore_ascii_case(word))
        .map(|&(_, privilege)| Privileges::of(privilege))
}

/// The action of a privilege; none where Sentry has no such action.
pub(crate) fn action_of(privilege: Privilege) -> Option<&'static str> {
    ACTIONS.iter().find(|(_, known)| *known == privilege).map(|&(word, _)| word)
}

const ACTIONS: [(&str, Privilege); 9] = [
    ("select", Privilege::Select),
    ("insert", Privilege::Insert),
    ("alter", Privilege::Alter),
    ("create", Privilege::Create),
    ("drop", Privilege::Drop),
    ("index", Privilege::Index),
    ("lock", Privilege::Lock),
    ("owner", Privilege::Owner),
    ("refresh", Privilege::Refresh),
];
