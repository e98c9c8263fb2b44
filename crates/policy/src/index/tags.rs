//! Tags, and what carries them.

use std::ops::Deref;
use std::sync::Arc;

use guardbee_model::{Name, TableName};
use smol_str::SmolStr;

use crate::index::hashed::{Hashed, HashedSet, hash_of};
use crate::index::sorted::{Keyed, Sorted};
use crate::{Resource, Tag, TagAssignment, Uri};

/// The tags of a policy and where they are.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tags {
    pub(crate) definitions: Sorted<Arc<Tag>>,
    carriers: HashedSet<Arc<Carrier>>,
    /// How many assignments, entries and data policies name each tag.
    uses: Sorted<TagUse>,
    assignments: usize,
    /// The addresses that carry any.
    uris: Sorted<Uri>,
}

impl Keyed for Uri {
    type Key = Self;

    fn key(&self) -> Self {
        self.clone()
    }
}

impl Keyed for Arc<Tag> {
    type Key = Name;

    fn key(&self) -> Name {
        self.name.clone()
    }
}

#[derive(Debug, Clone)]
struct TagUse {
    tag: Name,
    count: usize,
}

impl Keyed for TagUse {
    type Key = Name;

    fn key(&self) -> Name {
        self.tag.clone()
    }
}

/// A resource with tags. A table also knows of those on its columns, a database of those inside it.
#[derive(Debug, Clone)]
pub(crate) struct Carrier {
    hash: u64,
    /// Never a column.
    resource: Resource,
    pub(crate) own: Vec<Carried>,
    pub(crate) columns: Vec<Carried>,
    /// Of a database: tags on what is inside it, each with its number of carriers.
    pub(crate) inside: Vec<TagInside>,
}

/// A tag on a resource.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Carried {
    assignment: Arc<TagAssignment>,
    standing: Standing,
}

/// Why a resource carries a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    /// Somebody assigned it: part of the policy and its versions.
    Assigned,
    /// It came with the data that the resource was made of: part of no version.
    Inherited,
}

impl Deref for Carried {
    type Target = TagAssignment;

    fn deref(&self) -> &TagAssignment {
        &self.assignment
    }
}

/// A tag with its value on some things inside a database.
#[derive(Debug, Clone)]
pub(crate) struct TagInside {
    pub(crate) tag: Name,
    pub(crate) value: Option<SmolStr>,
    count: usize,
}

impl Hashed for Carrier {
    fn hash(&self) -> u64 {
        self.hash
    }
}

/// The hash of a resource.
pub(crate) fn hash_of_resource(resource: &Resource) -> u64 {
    match resource {
        Resource::Server => hash_of(0, &[]),
        Resource::Database(name) => hash_of(1, &[name]),
        Resource::Table(name) => hash_of(2, &[&name.database, &name.table]),
        Resource::Column(name) => hash_of(3, &[&name.table.database, &name.table.table, &name.column]),
        Resource::Uri(uri) => hash_of(4, &[uri.key()]),
        Resource::Function { database: Some(database), function } => hash_of(5, &[database, function]),
        Resource::Function { database: None, function } => hash_of(6, &[function]),
        Resource::Connector(name) => hash_of(7, &[name]),
        Resource::Service(name) => hash_of(8, &[name]),
    }
}

/// The resource at which tags are kept: a column's at its table.
fn home(resource: &Resource) -> Resource {
    match resource {
        Resource::Column(column) => Resource::Table(column.table.clone()),
        other => other.clone(),
    }
}

impl Tags {
    pub(crate) fn is_used(&self, tag: &Name) -> bool {
        self.uses.get(tag).is_some_and(|tag| tag.count > 0)
    }

    pub(crate) fn count_use(&mut self, tag: &Name, step: isize) {
        let count = self.uses.get(tag).map_or(0, |known| known.count).saturating_add_signed(step);
        if count == 0 {
            self.uses.remove(tag);
        } else {
            self.uses.insert(TagUse { tag: tag.clone(), count });
        }
    }

    /// Does anything carry a tag?
    pub(crate) fn are_assigned(&self) -> bool {
        self.assignments > 0
    }

    /// What a resource carries; a column's tags are with its table.
    pub(crate) fn carrier(&self, resource: &Resource) -> Option<&Carrier> {
        if self.assignments == 0 {
            return None;
        }
        self.carriers
            .find(hash_of_resource(resource), |carrier| carrier.resource == *resource)
            .map(|carrier| &**carrier)
    }

    pub(crate) fn carrier_of_database(&self, name: &str) -> Option<&Carrier> {
        if self.assignments == 0 {
            return None;
        }
        let is_it = |carrier: &Arc<Carrier>| matches!(&carrier.resource, Resource::Database(known) if known.as_str() == name);
        self.carriers.find(hash_of(1, &[name]), is_it).map(|carrier| &**carrier)
    }

    pub(crate) fn carrier_of_uri(&self, place: &str) -> Option<&Carrier> {
        if self.assignments == 0 {
            return None;
        }
        let is_it = |carrier: &Arc<Carrier>| matches!(&carrier.resource, Resource::Uri(known) if known.key() == place);
        self.carriers.find(hash_of(4, &[place]), is_it).map(|carrier| &**carrier)
    }

    /// The carriers of tags at places that an address may reach.
    pub(crate) fn carriers_reached<'t>(&'t self, uri: &Uri, see: impl FnMut(&'t Carrier)) {
        if self.uris.is_empty() {
            return;
        }
        let outer = uri.literal_part();
        self.uris
            .from(&outer)
            .take_while(|place| place.key().starts_with(outer.key()))
            .filter(|place| uri.may_reach(place))
            .filter_map(|place| self.carrier_of_uri(place.key()))
            .for_each(see);
    }

    pub(crate) fn carrier_of_table(&self, table: &TableName) -> Option<&Carrier> {
        if self.assignments == 0 {
            return None;
        }
        let is_it =
            |carrier: &Arc<Carrier>| matches!(&carrier.resource, Resource::Table(known) if known == table);
        self.carriers.find(hash_of(2, &[&table.database, &table.table]), is_it).map(|carrier| &**carrier)
    }

    /// The tags that somebody assigned to a resource, by name.
    pub(crate) fn assignments_on<'t>(&'t self, resource: &Resource) -> Vec<&'t TagAssignment> {
        self.carried_by(resource, Standing::Assigned)
    }

    /// The tags that somebody assigned to the columns of a table.
    pub(crate) fn assignments_inside<'t>(
        &'t self,
        table: &TableName,
    ) -> impl Iterator<Item = &'t TagAssignment> + use<'t> {
        self.carried_inside(table, Standing::Assigned)
    }

    /// The tags that came to the columns of a table with their data.
    pub(crate) fn inherited_inside<'t>(
        &'t self,
        table: &TableName,
    ) -> impl Iterator<Item = &'t TagAssignment> + use<'t> {
        self.carried_inside(table, Standing::Inherited)
    }

    fn carried_inside<'t>(
        &'t self,
        table: &TableName,
        standing: Standing,
    ) -> impl Iterator<Item = &'t TagAssignment> + use<'t> {
        let carrier = self.carrier_of_table(table).into_iter();
        carrier
            .flat_map(|carrier| &carrier.columns)
            .filter(move |carried| carried.standing == standing)
            .map(|carried| &**carried)
    }

    /// The tags that came to a resource with its data, by name and value.
    pub(crate) fn inherited_on<'t>(&'t self, resource: &Resource) -> Vec<&'t TagAssignment> {
        self.carried_by(resource, Standing::Inherited)
    }

    fn carried_by<'t>(&'t self, resource: &Resource, standing: Standing) -> Vec<&'t TagAssignment> {
        let Some(carrier) = self.carrier(&home(resource)) else { return Vec::new() };
        let mut found: Vec<&TagAssignment> =
            carrier.carried(standing).filter(|assignment| assignment.resource == *resource).collect();
        found.sort_by(|one, other| (&one.tag, &one.value).cmp(&(&other.tag, &other.value)));
        found
    }

    /// Every assignment, by resource and tag.
    pub(crate) fn assignments(&self) -> Vec<&TagAssignment> {
        self.all(Standing::Assigned)
    }

    /// Every tag that came with data, by resource, tag and value.
    pub(crate) fn inherited(&self) -> Vec<&TagAssignment> {
        self.all(Standing::Inherited)
    }

    /// Whatever carries a tag for whatever reason, in no order.
    pub(crate) fn carried(&self) -> impl Iterator<Item = &TagAssignment> {
        self.carriers
            .iter()
            .flat_map(|carrier| carrier.own.iter().chain(&carrier.columns))
            .map(|carried| &**carried)
    }

    fn all(&self, standing: Standing) -> Vec<&TagAssignment> {
        let mut all: Vec<&TagAssignment> =
            self.carriers.iter().flat_map(|carrier| carrier.carried(standing)).collect();
        all.sort_by(|one, other| {
            (&one.resource, &one.tag, &one.value).cmp(&(&other.resource, &other.tag, &other.value))
        });
        all
    }

    pub(crate) fn put(&mut self, assignment: TagAssignment) {
        self.remove(&assignment.tag, &assignment.resource);
        self.count_use(&assignment.tag, 1);
        self.carry(Carried { assignment: Arc::new(assignment), standing: Standing::Assigned });
    }

    pub(crate) fn remove(&mut self, tag: &Name, resource: &Resource) {
        let known = self.assignments_on(resource).into_iter().find(|known| known.tag == *tag).cloned();
        let Some(known) = known else { return };
        self.count_use(tag, -1);
        self.drop_carried(&Carried { assignment: Arc::new(known), standing: Standing::Assigned });
    }

    /// Has a resource carry a tag that came with its data, beside what it carries. Once is enough.
    pub(crate) fn inherit(&mut self, assignment: TagAssignment) {
        if !self.is_inherited(&assignment) {
            self.carry(Carried { assignment: Arc::new(assignment), standing: Standing::Inherited });
        }
    }

    pub(crate) fn disinherit(&mut self, assignment: &TagAssignment) {
        if self.is_inherited(assignment) {
            let assignment = Arc::new(assignment.clone());
            self.drop_carried(&Carried { assignment, standing: Standing::Inherited });
        }
    }

    fn is_inherited(&self, assignment: &TagAssignment) -> bool {
        let carrier = self.carrier(&home(&assignment.resource));
        carrier.is_some_and(|carrier| carrier.carried(Standing::Inherited).any(|known| known == assignment))
    }

    fn carry(&mut self, carried: Carried) {
        self.assignments += 1;
        if let Resource::Uri(uri) = &carried.resource {
            self.uris.insert(uri.clone());
        }
        if let Some(database) = database_around(&carried.resource)
            && let Some(carrier) = self.carrier_mut(&Resource::Database(database.clone()))
        {
            carrier.count_inside(&carried, 1);
        }
        if let Some(carrier) = self.carrier_mut(&home(&carried.resource)) {
            let side = match carried.resource {
                Resource::Column(_) => &mut carrier.columns,
                _ => &mut carrier.own,
            };
            side.push(carried);
        }
    }

    fn drop_carried(&mut self, gone: &Carried) {
        if let Some(database) = database_around(&gone.resource) {
            self.change_carrier(&Resource::Database(database.clone()), |carrier| {
                carrier.count_inside(gone, -1);
            });
        }
        self.change_carrier(&home(&gone.resource), |carrier| {
            carrier.own.retain(|carried| carried != gone);
            carrier.columns.retain(|carried| carried != gone);
        });
        self.assignments -= 1;
        if let Resource::Uri(uri) = &gone.resource
            && self.carrier(&gone.resource).is_none()
        {
            self.uris.remove(uri);
        }
    }

    /// A resource's tags, made where there are none.
    fn carrier_mut(&mut self, resource: &Resource) -> Option<&mut Carrier> {
        let hash = hash_of_resource(resource);
        if self.carriers.find(hash, |carrier| carrier.resource == *resource).is_none() {
            self.carriers.insert(Arc::new(Carrier {
                hash,
                resource: resource.clone(),
                own: Vec::new(),
                columns: Vec::new(),
                inside: Vec::new(),
            }));
        }
        self.carriers.find_mut(hash, |carrier| carrier.resource == *resource).map(Arc::make_mut)
    }

    /// Changes what a resource carries, and forgets it where it carries nothing any more.
    fn change_carrier(&mut self, resource: &Resource, change: impl FnOnce(&mut Carrier)) {
        let hash = hash_of_resource(resource);
        let is_it = |carrier: &Arc<Carrier>| carrier.resource == *resource;
        let Some(carrier) = self.carriers.find_mut(hash, is_it).map(Arc::make_mut) else { return };
        change(carrier);
        if carrier.own.is_empty() && carrier.columns.is_empty() && carrier.inside.is_empty() {
            self.carriers.remove(hash, is_it);
        }
    }
}

/// The database that a resource is inside of.
fn database_around(resource: &Resource) -> Option<&Name> {
    match resource {
        Resource::Database(_) => None,
        other => other.database(),
    }
}

impl Carrier {
    fn carried(&self, standing: Standing) -> impl Iterator<Item = &TagAssignment> {
        let all = self.own.iter().chain(&self.columns);
        all.filter(move |carried| carried.standing == standing).map(|carried| &**carried)
    }

    fn count_inside(&mut self, assignment: &TagAssignment, step: isize) {
        let is_it = |known: &TagInside| known.tag == assignment.tag && known.value == assignment.value;
        match self.inside.iter().position(is_it) {
            Some(place) => {
                if let Some(known) = self.inside.get_mut(place) {
                    known.count = known.count.saturating_add_signed(step);
                    if known.count == 0 {
                        self.inside.swap_remove(place);
                    }
                }
            }
            None => self.inside.push(TagInside {
                tag: assignment.tag.clone(),
                value: assignment.value.clone(),
                count: 1,
            }),
        }
    }
}
