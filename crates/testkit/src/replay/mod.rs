//! Replays Hive's recorded tests of authorization: every statement of a test in order, the SETs included,
//! which choose the rule book, switch authorization on and name the user.
//!
//! What a test of Hive relies on beside its text is told here: the user that tests run as, who is in the role
//! `admin`, who owns the tables that are there before. Whether somebody may do something is for the engine
//! alone to say; nothing of that is known here.

mod answer;
mod cluster;
mod fallback;
mod mode;
pub mod score;

use std::sync::Arc;

use anyhow::{Result, anyhow};
use guardbee_analysis::Catalog;
use guardbee_engine::request::translate;
use guardbee_engine::{Answer, Checked, Engine, EngineOptions, Executed, Outcome, Session};
use guardbee_model::Operation;
use guardbee_policy::{
    BookName, Change, Effect, Entry, EntryId, GrantOption, Identity, Membership, Ownership, Policy,
    Principal, Privilege, Privileges, Resource, Scope, Settings, Timestamp, UriRights, Validity,
};
use serde::Serialize;
use smol_str::SmolStr;
use tokio::runtime::Runtime;

use crate::golden::{GoldenRecord, GoldenStatement};
use cluster::Cluster;
use mode::Mode;

/// Whom Hive's tests run as, and their groups, unless a test says otherwise.
const USER: &str = "hive_test_user";
const GROUPS: [&str; 2] = ["hive_test_group1", "hive_test_group2"];
/// Who is in the role `admin` in Hive's tests.
const ADMINISTRATOR: &str = "hive_admin_user";

/// What we say about one statement of a record.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Prediction {
    pub file: String,
    pub index: usize,
    pub allowed: bool,
    /// Privilege and object, as Hive's message names them.
    pub missing: Vec<(String, String)>,
    /// The rows that it prints.
    pub output: Vec<String>,
    /// Why it fails, where authorization is not the reason.
    pub error: Option<String>,
}

/// Replays a record. Statements that did not run are judged too, and leave no trace.
///
/// # Errors
/// The engine cannot be started or does not take a change that it made itself.
pub fn replay_record(record: &GoldenRecord, catalog: Catalog) -> Result<Vec<Prediction>> {
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let mut replay = Replay::new(runtime, record, catalog)?;
    let statements = record.statements.iter().enumerate();
    statements
        .filter_map(|(index, statement)| {
            let sql = statement.sql.as_deref()?;
            Some(replay.statement(statement, sql).map(|said| Prediction {
                file: record.file.clone(),
                index,
                ..said
            }))
        })
        .collect()
}

struct Replay {
    runtime: Runtime,
    engine: Arc<Engine>,
    session: Session,
    mode: Mode,
    /// Hive keeps for a whole session in whose name first privileges on new tables are granted: the user of its
    /// first statement.
    first_user: Option<SmolStr>,
    cluster: Cluster,
}

impl Replay {
    fn new(runtime: Runtime, record: &GoldenRecord, catalog: Catalog) -> Result<Self> {
        let mode = Mode::at_start(record.flags.authorizer);
        let policy = first_policy(&catalog, mode)?;
        let options = EngineOptions { hive_version: record.version(), catalog, ..EngineOptions::default() };
        let engine = Engine::new(policy, options);
        let session = engine.session(identity(USER));
        Ok(Self { runtime, engine, session, mode, first_user: None, cluster: Cluster::default() })
    }

    fn statement(&mut self, golden: &GoldenStatement, sql: &str) -> Result<Prediction> {
        let checked = self.session.check(sql);
        let operation = checked.effects.as_ref().map(|effects| effects.operation);
        if matches!(operation, Some(Operation::Set | Operation::Reset)) {
            let executed = self.carry_out(sql);
            self.adopt_settings()?;
            return Ok(self.prediction(&executed.checked, &executed.answer));
        }
        if self.first_user.is_none() {
            self.begin()?;
        }
        let refused = self.refused_elsewhere(sql, &checked);
        let is_asked = self.mode.asks(operation) && !self.mode.is_fallback();
        if let Some(missing) = refused {
            return Ok(Prediction { missing, ..Prediction::default() });
        }
        if !golden.ran() {
            let allowed = Prediction { allowed: true, ..Prediction::default() };
            let is_let_through = !is_asked && checked.outcome == Outcome::Denied;
            return Ok(if is_let_through { allowed } else { self.prediction(&checked, &Answer::default()) });
        }
        let next_entry = self.engine.policy().policy.next_entry_id();
        let executed = match is_asked {
            true => self.runtime.block_on(self.session.execute(sql)),
            false => self.carry_out(sql),
        };
        match operation {
            Some(Operation::GrantPrivilege) => {}
            Some(Operation::FileSystem) => self.cluster.follow(sql),
            _ => self.name_first_grantor(next_entry)?,
        }
        Ok(self.prediction(&executed.checked, &executed.answer))
    }

    /// What is missing where somebody else than the rule book refuses: the fallback of Hive, which is no model
    /// of ours, or the file system.
    fn refused_elsewhere(&self, sql: &str, checked: &Checked) -> Option<Vec<(String, String)>> {
        let operation = checked.effects.as_ref().map(|effects| effects.operation);
        if !self.mode.asks(operation) {
            return None;
        }
        let user = &self.session.identity().user;
        if self.mode.is_fallback() {
            let is_refused = user != ADMINISTRATOR && fallback::refuses(&self.session, sql, checked);
            return is_refused.then(|| vec![("ADMIN".to_owned(), "INPUT".to_owned())]);
        }
        let effects = checked.effects.as_ref().filter(|_| self.mode.book() == BookName::SqlStandard)?;
        let request = translate(effects, None, self.session.state(), cluster::HOME).request;
        let missing = self.cluster.missing(user, &request);
        (!missing.is_empty()).then_some(missing)
    }

    /// Before the first statement that is none of SET and RESET.
    fn begin(&mut self) -> Result<()> {
        self.mode.settle();
        self.first_user = Some(self.session.identity().user.clone());
        // The metastore grants its administrators everything. The SQL-standard mode looks past that.
        if self.mode.book() == BookName::HiveLegacy {
            let admin = Principal::role("admin");
            let id = self.engine.policy().policy.next_entry_id();
            self.commit(vec![first_grant(id, admin, Privileges::ALL, Scope::Server)])?;
        }
        Ok(())
    }

    fn carry_out(&mut self, sql: &str) -> Executed {
        self.runtime.block_on(self.session.carry_out(sql))
    }

    /// What SET has changed: the rule book, and who goes on.
    fn adopt_settings(&mut self) -> Result<()> {
        let mode = self.mode.after(self.session.state());
        if mode.book() != self.mode.book() {
            let book = Change::PutSetting { key: "rule_book".into(), value: mode.book().as_str().into() };
            self.commit(vec![book])?;
        }
        self.mode = mode;
        let user = self.session.state().setting("user.name").unwrap_or(USER);
        if user != self.session.identity().user {
            self.session = self.session.clone().passed_to(identity(user));
        }
        Ok(())
    }

    /// Entries that came with a table are granted by whoever began the session.
    fn name_first_grantor(&mut self, first: EntryId) -> Result<()> {
        let grantor = self.first_user.as_ref().map(Principal::user);
        let policy = &self.engine.policy().policy;
        let new: Vec<Change> = (first.0..policy.next_entry_id().0)
            .filter_map(|id| policy.entry(EntryId(id)))
            .map(|entry| Change::PutEntry(Entry { grantor: grantor.clone(), ..entry }))
            .collect();
        if new.is_empty() { Ok(()) } else { self.commit(new) }
    }

    fn commit(&self, changes: Vec<Change>) -> Result<()> {
        let base = self.engine.policy().version;
        let committed =
            self.engine.commit(base, USER, Arc::from("what the test itself does not say"), changes);
        self.runtime.block_on(committed)?;
        Ok(())
    }

    fn prediction(&self, checked: &Checked, answer: &Answer) -> Prediction {
        let prints_header = self.session.state().setting("hive.cli.print.header") == Some("true");
        Prediction {
            allowed: checked.outcome != Outcome::Denied && !answer::is_refusal(checked),
            missing: answer::missing(self.mode.book(), checked),
            output: answer::rows(answer, prints_header),
            error: answer::failure(checked),
            ..Prediction::default()
        }
    }
}

fn identity(user: &str) -> Identity {
    let groups = if user == USER { GROUPS.map(SmolStr::new_static).to_vec() } else { Vec::new() };
    Identity { groups, ..Identity::of_user(user) }
}

/// Hive's tests start with an administrator, and with tables that the test user has made: they own them and
/// hold what whoever makes a table is granted.
fn first_policy(catalog: &Catalog, mode: Mode) -> Result<Policy> {
    let mut settings = Settings { rule_book: mode.book(), ..Settings::default() };
    settings.uri_rights = UriRights::FileSystem;
    let mut changes = Settings::default().changes_to(&settings);
    changes.push(Change::PutMembership(Membership {
        role: "admin".into(),
        member: Principal::user(ADMINISTRATOR),
        admin_option: GrantOption::With,
        grantor: Some(Principal::role("admin")),
        created_at: Timestamp::default(),
    }));
    let mut id = 1;
    for table in catalog.databases().flat_map(|database| catalog.tables(&database.name)) {
        let owner = Principal::user(USER);
        let resource = Resource::Table(table.name.clone());
        changes.push(Change::PutOwner(Ownership { resource, owner: owner.clone() }));
        for privilege in [Privilege::Insert, Privilege::Select, Privilege::Update, Privilege::Delete] {
            let scope = Scope::table(&table.name.database, &table.name.table);
            changes.push(first_grant(EntryId(id), owner.clone(), Privileges::of(privilege), scope));
            id += 1;
        }
    }
    Policy::from_changes(changes).map_err(|error| anyhow!("the first policy: {error}"))
}

/// A grant that its holder may pass on, made by themselves.
fn first_grant(id: EntryId, principal: Principal, privileges: Privileges, scope: Scope) -> Change {
    Change::PutEntry(Entry {
        id,
        effect: Effect::Grant,
        grantor: Some(principal.clone()),
        principal,
        except: Arc::from([]),
        privileges,
        scope,
        grant_option: GrantOption::With,
        created_at: Timestamp::default(),
        validity: Validity::ALWAYS,
        purpose: None,
    })
}
