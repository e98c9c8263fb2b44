//! How fast files are cut into pieces, and those into tokens, in megabytes a second.
//!
//! `cargo run --release -p guardbee-hiveql --example lexer_speed -- FILE...`

use std::hint::black_box;
use std::time::Instant;

use guardbee_hiveql::lexer::Lexer;
use guardbee_hiveql::script::Script;
use guardbee_hiveql::token::TokenKind;

fn main() -> Result<(), std::io::Error> {
    let texts: Vec<String> =
        std::env::args().skip(1).map(std::fs::read_to_string).collect::<Result<_, _>>()?;
    let scripts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let pieces: Vec<&str> =
        scripts.iter().flat_map(|text| Script::new(text)).map(|piece| piece.text).collect();
    measure("script", &scripts, |text| Script::new(text).count());
    measure("lexer", &pieces, count_tokens);
    Ok(())
}

fn count_tokens(text: &str) -> usize {
    let mut lexer = Lexer::new(text);
    let mut count = 0;
    while black_box(lexer.next_token()).kind != TokenKind::Eof {
        count += 1;
    }
    count
}

/// Prints the best of several rounds.
fn measure(name: &str, texts: &[&str], work: impl Fn(&str) -> usize) {
    const ROUNDS: u32 = 20;
    let bytes: usize = texts.iter().map(|text| text.len()).sum();
    let mut best = f64::INFINITY;
    let mut count = 0;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        count = texts.iter().map(|text| work(text)).sum();
        best = best.min(start.elapsed().as_secs_f64());
    }
    #[expect(clippy::cast_precision_loss, reason = "a figure for people")]
    let speed = bytes as f64 / best / 1e6;
    println!("{name}: {speed:.0} MB/s, {count} from {bytes} bytes");
}
