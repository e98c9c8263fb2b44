//! `accepts VERSION < statements.jsonl`: for each JSON string on standard input, one line
//! `{"ok": true|false}` that says whether the parser of that Hive version takes it.

use std::io::{self, BufRead, BufWriter, Write};

use anyhow::{Context, Result};
use guardbee_hiveql::parser::parse_statement;
use guardbee_hiveql::tree::Arena;
use guardbee_model::HiveVersion;
use guardbee_testkit::mutations::{hive_settings, read_json_string};

fn main() -> Result<()> {
    let version: HiveVersion =
        std::env::args().nth(1).context("usage: accepts VERSION < statements.jsonl")?.parse()?;
    let settings = hive_settings(version);
    let mut output = BufWriter::new(io::stdout().lock());
    let mut arena = Arena::new();
    for line in io::stdin().lock().lines() {
        let sql = read_json_string(&line?).context("a line is no JSON string")?;
        let is_accepted = parse_statement(&arena, &sql, settings).is_ok();
        writeln!(output, "{{\"ok\": {is_accepted}}}")?;
        arena.reset();
    }
    output.flush()?;
    Ok(())
}
