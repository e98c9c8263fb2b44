//! A tag goes with the data: what a statement makes of a secret is secret from the moment that it is allowed.

#[path = "inherited_tags/files.rs"]
mod files;
#[path = "inherited_tags/house.rs"]
mod house;

use guardbee_lineage::EdgeFilter;

use house::{House, POLICY, test};

const MAKE: &str = "CREATE TABLE d.copy AS SELECT ssn AS number, city FROM d.people";

#[test]
fn what_is_made_of_a_secret_is_secret_before_it_is_there_and_free_when_it_never_came() {
    test(|| async {
        let house = House::new().await;
        assert!(house.may("etl", MAKE));
        assert_eq!(house.inherited(), ["d.copy.number pii"]);
        house.pass(59);
        house.engine.define("CREATE TABLE d.copy (number STRING, city STRING)").await.expect("a table");
        assert!(!house.may("ana", "SELECT number FROM d.copy"));
        assert!(house.may("ana", "SELECT city FROM d.copy"));
        house.pass(1);
        assert!(house.may("ana", "SELECT number FROM d.copy"));
        assert!(house.inherited().is_empty());
    });
}

#[test]
fn what_is_denied_brings_nothing() {
    test(|| async {
        let house = House::new().await;
        assert!(!house.may("ana", MAKE));
        assert!(house.may("etl", "SELECT ssn FROM d.people"));
        assert!(house.inherited().is_empty());
    });
}

#[test]
fn a_recorded_run_confirms_for_good() {
    test(|| async {
        let mut house = House::new().await;
        house.ran(MAKE).await;
        house.pass(3600);
        assert!(!house.may("ana", "SELECT number FROM d.copy"));
        house.ran("CREATE TABLE d.next AS SELECT concat(number, 'x') AS n FROM d.copy").await;
        house.pass(3600);
        assert!(!house.may("ana", "SELECT n FROM d.next"));
        assert_eq!(house.inherited(), ["d.copy.number pii", "d.next.n pii"]);
    });
}

#[test]
fn what_follows_from_what_is_pending_is_pending() {
    test(|| async {
        let mut house = House::new().await;
        let first = house.executed(MAKE).await;
        let second = house.executed("CREATE TABLE d.next AS SELECT number AS n FROM d.copy").await;
        assert!(!house.may("ana", "SELECT n FROM d.next"));
        house.record(second);
        house.pass(30);
        assert!(!house.may("ana", "SELECT n FROM d.next"));
        house.record(first);
        house.pass(3600);
        assert!(!house.may("ana", "SELECT n FROM d.next"));
    });
}

#[test]
fn overwriting_frees_and_renaming_does_not() {
    test(|| async {
        let mut house = House::new().await;
        house.ran(MAKE).await;
        house.ran("ALTER TABLE d.copy RENAME TO d.renamed").await;
        assert_eq!(house.inherited(), ["d.renamed.number pii"]);
        house.ran("ALTER TABLE d.renamed CHANGE number id_number STRING").await;
        assert!(!house.may("ana", "SELECT id_number FROM d.renamed"));
        assert_eq!(house.inherited(), ["d.renamed.id_number pii"]);
        house.ran("INSERT OVERWRITE TABLE d.renamed SELECT ssn, city FROM d.clean").await;
        assert!(house.may("ana", "SELECT id_number FROM d.renamed"));
    });
}

#[test]
fn a_rename_that_only_a_run_tells_of_takes_along_what_was_put_on_the_old_name() {
    const RENAMES: [(&str, &str, &str, &str); 2] = [
        ("ALTER TABLE d.people RENAME TO d.persons", "persons", "ssn", "d.persons.ssn pii"),
        ("ALTER TABLE d.people CHANGE COLUMN ssn number STRING", "people", "number", "d.people.number pii"),
    ];
    for (rename, table, column, inherits) in RENAMES {
        test(move || async move {
            // It runs where nobody decides: the engine hears of it, its policy does not.
            let mut elsewhere = House::new().await;
            let mut house = House::new().await;
            elsewhere.ran("INSERT OVERWRITE TABLE d.people SELECT * FROM d.people").await;
            elsewhere.ran(rename).await;
            elsewhere.ran(&format!("CREATE TABLE d.copy AS SELECT {column} k FROM d.{table}")).await;
            elsewhere.runs.drain(..).for_each(|run| house.record(run));
            assert_eq!(house.inherited(), ["d.copy.k pii", inherits], "{rename}");
            assert!(
                house.told("d", table).contains(&format!("{column}: pii put on d.people.ssn")),
                "{rename}"
            );
        });
    }
}

#[test]
fn what_has_a_name_has_the_tags_that_were_put_on_it_and_what_had_it_before_has_not() {
    test(|| async {
        let mut elsewhere = House::new().await;
        let mut house = House::new().await;
        elsewhere.ran("ALTER TABLE d.people RENAME TO d.persons").await;
        elsewhere.ran("ALTER TABLE d.clean RENAME TO d.people").await;
        elsewhere.ran("CREATE TABLE d.copy AS SELECT ssn k FROM d.people").await;
        elsewhere.runs.drain(..).for_each(|run| house.record(run));
        assert_eq!(house.inherited(), ["d.copy.k pii"]);
    });
}

#[test]
fn a_rename_counts_under_both_names_until_it_is_recorded() {
    test(|| async {
        let mut house = House::new().await;
        house.ran(MAKE).await;
        let rename = house.executed("ALTER TABLE d.copy RENAME TO d.renamed").await;
        assert!(!house.may("ana", "SELECT number FROM d.renamed"));
        assert_eq!(house.inherited(), ["d.copy.number pii", "d.renamed.number pii"]);
        house.record(rename);
        assert_eq!(house.inherited(), ["d.renamed.number pii"]);
        // The secret itself under another name.
        house.ran("ALTER TABLE d.people RENAME TO d.persons").await;
        assert!(!house.may("ana", "SELECT ssn FROM d.persons"));
        assert_eq!(house.inherited(), ["d.renamed.number pii"]);
    });
}

#[test]
fn taking_the_tag_off_the_source_frees_all_that_was_made_of_it() {
    test(|| async {
        let mut house = House::new().await;
        house.ran(MAKE).await;
        house.ran("CREATE TABLE d.next AS SELECT number AS n FROM d.copy").await;
        house.administer("UNSET TAG pii ON COLUMN d.people.ssn").await;
        assert!(house.may("ana", "SELECT n FROM d.next"));
        assert!(house.inherited().is_empty());
        house.administer("SET TAG pii ON COLUMN d.people.ssn").await;
        assert!(!house.may("ana", "SELECT n FROM d.next"));
        house.administer("UNSET TAG pii ON COLUMN d.people.ssn").await;
        house.administer("SET TAG pii ON DATABASE d").await;
        assert!(!house.may("ana", "SELECT city FROM d.next, d.people"));
    });
}

#[test]
fn staging_that_is_emptied_or_dropped_leaves_the_tag_with_what_was_made_of_it() {
    test(|| async {
        let mut house = House::new().await;
        house.ran(MAKE).await;
        house.ran("CREATE TABLE d.next AS SELECT number AS n FROM d.copy").await;
        house.ran("TRUNCATE TABLE d.copy").await;
        assert!(!house.may("ana", "SELECT n FROM d.next"));
        assert!(house.may("ana", "SELECT number FROM d.copy"));
        house.ran("DROP TABLE d.copy").await;
        assert!(!house.may("ana", "SELECT n FROM d.next"));
        house.ran("CREATE TEMPORARY TABLE t AS SELECT ssn AS x FROM d.people").await;
        house.ran("CREATE TABLE d.last AS SELECT x FROM t").await;
        assert!(!house.may("ana", "SELECT x FROM d.last"));
        assert!(house.etl.execute("DROP TABLE t").await.checked.is_allowed());
        house.pass(100_000);
        assert!(!house.may("ana", "SELECT x FROM d.last"));
    });
}

#[test]
fn dropping_the_secret_frees_nothing_that_was_made_of_it() {
    test(|| async {
        let mut house = House::new().await;
        house.ran(MAKE).await;
        house.ran("CREATE TABLE d.next AS SELECT number AS n FROM d.copy").await;
        house.ran("DROP TABLE d.people").await;
        assert!(!house.may("ana", "SELECT number FROM d.copy"));
        assert!(!house.may("ana", "SELECT n FROM d.next"));
        let policy = house.engine.policy();
        let assigned: Vec<String> =
            policy.policy.tag_assignments().map(|assignment| assignment.resource.to_string()).collect();
        assert_eq!(assigned, ["d.copy.number"]);
        assert_eq!(house.inherited(), ["d.next.n pii"]);
        // A new table of that name is another one.
        house.ran("CREATE TABLE d.people (ssn STRING)").await;
        assert!(house.may("ana", "SELECT ssn FROM d.people"));
    });
}

#[test]
fn what_hides_values_stops_a_tag() {
    test(|| async {
        let mut house = House::new().await;
        house.ran("CREATE TABLE d.hidden AS SELECT mask_hash(ssn) AS h, count(*) AS n FROM d.people GROUP BY ssn").await;
        assert!(house.inherited().is_empty());
        assert!(house.may("ana", "SELECT h, n FROM d.hidden"));
    });
}

#[test]
fn a_declassifier_stops_a_tag_until_it_is_dropped() {
    test(|| async {
        let mut house = House::new().await;
        house.ran("CREATE TABLE d.hashed AS SELECT d.hash_id(ssn) AS h, concat(d.hash_id(ssn), ssn) AS k FROM d.people").await;
        assert_eq!(house.inherited(), ["d.hashed.h pii", "d.hashed.k pii"]);
        house
            .administer(
                "ALTER TAG pii ADD DECLASSIFIER FUNCTION d.hash_id REASON 'salted' REVIEW '2027-01-01'",
            )
            .await;
        assert_eq!(house.inherited(), ["d.hashed.k pii"]);
        house
            .administer(
                "ALTER TAG pii ADD DECLASSIFIER COLUMN d.hashed.k REASON 'looked at' REVIEW '2027-01-01'",
            )
            .await;
        assert!(house.may("ana", "SELECT h, k FROM d.hashed"));
        // Before it is recorded, too.
        assert!(house.may("etl", "CREATE TABLE d.third AS SELECT d.hash_id(ssn) AS h FROM d.people"));
        assert!(house.inherited().is_empty());
        house.administer("ALTER TAG pii DROP DECLASSIFIER FUNCTION d.hash_id").await;
        assert!(!house.may("ana", "SELECT h FROM d.hashed"));
        assert!(house.may("ana", "SELECT k FROM d.hashed"));
    });
}

#[test]
fn a_declassifier_stops_nothing_that_did_not_go_through_its_function() {
    test(|| async {
        let policy = format!(
            "{POLICY} ALTER TAG pii ADD DECLASSIFIER FUNCTION d.hash_id REASON 'salted' REVIEW '2027-01-01';
            ALTER TAG pii ADD DECLASSIFIER FUNCTION soundex REASON 'short' REVIEW '2027-01-01';"
        );
        let mut house = House::with(&policy).await;
        house.ran("CREATE TABLE d.all_arms AS SELECT d.hash_id(ssn) k FROM d.people UNION ALL SELECT d.hash_id(ssn) FROM d.people").await;
        house.ran("CREATE TABLE d.one_arm AS SELECT d.hash_id(ssn) k FROM d.people UNION ALL SELECT ssn FROM d.people").await;
        house.ran("INSERT INTO d.clean SELECT d.hash_id(ssn), city FROM d.people UNION SELECT city, ssn FROM d.people").await;
        house.ran("CREATE TABLE d.short AS SELECT soundex(ssn) k FROM d.people").await;
        assert!(house.may("ana", "SELECT k FROM d.short"));
        let hiding = house.etl.execute("CREATE TEMPORARY MACRO soundex(x STRING) x").await;
        assert!(hiding.checked.is_allowed(), "{:?}", hiding.checked.problem);
        house.ran("CREATE TABLE d.own_code AS SELECT soundex(ssn) k FROM d.people").await;
        assert!(!house.may("ana", "SELECT k FROM d.own_code"));
        assert!(!house.may("ana", "SELECT k FROM d.one_arm"));
        assert!(!house.may("ana", "SELECT ssn FROM d.clean"));
    });
}

#[test]
fn what_decides_about_a_column_does_not_pass_the_function_that_makes_it() {
    const MAKE: &str =
        "CREATE TABLE d.chosen AS SELECT d.hash_id(CASE WHEN ssn = '1' THEN city END) k FROM d.people";
    for (edges, may_read) in [(EdgeFilter::Direct, true), (EdgeFilter::All, false)] {
        test(move || async move {
            let policy = format!(
                "{POLICY} ALTER TAG pii ADD DECLASSIFIER FUNCTION d.hash_id REASON 'salted' REVIEW '2027-01-01';"
            );
            let mut house = House::along(edges, &policy).await;
            let run = house.executed(MAKE).await;
            assert_eq!(
                house.may("ana", "SELECT k FROM d.chosen"),
                may_read,
                "{edges:?} before it is recorded"
            );
            house.record(run);
            assert_eq!(house.may("ana", "SELECT k FROM d.chosen"), may_read, "{edges:?}");
        });
    }
}

#[test]
fn what_may_have_stayed_keeps_its_tag() {
    const STAYS: [&str; 5] = [
        "INSERT OVERWRITE TABLE d.days PARTITION (day = '1') IF NOT EXISTS SELECT city, city FROM d.people",
        "ALTER TABLE d.days PARTITION (day = '1') RENAME TO PARTITION (day = '2')",
        "ALTER TABLE d.days SET LOCATION '/clean'",
        "ALTER TABLE d.days PARTITION (day = '1') SET LOCATION '/clean'",
        "TRUNCATE TABLE d.days COLUMNS (other)",
    ];
    for statement in STAYS {
        test(move || async move {
            let mut house = House::new().await;
            house.ran("CREATE TABLE d.days (k STRING, other STRING) PARTITIONED BY (day STRING) STORED AS RCFILE").await;
            house.ran("INSERT INTO d.days PARTITION (day = '1') (k) SELECT ssn FROM d.people").await;
            house.ran(statement).await;
            house.ran("ALTER TABLE d.days DROP PARTITION (day = '3')").await;
            assert!(!house.may("ana", "SELECT k FROM d.days"), "{statement}");
        });
    }
}

#[test]
fn a_renamed_partition_takes_its_tag_along() {
    test(|| async {
        let mut house = House::new().await;
        house.ran("CREATE TABLE d.days (k STRING) PARTITIONED BY (day STRING)").await;
        house.ran("INSERT INTO d.days PARTITION (day = '1') SELECT ssn FROM d.people").await;
        house.ran("ALTER TABLE d.days PARTITION (day = '1') RENAME TO PARTITION (day = '2')").await;
        house.ran("INSERT OVERWRITE TABLE d.days PARTITION (day = '1') SELECT city FROM d.people").await;
        assert!(!house.may("ana", "SELECT k FROM d.days"));
        house.ran("ALTER TABLE d.days DROP PARTITION (day = '2')").await;
        assert!(house.may("ana", "SELECT k FROM d.days"));
    });
}

#[test]
fn masks_and_filters_on_tags_come_to_what_is_derived() {
    test(|| async {
        let policy = "
            GRANT SELECT ON DATABASE d TO USER ana;
            GRANT ALL ON SERVER server1 TO USER etl;
            GRANT ROLE admin TO USER root;
            CREATE TAG pii;
            SET TAG pii = 'ssn' ON COLUMN d.people.ssn;
            CREATE COLUMN MASK hide ON TAG pii USING (mask(value)) TO USER ana;";
        let mut house = House::with(policy).await;
        house.ran(MAKE).await;
        let session = house.engine.session_of("ana").expect("a session");
        let checked = session.check("SELECT number, city FROM d.copy");
        assert!(checked.is_allowed());
        let masked: Vec<String> =
            checked.decision.obligations.iter().map(|obligation| format!("{obligation:?}")).collect();
        assert_eq!(masked.len(), 1, "{masked:?}");
        assert!(masked[0].contains("number"), "{masked:?}");
    });
}

#[test]
fn a_view_over_what_is_derived_shows_the_tag_at_once() {
    test(|| async {
        let mut house = House::new().await;
        house.ran("CREATE TABLE d.copy (number STRING)").await;
        house.ran("CREATE VIEW d.v AS SELECT number AS x FROM d.copy").await;
        assert!(house.may("ana", "SELECT x FROM d.v"));
        assert!(house.may("etl", "INSERT INTO d.copy SELECT ssn FROM d.people"));
        assert!(!house.may("ana", "SELECT x FROM d.v"));
        assert_eq!(house.inherited(), ["d.copy.number pii", "d.v.x pii"]);
    });
}

/// Nothing is tagged but a column of a view.
const VIEW_POLICY: &str = "
    CREATE ROLE r;
    GRANT ROLE r TO USER ana;
    GRANT ROLE admin TO USER root;
    GRANT ALL ON SERVER server1 TO USER etl;
    GRANT SELECT ON DATABASE d TO ROLE r;
    CREATE TAG pii;
    DENY SELECT ON TAG pii TO USER ana;";

async fn house_with_view() -> House {
    let mut house = House::with(VIEW_POLICY).await;
    house.ran("CREATE VIEW d.v AS SELECT ssn AS s, concat(city, id) AS c FROM d.people").await;
    house.administer("SET TAG pii ON COLUMN d.v.s").await;
    house
}

#[test]
fn a_tag_on_a_column_of_a_view_goes_with_what_is_read_through_it() {
    test(|| async {
        let mut house = house_with_view().await;
        house.ran("CREATE TABLE d.filled (a STRING, b STRING)").await;
        for (table, statement) in [
            ("d.made", "CREATE TABLE d.made AS SELECT s AS a, c AS b FROM d.v"),
            ("d.filled", "INSERT INTO d.filled SELECT max(s), max(c) FROM d.v"),
        ] {
            // Pending, and recorded.
            let run = house.executed(statement).await;
            assert!(!house.may("ana", &format!("SELECT a FROM {table}")), "{statement}");
            house.record(run);
            house.pass(61);
            assert!(!house.may("ana", &format!("SELECT a FROM {table}")), "{statement}");
            assert!(house.may("ana", &format!("SELECT b FROM {table}")), "{statement}");
        }
        // It goes on from there, and what is read beside the view has none.
        house
            .ran("CREATE TABLE d.next AS SELECT m.a, p.ssn FROM d.made m JOIN d.people p ON m.b = p.city")
            .await;
        assert_eq!(house.inherited(), ["d.filled.a pii", "d.made.a pii", "d.next.a pii"]);
        assert_eq!(
            house.told("d", "next"),
            ["a: pii put on d.v.s, s -> d.made.a CREATETABLE_AS_SELECT, a -> d.next.a CREATETABLE_AS_SELECT"]
        );
        house.administer("UNSET TAG pii ON COLUMN d.v.s").await;
        assert!(house.inherited().is_empty());
        assert!(house.may("ana", "SELECT a FROM d.made"));
        // What was made before is found by a tag that comes later.
        house.administer("SET TAG pii ON COLUMN d.v.c").await;
        assert_eq!(house.inherited(), ["d.filled.b pii", "d.made.b pii"]);
    });
}

#[test]
fn a_tag_on_a_view_or_its_database_goes_with_every_column_that_is_read_through_it() {
    test(|| async {
        let mut house = House::with(VIEW_POLICY).await;
        house.ran("CREATE DATABASE e").await;
        house.ran("CREATE VIEW e.v AS SELECT ssn AS s, city AS c FROM d.people").await;
        for resource in ["TABLE e.v", "DATABASE e"] {
            house.administer(&format!("SET TAG pii ON {resource}")).await;
            let run = house.executed("CREATE TABLE d.made AS SELECT s, c, 'x' AS x FROM e.v").await;
            assert_eq!(house.inherited(), ["d.made.c pii", "d.made.s pii"], "{resource}");
            house.record(run);
            assert_eq!(house.inherited(), ["d.made.c pii", "d.made.s pii"], "{resource}");
            house.administer(&format!("UNSET TAG pii ON {resource}")).await;
            assert!(house.inherited().is_empty());
            house.ran("DROP TABLE d.made").await;
        }
    });
}

#[test]
fn a_tag_on_a_view_goes_through_the_views_over_it() {
    test(|| async {
        let mut house = house_with_view().await;
        house.ran("CREATE VIEW d.upon AS SELECT upper(s) AS o, c FROM d.v").await;
        assert_eq!(house.inherited(), ["d.upon.o pii"]);
        house.ran("CREATE TABLE d.made AS SELECT o AS a, c AS b FROM d.upon").await;
        assert_eq!(house.inherited(), ["d.made.a pii", "d.upon.o pii"]);
        house.administer("SET TAG pii ON COLUMN d.upon.c").await;
        assert_eq!(house.inherited(), ["d.made.a pii", "d.made.b pii", "d.upon.o pii"]);
    });
}

#[test]
fn what_is_put_on_a_view_counts_for_what_it_showed_when_it_was_read() {
    test(|| async {
        let mut house = house_with_view().await;
        house.ran("CREATE TABLE d.before AS SELECT s AS a FROM d.v").await;
        house.ran("ALTER VIEW d.v AS SELECT city AS s, ssn AS c FROM d.people").await;
        house.ran("CREATE TABLE d.after AS SELECT s AS a, c AS b FROM d.v").await;
        assert_eq!(house.inherited(), ["d.after.a pii", "d.before.a pii"]);
    });
}

#[test]
fn a_view_that_is_pending_hands_on_what_is_put_on_it() {
    test(|| async {
        let mut house = House::with(VIEW_POLICY).await;
        let view = house.executed("CREATE VIEW d.v AS SELECT ssn AS s, city AS c FROM d.people").await;
        house.administer("SET TAG pii ON COLUMN d.v.s").await;
        let made = house.executed("CREATE TABLE d.made AS SELECT s AS a, c AS b FROM d.v").await;
        assert_eq!(house.inherited(), ["d.made.a pii"]);
        house.record(view);
        assert_eq!(house.inherited(), ["d.made.a pii"]);
        house.record(made);
        house.pass(61);
        assert_eq!(house.inherited(), ["d.made.a pii"]);
    });
}

#[test]
fn what_hides_values_stops_what_is_put_on_a_view_and_what_the_view_hides_does_not() {
    test(|| async {
        let mut house = house_with_view().await;
        house.ran("CREATE VIEW d.hiding AS SELECT mask_hash(ssn) AS h FROM d.people").await;
        house.administer("SET TAG pii ON COLUMN d.hiding.h").await;
        house.ran("CREATE TABLE d.masked AS SELECT mask_hash(s) AS a FROM d.v").await;
        house.ran("CREATE TABLE d.hashed AS SELECT d.hash_id(s) AS a FROM d.v").await;
        house.ran("CREATE TABLE d.copied AS SELECT h AS a FROM d.hiding").await;
        assert_eq!(house.inherited(), ["d.copied.a pii", "d.hashed.a pii"]);
        house
            .administer(
                "ALTER TAG pii ADD DECLASSIFIER FUNCTION d.hash_id REASON 'salted' REVIEW '2027-01-01'",
            )
            .await;
        assert_eq!(house.inherited(), ["d.copied.a pii"]);
        house
            .administer(
                "ALTER TAG pii ADD DECLASSIFIER COLUMN d.copied.a REASON 'looked at' REVIEW '2027-01-01'",
            )
            .await;
        assert!(house.inherited().is_empty());
        for statement in [
            "CREATE TABLE d.masked_again AS SELECT mask_hash(s) AS a FROM d.v",
            "CREATE TABLE d.hashed_again AS SELECT d.hash_id(s) AS a FROM d.v",
            "INSERT INTO d.copied SELECT h FROM d.hiding",
        ] {
            house.executed(statement).await;
            assert!(house.inherited().is_empty(), "{statement}");
        }
    });
}

#[test]
fn files_carry_tags_and_hand_them_on() {
    test(|| async {
        let mut house = House::new().await;
        house.ran("EXPORT TABLE d.people TO '/out/people'").await;
        assert_eq!(house.inherited(), ["hdfs://nn1:8020/out/people pii"]);
        house.ran("LOAD DATA INPATH '/out/people' INTO TABLE d.clean").await;
        assert!(!house.may("ana", "SELECT ssn FROM d.clean"));
        assert!(house.may("ana", "SELECT city FROM d.clean"));
        // Files have no names of columns.
        house.ran("CREATE TABLE d.other (a STRING, b STRING)").await;
        house.ran("LOAD DATA INPATH '/out/people' INTO TABLE d.other").await;
        assert!(!house.may("ana", "SELECT a FROM d.other"));
        assert!(!house.may("ana", "SELECT b FROM d.other"));
    });
}

#[test]
fn a_directory_is_read_with_all_that_is_in_it() {
    test(|| async {
        let mut house = House::new().await;
        house.ran("INSERT OVERWRITE DIRECTORY '/x' SELECT ssn FROM d.people").await;
        let statements = [
            ("d.file", "LOAD DATA INPATH '/x/part-0' INTO TABLE d.file"),
            ("d.lies", "CREATE EXTERNAL TABLE d.lies (a STRING) LOCATION '/x/sub//deeper/'"),
            ("d.above", "CREATE EXTERNAL TABLE d.above (a STRING) LOCATION 'hdfs://nn1/'"),
        ];
        for (table, statement) in statements {
            if statement.starts_with("LOAD") {
                house.ran(&format!("CREATE TABLE {table} (a STRING)")).await;
            }
            // Pending, and recorded.
            let run = house.executed(statement).await;
            assert!(!house.may("ana", &format!("SELECT a FROM {table}")), "{statement}");
            house.record(run);
            house.pass(61);
            assert!(!house.may("ana", &format!("SELECT a FROM {table}")), "{statement}");
        }
        house.ran("CREATE EXTERNAL TABLE d.beside (a STRING) LOCATION '/xy'").await;
        house.ran("CREATE EXTERNAL TABLE d.elsewhere (a STRING) LOCATION 'hdfs://nn2/x/part-0'").await;
        assert!(house.may("ana", "SELECT a FROM d.beside"));
        assert!(house.may("ana", "SELECT a FROM d.elsewhere"));
    });
}

#[test]
fn a_column_that_no_run_names_goes_along_where_no_column_is_named() {
    test(|| async {
        let mut house = House::with(&POLICY.replace("d.people.ssn", "d.people.id")).await;
        // As it is recorded where nobody knows the columns.
        let mut run = house.executed("EXPORT TABLE d.people TO '/out/people'").await;
        for target in &mut run.targets {
            target.columns.clear();
            target.whole = run.inputs.iter().map(|input| input.dataset.clone()).collect();
        }
        house.record(run);
        house.pass(61);
        assert!(house.may("ana", "SELECT ssn FROM d.people"));
        assert_eq!(house.inherited(), ["hdfs://nn1:8020/out/people pii"]);
    });
}

#[test]
fn a_whole_table_goes_in_for_its_rows_where_columns_are_named() {
    test(|| async {
        let mut house = House::new().await;
        house.ran("CREATE TABLE d.counts (n BIGINT, who STRING)").await;
        // Neither tells anything of a value.
        house.ran("INSERT INTO d.counts SELECT count(*), 'x' FROM d.people").await;
        house.ran("INSERT INTO d.counts SELECT 1, 'x' FROM d.people").await;
        house.ran("INSERT INTO d.counts SELECT count(DISTINCT ssn), 'x' FROM d.people").await;
        house.ran("INSERT INTO d.counts SELECT count(*), city FROM d.people GROUP BY city").await;
        assert!(house.may("ana", "SELECT n, who FROM d.counts"));
        // These do, whatever stands around the column.
        for value in ["max(ssn)", "concat_ws(',', collect_set(ssn))"] {
            house.ran("CREATE TABLE d.told (who STRING)").await;
            house.ran(&format!("INSERT INTO d.told SELECT {value} FROM d.people")).await;
            assert!(!house.may("ana", "SELECT who FROM d.told"), "{value}");
            house.ran("DROP TABLE d.told").await;
        }
        // A star names every column.
        house.ran("CREATE TABLE d.all_of_it AS SELECT p.* FROM d.people p").await;
        assert!(!house.may("ana", "SELECT ssn FROM d.all_of_it"));
        assert!(house.may("ana", "SELECT city FROM d.all_of_it"));
    });
}
