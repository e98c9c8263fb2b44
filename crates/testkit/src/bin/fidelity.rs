//! `fidelity [--corpus DIR]`: every figure of `docs/fidelity.md` with its bar. Exits 1 where one does not
//! hold; corpora that are not there are named and left out.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use guardbee_testkit::fidelity::Board;

fn main() -> Result<ExitCode> {
    let mut folder = PathBuf::from("../shared/corpus");
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--corpus" => folder = arguments.next().context("`--corpus` needs a folder")?.into(),
            _ => bail!("usage: fidelity [--corpus DIR]"),
        }
    }
    let board = Board::measure(&folder)?;
    let mut corpus = "";
    for figure in &board.figures {
        if figure.corpus != corpus {
            corpus = &figure.corpus;
            println!("{corpus}");
        }
        let verdict = match (&figure.bar, figure.holds) {
            (None, _) => String::new(),
            (Some(bar), true) => format!("  bar {bar}"),
            (Some(bar), false) => format!("  bar {bar}  MISSED"),
        };
        println!(
            "  {:22} {:7} / {:7}  {:6.2} %{verdict}",
            figure.what, figure.right, figure.total, figure.value
        );
    }
    if !board.missing.is_empty() {
        println!("left out, not found in {}: {}", folder.display(), board.missing.join(", "));
    }
    println!("{} passed, {} failed", board.passed(), board.failed());
    Ok(if board.failed() == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
