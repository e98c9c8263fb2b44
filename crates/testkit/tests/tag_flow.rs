//! Where tags go with the data, against a second opinion: all runs lived through one by one, and after each of them
//! everything that carries a tag written down.

use std::collections::BTreeSet;

use guardbee_lineage::{
    AsOf, DatasetName, EdgeFilter, Graph, Node as GraphNode, Run, TagNumber, TagRules, TagSource, WriteKind,
};
use guardbee_model::{Name, TableName};
use guardbee_testkit::generate::Random;
use guardbee_testkit::lineage_oracle::random::{HistoryMaker, arrivals};
use guardbee_testkit::lineage_oracle::trace::touch;
use guardbee_testkit::lineage_oracle::{Edge, Node, World, dataset_text, run_text};

const HISTORIES: u64 = 4_000;

type Tagged = (Node, u32);
/// What a node is called, and a tag on it.
type Named = (DatasetName, Option<Name>, u32);

/// What carries which tag after all runs.
fn carried(world: &World, sources: &BTreeSet<Tagged>, edges: EdgeFilter) -> BTreeSet<Tagged> {
    let runs = world.runs.len();
    let mut after: Vec<BTreeSet<Tagged>> = Vec::new();
    for moment in 0..=runs {
        after.push(sources.clone());
        loop {
            let mut new = Vec::new();
            for edge in world.edges.iter().filter(|edge| world.is_there(edge, moment)) {
                let put = sources.iter().filter(|(node, _)| is_put_on_view(world, *node, edge, edges));
                new.extend(put.map(|(_, tag)| (edge.to, *tag)));
                if !goes(edge, edges) {
                    continue;
                }
                let put = sources.iter().filter(|(node, _)| is_put_on_files(world, *node, edge, edges));
                new.extend(put.map(|(_, tag)| (edge.to, *tag)));
                let mut moments = vec![edge.run - 1];
                if is_shown(world, edge) || lies_over(world, edge) {
                    moments = vec![moment];
                } else if moment == runs {
                    moments.push(runs);
                }
                for carriers in moments.into_iter().map(|moment| &after[moment]) {
                    let handed = carriers.iter().filter(|(node, _)| hands_on(world, *node, edge));
                    new.extend(handed.map(|(_, tag)| (edge.to, *tag)));
                }
            }
            let before = after[moment].len();
            after[moment].extend(new);
            if after[moment].len() == before {
                break;
            }
        }
    }
    let mut carried = after.pop().expect("the last moment");
    for link in world.edges.iter().filter(|edge| lies_over(world, edge) && is_followed(edge, edges)) {
        let is_of_files = path(world, link.from).is_some();
        let put = sources.iter().filter(|(node, _)| is_of_files && touch(*node, link.to));
        carried.extend(put.map(|(_, tag)| (link.from, *tag)));
    }
    carried
}

/// Does the edge come from a path that the table was said to lie over, or from one around it, and may it be what was put on
/// the table that it reads there? It is not where the table has that under another name.
fn is_put_on_files(world: &World, node: Node, edge: &Edge, edges: EdgeFilter) -> bool {
    let Some(read) = path(world, edge.from) else { return false };
    if node.column.is_some() && edge.from.column.is_none() && names_columns(world, edge) {
        return false;
    }
    let name = |node: Node| Some(&world.datasets[node.dataset].columns[node.column?].segments[0].name);
    let links: Vec<&Edge> = world
        .edges
        .iter()
        .filter(|link| {
            lies_over(world, link)
                && is_followed(link, edges)
                && link.to.dataset == node.dataset
                && path(world, link.from).is_some()
        })
        .collect();
    let is_known = links.iter().any(|link| name(link.from) == name(edge.from));
    let mut meant = links.iter().filter(|link| touch(node, link.to));
    links.iter().any(|link| path(world, link.from).is_some_and(|there| is_around(&there, &read)))
        && (node.column.is_none()
            || edge.from.column.is_none()
            || name(node) == name(edge.from)
            || meant.any(|link| name(link.from) == name(edge.from))
            || !is_known)
}

fn names_columns(world: &World, edge: &Edge) -> bool {
    !world.runs[edge.run - 1].targets[edge.target].columns.is_empty()
}

fn goes(edge: &Edge, edges: EdgeFilter) -> bool {
    !edge.masked && is_followed(edge, edges)
}

fn is_followed(edge: &Edge, edges: EdgeFilter) -> bool {
    edge.is_direct() || edges == EdgeFilter::All
}

/// Is the node a view that the target read through, or a column of it, and did the view, as it was then, show there what
/// the edge comes from? What the view itself hides is what the tag was put on.
fn is_put_on_view(world: &World, node: Node, edge: &Edge, edges: EdgeFilter) -> bool {
    let is_view = |dataset: usize| dataset == node.dataset;
    let reads_it = |other: &Edge| {
        (other.run, other.target) == (edge.run, edge.target)
            && is_followed(other, edges)
            && (is_view(other.from.dataset) || other.through.iter().any(|through| is_view(*through)))
    };
    let shows_it = |definition: &Edge| {
        is_shown(world, definition)
            && is_followed(definition, edges)
            && definition.from == edge.from
            && is_view(definition.to.dataset)
            && (node.column.is_none() || definition.to.column == node.column)
            && world.is_there(definition, edge.run - 1)
            && (!edge.masked || definition.masked)
    };
    is_followed(edge, edges) && world.edges.iter().any(reads_it) && world.edges.iter().any(shows_it)
}

/// Has runs read what some view shows through that view.
fn read_through_views(random: &mut Random, history: &mut [Run]) {
    let mut shown: Vec<(DatasetName, Name, TableName)> = Vec::new();
    for target in history.iter().flat_map(|run| &run.targets) {
        if let (WriteKind::Define, DatasetName::Table(view)) = (target.write, &target.dataset) {
            let sources = target.columns.iter().flat_map(|column| &column.sources);
            shown.extend(sources.map(|source| (source.dataset.clone(), source.column.clone(), view.clone())));
        }
    }
    for column in history.iter_mut().flat_map(|run| &mut run.targets).flat_map(|target| &mut target.columns) {
        for source in &mut column.sources {
            let of_it = shown.iter().filter(|(dataset, column, view)| {
                (dataset, column) == (&source.dataset, &source.column) && !source.through.contains(view)
            });
            let views: Vec<TableName> =
                of_it.filter(|_| random.percent(50)).map(|(_, _, view)| view.clone()).collect();
            source.through = source.through.iter().cloned().chain(views).collect();
        }
    }
}

/// Is it said of a table that it lies over a path? Then it shows at each moment what is there.
fn lies_over(world: &World, edge: &Edge) -> bool {
    world.runs[edge.run - 1].targets[edge.target].write == WriteKind::Locate
}

fn is_shown(world: &World, edge: &Edge) -> bool {
    world.runs[edge.run - 1].targets[edge.target].write == WriteKind::Define
}

/// A whole input goes in for its rows where the target names columns.
fn hands_on(world: &World, node: Node, edge: &Edge) -> bool {
    let counts_rows = node.column.is_some() && edge.from.column.is_none() && names_columns(world, edge);
    let is_read = touch(node, edge.from)
        || is_unnamed_in_file(world, node, edge)
        || is_in_same_files(world, node, edge);
    is_read && !counts_rows
}

/// Is it read from a path, as a column that nothing wrote to it?
fn is_unnamed_in_file(world: &World, node: Node, edge: &Edge) -> bool {
    node.dataset == edge.from.dataset
        && path(world, node).is_some()
        && node.column.is_some()
        && edge.from.column.is_some()
        && !world.written.contains(&edge.from)
}

/// Is it read from a path above or beneath the one that it lies at, under its name or one that nothing was written
/// under?
fn is_in_same_files(world: &World, node: Node, edge: &Edge) -> bool {
    let (Some(here), Some(there)) = (path(world, node), path(world, edge.from)) else { return false };
    let name = |node: Node| Some(&world.datasets[node.dataset].columns[node.column?].segments[0].name);
    let is_written_here = || {
        let columns = world.datasets[node.dataset].columns.iter().enumerate();
        let mut named = columns.filter(|(_, column)| Some(&column.segments[0].name) == name(edge.from));
        named.any(|(column, _)| world.written.contains(&Node { column: Some(column), ..node }))
    };
    let is_named = |node: Node| node.column.is_some();
    here != there
        && is_around(&here, &there)
        && (!is_named(node)
            || !is_named(edge.from)
            || name(node) == name(edge.from)
            || !world.written.contains(&edge.from) && !is_written_here())
}

/// Is it one place, or the one within the other?
fn is_around(one: &str, other: &str) -> bool {
    let is_within =
        |inner: &str, outer: &str| inner.strip_prefix(outer).is_some_and(|rest| rest.starts_with('/'));
    one == other || is_within(one, other) || is_within(other, one)
}

fn path(world: &World, node: Node) -> Option<String> {
    match &world.datasets[node.dataset].life.segments[0].name {
        DatasetName::Path(path) => Some(path.to_string()),
        _ => None,
    }
}

/// Everything that is there after all runs and can hold data.
fn there(world: &World) -> Vec<Node> {
    let runs = world.runs.len();
    let mut nodes = Vec::new();
    for (dataset, known) in world.datasets.iter().enumerate() {
        let is_database = matches!(known.life.name_after(runs), DatasetName::Database(_));
        if !known.life.is_closed_after(runs) && !is_database {
            nodes.push(Node { dataset, column: None });
            let open = known.columns.iter().enumerate().filter(|(_, column)| !column.is_closed_after(runs));
            nodes.extend(open.map(|(column, _)| Node { dataset, column: Some(column) }));
        }
    }
    nodes
}

fn of_views(world: &World, nodes: &[Node]) -> Vec<Node> {
    let shows =
        |node: &Node| world.edges.iter().any(|edge| is_shown(world, edge) && edge.to.dataset == node.dataset);
    nodes.iter().copied().filter(|node| shows(node)).collect()
}

fn name(world: &World, node: Node) -> (DatasetName, Option<Name>) {
    let dataset = &world.datasets[node.dataset];
    let column = node.column.map(|column| dataset.columns[column].name_after(world.runs.len()).clone());
    (dataset.life.name_after(world.runs.len()).clone(), column)
}

fn graph_of(random: &mut Random, history: &[Run]) -> Graph {
    let mut graph = Graph::new();
    for batch in arrivals(random, history) {
        graph = graph.record(&batch).graph;
        if random.below(3) == 0 {
            graph = graph.compacted();
        }
    }
    graph
}

#[test]
fn tags_go_where_they_go_when_runs_are_lived_through() {
    let (mut derived, mut through_views, mut by_files) = (0, 0, 0);
    for seed in 0..HISTORIES {
        let mut random = Random::new(seed);
        let mut history = HistoryMaker::new(&mut random).history();
        if random.percent(60) {
            read_through_views(&mut random, &mut history);
        }
        let world = World::of(&history);
        let nodes = there(&world);
        if nodes.is_empty() {
            continue;
        }
        let on_views = of_views(&world, &nodes);
        let drawn = if on_views.is_empty() || random.percent(50) { &nodes } else { &on_views };
        let count = random.between(1, 3);
        let sources: BTreeSet<Tagged> =
            (0..count).map(|_| (*random.pick(drawn), random.below(2) as u32)).collect();
        let edges = if random.below(4) == 0 { EdgeFilter::All } else { EdgeFilter::Direct };
        let expected: BTreeSet<Named> = carried(&world, &sources, edges)
            .into_iter()
            .filter(|(node, _)| nodes.contains(node))
            .map(|(node, tag)| {
                let (dataset, column) = name(&world, node);
                (dataset, column, tag)
            })
            .collect();
        let graph = graph_of(&mut random, &history);
        let found = in_graph(&world, &graph, &sources, edges);
        derived += found.len() - sources.len();
        through_views +=
            count_edges(&world, &sources, |node, edge| is_put_on_view(&world, node, edge, edges));
        by_files += count_edges(&world, &sources, |node, edge| is_put_on_files(&world, node, edge, edges));
        assert_eq!(found, expected, "seed {seed}\n{}", told(&world, &sources));
        let found = in_graph(&world, &graph.compacted(), &sources, edges);
        assert_eq!(found, expected, "compacted, seed {seed}\n{}", told(&world, &sources));
    }
    assert!(derived > 5_000, "only {derived} tags were derived");
    assert!(through_views > 100, "only {through_views} edges took a tag along that was put on a view");
    assert!(by_files > 100, "only {by_files} edges took a tag along that was put on what lies over a path");
}

fn count_edges(world: &World, sources: &BTreeSet<Tagged>, took: impl Fn(Node, &Edge) -> bool) -> usize {
    let took_any = |edge: &&Edge| sources.iter().any(|(node, _)| took(*node, edge));
    world.edges.iter().filter(took_any).count()
}

fn in_graph(world: &World, graph: &Graph, sources: &BTreeSet<Tagged>, edges: EdgeFilter) -> BTreeSet<Named> {
    let sources: Vec<TagSource> = sources
        .iter()
        .map(|(node, tag)| {
            let (dataset, column) = name(world, *node);
            let dataset = graph.find(&dataset, AsOf::Now).expect("a dataset");
            let column =
                column.map(|column| graph.find_column(dataset, &column, AsOf::Now).expect("a column"));
            TagSource { node: GraphNode { dataset, column }, tag: TagNumber(*tag) }
        })
        .collect();
    let flow = graph.tag_flow(&sources, TagRules { edges, ..TagRules::default() });
    let named = |node: GraphNode, tag: TagNumber| {
        let subject = match node.column {
            None => guardbee_lineage::TraceSubject::Dataset(node.dataset),
            Some(column) => guardbee_lineage::TraceSubject::Column(node.dataset, column),
        };
        let name = graph.name(subject, AsOf::Now).expect("a name");
        (name.dataset, name.column, tag.0)
    };
    let mut found: BTreeSet<Named> = sources.iter().map(|source| named(source.node, source.tag)).collect();
    for derived in flow.derived() {
        let path = flow.path(derived.node, derived.tag).expect("a path");
        let first = path.first().expect("a step");
        assert!(sources.iter().any(|source| source.node == first.from && source.tag == derived.tag));
        assert_eq!(path.last().map(|last| (last.to, last.run)), Some((derived.node, derived.run)));
        assert!(path.is_sorted_by(|one, next| one.to == next.from));
        assert!(found.insert(named(derived.node, derived.tag)), "told twice");
    }
    found
}

fn told(world: &World, sources: &BTreeSet<Tagged>) -> String {
    let mut text: Vec<String> = world.runs.iter().map(run_text).collect();
    for (node, tag) in sources {
        let (dataset, column) = name(world, *node);
        text.push(format!("tag {tag} on {} {column:?}", dataset_text(&dataset)));
    }
    text.join("\n")
}
