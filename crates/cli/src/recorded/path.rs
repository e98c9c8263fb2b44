//! `guardbee path`: how data comes from one place to another.

use guardbee_questions::{Direction, Moment, PathQuestion};
use guardbee_wire::lineage::{PathDocument, WayLine};

use super::asking::{Asking, Tags, answer};
use crate::arguments::PathBetween;
use crate::exit::Outcome;
use crate::policy::source::NoPolicy;
use crate::render::recorded_tree::{self, Branches};
use crate::terminal::{Style, printable};

pub async fn path(arguments: &PathBetween) -> anyhow::Result<Outcome> {
    match asked(arguments).await {
        Ok(outcome) => Ok(outcome),
        Err(none) => none.outcome(arguments.appearance),
    }
}

async fn asked(arguments: &PathBetween) -> Result<Outcome, NoPolicy> {
    let asking =
        Asking::of(Tags::AsSeen, &arguments.asked.home, &arguments.asked.viewing, arguments.appearance)
            .await?;
    let document = asking.ask(&question(arguments)).await?;
    answer(&document, arguments.format, arguments.appearance, text)?;
    Ok(if document.shortest.is_some() { Outcome::Fine } else { Outcome::Findings })
}

pub(super) fn question(arguments: &PathBetween) -> PathQuestion {
    PathQuestion {
        from: arguments.from.clone(),
        to: arguments.to.clone(),
        database: arguments.asked.database.clone(),
        as_of: arguments.asked.as_of.map(Moment),
        edges: arguments.edges.into(),
    }
}

fn text(style: Style, document: &PathDocument) -> String {
    let (Some(shortest), Some(all)) = (&document.shortest, &document.all) else {
        let (from, to) = (printable(&document.from), printable(&document.to));
        return format!("nothing recorded leads from {from} to {to}\n");
    };
    // From where data comes from downwards.
    let look =
        recorded_tree::Look { style, direction: Direction::Down, is_one_of_two: false, ends_at_start: false };
    let branches = Branches { nodes: &shortest.nodes, edges: &shortest.edges, runs: &document.runs };
    recorded_tree::tree(branches, look) + &others(shortest, all)
}

fn others(shortest: &WayLine, all: &WayLine) -> String {
    let between = |way: &WayLine| way.nodes.len().saturating_sub(2);
    match between(all).saturating_sub(between(shortest)) {
        0 => String::new(),
        1 => "other ways lead over 1 more node: see --format json\n".to_owned(),
        count => format!("other ways lead over {count} more nodes: see --format json\n"),
    }
}
