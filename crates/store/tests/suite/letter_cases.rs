//! The cases of what could not be recorded.

use guardbee_engine::run_store::{Appended, BuriedLetter, LetterBounds, LetterId, RunSeq};
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
    assert_eq!(
        store.bury(&letters, LetterBounds::default()).await,
        Ok([1, 2, 3].map(|id| Some(LetterId(id))).to_vec())
    );
    let found = place.open().await.dead_letters(LetterId(0), 10).await.expect("readable");
    assert_eq!(ids(&found), [1, 2, 3]);
    assert!(found.iter().zip(&letters).all(|(found, letter)| found.letter == *letter && found.times == 1));
    assert_eq!(ids(&store.dead_letters(LetterId(1), 1).await.expect("readable")), [2]);
    assert_eq!(store.dead_letter(LetterId(3)).await, Ok(Some(found[2].clone())));
    assert_eq!(store.dead_letter(LetterId(4)).await, Ok(None));
    assert_eq!(store.remove_letters(&[LetterId(3), LetterId(1), LetterId(9)]).await, Ok(2));
    assert_eq!(ids(&store.dead_letters(LetterId(0), 10).await.expect("readable")), [2]);
    // An id is never given again.
    assert_eq!(store.bury(&letters[2..], LetterBounds::default()).await, Ok(vec![Some(LetterId(4))]));
}

pub async fn a_letter_that_comes_again_is_counted(place: &impl Place) {
    let store = place.open().await;
    let first = letter("hive.log:1", b"{");
    let mut again = first.clone();
    (again.reason, again.received_at) = ("the column is missing".into(), Timestamp(5));
    store.bury(&[first.clone(), letter("hive.log:1", b"}")], LetterBounds::default()).await.expect("kept");
    assert_eq!(
        store.bury(&[again.clone(), again.clone()], LetterBounds::default()).await,
        Ok(vec![Some(LetterId(1)); 2])
    );
    let found = store.dead_letters(LetterId(0), 10).await.expect("readable");
    assert_eq!(found[0], BuriedLetter { id: LetterId(1), letter: again, times: 3 });
    assert_eq!(found[1].times, 1);
}

pub async fn a_letter_is_revived_once(place: &impl Place) {
    let store = place.open().await;
    store
        .bury(&[letter("hive.log:1", b"{"), letter("hive.log:2", b"{")], LetterBounds::default())
        .await
        .expect("kept");
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
    let answer =
        store.bury(&[letter("a", b"{"), letter("b", &vec![1; 33 << 20])], LetterBounds::default()).await;
    assert!(matches!(answer, Err(StoreError::Unstorable(_))), "{answer:?}");
    assert_eq!(store.dead_letters(LetterId(0), 10).await, Ok(vec![]));
}

pub async fn a_letter_that_was_changed_by_hand_is_noticed(place: &impl Place) {
    let store = place.open().await;
    store.bury(&[letter("a", b"{")], LetterBounds::default()).await.expect("kept");
    place.execute("UPDATE dead_letters SET times = 2").await;
    let read = store.dead_letters(LetterId(0), 10).await;
    assert!(matches!(read, Err(StoreError::Damaged(_))), "{read:?}");
}

pub async fn letters_have_a_bound(place: &impl Place) {
    let store = place.open().await;
    let bounds = LetterBounds { count: 2, bytes: 1 << 20 };
    let [one, two, three] = ["a:1", "a:2", "a:3"].map(|source| letter(source, b"{"));
    let answer = store.bury(&[one.clone(), two.clone(), three.clone(), one.clone()], bounds).await;
    // What is known is counted where nothing new has room.
    assert_eq!(answer, Ok(vec![Some(LetterId(1)), Some(LetterId(2)), None, Some(LetterId(1))]));
    assert_eq!(place.open().await.bury(std::slice::from_ref(&three), bounds).await, Ok(vec![None]));
    assert_eq!(ids(&store.dead_letters(LetterId(0), 10).await.expect("readable")), [1, 2]);
    // Room is made by removing, and by reviving.
    assert_eq!(store.remove_letters(&[LetterId(1)]).await, Ok(1));
    assert_eq!(store.bury(std::slice::from_ref(&three), bounds).await, Ok(vec![Some(LetterId(3))]));
    store.revive(LetterId(3), &[copy("one", 1, 1)]).await.expect("kept");
    assert_eq!(store.letter_use().await.expect("readable").count, 1);
    // Behind a letter that is too large, a small one has no room either.
    let answer = store.bury(&[letter("a:4", &vec![1; 1 << 20]), three.clone()], bounds).await;
    assert_eq!(answer, Ok(vec![None, None]));
    let large = letter("a:4", &vec![1; 1 << 19]);
    assert_eq!(store.bury(&[large], bounds).await, Ok(vec![Some(LetterId(4))]));
    let used = store.letter_use().await.expect("readable");
    assert!(used.count == 2 && used.bytes > 1 << 19, "{used:?}");
    // Runs have no part in it.
    assert_eq!(store.append_runs(&[copy("two", 1, 1)]).await, Ok(vec![Appended::New(RunSeq(2))]));
}
