//! A resource with what stands at it and around it.

use guardbee_model::{Name, TableName};
use smallvec::SmallVec;

use crate::index::node::Node;
use crate::index::tags::{Carried, Carrier};
use crate::policy::Policy;
use crate::request::Columns;
use crate::{Resource, TagAssignment};

/// A resource, looked up.
pub(super) struct Place<'p> {
    resource: &'p Resource,
    /// What stands around it and at it, the widest first; the server is not among them.
    nodes: SmallVec<[&'p Node; 8]>,
    /// Of a table or column: the table's node.
    table: Option<&'p Node>,
}

impl<'p> Place<'p> {
    #[inline]
    pub(super) fn new(policy: &'p Policy, resource: &'p Resource) -> Self {
        let nodes = &policy.nodes;
        let mut place = Self { resource, nodes: SmallVec::new(), table: None };
        place.nodes.extend(resource.database().and_then(|database| nodes.database(database)));
        match resource {
            Resource::Server | Resource::Database(_) | Resource::Service(_) => {}
            Resource::Function { database: None, .. } => {}
            Resource::Table(name) => place.add_table(nodes.table(&name.database, &name.table)),
            Resource::Column(name) => place.add_table(nodes.table(&name.table.database, &name.table.table)),
            Resource::Uri(uri) => {
                nodes.path(uri, |node| place.nodes.push(node));
                place.nodes.reverse();
            }
            Resource::Function { database: Some(database), function } => {
                place.nodes.extend(nodes.function(database, function));
            }
            Resource::Connector(name) => place.nodes.extend(nodes.connector(name)),
        }
        place
    }

    /// Only what stands at a table itself, as if there were nothing around it.
    pub(super) fn innermost(policy: &'p Policy, resource: &'p Resource) -> Self {
        let mut place = Self { resource, nodes: SmallVec::new(), table: None };
        if let Resource::Table(name) = resource {
            place.add_table(policy.nodes.table(&name.database, &name.table));
        }
        place
    }

    fn add_table(&mut self, node: Option<&'p Node>) {
        self.table = node;
        self.nodes.extend(node);
    }

    #[inline]
    pub(super) fn resource(&self) -> &'p Resource {
        self.resource
    }

    #[inline]
    pub(super) fn nodes(&self) -> impl Iterator<Item = &'p Node> {
        self.nodes.iter().copied()
    }

    pub(super) fn table_node(&self) -> Option<&'p Node> {
        self.table
    }

    /// The innermost node, where it is that of the resource: a database's or a table's.
    pub(super) fn own_node(&self) -> Option<&'p Node> {
        match self.resource {
            Resource::Database(_) => self.nodes.last().copied(),
            _ => self.table,
        }
    }

    pub(super) fn is_table(&self) -> bool {
        matches!(self.resource, Resource::Table(_))
    }

    pub(super) fn table_name(&self) -> Option<&'p TableName> {
        match self.resource {
            Resource::Table(table) => Some(table),
            Resource::Column(column) => Some(&column.table),
            _ => None,
        }
    }

    /// The columns that are asked for one by one.
    pub(super) fn columns(&self, columns: &'p Columns) -> Option<&'p [Name]> {
        match self.resource {
            Resource::Table(_) => super::named(columns).filter(|columns| !columns.is_empty()),
            Resource::Column(column) => Some(std::slice::from_ref(&column.column)),
            _ => None,
        }
    }

    /// The nodes of the tags on the resource and on what is around it; not those of columns.
    pub(super) fn tags(&self, policy: &'p Policy, mut see: impl FnMut(&'p Node)) {
        let mut carriers: SmallVec<[&Carrier; 16]> = SmallVec::new();
        carriers.extend(policy.tags.carrier(&Resource::Server));
        carriers
            .extend(self.resource.database().and_then(|database| policy.tags.carrier_of_database(database)));
        match self.resource {
            Resource::Server | Resource::Database(_) => {}
            Resource::Table(_) | Resource::Column(_) => {
                carriers.extend(self.table_name().and_then(|table| policy.tags.carrier_of_table(table)));
            }
            Resource::Uri(uri) => {
                carriers.extend(uri.and_ancestors().filter_map(|place| policy.tags.carrier_of_uri(place)));
            }
            other => carriers.extend(policy.tags.carrier(other)),
        }
        for assignment in carriers.iter().flat_map(|carrier| &carrier.own) {
            tag_nodes(policy, assignment, &mut see);
        }
    }

    /// The tags on columns of the table.
    pub(super) fn column_tags(&self, policy: &'p Policy) -> &'p [Carried] {
        if policy.nodes.tag_entries == 0 {
            return &[];
        }
        let carrier = self.table_name().and_then(|table| policy.tags.carrier_of_table(table));
        carrier.map_or(&[], |carrier| &carrier.columns)
    }
}

/// The nodes of a tag, with any value and with the one that is assigned.
pub(super) fn tag_nodes<'p>(policy: &'p Policy, assignment: &TagAssignment, see: &mut impl FnMut(&'p Node)) {
    tag_value_nodes(policy, &assignment.tag, assignment.value.as_deref(), see);
}

pub(super) fn tag_value_nodes<'p>(
    policy: &'p Policy,
    tag: &Name,
    value: Option<&str>,
    see: &mut impl FnMut(&'p Node),
) {
    policy.nodes.tag(tag, None).into_iter().for_each(&mut *see);
    if let Some(value) = value {
        policy.nodes.tag(tag, Some(value)).into_iter().for_each(see);
    }
}
