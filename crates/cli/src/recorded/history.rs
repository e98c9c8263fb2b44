//! `guardbee history`: what happened to a dataset.

use guardbee_questions::{HistoryQuestion, Moment};
use guardbee_wire::lineage::{HistoryDocument, HistoryLine};

use super::asking::{Asking, Tags, answer};
use crate::arguments::DatasetHistory;
use crate::exit::Outcome;
use crate::policy::source::NoPolicy;
use crate::render::grid::grid;
use crate::render::moment::second;
use crate::terminal::{Paint, Style, printable};

pub async fn history(arguments: &DatasetHistory) -> anyhow::Result<Outcome> {
    match asked(arguments).await {
        Ok(outcome) => Ok(outcome),
        Err(none) => none.outcome(arguments.appearance),
    }
}

async fn asked(arguments: &DatasetHistory) -> Result<Outcome, NoPolicy> {
    let asking =
        Asking::of(Tags::AsSeen, &arguments.asked.home, &arguments.asked.viewing, arguments.appearance)
            .await?;
    let document = asking.ask(&question(arguments)).await?;
    answer(&document, arguments.format, arguments.appearance, text)?;
    Ok(Outcome::Fine)
}

pub(super) fn question(arguments: &DatasetHistory) -> HistoryQuestion {
    HistoryQuestion {
        dataset: arguments.dataset.clone(),
        database: arguments.asked.database.clone(),
        as_of: arguments.asked.as_of.map(Moment),
        limit: arguments.limit,
    }
}

fn text(style: Style, document: &HistoryDocument) -> String {
    let rows: Vec<Vec<String>> = document.events.iter().map(|line| row(style, line)).collect();
    let mut out = if rows.is_empty() {
        "nothing recorded was done to it\n".to_owned()
    } else {
        grid(style, &["version", "at", "by", "what", "partition", "script"], &rows)
    };
    if document.older > 0 {
        let before = format!("and {} before: see --limit", document.older);
        out.push_str(&format!("{}\n", style.paint(Paint::Dim, &before)));
    }
    if document.predecessor {
        out.push_str("another dataset had the name before\n");
    }
    out
}

fn row(style: Style, line: &HistoryLine) -> Vec<String> {
    let what = printable(&line.what);
    vec![
        line.version.map(|version| version.to_string()).unwrap_or_default(),
        printable(&second(line.at.as_deref().unwrap_or_default())),
        printable(line.user.as_deref().unwrap_or_default()),
        if line.current { style.paint(Paint::Good, &what) } else { what },
        printable(&line.partition),
        printable(line.script.as_deref().unwrap_or_default()),
    ]
}
