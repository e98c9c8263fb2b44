//! The FROM clause: tables, subqueries, common table expressions, joins of every form, lateral views.

use super::Generator;
use super::scope::{Scope, Source};
use super::warehouse::{Column, Form, Kind, Relation, Type};

const FULL: &str = "full outer join";
const SEMI: &str = "left semi join";
const CONDITIONAL_JOINS: [&str; 7] =
    ["join", "inner join", "left outer join", "left join", "right outer join", FULL, SEMI];

impl Generator {
    /// The text after FROM, and what it lets a query see.
    pub(super) fn sources(&mut self, depth: usize) -> (String, Scope) {
        let (mut sql, first) = self.source(depth);
        let mut scope = Scope::of(first);
        // Hive's compiler takes no lateral view beside a join.
        let (joins, views) =
            [(0, 0), (0, 1), (0, 2), (1, 0), (2, 0), (3, 0)][self.random.weighted(&[42, 14, 2, 30, 9, 3])];
        for _ in 0..joins {
            self.join(&mut sql, &mut scope, depth);
        }
        for _ in 0..views {
            self.lateral_view(&mut sql, &mut scope);
        }
        (sql, scope)
    }

    fn source(&mut self, depth: usize) -> (String, Source) {
        let subquery = depth > 0 && self.random.percent(30);
        if subquery {
            return self.subquery_source(depth);
        }
        if !self.ctes.is_empty() && self.random.percent(60) {
            let ctes = self.ctes.clone();
            let cte = self.random.pick(&ctes).clone();
            let alias = self.fresh("q");
            return (format!("{} {}{alias}", cte.name, self.perhaps_as()), source_of(alias, &cte));
        }
        let relation = self.readable();
        self.relation_source(&relation)
    }

    fn subquery_source(&mut self, depth: usize) -> (String, Source) {
        let query = self.named_query(depth - 1);
        let alias = self.fresh("q");
        (format!("({}) {}{alias}", query.sql, self.perhaps_as()), Source { alias, columns: query.columns })
    }

    /// A table or view to read, the ones made by the record more often than the given ones.
    pub(super) fn readable(&mut self) -> Relation {
        let given = self.random.percent(45);
        let found = self
            .warehouse
            .any(&mut self.random, |relation| relation.given == given && relation.form != Form::Temporary);
        found.unwrap_or_else(|| self.warehouse.relations[0].clone())
    }

    pub(super) fn relation_source(&mut self, relation: &Relation) -> (String, Source) {
        let mut sql = self.warehouse.path(relation, &mut self.random);
        let is_table = relation.takes_rows() || relation.given;
        if is_table && self.random.percent(4) {
            sql.push_str(self.random.text(&[
                " tablesample(10 percent)",
                " tablesample(5 rows)",
                " tablesample(100M)",
            ]));
        }
        if self.random.percent(12) {
            return (sql, source_of(relation.name.clone(), relation));
        }
        let alias = self.fresh("q");
        sql = format!("{sql} {}{alias}", self.perhaps_as());
        (sql, source_of(alias, relation))
    }

    fn perhaps_as(&mut self) -> &'static str {
        if self.random.percent(30) { "as " } else { "" }
    }

    fn join(&mut self, sql: &mut String, scope: &mut Scope, depth: usize) {
        let (text, source) = self.source(depth);
        if scope.sources.iter().any(|seen| seen.alias == source.alias) {
            return; // the same table twice, and without another name
        }
        let kinds = self.shared_kinds(scope, &source);
        if kinds.is_empty() || self.random.percent(12) {
            let form = self.random.text(&[" cross join ", ", ", " join ", " inner join "]);
            sql.push_str(&format!("{form}{text}"));
            scope.sources.push(source);
            return;
        }
        let same_name =
            source.columns.iter().find(|column| scope.sources.iter().any(|seen| has_column(seen, column)));
        if let Some(column) = same_name
            && scope.sources.len() == 1
            && column.ty.kind().is_some()
            && self.random.percent(10)
        {
            let form = self.random.text(&["join", "left outer join", "inner join"]);
            sql.push_str(&format!(" {form} {text} using ({})", column.name));
            scope.sources.push(source);
            scope.qualified_only = true;
            return;
        }
        self.conditional_join(sql, scope, (text, source), &kinds);
    }

    fn conditional_join(
        &mut self,
        sql: &mut String,
        scope: &mut Scope,
        (text, source): (String, Source),
        kinds: &[Kind],
    ) {
        let form = CONDITIONAL_JOINS[self.random.weighted(&[28, 12, 16, 10, 12, 10, 9])];
        let right = Scope::of(source.clone());
        let mut conditions = Vec::new();
        let equalities = self.random.weighted(&[0, 75, 25]);
        for _ in 0..equalities {
            let kind = *self.random.pick(kinds);
            let (mut one, mut other) = (plain_column(self, scope, kind), plain_column(self, &right, kind));
            if self.random.percent(25) {
                std::mem::swap(&mut one, &mut other);
            }
            conditions.push(format!("{one} = {other}"));
        }
        if self.random.percent(25) {
            let mut side =
                if matches!(form, FULL | SEMI) || self.random.percent(60) { right } else { scope.clone() };
            side.qualified_only = true;
            conditions.push(self.expand("condition", &side, 1));
        }
        let condition = conditions.join(" and ");
        let condition = if self.random.percent(35) { format!("({condition})") } else { condition };
        sql.push_str(&format!(" {form} {text} on {condition}"));
        if form != SEMI {
            scope.sources.push(source);
        }
    }

    fn shared_kinds(&self, scope: &Scope, source: &Source) -> Vec<Kind> {
        let has =
            |columns: &[Column], kind: Kind| columns.iter().any(|column| column.ty.kind() == Some(kind));
        let joinable = [Kind::Text, Kind::Whole, Kind::Date, Kind::Real, Kind::Time];
        let mut kinds = joinable.to_vec();
        kinds.retain(|kind| {
            has(&source.columns, *kind) && scope.sources.iter().any(|seen| has(&seen.columns, *kind))
        });
        kinds
    }

    fn lateral_view(&mut self, sql: &mut String, scope: &mut Scope) {
        let (call, columns) = self.table_function(scope);
        let alias = self.fresh("lv");
        let outer = if self.random.percent(20) { "outer " } else { "" };
        let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
        sql.push_str(&format!(" lateral view {outer}{call} {alias} as {}", names.join(", ")));
        scope.sources.push(Source { alias, columns });
    }

    /// A call that yields rows, and its columns.
    pub(super) fn table_function(&mut self, scope: &Scope) -> (String, Vec<Column>) {
        let text = |name: &str| Column::new(name, Type::String);
        let whole = |name: &str| Column::new(name, Type::Int);
        let nested: Vec<_> = scope
            .references(&mut self.random)
            .into_iter()
            .filter(|column| column.ty.kind().is_none())
            .collect();
        if !nested.is_empty() && self.random.percent(65) {
            let column = self.random.pick(&nested).clone();
            match column.ty {
                Type::Array(element) => match *element {
                    Type::Struct(fields) => {
                        let columns =
                            fields.into_iter().map(|(name, ty)| Column::new(format!("{name}1"), ty));
                        return (format!("inline({})", column.sql), columns.collect());
                    }
                    element if self.random.percent(25) => {
                        let columns = vec![whole("p1"), Column::new("x1", element)];
                        return (format!("posexplode({})", column.sql), columns);
                    }
                    element => return (format!("explode({})", column.sql), vec![Column::new("x1", element)]),
                },
                Type::Map(key, value) => {
                    let columns = vec![Column::new("k1", *key), Column::new("v1", *value)];
                    return (format!("explode({})", column.sql), columns);
                }
                _ => {}
            }
        }
        let mut text_argument = || {
            let sql = self.expand("text", scope, 1);
            // Some of them take nothing but the type string itself.
            if self.random.percent(40) || sql.contains("char(") {
                format!("cast({sql} as string)")
            } else {
                sql
            }
        };
        let (one, other) = (text_argument(), text_argument());
        match self.random.below(10) {
            0 => (format!("json_tuple({one}, 'a', 'b')"), vec![text("j1"), text("j2")]),
            1 => (format!("stack(2, 'a', {one}, 'b', {other})"), vec![text("s1"), text("s2")]),
            2 => (format!("posexplode(split({one}, ','))"), vec![whole("p1"), text("w1")]),
            3 => (format!("explode(map('a', {one}, 'b', {other}))"), vec![text("k1"), text("v1")]),
            4 => (format!("explode(array({one}, {other}))"), vec![text("w1")]),
            5 => (format!("parse_url_tuple({one}, 'HOST', 'PATH')"), vec![text("u1"), text("u2")]),
            _ => (format!("explode(split({one}, ','))"), vec![text("w1")]),
        }
    }
}

fn source_of(alias: String, relation: &Relation) -> Source {
    Source { alias, columns: relation.all_columns().cloned().collect() }
}

fn has_column(source: &Source, column: &Column) -> bool {
    source.columns.iter().any(|seen| seen.name == column.name && seen.ty == column.ty)
}

/// A column that is of the kind itself, with its qualifier, as conditions of joins need it.
fn plain_column(generator: &mut Generator, scope: &Scope, kind: Kind) -> String {
    let columns =
        scope.sources.iter().flat_map(|source| source.columns.iter().map(move |column| (source, column)));
    let fitting: Vec<String> = columns
        .filter(|(_, column)| column.ty.kind() == Some(kind))
        .map(|(source, column)| format!("{}.{}", source.alias, column.name))
        .collect();
    generator.random.pick(&fitting).clone()
}
