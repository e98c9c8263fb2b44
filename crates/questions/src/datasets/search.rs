//! Which datasets fit some words?

use std::collections::HashMap;
use std::sync::Arc;

use guardbee_engine::Viewer;
use guardbee_lineage::DatasetName;
use guardbee_model::Name;
use guardbee_policy::{Policy, Resource};
use guardbee_wire::datasets::{DatasetsDocument, FoundDataset, FoundIn};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::cursor::Place;
use super::term::{Field, How, Rank, Term};
use super::warehouse::{Known, Searched, resource_of};
use crate::defaults;
use crate::ground::{Ground, Unanswered};

/// However many are asked for.
const MOST: usize = 1000;

/// Which datasets fit some words?
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DatasetsQuestion {
    /// Words that all have to be found, each in a name (of a database, table, view, path or column), a comment, a tag or
    /// an owner: whole, as a beginning, or with a slip of the keyboard from four letters on, with two from eight.
    pub q: String,
    /// How many to list, 1000 at most.
    #[serde(default = "defaults::records")]
    pub limit: u32,
    /// The `next` of the answer before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
}

impl DatasetsQuestion {
    #[must_use]
    pub fn about(words: &str) -> Self {
        Self { q: words.to_owned(), limit: defaults::RECORDS, cursor: None }
    }
}

/// The datasets that fit, the best first, and those that fit alike by name.
///
/// # Errors
/// [`Unanswered::WrongUse`] where nothing can be searched for so.
pub async fn datasets(
    ground: &Ground<'_>,
    question: &DatasetsQuestion,
) -> Result<DatasetsDocument, Unanswered> {
    let terms = Term::all(&question.q)?;
    let behind = question.cursor.as_deref().map(Place::read).transpose()?;
    let limit = (question.limit as usize).min(MOST);
    let index = ground.index.at(ground.catalog, ground.graph);
    let carried: Vec<Carried> = terms.iter().map(|term| Carried::of(term, ground.policy)).collect();
    let by_policy = |term: &Term| {
        let place = terms.iter().position(|known| known == term);
        let carried = place.and_then(|place| carried.get(place));
        carried.into_iter().flat_map(Carried::ranks).collect()
    };
    let found = index.found(&terms, by_policy);
    let mut seeing = Seeing { viewer: ground.viewer, databases: HashMap::new() };
    let known = Known { catalog: ground.catalog, graph: ground.graph };
    let mut listed: Vec<(Place, FoundDataset)> = Vec::new();
    let mut is_more = false;
    'ranks: for (rank, entries) in (0..).map(Rank).zip(found) {
        let is_behind =
            |text: &str| behind.as_ref().is_none_or(|behind| (rank, text) > (behind.rank, &behind.text));
        for entry in entries.into_iter().filter(|entry| is_behind(&entry.text)) {
            if !seeing.sees(&entry.dataset) {
                continue;
            }
            let Some(fitting) = fitting(known, ground.policy, &entry.dataset, &terms) else { continue };
            if listed.len() == limit {
                is_more = true;
                break 'ranks;
            }
            listed.push((Place { rank, text: entry.text.to_string() }, fitting));
        }
    }
    let next = listed.last().filter(|_| is_more).map(|(place, _)| place.to_string());
    let datasets = listed.into_iter().map(|(_, found)| found).collect();
    Ok(DatasetsDocument::of(&question.q, datasets, next))
}

/// What carries a tag, or has an owner, that a word fits.
struct Carried {
    found: HashMap<String, Rank>,
}

impl Carried {
    fn of(term: &Term, policy: &Policy) -> Self {
        let mut found: HashMap<String, Rank> = HashMap::new();
        let mut take = |resource: &Resource, rank: Rank| {
            if let Some(dataset) = dataset_of(resource) {
                let known = found.entry(dataset.to_string()).or_insert(Rank::NONE);
                *known = rank.min(*known);
            }
        };
        let tags: HashMap<&Name, How> =
            policy.tags().filter_map(|tag| Some((&tag.name, term.in_name(&tag.name)?))).collect();
        if !tags.is_empty() {
            for carried in policy.carried_tags() {
                if let Some(how) = tags.get(&carried.tag) {
                    take(&carried.resource, Rank::of(*how, Field::Tag));
                }
            }
        }
        let mut owners: HashMap<&str, Option<How>> = HashMap::new();
        for owned in policy.each_owner() {
            let name = owned.owner.name();
            if let Some(how) = *owners.entry(name).or_insert_with(|| term.in_name(name)) {
                take(&owned.resource, Rank::of(how, Field::Owner));
            }
        }
        Self { found }
    }

    fn ranks(&self) -> impl Iterator<Item = (&str, Rank)> {
        self.found.iter().map(|(text, rank)| (text.as_str(), *rank))
    }
}

/// The dataset that a resource is, or lies in as a column does.
fn dataset_of(resource: &Resource) -> Option<DatasetName> {
    match resource {
        Resource::Database(name) => Some(DatasetName::Database(name.clone())),
        Resource::Table(table) => Some(DatasetName::Table(table.clone())),
        Resource::Column(column) => Some(DatasetName::Table(column.table.clone())),
        Resource::Uri(uri) => Some(DatasetName::Path(Arc::from(uri.to_string()))),
        _ => None,
    }
}

/// What somebody may know of. Who may know of nothing in a database is not asked table by table.
struct Seeing<'v> {
    viewer: &'v Viewer,
    databases: HashMap<Name, bool>,
}

impl Seeing<'_> {
    fn sees(&mut self, dataset: &DatasetName) -> bool {
        if self.viewer.sees_everything() {
            return true;
        }
        if let DatasetName::Table(table) = dataset {
            let sees = || self.viewer.sees(&DatasetName::Database(table.database.clone()));
            if !*self.databases.entry(table.database.clone()).or_insert_with(sees) {
                return false;
            }
        }
        self.viewer.sees(dataset)
    }
}

/// What every word is found in, as things stand; nothing where one is not found any more.
fn fitting(known: Known<'_>, policy: &Policy, dataset: &DatasetName, terms: &[Term]) -> Option<FoundDataset> {
    let searched = known.now(dataset)?;
    let carried = Names::of(policy, &searched);
    let mut found: Vec<FoundIn> = Vec::new();
    for term in terms {
        let one = best(term, &searched, &carried)?;
        if !found.iter().any(|known| (&known.field, &known.text) == (&one.field, &one.text)) {
            found.push(one);
        }
    }
    Some(FoundDataset {
        kind: known.kind(dataset).into(),
        comment: known.comment(dataset).map(ToString::to_string),
        owner: carried.owners.into_iter().next(),
        found_in: found,
        name: searched.text,
    })
}

/// What the policy says of a dataset.
struct Names {
    tags: Vec<Name>,
    /// Whom the policy names, then whom the catalog does.
    owners: Vec<String>,
}

impl Names {
    fn of(policy: &Policy, searched: &Searched) -> Self {
        let Some(resource) = resource_of(&searched.dataset) else {
            return Self { tags: Vec::new(), owners: Vec::new() };
        };
        let on_it = policy.tags_on(&resource).chain(policy.inherited_tags_on(&resource));
        let inside = match &resource {
            Resource::Table(table) => {
                Some(policy.tags_inside(table).chain(policy.inherited_tags_inside(table)))
            }
            _ => None,
        };
        let tags = on_it.chain(inside.into_iter().flatten()).map(|carried| carried.tag.clone());
        let owner = policy.owner(&resource).map(|owner| owner.name().to_owned());
        Self {
            tags: tags.collect(),
            owners: owner.into_iter().chain(searched.owner.as_ref().map(ToString::to_string)).collect(),
        }
    }
}

/// What a word fits best.
fn best(term: &Term, searched: &Searched, names: &Names) -> Option<FoundIn> {
    let full = std::iter::once((Field::Name, searched.text.as_str(), term.in_name(&searched.text)));
    let own = std::iter::once((Field::Name, searched.own_name(), term.in_name(searched.own_name())));
    let column = searched.columns.iter().map(|name| (Field::Column, name.as_str(), term.in_name(name)));
    let tag = names.tags.iter().map(|name| (Field::Tag, name.as_str(), term.in_name(name)));
    let owner = names.owners.iter().map(|name| (Field::Owner, name.as_str(), term.in_name(name)));
    let comment = searched.comments.iter().map(|text| (Field::Comment, &**text, term.in_text(text)));
    let all = own.chain(full).chain(column).chain(tag).chain(owner).chain(comment);
    let fitting = all.filter_map(|(field, text, how)| Some((Rank::of(how?, field), field, text, how?)));
    let (_, field, text, how) = fitting.min_by_key(|(rank, ..)| *rank)?;
    Some(FoundIn { field: field.as_str().into(), text: text.to_owned(), how: how.as_str().into() })
}
