//! The lineage crate before the naive oracle, a few hundred histories of them. `compare-lineage` compares any number.

use guardbee_testkit::lineage_oracle::count::compare_many;

#[test]
fn lineage_and_oracle_agree_on_random_histories() {
    let counts = compare_many(400, 4, 2)
        .unwrap_or_else(|difference| panic!("{}\n-- {}", difference.case, difference.what));
    println!("{counts}");
    assert!(counts.renamed > 100 && counts.followed > 300, "{counts}");
    assert!(counts.answered > 1_000 && counts.of_runs > 200 && counts.collapsed > 100, "{counts}");
}
