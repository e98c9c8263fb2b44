//! Table functions: `LATERAL VIEW`, and in a select list.

use std::rc::Rc;

use guardbee_hiveql::tree::{
    Call, Expression, Identifier, ItemAlias, LateralSource, LateralView, Outer, Trim,
};
use guardbee_model::{Diagnostic, DiagnosticCode, HiveVersion, Name, Span};

use crate::context::Callee;
use crate::effects::{Derivation, Purpose};
use crate::functions::FunctionKind;
use crate::types::Type;
use crate::typing::{self, Arguments};

use super::analyzer::{Analyzer, Environment, Optimization, Place, Typed};
use super::flow::{Flow, Value};
use super::scope::{OutputColumn, Relation, Scope};

impl<'c> Analyzer<'c, '_> {
    /// Adds the columns that a table function makes for each row so far.
    pub(super) fn lateral_view<'p>(
        &mut self,
        environment: Environment<'p, 'c>,
        scope: &mut Scope<'p>,
        view: &'p LateralView<'p>,
    ) {
        let is_outer = matches!(view.source, LateralSource::View { outer: Outer::Outer, .. });
        if is_outer || environment.context.version() < HiveVersion::V4_0 {
            self.optimization = Optimization::GivenUp;
        }
        scope.first_lateral = scope.first_lateral.or(Some(scope.relations.len()));
        let columns = match &view.source {
            LateralSource::View { call, .. } => {
                self.table_function_columns(Place::new(environment, scope), call, view.columns)
            }
            LateralSource::Trim { trim, .. } => self.trimmed_columns(environment, scope, trim, view.columns),
            LateralSource::Values(values) => {
                let inner = Environment { outer: Some(scope), ..environment };
                let rows = self.values(inner, values);
                super::from::renamed(rows, view.columns).columns
            }
        };
        scope.relations.push(Relation::columns(view.alias.name(), columns, Vec::new()));
    }

    /// `TRIM` makes no rows; what it would make of its operand is still the best guess.
    fn trimmed_columns<'p>(
        &mut self,
        environment: Environment<'p, 'c>,
        scope: &Scope<'p>,
        trim: &'p Trim<'p>,
        names: &[Identifier<'p>],
    ) -> Rc<Vec<OutputColumn>> {
        self.report(|| {
            let message = "`trim` is no table function";
            Diagnostic::error(DiagnosticCode::SEMANTIC, trim.location.span(), message)
        });
        let value = self.evaluate(Place::new(environment, scope), &Expression::Trim(trim));
        let column = |name: &Identifier<'p>| OutputColumn {
            name: name.name(),
            value: value.clone(),
            expression: Span::default(),
        };
        names.iter().map(column).collect::<Vec<_>>().into()
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

    /// What goes into a function or script that makes rows is read even if nobody takes the columns: it decides
    /// how many rows there are, and a script sees it.
    pub(super) fn mark_consumed(&mut self, value: &Value) {
        let Self { edges, influences, origins, .. } = self;
        let sources = edges.get(value.sources).iter().map(|edge| (edge.column, edge.path));
        let decided = influences.get(value.influences).iter().map(|edge| (edge.column, edge.path));
        for (column, path) in sources.chain(decided) {
            match origins.is_inside_views() {
                true => origins.mark_through(column, Purpose::Select),
                false => origins.mark(column, path, Purpose::Select),
            }
        }
    }

    /// Every column may hold something of every argument.
    fn table_function_columns<'p>(
        &mut self,
        place: Place<'p, 'c>,
        call: &'p Call<'p>,
        names: &[Identifier<'p>],
    ) -> Rc<Vec<OutputColumn>> {
        let mark = self.mark();
        let flow = Flow::value(Derivation::Transformation);
        let types: Vec<Type> =
            call.arguments.iter().map(|argument| self.collect(place, argument, flow).data_type).collect();
        self.script = true;
        let value = self.value_since(mark, Typed::varying(Type::Unknown));
        self.mark_consumed(&value);
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
            let columns: Vec<OutputColumn> =
                own.into_iter().map(|(name, data_type)| named(name, data_type)).collect();
            return columns.into();
        }
        let columns: Vec<OutputColumn> =
            names.iter().enumerate().map(|(place, name)| named(name.name(), type_of(place))).collect();
        columns.into()
    }
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
