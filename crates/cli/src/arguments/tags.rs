//! Commands about tags that go with data, and about who can read what was made of it.

use clap::Args;

use super::lineage::Asked;
use super::{AnswerFormat, Appearance, Home, Viewing};

const TAGS_EXAMPLES: &str = "\
Examples:
  guardbee tags mart.customers --store guardbee.db              what it carries, and why
  guardbee tags mart.customers.mail --store guardbee.db --as-of 2026-11-01

Exit codes: 0 it carries a tag, 1 it carries none, 2 wrong use, 3 failure";

#[derive(Debug, Args)]
#[command(after_help = TAGS_EXAMPLES)]
pub struct Tags {
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

const LEAKS_EXAMPLES: &str = "\
Examples:
  guardbee leaks --store guardbee.db                            who may read what they may not read

Exit codes: 0 there is none, 1 there are some, 2 wrong use, 3 failure";

#[derive(Debug, Args)]
#[command(after_help = LEAKS_EXAMPLES)]
pub struct Leaks {
    #[command(flatten)]
    pub home: Home,

    #[command(flatten)]
    pub viewing: Viewing,

    /// How many to show, the worst first
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub limit: usize,

    /// How to write the answer
    #[arg(long, value_enum, default_value_t = AnswerFormat::Table)]
    pub format: AnswerFormat,

    #[command(flatten)]
    pub appearance: Appearance,
}

const WHO_COULD_EXAMPLES: &str = "\
Examples:
  guardbee who-could SELECT hr.emp.ssn --as-of 2026-11-01 --store guardbee.db

Exit codes: 0 somebody could, 1 nobody could, 2 wrong use, 3 failure";

#[derive(Debug, Args)]
#[command(after_help = WHO_COULD_EXAMPLES)]
pub struct WhoCould {
    /// A privilege, such as SELECT
    pub privilege: String,

    /// A table (`db.table`) or a column (`db.table.column`); all that was made of it is asked about as well
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
