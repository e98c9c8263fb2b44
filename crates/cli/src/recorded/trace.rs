//! `guardbee trace --store`: where a dataset comes from, or what is made of it, in recorded runs.

use guardbee_questions::{self as questions, Direction, Moment, TraceQuestion};
use guardbee_wire::lineage::TraceDocument;

use super::asking::{Asking, Tags, is_named};
use crate::arguments::{Appearance, Trace, TraceFormat};
use crate::exit::Outcome;
use crate::output::{print, say_warning};
use crate::policy::source::NoPolicy;
use crate::render::recorded_tree::{self, Branches};
use crate::terminal::Style;
use crate::wire;

pub async fn trace(arguments: &Trace) -> anyhow::Result<Outcome> {
    match traced(arguments).await {
        Ok(outcome) => Ok(outcome),
        Err(none) => none.outcome(arguments.appearance),
    }
}

async fn traced(arguments: &Trace) -> Result<Outcome, NoPolicy> {
    let (home, viewing) = (&arguments.home, &arguments.recorded.viewing);
    if !is_named(home)? {
        let message = "over what? `--store FILE|URL` names a store of recorded runs (or GUARDBEE_STORE in the \
                       environment), `--server URL` a service, `--files DIR` a folder of scripts";
        return Err(NoPolicy::WrongUse(message.to_owned()));
    }
    let asking = Asking::of(Tags::AsSeen, home, viewing, arguments.appearance).await?;
    let question = question(arguments);
    match form(arguments.format) {
        Form::Tree => print(&trees(&asking, &question, arguments.appearance).await?)?,
        Form::Json => {
            let document = asking.ask(&question).await?;
            print(&(wire::pretty(&document).map_err(anyhow::Error::new)? + "\n"))?;
        }
        Form::Export(format) => {
            let export = asking.export(&question, format).await?;
            print(&export.text)?;
            if export.truncated {
                let errors = Style::for_errors(arguments.appearance.color);
                say_warning(errors, "there is more than the limit lets through: see --limit");
            }
        }
    }
    Ok(Outcome::Fine)
}

pub(super) fn question(arguments: &Trace) -> TraceQuestion {
    let recorded = &arguments.recorded;
    TraceQuestion {
        dataset: arguments.dataset.clone(),
        database: arguments.reading.database.clone(),
        direction: match (arguments.up, arguments.down) {
            (true, true) => Direction::Both,
            (false, true) => Direction::Down,
            (_, false) => Direction::Up,
        },
        level: recorded.level.map(Into::into),
        depth: arguments.depth,
        edges: arguments.edges.into(),
        as_of: recorded.as_of.map(Moment),
        from: recorded.from.map(Moment),
        until: recorded.until.map(Moment),
        stop: recorded.stop.clone(),
        temporary: recorded.temporary,
        limit: recorded.limit,
        cursor_nodes: 0,
        cursor_edges: 0,
    }
}

enum Form {
    Tree,
    Json,
    Export(questions::TraceFormat),
}

const fn form(format: TraceFormat) -> Form {
    use questions::TraceFormat as Known;
    match format {
        TraceFormat::Tree => Form::Tree,
        TraceFormat::Json => Form::Json,
        TraceFormat::Dot => Form::Export(Known::Dot),
        TraceFormat::Mermaid => Form::Export(Known::Mermaid),
        TraceFormat::Csv => Form::Export(Known::Csv),
        TraceFormat::Graphml => Form::Export(Known::Graphml),
        TraceFormat::Openlineage => Form::Export(Known::Openlineage),
        TraceFormat::Prov => Form::Export(Known::Prov),
    }
}

/// A tree has one direction: for both there are two.
async fn trees(
    asking: &Asking,
    question: &TraceQuestion,
    appearance: Appearance,
) -> Result<String, NoPolicy> {
    let directions = match question.direction {
        Direction::Both => vec![Direction::Up, Direction::Down],
        direction => vec![direction],
    };
    let style = Style::for_output(appearance.color);
    let is_one_of_two = directions.len() > 1;
    let mut trees = Vec::new();
    for direction in directions {
        let question = TraceQuestion { direction, ..question.clone() };
        let document = asking.ask(&question).await?;
        let ends_at_start = ends_at_start(&question, &document);
        trees.push(tree(&document, recorded_tree::Look { style, direction, is_one_of_two, ends_at_start }));
    }
    Ok(trees.join("\n"))
}

fn ends_at_start(question: &TraceQuestion, document: &TraceDocument) -> bool {
    let start = document.nodes.first().and_then(|node| node.dataset.as_deref().or(node.name.as_deref()));
    let is_start = |stop: &String| start.is_some_and(|start| stop.eq_ignore_ascii_case(start));
    question.depth == Some(0) || question.stop.iter().any(is_start)
}

fn tree(document: &TraceDocument, look: recorded_tree::Look) -> String {
    let branches = Branches { nodes: &document.nodes, edges: &document.edges, runs: &document.runs };
    let rest = if document.truncated { "… goes on; a greater --limit shows more\n" } else { "" };
    recorded_tree::tree(branches, look) + rest
}
