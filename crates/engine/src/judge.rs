//! Judges one statement: reads it, makes its request, asks the policy, and says what would follow.

mod masked;
mod moved;
mod rows;
mod through;
mod unknown;

use std::borrow::Cow;
use std::collections::BTreeSet;

use guardbee_analysis::effects::{Effects, FunctionOrigin, Mode};
use guardbee_analysis::{Analysis, Catalog, Session as AnalysisSession, functions};
use guardbee_hiveql::command::ClientCommand;
use guardbee_hiveql::parser::parse_statement;
use guardbee_hiveql::tree::{Arena, Existence, Statement};
use guardbee_model::{Diagnostic, DiagnosticCode, HiveVersion, Operation, Severity};
use guardbee_policy::decision::{Basis, Missing, Obligation};
use guardbee_policy::request::{Columns, Lifetime, Request, Write, WriteAction};
use guardbee_policy::requirement::{Reach, Requirement, Right, Side};
use guardbee_policy::{
    ActiveRoles, BookName, Change, DataRule, Decision, EntryId, Identity, Policy, Principal, Resource, Scope,
    Settings, Subject, UriRights, Verdict, Visibility, rule_book,
};

use crate::administration::{self, Authority, Context, Plan, Refusal};
use crate::engine::{Completeness, Engine, PolicySnapshot};
use crate::expression_names::{CARRIER, with_column};
use crate::follow_up::{Ddl, follow_up};
use crate::metadata;
use crate::named::Named;
use crate::outcome::{Answer, Checked, Outcome, Problem, bare_decision, missing_text};
use crate::providers::Question;
use crate::request::{Misplaced, Translation, find_dropped, translate};
use crate::sight::Sight;
use crate::store::PolicyVersion;

/// Is only the answer wanted, or what follows as well?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wish {
    Check,
    Execute,
    /// What follows, whether or not they may: somebody else has allowed it.
    CarryOut,
}

/// A statement that was judged.
pub(crate) struct Judged {
    pub checked: Checked,
    /// The version of the policy that judged.
    pub base: PolicyVersion,
    /// What it does to the policy.
    pub changes: Vec<Change>,
    pub catalog_changes: Vec<guardbee_analysis::CatalogChange>,
    pub answer: Answer,
    /// What `SET ROLE` switches on.
    pub roles: Option<ActiveRoles>,
    /// The session as the statement leaves it.
    pub after: AnalysisSession,
}

pub(crate) fn judge(
    engine: &Engine,
    identity: &Identity,
    state: &AnalysisSession,
    text: &str,
    wish: Wish,
) -> Judged {
    let snapshot = engine.policy();
    let catalog = engine.catalog();
    let mut before = state.clone();
    before.replace_catalog(Catalog::clone(&catalog));
    let (before, after, Analysis { effects, diagnostics }) = analyze(engine, before, text);
    let subject = snapshot.policy.subject(identity);
    let judge = Judge { engine, snapshot: &snapshot, identity, subject: &subject, before: &before, wish };
    let Some(effects) = effects else {
        return judge.nothing(after, unreadable(diagnostics));
    };
    let arena = Arena::new();
    let substituted = before.substituted(text);
    let tree = needs_tree(&effects).then(|| tree(&arena, &substituted, &before)).flatten();
    match tree.as_ref().map(explained).filter(|statement| administration::is_administration(statement)) {
        Some(statement) => judge.administration(statement, after, effects, diagnostics),
        // Who may is for the plan to say, and there is none.
        None if administration::administers(effects.operation) => {
            judge.nothing(after, unreadable(diagnostics))
        }
        None => judge.statement(tree.as_ref(), after, effects, diagnostics),
    }
}

/// Judges what somebody else has read: nothing is known but what the statement touches.
pub(crate) fn judge_request(
    engine: &Engine,
    snapshot: &PolicySnapshot,
    subject: &Subject,
    identity: &Identity,
    request: &Request,
    misplaced: &[Misplaced],
) -> Checked {
    let settings = snapshot.policy.settings();
    let mut requirements = rule_book::requirements(settings, request);
    if asks_about_addresses(settings) {
        requirements.extend(misplaced.iter().map(nowhere));
    }
    let question = || Question {
        identity: identity.clone(),
        operation: request.operation,
        requirements: requirements.clone(),
    };
    let now = engine.clock.now();
    let decision = engine.deciders.decide(&snapshot.policy, subject, question, &requirements, now);
    let (outcome, problem) = match decision.is_allowed() {
        true => (Outcome::Allowed, None),
        false => {
            let denial = denial(settings, &identity.user, request.operation, &decision);
            (Outcome::Denied, Some(denial))
        }
    };
    Checked { effects: None, requirements, decision, diagnostics: Vec::new(), outcome, problem }
}

/// Reads a statement as the version of Hive does that the engine stands for, or as the first other one that it
/// belongs to. The answer is the session before and after it.
pub(crate) fn analyze(
    engine: &Engine,
    before: AnalysisSession,
    text: &str,
) -> (AnalysisSession, AnalysisSession, Analysis) {
    let mut after = before.clone();
    let analysis = after.analyze(text);
    let is_of_another = |analysis: &Analysis| {
        analysis.effects.is_none()
            && analysis.diagnostics.iter().any(|found| found.code == DiagnosticCode::VERSION)
    };
    if is_of_another(&analysis) {
        for version in &engine.other_versions {
            let other = before.clone().with_version(*version);
            let mut after = other.clone();
            let analysis = after.analyze(text);
            if !is_of_another(&analysis) {
                return (other, after.with_version(engine.hive_version), analysis);
            }
        }
    }
    (before, after, analysis)
}

/// Whom a statement makes the owner of something.
pub(crate) fn named_owner(before: &AnalysisSession, text: &str) -> Option<Principal> {
    let arena = Arena::new();
    let substituted = before.substituted(text);
    let statement = tree(&arena, &substituted, before)?;
    Named::of(&statement, before.database()).owner
}

/// A mask on a tag calls the column that carries it `value`; whoever applies the mask is told the column's name.
fn name_carrier(policy: &Policy, obligation: &mut Obligation) {
    let Obligation::Mask { column, policy: name, expression, .. } = obligation else { return };
    let mask = policy.data_policy(DataRule::ColumnMask, name);
    if mask.is_some_and(|mask| matches!(mask.scope, Scope::Tag { .. })) {
        *expression = with_column(expression, &CARRIER, column, None).into();
    }
}

/// Effects of queries say all there is to say, unless they write to paths or, as some loads are run, read them.
fn needs_tree(effects: &Effects) -> bool {
    use guardbee_analysis::effects::Object;
    effects.operation != Operation::Query
        || effects.writes.iter().any(|write| matches!(write.object, Object::Path(_)))
        || effects.reads.iter().any(|read| matches!(read.object, Object::Path(_)))
}

fn tree<'a>(arena: &'a Arena, text: &'a str, session: &AnalysisSession) -> Option<Statement<'a>> {
    if ClientCommand::parse(text).is_some() {
        return None;
    }
    parse_statement(arena, text, session.settings().parser).ok()
}

fn explained<'t, 'a>(statement: &'t Statement<'a>) -> &'t Statement<'a> {
    let mut statement = statement;
    while let Statement::Explain(explain) = statement {
        statement = explain.statement;
    }
    statement
}

fn unreadable(diagnostics: Vec<Diagnostic>) -> Checked {
    let problem = diagnostics
        .iter()
        .find(|found| found.severity == Severity::Error)
        .map_or_else(|| Problem::new("syntax", "the text is no statement"), problem_of);
    Checked {
        effects: None,
        requirements: Vec::new(),
        decision: bare_decision(Verdict::Denied),
        diagnostics,
        outcome: Outcome::Error,
        problem: Some(problem),
    }
}

fn problem_of(diagnostic: &Diagnostic) -> Problem {
    Problem { code: diagnostic.code.0, message: diagnostic.message.clone(), hint: diagnostic.hint.clone() }
}

struct Judge<'a> {
    engine: &'a Engine,
    snapshot: &'a PolicySnapshot,
    identity: &'a Identity,
    subject: &'a Subject,
    before: &'a AnalysisSession,
    wish: Wish,
}

impl Judge<'_> {
    /// Nothing follows.
    fn nothing(&self, after: AnalysisSession, checked: Checked) -> Judged {
        Judged {
            checked,
            base: self.snapshot.version,
            changes: Vec::new(),
            catalog_changes: Vec::new(),
            answer: Answer::default(),
            roles: None,
            after,
        }
    }

    fn administration(
        &self,
        statement: &Statement<'_>,
        after: AnalysisSession,
        effects: Effects,
        diagnostics: Vec<Diagnostic>,
    ) -> Judged {
        let context = Context {
            policy: &self.snapshot.policy,
            catalog: self.before.catalog(),
            completeness: self.engine.completeness,
            hive_version: self.engine.hive_version,
            database: self.before.database(),
            identity: self.identity,
            subject: self.subject,
            groups: &*self.engine.groups,
            now: self.engine.clock.now(),
            authority: match self.wish {
                Wish::CarryOut => Authority::Given,
                Wish::Check | Wish::Execute => Authority::Asked,
            },
        };
        // Whether what it names is there is for the plan to say, to those who may know.
        let planned = match diagnostics.iter().find(|found| found.severity == Severity::Error) {
            Some(mistake) => Err(Refusal::Error(problem_of(mistake))),
            None => administration::plan(context, statement),
        };
        let (grounds, outcome, problem, plan) = match planned {
            Ok(Plan { grounds, changes, answer, roles }) => {
                (grounds, Outcome::Allowed, None, Some((changes, answer, roles)))
            }
            Err(Refusal::Denied { grounds, problem }) => (*grounds, Outcome::Denied, Some(problem), None),
            Err(Refusal::Error(problem)) => {
                (administration::Grounds::none_needed(), Outcome::Error, Some(problem), None)
            }
        };
        let checked = Checked {
            effects: Some(effects),
            requirements: grounds.requirements,
            decision: grounds.decision,
            diagnostics,
            outcome,
            problem,
        };
        let (changes, answer, roles) = plan.unwrap_or_default();
        Judged { changes, answer, roles, ..self.nothing(after, checked) }
    }

    fn statement(
        &self,
        tree: Option<&Statement<'_>>,
        after: AnalysisSession,
        effects: Effects,
        diagnostics: Vec<Diagnostic>,
    ) -> Judged {
        let settings = self.snapshot.policy.settings();
        let mut translation = translate(&effects, tree, self.before, &settings.default_file_system);
        if self.engine.completeness == Completeness::Partial {
            find_dropped(&mut translation.request);
        }
        let requirements = self.requirements(&translation);
        let policy = match self.with_inherited_tags(&effects) {
            Some(policy) => Cow::Owned(policy),
            None => Cow::Borrowed(&self.snapshot.policy),
        };
        let mut decision = self.decide_by(&policy, &requirements, effects.operation);
        if decision.is_allowed() {
            for obligation in self.obligations_of_reads(&policy, &effects) {
                if !decision.obligations.contains(&obligation) {
                    decision.obligations.push(obligation);
                }
            }
            decision.obligations.iter_mut().for_each(|obligation| name_carrier(&policy, obligation));
        }
        let (outcome, problem) = self.outcome(&effects, &translation, &requirements, &decision, &diagnostics);
        let may_hide = self.may_hide(&translation.named);
        let after = match may_hide {
            true => self.before.clone().with_version(self.engine.hive_version),
            false => after,
        };
        let mut judged = self
            .nothing(after, Checked { effects: None, requirements, decision, diagnostics, outcome, problem });
        if self.wish != Wish::Check && outcome == Outcome::Allowed && !may_hide {
            self.follow(&mut judged, &effects, tree, translation.named.owner);
        }
        judged.checked.effects = Some(effects);
        judged
    }

    /// Might there be something, unknown to the catalog, that keeps what `IF NOT EXISTS` makes from being made?
    /// Then nothing is known of it: a temporary table does not become the session's own, nobody becomes the
    /// owner of a table that may be another's, and what the statement says of its columns may be wrong.
    fn may_hide(&self, named: &Named) -> bool {
        if self.engine.completeness == Completeness::Complete {
            return false;
        }
        let catalog = self.before.catalog();
        let is_unknown = |resource: &Resource| match resource {
            Resource::Table(table) => catalog.table(&table.database, &table.table).is_none(),
            Resource::Database(database) => catalog.database(database).is_none(),
            _ => false,
        };
        named.made_where_absent.as_ref().is_some_and(is_unknown)
            || named.temporary.as_ref().is_some_and(|(table, existence)| {
                *existence == Existence::Tolerated && !self.before.is_temporary(table)
            })
    }

    fn requirements(&self, translation: &Translation) -> Vec<Requirement> {
        let settings = self.snapshot.policy.settings();
        if self.wish == Wish::CarryOut || is_the_sessions_own(translation) {
            return Vec::new();
        }
        let mut requirements = rule_book::requirements(settings, &translation.request);
        if asks_about_addresses(settings) {
            requirements.extend(translation.misplaced.iter().map(nowhere));
        }
        requirements
    }

    fn decide(&self, requirements: &[Requirement], operation: Operation) -> Decision {
        self.decide_by(&self.snapshot.policy, requirements, operation)
    }

    fn decide_by(&self, policy: &Policy, requirements: &[Requirement], operation: Operation) -> Decision {
        let question =
            || Question { identity: self.identity.clone(), operation, requirements: requirements.to_vec() };
        let now = self.engine.clock.now();
        self.engine.deciders.decide(policy, self.subject, question, requirements, now)
    }

    fn sight(&self) -> Sight<'_> {
        Sight { policy: &self.snapshot.policy, subject: self.subject, now: self.engine.clock.now() }
    }

    fn outcome(
        &self,
        effects: &Effects,
        translation: &Translation,
        requirements: &[Requirement],
        decision: &Decision,
        diagnostics: &[Diagnostic],
    ) -> (Outcome, Option<Problem>) {
        if effects.mode == Mode::ExplainAuthorization {
            return (Outcome::Allowed, None);
        }
        let is_complete = self.engine.completeness == Completeness::Complete;
        if is_complete
            && let Some((outcome, problem)) = self.unknown(effects, translation, requirements, diagnostics)
        {
            return (outcome, Some(problem));
        }
        if !decision.is_allowed() {
            return (Outcome::Denied, Some(self.denial(effects.operation, decision)));
        }
        let mistake = diagnostics.iter().find(|found| match found.code {
            DiagnosticCode::UNKNOWN_FUNCTION => is_complete && !is_built_in_somewhere(effects),
            _ => is_mistake(found, is_complete),
        });
        if let Some(mistake) = mistake {
            return (Outcome::Error, Some(problem_of(mistake)));
        }
        if is_complete && let Some(problem) = self.not_empty(&translation.named) {
            return (Outcome::Error, Some(problem));
        }
        let protected = self
            .masked(&translation.request, effects)
            .or_else(|| self.denied_rows(&translation.request))
            .or_else(|| self.shown(translation, effects.operation))
            .or_else(|| self.shakes_off(effects))
            .or_else(|| self.runs_as_another(&translation.named));
        match protected {
            Some(problem) => (Outcome::Denied, Some(problem)),
            None => (Outcome::Allowed, None),
        }
    }

    /// A scheduled query that is somebody else's does what they may do. Hive lets nobody make or take one over for
    /// another user.
    fn runs_as_another(&self, named: &Named) -> Option<Problem> {
        let user = &self.identity.user;
        let other = named.runs_as.as_ref().filter(|other| *other != user.as_str())?;
        if self.subject.is_administrator() {
            return None;
        }
        let message = format!("user `{user}` may not have a query run as `{other}`");
        Some(Problem::new("run-as-another", message).with_hint("only administrators may"))
    }

    /// Without `CASCADE` a database goes only when nothing is in it.
    fn not_empty(&self, named: &Named) -> Option<Problem> {
        let database = named.must_be_empty.as_ref()?;
        self.before.catalog().tables(database).next()?;
        let problem = Problem::new("database-not-empty", format!("the database `{database}` is not empty"));
        Some(problem.with_hint("drop what is in it first, or say CASCADE"))
    }

    fn denial(&self, operation: Operation, decision: &Decision) -> Problem {
        denial(self.snapshot.policy.settings(), &self.identity.user, operation, decision)
    }

    /// What is to be done beside running the statement.
    fn follow(
        &self,
        judged: &mut Judged,
        effects: &Effects,
        tree: Option<&Statement<'_>>,
        owner: Option<Principal>,
    ) {
        if matches!(effects.mode, Mode::Explain | Mode::ExplainAuthorization) {
            if effects.mode == Mode::ExplainAuthorization {
                let settings = self.snapshot.policy.settings();
                judged.answer =
                    metadata::authorization(effects, &judged.checked.decision, settings, self.identity);
            }
            return;
        }
        let ddl = Ddl {
            operation: effects.operation,
            changes: &effects.changes,
            before: self.before,
            actor: Some(Principal::User(self.identity.user.clone())),
            owner,
            now: self.engine.clock.now(),
        };
        match follow_up(&self.snapshot.policy, &ddl) {
            Ok(changes) => {
                let policy = &self.snapshot.policy;
                judged.changes = self.engine.with_kept_tags(policy, &effects.changes, changes);
            }
            Err(error) => {
                judged.checked.outcome = Outcome::Error;
                judged.checked.problem = Some(Problem::new(error.code(), error.to_string()));
                return;
            }
        }
        judged.catalog_changes = self.shared_changes(effects);
        if let Some(Statement::Show(show)) = tree {
            let now = self.engine.clock.now();
            let visibility = Visibility::new(&self.snapshot.policy, self.subject, now);
            judged.answer = metadata::show(&visibility, self.before, show);
        }
    }

    /// What everybody sees of the changes; the rest is the session's own.
    fn shared_changes(&self, effects: &Effects) -> Vec<guardbee_analysis::CatalogChange> {
        use guardbee_analysis::CatalogChange as Step;
        use guardbee_analysis::catalog::TableKind;
        effects
            .changes
            .iter()
            .filter(|change| match change {
                Step::PutTable(table) => table.kind != TableKind::Temporary,
                Step::RemoveTable(name) | Step::RenameTable { from: name, .. } => {
                    !self.before.is_temporary(name)
                }
                Step::PutFunction(function) => function.name.database.is_some(),
                Step::RemoveFunction(name) => name.database.is_some(),
                Step::PutDatabase(_) | Step::RemoveDatabase(_) | Step::PutExport { .. } => true,
                Step::PutMacro(_)
                | Step::RemoveMacro(_)
                | Step::UseDatabase(_)
                | Step::Prepare { .. }
                | Step::Setting { .. }
                | Step::ResetSettings => false,
            })
            .cloned()
            .collect()
    }
}

/// No right covers an address that stands for no place.
fn nowhere(misplaced: &Misplaced) -> Requirement {
    Requirement {
        right: Right::Nobody(format!("`{}`: {}", misplaced.path, misplaced.error).into()),
        resource: Resource::Server,
        columns: Columns::Whole,
        reach: Reach::Around,
        side: Side::Input,
    }
}

/// So many rights that are missing are named in a message; the decision has all of them.
const MOST_NAMED: usize = 20;

fn denial(settings: &Settings, user: &str, operation: Operation, decision: &Decision) -> Problem {
    let (forbidden, missing): (Vec<&Missing>, Vec<&Missing>) =
        decision.missing().partition(|missing| matches!(missing.right, Right::Nobody(_)));
    let list = |missing: &[&Missing]| {
        let named = missing.iter().take(MOST_NAMED).map(|missing| missing_text(missing, settings));
        let named = named.collect::<Vec<_>>().join(", ");
        match missing.len().checked_sub(MOST_NAMED) {
            None | Some(0) => named,
            Some(more) => format!("{named} and {more} more"),
        }
    };
    let reason = match (forbidden.as_slice(), missing.as_slice()) {
        ([], missing) => format!("missing {}", list(missing)),
        (forbidden, []) => list(forbidden),
        (forbidden, missing) => format!("{}; missing {}", list(forbidden), list(missing)),
    };
    let denials = denials(decision);
    Problem::new("not-allowed", format!("user `{user}` may not run {operation}: {reason}{denials}"))
}

/// The entries that refuse it, where there are any.
fn denials(decision: &Decision) -> String {
    let denied = decision.reasons.iter().filter(|reason| reason.basis == Basis::Denied);
    let entries: BTreeSet<EntryId> = denied.flat_map(|reason| reason.entries.iter().copied()).collect();
    let entries: Vec<String> = entries.iter().map(EntryId::to_string).collect();
    if entries.is_empty() { String::new() } else { format!(" (denied by {})", entries.join(", ")) }
}

/// Does it touch nothing but temporary tables that are there?
fn is_the_sessions_own(translation: &Translation) -> bool {
    let request = &translation.request;
    let is_own = |write: &Write| {
        write.lifetime == Lifetime::Session
            && write.action != WriteAction::Create
            && matches!(write.resource, Resource::Table(_))
    };
    (translation.reads_own_tables || !request.writes.is_empty())
        && request.writes.iter().all(is_own)
        && request.reads.is_empty()
        && request.functions.is_empty()
        && request.commands.is_empty()
        && translation.misplaced.is_empty()
}

/// Are the functions that the version does not have those of another version?
fn is_built_in_somewhere(effects: &Effects) -> bool {
    let mut unknown =
        effects.functions.iter().filter(|called| called.origin == FunctionOrigin::Unknown).peekable();
    unknown.peek().is_some()
        && unknown.all(|called| {
            let name = &called.function.name;
            called.function.database.is_none()
                && HiveVersion::ALL.iter().any(|version| functions::built_in(name, *version).is_some())
        })
}

/// Hive's legacy mode never looks at addresses; its SQL-standard mode leaves them to the file system where the
/// settings do.
fn asks_about_addresses(settings: &Settings) -> bool {
    match settings.rule_book {
        BookName::HiveLegacy => false,
        BookName::SqlStandard => settings.uri_rights == UriRights::Entries,
        BookName::Sentry | BookName::Ranger => true,
    }
}

/// Does a finding keep the statement from running, whoever runs it? That the catalog lacks something counts only
/// where the catalog is complete.
fn is_mistake(found: &Diagnostic, is_complete: bool) -> bool {
    let of_the_catalog = [
        DiagnosticCode::UNKNOWN_TABLE,
        DiagnosticCode::UNKNOWN_COLUMN,
        DiagnosticCode::ALREADY_EXISTS,
        DiagnosticCode::AMBIGUOUS,
        DiagnosticCode::UNKNOWN_STATEMENT,
    ];
    if of_the_catalog.contains(&found.code) {
        return is_complete;
    }
    found.severity == Severity::Error
}
