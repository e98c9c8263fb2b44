//! `guardbee analyze`: what statements read, write and derive.

mod served;

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use crate::arguments::{Analyze, Format};
use crate::catalogs::Catalogs;
use crate::clock;
use crate::exit::Outcome;
use crate::input::{self, Input, Unreadable};
use crate::lineage::{Follow, Graph};
use crate::output::{Output, say_error, say_unreadable};
use crate::progress::Progress;
use crate::reading::Report;
use crate::render::graph::Selection;
use crate::render::table::Page;
use crate::render::{graph, openlineage};
use crate::run::{self, Counts, Ran, Work};
use crate::terminal::{Paint, Style, shown_width};
use crate::trace;
use crate::wire;

/// Runs the command.
///
/// # Errors
/// A catalog that cannot be read, or output that cannot be written.
pub fn run(arguments: &Analyze) -> anyhow::Result<Outcome> {
    let started = Instant::now();
    let errors = Style::for_errors(arguments.appearance.color);
    if arguments.findings && !matches!(arguments.format, Format::Table | Format::Json | Format::Jsonl) {
        say_error(errors, "`--findings` goes with the formats table, json and jsonl");
        return Ok(Outcome::WrongUse);
    }
    if arguments.service.is_given() {
        return served::run(arguments, inputs(arguments));
    }
    let (inputs, mut unreadable) = inputs(arguments);
    let progress = Progress::of(&inputs, arguments.appearance);
    let catalogs =
        Catalogs::read(&arguments.reading)?.with_declarations(&inputs, &arguments.reading, &progress);
    let mut job = Job {
        arguments,
        work: Work { inputs: &inputs, catalogs: &catalogs, reading: &arguments.reading, progress: &progress },
        unreadable_before: unreadable.len(),
        output: Output::standard(),
    };
    let ran = match arguments.format {
        Format::Table => job.table(started)?,
        Format::Json => job.json()?,
        Format::Jsonl => job.json_lines()?,
        Format::Openlineage => job.openlineage()?,
        Format::Dot | Format::Mermaid => job.picture()?,
    };
    progress.finish();
    job.output.finish()?;
    unreadable.extend(ran.unreadable);
    say_unreadable(errors, &unreadable);
    Ok(outcome(&unreadable, ran.counts))
}

const fn outcome(unreadable: &[Unreadable], counts: Counts) -> Outcome {
    if !unreadable.is_empty() {
        Outcome::Failure
    } else if counts.errors > 0 {
        Outcome::Findings
    } else {
        Outcome::Fine
    }
}

fn inputs(arguments: &Analyze) -> (Vec<Input>, Vec<Unreadable>) {
    let (mut inputs, unreadable) = input::collect(&arguments.paths);
    if !arguments.expressions.is_empty() {
        inputs.push(Input::CommandLine(arguments.expressions.clone()));
    }
    (inputs, unreadable)
}

struct Job<'j> {
    arguments: &'j Analyze,
    work: Work<'j>,
    /// Paths that gave no input at all.
    unreadable_before: usize,
    output: Output,
}

impl Job<'_> {
    fn table(&mut self, started: Instant) -> anyhow::Result<Ran> {
        let style = Style::for_output(self.arguments.appearance.color);
        let work = self.work;
        let (output, arguments) = (&mut self.output, self.arguments);
        let ran = run::run::<Page>(
            work,
            |report, _, page| {
                if is_wanted(&report, arguments) {
                    page.add(style, &report);
                }
            },
            |page| output.write(page.text()),
        )?;
        let files = work.inputs.iter().filter(|input| matches!(input, Input::File(_))).count();
        let total = Total {
            files: files.saturating_sub(ran.unreadable.len()),
            unreadable: self.unreadable_before + ran.unreadable.len(),
            counts: ran.counts,
        };
        self.output.write(&total.summary(style, started.elapsed()));
        Ok(ran)
    }

    fn json_lines(&mut self) -> anyhow::Result<Ran> {
        let arguments = self.arguments;
        self.text(|report, out| {
            if is_wanted(report, arguments)
                && let Ok(line) = wire::line(&wire::Statement::from(report))
            {
                out.push_str(&line);
                out.push('\n');
            }
        })
    }

    fn openlineage(&mut self) -> anyhow::Result<Ran> {
        let time = clock::now();
        self.text(|report, out| {
            if let Some(event) = openlineage::event(report, &time)
                && let Ok(line) = wire::line(&event)
            {
                out.push_str(&line);
                out.push('\n');
            }
        })
    }

    /// One document, written statement by statement: it is never held whole.
    fn json(&mut self) -> anyhow::Result<Ran> {
        self.output.write(&format!("{{\"version\":{},\"statements\":[", wire::VERSION));
        let (output, arguments) = (&mut self.output, self.arguments);
        let mut is_first = true;
        let ran = run::run::<String>(
            self.work,
            |report, _, out| {
                if is_wanted(&report, arguments)
                    && let Ok(line) = wire::line(&wire::Statement::from(&report))
                {
                    out.push_str(",\n");
                    out.push_str(&line);
                }
            },
            |piece| {
                let piece = if is_first { piece.strip_prefix(',').unwrap_or(&piece) } else { &piece };
                is_first = is_first && piece.is_empty();
                output.write(piece)
            },
        )?;
        let unreadable = (self.unreadable_before + ran.unreadable.len()) as u64;
        let summary = wire::Summary {
            files: (self.work.inputs.len() - ran.unreadable.len()) as u64,
            statements: ran.counts.statements,
            errors: ran.counts.errors,
            warnings: ran.counts.warnings,
            unreadable_files: unreadable,
        };
        self.output.write(&format!("\n],\"summary\":{}}}\n", wire::line(&summary)?));
        Ok(ran)
    }

    fn picture(&mut self) -> anyhow::Result<Ran> {
        let (lineage, ran) = trace::lineage(self.work, Follow::Direct)?;
        let selection = values(&lineage);
        let picture = match self.arguments.format {
            Format::Dot => graph::dot(&lineage, &selection),
            _ => graph::mermaid(&lineage, &selection),
        };
        self.output.write(&picture);
        Ok(ran)
    }

    /// Writes text as it comes.
    fn text(&mut self, render: impl Fn(&Report<'_>, &mut String) + Sync) -> anyhow::Result<Ran> {
        let output = &mut self.output;
        run::run::<String>(self.work, |report, _, out| render(&report, out), |piece| output.write(&piece))
    }
}

fn is_wanted(report: &Report<'_>, arguments: &Analyze) -> bool {
    !arguments.findings || report.findings.iter().any(|finding| !finding.is_repeated)
}

/// The edges that values take, between columns.
fn values(lineage: &Graph) -> Selection<'_> {
    let edges = lineage.edges().iter().filter(|edge| edge.is_direct && lineage.is_between_columns(edge));
    Selection { edges: edges.collect(), root: None }
}

/// What came of a run as a whole.
struct Total {
    files: usize,
    unreadable: usize,
    counts: Counts,
}

impl Total {
    /// `12 files, 148 statements, 1 error                     41 ms`, and what to do next.
    fn summary(&self, style: Style, elapsed: Duration) -> String {
        let counts = self.counts;
        let mut parts = Vec::new();
        if self.files > 0 {
            parts.push(counted(self.files as u64, "file"));
        }
        parts.push(counted(counts.statements, "statement"));
        parts.push(match counts.errors {
            0 => style.paint(Paint::Good, "no errors"),
            errors => style.paint(Paint::Bad, &counted(errors, "error")),
        });
        if counts.warnings > counts.repeated {
            let warnings = counted(counts.warnings - counts.repeated, "warning");
            parts.push(style.paint(Paint::Warning, &warnings));
        }
        if self.unreadable > 0 {
            parts.push(style.paint(Paint::Bad, &format!("{} unreadable", self.unreadable)));
        }
        let facts = parts.join(", ");
        let time = format!("{} ms", elapsed.as_millis());
        let gap = style.width.min(100).saturating_sub(shown_width(&facts) + time.len()).max(3);
        let mut out = format!("{facts}{:gap$}{}\n", "", style.paint(Paint::Dim, &time));
        if counts.unknown_tables > 0 {
            let next = "[unknown]: no such table in the catalog; --catalog FILE takes the DDL of tables";
            let _ = writeln!(out, "{}", style.paint(Paint::Dim, next));
        }
        out
    }
}

fn counted(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
