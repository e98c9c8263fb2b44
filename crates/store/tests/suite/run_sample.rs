//! Runs, audit records and letters to try a store with.

use std::sync::Arc;

use guardbee_engine::audit::{AuditKind, AuditObject, AuditRecord, Verdict};
use guardbee_engine::run_store::DeadLetter;
use guardbee_engine::store::PolicyVersion;
use guardbee_lineage::{
    ColumnSource, Context, DatasetChange, DatasetName, Derivation, EdgeKind, Influence, Input, Partition,
    Run, RunKey, RunOrigin, Target, TargetColumn, WriteKind,
};
use guardbee_model::{Name, TableName, Timestamp};
use smol_str::SmolStr;

use super::sample::Dice;

const TEXTS: &[&str] = &[
    "a",
    "",
    "sales",
    "Größe",
    "it's",
    "x\"y",
    "a.b",
    "two\nlines",
    "\u{1f41d}",
    "NUL \0 and \u{1e}",
    "a text that is longer than the 23 bytes that need no place of their own",
];

/// Times from all ages; some come twice.
const TIMES: &[i64] =
    &[0, -1, 1, 1_700_000_000_000, 1_700_000_000_001, 253_402_300_799_999, i64::MIN, i64::MAX];

fn list<T>(dice: &mut Dice, most: u64, of: impl Fn(&mut Dice) -> T) -> Vec<T> {
    (0..dice.below(most + 1)).map(|_| of(dice)).collect()
}

fn small(dice: &mut Dice) -> SmolStr {
    SmolStr::new(dice.pick(TEXTS))
}

fn shared(dice: &mut Dice) -> Arc<str> {
    dice.pick(TEXTS).into()
}

fn maybe<T>(dice: &mut Dice, of: impl Fn(&mut Dice) -> T) -> Option<T> {
    (dice.below(3) > 0).then(|| of(dice))
}

fn name(dice: &mut Dice) -> Name {
    Name::fold(dice.pick(TEXTS))
}

fn table(dice: &mut Dice) -> TableName {
    TableName::new(name(dice), name(dice))
}

fn time(dice: &mut Dice) -> Timestamp {
    Timestamp(dice.pick(TIMES))
}

/// A text that databases take as text.
fn plain(dice: &mut Dice) -> SmolStr {
    SmolStr::new(dice.pick(TEXTS).replace('\0', "-"))
}

/// Any run with a key; every part of it may be any.
pub fn run(dice: &mut Dice, key: &str) -> Run {
    Run {
        key: RunKey(key.into()),
        operation: plain(dice),
        started_at: maybe(dice, time),
        ended_at: time(dice),
        context: Arc::new(context(dice)),
        inputs: list(dice, 3, input),
        targets: list(dice, 2, target),
        changes: list(dice, 3, change),
    }
}

fn context(dice: &mut Dice) -> Context {
    Context {
        origin: dice.pick(&RunOrigin::ALL),
        statement: shared(dice),
        script: maybe(dice, shared),
        user: plain(dice),
        impersonated: maybe(dice, small),
        groups: list(dice, 3, small),
        roles: list(dice, 3, small),
        cluster: maybe(dice, small),
        host: maybe(dice, small),
        client_address: maybe(dice, small),
        engine: maybe(dice, small),
        engine_version: maybe(dice, small),
        query_id: maybe(dice, small),
        session: maybe(dice, small),
        application: maybe(dice, small),
        job: maybe(dice, small),
        purpose: maybe(dice, shared),
        parent_run: maybe(dice, |dice| RunKey(small(dice))),
        rows_written: maybe(dice, |dice| dice.pick(&[0, 1, 1 << 40, u64::MAX])),
        bytes_written: maybe(dice, |dice| dice.pick(&[0, 127, 128, u64::MAX])),
    }
}

fn dataset(dice: &mut Dice) -> DatasetName {
    match dice.below(5) {
        0 => DatasetName::Database(name(dice)),
        1 => DatasetName::Table(table(dice)),
        2 => DatasetName::Temporary { session: small(dice), table: table(dice) },
        3 => DatasetName::Path(shared(dice)),
        _ => DatasetName::Result(RunKey(small(dice))),
    }
}

fn partition(dice: &mut Dice) -> Partition {
    list(dice, 2, |dice| (name(dice), maybe(dice, shared)))
}

fn through(dice: &mut Dice) -> Arc<[TableName]> {
    list(dice, 2, table).into()
}

fn input(dice: &mut Dice) -> Input {
    Input { dataset: dataset(dice), partitions: list(dice, 2, partition), through: through(dice) }
}

fn target(dice: &mut Dice) -> Target {
    use WriteKind::{Append, Define, Locate, Modify, Overwrite, Truncate};
    Target {
        dataset: dataset(dice),
        write: dice.pick(&[Append, Overwrite, Define, Modify, Truncate, Locate]),
        partition: partition(dice),
        columns: list(dice, 4, target_column),
        influences: list(dice, 2, influence),
        whole: list(dice, 2, dataset),
    }
}

fn target_column(dice: &mut Dice) -> TargetColumn {
    TargetColumn {
        name: name(dice),
        expression: maybe(dice, shared),
        derivation: dice.pick(&Derivation::ALL),
        sources: list(dice, 3, source),
        influences: list(dice, 2, influence),
    }
}

fn source(dice: &mut Dice) -> ColumnSource {
    ColumnSource {
        dataset: dataset(dice),
        column: name(dice),
        kind: dice.pick(&EdgeKind::ALL),
        masked: dice.below(2) == 0,
        unresolved: dice.below(2) == 0,
        through: through(dice),
    }
}

fn influence(dice: &mut Dice) -> Influence {
    Influence {
        dataset: dataset(dice),
        column: name(dice),
        kind: dice.pick(&EdgeKind::ALL),
        masked: dice.below(2) == 0,
        unresolved: dice.below(2) == 0,
        through: through(dice),
    }
}

fn change(dice: &mut Dice) -> DatasetChange {
    match dice.below(8) {
        0 => DatasetChange::Create { dataset: dataset(dice), columns: list(dice, 3, name) },
        1 => DatasetChange::Ensure { dataset: dataset(dice), columns: list(dice, 3, name) },
        2 => DatasetChange::Drop { dataset: dataset(dice) },
        3 => DatasetChange::Rename { from: dataset(dice), to: dataset(dice) },
        4 => DatasetChange::RenameColumn { dataset: dataset(dice), from: name(dice), to: name(dice) },
        5 => DatasetChange::DropColumn { dataset: dataset(dice), column: name(dice) },
        6 => DatasetChange::MovePartition {
            from: dataset(dice),
            to: dataset(dice),
            partition: partition(dice),
        },
        _ => DatasetChange::DropPartition { dataset: dataset(dice), partition: partition(dice) },
    }
}

/// A copy of a table with so many columns, made of so many inputs.
pub fn copy(key: &str, inputs: usize, columns: usize) -> Run {
    let table = |number: usize| {
        DatasetName::Table(TableName::new("sales".into(), Name::fold(&format!("source_{number}"))))
    };
    let column = |number: usize| TargetColumn {
        name: Name::fold(&format!("column_{number}")),
        expression: None,
        derivation: Derivation::Simple,
        sources: vec![ColumnSource {
            dataset: table(number % inputs),
            column: Name::fold(&format!("column_{number}")),
            kind: EdgeKind::Identity,
            masked: false,
            unresolved: false,
            through: Arc::default(),
        }],
        influences: Vec::new(),
    };
    Run {
        key: RunKey(key.into()),
        operation: "CREATETABLE_AS_SELECT".into(),
        started_at: None,
        ended_at: Timestamp(1_700_000_000_000),
        context: Arc::new(Context {
            user: "ana".into(),
            statement: "CREATE TABLE ...".into(),
            ..Context::default()
        }),
        inputs: (0..inputs)
            .map(|number| Input { dataset: table(number), partitions: Vec::new(), through: Arc::default() })
            .collect(),
        targets: vec![Target {
            dataset: DatasetName::Table(TableName::new("mart".into(), "copy".into())),
            write: WriteKind::Overwrite,
            partition: Vec::new(),
            columns: (0..columns).map(column).collect(),
            influences: Vec::new(),
            whole: Vec::new(),
        }],
        changes: Vec::new(),
    }
}

/// Any audit record.
pub fn record(dice: &mut Dice) -> AuditRecord {
    AuditRecord {
        at: time(dice),
        actor: small(dice),
        groups: list(dice, 3, small),
        kind: dice.pick(&AuditKind::ALL),
        statement: shared(dice),
        operation: small(dice),
        objects: list(dice, 3, |dice| AuditObject {
            name: small(dice),
            access: SmolStr::new(dice.pick(&["SELECT", "INSERT"])),
            columns: list(dice, 2, name),
        }),
        verdict: dice.pick(&[Verdict::Denied, Verdict::Allowed]),
        reasons: list(dice, 2, shared),
        missing: list(dice, 2, shared),
        policy_version: PolicyVersion(dice.pick(&[0, 1, u64::MAX])),
        client: maybe(dice, small),
    }
}

/// A question that some of [`record`]'s records answer.
pub fn audit_filter(dice: &mut Dice) -> guardbee_engine::audit::AuditFilter {
    use guardbee_engine::audit::{AuditFilter, ObjectFilter};
    let part = |dice: &mut Dice| dice.below(4) == 0;
    AuditFilter {
        actor: part(dice).then(|| small(dice)),
        kind: part(dice).then(|| dice.pick(&AuditKind::ALL)),
        verdict: part(dice).then(|| dice.pick(&[Verdict::Denied, Verdict::Allowed])),
        from: part(dice).then(|| time(dice)),
        until: part(dice).then(|| time(dice)),
        objects: if part(dice) {
            list(dice, 3, |dice| ObjectFilter { name: small(dice), column: maybe(dice, name) })
        } else {
            Vec::new()
        },
    }
}

pub fn letter(source: &str, payload: &[u8]) -> DeadLetter {
    DeadLetter {
        received_at: Timestamp(1_700_000_000_000),
        source: source.into(),
        reason: "it is no JSON".into(),
        payload: payload.into(),
    }
}
