//! From logged statements to runs: sessions that follow each other over one catalog.

use std::collections::HashMap;
use std::sync::Arc;

use anyhow::Context as _;
use guardbee_analysis::{Catalog, Session};
use guardbee_engine::record::{self, KeyBase, Occasion, SessionTables, Succeeded};
use guardbee_engine::recorded_catalog;
use guardbee_lineage::{Context, Run, RunKey, RunOrigin};
use guardbee_model::{Name, Severity, Timestamp};
use smol_str::{SmolStr, format_smolstr};

use super::query_log::LoggedStatement;
use super::store::Opened;
use crate::arguments::{LogForm, Reading};
use crate::catalogs::Catalogs;
use crate::reading;

/// Sessions that are kept; past it they start anew.
const MOST_SESSIONS: usize = 10_000;
/// So many statements are known to have come before, and as many again from before those.
const MOST_REPETITIONS: usize = 1_000_000;
/// Who ran what nobody is said to have run.
const NOBODY: &str = "unknown";

/// What holds where a log does not say.
pub struct Defaults {
    pub user: Option<String>,
    pub file_system: SmolStr,
}

/// Makes runs of the statements of logs, file by file.
pub struct LoggedRuns {
    catalog: Catalog,
    reading: Reading,
    defaults: Defaults,
    sessions: HashMap<SmolStr, (Session, SessionTables)>,
    repeated: Repetitions,
    file: File,
}

/// How often the same statement came for the same moment and user. It is forgotten when a million others came since,
/// or logs would take as much memory as they have statements.
#[derive(Default)]
struct Repetitions {
    recent: HashMap<KeyBase, u32>,
    before: HashMap<KeyBase, u32>,
}

impl Repetitions {
    /// How often it came before.
    fn next(&mut self, base: KeyBase) -> u32 {
        if self.recent.len() >= MOST_REPETITIONS {
            self.before = std::mem::take(&mut self.recent);
        }
        let before = &self.before;
        let count = self.recent.entry(base).or_insert_with(|| before.get(&base).copied().unwrap_or_default());
        *count += 1;
        *count - 1
    }
}

/// The file that is read.
#[derive(Default)]
struct File {
    label: String,
    is_script: bool,
    time: Timestamp,
    /// The time of the last statement, and how many before it had the same.
    last: Option<(Timestamp, i64)>,
}

impl LoggedRuns {
    /// # Errors
    /// A catalog or store that cannot be read.
    pub async fn new(opened: &Opened, reading: &Reading, defaults: Defaults) -> anyhow::Result<Self> {
        let given = Catalogs::read(reading)?;
        let catalog = recorded_catalog(&*opened.storage, given.shared(), reading.hive_version).await;
        let catalog = catalog.context("cannot read the recorded runs")?;
        Ok(Self {
            catalog,
            reading: reading.clone(),
            defaults,
            sessions: HashMap::new(),
            repeated: Repetitions::default(),
            file: File::default(),
        })
    }

    /// What follows is from this file. `time` holds for what has none of its own.
    pub fn start_file(&mut self, label: &str, form: LogForm, time: Timestamp) {
        self.sessions.clear();
        self.file = File { label: label.to_owned(), is_script: form == LogForm::Sql, time, last: None };
    }

    /// The statement with what the log does not say.
    #[must_use]
    pub fn completed(&self, statement: &LoggedStatement) -> LoggedStatement {
        let user = statement.user.clone().or_else(|| self.defaults.user.as_deref().map(SmolStr::new));
        LoggedStatement {
            time: statement.time.or(Some(self.file.time)),
            user: user.or(Some(SmolStr::new_static(NOBODY))),
            ..statement.clone()
        }
    }

    /// The run of a statement; nothing where it leaves nothing to remember.
    ///
    /// # Errors
    /// Why it is no statement.
    pub fn run_of(&mut self, statement: &LoggedStatement) -> Result<Option<Run>, String> {
        let statement = self.completed(statement);
        let time = statement.time.unwrap_or_default();
        let user = statement.user.clone().unwrap_or_default();
        let name = self.session_name(&statement, &user);
        let (mut session, mut tables) = self.session(&name);
        if let Some(database) = &statement.database {
            session.use_database(Name::fold(database));
        }
        let before = session.clone();
        let analysis = session.analyze(&statement.text);
        self.catalog = session.catalog().clone();
        let known = tables.clone();
        if let Some(effects) = &analysis.effects {
            tables.follow(effects, &before);
        }
        self.sessions.insert(name, (session, tables));
        let Some(effects) = analysis.effects else {
            let mut errors = analysis.diagnostics.iter().filter(|found| found.severity == Severity::Error);
            return match errors.next() {
                Some(error) => Err(error.message.clone()),
                None => Ok(None),
            };
        };
        let occasion = Occasion {
            key: self.key(&statement, time, &user),
            started_at: None,
            ended_at: self.ordered(time),
            context: Arc::new(self.context(&statement, user)),
        };
        let succeeded = Succeeded {
            text: &statement.text,
            effects: &effects,
            before: &before,
            tables: &known,
            default_file_system: &self.defaults.file_system,
        };
        Ok(record::run(succeeded, occasion))
    }

    fn session_name(&self, statement: &LoggedStatement, user: &str) -> SmolStr {
        match &statement.session {
            Some(session) => session.clone(),
            None => format_smolstr!("{} {user}", self.file.label),
        }
    }

    fn session(&mut self, name: &SmolStr) -> (Session, SessionTables) {
        if self.sessions.len() >= MOST_SESSIONS {
            self.sessions.clear();
        }
        let known = self.sessions.remove(name);
        let (mut session, tables) = known.unwrap_or_else(|| {
            let session = reading::session(self.catalog.clone(), &self.reading);
            (session, SessionTables::new(name.clone()))
        });
        session.replace_catalog(self.catalog.clone());
        (session, tables)
    }

    fn key(&mut self, statement: &LoggedStatement, time: Timestamp, user: &str) -> RunKey {
        if let Some(key) = statement.key.as_ref().or(statement.query_id.as_ref()) {
            return RunKey(key.clone());
        }
        let database = statement.database.as_deref().unwrap_or_default();
        let base = KeyBase::new(time, user, &[database, &statement.text]);
        base.key(self.repeated.next(base))
    }

    /// Statements of one file that have the same time follow each other a millisecond apart.
    fn ordered(&mut self, time: Timestamp) -> Timestamp {
        let before = match self.file.last {
            Some((last, count)) if last == time => count + 1,
            _ => 0,
        };
        self.file.last = Some((time, before));
        Timestamp(time.0.saturating_add(before))
    }

    fn context(&self, statement: &LoggedStatement, user: SmolStr) -> Context {
        let script = self.file.is_script.then(|| format!("{}:{}", self.file.label, statement.line));
        Context {
            origin: RunOrigin::QueryLog,
            statement: Arc::from(statement.text.as_str()),
            script: script.map(Arc::from),
            user,
            groups: statement.groups.clone(),
            host: statement.host.clone(),
            client_address: statement.client_address.clone(),
            engine: Some(SmolStr::new_static("hive")),
            query_id: statement.query_id.clone(),
            session: statement.session.clone(),
            ..Context::default()
        }
    }
}
