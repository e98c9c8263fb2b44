//! Whole statements: each kind prints itself in a file of its own.

use super::{Print, Printer};
use crate::tree::Statement;

impl Print for Statement<'_> {
    fn print(&self, printer: &mut Printer) {
        match self {
            Self::Query(query) => query.print(printer),
            Self::Load(load) => load.print(printer),
            Self::Export(export) => export.print(printer),
            Self::Import(import) => import.print(printer),
            Self::CreateCatalog(create) => create.print(printer),
            Self::CreateDatabase(create) => create.print(printer),
            Self::CreateDataConnector(create) => create.print(printer),
            Self::CreateTable(create) => create.print(printer),
            Self::CreateView(create) => create.print(printer),
            Self::CreateMaterializedView(create) => create.print(printer),
            Self::CreateScheduledQuery(create) => create.print(printer),
            Self::CreateFunction(create) => create.print(printer),
            Self::CreateMacro(create) => create.print(printer),
            Self::CreateIndex(create) => create.print(printer),
            Self::Drop(drop) => drop.print(printer),
            Self::Truncate(truncate) => truncate.print(printer),
            Self::AlterCatalog(alter) => alter.print(printer),
            Self::AlterDatabase(alter) => alter.print(printer),
            Self::AlterDataConnector(alter) => alter.print(printer),
            Self::AlterTable(alter) => alter.print(printer),
            Self::AlterView(alter) => alter.print(printer),
            Self::AlterMaterializedView(alter) => alter.print(printer),
            Self::AlterIndex(alter) => alter.print(printer),
            Self::AlterScheduledQuery(alter) => alter.print(printer),
            Self::Analyze(analyze) => analyze.print(printer),
            Self::Msck(msck) => msck.print(printer),
            Self::Explain(explain) => explain.print(printer),
            Self::Transaction(transaction) => transaction.print(printer),
            Self::Prepare(prepare) => prepare.print(printer),
            Self::Execute(execute) => execute.print(printer),
            Self::Replication(replication) => replication.print(printer),
            Self::Use(database) => printer.worded("USE", database),
            Self::Show(show) => show.print(printer),
            Self::Describe(describe) => describe.print(printer),
            Self::Lock(lock) => lock.print(printer),
            Self::Abort(abort) => abort.print(printer),
            Self::ReloadFunctions => printer.word("RELOAD FUNCTION"),
            Self::Role(role) => role.print(printer),
            Self::Privilege(privilege) => privilege.print(printer),
            Self::Policy(policy) => policy.print(printer),
            Self::ResourcePlan(plan) => plan.print(printer),
            Self::Update(update) => update.print(printer),
            Self::Delete(delete) => delete.print(printer),
            Self::Merge(merge) => merge.print(printer),
        }
    }
}
