//! Whole statements.

use super::{
    Abort, AlterCatalog, AlterDataConnector, AlterDatabase, AlterIndex, AlterMaterializedView,
    AlterScheduledQuery, AlterTable, AlterView, Analyze, CreateCatalog, CreateDataConnector, CreateDatabase,
    CreateFunction, CreateIndex, CreateMacro, CreateMaterializedView, CreateScheduledQuery, CreateTable,
    CreateView, Delete, Describe, Drop, Execute, Explain, Export, Identifier, Import, Load, Lock, Merge,
    Msck, PolicyStatement, Prepare, PrivilegeStatement, Query, Replication, ResourcePlanStatement,
    RoleStatement, Show, Transaction, Truncate, Update,
};

/// One HiveQL statement. Client commands (`SET`, `ADD JAR`, `dfs` and so on) are no statements: see
/// [`crate::command`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Statement<'a> {
    /// Everything that selects, with or without `INSERT`.
    Query(&'a Query<'a>),
    Explain(&'a Explain<'a>),
    Load(&'a Load<'a>),
    Export(&'a Export<'a>),
    Import(&'a Import<'a>),
    Update(&'a Update<'a>),
    Delete(&'a Delete<'a>),
    Merge(&'a Merge<'a>),
    Transaction(Transaction<'a>),
    Prepare(&'a Prepare<'a>),
    Execute(&'a Execute<'a>),
    Replication(&'a Replication<'a>),
    /// `USE d` (`USE DEFAULT` as a word is the database `default`).
    Use(Identifier<'a>),
    CreateCatalog(&'a CreateCatalog<'a>),
    CreateDatabase(&'a CreateDatabase<'a>),
    CreateDataConnector(&'a CreateDataConnector<'a>),
    CreateTable(&'a CreateTable<'a>),
    CreateView(&'a CreateView<'a>),
    CreateMaterializedView(&'a CreateMaterializedView<'a>),
    CreateScheduledQuery(&'a CreateScheduledQuery<'a>),
    CreateFunction(&'a CreateFunction<'a>),
    CreateMacro(&'a CreateMacro<'a>),
    CreateIndex(&'a CreateIndex<'a>),
    Drop(&'a Drop<'a>),
    Truncate(&'a Truncate<'a>),
    AlterCatalog(&'a AlterCatalog<'a>),
    AlterDatabase(&'a AlterDatabase<'a>),
    AlterDataConnector(&'a AlterDataConnector<'a>),
    AlterTable(&'a AlterTable<'a>),
    AlterView(&'a AlterView<'a>),
    AlterMaterializedView(&'a AlterMaterializedView<'a>),
    AlterIndex(&'a AlterIndex<'a>),
    AlterScheduledQuery(&'a AlterScheduledQuery<'a>),
    Analyze(&'a Analyze<'a>),
    Msck(&'a Msck<'a>),
    Show(&'a Show<'a>),
    Describe(&'a Describe<'a>),
    Lock(&'a Lock<'a>),
    Abort(Abort<'a>),
    /// `RELOAD FUNCTIONS`.
    ReloadFunctions,
    Role(RoleStatement<'a>),
    Privilege(&'a PrivilegeStatement<'a>),
    Policy(&'a PolicyStatement<'a>),
    ResourcePlan(&'a ResourcePlanStatement<'a>),
}
