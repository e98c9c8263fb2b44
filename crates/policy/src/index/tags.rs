//! Tags, and what carries them.

use std::ops::Deref;
use std::sync::Arc;

use guardbee_model::{Name, TableName};
use rustc_hash::FxHashSet;
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

    /// Has resources carry tags that came with their data, beside what they carry. Once is enough.
    pub(crate) fn inherit(&mut self, assignments: impl Iterator<Item = TagAssignment>) {
        each_home(assignments, |home, assignments| self.inherit_at(&home, assignments));
    }

    /// The same for what is kept at one resource.
    fn inherit_at(&mut self, home: &Resource, assignments: Vec<TagAssignment>) {
        let known = self.carrier(home).map(|carrier| carrier.carried(Standing::Inherited));
        let mut known: FxHashSet<&TagAssignment> = known.into_iter().flatten().collect();
        let may_repeat = !known.is_empty() || assignments.len() > 1 && matches!(home, Resource::Uri(_));
        let is_new: Vec<bool> = match may_repeat {
            true => assignments.iter().map(|assignment| known.insert(assignment)).collect(),
            false => Vec::new(),
        };
        let mut is_new = is_new.into_iter();
        let new: Vec<Carried> = assignments
            .into_iter()
            .filter(|_| is_new.next().unwrap_or(true))
            .map(|assignment| Carried { assignment: Arc::new(assignment), standing: Standing::Inherited })
            .collect();
        self.carry_at(home, new);
    }

    pub(crate) fn disinherit(&mut self, assignments: impl Iterator<Item = TagAssignment>) {
        each_home(assignments, |home, assignments| self.disinherit_at(&home, &assignments));
    }

    fn disinherit_at(&mut self, home: &Resource, assignments: &[TagAssignment]) {
        let gone: FxHashSet<&TagAssignment> = assignments.iter().collect();
        let mut dropped: Vec<Carried> = Vec::new();
        self.change_carrier(home, |carrier| {
            let mut stays = |carried: &Carried| {
                let is_gone = carried.standing == Standing::Inherited && gone.contains(&**carried);
                if is_gone {
                    dropped.push(carried.clone());
                }
                !is_gone
            };
            carrier.own.retain(&mut stays);
            carrier.columns.retain(&mut stays);
        });
        self.forget_at(home, &dropped);
    }

    fn carry(&mut self, carried: Carried) {
        let home = home(&carried.resource);
        self.carry_at(&home, vec![carried]);
    }

    fn carry_at(&mut self, home: &Resource, new: Vec<Carried>) {
        if new.is_empty() {
            return;
        }
        self.assignments += new.len();
        if let Resource::Uri(uri) = home {
            self.uris.insert(uri.clone());
        }
        if let Some(database) = database_around(home)
            && let Some(carrier) = self.carrier_mut(&Resource::Database(database.clone()))
        {
            new.iter().for_each(|carried| carrier.count_inside(carried, 1));
        }
        if let Some(carrier) = self.carrier_mut(home) {
            let is_of_column = |carried: &Carried| matches!(carried.resource, Resource::Column(_));
            let (columns, own): (Vec<Carried>, Vec<Carried>) = new.into_iter().partition(is_of_column);
            carrier.own.extend(own);
            carrier.columns.extend(columns);
        }
    }

    /// Counts what was dropped at a resource.
    fn forget_at(&mut self, home: &Resource, dropped: &[Carried]) {
        if let Some(database) = database_around(home).filter(|_| !dropped.is_empty()) {
            self.change_carrier(&Resource::Database(database.clone()), |carrier| {
                dropped.iter().for_each(|gone| carrier.count_inside(gone, -1));
            });
        }
        self.assignments -= dropped.len();
        if let Resource::Uri(uri) = home
            && self.carrier(home).is_none()
        {
            self.uris.remove(uri);
        }
    }

    fn drop_carried(&mut self, gone: &Carried) {
        let home = home(&gone.resource);
        self.change_carrier(&home, |carrier| {
            carrier.own.retain(|carried| carried != gone);
            carrier.columns.retain(|carried| carried != gone);
        });
        self.forget_at(&home, std::slice::from_ref(gone));
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

/// Hands over assignments by the resource at which they are kept, as far as those of one come in a row.
fn each_home(
    assignments: impl Iterator<Item = TagAssignment>,
    mut see: impl FnMut(Resource, Vec<TagAssignment>),
) {
    let mut row: Vec<TagAssignment> = Vec::new();
    for assignment in assignments {
        if let Some(last) = row.last().filter(|last| !is_kept_with(&assignment.resource, &last.resource)) {
            let home = home(&last.resource);
            see(home, std::mem::take(&mut row));
        }
        row.push(assignment);
    }
    if let Some(last) = row.last() {
        see(home(&last.resource), row);
    }
}

fn is_kept_with(one: &Resource, other: &Resource) -> bool {
    match (one, other) {
        (Resource::Column(one), Resource::Column(other)) => one.table == other.table,
        (Resource::Column(column), Resource::Table(table))
        | (Resource::Table(table), Resource::Column(column)) => column.table == *table,
        (one, other) => one == other,
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
