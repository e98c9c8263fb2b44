//! `guardbee check`, and what it has in common with others that ask a policy.

use std::path::PathBuf;

use clap::builder::NonEmptyStringValueParser;
use clap::{Args, ValueEnum};
use guardbee_policy::BookName;

use super::{Appearance, Reading, ServiceArgument};

const EXAMPLES: &str = "\
Examples:
  guardbee check --user ana --group analysts --policy policy/ -e 'SELECT ssn FROM hr.emp'
  guardbee check --user etl --store policy.db --catalog ddl/ --refused etl/     in CI
  guardbee check --user ana --store policy.db --explain -e 'DROP TABLE hr.emp'  every reason

Exit codes: 0 all allowed, 1 something denied or wrong, 2 wrong use, 3 failure";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Check {
    /// Files and folders (searched for .sql, .hql and .q); `-` is standard input; each is a session
    #[arg(value_name = "PATH", required_unless_present = "expressions")]
    pub paths: Vec<PathBuf>,

    /// Check this text; several are one session
    #[arg(short = 'e', long = "execute", value_name = "SQL")]
    pub expressions: Vec<String>,

    /// Who runs the statements
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    pub user: String,

    #[command(flatten)]
    pub groups: Groups,

    /// A role that is switched on, ALL or NONE; all that the user holds unless given
    #[arg(long = "role", value_name = "NAME")]
    pub roles: Vec<String>,

    #[command(flatten)]
    pub source: PolicySource,

    #[command(flatten)]
    pub reading: Reading,

    /// Give every reason as a tree
    #[arg(long)]
    pub explain: bool,

    /// Show only statements that may not run
    #[arg(long)]
    pub refused: bool,

    /// How to write the answer
    #[arg(long, value_enum, default_value_t = CheckFormat::Table)]
    pub format: CheckFormat,

    #[command(flatten)]
    pub appearance: Appearance,
}

/// The groups of who asks.
#[derive(Debug, Args, Clone, Default)]
pub struct Groups {
    /// A group that the user is in, may be given several times
    #[arg(long = "group", value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    pub groups: Vec<String>,

    /// Ask for the user's groups: `system`, `file:FILE` (lines of `user = group, group`),
    /// or a command that is given the user's name and prints one a line
    #[arg(long, value_name = "SOURCE")]
    pub groups_from: Option<String>,
}

/// Whose eyes an answer is for.
#[derive(Debug, Args, Clone, Default)]
pub struct Viewing {
    /// Show it as this user may see it: of what they may not know of only the place is left
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    pub viewer: Option<String>,

    #[command(flatten)]
    pub groups: Groups,
}

/// Which policy is asked: one of a store, or one that files state.
#[derive(Debug, Args, Clone)]
pub struct PolicySource {
    /// The store of the policy: a file of SQLite, or postgres://USER:PASSWORD@HOST/DATABASE; unless given,
    /// the environment's GUARDBEE_STORE
    #[arg(long, value_name = "FILE|URL")]
    pub store: Option<String>,

    /// A policy as SQL files: a file or folder, may be given several times
    #[arg(long, value_name = "FILE|DIR")]
    pub policy: Vec<PathBuf>,

    #[command(flatten)]
    pub service: ServiceArgument,

    /// Decide by this rule book instead of the policy's own: sentry, hive-legacy, sql-standard or ranger
    #[arg(long, value_name = "BOOK", value_parser = rule_book)]
    pub rule_book: Option<BookName>,
}

impl PolicySource {
    /// Whether the command line names a store or files.
    #[must_use]
    pub fn is_local(&self) -> bool {
        self.store.is_some() || !self.policy.is_empty()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CheckFormat {
    /// For people
    Table,
    /// One document
    Json,
    /// One statement a line
    Jsonl,
}

pub fn rule_book(text: &str) -> Result<BookName, String> {
    BookName::parse(text).ok_or_else(|| "expected sentry, hive-legacy, sql-standard or ranger".to_owned())
}
