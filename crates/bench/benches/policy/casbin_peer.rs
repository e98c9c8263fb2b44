//! The same policy in Casbin: roles for principals and for resources, denials override.

use std::collections::HashSet;
use std::hint::black_box;
use std::time::Instant;

use casbin::{CoreApi, DefaultModel, Enforcer, MemoryAdapter, MgmtApi};
use guardbee_bench::figures::{Figures, add_percentiles, resident_bytes, shortest_times};
use guardbee_policy::{Change, Effect, Principal, Resource, Scope};
use guardbee_testkit::policy_load::{PolicyLoad, Question};

const MODEL: &str = "
[request_definition]
r = sub, obj, act

[policy_definition]
p = sub, obj, act, eft

[role_definition]
g = _, _
g2 = _, _

[policy_effect]
e = some(where (p.eft == allow)) && !some(where (p.eft == deny))

[matchers]
m = (p.act == \"ALL\" || r.act == p.act) && g(r.sub, p.sub) && g2(r.obj, p.obj)
";

pub fn measure(load: PolicyLoad) -> anyhow::Result<Figures> {
    let mut figures = Figures::new();
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let count = (2_000_000 / load.entries).clamp(5, 500);
    let questions: Vec<Question> = load.questions(count).collect();
    let before = resident_bytes();
    let started = Instant::now();
    let enforcer = runtime.block_on(enforcer(load, &questions))?;
    figures.insert("load".to_owned(), (started.elapsed().as_secs_f64(), "s"));
    figures.insert("memory".to_owned(), ((resident_bytes() - before) / 1e6, "MB"));
    let asked: Vec<(String, String, &str)> = questions.iter().map(ask).collect();
    let times = shortest_times(&asked, |(user, resource, action)| {
        let _ = black_box(enforcer.enforce((user.as_str(), resource.as_str(), *action)));
    });
    add_percentiles(&mut figures, "decide", &times);
    Ok(figures)
}

async fn enforcer(load: PolicyLoad, questions: &[Question]) -> casbin::Result<Enforcer> {
    let mut enforcer = Enforcer::new(DefaultModel::from_str(MODEL).await?, MemoryAdapter::default()).await?;
    enforcer.enable_auto_build_role_links(false);
    let mut members: HashSet<Vec<String>> = HashSet::new();
    let mut resources: HashSet<Vec<String>> = HashSet::new();
    let mut entries: HashSet<Vec<String>> = HashSet::new();
    for change in load.changes() {
        match change {
            Change::PutMembership(membership) => {
                let role = Principal::Role(membership.role);
                members.insert(vec![membership.member.to_string(), role.to_string()]);
            }
            Change::PutEntry(entry) => {
                let effect = if entry.effect == Effect::Grant { "allow" } else { "deny" };
                let action =
                    if entry.privileges.is_all() { "ALL".to_owned() } else { entry.privileges.to_string() };
                let scope = entry.scope.to_string();
                entries.insert(vec![entry.principal.to_string(), scope, action, effect.to_owned()]);
            }
            _ => {}
        }
    }
    for question in questions {
        let user = Principal::User(question.identity.user.clone()).to_string();
        for group in &question.identity.groups {
            members.insert(vec![user.clone(), Principal::Group(group.clone()).to_string()]);
        }
        let chain = chain(&question.requirement.resource);
        resources.extend(chain.windows(2).map(<[String]>::to_vec));
    }
    enforcer.add_named_grouping_policies("g", members.into_iter().collect()).await?;
    enforcer.add_named_grouping_policies("g2", resources.into_iter().collect()).await?;
    enforcer.add_policies(entries.into_iter().collect()).await?;
    enforcer.build_role_links()?;
    Ok(enforcer)
}

fn ask(question: &Question) -> (String, String, &'static str) {
    let user = Principal::User(question.identity.user.clone()).to_string();
    let action = if matches!(question.requirement.resource, Resource::Uri(_)) { "ALL" } else { "SELECT" };
    let resource = chain(&question.requirement.resource).into_iter().next().unwrap_or_default();
    (user, resource, action)
}

/// The resource and what it is in, from the inside out.
fn chain(resource: &Resource) -> Vec<String> {
    let mut chain = match resource {
        Resource::Table(table) => vec![
            Scope::table(&table.database, &table.table).to_string(),
            Scope::database(&table.database).to_string(),
        ],
        Resource::Uri(uri) => uri.and_ancestors().map(|place| format!("URI '{place}'")).collect(),
        _ => Vec::new(),
    };
    chain.push(Scope::Server.to_string());
    chain
}
