//! `guardbee trace --store`: where a dataset comes from, or what is made of it, in recorded runs.

use guardbee_engine::store::At;
use guardbee_lineage::export::{csv, dot, graphml, mermaid};
use guardbee_lineage::{
    AsOf, DatasetId, Direction, EdgeFilter, Graph, Level, Limit, Node, Question, Temporaries, Trace, Window,
};
use guardbee_model::Timestamp;

use super::dataset::Names;
use super::excerpt::{self, Runs};
use super::store::{self, Opened};
use super::viewing;
use super::{openlineage, prov};
use crate::arguments::{self, Edges, TraceFormat, TraceLevel};
use crate::exit::Outcome;
use crate::output::{print, say_error, say_warning};
use crate::policy::source::{self, NoPolicy};
use crate::render::recorded_tree;
use crate::terminal::Style;
use crate::wire;
use crate::wire::lineage::TraceDocument;

pub async fn trace(arguments: &arguments::Trace) -> anyhow::Result<Outcome> {
    match traced(arguments).await {
        Ok(outcome) => Ok(outcome),
        Err(none) => none.outcome(arguments.appearance),
    }
}

async fn traced(arguments: &arguments::Trace) -> Result<Outcome, NoPolicy> {
    let errors = Style::for_errors(arguments.appearance.color);
    if store::named(arguments.store.store.as_deref()).is_err() {
        let message = "over what? `--store FILE|URL` names a store of recorded runs (or GUARDBEE_STORE in the \
                       environment), `--files DIR` a folder of scripts";
        return Err(NoPolicy::WrongUse(message.to_owned()));
    }
    let opened = Opened::open(arguments.store.store.as_deref()).await?;
    let policy = source::from_store(&*opened.storage, At::Latest).await?.policy;
    let graph = opened.graph();
    let at = arguments.recorded.as_of.map_or(AsOf::Now, AsOf::At);
    let names = Names {
        graph: &graph,
        at,
        database: &arguments.reading.database,
        file_system: &policy.settings().default_file_system,
    };
    let viewer = viewing::viewer(&policy, &arguments.recorded.viewing)?;
    let Some(start) = viewing::find(&viewer, &names, &arguments.dataset, errors) else {
        return Ok(Outcome::Findings);
    };
    let mut stop = Vec::new();
    for text in &arguments.recorded.stop {
        match names.find(text) {
            Some(node) => stop.push(node.dataset),
            None => {
                say_error(
                    errors,
                    &format!("no table, view or path `{text}` to stop at in the recorded runs"),
                );
                return Ok(Outcome::WrongUse);
            }
        }
    }
    let sees = viewer.visibility(&graph, at);
    let mut truncated = false;
    let mut answers = Vec::new();
    for direction in directions(arguments) {
        let trace =
            graph.trace(&Question { visible: &sees, ..question(arguments, start, direction, stop.clone()) });
        truncated |= trace.truncated.is_some();
        answers.push((direction, trace));
    }
    let wanted = answers.iter().flat_map(|(_, trace)| excerpt::runs_of(trace));
    let runs = Runs::fetch(&*opened.storage, &graph, wanted).await?.seen_by(&viewer);
    let shown = Shown { graph: &graph, at, answers: &answers, runs: &runs };
    print(&shown.text(arguments)?)?;
    if truncated && !matches!(arguments.format, TraceFormat::Tree | TraceFormat::Json) {
        say_warning(errors, "there is more than the limit lets through: see --limit");
    }
    Ok(Outcome::Fine)
}

/// Forms that have no place for two answers get one for both directions.
fn directions(arguments: &arguments::Trace) -> Vec<Direction> {
    match (arguments.up, arguments.down, arguments.format) {
        (true, true, TraceFormat::Tree) => vec![Direction::Up, Direction::Down],
        (true, true, _) => vec![Direction::Both],
        (false, true, _) => vec![Direction::Down],
        (_, false, _) => vec![Direction::Up],
    }
}

fn question(
    arguments: &arguments::Trace,
    start: Node,
    direction: Direction,
    stop: Vec<DatasetId>,
) -> Question<'static> {
    let recorded = &arguments.recorded;
    let level = match (recorded.level, start.column) {
        (Some(TraceLevel::Table), _) | (None, None) => Level::Dataset,
        (Some(TraceLevel::Column), _) | (None, Some(_)) => Level::Column,
        (Some(TraceLevel::Run), _) => Level::Run,
    };
    let window = (recorded.from.is_some() || recorded.until.is_some()).then(|| Window {
        from: recorded.from.unwrap_or(Timestamp(i64::MIN)),
        until: recorded.until.unwrap_or(Timestamp(i64::MAX)),
    });
    Question {
        start: vec![if level == Level::Column { start } else { Node::dataset(start.dataset) }],
        direction,
        level,
        depth: arguments.depth,
        edges: match arguments.edges {
            Edges::Direct => EdgeFilter::Direct,
            Edges::All => EdgeFilter::All,
        },
        as_of: recorded.as_of.map_or(AsOf::Now, AsOf::At),
        window,
        stop,
        limit: Limit { nodes: recorded.limit, edges: recorded.limit.saturating_mul(10) },
        temporaries: if recorded.temporary { Temporaries::Show } else { Temporaries::Collapse },
        ..Question::default()
    }
}

struct Shown<'s> {
    graph: &'s Graph,
    at: AsOf,
    answers: &'s [(Direction, Trace)],
    runs: &'s Runs,
}

impl Shown<'_> {
    fn text(&self, arguments: &arguments::Trace) -> anyhow::Result<String> {
        if arguments.format == TraceFormat::Tree {
            return Ok(self.trees(arguments));
        }
        let Some((direction, trace)) = self.answers.first() else { return Ok(String::new()) };
        let excerpt = excerpt::excerpt(self.graph, trace, self.at, self.runs);
        Ok(match arguments.format {
            TraceFormat::Tree | TraceFormat::Json => {
                let document = TraceDocument::of(
                    &excerpt,
                    trace,
                    *direction,
                    arguments.recorded.as_of,
                    &arguments.dataset,
                );
                wire::pretty(&document)? + "\n"
            }
            TraceFormat::Dot => dot(&excerpt),
            TraceFormat::Mermaid => mermaid(&excerpt),
            TraceFormat::Csv => csv(&excerpt),
            TraceFormat::Graphml => graphml(&excerpt),
            TraceFormat::Openlineage => openlineage::events(&excerpt),
            TraceFormat::Prov => wire::pretty(&prov::document(&excerpt))? + "\n",
        })
    }

    fn trees(&self, arguments: &arguments::Trace) -> String {
        let style = Style::for_output(arguments.appearance.color);
        let is_one_of_two = self.answers.len() > 1;
        let trees = self.answers.iter().map(|(direction, trace)| {
            let excerpt = excerpt::excerpt(self.graph, trace, self.at, self.runs);
            let look = recorded_tree::Look { style, direction: *direction, is_one_of_two };
            recorded_tree::tree(&excerpt, trace.truncated.is_some(), look)
        });
        trees.collect::<Vec<_>>().join("\n")
    }
}
