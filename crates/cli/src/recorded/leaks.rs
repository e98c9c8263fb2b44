//! `guardbee leaks`: who may read what was made of something that they may not read.

use guardbee_engine::Viewer;
use guardbee_engine::clock::{Clock, SystemClock};
use guardbee_engine::store::At;
use guardbee_engine::tags::{Leak, leaks as found_leaks};
use guardbee_lineage::{AsOf, Run, RunKey};
use std::collections::HashMap;

use super::ground::TagGround;
use super::store::Opened;
use super::tags::{runs_of, tag_text, way};
use super::viewing::{self, MASKED};
use crate::arguments::{AnswerFormat, Leaks};
use crate::exit::Outcome;
use crate::output::print;
use crate::policy::source::{self, NoPolicy};
use crate::terminal::{Paint, Style, printable};
use crate::wire;
use crate::wire::tags::LeaksDocument;

/// More of those who may read are counted, not named.
const MOST_NAMES: usize = 5;

pub async fn leaks(arguments: &Leaks) -> anyhow::Result<Outcome> {
    match asked(arguments).await {
        Ok(outcome) => Ok(outcome),
        Err(none) => none.outcome(arguments.appearance),
    }
}

async fn asked(arguments: &Leaks) -> Result<Outcome, NoPolicy> {
    let opened = Opened::open(arguments.store.store.as_deref()).await?;
    let mut policy = source::from_store(&*opened.storage, At::Latest).await?.policy;
    let viewer = viewing::viewer(&policy, &arguments.viewing)?;
    let ground = TagGround::over(opened.graph(), &*opened.storage, &policy).await?;
    ground.inherit(&mut policy, AsOf::Now);
    let leaks = found_leaks(&policy, &ground.graph, &ground.calls, SystemClock.now());
    let shown = leaks.get(..arguments.limit.min(leaks.len())).unwrap_or_default();
    let runs = runs_of(&*opened.storage, shown.iter().flat_map(|leak| &leak.path), &viewer).await?;
    let text = match arguments.format {
        AnswerFormat::Json => {
            let document = LeaksDocument::of(leaks.len(), shown, &runs, &viewer);
            wire::pretty(&document).map_err(anyhow::Error::new)? + "\n"
        }
        AnswerFormat::Table => {
            let style = Style::for_output(arguments.appearance.color);
            text(style, leaks.len(), shown, &runs, &viewer)
        }
    };
    print(&text)?;
    Ok(if leaks.is_empty() { Outcome::Fine } else { Outcome::Findings })
}

fn text(style: Style, count: usize, shown: &[Leak], runs: &HashMap<RunKey, Run>, viewer: &Viewer) -> String {
    let mut out = String::new();
    for leak in shown {
        let (source, derived) = (viewer.name(&leak.source), viewer.name(&leak.derived));
        let who = if derived.is_some() { who(leak) } else { MASKED.to_owned() };
        let derived = style.paint(Paint::Name, &printable(derived.as_deref().unwrap_or(MASKED)));
        let tags: Vec<String> = leak
            .tags
            .iter()
            .filter(|_| source.is_some())
            .map(|(tag, value)| tag_text(tag, value.as_deref()))
            .collect();
        let tags = if tags.is_empty() { String::new() } else { format!(" ({})", tags.join(", ")) };
        let source = printable(source.as_deref().unwrap_or(MASKED));
        out.push_str(&format!("{derived}  readable by {who}\n"));
        out.push_str(&format!("  who may not read {source}{tags}\n"));
        out.push_str(&way(style, 4, &leak.path, runs, viewer));
    }
    out.push_str(&match count {
        0 => "no leaks\n".to_owned(),
        1 => "\n1 leak\n".to_owned(),
        count if count > shown.len() => format!("\n{count} leaks, the {} worst of them shown\n", shown.len()),
        count => format!("\n{count} leaks\n"),
    });
    out
}

fn who(leak: &Leak) -> String {
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
