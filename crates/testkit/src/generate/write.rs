//! Statements that write rows: inserts of every form, updates, deletes, merges.

use super::Generator;
use super::scope::{Scope, Source};
use super::warehouse::{Column, Form, Kind, Relation, Type};

impl Generator {
    /// `INSERT ... SELECT` into a table of the record.
    pub(super) fn insert_select(&mut self) -> Option<String> {
        let table = self.target()?;
        let with = if self.random.percent(6) { self.common_tables(1) } else { String::new() };
        let (head, types) = self.insert_head(&table);
        let query = self.query_of(&types, 2);
        self.ctes.clear();
        Some(format!("{with}{head} {}", query.sql))
    }

    fn target(&mut self) -> Option<Relation> {
        self.warehouse.any(&mut self.random, Relation::takes_rows)
    }

    /// The text up to the query, and the types that the query has to yield.
    fn insert_head(&mut self, table: &Relation) -> (String, Vec<Type>) {
        let overwrite = table.form != Form::Transactional && self.random.percent(45);
        let verb = if overwrite {
            "insert overwrite table"
        } else {
            self.random.text(&["insert into table", "insert into table", "insert into"])
        };
        let (partition, dynamic) = self.partition_clause(&table.partitions);
        let mut columns = table.columns.clone();
        let mut list = String::new();
        if !overwrite && self.random.percent(18) {
            columns.retain(|_| self.random.percent(60));
            if columns.is_empty() {
                columns.push(table.columns[0].clone());
            }
            let listed = columns.iter().chain(&dynamic).map(|column| column.name.clone());
            list = format!(" ({})", listed.collect::<Vec<_>>().join(", "));
        }
        let types = columns.iter().chain(&dynamic).map(|column| column.ty.clone()).collect();
        let path = self.warehouse.path(table, &mut self.random);
        (format!("{verb} {path}{partition}{list}"), types)
    }

    /// Static values first, then those that the query yields.
    fn partition_clause(&mut self, partitions: &[Column]) -> (String, Vec<Column>) {
        if partitions.is_empty() {
            return (String::new(), Vec::new());
        }
        let fixed = self.random.below(partitions.len() + 1);
        let mut parts = Vec::new();
        for column in &partitions[..fixed] {
            let value = match column.ty {
                Type::Date => "'2024-01-01'".to_owned(),
                Type::Int => "1".to_owned(),
                _ => format!("'{}'", self.word()),
            };
            parts.push(format!("{}={value}", column.name));
        }
        parts.extend(partitions[fixed..].iter().map(|column| column.name.clone()));
        (format!(" partition ({})", parts.join(", ")), partitions[fixed..].to_vec())
    }

    pub(super) fn insert_values(&mut self) -> Option<String> {
        let flat = |relation: &Relation| {
            relation.takes_rows() && !relation.holds_nested_types() && relation.partitions.is_empty()
        };
        let table = self.warehouse.any(&mut self.random, flat)?;
        let rows: Vec<String> = (0..self.random.between(1, 3))
            .map(|_| {
                let values: Vec<String> = table.columns.iter().map(|column| self.value(&column.ty)).collect();
                format!("({})", values.join(", "))
            })
            .collect();
        let verb = self.random.text(&["insert into table", "insert into"]);
        let path = self.warehouse.path(&table, &mut self.random);
        Some(format!("{verb} {path} values {}", rows.join(", ")))
    }

    fn value(&mut self, ty: &Type) -> String {
        if self.random.percent(8) {
            return "null".into();
        }
        match ty.kind() {
            Some(Kind::Boolean) => self.random.text(&["true", "false"]).to_string(),
            Some(Kind::Whole) => self.random.between(1, 120).to_string(),
            Some(Kind::Real) => self.random.text(&["1.5", "0.25", "2e3", "-7.0"]).to_string(),
            Some(Kind::Date) => "'2024-01-31'".into(),
            Some(Kind::Time) => "'2024-01-31 10:00:00'".into(),
            Some(Kind::Text) | None => self.random.text(&["'x'", "\"y z\"", "'it\\'s'", "'100'"]).to_string(),
        }
    }

    pub(super) fn insert_directory(&mut self) -> String {
        let types: Vec<Type> =
            (0..self.random.between(1, 4)).map(|_| Type::primitive(&mut self.random)).collect();
        let query = self.query_of(&types, 2);
        let local = if self.random.percent(35) { "local " } else { "" };
        let path = self.fresh("/out/d");
        let format =
            self.random.text(&["", "", " row format delimited fields terminated by ','", " stored as orc"]);
        format!("insert overwrite {local}directory '{path}'{format} {}", query.sql)
    }

    /// `FROM ... INSERT ... INSERT ...`.
    pub(super) fn multi_insert(&mut self) -> Option<String> {
        let (from, scope) = self.sources(1);
        let mut sql = format!("from {from}");
        let mut seen: Vec<String> = Vec::new();
        for _ in 0..self.random.between(1, 3) {
            let table = self.target()?;
            if seen.contains(&table.name) {
                continue;
            }
            let (head, types) = self.insert_head(&table);
            let branch = self.branch(&types, &scope);
            sql.push_str(&format!(" {head} {branch}"));
            seen.push(table.name);
        }
        if self.random.percent(10) {
            let branch = self.branch(&[Type::String, Type::BigInt], &scope);
            let path = self.fresh("/out/d");
            sql.push_str(&format!(" insert overwrite directory '{path}' {branch}"));
        }
        Some(sql)
    }

    pub(super) fn update_or_delete(&mut self) -> Option<String> {
        let table = self.transactional()?;
        let name = table.name.clone();
        let path = self.warehouse.path(&table, &mut self.random);
        let scope = Scope::of(Source { alias: name.clone(), columns: table.columns.clone() });
        let filter = format!(" where {}", self.expand("condition", &scope, 2));
        if self.random.percent(35) {
            return Some(format!("delete from {path}{filter}"));
        }
        let changes = self.changes(&table, &scope)?;
        Some(format!("update {path} set {changes}{filter}"))
    }

    fn transactional(&mut self) -> Option<Relation> {
        self.warehouse.any(&mut self.random, |relation| relation.form == Form::Transactional)
    }

    /// `a = ..., b = ...` for one or two columns.
    fn changes(&mut self, table: &Relation, scope: &Scope) -> Option<String> {
        let mut columns: Vec<&Column> =
            table.columns.iter().filter(|column| column.ty.kind().is_some()).collect();
        while columns.len() > 2 {
            columns.remove(self.random.below(columns.len()));
        }
        let mut changes = Vec::new();
        for column in columns {
            let expression = self.expand(column.ty.kind()?.rule(), scope, 2);
            changes.push(format!("{} = cast({expression} as {})", column.name, column.ty.sql()));
        }
        (!changes.is_empty()).then(|| changes.join(", "))
    }

    pub(super) fn merge(&mut self) -> Option<String> {
        let target = self.transactional().filter(|table| !table.holds_nested_types())?;
        let source = self.readable();
        let key = target.columns.iter().find(|column| {
            source
                .all_columns()
                .any(|other| other.ty.kind() == column.ty.kind() && column.ty.kind() != Some(Kind::Boolean))
        })?;
        let other = source.all_columns().find(|other| other.ty.kind() == key.ty.kind())?;
        let from = self.warehouse.path(&source, &mut self.random);
        let from = if self.random.percent(25) { format!("(select * from {from})") } else { from };
        let into = self.warehouse.path(&target, &mut self.random);
        let visible =
            Scope::of(Source { alias: "s".into(), columns: source.all_columns().cloned().collect() });
        let mut sql =
            format!("merge into {into} as t using {from} as s on t.{} = s.{}", key.name, other.name);
        if self.random.percent(45) {
            sql.push_str(&format!(" when matched and s.{} is null then delete", other.name));
        }
        if self.random.percent(75) {
            let changes = self.changes(&target, &visible)?;
            sql.push_str(&format!(" when matched then update set {changes}"));
        }
        let values: Vec<String> =
            target.columns.iter().map(|column| self.merged_value(column, &visible)).collect();
        sql.push_str(&format!(" when not matched then insert values ({})", values.join(", ")));
        Some(sql)
    }

    fn merged_value(&mut self, column: &Column, scope: &Scope) -> String {
        let rule = column.ty.kind().map_or("text", Kind::rule);
        let expression = self.expand(rule, scope, 2);
        format!("cast({expression} as {})", column.ty.sql())
    }
}
