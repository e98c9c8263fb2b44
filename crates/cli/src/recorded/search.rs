//! `guardbee search`: datasets by what is known of them.

use guardbee_questions::DatasetsQuestion;
use guardbee_wire::datasets::{DatasetsDocument, FoundDataset, FoundIn};

use super::asking::{Asking, answer};
use crate::arguments::Search;
use crate::exit::Outcome;
use crate::policy::source::NoPolicy;
use crate::render::grid::{goes_on, grid};
use crate::terminal::{Paint, Style, printable};

/// Of a comment that a word is found in, so much is shown.
const COMMENT_LETTERS: usize = 60;

pub async fn search(arguments: &Search) -> anyhow::Result<Outcome> {
    match asked(arguments).await {
        Ok(outcome) => Ok(outcome),
        Err(none) => none.outcome(arguments.appearance),
    }
}

async fn asked(arguments: &Search) -> Result<Outcome, NoPolicy> {
    let asking = Asking::of_datasets(&arguments.home, &arguments.viewing, arguments.appearance).await?;
    let document = asking.ask(&question(arguments)).await?;
    answer(&document, arguments.format, arguments.appearance, text)?;
    Ok(if document.datasets.is_empty() { Outcome::Findings } else { Outcome::Fine })
}

pub(super) fn question(arguments: &Search) -> DatasetsQuestion {
    DatasetsQuestion {
        q: arguments.words.join(" "),
        limit: arguments.page.limit,
        cursor: arguments.page.cursor.clone(),
    }
}

fn text(style: Style, document: &DatasetsDocument) -> String {
    if document.datasets.is_empty() {
        return "nothing is found\n".to_owned();
    }
    let row = |found: &FoundDataset| {
        let found_in: Vec<String> = found.found_in.iter().map(found_text).collect();
        vec![
            style.paint(Paint::Name, &printable(&found.name)),
            printable(&found.kind.replace('_', " ")),
            printable(found.owner.as_deref().unwrap_or_default()),
            found_in.join(", "),
        ]
    };
    let rows: Vec<Vec<String>> = document.datasets.iter().map(row).collect();
    let mut out = grid(style, &["dataset", "kind", "owner", "found in"], &rows);
    out.push_str(&goes_on(style, document.next.as_deref()));
    out
}

fn found_text(found: &FoundIn) -> String {
    match &*found.field {
        "name" => "name".to_owned(),
        field => {
            let mut letters = found.text.chars();
            let shown: String = letters.by_ref().take(COMMENT_LETTERS).collect();
            let rest = if letters.next().is_some() { "…" } else { "" };
            printable(&format!("{field} {shown}{rest}"))
        }
    }
}
