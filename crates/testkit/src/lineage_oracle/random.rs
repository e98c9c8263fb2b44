//! Random small histories. The pools of names are small, so that renames, drops and writes meet; moments are few, so
//! that runs end at the same one. A run need not make sense to Hive: what a history adds up to is defined for any.

use std::sync::Arc;

use guardbee_lineage::{
    ColumnSource, Context, DatasetChange, DatasetName, Derivation, EdgeKind, Influence, Input, Partition,
    Run, RunKey, Target, TargetColumn, WriteKind,
};
use guardbee_model::{Name, TableName, Timestamp};
use smol_str::format_smolstr;

use crate::generate::Random;

const DATABASES: &[&str] = &["d", "e"];
const TABLES: &[&str] = &["a", "b", "c", "v"];
const COLUMNS: &[&str] = &["x", "y", "z"];
const SESSIONS: &[&str] = &["s", "t"];
const PATHS: &[&str] = &["/p", "/p/q", "/pq"];
const VALUES: &[&str] = &["1", "2"];
/// All runs end from 1 to this.
pub const LAST_MOMENT: i64 = 12;

/// How much there is of what in a history.
#[derive(Debug, Clone, Copy)]
struct Mood {
    runs: usize,
    databases: usize,
    tables: usize,
    partitions: usize,
    temporary: usize,
    paths: usize,
    views_on_the_way: usize,
    nonsense: usize,
    changes: usize,
}

/// Draws runs.
#[derive(Debug)]
pub struct HistoryMaker<'r> {
    random: &'r mut Random,
    mood: Mood,
}

impl<'r> HistoryMaker<'r> {
    pub fn new(random: &'r mut Random) -> Self {
        let mut chance = |choices: &[usize]| *random.pick(choices);
        let mood = Mood {
            runs: chance(&[2, 4, 8, 8, 14, 14, 25]),
            databases: chance(&[1, 1, 2]),
            tables: chance(&[2, 3, 4]),
            partitions: chance(&[0, 0, 40, 80]),
            temporary: chance(&[0, 0, 20, 50]),
            paths: chance(&[0, 10, 30]),
            views_on_the_way: chance(&[0, 20]),
            nonsense: chance(&[0, 10, 40]),
            changes: chance(&[1, 3, 8]),
        };
        Self { random, mood }
    }

    /// The runs in no particular order, each once.
    pub fn history(&mut self) -> Vec<Run> {
        let mut keys: Vec<usize> = (0..self.mood.runs).collect();
        shuffle(self.random, &mut keys);
        keys.into_iter().map(|key| self.run(RunKey(format_smolstr!("r{key:02}")))).collect()
    }

    fn run(&mut self, key: RunKey) -> Run {
        let ended_at = Timestamp(self.random.between(1, LAST_MOMENT as usize) as i64);
        let mut run = Run {
            key,
            operation: "QUERY".into(),
            started_at: None,
            ended_at,
            context: Arc::new(Context::default()),
            inputs: Vec::new(),
            targets: Vec::new(),
            changes: Vec::new(),
        };
        if self.random.percent(self.mood.nonsense) {
            self.anything(&mut run);
        } else {
            self.statement(&mut run);
        }
        self.name_inputs(&mut run);
        run
    }

    fn statement(&mut self, run: &mut Run) {
        let changes = self.mood.changes;
        match self.random.weighted(&[12, 4, 3, 2, 2, 2, 2, 2, changes, changes, changes, changes, changes]) {
            0 => self.insert(run),
            1 => self.create_as_select(run),
            2 => self.define_view(run),
            3 => self.insert_many(run),
            4 => self.overwrite_from_itself(run),
            5 => self.load_or_export(run),
            6 => self.truncate(run),
            7 => self.select(run),
            8 => self.create_or_drop(run),
            9 => self.rename_or_swap(run),
            10 => self.change_columns(run),
            11 => self.change_partitions(run),
            _ => self.change_databases(run),
        }
    }

    /// Any changes and any targets together.
    fn anything(&mut self, run: &mut Run) {
        for _ in 0..self.random.below(3) {
            match self.random.below(5) {
                0 => self.create_or_drop(run),
                1 => self.rename_or_swap(run),
                2 => self.change_columns(run),
                3 => self.change_partitions(run),
                _ => self.change_databases(run),
            }
        }
        for _ in 0..self.random.below(3) {
            let dataset = self.dataset();
            let target = self.target(dataset);
            run.targets.push(target);
        }
    }

    fn insert(&mut self, run: &mut Run) {
        let into = self.dataset();
        let target = self.target(into);
        run.targets.push(target);
    }

    fn create_as_select(&mut self, run: &mut Run) {
        let dataset = self.dataset();
        let target =
            Target { write: WriteKind::Append, partition: Vec::new(), ..self.target(dataset.clone()) };
        let columns = target.columns.iter().map(|column| column.name.clone()).collect();
        run.changes.push(DatasetChange::Create { dataset, columns });
        run.targets.push(target);
    }

    fn define_view(&mut self, run: &mut Run) {
        let dataset = self.table();
        let target =
            Target { write: WriteKind::Define, partition: Vec::new(), ..self.target(dataset.clone()) };
        let columns = target.columns.iter().map(|column| column.name.clone()).collect();
        run.changes.push(if self.random.percent(30) {
            DatasetChange::Create { dataset, columns }
        } else {
            DatasetChange::Ensure { dataset, columns }
        });
        run.targets.push(target);
    }

    fn insert_many(&mut self, run: &mut Run) {
        for _ in 0..self.random.between(2, 3) {
            self.insert(run);
        }
    }

    fn overwrite_from_itself(&mut self, run: &mut Run) {
        let dataset = self.table();
        let sources = [dataset.clone(), self.dataset()];
        let target = self.target_from(dataset, &sources);
        run.targets.push(Target { write: WriteKind::Overwrite, ..target });
    }

    fn load_or_export(&mut self, run: &mut Run) {
        let path = self.path();
        let table = self.table();
        if self.random.percent(30) {
            let target = self.target_from(table, &[path]);
            run.targets.push(Target { write: WriteKind::Locate, ..target });
        } else if self.random.percent(50) {
            let columns = Vec::new();
            run.targets.push(Target { columns, whole: vec![path], ..self.target(table) });
        } else {
            let target = self.target_from(path, &[table]);
            run.targets.push(target);
        }
    }

    fn truncate(&mut self, run: &mut Run) {
        let dataset = self.table();
        let partition = self.partition();
        run.targets.push(Target {
            dataset,
            write: WriteKind::Truncate,
            partition,
            columns: Vec::new(),
            influences: Vec::new(),
            whole: Vec::new(),
        });
    }

    fn select(&mut self, run: &mut Run) {
        if self.random.percent(40) {
            let target = self.target(DatasetName::Result(run.key.clone()));
            run.targets.push(target);
        } else {
            for _ in 0..self.random.between(1, 2) {
                let input =
                    Input { dataset: self.dataset(), partitions: Vec::new(), through: self.through() };
                run.inputs.push(input);
            }
        }
    }

    fn create_or_drop(&mut self, run: &mut Run) {
        let dataset = self.dataset();
        run.changes.push(match self.random.below(4) {
            0 => DatasetChange::Create { dataset, columns: self.columns() },
            1 => DatasetChange::Ensure { dataset, columns: self.columns() },
            _ => DatasetChange::Drop { dataset },
        });
    }

    fn rename_or_swap(&mut self, run: &mut Run) {
        let from = self.table();
        let to = self.table_like(&from);
        if self.random.percent(30) {
            let aside = self.table_like(&from);
            let rename = |from: &DatasetName, to: &DatasetName| DatasetChange::Rename {
                from: from.clone(),
                to: to.clone(),
            };
            run.changes.extend([rename(&from, &aside), rename(&to, &from), rename(&aside, &to)]);
        } else {
            run.changes.push(DatasetChange::Rename { from, to });
        }
    }

    fn change_columns(&mut self, run: &mut Run) {
        let (dataset, column) = (self.dataset(), self.column());
        run.changes.push(match self.random.below(4) {
            0 => DatasetChange::DropColumn { dataset, column },
            1 => DatasetChange::Ensure { dataset, columns: self.columns() },
            _ => DatasetChange::RenameColumn { dataset, from: column, to: self.column() },
        });
    }

    fn change_partitions(&mut self, run: &mut Run) {
        let partition = self.some_partition();
        let (from, to) = (self.table(), self.table());
        if from == to || self.random.percent(40) {
            run.changes.push(DatasetChange::DropPartition { dataset: from, partition });
            return;
        }
        let target = Target {
            dataset: to.clone(),
            write: WriteKind::Append,
            partition: partition.clone(),
            columns: COLUMNS.iter().map(|name| identity(&from, name)).collect(),
            influences: Vec::new(),
            whole: Vec::new(),
        };
        if self.random.percent(80) {
            run.targets.push(target);
        }
        run.changes.push(DatasetChange::MovePartition { from, to, partition });
    }

    fn change_databases(&mut self, run: &mut Run) {
        let dataset = DatasetName::Database(self.database());
        let columns = Vec::new();
        match self.random.below(6) {
            0 => run.changes.push(DatasetChange::Create { dataset, columns }),
            1 => run.changes.push(DatasetChange::Ensure { dataset, columns }),
            2 => run.inputs.push(Input { dataset, partitions: Vec::new(), through: [].into() }),
            3 => run.changes.push(DatasetChange::Drop { dataset }),
            _ => self.insert(run),
        }
    }

    fn target(&mut self, dataset: DatasetName) -> Target {
        let sources = [self.source(&dataset), self.source(&dataset)];
        self.target_from(dataset, &sources)
    }

    fn target_from(&mut self, dataset: DatasetName, sources: &[DatasetName]) -> Target {
        let columns = self.columns().into_iter().map(|name| self.target_column(name, sources)).collect();
        let influences = (0..self.random.below(3)).map(|_| self.influence(sources)).collect();
        let whole =
            if self.random.percent(15) { vec![self.random.pick(sources).clone()] } else { Vec::new() };
        Target { dataset, write: self.write_kind(), partition: self.partition(), columns, influences, whole }
    }

    fn target_column(&mut self, name: Name, sources: &[DatasetName]) -> TargetColumn {
        let count = self.random.weighted(&[1, 6, 2]);
        let sources_of_it = (0..count).map(|_| self.column_source(sources)).collect();
        let influences = (0..self.random.below(2)).map(|_| self.influence(sources)).collect();
        let derivation = *self.random.pick(&Derivation::ALL);
        TargetColumn { name, expression: None, derivation, sources: sources_of_it, influences }
    }

    fn column_source(&mut self, sources: &[DatasetName]) -> ColumnSource {
        let kinds = [EdgeKind::Identity, EdgeKind::Transformation, EdgeKind::Aggregation];
        ColumnSource {
            dataset: self.random.pick(sources).clone(),
            column: self.column(),
            kind: *self.random.pick(&kinds),
            masked: self.random.percent(10),
            unresolved: self.random.percent(5),
            through: self.through(),
        }
    }

    fn influence(&mut self, sources: &[DatasetName]) -> Influence {
        let kinds = [EdgeKind::Filter, EdgeKind::Join, EdgeKind::GroupBy, EdgeKind::Conditional];
        Influence {
            dataset: self.random.pick(sources).clone(),
            column: self.column(),
            kind: *self.random.pick(&kinds),
            masked: false,
            unresolved: self.random.percent(5),
            through: self.through(),
        }
    }

    /// Whatever is read is an input, most of the time.
    fn name_inputs(&mut self, run: &mut Run) {
        let mut read: Vec<DatasetName> = Vec::new();
        for target in &run.targets {
            let influences = target.columns.iter().flat_map(|column| &column.influences);
            let influences = influences.chain(&target.influences).map(|influence| &influence.dataset);
            let sources = target.columns.iter().flat_map(|column| &column.sources);
            read.extend(influences.chain(sources.map(|source| &source.dataset)).cloned());
            read.extend(target.whole.iter().cloned());
        }
        read.sort();
        read.dedup();
        for dataset in read {
            let is_named = run.inputs.iter().any(|input| input.dataset == dataset);
            if !is_named && self.random.percent(95) {
                run.inputs.push(Input { dataset, partitions: Vec::new(), through: [].into() });
            }
        }
    }

    fn write_kind(&mut self) -> WriteKind {
        match self.random.weighted(&[10, 8, 2, 1, 1, 1]) {
            0 => WriteKind::Append,
            1 => WriteKind::Overwrite,
            2 => WriteKind::Modify,
            3 => WriteKind::Truncate,
            4 => WriteKind::Locate,
            _ => WriteKind::Define,
        }
    }

    fn partition(&mut self) -> Partition {
        if self.random.percent(self.mood.partitions) { self.some_partition() } else { Vec::new() }
    }

    fn some_partition(&mut self) -> Partition {
        let mut columns = vec!["k", "l"];
        match self.random.weighted(&[4, 1, 3]) {
            0 => columns.truncate(1),
            1 => drop(columns.remove(0)),
            _ => {}
        }
        let value = |random: &mut Random| (!random.percent(15)).then(|| Arc::from(random.text(VALUES)));
        columns.into_iter().map(|column| (Name::fold(column), value(self.random))).collect()
    }

    fn through(&mut self) -> Arc<[TableName]> {
        if self.random.percent(self.mood.views_on_the_way) { [self.table_name()].into() } else { [].into() }
    }

    fn columns(&mut self) -> Vec<Name> {
        let wanted = self.random.below(1 << COLUMNS.len());
        let is_wanted = |place: &usize| wanted & (1 << place) != 0;
        (0..COLUMNS.len()).filter(is_wanted).map(|place| Name::fold(COLUMNS[place])).collect()
    }

    pub fn column(&mut self) -> Name {
        Name::fold(self.random.text(COLUMNS))
    }

    fn database(&mut self) -> Name {
        Name::fold(self.random.text(&DATABASES[..self.mood.databases]))
    }

    fn table_name(&mut self) -> TableName {
        let table = Name::fold(self.random.text(&TABLES[..self.mood.tables]));
        TableName::new(self.database(), table)
    }

    fn table(&mut self) -> DatasetName {
        if self.random.percent(self.mood.temporary) {
            DatasetName::Temporary { session: self.random.text(SESSIONS).into(), table: self.table_name() }
        } else {
            DatasetName::Table(self.table_name())
        }
    }

    /// A temporary table of the same session where the other is one: no rename makes a table of it.
    fn table_like(&mut self, other: &DatasetName) -> DatasetName {
        let table = self.table_name();
        match other {
            DatasetName::Temporary { session, .. } => {
                DatasetName::Temporary { session: session.clone(), table }
            }
            _ => DatasetName::Table(table),
        }
    }

    fn path(&mut self) -> DatasetName {
        DatasetName::Path(self.random.text(PATHS).into())
    }

    pub fn dataset(&mut self) -> DatasetName {
        if self.random.percent(self.mood.paths) { self.path() } else { self.table() }
    }

    /// Something that is read to write into a dataset; seldom itself.
    fn source(&mut self, into: &DatasetName) -> DatasetName {
        let drawn = self.dataset();
        if drawn == *into && self.random.percent(80) { self.dataset() } else { drawn }
    }
}

fn identity(from: &DatasetName, name: &str) -> TargetColumn {
    let column = Name::fold(name);
    let source = ColumnSource {
        dataset: from.clone(),
        column: column.clone(),
        kind: EdgeKind::Identity,
        masked: false,
        unresolved: false,
        through: [].into(),
    };
    let (sources, influences) = (vec![source], Vec::new());
    TargetColumn { name: column, expression: None, derivation: Derivation::Simple, sources, influences }
}

/// Puts items into a random order.
pub fn shuffle<T>(random: &mut Random, items: &mut [T]) {
    for place in (1..items.len()).rev() {
        items.swap(place, random.below(place + 1));
    }
}

/// The runs as they may arrive: in any order, some of them again, in batches.
#[must_use]
pub fn arrivals(random: &mut Random, runs: &[Run]) -> Vec<Vec<Run>> {
    let mut order: Vec<Run> = runs.to_vec();
    if random.percent(70) {
        shuffle(random, &mut order);
    } else {
        order.sort_by(|one, other| (one.ended_at, &one.key).cmp(&(other.ended_at, &other.key)));
    }
    for _ in 0..random.below(4) {
        if let Some(again) = order.get(random.below(order.len())).cloned() {
            order.insert(random.below(order.len() + 1), again);
        }
    }
    let mut batches = Vec::new();
    while !order.is_empty() {
        let length = random.between(1, order.len().min(5));
        let rest = order.split_off(length);
        batches.push(std::mem::replace(&mut order, rest));
    }
    batches
}
