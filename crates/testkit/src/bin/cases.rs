//! `cases FILE.jsonl...`: runs lineage cases, names each failure with what was expected and what came, and
//! ends with `N passed, M failed`. The exit code is 1 if one failed.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, ensure};
use guardbee_testkit::cases::{Outcome, run_cases};

fn main() -> Result<ExitCode> {
    let paths: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    ensure!(!paths.is_empty(), "usage: cases FILE.jsonl...");
    let mut output = BufWriter::new(io::stdout().lock());
    let (mut passed, mut failed) = (0, 0);
    for path in paths {
        for result in run_cases(&path)? {
            match result.outcome {
                Outcome::Passed => passed += 1,
                Outcome::Skipped => {}
                Outcome::Failed { what, expected, got } => {
                    failed += 1;
                    writeln!(output, "{}: {what}\n  expected: {expected}\n  got:      {got}", result.id)?;
                }
            }
        }
    }
    writeln!(output, "{passed} passed, {failed} failed")?;
    output.flush()?;
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
