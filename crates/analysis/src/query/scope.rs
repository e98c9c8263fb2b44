//! What names mean inside one SELECT: the relations of its FROM clause, and those of the queries around it.

use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use guardbee_hiveql::tree::{Expression, JoinKind};
use guardbee_model::{Name, Span, TableName};
use rustc_hash::FxHashMap;

use super::flow::{Kind, Presence, RowsId, Set, Value};
use super::origin::{ColumnId, Origins, TableId};

/// One column that a query gives.
#[derive(Debug, Clone)]
pub(super) struct OutputColumn {
    pub name: Name,
    pub value: Value,
    /// The expression's place in the text; empty where the column is no more than a column.
    pub expression: Span,
}

/// What a query gives.
#[derive(Debug, Clone)]
pub(super) struct Rows {
    pub columns: Rc<Vec<OutputColumn>>,
    /// Unknown tables whose columns are all among these rows, too: `*` of a table that the catalog lacks.
    pub open: Vec<TableId>,
    pub influences: RowsId,
    pub origin: RowsOrigin,
}

/// What rows are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RowsOrigin {
    /// There is no FROM.
    Nothing,
    Relations,
}

/// One thing in FROM.
#[derive(Debug, Clone)]
pub(super) struct Relation {
    pub alias: Name,
    /// The database, where the alias is the table's own name.
    pub database: Option<Name>,
    pub content: Content,
    pub visibility: Visibility,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Visibility {
    Visible,
    /// The right side of a semi join: only its own condition sees it.
    Hidden,
}

#[derive(Debug, Clone)]
pub(super) enum Content {
    /// A table, materialized view, or a name that the catalog lacks.
    Table(TableId),
    /// A view: the columns are those of its text, seen from inside.
    View { view: TableId, columns: Rc<Vec<OutputColumn>>, open: Vec<TableId> },
    /// A subquery or anything else that makes columns of its own.
    Columns { columns: Rc<Vec<OutputColumn>>, open: Vec<TableId> },
}

impl Relation {
    pub(super) fn columns(alias: Name, columns: Rc<Vec<OutputColumn>>, open: Vec<TableId>) -> Self {
        Self {
            alias,
            database: None,
            content: Content::Columns { columns, open },
            visibility: Visibility::Visible,
        }
    }

    const fn table(&self) -> Option<TableId> {
        match self.content {
            Content::Table(table) | Content::View { view: table, .. } => Some(table),
            Content::Columns { .. } => None,
        }
    }

    fn is_visible(&self) -> bool {
        self.visibility == Visibility::Visible
    }
}

/// A column of a relation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Slot {
    Base(ColumnId),
    Output(u32),
}

/// What a name was found to be.
#[derive(Debug, Clone)]
pub(super) enum Found<'s> {
    Column {
        scope: &'s Scope<'s>,
        relation: usize,
        slot: Slot,
    },
    /// The first of several columns of that name in one relation.
    Doubled {
        scope: &'s Scope<'s>,
        relation: usize,
        slot: Slot,
    },
    /// A column that USING made one.
    Merged(&'s Merged),
    /// A column of this table, though its columns are not known.
    Open(TableId),
    /// One of these tables has it.
    Unplaced(Candidates),
    Ambiguous,
    Missing,
}

/// Tables of which one may have a column.
#[derive(Debug, Clone)]
pub(super) struct Candidates {
    pub tables: Arc<[TableName]>,
    pub extent: Extent,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    All,
    /// There are more than are named.
    First,
}

impl Candidates {
    /// A column of one among thousands of tables would take as many names, and thousands of such columns
    /// their square.
    pub(super) const MOST: usize = crate::effects::MOST_CANDIDATES;

    /// Names the first of some tables, in the order in which the statement first names them.
    fn of(origins: &Origins<'_>, tables: impl Iterator<Item = TableId>) -> Self {
        let mut found: Vec<TableId> = Vec::new();
        for table in tables {
            if !found.contains(&table) {
                if found.len() == Self::MOST {
                    return Self { tables: names(origins, found), extent: Extent::First };
                }
                found.push(table);
            }
        }
        found.sort_unstable();
        Self { tables: names(origins, found), extent: Extent::All }
    }
}

/// A column of a join with USING.
#[derive(Debug, Clone)]
pub(super) struct Merged {
    pub name: Name,
    pub value: Value,
    /// The columns that it stands for, by relation and name.
    pub parts: Vec<(usize, Slot)>,
}

/// The tables that rows come from, each as a whole, and whether a script is among what makes the rows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Whole {
    pub sources: Set,
    pub kind: Kind,
}

/// The condition of a join.
#[derive(Debug, Clone, Copy)]
pub(super) struct JoinedOn<'s> {
    pub kind: JoinKind,
    pub condition: &'s Expression<'s>,
    /// How many relations are left of the join.
    pub left: usize,
}

/// How many queries read a FROM clause. What they read is optimized for them all: conditions of one of them
/// pin nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Readers {
    #[default]
    One,
    Several,
}

/// The names that one SELECT sees.
#[derive(Debug, Default)]
pub(super) struct Scope<'s> {
    pub relations: Vec<Relation>,
    pub merged: Vec<Merged>,
    /// The query around, for correlated names.
    pub outer: Option<&'s Scope<'s>>,
    /// What decides about the rows of the relations.
    pub parts: Vec<RowsId>,
    pub conditions: Vec<JoinedOn<'s>>,
    /// The place of the first lateral view. Hive lets conditions on what stands before it work there, where
    /// they pin nothing here.
    pub first_lateral: Option<usize>,
    /// Columns of which conditions leave one value only, in order.
    pub pinned: Vec<(usize, Slot)>,
    /// What conditions say about NULL in columns, in order.
    pub presence: Vec<((usize, Slot), Presence)>,
    /// The relations that outer joins put NULL into.
    pub padded: Vec<Range<usize>>,
    pub readers: Readers,
    /// What `COUNT(*)` counts, once somebody asked.
    pub whole: Cell<Option<Whole>>,
    index: RefCell<Index>,
}

/// Built where a scope is so wide that searching costs more.
#[derive(Debug, Default)]
struct Index {
    comparisons: usize,
    relations: usize,
    columns: FxHashMap<Name, Vec<(u32, Slot)>>,
    names: Names,
    open: Open,
}

/// The first relation of each name.
#[derive(Debug, Default)]
struct Names {
    relations: usize,
    first: FxHashMap<Name, u32>,
}

/// The relations that have columns of unknown tables.
#[derive(Debug, Default)]
struct Open {
    relations: usize,
    tables: Vec<(u32, TableId)>,
    /// The tables that a name that no relation lists may belong to, once somebody asked.
    candidates: Option<Rc<OpenTables>>,
}

/// Those of the visible relations.
#[derive(Debug)]
enum OpenTables {
    None,
    One(TableId),
    Several(Candidates),
}

const WORTH_AN_INDEX: usize = 600;
/// So few relations are searched faster by their names than looked up.
const FEW_RELATIONS: usize = 8;

impl<'s> Scope<'s> {
    pub(super) fn inside(outer: Option<&'s Self>) -> Self {
        Self { outer, ..Self::default() }
    }

    /// A scope of nothing but these relations.
    pub(super) fn of(relations: Vec<Relation>) -> Self {
        Self { relations, ..Self::default() }
    }

    /// A scope with the same relations that can get more.
    pub(super) fn extended(&self) -> Self {
        Self {
            relations: self.relations.clone(),
            merged: self.merged.clone(),
            outer: self.outer,
            parts: self.parts.clone(),
            conditions: self.conditions.clone(),
            first_lateral: self.first_lateral,
            readers: self.readers,
            ..Self::default()
        }
    }

    /// Finds a column by its bare name (in lower case), here or in the queries around.
    pub(super) fn column(&'s self, origins: &Origins<'_>, name: &str) -> Found<'s> {
        let mut scope = Some(self);
        while let Some(current) = scope {
            match current.own_column(origins, name) {
                Found::Missing => scope = current.outer,
                found => return found,
            }
        }
        Found::Missing
    }

    /// Finds the relation of that name here or around.
    pub(super) fn relation(&'s self, database: Option<&str>, alias: &str) -> Option<(&'s Self, usize)> {
        let mut scope = Some(self);
        while let Some(current) = scope {
            if let Some(relation) = current.own_relation(database, alias) {
                return Some((current, relation));
            }
            scope = current.outer;
        }
        None
    }

    /// Finds a column of one relation.
    pub(super) fn column_of(&'s self, origins: &Origins<'_>, relation: usize, name: &str) -> Found<'s> {
        let Some(content) = self.relations.get(relation).map(|relation| &relation.content) else {
            return Found::Missing;
        };
        if let Some((slot, uniqueness)) = self.slot(origins, relation, content, name) {
            return match uniqueness {
                Uniqueness::Only => Found::Column { scope: self, relation, slot },
                Uniqueness::FirstOfSeveral => Found::Doubled { scope: self, relation, slot },
            };
        }
        match content {
            Content::Table(table) if origins.is_open(*table) => Found::Open(*table),
            Content::Table(_) => Found::Missing,
            Content::View { open, .. } | Content::Columns { open, .. } => match open.as_slice() {
                [] => Found::Missing,
                [only] => Found::Open(*only),
                several => Found::Unplaced(Candidates::of(origins, several.iter().copied())),
            },
        }
    }

    /// The tables in sight, by name.
    pub(super) fn tables(&self, origins: &Origins<'_>) -> Candidates {
        Candidates::of(origins, self.relations.iter().filter_map(Relation::table))
    }

    /// The table that a relation is, by name; nothing where it is a query.
    pub(super) fn table_of(&self, origins: &Origins<'_>, relation: usize) -> Candidates {
        Candidates::of(origins, self.relations.get(relation).and_then(Relation::table).into_iter())
    }

    /// The tables whose columns nobody knows, among the relations or inside of them.
    fn open_tables(&self, origins: &Origins<'_>) -> Rc<OpenTables> {
        let Open { relations: known, tables, candidates } = &mut self.index.borrow_mut().open;
        if *known < self.relations.len() {
            *candidates = None;
        }
        if let Some(candidates) = candidates {
            return candidates.clone();
        }
        for (place, relation) in self.relations.iter().enumerate().skip(*known) {
            match &relation.content {
                Content::Table(table) if origins.is_open(*table) => tables.push((number(place), *table)),
                Content::Table(_) => {}
                Content::View { open: inner, .. } | Content::Columns { open: inner, .. } => {
                    tables.extend(inner.iter().map(|table| (number(place), *table)));
                }
            }
        }
        *known = self.relations.len();
        let visible = tables.iter().filter(|(relation, _)| self.is_visible(*relation as usize));
        let mut visible = visible.map(|(_, table)| *table);
        let open = match visible.next() {
            None => OpenTables::None,
            Some(first) => match visible.find(|table| *table != first) {
                None => OpenTables::One(first),
                Some(second) => {
                    OpenTables::Several(Candidates::of(origins, [first, second].into_iter().chain(visible)))
                }
            },
        };
        candidates.insert(Rc::new(open)).clone()
    }

    /// Do conditions leave one value of a column only?
    pub(super) fn is_pinned(&self, relation: usize, slot: Slot) -> bool {
        self.pinned.binary_search(&(relation, slot)).is_ok()
    }

    /// May a column of a relation be NULL, which inside of the relation is or is not so?
    pub(super) fn presence(&self, relation: usize, slot: Slot, inside: Presence) -> Presence {
        if self.presence.is_empty() && self.padded.is_empty() {
            return inside;
        }
        match self.presence.binary_search_by_key(&(relation, slot), |(place, _)| *place) {
            Ok(known) => self.presence.get(known).map_or(Presence::Unsure, |(_, presence)| *presence),
            Err(_) if self.padded.iter().any(|padded| padded.contains(&relation)) => Presence::Unsure,
            Err(_) => inside,
        }
    }

    /// From here on only the condition of its own join sees the relations from a place on.
    pub(super) fn hide_from(&mut self, place: usize) {
        for relation in self.relations.iter_mut().skip(place) {
            relation.visibility = Visibility::Hidden;
        }
        self.index.get_mut().open.candidates = None;
    }

    pub(super) fn own_column(&'s self, origins: &Origins<'_>, name: &str) -> Found<'s> {
        if let Some(merged) = self.merged.iter().find(|merged| merged.name.as_str() == name) {
            return Found::Merged(merged);
        }
        match self.hits(origins, name) {
            [Some((relation, slot)), None] => Found::Column { scope: self, relation, slot },
            [Some((relation, slot)), Some((other, _))] if relation == other => {
                Found::Doubled { scope: self, relation, slot }
            }
            [_, Some(_)] => Found::Ambiguous,
            [None, None] => match &*self.open_tables(origins) {
                OpenTables::None => Found::Missing,
                OpenTables::One(only) => Found::Open(*only),
                OpenTables::Several(candidates) => Found::Unplaced(candidates.clone()),
            },
        }
    }

    /// The first visible columns of that name: more than one is too many.
    fn hits(&self, origins: &Origins<'_>, name: &str) -> [Option<(usize, Slot)>; 2] {
        if self.is_indexed(origins) {
            let index = self.index.borrow();
            let hits = index.columns.get(name).map_or(&[][..], Vec::as_slice);
            let visible = hits.iter().map(|(relation, slot)| (*relation as usize, *slot));
            let mut visible = visible.filter(|(relation, _)| self.is_visible(*relation));
            return [visible.next(), visible.next()];
        }
        let mut hits = [None, None];
        for (number, relation) in
            self.relations.iter().enumerate().filter(|(_, relation)| relation.is_visible())
        {
            self.find_all(origins, &relation.content, name, |slot| match &mut hits {
                [first @ None, _] => *first = Some((number, slot)),
                [_, second] => *second = Some((number, slot)),
            });
            if let [_, Some(_)] = hits {
                break;
            }
        }
        hits
    }

    fn is_visible(&self, relation: usize) -> bool {
        self.relations.get(relation).is_some_and(Relation::is_visible)
    }

    fn find_all(&self, origins: &Origins<'_>, content: &Content, name: &str, mut hit: impl FnMut(Slot)) {
        match content {
            Content::Table(table) => {
                if let Some((column, _)) = origins.find(*table, name) {
                    hit(Slot::Base(column));
                }
            }
            Content::View { columns, .. } | Content::Columns { columns, .. } => {
                self.index.borrow_mut().comparisons += columns.len();
                for (place, _) in
                    columns.iter().enumerate().filter(|(_, column)| column.name.as_str() == name)
                {
                    hit(Slot::Output(number(place)));
                }
            }
        }
    }

    fn slot(
        &self,
        origins: &Origins<'_>,
        relation: usize,
        content: &Content,
        name: &str,
    ) -> Option<(Slot, Uniqueness)> {
        let columns = match content {
            Content::Table(table) => {
                let found = origins.find(*table, name);
                return found.map(|(column, _)| (Slot::Base(column), Uniqueness::Only));
            }
            Content::View { columns, .. } | Content::Columns { columns, .. } => columns,
        };
        if self.is_indexed(origins) {
            let index = self.index.borrow();
            let hits = index.columns.get(name)?;
            let first = hits.partition_point(|(owner, _)| (*owner as usize) < relation);
            let own = hits.iter().skip(first).take_while(|(owner, _)| *owner as usize == relation);
            return first_of(own.map(|(_, slot)| *slot));
        }
        self.index.borrow_mut().comparisons += columns.len();
        let named = columns.iter().enumerate().filter(|(_, column)| column.name.as_str() == name);
        first_of(named.map(|(place, _)| Slot::Output(number(place))))
    }

    pub(super) fn own_relation(&self, database: Option<&str>, alias: &str) -> Option<usize> {
        let fits = |relation: &Relation| {
            relation.alias.as_str() == alias
                && database.is_none_or(|database| relation.database.as_deref() == Some(database))
                && relation.is_visible()
        };
        if self.relations.len() <= FEW_RELATIONS {
            return self.relations.iter().position(fits);
        }
        let place = self.first_called(alias)?;
        if self.relations.get(place).is_some_and(fits) {
            return Some(place);
        }
        self.relations.iter().position(fits)
    }

    /// The first relation of that name, by an index that grows with the relations.
    fn first_called(&self, alias: &str) -> Option<usize> {
        let Names { relations: known, first } = &mut self.index.borrow_mut().names;
        for (place, relation) in self.relations.iter().enumerate().skip(*known) {
            first.entry(relation.alias.clone()).or_insert(number(place));
        }
        *known = self.relations.len();
        first.get(alias).map(|place| *place as usize)
    }

    /// Builds or extends the index where searching has become dear.
    fn is_indexed(&self, origins: &Origins<'_>) -> bool {
        let mut index = self.index.borrow_mut();
        index.comparisons += self.relations.len();
        if index.comparisons < WORTH_AN_INDEX {
            return false;
        }
        let Index { relations: known, columns: map, .. } = &mut *index;
        for (place, relation) in self.relations.iter().enumerate().skip(*known) {
            let owner = number(place);
            match &relation.content {
                Content::Table(table) => {
                    for (id, column) in origins.listed(*table) {
                        map.entry(column.name.clone()).or_default().push((owner, Slot::Base(id)));
                    }
                }
                Content::View { columns, .. } | Content::Columns { columns, .. } => {
                    for (place, column) in columns.iter().enumerate() {
                        map.entry(column.name.clone())
                            .or_default()
                            .push((owner, Slot::Output(number(place))));
                    }
                }
            }
        }
        *known = self.relations.len();
        true
    }
}

/// Is a column the only one of its name in its relation?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Uniqueness {
    Only,
    FirstOfSeveral,
}

fn first_of(mut slots: impl Iterator<Item = Slot>) -> Option<(Slot, Uniqueness)> {
    let first = slots.next()?;
    let uniqueness = if slots.next().is_none() { Uniqueness::Only } else { Uniqueness::FirstOfSeveral };
    Some((first, uniqueness))
}

fn names(origins: &Origins<'_>, tables: Vec<TableId>) -> Arc<[TableName]> {
    tables.into_iter().filter_map(|table| origins.name(table).cloned()).collect()
}

fn number(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}
