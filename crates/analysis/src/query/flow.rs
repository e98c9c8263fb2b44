//! What flows: sets of edges from columns, shared between all layers of a statement.
//!
//! A set is a slice of one long list, named by two numbers. A column that passes a subquery unchanged
//! passes its set on by these numbers, so a wide or deep query copies nothing. A view's sets are
//! made once; who reads through the view prefixes the path when (and only if) a column is used.

use crate::effects::{Derivation, DerivationKind, Masking, Pinning, Purpose};
use crate::types::Type;

use super::origin::{ColumnId, PathId, TableId};

/// One column whose values go somewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Edge {
    pub column: ColumnId,
    pub derivation: Derivation,
    pub masking: Masking,
    pub standing: Standing,
    /// Values that a condition pins on one way only are not pinned.
    pub pinning: Pinning,
    /// The views between; the first one found stands for all.
    pub path: PathId,
}

/// One column that decides about something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct InfluenceEdge {
    pub column: ColumnId,
    pub purpose: Purpose,
    pub masking: Masking,
    pub standing: Standing,
    pub path: PathId,
}

/// Is the column where values come from, or a view's column that they pass?
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Standing {
    Origin,
    Passed,
}

/// A set in a [`Pool`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Set {
    start: u32,
    length: u32,
}

impl Set {
    pub(super) const EMPTY: Self = Self { start: 0, length: 0 };

    pub(super) const fn is_empty(self) -> bool {
        self.length == 0
    }
}

/// The long list that sets are slices of.
#[derive(Debug)]
pub(super) struct Pool<T> {
    items: Vec<T>,
}

impl<T> Default for Pool<T> {
    fn default() -> Self {
        const USUAL: usize = 24;
        Self { items: Vec::with_capacity(USUAL) }
    }
}

/// Edges that differ only in their path, and whether they are pinned, are one edge.
pub(super) trait Mergeable: Copy + Ord {
    fn same(&self, other: &Self) -> bool;
}

impl Mergeable for Edge {
    fn same(&self, other: &Self) -> bool {
        self.column == other.column
            && self.derivation == other.derivation
            && self.masking == other.masking
            && self.standing == other.standing
    }
}

impl Mergeable for InfluenceEdge {
    fn same(&self, other: &Self) -> bool {
        self.column == other.column
            && self.purpose == other.purpose
            && self.masking == other.masking
            && self.standing == other.standing
    }
}

impl<T: Mergeable> Pool<T> {
    pub(super) fn get(&self, set: Set) -> &[T] {
        let start = set.start as usize;
        self.items.get(start..start + set.length as usize).unwrap_or(&[])
    }

    pub(super) fn one(&mut self, item: T) -> Set {
        let start = self.items.len();
        self.items.push(item);
        Self::set(start, 1)
    }

    /// Moves what a stack holds from `mark` on into the pool, each edge once.
    pub(super) fn seal(&mut self, stack: &mut Vec<T>, mark: usize) -> Set {
        let Some(tail) = stack.get_mut(mark..) else { return Set::EMPTY };
        if tail.is_empty() {
            return Set::EMPTY;
        }
        tail.sort_unstable();
        let start = self.items.len();
        for item in tail.iter() {
            let is_new = self.items.get(start..).and_then(<[T]>::last).is_none_or(|last| !last.same(item));
            if is_new {
                self.items.push(*item);
            }
        }
        stack.truncate(mark);
        Self::set(start, self.items.len() - start)
    }

    /// A set is refused (comes out empty) where four billion edges do not suffice.
    fn set(start: usize, length: usize) -> Set {
        match (u32::try_from(start), u32::try_from(length)) {
            (Ok(start), Ok(length)) => Set { start, length },
            _ => Set::EMPTY,
        }
    }
}

/// Drops doubles from the end of a stack, from `mark` on.
pub(super) fn compact<T: Mergeable>(stack: &mut Vec<T>, mark: usize) {
    let mut tail = stack.split_off(mark.min(stack.len()));
    tail.sort_unstable();
    tail.dedup_by(|next, kept| kept.same(next));
    stack.append(&mut tail);
}

/// What is known of a value: of an expression, or of a column of a subquery.
#[derive(Debug, Clone)]
pub(super) struct Value {
    pub sources: Set,
    /// What decides about this value alone.
    pub influences: Set,
    pub kind: Kind,
    pub constancy: Constancy,
    pub presence: Presence,
    pub data_type: Type,
}

/// Hive's word for how a value is derived. Its optimizer puts values in the place of constant expressions;
/// what it does not optimize keeps them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Kind {
    pub optimized: DerivationKind,
    pub as_written: DerivationKind,
}

impl Kind {
    pub(super) const SIMPLE: Self = Self::of(DerivationKind::Simple);
    pub(super) const EXPRESSION: Self = Self::of(DerivationKind::Expression);
    pub(super) const SCRIPT: Self = Self::of(DerivationKind::Script);

    const fn of(kind: DerivationKind) -> Self {
        Self { optimized: kind, as_written: kind }
    }

    /// The kind of a value of that constancy.
    pub(super) const fn constant(constancy: Constancy) -> Self {
        match constancy {
            Constancy::Literal => Self::SIMPLE,
            Constancy::Constant => Self { as_written: DerivationKind::Expression, ..Self::SIMPLE },
            Constancy::Varying => Self::EXPRESSION,
        }
    }

    /// The stronger of both.
    pub(super) fn max(self, other: Self) -> Self {
        Self {
            optimized: self.optimized.max(other.optimized),
            as_written: self.as_written.max(other.as_written),
        }
    }

    pub(super) fn is_script(self) -> bool {
        self.as_written == DerivationKind::Script
    }
}

/// May the value be NULL, as far as conditions tell and Hive 4 remembers?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Presence {
    /// Conditions leave no NULL.
    Certain,
    /// Conditions leave some values only, and with that Hive forgets that NULL is none of them.
    Bounded,
    Unsure,
}

/// Can the value be told without any row?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Constancy {
    /// It stands in the text.
    Literal,
    /// It can be computed from what stands in the text.
    Constant,
    Varying,
}

impl Value {
    pub(super) const fn constant(data_type: Type) -> Self {
        Self {
            sources: Set::EMPTY,
            influences: Set::EMPTY,
            kind: Kind::SIMPLE,
            constancy: Constancy::Literal,
            presence: Presence::Unsure,
            data_type,
        }
    }

    pub(super) const fn unknown() -> Self {
        Self {
            sources: Set::EMPTY,
            influences: Set::EMPTY,
            kind: Kind::SIMPLE,
            constancy: Constancy::Varying,
            presence: Presence::Unsure,
            data_type: Type::Unknown,
        }
    }
}

/// What an expression is read for, and what has happened to its values by then.
#[derive(Debug, Clone, Copy)]
pub(super) struct Flow {
    pub role: Role,
    pub masking: Masking,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Values go on, at least so derived.
    Value(Derivation),
    /// Values only decide.
    Influence(Purpose),
}

impl Flow {
    pub(super) const IDENTITY: Self = Self::value(Derivation::Identity);

    pub(super) const fn value(derivation: Derivation) -> Self {
        Self { role: Role::Value(derivation), masking: Masking::Plain }
    }

    pub(super) const fn influence(purpose: Purpose) -> Self {
        Self { role: Role::Influence(purpose), masking: Masking::Plain }
    }

    /// The flow of the arguments of something that derives its result so.
    pub(super) fn derived(self, derivation: Derivation) -> Self {
        match self.role {
            Role::Value(inner) => Self { role: Role::Value(inner.then(derivation)), ..self },
            Role::Influence(_) => self,
        }
    }

    pub(super) const fn masked(self) -> Self {
        Self { masking: Masking::Masked, ..self }
    }

    /// The flow of something that decides about the value. What decides about a decision has its purpose.
    pub(super) const fn deciding(self, purpose: Purpose) -> Self {
        match self.role {
            Role::Value(_) => Self { role: Role::Influence(purpose), masking: Masking::Plain },
            Role::Influence(_) => self,
        }
    }
}

/// What decides which rows a query has, as a graph: a query's own edges, and those of the queries it reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RowsId(u32);

impl RowsId {
    /// Rows that nothing decides about.
    pub(super) const FREE: Self = Self(u32::MAX);
}

#[derive(Debug)]
struct RowsNode {
    own: Set,
    parts: Vec<RowsId>,
    /// The rows come through this view.
    view: Option<TableId>,
}

#[derive(Debug, Default)]
pub(super) struct RowsGraph {
    nodes: Vec<RowsNode>,
}

impl RowsGraph {
    /// Rows that `own` decides about, made out of other rows.
    pub(super) fn node(&mut self, own: Set, mut parts: Vec<RowsId>) -> RowsId {
        parts.retain(|part| *part != RowsId::FREE);
        match parts.as_slice() {
            [] if own.is_empty() => RowsId::FREE,
            [only] if own.is_empty() => *only,
            _ => self.push(RowsNode { own, parts, view: None }),
        }
    }

    /// The rows of a view's text, seen by who reads the view.
    pub(super) fn through(&mut self, view: TableId, rows: RowsId) -> RowsId {
        if rows == RowsId::FREE {
            return rows;
        }
        self.push(RowsNode { own: Set::EMPTY, parts: vec![rows], view: Some(view) })
    }

    fn push(&mut self, node: RowsNode) -> RowsId {
        let id = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
        self.nodes.push(node);
        RowsId(id)
    }

    /// Visits the own sets of all nodes under `rows`, each once, with the views on the way there
    /// (outermost first).
    pub(super) fn visit(&self, rows: RowsId, mut visit: impl FnMut(Set, &[TableId])) {
        enum Step {
            Enter(RowsId),
            LeaveView,
        }
        if rows == RowsId::FREE {
            return;
        }
        if let Some(RowsNode { own, parts, view: None }) = self.nodes.get(rows.0 as usize)
            && parts.is_empty()
        {
            return visit(*own, &[]);
        }
        let mut seen = vec![false; self.nodes.len()];
        let mut views: Vec<TableId> = Vec::new();
        let mut steps = vec![Step::Enter(rows)];
        while let Some(step) = steps.pop() {
            let id = match step {
                Step::LeaveView => {
                    views.pop();
                    continue;
                }
                Step::Enter(id) => id,
            };
            let Some(node) = self.nodes.get(id.0 as usize) else { continue };
            if seen.get_mut(id.0 as usize).is_none_or(|seen| std::mem::replace(seen, true)) {
                continue;
            }
            if let Some(view) = node.view {
                views.push(view);
                steps.push(Step::LeaveView);
            }
            if !node.own.is_empty() {
                visit(node.own, &views);
            }
            steps.extend(node.parts.iter().rev().map(|part| Step::Enter(*part)));
        }
    }
}
