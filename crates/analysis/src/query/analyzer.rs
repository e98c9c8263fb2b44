//! The state of an analysis, and the small steps that all its parts share.

use std::rc::Rc;

use guardbee_hiveql::tree::Expression;
use guardbee_model::{Diagnostic, DiagnosticCode, Name, Severity, Span};
use rustc_hash::FxHashMap;

use crate::context::Context;
use crate::effects::{Derivation, Masking, Pinning, Purpose};
use crate::lookup::GrowingIndex;
use crate::outcome::Outcome;
use crate::types::Type;

use super::cte::Definitions;
use super::flow::{
    Constancy, Edge, Flow, InfluenceEdge, Kind, Pool, Presence, Role, RowsGraph, RowsId, Set, Standing, Value,
};
use super::origin::{ColumnId, Origins, PathId, TableId};
use super::scope::{OutputColumn, Rows, Scope};
use super::window::Windows;

/// How deep queries, expressions and views may nest together, so that the stack of a thread suffices. The
/// parser lets no statement through that reaches it alone; views inside views add to it.
const MAXIMUM_DEPTH: u32 = guardbee_hiveql::parser::MAXIMUM_DEPTH + 100;

/// A view counts for several levels: its text is parsed and read on top of all that is open.
const VIEW_LEVELS: u32 = 5;

/// The analysis of one statement.
pub(super) struct Analyzer<'c, 'o> {
    pub origins: Origins<'c>,
    pub edges: Pool<Edge>,
    pub influences: Pool<InfluenceEdge>,
    pub rows: RowsGraph,
    pub outcome: &'o mut Outcome,
    /// Texts of views that were read already.
    pub views: FxHashMap<TableId, Option<Rc<Rows>>>,
    /// The same views in the order in which they were read to their ends.
    pub read_views: Vec<TableId>,
    /// What the expression at hand has gathered so far.
    pub edge_stack: Vec<Edge>,
    pub influence_stack: Vec<InfluenceEdge>,
    pub rows_stack: Vec<RowsId>,
    /// Types of arguments of the calls at hand.
    pub types: Vec<Type>,
    /// Has a script or table function touched a value of the expression at hand?
    pub script: bool,
    /// Does Hive's optimizer take the statement?
    pub optimization: Optimization,
    pub passing: Passing,
    /// In how many subqueries are we?
    pub nesting: u32,
    /// May an aggregate function be called here?
    pub aggregates: Aggregates,
    /// What was met in the query at hand, but for queries inside of it.
    pub tally: Tally,
    /// How many negations stand around the expression at hand.
    pub negations: u32,
    /// How many names could not be resolved so far.
    pub missing: u32,
    /// Is an item of a select list being read again? What is inside of it is not, or nested queries would
    /// cost twice as much with every level.
    pub is_second_reading: bool,
    /// The calls of macros.
    pub expansions: super::call::Expansions,
    depth: u32,
    /// How many findings are not listed, since there are so many.
    left_out: usize,
    /// How many texts other than the statement's own are being read around here.
    pub foreign_texts: u32,
}

/// What stays the same in all of one query.
#[derive(Clone, Copy)]
pub(super) struct Environment<'p, 'c> {
    pub context: Context<'c>,
    /// The text that the tree was read from.
    pub source: &'p str,
    pub ctes: Option<&'p Definitions<'p, 'c>>,
    pub outer: Option<&'p Scope<'p>>,
}

/// What an expression may refer to.
#[derive(Clone, Copy)]
pub(super) struct Place<'p, 'c> {
    pub environment: Environment<'p, 'c>,
    pub scope: &'p Scope<'p>,
    pub windows: Option<&'p Windows<'p>>,
    pub aliases: Aliases<'p>,
}

/// May the names of the select list be used here?
#[derive(Clone, Copy)]
pub(super) enum Aliases<'p> {
    None,
    /// They hide columns, as in ORDER BY.
    First(SelectList<'p>),
    /// Columns hide them, as in HAVING.
    Last(SelectList<'p>),
}

/// The columns of a select list by name.
#[derive(Clone, Copy)]
pub(super) struct SelectList<'p> {
    pub columns: &'p [OutputColumn],
    pub index: &'p GrowingIndex<Name>,
}

impl SelectList<'_> {
    /// The first column of that name (in lower case).
    pub(super) fn named(&self, name: &str) -> Option<&OutputColumn> {
        let is_wanted = |column: &OutputColumn| column.name.as_str() == name;
        let place =
            self.index.place(self.columns, is_wanted, || Name::fold(name), |column| column.name.clone());
        self.columns.get(place?)
    }
}

/// What an expression came out as, beside what it gathered.
#[derive(Debug, Clone)]
pub(super) struct Typed {
    pub data_type: Type,
    pub constancy: Constancy,
}

impl Typed {
    pub(super) const fn varying(data_type: Type) -> Self {
        Self { data_type, constancy: Constancy::Varying }
    }

    pub(super) const fn constant(data_type: Type) -> Self {
        Self { data_type, constancy: Constancy::Constant }
    }

    /// The same as the result of some operation: no literal any more.
    pub(super) fn computed(self) -> Self {
        let constancy = match self.constancy {
            Constancy::Literal => Constancy::Constant,
            other => other,
        };
        Self { constancy, ..self }
    }

    pub(super) const fn literal(data_type: Type) -> Self {
        Self { data_type, constancy: Constancy::Literal }
    }
}

/// Where its optimizer gives up, Hive replaces neither constant expressions nor pinned columns by their
/// values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Optimization {
    Done,
    GivenUp,
}

/// Where its optimizer gives up on a new view, Hive 4 calls computed whatever passes a join or a lateral view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Passing {
    AsItIs,
    Computed,
}

/// Hive knows no aggregates in conditions of rows, nor in the arguments of each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Aggregates {
    Taken,
    Refused,
}

/// What tells whether a query has groups although there is no `GROUP BY`.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Tally {
    /// Calls of aggregate functions.
    pub aggregates: u32,
    /// Calls of functions that may be aggregate functions.
    pub unsure: u32,
    /// Names of columns outside of aggregate functions.
    pub free_columns: u32,
}

/// Where the stacks stood.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    edges: usize,
    influences: usize,
    rows: usize,
    script: bool,
}

impl<'c, 'o> Analyzer<'c, 'o> {
    pub(super) fn new(outcome: &'o mut Outcome) -> Self {
        Self {
            origins: Origins::default(),
            edges: Pool::default(),
            influences: Pool::default(),
            rows: RowsGraph::default(),
            outcome,
            views: FxHashMap::default(),
            read_views: Vec::new(),
            edge_stack: Vec::new(),
            influence_stack: Vec::new(),
            rows_stack: Vec::new(),
            types: Vec::new(),
            script: false,
            optimization: Optimization::Done,
            passing: Passing::AsItIs,
            nesting: 0,
            aggregates: Aggregates::Taken,
            tally: Tally::default(),
            negations: 0,
            missing: 0,
            is_second_reading: false,
            expansions: super::call::Expansions::default(),
            depth: 0,
            left_out: 0,
            foreign_texts: 0,
        }
    }

    pub(super) fn mark(&mut self) -> Mark {
        Mark {
            edges: self.edge_stack.len(),
            influences: self.influence_stack.len(),
            rows: self.rows_stack.len(),
            script: std::mem::replace(&mut self.script, false),
        }
    }

    /// Turns what was gathered since `mark` into a value. The rows of subqueries in it decide about it.
    pub(super) fn value_since(&mut self, mark: Mark, typed: Typed) -> Value {
        for rows in self.rows_stack.split_off(mark.rows.min(self.rows_stack.len())) {
            self.push_rows(rows);
        }
        let script = std::mem::replace(&mut self.script, mark.script);
        let sources = self.edges.seal(&mut self.edge_stack, mark.edges);
        let influences = self.influences.seal(&mut self.influence_stack, mark.influences);
        let kind = if script { Kind::SCRIPT } else { Kind::constant(typed.constancy) };
        let Typed { constancy, data_type } = typed;
        Value { sources, influences, kind, constancy, presence: Presence::Unsure, data_type }
    }

    /// Turns what was gathered since `mark` into what decides about rows; `parts` are the rows that
    /// they are made of. Subqueries in between decide along.
    pub(super) fn rows_since(&mut self, mark: Mark, mut parts: Vec<RowsId>) -> RowsId {
        self.script = mark.script;
        self.edge_stack.truncate(mark.edges);
        parts.extend(self.rows_stack.split_off(mark.rows.min(self.rows_stack.len())));
        let own = self.influences.seal(&mut self.influence_stack, mark.influences);
        self.rows.node(own, parts)
    }

    /// Drops what was gathered since `mark`.
    pub(super) fn forget_since(&mut self, mark: Mark) {
        self.script = mark.script;
        self.edge_stack.truncate(mark.edges);
        self.influence_stack.truncate(mark.influences);
        self.rows_stack.truncate(mark.rows);
    }

    /// Lets an expression decide about rows.
    pub(super) fn decide<'p>(&mut self, place: Place<'p, 'c>, expression: &Expression<'p>, purpose: Purpose) {
        self.collect(place, expression, Flow::influence(purpose));
    }

    /// Runs a step where aggregates are taken, or refused.
    pub(super) fn with_aggregates<T>(&mut self, here: Aggregates, step: impl FnOnce(&mut Self) -> T) -> T {
        let around = std::mem::replace(&mut self.aggregates, here);
        let result = step(self);
        self.aggregates = around;
        result
    }

    /// Lets a value flow into the expression at hand.
    pub(super) fn push_value(&mut self, value: &Value, flow: Flow) {
        match flow.role {
            Role::Value(derivation) => {
                self.script |= value.kind.is_script();
                for edge in self.edges.get(value.sources) {
                    self.edge_stack.push(Edge {
                        derivation: edge.derivation.then(derivation),
                        masking: edge.masking.max(flow.masking),
                        ..*edge
                    });
                }
                self.influence_stack.extend_from_slice(self.influences.get(value.influences));
            }
            Role::Influence(purpose) => {
                self.script |= value.kind.is_script();
                for edge in self.edges.get(value.sources) {
                    self.influence_stack.push(deciding(edge, purpose, flow));
                }
                for influence in self.influences.get(value.influences) {
                    self.influence_stack.push(InfluenceEdge { purpose, ..*influence });
                }
            }
        }
    }

    /// Lets a table's column flow into the expression at hand.
    pub(super) fn push_column(&mut self, column: ColumnId, flow: Flow) {
        self.push_edge(leaf(column), flow);
    }

    pub(super) fn push_edge(&mut self, edge: Edge, flow: Flow) {
        match flow.role {
            Role::Value(derivation) => self.edge_stack.push(Edge {
                derivation: edge.derivation.then(derivation),
                masking: edge.masking.max(flow.masking),
                ..edge
            }),
            Role::Influence(purpose) => self.influence_stack.push(deciding(&edge, purpose, flow)),
        }
    }

    /// Lets all that decides about some rows decide about the expression at hand.
    fn push_rows(&mut self, rows: RowsId) {
        let Self { rows: graph, origins, influences, influence_stack, .. } = self;
        graph.visit(rows, |own, views| {
            for influence in influences.get(own) {
                let path =
                    views.iter().rev().fold(influence.path, |path, view| origins.prefixed(*view, path));
                influence_stack.push(InfluenceEdge { path, ..*influence });
            }
        });
    }

    /// The value of a table's column as it is.
    pub(super) fn column_value(&mut self, column: ColumnId, data_type: Type) -> Value {
        Value {
            sources: self.edges.one(leaf(column)),
            influences: Set::EMPTY,
            kind: Kind::SIMPLE,
            constancy: Constancy::Varying,
            presence: Presence::Unsure,
            data_type,
        }
    }

    /// Runs one step deeper, unless that is too deep.
    pub(super) fn deeper<T>(&mut self, span: Span, step: impl FnOnce(&mut Self) -> T) -> Option<T> {
        self.deeper_by(1, span, step)
    }

    /// Runs a step in the text of a view, unless that is too deep.
    pub(super) fn in_view<T>(&mut self, step: impl FnOnce(&mut Self) -> T) -> Option<T> {
        self.in_foreign_text(|analyzer| analyzer.deeper_by(VIEW_LEVELS, Span::default(), step))
    }

    fn deeper_by<T>(&mut self, levels: u32, span: Span, step: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.depth + levels > MAXIMUM_DEPTH {
            self.report_limit(span, "the statement and the views it reads nest too deep");
            return None;
        }
        self.depth += levels;
        let result = step(self);
        self.depth -= levels;
        Some(result)
    }

    /// Says once that a limit was met.
    pub(super) fn report_limit(&mut self, span: Span, message: &'static str) {
        if !self.outcome.diagnostics.iter().any(|known| known.code == DiagnosticCode::LIMIT) {
            let span = if self.foreign_texts == 0 { span } else { Span::default() };
            self.outcome.error(DiagnosticCode::LIMIT, span, message);
        }
    }

    /// Runs a step on a text that is not the statement's own: its mistakes are not reported.
    pub(super) fn in_foreign_text<T>(&mut self, step: impl FnOnce(&mut Self) -> T) -> T {
        self.foreign_texts += 1;
        let result = step(self);
        self.foreign_texts -= 1;
        result
    }

    /// Notes a finding. Beyond a hundred they are counted only, but for the first error of each kind.
    pub(super) fn report(&mut self, diagnostic: impl FnOnce() -> Diagnostic) {
        if self.foreign_texts > 0 {
            return;
        }
        let found = diagnostic();
        let is_known_error =
            |known: &Diagnostic| known.severity == Severity::Error && known.code == found.code;
        if !self.has_many_findings()
            || (found.severity == Severity::Error && !self.outcome.diagnostics.iter().any(is_known_error))
        {
            self.outcome.diagnostics.push(found);
        } else {
            self.left_out += 1;
        }
    }

    /// Are there so many findings that no more are listed?
    pub(super) fn has_many_findings(&self) -> bool {
        const MANY: usize = 100;
        self.outcome.diagnostics.len() >= MANY
    }

    /// Says how many findings are not listed.
    pub(super) fn report_left_out(&mut self) {
        if self.left_out > 0 {
            let message = match self.left_out {
                1 => "one more finding of the statement is left out".to_owned(),
                several => format!("{several} more findings of the statement are left out"),
            };
            self.outcome.warning(DiagnosticCode::LIMIT, Span::default(), message);
        }
    }
}

impl<'p, 'c> Place<'p, 'c> {
    pub(super) const fn new(environment: Environment<'p, 'c>, scope: &'p Scope<'p>) -> Self {
        Self { environment, scope, windows: None, aliases: Aliases::None }
    }

    pub(super) const fn with_aliases(self, aliases: Aliases<'p>) -> Self {
        Self { aliases, ..self }
    }
}

pub(super) const fn leaf(column: ColumnId) -> Edge {
    Edge {
        column,
        derivation: Derivation::Identity,
        masking: Masking::Plain,
        standing: Standing::Origin,
        pinning: Pinning::Free,
        path: PathId::DIRECT,
    }
}

fn deciding(edge: &Edge, purpose: Purpose, flow: Flow) -> InfluenceEdge {
    InfluenceEdge {
        column: edge.column,
        purpose,
        masking: edge.masking.max(flow.masking),
        standing: edge.standing,
        path: edge.path,
    }
}
