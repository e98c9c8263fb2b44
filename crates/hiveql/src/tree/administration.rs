//! Roles, privileges and data policies; resource plans.
//!
//! The privilege statements are the union of Hive's two modes, of Sentry and of AuthDev.

use super::{
    Existence, Expression, Identifier, Literal, PartitionSpecification, PrincipalName, QualifiedName,
    SourceText, StringLiteral,
};

/// Statements about roles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RoleStatement<'a> {
    /// No Hive knows `IF NOT EXISTS` here, nor `IF EXISTS` in the next.
    Create {
        name: Identifier<'a>,
        if_not_exists: Existence,
    },
    Drop {
        name: Identifier<'a>,
        if_exists: Existence,
    },
    /// `SET ROLE r`, `ALL`, `NONE`.
    Set(RoleChoice<'a>),
    /// `GRANT [ROLE] r, ... TO principal, ... [WITH ADMIN OPTION]`.
    Grant(&'a RoleGrant<'a>),
    /// `REVOKE [ADMIN OPTION FOR] [ROLE] r, ... FROM principal, ...`.
    Revoke(&'a RoleGrant<'a>),
}

/// Which roles `SET ROLE` takes on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RoleChoice<'a> {
    All,
    None,
    Role(Identifier<'a>),
}

/// The rest of `GRANT [ROLE] r, ... TO principal, ...` and of its `REVOKE`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RoleGrant<'a> {
    pub role_word: bool,
    pub roles: &'a [Identifier<'a>],
    pub principals: &'a [PrincipalName<'a>],
    /// `WITH ADMIN OPTION`, `ADMIN OPTION FOR`; no Hive takes `GRANT OPTION` here, but we do.
    pub admin_option: bool,
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
    /// `WITH GRANT OPTION` (AuthDev: `WITH ADMIN OPTION`), or `GRANT OPTION FOR` before the privileges of
    /// a revoke.
    pub grant_option: bool,
}

/// What happens to privileges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PrivilegeAction {
    Grant,
    Revoke,
    Deny,
    RevokeDeny,
}

/// A privilege, for some columns only where there are any.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Privilege<'a> {
    pub kind: PrivilegeKind,
    pub columns: &'a [Identifier<'a>],
}

/// The first eleven are Hive's (`Index` in 2.3 only); the others need an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PrivilegeKind {
    /// `ALL`, also `ALL PRIVILEGES` (Sentry, AuthDev).
    All,
    Alter,
    Update,
    Create,
    Drop,
    Index,
    /// `LOCK`, also `LOCK TABLES` (AuthDev).
    Lock,
    Select,
    /// `SHOW_DATABASE`, also `SHOW DATABASES` (AuthDev).
    ShowDatabase,
    Insert,
    Delete,
    /// AuthDev's `SUPER`, `CREATE VIEW`, `SHOW VIEW`.
    Super,
    CreateView,
    ShowView,
    /// AuthDev's `REVOKE ALL PRIVILEGES, GRANT OPTION FROM ...`.
    GrantOption,
    /// Sentry's `OWNER`.
    Owner,
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

/// Our own statements for data policies and tags; `docs/sql-administration.md` is their grammar.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PolicyStatement<'a> {
    Create(CreatePolicy<'a>),
    Alter {
        kind: PolicyKind,
        name: Identifier<'a>,
        change: PolicyChange<'a>,
    },
    Drop {
        kind: PolicyKind,
        name: Identifier<'a>,
        if_exists: Existence,
    },
    /// `CREATE TAG [IF NOT EXISTS] name [ALLOWED_VALUES 'a', 'b'] [COMMENT '...']`.
    CreateTag {
        name: Identifier<'a>,
        if_not_exists: Existence,
        allowed_values: &'a [StringLiteral<'a>],
        comment: Option<StringLiteral<'a>>,
    },
    AlterTag {
        name: Identifier<'a>,
        change: TagChange<'a>,
    },
    DropTag {
        name: Identifier<'a>,
        if_exists: Existence,
    },
    /// `SET TAG name [= 'value'], ... ON object`.
    SetTags {
        tags: &'a [TagValue<'a>],
        object: PrivilegeObject<'a>,
    },
    /// `UNSET TAG name, ... ON object`.
    UnsetTags {
        tags: &'a [Identifier<'a>],
        object: PrivilegeObject<'a>,
    },
}

/// What a policy does: leave out rows, or change what a column shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PolicyKind {
    RowFilter,
    ColumnMask,
}

/// `CREATE [OR REPLACE] ROW FILTER|COLUMN MASK [IF NOT EXISTS] name ON target [(column)] USING (expression)
/// [TO principals] [EXCEPT principals]`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CreatePolicy<'a> {
    pub kind: PolicyKind,
    pub or_replace: bool,
    pub if_not_exists: Existence,
    pub name: Identifier<'a>,
    /// A table, view or tag.
    pub on: PrivilegeObject<'a>,
    /// The column that a mask covers; absent where the target is a tag.
    pub column: Option<Identifier<'a>>,
    pub definition: PolicyDefinition<'a>,
    /// None: everybody.
    pub principals: &'a [PrincipalName<'a>],
    pub except: &'a [PrincipalName<'a>],
}

/// The condition of a row filter, or what a mask puts in place of the column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PolicyDefinition<'a> {
    pub expression: Expression<'a>,
    /// The expression as written, without the parentheses around it.
    pub text: SourceText<'a>,
}

/// What `ALTER ROW FILTER` and `ALTER COLUMN MASK` do.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PolicyChange<'a> {
    Rename(Identifier<'a>),
    Enable,
    Disable,
    /// `[USING (...)] [TO principals] [EXCEPT principals]`, one of them at least; what is left out stays.
    Redefine {
        definition: Option<PolicyDefinition<'a>>,
        principals: &'a [PrincipalName<'a>],
        except: &'a [PrincipalName<'a>],
    },
}

/// What `ALTER TAG` does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TagChange<'a> {
    Rename(Identifier<'a>),
    /// `SET COMMENT '...'`.
    Comment(StringLiteral<'a>),
    /// `SET ALLOWED_VALUES 'a', 'b'`.
    AllowedValues(&'a [StringLiteral<'a>]),
    /// `UNSET ALLOWED_VALUES`: any value goes.
    AnyValue,
    /// `ADD DECLASSIFIER object REASON '...' REVIEW '2027-01-01' [OWNER '...']`.
    AddDeclassifier {
        at: PrivilegeObject<'a>,
        reason: StringLiteral<'a>,
        review: StringLiteral<'a>,
        owner: Option<StringLiteral<'a>>,
    },
    /// `DROP DECLASSIFIER object`.
    DropDeclassifier(PrivilegeObject<'a>),
}

/// `name [= 'value']`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TagValue<'a> {
    pub name: Identifier<'a>,
    pub value: Option<StringLiteral<'a>>,
}

/// Workload management: resource plans, pools, triggers, mappings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ResourcePlanStatement<'a> {
    CreatePlan {
        name: Identifier<'a>,
        if_not_exists: Existence,
        content: PlanContent<'a>,
    },
    AlterPlan {
        name: Identifier<'a>,
        change: PlanChange<'a>,
    },
    /// `ENABLE WORKLOAD MANAGEMENT`.
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
        condition: TriggerCondition<'a>,
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
        settings: &'a [PoolSetting<'a>],
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

/// What a new resource plan starts with.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PlanContent<'a> {
    /// `LIKE plan`.
    Like(Identifier<'a>),
    /// `WITH setting, ...`, or nothing.
    Settings(&'a [PlanSetting<'a>]),
}

/// A setting of a resource plan.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PlanSetting<'a> {
    /// `QUERY_PARALLELISM = 4`.
    QueryParallelism(&'a str),
    /// `DEFAULT POOL = path`.
    DefaultPool(&'a [Identifier<'a>]),
}

/// What `UNSET` names of a resource plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PlanSettingKey {
    QueryParallelism,
    DefaultPool,
}

/// A setting of a pool.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PoolSetting<'a> {
    /// `ALLOC_FRACTION = 0.5`.
    AllocFraction(&'a str),
    /// `QUERY_PARALLELISM = 4`.
    QueryParallelism(&'a str),
    /// `SCHEDULING_POLICY = 'fair'`.
    SchedulingPolicy(StringLiteral<'a>),
    /// `PATH = path`.
    Path(&'a [Identifier<'a>]),
}

/// What `ALTER RESOURCE PLAN` does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PlanChange<'a> {
    Set(&'a [PlanSetting<'a>]),
    Unset(&'a [PlanSettingKey]),
    RenameTo(Identifier<'a>),
    Validate,
    Enable,
    Disable,
    /// `ACTIVATE [WITH REPLACE]`, before or behind `ENABLE`.
    Activate {
        enable: bool,
        with_replace: bool,
    },
}

/// `counter > limit`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TriggerCondition<'a> {
    pub counter: Identifier<'a>,
    /// A number or string.
    pub limit: Literal<'a>,
}

/// What a trigger does with a query: `KILL`, `MOVE TO pool`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TriggerAction<'a> {
    Kill,
    MoveTo(&'a [Identifier<'a>]),
}

/// What `ALTER TRIGGER` does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TriggerChange<'a> {
    When { condition: TriggerCondition<'a>, action: TriggerAction<'a> },
    AddTo(PoolTarget<'a>),
    DropFrom(PoolTarget<'a>),
}

/// Where queries run: in a pool, or outside the plan.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PoolTarget<'a> {
    Pool(&'a [Identifier<'a>]),
    Unmanaged,
}

/// What `ALTER POOL` does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PoolChange<'a> {
    Set(&'a [PoolSetting<'a>]),
    UnsetSchedulingPolicy,
    AddTrigger(Identifier<'a>),
    DropTrigger(Identifier<'a>),
}

/// `USER|GROUP|APPLICATION MAPPING 'name' IN plan TO pool`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mapping<'a> {
    pub kind: MappingKind,
    pub name: StringLiteral<'a>,
    pub plan: Identifier<'a>,
    pub target: PoolTarget<'a>,
    /// `WITH ORDER n`.
    pub order: Option<&'a str>,
}

/// Whose queries a mapping leads to a pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MappingKind {
    User,
    Group,
    Application,
}
