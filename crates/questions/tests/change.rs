//! Plans, and changes of a policy as a whole, over a store.

use std::sync::Arc;

use guardbee_engine::audit::{AuditCursor, AuditFilter};
use guardbee_engine::store::{PolicyVersion, Storage, Store, StoreError};
use guardbee_engine::{Completeness, Engine, EngineOptions};
use guardbee_policy::{Policy, Settings, Timestamp};
use guardbee_questions::policy::{
    Lockout, PlanQuestion, PolicyChange, PolicyDifferenceQuestion, PolicyText, PolicyVersionsQuestion, apply,
    desired, difference, plan, restore, versions,
};
use guardbee_questions::{Asker, Unanswered};
use guardbee_wire::policy::{ChangeDocument, DifferenceDocument, PlanDocument, Shift};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;

const NOW: Timestamp = Timestamp(1_764_400_000_000);
const FIRST: &str = "GRANT ROLE admin TO USER root;
CREATE ROLE reader;
GRANT ROLE reader TO GROUP analysts;
GRANT SELECT ON TABLE hr.emp TO ROLE reader;";
const SECOND: &str = "GRANT ROLE admin TO USER root;
CREATE ROLE reader;
GRANT SELECT ON TABLE hr.emp TO ROLE reader;";
const NOBODY: &str = "CREATE ROLE reader;";

/// A store of its own, gone with the value.
struct Ground {
    storage: Arc<dyn Storage>,
    _folder: tempfile::TempDir,
}

impl Ground {
    async fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let path = folder.path().join("policy.db");
        let storage = guardbee_store::open(path.to_str().expect("a plain path")).await.expect("a new store");
        Self { storage, _folder: folder }
    }

    async fn engine(&self) -> Arc<Engine> {
        Engine::open(self.storage.clone(), EngineOptions::default()).await.expect("a policy")
    }
}

fn options() -> EngineOptions {
    EngineOptions { completeness: Completeness::Partial, ..EngineOptions::default() }
}

fn text(text: &str) -> Vec<PolicyText> {
    vec![PolicyText { label: "policy.sql".to_owned(), text: text.to_owned() }]
}

async fn stated(sql: &str) -> Policy {
    desired(&text(sql), &Settings::default(), options()).await.expect("the policy is sound")
}

const fn change(base: Option<u64>) -> PolicyChange<'static> {
    PolicyChange {
        asker: Asker { user: "root", client: "10.0.0.7" },
        reason: "",
        base: match base {
            Some(base) => Some(PolicyVersion(base)),
            None => None,
        },
        lockout: Lockout::Refused,
        now: NOW,
    }
}

fn comes_back<D: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(document: D) -> D {
    let text = serde_json::to_string(&document).expect("a document is plain data");
    assert_eq!(serde_json::from_str::<D>(&text).expect("the type reads what it writes"), document);
    document
}

#[tokio::test]
async fn what_is_planned_is_what_is_applied() {
    let ground = Ground::new().await;
    let engine = ground.engine().await;
    let made = comes_back(apply(&engine, &stated(FIRST).await, change(Some(0))).await.expect("a version"));
    assert_eq!(made.policy_version, 1);
    let question: PlanQuestion = serde_json::from_value(json!({
        "files": [{"label": "policy.sql", "text": SECOND}],
        "past": [
            {"time": 7, "user": "ana", "groups": ["analysts"], "sql": "SELECT name FROM hr.emp", "took": 3},
            {"user": "eve", "sql": "SELECT name FROM hr.emp"}
        ],
    }))
    .expect("the question is well put");
    let planned: PlanDocument =
        comes_back(plan(&engine.policy(), &question, options, NOW).await.expect("a plan"));
    assert_eq!(planned.policy_version, 1);
    assert_eq!((planned.differences.added(), planned.differences.removed()), (0, 1));
    assert!(!planned.locks_administrators_out);
    let past = planned.past.expect("there were past statements");
    assert_eq!((past.statements, past.now_refused), (2, 1));
    assert_eq!((past.cases[0].shift, past.cases[0].last.as_deref()), (Shift::NowRefused, Some("7")));

    let made = apply(&engine, &stated(SECOND).await, change(Some(1))).await.expect("a version");
    assert_eq!((made.policy_version, &made.differences), (2, &planned.differences));
    let again: ChangeDocument = apply(&engine, &stated(SECOND).await, change(None)).await.expect("an answer");
    assert_eq!((again.policy_version, again.changes), (2, 0));
    assert!(again.differences.is_empty());
}

#[tokio::test]
async fn a_change_is_audited_with_who_asked_and_from_where() {
    let ground = Ground::new().await;
    let engine = ground.engine().await;
    apply(&engine, &stated(FIRST).await, change(None)).await.expect("a version");
    let entries =
        ground.storage.read_audit(&AuditFilter::default(), AuditCursor::Newest, 10).await.expect("a log");
    let record = &entries[0].record;
    assert_eq!((record.actor.as_str(), record.operation.as_str()), ("root", "policy apply"));
    assert_eq!(record.client.as_deref(), Some("10.0.0.7"));
    assert_eq!(record.policy_version, PolicyVersion(1));
}

#[tokio::test]
async fn nothing_changes_over_what_somebody_else_made() {
    let ground = Ground::new().await;
    let (mine, other) = (ground.engine().await, ground.engine().await);
    apply(&other, &stated(FIRST).await, change(Some(0))).await.expect("a version");
    let refused = apply(&mine, &stated(SECOND).await, change(Some(0))).await;
    assert!(
        matches!(
            refused,
            Err(Unanswered::Store {
                error: StoreError::Conflict { base: PolicyVersion(0), latest: PolicyVersion(1) },
                ..
            })
        ),
        "{refused:?}"
    );
    let made = apply(&mine, &stated(SECOND).await, change(Some(1))).await.expect("it has caught up");
    assert_eq!(made.policy_version, 2);
}

#[tokio::test]
async fn nobody_is_locked_out_unasked() {
    let ground = Ground::new().await;
    let engine = ground.engine().await;
    apply(&engine, &stated(FIRST).await, change(None)).await.expect("a version");
    let refused = apply(&engine, &stated(NOBODY).await, change(None)).await;
    assert!(
        matches!(&refused, Err(Unanswered::Refused(problem)) if problem.code == "no-administrator"),
        "{refused:?}"
    );
    let old = restore(&engine, &*ground.storage, PolicyVersion(0), change(None)).await;
    assert!(matches!(old, Err(Unanswered::Refused(_))), "{old:?}");
    assert_eq!(engine.policy().version, PolicyVersion(1));
    let accepted = PolicyChange { lockout: Lockout::Accepted, ..change(None) };
    let made = apply(&engine, &stated(NOBODY).await, accepted).await.expect("it was asked for");
    assert_eq!(made.policy_version, 2);
}

#[tokio::test]
async fn versions_are_listed_compared_and_restored() {
    let ground = Ground::new().await;
    let engine = ground.engine().await;
    for sql in [FIRST, SECOND] {
        apply(&engine, &stated(sql).await, change(None)).await.expect("a version");
    }
    let store: &dyn Store = &*ground.storage;
    let asked = PolicyDifferenceQuestion { from: 1, to: None };
    let between: DifferenceDocument = comes_back(difference(store, &asked).await.expect("an answer"));
    assert_eq!(between.differences.groups[0].removed, ["GRANT ROLE reader TO GROUP analysts"]);
    let made = restore(&engine, store, PolicyVersion(1), change(Some(2))).await.expect("a version");
    assert_eq!(made.policy_version, 3);
    assert_eq!(made.differences.groups[0].added, ["GRANT ROLE reader TO GROUP analysts"]);

    let asked: PolicyVersionsQuestion = serde_json::from_value(json!({})).expect("all has defaults");
    let history = comes_back(versions(store, &asked).await.expect("an answer"));
    let told: Vec<(u64, &str)> =
        history.versions.iter().map(|line| (line.version, line.reason.as_str())).collect();
    assert_eq!(told, [(3, "restore version 1"), (2, ""), (1, "")]);
    let unknown = restore(&engine, store, PolicyVersion(9), change(None)).await;
    assert!(
        matches!(&unknown, Err(Unanswered::Store { error: StoreError::UnknownVersion(_), .. })),
        "{unknown:?}"
    );
}

#[tokio::test]
async fn mistakes_in_texts_are_told_all_at_once() {
    let texts = text("CREATE ROLE reader;\n  GRANT FLY ON TABLE hr.emp TO ROLE reader;\nCREATE ROLE reader;");
    let Err(Unanswered::PolicyText(problems)) = desired(&texts, &Settings::default(), options()).await else {
        panic!("there are mistakes in it");
    };
    let places: Vec<(&str, u32)> =
        problems.iter().map(|problem| (problem.file.as_str(), problem.line)).collect();
    assert_eq!(places, [("policy.sql", 2), ("policy.sql", 3)]);
}
