//! How fast statements are read: lexer, parser, whole path; with `sqlparser` beside ours on what it takes.

mod processor_time;

use std::hint::black_box;

use criterion::{Throughput, criterion_group, criterion_main};
use guardbee_analysis::{Catalog, Session};
use guardbee_bench::{Corpus, Script};
use guardbee_hiveql::lexer::Lexer;
use guardbee_hiveql::parser::{ParserSettings, parse_statement};
use guardbee_hiveql::token::TokenKind;
use guardbee_hiveql::tree::Arena;
use guardbee_model::HiveVersion;
use processor_time::{Bench, ProcessorTime, bench};
use sqlparser::dialect::HiveDialect;
use sqlparser::parser::Parser;

fn lexer(criterion: &mut Bench) {
    let corpus = Corpus::load().expect("the corpus can be read");
    let mut group = criterion.benchmark_group("lexer");
    group.throughput(Throughput::Bytes(corpus.size_bytes() as u64));
    group.bench_function(corpus.name, |bencher| {
        bencher.iter(|| {
            let mut tokens = 0_u64;
            for statement in corpus.statements() {
                let mut lexer = Lexer::new(statement);
                while lexer.next_token().kind != TokenKind::Eof {
                    tokens += 1;
                }
            }
            black_box(tokens)
        });
    });
    group.finish();
}

fn parser(criterion: &mut Bench) {
    let corpus = Corpus::load().expect("the corpus can be read");
    let mut group = criterion.benchmark_group("parser");
    group.throughput(Throughput::Bytes(corpus.size_bytes() as u64));
    group.bench_function(corpus.name, |bencher| bencher.iter(|| black_box(parse_all(corpus.statements()))));

    let common: Vec<&str> = corpus
        .statements()
        .filter(|statement| Parser::parse_sql(&HiveDialect {}, statement).is_ok())
        .collect();
    group.throughput(Throughput::Bytes(common.iter().map(|statement| statement.len() as u64).sum()));
    group.bench_function("common", |bencher| bencher.iter(|| black_box(parse_all(common.iter().copied()))));
    group.bench_function("common-sqlparser", |bencher| {
        bencher.iter(|| {
            let accepted = common
                .iter()
                .filter(|statement| Parser::parse_sql(&HiveDialect {}, statement).is_ok())
                .count();
            black_box(accepted)
        });
    });
    group.finish();
}

fn parse_all<'s>(statements: impl Iterator<Item = &'s str>) -> usize {
    let mut arena = Arena::new();
    let mut accepted = 0;
    for statement in statements {
        accepted += usize::from(parse_statement(&arena, statement, ParserSettings::default()).is_ok());
        arena.reset();
    }
    accepted
}

fn whole_path(criterion: &mut Bench) {
    let corpus = Corpus::load().expect("the corpus can be read");
    let mut group = criterion.benchmark_group("analysis");
    measure(&mut group, corpus.name, &corpus.scripts);
    if let Some(script) = Corpus::tpcds().expect("the corpus can be read") {
        measure(&mut group, "tpcds", std::slice::from_ref(&script));
    }
    group.finish();
}

type Group<'c> = criterion::BenchmarkGroup<'c, ProcessorTime>;

/// Replays scripts, each in a session that knows its tables already.
fn measure(group: &mut Group<'_>, name: &str, scripts: &[Script]) {
    let sessions: Vec<Session> = scripts
        .iter()
        .map(|script| {
            let mut session = Session::new(Catalog::new(), HiveVersion::V4_0);
            session.analyze_script(&script.init).for_each(drop);
            session
        })
        .collect();
    group.throughput(Throughput::Elements(scripts.iter().map(|script| script.statements.len() as u64).sum()));
    group.sample_size(10);
    group.bench_function(name, |bencher| {
        bencher.iter(|| {
            let mut edges = 0;
            for (script, session) in scripts.iter().zip(&sessions) {
                let mut session = session.clone();
                for statement in &script.statements {
                    let analysis = session.analyze(statement);
                    edges += analysis.effects.map_or(0, |effects| effects.targets.len());
                }
            }
            black_box(edges)
        });
    });
}

criterion_group! {
    name = benches;
    config = bench();
    targets = lexer, parser, whole_path
}
criterion_main!(benches);
