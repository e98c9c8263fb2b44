//! What reaches through a view. The view is an object of its own: neither grants nor denials on its sources do.
//! But a tag on a source is inherited by the view's columns that show it, and row filters and column masks on a
//! source hold for whoever reads it through the view.

use std::collections::{BTreeSet, HashMap, HashSet};

use guardbee_analysis::catalog::{CatalogChange, Table, TableKind, ViewDefinition};
use guardbee_analysis::effects::{DatasetKind, Effects, Masking, Object, Origin, Read};
use guardbee_analysis::{Catalog, Session as AnalysisSession};
use guardbee_model::{ColumnName, HiveVersion, Name, Operation, TableName};
use guardbee_policy::decision::Obligation;
use guardbee_policy::request::Columns;
use guardbee_policy::requirement::{Reach, Requirement, Right, Side};
use guardbee_policy::{
    DataRule, GrantOption, Policy, Privilege, Privileges, Resource, Scope, TagAssignment, obligations,
};
use smol_str::SmolStr;
use std::sync::Arc;

use super::Judge;

impl Judge<'_> {
    /// The policy with the tags that the views of the statement inherit; none where they inherit nothing.
    pub(super) fn with_inherited_tags(&self, effects: &Effects) -> Option<Policy> {
        let policy = &self.snapshot.policy;
        if !policy.has_tags() {
            return None;
        }
        let mut heritage = Heritage {
            policy,
            catalog: self.before.catalog(),
            version: self.engine.hive_version,
            sources: HashMap::new(),
        };
        let mut inherited: Vec<TagAssignment> = Vec::new();
        for read in effects.reads.iter().filter(|read| read.access.is_direct() && is_view(read)) {
            let Object::Table(name) = &read.object else { continue };
            let Some(view) = heritage.catalog.table(&name.database, &name.table).cloned() else { continue };
            for column in view.all_columns() {
                let column = ColumnName::new(view.name.clone(), column.name.clone());
                inherited.extend(heritage.inherited(&column));
            }
        }
        if inherited.is_empty() {
            return None;
        }
        let mut policy = policy.clone();
        inherited.into_iter().for_each(|assignment| policy.inherit_tag(assignment));
        Some(policy)
    }

    /// The filters and masks on what the statement reads, whatever its book asks about columns. Those on tables
    /// that are read through views come after; rules on tags are the views' own by now.
    pub(super) fn obligations_of_reads(&self, policy: &Policy, effects: &Effects) -> Vec<Obligation> {
        // What a view shows is filtered and masked for whoever reads it.
        let only_defines = matches!(effects.operation, Operation::CreateView | Operation::AlterViewAs);
        if policy.data_policies().next().is_none() {
            return Vec::new();
        }
        let (direct, through): (Vec<&Read>, Vec<&Read>) =
            effects.reads.iter().partition(|read| read.access.is_direct());
        let readings = |reads: Vec<&Read>| reads.into_iter().filter_map(reading).collect::<Vec<_>>();
        let direct = match only_defines || effects.targets.is_empty() {
            true => Vec::new(),
            false => direct.into_iter().filter(|read| !self.is_own(read)).collect(),
        };
        let mut found = obligations(policy, self.subject, &readings(direct));
        let stands_on_tag = |rule, name: &Name| {
            policy.data_policy(rule, name).is_some_and(|found| matches!(found.scope, Scope::Tag { .. }))
        };
        let policy = &self.snapshot.policy;
        let through = obligations(policy, self.subject, &readings(through));
        found.extend(through.into_iter().filter(|obligation| match obligation {
            Obligation::Filter { policy, .. } => !stands_on_tag(DataRule::RowFilter, policy),
            Obligation::Mask { policy, .. } => !stands_on_tag(DataRule::ColumnMask, policy),
        }));
        found
    }

    fn is_own(&self, read: &Read) -> bool {
        matches!(&read.object, Object::Table(table) if self.before.is_temporary(table))
    }

    /// A materialized view that is read and holds what is filtered or masked for them: it was filled by somebody
    /// else, and no filter reaches into it.
    pub(super) fn materialized_from_masked(&self, effects: &Effects) -> Option<TableName> {
        let policy = &self.snapshot.policy;
        policy.data_policies().next()?;
        let heritage = Heritage {
            policy,
            catalog: self.before.catalog(),
            version: self.engine.hive_version,
            sources: HashMap::new(),
        };
        let mut open = materialized(effects);
        let mut seen: HashSet<TableName> = HashSet::new();
        while let Some(name) = open.pop() {
            if !seen.insert(name.clone()) {
                continue;
            }
            let Some(view) = heritage.catalog.table(&name.database, &name.table) else { continue };
            let TableKind::MaterializedView(definition) = &view.kind else { continue };
            let Some(inner) = heritage.analyze(heritage.catalog.clone(), definition) else {
                return Some(name);
            };
            let readings: Vec<Requirement> = inner.reads.iter().filter_map(reading).collect();
            if !obligations(policy, self.subject, &readings).is_empty() {
                return Some(name);
            }
            open.extend(materialized(&inner));
        }
        None
    }
}

fn materialized(effects: &Effects) -> Vec<TableName> {
    let views = effects.reads.iter().filter(|read| read.kind == DatasetKind::MaterializedView);
    views
        .filter_map(|read| match &read.object {
            Object::Table(name) => Some(name.clone()),
            _ => None,
        })
        .collect()
}

const fn is_view(read: &Read) -> bool {
    matches!(read.kind, DatasetKind::View | DatasetKind::MaterializedView)
}

/// What it takes to read a table as somebody does who reaches it through a view.
fn reading(read: &Read) -> Option<Requirement> {
    let Object::Table(table) = &read.object else { return None };
    let columns: Vec<Name> =
        read.columns.iter().filter(|column| !column.is_dropped()).map(|column| column.name.clone()).collect();
    Some(Requirement {
        right: Right::AnyOf {
            privileges: Privileges::of(Privilege::Select),
            grant_option: GrantOption::Without,
        },
        resource: Resource::Table(table.clone()),
        columns: if columns.is_empty() { Columns::Whole } else { Columns::Named(columns) },
        reach: Reach::Around,
        side: Side::Input,
    })
}

/// Finds out which tags columns of views inherit.
struct Heritage<'a> {
    policy: &'a Policy,
    catalog: &'a Catalog,
    version: HiveVersion,
    /// Of each view that was looked at, what its columns show.
    sources: HashMap<TableName, Arc<Sources>>,
}

/// The columns whose values a view's columns show.
type Sources = HashMap<Name, BTreeSet<ColumnName>>;

impl Heritage<'_> {
    /// The tags that a view's column has not itself.
    fn inherited(&mut self, column: &ColumnName) -> Vec<TagAssignment> {
        let resource = Resource::Column(column.clone());
        let own: HashSet<Name> =
            self.policy.tags_on(&resource).map(|assignment| assignment.tag.clone()).collect();
        let mut tags: BTreeSet<(Name, Option<SmolStr>)> = BTreeSet::new();
        for source in self.origins(column) {
            for carrier in [
                Resource::Column(source.clone()),
                Resource::Table(source.table.clone()),
                Resource::Database(source.table.database.clone()),
            ] {
                let carried = self.policy.tags_on(&carrier).chain(self.policy.inherited_tags_on(&carrier));
                let inherited = carried.filter(|tag| !own.contains(&tag.tag));
                tags.extend(inherited.map(|assignment| (assignment.tag.clone(), assignment.value.clone())));
            }
        }
        tags.into_iter()
            .map(|(tag, value)| TagAssignment { tag, value, resource: resource.clone() })
            .collect()
    }

    /// All columns that it shows, of tables and of the views between.
    fn origins(&mut self, column: &ColumnName) -> BTreeSet<ColumnName> {
        let mut found = BTreeSet::new();
        let mut open = vec![column.clone()];
        while let Some(column) = open.pop() {
            let sources = self.sources_of(&column.table);
            for source in sources.get(&column.column).into_iter().flatten() {
                if found.insert(source.clone()) {
                    open.push(source.clone());
                }
            }
        }
        found
    }

    fn sources_of(&mut self, name: &TableName) -> Arc<Sources> {
        if let Some(known) = self.sources.get(name) {
            return known.clone();
        }
        let sources = self.catalog.table(&name.database, &name.table).and_then(|table| match &table.kind {
            TableKind::View(view) | TableKind::MaterializedView(view) => Some(self.read(table, view)),
            TableKind::Managed | TableKind::External | TableKind::Temporary => None,
        });
        let sources = Arc::new(sources.unwrap_or_default());
        self.sources.insert(name.clone(), sources.clone());
        sources
    }

    /// Reads the view's text with the views in it taken for tables, so that each is followed by itself.
    fn read(&self, view: &Table, definition: &ViewDefinition) -> Sources {
        let mut catalog = self.catalog.clone();
        let effects = self.analyze(catalog.clone(), definition);
        for read in effects.iter().flat_map(|effects| &effects.reads) {
            if let Object::Table(name) = &read.object
                && is_view(read)
                && let Some(inner) = self.catalog.table(&name.database, &name.table)
            {
                let as_table = Table { kind: TableKind::Managed, ..Table::clone(inner) };
                catalog.apply(&CatalogChange::PutTable(Arc::new(as_table)));
            }
        }
        let effects = self.analyze(catalog, definition);
        let targets = effects.iter().flat_map(|effects| effects.targets.first());
        let shown = targets.flat_map(|target| &target.columns);
        view.all_columns()
            .zip(shown)
            .map(|(column, shown)| {
                let sources = shown.sources.iter().filter(|source| source.masking == Masking::Plain);
                let columns = sources.filter_map(|source| match &source.origin {
                    Origin::Column { table, column } => Some(ColumnName::new(table.clone(), column.clone())),
                    _ => None,
                });
                (column.name.clone(), columns.collect())
            })
            .collect()
    }

    fn analyze(&self, catalog: Catalog, definition: &ViewDefinition) -> Option<Effects> {
        let mut session = AnalysisSession::new(catalog, self.version);
        session.use_database(definition.database.clone());
        session.analyze(&definition.text).effects
    }
}
