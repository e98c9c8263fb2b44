//! What `SHOW DATABASES`, `SHOW TABLES` and kin list for whoever asks, and what `EXPLAIN AUTHORIZATION` prints.

use guardbee_analysis::Session as AnalysisSession;
use guardbee_analysis::catalog::{Table, TableKind};
use guardbee_analysis::effects::{Effects, Object};
use guardbee_hiveql::tree::{Identifier, Pattern, PatternText, Show, TableFilter};
use guardbee_model::Name;
use guardbee_policy::{Decision, Identity, Settings, Visibility};

use crate::named::table_name;
use crate::outcome::{Answer, Value, missing_text};

/// The rows of a statement that lists what is in the catalog; nothing for all others.
pub(crate) fn show(visibility: &Visibility<'_>, session: &AnalysisSession, show: &Show<'_>) -> Answer {
    let given = |database: &Option<Identifier<'_>>| {
        database.map_or_else(|| session.database().clone(), |database| database.name())
    };
    match show {
        Show::Databases { pattern } => databases(visibility, session, pattern.as_ref()),
        Show::Tables { database, filter, .. } => match filter {
            Some(TableFilter::Where { .. }) => Answer::default(),
            Some(TableFilter::Pattern(pattern)) => {
                tables(visibility, session, &given(database), Some(&pattern.text), |_| true)
            }
            None => tables(visibility, session, &given(database), None, |_| true),
        },
        Show::Views { database, pattern } => {
            let is_view = |table: &Table| matches!(table.kind, TableKind::View(_));
            tables(visibility, session, &given(database), text(pattern), is_view)
        }
        Show::MaterializedViews { database, pattern } => {
            let is_view = |table: &Table| matches!(table.kind, TableKind::MaterializedView(_));
            tables(visibility, session, &given(database), text(pattern), is_view)
        }
        Show::Columns { table, database, pattern, .. } => {
            let name = table_name(table, &given(database));
            let Some(table) = session.catalog().table(&name.database, &name.table) else {
                return Answer::default();
            };
            columns(visibility, table, text(pattern))
        }
        _ => Answer::default(),
    }
}

fn text<'t, 'a>(pattern: &'t Option<Pattern<'a>>) -> Option<&'t PatternText<'a>> {
    pattern.as_ref().map(|pattern| &pattern.text)
}

fn databases(
    visibility: &Visibility<'_>,
    session: &AnalysisSession,
    pattern: Option<&PatternText<'_>>,
) -> Answer {
    let names = session.catalog().databases().map(|database| &database.name);
    rows(&["database_name"], visibility.databases(names), pattern)
}

fn tables(
    visibility: &Visibility<'_>,
    session: &AnalysisSession,
    database: &Name,
    pattern: Option<&PatternText<'_>>,
    is_meant: impl Fn(&Table) -> bool,
) -> Answer {
    let tables = session.catalog().tables(database).filter(|table| is_meant(table));
    let names = tables.map(|table| &table.name.table);
    rows(&["tab_name"], visibility.tables(database, names), pattern)
}

fn columns(visibility: &Visibility<'_>, table: &Table, pattern: Option<&PatternText<'_>>) -> Answer {
    let names = visibility.columns(&table.name, table.all_columns().map(|column| &column.name));
    let pattern = pattern.map(matcher);
    let rows = names
        .into_iter()
        .filter(|name| pattern.as_ref().is_none_or(|pattern| matches(pattern, name)))
        .map(|name| vec![Value::text(name)]);
    Answer::table(&["field"], rows.collect())
}

fn rows(columns: &'static [&'static str], names: Vec<&Name>, pattern: Option<&PatternText<'_>>) -> Answer {
    let pattern = pattern.map(matcher);
    let mut rows: Vec<Vec<Value>> = names
        .into_iter()
        .filter(|name| pattern.as_ref().is_none_or(|pattern| matches(pattern, name)))
        .map(|name| vec![Value::text(name)])
        .collect();
    rows.sort();
    Answer::table(columns, rows)
}

/// The alternatives of a pattern: `a*|b*`. `%` is what `*` is, as in later versions.
fn matcher(pattern: &PatternText<'_>) -> Vec<guardbee_policy::NamePattern> {
    let text = match pattern {
        PatternText::String(string) => string.value().into_owned(),
        PatternText::Name(name) => name.name.value().into_owned(),
    };
    text.split('|').map(|part| guardbee_policy::NamePattern::fold(&part.trim().replace('%', "*"))).collect()
}

fn matches(patterns: &[guardbee_policy::NamePattern], name: &str) -> bool {
    patterns.iter().any(|pattern| pattern.matches(name))
}

/// What `EXPLAIN AUTHORIZATION` prints, in the order of Hive's own.
pub(crate) fn authorization(
    effects: &Effects,
    decision: &Decision,
    settings: &Settings,
    identity: &Identity,
) -> Answer {
    let objects = |objects: &mut dyn Iterator<Item = &Object>| -> Vec<String> {
        objects.map(|object| format!("  {object}")).collect()
    };
    let mut reads = effects.reads.iter().filter(|read| read.access.is_direct()).map(|read| &read.object);
    let mut writes = effects.writes.iter().map(|write| &write.object);
    let mut lines = vec!["INPUTS: ".to_owned()];
    lines.extend(objects(&mut reads));
    lines.push("OUTPUTS: ".to_owned());
    lines.extend(objects(&mut writes));
    lines.push("CURRENT_USER: ".to_owned());
    lines.push(format!("  {}", identity.user));
    lines.push("OPERATION: ".to_owned());
    lines.push(format!("  {}", effects.operation));
    let mut failures = decision.missing().map(|missing| missing_text(missing, settings)).peekable();
    if failures.peek().is_some() {
        lines.push("AUTHORIZATION_FAILURES: ".to_owned());
        lines.extend(failures.map(|failure| format!("  {failure}")));
    }
    Answer::table(&["Explain"], lines.into_iter().map(|line| vec![Value::text(line)]).collect())
}
