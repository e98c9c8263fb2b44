//! Any script in any version, which the first byte says: the analysis answers for every statement of it.
#![no_main]

use guardbee_analysis::{Catalog, Session};
use guardbee_model::HiveVersion;
use libfuzzer_sys::fuzz_target;

const TABLES: &str = "create table src (key string, value string) partitioned by (ds string);
create table t (a int, b string, c array<int>, d map<string,int>, e struct<f:int,g:string>);
create view v as select a, b from t where a > 1;";

fuzz_target!(|data: &[u8]| {
    let Some((first, script)) = data.split_first() else { return };
    let version = HiveVersion::ALL[*first as usize % HiveVersion::ALL.len()];
    let text = String::from_utf8_lossy(script);
    let mut session = Session::new(Catalog::new(), version);
    for script in [TABLES, &text] {
        for (_, analysis) in session.analyze_script(script) {
            for diagnostic in &analysis.diagnostics {
                assert!(diagnostic.span.end as usize <= script.len(), "{diagnostic:?}");
            }
        }
    }
});
