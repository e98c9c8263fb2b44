//! Whatever order runs arrive in, however often, in whatever batches, compacted or not: the answers are the same.

mod support;

use guardbee_lineage::{
    AsOf, DatasetName, Direction, EdgeFilter, Graph, Level, Node, Outcome, Question, Run, Temporaries, Window,
};
use guardbee_model::{Name, Timestamp};
use support::answer::{subject_text, trace_text};
use support::random::{self, Random};

fn names() -> Vec<DatasetName> {
    let mut names = vec![DatasetName::Path("/p".into())];
    for database in ["d", "e"] {
        names.push(DatasetName::Database(Name::fold(database)));
        for table in ["a", "b", "c", "t"] {
            let table = guardbee_model::TableName::new(Name::fold(database), Name::fold(table));
            names.push(DatasetName::Temporary { session: "s".into(), table: table.clone() });
            names.push(DatasetName::Table(table));
        }
    }
    names
}

/// Everything that can be asked, as text.
fn everything(graph: &Graph, random: &mut Random, moments: usize) -> Vec<String> {
    let mut texts = Vec::new();
    for name in names() {
        for dataset in graph.find_all(&name) {
            let state = graph.dataset(dataset, AsOf::Now);
            texts.push(format!(
                "{name} {:?} closed {:?} versions {} predecessor {:?} columns {:?}",
                state.names.iter().map(|period| &period.name).collect::<Vec<_>>(),
                state.closed_by.map(|run| graph.run_key(run)),
                state.versions,
                state.predecessor.map(|before| {
                    subject_text(graph, guardbee_lineage::TraceSubject::Dataset(before), AsOf::Now)
                }),
                state.columns.iter().map(|column| (&column.name, column.closed)).collect::<Vec<_>>(),
            ));
        }
    }
    for _ in 0..12 {
        let as_of =
            if random.one_in(2) { AsOf::Now } else { AsOf::At(Timestamp(random.below(moments) as i64)) };
        let (name, column) = (random::dataset(random), random::column(random));
        let question = Question {
            direction: random.pick(&[Direction::Up, Direction::Down, Direction::Both]),
            level: random.pick(&[Level::Dataset, Level::Column, Level::Column, Level::Run]),
            depth: random.one_in(2).then(|| random.below(4) as u32),
            edges: random.pick(&[EdgeFilter::Direct, EdgeFilter::All]),
            as_of,
            window: random
                .one_in(4)
                .then(|| Window { from: Timestamp(1), until: Timestamp(moments as i64 - 1) }),
            temporaries: random.pick(&[Temporaries::Collapse, Temporaries::Show]),
            ..Question::default()
        };
        let is_whole = random.one_in(3);
        let Some(dataset) = graph.find(&name, as_of) else {
            texts.push(format!("no {name:?} {as_of:?}"));
            continue;
        };
        let column = graph.find_column(dataset, &column, as_of).filter(|_| !is_whole);
        let question = Question { start: vec![Node { dataset, column }], ..question };
        let trace = graph.trace(&question);
        texts.push(
            format!("{name} {column:?} {:?}", question.direction).replace(|c: char| c.is_numeric(), ""),
        );
        texts.extend(trace_text(graph, &question, &trace));
    }
    texts
}

#[test]
fn arrival_makes_no_difference() {
    for seed in 0..400 {
        let mut random = Random::new(seed);
        let moments = 2 + random.below(8);
        let count = 1 + random.below(12);
        let runs: Vec<Run> = (0..count).map(|number| random::run(&mut random, number, moments)).collect();
        let straight = Graph::new().record(&runs).graph;
        let question_seed = random.next();
        let expected = everything(&straight, &mut Random::new(question_seed), moments);
        let compacted = straight.compacted();
        assert_same(seed, "compacted", &expected, &compacted, question_seed, moments);
        for _ in 0..3 {
            let mut arrivals: Vec<Run> = runs.iter().chain(&runs).cloned().collect();
            random.shuffle(&mut arrivals);
            let mut graph = Graph::new();
            let mut rest = arrivals.as_slice();
            let mut new = 0;
            while !rest.is_empty() {
                let (batch, later) = rest.split_at(1 + random.below(rest.len()));
                let recorded = graph.record(batch);
                new += recorded.outcomes.iter().filter(|outcome| matches!(outcome, Outcome::New(_))).count();
                graph = recorded.graph;
                rest = later;
                if random.one_in(3) {
                    graph = graph.compacted();
                }
            }
            assert_eq!(new, runs.len());
            assert_same(seed, "shuffled", &expected, &graph, question_seed, moments);
        }
    }
}

fn assert_same(seed: u64, how: &str, expected: &[String], graph: &Graph, questions: u64, moments: usize) {
    let got = everything(graph, &mut Random::new(questions), moments);
    for (place, line) in expected.iter().enumerate() {
        assert_eq!(got.get(place), Some(line), "seed {seed}, {how}, line {place}");
    }
    assert_eq!(got.len(), expected.len(), "seed {seed}, {how}");
}
