//! Where the data of a whole script comes from and where it ends up, statement by statement.

use std::collections::{BTreeMap, BTreeSet};

use guardbee_analysis::effects::{
    Destination, Influence, Object, Origin, Purpose, TargetColumn, WriteAction,
};
use guardbee_analysis::{Analysis, CatalogChange, Effects};
use guardbee_model::Operation;

/// The movements of data in a script.
#[derive(Debug, Default)]
pub(super) struct Flow {
    /// For each table or path written its direct sources.
    edges: BTreeMap<String, BTreeSet<String>>,
    /// Read by statements that write nothing.
    only_read: BTreeSet<String>,
    /// Written by statements that read nothing.
    only_written: BTreeSet<String>,
    /// For each column written its direct sources.
    columns: BTreeMap<(String, String), BTreeSet<String>>,
}

impl Flow {
    pub(super) fn of(analyses: &[Analysis]) -> Self {
        let mut flow = Self::default();
        for effects in analyses.iter().filter_map(|analysis| analysis.effects.as_ref()) {
            if moves_data(effects) {
                flow.add(effects);
            }
            for change in &effects.changes {
                match change {
                    CatalogChange::RenameTable { from, to } => {
                        flow.rename(&from.to_string(), &to.to_string());
                    }
                    CatalogChange::RemoveTable(name) => {
                        flow.only_written.remove(&name.to_string());
                    }
                    _ => {}
                }
            }
        }
        flow
    }

    /// What is read from outside: never written here, or read by what also writes it.
    pub(super) fn sources(&self) -> BTreeSet<String> {
        let read = self.edges.values().flatten().chain(&self.only_read);
        let from_outside = read.filter(|name| {
            !self.edges.contains_key(*name)
                || self.edges.get(*name).is_some_and(|sources| sources.contains(*name))
        });
        from_outside.cloned().collect()
    }

    /// What is written and not read again by another statement.
    pub(super) fn targets(&self) -> BTreeSet<String> {
        let is_read_on = |name: &String| {
            self.edges.iter().any(|(target, sources)| target != name && sources.contains(name))
        };
        let written = self.edges.keys().filter(|name| !is_read_on(name));
        written.chain(&self.only_written).cloned().collect()
    }

    /// The edges between columns from outside and columns of targets.
    pub(super) fn column_edges(&self) -> BTreeSet<(String, String)> {
        let targets = self.targets();
        let of_targets = self.columns.iter().filter(|((table, _), _)| targets.contains(table));
        let edges = of_targets.flat_map(|((table, column), sources)| {
            let target = format!("{table}.{column}");
            self.outermost(sources, 0).into_iter().map(move |source| (source, target.clone()))
        });
        without_covered(edges.collect())
    }

    fn add(&mut self, effects: &Effects) {
        let written = written(effects);
        let mut read = read(effects);
        if changes_rows(effects) {
            read.retain(|name| !written.contains(name));
        }
        match (read.is_empty(), written.is_empty()) {
            (_, true) => self.only_read.extend(read),
            (true, false) => self.only_written.extend(written),
            (false, false) => {
                for target in written {
                    self.edges.entry(target).or_default().extend(read.iter().cloned());
                }
            }
        }
        for target in &effects.targets {
            let Destination::Table(table) = &target.destination else { continue };
            for column in &target.columns {
                let key = (table.to_string(), column_label(column));
                let sources = sources(column);
                let stays_as_it_is = sources.iter().eq([&format!("{}.{}", key.0, key.1)]);
                if !stays_as_it_is {
                    self.columns.entry(key).or_default().extend(sources);
                }
            }
        }
    }

    fn rename(&mut self, from: &str, to: &str) {
        if let Some(sources) = self.edges.remove(from) {
            self.edges.insert(to.to_owned(), sources);
        }
        if self.only_written.remove(from) {
            self.only_written.insert(to.to_owned());
        }
    }

    /// The sources with those that the script itself made replaced by theirs.
    fn outermost(&self, sources: &BTreeSet<String>, depth: u32) -> BTreeSet<String> {
        const DEEPEST: u32 = 32;
        let mut outermost = BTreeSet::new();
        for source in sources {
            let made_here = source
                .rsplit_once('.')
                .and_then(|(table, column)| self.columns.get(&(table.to_owned(), column.to_owned())));
            match made_here {
                Some(inner) if depth < DEEPEST && !inner.contains(source) => {
                    outermost.extend(self.outermost(inner, depth + 1));
                }
                _ => {
                    outermost.insert(source.clone());
                }
            }
        }
        outermost
    }
}

/// Leaves out what a star says already: `x.c` to `y.c` beside `x.*` to `y.*`.
fn without_covered(edges: BTreeSet<(String, String)>) -> BTreeSet<(String, String)> {
    let is_covered = |(source, target): &(String, String)| {
        let (Some((from, column)), Some((to, same))) = (source.rsplit_once('.'), target.rsplit_once('.'))
        else {
            return false;
        };
        column == same && column != "*" && edges.contains(&(format!("{from}.*"), format!("{to}.*")))
    };
    edges.iter().filter(|edge| !is_covered(edge)).cloned().collect()
}

/// Does the statement bring rows from one place to another?
fn moves_data(effects: &Effects) -> bool {
    !effects.targets.is_empty()
        || matches!(
            effects.operation,
            Operation::Load
                | Operation::Export
                | Operation::Import
                | Operation::CreateTable
                | Operation::AlterTableExchangePartition
        )
}

/// UPDATE, DELETE and MERGE read their own target, which makes it no source.
fn changes_rows(effects: &Effects) -> bool {
    effects.writes.iter().any(|write| matches!(write.action, WriteAction::Update | WriteAction::Delete))
}

/// The `LOCATION` of a new table is read for its place only.
fn read(effects: &Effects) -> BTreeSet<String> {
    let is_location = |object: &Object| {
        matches!(object, Object::Path(_))
            && matches!(effects.operation, Operation::CreateTable | Operation::CreateTableAsSelect)
    };
    let direct = effects.reads.iter().filter(|read| read.access.is_direct() && !is_location(&read.object));
    direct.filter_map(|read| dataset(&read.object)).collect()
}

fn written(effects: &Effects) -> BTreeSet<String> {
    effects.writes.iter().filter_map(|write| dataset(&write.object)).collect()
}

fn dataset(object: &Object) -> Option<String> {
    match object {
        Object::Table(name) => Some(name.to_string()),
        Object::Path(path) => Some(path.to_string()),
        _ => None,
    }
}

/// What the rows call a column: its name, or its text where it has none.
fn column_label(column: &TargetColumn) -> String {
    let is_unnamed = column.name.strip_prefix("_c").is_some_and(|rest| rest.parse::<u32>().is_ok());
    match &column.expression {
        Some(expression) if is_unnamed => super::spaced(&expression.to_lowercase()),
        _ => column.name.to_string(),
    }
}

/// In these rows, what chooses between values and what a window goes by are sources too.
fn sources(column: &TargetColumn) -> BTreeSet<String> {
    let direct = column.sources.iter().map(|source| &source.origin);
    let counted =
        |influence: &&Influence| matches!(influence.purpose, Purpose::Conditional | Purpose::Window);
    let indirect = column.influences.iter().filter(counted).map(|influence| &influence.origin);
    direct.chain(indirect).map(origin).collect()
}

/// Direct sources that are columns.
pub(super) fn direct_columns(column: &TargetColumn) -> BTreeSet<String> {
    let sources = column.sources.iter().map(|source| &source.origin);
    sources.filter(|origin| !matches!(origin, Origin::WholeTable(_))).map(origin).collect()
}

/// A source that the text alone cannot place goes by its bare name.
pub(super) fn origin(origin: &Origin) -> String {
    match origin {
        Origin::Column { table, column } => format!("{table}.{column}"),
        Origin::WholeTable(table) => format!("{table}.*"),
        Origin::FileColumn { path, column } => format!("{path}.{column}"),
        Origin::Unresolved { column, .. } => column.to_string(),
    }
}
