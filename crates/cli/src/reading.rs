//! From text to reports: one session over the texts of an input.

use std::collections::HashSet;
use std::io;

use guardbee_analysis::effects::Object;
use guardbee_analysis::{Analysis, Catalog, Session};
use guardbee_hiveql::script::Script;
use guardbee_hiveql::variables::{VariableNamespace, Variables};
use guardbee_model::{Diagnostic, DiagnosticCode, Name};

use crate::arguments::Reading;
use crate::place::{Place, Places};
use crate::window::Window;
pub use crate::wire::{Analyzed as Report, Finding};

/// How many different findings are remembered, to tell those that come again.
const MOST_REMEMBERED: usize = 10_000;

/// The catalog before and after a statement.
#[derive(Debug)]
pub struct Around<'c> {
    pub before: Catalog,
    pub after: &'c Catalog,
}

/// A new session with the variables and the database of the command line.
#[must_use]
pub fn session(catalog: Catalog, reading: &Reading) -> Session {
    let mut variables = Variables::new();
    for (name, value) in std::env::vars_os() {
        if let (Ok(name), Ok(value)) = (name.into_string(), value.into_string()) {
            if name == "USER" {
                variables.define(VariableNamespace::System, "user.name", value.clone());
            }
            variables.define(VariableNamespace::Environment, name, value);
        }
    }
    for (name, value) in &reading.hiveconf {
        variables.define(VariableNamespace::HiveConf, name.as_str(), value.as_str());
    }
    for (name, value) in &reading.hivevar {
        variables.define(VariableNamespace::HiveVar, name.as_str(), value.as_str());
    }
    let mut session = Session::with_variables(catalog, reading.hive_version, variables);
    session.use_database(Name::fold(&reading.database));
    session
}

/// Where reading a window has led to.
enum Next {
    End,
    Unwanted,
    /// So much lies behind that the window should move on to here.
    Behind(u32, Place),
}

/// Analyses the texts of one session, one after the other.
#[derive(Debug)]
pub struct Reader {
    session: Session,
    /// Databases that this input creates itself. The catalog has them from the start, since other
    /// inputs put tables into them.
    own_databases: HashSet<Name>,
    remembered: HashSet<String>,
}

impl Reader {
    #[must_use]
    pub fn new(session: Session, own_databases: HashSet<Name>) -> Self {
        Self { session, own_databases, remembered: HashSet::new() }
    }

    /// Analyses a text piece by piece. `take` sees each statement with the catalog around it, and says
    /// whether to go on. The answer is whether the end was reached.
    ///
    /// # Errors
    /// When the rest of a large file cannot be read any more.
    pub fn read(
        &mut self,
        mut window: Window<'_>,
        mut take: impl FnMut(Report<'_>, &Around<'_>) -> bool,
    ) -> io::Result<bool> {
        loop {
            match self.read_window(&window, &mut take) {
                Next::End => return Ok(true),
                Next::Unwanted => return Ok(false),
                Next::Behind(offset, place) => window = window.moved(offset, place)?,
            }
        }
    }

    fn read_window(
        &mut self,
        window: &Window<'_>,
        take: &mut impl FnMut(Report<'_>, &Around<'_>) -> bool,
    ) -> Next {
        let mut places = Places::starting_at(&window.text, window.start);
        let (_, rest) = window.text.split_at(window.skip);
        let skip = u32::try_from(window.skip).unwrap_or(u32::MAX);
        for piece in Script::new(rest) {
            let span = piece.span.shifted(skip);
            let before = self.session.catalog().clone();
            let mut analysis = self.session.analyze(piece.text);
            for diagnostic in &mut analysis.diagnostics {
                diagnostic.span = diagnostic.span.shifted(span.start);
            }
            let place = places.of(span.start);
            self.pass_over_own_database(&mut analysis);
            let report = Report {
                label: &window.label,
                text: &window.text,
                base: window.base,
                span,
                place,
                effects: analysis.effects,
                findings: self.findings(&places, analysis.diagnostics),
            };
            if !take(report, &Around { before, after: self.session.catalog() }) {
                return Next::Unwanted;
            }
            if window.is_behind(span.end) {
                return Next::Behind(span.end, places.of(span.end));
            }
        }
        Next::End
    }

    /// The catalog after all that was read.
    #[must_use]
    pub fn into_catalog(self) -> Catalog {
        self.session.catalog().clone()
    }

    fn findings(&mut self, places: &Places<'_>, diagnostics: Vec<Diagnostic>) -> Vec<Finding> {
        let found_at = places.of_all(&diagnostics);
        let findings = diagnostics.into_iter().zip(found_at);
        findings
            .map(|(diagnostic, place)| Finding {
                place,
                is_repeated: self.is_repeated(&diagnostic),
                diagnostic: with_option(diagnostic),
            })
            .collect()
    }

    /// Tables that the catalog lacks are told once a session.
    fn is_repeated(&mut self, diagnostic: &Diagnostic) -> bool {
        if diagnostic.code != DiagnosticCode::UNKNOWN_TABLE {
            return false;
        }
        if self.remembered.contains(&diagnostic.message) {
            return true;
        }
        if self.remembered.len() < MOST_REMEMBERED {
            self.remembered.insert(diagnostic.message.clone());
        }
        false
    }

    /// A database that this input is the one to create is no surprise the first time.
    fn pass_over_own_database(&mut self, analysis: &mut Analysis) {
        let Some(effects) = &analysis.effects else { return };
        for write in &effects.writes {
            if let Object::Database(name) = &write.object
                && self.own_databases.remove(name)
            {
                analysis.diagnostics.retain(|found| found.code != DiagnosticCode::ALREADY_EXISTS);
            }
        }
    }
}

/// Advice about versions names the option that sets one, which only this crate knows.
fn with_option(diagnostic: Diagnostic) -> Diagnostic {
    match &diagnostic.hint {
        Some(hint) if diagnostic.code == DiagnosticCode::VERSION => {
            let hint = format!("{hint}: see `--hive-version`");
            diagnostic.with_hint(hint)
        }
        _ => diagnostic,
    }
}
