//! The cases of runs and the index made of them.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use guardbee_engine::run_store::{
    Appended, IndexSaved, Retention, RunFilter, RunHead, RunPlace, RunSeq, StoredRun,
};
use guardbee_engine::store::{Storage, StoreError};
use guardbee_lineage::{Run, RunKey};
use guardbee_model::Timestamp;

use super::Place;
use super::run_sample::{self, copy};
use super::sample::Dice;

fn runs(seed: u64, count: usize) -> Vec<Run> {
    let mut dice = Dice::new(seed);
    (0..count).map(|number| run_sample::run(&mut dice, &format!("run {number}"))).collect()
}

fn head(newest: u64, forgotten: u64) -> RunHead {
    RunHead { newest: RunSeq(newest), forgotten }
}

fn seqs(runs: &[StoredRun]) -> Vec<u64> {
    runs.iter().map(|run| run.seq.0).collect()
}

async fn all(store: &dyn Storage) -> Vec<StoredRun> {
    let mut runs = Vec::new();
    store.each_run(RunSeq(0), &mut |run| runs.push(run)).await.expect("readable");
    runs
}

async fn index(store: &dyn Storage) -> Option<(RunHead, Vec<Vec<u8>>)> {
    let mut parts = Vec::new();
    let made_of = store.load_index(&mut |part| parts.push(part)).await.expect("readable");
    made_of.map(|made_of| (made_of, parts))
}

async fn save(store: &dyn Storage, made_of: RunHead, parts: &[Vec<u8>]) -> IndexSaved {
    store.save_index(made_of, &mut parts.iter().cloned()).await.expect("written")
}

pub async fn an_empty_store_has_no_runs(place: &impl Place) {
    let store = place.open().await;
    assert_eq!(store.run_head().await, Ok(head(0, 0)));
    assert_eq!(store.load_runs(RunSeq(0), 10).await, Ok(vec![]));
    assert_eq!(store.runs_by_seq(&[RunSeq(0), RunSeq(1)]).await, Ok(vec![]));
    assert_eq!(store.runs_by_key(&[RunKey("a".into()), RunKey("\0".into())]).await, Ok(vec![]));
    assert_eq!(store.find_runs(&RunFilter::default(), None, 10).await, Ok(vec![]));
    assert_eq!(store.append_runs(&[]).await, Ok(vec![]));
    assert_eq!(index(&*store).await, None);
}

pub async fn every_part_of_a_run_comes_back(place: &impl Place) {
    let store = place.open().await;
    let expected = runs(1, 777);
    for batch in expected.chunks(300) {
        store.append_runs(batch).await.expect("kept");
    }
    let found = all(&*place.open().await).await;
    assert_eq!(seqs(&found), (1..=777).collect::<Vec<_>>());
    for (found, expected) in found.iter().zip(&expected) {
        assert_eq!(&found.run, expected);
    }
    let page = store.load_runs(RunSeq(700), 50).await.expect("readable");
    assert_eq!(page, found[700..750]);
    assert_eq!(store.load_runs(RunSeq(777), 50).await, Ok(vec![]));
    assert_eq!(store.load_runs(RunSeq(9999), 50).await, Ok(vec![]));
    let some: Vec<RunSeq> = (1..=900).rev().step_by(3).chain([900]).map(RunSeq).collect();
    let by_seq = store.runs_by_seq(&some).await.expect("readable");
    let expected: Vec<StoredRun> = found.iter().filter(|run| some.contains(&run.seq)).cloned().collect();
    assert_eq!(by_seq, expected);
    let keys: Vec<RunKey> = by_seq.iter().rev().map(|run| run.run.key.clone()).collect();
    assert_eq!(store.runs_by_key(&keys).await, Ok(expected));
}

pub async fn sending_a_run_again_changes_nothing(place: &impl Place) {
    let store = place.open().await;
    let some = runs(2, 5);
    let new = |seq| Appended::New(RunSeq(seq));
    let known = |seq| Appended::Known(RunSeq(seq));
    assert_eq!(store.append_runs(&some[..2]).await, Ok(vec![new(1), new(2)]));
    let mut other = some[0].clone();
    other.ended_at = Timestamp(77);
    let batch = [some[2].clone(), other, some[3].clone(), some[2].clone(), some[1].clone()];
    let again = place.open().await;
    assert_eq!(again.append_runs(&batch).await, Ok(vec![new(3), known(1), new(4), known(3), known(2)]));
    assert_eq!(store.append_runs(&batch).await, Ok(vec![known(3), known(1), known(4), known(3), known(2)]));
    assert_eq!(store.run_head().await, Ok(head(4, 0)));
    assert_eq!(store.runs_by_seq(&[RunSeq(1)]).await.expect("readable")[0].run, some[0]);
}

pub async fn a_run_that_cannot_be_kept_stops_no_other(place: &impl Place) {
    let store = place.open().await;
    let mut some = runs(3, 5);
    some[0].key = RunKey("".into());
    some[1].key = RunKey("k".repeat(1025).into());
    some[2].key = RunKey("a\0b".into());
    some[4].key = RunKey("k".repeat(1024).into());
    let answers = store.append_runs(&some).await.expect("kept");
    assert!(answers[..3].iter().all(|answer| matches!(answer, Appended::Refused(_))), "{answers:?}");
    assert_eq!(answers[3..], [Appended::New(RunSeq(1)), Appended::New(RunSeq(2))]);
    let large = copy("large", 1, 1);
    let context =
        guardbee_lineage::Context { statement: "x".repeat(33 << 20).into(), ..(*large.context).clone() };
    let large = Run { context: context.into(), ..large };
    let answers = store.append_runs(&[large]).await.expect("kept");
    assert!(matches!(&answers[..], [Appended::Refused(why)] if why.contains("32 MiB")), "{answers:?}");
    assert_eq!(all(&*store).await.len(), 2);
}

pub async fn a_run_of_any_size_comes_back(place: &impl Place) {
    let store = place.open().await;
    let wide = copy("wide", 10_000, 100_000);
    assert_eq!(store.append_runs(std::slice::from_ref(&wide)).await, Ok(vec![Appended::New(RunSeq(1))]));
    let found = all(&*store).await;
    assert!(found[0].run == wide);
}

pub async fn writers_share_one_order(place: &impl Place) {
    let stores = [place.open().await, place.open().await];
    let some = runs(4, 400);
    // Each sends all of it, in its own order and batches.
    let mut reversed = some.clone();
    reversed.reverse();
    let sending = [(stores[0].clone(), some.clone(), 7), (stores[1].clone(), reversed, 13)].map(
        |(store, runs, size)| {
            tokio::spawn(async move {
                let mut answers = Vec::new();
                for batch in runs.chunks(size) {
                    answers.extend(store.append_runs(batch).await.expect("kept"));
                }
                answers
            })
        },
    );
    let mut new = Vec::new();
    for sent in sending {
        let answers = sent.await.expect("no panic");
        assert_eq!(answers.len(), 400);
        new.extend(answers.into_iter().filter_map(|answer| match answer {
            Appended::New(seq) => Some(seq.0),
            Appended::Known(_) | Appended::Refused(_) => None,
        }));
    }
    new.sort_unstable();
    assert_eq!(new, (1..=400).collect::<Vec<_>>(), "each run is new once");
    let expected: BTreeMap<_, _> = some.into_iter().map(|run| (run.key.clone(), run)).collect();
    for found in all(&*stores[0]).await {
        assert_eq!(expected[&found.run.key], found.run);
    }
}

pub async fn runs_are_found_last_ended_first(place: &impl Place) {
    let store = place.open().await;
    store.append_runs(&runs(5, 300)).await.expect("kept");
    let all = all(&*store).await;
    let some = &all[17].run;
    let time = Some(Timestamp(1_700_000_000_000));
    let filters = [
        RunFilter::default(),
        RunFilter { user: Some(some.context.user.clone()), ..RunFilter::default() },
        RunFilter { operation: Some(some.operation.clone()), ..RunFilter::default() },
        RunFilter { from: time, ..RunFilter::default() },
        RunFilter { until: time, user: Some(some.context.user.clone()), ..RunFilter::default() },
        RunFilter { from: time, until: Some(Timestamp(1_700_000_000_001)), ..RunFilter::default() },
        RunFilter { user: Some("nobody\0".into()), ..RunFilter::default() },
    ];
    let place_of = |run: &StoredRun| RunPlace { ended_at: run.run.ended_at, seq: run.seq };
    for filter in filters {
        let mut expected: Vec<&StoredRun> = all.iter().filter(|run| fits(&filter, &run.run)).collect();
        expected.sort_by_key(|run| std::cmp::Reverse(place_of(run)));
        let mut found: Vec<StoredRun> = Vec::new();
        loop {
            let page = store.find_runs(&filter, found.last().map(place_of), 13).await.expect("readable");
            let is_last = page.len() < 13;
            found.extend(page);
            if is_last {
                break;
            }
        }
        assert_eq!(found.iter().collect::<Vec<_>>(), expected, "{filter:?}");
    }
}

fn fits(filter: &RunFilter, run: &Run) -> bool {
    filter.user.as_ref().is_none_or(|user| *user == run.context.user)
        && filter.operation.as_ref().is_none_or(|operation| *operation == run.operation)
        && filter.from.is_none_or(|from| run.ended_at >= from)
        && filter.until.is_none_or(|until| run.ended_at < until)
}

/// The bar is 100 ms; the middle of twenty is taken, for the machine may be busy.
pub async fn a_run_is_seen_by_others_at_once(place: &impl Place) {
    let (writer, reader) = (place.open().await, place.open().await);
    let mut delays = Vec::new();
    for (number, run) in runs(6, 20).into_iter().enumerate() {
        let known = head(number as u64, 0);
        let waiting = tokio::spawn({
            let reader = reader.clone();
            async move { (reader.wait_runs_after(known).await, Instant::now()) }
        });
        tokio::time::sleep(Duration::from_millis(20)).await;
        assert!(!waiting.is_finished(), "there is nothing to see yet");
        writer.append_runs(&[run]).await.expect("kept");
        let made = Instant::now();
        let (seen, at) = waiting.await.expect("no panic");
        assert_eq!(seen, Ok(()));
        delays.push(at.saturating_duration_since(made));
    }
    delays.sort();
    assert!(delays[10] < Duration::from_millis(100), "{delays:?}");
    for store in [&writer, &reader] {
        assert_eq!(store.wait_runs_after(head(3, 0)).await, Ok(()));
        let waited = tokio::time::timeout(Duration::from_millis(5), store.wait_runs_after(head(20, 0))).await;
        assert!(waited.is_err(), "there is no newer one");
    }
    let waiting = tokio::spawn(async move { reader.wait_runs_after(head(20, 0)).await });
    let retention = Retention { ended_before: Timestamp(i64::MAX), seen: RunSeq(20), keep: &[RunSeq(1)] };
    assert!(writer.forget_runs(retention).await.expect("forgotten") > 0);
    let told = tokio::time::timeout(Duration::from_secs(10), waiting)
        .await
        .expect("it is told of what is forgotten");
    assert_eq!(told.expect("no panic"), Ok(()));
}

pub async fn forgotten_runs_leave_their_keys(place: &impl Place) {
    let store = place.open().await;
    let mut some = runs(7, 40);
    for (number, run) in (0..).zip(&mut some) {
        run.ended_at = Timestamp(number % 20);
    }
    store.append_runs(&some).await.expect("kept");
    assert_eq!(save(&*store, head(40, 0), &[vec![1]]).await, IndexSaved::Saved);
    let keep = [RunSeq(4), RunSeq(39), RunSeq(2)];
    // Of those that ended before 10, only the first thirty were looked at.
    let retention = Retention { ended_before: Timestamp(10), seen: RunSeq(30), keep: &keep };
    assert_eq!(store.forget_runs(retention).await, Ok(18));
    assert_eq!(store.forget_runs(retention).await, Ok(0));
    let is_gone = |seq: u64| (1..=30).contains(&seq) && (seq - 1) % 20 < 10 && seq != 2 && seq != 4;
    let left: Vec<u64> = (1..=40).filter(|seq| !is_gone(*seq)).collect();
    let found = all(&*store).await;
    assert_eq!(seqs(&found), left);
    assert!(found.iter().all(|found| found.run == some[usize::try_from(found.seq.0).unwrap() - 1]));
    // A page is full even where many are gone.
    assert_eq!(seqs(&store.load_runs(RunSeq(0), 5).await.expect("readable")), left[..5]);
    assert_eq!(store.runs_by_seq(&[RunSeq(1)]).await, Ok(vec![]));
    assert_eq!(store.runs_by_key(&[some[0].key.clone()]).await, Ok(vec![]));
    assert_eq!(store.find_runs(&RunFilter::default(), None, 100).await.expect("readable").len(), left.len());
    assert_eq!(store.run_head().await, Ok(head(40, 18)));
    assert_eq!(index(&*store).await, None, "it was made of runs that are gone");
    assert_eq!(save(&*store, head(40, 0), &[vec![1]]).await, IndexSaved::Outdated);
    assert_eq!(store.append_runs(&some[..1]).await, Ok(vec![Appended::Known(RunSeq(1))]));
}

pub async fn an_index_is_kept_part_by_part(place: &impl Place) {
    let store = place.open().await;
    store.append_runs(&runs(8, 3)).await.expect("kept");
    let bytes = |seed: u64, count: usize| {
        let mut dice = Dice::new(seed);
        (0..count).map(|_| dice.next().to_le_bytes()[0]).collect::<Vec<u8>>()
    };
    let first = [bytes(1, 5), vec![], bytes(2, (1 << 20) + 1), bytes(3, 20 << 20), vec![]];
    assert_eq!(save(&*store, head(2, 0), &first).await, IndexSaved::Saved);
    assert!(index(&*place.open().await).await == Some((head(2, 0), first.to_vec())));
    assert_eq!(save(&*store, head(1, 0), &[]).await, IndexSaved::Outdated, "there is a newer one");
    assert_eq!(save(&*store, head(4, 0), &[]).await, IndexSaved::Outdated, "there is no such run");
    assert_eq!(save(&*store, head(3, 0), &[vec![]]).await, IndexSaved::Saved);
    assert_eq!(index(&*store).await, Some((head(3, 0), vec![vec![]])));
    assert_eq!(save(&*store, head(3, 0), &[]).await, IndexSaved::Saved);
    assert_eq!(index(&*store).await, Some((head(3, 0), vec![])));
}

pub async fn an_index_that_is_given_up_changes_nothing(place: &impl Place) {
    let store = place.open().await;
    store.append_runs(&runs(9, 3)).await.expect("kept");
    assert_eq!(save(&*store, head(2, 0), &[vec![1, 2, 3]]).await, IndexSaved::Saved);
    let mut endless = std::iter::repeat_with(|| vec![7; 3 << 20]);
    let saving = store.save_index(head(3, 0), &mut endless);
    assert!(tokio::time::timeout(Duration::from_millis(300), saving).await.is_err());
    assert_eq!(index(&*store).await, Some((head(2, 0), vec![vec![1, 2, 3]])));
    assert_eq!(save(&*store, head(3, 0), &[vec![4]]).await, IndexSaved::Saved);
    assert_eq!(index(&*store).await, Some((head(3, 0), vec![vec![4]])));
    assert_eq!(place.count("run_index_chunks").await, 1, "nothing of the others is left");
    assert_eq!(place.count("run_indexes").await, 1);
}

pub async fn a_run_that_was_changed_by_hand_is_noticed(place: &impl Place) {
    let changes = [
        "UPDATE runs SET user_name = 'ben' WHERE seq = 3",
        "UPDATE runs SET ended_at = ended_at / 2 + 5 WHERE seq = 3",
        "UPDATE runs SET body = (SELECT body FROM runs WHERE seq = 4) WHERE seq = 3",
        "UPDATE runs SET body = NULL, user_name = NULL, operation = NULL WHERE seq = 3",
        "DELETE FROM runs WHERE seq = 3",
        "DELETE FROM runs WHERE seq = 6",
    ];
    let store = place.open().await;
    let some = runs(10, 6);
    store.append_runs(&some).await.expect("kept");
    place.execute("CREATE TABLE copy AS SELECT * FROM runs").await;
    for change in changes {
        place.execute(change).await;
        let read = store.each_run(RunSeq(0), &mut |_| ()).await;
        assert!(matches!(read, Err(StoreError::Damaged(_))), "{change}: {read:?}");
        let page = store.load_runs(RunSeq(1), 10).await.map(|runs| runs.len());
        assert!(matches!(page, Err(StoreError::Damaged(_))), "{change}: {page:?}");
        place.execute("DELETE FROM runs").await;
        place.execute("INSERT INTO runs SELECT * FROM copy").await;
        assert_eq!(all(&*store).await.len(), 6);
    }
    place.execute("DELETE FROM runs WHERE seq = 6").await;
    let added = store.append_runs(&some).await;
    assert!(matches!(added, Err(StoreError::Damaged(_))), "{added:?}");
}
