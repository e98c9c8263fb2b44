//! What size costs: each measurement at 1, 10 and 100 times, so that a bend in the curve shows.

mod processor_time;

use std::fmt::Write as _;
use std::hint::black_box;

use criterion::{BenchmarkId, Throughput, criterion_group, criterion_main};
use guardbee_analysis::{Catalog, Session};
use guardbee_model::HiveVersion;
use processor_time::{Bench, ProcessorTime, bench};

const SIZES: [usize; 3] = [1, 10, 100];

fn session() -> Session {
    let mut session = Session::new(Catalog::new(), HiveVersion::V4_0);
    session.analyze("create table src (key string, value string)");
    session
}

/// One script of 100, 1,000 and 10,000 statements that make tables and fill them.
fn script(criterion: &mut Bench) {
    let mut group = criterion.benchmark_group("scale-script");
    for size in SIZES {
        let mut text = String::new();
        for number in 0..size * 50 {
            let _ = writeln!(text, "create table t{number} as select key, upper(value) value from src;");
            let _ = writeln!(
                text,
                "insert into t{number} select value, key from t{} where key > 'a';",
                number / 2
            );
        }
        group.throughput(Throughput::Elements(size as u64 * 100));
        group.sample_size(10);
        let session = session();
        group.bench_with_input(BenchmarkId::from_parameter(size * 100), &text, |bencher, text| {
            bencher.iter(|| black_box(session.clone().analyze_script(text).count()));
        });
    }
    group.finish();
}

/// One query of 100, 1,000 and 10,000 columns through two layers.
fn wide(criterion: &mut Bench) {
    let mut group = criterion.benchmark_group("scale-columns");
    for size in SIZES {
        let columns: Vec<String> =
            (0..size * 100).map(|number| format!("concat(key, value, '{number}') c{number}")).collect();
        let text = format!(
            "insert overwrite directory '/out' select * from (select {} from src) x",
            columns.join(", ")
        );
        group.sample_size(10);
        bench_statement(&mut group, size * 100, &text);
    }
    group.finish();
}

/// One query of 2, 20 and 200 layers of subqueries.
fn deep(criterion: &mut Bench) {
    let mut group = criterion.benchmark_group("scale-depth");
    for size in SIZES {
        let mut text = "select key, value from src".to_owned();
        for layer in 0..size * 2 {
            text = format!("select concat(key, value) key, value from ({text}) t{layer} where key > 'a'");
        }
        group.sample_size(10);
        bench_statement(&mut group, size * 2, &text);
    }
    group.finish();
}

/// One small query beside 100, 10,000 and 1,000,000 tables.
fn catalog(criterion: &mut Bench) {
    let mut group = criterion.benchmark_group("scale-catalog");
    for size in [100, 10_000, 1_000_000] {
        let mut session = session();
        for number in 0..size {
            session.analyze(&format!("create table t{number} (key string, value string)"));
        }
        let text =
            format!("select a.key, b.value from t{} a join t{} b on a.key = b.key", size / 2, size - 1);
        group.bench_function(BenchmarkId::from_parameter(size), |bencher| {
            bencher.iter(|| black_box(session.analyze(&text)));
        });
    }
    group.finish();
}

type Group<'c> = criterion::BenchmarkGroup<'c, ProcessorTime>;

fn bench_statement(group: &mut Group<'_>, size: usize, text: &str) {
    let mut session = session();
    group.bench_function(BenchmarkId::from_parameter(size), |bencher| {
        bencher.iter(|| black_box(session.analyze(text)));
    });
}

criterion_group! {
    name = benches;
    config = bench();
    targets = script, wide, deep, catalog
}
criterion_main!(benches);
