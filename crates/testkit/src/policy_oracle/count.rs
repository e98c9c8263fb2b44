//! Many random questions to the policy crate and the oracle, and what kinds of answers they got.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use guardbee_policy::decision::Basis;
use guardbee_policy::requirement::{Reach, Requirement};
use guardbee_policy::{Change, Decision, Effect, EntryId, Policy, Scope, Subject, decide};

use super::compare::{Case, compare, identity};
use super::names::{FEW, MANY, Pools};
use super::random::{NOW, WorldMaker, asker, requirements};
use super::reduce::reduce;
use super::reverse::Both;
use super::{Answer, Asker, Standing, World, change_text};
use crate::compare::Difference;
use crate::generate::Random;

/// One world in so many is a wide one.
const WIDE_EVERY: u64 = 100;
const ASKERS: usize = 10;
const QUESTIONS: usize = 40;
/// Of worlds that change: the steps, and the questions after each.
const STEPS: usize = 20;
const QUESTIONS_A_STEP: usize = 20;

macro_rules! counts {
    ($($field:ident: $text:literal,)*) => {
        /// How many answers of which kind there were.
        #[derive(Debug, Clone, Default)]
        pub struct Counts {
            $(pub $field: u64,)*
        }

        impl Counts {
            pub fn add(&mut self, other: &Self) {
                $(self.$field += other.$field;)*
            }
        }

        impl fmt::Display for Counts {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                $(writeln!(f, "{:>12}  {}", self.$field, $text)?;)*
                Ok(())
            }
        }
    };
}

counts! {
    worlds: "worlds",
    entries: "entries in them",
    decisions: "decisions",
    allowed: "allowed",
    denied: "denied",
    overruled: "denied although everything was granted: by denials alone",
    after_steps: "after changes one by one",
    reverse: "rounds of reverse questions, of what SHOW shows, and of lists",
    refused_changes: "changes that were refused",
    by_super: "requirements met by SUPER",
    by_administrator: "requirements met by the administrator",
    by_owner: "requirements met by the owner",
    by_tag: "requirements decided by an entry on a tag",
    by_pattern: "requirements decided by an entry on a pattern",
    with_exception: "requirements decided by an entry with exceptions",
    with_limits: "requirements decided by an entry with a validity",
    inside: "requirements met by an entry inside the resource alone",
    by_several: "requirements that several grants meet together",
    some_columns: "requirements that some of the columns lack",
    filtered: "decisions with row filters",
    masked: "decisions with column masks",
}

/// Asks until there are so many decisions, on several threads.
///
/// # Errors
/// The first difference.
pub fn compare_many(decisions: u64, seed: u64, threads: usize) -> Result<Counts, Box<Difference>> {
    let (next_world, done) = (AtomicU64::new(0), AtomicU64::new(0));
    let differs = AtomicBool::new(false);
    let work = || {
        let mut counts = Counts::default();
        while done.load(Ordering::Relaxed) < decisions && !differs.load(Ordering::Relaxed) {
            let place = next_world.fetch_add(1, Ordering::Relaxed);
            let before = counts.decisions;
            let pools = if place % WIDE_EVERY == WIDE_EVERY / 2 { &*MANY } else { &*FEW };
            let mut random = Random::new(Random::new(seed).number().wrapping_add(place));
            if let Err(difference) = one_world(&mut random, pools, place % 4 == 3, &mut counts) {
                differs.store(true, Ordering::Relaxed);
                return Err(difference);
            }
            done.fetch_add(counts.decisions - before, Ordering::Relaxed);
        }
        Ok(counts)
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

/// One world with many questions; it changes in between, or not.
fn one_world(
    random: &mut Random,
    pools: &'static Pools,
    changes_on: bool,
    counts: &mut Counts,
) -> Result<(), Box<Difference>> {
    counts.worlds += 1;
    let loaded = WorldMaker::new(random, pools).world();
    let mut policy = Policy::from_changes(loaded.iter().cloned()).map_err(|error| {
        let case = loaded.iter().map(change_text).collect::<Vec<_>>().join("\n");
        Box::new(Difference { what: format!("a sound policy is refused: {error}"), case })
    })?;
    let mut world = World::of(&loaded);
    counts.entries += world.entries.len() as u64;
    if !changes_on {
        let asked = Asked { pools, loaded: &loaded, steps: &[], world: &world, policy: &policy };
        ask_many(random, &asked, counts, ASKERS, QUESTIONS)?;
        return ask_otherwise(random, &asked, &Policy::new(), counts);
    }
    let first = (world.clone(), policy.clone());
    let mut steps = Vec::new();
    for _ in 0..STEPS {
        let so_far: Vec<Change> = loaded.iter().chain(&steps).cloned().collect();
        let step = WorldMaker::going_on(random, pools, &so_far).step(&so_far);
        if take(&mut world, &mut policy, &step, &loaded, &steps)? {
            steps.push(step);
        } else {
            counts.refused_changes += 1;
        }
        let asked = Asked { pools, loaded: &loaded, steps: &steps, world: &world, policy: &policy };
        let before = counts.decisions;
        ask_many(random, &asked, counts, 2, QUESTIONS_A_STEP / 2)?;
        counts.after_steps += counts.decisions - before;
    }
    let asked = Asked { pools, loaded: &loaded, steps: &steps, world: &world, policy: &policy };
    ask_otherwise(random, &asked, &first.1, counts)?;
    // What was there before the changes has not moved.
    let asked = Asked { pools, loaded: &loaded, steps: &[], world: &first.0, policy: &first.1 };
    ask_many(random, &asked, counts, 2, QUESTIONS_A_STEP)
}

/// Other questions than those for a decision.
fn ask_otherwise(
    random: &mut Random,
    asked: &Asked<'_>,
    earlier: &Policy,
    counts: &mut Counts,
) -> Result<(), Box<Difference>> {
    let changes: Vec<Change> = asked.loaded.iter().chain(asked.steps).cloned().collect();
    let (asker, seed) = (asker(random, asked.pools, &changes), random.number());
    let answers = |world: &World, policy: &Policy, asker: &Asker| {
        let both = Both { world, policy };
        both.ask(&mut Random::new(seed), asked.pools, asker)?;
        both.lists(earlier)
    };
    counts.reverse += 1;
    answers(asked.world, asked.policy, &asker).map_err(|what| {
        let case = Case {
            loaded: asked.loaded.to_vec(),
            steps: asked.steps.to_vec(),
            asker: asker.clone(),
            requirements: Vec::new(),
        };
        let difference = |case: &Case| answers(&case.world(), &case.policy()?, &case.asker).err();
        let smallest = reduce(&case, |case| difference(case).is_some());
        Box::new(Difference { what: difference(&smallest).unwrap_or(what), case: smallest.text() })
    })
}

/// Applies a step to both. Was it taken?
fn take(
    world: &mut World,
    policy: &mut Policy,
    step: &Change,
    loaded: &[Change],
    steps: &[Change],
) -> Result<bool, Box<Difference>> {
    let (refused, applied) = (world.refuses(step), policy.apply(step.clone()));
    if refused == applied.is_ok() {
        let outcome = applied.map_or_else(|error| format!("refused: {error}"), |()| "taken".to_owned());
        let what = format!("`{}` is {outcome}; the oracle thinks otherwise", change_text(step));
        let differs = |case: &Case| {
            case.policy()
                .is_some_and(|mut policy| case.world().refuses(step) == policy.apply(step.clone()).is_ok())
        };
        let asker = Asker { user: "nobody".into(), groups: Vec::new(), active: super::Active::All };
        let case = Case { loaded: loaded.to_vec(), steps: steps.to_vec(), asker, requirements: Vec::new() };
        return Err(Box::new(Difference { what, case: reduce(&case, differs).text() }));
    }
    if !refused {
        world.apply(step);
    }
    Ok(!refused)
}

/// A world in both forms, and how it came about.
struct Asked<'a> {
    pools: &'static Pools,
    loaded: &'a [Change],
    steps: &'a [Change],
    world: &'a World,
    policy: &'a Policy,
}

fn ask_many(
    random: &mut Random,
    asked: &Asked<'_>,
    counts: &mut Counts,
    askers: usize,
    questions: usize,
) -> Result<(), Box<Difference>> {
    let changes: Vec<Change> = asked.loaded.iter().chain(asked.steps).cloned().collect();
    for _ in 0..askers {
        let asker = asker(random, asked.pools, &changes);
        let standing = Standing::of(asked.world, &asker);
        let subject = asked.policy.subject(&identity(&asker));
        for _ in 0..questions {
            let requirements = requirements(random, asked.pools, &changes);
            ask(asked, &asker, &standing, &subject, &requirements, counts)?;
        }
    }
    Ok(())
}

fn ask(
    asked: &Asked<'_>,
    asker: &Asker,
    standing: &Standing,
    subject: &Subject,
    requirements: &[Requirement],
    counts: &mut Counts,
) -> Result<(), Box<Difference>> {
    let answer = super::decide(asked.world, standing, requirements, NOW);
    let decision = decide(asked.policy, subject, requirements, NOW);
    if let Err(what) = compare(asked.world, standing, requirements, &answer, &decision) {
        let case = Case {
            loaded: asked.loaded.to_vec(),
            steps: asked.steps.to_vec(),
            asker: asker.clone(),
            requirements: requirements.to_vec(),
        };
        let smallest = reduce(&case, |case| case.difference().is_some());
        let what = smallest.difference().unwrap_or(what);
        return Err(Box::new(Difference { what, case: smallest.text() }));
    }
    counts.count(asked.world, requirements, &answer, &decision);
    Ok(())
}

impl Counts {
    fn count(&mut self, world: &World, requirements: &[Requirement], answer: &Answer, decision: &Decision) {
        self.decisions += 1;
        self.allowed += u64::from(answer.allowed);
        self.denied += u64::from(!answer.allowed);
        self.overruled += u64::from(!answer.allowed && answer.judged.iter().all(|judged| judged.granted));
        self.filtered += u64::from(!answer.filters.is_empty());
        self.masked += u64::from(!answer.masks.is_empty());
        for ((requirement, judged), reason) in requirements.iter().zip(&answer.judged).zip(&decision.reasons)
        {
            self.by_super += u64::from(reason.basis == Basis::Super);
            self.by_administrator += u64::from(reason.basis == Basis::Administrator);
            self.by_owner += u64::from(reason.basis == Basis::Owner);
            self.by_several += u64::from(reason.basis == Basis::Granted && reason.entries.len() > 1);
            let columns = match &requirement.columns {
                guardbee_policy::request::Columns::Named(columns) => columns.len(),
                guardbee_policy::request::Columns::Whole => 1,
            };
            self.some_columns += u64::from(!judged.missing.is_empty() && judged.missing.len() < columns);
            self.count_entries(world, requirement, &reason.entries);
        }
    }

    fn count_entries(&mut self, world: &World, requirement: &Requirement, ids: &[EntryId]) {
        let decided = || world.entries.iter().filter(|entry| ids.contains(&entry.id));
        let any = |what: &dyn Fn(&guardbee_policy::Entry) -> bool| u64::from(decided().any(what));
        self.by_tag += any(&|entry| matches!(entry.scope, Scope::Tag { .. }));
        self.by_pattern += any(&|entry| entry.scope.to_string().contains('*'));
        self.with_exception += any(&|entry| !entry.except.is_empty());
        self.with_limits += any(&|entry| !entry.validity.is_always());
        let beneath = |entry: &guardbee_policy::Entry| {
            entry.effect == Effect::Grant && !super::scope_covers(world, &entry.scope, &requirement.resource)
        };
        let reaches = requirement.reach == Reach::AroundOrInside && !ids.is_empty();
        self.inside += u64::from(reaches && decided().all(beneath));
    }
}
