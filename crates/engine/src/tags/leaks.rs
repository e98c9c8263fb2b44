//! Data that somebody may read though they may not read what it was made of.
//!
//! Everything that not everybody may read hands on who may, as if that were a tag; where it comes to something that
//! others may read as well, there is a leak. Who sees only masked values or some of the rows does not count among
//! those who may read.

use std::collections::{BTreeSet, HashMap};

use guardbee_lineage::{
    AsOf, DatasetId, DatasetName, EdgeFilter, Graph, Node, NodeName, TagNumber, TagSource, TraceSubject,
};
use guardbee_model::{ColumnName, Name, TableName};
use guardbee_policy::request::Columns;
use guardbee_policy::requirement::{Reach, Requirement, Right, Side};
use guardbee_policy::reverse::who_can;
use guardbee_policy::{
    GrantOption, Policy, Principal, Privilege, Privileges, Resource, Scope, Timestamp, obligations,
};

use super::boundaries::FunctionCalls;
use super::direct::Known;
use super::flow::{Ground, name};
use super::heritage::{Heritage, TagValue};
use super::recorded::{TagPathStep, path_to};

/// Something that more may read than what it was made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leak {
    pub source: NodeName,
    pub derived: NodeName,
    /// Everybody may read what was derived.
    pub everybody: bool,
    /// The users and groups that the policy names who may read what was derived and not the source.
    pub who: Vec<Principal>,
    /// The tags of the source.
    pub tags: Vec<TagValue>,
    /// From the source to what was derived.
    pub path: Vec<TagPathStep>,
}

/// The leaks, the worst first: of what is tagged, to everybody, to many, by few steps. The policy is one that carries
/// the tags that came with data.
#[must_use]
pub fn leaks(policy: &Policy, graph: &Graph, calls: &FunctionCalls, now: Timestamp) -> Vec<Leak> {
    let mut finder = Finder {
        policy,
        graph,
        now,
        has_column_patterns: policy
            .entries()
            .any(|entry| matches!(&entry.scope, Scope::Column { .. }) && entry.scope.has_pattern()),
        classes: Vec::new(),
        numbers: HashMap::new(),
        of_nodes: HashMap::new(),
    };
    let sources = finder.sources();
    let ground = Ground { graph, calls, edges: EdgeFilter::Direct, at: AsOf::Now };
    // The classes are no tags: nobody has said where they end.
    let flow = ground.follow(&guardbee_policy::Settings::default(), Vec::new(), &sources).flow;
    let mut leaks: Vec<Leak> = Vec::new();
    for derived in flow.derived() {
        let Some((everybody, who)) = finder.excess(derived.node, derived.tag) else { continue };
        let Some(name) = name(graph, derived.node, AsOf::Now) else { continue };
        let path = path_to(graph, AsOf::Now, &flow, derived.node, derived.tag);
        let Some(source) = path.first().map(|step| step.from.clone()) else { continue };
        let tags = finder.tags(&source);
        leaks.push(Leak { source, derived: name, everybody, who, tags, path });
    }
    leaks.sort_by_cached_key(rank);
    leaks
}

fn rank(leak: &Leak) -> impl Ord + use<> {
    use std::cmp::Reverse;
    (
        Reverse(!leak.tags.is_empty()),
        Reverse(leak.everybody),
        Reverse(leak.who.len()),
        leak.path.len(),
        leak.derived.clone(),
        leak.source.clone(),
    )
}

/// Who may read something as it is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Readers {
    everybody: bool,
    principals: BTreeSet<Principal>,
}

struct Finder<'f> {
    policy: &'f Policy,
    graph: &'f Graph,
    now: Timestamp,
    has_column_patterns: bool,
    classes: Vec<Readers>,
    numbers: HashMap<Readers, u32>,
    of_nodes: HashMap<Node, u32>,
}

impl Finder<'_> {
    /// Every column of every table, with its readers.
    fn sources(&mut self) -> Vec<TagSource> {
        let graph = self.graph;
        let mut sources = Vec::new();
        for dataset in graph.datasets(AsOf::Now) {
            let name = graph.name(TraceSubject::Dataset(dataset), AsOf::Now);
            let Some(DatasetName::Table(table)) = name.map(|name| name.dataset) else { continue };
            self.table(dataset, &table, &mut sources);
        }
        sources
    }

    fn table(&mut self, dataset: DatasetId, table: &TableName, sources: &mut Vec<TagSource>) {
        let differs = self.columns_differ(table);
        let any = self.class(table, &Name::from_static("*"));
        self.of_nodes.insert(Node::dataset(dataset), any);
        let columns = self.graph.dataset(dataset, AsOf::Now).columns;
        let columns: Vec<_> = columns.into_iter().filter(|column| !column.closed).collect();
        if columns.is_empty() {
            self.add(Node::dataset(dataset), any, sources);
        }
        for column in columns {
            let class = if differs { self.class(table, &column.name) } else { any };
            self.add(Node::column(dataset, column.id), class, sources);
        }
    }

    fn add(&mut self, node: Node, class: u32, sources: &mut Vec<TagSource>) {
        self.of_nodes.insert(node, class);
        if self.classes.get(class as usize).is_some_and(|readers| !readers.everybody) {
            sources.push(TagSource { node, tag: TagNumber(class) });
        }
    }

    /// Does anything hold for some columns of the table and not for others?
    fn columns_differ(&self, table: &TableName) -> bool {
        let scope =
            Scope::Table { database: table.database.clone().into(), table: table.table.clone().into() };
        self.has_column_patterns
            || self.policy.tags_inside(table).next().is_some()
            || self.policy.inherited_tags_inside(table).next().is_some()
            || self.policy.entries_within(&scope).any(|entry| matches!(entry.scope, Scope::Column { .. }))
            || self.policy.data_policies().any(|policy| scope.holds(&policy.scope) && policy.scope != scope)
    }

    fn class(&mut self, table: &TableName, column: &Name) -> u32 {
        let resource = Resource::Column(ColumnName::new(table.clone(), column.clone()));
        let found = who_can(self.policy, Privilege::Select, &resource, self.now);
        let reading = reading(table, column);
        let sees_all = |principal: &Principal| {
            let subject = self.policy.subject_of_principal(principal);
            obligations(self.policy, &subject, std::slice::from_ref(&reading)).is_empty()
        };
        let is_somebody = |principal: &Principal| !matches!(principal, Principal::Role(_));
        let readers = Readers {
            everybody: found.everybody && sees_all(&Principal::public()),
            principals: found
                .principals
                .into_iter()
                .filter(|one| is_somebody(one) && sees_all(one))
                .collect(),
        };
        if let Some(number) = self.numbers.get(&readers) {
            return *number;
        }
        let number = u32::try_from(self.classes.len()).unwrap_or(u32::MAX);
        self.classes.push(readers.clone());
        self.numbers.insert(readers, number);
        number
    }

    /// Who may read a node and not what has the class.
    fn excess(&self, node: Node, class: TagNumber) -> Option<(bool, Vec<Principal>)> {
        let source = self.classes.get(class.0 as usize)?;
        let readers = self.classes.get(*self.of_nodes.get(&node)? as usize)?;
        let who: Vec<Principal> = readers.principals.difference(&source.principals).cloned().collect();
        let everybody = readers.everybody && !source.everybody;
        (everybody || !who.is_empty()).then_some((everybody, who))
    }

    fn tags(&self, source: &NodeName) -> Vec<TagValue> {
        let known = Known {
            policy: self.policy,
            heritage: &Heritage::default(),
            edges: EdgeFilter::Direct,
            graph: self.graph,
            defining: &|_| Vec::new(),
        };
        let mut tags = Vec::new();
        known.tags_of(&source.dataset, source.column.as_ref(), &mut tags);
        if let (DatasetName::Table(table), Some(column)) = (&source.dataset, &source.column) {
            let resource = Resource::Column(ColumnName::new(table.clone(), column.clone()));
            for inherited in self.policy.inherited_tags_on(&resource) {
                let tag = (inherited.tag.clone(), inherited.value.clone());
                if !tags.contains(&tag) {
                    tags.push(tag);
                }
            }
        }
        tags
    }
}

fn reading(table: &TableName, column: &Name) -> Requirement {
    Requirement {
        right: Right::AnyOf {
            privileges: Privileges::of(Privilege::Select),
            grant_option: GrantOption::Without,
        },
        resource: Resource::Table(table.clone()),
        columns: Columns::Named(vec![column.clone()]),
        reach: Reach::Around,
        side: Side::Input,
    }
}
