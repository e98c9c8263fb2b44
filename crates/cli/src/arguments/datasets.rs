//! Commands about datasets as such.

use clap::Args;

use super::{AnswerFormat, Appearance, Home, Viewing};

/// How much of a list is wanted.
#[derive(Debug, Args, Clone)]
pub struct Page {
    /// How many to list
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub limit: u32,

    /// List those that follow: the `next` of the answer before
    #[arg(long, value_name = "CURSOR")]
    pub cursor: Option<String>,
}

const SEARCH_EXAMPLES: &str = "\
Examples:
  guardbee search orders --store guardbee.db                    by name, column, comment, tag or owner
  guardbee search custmer email --store guardbee.db             slips of the keyboard are forgiven

Exit codes: 0 something is found, 1 nothing is, 2 wrong use, 3 failure";

#[derive(Debug, Args)]
#[command(after_help = SEARCH_EXAMPLES)]
pub struct Search {
    /// Words that all have to be found, as a whole, as a beginning, or nearly
    #[arg(value_name = "WORD", required = true)]
    pub words: Vec<String>,

    #[command(flatten)]
    pub home: Home,

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

const DESCRIBE_EXAMPLES: &str = "\
Examples:
  guardbee describe mart.customers --store guardbee.db
  guardbee describe mart.customers.mail --store guardbee.db     one column of it

Exit codes: 0 there is such a dataset, 1 there is none, 2 wrong use, 3 failure";

#[derive(Debug, Args)]
#[command(after_help = DESCRIBE_EXAMPLES)]
pub struct Describe {
    /// A table (`db.table`), a column (`db.table.column`), a database, or a path
    #[arg(value_name = "DATASET")]
    pub dataset: String,

    #[command(flatten)]
    pub home: Home,

    #[command(flatten)]
    pub viewing: Viewing,

    /// The database that names without one belong to
    #[arg(long, value_name = "NAME", default_value = "default")]
    pub database: String,

    /// How to write the answer
    #[arg(long, value_enum, default_value_t = AnswerFormat::Table)]
    pub format: AnswerFormat,

    #[command(flatten)]
    pub appearance: Appearance,
}
