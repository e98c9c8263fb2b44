//! The index and a plain reading of the entries decide alike, however the policy came to be.

mod plain;
mod random;

use std::collections::BTreeSet;

use guardbee_policy::decision::Basis;
use guardbee_policy::requirement::Requirement;
use guardbee_policy::{Change, EntryId, Identity, Policy, Timestamp, decide, obligations};
use random::Dice;

/// How many random policies each test makes.
const POLICIES: u64 = 600;

fn ask(dice: &mut Dice) -> (Identity, Vec<Requirement>, Timestamp) {
    let identity = random::identity(dice);
    let count = dice.below(3) + 1;
    let requirements = (0..count).map(|_| random::requirement(dice)).collect();
    (identity, requirements, Timestamp(dice.below(20) as i64))
}

#[test]
fn decisions_are_those_of_a_plain_reading() {
    for seed in 0..POLICIES {
        let mut dice = Dice::new(seed);
        let policy = Policy::from_changes(random::changes(&mut dice)).expect("a policy");
        for _ in 0..30 {
            let (identity, requirements, now) = ask(&mut dice);
            let subject = policy.subject(&identity);
            let decision = decide(&policy, &subject, &requirements, now);
            let judge = plain::Judge::new(&policy, &identity, now);
            assert_eq!(decision.reasons.len(), requirements.len());
            for (reason, requirement) in decision.reasons.iter().zip(&requirements) {
                let expected = judge.find(requirement);
                let asked = || format!("seed {seed}\n{identity:#?}\n{requirement:#?}\n{reason:#?}");
                assert_eq!(reason.basis, expected.basis, "{}", asked());
                assert_eq!(reason.missing, expected.missing, "{}", asked());
                if reason.basis == Basis::Denied {
                    assert_eq!(reason.entries.as_slice(), expected.denials, "{}", asked());
                }
                assert_eq!(
                    reason.entries.is_empty(),
                    !matches!(reason.basis, Basis::Granted | Basis::Denied | Basis::Super),
                    "{}",
                    asked()
                );
            }
            assert_eq!(decision.is_allowed(), decision.missing().next().is_none());
            let expected =
                if decision.is_allowed() { judge.obligations(&requirements) } else { Default::default() };
            if decision.is_allowed() {
                assert_eq!(
                    obligations(&policy, &subject, &requirements),
                    decision.obligations,
                    "seed {seed}"
                );
            }
            let found: Vec<String> = decision.obligations.iter().map(plain::text).collect();
            assert_eq!(found.len(), expected.len(), "seed {seed}: {found:?} for {expected:?}");
            assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), expected, "seed {seed}");
        }
    }
}

/// Without the entries that a reason of a grant names it would not be met: they are really what decides, or
/// others do as well.
#[test]
fn the_grants_that_are_named_are_enough() {
    for seed in 0..POLICIES / 10 {
        let mut dice = Dice::new(seed);
        let policy = Policy::from_changes(random::changes(&mut dice)).expect("a policy");
        for _ in 0..10 {
            let (identity, requirements, now) = ask(&mut dice);
            let decision = decide(&policy, &policy.subject(&identity), &requirements, now);
            for (reason, requirement) in decision.reasons.iter().zip(&requirements) {
                if reason.basis != Basis::Granted {
                    continue;
                }
                let mut others = policy.clone();
                for entry in policy.entries() {
                    if entry.effect == guardbee_policy::Effect::Grant && !reason.entries.contains(&entry.id) {
                        others.apply(Change::RemoveEntry(entry.id)).expect("a removal");
                    }
                }
                let again =
                    decide(&others, &others.subject(&identity), std::slice::from_ref(requirement), now);
                assert!(again.is_allowed(), "seed {seed}\n{identity:#?}\n{requirement:#?}\n{reason:#?}");
            }
        }
    }
}

#[test]
fn the_way_to_a_policy_leaves_no_trace() {
    for seed in 0..POLICIES / 10 {
        let mut dice = Dice::new(seed);
        let changes = random::changes(&mut dice);
        let loaded = Policy::from_changes(changes.iter().cloned()).expect("a policy");
        let by_detour = detour(&mut dice, &changes);
        assert_eq!(loaded, by_detour, "seed {seed}");
        let reloaded = Policy::from_changes(loaded.changes()).expect("a policy");
        assert_eq!(loaded, reloaded, "seed {seed}");
        for _ in 0..20 {
            let (identity, requirements, now) = ask(&mut dice);
            let decide_in = |policy: &Policy| decide(policy, &policy.subject(&identity), &requirements, now);
            assert_eq!(decide_in(&loaded), decide_in(&by_detour), "seed {seed}");
            // A subject of another policy is looked up anew.
            let stranger = Policy::new().subject(&identity);
            assert_eq!(decide(&loaded, &stranger, &requirements, now), decide_in(&loaded), "seed {seed}");
        }
    }
}

/// The same policy with its entries put in another order, some of them twice, some wrong ones first.
fn detour(dice: &mut Dice, changes: &[Change]) -> Policy {
    let (mut entries, others): (Vec<Change>, Vec<Change>) =
        changes.iter().cloned().partition(|change| matches!(change, Change::PutEntry(_)));
    for place in (1..entries.len()).rev() {
        entries.swap(place, dice.below(place + 1));
    }
    let mut policy = Policy::from_changes(others).expect("a policy without entries");
    let mut clones = Vec::new();
    for change in entries {
        let Change::PutEntry(entry) = &change else { unreachable!("only entries are here") };
        let id = entry.id;
        if dice.one_in(3) {
            let wrong = random::entry(dice, id.0);
            policy.apply(Change::PutEntry(wrong)).expect("another entry");
        }
        if dice.one_in(4) {
            clones.push((policy.clone(), policy.entries().collect::<Vec<_>>()));
            policy.apply(Change::RemoveEntry(EntryId(id.0))).expect("a removal");
        }
        policy.apply(change.clone()).expect("an entry");
        policy.apply(change).expect("the same entry");
    }
    for (clone, entries) in clones {
        assert!(clone.entries().eq(entries), "a clone changed");
    }
    policy
}

#[test]
fn entries_are_found_by_where_they_stand_and_whom_they_name() {
    for seed in 0..POLICIES / 10 {
        let mut dice = Dice::new(seed);
        let policy = Policy::from_changes(random::changes(&mut dice)).expect("a policy");
        let all: Vec<_> = policy.entries().collect();
        for _ in 0..20 {
            let (scope, principal) = (random::scope(&mut dice), random::principal(&mut dice));
            let on = all.iter().filter(|entry| entry.scope == scope).cloned();
            assert!(policy.entries_on(&scope).eq(on), "seed {seed}: on {scope}");
            let within = all.iter().filter(|entry| scope.holds(&entry.scope)).cloned();
            assert!(policy.entries_within(&scope).eq(within), "seed {seed}: within {scope}");
            let of = all.iter().filter(|entry| entry.principal == principal).cloned();
            assert!(policy.entries_of(&principal).eq(of), "seed {seed}: of {principal}");
        }
        for entry in all {
            assert_eq!(policy.entry(entry.id), Some(entry));
        }
    }
}

#[test]
fn a_diff_leads_from_any_policy_to_any_other() {
    for seed in 0..POLICIES / 10 {
        let mut dice = Dice::new(seed);
        let from = Policy::from_changes(random::changes(&mut dice)).expect("a policy");
        // One that came of the first by a few steps, and one that has nothing to do with it.
        let mut near = from.clone();
        for change in random::changes(&mut dice).into_iter().filter(|_| seed % 7 == 0 || seed % 3 == 0) {
            // Some close a circle with what is there.
            let _ = near.apply(change);
        }
        let far = Policy::from_changes(random::changes(&mut dice)).expect("a policy");
        for to in [&near, &far, &from, &Policy::new()] {
            let steps = from.diff(to);
            let mut reached = from.clone();
            for step in steps.iter().cloned() {
                reached.apply(step).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{steps:#?}"));
            }
            assert_eq!(&reached, to, "seed {seed}: {steps:#?}");
            assert!(steps.is_empty() == (from == *to), "seed {seed}: {steps:#?}");
        }
    }
}
