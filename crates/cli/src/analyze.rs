//! `guardbee analyze`: what statements read, write and derive.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::time::Instant;

use anyhow::Context as _;
use guardbee_analysis::Catalog;
use serde_json::Value;

use crate::arguments::{Analyze, Format};
use crate::exit::Outcome;
use crate::input::{self, Input, Unreadable};
use crate::lineage::{Graph, Process};
use crate::output::Output;
use crate::progress::Progress;
use crate::reading::{self, Catalogs};
use crate::render::{Report, finding, graph, openlineage, table};
use crate::run::{self, Counts, Pieces};
use crate::terminal::{Paint, Style};
use crate::wire;

/// Runs the command.
///
/// # Errors
/// A catalog that cannot be read, or output that cannot be written.
pub fn run(arguments: &Analyze) -> anyhow::Result<Outcome> {
    let started = Instant::now();
    let (inputs, unreadable) = inputs(arguments);
    let catalogs = Catalogs::read(&inputs, &arguments.reading)?;
    let progress = Progress::new(inputs.iter().map(Input::size_bytes).sum(), arguments.appearance.quiet);
    let mut job = Job {
        arguments,
        inputs: &inputs,
        catalogs: &catalogs,
        progress: &progress,
        output: Output::standard(),
    };
    let (counts, more_unreadable) = match arguments.format {
        Format::Table => job.table(started)?,
        Format::Json => job.json()?,
        Format::Jsonl => job.json_lines()?,
        Format::Openlineage => job.openlineage()?,
        Format::Dot | Format::Mermaid => job.picture()?,
    };
    progress.finish();
    let unreadable: Vec<Unreadable> = unreadable.into_iter().chain(more_unreadable).collect();
    report_unreadable(&unreadable, arguments);
    Ok(if !unreadable.is_empty() {
        Outcome::Failure
    } else if counts.errors > 0 {
        Outcome::Findings
    } else {
        Outcome::Fine
    })
}

fn inputs(arguments: &Analyze) -> (Vec<Input>, Vec<Unreadable>) {
    let (mut inputs, unreadable) = input::collect(&arguments.paths);
    inputs.extend(arguments.expressions.iter().map(|text| Input::Given { label: "-e", text: text.clone() }));
    (inputs, unreadable)
}

fn report_unreadable(unreadable: &[Unreadable], arguments: &Analyze) {
    let style = Style::for_errors(arguments.appearance.color);
    for file in unreadable {
        let word = style.paint(Paint::Bad, "error");
        eprintln!(
            "{word}: cannot read `{}`: {}",
            finding::printable(&file.label),
            reading::reason(&file.reason)
        );
    }
}

struct Job<'j> {
    arguments: &'j Analyze,
    inputs: &'j [Input],
    catalogs: &'j Catalogs,
    progress: &'j Progress,
    output: Output,
}

/// What a run gives back.
type Ran = anyhow::Result<(Counts, Vec<Unreadable>)>;

impl Job<'_> {
    fn table(&mut self, started: Instant) -> Ran {
        let style = Style::for_output(self.arguments.appearance.color);
        let (counts, unreadable) = self.text(|report, out| table::write(out, style, report))?;
        let files = self.inputs.len() - unreadable.len();
        let summary = summary_line(files, counts, style, started.elapsed().as_millis());
        self.output.write(&summary);
        self.output.finish()?;
        Ok((counts, unreadable))
    }

    fn json_lines(&mut self) -> Ran {
        let ran = self.text(|report, out| {
            if let Ok(line) = serde_json::to_string(&statement(report)) {
                out.push_str(&line);
                out.push('\n');
            }
        })?;
        self.output.finish()?;
        Ok(ran)
    }

    fn openlineage(&mut self) -> Ran {
        let time = jiff::Timestamp::now().to_string();
        let ran = self.text(|report, out| {
            if let Some(event) = openlineage::event(report, &time) {
                let _ = writeln!(out, "{event}");
            }
        })?;
        self.output.finish()?;
        Ok(ran)
    }

    /// One document, written statement by statement: it is never held whole.
    fn json(&mut self) -> Ran {
        self.output.write(&format!("{{\"version\":{},\"statements\":[", wire::VERSION));
        let mut is_first = true;
        let ran = self.run::<String>(
            |report, _, out| {
                if let Ok(line) = serde_json::to_string(&statement(report)) {
                    out.push_str(",\n");
                    out.push_str(&line);
                }
            },
            |output, piece| {
                let piece = if is_first { piece.strip_prefix(',').unwrap_or(&piece) } else { &piece };
                is_first = is_first && piece.is_empty();
                output.write(piece)
            },
        );
        let (counts, unreadable) = ran;
        let summary = wire::Summary {
            files: (self.inputs.len() - unreadable.len()) as u64,
            statements: counts.statements,
            errors: counts.errors,
            warnings: counts.warnings,
            unreadable_files: unreadable.len() as u64,
        };
        let summary = serde_json::to_value(summary).unwrap_or(Value::Null);
        self.output.write(&format!("\n],\"summary\":{summary}}}\n"));
        self.output.finish()?;
        Ok((counts, unreadable))
    }

    fn picture(&mut self) -> Ran {
        let mut lineage = Graph::default();
        let ran = self.run::<Recorded>(
            |report, catalog, out| out.take(report, catalog),
            |_, piece| {
                piece.into_graph(&mut lineage);
                true
            },
        );
        let is_value_edge = |edge: &crate::lineage::Edge| edge.is_direct && lineage.is_between_columns(edge);
        let picture = match self.arguments.format {
            Format::Dot => graph::dot(&lineage, is_value_edge),
            _ => graph::mermaid(&lineage, is_value_edge),
        };
        self.output.write(&picture);
        self.output.finish()?;
        Ok(ran)
    }

    /// Writes text as it comes.
    fn text(&mut self, render: impl Fn(&Report<'_>, &mut String) + Sync) -> Ran {
        Ok(self.run::<String>(|report, _, out| render(report, out), |output, piece| output.write(&piece)))
    }

    fn run<T: Send + Pieces>(
        &mut self,
        render: impl Fn(&Report<'_>, &Catalog, &mut T) + Sync,
        mut write: impl FnMut(&mut Output, T) -> bool,
    ) -> (Counts, Vec<Unreadable>) {
        let output = &mut self.output;
        run::run(self.inputs, self.catalogs, &self.arguments.reading, self.progress, render, |piece| {
            write(output, piece)
        })
    }
}

/// Statements on their way into a graph, with the state of the catalog after each.
#[derive(Default)]
pub struct Recorded(Vec<(guardbee_analysis::Effects, Process, Catalog)>);

impl Recorded {
    /// Keeps what a report says of lineage.
    pub fn take(&mut self, report: &Report<'_>, catalog: &Catalog) {
        if let Some(effects) = &report.analysis.effects {
            let process = Process {
                file: report.label.to_owned(),
                line: report.place.line,
                operation: effects.operation.as_str(),
            };
            self.0.push((effects.clone(), process, catalog.clone()));
        }
    }

    /// Puts what was kept into a graph.
    pub fn into_graph(self, graph: &mut Graph) {
        for (effects, process, catalog) in self.0 {
            graph.record(&effects, process, &catalog);
        }
    }
}

impl Pieces for Recorded {
    fn size_bytes(&self) -> usize {
        self.0.len() * 1024
    }
}

/// One statement in the shape of `--format json`.
fn statement(report: &Report<'_>) -> wire::Statement {
    let mut places = crate::place::Places::new(report.text);
    let diagnostics = report
        .analysis
        .diagnostics
        .iter()
        .map(|diagnostic| {
            let place = places.of(diagnostic.span.start);
            wire::Finding {
                severity: wire::severity(diagnostic.severity),
                code: diagnostic.code.0,
                message: diagnostic.message.clone(),
                line: place.line,
                column: place.column,
                start: diagnostic.span.start,
                end: diagnostic.span.end,
                hint: diagnostic.hint.clone(),
            }
        })
        .collect();
    wire::Statement {
        file: report.label.to_owned(),
        line: report.place.line,
        column: report.place.column,
        start: report.span.start,
        end: report.span.end,
        effects: report.analysis.effects.as_ref().map(wire::StatementEffects::from),
        diagnostics,
    }
}

/// `12 files, 148 statements, 1 error                     41 ms`.
fn summary_line(files: usize, counts: Counts, style: Style, milliseconds: u128) -> String {
    let mut parts = vec![counted(files as u64, "file"), counted(counts.statements, "statement")];
    if counts.errors > 0 {
        parts.push(style.paint(Paint::Bad, &counted(counts.errors, "error")));
    }
    if counts.warnings > 0 {
        parts.push(style.paint(Paint::Warning, &counted(counts.warnings, "warning")));
    }
    if counts.errors == 0 {
        parts.push(style.paint(Paint::Good, "no errors"));
    }
    format!("{}   {milliseconds} ms\n", parts.join(", "))
}

fn counted(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// Writes to standard output right away, for small results.
///
/// # Errors
/// What the system says, but for a closed pipe.
pub fn print(text: &str) -> anyhow::Result<()> {
    match io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result.context("cannot write to standard output"),
    }
}
