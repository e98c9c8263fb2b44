//! The state of a script: current database, variables, settings, temporary things.
//!
//! A session takes the pieces of a script in order, each seeing what those before it did. It reads no
//! file and runs no command: it says what a command would do.

mod client_command;
mod file_system;

use std::borrow::Cow;
use std::sync::Arc;

use guardbee_hiveql::command::ClientCommand;
use guardbee_hiveql::parser::{Dialect, parse_statement};
use guardbee_hiveql::script::{Piece, Script};
use guardbee_hiveql::tree::Arena;
use guardbee_hiveql::variables::{OffsetMap, VariableNamespace, Variables};
use guardbee_model::{Diagnostic, DiagnosticCode, HiveVersion, Name, Severity, Span, TableName};

use crate::catalog::{Catalog, CatalogChange, Table, TableKind};
use crate::context::{Context, MacroScope};
use crate::effects::Effects;
use crate::settings::Settings;
use crate::slips::Slips;
use crate::statement::analyze_statement;

/// What came of one statement.
#[derive(Debug, Clone, PartialEq)]
pub struct Analysis {
    /// Absent where the statement could not be read at all, and where it does not run since the session has
    /// ended before it.
    pub effects: Option<Effects>,
    /// The findings, with their places in the text as it was given, variables and all.
    pub diagnostics: Vec<Diagnostic>,
}

impl Analysis {
    /// The first finding that keeps the statement from having a complete result.
    #[must_use]
    pub fn error(&self) -> Option<&Diagnostic> {
        self.diagnostics.iter().find(|diagnostic| diagnostic.severity == Severity::Error)
    }
}

/// One session: statements in order, each seeing what those before it did.
#[derive(Debug)]
pub struct Session {
    catalog: Catalog,
    /// Temporary tables and functions, macros and prepared statements: gone with the session.
    own: Catalog,
    database: Name,
    settings: Settings,
    variables: Variables,
    /// Has `QUIT` been read? Nothing after it runs.
    has_ended: bool,
    /// What misspelt names of tables may mean.
    slips: Slips,
    /// The memory of the last tree, kept for the next.
    arena: Arena,
}

impl Clone for Session {
    fn clone(&self) -> Self {
        Self {
            catalog: self.catalog.clone(),
            own: self.own.clone(),
            database: self.database.clone(),
            settings: self.settings,
            variables: self.variables.clone(),
            has_ended: self.has_ended,
            slips: self.slips.clone(),
            arena: Arena::new(),
        }
    }
}

impl Session {
    /// A new session in database `default`.
    #[must_use]
    pub fn new(catalog: Catalog, version: HiveVersion) -> Self {
        Self::with_variables(catalog, version, Variables::new())
    }

    /// A session that starts with values for variables, such as those of the command line.
    #[must_use]
    pub fn with_variables(catalog: Catalog, version: HiveVersion, variables: Variables) -> Self {
        let mut session = Self {
            catalog,
            own: Catalog::empty(),
            database: Name::from_static("default"),
            settings: Settings::new(version),
            variables,
            has_ended: false,
            slips: Slips::default(),
            arena: Arena::new(),
        };
        session.read_settings();
        session
    }

    /// The same session for the statements of another dialect.
    #[must_use]
    pub const fn with_dialect(mut self, dialect: Dialect) -> Self {
        self.settings.parser.dialect = dialect;
        self
    }

    /// The same session without suggestions of names that may have been meant, for whoever may not know of them.
    #[must_use]
    pub fn without_suggestions(mut self) -> Self {
        self.slips = Slips::none();
        self
    }

    /// The same session for the statements of another version.
    #[must_use]
    pub const fn with_version(mut self, version: HiveVersion) -> Self {
        self.settings.parser.version = version;
        self
    }

    /// What everybody sees after the statements so far. Cloning it is cheap.
    #[must_use]
    pub const fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// The current database.
    #[must_use]
    pub const fn database(&self) -> &Name {
        &self.database
    }

    /// Goes on over another catalog, as when others have changed it meanwhile.
    pub fn replace_catalog(&mut self, catalog: Catalog) {
        self.catalog = catalog;
    }

    /// Is it a temporary table of this session?
    #[must_use]
    pub fn is_temporary(&self, name: &TableName) -> bool {
        self.own.table(&name.database, &name.table).is_some()
    }

    /// A table or view as the session sees it: one of its own hides one of the catalog.
    #[must_use]
    pub fn table(&self, name: &TableName) -> Option<&Arc<Table>> {
        let own = self.own.table(&name.database, &name.table);
        own.or_else(|| self.catalog.table(&name.database, &name.table))
    }

    /// The value of one of Hive's settings, where the session or its start has given it one.
    #[must_use]
    pub fn setting(&self, key: &str) -> Option<&str> {
        self.variables.get(VariableNamespace::HiveConf, key)
    }

    /// A statement's text with its variables replaced, as the parser gets it.
    #[must_use]
    pub fn substituted<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.variables.substitute(text).text
    }

    /// Makes another database the current one, as `USE` does.
    pub fn use_database(&mut self, database: Name) {
        self.database = database;
    }

    #[must_use]
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The pieces of a script with what each does, one after the other.
    pub fn analyze_script<'t>(
        &mut self,
        text: &'t str,
    ) -> impl Iterator<Item = (Piece<'t>, Analysis)> + use<'t, '_> {
        Script::new(text).map(|piece| {
            let mut analysis = self.analyze(piece.text);
            for diagnostic in &mut analysis.diagnostics {
                diagnostic.span = diagnostic.span.shifted(piece.span.start);
            }
            (piece, analysis)
        })
    }

    /// Runs a script for its changes alone, such as the DDL that a catalog is kept as. The answer is what
    /// was found on the way, with places in the script.
    pub fn run_script(&mut self, text: &str) -> Vec<Diagnostic> {
        self.analyze_script(text).flat_map(|(_, analysis)| analysis.diagnostics).collect()
    }

    /// What one statement or command does. Its changes hold for those after it.
    pub fn analyze(&mut self, text: &str) -> Analysis {
        if self.has_ended {
            return Analysis { effects: None, diagnostics: vec![not_run()] };
        }
        if let Some(ClientCommand::Set(set)) = ClientCommand::parse(text) {
            return self.set_command(&set, text);
        }
        let substitution = self.variables.substitute(text);
        let mut diagnostics = substitution.diagnostics();
        let failed = substitution.failure.is_some();
        let (text, offsets) = (substitution.text, substitution.offsets);
        if failed {
            return Analysis { effects: None, diagnostics };
        }
        if let Some(command) = ClientCommand::parse(&text) {
            let mut analysis = self.client_command(&command, &text);
            diagnostics.append(&mut analysis.diagnostics);
            return Analysis { diagnostics, ..analysis };
        }
        let mut arena = std::mem::take(&mut self.arena);
        arena.reset();
        let effects = self.statement(&arena, &text, &offsets, &mut diagnostics);
        self.arena = arena;
        if let Some(effects) = &effects {
            effects.changes.iter().for_each(|change| self.apply(change));
        }
        Analysis { effects, diagnostics }
    }

    fn statement(
        &self,
        arena: &Arena,
        text: &str,
        offsets: &OffsetMap,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<Effects> {
        let context = Context {
            catalog: &self.catalog,
            session: &self.own,
            database: &self.database,
            settings: &self.settings,
            macros: MacroScope::Session,
            slips: &self.slips,
        };
        match parse_statement(arena, text, self.settings.parser) {
            Ok(statement) => {
                let outcome = analyze_statement(context, &statement, text);
                diagnostics.extend(outcome.diagnostics.into_iter().map(|found| original(found, offsets)));
                Some(outcome.effects)
            }
            Err(mistake) => {
                diagnostics.push(original(mistake, offsets));
                None
            }
        }
    }

    /// Makes one change, where it belongs: what is temporary in the session, the rest in the catalog.
    pub fn apply(&mut self, change: &CatalogChange) {
        match change {
            CatalogChange::UseDatabase(database) => self.database = database.clone(),
            CatalogChange::PutTable(table) if table.kind == TableKind::Temporary => self.own.apply(change),
            CatalogChange::RemoveTable(name) | CatalogChange::RenameTable { from: name, .. }
                if self.is_temporary(name) =>
            {
                self.own.apply(change);
            }
            CatalogChange::PutFunction(function) if function.name.database.is_none() => {
                self.own.apply(change);
            }
            CatalogChange::RemoveFunction(name) if name.database.is_none() => self.own.apply(change),
            CatalogChange::PutMacro(_) | CatalogChange::RemoveMacro(_) | CatalogChange::Prepare { .. } => {
                self.own.apply(change);
            }
            CatalogChange::RemoveDatabase(_) => {
                self.own.apply(change);
                self.catalog.apply(change);
            }
            CatalogChange::Setting { key, value } => self.change_setting(key, value.as_ref()),
            CatalogChange::ResetSettings => {
                self.variables.reset();
                self.read_settings();
            }
            _ => self.catalog.apply(change),
        }
    }

    fn change_setting(&mut self, key: &str, value: Option<&Arc<str>>) {
        match value {
            // Resolved when the command was read, so that nothing is left to fail.
            Some(value) => self.variables.set(None, key, value).unwrap_or_default(),
            None => self.variables.reset_key(key),
        }
        self.settings.set(key, self.variables.get(VariableNamespace::HiveConf, key));
    }

    fn read_settings(&mut self) {
        for key in Settings::KEYS {
            self.settings.set(key, self.variables.get(VariableNamespace::HiveConf, key));
        }
    }
}

fn not_run() -> Diagnostic {
    let message = "the statement does not run: `QUIT` or `EXIT` ends the session before it";
    Diagnostic::warning(DiagnosticCode::NOT_RUN, Span::at(0), message)
}

/// The finding in the text before variables were replaced.
fn original(mut diagnostic: Diagnostic, offsets: &OffsetMap) -> Diagnostic {
    diagnostic.span = offsets.original(diagnostic.span);
    diagnostic
}
