//! `guardbee check` where a service decides.
//!
//! It is asked statement by statement, each in the database that the script is in by then. What the statements before it
//! would have made or granted is not known there.

use std::time::Instant;

use guardbee_analysis::{Catalog, CatalogChange, Session};
use guardbee_hiveql::script::Script;
use guardbee_model::{HiveVersion, Span};
use guardbee_wire::service::check::{BatchAnswer, BatchRequest, CheckRequest, LineAnswer};
use guardbee_wire::service::state::{Health, Version};
use smol_str::SmolStr;

use super::Printer;
use super::table::Answered;
use crate::arguments::Check;
use crate::client::{self, Client};
use crate::exit::Outcome;
use crate::input::{self, Input, Unreadable};
use crate::output::say_unreadable;
use crate::place::{Place, Places};
use crate::policy::source::{self, NoPolicy};
use crate::reading;
use crate::terminal::Style;
use crate::window::Window;
use crate::wire::Finding;
use crate::wire::check::{Head, Statement};

/// So many statements, or so many bytes of them, are asked about at once.
const TOGETHER: usize = 256;
const MOST_BYTES: usize = 4 << 20;
const NOTHING: [(&str, &str); 0] = [];

/// Runs the command.
///
/// # Errors
/// What kept it from being done.
pub fn check(arguments: &Check, client: &Client) -> anyhow::Result<Outcome> {
    match checked(arguments, client) {
        Ok(outcome) => Ok(outcome),
        Err(none) => none.outcome(arguments.appearance),
    }
}

fn checked(arguments: &Check, client: &Client) -> Result<Outcome, NoPolicy> {
    let started = Instant::now();
    refuse_local(arguments)?;
    let (mut inputs, mut unreadable) = input::collect(&arguments.paths);
    if !arguments.expressions.is_empty() {
        inputs.push(Input::CommandLine(arguments.expressions.clone()));
    }
    let groups: Vec<String> =
        source::groups_of(&arguments.groups, &arguments.user)?.into_iter().map(String::from).collect();
    let version: Version = client.get("/api/v1/version", &NOTHING)?;
    let health: Health = client.get("/health/ready", &NOTHING)?;
    let head = Head::of_answer(&arguments.user, &groups, version.rule_book, health.policy_version);
    let mut printer = Printer::new(arguments, &inputs, &head);
    let asking = Asking { arguments, client, groups, roles: roles(arguments) };
    for input in &inputs {
        match input.read() {
            Ok(windows) => {
                if !asking.input(&windows, &mut printer)? {
                    break;
                }
                printer.files += u64::from(matches!(input, Input::File(_)));
            }
            Err(error) => unreadable.push(Unreadable::new(input.label(), &error)),
        }
    }
    let counts = printer.finish(unreadable.len() as u64, started.elapsed())?;
    say_unreadable(Style::for_errors(arguments.appearance.color), &unreadable);
    Ok(if !unreadable.is_empty() {
        Outcome::Failure
    } else if counts.denied + counts.errors > 0 {
        Outcome::Findings
    } else {
        Outcome::Fine
    })
}

fn refuse_local(arguments: &Check) -> Result<(), NoPolicy> {
    let (source, reading) = (&arguments.source, &arguments.reading);
    client::refuse(&[("--rule-book", source.rule_book.is_some())], "it decides by its own")?;
    let options = [
        ("--catalog", !reading.catalog.is_empty()),
        ("--hive-version", reading.hive_version != HiveVersion::default()),
    ];
    client::refuse(&options, "it knows its warehouse, see `guardbee serve`")
}

/// The roles that are switched on; absent: all.
fn roles(arguments: &Check) -> Option<Vec<SmolStr>> {
    arguments.roles.iter().fold(None, |roles: Option<Vec<SmolStr>>, role| {
        if role.eq_ignore_ascii_case("all") {
            None
        } else if role.eq_ignore_ascii_case("none") {
            Some(Vec::new())
        } else {
            let mut roles = roles.unwrap_or_default();
            roles.push(role.into());
            Some(roles)
        }
    })
}

/// Asks a service about inputs, one after the other.
struct Asking<'a> {
    arguments: &'a Check,
    client: &'a Client,
    groups: Vec<String>,
    roles: Option<Vec<SmolStr>>,
}

/// A statement that is to be asked about, and where it stands.
struct Asked<'t> {
    span: Span,
    place: Place,
    request: CheckRequest,
    findings: Vec<Finding>,
    window: &'t Window<'t>,
}

impl Asking<'_> {
    /// Says whether more is of any use.
    fn input(&self, windows: &[Window<'_>], printer: &mut Printer<'_>) -> Result<bool, NoPolicy> {
        let mut session = reading::session(Catalog::default(), &self.arguments.reading);
        let mut database = self.arguments.reading.database.clone();
        let (mut waiting, mut bytes) = (Vec::new(), 0);
        for window in windows {
            let mut places = Places::starting_at(&window.text, window.start);
            for piece in Script::new(&window.text) {
                let place = places.of(piece.span.start);
                let request = self.request(&session, &database, piece.text);
                let analysis = session.analyze(piece.text);
                let changes = analysis.effects.iter().flat_map(|effects| &effects.changes);
                for change in changes {
                    if let CatalogChange::UseDatabase(used) = change {
                        database = used.to_string();
                    }
                }
                let findings = Finding::all(analysis.diagnostics, piece.span.start, &places);
                bytes += piece.text.len();
                waiting.push(Asked { span: piece.span, place, request, findings, window });
                if waiting.len() >= TOGETHER || bytes >= MOST_BYTES {
                    bytes = 0;
                    if !self.ask(std::mem::take(&mut waiting), printer)? {
                        return Ok(false);
                    }
                }
            }
        }
        self.ask(waiting, printer)
    }

    fn request(&self, session: &Session, database: &str, statement: &str) -> CheckRequest {
        CheckRequest {
            user: Some(self.arguments.user.as_str().into()),
            groups: (!self.groups.is_empty()).then(|| self.groups.iter().map(SmolStr::from).collect()),
            roles: self.roles.clone(),
            database: Some(database.into()),
            statement: Some(session.substituted(statement).into_owned()),
            explain: true,
            ..CheckRequest::default()
        }
    }

    fn ask(&self, mut asked: Vec<Asked<'_>>, printer: &mut Printer<'_>) -> Result<bool, NoPolicy> {
        if asked.is_empty() {
            return Ok(printer.release());
        }
        let checks = asked.iter_mut().map(|asked| std::mem::take(&mut asked.request)).collect();
        let BatchAnswer { answers } =
            self.client.post("/api/v1/check/batch", &BatchRequest { checks, ..BatchRequest::default() })?;
        if answers.len() != asked.len() {
            return Err(anyhow::anyhow!("the server did not answer every statement").into());
        }
        for (asked, answer) in asked.into_iter().zip(answers) {
            let answer = match answer {
                LineAnswer::Answer(answer) => *answer,
                // What is wrong with who asks is wrong with all of it.
                LineAnswer::Problem { problem } => {
                    let hint = problem.hint.map(|hint| format!(": {hint}")).unwrap_or_default();
                    return Err(NoPolicy::WrongUse(format!("{}{hint}", problem.message)));
                }
            };
            if !printer.count(answer.outcome) {
                continue;
            }
            let window = asked.window;
            let statement = Statement::of_answer(&window.label, asked.place, answer, &asked.findings);
            let statement = if printer.needs_reasons() { statement } else { statement.shortened() };
            printer.tell(&Answered {
                statement: &statement,
                user: &self.arguments.user,
                text: &window.text,
                span: asked.span,
            });
        }
        Ok(printer.release())
    }
}
