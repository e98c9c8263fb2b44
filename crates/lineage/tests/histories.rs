//! Histories with questions and the answers that the rules demand. Each file of `data` opens with its rule.
//!
//! After the history each line that starts with `?` asks, and the lines below it, until the next, are the answer. With
//! UPDATE_EXPECTED set the files are written anew with what is answered, to be read before it is believed.

mod support;

use std::fs;
use std::path::Path;

use guardbee_lineage::{
    AsOf, DatasetId, Direction, EdgeFilter, Filter, Graph, Level, Node, Question, Run, Temporaries,
    TraceSubject, Window,
};
use guardbee_model::Timestamp;
use support::answer::{subject_text, trace_text};
use support::history::{column, is_history_line, name, name_text, read_line};

#[test]
fn every_history_is_answered_by_its_rule() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let mut files: Vec<_> =
        fs::read_dir(&directory).expect("the data").map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    assert!(files.len() > 10, "the data is gone");
    let bless = std::env::var_os("UPDATE_EXPECTED").is_some();
    let mut wrong = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).expect("a file");
        let answered = answered(&text);
        if answered != text && bless {
            fs::write(&file, &answered).expect("a file to write");
        } else if answered != text {
            wrong.push(format!("{}:\n{}", file.display(), difference(&text, &answered)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn difference(expected: &str, answered: &str) -> String {
    let mut lines = Vec::new();
    for (expected, answered) in expected.lines().zip(answered.lines()) {
        if expected != answered {
            lines.push(format!("  expected: {expected}\n  answered: {answered}"));
        }
    }
    lines.truncate(5);
    lines.join("\n")
}

/// The same file with the answers that are given.
fn answered(text: &str) -> String {
    let mut runs: Vec<Run> = Vec::new();
    let mut kept = Vec::new();
    let mut graph: Option<Graph> = None;
    for line in text.lines() {
        if let Some(question) = line.strip_prefix("? ") {
            let graph = graph.get_or_insert_with(|| graph_of(&runs));
            if kept.last().is_some_and(|last: &String| !last.is_empty()) {
                kept.push(String::new());
            }
            kept.push(line.to_owned());
            kept.extend(answer(graph, question).into_iter().map(|line| format!("  {line}")));
        } else if graph.is_none() {
            if is_history_line(line) {
                read_line(&mut runs, line);
            }
            kept.push(line.to_owned());
        }
    }
    kept.join("\n") + "\n"
}

/// Half of it compacted, last runs first.
fn graph_of(runs: &[Run]) -> Graph {
    let late: Vec<Run> = runs.iter().rev().cloned().collect();
    let (first, rest) = late.split_at(late.len() / 2);
    Graph::new().record(first).graph.compacted().record(rest).graph
}

struct Words<'w> {
    words: Vec<&'w str>,
    as_of: AsOf,
}

impl Words<'_> {
    fn after(&self, word: &str) -> Option<&str> {
        let place = self.words.iter().position(|one| *one == word)?;
        self.words.get(place + 1).copied()
    }

    fn has(&self, word: &str) -> bool {
        self.words.contains(&word)
    }

    fn number(&self, word: &str) -> Option<i64> {
        self.after(word).map(|number| number.parse().expect("a number"))
    }
}

fn answer(graph: &Graph, question: &str) -> Vec<String> {
    let words: Vec<&str> = question.split_whitespace().collect();
    let as_of = words.windows(2).position(|pair| pair == ["as", "of"]).map(|place| words[place + 2]);
    let as_of = as_of.map_or(AsOf::Now, |at| AsOf::At(Timestamp(at.parse().expect("a time"))));
    let words = Words { words, as_of };
    match words.words[0] {
        "trace" => trace(graph, &words),
        "find" => match graph.find(&name(words.words[1]), as_of) {
            None => vec!["nothing".into()],
            Some(dataset) => vec![subject_text(graph, TraceSubject::Dataset(dataset), as_of)],
        },
        "history" => history(graph, &words),
        "datasets" => names(graph, &words),
        "impact" => impact(graph, &words),
        "path" => path(graph, &words),
        other => panic!("no such question: {other}"),
    }
}

fn dataset(graph: &Graph, text: &str, at: AsOf) -> DatasetId {
    // `#1` is the second of that name.
    match text.split_once('#') {
        None => graph.find(&name(text), at).unwrap_or_else(|| panic!("no {text}")),
        Some((text, number)) => graph.find_all(&name(text))[number.parse::<usize>().expect("a number")],
    }
}

fn node(graph: &Graph, text: &str, at: AsOf) -> Node {
    match text.strip_prefix("column:") {
        None => Node::dataset(dataset(graph, text, at)),
        Some(text) => {
            let (table, column) = match text.split_once('#') {
                None => column(text),
                Some((table, rest)) => {
                    (name(table), guardbee_model::Name::fold(rest.split_once('.').expect("a column").1))
                }
            };
            let place =
                text.split_once('#').and_then(|(_, rest)| rest.split_once('.')).map(|(place, _)| place);
            let of = match place {
                None => graph.find(&table, at).unwrap_or_else(|| panic!("no {text}")),
                Some(place) => graph.find_all(&table)[place.parse::<usize>().expect("a number")],
            };
            Node::column(of, graph.find_column(of, &column, at).unwrap_or_else(|| panic!("no {text}")))
        }
    }
}

fn trace(graph: &Graph, words: &Words<'_>) -> Vec<String> {
    let direction = match words.words[1] {
        "up" => Direction::Up,
        "down" => Direction::Down,
        _ => Direction::Both,
    };
    let start = node(graph, words.words[2], words.as_of);
    let level = match (words.after("by"), start.column) {
        (Some("runs"), _) => Level::Run,
        (Some("columns"), _) | (None, Some(_)) => Level::Column,
        _ => Level::Dataset,
    };
    let stop = words.after("stop").map(|name| dataset(graph, name, words.as_of));
    let question = Question {
        start: vec![start],
        direction,
        level,
        depth: words.number("depth").map(|depth| depth as u32),
        edges: if words.has("direct") { EdgeFilter::Direct } else { EdgeFilter::All },
        as_of: words.as_of,
        window: words.number("from").map(|from| Window {
            from: Timestamp(from),
            until: Timestamp(words.number("until").expect("an end")),
        }),
        stop: stop.into_iter().collect(),
        temporaries: if words.has("temporaries") { Temporaries::Show } else { Temporaries::Collapse },
        ..Question::default()
    };
    let trace = graph.trace(&question);
    let mut lines = trace_text(graph, &question, &trace);
    if level == Level::Run {
        versions(graph, &trace, &mut lines);
    }
    lines
}

/// Adds which version each run read and wrote.
fn versions(graph: &Graph, trace: &guardbee_lineage::Trace, lines: &mut [String]) {
    for (edge, line) in trace.edges.iter().zip(&mut lines[trace.nodes.len()..]) {
        let subject = |place| trace.node(place).expect("a node").subject;
        match (subject(edge.from), subject(edge.to)) {
            (TraceSubject::Dataset(read), TraceSubject::Run(run)) => {
                *line = format!("{line}, version {} read", graph.version_read(read, run));
            }
            (TraceSubject::Run(run), TraceSubject::Dataset(written)) => {
                *line = format!("{line}, version {} left", graph.version_left(written, run));
            }
            _ => {}
        }
    }
}

fn history(graph: &Graph, words: &Words<'_>) -> Vec<String> {
    let versions = graph.history(dataset(graph, words.words[1], words.as_of), words.as_of);
    let line = |version: guardbee_lineage::Version| {
        let parts = version
            .partition
            .iter()
            .map(|(column, value)| format!(" {column}={}", value.as_deref().unwrap_or("*")));
        let current = if version.current { " current" } else { "" };
        let run = graph.run_key(version.run);
        format!(
            "{} {} by {}{}{current}",
            version.number,
            version.act.as_str(),
            run.0,
            parts.collect::<String>()
        )
    };
    versions.into_iter().map(line).collect()
}

fn names(graph: &Graph, words: &Words<'_>) -> Vec<String> {
    let line = |dataset: DatasetId| {
        let state = graph.dataset(dataset, words.as_of);
        let periods = state.names.iter().map(|period| {
            let run = |run| graph.run_key(run).0;
            let since = period.since.map(|since| format!(" since {}", run(since))).unwrap_or_default();
            let until = period.until.map(|until| format!(" until {}", run(until))).unwrap_or_default();
            format!("{}{since}{until}", name_text(&period.name))
        });
        let mut line = periods.collect::<Vec<_>>().join(", ");
        if let Some(before) = state.predecessor {
            let before = subject_text(graph, TraceSubject::Dataset(before), words.as_of);
            line = format!("{line}; after {before}");
        }
        let columns = state
            .columns
            .iter()
            .map(|column| format!("{}{}", column.name, if column.closed { "!" } else { "" }));
        format!("{line}; columns {}", columns.collect::<Vec<_>>().join(" "))
    };
    graph.find_all(&name(words.words[1])).into_iter().map(line).collect()
}

fn impact(graph: &Graph, words: &Words<'_>) -> Vec<String> {
    let impact = graph.impact(&node(graph, words.words[1], words.as_of), words.as_of);
    let mut lines = vec![match impact.last_read {
        None => "never read".to_owned(),
        Some(last) => format!("read by {} runs, last by {}", impact.reads, graph.run_key(last).0),
    }];
    lines.extend(impact.dependents.iter().map(|dependent| {
        let subject = TraceSubject::Dataset(dependent.dataset);
        let columns = dependent.columns.iter().map(|column| {
            let name = graph.name(TraceSubject::Column(dependent.dataset, *column), words.as_of);
            let how = if dependent.decided.contains(column) { " (decided)" } else { "" };
            format!(" {}{how}", name.and_then(|name| name.column).expect("a column"))
        });
        format!(
            "{} {} {}{} {} by {}",
            dependent.depth,
            dependent.kind.as_str(),
            subject_text(graph, subject, words.as_of),
            columns.collect::<String>(),
            if dependent.direct { "direct" } else { "indirect" },
            graph.run_key(dependent.last_run).0
        )
    }));
    lines
}

fn path(graph: &Graph, words: &Words<'_>) -> Vec<String> {
    let filter = Filter {
        as_of: words.as_of,
        edges: if words.has("direct") { EdgeFilter::Direct } else { EdgeFilter::All },
        ..Filter::default()
    };
    let from = node(graph, words.words[1], words.as_of);
    let to = node(graph, words.words[2], words.as_of);
    let as_of = Question { as_of: words.as_of, ..Question::default() };
    let Some(shortest) = graph.shortest_path(&from, &to, &filter) else { return vec!["no way".into()] };
    let mut lines = vec!["shortest".to_owned()];
    lines.extend(trace_text(graph, &as_of, &shortest));
    let summary = graph.paths_summary(&from, &to, &filter).expect("a way");
    lines.push(format!("all, from {} steps on", summary.shortest));
    lines.extend(trace_text(graph, &as_of, &summary.ways));
    lines
}
