//! Statements that make, change and drop tables and views.

use guardbee_model::HiveVersion;

use super::Generator;
use super::warehouse::{Column, Form, Relation, Type};

impl Generator {
    pub(super) fn create_table(&mut self) -> String {
        let name = self.fresh("t");
        let columns = self.columns(Type::any);
        let partitioned = self.random.percent(35);
        let partitions = if partitioned { self.partition_columns() } else { Vec::new() };
        let transactional = !partitioned && self.random.percent(25);
        let temporary =
            if !partitioned && !transactional && self.random.percent(5) { "temporary " } else { "" };
        let exists = if self.random.percent(10) { "if not exists " } else { "" };
        let mut sql = format!("create {temporary}table {exists}{name} ({})", definitions(&columns));
        if self.random.percent(8) {
            sql.push_str(" comment 'made up'");
        }
        if partitioned {
            sql.push_str(&format!(" partitioned by ({})", definitions(&partitions)));
        }
        sql.push_str(&self.storage(&columns, transactional));
        let form = match (transactional, temporary) {
            (true, _) => Form::Transactional,
            (false, "") => Form::Table,
            _ => Form::Temporary,
        };
        self.warehouse.add(&name, form, columns, partitions);
        sql
    }

    fn storage(&mut self, columns: &[Column], transactional: bool) -> String {
        let clustered =
            columns.first().filter(|column| column.ty.kind().is_some() && self.random.percent(12));
        let buckets = clustered
            .map_or(String::new(), |column| format!(" clustered by ({}) into 2 buckets", column.name));
        if transactional {
            return " stored as orc tblproperties ('transactional'='true')".into();
        }
        let format = self.random.text(&[
            "",
            " stored as orc",
            " stored as parquet",
            " stored as textfile",
            " row format delimited fields terminated by ','",
            " row format delimited fields terminated by '\\t' lines terminated by '\\n' stored as textfile",
        ]);
        format!("{buckets}{format}")
    }

    fn columns(&mut self, ty: impl Fn(&mut super::Random) -> Type) -> Vec<Column> {
        let mut columns: Vec<Column> = Vec::new();
        for _ in 0..self.random.between(2, 6) {
            let name = match self.random.below(60) {
                0 => format!("`{} no`", self.word()),
                1 => format!("`{}-{}`", self.word(), self.word()),
                _ => self.word().to_owned(),
            };
            if !columns.iter().any(|column| column.name == name) {
                columns.push(Column::new(name, ty(&mut self.random)));
            }
        }
        columns
    }

    fn partition_columns(&mut self) -> Vec<Column> {
        let count = self.random.weighted(&[0, 55, 40, 5]);
        (0..count)
            .map(|place| {
                let ty = self.random.pick(&[Type::String, Type::Date, Type::Int]).clone();
                Column::new(format!("p{place}"), ty)
            })
            .collect()
    }

    pub(super) fn create_table_as(&mut self) -> String {
        let query = self.named_query(2);
        let name = self.fresh("c");
        let format =
            self.random.text(&["", "", " stored as orc", " stored as parquet", " stored as textfile"]);
        self.warehouse.add(&name, Form::Table, query.columns, vec![]);
        format!("create table {name}{format} as {}", query.sql)
    }

    pub(super) fn create_view(&mut self) -> String {
        let mut query = self.named_query(2);
        let name = self.fresh("v");
        let mut renamed = String::new();
        if self.random.percent(25) {
            let names: Vec<String> = (0..query.columns.len()).map(|place| format!("vc{place}")).collect();
            renamed = format!(" ({})", names.join(", "));
            for (column, name) in query.columns.iter_mut().zip(names) {
                column.name = name;
            }
        }
        let verb = self.random.text(&[
            "create view",
            "create view",
            "create view if not exists",
            "create or replace view",
        ]);
        self.warehouse.add(&name, Form::View, query.columns, vec![]);
        format!("{verb} {name}{renamed} as {}", query.sql)
    }

    /// Over one transactional table, without what such a view must not hold.
    pub(super) fn create_materialized_view(&mut self) -> Option<String> {
        if self.version < HiveVersion::V3_1 {
            return None;
        }
        let base = self.warehouse.any(&mut self.random, |relation| relation.form == Form::Transactional)?;
        let columns: Vec<Column> =
            base.columns.iter().filter(|column| column.ty.kind().is_some()).cloned().collect();
        let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
        if names.is_empty() {
            return None;
        }
        let name = self.fresh("m");
        let base = self.warehouse.path(&base, &mut self.random);
        let sql = format!(
            "create materialized view {name} disable rewrite as select {} from {base}",
            names.join(", ")
        );
        self.warehouse.add(&name, Form::MaterializedView, columns, vec![]);
        Some(sql)
    }

    pub(super) fn drop_something(&mut self) -> Option<String> {
        let relation = self.warehouse.any(&mut self.random, |relation| !relation.given)?;
        let path = self.warehouse.path(&relation, &mut self.random);
        self.warehouse.drop(&relation.name);
        let what = match relation.form {
            Form::View => "view",
            Form::MaterializedView => "materialized view",
            Form::Table | Form::Temporary | Form::Transactional => "table",
        };
        let exists = if self.random.percent(30) { "if exists " } else { "" };
        Some(format!("drop {what} {exists}{path}"))
    }

    /// Makes a second database, or goes from one to the other.
    pub(super) fn database(&mut self) -> String {
        if self.warehouse.databases.len() == 1 {
            let name = self.fresh("d");
            self.warehouse.databases.push(name.clone());
            return format!("create database {name}");
        }
        let other = self.warehouse.databases.iter().find(|name| **name != self.warehouse.database);
        self.warehouse.database = other.cloned().unwrap_or_default();
        format!("use {}", self.warehouse.database)
    }

    /// Another query for a view that nothing else needs to read again.
    pub(super) fn alter_view(&mut self) -> Option<String> {
        let view = self.warehouse.any(&mut self.random, |relation| relation.form == Form::View)?;
        let path = self.warehouse.path(&view, &mut self.random);
        self.warehouse.drop(&view.name);
        Some(format!("alter view {path} as {}", self.named_query(1).sql))
    }

    /// Something about a table of the record that Hive does without data.
    pub(super) fn manage_table(&mut self) -> Option<String> {
        let table = self
            .warehouse
            .any(&mut self.random, |relation| relation.form == Form::Table && !relation.given)?;
        let name = table.name.clone();
        let path = self.warehouse.path(&table, &mut self.random);
        let fresh = self.fresh("n");
        let sql = match self.random.below(12) {
            0 => {
                self.changed(&name, |relation| relation.name.clone_from(&fresh));
                format!("alter table {path} rename to {}.{fresh}", table.database)
            }
            1 => {
                self.changed(&name, |relation| {
                    relation.columns.push(Column::new(fresh.clone(), Type::String))
                });
                format!("alter table {path} add columns ({fresh} string)")
            }
            2 => format!("alter table {path} set tblproperties ('note'='{}')", self.word()),
            3 => {
                let column = table.columns.first().filter(|column| column.ty.kind().is_some())?;
                let ty = column.ty.sql();
                self.changed(&name, |relation| relation.columns[0].name.clone_from(&fresh));
                format!("alter table {path} change column {} {fresh} {ty}", column.name)
            }
            4 if table.partitions.len() == 1 && table.partitions[0].ty == Type::String => {
                format!("alter table {path} add if not exists partition (p0='{}')", self.word())
            }
            5 => format!("truncate table {path}"),
            6 => format!("show create table {path}"),
            7 => format!("show columns in {path}"),
            8 => {
                self.warehouse.add(&fresh, Form::Table, table.columns.clone(), table.partitions.clone());
                format!("create table {fresh} like {path}")
            }
            9 => {
                self.macros.push(fresh.clone());
                format!(
                    "create temporary macro {fresh}(x string, y bigint) concat(x, '-', cast(y as string))"
                )
            }
            10 => format!("describe {}{path}", self.random.text(&["", "formatted ", "extended "])),
            _ => format!("analyze table {path} compute statistics"),
        };
        Some(sql)
    }

    fn changed(&mut self, name: &str, change: impl FnOnce(&mut Relation)) {
        if let Some(relation) = self.warehouse.relations.iter_mut().find(|relation| relation.name == name) {
            change(relation);
        }
    }
}

fn definitions(columns: &[Column]) -> String {
    let columns: Vec<String> =
        columns.iter().map(|column| format!("{} {}", column.name, column.ty.sql())).collect();
    columns.join(", ")
}
