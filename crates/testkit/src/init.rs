//! The tables that exist before a golden record starts, from init scripts.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use anyhow::{Context, Result};
use guardbee_analysis::effects::{DatasetKind, Object};
use guardbee_analysis::{Catalog, Effects, Session};
use guardbee_hiveql::parser::Dialect;
use guardbee_model::{HiveVersion, TableName};

use crate::golden::GoldenRecord;

const SECTION: &str = "-- dataset:";

/// Init scripts, cut into what records ask for.
#[derive(Debug, Default)]
pub struct InitScripts {
    sections: HashMap<String, String>,
    tpcds: String,
    sysdb: String,
    /// For every record.
    always: String,
    /// Which section makes a table.
    makers: HashMap<TableName, String>,
    /// Catalogs that were asked for before.
    catalogs: HashMap<Request, Catalog>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Request {
    datasets: Vec<String>,
    tpcds: bool,
    sysdb: bool,
    version: HiveVersion,
}

impl InitScripts {
    /// Reads scripts. Sections that start with `-- dataset: NAME` are taken by name; a script without
    /// sections that has `tpcds` or `sysdb` in its name is for the records that ask for those tables, and
    /// any other is for all records.
    ///
    /// # Errors
    /// A script cannot be read.
    pub fn read<P: AsRef<Path>>(paths: &[P]) -> Result<Self> {
        let mut scripts = Self::default();
        for path in paths {
            let path = path.as_ref();
            let text =
                std::fs::read_to_string(path).with_context(|| format!("cannot read `{}`", path.display()))?;
            let name = path.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
            if text.contains(SECTION) {
                scripts.add_sections(&text);
            } else if name.contains("tpcds") {
                scripts.tpcds.push_str(&text);
            } else if name.contains("sysdb") {
                scripts.sysdb.push_str(&text);
            } else {
                scripts.always.push_str(&text);
            }
        }
        scripts.find_makers();
        Ok(scripts)
    }

    fn find_makers(&mut self) {
        for (name, script) in &self.sections {
            let catalog = catalog_after(script, Catalog::new(), HiveVersion::default());
            let databases: Vec<_> = catalog.databases().map(|database| database.name.clone()).collect();
            for table in databases.iter().flat_map(|database| catalog.tables(database)) {
                self.makers.insert(table.name.clone(), name.clone());
            }
        }
    }

    fn add_sections(&mut self, text: &str) {
        for section in text.split(SECTION).skip(1) {
            let (name, body) = section.split_once('\n').unwrap_or((section, ""));
            self.sections.entry(name.trim().to_owned()).or_default().push_str(body);
        }
    }

    /// The catalog that a record starts from. The recordings of Hive 3.1 do not name all sections that
    /// they use, so those are added whose tables a record reads without having made them.
    pub fn catalog(&mut self, record: &GoldenRecord, version: HiveVersion) -> Catalog {
        let mut request = Request {
            datasets: record.datasets.clone(),
            tpcds: record.tpcds,
            sysdb: record.flags.sysdb,
            version,
        };
        let catalog = self.requested(request.clone());
        if record.recorded_by.is_some() {
            return catalog;
        }
        let unnamed = self.unnamed_sections(record, catalog.clone(), version);
        if unnamed.is_empty() {
            return catalog;
        }
        request.datasets.extend(unnamed);
        self.requested(request)
    }

    fn requested(&mut self, request: Request) -> Catalog {
        if let Some(catalog) = self.catalogs.get(&request) {
            return catalog.clone();
        }
        let mut catalog = Catalog::new();
        let sections = request.datasets.iter().filter_map(|name| self.sections.get(name));
        let tpcds = request.tpcds.then_some(&self.tpcds);
        let sysdb = request.sysdb.then_some(&self.sysdb);
        for script in std::iter::once(&self.always).chain(sections).chain(tpcds).chain(sysdb) {
            catalog = catalog_after(script, catalog, request.version);
        }
        self.catalogs.insert(request, catalog.clone());
        catalog
    }

    fn unnamed_sections(
        &self,
        record: &GoldenRecord,
        catalog: Catalog,
        version: HiveVersion,
    ) -> BTreeSet<String> {
        let mut session = Session::new(catalog, version).with_dialect(Dialect::Hive);
        let statements = record.statements.iter().filter(|statement| statement.scored || statement.ran());
        let effects = statements.filter_map(|statement| {
            let sql = statement.sql.as_deref()?;
            match statement.ran() {
                true => session.analyze(sql).effects,
                false => session.clone().analyze(sql).effects,
            }
        });
        effects.flat_map(|effects| self.makers_of_missing(&effects)).collect()
    }

    fn makers_of_missing(&self, effects: &Effects) -> Vec<String> {
        let missing = effects.reads.iter().filter(|read| read.kind == DatasetKind::Unknown);
        missing
            .filter_map(|read| match &read.object {
                Object::Table(name) => self.makers.get(name).cloned(),
                _ => None,
            })
            .collect()
    }
}

/// The catalog after a script that starts in database `default`.
fn catalog_after(script: &str, catalog: Catalog, version: HiveVersion) -> Catalog {
    let mut session = Session::new(catalog, version).with_dialect(Dialect::Hive);
    session.run_script(script);
    session.catalog().clone()
}
