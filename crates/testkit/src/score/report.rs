//! Prints a tally.

use std::collections::HashMap;
use std::io::{self, Write};

use super::{Metric, Tally};

/// A line for each metric, then up to `shown` mismatches of each (of the named metric only, where there is one).
///
/// # Errors
/// Where the output cannot be written.
pub fn print(tally: &Tally, shown: usize, only: Option<&str>, out: &mut dyn Write) -> io::Result<()> {
    for metric in Metric::ALL {
        let Some(count) = tally.count(metric) else { continue };
        let worst: Vec<String> =
            tally.worst(metric, 5).iter().map(|(op, count)| format!("{op} {count}")).collect();
        let wrong = if worst.is_empty() { String::new() } else { format!("   wrong: {}", worst.join(", ")) };
        let (name, right, total) = (metric.name(), count.right, count.total);
        writeln!(out, "{name:15} {right:7} /{total:7}  {:6.2}%{wrong}", count.percent())?;
    }
    if let Some((files, mean)) = tally.mean_over_files() {
        writeln!(out, "{:15} {files:7} files   {:6.2}%", "lineage/macro", 100.0 * mean)?;
    }
    writeln!(out, "{:15} {:7}", "extra targets", tally.extra_targets)?;
    print_mismatches(tally, shown, only, out)
}

fn print_mismatches(tally: &Tally, shown: usize, only: Option<&str>, out: &mut dyn Write) -> io::Result<()> {
    let mut printed: HashMap<Metric, usize> = HashMap::new();
    for mismatch in &tally.mismatches {
        let count = printed.entry(mismatch.metric).or_default();
        if *count >= shown || only.is_some_and(|name| name != mismatch.metric.name()) {
            continue;
        }
        *count += 1;
        writeln!(
            out,
            "\n-- {}: {}[{}] {}",
            mismatch.metric.name(),
            mismatch.file,
            mismatch.index,
            mismatch.place
        )?;
        writeln!(out, "   sql:  {}", mismatch.sql.replace('\n', "\n         "))?;
        writeln!(out, "   want: {}\n   got:  {}", mismatch.wanted, mismatch.got)?;
    }
    Ok(())
}
