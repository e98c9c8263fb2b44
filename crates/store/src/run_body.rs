//! A run as bytes, and back: what of it is in no column of its own.
//!
//! The first byte says how the rest is written. A kind of value that is added gets a code that none has had; a field that
//! is added gets another first byte.

use std::sync::Arc;

use guardbee_lineage::{
    ColumnSource, Context, DatasetChange, DatasetName, Derivation, EdgeKind, Influence, Input, Partition,
    Run, RunKey, RunOrigin, Target, TargetColumn, WriteKind,
};
use guardbee_model::{Name, TableName, Timestamp};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use crate::encoding::{Decoder, Encoder, codes};

/// How bodies are written today.
const FORM: u8 = 1;

/// What of a run has a column of its own.
#[derive(Debug, Clone, Copy)]
pub struct RunColumns<'r> {
    pub key: &'r str,
    pub ended_at: Timestamp,
    pub user: &'r str,
    pub operation: &'r str,
}

impl<'r> RunColumns<'r> {
    pub fn of(run: &'r Run) -> Self {
        Self { key: &run.key.0, ended_at: run.ended_at, user: &run.context.user, operation: &run.operation }
    }

    /// Texts that the body may refer to.
    const fn texts(&self) -> [&'r str; 3] {
        [self.key, self.user, self.operation]
    }
}

pub fn write(run: &Run) -> Vec<u8> {
    let Run { key: _, operation: _, started_at, ended_at, context, inputs, targets, changes } = run;
    let mut encoder =
        RunEncoder { values: Encoder::new(&RunColumns::of(run).texts()), ways: FxHashMap::default() };
    encoder.values.byte(FORM);
    let before_end = started_at.map(|started_at| ended_at.0.wrapping_sub(started_at.0).cast_unsigned());
    encoder.values.optional_number(before_end);
    encoder.context(context);
    encoder.list(inputs, RunEncoder::input);
    encoder.list(targets, RunEncoder::target);
    encoder.list(changes, RunEncoder::change);
    encoder.values.finish()
}

/// `None`: that is no body of a run.
pub fn read(columns: RunColumns<'_>, body: &[u8]) -> Option<Run> {
    let mut decoder = RunDecoder { values: Decoder::new(body, &columns.texts()), ways: Vec::new() };
    if decoder.values.byte()? != FORM {
        return None;
    }
    let before_end = decoder.values.optional_number()?;
    let run = Run {
        key: RunKey(SmolStr::new(columns.key)),
        operation: SmolStr::new(columns.operation),
        started_at: before_end.map(|time| Timestamp(columns.ended_at.0.wrapping_sub(time.cast_signed()))),
        ended_at: columns.ended_at,
        context: Arc::new(decoder.context(columns.user)?),
        inputs: decoder.list(RunDecoder::input)?,
        targets: decoder.list(RunDecoder::target)?,
        changes: decoder.list(RunDecoder::change)?,
    };
    decoder.values.end()?;
    Some(run)
}

codes!(origin_code, origin: RunOrigin { 0 => Declared, 1 => QueryLog, 2 => Reported, 3 => Imported });

codes!(write_code, write_kind: WriteKind {
    0 => Append, 1 => Overwrite, 2 => Define, 3 => Modify, 4 => Truncate, 5 => Locate,
});

codes!(derivation_code, derivation: Derivation { 0 => Simple, 1 => Expression, 2 => Script });

codes!(kind_code, edge_kind: EdgeKind {
    0 => Identity, 1 => Transformation, 2 => Aggregation, 3 => Filter, 4 => Join, 5 => GroupBy, 6 => Sort,
    7 => Window, 8 => Conditional,
});

/// Bits beside the code of an edge's kind.
const MASKED: u8 = 1 << 6;
const UNRESOLVED: u8 = 1 << 7;

/// What an edge comes from; the same of direct and indirect ones.
struct Edge<'r> {
    dataset: &'r DatasetName,
    column: &'r Name,
    kind: EdgeKind,
    masked: bool,
    unresolved: bool,
    through: &'r [TableName],
}

struct RunEncoder<'r> {
    values: Encoder<'r>,
    /// Ways through views that have been written, and the how manieth each was.
    ways: FxHashMap<&'r [TableName], u64>,
}

impl<'r> RunEncoder<'r> {
    fn list<T>(&mut self, list: &'r [T], write: impl Fn(&mut Self, &'r T)) {
        self.values.count(list.len());
        list.iter().for_each(|item| write(self, item));
    }

    fn context(&mut self, context: &'r Context) {
        let Context {
            origin,
            statement,
            script,
            user: _,
            impersonated,
            groups,
            roles,
            cluster,
            host,
            client_address,
            engine,
            engine_version,
            query_id,
            session,
            application,
            job,
            purpose,
            parent_run,
            rows_written,
            bytes_written,
        } = context;
        self.values.byte(origin_code(*origin));
        self.values.literal(statement);
        self.values.optional_text(script.as_deref());
        self.values.optional_text(impersonated.as_deref());
        self.list(groups, |encoder, group| encoder.values.text(group));
        self.list(roles, |encoder, role| encoder.values.text(role));
        let small =
            [cluster, host, client_address, engine, engine_version, query_id, session, application, job];
        small.iter().for_each(|text| self.values.optional_text(text.as_deref()));
        self.values.optional_text(purpose.as_deref());
        self.values.optional_text(parent_run.as_ref().map(|run| run.0.as_str()));
        self.values.optional_number(*rows_written);
        self.values.optional_number(*bytes_written);
    }

    fn input(&mut self, input: &'r Input) {
        let Input { dataset, partitions, through } = input;
        self.dataset(dataset);
        self.list(partitions, Self::partition);
        self.way(through);
    }

    fn target(&mut self, target: &'r Target) {
        let Target { dataset, write, partition, columns, influences, whole } = target;
        self.dataset(dataset);
        self.values.byte(write_code(*write));
        self.partition(partition);
        self.list(columns, Self::target_column);
        self.list(influences, Self::influence);
        self.list(whole, Self::dataset);
    }

    fn target_column(&mut self, column: &'r TargetColumn) {
        let TargetColumn { name, expression, derivation, sources, influences } = column;
        self.values.text(name);
        self.values.optional_text(expression.as_deref());
        self.values.byte(derivation_code(*derivation));
        self.list(sources, Self::source);
        self.list(influences, Self::influence);
    }

    fn source(&mut self, source: &'r ColumnSource) {
        let ColumnSource { dataset, column, kind, masked, unresolved, through } = source;
        let (kind, masked, unresolved) = (*kind, *masked, *unresolved);
        self.edge(Edge { dataset, column, kind, masked, unresolved, through });
    }

    fn influence(&mut self, influence: &'r Influence) {
        let Influence { dataset, column, kind, masked, unresolved, through } = influence;
        let (kind, masked, unresolved) = (*kind, *masked, *unresolved);
        self.edge(Edge { dataset, column, kind, masked, unresolved, through });
    }

    fn edge(&mut self, edge: Edge<'r>) {
        let marks = if edge.masked { MASKED } else { 0 } | if edge.unresolved { UNRESOLVED } else { 0 };
        self.values.byte(kind_code(edge.kind) | marks);
        self.dataset(edge.dataset);
        self.values.text(edge.column);
        self.way(edge.through);
    }

    fn change(&mut self, change: &'r DatasetChange) {
        match change {
            DatasetChange::Create { dataset, columns } => {
                self.values.byte(0);
                self.dataset(dataset);
                self.list(columns, Self::name);
            }
            DatasetChange::Ensure { dataset, columns } => {
                self.values.byte(1);
                self.dataset(dataset);
                self.list(columns, Self::name);
            }
            DatasetChange::Drop { dataset } => {
                self.values.byte(2);
                self.dataset(dataset);
            }
            DatasetChange::Rename { from, to } => {
                self.values.byte(3);
                self.dataset(from);
                self.dataset(to);
            }
            DatasetChange::RenameColumn { dataset, from, to } => {
                self.values.byte(4);
                self.dataset(dataset);
                self.name(from);
                self.name(to);
            }
            DatasetChange::DropColumn { dataset, column } => {
                self.values.byte(5);
                self.dataset(dataset);
                self.name(column);
            }
            DatasetChange::MovePartition { from, to, partition } => {
                self.values.byte(6);
                self.dataset(from);
                self.dataset(to);
                self.partition(partition);
            }
            DatasetChange::DropPartition { dataset, partition } => {
                self.values.byte(7);
                self.dataset(dataset);
                self.partition(partition);
            }
        }
    }

    fn dataset(&mut self, dataset: &'r DatasetName) {
        match dataset {
            DatasetName::Database(name) => {
                self.values.byte(0);
                self.name(name);
            }
            DatasetName::Table(table) => {
                self.values.byte(1);
                self.table(table);
            }
            DatasetName::Temporary { session, table } => {
                self.values.byte(2);
                self.values.text(session);
                self.table(table);
            }
            DatasetName::Path(path) => {
                self.values.byte(3);
                self.values.text(path);
            }
            DatasetName::Result(RunKey(key)) => {
                self.values.byte(4);
                self.values.text(key);
            }
        }
    }

    fn name(&mut self, name: &'r Name) {
        self.values.text(name);
    }

    fn table(&mut self, table: &'r TableName) {
        self.values.text(&table.database);
        self.values.text(&table.table);
    }

    fn partition(&mut self, partition: &'r Partition) {
        self.list(partition, |encoder, (column, value)| {
            encoder.values.text(column);
            encoder.values.optional_text(value.as_deref());
        });
    }

    /// 0: straight; 1: a way that is new; above: one that came before, by its number from 2.
    fn way(&mut self, through: &'r [TableName]) {
        if through.is_empty() {
            self.values.byte(0);
        } else if let Some(place) = self.ways.get(through) {
            self.values.number(place + 2);
        } else {
            self.values.byte(1);
            self.list(through, Self::table);
            self.ways.insert(through, self.ways.len() as u64);
        }
    }
}

struct RunDecoder<'b> {
    values: Decoder<'b>,
    ways: Vec<Arc<[TableName]>>,
}

impl RunDecoder<'_> {
    fn list<T>(&mut self, read: impl Fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count = self.values.count()?;
        let mut list = self.values.room(count);
        for _ in 0..count {
            list.push(read(self)?);
        }
        Some(list)
    }

    fn context(&mut self, user: &str) -> Option<Context> {
        let values = &mut self.values;
        Some(Context {
            origin: origin(values.byte()?)?,
            statement: values.literal()?.into(),
            script: values.optional_shared()?,
            user: SmolStr::new(user),
            impersonated: values.optional_small()?,
            groups: values.list(Decoder::small)?,
            roles: values.list(Decoder::small)?,
            cluster: values.optional_small()?,
            host: values.optional_small()?,
            client_address: values.optional_small()?,
            engine: values.optional_small()?,
            engine_version: values.optional_small()?,
            query_id: values.optional_small()?,
            session: values.optional_small()?,
            application: values.optional_small()?,
            job: values.optional_small()?,
            purpose: values.optional_shared()?,
            parent_run: values.optional_small()?.map(RunKey),
            rows_written: values.optional_number()?,
            bytes_written: values.optional_number()?,
        })
    }

    fn input(&mut self) -> Option<Input> {
        Some(Input {
            dataset: self.dataset()?,
            partitions: self.list(Self::partition)?,
            through: self.way()?,
        })
    }

    fn target(&mut self) -> Option<Target> {
        Some(Target {
            dataset: self.dataset()?,
            write: write_kind(self.values.byte()?)?,
            partition: self.partition()?,
            columns: self.list(Self::target_column)?,
            influences: self.list(Self::influence)?,
            whole: self.list(Self::dataset)?,
        })
    }

    fn target_column(&mut self) -> Option<TargetColumn> {
        Some(TargetColumn {
            name: self.values.name()?,
            expression: self.values.optional_shared()?,
            derivation: derivation(self.values.byte()?)?,
            sources: self.list(Self::source)?,
            influences: self.list(Self::influence)?,
        })
    }

    fn source(&mut self) -> Option<ColumnSource> {
        let (kind, masked, unresolved) = self.edge_kind()?;
        let (dataset, column, through) = (self.dataset()?, self.values.name()?, self.way()?);
        Some(ColumnSource { dataset, column, kind, masked, unresolved, through })
    }

    fn influence(&mut self) -> Option<Influence> {
        let (kind, masked, unresolved) = self.edge_kind()?;
        let (dataset, column, through) = (self.dataset()?, self.values.name()?, self.way()?);
        Some(Influence { dataset, column, kind, masked, unresolved, through })
    }

    fn edge_kind(&mut self) -> Option<(EdgeKind, bool, bool)> {
        let byte = self.values.byte()?;
        let kind = edge_kind(byte & !(MASKED | UNRESOLVED))?;
        Some((kind, byte & MASKED != 0, byte & UNRESOLVED != 0))
    }

    fn change(&mut self) -> Option<DatasetChange> {
        Some(match self.values.byte()? {
            0 => {
                DatasetChange::Create { dataset: self.dataset()?, columns: self.values.list(Decoder::name)? }
            }
            1 => {
                DatasetChange::Ensure { dataset: self.dataset()?, columns: self.values.list(Decoder::name)? }
            }
            2 => DatasetChange::Drop { dataset: self.dataset()? },
            3 => DatasetChange::Rename { from: self.dataset()?, to: self.dataset()? },
            4 => DatasetChange::RenameColumn {
                dataset: self.dataset()?,
                from: self.values.name()?,
                to: self.values.name()?,
            },
            5 => DatasetChange::DropColumn { dataset: self.dataset()?, column: self.values.name()? },
            6 => DatasetChange::MovePartition {
                from: self.dataset()?,
                to: self.dataset()?,
                partition: self.partition()?,
            },
            7 => DatasetChange::DropPartition { dataset: self.dataset()?, partition: self.partition()? },
            _ => return None,
        })
    }

    fn dataset(&mut self) -> Option<DatasetName> {
        Some(match self.values.byte()? {
            0 => DatasetName::Database(self.values.name()?),
            1 => DatasetName::Table(self.table()?),
            2 => DatasetName::Temporary { session: self.values.small()?, table: self.table()? },
            3 => DatasetName::Path(self.values.shared()?),
            4 => DatasetName::Result(RunKey(self.values.small()?)),
            _ => return None,
        })
    }

    fn table(&mut self) -> Option<TableName> {
        Some(TableName::new(self.values.name()?, self.values.name()?))
    }

    fn partition(&mut self) -> Option<Partition> {
        self.values.list(|values| Some((values.name()?, values.optional_shared()?)))
    }

    fn way(&mut self) -> Option<Arc<[TableName]>> {
        match self.values.number()? {
            0 => Some(Arc::default()),
            1 => {
                let way: Arc<[TableName]> = self.list(Self::table)?.into();
                self.ways.push(way.clone());
                Some(way)
            }
            place => self.ways.get(usize::try_from(place - 2).ok()?).cloned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::Value;
    use crate::run_sample;
    use crate::sample::{Dice, spoil};

    #[test]
    fn every_part_of_a_run_comes_back() {
        let mut dice = Dice::new(1);
        for _ in 0..2000 {
            let run = run_sample::run(&mut dice, "key");
            assert_eq!(read(RunColumns::of(&run), &write(&run)), Some(run));
        }
    }

    /// Bytes that are not what was written are another run or none; they never take more than they are worth.
    #[test]
    fn bytes_may_be_anything() {
        let mut dice = Dice::new(2);
        let mut nothing = 0;
        for _ in 0..20_000 {
            let run = run_sample::run(&mut dice, "key");
            let mut bytes = write(&run);
            spoil(&mut dice, &mut bytes);
            nothing += u32::from(read(RunColumns::of(&run), &bytes).is_none());
        }
        assert!(nothing > 10_000, "{nothing} of them were no run");
    }

    /// Stores are full of these bytes.
    #[test]
    fn the_form_never_changes() {
        let mut dice = Dice::new(3);
        let mut bytes = write(&run_sample::copy("pinned", 3, 20));
        (0..200).for_each(|_| bytes.extend(write(&run_sample::run(&mut dice, "pinned"))));
        assert_eq!(crate::checksum::of_record(&[Value::Bytes(&bytes)]), PINNED);
    }

    const PINNED: i64 = 2178620013454148944;
}
