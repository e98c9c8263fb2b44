//! What the parser takes, the printer gives back: parsing the printed text gives an equal tree.
#![no_main]

use guardbee_hiveql::parser::{ParserSettings, parse_statement};
use guardbee_hiveql::printer::print_statement;
use guardbee_hiveql::tree::Arena;
use guardbee_model::HiveVersion;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    for version in [HiveVersion::V2_3, HiveVersion::V3_1, HiveVersion::V4_2] {
        let (first, second) = (Arena::new(), Arena::new());
        let settings = ParserSettings { version, ..ParserSettings::default() };
        let Ok(tree) = parse_statement(&first, text, settings) else { continue };
        let printed = print_statement(&tree);
        match parse_statement(&second, &printed, settings) {
            Ok(again) => assert_eq!(tree, again, "printed as {printed}"),
            Err(diagnostic) => panic!("{diagnostic:?}\nprinted as {printed}"),
        }
    }
});
