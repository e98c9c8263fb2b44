//! The command line.

mod check;
mod policy;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use guardbee_model::HiveVersion;

pub use check::{Check, CheckFormat, Groups, PolicySource};
pub use policy::{
    AnswerFormat, Apply, Diff, Export, ExportForm, History, HiveMode, Import, ImportForm, Known, Plan,
    Policy, PolicyTest, Restore, Show, ShowFormat, Side, Signature, WhatCan, WhoCan, Why,
};

const EXAMPLES: &str = "\
Examples:
  guardbee analyze etl/                                      what each script reads, writes and derives
  guardbee analyze --findings etl/                           only what is wrong with them
  guardbee trace --files etl/ mart.revenue.amount_eur        where a column comes from
  guardbee trace --files etl/ raw.customers.email --down     what is made of it
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

    /// How to write the result
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

    /// Folder or file to read, may be given several times; one session a file, one catalog for all
    #[arg(long = "files", value_name = "DIR", required = true)]
    pub paths: Vec<PathBuf>,

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
    Tree,
    Json,
    Dot,
    Mermaid,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Edges {
    Direct,
    All,
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
