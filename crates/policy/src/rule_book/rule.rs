//! What a rule book says of one operation, and how it is written.

use std::fmt;
use std::sync::Arc;

use crate::Resource;
use crate::request::{Columns, Detail, WriteAction};
use crate::requirement::{Reach, Right, Side};

/// What a rule book says of one operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rule {
    /// Everybody may.
    NotChecked,
    /// The statement changes or shows rights; whoever carries it out checks who may.
    WhenCarriedOut,
    /// Nobody may. The reason is for a person.
    Refused(Arc<str>),
    Needs(Vec<Clause>),
}

/// `not checked`, `when carried out`, `refused: reason`, or `in: clause, ... out: clause, ...`.
impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotChecked => f.write_str("not checked"),
            Self::WhenCarriedOut => f.write_str("when carried out"),
            Self::Refused(reason) => write!(f, "refused: {reason}"),
            Self::Needs(clauses) => {
                let mut separator = "";
                for (side, word) in [(Side::Input, "in"), (Side::Output, "out")] {
                    let clauses = clauses.iter().filter(|clause| clause.side == side);
                    for (place, clause) in clauses.enumerate() {
                        match place {
                            0 => write!(f, "{separator}{word}: {clause}")?,
                            _ => write!(f, ", {clause}")?,
                        }
                        separator = "  ";
                    }
                }
                Ok(())
            }
        }
    }
}

/// The rights that are needed on each object of a kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clause {
    pub side: Side,
    pub kind: Kind,
    pub presence: Presence,
    pub condition: Option<Condition>,
    /// All of them are needed.
    pub rights: Vec<Right>,
    pub reach: Reach,
}

/// `Table?[INSERT|OVERWRITE]:SELECT|INSERT+DROP with grant inside`.
impl fmt::Display for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.as_str())?;
        if self.presence == Presence::Optional {
            f.write_str("?")?;
        }
        if let Some(condition) = &self.condition {
            write!(f, "[{condition}]")?;
        }
        for (place, right) in self.rights.iter().enumerate() {
            let last = place + 1 == self.rights.len();
            let text = right.to_string();
            let text = if last { &text } else { text.trim_end_matches(" with grant") };
            write!(f, "{}{text}", if place == 0 { ":" } else { "+" })?;
        }
        if self.reach == Reach::AroundOrInside { f.write_str(" inside") } else { Ok(()) }
    }
}

/// Must there be an object of the clause's kind? Counts where the book refuses what is absent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Presence {
    Needed,
    Optional,
}

/// The kinds of objects that clauses name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The server, whatever the statement touches.
    Server,
    /// The session's current database, whatever the statement touches.
    CurrentDatabase,
    Database,
    /// A table or view as a whole.
    Table,
    /// The columns of a table that are read.
    Column,
    Uri,
    Function,
    Connector,
    Service,
    /// Each object for which no other clause is meant.
    Object,
}

impl Kind {
    pub const ALL: [Self; 10] = [
        Self::Server,
        Self::CurrentDatabase,
        Self::Database,
        Self::Table,
        Self::Column,
        Self::Uri,
        Self::Function,
        Self::Connector,
        Self::Service,
        Self::Object,
    ];

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Server => "Server",
            Self::CurrentDatabase => "CurrentDatabase",
            Self::Database => "Database",
            Self::Table => "Table",
            Self::Column => "Column",
            Self::Uri => "URI",
            Self::Function => "Function",
            Self::Connector => "Connector",
            Self::Service => "Service",
            Self::Object => "Object",
        }
    }

    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text)
    }

    /// Stands for one object of its own, and not for those that the statement touches.
    pub(super) const fn stands_alone(self) -> bool {
        matches!(self, Self::Server | Self::CurrentDatabase)
    }

    /// How closely the kind describes an object; none where it does not. Of all clauses that may be
    /// meant, those that fit best are.
    pub(super) fn fit(self, resource: &Resource, columns: &Columns) -> Option<u8> {
        let is_named = matches!(columns, Columns::Named(_));
        let (own, general) = match resource {
            Resource::Server => return None,
            Resource::Table(_) if is_named => {
                return match self {
                    Self::Column => Some(3),
                    Self::Table => Some(2),
                    Self::Object => Some(1),
                    _ => None,
                };
            }
            Resource::Table(_) => {
                return match self {
                    Self::Table => Some(3),
                    Self::Object => Some(2),
                    Self::Column => Some(1),
                    _ => None,
                };
            }
            Resource::Database(_) => (Self::Database, Self::Object),
            Resource::Column(_) => (Self::Column, Self::Object),
            Resource::Uri(_) => (Self::Uri, Self::Object),
            Resource::Function { .. } => (Self::Function, Self::Object),
            Resource::Connector(_) => (Self::Connector, Self::Object),
            Resource::Service(_) => (Self::Service, Self::Object),
        };
        match self {
            kind if kind == own => Some(2),
            kind if kind == general => Some(1),
            _ => None,
        }
    }
}

/// When a clause counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    /// One of these is done to the object.
    Actions(Vec<Action>),
    /// DESCRIBE shows that much.
    Detail(Detail),
    /// The statement touches nothing of that kind.
    Without(Kind),
    /// The statement makes or drops a function of the session only.
    Temporary,
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Actions(actions) => {
                for (place, action) in actions.iter().enumerate() {
                    write!(f, "{}{}", if place > 0 { "|" } else { "" }, action.as_str())?;
                }
                Ok(())
            }
            Self::Detail(Detail::Basic) => f.write_str("basic"),
            Self::Detail(Detail::Full) => f.write_str("full"),
            Self::Without(kind) => write!(f, "no {}", kind.as_str()),
            Self::Temporary => f.write_str("temporary"),
        }
    }
}

/// What is done to an object, as far as rule books tell it apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    Insert,
    Overwrite,
    Update,
    Delete,
    Other,
}

impl Action {
    const ALL: [Self; 5] = [Self::Insert, Self::Overwrite, Self::Update, Self::Delete, Self::Other];

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Insert => "INSERT",
            Self::Overwrite => "OVERWRITE",
            Self::Update => "UPDATE",
            Self::Delete => "DELETE",
            Self::Other => "OTHER",
        }
    }

    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|action| action.as_str() == text)
    }
}

impl From<WriteAction> for Action {
    fn from(action: WriteAction) -> Self {
        match action {
            WriteAction::Insert | WriteAction::Load => Self::Insert,
            WriteAction::Overwrite => Self::Overwrite,
            WriteAction::Update => Self::Update,
            WriteAction::Delete => Self::Delete,
            _ => Self::Other,
        }
    }
}
