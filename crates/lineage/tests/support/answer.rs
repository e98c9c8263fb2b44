//! Answers as text: by names and keys alone, so that graphs of the same runs can be compared.

use guardbee_lineage::{AsOf, Graph, Question, Trace, TraceSubject};

use super::history::name_text;

/// What something is called, and which of the datasets of that name it is where there were several.
pub fn subject_text(graph: &Graph, subject: TraceSubject, at: AsOf) -> String {
    let (dataset, column) = match subject {
        TraceSubject::Run(run) => return format!("run {}", graph.run_key(run).0),
        TraceSubject::Dataset(dataset) => (dataset, None),
        TraceSubject::Column(dataset, column) => (dataset, Some(column)),
    };
    let state = graph.dataset(dataset, at);
    let first = &state.names.first().expect("a name").name;
    let lives = graph.find_all(first);
    let mut text = name_text(&graph.name(subject, at).expect("a name").dataset);
    if lives.len() > 1 {
        // In a graph that was made to deceive it may be none of them.
        let life = lives.iter().position(|one| *one == dataset).map_or(-1, |life| life as i64);
        text = format!("{text}({}#{life})", name_text(first));
    }
    if let Some(column) = column {
        let name = graph.name(subject, at).and_then(|name| name.column).expect("a column");
        let closed = state.columns.iter().any(|state| state.id == column && state.closed);
        text = format!("{text}.{name}{}", if closed { "!" } else { "" });
    }
    text
}

pub fn trace_text(graph: &Graph, question: &Question<'_>, trace: &Trace) -> Vec<String> {
    let text = |place: u32| {
        let node = trace.node(place).expect("a node of the page");
        subject_text(graph, node.subject, question.as_of)
    };
    let nodes = trace.nodes.iter().map(|node| {
        let mut line = format!("{} {}", node.depth, subject_text(graph, node.subject, question.as_of));
        for (is, word) in [(node.masked, "masked"), (node.closed, "closed"), (node.temporary, "temporary")] {
            if is {
                line = format!("{line} {word}");
            }
        }
        line
    });
    let edges = trace.edges.iter().map(|edge| {
        let mut line = format!("{} -> {} {}", text(edge.from), text(edge.to), edge.kind.as_str());
        for (is, word) in [(edge.masked, "masked"), (edge.unresolved, "unresolved")] {
            if is {
                line = format!("{line} {word}");
            }
        }
        let runs =
            if edge.run_count > 1 { format!(" and {} more", edge.run_count - 1) } else { String::new() };
        format!("{line} by {}{runs}", graph.run_key(edge.run).0)
    });
    nodes.chain(edges).collect()
}
