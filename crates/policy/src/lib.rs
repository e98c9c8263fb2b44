//! Who may do what: entries, roles, tags, data policies, rule books, decisions and their reasons.
//!
//! A [`Request`](request::Request) says what a statement touches; a rule book says which
//! [`Requirement`](requirement::Requirement)s that makes; the policy answers them with a
//! [`Decision`](decision::Decision). The crate knows no SQL, no catalog and no store; it does no IO and has
//! no clock: the moment of a decision is given.

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing,
        clippy::string_slice
    )
)]

mod apply;
mod change;
mod change_error;
mod decide;
pub mod decision;
mod declassifier;
mod diff;
mod entry;
pub mod explain;
mod glob;
mod index;
mod load;
mod pattern;
mod policy;
mod principal;
mod privilege;
pub mod request;
pub mod requirement;
pub mod reverse;
pub mod rule_book;
mod scope;
mod settings;
mod subject;
mod uri;

pub use change::Change;
pub use change_error::ChangeError;
pub use decide::provider::{
    Ballot, Combiner, DecisionManager, ExternalAnswer, Outcome, Poll, Provider, Vote, decide_by_vote,
};
pub use decide::visible::Visibility;
pub use decide::{decide, obligations};
pub use decision::{Decision, Verdict};
pub use declassifier::{Declassifier, Declassifiers, TagBoundary, is_day, key as declassifier_key};
pub use entry::{
    DataPolicy, DataRule, Effect, Entry, EntryId, GrantOption, Membership, Ownership, PolicyState, Role, Tag,
    TagAssignment, Validity,
};
pub use guardbee_model::Timestamp;
pub use pattern::NamePattern;
pub use policy::Policy;
pub use principal::{Principal, PrincipalKind};
pub use privilege::{Privilege, Privileges};
pub use rule_book::{RuleBook, requirements};
pub use scope::{Resource, Scope};
pub use settings::{BookName, OwnerPrivileges, SettingError, Settings, Switch, UriRights};
pub use subject::{ActiveRoles, Identity, Subject};
pub use uri::{Uri, UriError};
