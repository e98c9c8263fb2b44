use guardbee_analysis::{Catalog, Session};
use guardbee_bench::{Corpus, Script};
use guardbee_hiveql::parser::{ParserSettings, parse_statement};
use guardbee_hiveql::tree::Arena;
use guardbee_model::HiveVersion;
use std::time::Instant;
fn main() {
    let which = std::env::args().nth(1).unwrap_or_default();
    let rounds: usize = std::env::args().nth(2).and_then(|x| x.parse().ok()).unwrap_or(5);
    let corpus = Corpus::load().unwrap();
    if which != "tpcds" {
        run("golden", &corpus.scripts, rounds);
    }
    if which != "golden" {
        if let Some(s) = Corpus::tpcds().unwrap() {
            run("tpcds", std::slice::from_ref(&s), rounds * 10);
        }
    }
}
fn run(name: &str, scripts: &[Script], rounds: usize) {
    let sessions: Vec<Session> = scripts
        .iter()
        .map(|script| {
            let mut session = Session::new(Catalog::new(), HiveVersion::V4_0);
            session.analyze_script(&script.init).for_each(drop);
            session
        })
        .collect();
    let n: usize = scripts.iter().map(|s| s.statements.len()).sum();
    let bytes: usize = scripts.iter().flat_map(|s| &s.statements).map(|s| s.len()).sum();
    let mut best_parse = f64::MAX;
    let mut best = f64::MAX;
    for _ in 0..rounds {
        let mut arena = Arena::new();
        let t = Instant::now();
        for s in scripts.iter().flat_map(|s| &s.statements) {
            std::hint::black_box(parse_statement(&arena, s, ParserSettings::default()).is_ok());
            arena.reset();
        }
        best_parse = best_parse.min(t.elapsed().as_secs_f64());
        let t = Instant::now();
        for (script, session) in scripts.iter().zip(&sessions) {
            let mut session = session.clone();
            for s in &script.statements {
                std::hint::black_box(session.analyze(s));
            }
        }
        best = best.min(t.elapsed().as_secs_f64());
    }
    println!(
        "{name}: {n} statements, {bytes} bytes; parse {:.2} us/st {:.1} MB/s; whole {:.2} us/st = {:.0} st/s",
        best_parse * 1e6 / n as f64,
        bytes as f64 / best_parse / 1e6,
        best * 1e6 / n as f64,
        n as f64 / best
    );
}
