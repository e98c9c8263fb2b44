//! A policy as SQL files state it.
//!
//! The files together are the whole policy: what is not in them is not in it. They hold the statements of
//! `docs/sql-administration.md`, and `SET guardbee.key = value` for the settings that decide with the entries.
//! Nothing in them is checked against anybody's rights; whoever applies the policy has to administer.

use std::sync::Arc;

use guardbee_hiveql::command::ClientCommand;
use guardbee_hiveql::script::{Piece, PieceKind, Script};
use guardbee_model::{Severity, Span};
use guardbee_policy::{
    ActiveRoles, BookName, Change, ChangeError, GrantOption, Identity, Membership, Policy, Principal,
    SettingError, Settings, Timestamp,
};

use crate::engine::{Engine, EngineOptions};
use crate::session::Session;

/// What settings are called in files: `SET guardbee.rule_book = hive-legacy`.
const SETTING_PREFIX: &str = "guardbee.";

/// Runs the statements. No user can have this name: it has a character that no name has.
const AUTHOR: &str = "\u{1}policy file";

/// A file of statements.
#[derive(Debug, Clone, Copy)]
pub struct PolicyFile<'t> {
    /// What messages call it.
    pub label: &'t str,
    pub text: &'t str,
}

/// Something in a file that makes no policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileProblem {
    /// The file's place in the list.
    pub file: usize,
    pub span: Span,
    pub code: &'static str,
    /// In lower case without a full stop.
    pub message: String,
    pub hint: Option<String>,
}

/// The policy that the files state, read in their order, but roles and tags are made first: a file may name those
/// of any other.
///
/// `settings` hold where the files set nothing else. The options' catalog says which objects there are.
///
/// # Errors
/// Everything that is wrong with any of the files; then there is no policy.
pub async fn desired_policy(
    files: &[PolicyFile<'_>],
    settings: &Settings,
    options: EngineOptions,
) -> Result<Policy, Vec<FileProblem>> {
    let mut problems = Vec::new();
    let settings = read_settings(files, settings, &mut problems);
    let engine = Engine::new(first_policy(&settings).map_err(|error| vec![of_change(&error)])?, options);
    for stage in [Stage::PlainDefinitions, Stage::Definitions, Stage::Rest] {
        for (file, content) in files.iter().enumerate() {
            let mut session = session(&engine, &settings);
            for piece in Script::new(content.text) {
                if stage_of(&piece) == stage {
                    run(&mut session, file, &piece, &mut problems).await;
                }
            }
        }
    }
    if !problems.is_empty() {
        problems.sort_by_key(|problem| (problem.file, problem.span.start));
        return Err(problems);
    }
    let mut policy = engine.policy().policy.clone();
    let author = Change::RemoveMembership { role: "admin".into(), member: Principal::user(AUTHOR) };
    policy.apply(author).map_err(|error| vec![of_change(&error)])?;
    Ok(policy)
}

/// Is the principal the one that ran the statements of a file? Whoever applies the policy takes its place.
#[must_use]
pub fn is_file_author(principal: &Principal) -> bool {
    matches!(principal, Principal::User(name) if name == AUTHOR)
}

/// When a statement of a file has its turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Before all others.
    Settings,
    /// Makes a role or tag, all in plain letters: what looks like one is the later one.
    PlainDefinitions,
    /// Makes a role or tag.
    Definitions,
    Rest,
}

fn stage_of(piece: &Piece<'_>) -> Stage {
    if setting_of(piece).is_some() {
        return Stage::Settings;
    }
    let mut words = piece.text.split_ascii_whitespace().map(str::to_ascii_lowercase);
    match (words.next().as_deref(), words.next().as_deref()) {
        (Some("create"), Some("role" | "tag")) if piece.text.is_ascii() => Stage::PlainDefinitions,
        (Some("create"), Some("role" | "tag")) => Stage::Definitions,
        _ => Stage::Rest,
    }
}

fn read_settings(files: &[PolicyFile<'_>], base: &Settings, problems: &mut Vec<FileProblem>) -> Settings {
    let mut settings = base.clone();
    for (file, content) in files.iter().enumerate() {
        for piece in Script::new(content.text) {
            let Some((key, value)) = setting_of(&piece) else { continue };
            let Err(error) = settings.set(key, value) else { continue };
            let (message, hint) = match error {
                SettingError::UnknownKey => (
                    format!("there is no setting `{key}`"),
                    format!("settings are {}", Settings::KEYS.join(", ")),
                ),
                SettingError::UnknownValue { allowed } => {
                    (format!("`{key}` cannot be `{value}`"), format!("expected {allowed}"))
                }
            };
            problems.push(FileProblem { file, span: piece.span, code: "setting", message, hint: Some(hint) });
        }
    }
    settings
}

/// Key and value of `SET guardbee.key = value`.
fn setting_of<'t>(piece: &Piece<'t>) -> Option<(&'t str, &'t str)> {
    let PieceKind::Command(ClientCommand::Set(_)) = &piece.kind else { return None };
    let (_, assignment) = piece.text.split_at_checked(3)?;
    let (key, value) = assignment.split_once('=')?;
    Some((key.trim().strip_prefix(SETTING_PREFIX)?, value.trim()))
}

/// An empty policy in which the author may do everything.
fn first_policy(settings: &Settings) -> Result<Policy, ChangeError> {
    let author = Change::PutMembership(Membership {
        role: "admin".into(),
        member: Principal::user(AUTHOR),
        admin_option: GrantOption::With,
        grantor: None,
        created_at: Timestamp::default(),
    });
    Policy::from_changes(Settings::default().changes_to(settings).into_iter().chain([author]))
}

fn session(engine: &Arc<Engine>, settings: &Settings) -> Session {
    let mut session = engine.session(Identity::of_user(AUTHOR));
    if settings.rule_book == BookName::SqlStandard {
        session.switch_roles(ActiveRoles::Only(vec!["admin".into()]));
    }
    session
}

async fn run(session: &mut Session, file: usize, piece: &Piece<'_>, problems: &mut Vec<FileProblem>) {
    let executed = session.execute(piece.text).await;
    let checked = &executed.checked;
    let at = |span: Span, code, message: String, hint: Option<String>| FileProblem {
        file,
        span,
        code,
        message,
        hint,
    };
    let error = checked.diagnostics.iter().find(|found| found.severity == Severity::Error);
    if let Some(error) = error {
        let span = error.span.shifted(piece.span.start);
        problems.push(at(span, error.code.0, error.message.clone(), error.hint.clone()));
    } else if let Some(problem) = checked.problem.as_ref().filter(|found| !found.message.contains(AUTHOR)) {
        problems.push(at(piece.span, problem.code, problem.message.clone(), problem.hint.clone()));
    } else if checked.problem.is_some() || (executed.version.is_none() && !is_without_change(piece.text)) {
        // The author may state everything: what is refused to them is no statement of a policy.
        let message = "the statement states nothing of a policy".to_owned();
        let hint =
            "a policy file holds roles, grants, denials, tags, row filters and column masks".to_owned();
        problems.push(at(piece.span, "no-policy-statement", message, Some(hint)));
    }
}

/// Statements that may well change nothing: a grant that is there already, or `USE` before others.
fn is_without_change(text: &str) -> bool {
    let word = text.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or("");
    ["create", "grant", "deny", "revoke", "set", "unset", "alter", "drop", "use"]
        .iter()
        .any(|known| word.eq_ignore_ascii_case(known))
}

fn of_change(error: &ChangeError) -> FileProblem {
    FileProblem { file: 0, span: Span::at(0), code: error.code(), message: error.to_string(), hint: None }
}
