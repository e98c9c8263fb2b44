//! `guardbee leaks`: who may read what was made of something that they may not read.

use guardbee_questions::{LeaksQuestion, MASKED};
use guardbee_wire::tags::{LeakLine, LeaksDocument};

use super::asking::{Asking, Tags, answer};
use super::tags::{tag_text, way};
use crate::arguments::Leaks;
use crate::exit::Outcome;
use crate::policy::source::NoPolicy;
use crate::terminal::{Paint, Style, printable};

/// More of those who may read are counted, not named.
const MOST_NAMES: usize = 5;

pub async fn leaks(arguments: &Leaks) -> anyhow::Result<Outcome> {
    match asked(arguments).await {
        Ok(outcome) => Ok(outcome),
        Err(none) => none.outcome(arguments.appearance),
    }
}

async fn asked(arguments: &Leaks) -> Result<Outcome, NoPolicy> {
    let asking =
        Asking::of(Tags::Followed, &arguments.home, &arguments.viewing, arguments.appearance).await?;
    let question = LeaksQuestion { limit: arguments.limit };
    let document = asking.ask(&question).await?;
    answer(&document, arguments.format, arguments.appearance, text)?;
    Ok(if document.count == 0 { Outcome::Fine } else { Outcome::Findings })
}

fn text(style: Style, document: &LeaksDocument) -> String {
    let mut out: String = document.leaks.iter().map(|leak| leak_text(style, leak)).collect();
    out.push_str(&match document.count {
        0 => "no leaks\n".to_owned(),
        1 => "\n1 leak\n".to_owned(),
        count if count > document.leaks.len() => {
            format!("\n{count} leaks, the {} worst of them shown\n", document.leaks.len())
        }
        count => format!("\n{count} leaks\n"),
    });
    out
}

fn leak_text(style: Style, leak: &LeakLine) -> String {
    let name = |name: &Option<String>| printable(name.as_deref().unwrap_or(MASKED));
    let derived = style.paint(Paint::Name, &name(&leak.derived));
    let tags: Vec<String> = leak.tags.iter().map(|tag| tag_text(&tag.tag, tag.value.as_deref())).collect();
    let tags = if tags.is_empty() { String::new() } else { format!(" ({})", tags.join(", ")) };
    format!(
        "{derived}  readable by {}\n  who may not read {}{tags}\n{}",
        who(leak),
        name(&leak.source),
        way(style, 4, &leak.path)
    )
}

fn who(leak: &LeakLine) -> String {
    if leak.derived.is_none() {
        return MASKED.to_owned();
    }
    if leak.everybody {
        return "everybody".to_owned();
    }
    let mut names: Vec<String> =
        leak.who.iter().take(MOST_NAMES).map(|one| printable(&one.to_string())).collect();
    if leak.who.len() > MOST_NAMES {
        names.push(format!("{} more", leak.who.len() - MOST_NAMES));
    }
    names.join(", ")
}
