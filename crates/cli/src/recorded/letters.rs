//! `guardbee import letters` and `replay`: what could not be recorded, and another try at it.

use std::collections::HashSet;

use anyhow::Context as _;
use guardbee_engine::run_store::{Appended, BuriedLetter, LetterBounds, LetterId, LetterUse};
use guardbee_engine::store::At;
use guardbee_lineage::utc;
use guardbee_model::Timestamp;

use super::logged::{Defaults, LoggedRuns};
use super::query_log::json_line;
use super::store::{self, Opened};
use crate::arguments::{AnswerFormat, Discard, Letters, LogForm, Replay};
use crate::exit::Outcome;
use crate::output::{print, say};
use crate::policy::source::{self, NoPolicy};
use crate::render::grid::grid;
use crate::terminal::{Style, printable};
use crate::wire;
use crate::wire::recording::LettersDocument;

/// So many letters are read at once.
const PAGE: u32 = 500;

pub async fn list(arguments: &Letters) -> anyhow::Result<Outcome> {
    match listed(arguments).await {
        Ok(outcome) => Ok(outcome),
        Err(none) => none.outcome(arguments.appearance),
    }
}

async fn listed(arguments: &Letters) -> Result<Outcome, NoPolicy> {
    let storage = source::open(&store::named(arguments.store.store.as_deref())?).await?;
    let letters = storage.dead_letters(LetterId(0), arguments.limit).await;
    let letters = letters.context("cannot read the dead letters")?;
    let used = storage.letter_use().await.context("cannot read the dead letters")?;
    let text = match arguments.format {
        AnswerFormat::Json => {
            wire::pretty(&LettersDocument::of(&letters, used)).map_err(anyhow::Error::new)? + "\n"
        }
        AnswerFormat::Table if letters.is_empty() => "there are no dead letters\n".to_owned(),
        AnswerFormat::Table => {
            let rows: Vec<Vec<String>> = letters.iter().map(row).collect();
            let style = Style::for_output(arguments.appearance.color);
            grid(style, &["id", "at", "times", "from", "reason"], &rows) + &use_text(used)
        }
    };
    print(&text)?;
    Ok(Outcome::Fine)
}

/// How much of the bound is taken up.
fn use_text(used: LetterUse) -> String {
    let bounds = LetterBounds::default();
    let letters = if used.count == 1 { "letter" } else { "letters" };
    format!(
        "\n{} {letters} of {} that are kept, {} KiB of {}\n",
        used.count,
        bounds.count,
        used.bytes.div_ceil(1 << 10),
        bounds.bytes >> 10
    )
}

pub async fn discard(arguments: &Discard) -> anyhow::Result<Outcome> {
    match discarded(arguments).await {
        Ok(outcome) => Ok(outcome),
        Err(none) => none.outcome(arguments.appearance),
    }
}

async fn discarded(arguments: &Discard) -> Result<Outcome, NoPolicy> {
    let storage = source::open(&store::named(arguments.store.store.as_deref())?).await?;
    let remove =
        async |ids: &[LetterId]| storage.remove_letters(ids).await.context("cannot remove the dead letters");
    if !arguments.all {
        let ids: Vec<LetterId> = arguments.ids.iter().copied().map(LetterId).collect();
        let removed = remove(&ids).await?;
        print(&format!("{removed} discarded\n"))?;
        let is_whole = removed == ids.iter().collect::<HashSet<_>>().len() as u64;
        return Ok(if is_whole { Outcome::Fine } else { Outcome::Findings });
    }
    let mut removed = 0;
    loop {
        let page = storage.dead_letters(LetterId(0), PAGE).await.context("cannot read the dead letters")?;
        let ids: Vec<LetterId> = page.iter().map(|letter| letter.id).collect();
        if ids.is_empty() {
            break;
        }
        removed += remove(&ids).await?;
    }
    print(&format!("{removed} discarded\n"))?;
    Ok(Outcome::Fine)
}

fn row(letter: &BuriedLetter) -> Vec<String> {
    vec![
        letter.id.0.to_string(),
        utc::text(letter.letter.received_at),
        letter.times.to_string(),
        printable(&letter.letter.source),
        printable(&letter.letter.reason),
    ]
}

pub async fn replay(arguments: &Replay) -> anyhow::Result<Outcome> {
    match replayed(arguments).await {
        Ok(outcome) => Ok(outcome),
        Err(none) => none.outcome(arguments.appearance),
    }
}

async fn replayed(arguments: &Replay) -> Result<Outcome, NoPolicy> {
    let opened = Opened::open(arguments.store.store.as_deref()).await?;
    let policy = source::from_store(&*opened.storage, At::Latest).await?.policy;
    let defaults = Defaults { user: None, file_system: policy.settings().default_file_system.clone() };
    let mut runs = LoggedRuns::new(&opened, &arguments.reading, defaults).await?;
    runs.start_file("", LogForm::Jsonl, Timestamp::default());
    let mut counts = Counts::default();
    if arguments.ids.is_empty() {
        let mut after = LetterId(0);
        loop {
            let page =
                opened.storage.dead_letters(after, PAGE).await.context("cannot read the dead letters")?;
            let Some(last) = page.last() else { break };
            after = last.id;
            replay_each(&opened, &mut runs, page, &mut counts).await?;
        }
    } else {
        let named = named_letters(&opened, &arguments.ids).await?;
        replay_each(&opened, &mut runs, named, &mut counts).await?;
    }
    let Counts { recorded, left } = counts;
    print(&format!("{recorded} recorded, {left} left\n"))?;
    Ok(if left > 0 { Outcome::Findings } else { Outcome::Fine })
}

#[derive(Default)]
struct Counts {
    recorded: u64,
    left: u64,
}

async fn replay_each(
    opened: &Opened,
    runs: &mut LoggedRuns,
    letters: Vec<BuriedLetter>,
    counts: &mut Counts,
) -> anyhow::Result<()> {
    for letter in letters {
        match revived(opened, runs, &letter).await? {
            None => counts.recorded += 1,
            Some(reason) => {
                counts.left += 1;
                say(&printable(&format!("letter {}: {reason}", letter.id.0)));
            }
        }
    }
    Ok(())
}

/// All of them, before any is tried again: an id that is mistyped has nothing done.
async fn named_letters(opened: &Opened, ids: &[u64]) -> anyhow::Result<Vec<BuriedLetter>> {
    let mut letters = Vec::new();
    for id in ids {
        let letter =
            opened.storage.dead_letter(LetterId(*id)).await.context("cannot read the dead letters")?;
        letters.push(letter.with_context(|| format!("there is no dead letter {id}"))?);
    }
    Ok(letters)
}

/// Why the letter stays, if it does.
async fn revived(
    opened: &Opened,
    runs: &mut LoggedRuns,
    letter: &BuriedLetter,
) -> anyhow::Result<Option<String>> {
    let Ok(text) = std::str::from_utf8(&letter.letter.payload) else {
        return Ok(Some("it is not UTF-8".to_owned()));
    };
    let run = match json_line(0, text).and_then(|statement| runs.run_of(&statement)) {
        Ok(run) => run,
        Err(reason) => return Ok(Some(reason)),
    };
    let runs: Vec<guardbee_lineage::Run> = run.into_iter().collect();
    let appended = opened.storage.revive(letter.id, &runs).await.context("cannot record the run")?;
    let refused = appended.into_iter().flatten().find_map(|appended| match appended {
        Appended::Refused(reason) => Some(reason.to_string()),
        Appended::New(_) | Appended::Known(_) => None,
    });
    Ok(refused)
}
