//! What the two sides are brought to before they are compared.

use std::collections::{BTreeMap, BTreeSet};

use crate::golden::GoldenStatement;

use super::prediction::Prediction;

/// Table and column; the column `*` is the whole table.
pub type Column = (String, String);

/// Kind and sources by target column.
pub type Lineage = BTreeMap<Column, (Option<String>, BTreeSet<Column>)>;

/// `database@table`, and `database:name` where databases count, of Hive's entities. Paths, functions, the tables behind VALUES
/// and the like are dropped.
pub fn entities(raw: Option<&[String]>, databases: bool) -> BTreeSet<String> {
    let entities = raw.unwrap_or_default().iter().map(|entity| entity.trim().to_lowercase());
    entities.filter_map(|entity| normal_entity(entity, databases)).collect()
}

fn normal_entity(entity: String, databases: bool) -> Option<String> {
    if entity.starts_with("database:") {
        return databases.then_some(entity);
    }
    let is_path = entity.contains("://")
        || ["/", "#", "file:", "hdfs:", "pfile:"].iter().any(|start| entity.starts_with(start));
    if is_path || !entity.contains('@') {
        return None;
    }
    let mut parts: Vec<&str> = entity.split('@').collect();
    if let Some(partition) = (2..parts.len()).find(|place| parts[*place].contains('=')) {
        parts.truncate(partition);
    }
    let table = parts.pop()?.trim();
    let database = parts.join("@");
    let database = database.trim();
    if database == "_dummy_database" || is_behind_values(table) {
        return None;
    }
    Some(format!("{database}@{table}"))
}

fn is_behind_values(table: &str) -> bool {
    let number = table.strip_prefix("values__tmp__table__");
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Table and column of `database.table.column`, `table.column` or `column`.
pub fn split_column(name: &str) -> Column {
    let name = name.trim().to_lowercase();
    let parts: Vec<&str> = name.splitn(3, '.').collect();
    match parts.as_slice() {
        [_, table, column] | [table, column] => ((*table).to_owned(), (*column).to_owned()),
        _ => (String::new(), name),
    }
}

/// Nothing where there is none or some of it is hidden.
pub fn golden_lineage(statement: &GoldenStatement) -> Option<Lineage> {
    let columns =
        statement.lineage.as_ref().filter(|columns| !columns.is_empty() && !statement.lineage_masked)?;
    let mut lineage = Lineage::new();
    for column in columns {
        let sources = column.sources.iter().map(|source| {
            let name = source.column.as_deref().map_or_else(|| "*".to_owned(), plain);
            (plain(source.table.as_deref().unwrap_or_default()), name)
        });
        let target =
            (plain(column.target_table.as_deref().unwrap_or_default()), plain(&column.target_column));
        merge(&mut lineage, target, column.kind.clone(), sources.collect());
    }
    Some(lineage)
}

pub fn predicted_lineage(prediction: &Prediction) -> Lineage {
    let mut lineage = Lineage::new();
    for column in prediction.columns.iter().flatten() {
        let sources = column.sources.iter().flatten().map(|source| split_column(source)).collect();
        let kind = Some(column.kind.clone().unwrap_or_default());
        merge(&mut lineage, split_column(&column.target), kind, sources);
    }
    lineage
}

pub fn columns_only(sources: &BTreeSet<Column>) -> BTreeSet<&Column> {
    sources.iter().filter(|(_, column)| column != "*").collect()
}

/// Several lines for a target, one for each partition, count as one: all the sources, and the strongest kind.
fn merge(lineage: &mut Lineage, target: Column, kind: Option<String>, sources: BTreeSet<Column>) {
    match lineage.get_mut(&target) {
        Some((known_kind, known_sources)) => {
            if strength(kind.as_deref()) > strength(known_kind.as_deref()) {
                *known_kind = kind;
            }
            known_sources.extend(sources);
        }
        None => {
            lineage.insert(target, (kind, sources));
        }
    }
}

fn strength(kind: Option<&str>) -> Option<usize> {
    ["SIMPLE", "EXPRESSION", "SCRIPT"].iter().position(|known| Some(*known) == kind)
}

fn plain(name: &str) -> String {
    name.trim().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entities_are_tables_and_databases() {
        let raw = [
            "default@T1",
            "default@t1@ds=1/hr=2",
            "database:Default",
            "hdfs://### HDFS PATH ###",
            "file:/tmp/a@b",
            "_dummy_database@_dummy_table",
            "default@values__tmp__table__12",
            "default@values__tmp__table__x",
            "default.f",
            "a@b@t",
        ]
        .map(str::to_owned);
        let tables: Vec<String> = entities(Some(&raw), false).into_iter().collect();
        assert_eq!(tables, ["a@b@t", "default@t1", "default@values__tmp__table__x"]);
        assert!(entities(Some(&raw), true).contains("database:default"));
        assert!(entities(None, true).is_empty());
    }

    #[test]
    fn columns_lose_their_database() {
        let column = |table: &str, name: &str| (table.to_owned(), name.to_owned());
        assert_eq!(split_column("D.T.a.b"), column("t", "a.b"));
        assert_eq!(split_column("t.a"), column("t", "a"));
        assert_eq!(split_column("a"), column("", "a"));
    }

    #[test]
    fn the_strongest_kind_of_several_lines_counts() {
        let target = split_column("t.a");
        let mut lineage = Lineage::new();
        for kind in ["SIMPLE", "SCRIPT", "EXPRESSION"] {
            merge(&mut lineage, target.clone(), Some(kind.to_owned()), BTreeSet::from([split_column(kind)]));
        }
        let (kind, sources) = &lineage[&target];
        assert_eq!(kind.as_deref(), Some("SCRIPT"));
        assert_eq!(sources.len(), 3);
    }
}
