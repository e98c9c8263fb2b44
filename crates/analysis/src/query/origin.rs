//! The tables that a statement reaches, which of their columns it reads, and on which way.

use std::cell::{Cell, OnceCell};
use std::sync::Arc;

use guardbee_model::{Name, TableName};
use rustc_hash::FxHashMap;

use crate::catalog::{Column, Table};
use crate::context::{Context, dataset_kind};
use crate::effects::{
    Access, ColumnRead, DatasetKind, Object, Origin, PartitionValues, Purpose, Purposes, Read,
};
use crate::types::Type;

/// A table, view or unknown name, numbered within the statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct TableId(u32);

impl TableId {
    /// Stands for no table: the column is a number in the list of unresolved names.
    const NONE: Self = Self(u32::MAX);
}

/// A column by its table and its place in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct ColumnId {
    pub table: TableId,
    place: u32,
}

impl ColumnId {
    const WHOLE: u32 = u32::MAX;

    pub(super) const fn new(table: TableId, place: u32) -> Self {
        Self { table, place }
    }

    /// The table without saying which column.
    pub(super) const fn whole(table: TableId) -> Self {
        Self { table, place: Self::WHOLE }
    }

    pub(super) const fn is_whole(self) -> bool {
        self.place == Self::WHOLE
    }

    /// Is it known which table has the column?
    pub(super) fn has_table(self) -> bool {
        self.table != TableId::NONE
    }
}

/// A way through views, numbered within the statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct PathId(u32);

impl PathId {
    /// Through no view.
    pub(super) const DIRECT: Self = Self(0);
}

/// All tables of one statement.
#[derive(Debug, Default)]
pub(super) struct Origins<'c> {
    tables: Vec<OriginTable<'c>>,
    numbers: FxHashMap<TableName, TableId>,
    unresolved: Vec<(Name, Arc<[TableName]>)>,
    unresolved_numbers: FxHashMap<(Name, Arc<[TableName]>), u32>,
    /// For each path but the direct one its first view and the path behind it.
    paths: Vec<(TableId, PathId)>,
    path_numbers: FxHashMap<(TableId, PathId), PathId>,
    path_names: Vec<Option<Arc<[TableName]>>>,
    /// The views whose texts are being read, outermost first.
    views: Vec<TableId>,
}

#[derive(Debug)]
struct OriginTable<'c> {
    name: TableName,
    table: Option<&'c Arc<Table>>,
    /// Columns that the catalog does not list: virtual ones, and all of an unknown table.
    extra: Vec<(Name, Type)>,
    /// Their places, once they are many.
    extra_places: FxHashMap<Name, u32>,
    index: OnceCell<FxHashMap<&'c str, u32>>,
    /// How many names were compared so far: enough of them pay for an index.
    comparisons: Cell<usize>,
    direct: Option<ReadColumns>,
    through: Option<(PathId, ReadColumns)>,
    pins: Pins,
}

#[derive(Debug, Default)]
struct ReadColumns {
    marks: Vec<Option<Purposes>>,
}

/// The partitions that conditions leave over, of all places where the table is read.
#[derive(Debug, Default)]
enum Pins {
    #[default]
    Unread,
    Some(Vec<PartitionValues>),
    /// At least one place reads all partitions.
    All,
}

impl ReadColumns {
    fn mark(&mut self, place: u32, purposes: Purposes) {
        let place = place as usize;
        if self.marks.len() <= place {
            self.marks.resize(place + 1, None);
        }
        if let Some(mark) = self.marks.get_mut(place) {
            *mark = Some(mark.unwrap_or(Purposes::NONE).union(purposes));
        }
    }
}

impl<'c> Origins<'c> {
    /// The number of a table; it need not exist.
    pub(super) fn table(&mut self, context: &Context<'c>, name: TableName) -> TableId {
        const FEW: usize = 12;
        let known = if self.tables.len() <= FEW {
            self.tables.iter().position(|table| table.name == name).map(number)
        } else {
            if self.numbers.is_empty() {
                self.numbers = self
                    .tables
                    .iter()
                    .enumerate()
                    .map(|(id, table)| (table.name.clone(), number(id)))
                    .collect();
            }
            self.numbers.get(&name).copied()
        };
        if let Some(id) = known {
            return id;
        }
        let id = number(self.tables.len());
        if !self.numbers.is_empty() {
            self.numbers.insert(name.clone(), id);
        }
        let table = context.table(&name);
        self.tables.push(OriginTable {
            name,
            table,
            extra: Vec::new(),
            extra_places: FxHashMap::default(),
            index: OnceCell::new(),
            comparisons: Cell::new(0),
            direct: None,
            through: None,
            pins: Pins::Unread,
        });
        id
    }

    fn get(&self, id: TableId) -> Option<&OriginTable<'c>> {
        self.tables.get(id.0 as usize)
    }

    /// What the catalog has under this name.
    pub(super) fn definition(&self, id: TableId) -> Option<&'c Arc<Table>> {
        self.get(id).and_then(|table| table.table)
    }

    /// Are there columns that the catalog does not list?
    pub(super) fn is_open(&self, id: TableId) -> bool {
        self.definition(id).is_none_or(|table| table.columns.is_empty())
    }

    /// The columns in the names of the table's directories.
    pub(super) fn partition_columns(
        &self,
        id: TableId,
    ) -> impl Iterator<Item = (ColumnId, &'c Name)> + use<'c> {
        let table = self.definition(id);
        let first = table.map_or(0, |table| table.columns.len());
        let columns = table.map(|table| table.partition_columns.iter());
        columns
            .into_iter()
            .flatten()
            .enumerate()
            .map(move |(place, column)| (ColumnId::new(id, place_number(first + place)), &column.name))
    }

    pub(super) fn name(&self, id: TableId) -> Option<&TableName> {
        self.get(id).map(|table| &table.name)
    }

    /// The listed columns of a table in the order of `SELECT *`.
    pub(super) fn listed(&self, id: TableId) -> impl Iterator<Item = (ColumnId, &'c Column)> + use<'c> {
        let columns = self.definition(id).map(|table| table.all_columns());
        columns
            .into_iter()
            .flatten()
            .enumerate()
            .map(move |(place, column)| (ColumnId::new(id, place_number(place)), column))
    }

    /// The listed column of that name (in lower case).
    pub(super) fn find(&self, id: TableId, name: &str) -> Option<(ColumnId, &'c Column)> {
        const WORTH_AN_INDEX: usize = 400;
        let origin = self.get(id)?;
        let table = origin.table?;
        let width = table.columns.len() + table.partition_columns.len();
        let comparisons = origin.comparisons.get();
        let place = if comparisons < WORTH_AN_INDEX {
            origin.comparisons.set(comparisons + width);
            table.all_columns().position(|column| column.name.as_str() == name)?
        } else {
            let index = origin.index.get_or_init(|| {
                let mut index = FxHashMap::default();
                for (place, column) in table.all_columns().enumerate() {
                    index.entry(column.name.as_str()).or_insert(place_number(place));
                }
                index
            });
            *index.get(name)? as usize
        };
        let column = table.columns.get(place);
        let column = column.or_else(|| table.partition_columns.get(place - table.columns.len()))?;
        Some((ColumnId::new(id, place_number(place)), column))
    }

    /// A column that the catalog does not list: a virtual one, or one of an unknown table.
    pub(super) fn extra(&mut self, id: TableId, name: &Name, data_type: &Type) -> ColumnId {
        let Some(origin) = self.tables.get_mut(id.0 as usize) else { return ColumnId::whole(id) };
        let listed = origin.table.map_or(0, |table| table.columns.len() + table.partition_columns.len());
        let place = origin.extra_place(name).unwrap_or_else(|| origin.add_extra(name, data_type));
        ColumnId::new(id, place_number(listed).saturating_add(place))
    }

    /// A name that one of `candidates` has, if they are all there is.
    pub(super) fn unresolved(&mut self, column: Name, candidates: Arc<[TableName]>) -> ColumnId {
        let key = (column, candidates);
        if let Some(place) = self.unresolved_numbers.get(&key) {
            return ColumnId::new(TableId::NONE, *place);
        }
        let place = place_number(self.unresolved.len());
        self.unresolved.push(key.clone());
        self.unresolved_numbers.insert(key, place);
        ColumnId::new(TableId::NONE, place)
    }

    pub(super) fn column_type(&self, column: ColumnId) -> Type {
        let place = column.place as usize;
        let Some(origin) = self.get(column.table) else { return Type::Unknown };
        let listed = origin.table.map_or(0, |table| table.columns.len() + table.partition_columns.len());
        let data_type = match origin.table {
            Some(table) if place < listed => {
                let column = table.columns.get(place);
                let column = column.or_else(|| table.partition_columns.get(place - table.columns.len()));
                column.map(|column| &column.data_type)
            }
            _ => place.checked_sub(listed).and_then(|extra| origin.extra.get(extra)).map(|(_, of)| of),
        };
        data_type.cloned().unwrap_or(Type::Unknown)
    }

    /// Notes that a table is read here, whichever of its columns.
    pub(super) fn touch_table(&mut self, id: TableId) {
        let is_direct = self.views.is_empty();
        self.read_columns(id, is_direct);
    }

    /// Notes that a column is read here; what for is said by [`Self::mark`] once that is known.
    pub(super) fn touch(&mut self, column: ColumnId) {
        if !column.is_whole() {
            let is_direct = self.views.is_empty();
            if let Some(columns) = self.read_columns(column.table, is_direct) {
                columns.mark(column.place, Purposes::NONE);
            }
        }
    }

    /// What a column is read for, on whichever way.
    pub(super) fn purposes(&self, column: ColumnId) -> Purposes {
        let Some(origin) = self.get(column.table) else { return Purposes::NONE };
        let columns = [origin.direct.as_ref(), origin.through.as_ref().map(|(_, columns)| columns)];
        let marks =
            columns.into_iter().flatten().filter_map(|columns| columns.marks.get(column.place as usize));
        marks.flatten().fold(Purposes::NONE, |all, purposes| all.union(*purposes))
    }

    /// Notes what a column is read for inside a view.
    pub(super) fn mark_through(&mut self, column: ColumnId, purpose: Purpose) {
        let origin = self.tables.get_mut(column.table.0 as usize);
        if let Some((_, columns)) = origin.and_then(|origin| origin.through.as_mut()) {
            columns.mark(column.place, Purposes::of(purpose));
        }
    }

    /// Notes what a column is read for.
    pub(super) fn mark(&mut self, column: ColumnId, path: PathId, purpose: Purpose) {
        if column.is_whole() {
            return;
        }
        let is_direct = path == PathId::DIRECT;
        let Some(origin) = self.tables.get_mut(column.table.0 as usize) else { return };
        let columns = match (&mut origin.direct, &mut origin.through) {
            (Some(columns), _) if is_direct => columns,
            (_, Some((_, columns))) => columns,
            (Some(columns), None) => columns,
            (None, None) => return,
        };
        columns.mark(column.place, Purposes::of(purpose));
    }

    fn read_columns(&mut self, id: TableId, is_direct: bool) -> Option<&mut ReadColumns> {
        if is_direct {
            let origin = self.tables.get_mut(id.0 as usize)?;
            return Some(origin.direct.get_or_insert_default());
        }
        if self.tables.get(id.0 as usize)?.through.is_none() {
            let views = std::mem::take(&mut self.views);
            let path = self.path_of(&views);
            self.views = views;
            self.tables.get_mut(id.0 as usize)?.through = Some((path, ReadColumns::default()));
        }
        let (_, columns) = self.tables.get_mut(id.0 as usize)?.through.as_mut()?;
        Some(columns)
    }

    /// From here on a view's text is read.
    pub(super) fn enter_view(&mut self, view: TableId) {
        self.views.push(view);
    }

    pub(super) fn leave_view(&mut self) {
        self.views.pop();
    }

    pub(super) fn is_inside_views(&self) -> bool {
        !self.views.is_empty()
    }

    /// The path that leads through `view` first.
    pub(super) fn prefixed(&mut self, view: TableId, path: PathId) -> PathId {
        if let Some(known) = self.path_numbers.get(&(view, path)) {
            return *known;
        }
        self.paths.push((view, path));
        let id = PathId(place_number(self.paths.len()));
        self.path_numbers.insert((view, path), id);
        id
    }

    /// The path through these views, outermost first.
    pub(super) fn path_of(&mut self, views: &[TableId]) -> PathId {
        views.iter().rev().fold(PathId::DIRECT, |path, view| self.prefixed(*view, path))
    }

    /// The views of a path by name.
    pub(super) fn path_names(&mut self, path: PathId) -> Arc<[TableName]> {
        if path == PathId::DIRECT {
            return Arc::default();
        }
        let place = path.0 as usize;
        if let Some(Some(names)) = self.path_names.get(place) {
            return names.clone();
        }
        let mut names = Vec::new();
        let mut rest = path;
        while let Some((view, next)) =
            (rest.0 as usize).checked_sub(1).and_then(|place| self.paths.get(place))
        {
            names.extend(self.name(*view).cloned());
            rest = *next;
        }
        let names: Arc<[TableName]> = names.into();
        if self.path_names.len() <= place {
            self.path_names.resize(place + 1, None);
        }
        if let Some(slot) = self.path_names.get_mut(place) {
            *slot = Some(names.clone());
        }
        names
    }

    /// One place reads a table: those partitions that its conditions leave over, or all.
    pub(super) fn pin(&mut self, id: TableId, partition: PartitionValues) {
        let Some(origin) = self.tables.get_mut(id.0 as usize) else { return };
        match &mut origin.pins {
            pins if partition.is_empty() => *pins = Pins::All,
            Pins::All => {}
            pins @ Pins::Unread => *pins = Pins::Some(vec![partition]),
            Pins::Some(partitions) => {
                if !partitions.contains(&partition) {
                    partitions.push(partition);
                }
            }
        }
    }

    /// The column as the rest of Guardbee names it.
    pub(super) fn origin(&self, column: ColumnId) -> Option<Origin> {
        if column.table == TableId::NONE {
            let (name, candidates) = self.unresolved.get(column.place as usize)?;
            return Some(Origin::Unresolved { column: name.clone(), candidates: candidates.clone() });
        }
        let origin = self.get(column.table)?;
        if column.is_whole() {
            return Some(Origin::WholeTable(origin.name.clone()));
        }
        let column = origin.column_name(column.place)?.clone();
        Some(Origin::Column { table: origin.name.clone(), column })
    }

    /// Everything that was read.
    pub(super) fn reads(&mut self) -> Vec<Read> {
        let mut reads = Vec::with_capacity(self.tables.len());
        let mut tables = std::mem::take(&mut self.tables);
        let mut through = Vec::new();
        for origin in &mut tables {
            let partitions = match std::mem::take(&mut origin.pins) {
                Pins::Some(partitions) => partitions,
                Pins::Unread | Pins::All => Vec::new(),
            };
            reads.extend(origin.direct.as_ref().map(|columns| origin.read(columns, partitions.clone())));
            if let Some((path, columns)) = &origin.through {
                through.push((reads.len(), *path));
                reads.push(origin.read(columns, partitions));
            }
        }
        self.tables = tables;
        for (place, path) in through {
            let access = Access::Through(self.path_names(path));
            if let Some(read) = reads.get_mut(place) {
                read.access = access;
            }
        }
        reads
    }
}

impl OriginTable<'_> {
    /// So many columns are looked up faster than searched.
    const MANY_EXTRA: usize = 16;

    fn extra_place(&self, name: &Name) -> Option<u32> {
        if self.extra.len() < Self::MANY_EXTRA {
            return self.extra.iter().position(|(known, _)| known == name).map(place_number);
        }
        self.extra_places.get(name).copied()
    }

    fn add_extra(&mut self, name: &Name, data_type: &Type) -> u32 {
        self.extra.push((name.clone(), data_type.clone()));
        if self.extra.len() >= Self::MANY_EXTRA {
            let missing = self.extra_places.len();
            for (place, (name, _)) in self.extra.iter().enumerate().skip(missing) {
                self.extra_places.insert(name.clone(), place_number(place));
            }
        }
        place_number(self.extra.len() - 1)
    }

    fn column_name(&self, place: u32) -> Option<&Name> {
        let place = place as usize;
        let listed = self.table.map_or(0, |table| table.columns.len() + table.partition_columns.len());
        if place >= listed {
            return self.extra.get(place - listed).map(|(name, _)| name);
        }
        let table = self.table?;
        let column = table.columns.get(place);
        column.or_else(|| table.partition_columns.get(place - table.columns.len())).map(|column| &column.name)
    }

    fn read(&self, columns: &ReadColumns, partitions: Vec<PartitionValues>) -> Read {
        let read = |(place, mark): (usize, &Option<Purposes>)| {
            let name = self.column_name(place_number(place))?.clone();
            Some(ColumnRead { name, purposes: (*mark)? })
        };
        let mut named = Vec::with_capacity(columns.marks.iter().flatten().count());
        named.extend(columns.marks.iter().enumerate().filter_map(read));
        Read {
            object: Object::Table(self.name.clone()),
            kind: self.table.map_or(DatasetKind::Unknown, |table| dataset_kind(table)),
            access: Access::Direct,
            columns: named,
            partitions,
        }
    }
}

fn number(id: usize) -> TableId {
    TableId(place_number(id))
}

fn place_number(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX - 1)
}
