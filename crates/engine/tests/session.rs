//! What a session keeps from statement to statement.

use std::sync::Arc;

use guardbee_engine::{Completeness, Engine, EngineOptions, Executed, Outcome, Session};
use guardbee_policy::{Change, GrantOption, Identity, Membership, Policy, Principal, Timestamp};

async fn engine(settings: &[(&str, &str)], catalog: &str, policy: &[&str]) -> Arc<Engine> {
    engine_with(EngineOptions::default(), settings, catalog, policy).await
}

async fn engine_with(
    options: EngineOptions,
    settings: &[(&str, &str)],
    catalog: &str,
    policy: &[&str],
) -> Arc<Engine> {
    let settings =
        settings.iter().map(|(key, value)| Change::PutSetting { key: (*key).into(), value: (*value).into() });
    let root = Change::PutMembership(Membership {
        role: "admin".into(),
        member: Principal::user("root"),
        admin_option: GrantOption::With,
        grantor: None,
        created_at: Timestamp(0),
    });
    let first = Policy::from_changes(settings.chain([root])).unwrap();
    let engine = Engine::new(first, options);
    assert!(engine.define(catalog).await.unwrap().is_empty());
    let mut session = of(&engine, "root");
    for statement in policy {
        run(&mut session, statement, Outcome::Allowed).await;
    }
    engine
}

fn of(engine: &Arc<Engine>, user: &str) -> Session {
    engine.session(Identity::of_user(user))
}

async fn run(session: &mut Session, statement: &str, expected: Outcome) -> Executed {
    let executed = session.execute(statement).await;
    assert_eq!(executed.checked.outcome, expected, "{statement}: {:?}", executed.checked.problem);
    executed
}

fn rows(executed: &Executed, columns: usize) -> Vec<String> {
    let text = |row: &Vec<guardbee_engine::Value>| {
        row.iter().take(columns).map(ToString::to_string).collect::<Vec<_>>().join("|")
    };
    executed.answer.rows.iter().map(text).collect()
}

#[tokio::test(flavor = "current_thread")]
async fn database_variables_and_roles_last_as_long_as_the_session() {
    let policy = [
        "CREATE ROLE r",
        "CREATE ROLE s",
        "GRANT ROLE r TO USER ana",
        "GRANT ROLE s TO USER ana",
        "GRANT SELECT ON TABLE db.t TO ROLE r",
        "GRANT INSERT ON DATABASE db TO ROLE s",
    ];
    let engine = engine(&[], "CREATE DATABASE db; CREATE TABLE db.t (i INT);", &policy).await;
    let mut ana = of(&engine, "ana");
    run(&mut ana, "USE db", Outcome::Allowed).await;
    run(&mut ana, "SET hivevar:name=t", Outcome::Allowed).await;
    run(&mut ana, "SELECT i FROM ${name}", Outcome::Allowed).await;
    run(&mut ana, "SET ROLE s", Outcome::Allowed).await;
    run(&mut ana, "SELECT i FROM t", Outcome::Denied).await;
    run(&mut ana, "SET ROLE ALL", Outcome::Allowed).await;
    run(&mut ana, "SELECT i FROM t", Outcome::Allowed).await;
    let mut another = of(&engine, "ana");
    run(&mut another, "SELECT i FROM t", Outcome::Error).await;
}

#[tokio::test(flavor = "current_thread")]
async fn a_check_changes_nothing() {
    let engine = engine(&[], "CREATE DATABASE db", &["GRANT ALL ON *.* TO USER root"]).await;
    let root = of(&engine, "root");
    let version = engine.policy().version;
    for statement in ["CREATE ROLE r", "SET ROLE NONE", "USE db", "CREATE TABLE db.t (i INT)", "SET a=b"] {
        assert_eq!(root.check(statement).outcome, Outcome::Allowed, "{statement}");
    }
    assert_eq!(root.state().database().as_str(), "default");
    assert_eq!(root.state().setting("a"), None);
    assert!(engine.catalog().table("db", "t").is_none());
    assert_eq!(engine.policy().version, version);
}

#[tokio::test(flavor = "current_thread")]
async fn temporary_tables_are_nobody_elses_business() {
    let policy = ["GRANT SELECT ON TABLE db.t TO USER ana", "GRANT SELECT ON TABLE db.t TO ROLE public"];
    let engine = engine(&[], "CREATE DATABASE db; CREATE TABLE db.t (i INT);", &policy).await;
    let mut ana = of(&engine, "ana");
    run(&mut ana, "USE db", Outcome::Allowed).await;
    run(&mut ana, "CREATE TEMPORARY TABLE t (secret INT)", Outcome::Allowed).await;
    run(&mut ana, "INSERT INTO t VALUES (1)", Outcome::Allowed).await;
    run(&mut ana, "SELECT secret FROM t", Outcome::Allowed).await;
    run(&mut ana, "DESCRIBE t", Outcome::Allowed).await;
    run(&mut ana, "SHOW CREATE TABLE t", Outcome::Allowed).await;
    run(&mut ana, "ALTER TABLE t RENAME TO t2", Outcome::Allowed).await;
    run(&mut ana, "DROP TABLE t2", Outcome::Allowed).await;
    run(&mut ana, "SELECT i FROM t", Outcome::Allowed).await;
    assert_eq!(engine.policy().policy.entries().count(), 2);
}

#[tokio::test(flavor = "current_thread")]
async fn hives_settings_grant_on_new_tables() {
    let catalog = "CREATE DATABASE db";
    let policy = ["CREATE ROLE r", "GRANT CREATE ON DATABASE default TO USER ana"];
    let engine = engine(&[("rule_book", "hive-legacy")], catalog, &policy).await;
    let mut ana = of(&engine, "ana");
    let key = "SET hive.security.authorization.createtable";
    run(&mut ana, &format!("{key}.owner.grants=select,drop"), Outcome::Allowed).await;
    run(&mut ana, &format!("{key}.user.grants=bob,cy:select;bob:create"), Outcome::Allowed).await;
    run(&mut ana, &format!("{key}.role.grants=r:all;nobody:all"), Outcome::Allowed).await;
    run(&mut ana, "CREATE TABLE t (i INT)", Outcome::Allowed).await;
    let grants = run(&mut of(&engine, "root"), "SHOW GRANT ON TABLE t", Outcome::Allowed).await;
    let expected = [
        "default|t|||ana|USER|DROP|true",
        "default|t|||ana|USER|SELECT|true",
        "default|t|||bob|USER|CREATE|true",
        "default|t|||bob|USER|SELECT|true",
        "default|t|||cy|USER|SELECT|true",
        "default|t|||r|ROLE|ALL|true",
    ];
    assert_eq!(rows(&grants, 8), expected);
}

#[tokio::test(flavor = "current_thread")]
async fn explain_authorization_prints_what_is_missing() {
    let engine = engine(&[], "CREATE TABLE t (i INT)", &[]).await;
    let explained =
        run(&mut of(&engine, "ana"), "EXPLAIN AUTHORIZATION SELECT i FROM t", Outcome::Allowed).await;
    let lines = rows(&explained, 1);
    assert_eq!(lines[..2], ["INPUTS: ", "  default.t"]);
    assert_eq!(lines[lines.len() - 2..], ["AUTHORIZATION_FAILURES: ", "  SELECT on default.t.i"]);
}

#[tokio::test(flavor = "current_thread")]
async fn reading_a_catalog_in_leaves_entries_alone() {
    let policy = ["GRANT SELECT ON TABLE db.t TO USER ana"];
    let catalog = "CREATE DATABASE db; CREATE TABLE db.t (i INT);";
    let engine = engine(&[("sync_create", "true"), ("rule_book", "sql-standard")], catalog, &[]).await;
    let mut root = of(&engine, "root");
    root.switch_roles(guardbee_policy::ActiveRoles::Only(vec!["admin".into()]));
    run(&mut root, policy[0], Outcome::Allowed).await;
    let again = "DROP TABLE db.t; CREATE TABLE db.t (i INT); ALTER TABLE db.t SET OWNER USER bob;";
    assert!(engine.define(again).await.unwrap().is_empty());
    assert_eq!(engine.policy().policy.entries().count(), 1);
    let version = engine.policy().version;
    assert_eq!(engine.policy().policy.owners().count(), 1);
    assert!(engine.define("ALTER TABLE db.t SET OWNER USER bob").await.unwrap().is_empty());
    assert_eq!(engine.policy().version, version);
}

#[tokio::test(flavor = "current_thread")]
async fn a_temporary_table_hides_another_only_where_it_is_made() {
    let policy = ["GRANT SELECT (name) ON TABLE db.t TO USER ana"];
    let catalog = "CREATE DATABASE db; CREATE TABLE db.t (name STRING, ssn STRING);";
    let engine = engine(&[], catalog, &policy).await;
    let mut ana = of(&engine, "ana");
    run(&mut ana, "CREATE TEMPORARY TABLE IF NOT EXISTS db.t (ssn STRING)", Outcome::Allowed).await;
    run(&mut ana, "SELECT ssn FROM db.t", Outcome::Denied).await;
    run(&mut ana, "CREATE TEMPORARY TABLE db.t (ssn STRING)", Outcome::Allowed).await;
    run(&mut ana, "SELECT ssn FROM db.t", Outcome::Allowed).await;
    run(&mut ana, "DROP TABLE db.t", Outcome::Allowed).await;
    run(&mut ana, "SELECT ssn FROM db.t", Outcome::Denied).await;
}

#[tokio::test(flavor = "current_thread")]
async fn a_table_of_the_session_lies_where_its_user_may() {
    let engine = engine(&[], "CREATE DATABASE db;", &[]).await;
    let mut ana = of(&engine, "ana");
    run(&mut ana, "CREATE TEMPORARY TABLE db.own (a STRING)", Outcome::Allowed).await;
    for place in ["/secret", "/../secret", "file:/../secret", "secret"] {
        run(&mut ana, &format!("ALTER TABLE db.own SET LOCATION '{place}'"), Outcome::Denied).await;
    }
}

#[tokio::test(flavor = "current_thread")]
async fn what_a_partial_catalog_leaves_open_is_asked_for() {
    let policy = [
        "GRANT SELECT (name) ON TABLE db.t TO USER ana",
        "GRANT SELECT (id) ON TABLE db.u TO USER ana",
        "GRANT SELECT (name, ssn) ON TABLE db.t TO USER bob",
        "GRANT SELECT (id, ssn) ON TABLE db.u TO USER bob",
    ];
    let options = EngineOptions { completeness: Completeness::Partial, ..EngineOptions::default() };
    let engine = engine_with(options, &[], "", &policy).await;
    let mut ana = of(&engine, "ana");
    let mut bob = of(&engine, "bob");
    for either in [
        "SELECT ssn FROM db.t JOIN db.u ON t.name = u.id",
        "SELECT t.name FROM db.t JOIN db.u ON t.name = u.id WHERE ssn = '1'",
        "SELECT t.name FROM db.t JOIN db.u ON t.name = u.id ORDER BY if(ssn = '1', 1, 2)",
    ] {
        let missing = run(&mut ana, either, Outcome::Denied).await.checked.problem.unwrap().to_string();
        assert!(missing.contains("db.t.ssn") && missing.contains("db.u.ssn"), "{missing}");
        run(&mut bob, either, Outcome::Allowed).await;
    }
    run(&mut ana, "SELECT t.name, u.id FROM db.t JOIN db.u ON t.name = u.id", Outcome::Allowed).await;

    run(&mut ana, "CREATE TEMPORARY TABLE IF NOT EXISTS db.t (ssn STRING)", Outcome::Allowed).await;
    run(&mut ana, "SELECT ssn FROM db.t", Outcome::Denied).await;
    run(&mut ana, "CREATE TEMPORARY TABLE db.t (ssn STRING)", Outcome::Allowed).await;
    run(&mut ana, "SELECT ssn FROM db.t", Outcome::Allowed).await;
}

/// The names of the tables that may have a column end after a hundred, the question does not.
#[tokio::test(flavor = "current_thread")]
async fn a_column_of_one_of_very_many_unknown_tables_is_asked_for_in_all() {
    let options = EngineOptions { completeness: Completeness::Partial, ..EngineOptions::default() };
    let policy = [
        "GRANT SELECT ON SERVER server1 TO USER ana",
        "GRANT SELECT ON SERVER server1 TO USER bob",
        "DENY SELECT (ssn) ON TABLE db.t149 TO USER ana",
    ];
    let engine = engine_with(options, &[], "", &policy).await;
    let mut ana = of(&engine, "ana");
    let tables: Vec<String> = (0..150).map(|number| format!("db.t{number}")).collect();
    let from = tables.join(" JOIN ");
    run(&mut ana, &format!("SELECT ssn FROM {from}"), Outcome::Denied).await;
    run(&mut of(&engine, "bob"), &format!("SELECT ssn FROM {from}"), Outcome::Allowed).await;
}

/// Somebody else's table may be there: nobody becomes its owner, and its columns are not those of the statement.
#[tokio::test(flavor = "current_thread")]
async fn what_may_be_there_already_is_not_taken_over() {
    let options = || EngineOptions { completeness: Completeness::Partial, ..EngineOptions::default() };
    let book = [("rule_book", "sql-standard")];
    let engine = engine_with(options(), &book, "", &[]).await;
    let mut ana = of(&engine, "ana");
    let created = run(&mut ana, "CREATE TABLE IF NOT EXISTS default.t (name STRING)", Outcome::Allowed).await;
    assert_eq!(created.version, None);
    run(&mut ana, "SELECT name FROM default.t", Outcome::Denied).await;
    run(&mut ana, "DROP TABLE default.t", Outcome::Denied).await;
    let created = run(&mut ana, "CREATE TABLE default.u (name STRING)", Outcome::Allowed).await;
    assert!(created.version.is_some());
    run(&mut ana, "SELECT name FROM default.u", Outcome::Allowed).await;

    let book = [("rule_book", "hive-legacy")];
    let policy = ["GRANT ALL ON SERVER server1 TO USER ana", "DENY SELECT (ssn) ON TABLE db.t TO USER ana"];
    let engine = engine_with(options(), &book, "", &policy).await;
    let mut ana = of(&engine, "ana");
    run(&mut ana, "CREATE TABLE IF NOT EXISTS db.t (name STRING)", Outcome::Allowed).await;
    run(&mut ana, "SELECT * FROM db.t", Outcome::Denied).await;
    let nobody = engine_with(options(), &[("rule_book", "hive-legacy")], "", &[]).await;
    run(&mut of(&nobody, "ana"), "DROP TABLE db.t", Outcome::Denied).await;
}

#[tokio::test(flavor = "current_thread")]
async fn a_role_that_looks_like_another_is_warned_of() {
    let engine = engine(&[], "", &[]).await;
    let mut root = of(&engine, "root");
    let made = run(&mut root, "CREATE ROLE `\u{440}eader`", Outcome::Allowed).await;
    assert!(
        made.answer.notices.iter().any(|notice| notice.contains("Cyrillic and Latin")),
        "{:?}",
        made.answer
    );
    let made = run(&mut root, "CREATE ROLE reader", Outcome::Allowed).await;
    assert!(made.answer.notices.is_empty());
}
