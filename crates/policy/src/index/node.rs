//! The places where entries stand, each with its entries.

use std::sync::Arc;

use guardbee_model::Name;
use rustc_hash::FxHashSet;

use crate::index::cell::{Cell, ColumnPlace, PrincipalNumber, Record};
use crate::index::hashed::{HashedSet, hash_of};
use crate::index::sorted::{Keyed, Sorted};
use crate::subject::{Known, Standing};
use crate::{EntryId, NamePattern, Privileges, Scope, Uri};

/// The entries at one scope. A table also holds those at its columns, a database knows of those inside it.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    /// Never a column.
    pub(crate) scope: Scope,
    /// Most nodes have few entries: these lie in the node, so that one look at memory finds them.
    pub(crate) here: Entries<8>,
    pub(crate) columns: Option<Box<ColumnEntries>>,
    /// Of a database.
    inside: Option<Box<Sorted<Inside>>>,
}

/// Entries by principal, with what they give and take at most.
#[derive(Debug, Clone, Default)]
pub(crate) struct Entries<const INLINE: usize> {
    pub(crate) cells: Sorted<Cell, INLINE>,
    pub(crate) granted: Privileges,
    pub(crate) denied: Privileges,
}

/// The entries at the columns of a table.
#[derive(Debug, Clone, Default)]
pub(crate) struct ColumnEntries {
    pub(crate) entries: Entries<1>,
    /// The columns, in the order in which they came. A cell names its column by its place here.
    names: Vec<NamePattern>,
    /// Where they are many: the places in the order of the hashes of their names, with these.
    places: Vec<(u32, u32)>,
    /// The places of the names that stand for more than one column.
    pub(crate) patterns: Vec<usize>,
}

/// An entry somewhere inside a database.
#[derive(Debug, Clone)]
pub(crate) struct Inside {
    pub(crate) id: EntryId,
    pub(crate) principal: PrincipalNumber,
    pub(crate) privileges: Privileges,
    pub(crate) is_denial: bool,
    pub(crate) is_conditional: bool,
    pub(crate) has_grant_option: bool,
}

impl Keyed for Inside {
    type Key = (PrincipalNumber, EntryId);

    fn key(&self) -> Self::Key {
        (self.principal, self.id)
    }
}

impl<const INLINE: usize> Entries<INLINE> {
    fn insert(&mut self, cell: Cell) {
        let side = if cell.is_denial() { &mut self.denied } else { &mut self.granted };
        *side = side.union(cell.effective());
        self.cells.insert(cell);
    }

    /// Takes an entry out. What is given and taken at most stays where a look at all would be long.
    fn remove(&mut self, key: &<Cell as Keyed>::Key) -> Option<Cell> {
        let old = self.cells.remove(key)?;
        if let Some(cells) = self.cells.few() {
            let union = |denials: bool| {
                cells
                    .iter()
                    .filter(|cell| cell.is_denial() == denials)
                    .fold(Privileges::NONE, |union, cell| union.union(cell.effective()))
            };
            (self.granted, self.denied) = (union(false), union(true));
        }
        Some(old)
    }
}

impl<const INLINE: usize> Entries<INLINE> {
    /// Sees the entries of some privileges that name somebody, those of one principal after those of another.
    #[inline]
    pub(crate) fn cells_of<'e>(
        &'e self,
        known: &Known,
        privileges: Privileges,
        mut see: impl FnMut(&'e Cell, Standing),
    ) {
        match self.cells.few() {
            Some(cells) => {
                for cell in cells {
                    if cell.effective().intersects(privileges)
                        && let Some(standing) = known.get(cell.principal)
                    {
                        see(cell, standing);
                    }
                }
            }
            None => cells_of_each(&self.cells, known, |cell, standing| {
                if cell.effective().intersects(privileges) {
                    see(cell, standing);
                }
            }),
        }
    }
}

fn cells_of_each<'e, const INLINE: usize>(
    cells: &'e Sorted<Cell, INLINE>,
    known: &Known,
    mut see: impl FnMut(&'e Cell, Standing),
) {
    for standing in known.iter() {
        let number = standing.number();
        cells
            .from(&(number, EntryId(0)))
            .take_while(|cell| cell.principal == number)
            .for_each(|cell| see(cell, standing));
    }
}

/// Up to here a look at every name is as quick as a table.
const FEW_NAMES: usize = 8;

impl ColumnEntries {
    /// The place of a column of which entries speak by its own name.
    #[inline]
    pub(crate) fn place(&self, name: &str, guess: usize) -> Option<usize> {
        if self.names.get(guess).is_some_and(|known| known.as_str() == name) {
            return Some(guess);
        }
        if self.names.len() <= FEW_NAMES {
            return self.names.iter().position(|known| known.as_str() == name);
        }
        let hash = column_hash(name);
        let start = self.places.partition_point(|(known, _)| *known < hash);
        let alike = self.places.get(start..)?.iter().take_while(|(known, _)| *known == hash);
        let is_it = |place: &usize| self.name(*place).is_some_and(|known| known.as_str() == name);
        alike.map(|(_, place)| *place as usize).find(is_it)
    }

    #[inline]
    pub(crate) fn name(&self, place: usize) -> Option<&NamePattern> {
        self.names.get(place)
    }

    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }

    fn place_or_add(&mut self, name: &NamePattern) -> Option<ColumnPlace> {
        if let Some(place) = self.place(name.as_str(), 0) {
            return ColumnPlace::new(place);
        }
        let place = ColumnPlace::new(self.names.len())?;
        if !name.is_literal() {
            self.patterns.push(place.get());
        }
        if self.names.len() < FEW_NAMES {
            self.names.reserve_exact(1);
        }
        self.names.push(name.clone());
        if self.names.len() > FEW_NAMES {
            let new = self.names.iter().enumerate().skip(self.places.len());
            for (place, name) in new.collect::<Vec<_>>() {
                let item = (column_hash(name.as_str()), place as u32);
                let at = self.places.partition_point(|known| *known < item);
                self.places.insert(at, item);
            }
        }
        Some(place)
    }
}

fn column_hash(name: &str) -> u32 {
    (hash_of(COLUMN, &[name]) >> 32) as u32
}

impl Node {
    fn new(scope: Scope) -> Self {
        Self { scope, here: Entries::default(), columns: None, inside: None }
    }

    /// What stands inside a database, by principal.
    pub(crate) fn inside(&self) -> Option<&Sorted<Inside>> {
        self.inside.as_deref()
    }

    /// The entry with a key, with its scope.
    pub(crate) fn entry(&self, key: &<Cell as Keyed>::Key) -> Option<(Scope, &Cell)> {
        if let Some(cell) = self.here.cells.get(key) {
            return Some((self.scope.clone(), cell));
        }
        let cell = self.columns.as_ref()?.entries.cells.get(key)?;
        Some((self.scope_of(cell), cell))
    }

    /// The entries at the scope itself and at the columns of the table.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (Scope, &Cell)> {
        let columns = self.columns.iter().flat_map(|columns| columns.entries.cells.iter());
        let columns = columns.map(|cell| (self.scope_of(cell), cell));
        self.here.cells.iter().map(|cell| (self.scope.clone(), cell)).chain(columns)
    }

    /// The scope of one of the entries at columns.
    pub(crate) fn scope_of(&self, cell: &Cell) -> Scope {
        let name = self.columns.as_ref().and_then(|columns| columns.name(cell.column().get()));
        match (&self.scope, name) {
            (Scope::Table { database, table }, Some(column)) => {
                Scope::Column { database: database.clone(), table: table.clone(), column: column.clone() }
            }
            (scope, _) => scope.clone(),
        }
    }

    fn is_empty(&self) -> bool {
        self.here.cells.is_empty()
            && self.columns.is_none()
            && self.inside.as_ref().is_none_or(|inside| inside.is_empty())
    }
}

/// Every place where entries stand.
#[derive(Debug, Clone, Default)]
pub(crate) struct Nodes {
    nodes: HashedSet<Arc<Node>>,
    /// How many entries there are at addresses and at tags: where there are none, nobody looks for them.
    pub(crate) uri_entries: usize,
    pub(crate) tag_entries: usize,
    /// The denials at addresses, by these: a directory is looked through for them.
    uri_denials: Sorted<UriDenial>,
}

/// A denial at an address.
#[derive(Debug, Clone)]
struct UriDenial {
    uri: Uri,
    cell: Cell,
}

impl Keyed for UriDenial {
    type Key = (Uri, PrincipalNumber, EntryId);

    fn key(&self) -> Self::Key {
        (self.uri.clone(), self.cell.principal, self.cell.id)
    }
}

const SERVER: u8 = 0;
const DATABASE: u8 = 1;
const TABLE: u8 = 2;
const COLUMN: u8 = 3;
const URI: u8 = 4;
const FUNCTION: u8 = 5;
const CONNECTOR: u8 = 6;
const TAG: u8 = 7;
const TAG_VALUE: u8 = 8;

/// The hash of the place where an entry of a scope is kept: a column's is its table's.
pub(crate) fn hash_of_home(scope: &Scope) -> u64 {
    match scope {
        Scope::Server => hash_of(SERVER, &[]),
        Scope::Database(database) => hash_of(DATABASE, &[database.as_str()]),
        Scope::Table { database, table } | Scope::Column { database, table, .. } => {
            hash_of(TABLE, &[database.as_str(), table.as_str()])
        }
        Scope::Uri(uri) => hash_of(URI, &[uri.key()]),
        Scope::Function { database, function } => hash_of(FUNCTION, &[database.as_str(), function.as_str()]),
        Scope::Connector(connector) => hash_of(CONNECTOR, &[connector.as_str()]),
        Scope::Tag { tag, value: None } => hash_of(TAG, &[tag]),
        Scope::Tag { tag, value: Some(value) } => hash_of(TAG_VALUE, &[tag, value]),
    }
}

fn is_home_of(home: &Scope, scope: &Scope) -> bool {
    match (home, scope) {
        (Scope::Table { database, table }, Scope::Column { database: database_of, table: table_of, .. }) => {
            database == database_of && table == table_of
        }
        _ => home == scope,
    }
}

/// The scope of the place where an entry of a scope is kept.
pub(crate) fn home(scope: &Scope) -> Scope {
    match scope {
        Scope::Column { database, table, .. } => {
            Scope::Table { database: database.clone(), table: table.clone() }
        }
        _ => scope.clone(),
    }
}

/// The text of the database that a scope is in.
pub(crate) fn database_of(scope: &Scope) -> Option<&NamePattern> {
    match scope {
        Scope::Table { database, .. } | Scope::Column { database, .. } | Scope::Function { database, .. } => {
            Some(database)
        }
        _ => None,
    }
}

impl Nodes {
    pub(crate) fn server(&self) -> Option<&Node> {
        self.nodes.find(hash_of(SERVER, &[]), |node| node.scope == Scope::Server).map(|node| &**node)
    }

    #[inline]
    pub(crate) fn database(&self, name: &str) -> Option<&Node> {
        let is_it = |node: &Arc<Node>| match &node.scope {
            Scope::Database(known) => known.as_str() == name && known.is_literal(),
            _ => false,
        };
        self.nodes.find(hash_of(DATABASE, &[name]), is_it).map(|node| &**node)
    }

    #[inline]
    pub(crate) fn table(&self, database: &str, table: &str) -> Option<&Node> {
        let is_it = |node: &Arc<Node>| match &node.scope {
            Scope::Table { database: home, table: known } => {
                home.as_str() == database && known.as_str() == table && !node.scope.has_pattern()
            }
            _ => false,
        };
        self.nodes.find(hash_of(TABLE, &[database, table]), is_it).map(|node| &**node)
    }

    pub(crate) fn uri(&self, place: &str) -> Option<&Node> {
        let is_it = |node: &Arc<Node>| matches!(&node.scope, Scope::Uri(known) if known.key() == place);
        self.nodes.find(hash_of(URI, &[place]), is_it).map(|node| &**node)
    }

    pub(crate) fn function(&self, database: &str, function: &str) -> Option<&Node> {
        let is_it = |node: &Arc<Node>| match &node.scope {
            Scope::Function { database: home, function: known } => {
                home.as_str() == database && known.as_str() == function && !node.scope.has_pattern()
            }
            _ => false,
        };
        self.nodes.find(hash_of(FUNCTION, &[database, function]), is_it).map(|node| &**node)
    }

    pub(crate) fn connector(&self, name: &str) -> Option<&Node> {
        let is_it = |node: &Arc<Node>| match &node.scope {
            Scope::Connector(known) => known.as_str() == name && known.is_literal(),
            _ => false,
        };
        self.nodes.find(hash_of(CONNECTOR, &[name]), is_it).map(|node| &**node)
    }

    pub(crate) fn tag(&self, name: &Name, value: Option<&str>) -> Option<&Node> {
        let hash = match value {
            None => hash_of(TAG, &[name]),
            Some(value) => hash_of(TAG_VALUE, &[name, value]),
        };
        let is_it = |node: &Arc<Node>| match &node.scope {
            Scope::Tag { tag, value: known } => tag == name && known.as_deref() == value,
            _ => false,
        };
        self.nodes.find(hash, is_it).map(|node| &**node)
    }

    /// The node where entries of a scope are kept; a scope with `*` by its text.
    pub(crate) fn home_of(&self, scope: &Scope) -> Option<&Node> {
        self.nodes.find(hash_of_home(scope), |node| is_home_of(&node.scope, scope)).map(|node| &**node)
    }

    /// The entry that a record speaks of, with its scope.
    pub(crate) fn entry(&self, record: &Record) -> Option<(Scope, &Cell)> {
        let key = (record.principal, record.id);
        self.nodes.find(record.node, |node| node.entry(&key).is_some())?.entry(&key)
    }

    /// The nodes of these and of others that are not the same in both.
    pub(crate) fn unshared<'n>(&'n self, other: &'n Self) -> (Vec<&'n Node>, Vec<&'n Node>) {
        let (ours, theirs) = self.nodes.unshared(&other.nodes);
        let addresses = |nodes: &[&Arc<Node>]| -> FxHashSet<*const Node> {
            nodes.iter().map(|node| Arc::as_ptr(node)).collect()
        };
        let (in_ours, in_theirs) = (addresses(&ours), addresses(&theirs));
        let only = |nodes: Vec<&'n Arc<Node>>, others: &FxHashSet<*const Node>| {
            let alone = nodes.into_iter().filter(|node| !others.contains(&Arc::as_ptr(node)));
            alone.map(|node| &**node).collect()
        };
        (only(ours, &in_theirs), only(theirs, &in_ours))
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Node> {
        self.nodes.iter().map(|node| &**node)
    }

    /// Can an entry be put at a scope: has its table room for one more column?
    pub(crate) fn has_room(&self, scope: &Scope) -> bool {
        let Scope::Column { .. } = scope else { return true };
        let columns = self.home_of(scope).and_then(|node| node.columns.as_ref());
        columns.is_none_or(|columns| ColumnPlace::new(columns.names.len()).is_some())
    }

    /// Puts an entry where it belongs.
    pub(crate) fn insert(&mut self, scope: &Scope, cell: Cell) {
        self.insert_here(hash_of_home(scope), scope, cell);
        self.insert_inside(scope, &cell);
    }

    /// Puts many entries where they belong. Each part of memory is gone to once, and what lies at one place comes
    /// to lie together.
    pub(crate) fn insert_all(&mut self, entries: &[(Scope, Cell)]) {
        let mut by_home: Vec<(u64, usize)> =
            entries.iter().enumerate().map(|(place, (scope, _))| (hash_of_home(scope), place)).collect();
        by_home.sort_unstable();
        for (hash, place) in by_home {
            if let Some((scope, cell)) = entries.get(place) {
                self.insert_here(hash, scope, *cell);
            }
        }
        let database = |scope: &Scope| database_of(scope).map(|name| hash_of(DATABASE, &[name.as_str()]));
        let mut by_database: Vec<(u64, PrincipalNumber, usize)> = entries
            .iter()
            .enumerate()
            .filter_map(|(place, (scope, cell))| Some((database(scope)?, cell.principal, place)))
            .collect();
        by_database.sort_unstable();
        for (_, _, place) in by_database {
            if let Some((scope, cell)) = entries.get(place) {
                self.insert_inside(scope, cell);
            }
        }
    }

    fn insert_here(&mut self, hash: u64, scope: &Scope, mut cell: Cell) {
        let node = self.node_mut(hash, scope);
        if let Scope::Column { column, .. } = scope {
            let Some(columns) = node.map(|node| node.columns.get_or_insert_default()) else { return };
            let Some(place) = columns.place_or_add(column) else { return };
            cell = cell.at_column(place);
            columns.entries.insert(cell);
        } else if let Some(node) = node {
            node.here.insert(cell);
        }
        self.count(scope, 1);
        if let (Scope::Uri(uri), true) = (scope, cell.is_denial()) {
            self.uri_denials.insert(UriDenial { uri: uri.clone(), cell });
        }
    }

    /// Tells the database that a scope is in of an entry there.
    fn insert_inside(&mut self, scope: &Scope, cell: &Cell) {
        let Some(database) = database_of(scope) else { return };
        let database = Scope::Database(database.clone());
        if let Some(node) = self.node_mut(hash_of_home(&database), &database) {
            node.inside.get_or_insert_default().insert(cell.into());
        }
    }

    /// The node of a scope, made where there is none.
    fn node_mut(&mut self, hash: u64, scope: &Scope) -> Option<&mut Node> {
        let is_it = |node: &Arc<Node>| is_home_of(&node.scope, scope);
        self.nodes.find_or_insert(hash, is_it, || Arc::new(Node::new(home(scope)))).map(Arc::make_mut)
    }

    /// Takes an entry out, and its node where that was its last.
    pub(crate) fn remove(&mut self, record: &Record) -> Option<(Scope, Cell)> {
        let key = (record.principal, record.id);
        let (scope, cell) = self.entry(record).map(|(scope, cell)| (scope, *cell))?;
        let hash = hash_of_home(&scope);
        let node = self.nodes.find_mut(hash, |node| is_home_of(&node.scope, &scope)).map(Arc::make_mut)?;
        if let Scope::Column { .. } = scope {
            let columns = node.columns.as_mut()?;
            columns.entries.remove(&key);
            if columns.entries.cells.is_empty() {
                node.columns = None;
            }
        } else {
            node.here.remove(&key);
        }
        if node.is_empty() {
            self.nodes.remove(hash, |node| is_home_of(&node.scope, &scope));
        }
        self.count(&scope, -1);
        if let Scope::Uri(uri) = &scope {
            self.uri_denials.remove(&(uri.clone(), cell.principal, cell.id));
        }
        if let Some(database) = database_of(&scope) {
            self.remove_inside(&Scope::Database(database.clone()), &key);
        }
        Some((scope, cell))
    }

    fn remove_inside(&mut self, database: &Scope, key: &<Inside as Keyed>::Key) {
        let hash = hash_of_home(database);
        let node = self.nodes.find_mut(hash, |node| node.scope == *database).map(Arc::make_mut);
        if let Some(node) = node {
            if let Some(inside) = &mut node.inside {
                inside.remove(key);
            }
            if node.is_empty() {
                self.nodes.remove(hash, |node| node.scope == *database);
            }
        }
    }

    fn count(&mut self, scope: &Scope, step: isize) {
        let count = match scope {
            Scope::Uri(_) => &mut self.uri_entries,
            Scope::Tag { .. } => &mut self.tag_entries,
            _ => return,
        };
        *count = count.saturating_add_signed(step);
    }

    /// The denials at places that an address may reach.
    pub(crate) fn denials_reached<'n>(&'n self, uri: &Uri, see: impl FnMut(&'n Cell)) {
        if self.uri_denials.is_empty() {
            return;
        }
        let outer = uri.literal_part();
        self.uri_denials
            .from(&(outer.clone(), 0, EntryId(0)))
            .take_while(|denial| denial.uri.key().starts_with(outer.key()))
            .filter(|denial| uri.may_reach(&denial.uri))
            .map(|denial| &denial.cell)
            .for_each(see);
    }

    /// The nodes at the places of a path from the deepest on, as far as there are any.
    pub(crate) fn path<'n>(&'n self, uri: &Uri, see: impl FnMut(&'n Node)) {
        if self.uri_entries == 0 {
            return;
        }
        uri.and_ancestors().filter_map(|place| self.uri(place)).for_each(see);
    }
}

impl From<&Cell> for Inside {
    fn from(cell: &Cell) -> Self {
        Self {
            id: cell.id,
            principal: cell.principal,
            privileges: cell.effective(),
            is_denial: cell.is_denial(),
            is_conditional: cell.is_conditional(),
            has_grant_option: cell.has_grant_option(),
        }
    }
}
