//! Roles and privileges.

use super::{Print, Printer};
use crate::tree::{
    PrincipalName, Privilege, PrivilegeAction, PrivilegeKind, PrivilegeObject, PrivilegeStatement,
    RoleChoice, RoleGrant, RoleStatement, TableWord,
};

impl Print for RoleStatement<'_> {
    fn print(&self, printer: &mut Printer) {
        match self {
            Self::Create { name, if_not_exists } => {
                printer.word("CREATE ROLE");
                printer.if_not_exists(*if_not_exists);
                name.print(printer);
            }
            Self::Drop { name, if_exists } => {
                printer.word("DROP ROLE");
                printer.if_exists(*if_exists);
                name.print(printer);
            }
            Self::Set(RoleChoice::All) => printer.word("SET ROLE ALL"),
            Self::Set(RoleChoice::None) => printer.word("SET ROLE NONE"),
            Self::Set(RoleChoice::Role(role)) => printer.worded("SET ROLE", role),
            Self::Grant(grant) => {
                printer.word("GRANT");
                printer.granted_roles("TO", grant);
                printer.word_if(grant.admin_option, "WITH ADMIN OPTION");
            }
            Self::Revoke(grant) => {
                printer.word("REVOKE");
                printer.word_if(grant.admin_option, "ADMIN OPTION FOR");
                printer.granted_roles("FROM", grant);
            }
        }
    }
}

impl Print for PrivilegeStatement<'_> {
    fn print(&self, printer: &mut Printer) {
        let (verb, link) = match self.action {
            PrivilegeAction::Grant => ("GRANT", "TO"),
            PrivilegeAction::Revoke => ("REVOKE", "FROM"),
            PrivilegeAction::Deny => ("DENY", "TO"),
            PrivilegeAction::RevokeDeny => ("REVOKE DENY", "FROM"),
        };
        let grants = self.action == PrivilegeAction::Grant;
        printer.word(verb);
        printer.word_if(self.grant_option && !grants, "GRANT OPTION FOR");
        printer.nodes(self.privileges);
        printer.optional("ON", self.object.as_ref());
        printer.word(link);
        printer.nodes(self.principals);
        printer.except(self.except);
        printer.word_if(self.grant_option && grants, "WITH GRANT OPTION");
    }
}

impl Print for Privilege<'_> {
    fn print(&self, printer: &mut Printer) {
        self.kind.print(printer);
        if !self.columns.is_empty() {
            printer.parenthesized_nodes(self.columns);
        }
    }
}

impl Print for PrivilegeKind {
    fn print(&self, printer: &mut Printer) {
        printer.word(match self {
            Self::All => "ALL",
            Self::Alter => "ALTER",
            Self::Update => "UPDATE",
            Self::Create => "CREATE",
            Self::Drop => "DROP",
            Self::Index => "INDEX",
            Self::Lock => "LOCK",
            Self::Select => "SELECT",
            Self::ShowDatabase => "SHOW_DATABASE",
            Self::Insert => "INSERT",
            Self::Delete => "DELETE",
            Self::Super => "SUPER",
            Self::CreateView => "CREATE VIEW",
            Self::ShowView => "SHOW VIEW",
            Self::GrantOption => "GRANT OPTION",
            Self::Owner => "OWNER",
            Self::Read => "READ",
            Self::Write => "WRITE",
            Self::Refresh => "REFRESH",
            Self::ReplAdmin => "REPLADMIN",
            Self::ServiceAdmin => "SERVICEADMIN",
            Self::TempUdfAdmin => "TEMPUDFADMIN",
            Self::Usage => "USAGE",
        });
    }
}

impl Print for PrivilegeObject<'_> {
    fn print(&self, printer: &mut Printer) {
        match self {
            Self::Table { table_word, name, partition } => {
                printer.word_if(*table_word == TableWord::Present, "TABLE");
                name.print(printer);
                printer.maybe(partition.as_ref());
            }
            Self::View(name) => printer.worded("VIEW", name),
            Self::Database(name) => printer.worded("DATABASE", name),
            Self::Uri(path) => printer.worded("URI", path),
            Self::Server(name) => printer.worded("SERVER", name),
            Self::Function(name) => printer.worded("FUNCTION", name),
            Self::DataConnector(name) => printer.worded("CONNECTOR", name),
            Self::Tag { name, value } => {
                printer.worded("TAG", name);
                printer.optional("=", value.as_ref());
            }
            Self::AllInCurrentDatabase => printer.word("*"),
            Self::Everything => printer.word("*.*"),
            Self::AllInDatabase(database) => {
                database.print(printer);
                printer.glued(".*");
            }
            Self::AllTablesIn(database) => printer.worded("ALL TABLES IN DATABASE", database),
            Self::Column { table, column } => {
                printer.worded("COLUMN", table);
                printer.dot();
                column.print(printer);
            }
        }
    }
}

impl Printer {
    fn granted_roles(&mut self, link: &str, grant: &RoleGrant<'_>) {
        self.word_if(grant.role_word, "ROLE");
        self.nodes(grant.roles);
        self.word(link);
        self.nodes(grant.principals);
    }

    /// Writes `EXCEPT principal, ...` where there are any.
    pub(super) fn except(&mut self, principals: &[PrincipalName<'_>]) {
        if !principals.is_empty() {
            self.word("EXCEPT");
            self.nodes(principals);
        }
    }
}
