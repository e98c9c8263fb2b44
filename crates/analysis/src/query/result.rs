//! Turning what an analysis found into [`Effects`](crate::effects::Effects).

use guardbee_model::Name;

use crate::effects::{
    DerivationKind, Destination, Influence, PartitionValues, Pinning, Purpose, Source, Target, TargetColumn,
    WriteAction,
};
use crate::types::Type;

use super::analyzer::{Analyzer, Optimization};
use super::flow::{InfluenceEdge, Mergeable, RowsId, Standing};
use super::origin::{Origins, PathId};
use super::scope::OutputColumn;

/// A column of a target in the making.
pub(super) struct Cell<'v> {
    pub name: Name,
    /// What the query calls it, where that is another name.
    pub query_name: Option<Name>,
    /// Absent where the statement gives no value, so that the default is taken.
    pub column: Option<&'v OutputColumn>,
    /// The type that values are turned into, where it is known.
    pub data_type: Option<&'v Type>,
}

/// Do the columns that flow into a target count as read?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    Reads,
    /// They only stay what they are.
    Keeps,
}

impl Analyzer<'_, '_> {
    /// Adds one place that rows go to.
    pub(super) fn add_target(
        &mut self,
        source: &str,
        destination: Destination,
        action: WriteAction,
        partition: PartitionValues,
        cells: &[Cell<'_>],
        rows: RowsId,
    ) {
        let columns = cells.iter().map(|cell| self.target_column(source, cell, Reading::Reads)).collect();
        let influences = self.row_influences(rows);
        self.outcome.effects.targets.push(Target {
            destination,
            action,
            partition,
            columns,
            kept: Vec::new(),
            influences,
        });
    }

    pub(super) fn target_column(&mut self, source: &str, cell: &Cell<'_>, reading: Reading) -> TargetColumn {
        let Some(column) = cell.column else {
            return TargetColumn {
                name: cell.name.clone(),
                query_name: None,
                kind: DerivationKind::Simple,
                expression: None,
                sources: Vec::new(),
                influences: Vec::new(),
            };
        };
        let value = &column.value;
        let is_converted = cell
            .data_type
            .is_some_and(|wanted| *wanted != value.data_type && value.data_type != Type::Unknown);
        let kind = match self.optimization {
            Optimization::Done => value.kind.optimized,
            Optimization::GivenUp => value.kind.as_written,
        };
        let kind = if is_converted { kind.max(DerivationKind::Expression) } else { kind };
        let Self { edges, influences: pool, origins, optimization, .. } = self;
        let edges = edges.get(value.sources);
        let mut sources = Vec::with_capacity(edges.len());
        for edge in edges {
            if reading == Reading::Reads {
                origins.mark(edge.column, edge.path, Purpose::Select);
            }
            if edge.standing == Standing::Origin
                && let Some(origin) = origins.origin(edge.column)
            {
                let through = origins.path_names(edge.path);
                sources.push(Source {
                    origin,
                    derivation: edge.derivation,
                    masking: edge.masking,
                    pinning: match optimization {
                        Optimization::Done => edge.pinning,
                        Optimization::GivenUp => Pinning::Free,
                    },
                    through,
                });
            }
        }
        let decided = pool.get(value.influences);
        let mut influences = Vec::with_capacity(decided.len());
        for edge in decided {
            push_influence(origins, edge, &mut influences);
        }
        let expression = column.expression.text(source);
        TargetColumn {
            name: cell.name.clone(),
            query_name: cell.query_name.clone(),
            kind,
            expression: (!expression.is_empty()).then(|| expression.into()),
            sources,
            influences,
        }
    }

    /// What decides about rows, each edge once.
    pub(super) fn row_influences(&mut self, rows: RowsId) -> Vec<Influence> {
        let mut found: Vec<InfluenceEdge> = Vec::new();
        let Self { rows: graph, influences: pool, origins, .. } = self;
        graph.visit(rows, |own, views| {
            for edge in pool.get(own) {
                let path = views.iter().rev().fold(edge.path, |path, view| origins.prefixed(*view, path));
                found.push(InfluenceEdge { path, ..*edge });
            }
        });
        found.sort_unstable();
        found.dedup_by(|next, kept| {
            next.same(kept)
                && (next.path == kept.path || next.standing == Standing::Origin && is_same_way(next, kept))
        });
        let mut influences = Vec::with_capacity(found.len());
        for edge in &found {
            push_influence(origins, edge, &mut influences);
        }
        influences
    }

    /// Adds what was read to what the statement read before.
    pub(super) fn finish(&mut self) {
        self.report_left_out();
        self.mark_inner_views();
        let known = self.outcome.effects.reads.len();
        for read in self.origins.reads() {
            let earlier = self.outcome.effects.reads.get_mut(..known).unwrap_or_default();
            match earlier.iter_mut().find(|known| known.object == read.object && known.access == read.access)
            {
                Some(known) => {
                    known.kind = read.kind;
                    known.columns.extend(read.columns);
                    known.partitions.extend(read.partitions);
                }
                None => self.outcome.effects.reads.push(read),
            }
        }
    }
}

/// Both reached directly, or both through views: the first way found stands for all.
fn is_same_way(left: &InfluenceEdge, right: &InfluenceEdge) -> bool {
    (left.path == PathId::DIRECT) == (right.path == PathId::DIRECT)
}

fn push_influence(origins: &mut Origins<'_>, edge: &InfluenceEdge, influences: &mut Vec<Influence>) {
    origins.mark(edge.column, edge.path, edge.purpose);
    if edge.standing == Standing::Origin
        && let Some(origin) = origins.origin(edge.column)
    {
        let through = origins.path_names(edge.path);
        influences.push(Influence { origin, purpose: edge.purpose, masking: edge.masking, through });
    }
}
