//! Guardbee's own policy.

use std::hint::black_box;
use std::time::Instant;

use guardbee_bench::figures::{Figures, add_percentiles, resident_bytes, shortest_times};
use guardbee_policy::{Change, EntryId, Policy, Subject, Timestamp, decide};
use guardbee_testkit::policy_load::{PolicyLoad, Question};

use crate::instructions;

const QUESTIONS: usize = 100_000;
const CHANGES: usize = 1_000;
const NOW: Timestamp = Timestamp(1_800_000_000_000);

pub fn measure(load: PolicyLoad) -> anyhow::Result<Figures> {
    let mut figures = Figures::new();
    let before = resident_bytes();
    let started = Instant::now();
    let policy = Policy::from_changes(load.changes()).map_err(|error| anyhow::anyhow!("{error}"))?;
    figures.insert("load".to_owned(), (started.elapsed().as_secs_f64(), "s"));
    figures.insert("memory".to_owned(), ((resident_bytes() - before) / 1e6, "MB"));

    let questions: Vec<Question> = load.questions(QUESTIONS).collect();
    let times = shortest_times(&questions, |question| {
        black_box(policy.subject(black_box(&question.identity)));
    });
    add_percentiles(&mut figures, "subject", &times);

    let asked: Vec<(Subject, Question)> =
        questions.into_iter().map(|question| (policy.subject(&question.identity), question)).collect();
    let times = shortest_times(&asked, |(subject, question)| {
        let requirements = std::slice::from_ref(&question.requirement);
        black_box(decide(&policy, black_box(subject), black_box(requirements), NOW));
    });
    add_percentiles(&mut figures, "decide", &times);
    figures.insert("allowed".to_owned(), (allowed_percent(&policy, &asked), "%"));
    figures.insert("change".to_owned(), (change_milliseconds(&policy, load)?, "ms"));
    match instructions::count(load.entries)? {
        Some(count) => drop(figures.insert("decide/instructions".to_owned(), (count, "instructions"))),
        None => eprintln!(
            "instructions are not counted, valgrind is not installed (Debian: apt-get install valgrind)"
        ),
    }
    Ok(figures)
}

fn allowed_percent(policy: &Policy, asked: &[(Subject, Question)]) -> f64 {
    let is_allowed = |(subject, question): &&(Subject, Question)| {
        decide(policy, subject, std::slice::from_ref(&question.requirement), NOW).is_allowed()
    };
    100.0 * asked.iter().filter(is_allowed).count() as f64 / asked.len() as f64
}

/// The 99th percentile of one change to a policy that others still hold.
fn change_milliseconds(policy: &Policy, load: PolicyLoad) -> anyhow::Result<f64> {
    let mut times = Vec::with_capacity(CHANGES);
    let mut current = policy.clone();
    for place in 0..CHANGES {
        let mut entry = load.entry(load.entries + place);
        entry.id = EntryId((load.entries + place) as u64 + 1);
        let started = Instant::now();
        let mut next = current.clone();
        next.apply(Change::PutEntry(entry)).map_err(|error| anyhow::anyhow!("{error}"))?;
        times.push(started.elapsed());
        // The one before lives on, as a session that holds it would make it.
        black_box(std::mem::replace(&mut current, next));
    }
    times.sort_unstable();
    Ok(times.get(CHANGES * 99 / 100).map_or(f64::NAN, |time| time.as_secs_f64() * 1e3))
}
