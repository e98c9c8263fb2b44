//! Clients that are slow, too large, wrong or gone: each gets a clear refusal, and others are served meanwhile.

mod support;

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

use guardbee_engine::accounts::{Permission, Permissions};
use guardbee_server::{Limits, Options};
use serde_json::json;

use support::client::{Answer, answer_of, connect, parse};
use support::{Ground, Running};

/// Others are answered within this while somebody is hostile.
const PROMPT: Duration = Duration::from_secs(2);
const SOON: Duration = Duration::from_secs(1);

/// A server with little patience, and a token for it.
fn start(limits: Limits) -> (Ground, Running, String) {
    let ground = Ground::new();
    ground.account("ann", Permissions::of(Permission::User));
    let token = ground.token("ann", Permissions::of_all(), None);
    let running = ground.start(Options { limits, ..Options::default() });
    (ground, running, token)
}

fn impatient() -> Limits {
    Limits {
        header_time: SOON,
        body_time: SOON,
        body_bytes: 64 << 10,
        line_bytes: 1 << 10,
        ..Limits::default()
    }
}

/// Sends bytes as they are, and reads until the server ends.
fn raw(running: &Running, bytes: &[u8]) -> Option<Answer> {
    let mut stream = connect(running.address);
    // Whom the server has refused it may not read to the end.
    let _ = stream.write_all(bytes);
    answer_of(&mut stream)
}

fn assert_served(running: &Running, token: &str) {
    let begun = Instant::now();
    let answer = running.post("/api/v1/check").bearer(token).json(&json!({ "statement": "SELECT 1" })).send();
    assert_eq!(answer.status, 200, "{}", answer.text());
    let long = running.get("/api/v1/what-can").bearer(token).send();
    assert_eq!(long.status, 200, "{}", long.text());
    assert!(begun.elapsed() < PROMPT, "it took {:?}", begun.elapsed());
}

fn head(token: &str, more: &str) -> String {
    format!(
        "POST /api/v1/check HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer {token}\r\n\
         Content-Type: application/json\r\n{more}\r\n"
    )
}

#[test]
fn who_is_slow_with_headers_is_sent_away() {
    let (_ground, running, token) = start(impatient());
    let slow: Vec<TcpStream> = (0..200)
        .map(|_| {
            let mut stream = connect(running.address);
            stream.write_all(b"GET /health/live HTTP/1.1\r\nX-A: b").expect("it is taken");
            stream
        })
        .collect();
    assert_served(&running, &token);
    let begun = Instant::now();
    for mut stream in slow {
        // One byte now and then buys no time.
        let _ = stream.write_all(b"c");
        let answer = answer_of(&mut stream);
        assert!(answer.is_none_or(|answer| answer.status == 408), "no answer, or that it was too slow");
    }
    assert!(begun.elapsed() < SOON * 5, "they stayed for {:?}", begun.elapsed());
}

#[test]
fn who_is_slow_with_a_body_keeps_no_place_from_others() {
    let limits = Limits { long_calls: 4, ..impatient() };
    let (_ground, running, token) = start(Limits { body_time: SOON * 3, ..limits });
    let begin = |path: &str| {
        let mut stream = connect(running.address);
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer {token}\r\n\
             Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{{"
        );
        stream.write_all(head.as_bytes()).expect("it is taken");
        stream
    };
    let strangers = (0..20).map(|_| {
        let mut stream = connect(running.address);
        let head = "POST /api/v1/session HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\
                    Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{";
        stream.write_all(head.as_bytes()).expect("it is taken");
        stream
    });
    let mut slow: Vec<TcpStream> = strangers.collect();
    slow.extend((0..20).map(|_| begin("/api/v1/check/batch")));
    slow.extend((0..20).map(|_| begin("/api/v1/check")));
    std::thread::sleep(Duration::from_millis(300));
    assert_served(&running, &token);
    for mut stream in slow {
        let answer = answer_of(&mut stream).expect("it is told");
        assert_eq!((answer.status, answer.code().as_str()), (408, "too-slow"), "{}", answer.text());
    }
}

/// More than there are places for calls, all of them signed in.
#[test]
fn slow_bodies_of_those_who_are_known_leave_the_quick_places_free() {
    let (_ground, running, token) = start(Limits { quick_calls: 16, body_time: PROMPT, ..impatient() });
    let begin = || {
        let mut stream = connect(running.address);
        let begun = head(&token, "Content-Length: 1000\r\n") + "{";
        stream.write_all(begun.as_bytes()).expect("it is taken");
        stream
    };
    let slow: Vec<TcpStream> = (0..40).map(|_| begin()).collect();
    std::thread::sleep(Duration::from_millis(300));
    for _ in 0..10 {
        assert_served(&running, &token);
    }
    let told = slow.into_iter().filter_map(|mut stream| answer_of(&mut stream));
    let told: Vec<(u16, String)> = told.map(|answer| (answer.status, answer.code())).collect();
    let count =
        |status: u16, code: &str| told.iter().filter(|one| **one == (status, code.to_owned())).count();
    assert_eq!((count(408, "too-slow"), count(503, "too-much-to-do")), (16, 24), "{told:?}");
}

#[test]
fn what_is_too_large_is_refused() {
    let (_ground, running, token) = start(impatient());
    let many: String = (0..300).map(|number| format!("X-{number}: {}\r\n", "a".repeat(20))).collect();
    let answer = raw(&running, head(&token, &many).as_bytes()).expect("it is told");
    assert_eq!(answer.status, 431, "{}", answer.text());
    let one = format!("X-Long: {}\r\n", "a".repeat(1 << 20));
    assert!(raw(&running, head(&token, &one).as_bytes()).is_none_or(|answer| answer.status == 431));
    let target = format!("GET /{} HTTP/1.1\r\nHost: x\r\n\r\n", "a".repeat(70_000));
    let answer = raw(&running, target.as_bytes());
    assert!(answer.is_none_or(|answer| matches!(answer.status, 414 | 431)));

    let large = "a".repeat(100 << 10);
    let stated = format!("{}{large}", head(&token, &format!("Content-Length: {}\r\n", large.len())));
    let unstated = head(&token, "Transfer-Encoding: chunked\r\n");
    let chunks = format!("{unstated}{:x}\r\n{large}\r\n0\r\n\r\n", large.len());
    for call in [stated, chunks] {
        let answer = raw(&running, call.as_bytes()).expect("it is told");
        assert_eq!((answer.status, answer.code().as_str()), (413, "too-large"), "{}", answer.text());
    }
    let line = format!("{{\"statement\":\"{}\"}}\n", "a".repeat(2 << 10));
    let stream = running.post("/api/v1/check/stream").bearer(&token);
    let answer = stream.body("application/x-ndjson", line).send();
    assert_eq!(answer.json()["problem"]["code"], "too-large", "{}", answer.text());
    // A stranger may send less.
    let stranger = format!("{{\"user\":\"{}\",\"password\":\"x\"}}", "a".repeat(65 << 10));
    assert_eq!(running.post("/api/v1/session").body("application/json", stranger).send().status, 413);
    assert_served(&running, &token);
}

#[test]
fn what_is_no_json_of_the_right_shape_is_refused() {
    let (_ground, running, token) = start(impatient());
    let check = |media_type: &str, body: &[u8]| {
        let answer = running.post("/api/v1/check").bearer(&token).body(media_type, body).send();
        assert!(answer.header("Content-Type").is_some_and(|found| found == "application/problem+json"));
        (answer.status, answer.code())
    };
    let deep = format!("{}1{}", "[".repeat(10_000), "]".repeat(10_000));
    let deep_object = format!("{}1{}", "{\"objects\":".repeat(3_000), "}".repeat(3_000));
    for (media_type, body, expected) in [
        ("application/json", deep.as_bytes(), (422, "wrong-shape")),
        ("application/json", deep_object.as_bytes(), (422, "wrong-shape")),
        ("application/json", b"{\"statement\":", (400, "malformed")),
        ("application/json", b"", (400, "malformed")),
        ("application/json", b"\xff\xfe", (400, "malformed")),
        ("application/json", b"{\"statement\":\"SELECT 1\",\"more\":1}", (422, "wrong-shape")),
        ("application/json", b"{\"statement\":1}", (422, "wrong-shape")),
        ("application/json", b" [\"SELECT 1\"]", (422, "wrong-shape")),
        ("application/json", b"[]", (422, "wrong-shape")),
        ("text/plain", b"{\"statement\":\"SELECT 1\"}", (415, "not-json")),
        ("application/x-www-form-urlencoded", b"statement=SELECT+1", (415, "not-json")),
    ] {
        let (status, code) = check(media_type, body);
        assert_eq!(
            (status, code.as_str()),
            expected,
            "{}",
            String::from_utf8_lossy(&body[..body.len().min(40)])
        );
    }
    for encoding in ["gzip", "deflate", "br", "zstd", "gzip, gzip"] {
        for (path, media_type) in
            [("/api/v1/check", "application/json"), ("/api/v1/check/stream", "application/x-ndjson")]
        {
            let ask = running.post(path).bearer(&token).header("Content-Encoding", encoding);
            let answer = ask.body(media_type, b"\x1f\x8b\x08\x00".as_slice()).send();
            assert_eq!((answer.status, answer.code().as_str()), (415, "compressed"), "{path} {encoding}");
        }
    }
    // A statement that is deep is read to its bound, and not beyond.
    let deep = format!("SELECT {}1{}", "(".repeat(20_000), ")".repeat(20_000));
    let answer = running.post("/api/v1/check").bearer(&token).json(&json!({ "statement": deep })).send();
    assert_eq!((answer.status, answer.json()["outcome"].clone()), (200, json!("error")), "{}", answer.text());
    assert_served(&running, &token);
}

#[test]
fn what_is_no_http_is_refused() {
    let (_ground, running, token) = start(impatient());
    let garbage: Vec<u8> = (0..4096_u32).map(|number| (number * 7 % 251) as u8).collect();
    let length = "Content-Length: 3\r\n";
    let mut is_told = 0;
    for bytes in [
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".as_slice(),
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET /health/live HTTP/1.1\r\nHost: x\r\nA b: c\r\n\r\n",
        &garbage,
        head(&token, &format!("{length}Content-Length: 4\r\n")).as_bytes(),
        head(&token, "Content-Length: -1\r\n").as_bytes(),
        head(&token, "Transfer-Encoding: gzip\r\n").as_bytes(),
        format!("{}zz\r\nabc\r\n0\r\n\r\n", head(&token, "Transfer-Encoding: chunked\r\n")).as_bytes(),
    ] {
        let answer = raw(&running, bytes);
        // Of what is no call at all the server only ends the connection.
        let is_refused = answer.as_ref().is_none_or(|answer| matches!(answer.status, 400 | 404 | 505));
        is_told += usize::from(answer.is_some());
        assert!(is_refused, "{}: {answer:?}", String::from_utf8_lossy(&bytes[..bytes.len().min(60)]));
        assert_served(&running, &token);
    }
    assert!(is_told >= 7, "{is_told} were told");
}

#[test]
fn two_lengths_are_never_two_calls() {
    let (_ground, running, token) = start(impatient());
    // Whoever reads the one length sees one call, whoever reads the other sees a second behind it.
    let hidden = "GET /api/v1/tokens HTTP/1.1\r\nHost: x\r\n\r\n";
    let more = format!("Content-Length: {}\r\nTransfer-Encoding: chunked\r\n", 5 + hidden.len());
    let call = head(&token, &more).replace("Connection: close\r\n", "") + "0\r\n\r\n" + hidden;
    let mut stream = connect(running.address);
    stream.write_all(call.as_bytes()).expect("it is taken");
    stream.shutdown(Shutdown::Write).expect("it can be closed");
    let mut text = String::new();
    let _ = stream.read_to_string(&mut text);
    assert!(text.matches("HTTP/1.1 ").count() <= 1, "{text}");
}

#[test]
fn who_goes_away_is_forgotten_and_calls_in_a_row_are_answered_in_order() {
    let (_ground, running, token) = start(impatient());
    for _ in 0..200 {
        let mut stream = connect(running.address);
        stream.write_all(head(&token, "Content-Length: 100\r\n").as_bytes()).expect("it is taken");
        stream.shutdown(Shutdown::Write).expect("it can be closed");
        let gone = connect(running.address);
        gone.shutdown(Shutdown::Both).expect("it can be closed");
    }
    let begun = Instant::now();
    let open = || {
        let ready = running.get("/health/live").send();
        assert_eq!(ready.status, 200);
    };
    open();
    assert!(begun.elapsed() < PROMPT);
    let mut stream = connect(running.address);
    let one = "GET /api/v1/version HTTP/1.1\r\nHost: x\r\n\r\n";
    let other = "GET /nothing/here HTTP/1.1\r\nHost: x\r\n\r\n";
    let last = "GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    stream
        .write_all(format!("{}{last}", format!("{one}{other}").repeat(50)).as_bytes())
        .expect("they are taken");
    let mut text = String::new();
    stream.read_to_string(&mut text).expect("they are answered");
    let statuses: Vec<&str> = text.match_indices("HTTP/1.1 ").map(|(at, _)| &text[at + 9..at + 12]).collect();
    let expected: Vec<&str> = ["200", "404"].into_iter().cycle().take(100).chain(["200"]).collect();
    assert_eq!(statuses, expected);
    assert_served(&running, &token);
}

/// As many as may be open at once here; `GUARDBEE_TEST_IDLE` asks for more.
#[test]
fn those_who_say_nothing_cost_little() {
    let asked = std::env::var("GUARDBEE_TEST_IDLE").ok().and_then(|count| count.parse().ok());
    let asked: usize = asked.unwrap_or(400);
    let (_ground, running, token) = start(Limits::default());
    let mut idle = Vec::new();
    for _ in 0..asked {
        // Both ends are in this process. Some are left for the store and for those who are served.
        match TcpStream::connect(running.address) {
            Ok(stream) => idle.push(stream),
            Err(_) => break,
        }
    }
    let spare = idle.len().saturating_sub(64).min(64);
    idle.truncate(idle.len() - spare);
    println!("{} connections say nothing", idle.len());
    assert!(idle.len() >= 200, "{} of {asked}", idle.len());
    std::thread::sleep(Duration::from_millis(200));
    assert_served(&running, &token);
}

#[test]
fn more_connections_than_there_is_room_for_are_closed_at_once() {
    let (_ground, running, token) = start(Limits { connections: 20, ..impatient() });
    let kept: Vec<TcpStream> = (0..20).map(|_| connect(running.address)).collect();
    let refused = raw(&running, b"GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n");
    assert!(refused.is_none(), "{refused:?}");
    drop(kept);
    std::thread::sleep(Duration::from_millis(300));
    assert_served(&running, &token);
    assert!(parse(b"no answer at all").is_none());
}
