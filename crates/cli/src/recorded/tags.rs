//! `guardbee tags`: what a dataset carries, and how it came to that.

use guardbee_questions::{MASKED, Moment, TagsQuestion};
use guardbee_wire::lineage::RunLine;
use guardbee_wire::tags::{StepLine, TagLine, TagsDocument};

use super::asking::{Asking, Tags, answer};
use crate::arguments;
use crate::exit::Outcome;
use crate::policy::source::NoPolicy;
use crate::render::moment::minute;
use crate::terminal::{Paint, Style, hanging, printable, shown_width, wrapped};

pub async fn tags(arguments: &arguments::Tags) -> anyhow::Result<Outcome> {
    match asked(arguments).await {
        Ok(outcome) => Ok(outcome),
        Err(none) => none.outcome(arguments.appearance),
    }
}

async fn asked(arguments: &arguments::Tags) -> Result<Outcome, NoPolicy> {
    let asking =
        Asking::of(Tags::AsSeen, &arguments.asked.home, &arguments.asked.viewing, arguments.appearance)
            .await?;
    let document = asking.ask(&question(arguments)).await?;
    answer(&document, arguments.format, arguments.appearance, text)?;
    Ok(if document.tags.is_empty() { Outcome::Findings } else { Outcome::Fine })
}

pub(super) fn question(arguments: &arguments::Tags) -> TagsQuestion {
    TagsQuestion {
        dataset: arguments.dataset.clone(),
        database: arguments.asked.database.clone(),
        as_of: arguments.asked.as_of.map(Moment),
    }
}

fn text(style: Style, document: &TagsDocument) -> String {
    if document.tags.is_empty() {
        return "it carries no tag\n".to_owned();
    }
    let line = |tag: &TagLine| {
        let object = style.paint(Paint::Name, &printable(&tag.object));
        let origin = printable(&origin(tag));
        let tag_text = tag_text(&tag.tag, tag.value.as_deref());
        format!("{object}  {tag_text}  {origin}\n{}", way(style, 4, &tag.path))
    };
    document.tags.iter().map(line).collect()
}

fn origin(tag: &TagLine) -> String {
    let put_on = tag.put_on.as_deref().unwrap_or(MASKED);
    match (tag.path.is_empty(), put_on == tag.object) {
        (true, true) => "its own".to_owned(),
        (true, false) if is_around(put_on, &tag.object) => format!("lies in {put_on}"),
        (true, false) => format!("was {put_on}"),
        (false, _) => format!("from {put_on}"),
    }
}

/// Names below a database begin with what they lie in.
fn is_around(put_on: &str, object: &str) -> bool {
    !put_on.contains('.') || object.strip_prefix(put_on).is_some_and(|rest| rest.starts_with('.'))
}

/// A tag as SQL writes it.
pub fn tag_text(tag: &str, value: Option<&str>) -> String {
    match value {
        None => printable(tag),
        Some(value) => format!("{} = '{}'", printable(tag), printable(value)),
    }
}

/// The steps of a way. Where a line is too narrow for one, what brought it stands on a line below.
pub fn way(style: Style, indent: usize, path: &[StepLine]) -> String {
    path.iter().map(|step| step_text(style, indent, step)).collect()
}

fn step_text(style: Style, indent: usize, step: &StepLine) -> String {
    let name = |name: &Option<String>| printable(name.as_deref().unwrap_or(MASKED));
    let names = format!("{:indent$}{} -> {}", "", name(&step.from), name(&step.to));
    let note = printable(&format!("{} {}", minute(&step.ended_at), by(step)));
    if shown_width(&names) + 2 + shown_width(&note) <= style.width {
        return format!("{names}  {}\n", style.paint(Paint::Dim, &note));
    }
    let below = indent + 4;
    let mut out = hanging(&names, style.width, below).join("\n");
    for line in wrapped(&note, style.width.saturating_sub(below)) {
        out.push_str(&format!("\n{:below$}{}", "", style.paint(Paint::Dim, &line)));
    }
    out.push('\n');
    out
}

fn by(step: &StepLine) -> String {
    match step.run.as_ref().filter(|run| !run.user.is_empty()) {
        None => step.operation.clone(),
        Some(RunLine { user, script: None, .. }) => format!("{} by {user}", step.operation),
        Some(RunLine { user, script: Some(script), .. }) => {
            format!("{} by {user}, {script}", step.operation)
        }
    }
}
