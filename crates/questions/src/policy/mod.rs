//! Questions that a policy answers, wherever it comes from, and changes to a policy as a whole.

mod asked;
mod change;
mod desired;
mod difference;
mod past;
mod plan;
mod versions;
mod what_can;
mod who_can;
mod why;

pub use asked::object;
pub use change::{ApplyRequest, CHANGE, Lockout, PolicyChange, RestoreRequest, apply, restore};
pub use desired::{Followed, PolicyText, desired, followed};
pub use difference::{PolicyDifferenceQuestion, difference};
pub use past::{Past, PastLine};
pub use plan::{Plan, PlanQuestion, plan};
pub use versions::{PolicyVersionsQuestion, versions};
pub use what_can::{WhatCanQuestion, what_can};
pub use who_can::{WhoCanQuestion, who_can, who_can_on};
pub use why::{WhyQuestion, why};
