//! What a store costs: `store_cost LOCATION ENTRIES...`. Each size needs a place of its own, so that the number
//! is put behind a path; a server's database must be empty. Prints a row for each size.

use std::error::Error;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use guardbee_engine::ChangeAsked;
use guardbee_engine::audit::AuditRecord;
use guardbee_engine::store::{At, Commit, PolicyVersion, Store};
use guardbee_model::Name;
use guardbee_policy::{
    Change, Effect, Entry, EntryId, GrantOption, Membership, Policy, Principal, Privilege, Privileges, Role,
    Scope, Timestamp, Validity,
};

/// Roles and tables that entries are spread over; ten entries a table at a million.
const ROLES: u64 = 10_000;
const TABLES: u64 = 100_000;
/// So many steps a commit when the policy is made.
const BATCH: u64 = 100_000;

type Failure = Box<dyn Error + Send + Sync>;

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let location = arguments.next().ok_or("usage: store_cost LOCATION ENTRIES...")?;
    println!(
        "| entries | made | load | load and index | commit of one | seen by another | history of 50 | size on disk |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for count in arguments {
        let count: u64 = count.parse()?;
        let place = if location.contains("://") { location.clone() } else { format!("{location}-{count}") };
        measure(&place, count).await?;
    }
    Ok(())
}

async fn measure(place: &str, count: u64) -> Result<(), Failure> {
    let store = guardbee_store::open(place).await?;
    let started = Instant::now();
    let mut version = store.load(At::Latest).await?.version;
    if version == PolicyVersion(0) {
        version = make(&*store, count).await?;
    }
    let made = started.elapsed();
    let load = best_of(3, || load(place)).await?;
    let index = best_of(2, || load_and_index(place)).await?;
    let mut commits = Vec::new();
    for _ in 0..200 {
        let started = Instant::now();
        version = store.commit(commit(version, vec![grant(count + version.0, count)])).await?;
        commits.push(started.elapsed());
    }
    let seen = seen_by_another(place, &*store, &mut version, count).await?;
    let started = Instant::now();
    store.history(None, 50).await?;
    let history = started.elapsed();
    println!(
        "| {count} | {made:.2?} | {load} | {index} | {:.2?} | {:.2?} | {history:.2?} | {} |",
        median(commits),
        median(seen),
        size(place)
    );
    Ok(())
}

async fn make(store: &dyn Store, count: u64) -> Result<PolicyVersion, Failure> {
    let roles = (0..ROLES.min(count)).flat_map(|number| {
        let name = Name::fold(&format!("role_{number}"));
        let member = Principal::group(format!("group_{number}"));
        [
            Change::PutRole(Role { name: name.clone(), created_by: Some("root".into()), created_at: NOW }),
            Change::PutMembership(Membership {
                role: name,
                member,
                admin_option: GrantOption::Without,
                grantor: Some(Principal::user("root")),
                created_at: NOW,
            }),
        ]
    });
    let mut version = store.commit(commit(PolicyVersion(0), roles.collect())).await?;
    let mut first = 1;
    while first <= count {
        let last = count.min(first + BATCH - 1);
        version = store.commit(commit(version, (first..=last).map(|id| grant(id, count)).collect())).await?;
        first = last + 1;
    }
    Ok(version)
}

const NOW: Timestamp = Timestamp(1_700_000_000_000);

fn commit(base: PolicyVersion, changes: Vec<Change>) -> Commit {
    let asked = ChangeAsked { actor: "root", at: NOW, operation: "cost", reason: "" };
    let audit = AuditRecord::of_change(asked, &Policy::new(), &changes);
    Commit {
        base,
        author: "root".into(),
        at: NOW,
        reason: "GRANT SELECT ON ...".into(),
        changes,
        key: None,
        audit,
    }
}

fn grant(id: u64, count: u64) -> Change {
    let table = id % TABLES;
    Change::PutEntry(Entry {
        id: EntryId(id),
        effect: Effect::Grant,
        principal: Principal::role(format!("role_{}", id.wrapping_mul(7919) % ROLES.min(count))),
        except: [].into(),
        privileges: Privileges::of(if id.is_multiple_of(3) { Privilege::Insert } else { Privilege::Select }),
        scope: Scope::table(&format!("database_{}", table % 1000), &format!("table_{table}")),
        grant_option: GrantOption::Without,
        grantor: Some(Principal::user("root")),
        created_at: NOW,
        validity: Validity::ALWAYS,
        purpose: None,
    })
}

/// The least time by the clock, and the least of the processor.
async fn best_of<Run>(times: u32, run: impl Fn() -> Run) -> Result<String, Failure>
where
    Run: Future<Output = Result<(), Failure>>,
{
    let (mut clock, mut processor) = (Duration::MAX, Duration::MAX);
    for _ in 0..times {
        let (started, used) = (Instant::now(), ProcessTime::now());
        run().await?;
        clock = clock.min(started.elapsed());
        processor = processor.min(used.elapsed());
    }
    Ok(format!("{clock:.2?} ({processor:.2?})"))
}

/// From opening the store to the last step.
async fn load(place: &str) -> Result<(), Failure> {
    let store = guardbee_store::open(place).await?;
    let mut count = 0_u64;
    store.load_each(At::Latest, &mut |_| count += 1).await?;
    Ok(())
}

/// From opening the store to the policy that decides: as the engine does it.
async fn load_and_index(place: &str) -> Result<(), Failure> {
    const STEPS: usize = 1024;
    let store = guardbee_store::open(place).await?;
    let (sender, receiver) = mpsc::sync_channel::<Vec<Change>>(16);
    let building = std::thread::spawn(move || Policy::from_changes(receiver.into_iter().flatten()));
    let mut batch = Vec::with_capacity(STEPS);
    store
        .load_each(At::Latest, &mut |change| {
            batch.push(change);
            if batch.len() == STEPS {
                let _ = sender.send(std::mem::replace(&mut batch, Vec::with_capacity(STEPS)));
            }
        })
        .await?;
    let _ = sender.send(batch);
    drop(sender);
    let built = building.join().map_err(|_| "building the policy failed")?;
    std::hint::black_box(built.map_err(|error| error.to_string())?);
    Ok(())
}

/// From the answer of a commit until another connection is told.
async fn seen_by_another(
    place: &str,
    store: &dyn Store,
    version: &mut PolicyVersion,
    count: u64,
) -> Result<Vec<Duration>, Failure> {
    let other = guardbee_store::open(place).await?;
    let mut delays = Vec::new();
    for _ in 0..50 {
        let waiting = tokio::spawn({
            let (other, after) = (other.clone(), *version);
            async move { other.wait_after(after).await.map(|_| Instant::now()) }
        });
        tokio::time::sleep(Duration::from_millis(20)).await;
        *version = store.commit(commit(*version, vec![grant(count + version.0, count)])).await?;
        let made = Instant::now();
        delays.push(waiting.await??.saturating_duration_since(made));
    }
    Ok(delays)
}

fn median(mut durations: Vec<Duration>) -> Duration {
    durations.sort();
    durations.get(durations.len() / 2).copied().unwrap_or_default()
}

fn size(place: &str) -> String {
    std::fs::metadata(place).map_or_else(|_| "-".into(), |file| format!("{} MB", file.len() / 1_000_000))
}
