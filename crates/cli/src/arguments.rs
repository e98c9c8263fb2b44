//! The command line.

mod backup;
mod check;
mod datasets;
mod lineage;
mod policy;
mod runs;
mod serve;
mod service;
mod tags;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use guardbee_model::{HiveVersion, Timestamp};

pub use backup::{Backup, BackupCommand, BackupMake, BackupRestore, BackupVerify};
pub use check::{Check, CheckFormat, Groups, PolicySource, Viewing};
pub use datasets::{Describe, Page, Search};
pub use lineage::{
    Audit, AuditCommand, AuditExport, AuditFilter, AuditList, AuditVerify, DatasetHistory, Discard, Forget,
    Impact, ImportRuns, Letters, LogForm, LogFormat, PathBetween, QueryLog, Record, Replay, WhoDid,
};
pub use policy::{
    AnswerFormat, Apply, Diff, Export, ExportForm, History, HiveMode, Import, ImportForm, Known, Plan,
    Policy, PolicyTest, Restore, Show, ShowFormat, Side, Signature, StoreArgument, WhatCan, WhoCan, Why,
};
pub use runs::{Runs, RunsCommand, RunsList, RunsShow};
pub use serve::{LogLines, Serve};
pub use service::{Home, Login, Logout, ServiceArgument};
pub use tags::{Leaks, Tags, WhoCould};

const EXAMPLES: &str = "\
Examples:
  guardbee analyze etl/                                      what scripts read, write, derive
  guardbee analyze --findings etl/                           only what is wrong with them
  guardbee trace --files etl/ mart.revenue.amount_eur        where a column comes from
  guardbee trace --files etl/ raw.customers.email --down     what is made of it
  guardbee record --store runs.db --user etl etl/            remember what they do
  guardbee trace --store runs.db raw.orders --down           and ask for any moment
  guardbee check --user ana --policy policy/ -e 'SELECT ...' may she run it, and why

Exit codes: 0 yes or fine, 1 no or findings, 2 wrong use, 3 failure";

/// Reads HiveQL as Hive does: says what it reads, writes and derives, and who may run it.
#[derive(Debug, Parser)]
#[command(name = "guardbee", version, arg_required_else_help = true)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Say what statements read, write and derive
    Analyze(Analyze),
    /// Show where a table or column comes from, or what is made of it
    Trace(Trace),
    /// Say whether somebody may run statements, and why
    Check(Check),
    /// Test, show and change what may be done by whom
    #[command(subcommand)]
    Policy(Policy),
    /// List who has a privilege on an object
    WhoCan(WhoCan),
    /// List what somebody can do
    WhatCan(WhatCan),
    /// Say why somebody has a privilege on an object, or has it not
    Why(Why),
    /// Decide about statements, and record what is allowed as if it had run
    Record(Record),
    /// Record what ran elsewhere
    #[command(subcommand)]
    Import(ImportRuns),
    /// List what depends on a table or column
    Impact(Impact),
    /// Show how data comes from one place to another
    Path(PathBetween),
    /// List what happened to a dataset
    History(DatasetHistory),
    /// List recorded runs, and show what one of them did
    Runs(Runs),
    /// Find tables, views and paths by names, columns, comments, tags and owners
    Search(Search),
    /// Show what is known of a dataset: columns, owner, tags, and who touched it last
    Describe(Describe),
    /// Let old runs go, save for those that say where what is there came from
    Forget(Forget),
    /// List who asked for what, and check that the log is whole
    Audit(Audit),
    /// List who read or wrote a table or column
    WhoDid(WhoDid),
    /// List who could read a table or column and all that was made of it
    WhoCould(WhoCould),
    /// List the tags of a dataset, and say how they came to it
    Tags(Tags),
    /// List who may read what was made of something that they may not read
    Leaks(Leaks),
    /// Answer over HTTP: decisions, administration, lineage and the audit log
    Serve(Serve),
    /// Copy a store into one file while it is in use, and make a store of such a file
    Backup(Backup),
    /// Make a token at a service, and keep it for the commands to come
    Login(Login),
    /// Remove the token that `login` made
    Logout(Logout),
    /// Print completions for a shell
    Completions { shell: clap_complete::Shell },
    /// Print the manual page, or write all of them into a folder
    Man {
        /// Write one page for each command here instead of printing the first
        #[arg(long, value_name = "DIR")]
        directory: Option<PathBuf>,
    },
    /// Print the JSON schema of an output
    Schema { output: SchemaName },
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum SchemaName {
    /// `guardbee analyze --format json`
    Analyze,
    /// One line of `guardbee analyze --format jsonl`
    AnalyzeLine,
    /// `guardbee trace --format json`
    Trace,
    /// `guardbee trace --store ... --format json`
    RecordedTrace,
    /// `guardbee record --format json`
    Record,
    /// `guardbee impact --format json`
    Impact,
    /// `guardbee path --format json`
    Path,
    /// `guardbee history --format json`
    DatasetHistory,
    /// `guardbee runs --format json`
    Runs,
    /// `guardbee runs show --format json`
    Run,
    /// `guardbee search --format json`
    Search,
    /// `guardbee describe --format json`
    Describe,
    /// `guardbee audit --format json`, and a line of `guardbee audit export` is one of its records
    Audit,
    /// `guardbee who-did --format json`
    WhoDid,
    /// `guardbee who-could --format json`
    WhoCould,
    /// `guardbee tags --format json`
    Tags,
    /// `guardbee leaks --format json`
    Leaks,
    /// `guardbee check --format json`
    Check,
    /// One line of `guardbee check --format jsonl`
    CheckLine,
    /// `guardbee policy plan --format json`
    Plan,
    /// `guardbee policy history --format json`
    History,
    /// `guardbee who-can --format json`
    WhoCan,
    /// `guardbee what-can --format json`
    WhatCan,
    /// `guardbee why --format json`
    Why,
    /// The JSON form of a policy
    Policy,
    /// The JSON form of `--catalog`
    Catalog,
    /// The OpenAPI document of `guardbee serve`
    Openapi,
}

#[derive(Debug, Args)]
pub struct Analyze {
    /// Files and folders (searched for .sql, .hql and .q); `-` is standard input
    #[arg(value_name = "PATH", required_unless_present = "expressions")]
    pub paths: Vec<PathBuf>,

    /// Analyse this text; several are one session
    #[arg(short = 'e', long = "execute", value_name = "SQL")]
    pub expressions: Vec<String>,

    #[command(flatten)]
    pub reading: Reading,

    #[command(flatten)]
    pub service: ServiceArgument,

    /// How to write the result; a service answers as json and jsonl
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub format: Format,

    /// Show only statements with errors or warnings
    #[arg(long)]
    pub findings: bool,

    #[command(flatten)]
    pub appearance: Appearance,
}

#[derive(Debug, Args)]
pub struct Trace {
    /// A table (`db.table`), a column (`db.table.column`), or a path as the scripts write it
    #[arg(value_name = "DATASET")]
    pub dataset: String,

    /// Trace over these scripts: a folder or file, may be given several times; one session a file, one catalog
    /// for all
    #[arg(long = "files", value_name = "DIR", conflicts_with_all = ["store", "server", "profile"])]
    pub paths: Vec<PathBuf>,

    #[command(flatten)]
    pub home: Home,

    #[command(flatten)]
    pub recorded: Recorded,

    /// Where it comes from (the default)
    #[arg(long)]
    pub up: bool,

    /// What is made of it
    #[arg(long)]
    pub down: bool,

    /// How many steps to go at most
    #[arg(long, value_name = "N", value_parser = number_of_steps)]
    pub depth: Option<u32>,

    /// Which edges to follow: values only, or also what filters, joins, groups and sorts
    #[arg(long, value_enum, default_value_t = Edges::Direct)]
    pub edges: Edges,

    #[command(flatten)]
    pub reading: Reading,

    /// How to write the result
    #[arg(long, value_enum, default_value_t = TraceFormat::Tree)]
    pub format: TraceFormat,

    #[command(flatten)]
    pub appearance: Appearance,
}

/// What can be asked of recorded runs only.
#[derive(Debug, Args)]
pub struct Recorded {
    /// What was so at this moment; what is so now unless given
    #[arg(long, value_name = "TIME", value_parser = lineage::time)]
    pub as_of: Option<Timestamp>,

    /// Only what runs did that ended at this moment or later
    #[arg(long, value_name = "TIME", value_parser = lineage::time)]
    pub from: Option<Timestamp>,

    /// Only what runs did that ended before this moment
    #[arg(long, value_name = "TIME", value_parser = lineage::time)]
    pub until: Option<Timestamp>,

    /// Show whole tables, columns, or runs between tables; as the dataset is named unless given
    #[arg(long, value_enum)]
    pub level: Option<TraceLevel>,

    /// Go no further than this dataset, may be given several times
    #[arg(long, value_name = "DATASET")]
    pub stop: Vec<String>,

    /// Show temporary tables instead of what leads through them
    #[arg(long)]
    pub temporary: bool,

    #[command(flatten)]
    pub viewing: Viewing,

    /// How many nodes to show at most
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub limit: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TraceLevel {
    Table,
    Column,
    Run,
}

impl From<TraceLevel> for guardbee_questions::TraceLevel {
    fn from(level: TraceLevel) -> Self {
        match level {
            TraceLevel::Table => Self::Table,
            TraceLevel::Column => Self::Column,
            TraceLevel::Run => Self::Run,
        }
    }
}

/// How texts are read.
#[derive(Debug, Args, Clone)]
pub struct Reading {
    /// What exists before the first statement: a file or folder of DDL, or JSON (`guardbee schema catalog`)
    #[arg(long, value_name = "FILE")]
    pub catalog: Vec<PathBuf>,

    /// The version of Hive whose grammar and functions count: 2.3, 3.1, 4.0, 4.1 or 4.2
    #[arg(long, value_name = "VERSION", default_value_t = HiveVersion::default())]
    pub hive_version: HiveVersion,

    /// The database that names without one belong to
    #[arg(long, value_name = "NAME", default_value = "default", value_parser = database_name)]
    pub database: String,

    /// Set a variable for `${x}` and `${hivevar:x}`
    #[arg(long, value_name = "NAME=VALUE", value_parser = assignment)]
    pub hivevar: Vec<(String, String)>,

    /// Set a configuration value, also for `${hiveconf:x}`
    #[arg(long, value_name = "NAME=VALUE", value_parser = assignment)]
    pub hiveconf: Vec<(String, String)>,
}

impl Reading {
    /// Reads with a catalog, and everything else as it is unless somebody says otherwise.
    #[must_use]
    pub fn with_catalog(catalog: Vec<PathBuf>, hive_version: HiveVersion) -> Self {
        let database = "default".to_owned();
        Self { catalog, hive_version, database, hivevar: Vec::new(), hiveconf: Vec::new() }
    }
}

/// How output looks.
#[derive(Debug, Args, Clone, Copy)]
pub struct Appearance {
    /// When to use colours
    #[arg(long, value_enum, default_value_t = ColorChoice::Auto, value_name = "WHEN")]
    pub color: ColorChoice,

    /// Show no progress
    #[arg(long, short)]
    pub quiet: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    Table,
    /// One document
    Json,
    /// One statement a line
    Jsonl,
    /// A graph for Graphviz
    Dot,
    /// A graph for Mermaid
    Mermaid,
    /// OpenLineage job events, one a line
    Openlineage,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TraceFormat {
    /// For people
    Tree,
    /// One document
    Json,
    /// A graph for Graphviz
    Dot,
    /// A graph for Mermaid
    Mermaid,
    /// OpenLineage run events, one a line; of a store only
    Openlineage,
    /// W3C PROV-JSON; of a store only
    Prov,
    /// One edge a line; of a store only
    Csv,
    /// XML for yEd, Gephi and others; of a store only
    Graphml,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Edges {
    Direct,
    All,
}

impl From<Edges> for guardbee_questions::Edges {
    fn from(edges: Edges) -> Self {
        match edges {
            Edges::Direct => Self::Direct,
            Edges::All => Self::All,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ColorChoice {
    Auto,
    Always,
    Never,
}

fn assignment(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("expected NAME=VALUE".to_owned()),
    }
}

fn number_of_steps(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| format!("expected a number of steps from 0 to {}", u32::MAX))
}

fn database_name(text: &str) -> Result<String, String> {
    if text.trim().is_empty() {
        Err("expected the name of a database".to_owned())
    } else {
        Ok(text.to_owned())
    }
}
