//! What becomes of a statement that names what is not there: whoever may see where it would be is told so, and
//! all others are refused as if it were there.

use std::collections::HashSet;

use guardbee_analysis::Catalog;
use guardbee_analysis::catalog::CatalogChange;
use guardbee_analysis::effects::{Effects, Object, WriteAction};
use guardbee_model::{Diagnostic, DiagnosticCode};
use guardbee_policy::Resource;
use guardbee_policy::request::{Lifetime, Request};
use guardbee_policy::requirement::Requirement;

use crate::outcome::{Outcome, Problem};
use crate::request::Translation;
use crate::sight::parent;

use super::{Judge, Wish, problem_of};

impl Judge<'_> {
    pub(super) fn unknown(
        &self,
        effects: &Effects,
        translation: &Translation,
        requirements: &[Requirement],
        diagnostics: &[Diagnostic],
    ) -> Option<(Outcome, Problem)> {
        let catalog = self.before.catalog();
        let mut unknown = rename_targets(effects, catalog);
        let likes = translation.named.likes.iter().filter(|table| !self.before.is_temporary(table));
        unknown.extend(likes.filter_map(|table| missing_part(&Resource::Table(table.clone()), catalog)));
        if finding(diagnostics, DiagnosticCode::UNKNOWN_TABLE).is_some() {
            unknown.extend(unknown_objects(effects, &translation.request, catalog));
        }
        if let Some(hidden) = unknown.iter().find(|object| !self.may_know(object)) {
            return Some((Outcome::Denied, self.hidden(effects, hidden, requirements)));
        }
        if let Some(absent) = unknown.first() {
            return Some((Outcome::Error, Problem::new("unknown-object", format!("there is no `{absent}`"))));
        }
        self.unknown_column(translation, diagnostics)
    }

    /// May they be told that there is no such thing?
    fn may_know(&self, object: &Resource) -> bool {
        self.wish == Wish::CarryOut || self.sight().sees(&parent(object))
    }

    /// The same answer as for something that is there and may not be touched.
    fn hidden(&self, effects: &Effects, hidden: &Resource, requirements: &[Requirement]) -> Problem {
        let decision = self.decide(requirements, effects.operation);
        if decision.is_allowed() {
            let user = &self.identity.user;
            let operation = effects.operation;
            let message = format!("user `{user}` may not run {operation}: missing a right on {hidden}");
            return Problem::new("not-allowed", message);
        }
        self.denial(effects.operation, &decision)
    }

    /// Whoever may see the tables is told that none has the column.
    fn unknown_column(
        &self,
        translation: &Translation,
        diagnostics: &[Diagnostic],
    ) -> Option<(Outcome, Problem)> {
        let mistake = finding(diagnostics, DiagnosticCode::UNKNOWN_COLUMN)?;
        let reads = translation.request.reads.iter().map(|read| &read.resource);
        let mut tables = reads.filter(|resource| matches!(resource, Resource::Table(_)));
        let sight = self.sight();
        tables.all(|table| sight.sees(table)).then(|| (Outcome::Error, problem_of(mistake)))
    }
}

fn finding(diagnostics: &[Diagnostic], code: DiagnosticCode) -> Option<&Diagnostic> {
    diagnostics.iter().find(|found| found.code == code)
}

/// The objects of a request that the catalog does not have, though the statement needs them to be there.
fn unknown_objects(effects: &Effects, request: &Request, catalog: &Catalog) -> Vec<Resource> {
    let created: HashSet<&Object> = effects
        .writes
        .iter()
        .filter(|output| output.action == WriteAction::Create)
        .map(|output| &output.object)
        .collect();
    let is_created = |missing: &Resource| match missing {
        Resource::Table(table) => created.contains(&Object::Table(table.clone())),
        Resource::Database(database) => created.contains(&Object::Database(database.clone())),
        _ => false,
    };
    let reads = request.reads.iter().map(|read| &read.resource);
    let writes = request
        .writes
        .iter()
        .filter(|write| write.lifetime == Lifetime::Permanent)
        .map(|write| &write.resource);
    let mut unknown = Vec::new();
    for resource in reads.chain(writes) {
        if let Some(missing) = missing_part(resource, catalog)
            && !is_created(&missing)
            && !unknown.contains(&missing)
        {
            unknown.push(missing);
        }
    }
    unknown
}

/// The database where that is missing, else the table.
fn missing_part(resource: &Resource, catalog: &Catalog) -> Option<Resource> {
    let database = match resource {
        Resource::Database(database) => database,
        Resource::Table(table) => &table.database,
        _ => return None,
    };
    if catalog.database(database).is_none() {
        return Some(Resource::Database(database.clone()));
    }
    match resource {
        Resource::Table(table) if catalog.table(database, &table.table).is_none() => Some(resource.clone()),
        _ => None,
    }
}

/// A table can be renamed into a database only that is there.
fn rename_targets(effects: &Effects, catalog: &Catalog) -> Vec<Resource> {
    let target = |change: &CatalogChange| match change {
        CatalogChange::RenameTable { to, .. } if catalog.database(&to.database).is_none() => {
            Some(Resource::Database(to.database.clone()))
        }
        _ => None,
    };
    effects.changes.iter().filter_map(target).collect()
}
