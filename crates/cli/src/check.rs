//! `guardbee check`: may somebody run these statements, and why?
//!
//! Each input is a session of its own over a copy of the policy: what a script grants or creates counts for its
//! later statements, and nowhere else. Each statement is judged as if those before it had run.

pub mod explain_tree;
mod remote;
mod table;

use std::time::{Duration, Instant};

use guardbee_analysis::{Catalog, CatalogChange};
use guardbee_engine::audit::AuditRecord;
use guardbee_engine::clock::{Clock, SystemClock};
use guardbee_engine::{Checked, Completeness, Engine, EngineOptions, Outcome as Verdict, Session};
use guardbee_hiveql::script::Script;
use guardbee_model::Name;
use guardbee_policy::{ActiveRoles, Identity, Policy};
use guardbee_questions::TagGround;
use smol_str::SmolStr;

use crate::arguments::{Check, CheckFormat, Reading};
use crate::catalogs::Catalogs;
use crate::client;
use crate::deep;
use crate::exit::Outcome;
use crate::input::{self, Input, Unreadable};
use crate::output::{Output, say_error, say_unreadable};
use crate::place::Places;
use crate::policy::plan::user_of_environment;
use crate::policy::source::{self, LoadedPolicy, Warehouse};
use crate::progress::Progress;
use crate::reading;
use crate::recorded::trail::Trail;
use crate::terminal::Style;
use crate::window::Window;
use crate::wire;

pub use crate::wire::check::Report;
use table::{Answered, Explanation, Page, Position};
pub use table::{denial_text, obligation_text, path_text};

/// Runs the command.
///
/// # Errors
/// What kept it from being done.
pub fn run(arguments: &Check) -> anyhow::Result<Outcome> {
    deep::run(|| check(arguments))
}

async fn check(arguments: &Check) -> anyhow::Result<Outcome> {
    let started = Instant::now();
    let errors = Style::for_errors(arguments.appearance.color);
    let (mut inputs, mut unreadable) = input::collect(&arguments.paths);
    if !arguments.expressions.is_empty() {
        inputs.push(Input::CommandLine(arguments.expressions.clone()));
    }
    let progress = Progress::of(&inputs, arguments.appearance);
    let given = Catalogs::read(&arguments.reading)?;
    let completeness =
        if arguments.reading.catalog.is_empty() { Completeness::Partial } else { Completeness::Complete };
    let warehouse = Warehouse {
        catalog: given.shared().clone(),
        completeness,
        hive_version: arguments.reading.hive_version,
    };
    let source = &arguments.source;
    match client::service(source.is_local(), &source.service, arguments.appearance) {
        Ok(None) => {}
        Ok(Some(client)) => return remote::check(arguments, &client),
        Err(none) => return none.outcome(arguments.appearance),
    }
    let loaded = match source::load(&arguments.source, &warehouse, arguments.appearance).await {
        Ok(loaded) => loaded,
        Err(none) => return none.outcome(arguments.appearance),
    };
    let identity = match identity(arguments, &loaded)? {
        Ok(identity) => identity,
        Err(message) => {
            say_error(errors, &message);
            return Ok(Outcome::WrongUse);
        }
    };
    let catalogs = given.with_declarations(&inputs, &arguments.reading, &progress);
    let checker = Checker { arguments, loaded: &loaded, identity, catalogs: &catalogs, completeness };
    let head = wire::check::Head::of(&checker.identity, &loaded.policy, loaded.version);
    let mut printer = Printer::new(arguments, &inputs, &head);
    let mut trail = Trail::new(loaded.storage.clone(), errors);
    for (index, input) in inputs.iter().enumerate() {
        match input.read() {
            Ok(windows) => {
                if !checker.input(index, &windows, &mut printer, &mut trail).await? {
                    break;
                }
                printer.files += u64::from(matches!(input, Input::File(_)));
            }
            Err(error) => unreadable.push(Unreadable::new(input.label(), &error)),
        }
        progress.advance(input.size_bytes());
    }
    progress.finish();
    trail.write().await?;
    let counts = printer.finish(unreadable.len() as u64, started.elapsed())?;
    say_unreadable(errors, &unreadable);
    Ok(if !unreadable.is_empty() {
        Outcome::Failure
    } else if counts.denied + counts.errors > 0 {
        Outcome::Findings
    } else {
        Outcome::Fine
    })
}

/// Who asks; or what is wrong with it.
fn identity(arguments: &Check, loaded: &LoadedPolicy) -> anyhow::Result<Result<Identity, String>> {
    let groups = source::groups_of(&arguments.groups, &arguments.user)?;
    let mut identity = Identity { user: SmolStr::new(&arguments.user), groups, roles: ActiveRoles::All };
    let held = loaded.policy.subject(&identity);
    for role in &arguments.roles {
        identity.roles = if role.eq_ignore_ascii_case("all") {
            ActiveRoles::All
        } else if role.eq_ignore_ascii_case("none") {
            ActiveRoles::None
        } else {
            let role = Name::fold(role);
            if !held.roles().any(|known| *known == role) {
                return Ok(Err(format!("`{}` does not hold the role `{role}`", arguments.user)));
            }
            match identity.roles {
                ActiveRoles::Only(mut roles) => {
                    roles.push(role);
                    ActiveRoles::Only(roles)
                }
                ActiveRoles::All | ActiveRoles::None => ActiveRoles::Only(vec![role]),
            }
        };
    }
    Ok(Ok(identity))
}

/// Checks inputs, one after the other.
struct Checker<'c> {
    arguments: &'c Check,
    loaded: &'c LoadedPolicy,
    identity: Identity,
    catalogs: &'c Catalogs,
    completeness: Completeness,
}

impl Checker<'_> {
    /// Says whether more is of any use. Nothing is told that the audit log does not have.
    async fn input(
        &self,
        index: usize,
        windows: &[Window<'_>],
        printer: &mut Printer<'_>,
        trail: &mut Trail,
    ) -> anyhow::Result<bool> {
        let mut session = self.session(index);
        for window in windows {
            let mut places = Places::starting_at(&window.text, window.start);
            for piece in Script::new(&window.text) {
                let place = places.of(piece.span.start);
                let policy = session.policy();
                let identity = session.identity().clone();
                let executed = session.execute(piece.text).await;
                trail.note(|| self.audit(&session, piece.text.trim(), &executed.checked));
                if is_refused_ddl(&executed.checked) {
                    session.carry_out(piece.text).await;
                }
                let report = Report {
                    label: &window.label,
                    text: &window.text,
                    span: piece.span,
                    place,
                    checked: executed.checked,
                    policy: &policy.policy,
                    identity: &identity,
                };
                printer.take(&report, &places);
                if trail.is_due() {
                    trail.write().await?;
                    if !printer.release() {
                        return Ok(false);
                    }
                }
            }
        }
        Ok(true)
    }

    /// Decided about the user, and asked by whoever types.
    fn audit(&self, session: &Session, statement: &str, checked: &Checked) -> AuditRecord {
        let mut record = session.audit_of(statement, checked, SystemClock.now());
        record.policy_version = self.loaded.version.unwrap_or_default();
        let asker = user_of_environment().map(|asker| format!(" by {asker}")).unwrap_or_default();
        record.client = Some(SmolStr::new(format!("guardbee check{asker}")));
        record
    }

    fn session(&self, index: usize) -> Session {
        let ground = Ground {
            policy: &self.loaded.policy,
            tags: &self.loaded.tags,
            catalogs: self.catalogs,
            completeness: self.completeness,
            reading: &self.arguments.reading,
        };
        ground.session(index, self.identity.clone())
    }
}

/// What sessions are judged by that change nothing but their own copy of it.
pub struct Ground<'g> {
    pub policy: &'g Policy,
    pub tags: &'g TagGround,
    pub catalogs: &'g Catalogs,
    pub completeness: Completeness,
    pub reading: &'g Reading,
}

impl Ground<'_> {
    /// The session of one input.
    #[must_use]
    pub fn session(&self, index: usize, identity: Identity) -> Session {
        let mut catalog = self.catalogs.of(index);
        let mut completeness = self.completeness;
        for database in self.catalogs.databases_of(index) {
            // Others may put tables into it, so that it is there from the start: that it is there already is no
            // mistake of the script that makes it.
            completeness = Completeness::Partial;
            if is_empty(&catalog, &database) {
                catalog.apply(&CatalogChange::RemoveDatabase(database));
            }
        }
        let options = EngineOptions {
            hive_version: self.reading.hive_version,
            catalog: catalog.clone(),
            completeness,
            ..EngineOptions::default()
        };
        let engine = Engine::new(self.policy.clone(), options);
        // What a script makes of a secret is secret for what follows in it.
        engine.inherit_tags_of(self.tags.graph.clone(), (*self.tags.calls).clone());
        let mut session = engine.session(identity);
        session.start_from(reading::session(catalog, self.reading));
        session
    }
}

/// What is created by a statement that may not run is missed by many others; each is judged as if those before it
/// had run. Administration is not among them: what nobody may grant is not granted.
pub fn is_refused_ddl(checked: &Checked) -> bool {
    let changes_catalog = checked.effects.as_ref().is_some_and(|effects| !effects.changes.is_empty());
    checked.outcome == Verdict::Denied && changes_catalog
}

fn is_empty(catalog: &Catalog, database: &Name) -> bool {
    catalog.tables(database).next().is_none()
}

/// Writes answers as they come.
struct Printer<'p> {
    arguments: &'p Check,
    style: Style,
    output: Output,
    /// What is not to be told yet.
    held: String,
    page: Page,
    counts: wire::check::Summary,
    files: u64,
    is_first: bool,
}

impl<'p> Printer<'p> {
    fn new(arguments: &'p Check, inputs: &[Input], head: &wire::check::Head) -> Self {
        let is_single = match inputs {
            [Input::CommandLine(texts)] => {
                texts.iter().map(|text| Script::new(text).take(2).count()).sum::<usize>() == 1
            }
            _ => false,
        };
        let position = if is_single { Position::Unneeded } else { Position::Shown };
        let mut printer = Self {
            arguments,
            style: Style::for_output(arguments.appearance.color),
            output: Output::standard(),
            held: String::new(),
            page: Page::new(position),
            counts: wire::check::Summary::default(),
            files: 0,
            is_first: true,
        };
        if arguments.format == CheckFormat::Json {
            let head = wire::line(head).unwrap_or_default();
            let head = head.strip_suffix('}').unwrap_or_default();
            printer.held = format!("{head},\"statements\":[");
        }
        printer
    }

    /// Takes an answer, to be told when it is [released](Self::release).
    fn take(&mut self, report: &Report<'_>, places: &Places<'_>) {
        if !self.count(report.checked.outcome.into()) {
            return;
        }
        let statement = match self.needs_reasons() {
            true => wire::check::Statement::of(report, places),
            false => wire::check::Statement::brief(report, places),
        };
        self.tell(&Answered {
            statement: &statement,
            user: &report.identity.user,
            text: report.text,
            span: report.span,
        });
    }

    /// Counts an answer, and says whether it is to be told.
    const fn count(&mut self, outcome: wire::check::Verdict) -> bool {
        self.counts.statements += 1;
        match outcome {
            wire::check::Verdict::Allowed => self.counts.allowed += 1,
            wire::check::Verdict::Denied => self.counts.denied += 1,
            wire::check::Verdict::Error => self.counts.errors += 1,
        }
        !(self.arguments.refused && matches!(outcome, wire::check::Verdict::Allowed))
    }

    /// Are reasons wanted of what is allowed, too?
    fn needs_reasons(&self) -> bool {
        self.arguments.format != CheckFormat::Table || self.arguments.explain
    }

    fn tell(&mut self, answered: &Answered<'_>) {
        let text = match self.arguments.format {
            CheckFormat::Table => {
                let explanation =
                    if self.arguments.explain { Explanation::Whole } else { Explanation::Short };
                self.page.statement(self.style, answered, explanation)
            }
            CheckFormat::Json | CheckFormat::Jsonl => {
                let Ok(line) = wire::line(answered.statement) else { return };
                match (self.arguments.format, self.is_first) {
                    (CheckFormat::Json, true) => format!("\n{line}"),
                    (CheckFormat::Json, false) => format!(",\n{line}"),
                    _ => format!("{line}\n"),
                }
            }
        };
        self.is_first = false;
        self.held.push_str(&text);
    }

    /// Writes what was taken, and says whether more is of any use.
    fn release(&mut self) -> bool {
        let is_wanted = self.output.write(&self.held);
        self.held.clear();
        is_wanted
    }

    fn finish(mut self, unreadable: u64, elapsed: Duration) -> anyhow::Result<wire::check::Summary> {
        self.release();
        let mut counts = self.counts;
        counts.files = self.files;
        counts.unreadable_files = unreadable;
        match self.arguments.format {
            CheckFormat::Table => {
                let total = self.page.total(self.style, counts, elapsed);
                self.output.write(&total);
            }
            CheckFormat::Json => {
                self.output.write(&format!("\n],\"summary\":{}}}\n", wire::line(&counts)?));
            }
            CheckFormat::Jsonl => {}
        }
        self.output.finish()?;
        Ok(counts)
    }
}
