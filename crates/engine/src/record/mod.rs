//! From what a statement does to the run that is remembered of it.
//!
//! A pure function: effects and the session as the statement found it in, a [`Run`] out. Whether the statement
//! succeeded, when and for whom is for the caller to say.

mod changes;
mod columns;
mod key;
mod names;
pub(crate) mod places;
mod session_tables;
mod targets;

use std::collections::HashSet;
use std::sync::Arc;

use guardbee_analysis::effects::{self, Access, Effects, Mode, Object, PartitionValues, Read, WriteAction};
use guardbee_analysis::{CatalogChange, Session};
use guardbee_hiveql::command::ClientCommand;
use guardbee_hiveql::parser::parse_statement;
use guardbee_hiveql::tree::{Arena, Statement, TableChange};
use guardbee_lineage::{Context, DatasetName, Input, Partition, Run, RunKey, Target};
use guardbee_model::{Operation, Timestamp};
use smol_str::SmolStr;

use crate::named::Named;

use names::Names;

pub use key::KeyBase;
pub use session_tables::SessionTables;

/// How Hive names the table that stands for files while it loads them by a query.
const STAGED_SUFFIX: &str = "__temp_table_for_load_data__";

/// A statement that succeeded, and the session as it found it.
#[derive(Clone, Copy)]
pub struct Succeeded<'a> {
    /// The statement as it was sent.
    pub text: &'a str,
    pub effects: &'a Effects,
    pub before: &'a Session,
    pub tables: &'a SessionTables,
    /// What addresses without a scheme or authority belong to.
    pub default_file_system: &'a str,
}

/// Which run it was, and when.
#[derive(Debug, Clone)]
pub struct Occasion {
    pub key: RunKey,
    pub started_at: Option<Timestamp>,
    pub ended_at: Timestamp,
    pub context: Arc<Context>,
}

/// The run of a statement; nothing where it neither reads nor writes data nor changes which datasets there are,
/// and where it was only explained.
#[must_use]
pub fn run(statement: Succeeded<'_>, occasion: Occasion) -> Option<Run> {
    let effects = statement.effects;
    if !happens(effects) {
        return None;
    }
    let arena = Arena::new();
    let text = statement.before.substituted(statement.text);
    let tree = needs_tree(effects, &text).then(|| tree(&arena, &text, statement.before)).flatten();
    let tree = tree.as_ref().map(explained);
    let named = tree.map_or_else(Named::default, |tree| Named::of(tree, statement.before.database()));
    let names = Names {
        before: statement.before,
        effects,
        named: &named,
        tables: statement.tables,
        key: &occasion.key,
        default_file_system: statement.default_file_system,
    };
    let changes = changes::changes(&names, tree);
    let mut targets = targets::targets(&names, tree, &changes);
    let inputs = match reads_data(effects, &targets) {
        true if lies_elsewhere(tree) => locations(&targets),
        true => inputs(&names),
        false => Vec::new(),
    };
    if inputs.is_empty() {
        targets.retain(|target| !matches!(target.dataset, DatasetName::Result(_)));
    }
    places::add_files(&names, &changes, &mut targets);
    if inputs.is_empty() && targets.is_empty() && changes.is_empty() {
        return None;
    }
    Some(Run {
        key: occasion.key,
        operation: SmolStr::new_static(effects.operation.as_str()),
        started_at: occasion.started_at,
        ended_at: occasion.ended_at,
        context: occasion.context,
        inputs,
        targets,
        changes,
    })
}

/// Does the statement do what its effects say? One that is prepared runs later, under its own name.
fn happens(effects: &Effects) -> bool {
    let is_run = matches!(effects.mode, Mode::Run | Mode::ExplainAnalyze);
    is_run && !effects.changes.iter().any(|change| matches!(change, CatalogChange::Prepare { .. }))
}

/// What only reads and writes tables is told by its effects.
fn needs_tree(effects: &Effects, text: &str) -> bool {
    let mut objects =
        effects.reads.iter().map(|read| &read.object).chain(effects.writes.iter().map(|write| &write.object));
    effects.operation != Operation::Query
        || objects.any(|object| matches!(object, Object::Path(_)))
        || may_keep_partitions(effects, text)
}

/// Does a partition that is there stay, where one is overwritten `IF NOT EXISTS`? Only the tree knows.
fn may_keep_partitions(effects: &Effects, text: &str) -> bool {
    const WORD: &[u8] = b"exists";
    let overwrites =
        |target: &effects::Target| target.action == WriteAction::Overwrite && !target.partition.is_empty();
    effects.targets.iter().any(overwrites)
        && text.as_bytes().windows(WORD.len()).any(|word| word.eq_ignore_ascii_case(WORD))
}

fn tree<'a>(arena: &'a Arena, text: &'a str, session: &Session) -> Option<Statement<'a>> {
    if ClientCommand::parse(text).is_some() {
        return None;
    }
    parse_statement(arena, text, session.settings().parser).ok()
}

fn explained<'t, 'a>(statement: &'t Statement<'a>) -> &'t Statement<'a> {
    let mut statement = statement;
    while let Statement::Explain(explain) = statement {
        statement = explain.statement;
    }
    statement
}

/// Hive lists as read whatever a statement looks at; `ALTER TABLE` and `DROP TABLE` look at no data.
fn reads_data(effects: &Effects, targets: &[Target]) -> bool {
    let writes_data = !targets.is_empty() && effects.operation != Operation::TruncateTable;
    writes_data || matches!(effects.operation, Operation::Export | Operation::ReplicationDump)
}

/// Only the place of data is told anew; Hive lists the table as read.
fn lies_elsewhere(tree: Option<&Statement<'_>>) -> bool {
    match tree {
        Some(Statement::AlterTable(alter)) => {
            !matches!(alter.change, TableChange::ExchangePartition { .. } | TableChange::RenamePartition(_))
        }
        _ => false,
    }
}

fn locations(targets: &[Target]) -> Vec<Input> {
    let by_column = targets.iter().flat_map(|target| &target.columns).flat_map(|column| &column.sources);
    let whole = targets.iter().flat_map(|target| &target.whole);
    let mut datasets: Vec<&DatasetName> = by_column.map(|source| &source.dataset).chain(whole).collect();
    let mut seen = HashSet::new();
    datasets.retain(|dataset| seen.insert(*dataset));
    let input = |dataset: &DatasetName| Input {
        dataset: dataset.clone(),
        partitions: Vec::new(),
        through: Arc::from([]),
    };
    datasets.into_iter().map(input).collect()
}

fn inputs(names: &Names<'_>) -> Vec<Input> {
    let mut inputs: Vec<Input> = Vec::new();
    for read in names.effects.reads.iter().filter(|read| !is_staged(read)) {
        let through = match &read.access {
            Access::Direct => Arc::from([]),
            Access::Through(views) => views.clone(),
        };
        let partitions: Vec<Partition> = read.partitions.iter().map(partition).collect();
        for dataset in names.read(&read.object) {
            inputs.push(Input { dataset, partitions: partitions.clone(), through: through.clone() });
        }
    }
    inputs
}

fn is_staged(read: &Read) -> bool {
    matches!(&read.object, Object::Table(table) if table.table.ends_with(STAGED_SUFFIX))
}

/// A value that is no constant is there as an empty one, which no partition can have.
fn partition(values: &PartitionValues) -> Partition {
    let known = |value: &Option<Arc<str>>| value.clone().filter(|value| !value.is_empty());
    values.iter().map(|(column, value)| (column.clone(), known(value))).collect()
}
