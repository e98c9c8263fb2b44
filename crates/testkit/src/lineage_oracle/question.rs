//! Questions, with what they are about by name: so they can be asked of any history.

use guardbee_lineage::{AsOf, DatasetName, Direction, EdgeFilter, Level, NodeName, Temporaries, Window};
use guardbee_model::Timestamp;

use super::random::{self, HistoryMaker};
use super::trace::Filter;
use super::{Node, World, dataset_text};
use crate::generate::Random;

/// A question to trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    pub start: Vec<NodeName>,
    pub direction: Direction,
    pub level: Level,
    pub depth: Option<u32>,
    pub edges: EdgeFilter,
    pub as_of: AsOf,
    pub window: Option<Window>,
    pub stop: Vec<DatasetName>,
    pub temporaries: Temporaries,
    /// Datasets that whoever asks may not know of.
    pub hidden: Vec<DatasetName>,
    /// How much of the answer is fetched at once.
    pub page: usize,
}

impl Asked {
    #[must_use]
    pub const fn filter(&self) -> Filter {
        Filter {
            edges: self.edges,
            as_of: self.as_of,
            window: self.window,
            level: self.level,
            temporaries: self.temporaries,
        }
    }

    /// The question in words.
    #[must_use]
    pub fn text(&self) -> String {
        let mut parts = vec![format!("{:?} of {:?}s", self.direction, self.level).to_lowercase()];
        let names: Vec<String> = self.start.iter().map(node_text).collect();
        parts.push(format!("from {}", names.join(" and ")));
        parts.push(format!("edges {:?}, temporaries {:?}", self.edges, self.temporaries).to_lowercase());
        if let AsOf::At(moment) = self.as_of {
            parts.push(format!("as of {}", moment.0));
        }
        if let Some(window) = self.window {
            parts.push(format!("runs from {} until before {}", window.from.0, window.until.0));
        }
        if let Some(depth) = self.depth {
            parts.push(format!("depth {depth}"));
        }
        for (what, names) in [("stop at", &self.stop), ("hidden", &self.hidden)] {
            if !names.is_empty() {
                let names: Vec<String> = names.iter().map(dataset_text).collect();
                parts.push(format!("{what} {}", names.join(" and ")));
            }
        }
        format!("{}, {} at once", parts.join(", "), self.page)
    }

    /// What the question is about, as far as the history knows it.
    #[must_use]
    pub fn nodes(&self, world: &World) -> Vec<Node> {
        let runs = world.runs_until(self.as_of);
        let node = |name: &NodeName| {
            let dataset = world.find(&name.dataset, runs)?;
            let column = match &name.column {
                Some(column) => Some(world.find_column(dataset, column, runs)?),
                None => None,
            };
            Some(Node { dataset, column })
        };
        let mut nodes: Vec<Node> = self.start.iter().filter_map(node).collect();
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }

    /// Simpler questions of the same kind.
    #[must_use]
    pub fn simpler(&self) -> Vec<Self> {
        let mut found = Vec::new();
        for place in 0..self.start.len() {
            let mut fewer = self.clone();
            fewer.start.remove(place);
            found.push(fewer);
        }
        found.push(Self { stop: Vec::new(), ..self.clone() });
        found.push(Self { hidden: Vec::new(), ..self.clone() });
        found.push(Self { window: None, ..self.clone() });
        found.push(Self { depth: None, ..self.clone() });
        found.push(Self { as_of: AsOf::Now, ..self.clone() });
        found.push(Self { temporaries: Temporaries::Show, ..self.clone() });
        found.push(Self { edges: EdgeFilter::All, ..self.clone() });
        found.push(Self { page: usize::MAX, ..self.clone() });
        for direction in [Direction::Up, Direction::Down] {
            if self.direction == Direction::Both {
                found.push(Self { direction, ..self.clone() });
            }
        }
        found.retain(|simpler| simpler != self && !simpler.start.is_empty());
        found
    }
}

pub(super) fn node_text(name: &NodeName) -> String {
    let dataset = dataset_text(&name.dataset);
    name.column.as_ref().map_or(dataset.clone(), |column| format!("{dataset}.{column}"))
}

/// Draws a question; names are of any moment, so some are of nothing.
#[must_use]
pub fn asked(random: &mut Random, world: &World) -> Asked {
    let level = *random.pick(&[Level::Dataset, Level::Column, Level::Column, Level::Run]);
    let as_of = if random.percent(50) { AsOf::Now } else { AsOf::At(moment(random)) };
    let start = (0..random.weighted(&[0, 8, 1])).map(|_| start(random, world, level, as_of)).collect();
    let window = random.percent(15).then(|| {
        let (one, other) = (moment(random), moment(random));
        Window { from: one.min(other), until: one.max(other) }
    });
    let some_names = |random: &mut Random, chance: usize| {
        let count = if random.percent(chance) { random.between(1, 2) } else { 0 };
        (0..count).map(|_| any_dataset(random, world)).collect::<Vec<_>>()
    };
    Asked {
        start,
        direction: *random.pick(&[Direction::Up, Direction::Down, Direction::Both]),
        level,
        depth: random.percent(40).then(|| random.below(4) as u32),
        edges: *random.pick(&[EdgeFilter::Direct, EdgeFilter::All]),
        as_of,
        window,
        stop: some_names(random, 20),
        temporaries: *random.pick(&[Temporaries::Collapse, Temporaries::Show]),
        hidden: some_names(random, 10),
        page: if random.percent(40) { usize::MAX } else { random.between(1, 12) },
    }
}

fn moment(random: &mut Random) -> Timestamp {
    Timestamp(random.below(random::LAST_MOMENT as usize + 2) as i64)
}

/// Mostly the end of something that flows, under its name of then.
fn start(random: &mut Random, world: &World, level: Level, as_of: AsOf) -> NodeName {
    let with_column = level == Level::Column && random.percent(75);
    if world.edges.is_empty() || random.percent(30) {
        let dataset = any_dataset(random, world);
        let column = with_column.then(|| HistoryMaker::new(random).column());
        return NodeName { dataset, column };
    }
    let runs = world.runs_until(as_of);
    let edge = random.pick(&world.edges);
    let end = if random.percent(50) { edge.from } else { edge.to };
    let dataset = &world.datasets[end.dataset];
    let column =
        end.column.filter(|_| with_column).map(|column| dataset.columns[column].name_after(runs).clone());
    NodeName { dataset: dataset.life.name_after(runs).clone(), column }
}

/// A name that something bears or bore.
fn any_dataset(random: &mut Random, world: &World) -> DatasetName {
    if world.datasets.is_empty() {
        return HistoryMaker::new(random).dataset();
    }
    let life = &random.pick(&world.datasets).life;
    random.pick(&life.segments).name.clone()
}
