//! Which privileges each rule book knows, and on what they can stand.

use guardbee_hiveql::tree::PrivilegeKind;
use guardbee_policy::{BookName, Privilege, Privileges, Scope};

use super::Refusal;

/// The privileges that a word of a statement stands for, each to be kept by itself.
pub(super) fn privileges_of(book: BookName, kind: PrivilegeKind) -> Result<Vec<Privileges>, Refusal> {
    let privilege = match kind {
        PrivilegeKind::All if book == BookName::SqlStandard => {
            let all = [Privilege::Select, Privilege::Insert, Privilege::Update, Privilege::Delete];
            return Ok(all.map(Privileges::of).to_vec());
        }
        PrivilegeKind::All => return Ok(vec![Privileges::ALL]),
        PrivilegeKind::GrantOption => {
            return Err(Refusal::error(
                "unsupported-privilege",
                "`GRANT OPTION` can be named only behind `REVOKE ALL PRIVILEGES,`",
            ));
        }
        PrivilegeKind::Alter => Privilege::Alter,
        PrivilegeKind::Update => Privilege::Update,
        PrivilegeKind::Create => Privilege::Create,
        PrivilegeKind::Drop => Privilege::Drop,
        PrivilegeKind::Index => Privilege::Index,
        PrivilegeKind::Lock => Privilege::Lock,
        PrivilegeKind::Select => Privilege::Select,
        PrivilegeKind::ShowDatabase => Privilege::ShowDatabase,
        PrivilegeKind::Insert => Privilege::Insert,
        PrivilegeKind::Delete => Privilege::Delete,
        PrivilegeKind::Super => Privilege::Super,
        PrivilegeKind::CreateView => Privilege::CreateView,
        PrivilegeKind::ShowView => Privilege::ShowView,
        PrivilegeKind::Owner => Privilege::Owner,
        PrivilegeKind::Read => Privilege::Read,
        PrivilegeKind::Write => Privilege::Write,
        PrivilegeKind::Refresh => Privilege::Refresh,
        PrivilegeKind::ReplAdmin => Privilege::ReplicationAdmin,
        PrivilegeKind::ServiceAdmin => Privilege::ServiceAdmin,
        PrivilegeKind::TempUdfAdmin => Privilege::TemporaryFunctionAdmin,
        PrivilegeKind::Usage => Privilege::Usage,
    };
    if known(book).contains(privilege) {
        return Ok(vec![Privileges::of(privilege)]);
    }
    Err(Refusal::error(
        "unsupported-privilege",
        format!("the rule book {} has no privilege {privilege}", book.as_str()),
    ))
}

/// What a book's statements may name. SUPER is AuthDev's, and everywhere.
pub(crate) fn known(book: BookName) -> Privileges {
    let privileges: &[Privilege] = match book {
        BookName::Sentry => &[
            Privilege::Select,
            Privilege::Insert,
            Privilege::Alter,
            Privilege::Create,
            Privilege::Drop,
            Privilege::Index,
            Privilege::Lock,
            Privilege::Refresh,
        ],
        BookName::HiveLegacy => &[
            Privilege::Select,
            Privilege::Insert,
            Privilege::Update,
            Privilege::Delete,
            Privilege::Create,
            Privilege::Drop,
            Privilege::Alter,
            Privilege::Index,
            Privilege::Lock,
            Privilege::ShowDatabase,
            Privilege::CreateView,
            Privilege::ShowView,
        ],
        BookName::SqlStandard => {
            &[Privilege::Select, Privilege::Insert, Privilege::Update, Privilege::Delete]
        }
        BookName::Ranger => Privilege::EACH,
    };
    privileges.iter().copied().collect::<Privileges>().with(Privilege::Super)
}

/// Can such a privilege stand there?
pub(crate) fn must_fit(book: BookName, privileges: Privileges, scope: &Scope) -> Result<(), Refusal> {
    let only = |privilege| privileges == Privileges::of(privilege);
    let reason = match scope {
        Scope::Column { .. } if book == BookName::SqlStandard => "privileges on columns are not supported",
        Scope::Column { .. } if !(only(Privilege::Select) || privileges.is_all()) => {
            "only SELECT can stand on columns"
        }
        Scope::Table { .. } if book == BookName::Sentry && only(Privilege::Create) => {
            "CREATE cannot stand on a table"
        }
        Scope::Server => return Ok(()),
        _ if only(Privilege::ShowDatabase) => "SHOW_DATABASE stands on the server alone",
        _ if only(Privilege::Super) => "SUPER stands on the server alone",
        _ => return Ok(()),
    };
    Err(Refusal::error("unsupported-privilege", format!("{privileges} on {scope}: {reason}")))
}
