//! The same policy in Cedar: an entry is a `permit` or `forbid`, roles and resources are entities in one another.
//!
//! Cedar evaluates every policy for each request and leaves choosing to its caller. It is given just the
//! entities of the request, made before the clock starts.

use std::collections::HashSet;
use std::hint::black_box;
use std::str::FromStr;
use std::time::Instant;

use cedar_policy::{
    Authorizer, Context, Entities, Entity, EntityId, EntityTypeName, EntityUid, PolicySet, Request,
};
use guardbee_bench::figures::{Figures, add_percentiles, resident_bytes, shortest_times};
use guardbee_policy::{Change, Effect, Policy, Principal, Resource, Scope};
use guardbee_testkit::policy_load::{PolicyLoad, Question};

pub fn measure(load: PolicyLoad) -> anyhow::Result<Figures> {
    let mut figures = Figures::new();
    let before = resident_bytes();
    let started = Instant::now();
    let policies = PolicySet::from_str(&policies(load))?;
    figures.insert("load".to_owned(), (started.elapsed().as_secs_f64(), "s"));
    figures.insert("memory".to_owned(), ((resident_bytes() - before) / 1e6, "MB"));

    let roles = Policy::from_changes(load.changes().filter(|change| !matches!(change, Change::PutEntry(_))))
        .map_err(|error| anyhow::anyhow!("{error}"))?;
    let count = (20_000_000 / load.entries).clamp(20, 2_000);
    let asked: Vec<(Request, Entities)> =
        load.questions(count).map(|question| ask(&roles, &question)).collect::<anyhow::Result<_>>()?;
    let authorizer = Authorizer::new();
    let times = shortest_times(&asked, |(request, entities)| {
        black_box(authorizer.is_authorized(request, &policies, entities));
    });
    add_percentiles(&mut figures, "decide", &times);
    Ok(figures)
}

fn policies(load: PolicyLoad) -> String {
    let mut text = String::new();
    for place in 0..load.entries {
        let entry = load.entry(place);
        let effect = if entry.effect == Effect::Grant { "permit" } else { "forbid" };
        let action = if entry.privileges.is_all() {
            "action".to_owned()
        } else {
            format!("action == Action::\"{}\"", entry.privileges)
        };
        let resource = scope(&entry.scope);
        text +=
            &format!("{effect}(principal in {}, {action}, resource in {resource});\n", who(&entry.principal));
    }
    text
}

fn who(principal: &Principal) -> String {
    format!("Principal::\"{principal}\"")
}

fn scope(scope: &Scope) -> String {
    format!("Resource::\"{scope}\"")
}

fn id(kind: &str, name: &str) -> anyhow::Result<EntityUid> {
    Ok(EntityUid::from_type_name_and_id(EntityTypeName::from_str(kind)?, EntityId::new(name)))
}

fn ask(roles: &Policy, question: &Question) -> anyhow::Result<(Request, Entities)> {
    let user = Principal::User(question.identity.user.clone());
    let mut entities = Vec::new();
    let groups = question.identity.groups.iter().map(|group| Principal::Group(group.clone()));
    let mut waiting: Vec<(Principal, Vec<Principal>)> = vec![(user.clone(), groups.collect())];
    let mut seen = HashSet::new();
    while let Some((principal, mut parents)) = waiting.pop() {
        if !seen.insert(principal.clone()) {
            continue;
        }
        parents.extend(
            roles.memberships_of(&principal).map(|membership| Principal::Role(membership.role.clone())),
        );
        let ids = parents
            .iter()
            .map(|parent| id("Principal", &parent.to_string()))
            .collect::<anyhow::Result<HashSet<_>>>()?;
        entities.push(Entity::new_no_attrs(id("Principal", &principal.to_string())?, ids));
        waiting.extend(parents.into_iter().map(|parent| (parent, Vec::new())));
    }
    let chain = chain(&question.requirement.resource);
    for (place, scope) in chain.iter().enumerate() {
        let parent = chain.get(place + 1).map(|parent| id("Resource", parent)).transpose()?;
        entities.push(Entity::new_no_attrs(id("Resource", scope)?, parent.into_iter().collect()));
    }
    let action = if matches!(question.requirement.resource, Resource::Uri(_)) { "ALL" } else { "SELECT" };
    let resource = chain.first().map_or("SERVER", String::as_str);
    let request = Request::new(
        id("Principal", &user.to_string())?,
        id("Action", action)?,
        id("Resource", resource)?,
        Context::empty(),
        None,
    )?;
    Ok((request, Entities::from_entities(entities, None)?))
}

/// The resource and what it is in, from the inside out.
fn chain(resource: &Resource) -> Vec<String> {
    let mut chain = Vec::new();
    match resource {
        Resource::Table(table) => {
            chain.push(Scope::table(&table.database, &table.table).to_string());
            chain.push(Scope::database(&table.database).to_string());
        }
        Resource::Uri(uri) => {
            chain.extend(uri.and_ancestors().map(|place| format!("URI '{place}'")));
        }
        _ => {}
    }
    chain.push(Scope::Server.to_string());
    chain
}
