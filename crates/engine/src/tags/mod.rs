//! Tags that come with data: kept in the policy that decides, in step with what is recorded, what is assigned, and
//! what was allowed a moment ago.
//!
//! What a statement brings counts before the answer that allows it is given, and what a new assignment or run brings
//! before the change is done. What is not carried any more goes as soon as that is known, which takes a moment where
//! there is much: meanwhile there is a tag too many, never one too few.

mod boundaries;
mod direct;
mod flow;
mod heritage;
mod kept;
mod leaks;
mod pending;
mod recorded;
mod touched;
mod unrecorded_files;
mod views;

use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

use guardbee_analysis::Effects;
use guardbee_lineage::{AsOf, Context, DatasetName, EdgeFilter, Graph, Run, RunKey};
use guardbee_model::Operation;
use guardbee_policy::{Change, Policy, TagAssignment, Timestamp};
use smol_str::SmolStr;

use crate::engine::{Engine, EngineError, PolicySnapshot};
use crate::lineage::Lineage;
use crate::outcome::Checked;
use crate::record::{self, Occasion, SessionTables, Succeeded};
use crate::run_store::{RunSeq, RunStore};
use crate::session::Session;

use boundaries::functions;
use direct::{Arrival, Known};
use flow::Ground;
use heritage::Heritage;
use pending::Pending;
use unrecorded_files::UnrecordedFiles;

pub use boundaries::FunctionCalls;
pub(crate) use boundaries::called_as_a_whole;
pub use leaks::{Leak, leaks};
pub use recorded::{CarriedTag, RecordedTags, TagPathStep};

/// How tags go with data.
#[derive(Debug, Clone, Copy)]
pub struct TagOptions {
    /// How long a statement that was allowed counts without being recorded.
    pub pending_for: Duration,
    /// Along direct edges, or along those as well that only decide about rows and values.
    pub edges: EdgeFilter,
}

impl Default for TagOptions {
    fn default() -> Self {
        Self { pending_for: Duration::from_secs(3600), edges: EdgeFilter::Direct }
    }
}

/// So many edges are followed at once, whoever waits.
const EDGES_AT_ONCE: usize = 20_000;
/// Of its time, so much at most is spent on looking whether tags are carried still.
const REST: u32 = 4;
const LONGEST_REST: Duration = Duration::from_secs(10);
/// So often it is looked whether the policy changed meanwhile.
const GLANCE: Duration = Duration::from_millis(20);
/// So often it is tried anew where something changed meanwhile.
const ATTEMPTS: u32 = 3;

/// What an engine knows of the tags that come with data.
pub(crate) struct Inheritance {
    engine: Weak<Engine>,
    lineage: Option<Arc<Lineage>>,
    options: TagOptions,
    state: Mutex<State>,
    /// When the next pending statement ends, as milliseconds; the greatest number where there is none.
    next_end: AtomicI64,
    is_refreshing: AtomicBool,
    is_stale: AtomicBool,
    /// The policy changed: whoever rests is to go on.
    is_urgent: AtomicBool,
}

struct State {
    graph: Graph,
    calls: Arc<FunctionCalls>,
    pending: Pending,
    /// What the current policy carries.
    applied: Heritage,
    /// Counts what changes what is to be carried.
    changes: u64,
}

/// What everything follows from.
struct Facts {
    graph: Graph,
    calls: Arc<FunctionCalls>,
    runs: Vec<Arc<Run>>,
    folded: Vec<Arrival>,
    changes: u64,
}

impl Engine {
    /// From now on tags go with the data of the recorded runs of a store, and with that of statements that are allowed.
    /// An engine does so once; from the second time on nothing happens.
    ///
    /// # Errors
    /// [`EngineError`] where the store cannot be read.
    pub async fn inherit_tags(self: &Arc<Self>, lineage: &Arc<Lineage>) -> Result<(), EngineError> {
        let calls = self.calls(&**lineage.store()).await?;
        self.start_inheritance(lineage.snapshot().graph.clone(), calls, Some(lineage.clone()));
        lineage.add_heir(Arc::downgrade(self));
        // What came in between.
        self.runs_recorded(&[], || lineage.snapshot().graph.clone());
        Ok(())
    }

    /// The same without a store: whoever records runs says so by [`runs_recorded`](Self::runs_recorded).
    pub fn inherit_tags_of(self: &Arc<Self>, graph: Graph, calls: FunctionCalls) {
        self.start_inheritance(graph, calls, None);
    }

    fn start_inheritance(
        self: &Arc<Self>,
        graph: Graph,
        calls: FunctionCalls,
        lineage: Option<Arc<Lineage>>,
    ) {
        let state = State {
            graph,
            calls: Arc::new(calls),
            pending: Pending::default(),
            applied: Heritage::default(),
            changes: 0,
        };
        let inheritance = Inheritance {
            engine: Arc::downgrade(self),
            lineage,
            options: self.tag_options,
            state: Mutex::new(state),
            next_end: AtomicI64::new(i64::MAX),
            is_refreshing: AtomicBool::new(false),
            is_stale: AtomicBool::new(false),
            is_urgent: AtomicBool::new(false),
        };
        if self.inheritance.set(inheritance).is_ok() {
            self.refresh_tags();
        }
    }

    /// The calls that recorded runs made of functions at which tags end.
    async fn calls(&self, store: &dyn RunStore) -> Result<FunctionCalls, EngineError> {
        let mut calls = FunctionCalls::wanted_by(&self.policy().policy);
        if calls.wants_runs() {
            store.each_run(RunSeq(0), &mut |stored| calls.learn(&stored.run)).await?;
        }
        Ok(calls)
    }

    /// Runs are in the graph that `graph` gives, or it numbers them anew.
    pub fn runs_recorded(&self, runs: &[Run], graph: impl FnOnce() -> Graph) {
        let Some(inheritance) = self.inheritance.get() else { return };
        let arrivals = {
            let mut state = inheritance.lock();
            let calls = Arc::make_mut(&mut state.calls);
            runs.iter().for_each(|run| calls.learn(run));
            state.graph = graph();
            state.changes += 1;
            let policy = self.policy();
            let defining = |view: &DatasetName| state.pending.defining(view);
            let known = inheritance.known((&policy.policy, &state.applied), &state.graph, &defining);
            runs.iter().flat_map(|run| known.arrivals(run)).collect::<Vec<Arrival>>()
        };
        // What they bring comes before what stood for it goes.
        self.carry(inheritance, &arrivals, &UnrecordedFiles::default());
        let mut state = inheritance.lock();
        runs.iter().for_each(|run| state.pending.confirm(run));
        state.changes += 1;
        drop(state);
        if self.policy().policy.has_tags() {
            self.refresh_tags_soon();
        }
    }

    /// Learns which runs called functions that tags end at only now. Until it is done there are tags too many, and
    /// where it cannot be done they stay.
    pub(crate) async fn learn_calls(&self) {
        let Some(inheritance) = self.inheritance.get() else { return };
        let wanted = functions(self.policy().policy.settings());
        let is_known = wanted.is_subset(inheritance.lock().calls.functions());
        let Some(lineage) = inheritance.lineage.as_ref().filter(|_| !is_known) else { return };
        if let Ok(calls) = self.calls(&**lineage.store()).await {
            self.take_calls(calls);
        }
    }

    /// What is known of the calls that recorded runs made of functions at which tags end.
    pub fn function_calls(&self) -> Arc<FunctionCalls> {
        let inheritance = self.inheritance.get();
        inheritance.map(|inheritance| Arc::clone(&inheritance.lock().calls)).unwrap_or_default()
    }

    /// Takes over what was learned of all runs there are.
    pub fn take_calls(&self, calls: FunctionCalls) {
        let Some(inheritance) = self.inheritance.get() else { return };
        let mut state = inheritance.lock();
        state.calls = Arc::new(calls);
        state.changes += 1;
        drop(state);
        self.refresh_tags_soon();
    }

    /// A statement that a session may run: what it brings counts from now on.
    pub(crate) fn note_allowed(&self, session: &Session, statement: &str, checked: &Checked) {
        let Some(inheritance) = self.inheritance.get() else { return };
        let changes_something = |effects: &Effects| !effects.writes.is_empty() || !effects.changes.is_empty();
        if !checked.is_allowed() || !checked.effects.as_ref().is_some_and(changes_something) {
            return;
        }
        let policy = self.policy();
        // What a view shows is asked by whatever is read through it, and by tags that are put on it later.
        let is_definition = checked.effects.as_ref().is_some_and(|effects| {
            matches!(effects.operation, Operation::CreateView | Operation::AlterViewAs)
        });
        if !policy.policy.has_tags() && !is_definition {
            return;
        }
        if let Some(run) = self.run_to_be(session, statement, checked, &policy) {
            self.note_run_to_be(inheritance, &policy.policy, run);
        }
    }

    /// What a run would bring counts from now on.
    fn note_run_to_be(&self, inheritance: &Inheritance, policy: &Policy, run: Run) {
        let now = self.clock.now();
        let lasts = i64::try_from(inheritance.options.pending_for.as_millis()).unwrap_or(i64::MAX);
        let mut state = inheritance.lock();
        let defining = |view: &DatasetName| state.pending.defining(view);
        let known = inheritance.known((policy, &state.applied), &state.graph, &defining);
        let arrivals = known.arrivals(&run);
        let shows = pending::defines_something(&run) || pending::lies_over_something(&run);
        if arrivals.is_empty() && !shows {
            return;
        }
        let files = UnrecordedFiles::of(std::iter::once(&run));
        state.pending.add(run, arrivals.clone(), now, lasts);
        state.changes += 1;
        inheritance.note_end(&state.pending);
        drop(state);
        self.carry(inheritance, &arrivals, &files);
        if arrivals.iter().any(|(dataset, ..)| matches!(dataset, DatasetName::Path(_))) {
            self.carry_to_what_lies_over(inheritance, policy);
        }
    }

    /// Has what a pending statement lays over a path carry what came there since.
    fn carry_to_what_lies_over(&self, inheritance: &Inheritance, policy: &Policy) {
        let state = inheritance.lock();
        let defining = |view: &DatasetName| state.pending.defining(view);
        let known = inheritance.known((policy, &state.applied), &state.graph, &defining);
        let lying = state.pending.lying_over_something();
        let arrivals: Vec<Arrival> = lying.iter().flat_map(|run| known.arrivals(run)).collect();
        drop(state);
        self.carry(inheritance, &arrivals, &UnrecordedFiles::default());
    }

    /// The run that a statement will be, if it writes anything.
    fn run_to_be(
        &self,
        session: &Session,
        statement: &str,
        checked: &Checked,
        policy: &PolicySnapshot,
    ) -> Option<Run> {
        let effects = checked.effects.as_ref()?;
        let before = session.state_over_catalog();
        let succeeded = Succeeded {
            text: statement,
            effects,
            before: &before,
            tables: &SessionTables::new(SmolStr::new(session.name())),
            default_file_system: &policy.policy.settings().default_file_system,
        };
        let context = Context {
            statement: Arc::from(statement),
            user: session.identity().user.clone(),
            ..Context::default()
        };
        let run = record::run(
            succeeded,
            Occasion {
                key: RunKey(SmolStr::new_static("pending")),
                started_at: None,
                ended_at: self.clock.now(),
                context: Arc::new(context),
            },
        )?;
        let writes = run.targets.iter().any(|target| !matches!(target.dataset, DatasetName::Result(_)));
        (writes || !run.changes.is_empty()).then_some(run)
    }

    /// Lets pending statements end that are past their time.
    pub(crate) fn end_pending(&self) {
        let Some(inheritance) = self.inheritance.get() else { return };
        let now = self.clock.now();
        if now.0 < inheritance.next_end.load(Ordering::Relaxed) {
            return;
        }
        let mut state = inheritance.lock();
        let has_ended = state.pending.end(now);
        inheritance.note_end(&state.pending);
        if has_ended {
            state.changes += 1;
            drop(state);
            self.refresh_tags_soon();
        }
    }

    /// The policy with the tags that come to it with data, as steps leave it that are about tags. Called while
    /// snapshots are exchanged.
    pub(crate) fn with_tags_after(&self, mut policy: Policy, changes: &[Change]) -> Policy {
        let Some(inheritance) = self.inheritance.get() else { return policy };
        let put = |change: &Change| match change {
            Change::PutTagAssignment(assignment) => Some(assignment.clone()),
            _ => None,
        };
        let is_about_tags = |change: &Change| {
            matches!(
                change,
                Change::PutTagAssignment(_)
                    | Change::RemoveTagAssignment { .. }
                    | Change::PutSetting { .. }
                    | Change::RemoveSetting(_)
            )
        };
        if !changes.iter().any(is_about_tags) {
            return policy;
        }
        let ends_less = changes
            .iter()
            .any(|change| matches!(change, Change::PutSetting { .. } | Change::RemoveSetting(_)));
        let mut state = inheritance.lock();
        state.changes += 1;
        let facts = state.facts();
        let mut added = Heritage::default();
        if ends_less {
            added = inheritance.heritage(&policy, &facts);
        } else {
            let new: Vec<TagAssignment> = changes.iter().filter_map(put).collect();
            let ground = inheritance.ground(&facts);
            ground.add(&mut added, &ground.flow(&policy, new.iter()));
            inheritance.add_pending(&policy, &facts, &mut added);
        }
        added.inherit(&mut policy);
        state.applied.extend(&added);
        inheritance.is_stale.store(true, Ordering::Release);
        policy
    }

    /// The same for a policy that nothing is known of.
    pub(crate) fn with_all_tags(&self, mut policy: Policy) -> Policy {
        let Some(inheritance) = self.inheritance.get() else { return policy };
        let mut state = inheritance.lock();
        state.changes += 1;
        let facts = state.facts();
        let carried = inheritance.heritage(&policy, &facts);
        carried.inherit(&mut policy);
        state.applied = carried;
        policy
    }

    /// What was done while snapshots were exchanged may have left tags that nothing carries any more.
    pub(crate) fn refresh_stale_tags(&self) {
        let is_stale = |inheritance: &Inheritance| inheritance.is_stale.swap(false, Ordering::AcqRel);
        if let Some(inheritance) = self.inheritance.get()
            && is_stale(inheritance)
        {
            inheritance.is_urgent.store(true, Ordering::Release);
            self.refresh_tags_soon();
        }
    }

    /// Has the current policy carry what arrived, and whatever is made of that.
    fn carry(&self, inheritance: &Inheritance, arrivals: &[Arrival], files: &UnrecordedFiles) {
        if arrivals.is_empty() {
            return;
        }
        self.exchange_tags(|current| {
            let mut state = inheritance.lock();
            let is_new =
                |(dataset, column, tag): &&Arrival| !state.applied.contains(dataset, column.as_ref(), tag);
            let new: Vec<Arrival> = arrivals.iter().filter(is_new).cloned().collect();
            if new.is_empty() {
                return None;
            }
            let mut added = Heritage::default();
            for (dataset, column, tag) in &new {
                added.add(dataset, column.as_ref(), tag);
            }
            let graph = files.named_in(&state.graph, &new);
            let ground = inheritance.ground_of(&graph, &state.calls);
            ground.add(&mut added, &ground.flow_on(&current.policy, &new));
            let mut policy = current.policy.clone();
            added.inherit(&mut policy);
            state.applied.extend(&added);
            Some(policy)
        });
    }

    /// At once where that takes no time, else beside everything else.
    fn refresh_tags_soon(&self) {
        let Some(inheritance) = self.inheritance.get() else { return };
        if inheritance.lock().graph.edge_count() <= EDGES_AT_ONCE {
            self.refresh_tags();
            return;
        }
        inheritance.is_stale.store(true, Ordering::Release);
        if inheritance.is_refreshing.swap(true, Ordering::AcqRel) {
            return;
        }
        let engine = inheritance.engine.clone();
        let spawned = thread::Builder::new().spawn(move || refresh_beside(&engine));
        if spawned.is_err() {
            inheritance.is_refreshing.store(false, Ordering::Release);
        }
    }

    /// Takes away what nothing carries any more, and adds what is carried.
    fn refresh_tags(&self) {
        let Some(inheritance) = self.inheritance.get() else { return };
        for _ in 0..ATTEMPTS {
            let facts = inheritance.lock().facts();
            let before = self.policy();
            let mut carried = inheritance.heritage(&before.policy, &facts);
            let mut is_settled = true;
            self.exchange_tags(|current| {
                let mut state = inheritance.lock();
                is_settled = state.changes == facts.changes && Arc::ptr_eq(current, &before);
                let mut policy = current.policy.clone();
                if !is_settled {
                    carried.inherit(&mut policy);
                    state.applied.extend(&carried);
                } else if carried != state.applied {
                    let carried = std::mem::take(&mut carried);
                    state.applied.exchange(&mut policy, &carried);
                    state.applied = carried;
                } else {
                    return None;
                }
                Some(policy)
            });
            if is_settled {
                return;
            }
        }
        inheritance.is_stale.store(true, Ordering::Release);
    }
}

fn refresh_beside(engine_of: &Weak<Engine>) {
    loop {
        let started = Instant::now();
        let Some(engine) = engine_of.upgrade() else { return };
        let Some(inheritance) = engine.inheritance.get() else { return };
        if !inheritance.is_stale.swap(false, Ordering::AcqRel) {
            inheritance.is_refreshing.store(false, Ordering::Release);
            // Somebody may have come in between.
            if !inheritance.is_stale.load(Ordering::Acquire)
                || inheritance.is_refreshing.swap(true, Ordering::AcqRel)
            {
                return;
            }
            continue;
        }
        inheritance.is_urgent.store(false, Ordering::Release);
        engine.refresh_tags();
        drop(engine);
        rest(engine_of, started.elapsed().saturating_mul(REST).min(LONGEST_REST));
    }
}

/// Rests for a while, or until the policy changes.
fn rest(engine: &Weak<Engine>, lasts: Duration) {
    let started = Instant::now();
    let is_urgent = |engine: Arc<Engine>| {
        engine.inheritance.get().is_none_or(|inheritance| inheritance.is_urgent.load(Ordering::Acquire))
    };
    while started.elapsed() < lasts && !engine.upgrade().is_none_or(is_urgent) {
        thread::sleep(GLANCE.min(lasts));
    }
}

impl State {
    fn facts(&self) -> Facts {
        Facts {
            graph: self.graph.clone(),
            calls: Arc::clone(&self.calls),
            runs: self.pending.runs(),
            folded: self.pending.folded(),
            changes: self.changes,
        }
    }
}

impl Inheritance {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note_end(&self, pending: &Pending) {
        self.next_end.store(pending.next_end().map_or(i64::MAX, |Timestamp(end)| end), Ordering::Relaxed);
    }

    const fn known<'k>(
        &self,
        (policy, heritage): (&'k Policy, &'k Heritage),
        graph: &'k Graph,
        defining: &'k dyn Fn(&DatasetName) -> Vec<Arc<Run>>,
    ) -> Known<'k> {
        Known { policy, heritage, edges: self.options.edges, graph, defining }
    }

    fn ground<'f>(&self, facts: &'f Facts) -> Ground<'f> {
        self.ground_of(&facts.graph, &facts.calls)
    }

    const fn ground_of<'g>(&self, graph: &'g Graph, calls: &'g FunctionCalls) -> Ground<'g> {
        Ground { graph, calls, edges: self.options.edges, at: AsOf::Now }
    }

    /// Everything that carries tags because of data.
    fn heritage(&self, policy: &Policy, facts: &Facts) -> Heritage {
        let mut heritage = Heritage::default();
        let ground = self.ground(facts);
        ground.add(&mut heritage, &ground.flow(policy, policy.tag_assignments()));
        self.add_pending(policy, facts, &mut heritage);
        heritage
    }

    fn add_pending(&self, policy: &Policy, facts: &Facts, heritage: &mut Heritage) {
        let mut all = facts.folded.clone();
        for (dataset, column, tag) in &facts.folded {
            heritage.add(dataset, column.as_ref(), tag);
        }
        let definitions: Vec<&Arc<Run>> =
            facts.runs.iter().filter(|run| pending::defines_something(run)).collect();
        let defining = |view: &DatasetName| {
            let runs = definitions.iter().filter(|run| pending::defines(run, view));
            runs.map(|run| Arc::clone(run)).collect()
        };
        // What lies over a path has whatever comes there later.
        let lying: Vec<&Arc<Run>> =
            facts.runs.iter().filter(|run| pending::lies_over_something(run)).collect();
        for run in facts.runs.iter().chain(lying) {
            let arrivals = self.known((policy, heritage), &facts.graph, &defining).arrivals(run);
            for (dataset, column, tag) in &arrivals {
                heritage.add(dataset, column.as_ref(), tag);
            }
            all.extend(arrivals);
        }
        if !all.is_empty() {
            let files = UnrecordedFiles::of(facts.runs.iter().map(|run| &**run));
            let graph = files.named_in(&facts.graph, &all);
            let ground = self.ground_of(&graph, &facts.calls);
            ground.add(heritage, &ground.flow_on(policy, &all));
        }
    }
}
