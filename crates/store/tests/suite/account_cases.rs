//! The cases of who may call the service.

use std::time::{Duration, Instant};

use guardbee_engine::accounts::{Account, NewToken, Permission, Permissions, Placing, Token, TokenId};
use guardbee_engine::store::StoreError;
use guardbee_model::Timestamp;

use super::Place;

fn account(name: &str) -> Account {
    Account {
        name: name.into(),
        permissions: Permissions::of(Permission::Auditor).and(Permissions::of(Permission::User)),
        password: Some("$argon2id$v=19$...".into()),
        must_change_password: true,
        created_at: Timestamp(-5),
    }
}

fn token(account: &str, first: u8) -> NewToken {
    NewToken {
        digest: [first; 32],
        account: account.into(),
        label: "für hive\n".into(),
        permissions: Permissions::of(Permission::PlugIn),
        created_at: Timestamp(7),
        expires_at: Some(Timestamp(i64::MAX)),
    }
}

pub async fn accounts_come_back(place: &impl Place) {
    let store = place.open().await;
    assert_eq!(store.accounts().await, Ok(vec![]));
    let (ana, mut zoe) = (account("Ana"), account("zoë"));
    assert_eq!(store.put_account(&zoe, Placing::New).await, Ok(true));
    assert_eq!(store.put_account(&ana, Placing::New).await, Ok(true));
    assert_eq!(store.put_account(&ana, Placing::New).await, Ok(false));
    zoe = Account { password: None, must_change_password: false, ..zoe };
    assert_eq!(store.put_account(&zoe, Placing::Replacing).await, Ok(true));
    let store = place.open().await;
    assert_eq!(store.accounts().await, Ok(vec![ana.clone(), zoe]));
    assert_eq!(store.account("Ana").await, Ok(Some(ana)));
    assert_eq!(store.account("ana").await, Ok(None), "names keep their case");
}

pub async fn of_many_who_would_be_first_one_is(place: &impl Place) {
    let (one, other) = (place.open().await, place.open().await);
    let (ana, zoe) = (account("ana"), account("zoe"));
    let (first, second) =
        tokio::join!(one.put_account(&ana, Placing::First), other.put_account(&zoe, Placing::First));
    assert_ne!(first.expect("asked"), second.expect("asked"));
    assert_eq!(one.accounts().await.expect("readable").len(), 1);
}

pub async fn tokens_go_with_their_account(place: &impl Place) {
    let store = place.open().await;
    store.put_account(&account("ana"), Placing::First).await.expect("kept");
    store.put_account(&account("zoe"), Placing::New).await.expect("kept");
    let kept = [token("ana", 1), token("zoe", 2), NewToken { expires_at: None, ..token("ana", 3) }];
    for (token, id) in kept.iter().zip(1..) {
        assert_eq!(store.add_token(token).await, Ok(TokenId(id)));
    }
    let of = |place: usize, id| Token { id: TokenId(id), token: kept[place].clone() };
    assert_eq!(place.open().await.tokens().await, Ok(vec![of(0, 1), of(1, 2), of(2, 3)]));
    assert_eq!(store.remove_token(TokenId(1)).await, Ok(true));
    assert_eq!(store.remove_token(TokenId(1)).await, Ok(false));
    assert_eq!(store.remove_account("ana").await, Ok(true));
    assert_eq!(store.remove_account("ana").await, Ok(false));
    assert_eq!(store.tokens().await, Ok(vec![of(1, 2)]));
    // An id is never given again.
    assert_eq!(store.add_token(&token("zoe", 1)).await, Ok(TokenId(4)));
}

pub async fn every_change_to_accounts_is_counted(place: &impl Place) {
    let store = place.open().await;
    let mut before = store.account_changes().await.expect("readable");
    let mut has_changed = async || {
        let now = place.open().await.account_changes().await.expect("readable");
        std::mem::replace(&mut before, now) != now
    };
    store.put_account(&account("ana"), Placing::First).await.expect("kept");
    assert!(has_changed().await);
    store.put_account(&account("zoe"), Placing::First).await.expect("asked");
    assert!(!has_changed().await);
    let id = store.add_token(&token("ana", 1)).await.expect("kept");
    assert!(has_changed().await);
    store.remove_token(id).await.expect("asked");
    assert!(has_changed().await);
    store.remove_account("zoe").await.expect("asked");
    assert!(!has_changed().await);
    store.remove_account("ana").await.expect("asked");
    assert!(has_changed().await);
}

/// The bar is 100 ms; the middle of twenty is taken, for the machine may be busy.
pub async fn a_change_to_accounts_is_seen_by_others_at_once(place: &impl Place) {
    let (writer, reader) = (place.open().await, place.open().await);
    writer.put_account(&account("ana"), Placing::First).await.expect("kept");
    let first = writer.account_changes().await.expect("readable");
    let mut delays = Vec::new();
    for after in first..first + 20 {
        let waiting = tokio::spawn({
            let reader = reader.clone();
            async move { (reader.wait_account_changes(after).await, Instant::now()) }
        });
        tokio::time::sleep(Duration::from_millis(20)).await;
        assert!(!waiting.is_finished(), "there is nothing to see yet");
        writer.put_account(&account("ana"), Placing::Replacing).await.expect("kept");
        let made = Instant::now();
        let (seen, at) = waiting.await.expect("no panic");
        assert_eq!(seen, Ok(after + 1));
        delays.push(at.saturating_duration_since(made));
    }
    delays.sort();
    assert!(delays[10] < Duration::from_millis(100), "{delays:?}");
    assert_eq!(writer.wait_account_changes(first).await, Ok(first + 20));
}

pub async fn an_account_that_was_changed_by_hand_is_noticed(place: &impl Place) {
    let store = place.open().await;
    store.put_account(&account("ana"), Placing::First).await.expect("kept");
    place.execute("UPDATE accounts SET permissions = 2").await;
    assert!(matches!(store.account("ana").await, Err(StoreError::Damaged(_))));
    store.put_account(&account("ana"), Placing::Replacing).await.expect("kept");
    store.add_token(&token("ana", 1)).await.expect("kept");
    place.execute("UPDATE tokens SET expires_at = NULL").await;
    assert!(matches!(store.tokens().await, Err(StoreError::Damaged(_))));
}

/// Two admins take each other away at once: one of them stays, each time.
pub async fn somebody_stays_who_may_make_accounts(place: &impl Place) {
    let (one, other) = (place.open().await, place.open().await);
    let admin = |name: &str| Account { permissions: Permissions::of(Permission::Admin), ..account(name) };
    for round in 0..10 {
        for name in ["ana", "zoe"] {
            one.put_account(&admin(name), Placing::Replacing).await.expect("kept");
        }
        // By removing them or by taking the permission away.
        let demoted = account("ana");
        let (first, second) = tokio::join!(
            async {
                match round % 2 {
                    0 => one.remove_account("ana").await,
                    _ => one.put_account(&demoted, Placing::Replacing).await,
                }
            },
            other.remove_account("zoe")
        );
        let refused = [&first, &second].into_iter().filter(|answer| **answer == Err(StoreError::LastAdmin));
        assert_eq!(refused.count(), 1, "{first:?} {second:?}");
        let left = one.accounts().await.expect("readable");
        assert_eq!(left.iter().filter(|account| account.permissions.has(Permission::Admin)).count(), 1);
    }
}

pub async fn names_of_accounts_have_a_bound(place: &impl Place) {
    let store = place.open().await;
    for name in ["a".repeat(1025), "a\0b".to_owned()] {
        let answer = store.put_account(&account(&name), Placing::New).await;
        assert!(matches!(answer, Err(StoreError::Unstorable(_))), "{answer:?}");
    }
    assert_eq!(store.put_account(&account(&"ä".repeat(512)), Placing::New).await, Ok(true));
}
