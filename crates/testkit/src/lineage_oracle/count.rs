//! Many random histories to the lineage crate and the oracle, and what kinds of answers there were.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

use guardbee_lineage::{Direction, Level, Temporaries};

use super::World;
use super::answer::Answer;
use super::compare::{Asking, Case, Feed, compare_states, compare_traces, fed};
use super::others::{compare_impacts, compare_paths};
use super::pairing::Pairing;
use super::question::{Asked, asked};
use super::random::HistoryMaker;
use crate::compare::Difference;
use crate::generate::Random;

const QUESTIONS: usize = 12;
const OTHER_QUESTIONS: usize = 3;

/// How much was compared.
#[derive(Debug, Clone, Copy, Default)]
pub struct Counts {
    pub histories: u64,
    pub runs: u64,
    pub datasets: u64,
    pub questions: u64,
    /// Questions that came to something besides their start.
    pub answered: u64,
    pub nodes: u64,
    pub edges: u64,
    pub renamed: u64,
    pub followed: u64,
    pub collapsed: u64,
    pub of_runs: u64,
    pub both_ways: u64,
    pub dependents: u64,
    pub paths: u64,
    pub longest_path: u64,
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = [
            ("histories", self.histories),
            ("runs", self.runs),
            ("datasets", self.datasets),
            ("datasets with several names", self.renamed),
            ("datasets with a predecessor", self.followed),
            ("questions", self.questions),
            ("questions with an answer", self.answered),
            ("of them on runs", self.of_runs),
            ("of them both ways", self.both_ways),
            ("of them past temporary tables", self.collapsed),
            ("nodes in answers", self.nodes),
            ("edges in answers", self.edges),
            ("things that depend on others", self.dependents),
            ("ways from one thing to another", self.paths),
            ("steps of the longest of the shortest", self.longest_path),
        ];
        lines.iter().try_for_each(|(what, count)| writeln!(f, "{count:>10} {what}"))
    }
}

impl Counts {
    fn add(&mut self, other: &Self) {
        self.histories += other.histories;
        self.runs += other.runs;
        self.datasets += other.datasets;
        self.questions += other.questions;
        self.answered += other.answered;
        self.nodes += other.nodes;
        self.edges += other.edges;
        self.renamed += other.renamed;
        self.followed += other.followed;
        self.collapsed += other.collapsed;
        self.of_runs += other.of_runs;
        self.both_ways += other.both_ways;
        self.dependents += other.dependents;
        self.paths += other.paths;
        self.longest_path = self.longest_path.max(other.longest_path);
    }

    fn count_world(&mut self, world: &World) {
        self.histories += 1;
        self.runs += world.runs.len() as u64;
        self.datasets += world.datasets.len() as u64;
        let renamed = world.datasets.iter().filter(|dataset| dataset.life.segments.len() > 1);
        self.renamed += renamed.count() as u64;
        let followed = world.datasets.iter().filter(|dataset| dataset.predecessor.is_some());
        self.followed += followed.count() as u64;
    }

    fn count_answer(&mut self, world: &World, asked: &Asked, answer: &Answer) {
        self.questions += 1;
        self.nodes += answer.nodes.len() as u64;
        self.edges += answer.edges.len() as u64;
        if answer.edges.is_empty() {
            return;
        }
        self.answered += 1;
        self.of_runs += u64::from(asked.level == Level::Run);
        self.both_ways += u64::from(asked.direction == Direction::Both);
        let has_temporary = (0..world.datasets.len()).any(|dataset| world.is_temporary(dataset));
        self.collapsed += u64::from(asked.temporaries == Temporaries::Collapse && has_temporary);
    }
}

/// Compares that many histories.
///
/// # Errors
/// The first difference, as small as it could be made.
///
/// # Panics
/// Where the lineage crate does.
pub fn compare_many(histories: u64, seed: u64, threads: usize) -> Result<Counts, Box<Difference>> {
    let next = AtomicU64::new(0);
    let work = || -> Result<Counts, Box<Difference>> {
        let mut counts = Counts::default();
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            if place >= histories {
                return Ok(counts);
            }
            if let Err(difference) =
                one_history(seed.wrapping_mul(1_000_003).wrapping_add(place), &mut counts)
            {
                next.store(histories, Ordering::Relaxed);
                return Err(difference);
            }
        }
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(work)).collect();
        let mut total = Counts::default();
        for worker in workers {
            total.add(&worker.join().expect("a worker that does not panic")?);
        }
        Ok(total)
    })
}

/// One history with several questions.
fn one_history(seed: u64, counts: &mut Counts) -> Result<(), Box<Difference>> {
    let mut random = Random::new(seed);
    let runs = HistoryMaker::new(&mut random).history();
    let feed = Feed::Random(random.number());
    let world = World::of(&runs);
    counts.count_world(&world);
    let case = |asked: Asking| smallest(&Case { runs: runs.clone(), feed, asked });
    let graph = fed(&runs, feed).map_err(|_| case(Asking::States))?;
    let pairing = Pairing::of(&world, &graph).map_err(|_| case(Asking::States))?;
    compare_states(&world, &graph, &pairing).map_err(|_| case(Asking::States))?;
    for _ in 0..QUESTIONS {
        let asked = asked(&mut random, &world);
        match compare_traces(&world, &graph, &pairing, &asked) {
            Ok(answer) => counts.count_answer(&world, &asked, &answer),
            Err(_) => return Err(case(Asking::Trace(asked))),
        }
    }
    for _ in 0..OTHER_QUESTIONS {
        let (from, to) = (asked(&mut random, &world), asked(&mut random, &world));
        let dependents = compare_impacts(&world, &graph, &pairing, &from);
        counts.dependents += dependents.map_err(|_| case(Asking::Impact(from.clone())))? as u64;
        let steps = compare_paths(&world, &graph, &pairing, &from, &to);
        let steps = steps.map_err(|_| case(Asking::Paths(from.clone(), to.clone())))?;
        counts.paths += u64::from(steps.is_some());
        counts.longest_path = counts.longest_path.max(steps.unwrap_or(0) as u64);
    }
    Ok(())
}

fn smallest(case: &Case) -> Box<Difference> {
    let reduced = case.reduced();
    let what = reduced.difference().unwrap_or_else(|| "gone when looked at again".to_owned());
    Box::new(Difference { what, case: reduced.text() })
}
