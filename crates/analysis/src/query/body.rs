//! Whole queries as rows: their bodies, set operations and what stands behind them.

use std::rc::Rc;

use guardbee_hiveql::tree::{
    FromFirstBlock, FromFirstBranch, FromFirstQuery, PlainQuery, Query, QueryBody, SetChain, SetOperand,
    SetOperator, SetQuantifier, Tail,
};
use guardbee_model::{Diagnostic, DiagnosticCode, HiveVersion, Name, Span};

use crate::effects::{Derivation, Purpose};
use crate::lookup::GrowingIndex;
use crate::types::Type;
use crate::typing;

use super::analyzer::{Aggregates, Aliases, Analyzer, Environment, Optimization, Place, SelectList, Typed};
use super::flow::{Constancy, Flow, Kind, Presence, RowsId, Value, compact};
use super::scope::{OutputColumn, Relation, Rows, RowsOrigin, Scope};

impl Rows {
    pub(super) fn none() -> Self {
        Self {
            columns: Rc::default(),
            open: Vec::new(),
            influences: RowsId::FREE,
            origin: RowsOrigin::Relations,
        }
    }
}

impl<'c> Analyzer<'c, '_> {
    /// The rows of a query that writes nothing.
    pub(super) fn query<'p>(&mut self, environment: Environment<'p, 'c>, query: &'p Query<'p>) -> Rows {
        let step = |analyzer: &mut Self| {
            if query.ctes.is_empty() {
                return analyzer.query_body(environment, &query.body);
            }
            let definitions = analyzer.definitions(environment, query.ctes);
            let inner = Environment { ctes: Some(&definitions), ..environment };
            analyzer.query_body(inner, &query.body)
        };
        let step = |analyzer: &mut Self| {
            analyzer.nesting += 1;
            let around = analyzer.tally;
            let rows = analyzer.with_aggregates(Aggregates::Taken, step);
            analyzer.tally = around;
            analyzer.nesting -= 1;
            rows
        };
        self.deeper(query.location.span(), step).unwrap_or_else(Rows::none)
    }

    fn query_body<'p>(&mut self, environment: Environment<'p, 'c>, body: &'p QueryBody<'p>) -> Rows {
        match body {
            QueryBody::Plain(plain) => self.plain_rows(environment, plain),
            QueryBody::FromFirst(query) => self.rows_of_from_first(environment, query),
        }
    }

    pub(super) fn plain_rows<'p>(
        &mut self,
        environment: Environment<'p, 'c>,
        plain: &'p PlainQuery<'p>,
    ) -> Rows {
        let rows = self.set_chain(environment, &plain.set);
        self.tail(environment, rows, &plain.tail)
    }

    /// `FROM t SELECT ...`, and several of them joined by set operations.
    pub(super) fn rows_of_from_first<'p>(
        &mut self,
        environment: Environment<'p, 'c>,
        query: &'p FromFirstQuery<'p>,
    ) -> Rows {
        let first = self.rows_of_block(environment, &query.first);
        if query.rest.is_empty() {
            return first;
        }
        let mut union = Union::new(first, environment.context.version());
        for (operator, quantifier, block) in query.rest {
            let rows = self.rows_of_block(environment, block);
            self.add_arm(&mut union, *operator, *quantifier, rows, Span::default());
        }
        self.finish_union(union)
    }

    fn rows_of_block<'p>(&mut self, environment: Environment<'p, 'c>, block: &'p FromFirstBlock<'p>) -> Rows {
        let scope = self.relations_of(environment, &block.from);
        if let [only] = block.branches {
            self.refuse_insert(only);
            return self.select_from(environment, only.select, scope);
        }
        let last = last_in_order_of_names(block.branches.len());
        let mut result = Rows::none();
        for (place, branch) in block.branches.iter().enumerate() {
            self.refuse_insert(branch);
            let rows = self.select_from(environment, branch.select, scope.extended());
            if place == last {
                result = rows;
            } else {
                self.report_lost_rows(branch);
            }
        }
        result
    }

    /// Only the statement itself may write.
    fn refuse_insert(&mut self, branch: &FromFirstBranch<'_>) {
        if let Some(insert) = branch.insert {
            self.report(|| {
                let message = "a query inside of another cannot insert";
                Diagnostic::error(DiagnosticCode::SEMANTIC, insert.location.span(), message)
            });
        }
    }

    fn report_lost_rows(&mut self, branch: &FromFirstBranch<'_>) {
        self.report(|| {
            let message = "the rows of this `SELECT` are lost: Hive takes those of the last one";
            Diagnostic::warning(DiagnosticCode::SEMANTIC, branch.select.location.span(), message)
                .with_hint("join them with `UNION ALL`")
        });
    }

    fn set_chain<'p>(&mut self, environment: Environment<'p, 'c>, chain: &'p SetChain<'p>) -> Rows {
        let first = self.set_operand(environment, &chain.first);
        if chain.rest.is_empty() {
            return first;
        }
        let mut union = Union::new(first, environment.context.version());
        for (operator, quantifier, operand) in chain.rest {
            let rows = self.set_operand(environment, operand);
            self.add_arm(&mut union, *operator, *quantifier, rows, operand_span(operand));
        }
        self.finish_union(union)
    }

    fn set_operand<'p>(&mut self, environment: Environment<'p, 'c>, operand: &'p SetOperand<'p>) -> Rows {
        match operand {
            SetOperand::Select(select) => self.select(environment, select),
            SetOperand::Query(query) => self.query(environment, query),
            SetOperand::Values(values) => self.values(environment, values),
        }
    }

    /// `ORDER BY` and kin behind a set operation see only its columns.
    fn tail<'p>(&mut self, environment: Environment<'p, 'c>, rows: Rows, tail: &Tail<'p>) -> Rows {
        if *tail == Tail::default() {
            return rows;
        }
        let mut scope = Scope::default();
        scope.relations.push(Relation::columns(Name::default(), rows.columns.clone(), rows.open.clone()));
        let mark = self.mark();
        let place = Place::new(environment, &scope);
        let index = GrowingIndex::default();
        self.decide_by_tail(place, tail, SelectList { columns: &rows.columns, index: &index });
        let influences = self.rows_since(mark, vec![rows.influences]);
        let mut columns = rows.columns;
        if is_ranked(tail) {
            forget_presence(Rc::make_mut(&mut columns).as_mut_slice());
        }
        Rows { columns, influences, ..rows }
    }

    /// Lets `ORDER BY`, `SORT BY`, `DISTRIBUTE BY` and `CLUSTER BY` decide about rows.
    pub(super) fn decide_by_tail<'p>(&mut self, place: Place<'p, 'c>, tail: &Tail<'p>, list: SelectList<'_>) {
        self.note_distribution(place.environment, tail);
        let by_position = place.environment.context.settings.order_by_position();
        let place = Place { aliases: Aliases::First(list), ..place };
        let sorted = tail.order_by.iter().chain(tail.sort_by).map(|key| &key.expression);
        for key in sorted.chain(tail.cluster_by).chain(tail.distribute_by) {
            if by_position {
                self.check_position(place, key, list.columns.len());
            }
            match super::select::position(key, list.columns).filter(|_| by_position) {
                Some(column) => self.push_value(&column.value, Flow::influence(Purpose::Sort)),
                None => self.decide(place, key, Purpose::Sort),
            }
        }
    }

    /// Rows that are to be spread over machines in some way, Hive's optimizer leaves alone. From Hive 4 on it
    /// forgets about the way where it makes no difference.
    fn note_distribution(&mut self, environment: Environment<'_, 'c>, tail: &Tail<'_>) {
        let is_spread =
            !tail.sort_by.is_empty() || !tail.distribute_by.is_empty() || !tail.cluster_by.is_empty();
        let is_forgotten = self.nesting > 0 && environment.context.version() >= HiveVersion::V4_0;
        if is_spread && !is_forgotten {
            self.optimization = Optimization::GivenUp;
        }
    }

    fn add_arm(
        &mut self,
        union: &mut Union,
        operator: SetOperator,
        quantifier: Option<SetQuantifier>,
        rows: Rows,
        span: Span,
    ) {
        let width = union.first().map_or(0, |columns| columns.len());
        let is_known = union.open.is_empty() && rows.open.is_empty();
        if is_known && rows.columns.len() != width && !rows.columns.is_empty() && width > 0 {
            self.report(|| {
                let message = format!(
                    "the sides of the set operation differ: {width} columns here, {} there",
                    rows.columns.len()
                );
                Diagnostic::error(DiagnosticCode::SEMANTIC, span, message)
            });
        }
        union.is_inline_table &= rows.origin == RowsOrigin::Nothing;
        union.parts.push(rows.influences);
        union.open.extend(rows.open.iter().copied());
        union.is_bag &= operator == SetOperator::Union && quantifier == Some(SetQuantifier::All);
        let subtracts = matches!(operator, SetOperator::Except | SetOperator::Minus);
        union.compares |= operator != SetOperator::Union;
        union.repeats |= operator != SetOperator::Union && quantifier == Some(SetQuantifier::All);
        if subtracts {
            union.subtracted.push(rows.columns)
        } else {
            union.arms.push(rows.columns)
        }
        if union.arms.len() > MANY_ARMS {
            let merged = self.merge_arms(union);
            union.arms = vec![merged];
        }
    }

    fn finish_union(&mut self, union: Union) -> Rows {
        let columns = self.merge_arms(&union);
        let columns = self.subtract(columns, &union);
        let mark = self.mark();
        if !union.is_bag {
            let purpose = if union.compares { Purpose::Filter } else { Purpose::GroupBy };
            for arm in union.arms.iter().chain(&union.subtracted) {
                for column in arm.iter() {
                    self.push_value(&column.value, Flow::influence(purpose));
                }
            }
        }
        let mut open = union.open;
        open.sort_unstable();
        open.dedup();
        let influences = self.rows_since(mark, union.parts);
        Rows { columns, open, influences, origin: RowsOrigin::Relations }
    }

    /// The columns of several arms, by place.
    fn merge_arms(&mut self, union: &Union) -> Rc<Vec<OutputColumn>> {
        let Some(first) = union.first() else { return Rc::default() };
        let kind = if union.repeats || union.is_inline_table { Kind::SCRIPT } else { Kind::EXPRESSION };
        let mut columns = Vec::with_capacity(first.len());
        for (place, column) in first.iter().enumerate() {
            let mark = self.mark();
            let start = self.edge_stack.len();
            let mut compacted = start;
            let mut data_type: Option<Type> = None;
            for arm in &union.arms {
                let Some(column) = arm.get(place) else { continue };
                self.push_value(&column.value, Flow::value(Derivation::Identity));
                if self.edge_stack.len() > 64 + 2 * compacted {
                    compact(&mut self.edge_stack, start);
                    compacted = self.edge_stack.len();
                }
                data_type = Some(match data_type {
                    Some(known) if known == column.value.data_type => known,
                    Some(known) => typing::common(&known, &column.value.data_type),
                    None => column.value.data_type.clone(),
                });
            }
            let typed =
                Typed { data_type: data_type.unwrap_or(Type::Unknown), constancy: Constancy::Varying };
            let value = self.value_since(mark, typed);
            let presence = union.presence(place);
            // Scripts of the other arms are of no account to Hive.
            let value = Value { kind: column.value.kind.max(kind), presence, ..value };
            // That of one arm says nothing about the values of the others.
            let expression = if union.arms.len() > 1 { Span::default() } else { column.expression };
            columns.push(OutputColumn { value, expression, ..column.clone() });
        }
        columns.into()
    }

    /// What EXCEPT takes away decides about the rest: Hive itself compares the rows by all their columns.
    fn subtract(&mut self, columns: Rc<Vec<OutputColumn>>, union: &Union) -> Rc<Vec<OutputColumn>> {
        if union.subtracted.is_empty() {
            return columns;
        }
        let subtracted = columns.iter().enumerate().map(|(place, column)| {
            let mark = self.mark();
            self.push_value(&column.value, Flow::IDENTITY);
            for arm in &union.subtracted {
                if let Some(other) = arm.get(place) {
                    self.push_value(&other.value, Flow::influence(Purpose::Conditional));
                }
            }
            let value = self.value_since(mark, Typed::varying(column.value.data_type.clone()));
            OutputColumn { value: Value { kind: column.value.kind, ..value }, ..column.clone() }
        });
        subtracted.collect::<Vec<_>>().into()
    }
}

/// How many arms are kept apart before they are merged.
const MANY_ARMS: usize = 500;

/// A set operation in the making.
struct Union {
    arms: Vec<Rc<Vec<OutputColumn>>>,
    subtracted: Vec<Rc<Vec<OutputColumn>>>,
    parts: Vec<RowsId>,
    open: Vec<super::origin::TableId>,
    /// `UNION ALL` all along: rows are never compared.
    is_bag: bool,
    /// INTERSECT or EXCEPT: rows go because of other rows.
    compares: bool,
    /// INTERSECT ALL or EXCEPT ALL, for which Hive runs a table function.
    repeats: bool,
    /// Nothing but rows of constants, which Hive 4 makes one table of.
    is_inline_table: bool,
}

impl Union {
    fn new(first: Rows, version: HiveVersion) -> Self {
        Self {
            arms: vec![first.columns],
            subtracted: Vec::new(),
            parts: vec![first.influences],
            open: first.open,
            is_bag: true,
            compares: false,
            repeats: false,
            is_inline_table: version >= HiveVersion::V4_0 && first.origin == RowsOrigin::Nothing,
        }
    }

    fn first(&self) -> Option<&Rc<Vec<OutputColumn>>> {
        self.arms.first()
    }

    /// May a column be NULL? Hive tells only where it can tell for every arm.
    fn presence(&self, place: usize) -> Presence {
        let has = |presence: Presence| {
            let mut columns = self.arms.iter().map(|arm| arm.get(place));
            columns.all(|column| column.is_some_and(|column| column.value.presence == presence))
        };
        match self.compares {
            false if has(Presence::Certain) => Presence::Certain,
            false if has(Presence::Bounded) => Presence::Bounded,
            _ => Presence::Unsure,
        }
    }
}

/// The place of the branch whose rows Hive takes of so many: it goes through them by the names that it gave
/// them, `insclause-0`, `insclause-1`, `insclause-10`, and is left with the last.
fn last_in_order_of_names(count: usize) -> usize {
    (0..count).max_by_key(usize::to_string).unwrap_or_default()
}

/// Does Hive sort all rows and take the first of them? What conditions say about NULL does not come through that.
pub(super) fn is_ranked(tail: &Tail<'_>) -> bool {
    tail.limit.is_some() && !tail.order_by.is_empty()
}

pub(super) fn forget_presence(columns: &mut [OutputColumn]) {
    for column in columns {
        column.value.presence = Presence::Unsure;
    }
}

fn operand_span(operand: &SetOperand<'_>) -> Span {
    match operand {
        SetOperand::Select(select) => select.location.span(),
        SetOperand::Query(query) => query.location.span(),
        SetOperand::Values(_) => Span::default(),
    }
}
