//! `guardbee path`: how data comes from one place to another.

use guardbee_engine::store::At;
use guardbee_lineage::export::Excerpt;
use guardbee_lineage::{AsOf, Direction, EdgeFilter, Filter, Trace};

use super::dataset::Names;
use super::excerpt::{self, Runs};
use super::store::Opened;
use super::viewing;
use crate::arguments::{AnswerFormat, Edges, PathBetween};
use crate::exit::Outcome;
use crate::output::print;
use crate::policy::source::{self, NoPolicy};
use crate::render::recorded_tree;
use crate::terminal::{Style, printable};
use crate::wire;
use crate::wire::lineage::{PathDocument, Shown};

pub async fn path(arguments: &PathBetween) -> anyhow::Result<Outcome> {
    match asked(arguments).await {
        Ok(outcome) => Ok(outcome),
        Err(none) => none.outcome(arguments.appearance),
    }
}

async fn asked(arguments: &PathBetween) -> Result<Outcome, NoPolicy> {
    let errors = Style::for_errors(arguments.appearance.color);
    let opened = Opened::open(arguments.asked.store.store.as_deref()).await?;
    let policy = source::from_store(&*opened.storage, At::Latest).await?.policy;
    let graph = opened.graph();
    let at = arguments.asked.as_of.map_or(AsOf::Now, AsOf::At);
    let names = Names {
        graph: &graph,
        at,
        database: &arguments.asked.database,
        file_system: &policy.settings().default_file_system,
    };
    let viewer = viewing::viewer(&policy, &arguments.asked.viewing)?;
    let sees = viewer.visibility(&graph, at);
    let mut ends = Vec::new();
    for text in [&arguments.from, &arguments.to] {
        match viewing::find(&viewer, &names, text, errors) {
            Some(node) => ends.push(node),
            None => return Ok(Outcome::Findings),
        }
    }
    let [from, to] = ends.as_slice() else { return Ok(Outcome::Findings) };
    let edges = match arguments.edges {
        Edges::Direct => EdgeFilter::Direct,
        Edges::All => EdgeFilter::All,
    };
    let filter = Filter { edges, as_of: at, visible: &sees, ..Filter::default() };
    let shortest = graph.shortest_path(from, to, &filter);
    let summary = graph.paths_summary(from, to, &filter);
    let Some((shortest, summary)) = shortest.zip(summary) else {
        match arguments.format {
            AnswerFormat::Table => {
                let (from, to) = (printable(&arguments.from), printable(&arguments.to));
                print(&format!("nothing recorded leads from {from} to {to}\n"))?;
            }
            AnswerFormat::Json => {
                let document = PathDocument::none(&arguments.from, &arguments.to);
                print(&(wire::pretty(&document).map_err(anyhow::Error::new)? + "\n"))?;
            }
        }
        return Ok(Outcome::Findings);
    };
    let wanted = excerpt::runs_of(&shortest).chain(excerpt::runs_of(&summary.ways));
    let runs = Runs::fetch(&*opened.storage, &graph, wanted).await?.seen_by(&viewer);
    let text = match arguments.format {
        AnswerFormat::Json => {
            let shown = |trace| Shown { excerpt: excerpt::excerpt(&graph, trace, at, &runs), trace };
            let (shortest, ways) = (shown(&shortest), shown(&summary.ways));
            let document = PathDocument::of(&arguments.from, &arguments.to, &shortest, &ways);
            wire::pretty(&document).map_err(anyhow::Error::new)? + "\n"
        }
        AnswerFormat::Table => {
            let style = Style::for_output(arguments.appearance.color);
            let shown = excerpt::excerpt(&graph, &shortest, at, &runs);
            way(style, &shown) + &others(&shortest, &summary.ways)
        }
    };
    print(&text)?;
    Ok(Outcome::Fine)
}

/// The shortest way, from where data comes from downwards.
fn way(style: Style, excerpt: &Excerpt<'_>) -> String {
    let look = recorded_tree::Look { style, direction: Direction::Down, is_one_of_two: false };
    recorded_tree::tree(excerpt, false, look)
}

fn others(shortest: &Trace, ways: &Trace) -> String {
    let between = |trace: &Trace| trace.nodes.len().saturating_sub(2);
    match between(ways).saturating_sub(between(shortest)) {
        0 => String::new(),
        1 => "other ways lead over 1 more node: see --format json\n".to_owned(),
        count => format!("other ways lead over {count} more nodes: see --format json\n"),
    }
}
