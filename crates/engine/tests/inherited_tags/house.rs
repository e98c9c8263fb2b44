//! A warehouse with one secret, and an engine that is told of all that runs.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use guardbee_engine::clock::Clock;
use guardbee_engine::desired::{PolicyFile, desired_policy};
use guardbee_engine::groups::FixedGroups;
use guardbee_engine::record::{self, Occasion, SessionTables, Succeeded};
use guardbee_engine::tags::{FunctionCalls, RecordedTags};
use guardbee_engine::{Engine, EngineOptions, Outcome, Session, TagOptions};
use guardbee_lineage::{AsOf, Context, DatasetName, EdgeFilter, Graph, NodeName, Run, RunKey};
use guardbee_model::{Name, TableName};
use guardbee_policy::{Resource, Settings, Timestamp};

const CATALOG: &str = "
    CREATE DATABASE d;
    CREATE TABLE d.people (ssn STRING, city STRING, id INT);
    CREATE TABLE d.clean (ssn STRING, city STRING);
    CREATE FUNCTION d.hash_id AS 'x.HashId';";

pub const POLICY: &str = "
    CREATE ROLE r;
    GRANT ROLE r TO USER ana;
    GRANT ROLE r TO USER etl;
    GRANT ROLE admin TO USER root;
    GRANT ALL ON SERVER server1 TO USER etl;
    GRANT SELECT ON DATABASE d TO ROLE r;
    CREATE TAG pii;
    SET TAG pii ON COLUMN d.people.ssn;
    DENY SELECT ON TAG pii TO USER ana;";

#[derive(Clone, Default)]
pub struct TestClock(Arc<AtomicI64>);

impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        Timestamp(self.0.load(Ordering::SeqCst))
    }
}

pub struct House {
    pub engine: Arc<Engine>,
    pub clock: TestClock,
    pub graph: Graph,
    pub runs: Vec<Run>,
    pub etl: Session,
}

impl House {
    pub async fn new() -> Self {
        Self::with(POLICY).await
    }

    pub async fn with(policy: &str) -> Self {
        Self::along(EdgeFilter::Direct, policy).await
    }

    pub async fn along(edges: EdgeFilter, policy: &str) -> Self {
        let clock = TestClock::default();
        let options = |clock: TestClock| EngineOptions {
            clock: Box::new(clock),
            groups: Box::new(FixedGroups::default()),
            tags: TagOptions { pending_for: Duration::from_secs(60), edges },
            ..EngineOptions::default()
        };
        let empty = Engine::new(guardbee_policy::Policy::new(), options(clock.clone()));
        empty.define(CATALOG).await.expect("a catalog");
        let catalog = (*empty.catalog()).clone();
        let file = PolicyFile { label: "policy.sql", text: policy };
        let given = EngineOptions { catalog: catalog.clone(), ..options(clock.clone()) };
        let policy = desired_policy(&[file], &Settings::default(), given).await.expect("a policy");
        let engine = Engine::new(policy, EngineOptions { catalog, ..options(clock.clone()) });
        engine.inherit_tags_of(Graph::new(), FunctionCalls::wanted_by(&engine.policy().policy));
        let etl = engine.session_of("etl").expect("a session");
        Self { engine, clock, graph: Graph::new(), runs: Vec::new(), etl }
    }

    pub fn pass(&self, seconds: i64) {
        self.clock.0.fetch_add(seconds * 1000, Ordering::SeqCst);
    }

    pub fn may(&self, user: &str, statement: &str) -> bool {
        let checked = self.engine.session_of(user).expect("a session").check(statement);
        assert_ne!(checked.outcome, Outcome::Error, "{statement}: {:?}", checked.problem);
        checked.is_allowed()
    }

    /// Runs it and tells the engine.
    pub async fn ran(&mut self, statement: &str) {
        let run = self.executed(statement).await;
        self.record(run);
    }

    /// Runs it and tells nobody.
    pub async fn executed(&mut self, statement: &str) -> Run {
        let mut before = self.etl.state().clone();
        before.replace_catalog((*self.engine.catalog()).clone());
        let executed = self.etl.execute(statement).await;
        assert!(executed.checked.is_allowed(), "{statement}: {:?}", executed.checked.problem);
        self.pass(1);
        let succeeded = Succeeded {
            text: statement,
            effects: executed.checked.effects.as_ref().expect("effects"),
            before: &before,
            tables: &SessionTables::new("s".into()),
            default_file_system: "hdfs://nn1:8020",
        };
        let context = Context { statement: statement.into(), user: "etl".into(), ..Context::default() };
        let occasion = Occasion {
            key: RunKey(format!("q{:03}", self.clock.now().0).into()),
            started_at: None,
            ended_at: self.clock.now(),
            context: Arc::new(context),
        };
        record::run(succeeded, occasion).unwrap_or_else(|| panic!("no run of {statement}"))
    }

    pub fn record(&mut self, run: Run) {
        self.graph = self.graph.record(std::slice::from_ref(&run)).graph;
        self.engine.runs_recorded(std::slice::from_ref(&run), || self.graph.clone());
        self.runs.push(run);
    }

    pub async fn administer(&self, statement: &str) {
        let mut root = self.engine.session_of("root").expect("a session");
        let executed = root.execute(statement).await;
        assert!(executed.checked.is_allowed(), "{statement}: {:?}", executed.checked.problem);
        let mut calls = FunctionCalls::wanted_by(&self.engine.policy().policy);
        self.runs.iter().for_each(|run| calls.learn(run));
        self.engine.take_calls(calls);
    }

    /// How the columns of a table came to their tags, by what was recorded.
    pub fn told(&self, database: &'static str, table: &'static str) -> Vec<String> {
        let policy = self.engine.policy();
        let calls = FunctionCalls::default();
        let recorded = RecordedTags::follow(&policy.policy, &self.graph, &calls, AsOf::Now);
        let table = TableName::new(Name::from_static(database), Name::from_static(table));
        let column = |node: &NodeName| node.column.as_ref().map_or_else(|| "all".into(), Name::to_string);
        let told = recorded.on(&DatasetName::Table(table)).into_iter().map(|carried| {
            let steps = carried.path.iter().map(|step| {
                let to = format!("{}.{}", step.to.dataset, column(&step.to));
                format!(", {} -> {to} {}", column(&step.from), step.operation)
            });
            let (column, tag) = (column(&carried.object), &carried.tag);
            format!("{column}: {tag} put on {}{}", carried.put_on, steps.collect::<String>())
        });
        told.collect()
    }

    /// What inherits tags.
    pub fn inherited(&self) -> Vec<String> {
        let policy = self.engine.policy();
        let inherited = policy.policy.inherited_tags();
        inherited
            .map(|assignment| match &assignment.resource {
                Resource::Uri(uri) => format!("{uri} {}", assignment.tag),
                resource => format!("{resource} {}", assignment.tag),
            })
            .collect()
    }
}

pub fn test<F: Future<Output = ()>>(test: impl FnOnce() -> F + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(8 << 20);
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    thread.spawn(move || runtime.block_on(test())).expect("a thread").join().expect("a test");
}
