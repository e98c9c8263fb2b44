//! The cases of what could not be recorded.

use guardbee_engine::run_store::{Appended, BuriedLetter, LetterId, RunSeq};
use guardbee_engine::store::StoreError;
use guardbee_model::Timestamp;

use super::Place;
use super::run_sample::{copy, letter};

fn ids(letters: &[BuriedLetter]) -> Vec<u64> {
    letters.iter().map(|letter| letter.id.0).collect()
}

pub async fn letters_are_kept_until_they_are_removed(place: &impl Place) {
    let store = place.open().await;
    assert_eq!(store.dead_letters(LetterId(0), 10).await, Ok(vec![]));
    let letters =
        [letter("hive.log:1", b"{"), letter("größe\0\n", &[0, 255, 0xfe]), letter("hive.log:2", b"{")];
    assert_eq!(store.bury(&letters).await, Ok(vec![LetterId(1), LetterId(2), LetterId(3)]));
    let found = place.open().await.dead_letters(LetterId(0), 10).await.expect("readable");
    assert_eq!(ids(&found), [1, 2, 3]);
    assert!(found.iter().zip(&letters).all(|(found, letter)| found.letter == *letter && found.times == 1));
    assert_eq!(ids(&store.dead_letters(LetterId(1), 1).await.expect("readable")), [2]);
    assert_eq!(store.dead_letter(LetterId(3)).await, Ok(Some(found[2].clone())));
    assert_eq!(store.dead_letter(LetterId(4)).await, Ok(None));
    assert_eq!(store.remove_letters(&[LetterId(3), LetterId(1), LetterId(9)]).await, Ok(2));
    assert_eq!(ids(&store.dead_letters(LetterId(0), 10).await.expect("readable")), [2]);
    // An id is never given again.
    assert_eq!(store.bury(&letters[2..]).await, Ok(vec![LetterId(4)]));
}

pub async fn a_letter_that_comes_again_is_counted(place: &impl Place) {
    let store = place.open().await;
    let first = letter("hive.log:1", b"{");
    let mut again = first.clone();
    (again.reason, again.received_at) = ("the column is missing".into(), Timestamp(5));
    store.bury(&[first.clone(), letter("hive.log:1", b"}")]).await.expect("kept");
    assert_eq!(store.bury(&[again.clone(), again.clone()]).await, Ok(vec![LetterId(1), LetterId(1)]));
    let found = store.dead_letters(LetterId(0), 10).await.expect("readable");
    assert_eq!(found[0], BuriedLetter { id: LetterId(1), letter: again, times: 3 });
    assert_eq!(found[1].times, 1);
}

pub async fn a_letter_is_revived_once(place: &impl Place) {
    let store = place.open().await;
    store.bury(&[letter("hive.log:1", b"{"), letter("hive.log:2", b"{")]).await.expect("kept");
    let runs = [copy("one", 1, 1), copy("two", 1, 1)];
    let other = place.open().await;
    let (one, two) = tokio::join!(store.revive(LetterId(1), &runs), other.revive(LetterId(1), &runs));
    let new = Ok(Some(vec![Appended::New(RunSeq(1)), Appended::New(RunSeq(2))]));
    assert!((one == new && two == Ok(None)) || (one == Ok(None) && two == new), "{one:?} and {two:?}");
    // Of a letter that is not there, nothing is kept.
    assert_eq!(store.revive(LetterId(1), &[copy("three", 1, 1)]).await, Ok(None));
    assert_eq!(store.run_head().await.expect("readable").newest, RunSeq(2));
    // What is refused stays a letter.
    let answer =
        store.revive(LetterId(2), &[copy("", 1, 1), copy("four", 1, 1)]).await.expect("kept").expect("there");
    assert!(matches!(answer[..], [Appended::Refused(_), Appended::New(RunSeq(3))]), "{answer:?}");
    assert_eq!(ids(&store.dead_letters(LetterId(0), 10).await.expect("readable")), [2]);
}

pub async fn a_letter_that_is_too_large_is_refused(place: &impl Place) {
    let store = place.open().await;
    let answer = store.bury(&[letter("a", b"{"), letter("b", &vec![1; 33 << 20])]).await;
    assert!(matches!(answer, Err(StoreError::Unstorable(_))), "{answer:?}");
    assert_eq!(store.dead_letters(LetterId(0), 10).await, Ok(vec![]));
}

pub async fn a_letter_that_was_changed_by_hand_is_noticed(place: &impl Place) {
    let store = place.open().await;
    store.bury(&[letter("a", b"{")]).await.expect("kept");
    place.execute("UPDATE dead_letters SET times = 2").await;
    let read = store.dead_letters(LetterId(0), 10).await;
    assert!(matches!(read, Err(StoreError::Damaged(_))), "{read:?}");
}
