//! `guardbee describe`: what is known of a dataset.

use std::fmt::Write as _;

use guardbee_questions::DescribeQuestion;
use guardbee_wire::datasets::{DescribeDocument, Described, DescribedColumn, TagOn, Touch};

use super::asking::{Asking, answer};
use super::tags::tag_text;
use crate::arguments::Describe;
use crate::exit::Outcome;
use crate::policy::source::NoPolicy;
use crate::render::grid::{facts, grid};
use crate::render::moment::second;
use crate::terminal::{Paint, Style, printable};

pub async fn describe(arguments: &Describe) -> anyhow::Result<Outcome> {
    match asked(arguments).await {
        Ok(outcome) => Ok(outcome),
        Err(none) => none.outcome(arguments.appearance),
    }
}

async fn asked(arguments: &Describe) -> Result<Outcome, NoPolicy> {
    let asking = Asking::of_datasets(&arguments.home, &arguments.viewing, arguments.appearance).await?;
    let document = asking.ask(&question(arguments)).await?;
    answer(&document, arguments.format, arguments.appearance, text)?;
    Ok(Outcome::Fine)
}

pub(super) fn question(arguments: &Describe) -> DescribeQuestion {
    DescribeQuestion { dataset: arguments.dataset.clone(), database: arguments.database.clone() }
}

fn text(style: Style, document: &DescribeDocument) -> String {
    let described = &document.described;
    let mut out = head(style, described);
    if !described.columns.is_empty() {
        let row = |column: &DescribedColumn| {
            let partition = if column.partition { "partition" } else { "" };
            vec![
                printable(&column.name),
                printable(column.data_type.as_deref().unwrap_or_default()),
                partition.to_owned(),
                tags_text(&column.tags),
                printable(column.comment.as_deref().unwrap_or_default()),
            ]
        };
        let rows: Vec<Vec<String>> = described.columns.iter().map(row).collect();
        let _ = write!(out, "\n{}", grid(style, &["column", "type", "", "tags", "comment"], &rows));
    }
    out
}

fn head(style: Style, described: &Described) -> String {
    let name = style.paint(Paint::Name, &printable(&described.name));
    let mut kind = described.kind.replace('_', " ");
    if described.closed {
        kind.push_str(", which is no more");
    } else if !described.in_catalog && &*described.kind != "path" {
        kind.push_str(", known from runs alone");
    }
    let counts = &described.counts;
    let lines = [
        ("comment", described.comment.as_deref().map(printable)),
        ("owner", described.owner.as_deref().map(printable)),
        ("location", described.location.as_deref().map(printable)),
        ("tags", Some(tags_text(&described.tags)).filter(|tags| !tags.is_empty())),
        ("last written", described.last_write.as_ref().map(touch_text)),
        ("last read", described.last_read.as_ref().map(touch_text)),
        (
            "counts",
            Some(format!("{} versions, {} writes, {} reads", counts.versions, counts.writes, counts.reads)),
        ),
    ];
    let mut out = format!("{name}  {}\n", printable(&kind));
    out.push_str(&facts(style, lines));
    out
}

fn touch_text(touch: &Touch) -> String {
    let by = touch.user.as_deref().map(|user| format!(" by {user}")).unwrap_or_default();
    printable(&format!("{} {}{by}", second(&touch.at), touch.operation))
}

fn tags_text(tags: &[TagOn]) -> String {
    let text = |tag: &TagOn| {
        let origin = match &*tag.by {
            "around" => " (around it)",
            "data" => " (with data)",
            _ => "",
        };
        tag_text(&tag.tag, tag.value.as_deref()) + origin
    };
    tags.iter().map(text).collect::<Vec<_>>().join(", ")
}
