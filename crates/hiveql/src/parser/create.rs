//! `CREATE`: which object is made.

use guardbee_model::HiveVersion;

use super::{Parse, Parser};
use crate::keyword::Keyword;
use crate::tree::Statement;

/// The words that may follow `CREATE`.
pub(super) const OBJECTS: &[Keyword] = &[
    Keyword::Table,
    Keyword::View,
    Keyword::Database,
    Keyword::Schema,
    Keyword::Function,
    Keyword::Temporary,
    Keyword::External,
    Keyword::Managed,
    Keyword::Transactional,
    Keyword::Materialized,
    Keyword::Or,
    Keyword::Remote,
    Keyword::Dataconnector,
    Keyword::Catalog,
    Keyword::Scheduled,
    Keyword::Branch,
    Keyword::Role,
    Keyword::Resource,
    Keyword::Trigger,
    Keyword::Pool,
];

impl<'a> Parser<'a> {
    pub(crate) fn create_statement(&mut self) -> Parse<Statement<'a>> {
        let Some(object) = self.peek_keyword(1) else {
            return self.create_other();
        };
        match object {
            Keyword::Table | Keyword::External | Keyword::Transactional | Keyword::Managed => {
                self.create_table()
            }
            Keyword::Temporary => match self.peek_keyword(2) {
                Some(Keyword::Function) => self.create_function(),
                Some(Keyword::Macro) => self.create_macro(),
                _ => self.create_table(),
            },
            Keyword::View => self.create_view(),
            Keyword::Or => match self.peek_keyword(3) {
                Some(Keyword::Branch | Keyword::Tag) if self.has_reference_statements() => {
                    self.create_reference()
                }
                Some(Keyword::Row | Keyword::Column) if self.takes_extensions() => self.create_other(),
                _ => self.create_view(),
            },
            Keyword::Materialized => self.create_materialized_view(),
            Keyword::Database | Keyword::Schema => self.create_database(),
            Keyword::Remote => self.create_remote_database(),
            Keyword::Dataconnector => self.create_data_connector(),
            Keyword::Catalog => self.create_catalog(),
            Keyword::Scheduled => self.create_scheduled_query(),
            Keyword::Function => self.create_function(),
            Keyword::Index => self.create_index(),
            Keyword::Branch => self.create_reference(),
            Keyword::Tag if self.names_table_behind_tag() => self.create_reference(),
            _ => self.create_other(),
        }
    }

    /// Do branches and tags have statements of their own, beside `ALTER TABLE`?
    pub(super) fn has_reference_statements(&self) -> bool {
        self.version() >= HiveVersion::V4_2
    }

    /// Is it Hive's `CREATE|DROP TAG [IF [NOT] EXISTS] name FROM t`, and not a tag of data policies?
    pub(super) fn names_table_behind_tag(&mut self) -> bool {
        if !self.takes_extensions() {
            return true;
        }
        let name = match (self.peek_keyword(2), self.peek_keyword(3)) {
            (Some(Keyword::If), Some(Keyword::Not)) => 5,
            (Some(Keyword::If), Some(Keyword::Exists)) => 4,
            _ => 2,
        };
        self.has_reference_statements() && self.peek_keyword(name + 1) == Some(Keyword::From)
    }
}
