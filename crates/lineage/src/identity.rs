//! Which dataset a name stood for: looks at the runs what happened to names, and keeps their timelines right.
//!
//! Names have to do with one another where one was renamed to the other; those are lived through together. Closing a
//! database closes the tables in it, so databases come first. A name that nothing ever happened to has no timeline:
//! it stands for one dataset, always.

use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

use crate::base::ALL_COLUMNS;
use crate::change::{Change, ChangeAct};
use crate::graph::{Between, Graph, Way};
use crate::moment::{Moment, Order};
use crate::name_text;
use crate::record::Mention;
use crate::timeline::{Columns, DatasetLife, Event, Life, Mentions, Segment, Span, Timeline, replay};

/// Could a mention of the name change what it stood for?
pub(crate) fn is_watched(graph: &Graph, dataset: u32) -> bool {
    graph.timeline(dataset).is_some()
        || graph.database_of(dataset).is_some_and(|database| !closings(graph, database).is_empty())
}

/// Makes the timelines right again after runs that changed these names and mentioned others.
pub(crate) fn refresh(graph: &mut Graph, changed: Vec<u32>, mentions: &[Mention]) {
    let unsettled: Vec<u32> = mentions
        .iter()
        .filter(|mention| is_unsettling(graph, mention))
        .map(|mention| mention.dataset)
        .collect();
    let is_database = |graph: &Graph, name: u32| graph.dataset_text(name).starts_with(name_text::DATABASE);
    let (databases, mut tables): (Vec<u32>, Vec<u32>) =
        changed.into_iter().chain(unsettled).partition(|name| is_database(graph, *name));
    let databases: FxHashSet<u32> = databases.into_iter().collect();
    let before: Vec<(u32, Vec<Moment>)> =
        databases.iter().map(|database| (*database, closings(graph, *database))).collect();
    refresh_names(graph, databases.into_iter().collect());
    for (database, before) in before {
        if closings(graph, database) != before {
            tables.extend(tables_of(graph, database));
        }
    }
    refresh_names(graph, tables);
}

/// Does the name stand for nothing when it is mentioned, or for something that would have gone with its database
/// since, had anybody known of it?
fn is_unsettling(graph: &Graph, mention: &Mention) -> bool {
    let closings =
        graph.database_of(mention.dataset).map_or(Vec::new(), |database| closings(graph, database));
    let segments = graph.timeline(mention.dataset).map(|timeline| timeline.segments.as_slice());
    let (born, until) = match segments.map(|segments| segment_at(graph, segments, mention.moment)) {
        None => ((mention.dataset, 0), Moment::NEVER),
        Some(None) => return true,
        Some(Some(segment)) => (segment.born, segment.until),
    };
    if closings.iter().any(|closing| graph.covers(mention.moment, until, *closing)) {
        return true;
    }
    if mention.column == ALL_COLUMNS {
        return false;
    }
    let columns = graph.life(born).and_then(|life| life.columns.as_ref());
    columns.is_some_and(|columns| column_at(graph, columns, mention.column, mention.moment).is_none())
}

/// The moments at which what was in a database went with it.
fn closings(graph: &Graph, database: u32) -> Vec<Moment> {
    let Some(timeline) = graph.timeline(database) else { return Vec::new() };
    let closes = |segment: &&Segment| {
        graph.life(segment.born).is_some_and(|life| life.life.closed == Some(segment.until))
    };
    timeline.segments.iter().filter(closes).map(|segment| segment.until).collect()
}

fn tables_of(graph: &Graph, database: u32) -> Vec<u32> {
    let (old, new) = (&graph.base.datasets, &graph.delta.datasets);
    let database = graph.dataset_text(database).get(1..).unwrap_or_default();
    let mut tables = Vec::new();
    for kind in [name_text::TABLE, name_text::TEMPORARY] {
        let prefix = format!("{kind}{database}\u{0}");
        let first = old.first_not_before(&prefix);
        tables.extend((first..old.len()).take_while(|name| old.get(*name).starts_with(&prefix)));
        let new_ones = new.iter().zip(old.len()..).filter(|(text, _)| text.starts_with(&prefix));
        tables.extend(new_ones.map(|(_, name)| name));
    }
    tables
}

fn refresh_names(graph: &mut Graph, names: Vec<u32>) {
    let mut done = FxHashSet::default();
    for name in names {
        if done.contains(&name) {
            continue;
        }
        let component = component(graph, name);
        done.extend(component.iter().copied());
        let timelines = timelines(graph, &component);
        for (name, timeline) in timelines {
            graph.delta.disturbed.insert_mut(name, ());
            graph.delta.timelines.insert_mut(name, Arc::new(timeline));
        }
    }
}

/// All names that renames lead to or from.
fn component(graph: &Graph, name: u32) -> Vec<u32> {
    let mut names = vec![name];
    let mut seen: FxHashSet<u32> = names.iter().copied().collect();
    let mut next = 0;
    while let Some(name) = names.get(next).copied() {
        next += 1;
        for change in graph.changes_of(name) {
            if let ChangeAct::Rename { from, to } = change.act {
                names.extend([from, to].into_iter().filter(|name| seen.insert(*name)));
            }
        }
    }
    names
}

fn timelines(graph: &Graph, names: &[u32]) -> FxHashMap<u32, Timeline> {
    let changes: NamedChanges<'_> = names.iter().map(|name| (*name, graph.changes_of(*name))).collect();
    let mut events: Vec<(Moment, Event)> = Vec::new();
    for name in names {
        for change in changes.get(name).into_iter().flatten() {
            let event = match change.act {
                ChangeAct::Create { dataset, .. } => Event::Create(dataset),
                ChangeAct::Ensure { dataset, .. } => Event::Ensure(dataset),
                ChangeAct::Drop { dataset } => Event::Drop(dataset),
                // Both names have it.
                ChangeAct::Rename { from, .. } if from != *name => continue,
                ChangeAct::Rename { from, to } => Event::Rename(from, to),
                ChangeAct::RenameColumn { .. } | ChangeAct::DropColumn { .. } => continue,
            };
            events.push((change.moment, event));
        }
        if let Some(database) = graph.database_of(*name) {
            events.extend(closings(graph, database).into_iter().map(|moment| (moment, Event::Close(*name))));
        }
    }
    events.sort_by(|one, other| graph.compare(one.0, other.0));
    let lives = replay(names, &events, &mut DatasetMentions { graph, moments: FxHashMap::default() });
    let mut timelines: FxHashMap<u32, Timeline> =
        names.iter().map(|name| (*name, Timeline::default())).collect();
    for life in lives {
        for span in &life.spans {
            let segment = Segment { from: span.from, until: span.until, born: life.born };
            timelines.entry(span.name).or_default().segments.push(segment);
        }
        let columns = columns(graph, &changes, &life).map(Arc::new);
        timelines.entry(life.born.0).or_default().lives.push(DatasetLife { life, columns });
    }
    for timeline in timelines.values_mut() {
        timeline.segments.sort_by(|one, other| graph.compare(one.from, other.from));
    }
    timelines
}

/// What happened to the identity of each name, in order.
type NamedChanges<'g> = FxHashMap<u32, Vec<&'g Change>>;

/// The columns of a dataset, where one of them was renamed or dropped.
fn columns(graph: &Graph, changes: &NamedChanges<'_>, life: &Life) -> Option<Columns> {
    let mut events: Vec<(Moment, Event)> = Vec::new();
    let mut is_eventful = false;
    for (span, change) in changes_in(graph, changes, &life.spans) {
        let moment = change.moment;
        match &change.act {
            ChangeAct::Create { dataset, columns } | ChangeAct::Ensure { dataset, columns }
                if *dataset == span.name =>
            {
                events.extend(columns.iter().map(|column| (moment, Event::Mention(*column))));
            }
            ChangeAct::RenameColumn { from, to, .. } => {
                is_eventful = true;
                events.push((moment, Event::Rename(*from, *to)));
            }
            ChangeAct::DropColumn { column, .. } => {
                is_eventful = true;
                events.push((moment, Event::Drop(*column)));
            }
            _ => {}
        }
    }
    if !is_eventful {
        return None;
    }
    events.sort_by(|one, other| graph.compare(one.0, other.0));
    let nodes = life.spans.iter().flat_map(|span| graph.column_nodes(span.name));
    let mut names: Vec<u32> = nodes.map(|node| graph.node_parts(node).1).collect();
    names.sort_unstable();
    names.dedup();
    let lives = replay(&names, &events, &mut ColumnMentions { graph, spans: &life.spans });
    let mut segments: Vec<(u32, Segment)> = lives
        .iter()
        .flat_map(|life| {
            life.spans
                .iter()
                .map(|span| (span.name, Segment { from: span.from, until: span.until, born: life.born }))
        })
        .collect();
    segments.sort_by(|one, other| one.0.cmp(&other.0).then_with(|| graph.compare(one.1.from, other.1.from)));
    let mut lives = lives;
    lives.sort_by_key(|life| life.born);
    Some(Columns { segments, lives })
}

fn changes_in<'c>(
    graph: &Graph,
    changes: &'c NamedChanges<'_>,
    spans: &'c [Span],
) -> impl Iterator<Item = (&'c Span, &'c Change)> {
    spans.iter().flat_map(|span| {
        let named = changes.get(&span.name).map(Vec::as_slice).unwrap_or_default();
        let before = |end: Moment| named.partition_point(|change| graph.is_before(change.moment, end));
        let within = named.get(before(span.from)..before(span.until)).unwrap_or_default();
        within.iter().map(move |change| (span, *change))
    })
}

struct DatasetMentions<'g> {
    graph: &'g Graph,
    moments: FxHashMap<u32, Vec<Moment>>,
}

impl Mentions for DatasetMentions<'_> {
    fn is_mentioned(&mut self, name: u32, after: Moment, before: Moment) -> bool {
        let graph = self.graph;
        let moments = self.moments.entry(name).or_insert_with(|| mentions_of(graph, name));
        let first = moments.partition_point(|moment| !graph.is_before(after, *moment));
        moments.get(first).is_some_and(|moment| graph.is_before(*moment, before))
    }
}

/// Every moment at which a name of a dataset is mentioned by something that does nothing to its identity, in order.
fn mentions_of(graph: &Graph, name: u32) -> Vec<Moment> {
    let read = graph.edges(Between::Datasets, Way::Down, name).map(|(_, write, _)| graph.run_of_write(write));
    let mut runs: Vec<u32> = read.chain(graph.reads_of(name)).collect();
    runs.sort_unstable();
    runs.dedup();
    let mut moments: Vec<Moment> = runs.into_iter().map(Moment::reads).collect();
    moments.extend(graph.writes_of(name).into_iter().filter_map(|write| Some(graph.write(write)?.moment)));
    let of_columns = graph
        .changes_of(name)
        .into_iter()
        .filter(|change| matches!(change.act, ChangeAct::RenameColumn { .. } | ChangeAct::DropColumn { .. }));
    moments.extend(of_columns.map(|change| change.moment));
    moments.sort_by(|one, other| graph.compare(*one, *other));
    moments
}

struct ColumnMentions<'g> {
    graph: &'g Graph,
    spans: &'g [Span],
}

impl Mentions for ColumnMentions<'_> {
    fn is_mentioned(&mut self, column: u32, after: Moment, before: Moment) -> bool {
        let graph = self.graph;
        self.spans.iter().any(|span| {
            let Some(node) = graph.node(span.name, column) else { return false };
            let is_meant = |moment: Moment| {
                graph.covers(span.from, span.until, moment)
                    && graph.is_before(after, moment)
                    && graph.is_before(moment, before)
            };
            let run = |write: u32| graph.run_of_write(write);
            graph
                .edges(Between::Columns, Way::Down, node)
                .any(|(_, write, _)| is_meant(Moment::reads(run(write))))
                || graph
                    .edges(Between::Columns, Way::Up, node)
                    .any(|(_, write, _)| is_meant(Moment::writes(run(write))))
                || graph.bare_writes_of(node).into_iter().any(|write| is_meant(Moment::writes(run(write))))
        })
    }
}

pub(crate) fn segment_at<'s>(graph: &Graph, segments: &'s [Segment], moment: Moment) -> Option<&'s Segment> {
    let after = segments.partition_point(|segment| !graph.is_before(moment, segment.from));
    let segment = segments.get(after.checked_sub(1)?)?;
    graph.is_before(moment, segment.until).then_some(segment)
}

/// Which column of the dataset a name meant at a moment.
pub(crate) fn column_at(graph: &Graph, columns: &Columns, column: u32, moment: Moment) -> Option<(u32, u32)> {
    let first = columns.segments.partition_point(|(name, _)| *name < column);
    let mut found = None;
    for (name, segment) in columns.segments.get(first..).unwrap_or_default() {
        if *name != column || graph.is_before(moment, segment.from) {
            break;
        }
        if graph.is_before(moment, segment.until) {
            found = Some(segment.born);
        }
    }
    found
}

impl Graph {
    pub(crate) fn life(&self, born: (u32, u32)) -> Option<&DatasetLife> {
        self.timeline(born.0)?.lives.get(born.1 as usize)
    }

    /// The dataset that a name stood for when it was mentioned. A name without timeline stands for one, always.
    pub(crate) fn born_as(&self, dataset: u32, moment: Moment) -> (u32, u32) {
        let Some(timeline) = self.timeline(dataset) else { return (dataset, 0) };
        segment_at(self, &timeline.segments, moment).map_or((dataset, 0), |segment| segment.born)
    }

    /// The column that a name meant when it was mentioned.
    pub(crate) fn column_born_as(&self, born: (u32, u32), column: u32, moment: Moment) -> (u32, u32) {
        let columns = self.life(born).and_then(|life| life.columns.as_ref());
        columns.and_then(|columns| column_at(self, columns, column, moment)).unwrap_or((column, 0))
    }

    /// What a dataset was called through time.
    pub(crate) fn spans(&self, born: (u32, u32)) -> Vec<Span> {
        match self.life(born) {
            Some(life) => life.life.spans.clone(),
            None => vec![Span { name: born.0, from: Moment::BEGINNING, until: Moment::NEVER }],
        }
    }

    /// What a column was called through time.
    pub(crate) fn column_spans(&self, born: (u32, u32), column: (u32, u32)) -> Vec<Span> {
        let columns = self.life(born).and_then(|life| life.columns.as_ref());
        let life = columns.and_then(|columns| columns.life(column));
        match life {
            Some(life) => life.spans.clone(),
            None => vec![Span { name: column.0, from: Moment::BEGINNING, until: Moment::NEVER }],
        }
    }

    /// Does every edge at the name's nodes belong to one dataset, and each node of it to one column?
    pub(crate) fn is_plain(&self, dataset: u32) -> bool {
        self.timeline(dataset).is_none_or(|timeline| timeline.is_plain())
    }
}

impl Columns {
    pub(crate) fn life(&self, born: (u32, u32)) -> Option<&Life> {
        let place = self.lives.binary_search_by_key(&born, |life| life.born).ok()?;
        self.lives.get(place)
    }
}
