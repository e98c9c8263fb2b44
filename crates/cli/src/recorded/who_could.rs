//! `guardbee who-could`: who had a privilege on a dataset at a moment, and on all that was made of it.

use guardbee_questions::{MASKED, Moment, WhoCouldQuestion};
use guardbee_wire::tags::{CouldLine, WhoCouldDocument};

use super::asking::{Asking, Tags, answer};
use crate::arguments::WhoCould;
use crate::exit::Outcome;
use crate::policy::source::NoPolicy;
use crate::render::grid::grid;
use crate::terminal::{Paint, Style, printable};

pub async fn who_could(arguments: &WhoCould) -> anyhow::Result<Outcome> {
    match asked(arguments).await {
        Ok(outcome) => Ok(outcome),
        Err(none) => none.outcome(arguments.appearance),
    }
}

async fn asked(arguments: &WhoCould) -> Result<Outcome, NoPolicy> {
    let question = question(arguments);
    // What makes no sense is said before anything is opened.
    guardbee_questions::privilege(&question.privilege)?;
    let tags = if question.as_of.is_none() { Tags::Followed } else { Tags::AsSeen };
    let (home, viewing) = (&arguments.asked.home, &arguments.asked.viewing);
    let asking = Asking::of(tags, home, viewing, arguments.appearance).await?;
    let document = asking.ask(&question).await?;
    answer(&document, arguments.format, arguments.appearance, text)?;
    let has_any = document.objects.iter().any(|one| one.everybody || !one.who.is_empty());
    Ok(if has_any { Outcome::Fine } else { Outcome::Findings })
}

pub(super) fn question(arguments: &WhoCould) -> WhoCouldQuestion {
    WhoCouldQuestion {
        privilege: arguments.privilege.clone(),
        dataset: arguments.dataset.clone(),
        database: arguments.asked.database.clone(),
        as_of: arguments.asked.as_of.map(Moment),
    }
}

fn text(style: Style, document: &WhoCouldDocument) -> String {
    let row = |one: &CouldLine| {
        let name = printable(one.object.as_deref().unwrap_or(MASKED));
        vec![style.paint(Paint::Name, &name), one.steps.to_string(), who(one)]
    };
    let rows: Vec<Vec<String>> = document.objects.iter().map(row).collect();
    grid(style, &["what", "steps", "who could"], &rows)
}

fn who(one: &CouldLine) -> String {
    if one.object.is_none() {
        return MASKED.to_owned();
    }
    if one.everybody {
        return "everybody".to_owned();
    }
    let who: Vec<String> = one.who.iter().map(|one| printable(&one.to_string())).collect();
    if who.is_empty() { "nobody".to_owned() } else { who.join(", ") }
}
