//! What can be asked, by subject.

mod accounts;
mod analyze;
mod audit;
mod check;
mod datasets;
mod execute;
mod jobs;
mod lineage;
mod policy;
mod question;
mod rights;
mod runs;
mod session;
mod state;

use crate::endpoint::Endpoint;

pub(crate) use session::remove_old_sessions;

/// All endpoints.
#[must_use]
pub fn endpoints() -> Vec<Endpoint> {
    [
        state::endpoints(),
        session::endpoints(),
        accounts::endpoints(),
        analyze::endpoints(),
        check::endpoints(),
        execute::endpoints(),
        runs::endpoints(),
        rights::endpoints(),
        policy::endpoints(),
        lineage::endpoints(),
        datasets::endpoints(),
        audit::endpoints(),
        jobs::endpoints(),
    ]
    .concat()
}
