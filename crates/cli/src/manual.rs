//! `guardbee man`: manual pages, made from the command line's own description.

use std::fs;
use std::path::Path;

use anyhow::Context as _;
use clap::CommandFactory;

use crate::arguments::Arguments;
use crate::output::print;

/// Prints the first page, or writes all of them into a folder.
///
/// # Errors
/// What keeps a page from being written.
pub fn run(directory: Option<&Path>) -> anyhow::Result<()> {
    let command = Arguments::command();
    match directory {
        Some(directory) => {
            fs::create_dir_all(directory)
                .with_context(|| format!("cannot make the folder `{}`", directory.display()))?;
            clap_mangen::generate_to(command, directory)
                .with_context(|| format!("cannot write manual pages into `{}`", directory.display()))
        }
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(command).render(&mut page)?;
            print(&String::from_utf8_lossy(&page))
        }
    }
}
