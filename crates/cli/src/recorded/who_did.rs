//! `guardbee who-did`: who read or wrote a dataset or column, and who asked to.

use guardbee_questions::{Moment, WhoDidQuestion};
use guardbee_wire::audit::{Deed, WhoDidDocument};

use super::asking::{Asking, Tags, answer};
use super::audit;
use crate::arguments::WhoDid;
use crate::exit::Outcome;
use crate::policy::source::NoPolicy;
use crate::render::grid::grid;
use crate::render::moment::second;
use crate::terminal::{Paint, Style, printable};

pub async fn who_did(arguments: &WhoDid) -> anyhow::Result<Outcome> {
    match asked(arguments).await {
        Ok(outcome) => Ok(outcome),
        Err(none) => none.outcome(arguments.appearance),
    }
}

async fn asked(arguments: &WhoDid) -> Result<Outcome, NoPolicy> {
    let asking =
        Asking::of(Tags::AsSeen, &arguments.home, &arguments.filter.viewing, arguments.appearance).await?;
    let document = asking.ask(&question(arguments)).await?;
    if document.unnoted {
        audit::say_unnoted(arguments.appearance);
    }
    answer(&document, arguments.format, arguments.appearance, text)?;
    let has_any = !document.runs.is_empty() || !document.decisions.is_empty();
    Ok(if has_any { Outcome::Fine } else { Outcome::Findings })
}

pub(super) fn question(arguments: &WhoDid) -> WhoDidQuestion {
    let filter = &arguments.filter;
    WhoDidQuestion {
        dataset: arguments.dataset.clone(),
        database: arguments.database.clone(),
        user: filter.user.clone(),
        verdict: filter.verdict.map(Into::into),
        from: filter.from.map(Moment),
        until: filter.until.map(Moment),
        limit: arguments.limit,
    }
}

fn text(style: Style, document: &WhoDidDocument) -> String {
    let mut out = runs_text(style, &document.runs);
    if !document.decisions.is_empty() {
        let heading = style.paint(Paint::Heading, "Decisions");
        out.push_str(&format!("\n{heading}\n{}", audit::table(style, &document.decisions)));
    }
    out
}

fn runs_text(style: Style, deeds: &[Deed]) -> String {
    if deeds.is_empty() {
        return "no recorded run touched it\n".to_owned();
    }
    let row = |deed: &Deed| {
        vec![
            printable(&second(&deed.ended_at)),
            printable(&deed.user),
            printable(&deed.did.join(", ")),
            printable(&deed.operation),
            printable(deed.script.as_deref().unwrap_or_default()),
        ]
    };
    let rows: Vec<Vec<String>> = deeds.iter().map(row).collect();
    let heading = style.paint(Paint::Heading, "Runs");
    format!("{heading}\n{}", grid(style, &["at", "who", "did", "operation", "script"], &rows))
}
