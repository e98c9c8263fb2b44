//! Searching the datasets of a large warehouse, by those who see all of it and by those who see little.
//!
//! A table has twenty columns, each with a comment of a few words out of some thousand; names are made of three words each. The
//! index is there, as for every search but the first. What counts is the time that the processor spends, all of it in one thread:
//! nothing is waited for.

use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher};
use std::sync::Arc;

use cpu_time::ThreadTime;
use guardbee_analysis::Catalog;
use guardbee_analysis::catalog::{CatalogChange, Column, Table, TableKind};
use guardbee_analysis::types::Type;
use guardbee_bench::figures::{Comparison, Figures};
use guardbee_engine::Viewer;
use guardbee_lineage::Graph;
use guardbee_model::{Name, TableName};
use guardbee_policy::{
    Change, Effect, Entry, GrantOption, Identity, Policy, Principal, Privilege, Privileges, Scope, Timestamp,
    Validity,
};
use guardbee_questions::{Asker, DatasetIndex, DatasetsQuestion, Ground, datasets};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const NOW: Timestamp = Timestamp(1_796_000_000_000);
const DATABASES: usize = 200;
const COLUMNS: usize = 20;
const WORDS: usize = 3000;
const ROUNDS: usize = 300;
const SYLLABLES: [&str; 16] = [
    "or", "der", "cus", "tom", "pay", "ment", "re", "port", "in", "voice", "sta", "tus", "loc", "al", "ti",
    "me",
];

fn main() -> anyhow::Result<()> {
    let comparison = Comparison { name: "search", sizes: vec![100_000], peers: &[], peers_up_to: 0 };
    comparison.run(|_, tables| {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(measured(tables))
    })
}

async fn measured(tables: usize) -> anyhow::Result<Figures> {
    let folder = tempfile::tempdir()?;
    let storage = guardbee_store::open(&folder.path().join("guardbee.db").display().to_string()).await?;
    let mut catalog = Arc::new(catalog(tables));
    let (graph, index, policy) = (Graph::new(), DatasetIndex::default(), policy()?);
    let everything = Viewer::of_everything();
    let little = Viewer::of(policy.clone(), &Identity::of_user("ana"), NOW);
    let mut figures = Figures::new();
    let calls = Arc::default();
    let ask = async |catalog: &Arc<Catalog>, viewer: &Viewer, words: &str| {
        let ground = Ground {
            storage: &*storage,
            graph: &graph,
            calls: &calls,
            catalog,
            index: &index,
            policy: &policy,
            viewer,
            asker: Asker { user: "ana", client: "bench" },
            now: NOW,
        };
        let started = ThreadTime::now();
        let found = datasets(&ground, &DatasetsQuestion::about(words)).await?;
        anyhow::Ok((started.elapsed().as_secs_f64() * 1e3, found.datasets.len()))
    };
    let (first, _) = ask(&catalog, &everything, "order").await?;
    figures.insert("first search, with the index".into(), (first, "ms"));
    for (who, viewer) in [("who sees all", &everything), ("who sees one table of a thousand", &little)] {
        let mut took = Vec::new();
        for round in 0..ROUNDS {
            let (milliseconds, _) = ask(&catalog, viewer, &words(round)).await?;
            took.push(milliseconds);
        }
        took.sort_by(f64::total_cmp);
        figures.insert(format!("search/{who}/p50"), (took[took.len() / 2], "ms"));
        figures.insert(format!("search/{who}/p99"), (took[took.len() * 99 / 100], "ms"));
        figures.insert(format!("search/{who}/longest"), (took[took.len() - 1], "ms"));
    }
    let mut took = Vec::new();
    for number in 0..ROUNDS {
        Arc::make_mut(&mut catalog).apply(&table(tables + number));
        let (milliseconds, found) = ask(&catalog, &everything, &format!("t{}", tables + number)).await?;
        anyhow::ensure!(found > 0, "what was just made is found");
        took.push(milliseconds);
    }
    took.sort_by(f64::total_cmp);
    figures.insert("search after a new table/p99".into(), (took[took.len() * 99 / 100], "ms"));
    Ok(figures)
}

/// Whole names, beginnings, words in comments, slips of the keyboard, and several at once.
fn words(round: usize) -> String {
    let (one, two) = (word(round % WORDS), word((round * 7 + 1) % WORDS));
    match round % 6 {
        0 => one,
        1 => one.chars().take(3).collect(),
        2 => one.chars().take(1).collect(),
        3 => {
            let mut letters: Vec<char> = one.chars().collect();
            letters.swap(1, 2);
            letters.into_iter().collect()
        }
        4 => format!("{one} {two}"),
        _ => format!("{}_{}x", one, two),
    }
}

fn random(number: usize, of: usize) -> usize {
    let hash = BuildHasherDefault::<DefaultHasher>::default().hash_one(number);
    usize::try_from(hash >> 33).unwrap_or_default() % of
}

fn word(number: usize) -> String {
    let syllable = |place: usize| SYLLABLES[random(number * 5 + place, SYLLABLES.len())];
    (0..2 + random(number, 3)).map(syllable).collect()
}

fn phrase(number: usize, length: usize, between: &str) -> String {
    let words: Vec<String> = (0..length).map(|place| word(random(number * 31 + place, WORDS))).collect();
    words.join(between)
}

fn table(number: usize) -> CatalogChange {
    let column = |place: usize| Column {
        comment: Some(Arc::from(phrase(number * COLUMNS + place, 5, " "))),
        ..Column::new(Name::fold(&phrase(number * COLUMNS + place + 1, 2, "_")), Type::String)
    };
    CatalogChange::PutTable(Arc::new(Table {
        name: TableName::new(
            Name::fold(&format!("d{}", number % DATABASES)),
            Name::fold(&format!("{}_t{number}", phrase(number, 3, "_"))),
        ),
        kind: TableKind::Managed,
        columns: (0..COLUMNS).map(column).collect(),
        partition_columns: [].into(),
        bucket_columns: [].into(),
        comment: Some(Arc::from(phrase(number, 8, " "))),
        location: None,
        owner: None,
        properties: Vec::new(),
    }))
}

fn catalog(tables: usize) -> Catalog {
    let mut catalog = Catalog::new();
    (0..tables).for_each(|number| catalog.apply(&table(number)));
    catalog
}

/// Ana reads a table in each of half of the databases.
fn policy() -> anyhow::Result<Policy> {
    let mut policy = Policy::new();
    for number in 0..DATABASES / 2 {
        let CatalogChange::PutTable(table) = table(number) else { continue };
        let entry = Entry {
            id: policy.next_entry_id(),
            effect: Effect::Grant,
            principal: Principal::user("ana"),
            except: Arc::from([]),
            privileges: Privileges::of(Privilege::Select),
            scope: Scope::Table {
                database: table.name.database.clone().into(),
                table: table.name.table.clone().into(),
            },
            grant_option: GrantOption::Without,
            grantor: None,
            created_at: NOW,
            validity: Validity::default(),
            purpose: None,
        };
        policy.apply(Change::PutEntry(entry))?;
    }
    Ok(policy)
}
