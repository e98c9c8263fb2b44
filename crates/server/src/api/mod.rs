//! What can be asked, by subject.

mod accounts;
mod check;
mod execute;
mod question;
mod rights;
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
        check::endpoints(),
        execute::endpoints(),
        rights::endpoints(),
    ]
    .concat()
}
