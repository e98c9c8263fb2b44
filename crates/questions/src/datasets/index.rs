//! The index that datasets are found by, kept in step with catalog and graph.
//!
//! It is made at the first search, and takes over what has changed before each further one. Most datasets stand in a large
//! part that is made seldom, those that changed since in a small one that is made anew each time.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use guardbee_analysis::Catalog;
use guardbee_lineage::{DatasetName, Graph, Mentions};
use rustc_hash::FxBuildHasher;

use super::segment::{Entry, Segment, better};
use super::term::{Rank, Term};
use super::warehouse::{Known, is_searched};

/// The small part holds so many, and one for so many of the large one.
const FRESH: usize = 1000;
const FRESH_SHARE: usize = 16;

type Names = HashSet<DatasetName, FxBuildHasher>;

/// Datasets by their words. It belongs to one catalog and one graph, as they change.
#[derive(Debug, Default)]
pub struct DatasetIndex {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    catalog: Option<Arc<Catalog>>,
    mentions: Mentions,
    /// What has changed since the large part was made.
    changed: Names,
    current: Arc<Searchable>,
}

/// All datasets as of one moment.
#[derive(Debug, Default)]
pub struct Searchable {
    settled: Arc<Segment>,
    fresh: Segment,
    /// What of the large part stands in the small one, or nowhere any more.
    replaced: HashSet<u32, FxBuildHasher>,
}

impl DatasetIndex {
    /// The index as of a catalog and a graph.
    pub(crate) fn at(&self, catalog: &Arc<Catalog>, graph: &Graph) -> Arc<Searchable> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let known = Known { catalog, graph };
        let mut names: Vec<DatasetName> = match &state.catalog {
            None => known.catalogued().collect(),
            Some(before) if Arc::ptr_eq(before, catalog) => Vec::new(),
            Some(before) => {
                let changed = catalog.changed_since(before);
                let databases = changed.databases.into_iter().map(DatasetName::Database);
                databases.chain(changed.tables.into_iter().map(DatasetName::Table)).collect()
            }
        };
        names.extend(graph.mentioned_since(&mut state.mentions));
        names.retain(is_searched);
        state.catalog = Some(catalog.clone());
        if !names.is_empty() {
            state.take(names, known);
        }
        state.current.clone()
    }
}

impl State {
    fn take(&mut self, names: Vec<DatasetName>, known: Known<'_>) {
        self.changed.extend(names);
        let settled = &self.current.settled;
        self.current = Arc::new(if self.changed.len() > FRESH + settled.len() / FRESH_SHARE {
            let mut all: Names = known.catalogued().collect();
            all.extend(known.graph.mentioned_since(&mut Mentions::default()));
            self.changed = Names::default();
            let settled = Segment::of(all.iter().filter_map(|name| known.ever(name)));
            Searchable { settled: Arc::new(settled), ..Searchable::default() }
        } else {
            let fresh = Segment::of(self.changed.iter().filter_map(|name| known.ever(name)));
            let replaced = self.changed.iter().filter_map(|name| settled.place(&name.to_string()));
            Searchable { settled: settled.clone(), fresh, replaced: replaced.collect() }
        });
    }
}

impl Searchable {
    /// How well everything fits all of some words: as well as the worst of them. `elsewhere` says for each word what fits it
    /// by something that does not stand here.
    pub fn found<'e>(
        &self,
        terms: &[Term],
        elsewhere: impl Fn(&Term) -> Vec<(&'e str, Rank)>,
    ) -> Vec<Vec<&Entry>> {
        let segments = [&*self.settled, &self.fresh];
        let mut ranks = segments.map(|segment| vec![Rank(0); segment.len()]);
        for term in terms {
            let elsewhere = elsewhere(term);
            for (segment, worst) in segments.iter().zip(&mut ranks) {
                let mut fitting = segment.ranks(term);
                for (text, rank) in &elsewhere {
                    if let Some(place) = segment.place(text) {
                        better(&mut fitting, place, *rank);
                    }
                }
                for (worst, rank) in worst.iter_mut().zip(fitting) {
                    *worst = rank.max(*worst);
                }
            }
        }
        let [settled, fresh] = ranks;
        let settled = self.settled.by_rank(&settled, |place| !self.replaced.contains(&place));
        let fresh = self.fresh.by_rank(&fresh, |_| true);
        settled.into_iter().zip(fresh).map(|(settled, fresh)| merged(settled, fresh)).collect()
    }
}

/// Two lists that are in order as one.
fn merged<'e>(mut many: Vec<&'e Entry>, few: Vec<&'e Entry>) -> Vec<&'e Entry> {
    if !few.is_empty() {
        many.extend(few);
        many.sort_by(|one, other| one.text.cmp(&other.text));
    }
    many
}

#[cfg(test)]
mod tests {
    use guardbee_analysis::catalog::{CatalogChange, Column, Table, TableKind};
    use guardbee_model::{Name, TableName};

    use super::*;

    fn table(name: &str, columns: &[&str]) -> CatalogChange {
        let columns =
            columns.iter().map(|name| Column::new(Name::fold(name), guardbee_analysis::types::Type::Unknown));
        CatalogChange::PutTable(Arc::new(Table {
            name: TableName::new(Name::fold("d"), Name::fold(name)),
            kind: TableKind::Managed,
            columns: columns.collect(),
            partition_columns: [].into(),
            bucket_columns: [].into(),
            comment: None,
            location: None,
            owner: None,
            properties: Vec::new(),
        }))
    }

    fn found(index: &DatasetIndex, catalog: &Arc<Catalog>, query: &str) -> Vec<String> {
        let terms = Term::all(query).expect("it is a search");
        let found = index.at(catalog, &Graph::new());
        let found = found.found(&terms, |_| Vec::new());
        found.into_iter().flatten().map(|entry| entry.text.to_string()).collect()
    }

    /// What is followed change by change is what is made of it all at once.
    #[test]
    fn an_index_that_follows_is_one_made_anew() {
        let index = DatasetIndex::default();
        let mut catalog = Arc::new(Catalog::new());
        for number in 0..3000_usize {
            let name = format!("t{}", number % 1700);
            let change = match number % 7 {
                3 => CatalogChange::RemoveTable(TableName::new(Name::fold("d"), Name::fold(&name))),
                rest => table(&name, &[&format!("c{rest}"), "common"]),
            };
            Arc::make_mut(&mut catalog).apply(&change);
            if number % 13 == 0 {
                found(&index, &catalog, "t1");
            }
        }
        for query in ["t1", "common", "c2", "d.t16", "comon", "t1 c4", "d"] {
            let anew = found(&DatasetIndex::default(), &catalog, query);
            assert_eq!(found(&index, &catalog, query), anew, "{query}");
            assert!(!anew.is_empty(), "{query}");
        }
    }
}
