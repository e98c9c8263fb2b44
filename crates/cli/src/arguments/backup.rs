//! `guardbee backup`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{Appearance, StoreArgument};

const EXAMPLES: &str = "\
Examples:
  guardbee backup --store guardbee.db monday.backup                     while it is in use
  guardbee backup verify monday.backup                                  is it what was written?
  guardbee backup restore monday.backup --store new.db                  make a store of it
  guardbee backup restore monday.backup --store postgres://guardbee@db/guardbee

A backup is one file, whatever kind of store it is made of, and can be restored into either.";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Backup {
    #[command(subcommand)]
    pub command: Option<BackupCommand>,

    #[command(flatten)]
    pub make: BackupMake,
}

#[derive(Debug, Subcommand)]
pub enum BackupCommand {
    /// Make a store of a backup
    Restore(BackupRestore),
    /// Look through a backup: is it what was written, and is its audit log whole?
    Verify(BackupVerify),
}

#[derive(Debug, Args)]
pub struct BackupMake {
    /// The file to write; there must be none yet
    #[arg(value_name = "OUT", required = true)]
    pub out: Option<PathBuf>,

    #[command(flatten)]
    pub store: StoreArgument,

    #[command(flatten)]
    pub appearance: Appearance,
}

#[derive(Debug, Args)]
pub struct BackupRestore {
    /// The backup
    #[arg(value_name = "IN")]
    pub backup: PathBuf,

    #[command(flatten)]
    pub store: StoreArgument,

    /// Put it in the place of a store that holds something, and that nobody uses
    #[arg(long)]
    pub replace: bool,

    #[command(flatten)]
    pub appearance: Appearance,
}

#[derive(Debug, Args)]
pub struct BackupVerify {
    /// The backup
    #[arg(value_name = "IN")]
    pub backup: PathBuf,

    #[command(flatten)]
    pub appearance: Appearance,
}
