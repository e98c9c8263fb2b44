//! Queries: select lists, grouping, windows, set operations, common table expressions.

use guardbee_model::HiveVersion;

use super::Generator;
use super::scope::Scope;
use super::warehouse::{Column, Form, Kind, Relation, Type};

/// A query and the columns of its result.
#[derive(Debug, Clone)]
pub(super) struct Query {
    pub sql: String,
    pub columns: Vec<Column>,
}

/// Whether the columns of a result have to have names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Naming {
    /// Read by something around the query.
    Needed,
    Free,
}

/// What may stand in a select list.
#[derive(Debug, Clone)]
enum Mode {
    Plain,
    Windows,
    /// The group keys, and what totals may be made of.
    Grouped {
        keys: Vec<(String, Kind)>,
        totals: Scope,
    },
}

impl Generator {
    /// A query whose columns can be named by what stands around it.
    pub(super) fn named_query(&mut self, depth: usize) -> Query {
        self.query(None, Naming::Needed, depth)
    }

    /// A query as a statement of its own.
    pub(super) fn free_query(&mut self, depth: usize) -> Query {
        self.query(None, Naming::Free, depth)
    }

    /// A query whose result fits into columns of these types.
    pub(super) fn query_of(&mut self, types: &[Type], depth: usize) -> Query {
        self.query(Some(types), Naming::Free, depth)
    }

    fn query(&mut self, wanted: Option<&[Type]>, naming: Naming, depth: usize) -> Query {
        let known = self.ctes.len();
        let with = if wanted.is_none() && depth > 0 && self.random.percent(9) {
            self.common_tables(depth - 1)
        } else {
            String::new()
        };
        let mut query = self.select(wanted, naming, depth);
        let arms = self.random.weighted(&[84, 12, 4]);
        for _ in 0..arms {
            let operator = self.set_operator();
            let types: Vec<Type> = query.columns.iter().map(|column| column.ty.clone()).collect();
            let arm = self.select(Some(&types), Naming::Free, depth.saturating_sub(1));
            query.sql = format!("{} {operator} {}", query.sql, arm.sql);
        }
        query.sql.push_str(&self.ordering(&query.columns, arms > 0));
        query.sql = with + &query.sql;
        self.ctes.truncate(known);
        query
    }

    /// `WITH a AS (...), b AS (...) `; what follows may read them.
    pub(super) fn common_tables(&mut self, depth: usize) -> String {
        let mut parts = Vec::new();
        for _ in 0..self.random.between(1, 2) {
            let query = self.named_query(depth);
            let name = self.fresh("cte");
            parts.push(format!("{name} as ({})", query.sql));
            self.ctes.push(Relation {
                database: String::new(),
                name,
                form: Form::View,
                columns: query.columns,
                partitions: vec![],
                given: true,
            });
        }
        format!("with {} ", parts.join(", "))
    }

    fn set_operator(&mut self) -> &'static str {
        let only_unions = self.version < HiveVersion::V3_1;
        let choice = if only_unions {
            self.random.below(3)
        } else {
            self.random.weighted(&[52, 22, 12, 5, 4, 2, 1, 2])
        };
        [
            "union all",
            "union",
            "union distinct",
            "intersect",
            "except",
            "minus",
            "intersect all",
            "except all",
        ][choice]
    }

    fn ordering(&mut self, columns: &[Column], after_set_operation: bool) -> String {
        let column = self.random.pick(columns);
        let mut sql = String::new();
        if column.ty.kind().is_some() && !column.name.is_empty() && self.random.percent(14) {
            let name = &column.name;
            sql = match self.random.below(if after_set_operation { 3 } else { 8 }) {
                0 => format!(" order by {name}"),
                1 => format!(" order by {name} desc"),
                2 => " order by 1".to_owned(),
                3 => format!(" order by {name} nulls last"),
                4 => format!(" sort by {name}"),
                5 => format!(" distribute by {name}"),
                6 => format!(" distribute by {name} sort by {name} desc"),
                _ => format!(" cluster by {name}"),
            };
        }
        if self.random.percent(8) {
            sql.push_str(&format!(" limit {}", self.random.between(1, 50)));
        } else if self.random.percent(2) {
            sql.push_str(" limit 2, 5");
        }
        sql
    }

    fn select(&mut self, wanted: Option<&[Type]>, naming: Naming, depth: usize) -> Query {
        if self.random.percent(3) {
            return self.select_without_from(wanted);
        }
        let (from, scope) = self.sources(depth);
        let filter = self.where_clause(&scope, depth);
        if wanted.is_none()
            && self.random.percent(5)
            && let Some(query) = self.star(&from, &scope, &filter)
        {
            return query;
        }
        let choice = self.random.weighted(&[52, 28, 14, 6]);
        let (mode, tail) = match choice {
            1 => self.grouping(&scope),
            2 => (Mode::Windows, String::new()),
            _ => (Mode::Plain, String::new()),
        };
        let distinct = if choice == 3 { "distinct " } else { "" };
        let (list, columns) = self.select_list(wanted, &mode, &scope, naming);
        let qualify = if choice == 2 { self.qualify(&scope) } else { String::new() };
        Query { sql: format!("select {distinct}{list} from {from}{filter}{tail}{qualify}"), columns }
    }

    fn select_without_from(&mut self, wanted: Option<&[Type]>) -> Query {
        let scope = Scope::default();
        let (list, columns) = self.select_list(wanted, &Mode::Plain, &scope, Naming::Needed);
        Query { sql: format!("select {list}"), columns }
    }

    fn star(&mut self, from: &str, scope: &Scope, filter: &str) -> Option<Query> {
        let sources = &scope.sources;
        if scope.qualified_only {
            return None;
        }
        if scope.star_is_clear() && self.random.percent(60) {
            let columns = sources.iter().flat_map(|source| source.columns.clone()).collect();
            return Some(Query { sql: format!("select * from {from}{filter}"), columns });
        }
        let source = self.random.pick(sources).clone();
        Some(Query { sql: format!("select {}.* from {from}{filter}", source.alias), columns: source.columns })
    }

    pub(super) fn where_clause(&mut self, scope: &Scope, depth: usize) -> String {
        if self.random.percent(55) {
            return String::new();
        }
        let subquery = if self.random.percent(14) { self.subquery_condition(scope, depth) } else { None };
        match subquery {
            Some(condition) if self.random.percent(60) => {
                let other = self.expand("condition", scope, 1);
                format!(" where {other} and {condition}")
            }
            Some(condition) => format!(" where {condition}"),
            None => format!(" where {}", self.expand("filter", scope, 2)),
        }
    }

    /// IN, EXISTS, scalar and quantified subqueries over a table that shares a kind of column.
    fn subquery_condition(&mut self, scope: &Scope, _depth: usize) -> Option<String> {
        let relation = self.readable();
        let alias = self.fresh("s");
        let kind = *self.random.pick(&[Kind::Text, Kind::Whole]);
        let inner: Vec<&Column> =
            relation.all_columns().filter(|column| column.ty.kind() == Some(kind)).collect();
        let inner = (!inner.is_empty()).then(|| self.random.pick(&inner).name.clone())?;
        let outer_columns: Vec<String> = scope
            .sources
            .iter()
            .flat_map(|source| source.columns.iter().map(move |column| (source, column)))
            .filter(|(_, column)| column.ty.kind() == Some(kind))
            .map(|(source, column)| format!("{}.{}", source.alias, column.name))
            .collect();
        let outer = (!outer_columns.is_empty()).then(|| self.random.pick(&outer_columns).clone())?;
        let table = self.warehouse.path(&relation, &mut self.random);
        let choices = if self.version >= HiveVersion::V4_0 { 11 } else { 9 };
        Some(match self.random.below(choices) {
            0 | 1 => format!("{outer} in (select {alias}.{inner} from {table} {alias})"),
            2 => format!("{outer} not in (select {inner} from {table} where {inner} is not null)"),
            3 | 4 => format!("exists (select * from {table} {alias} where {alias}.{inner} = {outer})"),
            5 => format!("not exists (select 1 from {table} {alias} where {alias}.{inner} = {outer})"),
            6 => format!("{outer} = (select max({alias}.{inner}) from {table} {alias})"),
            7 => format!("{outer} > (select min({inner}) from {table} {alias} where {alias}.{inner} <> 'q')"),
            8 => format!(
                "{outer} in (select {alias}.{inner} from {table} {alias} group by {alias}.{inner} having count(*) > 1)"
            ),
            9 => format!("{outer} = any (select {alias}.{inner} from {table} {alias})"),
            _ => format!("{outer} >= all (select {alias}.{inner} from {table} {alias})"),
        })
    }

    /// The keys of a grouped query, and its text from GROUP BY on.
    fn grouping(&mut self, scope: &Scope) -> (Mode, String) {
        let keys = self.random.weighted(&[20, 45, 25, 10]);
        let sets = keys > 0 && self.random.percent(18);
        let keys: Vec<(String, Kind)> = (0..keys)
            .map(|_| {
                let kind = *self.random.pick(&Kind::ALL);
                let plain = sets || self.random.percent(50);
                let sql = if plain {
                    scope.column(Some(kind), &mut self.random)
                } else {
                    self.expand(kind.rule(), scope, 2)
                };
                (sql, kind)
            })
            .collect();
        let mut texts: Vec<String> = keys.iter().map(|(sql, _)| sql.clone()).collect();
        texts.dedup();
        let totals = if sets { scope.without(&texts) } else { scope.clone() };
        let mut tail =
            if texts.is_empty() { String::new() } else { format!(" group by {}", texts.join(", ")) };
        if sets {
            tail = self.grouping_sets(&texts);
        }
        if !texts.is_empty() && self.random.percent(20) {
            tail.push_str(&format!(" having {}", self.expand("having", &totals, 1)));
        }
        (Mode::Grouped { keys, totals }, tail)
    }

    fn grouping_sets(&mut self, keys: &[String]) -> String {
        let list = keys.join(", ");
        let modern = self.version >= HiveVersion::V3_1;
        match self.random.below(if modern { 5 } else { 3 }) {
            0 => format!(" group by {list} with rollup"),
            1 => format!(" group by {list} with cube"),
            2 => format!(" group by {list} grouping sets (({list}), {}, ())", keys[0]),
            3 => format!(" group by rollup({list})"),
            _ => format!(" group by cube({list})"),
        }
    }

    fn qualify(&mut self, scope: &Scope) -> String {
        if self.version < HiveVersion::V4_0 || !self.random.percent(8) {
            return String::new();
        }
        format!(" qualify row_number() {} = 1", self.expand("over_ordered", scope, 1))
    }

    /// The select list and the columns it yields.
    fn select_list(
        &mut self,
        wanted: Option<&[Type]>,
        mode: &Mode,
        scope: &Scope,
        naming: Naming,
    ) -> (String, Vec<Column>) {
        let types: Vec<Option<Type>> = match wanted {
            Some(types) => types.iter().cloned().map(Some).collect(),
            None => (0..self.random.between(1, 5)).map(|_| None).collect(),
        };
        let naming = if wanted.is_none() || self.random.percent(60) { naming } else { Naming::Free };
        let mut items = Vec::new();
        let mut columns = Vec::new();
        for (place, ty) in types.into_iter().enumerate() {
            let (sql, ty) = match ty {
                Some(ty) => (self.item(&ty, mode, scope), ty),
                None => self.free_item(mode, scope),
            };
            let named = naming == Naming::Needed || self.random.percent(60);
            let name = if named { format!("{}{place}", self.word()) } else { String::new() };
            items.push(match (named, self.random.percent(65)) {
                (false, _) => sql,
                (true, true) => format!("{sql} as {name}"),
                (true, false) => format!("{sql} {name}"),
            });
            columns.push(Column { name, ty });
        }
        (items.join(", "), columns)
    }

    fn free_item(&mut self, mode: &Mode, scope: &Scope) -> (String, Type) {
        if matches!(mode, Mode::Plain) {
            let references = scope.references(&mut self.random);
            if !references.is_empty() && self.random.percent(35) {
                let reference = self.random.pick(&references).clone();
                return self.perhaps_fields(reference.sql, reference.ty);
            }
        }
        let ty = self.random.pick(&Kind::ALL).column_type();
        (self.item(&ty, mode, scope), ty)
    }

    /// A column; where it is an array of structs, sometimes one field of all of them.
    fn perhaps_fields(&mut self, sql: String, ty: Type) -> (String, Type) {
        if let Type::Array(element) = &ty
            && let Type::Struct(fields) = element.as_ref()
            && sql.contains('.')
            && self.random.percent(30)
        {
            let (name, field) = self.random.pick(fields);
            return (format!("{sql}.{name}"), Type::Array(Box::new(field.clone())));
        }
        (sql, ty)
    }

    /// An expression that fits into a column of a type.
    fn item(&mut self, ty: &Type, mode: &Mode, scope: &Scope) -> String {
        let Some(kind) = ty.kind() else { return self.nested_item(ty, mode, scope) };
        let sql = match mode {
            Mode::Plain => self.expand(kind.rule(), scope, 3),
            Mode::Windows if self.random.percent(45) => {
                self.expand(&format!("{}_window", kind.rule()), scope, 2)
            }
            Mode::Windows => self.expand(kind.rule(), scope, 2),
            Mode::Grouped { keys, totals } => {
                let fitting: Vec<&(String, Kind)> = keys.iter().filter(|(_, key)| *key == kind).collect();
                if !fitting.is_empty() && self.random.percent(75) {
                    self.random.pick(&fitting).0.clone()
                } else {
                    self.expand(&format!("{}_total", kind.rule()), totals, 2)
                }
            }
        };
        let narrow = matches!(
            ty,
            Type::Varchar | Type::Char | Type::Decimal | Type::TinyInt | Type::SmallInt | Type::Float
        );
        if narrow && self.random.percent(70) { format!("cast({sql} as {})", ty.sql()) } else { sql }
    }

    fn nested_item(&mut self, ty: &Type, mode: &Mode, scope: &Scope) -> String {
        if matches!(mode, Mode::Plain | Mode::Windows) {
            let same: Vec<String> = scope
                .references(&mut self.random)
                .into_iter()
                .filter(|reference| reference.ty == *ty)
                .map(|reference| reference.sql)
                .collect();
            if !same.is_empty() && self.random.percent(60) {
                return self.random.pick(&same).clone();
            }
        }
        let mut exact = |part: &Type| {
            let sql = self.item(part, mode, scope);
            if part.kind().is_some() { format!("cast({sql} as {})", part.sql()) } else { sql }
        };
        match ty {
            Type::Array(element) => format!("array({})", exact(element)),
            Type::Map(_, value) => format!("map('k', {})", exact(value)),
            Type::Struct(fields) => {
                let fields: Vec<String> =
                    fields.iter().map(|(name, field)| format!("'{name}', {}", exact(field))).collect();
                format!("named_struct({})", fields.join(", "))
            }
            primitive => exact(primitive),
        }
    }

    /// A select list for one branch of a multi-insert, with its own condition or groups.
    pub(super) fn branch(&mut self, types: &[Type], scope: &Scope) -> String {
        let grouped = self.random.percent(25);
        let (mode, tail) = if grouped { self.grouping(scope) } else { (Mode::Plain, String::new()) };
        let (list, _) = self.select_list(Some(types), &mode, scope, Naming::Free);
        let filter = if self.random.percent(50) {
            format!(" where {}", self.expand("filter", scope, 1))
        } else {
            String::new()
        };
        format!("select {list}{filter}{tail}")
    }
}
