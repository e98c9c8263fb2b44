//! Two policies side by side, for people: the statements that come and go, and whom that touches.

use std::collections::{BTreeMap, BTreeSet};

use guardbee_policy::{Change, Effect, Entry, Policy, Principal, Scope, Timestamp};
use smol_str::SmolStr;

use crate::difference::{Author, difference};
use crate::policy_sql::{PolicySql, policy_sql};

/// What comes and goes under one heading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupDifference {
    pub heading: &'static str,
    pub removed: Vec<String>,
    pub added: Vec<String>,
}

/// What changes for a principal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Touched {
    pub principal: Principal,
    pub effects: BTreeSet<Touch>,
    /// Of a role: the users and groups that are in it, before or after, directly or through roles.
    pub members: Vec<Principal>,
}

/// A way in which a change touches somebody.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Touch {
    Gains,
    Loses,
    /// Tags that their rights stand on are put elsewhere.
    MayGainOrLose,
    /// Other rows or other values are shown.
    SeesOtherwise,
}

impl Touch {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Gains => "gains",
            Self::Loses => "loses",
            Self::MayGainOrLose => "may gain or lose",
            Self::SeesOtherwise => "sees otherwise",
        }
    }
}

/// What no statement makes comes last.
const WITHOUT_STATEMENT: &str = "Without a statement of their own";

/// The statements by which two policies differ, in the order of the statements. Everything that differs is there
/// but owners, who follow the warehouse, and who made what and when.
#[must_use]
pub fn statement_difference(before: &Policy, after: &Policy) -> Vec<GroupDifference> {
    let (before, after) = (grouped(policy_sql(before)), grouped(policy_sql(after)));
    let mut headings: Vec<&'static str> = Vec::new();
    // Both are in the same order; a heading may be absent from either.
    for (heading, _) in before.iter().chain(&after) {
        if !headings.contains(heading) {
            headings.push(heading);
        }
    }
    headings.sort_by_key(|heading| ORDER.iter().position(|known| known == heading).unwrap_or(ORDER.len()));
    let of = |groups: &[(&'static str, Vec<String>)], heading| {
        let group = groups.iter().find(|(known, _)| *known == heading);
        group.map(|(_, statements)| statements.clone()).unwrap_or_default()
    };
    let differences = headings.into_iter().map(|heading| {
        let (old, new) = (of(&before, heading), of(&after, heading));
        let (olds, news): (BTreeSet<&String>, BTreeSet<&String>) =
            (old.iter().collect(), new.iter().collect());
        GroupDifference {
            heading,
            removed: old.iter().filter(|statement| !news.contains(statement)).cloned().collect(),
            added: new.iter().filter(|statement| !olds.contains(statement)).cloned().collect(),
        }
    });
    differences.filter(|group| !group.removed.is_empty() || !group.added.is_empty()).collect()
}

/// The headings of [`policy_sql`], in its order.
const ORDER: [&str; 8] = [
    "Settings",
    "Roles",
    "Members of roles",
    "Tags",
    "What carries them",
    "Privileges",
    "Denials",
    "Row filters and column masks",
];

fn grouped(sql: PolicySql) -> Vec<(&'static str, Vec<String>)> {
    let mut groups: Vec<(&'static str, Vec<String>)> =
        sql.groups.into_iter().map(|group| (group.heading, group.statements)).collect();
    let others: Vec<String> =
        sql.left_out.into_iter().filter(|left| left.code != "owner").map(|left| left.message).collect();
    if !others.is_empty() {
        groups.push((WITHOUT_STATEMENT, others));
    }
    groups
}

/// Whom the way from one policy to the other touches, by principal. A change of settings may touch anybody and is
/// not among them.
#[must_use]
pub fn touched(before: &Policy, after: &Policy) -> Vec<Touched> {
    let mut found: BTreeMap<Principal, BTreeSet<Touch>> = BTreeMap::new();
    let mut add = |principal: Principal, touch: Touch| {
        found.entry(principal).or_default().insert(touch);
    };
    for change in steps(before, after) {
        match change {
            Change::PutEntry(entry) => {
                if let Some(old) = before.entry(entry.id) {
                    add(old.principal.clone(), of_entry(&old, Turn::Goes));
                }
                add(entry.principal.clone(), of_entry(&entry, Turn::Comes));
            }
            Change::RemoveEntry(id) => {
                if let Some(old) = before.entry(id) {
                    add(old.principal.clone(), of_entry(&old, Turn::Goes));
                }
            }
            Change::PutMembership(membership) => add(membership.member, Touch::Gains),
            Change::RemoveMembership { member, .. } => add(member, Touch::Loses),
            Change::PutDataPolicy(policy) => {
                let old = before.data_policy(policy.rule, &policy.name).cloned();
                for policy in old.iter().chain([&policy]) {
                    holders(&policy.principals).into_iter().for_each(|who| add(who, Touch::SeesOtherwise));
                }
            }
            Change::RemoveDataPolicy { rule, name } => {
                let old = before.data_policy(rule, &name);
                let principals = old.map(|policy| holders(&policy.principals)).unwrap_or_default();
                principals.into_iter().for_each(|who| add(who, Touch::SeesOtherwise));
            }
            Change::PutTagAssignment(assignment) => {
                of_tag(before, after, &assignment.tag).into_iter().for_each(|(who, touch)| add(who, touch));
            }
            Change::RemoveTagAssignment { tag, .. } => {
                of_tag(before, after, &tag).into_iter().for_each(|(who, touch)| add(who, touch));
            }
            Change::PutOwner(ownership) => {
                if let Some(old) = before.owner(&ownership.resource) {
                    add(old.clone(), Touch::Loses);
                }
                add(ownership.owner, Touch::Gains);
            }
            Change::RemoveOwner(resource) => {
                before.owner(&resource).into_iter().for_each(|old| add(old.clone(), Touch::Loses));
            }
            Change::PutRole(_)
            | Change::RemoveRole(_)
            | Change::PutTag(_)
            | Change::RemoveTag(_)
            | Change::PutSetting { .. }
            | Change::RemoveSetting(_) => {}
        }
    }
    let with_members = |(principal, effects): (Principal, BTreeSet<Touch>)| {
        let members = members(&[before, after], &principal);
        Touched { principal, effects, members }
    };
    found.into_iter().map(with_members).collect()
}

/// What differs in what the policies say, whatever the ids, makers and times: policies of different stores, and of
/// files, can be compared. Of owners it is the steps from the one to the other.
fn steps(before: &Policy, after: &Policy) -> impl Iterator<Item = Change> {
    let nobody = Author { user: SmolStr::default(), now: Timestamp::default() };
    let is_of_owner = |step: &Change| matches!(step, Change::PutOwner(_) | Change::RemoveOwner(_));
    let of_owners = before.diff(after).into_iter().filter(is_of_owner);
    difference(before, after, &nobody).into_iter().chain(of_owners)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Turn {
    Comes,
    Goes,
}

fn of_entry(entry: &Entry, turn: Turn) -> Touch {
    match (entry.effect, turn) {
        (Effect::Grant, Turn::Comes) | (Effect::Deny, Turn::Goes) => Touch::Gains,
        (Effect::Grant, Turn::Goes) | (Effect::Deny, Turn::Comes) => Touch::Loses,
    }
}

/// Whom a data policy is for; named by nobody, it is for everybody.
fn holders(principals: &[Principal]) -> Vec<Principal> {
    if principals.is_empty() { vec![Principal::public()] } else { principals.to_vec() }
}

/// Whoever has entries, filters or masks on a tag.
fn of_tag(before: &Policy, after: &Policy, tag: &str) -> Vec<(Principal, Touch)> {
    let is_on_tag = |scope: &Scope| matches!(scope, Scope::Tag { tag: found, .. } if found.as_str() == tag);
    let mut found = Vec::new();
    for policy in [before, after] {
        let scope = Scope::Tag { tag: guardbee_model::Name::fold(tag), value: None };
        let entries = policy.entries_within(&scope);
        found.extend(entries.map(|entry| (entry.principal, Touch::MayGainOrLose)));
        let rules = policy.data_policies().filter(|rule| is_on_tag(&rule.scope));
        for rule in rules {
            found.extend(holders(&rule.principals).into_iter().map(|who| (who, Touch::SeesOtherwise)));
        }
    }
    found
}

/// The users and groups in a role of any of the policies.
fn members(policies: &[&Policy], principal: &Principal) -> Vec<Principal> {
    let mut found = BTreeSet::new();
    let mut roles = vec![principal.clone()];
    let mut seen = 0;
    while let Some(Principal::Role(role)) = roles.get(seen).cloned() {
        seen += 1;
        for membership in policies.iter().flat_map(|policy| policy.members_of(&role)) {
            let member = membership.member.clone();
            match member {
                Principal::Role(_) if roles.contains(&member) => {}
                Principal::Role(_) => roles.push(member),
                Principal::User(_) | Principal::Group(_) => {
                    found.insert(member);
                }
            }
        }
    }
    found.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use guardbee_policy::Settings;

    use super::*;
    use crate::desired::{PolicyFile, desired_policy};
    use crate::engine::{Completeness, EngineOptions};

    async fn policy(text: &str) -> Policy {
        let options = EngineOptions { completeness: Completeness::Partial, ..EngineOptions::default() };
        let files = [PolicyFile { label: "policy.sql", text }];
        desired_policy(&files, &Settings::default(), options).await.unwrap()
    }

    #[tokio::test(flavor = "current_thread")]
    async fn statements_come_and_go_and_touch_somebody() {
        let before = policy(
            "CREATE ROLE a; CREATE ROLE b; GRANT ROLE a TO ROLE b; GRANT ROLE b TO GROUP staff;
             GRANT SELECT ON TABLE t TO ROLE a; DENY SELECT ON TABLE u TO USER ana;
             CREATE TAG pii; GRANT SELECT ON TAG pii TO USER eve;",
        )
        .await;
        let after = policy(
            "CREATE ROLE a; CREATE ROLE b; GRANT ROLE a TO ROLE b; GRANT ROLE b TO GROUP staff;
             GRANT INSERT ON TABLE t TO ROLE a; CREATE TAG pii; GRANT SELECT ON TAG pii TO USER eve;
             SET TAG pii ON TABLE v; CREATE ROW FILTER f ON TABLE t USING (x = 1);",
        )
        .await;
        let steps = difference(&before, &after, &Author { user: "root".into(), now: Timestamp(1) });
        let mut next = before.clone();
        steps.into_iter().for_each(|step| next.apply(step).unwrap());
        let groups = statement_difference(&before, &next);
        let headings: Vec<&str> = groups.iter().map(|group| group.heading).collect();
        assert_eq!(headings, ["What carries them", "Privileges", "Denials", "Row filters and column masks"]);
        assert_eq!(groups[1].removed, ["GRANT SELECT ON TABLE default.t TO ROLE a"]);
        assert_eq!(groups[1].added, ["GRANT INSERT ON TABLE default.t TO ROLE a"]);
        assert_eq!(statement_difference(&next, &next), []);
        let touched: Vec<String> = touched(&before, &next)
            .iter()
            .map(|touched| {
                let effects: Vec<&str> = touched.effects.iter().map(|touch| touch.as_str()).collect();
                format!("{} {} {:?}", touched.principal, effects.join("+"), touched.members)
            })
            .collect();
        assert_eq!(
            touched,
            [
                "user ana gains []",
                "user eve may gain or lose []",
                "role a gains+loses [Group(\"staff\")]",
                "role public sees otherwise []"
            ]
        );
    }

    #[tokio::test(flavor = "current_thread")]
    async fn ids_makers_and_times_touch_nobody() {
        let statements = "CREATE ROLE a; GRANT ROLE a TO USER eve; DENY SELECT ON TABLE u TO ROLE a;
             CREATE ROW FILTER f ON TABLE t USING (x = 1) TO ROLE a;";
        let before = policy(&format!("GRANT SELECT ON TABLE t TO USER ana; {statements}")).await;
        let stated = policy(&format!("{statements} GRANT INSERT ON TABLE t TO USER bob;")).await;
        let mut after = Policy::new();
        for step in difference(&after, &stated, &Author { user: "root".into(), now: Timestamp(1) }) {
            after.apply(step).unwrap();
        }
        let touched = touched(&before, &after);
        let touched: Vec<String> = touched.iter().map(|found| found.principal.to_string()).collect();
        assert_eq!(touched, ["user ana", "user bob"]);
    }
}
