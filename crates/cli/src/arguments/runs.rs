//! Commands about recorded runs as such.

use clap::{Args, Subcommand};
use guardbee_model::Timestamp;

use super::lineage::time;
use super::{AnswerFormat, Appearance, Home, Page, Viewing};

const RUNS_EXAMPLES: &str = "\
Examples:
  guardbee runs --store guardbee.db                             the last runs
  guardbee runs --dataset mart.customers --from 2026-11-29 --store guardbee.db
  guardbee runs show hive_20261129021405_7f --store guardbee.db

Statements that failed or were denied are in `guardbee audit`.
Exit codes: 0 there are some, 1 there is none, 2 wrong use, 3 failure";

#[derive(Debug, Args)]
#[command(after_help = RUNS_EXAMPLES, args_conflicts_with_subcommands = true)]
pub struct Runs {
    #[command(subcommand)]
    pub command: Option<RunsCommand>,

    #[command(flatten)]
    pub list: RunsList,
}

#[derive(Debug, Subcommand)]
pub enum RunsCommand {
    /// Show what one run read, wrote and derived, and all that is known about it
    Show(RunsShow),
}

#[derive(Debug, Args)]
pub struct RunsList {
    #[command(flatten)]
    pub home: Home,

    /// Only those of this user
    #[arg(long, value_name = "NAME")]
    pub user: Option<String>,

    /// Only those of Hive's operation type, such as QUERY
    #[arg(long, value_name = "NAME")]
    pub operation: Option<String>,

    /// Only those that read, wrote or changed this table or path
    #[arg(long, value_name = "DATASET")]
    pub dataset: Option<String>,

    /// The database that names without one belong to
    #[arg(long, value_name = "NAME", default_value = "default")]
    pub database: String,

    /// Only those that ended at this moment or later
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub from: Option<Timestamp>,

    /// Only those that ended before this moment
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub until: Option<Timestamp>,

    #[command(flatten)]
    pub viewing: Viewing,

    #[command(flatten)]
    pub page: Page,

    /// How to write the answer
    #[arg(long, value_enum, default_value_t = AnswerFormat::Table)]
    pub format: AnswerFormat,

    #[command(flatten)]
    pub appearance: Appearance,
}

#[derive(Debug, Args)]
pub struct RunsShow {
    /// The key of a run, as `runs --format json` lists it
    #[arg(value_name = "KEY")]
    pub key: String,

    #[command(flatten)]
    pub home: Home,

    #[command(flatten)]
    pub viewing: Viewing,

    /// How to write the answer
    #[arg(long, value_enum, default_value_t = AnswerFormat::Table)]
    pub format: AnswerFormat,

    #[command(flatten)]
    pub appearance: Appearance,
}
