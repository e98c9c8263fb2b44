//! Whose eyes an answer is for, as the command line states it.

use guardbee_engine::{Completeness, Engine, EngineOptions, Viewer};
use guardbee_lineage::{Node, Visibility};
use guardbee_policy::{Identity, Policy};

use super::dataset::Names;
use crate::arguments::Viewing;
use crate::policy::source;
use crate::terminal::Style;

/// What stands in the place of a name in text.
pub const MASKED: &str = "(masked)";

/// Who looks, by a policy.
///
/// # Errors
/// Groups that cannot be told.
pub fn viewer(policy: &Policy, viewing: &Viewing) -> anyhow::Result<Viewer> {
    let Some(user) = viewing.viewer.as_deref() else { return Ok(Viewer::of_everything()) };
    let groups = source::groups_of(&viewing.groups, user)?;
    let identity = Identity { groups, ..Identity::of_user(user) };
    let options = EngineOptions { completeness: Completeness::Partial, ..EngineOptions::default() };
    Ok(Viewer::of(Engine::new(policy.clone(), options).session(identity)))
}

/// What a text names. What the viewer may not know of looks as if it were not there, which is said.
pub fn find(viewer: &Viewer, names: &Names<'_>, text: &str, errors: Style) -> Option<Node> {
    let is_seen = |node: &Node| {
        viewer.sees_everything()
            || viewer.visibility(names.graph, names.at)(node.dataset) == Visibility::Visible
    };
    let found = names.find(text).filter(is_seen);
    if found.is_none() {
        say_unknown(viewer, names, text, errors);
    }
    found
}

/// Says that nobody knows the name. Names that are suggested may be ones that the viewer may not know.
pub fn say_unknown(viewer: &Viewer, names: &Names<'_>, text: &str, errors: Style) {
    match viewer.sees_everything() {
        true => names.say_unknown(text, errors),
        false => names.say_unknown_plainly(text, errors),
    }
}
