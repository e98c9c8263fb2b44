//! Where a policy comes from: a store, or SQL files.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;
use guardbee_analysis::Catalog;
use guardbee_engine::groups::{CommandGroups, FixedGroups, GroupMapping, SystemGroups};
use guardbee_engine::lineage::Lineage;
use guardbee_engine::store::{At, PolicyVersion, Storage, Store};
use guardbee_engine::tags::FunctionCalls;
use guardbee_engine::{Completeness, EngineError, EngineOptions, PolicySnapshot, Problem};
use guardbee_lineage::{AsOf, Graph};
use guardbee_model::{HiveVersion, Severity, Span};
use guardbee_policy::{BookName, Change, Policy, Settings};
use guardbee_questions::policy::{PolicyText, desired};
use guardbee_questions::{TagGround, Unanswered};
use guardbee_store::Location;
use smol_str::SmolStr;

use crate::arguments::{Appearance, Groups, Known, PolicySource, Reading};
use crate::catalogs::Catalogs;
use crate::exit::Outcome;
use crate::input::{self, Input};
use crate::output::{say, say_error, say_unreadable};
use crate::place::Place;
use crate::render::finding::{self, Mark};
use crate::terminal::{Style, printable};
use crate::wire::policy::TextProblem;

/// Where the environment names the store, so that no password stands on the command line.
const STORE_VARIABLE: &str = "GUARDBEE_STORE";

/// A policy and its version, where it comes from a store.
#[derive(Clone)]
pub struct LoadedPolicy {
    /// Of a store that the command line names, with the tags that came with the data of its runs.
    pub policy: Policy,
    pub version: Option<PolicyVersion>,
    pub tags: TagGround,
    /// The store that the command line names, where it names one.
    pub storage: Option<Arc<dyn Storage>>,
}

/// What is known of the warehouse while policy files are read.
#[derive(Debug, Clone, Default)]
pub struct Warehouse {
    pub catalog: Catalog,
    pub completeness: Completeness,
    pub hive_version: HiveVersion,
}

impl Warehouse {
    /// Of which nothing is known.
    #[must_use]
    pub fn unknown() -> Self {
        Self { completeness: Completeness::Partial, ..Self::default() }
    }

    /// What the command line says of it.
    ///
    /// # Errors
    /// A catalog that cannot be read.
    pub fn of(known: &Known) -> anyhow::Result<Self> {
        let reading = Reading::with_catalog(known.catalog.clone(), known.hive_version);
        let catalogs = Catalogs::read(&reading)?;
        let is_known = !known.catalog.is_empty();
        Ok(Self {
            catalog: catalogs.shared().clone(),
            completeness: if is_known { Completeness::Complete } else { Completeness::Partial },
            hive_version: known.hive_version,
        })
    }

    #[must_use]
    pub fn options(&self) -> EngineOptions {
        EngineOptions {
            hive_version: self.hive_version,
            catalog: self.catalog.clone(),
            completeness: self.completeness,
            ..EngineOptions::default()
        }
    }
}

/// Why there is no policy.
#[derive(Debug)]
pub enum NoPolicy {
    WrongUse(String),
    /// What a question is about is not there, or not for who asks.
    NotFound {
        message: String,
        hint: Option<String>,
    },
    /// What is wrong has been told.
    Told,
    Failed(anyhow::Error),
}

impl From<anyhow::Error> for NoPolicy {
    fn from(error: anyhow::Error) -> Self {
        Self::Failed(error)
    }
}

impl From<Unanswered> for NoPolicy {
    fn from(unanswered: Unanswered) -> Self {
        match unanswered {
            Unanswered::WrongUse(problem) => Self::WrongUse(match problem.hint {
                Some(hint) => format!("{}: {hint}", problem.message),
                None => problem.message,
            }),
            Unanswered::NotFound(Problem { message, hint, .. }) => Self::NotFound { message, hint },
            failure => Self::Failed(anyhow::Error::new(failure)),
        }
    }
}

impl NoPolicy {
    /// Tells what has not been told, and how the command ends.
    ///
    /// # Errors
    /// The failure, for the caller's caller to tell.
    pub fn outcome(self, appearance: Appearance) -> anyhow::Result<Outcome> {
        match self {
            Self::WrongUse(message) => {
                say_error(Style::for_errors(appearance.color), &message);
                Ok(Outcome::WrongUse)
            }
            Self::NotFound { message, hint } => {
                say_error(Style::for_errors(appearance.color), &message);
                if let Some(hint) = &hint {
                    say(&printable(hint));
                }
                Ok(Outcome::Findings)
            }
            Self::Told => Ok(Outcome::Failure),
            Self::Failed(error) => Err(error),
        }
    }
}

/// The policy that the command line names.
///
/// # Errors
/// [`NoPolicy`]; what is wrong in policy files has been told then.
pub async fn load(
    source: &PolicySource,
    warehouse: &Warehouse,
    appearance: Appearance,
) -> Result<LoadedPolicy, NoPolicy> {
    let mut loaded = match (store_location(source.store.as_deref(), &source.policy)?, source.rule_book) {
        (Some(location), _) => {
            let storage = open(&location).await?;
            let mut loaded = from_store(&*storage, At::Latest).await?;
            loaded.tags = tag_ground(&storage, &loaded.policy).await?;
            loaded.tags.inherit(&mut loaded.policy, AsOf::Now);
            loaded.storage = Some(storage);
            loaded
        }
        (None, rule_book) => {
            let base = settings(rule_book);
            let policy = from_files(&source.policy, &base, warehouse, appearance).await?;
            LoadedPolicy { policy, version: None, tags: TagGround::default(), storage: None }
        }
    };
    if let Some(book) = source.rule_book {
        let change = Change::PutSetting { key: "rule_book".into(), value: book.as_str().into() };
        loaded.policy.apply(change).map_err(|error| NoPolicy::WrongUse(error.to_string()))?;
    }
    Ok(loaded)
}

/// The runs of a store, where the policy has tags that could go along them.
async fn tag_ground(storage: &Arc<dyn Storage>, policy: &Policy) -> Result<TagGround, NoPolicy> {
    if !policy.has_tags() {
        return Ok(TagGround { graph: Graph::new(), calls: Arc::new(FunctionCalls::wanted_by(policy)) });
    }
    let lineage = Lineage::open(storage.clone()).await.context("cannot read the recorded runs")?;
    Ok(TagGround::over(lineage.snapshot().graph.clone(), &Arc::default(), &**storage, policy).await?)
}

fn settings(rule_book: Option<BookName>) -> Settings {
    let default = Settings::default();
    Settings { rule_book: rule_book.unwrap_or(default.rule_book), ..default }
}

/// The store that is named here or by the environment, unless files take its place.
fn store_location(store: Option<&str>, files: &[PathBuf]) -> Result<Option<String>, NoPolicy> {
    match (store, files.is_empty()) {
        (Some(_), false) => {
            let message = "either `--store` or `--policy`: only one policy can decide";
            Err(NoPolicy::WrongUse(message.to_owned()))
        }
        (Some(store), true) => Ok(Some(store.to_owned())),
        (None, false) => Ok(None),
        (None, true) => named_store(None).map(Some),
    }
}

/// The store that is named here or by the environment.
///
/// # Errors
/// [`NoPolicy::WrongUse`] where there is none.
pub fn named_store(store: Option<&str>) -> Result<String, NoPolicy> {
    let of_environment = || std::env::var(STORE_VARIABLE).ok().filter(|location| !location.is_empty());
    store.map(str::to_owned).or_else(of_environment).ok_or_else(|| {
        let message = format!(
            "which policy? `--store FILE|URL` names a store (or {STORE_VARIABLE} in the environment), \
             `--policy FILE|DIR` the SQL files of a policy"
        );
        NoPolicy::WrongUse(message)
    })
}

/// Opens a store that is there already.
///
/// # Errors
/// [`NoPolicy`] where there is none, or it cannot be opened.
pub async fn open(location: &str) -> Result<Arc<dyn Storage>, NoPolicy> {
    if let Some(path) = absent_file(location)? {
        let message = format!(
            "there is no store `{}`; `guardbee policy apply`, `guardbee policy import` and `guardbee record` make one",
            path.display()
        );
        return Err(NoPolicy::Failed(anyhow::anyhow!(message)));
    }
    open_or_make(location).await
}

/// The file that a store would be in, if it is not there.
fn absent_file(location: &str) -> anyhow::Result<Option<PathBuf>> {
    Ok(match Location::parse(location).context("cannot open the store")? {
        Location::Sqlite(path) if path.try_exists().is_ok_and(|exists| !exists) => Some(path),
        Location::Sqlite(_) | Location::Postgres(_) => None,
    })
}

/// The latest policy of a store; the empty one where there is no store yet, which is not made.
///
/// # Errors
/// [`NoPolicy`] where there is one that cannot be read.
pub async fn latest_or_empty(location: &str) -> Result<LoadedPolicy, NoPolicy> {
    if absent_file(location)?.is_some() {
        return Ok(LoadedPolicy {
            policy: Policy::new(),
            version: Some(PolicyVersion(0)),
            tags: TagGround::default(),
            storage: None,
        });
    }
    from_store(&*open_or_make(location).await?, At::Latest).await
}

/// The number of the latest version; 0 where there is no store yet, which is not made.
///
/// # Errors
/// [`NoPolicy`] where there is one that cannot be read.
pub async fn latest_version(location: &str) -> Result<PolicyVersion, NoPolicy> {
    if absent_file(location)?.is_some() {
        return Ok(PolicyVersion(0));
    }
    let store = open_or_make(location).await?;
    let newest = store.history(None, 1).await.context("cannot read the policy")?;
    Ok(newest.first().map_or(PolicyVersion(0), |record| record.version))
}

/// Opens a store, and makes it where there is none.
///
/// # Errors
/// [`NoPolicy`] where neither can be done.
pub async fn open_or_make(location: &str) -> Result<Arc<dyn Storage>, NoPolicy> {
    Ok(guardbee_store::open(location).await.context("cannot open the store")?)
}

/// The policy of a store.
///
/// # Errors
/// [`NoPolicy`] where it cannot be read.
pub async fn from_store(store: &dyn Store, at: At) -> Result<LoadedPolicy, NoPolicy> {
    let loaded = PolicySnapshot::load(store, at).await.map_err(|error| match error {
        EngineError::Store(error) => anyhow::Error::new(error).context("cannot read the policy"),
        EngineError::Change(error) => anyhow::Error::new(error).context("the store holds what is no policy"),
    })?;
    let (policy, version) = (loaded.policy, Some(loaded.version));
    Ok(LoadedPolicy { policy, version, tags: TagGround::default(), storage: None })
}

/// The policy that files state. Everything that is wrong with them is told at once.
///
/// # Errors
/// [`NoPolicy`] where a file cannot be read, or anything in one makes no policy.
pub async fn from_files(
    paths: &[PathBuf],
    settings: &Settings,
    warehouse: &Warehouse,
    appearance: Appearance,
) -> Result<Policy, NoPolicy> {
    let texts = texts(paths, appearance)?;
    let style = Style::for_errors(appearance.color);
    desired(&texts, settings, warehouse.options()).await.map_err(|unanswered| match unanswered {
        Unanswered::PolicyText(problems) => {
            tell_problems(style, &texts, &problems);
            NoPolicy::Told
        }
        other => other.into(),
    })
}

/// The texts of files that state a policy.
///
/// # Errors
/// [`NoPolicy`] where one cannot be read, which has been told then.
pub fn texts(paths: &[PathBuf], appearance: Appearance) -> Result<Vec<PolicyText>, NoPolicy> {
    let (inputs, mut unreadable) = input::collect(paths);
    let mut texts: Vec<PolicyText> = Vec::new();
    for input in inputs {
        match text_of(&input) {
            Ok(text) => texts.push(PolicyText { label: input.label(), text }),
            Err(reason) => unreadable.push(input::Unreadable { label: input.label(), reason }),
        }
    }
    if !unreadable.is_empty() {
        say_unreadable(Style::for_errors(appearance.color), &unreadable);
        return Err(NoPolicy::Told);
    }
    Ok(texts)
}

fn text_of(input: &Input) -> Result<String, String> {
    match input {
        Input::File(path) => {
            let bytes = fs::read(path).map_err(|error| input::reason(&error))?;
            input::strict_text(bytes)
        }
        Input::Standard(text) => Ok(text.clone()),
        Input::CommandLine(texts) => Ok(texts.join(";\n")),
    }
}

pub fn tell_problems(style: Style, texts: &[PolicyText], problems: &[TextProblem]) {
    let mut out = String::new();
    for problem in problems {
        let Some(text) = texts.iter().find(|text| text.label == problem.file) else { continue };
        let mark = Mark {
            place: Place { line: problem.line, column: problem.column },
            severity: Severity::Error,
            message: &problem.message,
            hint: problem.hint.as_deref(),
            span: Span::new(problem.start, problem.end),
        };
        finding::write_mark(&mut out, style, &text.label, &text.text, &mark);
        out.push('\n');
    }
    let count = problems.len();
    let total =
        format!("{count} {} in the policy: nothing was done", if count == 1 { "error" } else { "errors" });
    say(&format!("{out}{total}"));
}

/// The groups that the command line gives a user, or has asked for.
///
/// # Errors
/// Where they cannot be told; that is never taken for "none", since a denial may stand on a group.
pub fn groups_of(groups: &Groups, user: &str) -> anyhow::Result<Vec<SmolStr>> {
    let mut found: Vec<SmolStr> = groups.groups.iter().map(SmolStr::new).collect();
    let asked = match groups.groups_from.as_deref() {
        None => Vec::new(),
        Some("system") => SystemGroups.groups_of(user)?,
        Some(source) if source.starts_with("file:") => {
            let path = source.trim_start_matches("file:");
            FixedGroups::read(Path::new(path)).with_context(|| format!("`{path}`"))?.groups_of(user)?
        }
        Some(command) => {
            let mut words = command.split_whitespace();
            let program = words.next().context("`--groups-from` names no command")?;
            CommandGroups::new(program, words.map(Into::into).collect()).groups_of(user)?
        }
    };
    for group in asked {
        if !found.contains(&group) {
            found.push(group);
        }
    }
    Ok(found)
}
