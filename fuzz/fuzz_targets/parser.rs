//! Any bytes: the parser answers, and what it says lies inside the text.
#![no_main]

use guardbee_hiveql::parser::{ParserSettings, parse_statement};
use guardbee_hiveql::tree::Arena;
use guardbee_model::HiveVersion;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    for version in HiveVersion::ALL {
        let arena = Arena::new();
        let settings = ParserSettings { version, ..ParserSettings::default() };
        if let Err(diagnostic) = parse_statement(&arena, &text, settings) {
            assert!(diagnostic.span.start <= diagnostic.span.end);
            assert!(diagnostic.span.end as usize <= text.len(), "{diagnostic:?}");
        }
    }
});
