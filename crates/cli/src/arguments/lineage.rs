//! Commands about the runs that a store remembers.

use std::path::PathBuf;

use clap::builder::NonEmptyStringValueParser;
use clap::{Args, Subcommand, ValueEnum};
use guardbee_lineage::utc;
use guardbee_model::Timestamp;

use super::{AnswerFormat, Appearance, Edges, Groups, Home, Reading, StoreArgument, Viewing};

const RECORD_EXAMPLES: &str = "\
Examples:
  guardbee record etl/ --user etl --store guardbee.db           decide, and record what is allowed
  guardbee record load.sql --user etl --time 2026-11-29T02:14   as of a moment

Nothing is executed: who may run what is decided, and what may run is recorded as declared.
Exit codes: 0 all recorded, 1 something denied or wrong, 2 wrong use, 3 failure";

#[derive(Debug, Args)]
#[command(after_help = RECORD_EXAMPLES)]
pub struct Record {
    /// Files and folders (searched for .sql, .hql and .q); `-` is standard input; each is a session
    #[arg(value_name = "PATH", required_unless_present = "expressions")]
    pub paths: Vec<PathBuf>,

    /// Record this text; several are one session
    #[arg(short = 'e', long = "execute", value_name = "SQL")]
    pub expressions: Vec<String>,

    /// Who runs the statements; unless given, the environment's USER
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    pub user: Option<String>,

    #[command(flatten)]
    pub groups: Groups,

    /// When they ran, in UTC unless it says otherwise; now unless given
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub time: Option<Timestamp>,

    /// The job that they belong to, such as a task of Airflow
    #[arg(long, value_name = "NAME")]
    pub job: Option<String>,

    /// Why they ran, such as a ticket
    #[arg(long, value_name = "TEXT")]
    pub purpose: Option<String>,

    #[command(flatten)]
    pub store: StoreArgument,

    #[command(flatten)]
    pub reading: Reading,

    /// How to write what came of it
    #[arg(long, value_enum, default_value_t = AnswerFormat::Table)]
    pub format: AnswerFormat,

    #[command(flatten)]
    pub appearance: Appearance,
}

/// Take over what ran elsewhere.
#[derive(Debug, Subcommand)]
pub enum ImportRuns {
    /// Record the statements of query logs: they ran, so nothing is decided
    Querylog(QueryLog),
    /// List what could not be recorded, with its reason
    Letters(Letters),
    /// Try again to record what could not be recorded
    Replay(Replay),
    /// Remove what could not be recorded, for good
    Discard(Discard),
}

const QUERY_LOG_EXAMPLES: &str = "\
Examples:
  guardbee import querylog queries.jsonl --store guardbee.db
  guardbee import querylog hiveserver2.log --user etl --store guardbee.db
  guardbee import querylog etl/ --user etl --time 2026-11-29 --store guardbee.db

Exit codes: 0 all recorded or of no account, 1 something could not be recorded, 2 wrong use, 3 failure";

#[derive(Debug, Args)]
#[command(after_help = QUERY_LOG_EXAMPLES)]
pub struct QueryLog {
    /// JSON lines (time, user, groups, database, sql), logs of HiveServer2, scripts; `-` is standard input
    #[arg(value_name = "FILE", required = true)]
    pub paths: Vec<PathBuf>,

    /// The form of the files; unless given, told by their names and first lines
    #[arg(long, value_enum)]
    pub form: Option<LogForm>,

    /// Who ran the statements, where the log does not say
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    pub user: Option<String>,

    /// When they ran, where the log does not say; the file's time unless given
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub time: Option<Timestamp>,

    /// How many dead letters the store may hold; past it the import ends with an error
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    pub most_letters: u64,

    #[command(flatten)]
    pub store: StoreArgument,

    #[command(flatten)]
    pub reading: Reading,

    /// How to write what came of it
    #[arg(long, value_enum, default_value_t = AnswerFormat::Table)]
    pub format: AnswerFormat,

    #[command(flatten)]
    pub appearance: Appearance,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogForm {
    /// One JSON object a line: time, user, groups, database, sql
    Jsonl,
    /// HiveServer2's own log
    Hiveserver2,
    /// A script
    Sql,
}

#[derive(Debug, Args)]
pub struct Letters {
    #[command(flatten)]
    pub store: StoreArgument,

    /// How many to list
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub limit: u32,

    /// How to write the answer
    #[arg(long, value_enum, default_value_t = AnswerFormat::Table)]
    pub format: AnswerFormat,

    #[command(flatten)]
    pub appearance: Appearance,
}

#[derive(Debug, Args)]
pub struct Replay {
    /// The letters to try again; all unless given
    #[arg(value_name = "ID")]
    pub ids: Vec<u64>,

    #[command(flatten)]
    pub store: StoreArgument,

    #[command(flatten)]
    pub reading: Reading,

    #[command(flatten)]
    pub appearance: Appearance,
}

#[derive(Debug, Args)]
pub struct Discard {
    /// The letters to remove
    #[arg(value_name = "ID", required_unless_present = "all")]
    pub ids: Vec<u64>,

    /// Remove all of them
    #[arg(long, conflicts_with = "ids")]
    pub all: bool,

    #[command(flatten)]
    pub store: StoreArgument,

    #[command(flatten)]
    pub appearance: Appearance,
}

/// What is asked about which moment.
#[derive(Debug, Args, Clone)]
pub struct Asked {
    #[command(flatten)]
    pub home: Home,

    /// The database that names without one belong to
    #[arg(long, value_name = "NAME", default_value = "default")]
    pub database: String,

    /// What was so at this moment; what is so now unless given
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub as_of: Option<Timestamp>,

    #[command(flatten)]
    pub viewing: Viewing,
}

const IMPACT_EXAMPLES: &str = "\
Examples:
  guardbee impact raw.orders.amount --store guardbee.db         who would miss the column

Exit codes: 0 nothing depends on it, 1 something does, 2 wrong use, 3 failure";

#[derive(Debug, Args)]
#[command(after_help = IMPACT_EXAMPLES)]
pub struct Impact {
    /// A table (`db.table`), a column (`db.table.column`), or a path
    #[arg(value_name = "DATASET")]
    pub dataset: String,

    #[command(flatten)]
    pub asked: Asked,

    /// How to write the answer
    #[arg(long, value_enum, default_value_t = AnswerFormat::Table)]
    pub format: AnswerFormat,

    #[command(flatten)]
    pub appearance: Appearance,
}

const PATH_EXAMPLES: &str = "\
Examples:
  guardbee path raw.orders.amount mart.revenue.amount_eur --store guardbee.db

Exit codes: 0 there is one, 1 there is none, 2 wrong use, 3 failure";

#[derive(Debug, Args)]
#[command(after_help = PATH_EXAMPLES)]
pub struct PathBetween {
    /// Where data comes from: a table, a column or a path
    #[arg(value_name = "FROM")]
    pub from: String,

    /// Where it goes
    #[arg(value_name = "TO")]
    pub to: String,

    #[command(flatten)]
    pub asked: Asked,

    /// Which edges to follow: values only, or also what filters, joins, groups and sorts
    #[arg(long, value_enum, default_value_t = Edges::Direct)]
    pub edges: Edges,

    /// How to write the answer
    #[arg(long, value_enum, default_value_t = AnswerFormat::Table)]
    pub format: AnswerFormat,

    #[command(flatten)]
    pub appearance: Appearance,
}

const HISTORY_EXAMPLES: &str = "\
Examples:
  guardbee history dwh.fact_orders --store guardbee.db          every write, rename, drop

Exit codes: 0 there is such a dataset, 1 there is none, 2 wrong use, 3 failure";

#[derive(Debug, Args)]
#[command(after_help = HISTORY_EXAMPLES)]
pub struct DatasetHistory {
    /// A table (`db.table`) or a path
    #[arg(value_name = "DATASET")]
    pub dataset: String,

    #[command(flatten)]
    pub asked: Asked,

    /// How many of the last events to list
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub limit: u32,

    /// How to write the answer
    #[arg(long, value_enum, default_value_t = AnswerFormat::Table)]
    pub format: AnswerFormat,

    #[command(flatten)]
    pub appearance: Appearance,
}

const AUDIT_EXAMPLES: &str = "\
Examples:
  guardbee audit --store guardbee.db --verdict denied           who was refused what
  guardbee audit verify --store guardbee.db                     is the log what was written
  guardbee audit export --store guardbee.db > audit.jsonl
  guardbee audit export --format parquet -o audit.parquet --store guardbee.db

Exit codes: 0 yes or fine, 1 the log is broken, 2 wrong use, 3 failure";

#[derive(Debug, Args)]
#[command(after_help = AUDIT_EXAMPLES, args_conflicts_with_subcommands = true)]
pub struct Audit {
    #[command(subcommand)]
    pub command: Option<AuditCommand>,

    #[command(flatten)]
    pub list: AuditList,
}

#[derive(Debug, Subcommand)]
pub enum AuditCommand {
    /// Look through the whole log for records that were changed, removed, added or moved
    Verify(AuditVerify),
    /// Write the log as JSON lines or Parquet, oldest first
    Export(AuditExport),
}

#[derive(Debug, Args)]
pub struct AuditList {
    #[command(flatten)]
    pub home: Home,

    #[command(flatten)]
    pub filter: AuditFilter,

    /// How many of the last records to list
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub limit: u32,

    /// How to write the answer
    #[arg(long, value_enum, default_value_t = AnswerFormat::Table)]
    pub format: AnswerFormat,

    #[command(flatten)]
    pub appearance: Appearance,
}

/// Which records are meant.
#[derive(Debug, Args, Clone)]
pub struct AuditFilter {
    /// Only what this user asked for
    #[arg(long, value_name = "NAME")]
    pub user: Option<String>,

    /// Only what was allowed, or denied
    #[arg(long, value_enum)]
    pub verdict: Option<VerdictName>,

    /// Only what was asked at this moment or later
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub from: Option<Timestamp>,

    /// Only what was asked before this moment
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub until: Option<Timestamp>,

    #[command(flatten)]
    pub viewing: Viewing,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum VerdictName {
    Allowed,
    Denied,
}

impl From<VerdictName> for guardbee_questions::VerdictName {
    fn from(verdict: VerdictName) -> Self {
        match verdict {
            VerdictName::Allowed => Self::Allowed,
            VerdictName::Denied => Self::Denied,
        }
    }
}

#[derive(Debug, Args)]
pub struct AuditVerify {
    #[command(flatten)]
    pub home: Home,

    /// An end of the log that was noted down earlier, as `verify` prints it: NUMBER:HASH
    #[arg(long, value_name = "END")]
    pub anchor: Option<String>,

    /// How to write the answer
    #[arg(long, value_enum, default_value_t = AnswerFormat::Table)]
    pub format: AnswerFormat,

    #[command(flatten)]
    pub appearance: Appearance,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// One JSON object a line
    Jsonl,
    /// A Parquet file with the same fields as columns
    Parquet,
}

#[derive(Debug, Args)]
pub struct AuditExport {
    #[command(flatten)]
    pub home: Home,

    #[command(flatten)]
    pub filter: AuditFilter,

    /// How to write the records
    #[arg(long, value_enum, default_value_t = LogFormat::Jsonl)]
    pub format: LogFormat,

    /// Where to; there is all of it then, or what was there before. Standard output unless given
    #[arg(short = 'o', long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub appearance: Appearance,
}

const FORGET_EXAMPLES: &str = "\
Examples:
  guardbee forget --before 2025-01-01 --dry-run --store guardbee.db
  guardbee forget --before 2025-01-01 --store guardbee.db

Exit codes: 0 done, 2 wrong use, 3 failure";

#[derive(Debug, Args)]
#[command(after_help = FORGET_EXAMPLES)]
pub struct Forget {
    /// Runs that ended before that moment go, unless answers about now need them
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub before: Timestamp,

    /// Say what would go, and let nothing go
    #[arg(long)]
    pub dry_run: bool,

    #[command(flatten)]
    pub store: StoreArgument,

    #[command(flatten)]
    pub appearance: Appearance,
}

const WHO_DID_EXAMPLES: &str = "\
Examples:
  guardbee who-did hr.emp.ssn --store guardbee.db --from 2026-11-01

Exit codes: 0 somebody did, 1 nobody did, 2 wrong use, 3 failure";

#[derive(Debug, Args)]
#[command(after_help = WHO_DID_EXAMPLES)]
pub struct WhoDid {
    /// A table (`db.table`), a column (`db.table.column`), or a path
    #[arg(value_name = "DATASET")]
    pub dataset: String,

    #[command(flatten)]
    pub home: Home,

    /// The database that names without one belong to
    #[arg(long, value_name = "NAME", default_value = "default")]
    pub database: String,

    #[command(flatten)]
    pub filter: AuditFilter,

    /// How many of the last records to list
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub limit: u32,

    /// How to write the answer
    #[arg(long, value_enum, default_value_t = AnswerFormat::Table)]
    pub format: AnswerFormat,

    #[command(flatten)]
    pub appearance: Appearance,
}

pub fn time(text: &str) -> Result<Timestamp, String> {
    utc::parse(text).ok_or_else(|| guardbee_questions::EXPECTED.to_owned())
}
