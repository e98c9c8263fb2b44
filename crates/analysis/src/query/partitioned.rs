//! Table functions that take whole partitions: `noop(ON t PARTITION BY a ORDER BY b)`, `matchpath(...)`.

use std::sync::Arc;

use guardbee_hiveql::parser::parse_query;
use guardbee_hiveql::tree::{
    Arena, Expression, PartitionedTableFunction, QueryBody, SetOperand, TableFunctionInput,
};
use guardbee_model::{Name, Span};

use crate::context::{Callee, Context};
use crate::effects::{Derivation, Purpose};
use crate::types::Type;

use super::analyzer::{Analyzer, Environment, Optimization, Place, Typed};
use super::flow::{Flow, Kind, Value};
use super::scope::{OutputColumn, Relation, Scope};

impl<'c> Analyzer<'c, '_> {
    /// Adds what such a function gives: mostly the columns that it is given. It may do anything to them.
    pub(super) fn partitioned_function<'p>(
        &mut self,
        environment: Environment<'p, 'c>,
        scope: &mut Scope<'p>,
        function: &'p PartitionedTableFunction<'p>,
    ) {
        let step = |analyzer: &mut Self| analyzer.function_input(environment, &function.input);
        self.optimization = Optimization::GivenUp;
        let Some(mut input) = self.deeper(function.location.span(), step) else { return };
        let parts = std::mem::take(&mut input.parts);
        let place = Place::new(environment, &input);
        let is_match = matches_paths(environment.context, function);
        let mark = self.mark();
        if let Some(partitioning) = &function.partitioning {
            self.collect_partitioning(place, partitioning, Flow::influence(Purpose::Window));
        }
        if !is_match {
            for (_, argument) in function.arguments {
                self.decide(place, argument, Purpose::Window);
            }
        }
        let rows = self.rows_since(mark, parts);
        scope.parts.push(rows);
        let Some(relation) = input.relations.first() else { return };
        let super::select::Output { mut columns, open, .. } = self.relation_columns(relation);
        if is_match {
            columns = self.matched_path(environment, relation, columns, function);
        }
        for column in &mut columns {
            column.value.kind = Kind::SCRIPT;
        }
        let alias = function.alias.as_ref().map_or_else(|| relation.alias.clone(), |alias| alias.name());
        let relation = Relation::columns(alias, columns.into(), open);
        self.add_relation(scope, relation, function.location.span());
    }

    fn function_input<'p>(
        &mut self,
        environment: Environment<'p, 'c>,
        input: &'p TableFunctionInput<'p>,
    ) -> Scope<'p> {
        let mut scope = Scope::inside(environment.outer);
        match input {
            TableFunctionInput::Table(table) => self.table_reference(environment, &mut scope, table),
            TableFunctionInput::Subquery(derived) => {
                let rows = self.query(environment, derived.query);
                self.add_rows(&mut scope, rows, &derived.alias, derived.location.span());
            }
            TableFunctionInput::Function(inner) => self.partitioned_function(environment, &mut scope, inner),
        }
        scope
    }

    /// `matchpath` gives what its last argument lists, a select list in a string. There `tpath` is the
    /// rows of a match.
    fn matched_path<'p>(
        &mut self,
        environment: Environment<'p, 'c>,
        input: &Relation,
        mut columns: Vec<OutputColumn>,
        function: &'p PartitionedTableFunction<'p>,
    ) -> Vec<OutputColumn> {
        let Some((_, Expression::Literal(list))) = function.arguments.last() else { return columns };
        let list = guardbee_hiveql::literal::unescape_string(list.raw);
        let path = self.path_column(&columns);
        columns.push(path);
        let scope = Scope::of(vec![Relation::columns(input.alias.clone(), columns.into(), Vec::new())]);
        let source = format!("SELECT {list}");
        let arena = Arena::new();
        let Ok(query) = parse_query(&arena, &source, environment.context.settings.parser) else {
            return Vec::new();
        };
        let QueryBody::Plain(plain) = query.body else { return Vec::new() };
        let SetOperand::Select(select) = plain.set.first else { return Vec::new() };
        let inner = Environment { context: environment.context, source: &source, ctes: None, outer: None };
        let place = Place::new(inner, &scope);
        let mut output = self.in_foreign_text(|analyzer| analyzer.projection(place, &select.projection));
        for column in &mut output.columns {
            column.expression = Span::default();
        }
        output.columns
    }

    fn path_column(&mut self, columns: &[OutputColumn]) -> OutputColumn {
        let fields: Arc<[(Name, Type)]> =
            columns.iter().map(|column| (column.name.clone(), column.value.data_type.clone())).collect();
        let mark = self.mark();
        for column in columns {
            self.push_value(&column.value, Flow::value(Derivation::Transformation));
        }
        let data_type = Type::Array(Arc::new(Type::Struct(fields))).if_of_use();
        let value: Value = self.value_since(mark, Typed::varying(data_type));
        OutputColumn { name: Name::from_static("tpath"), value, expression: Span::default() }
    }
}

fn matches_paths(context: Context<'_>, function: &PartitionedTableFunction<'_>) -> bool {
    match context.callee(None, &function.function.name()) {
        Callee::BuiltIn(built_in) => built_in.name == "matchpath",
        Callee::User(user) => user.class.contains("MatchPath"),
        Callee::Macro(_) | Callee::Unknown => false,
    }
}
