//! What do statements read, write and derive, before anybody runs them?
//!
//! The catalog that they are analysed with is the whole one; whoever does not see all of it gets the answer that they would get
//! if what they may not know of were not there. A view that they see and that leads to what they do not is taken as a table.

use std::collections::HashSet;
use std::sync::Arc;

use guardbee_analysis::catalog::{CatalogChange, Table, TableKind};
use guardbee_analysis::effects::{Access, DatasetKind, Effects, Object};
use guardbee_analysis::{Analysis, Session};
use guardbee_engine::{Problem, Viewer};
use guardbee_hiveql::lexer::{Lexer, LexerSettings, QuotedIdentifiers};
use guardbee_hiveql::script::Script;
use guardbee_hiveql::token::TokenKind;
use guardbee_hiveql::variables::{VariableNamespace, Variables};
use guardbee_lineage::DatasetName;
use guardbee_model::{Diagnostic, DiagnosticCode, HiveVersion, Name, Severity, TableName};
use guardbee_wire::place::Places;
use guardbee_wire::{Analyzed, Document, Finding, Statement, Summary, VERSION};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::defaults;
use crate::ground::{Ground, Unanswered};

/// Of one request.
const MOST_STATEMENTS: u64 = 10_000;
/// How often a statement is looked at again because of what may not be known of.
const MOST_ROUNDS: usize = 64;

/// Statements to be analysed, in one session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AnalyzeRequest {
    /// Scripts or single statements, one after the other.
    pub texts: Vec<AnalyzedText>,
    /// The database that names without one belong to.
    #[serde(default = "defaults::database")]
    pub database: String,
    /// Variables for `${x}` and `${hivevar:x}`, by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hivevar: Vec<(String, String)>,
    /// Configuration values, also for `${hiveconf:x}`, by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hiveconf: Vec<(String, String)>,
    /// Which statements to list.
    #[serde(default, skip_serializing_if = "Listed::is_all")]
    pub listed: Listed,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AnalyzedText {
    /// What the answer calls it.
    pub label: String,
    pub text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Listed {
    #[default]
    All,
    /// Only those with errors or warnings.
    Findings,
}

impl Listed {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
    fn is_all(&self) -> bool {
        *self == Self::All
    }
}

/// What each statement does, as `guardbee analyze --format json` says it.
///
/// # Errors
/// [`Unanswered::WrongUse`] where there are too many.
pub async fn analyze(
    ground: &Ground<'_>,
    request: &AnalyzeRequest,
    version: HiveVersion,
) -> Result<Document, Unanswered> {
    let mut variables = Variables::new();
    for (name, value) in &request.hiveconf {
        variables.define(VariableNamespace::HiveConf, name.as_str(), value.as_str());
    }
    for (name, value) in &request.hivevar {
        variables.define(VariableNamespace::HiveVar, name.as_str(), value.as_str());
    }
    let mut session = Session::with_variables((**ground.catalog).clone(), version, variables);
    session.use_database(Name::fold(&request.database));
    if !ground.viewer.sees_everything() {
        session = session.without_suggestions();
    }
    let mut seeing = Seeing { viewer: ground.viewer, session, made: Made::default() };
    let mut answer = Answer {
        listed: request.listed,
        told: HashSet::new(),
        statements: Vec::new(),
        summary: Summary::default(),
    };
    for text in &request.texts {
        let mut places = Places::starting_at(&text.text, guardbee_wire::place::Place { line: 1, column: 1 });
        for piece in Script::new(&text.text) {
            if answer.summary.statements == MOST_STATEMENTS {
                let message = format!("{MOST_STATEMENTS} statements are analysed at once, no more");
                return Err(Unanswered::WrongUse(Problem::new("too-many", message)));
            }
            let analysis = seeing.analyze(piece.text);
            let place = places.of(piece.span.start);
            let mut findings = Finding::all(analysis.diagnostics, piece.span.start, &places);
            answer.note_repeated(&mut findings);
            answer.take(&Analyzed {
                label: &text.label,
                text: &text.text,
                base: 0,
                span: piece.span,
                place,
                effects: analysis.effects,
                findings,
            });
        }
    }
    answer.summary.files = 1;
    Ok(Document { version: VERSION, statements: answer.statements, summary: answer.summary })
}

/// An answer as it grows.
struct Answer {
    listed: Listed,
    /// What was said of tables that the catalog lacks: it is said once.
    told: HashSet<String>,
    statements: Vec<Statement>,
    summary: Summary,
}

impl Answer {
    fn note_repeated(&mut self, findings: &mut [Finding]) {
        for Finding { diagnostic, is_repeated, .. } in findings {
            let is_of_table = diagnostic.code == DiagnosticCode::UNKNOWN_TABLE;
            *is_repeated = is_of_table && !self.told.insert(diagnostic.message.clone());
        }
    }

    fn take(&mut self, analyzed: &Analyzed<'_>) {
        self.summary.statements += 1;
        for finding in &analyzed.findings {
            match finding.diagnostic.severity {
                Severity::Error => self.summary.errors += 1,
                Severity::Warning => self.summary.warnings += 1,
            }
        }
        let is_listed = match self.listed {
            Listed::All => true,
            Listed::Findings => analyzed.findings.iter().any(|finding| !finding.is_repeated),
        };
        if is_listed {
            self.statements.push(Statement::from(analyzed));
        }
    }
}

/// What the statements so far have made themselves: that is known to who wrote them.
#[derive(Default)]
struct Made {
    databases: HashSet<Name>,
    tables: HashSet<TableName>,
}

/// A session as somebody may see it.
struct Seeing<'v> {
    viewer: &'v Viewer,
    session: Session,
    made: Made,
}

impl Seeing<'_> {
    fn analyze(&mut self, text: &str) -> Analysis {
        if self.viewer.sees_everything() {
            return self.session.analyze(text);
        }
        let named = self.named(text);
        named.iter().for_each(|change| self.session.apply(change));
        let mut closed: Vec<(Arc<Table>, Arc<Table>)> = Vec::new();
        for _ in 0..MOST_ROUNDS {
            let mut attempt = self.session.clone();
            closed.iter().for_each(|(_, table)| attempt.apply(&CatalogChange::PutTable(table.clone())));
            let mut analysis = attempt.analyze(text);
            let Some(effects) = &mut analysis.effects else {
                self.session = attempt;
                return analysis;
            };
            let hidden = self.hidden(effects);
            let views = self.to_close(effects);
            if hidden.is_empty() && views.is_empty() {
                self.made.take(effects);
                restore(&mut attempt, effects, &closed);
                self.session = attempt;
                return analysis;
            }
            hidden.iter().for_each(|change| self.session.apply(change));
            closed.extend(views);
        }
        let message = "the statement names too much that the catalog lacks";
        let refused = Diagnostic::error(DiagnosticCode::LIMIT, guardbee_model::Span::default(), message);
        Analysis { effects: None, diagnostics: vec![refused] }
    }

    /// What of the catalog has to go as the text may name it, whatever it names it for. Not all that a statement goes by is
    /// among its effects, such as the table of `LIKE`.
    fn named(&self, text: &str) -> Vec<CatalogChange> {
        let text = self.session.substituted(text);
        let settings = LexerSettings {
            version: self.session.settings().parser.version,
            quoted_identifiers: QuotedIdentifiers::Standard,
        };
        let mut lexer = Lexer::new(&text).with_settings(settings);
        let mut hidden = Vec::new();
        let mut before: Option<Name> = None;
        loop {
            let token = lexer.next_token();
            if token.kind == TokenKind::Eof {
                return hidden;
            }
            let word = token.span.text(&text);
            if word == "." {
                continue;
            }
            let word = word.trim_matches(['`', '"']).replace("``", "`");
            let name = Name::fold(&word);
            let database = before.replace(name.clone());
            let databases = database.into_iter().chain([self.session.database().clone()]);
            let tables = databases.map(|database| Object::Table(TableName::new(database, name.clone())));
            hidden.extend(tables.filter_map(|table| self.hides(&table)));
            hidden.extend(self.hides(&Object::Database(name)));
        }
    }

    /// The same as the effects of a statement name it.
    fn hidden(&self, effects: &Effects) -> Vec<CatalogChange> {
        let read = effects.reads.iter().map(|read| &read.object);
        let written = effects.writes.iter().map(|write| &write.object);
        let mut hidden: Vec<CatalogChange> =
            read.chain(written).filter_map(|object| self.hides(object)).collect();
        for change in &effects.changes {
            if let CatalogChange::UseDatabase(name) = change {
                hidden.extend(self.hides(&Object::Database(name.clone())));
            }
        }
        hidden
    }

    fn hides(&self, object: &Object) -> Option<CatalogChange> {
        let catalog = self.session.catalog();
        let hides_database = |name: &Name| {
            catalog.database(name).is_some()
                && !self.made.databases.contains(name)
                && !self.viewer.sees(&DatasetName::Database(name.clone()))
        };
        match object {
            Object::Database(name) if hides_database(name) => {
                Some(CatalogChange::RemoveDatabase(name.clone()))
            }
            Object::Table(table) | Object::Index { table, .. } => {
                if self.made.tables.contains(table) || self.session.is_temporary(table) {
                    None
                } else if hides_database(&table.database) {
                    Some(CatalogChange::RemoveDatabase(table.database.clone()))
                } else {
                    let is_there = catalog.table(&table.database, &table.table).is_some();
                    let is_seen = self.viewer.sees(&DatasetName::Table(table.clone()));
                    (is_there && !is_seen).then(|| CatalogChange::RemoveTable(table.clone()))
                }
            }
            _ => None,
        }
    }

    /// The views that lead to what may not be known of, each with the table that stands in its place.
    fn to_close(&self, effects: &Effects) -> Vec<(Arc<Table>, Arc<Table>)> {
        let mut views: HashSet<&TableName> = HashSet::new();
        for read in &effects.reads {
            let (Access::Through(through), Object::Table(table)) = (&read.access, &read.object) else {
                continue;
            };
            let is_known = |name: &TableName| {
                self.made.tables.contains(name) || self.viewer.sees(&DatasetName::Table(name.clone()))
            };
            if !is_known(table) || through.iter().any(|view| !is_known(view)) {
                views.extend(through.first());
            }
        }
        let tables = views.into_iter().filter_map(|view| self.session.table(view));
        tables
            .map(|view| (view.clone(), Arc::new(Table { kind: TableKind::Managed, ..Table::clone(view) })))
            .collect()
    }
}

/// Views are views again, and are called so.
fn restore(session: &mut Session, effects: &mut Effects, closed: &[(Arc<Table>, Arc<Table>)]) {
    for (view, table) in closed {
        if session.table(&view.name).is_some_and(|now| Arc::ptr_eq(now, table)) {
            session.apply(&CatalogChange::PutTable(view.clone()));
        }
        let kind = match view.kind {
            TableKind::MaterializedView(_) => DatasetKind::MaterializedView,
            _ => DatasetKind::View,
        };
        for read in &mut effects.reads {
            if matches!(&read.object, Object::Table(name) if *name == view.name) {
                read.kind = kind;
            }
        }
    }
}

impl Made {
    fn take(&mut self, effects: &Effects) {
        for change in &effects.changes {
            match change {
                CatalogChange::PutDatabase(database) => {
                    self.databases.insert(database.name.clone());
                }
                CatalogChange::PutTable(table) => {
                    self.tables.insert(table.name.clone());
                }
                CatalogChange::RenameTable { to, .. } => {
                    self.tables.insert(to.clone());
                }
                _ => {}
            }
        }
    }
}
