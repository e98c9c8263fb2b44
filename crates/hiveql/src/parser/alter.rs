//! `ALTER`: which object changes; and the changes of everything but tables.

use guardbee_model::HiveVersion;

use super::{Parse, Parser};
use crate::keyword::Keyword;
use crate::token::TokenKind;
use crate::tree::{
    AlterCatalog, AlterDataConnector, AlterDatabase, AlterMaterializedView, AlterView, CatalogAlteration,
    DataConnectorChange, DatabaseChange, MaterializedViewChange, PrincipalName, Statement, ViewChange,
};

/// The words that may follow `ALTER`.
pub(super) const OBJECTS: &[Keyword] = &[
    Keyword::Table,
    Keyword::View,
    Keyword::Materialized,
    Keyword::Database,
    Keyword::Schema,
    Keyword::Dataconnector,
    Keyword::Catalog,
    Keyword::Scheduled,
    Keyword::Resource,
    Keyword::Trigger,
    Keyword::Pool,
];

impl<'a> Parser<'a> {
    pub(crate) fn alter_statement(&mut self) -> Parse<Statement<'a>> {
        let Some(object) = self.peek_keyword(1) else {
            return self.alter_other();
        };
        match object {
            Keyword::Table => self.alter_table(),
            Keyword::View => self.alter_view(),
            Keyword::Materialized => self.alter_materialized_view(),
            Keyword::Database | Keyword::Schema => self.alter_database(),
            Keyword::Dataconnector => self.alter_data_connector(),
            Keyword::Catalog => self.alter_catalog(),
            Keyword::Scheduled => self.alter_scheduled_query(),
            Keyword::Index => self.alter_index(),
            _ => self.alter_other(),
        }
    }

    /// `USER u`, `GROUP g` or `ROLE r`, and nothing shorter or in quotes.
    pub(super) fn owner(&mut self) -> Parse<PrincipalName<'a>> {
        const KINDS: [Keyword; 3] = [Keyword::User, Keyword::Group, Keyword::Role];
        if !self.keyword().is_some_and(|keyword| KINDS.contains(&keyword)) {
            return Err(self.expected_keywords(&KINDS));
        }
        if self.peek(1) == TokenKind::String {
            self.bump();
            return Err(self.unexpected("a principal name"));
        }
        self.principal()
    }

    /// `ALTER VIEW v [AS] change`.
    fn alter_view(&mut self) -> Parse<Statement<'a>> {
        self.bump();
        self.bump();
        let name = self.table_name()?;
        self.eat_keyword(Keyword::As);
        let change = self.view_change()?;
        Ok(Statement::AlterView(self.arena.alloc(AlterView { name, change })))
    }

    fn view_change(&mut self) -> Parse<ViewChange<'a>> {
        match self.keyword() {
            Some(Keyword::Rename) => {
                self.expect_keywords(&[Keyword::Rename, Keyword::To])?;
                self.table_name().map(ViewChange::Rename)
            }
            Some(Keyword::Set) => {
                self.expect_keywords(&[Keyword::Set, Keyword::Tblproperties])?;
                self.table_properties().map(ViewChange::SetProperties)
            }
            Some(Keyword::Unset) => {
                self.expect_keywords(&[Keyword::Unset, Keyword::Tblproperties])?;
                let if_exists = self.if_exists();
                Ok(ViewChange::UnsetProperties { if_exists, keys: self.table_properties()? })
            }
            Some(Keyword::Add) => {
                self.bump();
                let (if_not_exists, partitions) = self.added_partitions()?;
                Ok(ViewChange::AddPartitions { if_not_exists, partitions })
            }
            Some(Keyword::Drop) => {
                self.bump();
                let dropped = self.dropped_partitions()?;
                Ok(ViewChange::DropPartitions {
                    if_exists: dropped.if_exists,
                    partitions: dropped.partitions,
                    purge: dropped.purge,
                    replication: dropped.replication,
                })
            }
            _ if self.at_select() => {
                let (query, query_text) = self.select_with_text()?;
                Ok(ViewChange::As { query, query_text })
            }
            _ => Err(self.expected_keywords(&[
                Keyword::As,
                Keyword::Rename,
                Keyword::Set,
                Keyword::Unset,
                Keyword::Add,
                Keyword::Drop,
            ])),
        }
    }

    fn at_select(&self) -> bool {
        match self.kind() {
            TokenKind::LeftParenthesis => true,
            TokenKind::Keyword(keyword) => matches!(
                keyword,
                Keyword::Select
                    | Keyword::With
                    | Keyword::Values
                    | Keyword::Map
                    | Keyword::Reduce
                    | Keyword::From
                    | Keyword::Insert
            ),
            _ => false,
        }
    }

    fn alter_materialized_view(&mut self) -> Parse<Statement<'a>> {
        self.bump();
        self.expect_keywords(&[Keyword::Materialized, Keyword::View])?;
        let name = self.table_name()?;
        self.requires(HiveVersion::V3_1, "`ALTER MATERIALIZED VIEW`", self.start())?;
        let change = match self.keyword() {
            Some(Keyword::Rebuild) => MaterializedViewChange::Rebuild,
            Some(Keyword::Enable) => MaterializedViewChange::EnableRewrite,
            Some(Keyword::Disable) => MaterializedViewChange::DisableRewrite,
            _ => {
                return Err(self.expected_keywords(&[Keyword::Rebuild, Keyword::Enable, Keyword::Disable]));
            }
        };
        self.bump();
        if change != MaterializedViewChange::Rebuild {
            self.expect_keyword(Keyword::Rewrite)?;
        }
        Ok(Statement::AlterMaterializedView(self.arena.alloc(AlterMaterializedView { name, change })))
    }

    fn alter_database(&mut self) -> Parse<Statement<'a>> {
        self.bump();
        self.bump();
        let name = self.database_name()?;
        self.expect_keyword(Keyword::Set)?;
        let change = self.database_change()?;
        Ok(Statement::AlterDatabase(self.arena.alloc(AlterDatabase { name, change })))
    }

    fn database_change(&mut self) -> Parse<DatabaseChange<'a>> {
        match self.keyword() {
            Some(Keyword::Dbproperties) => {
                self.bump();
                self.properties().map(DatabaseChange::Properties)
            }
            Some(Keyword::Owner) => {
                self.bump();
                self.owner().map(DatabaseChange::Owner)
            }
            Some(Keyword::Location) => {
                self.requires(HiveVersion::V3_1, "`SET LOCATION` of a database", self.start())?;
                self.bump();
                self.location().map(DatabaseChange::Location)
            }
            Some(Keyword::Managedlocation) => {
                self.bump();
                self.location().map(DatabaseChange::ManagedLocation)
            }
            _ => Err(self.expected_among(
                "`DBPROPERTIES`, `OWNER`, `LOCATION` or `MANAGEDLOCATION`",
                &[Keyword::Dbproperties, Keyword::Owner, Keyword::Location, Keyword::Managedlocation],
            )),
        }
    }

    fn alter_data_connector(&mut self) -> Parse<Statement<'a>> {
        self.bump();
        self.bump();
        let name = self.connector_name()?;
        self.expect_keyword(Keyword::Set)?;
        let change = match self.keyword() {
            Some(Keyword::Dcproperties) => {
                self.bump();
                DataConnectorChange::Properties(self.properties()?)
            }
            Some(Keyword::Owner) => {
                self.bump();
                DataConnectorChange::Owner(self.owner()?)
            }
            Some(Keyword::Url) => {
                self.bump();
                DataConnectorChange::Url(self.string("a URL in quotes")?)
            }
            _ => {
                return Err(self.expected_keywords(&[Keyword::Dcproperties, Keyword::Owner, Keyword::Url]));
            }
        };
        Ok(Statement::AlterDataConnector(self.arena.alloc(AlterDataConnector { name, change })))
    }

    fn alter_catalog(&mut self) -> Parse<Statement<'a>> {
        self.requires(HiveVersion::V4_1, "`ALTER CATALOG`", self.start())?;
        self.bump();
        self.bump();
        let name = self.catalog_name()?;
        self.expect_keyword(Keyword::Set)?;
        let change = if self.eat_keyword(Keyword::Properties) {
            CatalogAlteration::Properties(self.properties()?)
        } else {
            self.expect_keyword(Keyword::Location)?;
            CatalogAlteration::Location(self.location()?)
        };
        Ok(Statement::AlterCatalog(self.arena.alloc(AlterCatalog { name, change })))
    }
}
