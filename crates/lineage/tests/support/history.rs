//! Histories in a form that people read.
//!
//! A line starts a run (`run KEY TIME`) or says something about the run before it:
//!
//! ```text
//! read NAME [via VIEW ...]
//! create NAME [COLUMN ...]            ensure NAME [COLUMN ...]          drop NAME
//! rename NAME -> NAME                 rename column NAME COLUMN -> COLUMN
//! drop column NAME COLUMN             drop partition NAME PARTITION     move partition NAME -> NAME PARTITION
//! append|overwrite|define|modify|truncate NAME [PARTITION]
//! COLUMN = [KIND NAME.COLUMN [masked] [unresolved] [via VIEW ...], ...]       of the target before; `*` is all of it
//! whole NAME
//! ```
//!
//! A name is `db.table`, `database:db`, `path:/x`, `temporary:session:db.table` or `result:run`. A partition is
//! `ds=1/hour=*`, where the star is a value that comes from the data.

use std::sync::Arc;

use guardbee_lineage::{
    ColumnSource, Context, DatasetChange, DatasetName, Derivation, EdgeKind, Influence, Input, Partition,
    Run, RunKey, Target, TargetColumn, WriteKind,
};
use guardbee_model::{Name, TableName, Timestamp};

pub fn name(text: &str) -> DatasetName {
    match text.split_once(':') {
        None => DatasetName::Table(table(text)),
        Some(("database", database)) => DatasetName::Database(Name::fold(database)),
        Some(("path", path)) => DatasetName::Path(Arc::from(path)),
        Some(("result", run)) => DatasetName::Result(RunKey(run.into())),
        Some(("temporary", rest)) => {
            let (session, rest) = rest.split_once(':').expect("a session and a table");
            DatasetName::Temporary { session: session.into(), table: table(rest) }
        }
        Some((kind, _)) => panic!("no such kind of name: {kind}"),
    }
}

pub fn name_text(name: &DatasetName) -> String {
    match name {
        DatasetName::Table(table) => table.to_string(),
        DatasetName::Database(database) => format!("database:{database}"),
        DatasetName::Path(path) => format!("path:{path}"),
        DatasetName::Result(run) => format!("result:{}", run.0),
        DatasetName::Temporary { session, table } => format!("temporary:{session}:{table}"),
    }
}

fn table(text: &str) -> TableName {
    let (database, table) = text.split_once('.').unwrap_or_else(|| panic!("no table: {text}"));
    TableName::new(Name::fold(database), Name::fold(table))
}

fn partition(text: &str) -> Partition {
    text.split('/')
        .map(|part| {
            let (column, value) = part.split_once('=').expect("a column and a value");
            (Name::fold(column), (value != "*").then(|| Arc::from(value)))
        })
        .collect()
}

fn views(words: &[&str]) -> Arc<[TableName]> {
    words.iter().map(|view| table(view)).collect()
}

/// The dataset and the column of `NAME.COLUMN`.
pub fn column(text: &str) -> (DatasetName, Name) {
    let (dataset, column) = text.rsplit_once('.').expect("a dataset and a column");
    (name(dataset), Name::fold(column))
}

pub fn is_history_line(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or_default();
    const FIRST: [&str; 15] = [
        "run",
        "read",
        "create",
        "ensure",
        "drop",
        "rename",
        "move",
        "append",
        "overwrite",
        "define",
        "modify",
        "truncate",
        "locate",
        "whole",
        "=",
    ];
    FIRST.contains(&first) || line.split_whitespace().nth(1) == Some("=")
}

pub fn read_line(runs: &mut Vec<Run>, line: &str) {
    let words: Vec<&str> = line.split_whitespace().collect();
    if let ["run", key, time] = words.as_slice() {
        runs.push(Run {
            key: RunKey((*key).into()),
            operation: "QUERY".into(),
            started_at: None,
            ended_at: Timestamp(time.parse().expect("a time")),
            context: Arc::new(Context::default()),
            inputs: Vec::new(),
            targets: Vec::new(),
            changes: Vec::new(),
        });
        return;
    }
    let run = runs.last_mut().expect("a run before");
    let names = |words: &[&str]| words.iter().map(|word| Name::fold(word)).collect();
    match words.as_slice() {
        ["read", dataset] => {
            run.inputs.push(Input { dataset: name(dataset), partitions: Vec::new(), through: views(&[]) });
        }
        ["read", dataset, "via", through @ ..] => {
            run.inputs.push(Input {
                dataset: name(dataset),
                partitions: Vec::new(),
                through: views(through),
            });
        }
        ["create", dataset, columns @ ..] => {
            run.changes.push(DatasetChange::Create { dataset: name(dataset), columns: names(columns) });
        }
        ["ensure", dataset, columns @ ..] => {
            run.changes.push(DatasetChange::Ensure { dataset: name(dataset), columns: names(columns) });
        }
        ["drop", "column", dataset, column] => {
            run.changes
                .push(DatasetChange::DropColumn { dataset: name(dataset), column: Name::fold(column) });
        }
        ["drop", "partition", dataset, parts] => {
            run.changes
                .push(DatasetChange::DropPartition { dataset: name(dataset), partition: partition(parts) });
        }
        ["drop", dataset] => run.changes.push(DatasetChange::Drop { dataset: name(dataset) }),
        ["rename", "column", dataset, from, "->", to] => run.changes.push(DatasetChange::RenameColumn {
            dataset: name(dataset),
            from: Name::fold(from),
            to: Name::fold(to),
        }),
        ["rename", from, "->", to] => {
            run.changes.push(DatasetChange::Rename { from: name(from), to: name(to) });
        }
        ["move", "partition", from, "->", to, parts] => run.changes.push(DatasetChange::MovePartition {
            from: name(from),
            to: name(to),
            partition: partition(parts),
        }),
        ["whole", dataset] => run.targets.last_mut().expect("a target").whole.push(name(dataset)),
        [column, "=", ..] => {
            let (_, sources) = line.split_once('=').expect("an equals sign");
            read_column(run.targets.last_mut().expect("a target"), column, sources);
        }
        [write, dataset, rest @ ..] => run.targets.push(Target {
            dataset: name(dataset),
            write: match *write {
                "append" => WriteKind::Append,
                "overwrite" => WriteKind::Overwrite,
                "define" => WriteKind::Define,
                "modify" => WriteKind::Modify,
                "truncate" => WriteKind::Truncate,
                "locate" => WriteKind::Locate,
                other => panic!("no such line: {other}"),
            },
            partition: rest.first().map(|parts| partition(parts)).unwrap_or_default(),
            columns: Vec::new(),
            influences: Vec::new(),
            whole: Vec::new(),
        }),
        _ => panic!("no such line: {line}"),
    }
}

fn read_column(target: &mut Target, name: &str, sources: &str) {
    let mut column = TargetColumn {
        name: Name::fold(name),
        expression: None,
        derivation: Derivation::Expression,
        sources: Vec::new(),
        influences: Vec::new(),
    };
    for source in sources.split(',').filter(|source| !source.trim().is_empty()) {
        let mut words = source.split_whitespace();
        let kind = words.next().expect("a kind").to_uppercase();
        let kind = EdgeKind::ALL.into_iter().find(|one| one.as_str() == kind);
        let kind = kind.unwrap_or_else(|| panic!("no such kind: {source}"));
        let (dataset, source_column) = self::column(words.next().expect("a column"));
        let rest: Vec<&str> = words.collect();
        let masked = rest.contains(&"masked");
        let unresolved = rest.contains(&"unresolved");
        let via = rest.iter().position(|word| *word == "via").map_or(rest.len(), |via| via + 1);
        let through = views(&rest[via..]);
        if kind.is_direct() {
            let column_name = source_column;
            column.sources.push(ColumnSource {
                dataset,
                column: column_name,
                kind,
                masked,
                unresolved,
                through,
            });
        } else {
            column.influences.push(Influence {
                dataset,
                column: source_column,
                kind,
                masked,
                unresolved,
                through,
            });
        }
    }
    if name == "*" {
        target.influences.extend(column.influences);
    } else {
        target.columns.push(column);
    }
}
