//! What exists before the first statement of each input: catalog files, and what the inputs declare for
//! each other.
//!
//! Scripts of one folder know each other's tables, in whatever order they come. A script does not see its
//! own tables before it makes them, and a table that it alters is there as the scripts before it left it.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use guardbee_analysis::catalog::{Table, TableKind};
use guardbee_analysis::effects::{Effects, Object, WriteAction};
use guardbee_analysis::{Catalog, CatalogChange};
use guardbee_hiveql::keyword::Keyword;
use guardbee_hiveql::script::{Piece, PieceKind, Script};
use guardbee_model::{DiagnosticCode, Name, Operation, TableName};

use crate::arguments::Reading;
use crate::catalog_file;
use crate::input::{self, Input};
use crate::progress::Progress;
use crate::reading;

/// How often inputs are read again because one needs what a later one declares.
const MOST_ROUNDS: usize = 16;

/// What the sessions of all inputs start with.
#[derive(Debug, Default)]
pub struct Catalogs {
    given: Catalog,
    /// What is given and what any input declares.
    shared: Catalog,
    tables: BTreeMap<TableName, Vec<Declaration>>,
    /// For each input what it declares.
    touched: Vec<Touched>,
}

/// A table as one input leaves it.
#[derive(Debug)]
struct Declaration {
    input: usize,
    table: Arc<Table>,
    /// Does the input make it, or only change it?
    is_made: bool,
}

#[derive(Debug, Default, Clone)]
struct Touched {
    tables: Vec<TableName>,
    databases: HashSet<Name>,
}

impl Catalogs {
    /// Reads the catalog files.
    ///
    /// # Errors
    /// A catalog file that cannot be read, or that is no catalog.
    pub fn read(reading: &Reading) -> anyhow::Result<Self> {
        let mut given = Catalog::new();
        for path in &reading.catalog {
            for file in catalog_files(path)? {
                given = catalog_file::read(given, &file, reading)?;
            }
        }
        Ok(Self { shared: given.clone(), given, ..Self::default() })
    }

    /// The same with something else that exists from the start.
    #[must_use]
    pub fn over(mut self, given: Catalog) -> Self {
        self.shared = given.clone();
        self.given = given;
        self
    }

    /// Reads what the inputs declare for each other.
    #[must_use]
    pub fn with_declarations(mut self, inputs: &[Input], reading: &Reading, progress: &Progress) -> Self {
        self.touched = vec![Touched::default(); inputs.len()];
        if inputs.len() < 2 {
            return self;
        }
        for round in 0..MOST_ROUNDS {
            let (mut has_grown, mut lacks_something) = (false, false);
            for (index, input) in inputs.iter().enumerate() {
                let declared = declared(self.of(index), input, reading);
                lacks_something |= declared.lacks_something;
                has_grown |= self.take(index, declared);
                if round == 0 {
                    progress.advance(input.size_bytes());
                }
            }
            if !lacks_something || !has_grown {
                break;
            }
        }
        self
    }

    /// What the session of one input starts with.
    #[must_use]
    pub fn of(&self, input: usize) -> Catalog {
        let mut catalog = self.shared.clone();
        for name in self.touched.get(input).into_iter().flat_map(|touched| &touched.tables) {
            catalog.apply(&match self.before(input, name) {
                Some(table) => CatalogChange::PutTable(table),
                None => CatalogChange::RemoveTable(name.clone()),
            });
        }
        catalog
    }

    /// The databases that an input is to create, and that are not given.
    #[must_use]
    pub fn databases_of(&self, input: usize) -> HashSet<Name> {
        let is_new = |name: &&Name| self.given.database(name).is_none();
        let touched = self.touched.get(input).into_iter().flat_map(|touched| &touched.databases);
        touched.filter(is_new).cloned().collect()
    }

    /// Everything that is given or declared anywhere.
    #[must_use]
    pub const fn shared(&self) -> &Catalog {
        &self.shared
    }

    /// A table that an input makes or alters, as it was before.
    fn before(&self, input: usize, name: &TableName) -> Option<Arc<Table>> {
        let declarations = self.tables.get(name).map_or(&[][..], Vec::as_slice);
        let given = self.given.table(&name.database, &name.table);
        if declarations.iter().any(|found| found.input == input && found.is_made) {
            return given.cloned();
        }
        let earlier = declarations.iter().rfind(|found| found.input < input);
        let later = declarations.iter().find(|found| found.input > input && found.is_made);
        earlier.map(|found| &found.table).or(given).or(later.map(|found| &found.table)).cloned()
    }

    /// Takes what an input declares, and says whether any of it is news.
    fn take(&mut self, input: usize, declared: Declared) -> bool {
        let mut is_news = false;
        for change in &declared.others {
            self.shared.apply(change);
        }
        if let Some(touched) = self.touched.get_mut(input) {
            for database in declared.databases {
                is_news |= touched.databases.insert(database);
            }
        }
        for (table, is_made) in declared.tables {
            self.shared.apply(&CatalogChange::PutTable(table.clone()));
            is_news |= self.take_table(input, table, is_made);
        }
        is_news
    }

    fn take_table(&mut self, input: usize, table: Arc<Table>, is_made: bool) -> bool {
        let declarations = self.tables.entry(table.name.clone()).or_default();
        match declarations.iter_mut().find(|known| known.input == input) {
            Some(known) => {
                let is_news = known.table != table;
                known.is_made |= is_made;
                known.table = table;
                is_news
            }
            None => {
                if let Some(touched) = self.touched.get_mut(input) {
                    touched.tables.push(table.name.clone());
                }
                let place = declarations.partition_point(|known| known.input < input);
                declarations.insert(place, Declaration { input, table, is_made });
                true
            }
        }
    }
}

/// A folder stands for the scripts in it.
fn catalog_files(path: &Path) -> anyhow::Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let (inputs, unreadable) = input::collect(&[path.to_owned()]);
    if let Some(file) = unreadable.first() {
        anyhow::bail!("cannot read the catalog `{}`: {}", file.label, file.reason);
    }
    let paths = inputs.into_iter().filter_map(|input| match input {
        Input::File(path) => Some(path),
        Input::Standard(_) | Input::CommandLine(_) => None,
    });
    Ok(paths.collect())
}

#[derive(Debug, Default)]
struct Declared {
    /// Tables as the input leaves them, and whether it makes them.
    tables: Vec<(Arc<Table>, bool)>,
    /// Databases that the input creates, whether others have brought them along or not.
    databases: Vec<Name>,
    /// Databases, functions and exported tables.
    others: Vec<CatalogChange>,
    /// Something was named that is not there yet.
    lacks_something: bool,
}

/// Runs through an input for what others may see of it. What it drops stays: it was there for somebody.
fn declared(catalog: Catalog, input: &Input, reading: &Reading) -> Declared {
    let mut declared = Declared::default();
    let Ok(texts) = input.read() else { return declared };
    let mut session = reading::session(catalog, reading);
    for text in &texts {
        for piece in Script::new(&text.text).filter(may_declare) {
            let analysis = session.analyze(piece.text);
            declared.lacks_something |=
                analysis.diagnostics.iter().any(|found| found.code == DiagnosticCode::UNKNOWN_TABLE);
            if let Some(effects) = &analysis.effects {
                declared.take(effects, session.catalog());
            }
        }
    }
    declared
}

impl Declared {
    fn take(&mut self, effects: &Effects, after: &Catalog) {
        if effects.operation == Operation::CreateDatabase {
            self.databases.extend(effects.writes.iter().filter_map(|write| match &write.object {
                Object::Database(name) => Some(name.clone()),
                _ => None,
            }));
        }
        for change in &effects.changes {
            match change {
                CatalogChange::PutTable(table) if table.kind != TableKind::Temporary => {
                    self.tables.push((table.clone(), makes(effects, &table.name)));
                }
                CatalogChange::RenameTable { to, .. } => {
                    let renamed = after.table(&to.database, &to.table);
                    self.tables.extend(renamed.map(|table| (table.clone(), true)));
                }
                CatalogChange::PutFunction(function) if function.name.database.is_some() => {
                    self.others.push(change.clone());
                }
                CatalogChange::PutDatabase(_) | CatalogChange::PutExport { .. } => {
                    self.others.push(change.clone());
                }
                _ => {}
            }
        }
    }
}

fn makes(effects: &Effects, name: &TableName) -> bool {
    effects.writes.iter().any(|write| {
        write.action == WriteAction::Create && matches!(&write.object, Object::Table(table) if table == name)
    })
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
                Some(
                    Keyword::Create
                        | Keyword::Alter
                        | Keyword::Use
                        | Keyword::Import
                        | Keyword::Export
                        | Keyword::Drop
                )
            )
        }
    }
}
