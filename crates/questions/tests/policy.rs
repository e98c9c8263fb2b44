//! Questions of a policy that comes from files.

use guardbee_engine::EngineOptions;
use guardbee_engine::desired::{PolicyFile, desired_policy};
use guardbee_policy::{Policy, Settings, Timestamp};
use guardbee_questions::Unanswered;
use guardbee_questions::policy::{WhatCanQuestion, WhoCanQuestion, WhyQuestion, what_can, who_can, why};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;

const NOW: Timestamp = Timestamp(1_764_400_000_000);

const POLICY: &str = "
CREATE ROLE reader;
CREATE ROLE boss;
GRANT ROLE reader TO ROLE boss;
GRANT ROLE reader TO GROUP analysts;
GRANT SELECT (name, dept) ON TABLE hr.emp TO ROLE reader;
GRANT SELECT ON TABLE hr.site TO ROLE reader;
CREATE TAG pii;
SET TAG pii ON COLUMN hr.emp.ssn;
DENY SELECT ON TAG pii TO GROUP analysts;
";

async fn policy() -> Policy {
    let files = [PolicyFile { label: "policy.sql", text: POLICY }];
    let options =
        EngineOptions { completeness: guardbee_engine::Completeness::Partial, ..EngineOptions::default() };
    desired_policy(&files, &Settings::default(), options).await.expect("the policy is sound")
}

fn question<Q: DeserializeOwned>(question: serde_json::Value) -> Q {
    serde_json::from_value(question).expect("the question is well put")
}

fn comes_back<D: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(document: D) -> D {
    let text = serde_json::to_string(&document).expect("a document is plain data");
    let read: D = serde_json::from_str(&text).expect("the type reads what it writes");
    assert_eq!(read, document);
    read
}

#[tokio::test]
async fn who_can_names_holders_by_their_own_entries() {
    let policy = policy().await;
    let asked =
        |object: &str| -> WhoCanQuestion { question(json!({"privilege": "select", "object": object})) };
    let site = comes_back(who_can(&policy, &asked("hr.site"), NOW).expect("an answer"));
    let holders: Vec<String> = site.holders.iter().map(|holder| holder.principal.to_string()).collect();
    assert_eq!(holders, ["group analysts", "role boss", "role reader"]);
    let way: Vec<String> = site.holders[0].entries[0].path.iter().map(ToString::to_string).collect();
    assert_eq!(way, ["group analysts", "role reader"]);
    assert!(site.is_anybody());

    let emp = comes_back(who_can(&policy, &asked("hr.emp"), NOW).expect("an answer"));
    assert!(!emp.is_anybody());
    assert_eq!(emp.columns.len(), 2);
    assert_eq!(emp.denials[0].tag.as_deref(), Some("TAG pii"));
}

#[tokio::test]
async fn what_can_needs_no_groups() {
    let policy = policy().await;
    let nothing = comes_back(what_can(&policy, &question::<WhatCanQuestion>(json!({"user": "ana"})), NOW));
    assert!(!nothing.is_anything());
    let asked: WhatCanQuestion = question(json!({"user": "ana", "groups": ["analysts"]}));
    let much = comes_back(what_can(&policy, &asked, NOW));
    assert_eq!((much.grants.len(), much.denials.len()), (3, 1));
    assert_eq!(much.denials[0].carriers, ["hr.emp.ssn"]);
}

#[tokio::test]
async fn why_says_what_would_help() {
    let policy = policy().await;
    let asked = |object: &str| -> WhyQuestion {
        question(json!({"user": "ana", "groups": ["analysts"], "privilege": "SELECT", "object": object}))
    };
    assert!(comes_back(why(&policy, &asked("hr.site"), NOW).expect("an answer")).held);
    let refused = comes_back(why(&policy, &asked("hr.emp.ssn"), NOW).expect("an answer"));
    assert!(!refused.held);
    assert_eq!(refused.reasons[0].needed, "SELECT on hr.emp.ssn");
    assert_eq!(
        refused.reasons[0].nearby_ways[0].sql,
        ["GRANT SELECT (dept, name) ON TABLE hr.emp TO ROLE reader"]
    );
    let remedy = refused.remedy.expect("a grant helps");
    assert_eq!(remedy.grants, ["GRANT SELECT (ssn) ON TABLE hr.emp TO ROLE reader"]);
}

#[tokio::test]
async fn what_makes_no_sense_is_wrong_use() {
    let policy = policy().await;
    let code = |answer: Result<_, Unanswered>| match answer {
        Err(Unanswered::WrongUse(problem)) => problem.code,
        other => panic!("{other:?}"),
    };
    let asked = |privilege: &str, object: &str| -> WhoCanQuestion {
        question(json!({"privilege": privilege, "object": object}))
    };
    assert_eq!(code(who_can(&policy, &asked("FLY", "hr.emp"), NOW)), "unknown-privilege");
    assert_eq!(code(who_can(&policy, &asked("SELECT", "select 1"), NOW)), "malformed-object");
    let unknown = serde_json::from_value::<WhatCanQuestion>(json!({"user": "ana", "group": "analysts"}));
    assert!(unknown.is_err(), "a field that nobody knows is refused");
}
