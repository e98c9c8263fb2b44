//! Whether arrays that were read fit together: as long as they must be, and no number beyond what it counts.

use crate::adjacency::Adjacency;
use crate::base::{ALL_COLUMNS, Base};
use crate::change::ChangeAct;
use crate::lists::Lists;
use crate::moment::Moment;
use crate::timeline::{Life, Segment, Span};
use crate::write::WHOLE_DATASET;

pub(super) fn is_sound(base: &Base) -> bool {
    are_runs_sound(base)
        && are_writes_sound(base)
        && are_nodes_sound(base)
        && are_edges_sound(base)
        && are_lists_sound(base)
        && are_changes_sound(base)
        && are_timelines_sound(base)
}

fn are_below(numbers: &[u32], end: u32) -> bool {
    numbers.iter().copied().max().is_none_or(|most| most < end)
}

fn are_below_or(numbers: &[u32], end: u32, other: u32) -> bool {
    numbers.iter().all(|number| *number < end || *number == other)
}

fn are_runs_sound(base: &Base) -> bool {
    let runs = &base.runs;
    runs.keys.len() == runs.len()
        && runs.operations.len() == runs.ended.len()
        && are_below(&runs.operations, base.operations.len())
        && runs.ended.is_sorted()
}

fn are_writes_sound(base: &Base) -> bool {
    let writes = &base.writes;
    let count = writes.runs.len();
    [writes.steps.len(), writes.datasets.len(), writes.scopes.len(), writes.acts.len()] == [count; 4]
        && are_below(&writes.runs, base.runs.len())
        && writes.runs.is_sorted()
        && are_below(&writes.datasets, base.datasets.len())
        && are_below_or(&writes.scopes, base.scopes.len(), WHOLE_DATASET)
        && [&base.ended, &base.gone].iter().all(|bits| bits.0.len() == count.div_ceil(64))
}

fn are_nodes_sound(base: &Base) -> bool {
    let nodes = &base.nodes;
    let is_empty = base.datasets.len() == 0 && nodes.firsts.is_empty();
    (is_empty || nodes.firsts.len() == base.datasets.len() as usize + 1)
        && nodes.columns.len() == nodes.datasets.len()
        && are_below(&nodes.datasets, base.datasets.len())
        && nodes.datasets.is_sorted()
        && are_below_or(&nodes.columns, base.columns.len(), ALL_COLUMNS)
        && are_starts(&nodes.firsts, nodes.datasets.len())
}

/// From nothing up to all there is, never back.
fn are_starts(starts: &[u32], length: usize) -> bool {
    match (starts.first(), starts.last()) {
        (Some(first), Some(last)) => *first == 0 && *last as usize == length && starts.is_sorted(),
        _ => length == 0,
    }
}

fn are_edges_sound(base: &Base) -> bool {
    let writes = base.writes.len();
    let is_sound = |adjacency: &Adjacency, nodes: u32| {
        let starts = [&adjacency.byte_starts, &adjacency.edge_starts];
        let is_empty = adjacency.len() == 0 && starts.iter().all(|starts| starts.is_empty());
        (is_empty || starts.iter().all(|starts| starts.len() == nodes as usize + 1))
            && are_starts(&adjacency.byte_starts, adjacency.bytes.len())
            && are_starts(&adjacency.edge_starts, adjacency.writes.len())
            && adjacency.marks.len() == adjacency.writes.len()
            && are_below(&adjacency.writes, writes)
            && (0..adjacency.node_count())
                .all(|node| adjacency.edges(node).all(|(other, _, _)| other < nodes))
    };
    is_sound(&base.columns_down, base.nodes.len())
        && is_sound(&base.columns_up, base.nodes.len())
        && is_sound(&base.datasets_down, base.datasets.len())
        && is_sound(&base.datasets_up, base.datasets.len())
}

fn are_lists_sound(base: &Base) -> bool {
    let is_sound = |lists: &Lists, owners: u32, items: u32| {
        let is_empty = lists.items.is_empty() && lists.starts.is_empty();
        (is_empty || lists.starts.len() == owners as usize + 1)
            && are_starts(&lists.starts, lists.items.len())
            && are_below(&lists.items, items)
    };
    is_sound(&base.writes_of, base.datasets.len(), base.writes.len())
        && is_sound(&base.reads_of, base.datasets.len(), base.runs.len())
        && is_sound(&base.bare_writes_of, base.nodes.len(), base.writes.len())
        && is_sound(&base.changes_of, base.datasets.len(), base.changes.len() as u32)
}

fn is_moment(base: &Base, moment: Moment) -> bool {
    moment.run < base.runs.len() || moment.run_index().is_none()
}

fn are_changes_sound(base: &Base) -> bool {
    let columns = base.columns.len();
    base.changes.iter().all(|change| {
        let named = match &change.act {
            ChangeAct::Create { columns, .. } | ChangeAct::Ensure { columns, .. } => columns,
            ChangeAct::RenameColumn { from, to, .. } => &[*from, *to][..],
            ChangeAct::DropColumn { column, .. } => &[*column][..],
            ChangeAct::Drop { .. } | ChangeAct::Rename { .. } => &[],
        };
        change.moment.run < base.runs.len()
            && change.act.datasets().all(|dataset| dataset < base.datasets.len())
            && are_below(named, columns)
    })
}

fn are_timelines_sound(base: &Base) -> bool {
    let is_span = |span: &Span, names: u32| {
        span.name < names && is_moment(base, span.from) && is_moment(base, span.until)
    };
    let is_life = |life: &Life, names: u32| {
        life.born.0 < names
            && !life.spans.is_empty()
            && life.spans.iter().all(|span| is_span(span, names))
            && life.closed.is_none_or(|closed| is_moment(base, closed))
            && life.predecessor.is_none_or(|before| before.0 < names)
    };
    let is_segment = |segment: &Segment, names: u32| {
        segment.born.0 < names && is_moment(base, segment.from) && is_moment(base, segment.until)
    };
    let (datasets, columns) = (base.datasets.len(), base.columns.len());
    base.timelines.iter().flatten().all(|timeline| {
        timeline.segments.iter().all(|segment| is_segment(segment, datasets))
            && timeline.lives.iter().all(|life| {
                let of_columns = life.columns.as_ref().is_none_or(|of| {
                    of.segments.iter().all(|(name, segment)| *name < columns && is_segment(segment, columns))
                        && of.lives.iter().all(|life| is_life(life, columns))
                });
                is_life(&life.life, datasets) && of_columns
            })
    })
}
