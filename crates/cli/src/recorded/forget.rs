//! `guardbee forget`: old runs go, save for those that say where what is there came from.

use anyhow::Context as _;
use guardbee_engine::PolicySnapshot;
use guardbee_engine::audit::AuditRecord;
use guardbee_engine::clock::{Clock, SystemClock};
use guardbee_engine::lineage::Forgetting;
use guardbee_engine::store::At;

use super::store::Opened;
use crate::arguments::Forget;
use crate::exit::Outcome;
use crate::output::print;
use crate::policy::plan::user_of_environment;
use crate::policy::source::NoPolicy;

pub async fn forget(arguments: &Forget) -> anyhow::Result<Outcome> {
    match asked(arguments).await {
        Ok(outcome) => Ok(outcome),
        Err(none) => none.outcome(arguments.appearance),
    }
}

async fn asked(arguments: &Forget) -> Result<Outcome, NoPolicy> {
    let opened = Opened::open(arguments.store.store.as_deref()).await?;
    if arguments.dry_run {
        let found = opened.lineage.forgettable(arguments.before);
        print(&format!("would forget {}\n", counted(found)))?;
        return Ok(Outcome::Fine);
    }
    note(&opened, arguments).await?;
    let done = opened.lineage.forget(arguments.before).await.context("cannot forget the runs")?;
    opened.lineage.compact();
    opened.lineage.save().await.context("cannot keep the index of the runs")?;
    print(&format!("forgot {}\n", counted(done)))?;
    Ok(Outcome::Fine)
}

/// It is in the log before it is done.
async fn note(opened: &Opened, arguments: &Forget) -> anyhow::Result<()> {
    let version =
        PolicySnapshot::load(&*opened.storage, At::Latest).await.context("cannot read the policy")?.version;
    let actor = user_of_environment().unwrap_or_default();
    let record = AuditRecord::of_forgetting(&actor, SystemClock.now(), arguments.before, version);
    opened.storage.append_audit(&[record]).await.context("cannot write the audit log")?;
    Ok(())
}

fn counted(found: Forgetting) -> String {
    let runs = if found.forgotten == 1 { "run" } else { "runs" };
    format!("{} {runs}, {} that are as old stay: what is there came by them", found.forgotten, found.kept)
}
