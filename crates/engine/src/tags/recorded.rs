//! Tags as recorded runs say: which there are, and how they came to be there.

use std::collections::HashMap;

use guardbee_lineage::{
    AsOf, DatasetName, EdgeFilter, Graph, Node, NodeName, RunKey, TagFlow, TagNumber, TagStep,
};
use guardbee_model::{Name, Timestamp};
use guardbee_policy::{Policy, Resource, TagAssignment};
use smol_str::SmolStr;

use super::boundaries::FunctionCalls;
use super::flow::{Flowed, Ground, Names, Renamed, name, node};
use super::heritage::{Heritage, resource};

/// The tags of a policy, followed along recorded runs.
pub struct RecordedTags<'r> {
    policy: &'r Policy,
    ground: Ground<'r>,
    flowed: Flowed,
}

/// A tag on a dataset or a column of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CarriedTag {
    pub object: NodeName,
    pub tag: Name,
    pub value: Option<SmolStr>,
    /// What somebody put it on: the object, what it lies in, or what it was made of.
    pub put_on: Resource,
    /// How it came from there; empty where it did not come with data.
    pub path: Vec<TagPathStep>,
}

/// How a tag came from one thing to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TagPathStep {
    pub from: NodeName,
    pub to: NodeName,
    pub run: RunKey,
    pub operation: SmolStr,
    pub ended_at: Timestamp,
}

impl<'r> RecordedTags<'r> {
    /// Follows the tags of a policy through a graph, as of a moment. `calls` are those in the runs of the graph.
    #[must_use]
    pub fn follow(policy: &'r Policy, graph: &'r Graph, calls: &'r FunctionCalls, at: AsOf) -> Self {
        let ground = Ground { graph, calls, edges: EdgeFilter::Direct, at };
        Self { policy, ground, flowed: ground.flow(policy, policy.tag_assignments()) }
    }

    /// Has a policy carry what came with data, so that it decides by that, too.
    pub fn inherit(&self, policy: &mut Policy) {
        let mut heritage = Heritage::default();
        self.ground.add(&mut heritage, &self.flowed);
        heritage.inherit(policy);
    }

    /// The tags of a dataset and of each of its columns: its own, those of what it lies in, and those that came with
    /// data.
    #[must_use]
    pub fn on(&self, dataset: &DatasetName) -> Vec<CarriedTag> {
        let mut found = self.assigned(dataset);
        found.extend(self.inherited(dataset));
        found.sort_by(|one, other| {
            let order =
                |tag: &CarriedTag| (tag.object.clone(), tag.tag.clone(), tag.value.clone(), tag.path.len());
            order(one).cmp(&order(other))
        });
        found
    }

    fn assigned(&self, dataset: &DatasetName) -> Vec<CarriedTag> {
        let object = |column: Option<Name>| NodeName { dataset: dataset.clone(), column };
        let carried = |object: NodeName, assignment: &TagAssignment| CarriedTag {
            object,
            tag: assignment.tag.clone(),
            value: assignment.value.clone(),
            put_on: assignment.resource.clone(),
            path: Vec::new(),
        };
        let Some(own) = resource(dataset, None) else { return Vec::new() };
        let around = own.database().map(|database| Resource::Database(database.clone()));
        let carriers =
            [Resource::Server].into_iter().chain(around.filter(|around| *around != own)).chain([own.clone()]);
        let mut found: Vec<CarriedTag> = carriers
            .flat_map(|carrier| self.policy.tags_on(&carrier).cloned().collect::<Vec<_>>())
            .map(|assignment| carried(object(None), &assignment))
            .collect();
        if let Resource::Table(table) = &own {
            for assignment in self.policy.tags_inside(table) {
                if let Resource::Column(column) = &assignment.resource {
                    found.push(carried(object(Some(column.column.clone())), assignment));
                }
            }
        }
        found
    }

    fn inherited(&self, dataset: &DatasetName) -> Vec<CarriedTag> {
        let (graph, at) = (self.ground.graph, self.ground.at);
        let Some(Node { dataset: id, .. }) = node(graph, dataset, None, at) else { return Vec::new() };
        let put = self.put();
        let renamed = self.flowed.renamed.iter().filter(|renamed| renamed.node.dataset == id);
        let renamed = renamed.map(|Renamed { name, tag: (tag, value), put_on, .. }| CarriedTag {
            object: name.clone(),
            tag: tag.clone(),
            value: value.clone(),
            put_on: put_on.clone(),
            path: Vec::new(),
        });
        let derived = self.flowed.flow.derived().filter(|derived| derived.node.dataset == id);
        let derived = derived.filter_map(|derived| {
            let (tag, value) = self.flowed.tags.get(derived.tag.0 as usize)?.clone();
            let path = self.flowed.flow.path(derived.node, derived.tag)?;
            let put_on = put.get(&(path.first()?.from, derived.tag))?;
            let object = name(graph, derived.node, at)?;
            Some(CarriedTag { object, tag, value, put_on: put_on.clone(), path: steps(graph, at, &path) })
        });
        renamed.chain(derived).collect()
    }

    /// What the tags were put on that the flow starts with.
    fn put(&self) -> HashMap<(Node, TagNumber), Resource> {
        let mut names = Names::new(self.ground.graph, self.ground.at);
        let mut put = HashMap::new();
        for assignment in self.policy.tag_assignments() {
            let tag = (assignment.tag.clone(), assignment.value.clone());
            let Some(number) = self.flowed.tags.iter().position(|known| *known == tag) else { continue };
            let number = TagNumber(u32::try_from(number).unwrap_or(u32::MAX));
            for node in names.nodes(&assignment.resource) {
                put.insert((node, number), assignment.resource.clone());
            }
        }
        put
    }
}

/// The steps of a path by their names.
pub(super) fn steps(graph: &Graph, at: AsOf, path: &[TagStep]) -> Vec<TagPathStep> {
    path.iter()
        .filter_map(|step| {
            Some(TagPathStep {
                from: name(graph, step.from, at)?,
                to: name(graph, step.to, at)?,
                run: graph.run_key(step.run),
                operation: graph.run_operation(step.run),
                ended_at: graph.run_ended_at(step.run),
            })
        })
        .collect()
}

/// The path by which a tag came to a node, by names.
pub(super) fn path_to(
    graph: &Graph,
    at: AsOf,
    flow: &TagFlow,
    node: Node,
    tag: TagNumber,
) -> Vec<TagPathStep> {
    flow.path(node, tag).map(|path| steps(graph, at, &path)).unwrap_or_default()
}
