//! From the effects of statements to edges.

use std::collections::HashSet;
use std::sync::Arc;

use guardbee_analysis::catalog::TableKind;
use guardbee_analysis::effects::{
    Derivation, Destination, Effects, Influence, Masking, Mode, Object, Origin, Source, Target, TargetColumn,
    WriteAction,
};
use guardbee_analysis::{Catalog, CatalogChange};
use guardbee_model::{Name, Operation, TableName};

use super::{Dataset, Edge, Follow, Graph, NodeId, Process, Relation};
use crate::reading::{Around, Report};

/// What one statement does, kept until its turn comes.
#[derive(Debug)]
pub struct Step {
    process: Process,
    effects: Effects,
    moves: Vec<Move>,
}

/// Data that goes as it is from one table to another, or from one column to another.
#[derive(Debug)]
struct Move {
    from: TableName,
    to: TableName,
    columns: Vec<(Name, Name)>,
    how: &'static str,
}

impl Step {
    /// What a report says of lineage; nothing where the statement does not run.
    #[must_use]
    pub fn of(report: Report<'_>, around: &Around<'_>) -> Option<Self> {
        let effects = report.effects?;
        if matches!(effects.mode, Mode::Explain | Mode::ExplainAuthorization) {
            return None;
        }
        let process = Process {
            file: Arc::from(report.label),
            line: report.place.line,
            operation: effects.operation.as_str(),
        };
        Some(Self { process, moves: moves(&effects, around), effects })
    }
}

fn moves(effects: &Effects, around: &Around<'_>) -> Vec<Move> {
    let renamed_tables = effects.changes.iter().filter_map(|change| match change {
        CatalogChange::RenameTable { from, to } => Some(Move {
            from: from.clone(),
            to: to.clone(),
            columns: same_columns(around.after, to),
            how: "rename",
        }),
        _ => None,
    });
    let others = match effects.operation {
        Operation::AlterTableRenameColumn => renamed_column(effects, &around.before),
        Operation::AlterTableExchangePartition => exchanged(effects, around.after),
        _ => None,
    };
    renamed_tables.chain(others).collect()
}

fn same_columns(catalog: &Catalog, table: &TableName) -> Vec<(Name, Name)> {
    let table = catalog.table(&table.database, &table.table);
    let columns = table.into_iter().flat_map(|table| table.all_columns());
    columns.map(|column| (column.name.clone(), column.name.clone())).collect()
}

/// The column that had another name before.
fn renamed_column(effects: &Effects, before: &Catalog) -> Option<Move> {
    let after = effects.changes.iter().find_map(|change| match change {
        CatalogChange::PutTable(table) => Some(table),
        _ => None,
    })?;
    let before = before.table(&after.name.database, &after.name.table)?;
    let gone = before.all_columns().find(|column| after.column(&column.name).is_none())?;
    let new = after.all_columns().find(|column| before.column(&column.name).is_none())?;
    Some(Move {
        from: after.name.clone(),
        to: after.name.clone(),
        columns: vec![(gone.name.clone(), new.name.clone())],
        how: "rename",
    })
}

/// Partitions that go from one table to another.
fn exchanged(effects: &Effects, catalog: &Catalog) -> Option<Move> {
    let table = |object: &Object| match object {
        Object::Table(table) => Some(table.clone()),
        _ => None,
    };
    let to = effects.writes.iter().find_map(|write| table(&write.object))?;
    let from = effects.reads.iter().filter_map(|read| table(&read.object)).find(|table| *table != to)?;
    Some(Move { columns: same_columns(catalog, &to), from, to, how: "exchange" })
}

/// Puts steps into a graph, input by input.
#[derive(Debug, Default)]
pub struct Recorder {
    graph: Graph,
    /// Edges that nobody will follow are not kept: there is one for each column that decides and each
    /// target column.
    follow: Follow,
    /// Whose steps come just now.
    file: Option<Arc<str>>,
    /// The temporary tables of that session.
    temporary: HashSet<TableName>,
}

impl Recorder {
    #[must_use]
    pub fn new(follow: Follow) -> Self {
        Self { follow, ..Self::default() }
    }

    #[must_use]
    pub fn into_graph(self) -> Graph {
        self.graph
    }

    /// The session of an input has ended, and its temporary tables with it.
    pub fn end_session(&mut self) {
        self.temporary.clear();
        self.file = None;
    }

    /// Takes in what a statement does.
    pub fn record(&mut self, step: &Step) {
        self.file.get_or_insert_with(|| step.process.file.clone());
        self.note_new_tables(&step.effects);
        let process = self.graph.add_process(step.process.clone());
        for target in &step.effects.targets {
            self.record_target(target, process);
        }
        self.record_datasets(&step.effects, process);
        for moved in &step.moves {
            self.record_move(moved, process);
        }
        for change in &step.effects.changes {
            if let CatalogChange::RemoveTable(name) = change {
                self.temporary.remove(name);
            }
        }
    }

    /// New tables are there, even if nothing ever flows through them.
    fn note_new_tables(&mut self, effects: &Effects) {
        for change in &effects.changes {
            match change {
                CatalogChange::PutTable(table) => {
                    if table.kind == TableKind::Temporary {
                        self.temporary.insert(table.name.clone());
                    }
                    let whole = Dataset::Table(self.relation(&table.name));
                    for column in table.all_columns() {
                        self.graph.add(whole.with_column(&column.name));
                    }
                    self.graph.add(whole);
                }
                CatalogChange::RenameTable { from, to } if self.temporary.contains(from) => {
                    self.temporary.insert(to.clone());
                }
                _ => {}
            }
        }
    }

    fn record_target(&mut self, target: &Target, process: u32) {
        let Some(whole) = self.destination(&target.destination) else { return };
        for column in &target.columns {
            let to = self.graph.add(whole.with_column(&column.name));
            for source in &column.sources {
                self.record_source(source, column, to, process);
            }
            for influence in column.influences.iter().chain(&target.influences) {
                self.record_influence(influence, to, process);
            }
        }
        for influence in &target.influences {
            let to = self.graph.add(whole.clone());
            self.record_influence(influence, to, process);
        }
    }

    fn record_source(&mut self, source: &Source, column: &TargetColumn, to: NodeId, process: u32) {
        let how = source.derivation.as_str();
        let expression = column.expression.clone().filter(|_| source.derivation != Derivation::Identity);
        let from = self.origin(&source.origin);
        let from = self.graph.add(from);
        self.graph.connect(Edge {
            from,
            to,
            process,
            how,
            is_direct: true,
            is_masked: source.masking == Masking::Masked,
            expression,
            through: source.through.clone(),
        });
    }

    fn record_influence(&mut self, influence: &Influence, to: NodeId, process: u32) {
        if self.follow == Follow::Direct {
            return;
        }
        let from = self.origin(&influence.origin);
        let from = self.graph.add(from);
        self.graph.connect(Edge {
            from,
            to,
            process,
            how: influence.purpose.as_str(),
            is_direct: false,
            is_masked: influence.masking == Masking::Masked,
            expression: None,
            through: influence.through.clone(),
        });
    }

    /// Edges between datasets as a whole: each target with what it is read from.
    fn record_datasets(&mut self, effects: &Effects, process: u32) {
        let direct = effects.reads.iter().filter(|read| read.access.is_direct());
        let read: Vec<Dataset> = direct.filter_map(|read| self.dataset(&read.object)).collect();
        let has_several_targets = effects.targets.len() > 1;
        for write in effects.writes.iter().filter(|write| carries_rows(write.action)) {
            let Some(to) = self.dataset(&write.object) else { continue };
            let sources = if has_several_targets { self.sources_of(effects, &to) } else { read.clone() };
            for from in sources {
                self.connect_whole(from, to.clone(), write.action.as_str(), process);
            }
        }
    }

    fn record_move(&mut self, moved: &Move, process: u32) {
        let from = Dataset::Table(self.relation(&moved.from));
        let to = Dataset::Table(self.relation(&moved.to));
        for (old, new) in &moved.columns {
            self.connect_whole(from.with_column(old), to.with_column(new), moved.how, process);
        }
        if from != to {
            self.connect_whole(from, to, moved.how, process);
        }
    }

    fn connect_whole(&mut self, from: Dataset, to: Dataset, how: &'static str, process: u32) {
        let (from, to) = (self.graph.add(from), self.graph.add(to));
        self.graph.connect(Edge {
            from,
            to,
            process,
            how,
            is_direct: true,
            is_masked: false,
            expression: None,
            through: Arc::from([]),
        });
    }

    /// What one target of several reads: the datasets of its sources and influences.
    fn sources_of(&self, effects: &Effects, to: &Dataset) -> Vec<Dataset> {
        let mut sources: Vec<Dataset> = Vec::new();
        let targets = effects.targets.iter();
        for target in targets.filter(|target| self.destination(&target.destination).as_ref() == Some(to)) {
            let direct =
                target.columns.iter().flat_map(|column| &column.sources).map(|source| &source.origin);
            let indirect = target.influences.iter().map(|influence| &influence.origin);
            for found in direct.chain(indirect).filter_map(|origin| self.origin(origin).whole()) {
                if !sources.contains(&found) {
                    sources.push(found);
                }
            }
        }
        sources
    }

    fn relation(&self, name: &TableName) -> Relation {
        let session = self.file.clone().filter(|_| self.temporary.contains(name));
        Relation { name: name.clone(), session }
    }

    fn dataset(&self, object: &Object) -> Option<Dataset> {
        match object {
            Object::Table(table) => Some(Dataset::Table(self.relation(table))),
            Object::Path(path) => Some(Dataset::Path(path.clone())),
            _ => None,
        }
    }

    fn destination(&self, destination: &Destination) -> Option<Dataset> {
        match destination {
            Destination::Table(table) => Some(Dataset::Table(self.relation(table))),
            Destination::Directory(path) => Some(Dataset::Path(path.clone())),
            Destination::Result => None,
        }
    }

    fn origin(&self, origin: &Origin) -> Dataset {
        match origin {
            Origin::Column { table, column } => {
                Dataset::Column { relation: self.relation(table), column: column.clone() }
            }
            Origin::FileColumn { path, column } => {
                Dataset::PathColumn { path: path.clone(), column: column.clone() }
            }
            Origin::WholeTable(table) => Dataset::Table(self.relation(table)),
            Origin::Unresolved { column, candidates } => {
                Dataset::Unresolved { column: column.clone(), candidates: candidates.clone() }
            }
        }
    }
}

const fn carries_rows(action: WriteAction) -> bool {
    matches!(
        action,
        WriteAction::Create
            | WriteAction::Insert
            | WriteAction::Overwrite
            | WriteAction::Update
            | WriteAction::Delete
            | WriteAction::Load
    )
}
