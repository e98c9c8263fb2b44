//! Questions the other way round, answered by asking the plain question of everybody and everything.

use std::collections::BTreeSet;

use guardbee_model::{ColumnName, Name, TableName};
use guardbee_policy::request::Columns;
use guardbee_policy::requirement::{Reach, Requirement, Right, Side};
use guardbee_policy::{
    BookName, Change, EntryId, GrantOption, Policy, Principal, Privilege, Privileges, Resource, Visibility,
    reverse,
};

use super::compare::identity;
use super::names::Pools;
use super::random::NOW;
use super::{Asker, Standing, World, decide_one};
use crate::generate::Random;

/// Sentry's seven actions.
const ACTIONS: [Privilege; 7] = [
    Privilege::Select,
    Privilege::Insert,
    Privilege::Alter,
    Privilege::Create,
    Privilege::Drop,
    Privilege::Index,
    Privilege::Lock,
];

/// What an answer that differs was asked for, and how it differs.
pub type Differs = Result<(), String>;

fn need(privileges: Privileges, resource: &Resource, reach: Reach) -> Requirement {
    Requirement {
        right: Right::AnyOf { privileges, grant_option: GrantOption::Without },
        resource: resource.clone(),
        columns: Columns::Whole,
        reach,
        side: Side::Input,
    }
}

fn has(world: &World, standing: &Standing, privilege: Privilege, resource: &Resource) -> bool {
    let requirement = need(Privileges::of(privilege), resource, Reach::Around);
    decide_one(world, standing, &requirement, NOW, &|_| true).met
}

/// Does SHOW let the asker see it?
#[must_use]
pub fn is_visible(world: &World, standing: &Standing, resource: &Resource) -> bool {
    let any = match (world.settings.rule_book, resource) {
        (BookName::HiveLegacy | BookName::SqlStandard, _) => return true,
        (BookName::Ranger, _) => Privilege::EACH.iter().copied().collect(),
        (BookName::Sentry, Resource::Column(_)) => {
            [Privilege::Select, Privilege::Insert, Privilege::Alter].into_iter().collect()
        }
        (BookName::Sentry, _) => Privileges::from_iter(ACTIONS),
    };
    let is_default = *resource == Resource::Database(Name::from_static("default"));
    let open = world.settings.rule_book == BookName::Sentry
        && is_default
        && !world.settings.restrict_default_database.is_on();
    open || decide_one(world, standing, &need(any, resource, Reach::AroundOrInside), NOW, &|_| true).met
}

/// Everybody whom anything names, and every role.
fn known(world: &World) -> BTreeSet<Principal> {
    let mut known: BTreeSet<Principal> =
        world.roles.iter().map(|role| Principal::Role(role.name.clone())).collect();
    known.extend(world.memberships.iter().map(|membership| membership.member.clone()));
    known.extend(world.owners.iter().map(|ownership| ownership.owner.clone()));
    for entry in &world.entries {
        known.insert(entry.principal.clone());
        known.extend(entry.except.iter().cloned());
    }
    for policy in &world.data_policies {
        known.extend(policy.principals.iter().chain(&*policy.except).cloned());
    }
    known
}

/// One of all that there may be.
fn thing(random: &mut Random, pools: &Pools) -> Resource {
    let database: Name = random.text(&pools.databases).into();
    let table = TableName::new(database.clone(), random.text(&pools.tables).into());
    match random.below(6) {
        0 => Resource::Server,
        1 => Resource::Database(database),
        2 | 3 => Resource::Table(table),
        4 => Resource::Uri(guardbee_policy::Uri::from_normalised(random.text(&pools.places))),
        _ => Resource::Column(ColumnName::new(table, random.text(&pools.columns).into())),
    }
}

/// A world in both forms.
pub struct Both<'b> {
    pub world: &'b World,
    pub policy: &'b Policy,
}

impl Both<'_> {
    /// Asks some questions of each kind.
    ///
    /// # Errors
    /// The first answer that differs.
    pub fn ask(&self, random: &mut Random, pools: &Pools, asker: &Asker) -> Differs {
        let standing = Standing::of(self.world, asker);
        self.visible(random, pools, asker, &standing)?;
        self.what_can(asker, &standing)?;
        self.who_can(*random.pick(&Privilege::EACH[..8]), &thing(random, pools))?;
        // Whichever it is, it stays the same when others are taken away.
        let factor = random.number();
        if let Some(entry) = self.world.entries.iter().min_by_key(|entry| entry.id.0.wrapping_mul(factor)) {
            self.what_if_removed(entry.id, random, pools)?;
        }
        let requirements = super::random::requirements(random, pools, &[]);
        self.least_grant(asker, &requirements)
    }

    fn visible(&self, random: &mut Random, pools: &Pools, asker: &Asker, standing: &Standing) -> Differs {
        let subject = self.policy.subject(&identity(asker));
        let visibility = Visibility::new(self.policy, &subject, NOW);
        let names = |names: &[&'static str]| names.iter().map(|&name| Name::from(name)).collect::<Vec<_>>();
        let (databases, tables, columns) =
            (names(&pools.databases), names(&pools.tables), names(&pools.columns));
        let expect = |what: &str, all: &[Name], seen: Vec<&Name>, resource: &dyn Fn(&Name) -> Resource| {
            let expected: Vec<&Name> =
                all.iter().filter(|name| is_visible(self.world, standing, &resource(name))).collect();
            if seen == expected {
                Ok(())
            } else {
                Err(format!("{what} that {asker:?} sees: oracle {expected:?}, policy {seen:?}"))
            }
        };
        expect("databases", &databases, visibility.databases(&databases), &|name| {
            Resource::Database(name.clone())
        })?;
        let database = random.pick(&databases);
        expect(&format!("tables of {database}"), &tables, visibility.tables(database, &tables), &|name| {
            Resource::Table(TableName::new(database.clone(), name.clone()))
        })?;
        let table = TableName::new(database.clone(), random.pick(&tables).clone());
        expect(&format!("columns of {table}"), &columns, visibility.columns(&table, &columns), &|name| {
            Resource::Column(ColumnName::new(table.clone(), name.clone()))
        })
    }

    fn what_can(&self, asker: &Asker, standing: &Standing) -> Differs {
        let holdings = reverse::what_can(self.policy, &identity(asker), NOW);
        let ids = |held: &[reverse::Held]| held.iter().map(|held| held.entry.id).collect::<Vec<_>>();
        let sorted = |holds: &dyn Fn(&guardbee_policy::Entry) -> bool| {
            let ids: BTreeSet<EntryId> =
                self.world.entries.iter().filter(|entry| holds(entry)).map(|entry| entry.id).collect();
            ids.into_iter().collect::<Vec<_>>()
        };
        let is = |effect| move |entry: &guardbee_policy::Entry| entry.effect == effect;
        let grants =
            sorted(&|entry| is(guardbee_policy::Effect::Grant)(entry) && standing.has_grant(entry, NOW));
        let denials =
            sorted(&|entry| is(guardbee_policy::Effect::Deny)(entry) && standing.has_denial(entry, NOW));
        let owned: BTreeSet<&Resource> = self
            .world
            .owners
            .iter()
            .filter(|ownership| standing.active.contains(&ownership.owner))
            .map(|ownership| &ownership.resource)
            .collect();
        let super_need = need(Privileges::of(Privilege::Select), &Resource::Server, Reach::Around);
        let by_super = decide_one(self.world, standing, &super_need, NOW, &|_| true).by_super;
        let agree = ids(&holdings.grants) == grants
            && ids(&holdings.denials) == denials
            && holdings.owned.iter().collect::<BTreeSet<_>>() == owned
            && holdings.administrator == standing.administers()
            && holdings.super_entry.is_some() == by_super;
        if agree {
            return Ok(());
        }
        Err(format!(
            "what can {asker:?}: oracle grants {grants:?}, denials {denials:?}, owned {owned:?}, administrator {}, super {by_super}; \
             policy {holdings:?}",
            standing.administers()
        ))
    }

    fn who_can(&self, privilege: Privilege, resource: &Resource) -> Differs {
        let answer = reverse::who_can(self.policy, privilege, resource, NOW);
        let can = |principal: &Principal| {
            has(self.world, &Standing::of_principal(self.world, principal), privilege, resource)
        };
        let known = known(self.world);
        let expected: BTreeSet<&Principal> = known.iter().filter(|principal| can(principal)).collect();
        // A policy may remember names that nothing mentions any more.
        let found: BTreeSet<&Principal> = answer
            .principals
            .iter()
            .filter(|principal| known.contains(principal) || !can(principal))
            .collect();
        let nobody = Standing::of_principal(self.world, &Principal::public());
        let everybody = has(self.world, &nobody, privilege, resource);
        if found == expected && answer.everybody == everybody {
            return Ok(());
        }
        Err(format!(
            "who can {privilege} on {resource:?}: oracle everybody {everybody}, {expected:?}; policy {answer:?}"
        ))
    }

    /// Whoever loses or gains a privilege anywhere must be listed with it.
    fn what_if_removed(&self, id: EntryId, random: &mut Random, pools: &Pools) -> Differs {
        let mut after = self.world.clone();
        after.apply(&Change::RemoveEntry(id));
        let listed = reverse::what_if_removed(self.policy, id, NOW);
        let things: Vec<Resource> = (0..6).map(|_| thing(random, pools)).collect();
        for principal in known(self.world) {
            let before = Standing::of_principal(self.world, &principal);
            let then = Standing::of_principal(&after, &principal);
            for privilege in [Privilege::Select, Privilege::Insert, Privilege::Alter, Privilege::Drop] {
                for resource in &things {
                    let had = has(self.world, &before, privilege, resource);
                    let will_have = has(&after, &then, privilege, resource);
                    let is_listed = listed.iter().any(|difference| {
                        let changed = if had { difference.lost } else { difference.gained };
                        difference.principal == principal && changed.contains(privilege)
                    });
                    if had != will_have && !is_listed {
                        return Err(format!(
                            "without {id}, {principal} {} {privilege} on {resource:?}; policy {listed:?}",
                            if had { "loses" } else { "gains" }
                        ));
                    }
                }
            }
        }
        Ok(())
    }

    /// With the grants, and without the denials, it is allowed; and none of the grants can be spared.
    fn least_grant(&self, asker: &Asker, requirements: &[Requirement]) -> Differs {
        let subject = self.policy.subject(&identity(asker));
        let least = reverse::least_grant(self.policy, &subject, requirements, NOW);
        let standing = Standing::of(self.world, asker);
        let answer = super::decide(self.world, &standing, requirements, NOW);
        let beyond: Vec<usize> = (0..requirements.len())
            .filter(|&place| {
                !answer.judged[place].met && !matches!(requirements[place].right, Right::AnyOf { .. })
            })
            .collect();
        let complain = |what: &str| {
            Err(format!("least grant for {asker:?}: {what}: {requirements:?}; policy {least:?}"))
        };
        if least.beyond.iter().copied().collect::<BTreeSet<_>>() != beyond.iter().copied().collect() {
            return complain(&format!("beyond are {beyond:?}"));
        }
        let rest: Vec<Requirement> = (0..requirements.len())
            .filter(|place| !beyond.contains(place))
            .map(|place| requirements[place].clone())
            .collect();
        let allowed_with = |left_out: Option<usize>| {
            let mut world = self.world.clone();
            for denial in &least.denials {
                world.apply(&Change::RemoveEntry(*denial));
            }
            for (place, grant) in
                least.grants.iter().enumerate().filter(|(place, _)| Some(*place) != left_out)
            {
                let id = 1_000_000 + place as u64;
                let principal = Principal::User(asker.user.clone());
                let Change::PutEntry(mut entry) =
                    super::build::grant(id, grant.privileges, grant.scope.clone(), principal)
                else {
                    continue;
                };
                entry.grant_option = grant.grant_option;
                world.apply(&Change::PutEntry(entry));
            }
            let standing = Standing::of(&world, asker);
            super::decide(&world, &standing, &rest, NOW).allowed
        };
        if !allowed_with(None) {
            return complain("it is not enough");
        }
        match (0..least.grants.len()).find(|&place| allowed_with(Some(place))) {
            Some(place) => complain(&format!("{:?} is not needed", least.grants[place])),
            None => Ok(()),
        }
    }

    /// What is listed is what there is, and the steps from one policy to another lead there.
    ///
    /// # Errors
    /// What is not.
    pub fn lists(&self, earlier: &Policy) -> Differs {
        let mut entries = self.world.entries.clone();
        entries.sort_by_key(|entry| entry.id);
        if self.policy.entries().collect::<Vec<_>>() != entries {
            return Err("entries are listed otherwise".to_owned());
        }
        for principal in known(self.world) {
            let of: Vec<EntryId> = self.policy.entries_of(&principal).map(|entry| entry.id).collect();
            let expected: Vec<EntryId> =
                entries.iter().filter(|entry| entry.principal == principal).map(|entry| entry.id).collect();
            if of != expected {
                return Err(format!("entries of {principal}: oracle {expected:?}, policy {of:?}"));
            }
        }
        for entry in &entries {
            let on: Vec<EntryId> = self.policy.entries_on(&entry.scope).map(|entry| entry.id).collect();
            let expected: Vec<EntryId> =
                entries.iter().filter(|other| other.scope == entry.scope).map(|entry| entry.id).collect();
            if on != expected {
                return Err(format!("entries on {}: oracle {expected:?}, policy {on:?}", entry.scope));
            }
        }
        let mut led = earlier.clone();
        for step in earlier.diff(self.policy) {
            led.apply(step).map_err(|error| format!("a step of diff is refused: {error}"))?;
        }
        if led.changes().collect::<Vec<_>>() != self.policy.changes().collect::<Vec<_>>() {
            return Err("the steps of diff lead elsewhere".to_owned());
        }
        let again = Policy::from_changes(self.policy.changes())
            .map_err(|error| format!("its own changes: {error}"))?;
        if again.diff(self.policy).is_empty() {
            Ok(())
        } else {
            Err("its own changes build another".to_owned())
        }
    }
}
