//! The questions that everybody is asked: all that derives from the first column of a group, and all that the
//! last column of a group derives from.

use guardbee_bench::figures::{Figures, add_percentiles, shortest_processor_times};
use guardbee_testkit::lineage_load::{COLUMNS, ColumnNumber, GROUP, LineageLoad};
use petgraph::Direction;

/// As many groups are asked about, where there are as many.
const GROUPS: usize = 50;

/// How much a question came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found {
    pub nodes: usize,
    pub edges: usize,
}

/// The columns that are asked about, spread over all groups.
fn columns(load: LineageLoad, within_group: usize) -> Vec<ColumnNumber> {
    let asked = load.groups().min(GROUPS);
    let group = |place: usize| load.first_column(place * load.groups() / asked);
    (0..asked).map(|place| group(place) + within_group as ColumnNumber).collect()
}

/// Times and sizes of closures, down as `closure` and up as `closure_up`.
pub fn measure_closures(
    figures: &mut Figures,
    load: LineageLoad,
    closure: impl Fn(ColumnNumber, Direction) -> Found,
) {
    let questions =
        [("closure", 0, Direction::Outgoing), ("closure_up", GROUP * COLUMNS - 1, Direction::Incoming)];
    for (name, within_group, direction) in questions {
        let columns = columns(load, within_group);
        let times = shortest_processor_times(&columns, |column| {
            closure(*column, direction);
        });
        add_percentiles(figures, name, &times);
        let found: Vec<Found> = columns.iter().map(|column| closure(*column, direction)).collect();
        let nodes: usize = found.iter().map(|found| found.nodes).sum();
        let edges: usize = found.iter().map(|found| found.edges).sum();
        let seconds: f64 = times.iter().map(std::time::Duration::as_secs_f64).sum();
        figures.insert(format!("{name}/speed"), (edges as f64 / seconds, "edges/s"));
        figures.insert(format!("{name}/nodes"), (nodes as f64 / columns.len() as f64, "nodes"));
        figures.insert(format!("{name}/edges"), (edges as f64 / columns.len() as f64, "edges"));
    }
}
