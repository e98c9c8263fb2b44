//! Roles, privileges and data policies; resource plans.
//!
//! The privilege statements are the union of Hive's two modes, of Sentry and of AuthDev.

use super::{
    Existence, Expression, Identifier, PartitionSpecification, PrincipalName, QualifiedName, StringLiteral,
};

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RoleStatement<'a> {
    Create(Identifier<'a>),
    Drop(Identifier<'a>),
    /// `SET ROLE r`, `ALL`, `NONE`.
    Set(RoleChoice<'a>),
    /// `GRANT [ROLE] r, ... TO principal, ... [WITH ADMIN OPTION]`.
    Grant(&'a RoleGrant<'a>),
    /// `REVOKE [ADMIN OPTION FOR] [ROLE] r, ... FROM principal, ...`.
    Revoke(&'a RoleGrant<'a>),
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RoleChoice<'a> {
    All,
    None,
    Role(Identifier<'a>),
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RoleGrant<'a> {
    pub role_word: bool,
    pub roles: &'a [Identifier<'a>],
    pub principals: &'a [PrincipalName<'a>],
    /// `WITH ADMIN OPTION`, `ADMIN OPTION FOR`; `GRANT OPTION` spelt instead is kept.
    pub admin_option: Option<AdminOption>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AdminOption {
    Admin,
    Grant,
}

/// `GRANT`, `REVOKE`, `DENY`, `REVOKE DENY` of privileges.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PrivilegeStatement<'a> {
    pub action: PrivilegeAction,
    pub privileges: &'a [Privilege<'a>],
    /// Absent: global.
    pub object: Option<PrivilegeObject<'a>>,
    pub principals: &'a [PrincipalName<'a>],
    /// `EXCEPT principal, ...` of denials and grants of our own.
    pub except: &'a [PrincipalName<'a>],
    /// `WITH GRANT OPTION`, or `GRANT OPTION FOR` before the privileges of a revoke.
    pub grant_option: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PrivilegeAction {
    Grant,
    Revoke,
    Deny,
    RevokeDeny,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Privilege<'a> {
    pub kind: PrivilegeKind,
    pub columns: &'a [Identifier<'a>],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PrivilegeKind {
    /// `ALL`, also `ALL PRIVILEGES` (Sentry, AuthDev).
    All,
    Alter,
    Update,
    Create,
    Drop,
    Index,
    Lock,
    Select,
    ShowDatabase,
    Insert,
    Delete,
    /// AuthDev's `SUPER`.
    Super,
    /// Ranger's `READ`, `WRITE`, `REPLADMIN`, `SERVICEADMIN`, `TEMPUDFADMIN`, `REFRESH`, `USAGE`.
    Read,
    Write,
    Refresh,
    ReplAdmin,
    ServiceAdmin,
    TempUdfAdmin,
    Usage,
}

/// What a privilege is granted on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PrivilegeObject<'a> {
    /// `[TABLE] t [PARTITION (...)]`; a bare name is a table.
    Table {
        table_word: super::TableWord,
        name: QualifiedName<'a>,
        partition: Option<PartitionSpecification<'a>>,
    },
    View(QualifiedName<'a>),
    /// `DATABASE d` or `SCHEMA d`.
    Database(Identifier<'a>),
    Uri(StringLiteral<'a>),
    Server(Identifier<'a>),
    Function(QualifiedName<'a>),
    DataConnector(Identifier<'a>),
    /// `TAG name`, optionally with a value: `TAG pii = 'email'`.
    Tag {
        name: Identifier<'a>,
        value: Option<StringLiteral<'a>>,
    },
    /// `*`: everything in the current database (AuthDev).
    AllInCurrentDatabase,
    /// `*.*`.
    Everything,
    /// `db.*`.
    AllInDatabase(Identifier<'a>),
    /// `ALL TABLES IN DATABASE d`.
    AllTablesIn(Identifier<'a>),
    /// `COLUMN db.t.c`, for tags.
    Column {
        table: QualifiedName<'a>,
        column: Identifier<'a>,
    },
}

/// Our own statements for data policies and tags.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PolicyStatement<'a> {
    /// `CREATE ROW FILTER name ON t USING (condition) [TO principals] [EXCEPT principals]`.
    CreateRowFilter(&'a DataPolicy<'a>),
    /// `CREATE COLUMN MASK name ON t (column) USING (expression) [TO ...] [EXCEPT ...]`.
    CreateColumnMask(&'a DataPolicy<'a>),
    AlterRowFilter(&'a DataPolicy<'a>),
    AlterColumnMask(&'a DataPolicy<'a>),
    DropRowFilter {
        name: Identifier<'a>,
        if_exists: Existence,
    },
    DropColumnMask {
        name: Identifier<'a>,
        if_exists: Existence,
    },
    /// `CREATE TAG name [COMMENT '...']`.
    CreateTag {
        name: Identifier<'a>,
        if_not_exists: Existence,
        comment: Option<StringLiteral<'a>>,
    },
    AlterTag {
        name: Identifier<'a>,
        comment: StringLiteral<'a>,
    },
    DropTag {
        name: Identifier<'a>,
        if_exists: Existence,
    },
    /// `SET TAG name [= 'value'] ON object`.
    SetTag {
        name: Identifier<'a>,
        value: Option<StringLiteral<'a>>,
        object: PrivilegeObject<'a>,
    },
    /// `UNSET TAG name ON object`.
    UnsetTag {
        name: Identifier<'a>,
        object: PrivilegeObject<'a>,
    },
}

/// A row filter or column mask.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DataPolicy<'a> {
    pub name: Identifier<'a>,
    pub or_replace: bool,
    pub on: PrivilegeObject<'a>,
    pub column: Option<Identifier<'a>>,
    pub expression: Expression<'a>,
    pub expression_text: &'a str,
    pub principals: &'a [PrincipalName<'a>],
    pub except: &'a [PrincipalName<'a>],
}

/// Workload management: resource plans, pools, triggers, mappings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ResourcePlanStatement<'a> {
    CreatePlan {
        name: Identifier<'a>,
        if_not_exists: Existence,
        like: Option<Identifier<'a>>,
        /// `WITH QUERY_PARALLELISM = 4`.
        settings: &'a [PlanSetting<'a>],
    },
    AlterPlan {
        name: Identifier<'a>,
        change: PlanChange<'a>,
    },
    /// `ALTER RESOURCE PLAN` without a name: `DISABLE WORKLOAD MANAGEMENT`, `ENABLE WORKLOAD MANAGEMENT`.
    EnableWorkloadManagement,
    DisableWorkloadManagement,
    /// `REPLACE RESOURCE PLAN a WITH b`, `REPLACE ACTIVE RESOURCE PLAN WITH b`.
    ReplacePlan {
        name: Option<Identifier<'a>>,
        with: Identifier<'a>,
    },
    DropPlan {
        name: Identifier<'a>,
        if_exists: Existence,
    },
    CreateTrigger {
        plan: Identifier<'a>,
        name: Identifier<'a>,
        condition: &'a str,
        action: TriggerAction<'a>,
    },
    AlterTrigger {
        plan: Identifier<'a>,
        name: Identifier<'a>,
        change: TriggerChange<'a>,
    },
    DropTrigger {
        plan: Identifier<'a>,
        name: Identifier<'a>,
    },
    CreatePool {
        plan: Identifier<'a>,
        path: &'a [Identifier<'a>],
        settings: &'a [PlanSetting<'a>],
    },
    AlterPool {
        plan: Identifier<'a>,
        path: &'a [Identifier<'a>],
        change: PoolChange<'a>,
    },
    DropPool {
        plan: Identifier<'a>,
        path: &'a [Identifier<'a>],
    },
    CreateMapping(&'a Mapping<'a>),
    AlterMapping(&'a Mapping<'a>),
    DropMapping {
        kind: MappingKind,
        name: StringLiteral<'a>,
        plan: Identifier<'a>,
    },
}

/// `QUERY_PARALLELISM = 4`, `ALLOC_FRACTION = 0.5`, `SCHEDULING_POLICY = 'fair'`, `DEFAULT POOL = path`, `PATH = path`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlanSetting<'a> {
    pub key: PlanSettingKey,
    pub value: PlanSettingValue<'a>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PlanSettingKey {
    QueryParallelism,
    DefaultPool,
    AllocFraction,
    SchedulingPolicy,
    Path,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PlanSettingValue<'a> {
    Literal(super::Literal<'a>),
    String(StringLiteral<'a>),
    Path(&'a [Identifier<'a>]),
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PlanChange<'a> {
    Set(&'a [PlanSetting<'a>]),
    Unset(&'a [PlanSettingKey]),
    RenameTo(Identifier<'a>),
    Validate,
    Activate,
    Enable,
    EnableActivate,
    ActivateEnable,
    Disable,
    Replace,
    /// Further combinations that a version takes, in order.
    Several(&'a [PlanChange<'a>]),
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TriggerAction<'a> {
    Kill,
    MoveTo(&'a [Identifier<'a>]),
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TriggerChange<'a> {
    When { condition: &'a str, action: TriggerAction<'a> },
    AddTo(TriggerTarget<'a>),
    DropFrom(TriggerTarget<'a>),
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TriggerTarget<'a> {
    Pool(&'a [Identifier<'a>]),
    Unmanaged,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PoolChange<'a> {
    Set(&'a [PlanSetting<'a>]),
    Unset(&'a [PlanSettingKey]),
    AddTrigger(Identifier<'a>),
    DropTrigger(Identifier<'a>),
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mapping<'a> {
    pub kind: MappingKind,
    pub name: StringLiteral<'a>,
    pub plan: Identifier<'a>,
    pub target: TriggerTarget<'a>,
    /// `WITH ORDER n`.
    pub order: Option<&'a str>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MappingKind {
    User,
    Group,
    Application,
}
