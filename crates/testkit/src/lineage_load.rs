//! Large histories for measurements. The same for the same size and seed, on every machine.
//!
//! A run writes one table from two others and makes ten column edges, all of them direct and current for ever.
//! Every table has ten columns and is written by ten runs, so that a column has ten edges into it. Tables come in
//! groups of a thousand; within its group a table is derived from earlier ones only. One input is a near one, the
//! other is drawn by a power law: of n earlier tables the k-th is read about as often as `1 / sqrt(n k)`, so that
//! columns have from a few hundred edges down to four. In one run of five the near one is a hub instead: a table
//! outside of all groups, one for each million edges, of which one column is read a hundred thousand times.
//!
//! What is derived from the first column of a group is nearly the whole group: 10,000 columns and the 90,000 edges
//! that come from no hub.

use std::sync::Arc;

use guardbee_lineage::{
    ColumnSource, Context, DatasetName, Derivation, EdgeKind, Input, Run, RunKey, Target, TargetColumn,
    WriteKind,
};
use guardbee_model::{Name, TableName, Timestamp};
use smol_str::format_smolstr;

use crate::generate::Random;

/// How many columns every table has, and how many column edges every run makes.
pub const COLUMNS: usize = 10;
/// How many tables derive from each other.
pub const GROUP: usize = 1_000;
const EDGES_A_TABLE: usize = 100;
const EDGES_A_HUB: usize = 1_000_000;
const FIRST_MOMENT: i64 = 1_700_000_000_000;

/// A history of a size.
#[derive(Debug, Clone, Copy)]
pub struct LineageLoad {
    pub edges: usize,
    pub seed: u64,
}

/// A column by number: those of tables first, then those of hubs.
pub type ColumnNumber = u32;

impl LineageLoad {
    #[must_use]
    pub const fn run_count(self) -> usize {
        self.edges / COLUMNS
    }

    /// How many tables are in groups.
    #[must_use]
    pub const fn tables(self) -> usize {
        let wanted = self.edges / EDGES_A_TABLE;
        if wanted < GROUP { GROUP } else { wanted / GROUP * GROUP }
    }

    #[must_use]
    pub const fn groups(self) -> usize {
        self.tables() / GROUP
    }

    #[must_use]
    pub const fn hubs(self) -> usize {
        self.edges.div_ceil(EDGES_A_HUB)
    }

    #[must_use]
    pub const fn columns(self) -> usize {
        (self.tables() + self.hubs()) * COLUMNS
    }

    /// The runs in order.
    pub fn runs(self) -> impl Iterator<Item = Run> {
        let context = Arc::new(Context { user: "etl".into(), ..Context::default() });
        (0..self.run_count()).map(move |place| self.run(place, &context))
    }

    /// The edges of all runs, from and to, in order.
    pub fn edges(self) -> impl Iterator<Item = (ColumnNumber, ColumnNumber)> {
        (0..self.run_count()).flat_map(move |place| self.flow(place).edges)
    }

    /// A run; those after the last one go on alike.
    #[must_use]
    pub fn run(self, place: usize, context: &Arc<Context>) -> Run {
        let flow = self.flow(place);
        let columns = flow.edges.iter().map(|(from, to)| {
            let source = ColumnSource {
                dataset: self.table_of(*from),
                column: column_of(*from),
                kind: EdgeKind::Identity,
                masked: false,
                unresolved: false,
                through: [].into(),
            };
            TargetColumn {
                name: column_of(*to),
                expression: None,
                derivation: Derivation::Simple,
                sources: vec![source],
                influences: Vec::new(),
            }
        });
        let target = Target {
            dataset: self.table(flow.output),
            write: WriteKind::Append,
            partition: Vec::new(),
            columns: columns.collect(),
            influences: Vec::new(),
            whole: Vec::new(),
        };
        let [one, other] = flow.inputs;
        let inputs = if one == other { vec![one] } else { vec![one, other] };
        let input = |table| Input { dataset: self.table(table), partitions: Vec::new(), through: [].into() };
        Run {
            key: RunKey(format_smolstr!("run_{place:09}")),
            operation: "QUERY".into(),
            started_at: None,
            ended_at: Timestamp(FIRST_MOMENT + place as i64 * 1_000),
            context: context.clone(),
            inputs: inputs.into_iter().map(input).collect(),
            targets: vec![target],
            changes: Vec::new(),
        }
    }

    /// The first column of a group, from which the rest of it derives.
    #[must_use]
    pub const fn first_column(self, group: usize) -> ColumnNumber {
        (group * GROUP * COLUMNS) as ColumnNumber
    }

    /// The column of a hub that is read.
    #[must_use]
    pub const fn hub_column(self, hub: usize) -> ColumnNumber {
        ((self.tables() + hub) * COLUMNS) as ColumnNumber
    }

    #[must_use]
    pub fn table_of(self, column: ColumnNumber) -> DatasetName {
        self.table(column as usize / COLUMNS)
    }

    fn table(self, table: usize) -> DatasetName {
        let (database, name) = if table < self.tables() {
            (format_smolstr!("group_{}", table / GROUP), format_smolstr!("table_{}", table % GROUP))
        } else {
            ("hub".into(), format_smolstr!("hub_{}", table - self.tables()))
        };
        DatasetName::Table(TableName::new(Name::fold(&database), Name::fold(&name)))
    }

    fn flow(self, place: usize) -> Flow {
        let mut random = Random::new(self.seed ^ (place as u64 + 1).wrapping_mul(0xD6E8_FEB8_6659_FD93));
        let output = place % self.tables();
        let (first, within) = (output / GROUP * GROUP, output % GROUP);
        let hub = self.tables() + random.below(self.hubs());
        if within == 0 {
            return Flow::new(output, [(hub, Some(0)), (hub, Some(1))], &mut random);
        }
        let near = if random.below(5) == 0 {
            (hub, Some(0))
        } else {
            (first + within - 1 - random.below(within.min(3)), None)
        };
        let chance = random.below(1 << 20) as f64 / f64::from(1 << 20);
        let far = first + (chance * chance * within as f64) as usize;
        Flow::new(output, [(far, None), near], &mut random)
    }
}

#[must_use]
pub fn column_of(column: ColumnNumber) -> Name {
    Name::fold(&format_smolstr!("column_{}", column as usize % COLUMNS))
}

/// What a run does, in numbers.
struct Flow {
    inputs: [usize; 2],
    output: usize,
    edges: [(ColumnNumber, ColumnNumber); COLUMNS],
}

impl Flow {
    /// Half of the columns come from each input, from any of its columns or from one.
    fn new(output: usize, inputs: [(usize, Option<usize>); 2], random: &mut Random) -> Self {
        let shift = random.below(COLUMNS);
        let mut edges = [(0, 0); COLUMNS];
        for (column, edge) in edges.iter_mut().enumerate() {
            let (table, only) = inputs[usize::from(column >= COLUMNS / 2)];
            let from = only.unwrap_or_else(|| random.below(COLUMNS));
            let to = (column + shift) % COLUMNS;
            *edge = ((table * COLUMNS + from) as ColumnNumber, (output * COLUMNS + to) as ColumnNumber);
        }
        Self { inputs: inputs.map(|(table, _)| table), output, edges }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    const LOAD: LineageLoad = LineageLoad { edges: 1_000_000, seed: 7 };

    #[test]
    fn degrees_are_as_described() {
        let mut out = vec![0_usize; LOAD.columns()];
        let mut into = vec![0_usize; LOAD.columns()];
        for (from, to) in LOAD.edges() {
            out[from as usize] += 1;
            into[to as usize] += 1;
        }
        let hub = out[LOAD.hub_column(0) as usize];
        assert!((95_000..106_000).contains(&hub), "{hub}");
        assert!(into[..LOAD.tables() * COLUMNS].iter().all(|edges| *edges == 10));
        let of_group = &out[..GROUP * COLUMNS];
        let (least, most) = (of_group[..9_900].iter().min(), of_group.iter().max());
        assert!(most > Some(&200) && least < Some(&10), "{least:?} {most:?}");
    }

    #[test]
    fn a_group_derives_from_its_first_column() {
        let mut derived = BTreeSet::from([LOAD.first_column(3)]);
        let edges: Vec<_> = LOAD.edges().collect();
        loop {
            let before = derived.len();
            for (from, to) in &edges {
                if derived.contains(from) {
                    derived.insert(*to);
                }
            }
            if derived.len() == before {
                break;
            }
        }
        assert!((9_900..=10_000).contains(&derived.len()), "{}", derived.len());
    }

    #[test]
    fn runs_say_what_the_edges_say() {
        let run = LOAD.runs().nth(4_321).expect("a run");
        assert_eq!((run.inputs.len(), run.targets.len(), run.targets[0].columns.len()), (2, 1, 10));
        let edges: Vec<_> = LOAD.edges().skip(43_210).take(10).collect();
        for (column, (from, to)) in run.targets[0].columns.iter().zip(edges) {
            assert_eq!((&column.name, &run.targets[0].dataset), (&column_of(to), &LOAD.table_of(to)));
            let source = &column.sources[0];
            assert_eq!((&source.column, &source.dataset), (&column_of(from), &LOAD.table_of(from)));
        }
    }
}
