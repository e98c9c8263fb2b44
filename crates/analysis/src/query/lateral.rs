//! Table functions: `LATERAL VIEW`, in a select list, and in FROM.

use std::rc::Rc;

use guardbee_hiveql::tree::{
    Call, Identifier, ItemAlias, LateralSource, LateralView, PartitionedTableFunction, TableFunctionInput,
};
use guardbee_model::{Diagnostic, DiagnosticCode, Name, Span};

use crate::context::Callee;
use crate::effects::{Derivation, DerivationKind, Purpose};
use crate::functions::FunctionKind;
use crate::types::Type;
use crate::typing::{self, Arguments};

use super::analyzer::{Analyzer, Environment, Place, Typed};
use super::flow::{Flow, Value};
use super::scope::{Content, OutputColumn, Relation, Scope, Visibility};

impl<'c> Analyzer<'c, '_> {
    /// Adds the columns that a table function makes for each row so far.
    pub(super) fn lateral_view<'p>(
        &mut self,
        environment: Environment<'p, 'c>,
        scope: &mut Scope<'p>,
        view: &'p LateralView<'p>,
    ) {
        let columns = match &view.source {
            LateralSource::View { call, .. } => {
                self.table_function_columns(Place::new(environment, scope), call, view.columns)
            }
            LateralSource::Values(values) => {
                let inner = Environment { outer: Some(scope), ..environment };
                let rows = self.values(inner, values);
                super::from::renamed(rows, view.columns).columns
            }
        };
        scope.relations.push(Relation::columns(view.alias.name(), columns, [].into()));
    }

    /// `SELECT explode(a) AS x`: nothing where the call is no table function.
    pub(super) fn table_function_item<'p>(
        &mut self,
        place: Place<'p, 'c>,
        call: &'p Call<'p>,
        alias: Option<&ItemAlias<'p>>,
    ) -> Option<Vec<OutputColumn>> {
        if !makes_rows(place.environment, call) {
            return None;
        }
        let names = match alias {
            Some(ItemAlias::As(name) | ItemAlias::Bare(name)) => std::slice::from_ref(name),
            Some(ItemAlias::List(names)) => names,
            None => &[],
        };
        Some(self.table_function_columns(place, call, names).to_vec())
    }

    /// Every column may hold something of every argument.
    fn table_function_columns<'p>(
        &mut self,
        place: Place<'p, 'c>,
        call: &'p Call<'p>,
        names: &[Identifier<'p>],
    ) -> Rc<[OutputColumn]> {
        let mark = self.mark();
        let flow = Flow::value(Derivation::Transformation);
        let types: Vec<Type> =
            call.arguments.iter().map(|argument| self.collect(place, argument, flow).data_type).collect();
        self.script = true;
        let value = self.value_since(mark, Typed::varying(Type::Unknown));
        let function = call.function.name();
        self.note_call(place.environment, call);
        let arguments = Arguments { expressions: call.arguments, types: &types };
        let own = typing::table_columns(&function, arguments);
        if let Some(own) = own.as_ref().filter(|own| !names.is_empty() && own.len() != names.len()) {
            self.report(|| {
                let message = format!("`{function}` gives {} columns, not {}", own.len(), names.len());
                Diagnostic::error(DiagnosticCode::SEMANTIC, call.location.span(), message)
            });
        }
        let named = |name: Name, data_type: Type| OutputColumn {
            name,
            value: Value { data_type, ..value.clone() },
            expression: Span::default(),
        };
        let type_of = |place: usize| {
            own.as_ref()
                .and_then(|own| own.get(place))
                .map_or(Type::Unknown, |(_, data_type)| data_type.clone())
        };
        if names.is_empty() {
            let own = own.unwrap_or_else(|| vec![(Name::from_static("col"), Type::Unknown)]);
            return own.into_iter().map(|(name, data_type)| named(name, data_type)).collect();
        }
        names.iter().enumerate().map(|(place, name)| named(name.name(), type_of(place))).collect()
    }

    /// `noop(ON t PARTITION BY a ORDER BY b)`: a function that takes whole partitions and passes their columns.
    pub(super) fn partitioned_function<'p>(
        &mut self,
        environment: Environment<'p, 'c>,
        scope: &mut Scope<'p>,
        function: &'p PartitionedTableFunction<'p>,
    ) {
        let step = |analyzer: &mut Self| {
            let mut input = Scope::inside(environment.outer);
            match &function.input {
                TableFunctionInput::Table(table) => analyzer.table_reference(environment, &mut input, table),
                TableFunctionInput::Subquery(derived) => {
                    let rows = analyzer.query(environment, derived.query);
                    let span = derived.location.span();
                    analyzer.add_rows(&mut input, rows, &derived.alias, span);
                }
                TableFunctionInput::Function(inner) => {
                    analyzer.partitioned_function(environment, &mut input, inner);
                }
            }
            input
        };
        let Some(mut input) = self.deeper(function.location.span(), step) else { return };
        let parts = std::mem::take(&mut input.parts);
        let mark = self.mark();
        let place = Place::new(environment, &input);
        if let Some(partitioning) = &function.partitioning {
            self.collect_partitioning(place, partitioning, Flow::influence(Purpose::Window));
        }
        let is_match = function.function.raw.eq_ignore_ascii_case("matchpath");
        if !is_match {
            for (_, argument) in function.arguments {
                self.decide(place, argument, Purpose::Window);
            }
        }
        let rows = self.rows_since(mark, parts);
        scope.parts.push(rows);
        let content = if is_match {
            self.matched_path(place, function)
        } else {
            input.relations.first().map(|relation| relation.content.clone())
        };
        let alias = function.alias.as_ref().map(Identifier::name);
        let own = input.relations.first().map(|relation| relation.alias.clone());
        let alias = alias.or(own).unwrap_or_default();
        let content = content.unwrap_or(Content::Columns { columns: [].into(), open: [].into() });
        let relation = Relation { alias, database: None, content, visibility: Visibility::Visible };
        self.add_relation(scope, relation, function.location.span());
    }

    /// The columns of `matchpath` are made by its last argument, a list of expressions in a string.
    fn matched_path<'p>(
        &mut self,
        place: Place<'p, 'c>,
        function: &'p PartitionedTableFunction<'p>,
    ) -> Option<Content> {
        let relation = place.scope.relations.first()?;
        let mut columns = self.relation_columns(relation);
        let mark = self.mark();
        for column in &columns {
            self.push_value(&column.value, Flow::value(Derivation::Transformation));
        }
        self.script = true;
        let path = self.value_since(mark, Typed::varying(Type::Unknown));
        let made = matched_names(function);
        let made = made.into_iter().map(|name| OutputColumn {
            name,
            value: Value { kind: DerivationKind::Script, ..path.clone() },
            expression: Span::default(),
        });
        columns.extend(made);
        Some(Content::Columns { columns: columns.into(), open: [].into() })
    }
}

/// The names behind `AS` in the result list of a `matchpath`.
fn matched_names(function: &PartitionedTableFunction<'_>) -> Vec<Name> {
    let Some((_, guardbee_hiveql::tree::Expression::Literal(literal))) = function.arguments.last() else {
        return Vec::new();
    };
    let text = guardbee_hiveql::literal::unescape_string(literal.raw);
    let names = text.split(',').filter_map(|item| {
        let mut words = item.split_whitespace().rev();
        let name = words.next()?;
        Some(Name::fold(name.rsplit('.').next().unwrap_or(name)))
    });
    names.chain(std::iter::once(Name::from_static("tpath"))).collect()
}

/// Is the function one that makes rows?
fn makes_rows(environment: Environment<'_, '_>, call: &Call<'_>) -> bool {
    let database = call.database.as_ref().map(Identifier::name);
    match environment.context.callee(database.as_ref(), &call.function.name()) {
        Callee::BuiltIn(built_in) => built_in.kind == FunctionKind::Table,
        Callee::User(function) => function.class.contains("UDTF"),
        Callee::Macro(_) | Callee::Unknown => false,
    }
}
