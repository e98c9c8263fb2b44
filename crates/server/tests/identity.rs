//! Who calls, and how that is known: passwords, sessions of browsers, tokens, and the word of a proxy.

mod support;

use std::fs;
use std::io::{self, Write};
use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use guardbee_engine::accounts::{Permission, Permissions};
use guardbee_engine::clock::{Clock as _, SystemClock};
use guardbee_policy::Timestamp;
use guardbee_server::{Options, TrustedProxy};
use serde_json::{Value, json};
use smol_str::SmolStr;

use support::client::Answer;
use support::{Ground, PASSWORD, Running};

const NEW_PASSWORD: &str = "a password of one's own";

/// A browser that is signed in.
struct Browser {
    cookie: String,
    csrf: String,
}

fn sign_in(running: &Running, user: &str, password: &str) -> Answer {
    running.post("/api/v1/session").json(&json!({ "user": user, "password": password })).send()
}

fn browser(running: &Running, user: &str, password: &str) -> Browser {
    let answer = sign_in(running, user, password);
    assert_eq!(answer.status, 200, "{}", answer.text());
    let cookie = answer.header("Set-Cookie").expect("a cookie is set");
    for part in ["HttpOnly", "SameSite=Strict", "Path=/"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    let cookie = cookie.split(';').next().expect("it has a value").to_owned();
    Browser { cookie, csrf: answer.json()["csrf_token"].as_str().expect("a page is told").to_owned() }
}

fn whoami(running: &Running, token: &str) -> (u16, Value) {
    let answer = running.get("/api/v1/session").bearer(token).send();
    (answer.status, answer.json())
}

fn make_token(running: &Running, by: &str, asked: Value) -> Answer {
    let mut asked = asked;
    asked["label"] = json!("made");
    running.post("/api/v1/tokens").bearer(by).json(&asked).send()
}

#[test]
fn the_first_account_has_to_change_its_password_before_anything_else() {
    let ground = Ground::new();
    let running = ground.start(Options::default());
    let first = running.first_account.clone().expect("the first start makes an account");
    let browser = browser(&running, &first.name, &first.password);
    let call = |method: &str, path: &str| {
        running.ask(method, path).header("Cookie", &browser.cookie).header("X-CSRF-Token", &browser.csrf)
    };
    let refused = [
        call("GET", "/api/v1/accounts").send(),
        call("GET", "/api/v1/tokens").send(),
        call("POST", "/api/v1/tokens").json(&json!({ "label": "x" })).send(),
        call("POST", "/api/v1/check").json(&json!({ "statement": "SELECT 1" })).send(),
        call("GET", "/metrics").send(),
    ];
    for answer in refused {
        assert_eq!((answer.status, answer.code().as_str()), (403, "not-permitted"), "{}", answer.text());
        assert!(answer.text().contains("one-time password"), "{}", answer.text());
    }
    let change = |old: &str, new: &str| {
        call("PUT", "/api/v1/password").json(&json!({ "old": old, "new": new })).send()
    };
    assert_eq!(change("not the password", NEW_PASSWORD).code(), "wrong-password");
    assert_eq!(change(&first.password, "short").code(), "password-too-short");
    assert_eq!(change(&first.password, &first.password).code(), "same-password");
    assert_eq!(change(&first.password, NEW_PASSWORD).status, 204);
    assert_eq!(call("GET", "/api/v1/accounts").send().status, 200);
    assert_eq!(sign_in(&running, &first.name, &first.password).code(), "wrong-password");
    assert_eq!(sign_in(&running, &first.name, NEW_PASSWORD).status, 200);
    drop(running);
    assert_eq!(ground.start(Options::default()).first_account, None, "the second start makes none");
}

#[test]
fn wrong_passwords_make_wait_and_do_not_tell_who_has_an_account() {
    let ground = Ground::new();
    ground.account("ann", Permissions::of(Permission::User));
    let running = ground.start(Options::default());
    let wrong = sign_in(&running, "ann", "not the password");
    let nobody = sign_in(&running, "absent", "not the password");
    let told = |answer: &Answer| {
        let mut told = answer.json();
        told["request_id"] = Value::Null;
        (answer.status, told)
    };
    assert_eq!(told(&wrong), told(&nobody));
    for _ in 0..3 {
        sign_in(&running, "ann", "not the password");
    }
    let right = sign_in(&running, "ann", PASSWORD);
    assert_eq!((right.status, right.code().as_str()), (429, "too-many-attempts"), "{}", right.text());
    let seconds: u64 = right.header("Retry-After").expect("it says how long").parse().expect("in seconds");
    std::thread::sleep(Duration::from_secs(seconds));
    assert_eq!(sign_in(&running, "ann", PASSWORD).status, 200);
    // The audit log has each of them, with the name that was tried.
    ground.account("eve", Permissions::of(Permission::Auditor));
    let eve = ground.token("eve", Permissions::of(Permission::Auditor), None);
    until(|| running.get("/api/v1/tokens").bearer(&eve).send().status == 200);
    let of = |user: &str| {
        let log = running.get(&format!("/api/v1/audit?user={user}")).bearer(&eve).send().text();
        assert!(!log.contains("not the password"), "{log}");
        log.matches("sign in").count()
    };
    until(|| (of("ann"), of("absent")) == (4, 1));
}

fn until(mut is_so: impl FnMut() -> bool) {
    let begun = std::time::Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(20), "it does not come");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_session_takes_the_header_of_its_own_page() {
    let ground = Ground::new();
    ground.account("ann", Permissions::of(Permission::User));
    let running = ground.start(Options::default());
    let (one, other) = (browser(&running, "ann", PASSWORD), browser(&running, "ann", PASSWORD));
    let check = |csrf: Option<&str>, media_type: &str| {
        let ask = running.post("/api/v1/check").header("Cookie", &one.cookie);
        let ask = csrf.into_iter().fold(ask, |ask, csrf| ask.header("X-CSRF-Token", csrf));
        ask.body(media_type, r#"{"statement":"SELECT 1"}"#).send()
    };
    assert_eq!(check(Some(&one.csrf), "application/json").status, 200);
    assert_eq!(check(None, "application/json").code(), "not-permitted");
    assert_eq!(check(Some(&other.csrf), "application/json").code(), "not-permitted");
    assert_eq!(check(Some(""), "application/json").code(), "not-permitted");
    // What a form of another page can send.
    assert_eq!(check(Some(&one.csrf), "text/plain").status, 415);
    let read = running.get("/api/v1/session").header("Cookie", &one.cookie).send();
    assert_eq!(read.json()["csrf_token"], json!(one.csrf), "what only reads needs no header");

    let sign_out = |csrf: &str| {
        let ask = running.ask("DELETE", "/api/v1/session").header("Cookie", &one.cookie);
        ask.header("X-CSRF-Token", csrf).send()
    };
    assert_eq!(sign_out(&other.csrf).status, 403);
    let out = sign_out(&one.csrf);
    assert_eq!(out.status, 204);
    assert!(out.header("Set-Cookie").is_some_and(|cookie| cookie.contains("Max-Age=0")), "{out:?}");
    let after = running.get("/api/v1/session").header("Cookie", &one.cookie).send();
    assert_eq!(after.status, 401);
    let others = running.get("/api/v1/session").header("Cookie", &other.cookie).send();
    assert_eq!(others.status, 200, "the other browser stays signed in");
}

#[test]
fn a_new_password_signs_other_browsers_out() {
    let ground = Ground::new();
    ground.account("ann", Permissions::of(Permission::User));
    let running = ground.start(Options::default());
    let (one, other) = (browser(&running, "ann", PASSWORD), browser(&running, "ann", PASSWORD));
    let changed = running.ask("PUT", "/api/v1/password").header("Cookie", &one.cookie);
    let changed = changed.header("X-CSRF-Token", &one.csrf);
    assert_eq!(changed.json(&json!({ "old": PASSWORD, "new": NEW_PASSWORD })).send().status, 204);
    let status =
        |browser: &Browser| running.get("/api/v1/session").header("Cookie", &browser.cookie).send().status;
    assert_eq!((status(&one), status(&other)), (200, 401));
}

#[test]
fn a_token_ends_with_its_time_its_removal_and_its_account() {
    let ground = Ground::new();
    ground.account("root", Permissions::of(Permission::Admin));
    ground.account("ann", Permissions::of(Permission::User));
    let root = ground.token("root", Permissions::of_all(), None);
    let now = SystemClock.now();
    let over = ground.token("ann", Permissions::of_all(), Some(Timestamp(now.0 - 1)));
    let running = ground.start(Options::default());
    assert_eq!(whoami(&running, &over).0, 401);

    let short = make_token(&running, &root, json!({ "account": "ann", "lasts_seconds": 1 }));
    let short = short.json()["secret"].as_str().expect("it is told once").to_owned();
    assert_eq!(whoami(&running, &short).0, 200);
    std::thread::sleep(Duration::from_millis(1100));
    assert_eq!(whoami(&running, &short).0, 401);

    let made = make_token(&running, &root, json!({ "account": "ann" })).json();
    let secret = made["secret"].as_str().expect("it is told once").to_owned();
    let listed = running.get("/api/v1/tokens").bearer(&secret).send();
    assert!(!listed.text().contains(&secret), "it is told once");
    assert_eq!(whoami(&running, &secret).0, 200);
    let place = format!("/api/v1/tokens/{}", made["token"]["id"]);
    assert_eq!(running.ask("DELETE", &place).bearer(&root).send().status, 204);
    assert_eq!(whoami(&running, &secret).0, 401);

    let made = make_token(&running, &root, json!({ "account": "ann" })).json();
    let secret = made["secret"].as_str().expect("it is told once").to_owned();
    assert_eq!(running.ask("DELETE", "/api/v1/accounts/ann").bearer(&root).send().status, 204);
    assert_eq!(whoami(&running, &secret).0, 401);
    let again = json!({ "name": "ann", "permissions": ["admin"] });
    assert_eq!(running.post("/api/v1/accounts").bearer(&root).json(&again).send().status, 201);
    assert_eq!(whoami(&running, &secret).0, 401, "who comes back under a name has nothing of the former");
}

#[test]
fn a_token_never_has_more_than_its_account_or_its_maker() {
    let ground = Ground::new();
    ground.account("root", Permissions::of(Permission::Admin));
    ground.account("ann", Permissions::of(Permission::User).and(Permissions::of(Permission::Auditor)));
    let root = ground.token("root", Permissions::of_all(), None);
    let wide = ground.token("ann", Permissions::of_all(), None);
    let narrow = ground.token("ann", Permissions::of(Permission::User), None);
    let narrow_root = ground.token("root", Permissions::of(Permission::User), None);
    let running = ground.start(Options::default());
    let permissions = |token: &str| whoami(&running, token).1["permissions"].clone();
    assert_eq!(permissions(&wide), json!(["auditor", "user"]));
    assert_eq!(permissions(&narrow), json!(["user"]));

    assert_eq!(make_token(&running, &wide, json!({ "permissions": ["admin"] })).status, 403);
    assert_eq!(make_token(&running, &narrow, json!({ "permissions": ["auditor"] })).status, 403);
    let made = make_token(&running, &narrow, json!({})).json();
    assert_eq!(made["token"]["permissions"], json!(["user"]));
    // An admin's token without that permission is none of an admin.
    assert_eq!(running.get("/api/v1/accounts").bearer(&narrow_root).send().status, 403);
    assert_eq!(make_token(&running, &narrow_root, json!({ "account": "ann" })).status, 403);
    assert_eq!(make_token(&running, &narrow_root, json!({ "permissions": ["admin"] })).status, 403);

    let less = json!({ "name": "ann", "permissions": ["auditor"], "replace": true });
    assert_eq!(running.post("/api/v1/accounts").bearer(&root).json(&less).send().status, 201);
    assert_eq!(permissions(&wide), json!(["auditor"]));
    assert_eq!(permissions(&narrow), json!([]), "what the account loses its tokens lose");
}

#[test]
fn a_token_makes_none_that_outlives_it_or_removes_one_that_may_more() {
    let ground = Ground::new();
    ground.account("ann", Permissions::of(Permission::User).and(Permissions::of(Permission::Auditor)));
    let later = Timestamp(SystemClock.now().0 + 3_600_000);
    let wide = ground.token("ann", Permissions::of_all(), None);
    let narrow = ground.token("ann", Permissions::of(Permission::User), Some(later));
    let running = ground.start(Options::default());
    let lasts = |asked: Value| make_token(&running, &narrow, asked);
    assert_eq!(lasts(json!({ "lasts_seconds": 60 })).status, 201);
    assert_eq!(lasts(json!({ "lasts_seconds": 7200 })).code(), "outlives-token");
    let made = lasts(json!({})).json();
    let own = running.get("/api/v1/tokens").bearer(&wide).send().json();
    let own = own["tokens"].as_array().expect("there are tokens").clone();
    let of = |id: &Value| own.iter().find(|token| token["id"] == *id).cloned().unwrap_or_default();
    let ours = own.iter().find(|token| token["permissions"] == json!(["user"])).expect("it is listed");
    assert_eq!(of(&made["token"]["id"])["expires_at"], ours["expires_at"]);

    let strong = make_token(&running, &wide, json!({ "permissions": ["auditor"] })).json();
    let place = format!("/api/v1/tokens/{}", strong["token"]["id"]);
    assert_eq!(running.ask("DELETE", &place).bearer(&narrow).send().status, 403);
    assert_eq!(running.ask("DELETE", &place).bearer(&wide).send().status, 204);
}

#[test]
fn somebody_stays_who_may_make_accounts() {
    let ground = Ground::new();
    ground.account("root", Permissions::of(Permission::Admin));
    let root = ground.token("root", Permissions::of_all(), None);
    let running = ground.start(Options::default());
    let remove = |name: &str| running.ask("DELETE", &format!("/api/v1/accounts/{name}")).bearer(&root).send();
    let put = |account: Value| running.post("/api/v1/accounts").bearer(&root).json(&account).send();
    assert_eq!(remove("root").code(), "last-admin");
    let less = json!({ "name": "root", "permissions": ["user"], "replace": true });
    assert_eq!(put(less.clone()).code(), "last-admin");
    assert_eq!(put(json!({ "name": "ann", "permissions": ["admin"] })).status, 201);
    assert_eq!(put(less).status, 201);
    assert_eq!(remove("ann").status, 403, "the token went down with its account");
}

#[test]
fn only_the_proxy_says_who_somebody_is() {
    let ground = Ground::new();
    ground.account("ann", Permissions::of(Permission::Auditor));
    let proxy = |address: &str| TrustedProxy {
        addresses: vec![address.parse::<IpAddr>().expect("an address")],
        user_header: SmolStr::new_static("X-Forwarded-User"),
    };
    let told = |trusted_proxy: Option<TrustedProxy>, users: &[&str]| {
        let running = ground.start(Options { trusted_proxy, ..Options::default() });
        let ask = running.get("/api/v1/session");
        let answer = users.iter().fold(ask, |ask, user| ask.header("X-Forwarded-User", user)).send();
        (answer.status, answer.json()["permissions"].clone())
    };
    assert_eq!(told(Some(proxy("127.0.0.1")), &["ann"]), (200, json!(["auditor"])));
    assert_eq!(told(Some(proxy("127.0.0.1")), &["without an account"]), (200, json!(["user"])));
    assert_eq!(told(Some(proxy("127.0.0.1")), &["ann", "root"]).0, 401, "one of them is not the proxy's");
    assert_eq!(told(Some(proxy("192.0.2.1")), &["ann"]).0, 401);
    assert_eq!(told(None, &["ann"]).0, 401);
}

/// What is written to the log.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("nobody panics").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn no_secret_is_in_the_log_or_the_store() {
    let log = Log::default();
    let writer = log.clone();
    // Other tests may write there too, which only makes it longer.
    tracing_subscriber::fmt()
        .with_max_level(tracing_subscriber::filter::LevelFilter::TRACE)
        .with_writer(move || writer.clone())
        .init();
    let ground = Ground::new();
    ground.account("root", Permissions::of(Permission::Admin));
    let root = ground.token("root", Permissions::of_all(), None);
    let running = ground.start(Options::default());
    let given = "a password that somebody is given";
    let account = json!({ "name": "ann", "permissions": ["user"], "password": given });
    assert_eq!(running.post("/api/v1/accounts").bearer(&root).json(&account).send().status, 201);
    let browser = browser(&running, "ann", given);
    let changed = running.ask("PUT", "/api/v1/password").header("Cookie", &browser.cookie);
    let changed = changed.header("X-CSRF-Token", &browser.csrf);
    assert_eq!(changed.json(&json!({ "old": given, "new": NEW_PASSWORD })).send().status, 204);
    let token = make_token(&running, &root, json!({})).json()["secret"].as_str().expect("told").to_owned();
    assert_eq!(whoami(&running, &token).0, 200);
    sign_in(&running, "ann", "a password that is wrong");
    drop(running);
    drop(ground.storage.clone());

    let (_, cookie) = browser.cookie.split_once('=').expect("it has a value");
    let secrets = [&root, &token, cookie, &browser.csrf, given, NEW_PASSWORD, "a password that is wrong"];
    let mut places = vec![("the log".to_owned(), log.0.lock().expect("nobody panics").clone())];
    for name in ["guardbee.db", "guardbee.db-wal"] {
        places.extend(fs::read(ground.path(name)).ok().map(|bytes| (name.to_owned(), bytes)));
    }
    assert!(
        places.len() > 1 && places.iter().all(|(_, bytes)| !bytes.is_empty()),
        "there is something to read"
    );
    let has = |bytes: &[u8], text: &str| bytes.windows(text.len()).any(|window| window == text.as_bytes());
    assert!(
        has(&places[1].1, "ann") || places.get(2).is_some_and(|(_, wal)| has(wal, "ann")),
        "it is the store"
    );
    for (place, bytes) in &places {
        for secret in secrets {
            assert!(!has(bytes, secret), "{place} has {secret}");
            // Nor is the token there without what it begins with.
            assert!(!has(bytes, secret.trim_start_matches("gb_")), "{place} has {secret}");
        }
    }
}
