//! The cases, each against a place of its own.

use std::time::{Duration, Instant};

use guardbee_engine::store::{At, PolicyVersion, Store, StoreError};
use guardbee_policy::{Change, EntryId};

use super::model::Model;
use super::sample::{self, Dice};
use super::{Place, commit};

async fn loaded(store: &dyn Store, version: u64) -> Model {
    let loaded = store.load(At::Version(PolicyVersion(version))).await.expect("the version is there");
    assert_eq!(loaded.version, PolicyVersion(version));
    let count = loaded.changes.len();
    let model = Model::of(loaded.changes);
    assert_eq!(model.len(), count, "a policy is built of one step for each thing, and of no removals");
    model
}

async fn latest(store: &dyn Store) -> PolicyVersion {
    store.load(At::Latest).await.expect("a policy").version
}

pub async fn an_empty_store_has_version_zero(place: &impl Place) {
    let store = place.open().await;
    let loaded = store.load(At::Latest).await.expect("a policy");
    assert_eq!((loaded.version, loaded.changes.len(), loaded.next_entry_id), (PolicyVersion(0), 0, 1));
    let unknown = store.load(At::Version(PolicyVersion(1))).await.map(|loaded| loaded.version);
    assert_eq!(unknown, Err(StoreError::UnknownVersion(PolicyVersion(1))));
    assert_eq!(store.history(None, 10).await, Ok(vec![]));
    assert_eq!(store.changes_after(PolicyVersion(0), 10).await, Ok(vec![]));
}

pub async fn every_kind_of_step_comes_back(place: &impl Place) {
    let store = place.open().await;
    let mut dice = Dice::new(1);
    let changes: Vec<Change> = (0..3000).map(|_| sample::change(&mut dice, 400)).collect();
    let expected = Model::of(changes.clone());
    store.commit(commit(PolicyVersion(0), changes)).await.expect("made");
    assert!(expected.len() > 500);
    assert_eq!(loaded(&*store, 1).await, expected);
}

pub async fn every_version_stays_answerable(place: &impl Place) {
    let store = place.open().await;
    let mut dice = Dice::new(2);
    let mut models = vec![Model::default()];
    for version in 0..60 {
        let changes: Vec<Change> = (0..dice.below(30)).map(|_| sample::change(&mut dice, 40)).collect();
        let mut model = models[version].clone();
        changes.iter().cloned().for_each(|change| model.apply(change));
        let base = PolicyVersion(version as u64);
        assert_eq!(store.commit(commit(base, changes)).await, Ok(PolicyVersion(base.0 + 1)));
        models.push(model);
    }
    for (version, model) in models.iter().enumerate() {
        assert_eq!(&loaded(&*store, version as u64).await, model, "version {version}");
    }
}

pub async fn steps_lead_from_version_to_version(place: &impl Place) {
    let store = place.open().await;
    let mut dice = Dice::new(3);
    let mut last = Model::default();
    for version in 0..40 {
        let changes: Vec<Change> = (0..25).map(|_| sample::change(&mut dice, 30)).collect();
        changes.iter().cloned().for_each(|change| last.apply(change));
        store.commit(commit(PolicyVersion(version), changes)).await.expect("made");
    }
    let mut model = Model::default();
    let mut after = PolicyVersion(0);
    loop {
        let versions = store.changes_after(after, 7).await.expect("readable");
        assert!(versions.len() <= 7);
        let Some(newest) = versions.last().map(|version| version.record.version) else { break };
        for version in versions {
            assert_eq!(version.record.version, PolicyVersion(after.0 + 1), "each version, in order");
            assert_eq!(version.record.change_count, 25);
            after = version.record.version;
            version.changes.into_iter().for_each(|change| model.apply(change));
            assert_eq!(model, loaded(&*store, after.0).await, "version {}", after.0);
        }
        assert_eq!(after, newest);
    }
    assert_eq!((after, model), (PolicyVersion(40), last));
}

pub async fn the_last_of_several_steps_counts(place: &impl Place) {
    let store = place.open().await;
    let mut dice = Dice::new(4);
    let [first, second, third] = [1, 1, 2].map(|id| Change::PutEntry(sample::entry(&mut dice, id)));
    let changes = vec![
        first.clone(),
        Change::RemoveEntry(EntryId(1)),
        second.clone(),
        third,
        Change::RemoveEntry(EntryId(2)),
    ];
    store.commit(commit(PolicyVersion(0), changes)).await.expect("made");
    assert_eq!(loaded(&*store, 1).await, Model::of([second.clone()]));
    // Put over a row of an older version, and removed and put anew.
    let changes = vec![Change::RemoveEntry(EntryId(1)), first.clone()];
    store.commit(commit(PolicyVersion(1), changes)).await.expect("made");
    assert_eq!(loaded(&*store, 2).await, Model::of([first.clone()]));
    assert_eq!(loaded(&*store, 1).await, Model::of([second]));
    let steps = store.changes_after(PolicyVersion(1), 1).await.expect("readable");
    assert_eq!(steps[0].changes, [first]);
    // Removing what is not there is a version all the same.
    let changes = vec![Change::RemoveEntry(EntryId(77))];
    assert_eq!(store.commit(commit(PolicyVersion(2), changes)).await, Ok(PolicyVersion(3)));
    assert_eq!(loaded(&*store, 3).await, loaded(&*store, 2).await);
}

pub async fn who_saw_an_older_version_is_told(place: &impl Place) {
    let (one, other) = (place.open().await, place.open().await);
    one.commit(commit(PolicyVersion(0), vec![sample::role("a")])).await.expect("made");
    let conflict =
        |base: u64| Err(StoreError::Conflict { base: PolicyVersion(base), latest: PolicyVersion(1) });
    assert_eq!(other.commit(commit(PolicyVersion(0), vec![sample::role("b")])).await, conflict(0));
    assert_eq!(other.commit(commit(PolicyVersion(2), vec![sample::role("b")])).await, conflict(2));
    assert_eq!(loaded(&*other, 1).await, Model::of([sample::role("a")]));
}

pub async fn of_two_writers_one_wins(place: &impl Place) {
    let stores = [place.open().await, place.open().await];
    for round in 0..25 {
        let base = PolicyVersion(round);
        let both = stores.each_ref().map(|store| store.commit(commit(base, vec![sample::setting("s")])));
        let [one, other] = both;
        let (one, other) = tokio::join!(one, other);
        let made = Ok(PolicyVersion(round + 1));
        let told = Err(StoreError::Conflict { base, latest: PolicyVersion(round + 1) });
        assert!(
            (one == made && other == told) || (one == told && other == made),
            "round {round}: {one:?} and {other:?}"
        );
    }
    assert_eq!(latest(&*stores[0]).await, PolicyVersion(25));
}

pub async fn a_key_makes_sending_twice_harmless(place: &impl Place) {
    let store = place.open().await;
    let mut first = commit(PolicyVersion(0), vec![sample::role("a")]);
    first.key = Some("request 1".into());
    assert_eq!(store.commit(first.clone()).await, Ok(PolicyVersion(1)));
    assert_eq!(store.commit(first.clone()).await, Ok(PolicyVersion(1)));
    store.commit(commit(PolicyVersion(1), vec![sample::role("b")])).await.expect("made");
    // Sent once more when others have gone on, by another process.
    assert_eq!(place.open().await.commit(first).await, Ok(PolicyVersion(1)));
    assert_eq!(latest(&*store).await, PolicyVersion(2));
}

pub async fn history_is_read_newest_first(place: &impl Place) {
    let store = place.open().await;
    for version in 0..5 {
        let mut next = commit(PolicyVersion(version), vec![sample::role("a"), sample::role("b")]);
        next.author = format!("Ana {version}").into();
        store.commit(next).await.expect("made");
    }
    let numbers = |records: &[guardbee_engine::store::VersionRecord]| -> Vec<u64> {
        records.iter().map(|record| record.version.0).collect()
    };
    let newest = store.history(None, 2).await.expect("readable");
    assert_eq!(numbers(&newest), [5, 4]);
    assert_eq!(
        (newest[0].author.as_str(), &*newest[0].reason, newest[0].change_count, newest[0].at.0),
        ("Ana 4", "change 4", 2, 1_700_000_000_004)
    );
    let older = store.history(Some(PolicyVersion(4)), 10).await.expect("readable");
    assert_eq!(numbers(&older), [3, 2, 1]);
    assert_eq!(store.history(Some(PolicyVersion(1)), 10).await, Ok(vec![]));
}

pub async fn entry_ids_are_never_given_again(place: &impl Place) {
    let store = place.open().await;
    let mut dice = Dice::new(5);
    let entries = [3, 7].map(|id| Change::PutEntry(sample::entry(&mut dice, id)));
    store.commit(commit(PolicyVersion(0), entries.into())).await.expect("made");
    let gone = [3, 7].map(|id| Change::RemoveEntry(EntryId(id)));
    store.commit(commit(PolicyVersion(1), gone.into())).await.expect("made");
    for at in [At::Latest, At::Version(PolicyVersion(1)), At::Version(PolicyVersion(0))] {
        assert_eq!(store.load(at).await.expect("a policy").next_entry_id, 8, "{at:?}");
    }
}

pub async fn what_cannot_be_kept_changes_nothing(place: &impl Place) {
    let store = place.open().await;
    for name in ["b\0c", "\u{1d}", "b\u{1e}c", "b\u{1f}"] {
        let reserved = commit(PolicyVersion(0), vec![sample::role("a"), sample::role(name)]);
        let answer = store.commit(reserved).await;
        assert!(matches!(answer, Err(StoreError::Unstorable(_))), "{name:?}: {answer:?}");
    }
    assert_eq!(latest(&*store).await, PolicyVersion(0));
    assert_eq!(loaded(&*store, 0).await, Model::default());
}

pub async fn many_steps_are_one_version(place: &impl Place) {
    let store = place.open().await;
    let mut dice = Dice::new(6);
    let entries: Vec<Change> = (1..=5003).map(|id| Change::PutEntry(sample::entry(&mut dice, id))).collect();
    let expected = Model::of(entries.clone());
    assert_eq!(store.commit(commit(PolicyVersion(0), entries)).await, Ok(PolicyVersion(1)));
    assert_eq!(loaded(&*store, 1).await, expected);
    let gone: Vec<Change> = (1..=5003).map(|id| Change::RemoveEntry(EntryId(id))).collect();
    assert_eq!(store.commit(commit(PolicyVersion(1), gone)).await, Ok(PolicyVersion(2)));
    assert_eq!(loaded(&*store, 2).await, Model::default());
    assert_eq!(loaded(&*store, 1).await, expected);
}

/// The bar is 100 ms; the middle of twenty is taken, for the machine may be busy.
pub async fn a_change_is_seen_by_others_at_once(place: &impl Place) {
    let (writer, reader) = (place.open().await, place.open().await);
    let mut delays = Vec::new();
    for version in 0..20 {
        let waiting = tokio::spawn({
            let reader = reader.clone();
            async move {
                let seen = reader.wait_after(PolicyVersion(version)).await;
                (seen, Instant::now())
            }
        });
        tokio::time::sleep(Duration::from_millis(20)).await;
        assert!(!waiting.is_finished(), "there is nothing to see yet");
        writer.commit(commit(PolicyVersion(version), vec![sample::setting("s")])).await.expect("made");
        let made = Instant::now();
        let (seen, at) = waiting.await.expect("no panic");
        assert_eq!(seen, Ok(PolicyVersion(version + 1)));
        delays.push(at.saturating_duration_since(made));
    }
    delays.sort();
    assert!(delays[10] < Duration::from_millis(100), "{delays:?}");
    // What is there already is told without waiting, by the process that made it as well.
    for store in [&writer, &reader] {
        assert_eq!(store.wait_after(PolicyVersion(3)).await, Ok(PolicyVersion(20)));
    }
}

pub async fn waiting_can_be_given_up(place: &impl Place) {
    let (writer, reader) = (place.open().await, place.open().await);
    for _ in 0..20 {
        let waited =
            tokio::time::timeout(Duration::from_millis(3), reader.wait_after(PolicyVersion(0))).await;
        assert!(waited.is_err());
    }
    let (one, other, made) = tokio::join!(
        reader.wait_after(PolicyVersion(0)),
        reader.wait_after(PolicyVersion(0)),
        writer.commit(commit(PolicyVersion(0), vec![sample::setting("s")])),
    );
    assert_eq!([one, other, made], [Ok(PolicyVersion(1)), Ok(PolicyVersion(1)), Ok(PolicyVersion(1))]);
}

pub async fn what_is_written_is_there_when_opened_again(place: &impl Place) {
    let changes = vec![sample::role("a"), sample::setting("s")];
    place.open().await.commit(commit(PolicyVersion(0), changes.clone())).await.expect("made");
    assert_eq!(loaded(&*place.open().await, 1).await, Model::of(changes));
}
