//! What the columns of a target are made of.

use std::collections::HashMap;

use guardbee_analysis::effects::{
    self, DerivationKind, FunctionOrigin, FunctionUse, Influence as Decides, Masking, Origin, Purpose, Source,
};
use guardbee_analysis::functions;
use guardbee_lineage::{ColumnSource, DatasetName, Derivation, EdgeKind, Influence, Target, TargetColumn};
use guardbee_model::{HiveVersion, Name};

use crate::tags::called_as_a_whole;

use super::names::Names;

/// The name that stands for all columns where nobody knows them.
const ALL_COLUMNS: &str = "*";

/// Adds what a target of the effects says to a target of the run.
pub(super) fn add(target: &mut Target, names: &Names<'_>, of: &effects::Target) {
    let mut made = Vec::with_capacity(of.columns.len());
    for column in &of.columns {
        let mut whole = Vec::new();
        let sources = sources(names, &column.sources, &mut whole);
        let influences = influences(names, &column.influences, &mut whole);
        if column.name.as_str() == ALL_COLUMNS {
            whole.extend(sources.into_iter().map(|source| source.dataset));
            add_new(&mut target.influences, influences);
        } else {
            made.push(TargetColumn {
                name: column.name.clone(),
                expression: column.expression.clone().filter(|expression| !hides_built_in(names, expression)),
                derivation: derivation(column.kind),
                sources,
                influences,
            });
        }
        whole.into_iter().for_each(|dataset| add_whole(target, dataset));
    }
    let mut whole = Vec::new();
    let influences = influences(names, &of.influences, &mut whole);
    add_new(&mut target.influences, influences);
    whole.into_iter().for_each(|dataset| add_whole(target, dataset));
    add_columns(&mut target.columns, made);
}

/// Is it a call of a session's own function under the name of a built-in one? Whoever reads that later could not tell
/// them apart, and tags may end at the built-in one.
fn hides_built_in(names: &Names<'_>, expression: &str) -> bool {
    let is_of_session = |called: &&FunctionUse| {
        called.function.database.is_none()
            && matches!(called.origin, FunctionOrigin::User | FunctionOrigin::Macro)
    };
    let mut own = names.effects.functions.iter().filter(is_of_session).peekable();
    if own.peek().is_none() {
        return false;
    }
    let Some((None, name)) = called_as_a_whole(expression) else { return false };
    own.any(|called| called.function.name == name)
        && HiveVersion::ALL.iter().any(|version| functions::built_in(&name, *version).is_some())
}

/// A column that several branches write is made of what each of them says.
fn add_columns(columns: &mut Vec<TargetColumn>, made: Vec<TargetColumn>) {
    if columns.is_empty() {
        *columns = made;
        return;
    }
    let places: HashMap<Name, usize> =
        columns.iter().enumerate().map(|(place, column)| (column.name.clone(), place)).collect();
    for column in made {
        match places.get(&column.name).and_then(|place| columns.get_mut(*place)) {
            Some(known) => {
                known.expression = known.expression.take().or(column.expression);
                known.derivation = known.derivation.max(column.derivation);
                add_new(&mut known.sources, column.sources);
                add_new(&mut known.influences, column.influences);
            }
            None => columns.push(column),
        }
    }
}

fn add_new<T: PartialEq>(known: &mut Vec<T>, new: Vec<T>) {
    if known.is_empty() {
        *known = new;
        return;
    }
    for item in new {
        if !known.contains(&item) {
            known.push(item);
        }
    }
}

/// Columns that go from one dataset to another as they are.
pub(super) fn identity(from: &DatasetName, columns: impl Iterator<Item = Name>) -> Vec<TargetColumn> {
    let copied = |name: Name| TargetColumn {
        name: name.clone(),
        expression: None,
        derivation: Derivation::Simple,
        sources: vec![ColumnSource {
            dataset: from.clone(),
            column: name,
            kind: EdgeKind::Identity,
            masked: false,
            unresolved: false,
            through: [].into(),
        }],
        influences: Vec::new(),
    };
    columns.map(copied).collect()
}

pub(super) fn add_whole(target: &mut Target, dataset: DatasetName) {
    if !target.whole.contains(&dataset) {
        target.whole.push(dataset);
    }
}

/// A column that may be any of several tables' is one of each, marked.
fn sources(names: &Names<'_>, sources: &[Source], whole: &mut Vec<DatasetName>) -> Vec<ColumnSource> {
    let mut found = Vec::with_capacity(sources.len());
    for source in sources {
        let made = |dataset: DatasetName, column: &Name, unresolved: bool| ColumnSource {
            dataset,
            column: column.clone(),
            kind: direct(source.derivation),
            masked: source.masking == Masking::Masked,
            unresolved,
            through: source.through.clone(),
        };
        match &source.origin {
            Origin::WholeTable(table) => {
                whole.push(names.found(table));
                whole.extend(source.through.iter().map(|view| names.found(view)));
            }
            origin => found.extend(
                columns(names, origin)
                    .into_iter()
                    .map(|(dataset, column, is_unresolved)| made(dataset, column, is_unresolved)),
            ),
        }
    }
    found
}

fn influences(names: &Names<'_>, influences: &[Decides], whole: &mut Vec<DatasetName>) -> Vec<Influence> {
    let mut found = Vec::with_capacity(influences.len());
    for influence in influences {
        let Some(kind) = indirect(influence.purpose) else { continue };
        if let Origin::WholeTable(table) = &influence.origin {
            whole.push(names.found(table));
            whole.extend(influence.through.iter().map(|view| names.found(view)));
            continue;
        }
        found.extend(columns(names, &influence.origin).into_iter().map(|(dataset, column, unresolved)| {
            Influence {
                dataset,
                column: column.clone(),
                kind,
                masked: influence.masking == Masking::Masked,
                unresolved,
                through: influence.through.clone(),
            }
        }));
    }
    found
}

/// The columns that an origin may be, and whether nobody knows which.
fn columns<'o>(names: &Names<'_>, origin: &'o Origin) -> Vec<(DatasetName, &'o Name, bool)> {
    match origin {
        Origin::Column { table, column } => vec![(names.found(table), column, false)],
        Origin::FileColumn { path, column } => vec![(names.file(path), column, false)],
        Origin::WholeTable(_) => Vec::new(),
        Origin::Unresolved { column, candidates } => {
            candidates.iter().map(|table| (names.found(table), column, true)).collect()
        }
    }
}

const fn derivation(kind: DerivationKind) -> Derivation {
    match kind {
        DerivationKind::Simple => Derivation::Simple,
        DerivationKind::Expression => Derivation::Expression,
        DerivationKind::Script => Derivation::Script,
    }
}

const fn direct(derivation: effects::Derivation) -> EdgeKind {
    match derivation {
        effects::Derivation::Identity => EdgeKind::Identity,
        effects::Derivation::Transformation => EdgeKind::Transformation,
        effects::Derivation::Aggregation => EdgeKind::Aggregation,
    }
}

const fn indirect(purpose: Purpose) -> Option<EdgeKind> {
    Some(match purpose {
        Purpose::Select => return None,
        Purpose::Filter => EdgeKind::Filter,
        Purpose::Join => EdgeKind::Join,
        Purpose::GroupBy => EdgeKind::GroupBy,
        Purpose::Sort => EdgeKind::Sort,
        Purpose::Window => EdgeKind::Window,
        Purpose::Conditional => EdgeKind::Conditional,
    })
}
