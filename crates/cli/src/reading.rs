//! From text to reports: sessions, catalogs, and what scripts declare for each other.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

use anyhow::Context as _;
use guardbee_analysis::catalog::TableKind;
use guardbee_analysis::{Catalog, CatalogChange, Session};
use guardbee_hiveql::keyword::Keyword;
use guardbee_hiveql::script::{Piece, PieceKind, Script};
use guardbee_hiveql::variables::{VariableNamespace, Variables};
use guardbee_model::{DiagnosticCode, Name, Severity, TableName};

use crate::arguments::Reading;
use crate::catalog_file;
use crate::input::Input;
use crate::place::Places;
use crate::render::Report;

/// How often scripts are read again because one needs what a later one declares.
const MOST_ROUNDS: usize = 8;

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

/// Analyses a text piece by piece. `take` sees each statement with the catalog after it, and says whether
/// to go on.
pub fn analyse_text(
    label: &str,
    text: &str,
    session: &mut Session,
    mut take: impl FnMut(&Report<'_>, &Catalog) -> bool,
) {
    let mut places = Places::new(text);
    for piece in Script::new(text) {
        let mut analysis = session.analyze(piece.text);
        for diagnostic in &mut analysis.diagnostics {
            diagnostic.span = diagnostic.span.shifted(piece.span.start);
        }
        let place = places.of(piece.span.start);
        let report = Report { label, text, span: piece.span, place, analysis };
        if !take(&report, session.catalog()) {
            return;
        }
    }
}

/// What exists before the first statement of each input.
#[derive(Debug, Clone, Default)]
pub struct Catalogs {
    /// The files of `--catalog`, and what several inputs declare for each other, in whatever order they come.
    shared: Catalog,
    /// For each input the tables that it makes itself: they are not there before it makes them.
    made: Vec<Vec<TableName>>,
}

impl Catalogs {
    /// Reads the catalog files and the declarations of the inputs.
    ///
    /// # Errors
    /// A catalog file that cannot be read, or that is no catalog.
    pub fn read(inputs: &[Input], reading: &Reading) -> anyhow::Result<Self> {
        let mut given = Catalog::new();
        for path in &reading.catalog {
            given = with_file(given, path, reading)?;
        }
        let mut catalogs = Self { shared: given, made: vec![Vec::new(); inputs.len()] };
        if inputs.len() > 1 {
            catalogs.declare_all(inputs, reading);
        }
        Ok(catalogs)
    }

    /// What the session of one input starts with.
    #[must_use]
    pub fn of(&self, input: usize) -> Catalog {
        let mut catalog = self.shared.clone();
        for table in self.made.get(input).into_iter().flatten() {
            catalog.apply(&CatalogChange::RemoveTable(table.clone()));
        }
        catalog
    }

    /// Reads what the inputs create. What they drop stays: it was there for somebody.
    fn declare_all(&mut self, inputs: &[Input], reading: &Reading) {
        let given = self.shared.clone();
        let mut waiting: BTreeSet<usize> = (0..inputs.len()).collect();
        for _ in 0..MOST_ROUNDS {
            let mut has_grown = false;
            let mut incomplete = BTreeSet::new();
            for &index in &waiting {
                let Some(Ok(text)) = inputs.get(index).map(Input::read) else { continue };
                let declared = declare(self.of(index), &text, reading);
                for change in &declared.changes {
                    has_grown |= is_new(&self.shared, change);
                    self.shared.apply(change);
                    if let (CatalogChange::PutTable(table), Some(made)) = (change, self.made.get_mut(index)) {
                        let is_given = given.table(&table.name.database, &table.name.table).is_some();
                        if !is_given && !made.contains(&table.name) {
                            made.push(table.name.clone());
                        }
                    }
                }
                if declared.lacks_something {
                    incomplete.insert(index);
                }
            }
            waiting = incomplete;
            if waiting.is_empty() || !has_grown {
                break;
            }
        }
    }
}

fn with_file(catalog: Catalog, path: &Path, reading: &Reading) -> anyhow::Result<Catalog> {
    let text =
        fs::read_to_string(path).with_context(|| format!("cannot read the catalog `{}`", path.display()))?;
    let ddl = catalog_file::ddl(&text).with_context(|| format!("`{}` is no catalog", path.display()))?;
    let mut session = session(catalog, reading);
    let mut mistake = None;
    analyse_text("catalog", &ddl, &mut session, |report, _| {
        let found = report.analysis.diagnostics.iter().find(|found| found.severity == Severity::Error);
        mistake = found.map(|found| format!("statement in line {}: {}", report.place.line, found.message));
        mistake.is_none()
    });
    match mistake {
        Some(mistake) => {
            Err(anyhow::anyhow!(mistake)).with_context(|| format!("`{}` is no catalog", path.display()))
        }
        None => Ok(session.catalog().clone()),
    }
}

#[derive(Debug, Default)]
struct Declared {
    changes: Vec<CatalogChange>,
    /// Something was named that is not there yet.
    lacks_something: bool,
}

fn declare(catalog: Catalog, text: &str, reading: &Reading) -> Declared {
    let mut declared = Declared::default();
    let mut session = session(catalog, reading);
    for piece in Script::new(text).filter(may_declare) {
        let analysis = session.analyze(piece.text);
        declared.lacks_something |=
            analysis.diagnostics.iter().any(|diagnostic| diagnostic.code == DiagnosticCode::UNKNOWN_TABLE);
        let changes = analysis.effects.into_iter().flat_map(|effects| effects.changes);
        declared.changes.extend(changes.filter(is_for_everybody));
    }
    declared
}

/// Can the piece create anything, or change what later names mean?
fn may_declare(piece: &Piece<'_>) -> bool {
    match piece.kind {
        PieceKind::Command(_) => true,
        PieceKind::Statement => {
            let word =
                piece.text.split(|character: char| !character.is_ascii_alphabetic()).next().unwrap_or("");
            matches!(
                Keyword::lookup(word),
                Some(Keyword::Create | Keyword::Alter | Keyword::Use | Keyword::Import)
            )
        }
    }
}

fn is_for_everybody(change: &CatalogChange) -> bool {
    match change {
        CatalogChange::PutDatabase(_) => true,
        CatalogChange::PutTable(table) => table.kind != TableKind::Temporary,
        CatalogChange::PutFunction(function) => function.name.database.is_some(),
        _ => false,
    }
}

fn is_new(known: &Catalog, change: &CatalogChange) -> bool {
    match change {
        CatalogChange::PutTable(table) => known.table(&table.name.database, &table.name.table).is_none(),
        _ => false,
    }
}

/// A system's error in words, without its number.
#[must_use]
pub fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_lowercase()
}
