//! Random histories of a few names, so that everything in them collides.

use std::sync::Arc;

use guardbee_lineage::{
    ColumnSource, Context, DatasetChange, DatasetName, Derivation, EdgeKind, Influence, Input, Partition,
    Run, RunKey, Target, TargetColumn, WriteKind,
};
use guardbee_model::{Name, TableName, Timestamp};

/// A small generator of numbers: the same seed, the same numbers.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    pub fn one_in(&mut self, of: usize) -> bool {
        self.below(of) == 0
    }

    pub fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for place in (1..items.len()).rev() {
            items.swap(place, self.below(place + 1));
        }
    }
}

const TABLES: &[&str] = &["a", "b", "c", "t"];
const COLUMNS: &[&str] = &["x", "y", "z"];

fn table(random: &mut Random) -> TableName {
    let database = if random.one_in(4) { "e" } else { "d" };
    TableName::new(Name::fold(database), Name::fold(random.pick(TABLES)))
}

pub fn dataset(random: &mut Random) -> DatasetName {
    match random.below(12) {
        0 => DatasetName::Path(Arc::from("/p")),
        1 | 2 => DatasetName::Temporary { session: "s".into(), table: table(random) },
        _ => DatasetName::Table(table(random)),
    }
}

pub fn column(random: &mut Random) -> Name {
    Name::fold(random.pick(COLUMNS))
}

fn partition(random: &mut Random) -> Partition {
    let value = |random: &mut Random| -> Option<Arc<str>> {
        match random.below(4) {
            0 => None,
            1 => Some(Arc::from("2")),
            _ => Some(Arc::from("1")),
        }
    };
    match random.below(5) {
        0 | 1 => Partition::new(),
        2 | 3 => vec![(Name::fold("ds"), value(random))],
        _ => vec![(Name::fold("ds"), value(random)), (Name::fold("hr"), value(random))],
    }
}

fn through(random: &mut Random) -> Arc<[TableName]> {
    if random.one_in(8) { Arc::from([table(random)]) } else { Arc::from([]) }
}

fn change(random: &mut Random) -> DatasetChange {
    let columns =
        |random: &mut Random| -> Vec<Name> { (0..random.below(3)).map(|_| column(random)).collect() };
    let name = dataset(random);
    match random.below(16) {
        0 | 1 => DatasetChange::Create { dataset: name, columns: columns(random) },
        2 | 3 => DatasetChange::Ensure { dataset: name, columns: columns(random) },
        4 | 5 => DatasetChange::Drop { dataset: name },
        6 => DatasetChange::Drop {
            dataset: DatasetName::Database(Name::fold(if random.one_in(2) { "d" } else { "e" })),
        },
        7..=9 => DatasetChange::Rename { from: name, to: dataset(random) },
        10 => DatasetChange::RenameColumn { dataset: name, from: column(random), to: column(random) },
        11 => DatasetChange::DropColumn { dataset: name, column: column(random) },
        12 => DatasetChange::MovePartition { from: name, to: dataset(random), partition: partition(random) },
        13 => DatasetChange::Create { dataset: DatasetName::Database(Name::fold("e")), columns: Vec::new() },
        _ => DatasetChange::DropPartition { dataset: name, partition: partition(random) },
    }
}

fn influence(random: &mut Random) -> Influence {
    Influence {
        dataset: dataset(random),
        column: column(random),
        kind: random.pick(&EdgeKind::ALL[3..]),
        masked: random.one_in(8),
        unresolved: random.one_in(8),
        through: through(random),
    }
}

fn target(random: &mut Random, key: &RunKey) -> Target {
    let write = match random.below(8) {
        0..=3 => WriteKind::Append,
        4 | 5 => WriteKind::Overwrite,
        6 => WriteKind::Define,
        _ => random.pick(&[WriteKind::Modify, WriteKind::Truncate, WriteKind::Locate]),
    };
    let columns = (0..random.below(3)).map(|_| TargetColumn {
        name: column(random),
        expression: None,
        derivation: Derivation::Expression,
        sources: (0..random.below(3))
            .map(|_| ColumnSource {
                dataset: dataset(random),
                column: column(random),
                kind: random.pick(&EdgeKind::ALL[..3]),
                masked: random.one_in(8),
                unresolved: random.one_in(8),
                through: through(random),
            })
            .collect(),
        influences: (0..random.below(2)).map(|_| influence(random)).collect(),
    });
    let columns: Vec<TargetColumn> = columns.collect();
    Target {
        dataset: if random.one_in(8) { DatasetName::Result(key.clone()) } else { dataset(random) },
        write,
        partition: partition(random),
        columns,
        influences: (0..random.below(2)).map(|_| influence(random)).collect(),
        whole: if random.one_in(5) { vec![dataset(random)] } else { Vec::new() },
    }
}

pub fn run(random: &mut Random, number: usize, moments: usize) -> Run {
    let key = RunKey(format!("r{number}").into());
    let changes = if random.one_in(2) { 1 + random.below(2) } else { 0 };
    Run {
        operation: "QUERY".into(),
        started_at: None,
        ended_at: Timestamp(random.below(moments) as i64),
        context: Arc::new(Context::default()),
        inputs: (0..random.below(3))
            .map(|_| Input { dataset: dataset(random), partitions: Vec::new(), through: through(random) })
            .collect(),
        targets: (0..random.below(3)).map(|_| target(random, &key)).collect(),
        changes: (0..changes).map(|_| change(random)).collect(),
        key,
    }
}
