//! What can be asked, by subject.

mod accounts;
mod analyze;
mod audit;
mod check;
mod datasets;
mod execute;
mod lineage;
mod policy;
mod question;
mod rights;
mod runs;
mod session;
mod state;

use crate::endpoint::Endpoint;

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
    ]
    .concat()
}
