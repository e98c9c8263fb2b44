//! The cases of the audit log.

use guardbee_engine::audit::{
    AuditCursor, AuditEntry, AuditFilter, AuditHash, AuditHead, AuditKind, AuditRecord, AuditSeq,
    AuditVerdict,
};
use guardbee_engine::store::{Commit, PolicyVersion, Storage, StoreError};
use guardbee_policy::{Change, Role, Timestamp};

use super::run_sample::{audit_filter, record};
use super::sample::Dice;
use super::{Place, commit};

fn records(seed: u64, count: usize) -> Vec<AuditRecord> {
    let mut dice = Dice::new(seed);
    (0..count).map(|_| record(&mut dice)).collect()
}

async fn all(store: &dyn Storage) -> Vec<AuditEntry> {
    let cursor = AuditCursor::After(AuditSeq(0));
    store.read_audit(&AuditFilter::default(), cursor, u32::MAX).await.expect("readable")
}

async fn verified(store: &dyn Storage, anchor: Option<AuditHead>) -> AuditHead {
    match store.verify_audit(anchor).await.expect("readable") {
        AuditVerdict::Verified { count, head } => AuditHead { seq: AuditSeq(count), hash: head },
        broken @ AuditVerdict::Broken { .. } => panic!("{broken:?}"),
    }
}

pub async fn an_empty_log_is_whole(place: &impl Place) {
    let store = place.open().await;
    assert_eq!(store.audit_head().await, Ok(AuditHead::default()));
    assert_eq!(verified(&*store, Some(AuditHead::default())).await, AuditHead::default());
    assert_eq!(all(&*store).await, vec![]);
    assert_eq!(store.append_audit(&[]).await, Ok(AuditHead::default()));
}

pub async fn every_record_comes_back_in_both_orders(place: &impl Place) {
    let store = place.open().await;
    let expected = records(1, 333);
    let mut head = AuditHead::default();
    for batch in expected.chunks(120) {
        head = store.append_audit(batch).await.expect("kept");
    }
    let again = place.open().await;
    assert_eq!((head.seq, again.audit_head().await), (AuditSeq(333), Ok(head)));
    let found = all(&*again).await;
    assert!((1..).zip(&found).all(|(seq, entry)| entry.seq == AuditSeq(seq)));
    assert!(found.iter().map(|entry| &entry.record).eq(&expected));
    assert_eq!(found.last().map(|entry| entry.hash), Some(head.hash));
    let newest = store.read_audit(&AuditFilter::default(), AuditCursor::Newest, 10).await.expect("readable");
    assert!(newest.iter().eq(found.iter().rev().take(10)));
    let before = AuditCursor::Before(AuditSeq(5));
    let oldest = store.read_audit(&AuditFilter::default(), before, 10).await.expect("readable");
    assert!(oldest.iter().eq(found[..4].iter().rev()));
    assert_eq!(verified(&*store, None).await, head);
}

/// Against the filter itself, which every record is held to.
pub async fn records_are_found_by_any_question(place: &impl Place) {
    let store = place.open().await;
    store.append_audit(&records(2, 400)).await.expect("kept");
    let all = all(&*store).await;
    let mut dice = Dice::new(3);
    let mut hits = 0;
    for round in 0..150 {
        let mut filter = audit_filter(&mut dice);
        if round % 30 == 7 {
            // More than are searched one by one.
            let more = (0..600).map(|number| format!("table {number}").into());
            let more = more.map(|name| guardbee_engine::audit::ObjectFilter { name, column: None });
            filter.objects.extend(more);
        }
        let expected: Vec<&AuditEntry> = all.iter().filter(|entry| filter.fits(&entry.record)).collect();
        hits += expected.len();
        let size = 1 + u32::try_from(dice.below(40)).expect("small");
        let mut found: Vec<AuditEntry> = Vec::new();
        loop {
            let cursor = AuditCursor::After(found.last().map(|entry| entry.seq).unwrap_or_default());
            let page = store.read_audit(&filter, cursor, size).await.expect("readable");
            if page.is_empty() {
                break;
            }
            found.extend(page);
        }
        assert_eq!(found.iter().collect::<Vec<_>>(), expected, "{filter:?}");
        let newest = store.read_audit(&filter, AuditCursor::Newest, size).await.expect("readable");
        assert!(newest.iter().eq(expected.into_iter().rev().take(size as usize)), "{filter:?}");
    }
    assert!(hits > 1000, "{hits} records were found");
}

pub async fn writers_share_one_chain(place: &impl Place) {
    let stores = [place.open().await, place.open().await];
    let writing = stores.each_ref().map(|store| {
        let store = store.clone();
        tokio::spawn(async move {
            for batch in records(4, 150).chunks(7) {
                store.append_audit(batch).await.expect("kept");
            }
        })
    });
    let mut anchor = AuditHead::default();
    for writing in writing {
        anchor = verified(&*stores[0], Some(anchor)).await;
        writing.await.expect("no panic");
    }
    assert_eq!(verified(&*stores[1], Some(anchor)).await.seq, AuditSeq(300));
}

/// Which changes of the policy the log tells of, by the version that they made.
async fn changes_told(store: &dyn Storage) -> Vec<u64> {
    let filter = AuditFilter { kind: Some(AuditKind::Change), ..AuditFilter::default() };
    let entries = store.read_audit(&filter, AuditCursor::After(AuditSeq(0)), u32::MAX).await;
    entries.expect("readable").iter().map(|entry| entry.record.policy_version.0).collect()
}

/// With it or not at all: what is refused, or has been made before, adds nothing.
pub async fn a_change_is_in_the_log_with_its_version(place: &impl Place) {
    let store = place.open().await;
    let role =
        |name: &str| Change::PutRole(Role { name: name.into(), created_by: None, created_at: Timestamp(0) });
    let first = Commit { key: Some("once".into()), ..commit(PolicyVersion(0), vec![role("one")]) };
    assert_eq!(store.commit(first.clone()).await, Ok(PolicyVersion(1)));
    assert_eq!(store.commit(first.clone()).await, Ok(PolicyVersion(1)), "sent again");
    let late = store.commit(commit(PolicyVersion(0), vec![role("two")])).await;
    assert!(matches!(late, Err(StoreError::Conflict { .. })), "{late:?}");
    let refused = store.commit(commit(PolicyVersion(1), vec![role("\u{1d}")])).await;
    assert!(matches!(refused, Err(StoreError::Unstorable(_))), "{refused:?}");
    let mut large = commit(PolicyVersion(1), vec![role("three")]);
    large.audit.statement = "x".repeat(33 << 20).into();
    let refused = store.commit(large).await;
    assert!(matches!(refused, Err(StoreError::Unstorable(_))), "{refused:?}");
    assert_eq!(store.commit(commit(PolicyVersion(1), vec![role("two")])).await, Ok(PolicyVersion(2)));
    assert_eq!(changes_told(&*store).await, [1, 2]);
    let kept = AuditRecord { policy_version: PolicyVersion(1), ..first.audit };
    assert_eq!(all(&*store).await.first().map(|entry| &entry.record), Some(&kept));
    assert_eq!(kept.objects.iter().map(|object| object.name.as_str()).collect::<Vec<_>>(), ["one"]);
    assert_eq!(verified(&*store, None).await.seq, AuditSeq(2));
}

pub async fn changes_and_decisions_share_one_chain(place: &impl Place) {
    let stores = [place.open().await, place.open().await];
    let deciding = stores[0].clone();
    let deciding = tokio::spawn(async move {
        for batch in records(10, 200).chunks(5) {
            let mut batch = batch.to_vec();
            batch.iter_mut().for_each(|record| record.kind = AuditKind::Decision);
            deciding.append_audit(&batch).await.expect("kept");
        }
    });
    for version in 0..30 {
        stores[1].commit(commit(PolicyVersion(version), Vec::new())).await.expect("made");
    }
    deciding.await.expect("no panic");
    assert_eq!(verified(&*stores[0], None).await.seq, AuditSeq(230));
    assert_eq!(changes_told(&*stores[0]).await, (1..=30).collect::<Vec<_>>());
}

/// No version is made that the log cannot tell of.
pub async fn a_damaged_log_lets_nothing_be_changed(place: &impl Place) {
    let store = place.open().await;
    store.commit(commit(PolicyVersion(0), Vec::new())).await.expect("made");
    place.execute("DELETE FROM audit_blocks WHERE newest = 1").await;
    let made = store.commit(commit(PolicyVersion(1), Vec::new())).await;
    assert!(matches!(made, Err(StoreError::Damaged(_))), "{made:?}");
    assert_eq!(store.history(None, 10).await.map(|versions| versions.len()), Ok(1));
}

pub async fn a_record_that_is_too_large_is_refused(place: &impl Place) {
    let store = place.open().await;
    let mut some = records(5, 2);
    some[1].statement = "x".repeat(33 << 20).into();
    let answer = store.append_audit(&some).await;
    assert!(matches!(answer, Err(StoreError::Unstorable(_))), "{answer:?}");
    assert_eq!(store.audit_head().await, Ok(AuditHead::default()));
}

/// What is done to a log of ten records, each written alone, and where that is noticed first.
const CHANGES: &[(&[&str], u64)] = &[
    (
        &[
            "UPDATE audit_blocks SET earliest = 5, body = (SELECT body FROM audit_blocks WHERE newest = 4) WHERE newest = 3",
        ],
        3,
    ),
    (&["UPDATE audit_blocks SET earliest = 7777 WHERE newest = 3"], 3),
    (&["UPDATE audit_blocks SET latest = 7777 WHERE newest = 3"], 3),
    (&["UPDATE audit_blocks SET kinds = kinds + 1 WHERE newest = 3"], 3),
    (&["UPDATE audit_blocks SET verdicts = 3 - verdicts WHERE newest = 3"], 3),
    (
        &["UPDATE audit_blocks SET hash = (SELECT hash FROM audit_blocks WHERE newest = 4) WHERE newest = 3"],
        3,
    ),
    (&["DELETE FROM audit_blocks WHERE newest = 1"], 1),
    (&["DELETE FROM audit_blocks WHERE newest = 6"], 6),
    // Taken out, and the gap closed.
    (
        &[
            "DELETE FROM audit_blocks WHERE newest = 6",
            "UPDATE audit_blocks SET newest = -newest, oldest = oldest - 1 WHERE newest > 6",
            "UPDATE audit_blocks SET newest = -newest - 1 WHERE newest < 0",
        ],
        6,
    ),
    (
        &["UPDATE audit_blocks SET oldest = 5 WHERE newest = 6", "DELETE FROM audit_blocks WHERE newest = 5"],
        5,
    ),
    (&["DELETE FROM audit_blocks WHERE newest = 10"], 10),
    (&["DELETE FROM audit_blocks WHERE newest > 7"], 8),
    (&["DELETE FROM audit_blocks"], 1),
    // Two change places.
    (
        &[
            "UPDATE audit_blocks SET newest = -newest, oldest = 9 - oldest WHERE newest IN (4, 5)",
            "UPDATE audit_blocks SET newest = 9 + newest WHERE newest < 0",
        ],
        4,
    ),
    // One is put in.
    (
        &[
            "INSERT INTO audit_blocks SELECT 0, 0, earliest, latest, kinds, verdicts, hash, body FROM audit_blocks \
             WHERE newest = 3",
        ],
        1,
    ),
    (
        &[
            "INSERT INTO audit_blocks SELECT 11, 11, earliest, latest, kinds, verdicts, hash, body FROM audit_blocks \
             WHERE newest = 3",
        ],
        11,
    ),
    (
        &[
            "UPDATE audit_blocks SET newest = -newest, oldest = oldest + 1 WHERE newest > 6",
            "UPDATE audit_blocks SET newest = -newest + 1 WHERE newest < 0",
            "INSERT INTO audit_blocks SELECT 7, 7, earliest, latest, kinds, verdicts, hash, body FROM audit_blocks \
             WHERE newest = 3",
        ],
        7,
    ),
    (&["UPDATE audit_head SET hash = (SELECT hash FROM audit_blocks WHERE newest = 3)"], 10),
    (&["UPDATE audit_head SET newest = 9"], 10),
    (&["UPDATE audit_head SET newest = 11"], 11),
    // A group of what is not there.
    (
        &[
            "INSERT INTO audit_groups SELECT 50, 1, earliest, latest, kinds, verdicts, body FROM audit_blocks WHERE newest = 5",
        ],
        11,
    ),
    (
        &[
            "INSERT INTO audit_groups SELECT 5, 1, earliest, latest, kinds, verdicts, body FROM audit_blocks WHERE newest = 5",
        ],
        1,
    ),
];

/// What is done to the log and to its end, so that only who noted down an end notices.
const CUT: &[&str] = &[
    "DELETE FROM audit_blocks WHERE newest > 7",
    "UPDATE audit_head SET newest = 7, hash = (SELECT hash FROM audit_blocks WHERE newest = 7)",
];

const TABLES: [&str; 3] = ["audit_blocks", "audit_groups", "audit_head"];

/// Does each of some things to a log, and undoes it.
async fn noticed(place: &impl Place, store: &dyn Storage, head: AuditHead, changes: &[(&[&str], u64)]) {
    for table in TABLES {
        place.execute(&format!("CREATE TABLE copy_of_{table} AS SELECT * FROM {table}")).await;
    }
    for (steps, seq) in changes {
        for step in *steps {
            place.execute(step).await;
        }
        match store.verify_audit(None).await {
            Ok(AuditVerdict::Broken { seq: at, .. }) => assert_eq!(at, AuditSeq(*seq), "{steps:?}"),
            other => panic!("{steps:?}: {other:?}"),
        }
        for table in TABLES {
            place.execute(&format!("DELETE FROM {table}")).await;
            place.execute(&format!("INSERT INTO {table} SELECT * FROM copy_of_{table}")).await;
        }
        assert_eq!(verified(store, Some(head)).await, head);
    }
}

pub async fn whatever_is_done_to_the_log_is_noticed(place: &impl Place) {
    let store = place.open().await;
    let mut head = AuditHead::default();
    for record in records(6, 10) {
        head = store.append_audit(&[record]).await.expect("kept");
    }
    noticed(place, &*store, head, CHANGES).await;
    let other = AuditHead { seq: AuditSeq(5), hash: AuditHash([7; 32]) };
    let verdict = store.verify_audit(Some(other)).await;
    assert!(matches!(verdict, Ok(AuditVerdict::Broken { seq: AuditSeq(5), .. })), "{verdict:?}");
    for step in CUT {
        place.execute(step).await;
    }
    assert_eq!(verified(&*store, None).await.seq, AuditSeq(7));
    let verdict = store.verify_audit(Some(head)).await;
    assert!(matches!(verdict, Ok(AuditVerdict::Broken { seq: AuditSeq(8), .. })), "{verdict:?}");
}

/// A group ends at 4,500 and at 9,000, and 1,500 records have none.
async fn grouped(place: &impl Place) -> (std::sync::Arc<dyn Storage>, AuditHead) {
    let store = place.open().await;
    let mut head = AuditHead::default();
    for batch in records(16, 10_500).chunks(1_500) {
        head = store.append_audit(batch).await.expect("kept");
    }
    assert_eq!(place.count("audit_groups").await, 2);
    (store, head)
}

const GROUP_CHANGES: &[(&[&str], u64)] = &[
    (
        &[
            "UPDATE audit_groups SET names = (SELECT body FROM audit_blocks WHERE newest = 1500) WHERE newest = 4500",
        ],
        1,
    ),
    (&["UPDATE audit_groups SET earliest = earliest + 1 WHERE newest = 9000"], 4501),
    (&["UPDATE audit_groups SET latest = 0 WHERE newest = 9000"], 4501),
    (&["UPDATE audit_groups SET kinds = 1 WHERE newest = 4500"], 1),
    (&["UPDATE audit_groups SET verdicts = 1 WHERE newest = 4500"], 1),
    (&["UPDATE audit_groups SET oldest = 1501 WHERE newest = 4500"], 1),
    (&["UPDATE audit_groups SET newest = 4400 WHERE newest = 4500"], 1),
    (&["DELETE FROM audit_groups WHERE newest = 4500"], 1),
    (
        &[
            "INSERT INTO audit_groups SELECT 10500, 9001, earliest, latest, 1, verdicts, names FROM audit_groups \
             WHERE newest = 4500",
        ],
        9001,
    ),
];

pub async fn whatever_is_done_to_its_groups_is_noticed(place: &impl Place) {
    let (store, head) = grouped(place).await;
    assert_eq!(verified(&*store, None).await, head);
    noticed(place, &*store, head, GROUP_CHANGES).await;
}

/// Whether a record is in a group, in a gap that somebody left or behind the last group: it is found.
pub async fn groups_hide_nothing(place: &impl Place) {
    let (store, _) = grouped(place).await;
    let all = all(&*store).await;
    let ask = async |round: u64| {
        let mut dice = Dice::new(round);
        for _ in 0..60 {
            let filter = audit_filter(&mut dice);
            let size = 1 + u32::try_from(dice.below(4_000)).expect("small");
            let seq = AuditSeq(dice.below(11_000));
            let fits = |entry: &&AuditEntry| filter.fits(&entry.record);
            let behind = all.iter().filter(|entry| entry.seq > seq).filter(fits).take(size as usize);
            let found = store.read_audit(&filter, AuditCursor::After(seq), size).await.expect("readable");
            assert!(found.iter().eq(behind), "after {seq:?}: {filter:?}");
            let before = all.iter().rev().filter(|entry| entry.seq < seq).filter(fits).take(size as usize);
            let found = store.read_audit(&filter, AuditCursor::Before(seq), size).await.expect("readable");
            assert!(found.iter().eq(before), "before {seq:?}: {filter:?}");
        }
    };
    ask(17).await;
    place.execute("DELETE FROM audit_groups WHERE newest = 4500").await;
    ask(18).await;
}

/// A damaged record is never read as another, and nothing is linked to a log that ends elsewhere.
pub async fn a_damaged_log_is_not_read(place: &impl Place) {
    let store = place.open().await;
    for record in records(8, 10) {
        store.append_audit(&[record]).await.expect("kept");
    }
    place
        .execute("UPDATE audit_blocks SET body = (SELECT body FROM audit_blocks WHERE newest = 4) WHERE newest = 9")
        .await;
    let read = store.read_audit(&AuditFilter::default(), AuditCursor::Newest, 2).await;
    assert!(matches!(read, Err(StoreError::Damaged(_))), "{read:?}");
    let whole = store.read_audit(&AuditFilter::default(), AuditCursor::Before(AuditSeq(9)), 2).await;
    assert_eq!(whole.map(|entries| entries.len()), Ok(2));
    place.execute("DELETE FROM audit_blocks WHERE newest = 10").await;
    let kept = store.append_audit(&records(9, 1)).await;
    assert!(matches!(kept, Err(StoreError::Damaged(_))), "{kept:?}");
}
