//! What was made of something that is dropped keeps the tags that came with the data: from then on they are assigned
//! to it, since there is nothing left that they could come from.

use std::collections::HashSet;

use guardbee_analysis::catalog::CatalogChange;
use guardbee_lineage::{AsOf, DatasetName, Node, NodeName, TagNumber};
use guardbee_policy::{Change, Policy, TagAssignment};

use super::flow::name;
use super::heritage::resource;
use crate::engine::Engine;

impl Engine {
    /// The steps that follow from DDL, with those by which tags outlive what is dropped.
    pub(crate) fn with_kept_tags(
        &self,
        policy: &Policy,
        ddl: &[CatalogChange],
        mut steps: Vec<Change>,
    ) -> Vec<Change> {
        let Some(inheritance) = self.inheritance.get() else { return steps };
        let is_drop = |change: &CatalogChange| {
            matches!(change, CatalogChange::RemoveTable(_) | CatalogChange::RemoveDatabase(_))
        };
        let gone = match ddl.iter().any(is_drop) {
            true => gone(policy, &steps),
            false => return steps,
        };
        if gone.is_empty() {
            return steps;
        }
        let facts = inheritance.lock().facts();
        let ground = inheritance.ground(&facts);
        let flowed = ground.flow(policy, gone.iter());
        let carried: HashSet<(Node, TagNumber)> =
            flowed.flow.derived().map(|derived| (derived.node, derived.tag)).collect();
        let named = |node: Node| name(&facts.graph, node, AsOf::Now);
        let stays = |node: Node| named(node).is_some_and(|name| !is_dropped(ddl, &name));
        for derived in flowed.flow.derived() {
            // What comes from something that stays goes on to come from there.
            if carried.contains(&(derived.from, derived.tag)) && stays(derived.from) {
                continue;
            }
            let Some(name) = named(derived.node).filter(|name| !is_dropped(ddl, name)) else { continue };
            let Some((tag, value)) = flowed.tags.get(derived.tag.0 as usize).cloned() else { continue };
            let Some(resource) = resource(&name.dataset, name.column.as_ref()) else { continue };
            if policy.tags_on(&resource).all(|own| own.tag != tag) {
                steps.push(Change::PutTagAssignment(TagAssignment { tag, value, resource }));
            }
        }
        steps
    }
}

/// The assignments that some steps take away.
fn gone(policy: &Policy, steps: &[Change]) -> Vec<TagAssignment> {
    let removed = steps.iter().filter_map(|step| match step {
        Change::RemoveTagAssignment { tag, resource } => Some((tag, resource)),
        _ => None,
    });
    removed
        .flat_map(|(tag, resource)| policy.tags_on(resource).filter(move |own| own.tag == *tag))
        .cloned()
        .collect()
}

fn is_dropped(ddl: &[CatalogChange], name: &NodeName) -> bool {
    let DatasetName::Table(table) = &name.dataset else { return false };
    ddl.iter().any(|change| match change {
        CatalogChange::RemoveTable(dropped) => dropped == table,
        CatalogChange::RemoveDatabase(database) => *database == table.database,
        _ => false,
    })
}
