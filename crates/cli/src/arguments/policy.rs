//! `guardbee policy` and the questions to a policy.

use std::path::PathBuf;

use clap::builder::NonEmptyStringValueParser;
use clap::{Args, Subcommand, ValueEnum};
use guardbee_model::HiveVersion;

use super::{Appearance, Groups, Home, PolicySource};

const EXAMPLES: &str = "\
Examples:
  guardbee policy apply --store policy.db policy/               make what the files say the policy
  guardbee policy plan --store policy.db --log queries.jsonl policy/   what would change, and for whom
  guardbee policy test policy/tests/                            in CI
  guardbee policy import --from sentry --store policy.db sentry-provider.ini

Exit codes: 0 yes or fine, 1 no, changes or differences, 2 wrong use, 3 failure";

#[derive(Debug, Subcommand)]
#[command(after_help = EXAMPLES)]
pub enum Policy {
    /// Run policy tests: who may run which statement under which policy
    Test(PolicyTest),
    /// Print the policy of a store
    Show(Show),
    /// Print what two versions of a policy differ in
    Diff(Diff),
    /// Print what would change if the policy became what SQL files say
    Plan(Plan),
    /// Make what SQL files say the policy, as one version
    Apply(Apply),
    /// List the versions of a policy, newest first
    History(History),
    /// Make an old version the policy again, as a new version
    Restore(Restore),
    /// Take a policy over from elsewhere
    Import(Import),
    /// Write a policy in the form of another system
    Export(Export),
}

#[derive(Debug, Args)]
pub struct PolicyTest {
    /// Test files, and folders that are searched for .yaml and .yml
    #[arg(value_name = "FILE", required = true)]
    pub paths: Vec<PathBuf>,

    /// The policy that the tests are about, as SQL files; what a test states itself is added
    #[arg(long, value_name = "FILE|DIR")]
    pub policy: Vec<PathBuf>,

    #[command(flatten)]
    pub known: Known,

    /// Write a report in the form of JUnit here, too
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,

    /// Show the steps that passed as well
    #[arg(long)]
    pub verbose: bool,

    #[command(flatten)]
    pub appearance: Appearance,
}

/// Where a policy is kept.
#[derive(Debug, Args, Clone)]
pub struct StoreArgument {
    /// The store of the policy: a file of SQLite, or postgres://USER:PASSWORD@HOST/DATABASE; unless given,
    /// the environment's GUARDBEE_STORE
    #[arg(long, value_name = "FILE|URL")]
    pub store: Option<String>,
}

/// What is known of the warehouse.
#[derive(Debug, Args, Clone)]
pub struct Known {
    /// What exists: a file or folder of DDL, or JSON; policy files may then name nothing else
    #[arg(long, value_name = "FILE")]
    pub catalog: Vec<PathBuf>,

    /// The version of Hive whose grammar and functions count: 2.3, 3.1, 4.0, 4.1 or 4.2
    #[arg(long, value_name = "VERSION", default_value_t = HiveVersion::default())]
    pub hive_version: HiveVersion,
}

/// Who makes a version, and why.
#[derive(Debug, Args, Clone)]
pub struct Signature {
    /// Who makes the change; unless given, the environment's USER
    #[arg(long, value_name = "NAME")]
    pub author: Option<String>,

    /// Why, for the history
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub reason: String,

    /// Do it even if nobody can administer the policy any more
    #[arg(long)]
    pub force: bool,
}

#[derive(Debug, Args)]
pub struct Show {
    #[command(flatten)]
    pub home: Home,

    /// The policy as it was at a version
    #[arg(long, value_name = "VERSION")]
    pub at: Option<u64>,

    /// How to write it
    #[arg(long, value_enum, default_value_t = ShowFormat::Sql)]
    pub format: ShowFormat,

    #[command(flatten)]
    pub appearance: Appearance,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ShowFormat {
    /// The statements that build it, fit for `policy apply`
    Sql,
    /// All of it, with ids, times and grantors (`guardbee schema policy`)
    Json,
    /// Entries with their ids, for people
    Table,
}

#[derive(Debug, Args)]
pub struct Diff {
    /// A version, or SQL files
    #[arg(value_name = "VERSION|PATH", value_parser = side)]
    pub from: Side,

    /// Another; unless given, the latest version
    #[arg(value_name = "VERSION|PATH", value_parser = side)]
    pub to: Option<Side>,

    #[command(flatten)]
    pub home: Home,

    #[command(flatten)]
    pub known: Known,

    #[command(flatten)]
    pub appearance: Appearance,
}

/// One side of a comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Side {
    Version(u64),
    Files(PathBuf),
}

#[derive(Debug, Args)]
pub struct Plan {
    /// SQL files of the policy, and folders of such
    #[arg(value_name = "FILE|DIR", required = true)]
    pub paths: Vec<PathBuf>,

    #[command(flatten)]
    pub home: Home,

    /// Statements that were run, one JSON object a line (time, user, groups, database, sql): which of them would
    /// be decided otherwise? `-` is standard input
    #[arg(long, value_name = "FILE")]
    pub log: Vec<PathBuf>,

    /// How many of these statements to show
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub limit: usize,

    #[command(flatten)]
    pub known: Known,

    /// How to write it
    #[arg(long, value_enum, default_value_t = AnswerFormat::Table)]
    pub format: AnswerFormat,

    #[command(flatten)]
    pub appearance: Appearance,
}

#[derive(Debug, Args)]
pub struct Apply {
    /// SQL files of the policy, and folders of such
    #[arg(value_name = "FILE|DIR", required = true)]
    pub paths: Vec<PathBuf>,

    #[command(flatten)]
    pub home: Home,

    /// Only if the policy is at this version still, such as the one that `plan` saw
    #[arg(long, value_name = "VERSION")]
    pub base: Option<u64>,

    #[command(flatten)]
    pub signature: Signature,

    #[command(flatten)]
    pub known: Known,

    #[command(flatten)]
    pub appearance: Appearance,
}

#[derive(Debug, Args)]
pub struct History {
    #[command(flatten)]
    pub home: Home,

    /// How many versions to list
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub limit: u32,

    /// Only versions before this one
    #[arg(long, value_name = "VERSION")]
    pub before: Option<u64>,

    /// How to write it
    #[arg(long, value_enum, default_value_t = AnswerFormat::Table)]
    pub format: AnswerFormat,

    #[command(flatten)]
    pub appearance: Appearance,
}

#[derive(Debug, Args)]
pub struct Restore {
    /// The version whose content comes back
    #[arg(value_name = "VERSION")]
    pub old: u64,

    #[command(flatten)]
    pub home: Home,

    #[command(flatten)]
    pub signature: Signature,

    #[command(flatten)]
    pub appearance: Appearance,
}

#[derive(Debug, Args)]
pub struct Import {
    /// The form of the files
    #[arg(long, value_enum)]
    pub from: ImportForm,

    /// The files; `-` is standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,

    #[command(flatten)]
    pub store: StoreArgument,

    /// Only report what would be imported
    #[arg(long)]
    pub dry_run: bool,

    /// Let it take the place of the policy instead of adding to it
    #[arg(long)]
    pub replace: bool,

    /// The server that Sentry's privileges must name; unless given, the first that is named
    #[arg(long, value_name = "NAME")]
    pub server: Option<String>,

    /// What addresses without a scheme or authority belong to
    #[arg(long, value_name = "ADDRESS", default_value = "hdfs://nn1:8020")]
    pub default_fs: String,

    /// Write the groups of users that the source names here, for `--groups-from file:FILE`
    #[arg(long, value_name = "FILE")]
    pub groups_to: Option<PathBuf>,

    #[command(flatten)]
    pub signature: Signature,

    #[command(flatten)]
    pub appearance: Appearance,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ImportForm {
    /// Sentry's policy file (ini)
    Sentry,
    /// An SQL dump of Sentry's database
    SentryDatabase,
    /// An SQL dump of a Hive metastore on any of the three databases
    Hive,
    /// The same, on MySQL or MariaDB
    HiveMysql,
    /// The same, on PostgreSQL
    HivePostgres,
    /// The same, on Derby
    HiveDerby,
    /// Guardbee's statements
    Sql,
    /// Guardbee's JSON
    Json,
}

#[derive(Debug, Args)]
pub struct Export {
    /// The form to write
    #[arg(long, value_enum)]
    pub to: ExportForm,

    #[command(flatten)]
    pub source: PolicySource,

    /// Of a Hive metastore: an SQL dump of it, so that the script can name what is there
    #[arg(long, value_name = "DUMP")]
    pub metastore: Option<PathBuf>,

    /// Of a Hive metastore: remove the roles and grants that it has first
    #[arg(long, requires = "metastore")]
    pub replace: bool,

    /// Of a Hive metastore: the mode of Hive that is to judge the grants
    #[arg(long, value_enum, default_value_t = HiveMode::SqlStandard)]
    pub mode: HiveMode,

    #[command(flatten)]
    pub appearance: Appearance,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExportForm {
    /// Sentry's policy file (ini)
    Sentry,
    /// The same for Sentry's config tool, where users may hold roles
    SentryTool,
    /// A script for a Hive metastore on MySQL or MariaDB
    HiveMysql,
    /// A script for a Hive metastore on PostgreSQL
    HivePostgres,
    /// A script for a Hive metastore on Derby
    HiveDerby,
    /// Guardbee's statements
    Sql,
    /// Guardbee's JSON
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum HiveMode {
    /// Hive 3.0 and later in its SQL-standard mode
    SqlStandard,
    /// Hive 3.0 and later in its legacy mode
    Legacy,
    /// Hive 2.3, whose tables name no mode
    Absent,
}

const WHO_CAN_EXAMPLES: &str = "\
Examples:
  guardbee who-can SELECT hr.emp.ssn --store policy.db
  guardbee who-can CREATE 'DATABASE stage' --policy policy/

Exit codes: 0 somebody can, 1 nobody can, 2 wrong use, 3 failure";

#[derive(Debug, Args)]
#[command(after_help = WHO_CAN_EXAMPLES)]
pub struct WhoCan {
    /// A privilege, such as SELECT
    pub privilege: String,

    /// An object as SQL names it: hr.emp, hr.emp.ssn, 'DATABASE hr', "URI 'hdfs://nn/in'", SERVER
    pub object: String,

    #[command(flatten)]
    pub source: PolicySource,

    /// How to write the answer
    #[arg(long, value_enum, default_value_t = AnswerFormat::Table)]
    pub format: AnswerFormat,

    #[command(flatten)]
    pub appearance: Appearance,
}

const WHAT_CAN_EXAMPLES: &str = "\
Examples:
  guardbee what-can ana --group analysts --store policy.db
  guardbee what-can ana --groups-from system --policy policy/

Exit codes: 0 something, 1 nothing, 2 wrong use, 3 failure";

#[derive(Debug, Args)]
#[command(after_help = WHAT_CAN_EXAMPLES)]
pub struct WhatCan {
    #[arg(value_parser = NonEmptyStringValueParser::new())]
    pub user: String,

    #[command(flatten)]
    pub groups: Groups,

    #[command(flatten)]
    pub source: PolicySource,

    /// How to write the answer
    #[arg(long, value_enum, default_value_t = AnswerFormat::Table)]
    pub format: AnswerFormat,

    #[command(flatten)]
    pub appearance: Appearance,
}

const WHY_EXAMPLES: &str = "\
Examples:
  guardbee why ana SELECT hr.emp.ssn --group analysts --store policy.db

Exit codes: 0 they have it, 1 they have it not, 2 wrong use, 3 failure";

#[derive(Debug, Args)]
#[command(after_help = WHY_EXAMPLES)]
pub struct Why {
    #[arg(value_parser = NonEmptyStringValueParser::new())]
    pub user: String,

    /// A privilege, such as SELECT
    pub privilege: String,

    /// An object as SQL names it: hr.emp, hr.emp.ssn, 'DATABASE hr', "URI 'hdfs://nn/in'", SERVER
    pub object: String,

    #[command(flatten)]
    pub groups: Groups,

    #[command(flatten)]
    pub source: PolicySource,

    /// How to write the answer
    #[arg(long, value_enum, default_value_t = AnswerFormat::Table)]
    pub format: AnswerFormat,

    #[command(flatten)]
    pub appearance: Appearance,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum AnswerFormat {
    /// For people
    Table,
    /// One document
    Json,
}

#[expect(clippy::unnecessary_wraps, reason = "a parser of arguments may fail")]
fn side(text: &str) -> Result<Side, String> {
    Ok(text.parse().map_or_else(|_| Side::Files(text.into()), Side::Version))
}
