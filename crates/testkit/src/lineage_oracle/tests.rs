//! The rules of the oracle itself, each by a history of a few runs.

use std::sync::Arc;

use guardbee_lineage::{
    AsOf, ColumnSource, Context, DatasetChange, DatasetName, Derivation, EdgeKind, Input, Partition, Run,
    RunKey, Target, TargetColumn, WriteKind,
};
use guardbee_model::{Name, TableName, Timestamp};

use super::World;

fn table(name: &str) -> DatasetName {
    DatasetName::Table(TableName::new(Name::fold("d"), Name::fold(name)))
}

fn run(at: i64) -> Run {
    Run {
        key: RunKey(format!("r{at:02}").into()),
        operation: "QUERY".into(),
        started_at: None,
        ended_at: Timestamp(at),
        context: Arc::new(Context::default()),
        inputs: Vec::new(),
        targets: Vec::new(),
        changes: Vec::new(),
    }
}

fn change(at: i64, changes: &[DatasetChange]) -> Run {
    Run { changes: changes.to_vec(), ..run(at) }
}

/// `x` of the one goes into `x` of the other.
fn write(at: i64, from: &str, to: &str, write: WriteKind, partition: &[(&str, Option<&str>)]) -> Run {
    let column = || Name::fold("x");
    let source = ColumnSource {
        dataset: table(from),
        column: column(),
        kind: EdgeKind::Identity,
        masked: false,
        unresolved: false,
        through: [].into(),
    };
    let target_column = TargetColumn {
        name: column(),
        expression: None,
        derivation: Derivation::Simple,
        sources: vec![source],
        influences: Vec::new(),
    };
    let target = Target {
        dataset: table(to),
        write,
        partition: self::partition(partition),
        columns: vec![target_column],
        influences: Vec::new(),
        whole: Vec::new(),
    };
    let input = Input { dataset: table(from), partitions: Vec::new(), through: [].into() };
    Run { inputs: vec![input], targets: vec![target], ..run(at) }
}

fn append(at: i64, from: &str, to: &str) -> Run {
    write(at, from, to, WriteKind::Append, &[])
}

fn partition(parts: &[(&str, Option<&str>)]) -> Partition {
    parts.iter().map(|(column, value)| (Name::fold(column), value.map(Arc::from))).collect()
}

fn create(name: &str) -> DatasetChange {
    DatasetChange::Create { dataset: table(name), columns: vec![Name::fold("x")] }
}

fn drop_table(name: &str) -> DatasetChange {
    DatasetChange::Drop { dataset: table(name) }
}

fn rename(from: &str, to: &str) -> DatasetChange {
    DatasetChange::Rename { from: table(from), to: table(to) }
}

/// The edges that are current after that many runs, as `from.x@run`, by the names of then.
fn current(world: &World, runs: usize) -> Vec<String> {
    let name = |dataset: usize| match world.datasets[dataset].life.name_after(runs) {
        DatasetName::Table(table) => table.table.to_string(),
        other => other.to_string(),
    };
    let current = world.current_after(runs);
    let mut found: Vec<String> = world
        .edges
        .iter()
        .filter(|edge| world.is_current(edge, &current))
        .map(|edge| format!("{} -> {} by {}", name(edge.from.dataset), name(edge.to.dataset), edge.run))
        .collect();
    found.sort();
    found
}

fn world(runs: &[Run]) -> World {
    let (forward, mut backward) = (World::of(runs), runs.to_vec());
    backward.reverse();
    backward.extend(runs.iter().cloned());
    let other = World::of(&backward);
    assert_eq!(format!("{:?}", forward.edges), format!("{:?}", other.edges), "the order of arrival");
    forward
}

#[test]
fn a_name_reaches_back_to_the_beginning_and_a_new_table_does_not() {
    let world = world(&[append(5, "a", "b"), change(7, &[drop_table("b")]), change(9, &[create("b")])]);
    assert_eq!(world.find(&table("b"), 0), world.find(&table("b"), 1));
    assert_eq!(world.find(&table("b"), 2), None);
    let new = world.find(&table("b"), 3).expect("the new one");
    assert_eq!(world.datasets[new].predecessor, world.find(&table("b"), 0));
    assert_eq!(world.runs_until(AsOf::At(Timestamp(7))), 2);
}

#[test]
fn what_was_dropped_and_is_mentioned_again_is_another_from_then_on() {
    let world = world(&[change(1, &[create("a")]), change(2, &[drop_table("a")]), append(4, "b", "a")]);
    let (old, new) = (world.find(&table("a"), 1), world.find(&table("a"), 2));
    assert!(old.is_some() && new.is_some() && old != new);
    assert_eq!(world.datasets[new.expect("the new one")].predecessor, old);
}

#[test]
fn a_create_replaces_what_was_mentioned_and_an_ensure_does_not() {
    let ensure = |at| change(at, &[DatasetChange::Ensure { dataset: table("a"), columns: Vec::new() }]);
    let ensured = world(&[append(1, "b", "a"), ensure(2), append(3, "b", "a")]);
    assert_eq!(current(&ensured, 3), ["b -> a by 1", "b -> a by 3"]);
    let created = world(&[append(1, "b", "a"), change(2, &[create("a")]), append(3, "b", "a")]);
    assert_eq!(current(&created, 3), ["b -> a by 3"]);
    assert_eq!(current(&created, 1), ["b -> a by 1"]);
}

#[test]
fn renames_keep_edges_versions_and_count_on() {
    let renames = [change(2, &[rename("b", "c")]), change(3, &[rename("c", "e")])];
    let world = world(&[append(1, "a", "b"), renames[0].clone(), renames[1].clone(), append(4, "a", "e")]);
    assert_eq!(current(&world, 4), ["a -> e by 1", "a -> e by 4"]);
    assert_eq!(current(&world, 2), ["a -> c by 1"]);
    let dataset = world.find(&table("e"), 4).expect("it");
    assert_eq!(world.datasets[dataset].writes.len(), 2);
    assert_eq!(world.find(&table("b"), 4), None);
}

#[test]
fn two_tables_swap() {
    let swap = change(3, &[rename("a", "t"), rename("b", "a"), rename("t", "b")]);
    let world = world(&[append(1, "c", "a"), append(2, "e", "b"), swap, append(4, "a", "f")]);
    assert_eq!(current(&world, 4), ["a -> f by 4", "c -> b by 1", "e -> a by 2"]);
    assert_eq!(world.find(&table("a"), 4), world.find(&table("b"), 2));
}

#[test]
fn a_rename_over_another_closes_it() {
    let world = world(&[append(1, "a", "b"), append(2, "a", "c"), change(3, &[rename("b", "c")])]);
    assert_eq!(current(&world, 3), ["a -> c by 1"]);
}

#[test]
fn an_overwrite_from_itself_binds_the_old_and_removes_older_edges_only() {
    let world = world(&[append(1, "a", "b"), write(2, "b", "b", WriteKind::Overwrite, &[])]);
    assert_eq!(current(&world, 1), ["a -> b by 1"]);
    assert_eq!(current(&world, 2), ["a -> b by 1", "b -> b by 2"]);
}

#[test]
fn partitions_remove_what_is_known_to_be_in_them() {
    let over = |at, parts: &[(&str, Option<&str>)]| write(at, "a", "b", WriteKind::Overwrite, parts);
    let one = [("k", Some("1"))];
    let history = [
        append(1, "a", "b"),
        over(2, &one),
        over(3, &[("k", Some("1")), ("l", Some("1"))]),
        over(4, &[("k", Some("1")), ("l", None)]),
        over(5, &[("k", None)]),
        over(6, &one),
    ];
    let world = world(&history);
    assert_eq!(current(&world, 5), (1..=5).map(|run| format!("a -> b by {run}")).collect::<Vec<_>>());
    assert_eq!(current(&world, 6), ["a -> b by 1", "a -> b by 5", "a -> b by 6"]);
}

#[test]
fn a_partition_that_moves_is_there_no_more() {
    let scope = [("k", Some("1"))];
    let moved =
        DatasetChange::MovePartition { from: table("b"), to: table("c"), partition: partition(&scope) };
    let exchange = Run { changes: vec![moved], ..write(3, "b", "c", WriteKind::Append, &scope) };
    let first = write(1, "a", "b", WriteKind::Append, &scope);
    let second = write(2, "a", "b", WriteKind::Append, &[("k", Some("2"))]);
    let world = world(&[first, second, exchange]);
    assert_eq!(current(&world, 3), ["a -> b by 1", "a -> b by 2", "b -> c by 3"]);
}

#[test]
fn a_database_goes_with_all_that_is_in_it() {
    let drop = DatasetChange::Drop { dataset: DatasetName::Database(Name::fold("d")) };
    let world = world(&[append(1, "a", "b"), change(2, &[drop]), append(3, "a", "c")]);
    assert_eq!(current(&world, 3), ["a -> c by 3"]);
    assert_ne!(world.find(&table("a"), 1), world.find(&table("a"), 3));
}

#[test]
fn a_column_that_was_dropped_is_another_when_it_comes_back() {
    let column = || Name::fold("x");
    let dropped = DatasetChange::DropColumn { dataset: table("b"), column: column() };
    let history = world(&[append(1, "a", "b"), change(2, &[dropped]), append(3, "a", "b")]);
    assert_eq!(current(&history, 3), ["a -> b by 3"]);
    let to = Name::fold("y");
    let renamed = DatasetChange::RenameColumn { dataset: table("b"), from: column(), to };
    let history = world(&[append(1, "a", "b"), change(2, &[renamed]), append(3, "a", "b")]);
    let dataset = history.find(&table("b"), 3).expect("the table");
    let (old, new) = (history.edges[0].to.column, history.edges[1].to.column);
    assert_eq!(history.find_column(dataset, &Name::fold("y"), 3), old);
    assert_eq!(history.find_column(dataset, &column(), 3), new);
}
