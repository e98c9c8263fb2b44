//! Which of Hive's ways of authorization is on, as the settings of a session say.

use guardbee_analysis::Session;
use guardbee_model::Operation;
use guardbee_policy::BookName;

const MANAGER: &str = "hive.security.authorization.manager";
const ENABLED: &str = "hive.security.authorization.enabled";

/// Which way, and whether statements are asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mode {
    manager: Manager,
    is_enabled: bool,
    is_settled: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Manager {
    Legacy,
    SqlStandard,
    /// The same without what would keep tests from running: `dfs` is for everybody.
    SqlStandardForTests,
    /// What is left where nothing else is set up: see [`super::fallback`].
    Fallback,
}

impl Manager {
    fn of_class(class: &str) -> Self {
        match class {
            class if class.contains("FallbackHiveAuthorizer") => Self::Fallback,
            class if !class.contains("SQLStd") => Self::Legacy,
            class if class.ends_with("ForTest") => Self::SqlStandardForTests,
            _ => Self::SqlStandard,
        }
    }
}

impl Mode {
    /// `authorizer`: does the test start with authorization as the SQL standard has it?
    pub(super) const fn at_start(authorizer: bool) -> Self {
        let manager = if authorizer { Manager::SqlStandardForTests } else { Manager::Legacy };
        Self { manager, is_enabled: authorizer, is_settled: false }
    }

    /// Hive makes the manager of a session when it runs the session's first statement; what is set later does
    /// not change it.
    pub(super) const fn settle(&mut self) {
        self.is_settled = true;
    }

    /// As the settings of the session have it.
    pub(super) fn after(self, session: &Session) -> Self {
        let manager = session.setting(MANAGER).filter(|_| !self.is_settled);
        let is_enabled = session.setting(ENABLED).map(|value| value.eq_ignore_ascii_case("true"));
        Self {
            manager: manager.map_or(self.manager, Manager::of_class),
            is_enabled: is_enabled.unwrap_or(self.is_enabled),
            ..self
        }
    }

    pub(super) const fn book(self) -> BookName {
        match self.manager {
            Manager::Legacy => BookName::HiveLegacy,
            Manager::SqlStandard | Manager::SqlStandardForTests | Manager::Fallback => BookName::SqlStandard,
        }
    }

    pub(super) const fn is_fallback(self) -> bool {
        matches!(self.manager, Manager::Fallback)
    }

    /// Is anybody asked whether such a statement may run? The legacy mode lets everybody administer; the
    /// SQL-standard mode asks who administers even where authorization is off.
    pub(super) fn asks(self, operation: Option<Operation>) -> bool {
        match operation {
            Some(operation) if administers(operation) => self.manager != Manager::Legacy,
            Some(Operation::FileSystem) => self.is_enabled && self.manager != Manager::SqlStandardForTests,
            // The client's own.
            Some(Operation::Shell | Operation::Source) => false,
            _ => self.is_enabled,
        }
    }
}

const fn administers(operation: Operation) -> bool {
    matches!(
        operation,
        Operation::CreateRole
            | Operation::DropRole
            | Operation::GrantRole
            | Operation::RevokeRole
            | Operation::GrantPrivilege
            | Operation::RevokePrivilege
            | Operation::ShowGrant
            | Operation::ShowRoles
            | Operation::ShowRoleGrant
            | Operation::ShowRolePrincipals
    )
}
