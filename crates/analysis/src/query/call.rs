//! Calls of functions: scalar, aggregate and window functions, macros.

use guardbee_hiveql::parser::parse_expression;
use guardbee_hiveql::tree::{Arena, Call, Expression, SortKey};
use guardbee_model::{Diagnostic, DiagnosticCode, HiveVersion, Name, Span};

use crate::catalog::{Function, Macro};
use crate::context::{Callee, Context, MacroScope};
use crate::effects::{Derivation, FunctionName, Purpose};
use crate::functions::{BuiltIn, Determinism, FunctionKind};
use crate::types::Type;
use crate::typing::{self, Arguments};

use super::analyzer::{Aggregates, Aliases, Analyzer, Environment, Place, Typed};
use super::choice::Choice;
use super::expression::both;
use super::flow::{Constancy, Flow, Role, Value};
use super::scope::{OutputColumn, Relation, Scope};

/// What a function does with its arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Behavior {
    Scalar,
    Aggregate,
    /// A function that only means something with a window.
    Ranking,
    Table,
}

/// How often macros are expanded. A few that each call the one before twice would go on for ever, so those
/// inside of others are counted against what the statement's own calls allow.
#[derive(Debug, Default)]
pub(super) struct Expansions {
    /// The macros around.
    around: u32,
    /// Macros expanded inside of others so far.
    nested: u32,
    /// Calls of the statement itself.
    own: u32,
}

impl Expansions {
    const ALLOWED: u32 = 1_000;
    const ALLOWED_FOR_EACH_OWN: u32 = 16;

    fn may_enter(&mut self) -> bool {
        if self.around == 0 {
            self.own = self.own.saturating_add(1);
            return true;
        }
        let allowed = Self::ALLOWED.saturating_add(self.own.saturating_mul(Self::ALLOWED_FOR_EACH_OWN));
        self.nested = self.nested.saturating_add(1).min(allowed.saturating_add(1));
        self.nested <= allowed
    }
}

impl<'c> Analyzer<'c, '_> {
    pub(super) fn collect_call<'p>(&mut self, place: Place<'p, 'c>, call: &Call<'p>, flow: Flow) -> Typed {
        let name = call.function.name();
        let database = call.database.as_ref().map(|database| database.name());
        let callee = place.environment.context.callee(database.as_ref(), &name);
        self.note_function(place.environment, call, database, &name, &callee);
        if !matches!(callee, Callee::BuiltIn(_)) {
            self.tally.unsure += 1;
        }
        let typed = match &callee {
            Callee::Macro(definition) => return self.expand_macro(place, call, definition, flow),
            Callee::BuiltIn(built_in) => self.collect_built_in(place, call, built_in, flow),
            Callee::User(function) => {
                let behavior = user_behavior(function, call);
                let (start, constancy) = self.collect_arguments(place, call, behavior, flow);
                self.types.truncate(start);
                let is_folded = behavior == Behavior::Scalar && !call.arguments.is_empty();
                let constancy = if is_folded { constancy } else { Constancy::Varying };
                Typed { data_type: Type::Unknown, constancy }
            }
            Callee::Unknown => {
                let behavior = if call.over.is_some() || call.quantifier.is_some() {
                    Behavior::Aggregate
                } else {
                    Behavior::Scalar
                };
                let (start, _) = self.collect_arguments(place, call, behavior, flow);
                self.types.truncate(start);
                Typed::varying(Type::Unknown)
            }
        };
        if let Some(window) = &call.over {
            self.script |= matches!(flow.role, Role::Value(_));
            self.collect_window(place, window, flow.deciding(Purpose::Window));
            return Typed { constancy: Constancy::Varying, ..typed };
        }
        typed
    }

    fn collect_built_in<'p>(
        &mut self,
        place: Place<'p, 'c>,
        call: &Call<'p>,
        built_in: &BuiltIn,
        flow: Flow,
    ) -> Typed {
        match built_in.name {
            "coalesce" if place.environment.context.version() >= HiveVersion::V4_0 => {
                return self.collect_coalesce(place, call, flow.derived(Derivation::Transformation));
            }
            "if" => return self.collect_if(place, call, flow),
            "grouping" => {
                let mark = self.mark();
                let (start, _) = self.collect_arguments(place, call, Behavior::Scalar, flow);
                self.types.truncate(start);
                self.forget_since(mark);
                return Typed::varying(Type::BigInt);
            }
            _ => {}
        }
        let flow = if hides_values(built_in.name) { flow.masked() } else { flow };
        let behavior = behavior_of(built_in);
        self.check_call(call, built_in, behavior);
        let collect = |analyzer: &mut Self| analyzer.collect_arguments(place, call, behavior, flow);
        let (start, constancy) = match behavior {
            Behavior::Aggregate if call.over.is_none() => {
                self.tally.aggregates += 1;
                self.with_aggregates(Aggregates::Refused, collect)
            }
            _ => collect(self),
        };
        let types = self.types.get(start..).unwrap_or_default();
        let data_type =
            typing::function_result(built_in.name, Arguments { expressions: call.arguments, types });
        self.types.truncate(start);
        let foldable = behavior == Behavior::Scalar
            && (built_in.determinism == Determinism::Deterministic || holds_for_a_query(built_in.name))
            && !builds_a_collection(built_in.name);
        Typed { data_type, constancy: if foldable { constancy } else { Constancy::Varying } }
    }

    /// `IF(condition, a, b)` chooses, as CASE does.
    fn collect_if<'p>(&mut self, place: Place<'p, 'c>, call: &Call<'p>, flow: Flow) -> Typed {
        if let Some(choice) = Choice::of_call(call)
            && let Some(chosen) = self.chosen(place, &choice)
        {
            return self.collect_chosen(place, &choice, chosen, flow);
        }
        let Some((condition, values)) = call.arguments.split_first() else {
            return Typed::varying(Type::Unknown);
        };
        let mut constancy = self.collect(place, condition, flow.deciding(Purpose::Conditional)).constancy;
        let mut data_type = Type::Void;
        for value in values {
            let typed = self.collect(place, value, flow);
            constancy = both(constancy, typed.constancy);
            data_type = typing::common(&data_type, &typed.data_type);
        }
        Typed { data_type, constancy }
    }

    /// Lets the arguments flow as the function takes them. Their types are on the stack, from the place that
    /// is given back on; beside it stands whether all arguments are constant.
    fn collect_arguments<'p>(
        &mut self,
        place: Place<'p, 'c>,
        call: &Call<'p>,
        behavior: Behavior,
        flow: Flow,
    ) -> (usize, Constancy) {
        let derivation = match behavior {
            Behavior::Aggregate => Derivation::Aggregation,
            Behavior::Scalar | Behavior::Ranking | Behavior::Table => Derivation::Transformation,
        };
        let inner = flow.derived(derivation);
        let before = (self.edge_stack.len(), self.influence_stack.len());
        let start = self.types.len();
        let mut constancy = Constancy::Constant;
        for argument in call.arguments {
            if matches!(argument, Expression::AllColumns(_)) && counts_rows(call) {
                constancy = Constancy::Varying;
                continue;
            }
            let typed = self.collect(place, argument, inner);
            self.types.push(typed.data_type);
            constancy = both(constancy, typed.constancy);
        }
        self.collect_sort_keys(place, call.within_group, inner);
        let counts_nothing_else = behavior == Behavior::Aggregate
            && matches!(flow.role, Role::Value(_))
            && (self.edge_stack.len(), self.influence_stack.len()) == before
            && call.over.is_none();
        if counts_nothing_else {
            let whole = self.whole_tables(place.scope);
            let whole = Value { sources: whole.sources, kind: whole.kind, ..Value::unknown() };
            self.push_value(&whole, inner);
        }
        (start, constancy)
    }

    pub(super) fn collect_sort_keys<'p>(&mut self, place: Place<'p, 'c>, keys: &[SortKey<'p>], flow: Flow) {
        for key in keys {
            self.collect(place, &key.expression, flow);
        }
    }

    fn note_function<'p>(
        &mut self,
        environment: Environment<'p, 'c>,
        call: &Call<'p>,
        database: Option<Name>,
        name: &Name,
        callee: &Callee<'c>,
    ) {
        if self.origins.is_inside_views() {
            return;
        }
        if matches!(callee, Callee::Unknown) {
            let version = environment.context.version();
            self.report(|| {
                Diagnostic::warning(
                    DiagnosticCode::UNKNOWN_FUNCTION,
                    call.function.span(),
                    format!("`{name}` is neither built into Hive {version} nor in the catalog"),
                )
            });
        }
        let function = match callee {
            Callee::User(function) => function.name.clone(),
            _ => FunctionName { database, name: name.clone() },
        };
        self.outcome.function(function, callee.origin());
    }

    /// Notes a call whose arguments are treated elsewhere.
    pub(super) fn note_call<'p>(&mut self, environment: Environment<'p, 'c>, call: &Call<'p>) {
        let name = call.function.name();
        let database = call.database.as_ref().map(|database| database.name());
        let callee = environment.context.callee(database.as_ref(), &name);
        self.note_function(environment, call, database, &name, &callee);
    }

    /// A macro stands for its body, with the arguments in place of the parameters.
    fn expand_macro<'p>(
        &mut self,
        place: Place<'p, 'c>,
        call: &Call<'p>,
        definition: &'c Macro,
        flow: Flow,
    ) -> Typed {
        let columns: Vec<OutputColumn> = definition
            .parameters
            .iter()
            .zip(call.arguments)
            .map(|(parameter, argument)| OutputColumn {
                name: parameter.name.clone(),
                value: self.evaluate(place, argument),
                expression: Span::default(),
            })
            .collect();
        if !self.expansions.may_enter() {
            self.report_limit(
                call.location.span(),
                "the macros that the statement calls call too many others",
            );
            return Typed::varying(Type::Unknown);
        }
        let arena = Arena::new();
        let context = Context { macros: MacroScope::Body(definition), ..place.environment.context };
        let Ok(body) = parse_expression(&arena, &definition.body, context.settings.parser) else {
            return Typed::varying(Type::Unknown);
        };
        let mut scope = Scope::default();
        scope.relations.push(Relation::columns(Name::default(), columns.into(), Vec::new()));
        let environment = Environment { context, source: &definition.body, ctes: None, outer: None };
        let body_place = Place::new(environment, &scope).with_aliases(Aliases::None);
        let step = |analyzer: &mut Self| {
            analyzer.in_foreign_text(|analyzer| analyzer.collect(body_place, &body, flow))
        };
        self.expansions.around += 1;
        let typed = self.deeper(call.location.span(), step);
        self.expansions.around -= 1;
        typed.unwrap_or(Typed::varying(Type::Unknown))
    }
}

fn behavior_of(built_in: &BuiltIn) -> Behavior {
    match built_in.kind {
        FunctionKind::Scalar if built_in.over => Behavior::Ranking,
        FunctionKind::Scalar | FunctionKind::Partitioned => Behavior::Scalar,
        FunctionKind::Table => Behavior::Table,
        FunctionKind::Aggregate => match built_in.name {
            "row_number" | "rank" | "dense_rank" | "percent_rank" | "cume_dist" | "ntile" | "first_value"
            | "last_value" | "lag" | "lead" => Behavior::Ranking,
            _ => Behavior::Aggregate,
        },
    }
}

/// What somebody's own function does shows only in the name of its class.
fn user_behavior(function: &Function, call: &Call<'_>) -> Behavior {
    if call.over.is_some() || call.quantifier.is_some() || function.class.contains("UDAF") {
        Behavior::Aggregate
    } else if function.class.contains("UDTF") {
        Behavior::Table
    } else {
        Behavior::Scalar
    }
}

fn counts_rows(call: &Call<'_>) -> bool {
    call.function.raw.eq_ignore_ascii_case("count")
}

/// Hashes, masks and counts tell little or nothing of the values.
fn hides_values(name: &str) -> bool {
    matches!(
        name,
        "count"
            | "crc32"
            | "hash"
            | "md5"
            | "murmur_hash"
            | "sha"
            | "sha1"
            | "sha2"
            | "mask"
            | "mask_first_n"
            | "mask_hash"
            | "mask_last_n"
            | "mask_show_first_n"
            | "mask_show_last_n"
    )
}

/// One value for each query, so that Hive puts it in the call's place.
fn holds_for_a_query(name: &str) -> bool {
    name.starts_with("current_") || name == "logged_in_user"
}

/// Hive does not fold these, even of constants.
fn builds_a_collection(name: &str) -> bool {
    matches!(name, "array" | "map" | "named_struct" | "create_union" | "str_to_map" | "split")
}
