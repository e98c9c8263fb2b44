//! Who may do what: every endpoint asked by every kind of caller, for what is theirs and what is not.
//!
//! `data/examples.txt` says how each endpoint is called, `data/matrix.txt` what came of it; `UPDATE_EXPECTED=1` rewrites
//! the latter. An endpoint without an example fails.

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use guardbee_engine::accounts::{Permission, Permissions};
use guardbee_model::Name;
use guardbee_policy::{NamePattern, Privilege, Privileges, Scope};
use guardbee_server::endpoint::Input;
use guardbee_server::{Options, endpoints, openapi};
use serde_json::Value;

use support::client::Answer;
use support::{Ground, PASSWORD, Running};

/// Whoever else has an account.
const OTHER: &str = "ANOTHER PERSON";
/// An admin whose password has to be changed.
const ONE_TIME: &str = "one-time";

/// The key of a run that only `OTHER` may know of, as JSON writes it.
const HIDDEN_RUN: &str = r#"[\"hr\", \"payroll\"] [\"hr\", \"salaries\"]"#;

/// One way to call an endpoint.
struct Example {
    endpoint: String,
    object: String,
    target: String,
    body: Option<String>,
    /// A pointer into the answer; empty for all of it.
    shown: Option<String>,
}

/// Somebody who calls.
struct Caller {
    title: &'static str,
    account: String,
    token: Option<String>,
    permission: Option<Permission>,
    password: String,
}

/// What a call came to: the cell, and the answer with nothing in it that differs from call to call.
struct Outcome {
    cell: String,
    told: String,
}

struct Matrix {
    running: Running,
    admin: String,
    made: u32,
    lines: BTreeSet<String>,
}

#[test]
fn every_endpoint_is_for_those_it_is_meant_for() {
    let examples = examples();
    let ground = Ground::new();
    let mut callers = callers(&ground);
    let admin = callers.iter().find(|caller| caller.permission == Some(Permission::Admin));
    let admin = admin.and_then(|admin| admin.token.clone()).expect("there is an admin");
    let mut matrix = Matrix { running: ground.start(Options::default()), admin, made: 0, lines: streams() };
    let mut text = heading(&callers);
    let mut told: BTreeMap<(String, String, &str), String> = BTreeMap::new();
    let mut before = "";
    for example in &examples {
        if example.endpoint != before {
            text += &format!("\n{}\n", example.endpoint);
            before = &example.endpoint;
        }
        let mut row = format!("  {:<38}", example.object);
        for caller in &mut callers {
            let outcome = matrix.ask(example, caller);
            write!(row, " {:<13}", outcome.cell).expect("text takes it");
            told.insert((example.endpoint.clone(), example.object.clone(), caller.title), outcome.told);
        }
        text += row.trim_end();
        text.push('\n');
    }
    assert_current(&path("matrix.txt"), &text);
    assert_alike(&told);
}

#[test]
fn every_endpoint_has_an_example_and_is_documented() {
    let known: BTreeSet<String> = examples().into_iter().map(|example| example.endpoint).collect();
    let endpoints = endpoints();
    let there: BTreeSet<String> = endpoints.iter().map(|endpoint| format!("{endpoint:?}")).collect();
    assert_eq!(there, known, "tests/data/examples.txt has a line for each endpoint, and for no other");
    let document = openapi::document(&endpoints);
    let paths = document["paths"].as_object().expect("the document has paths");
    let documented: BTreeSet<String> = paths
        .iter()
        .flat_map(|(path, methods)| {
            let methods = methods.as_object().into_iter().flat_map(|methods| methods.keys());
            methods.map(move |method| format!("{} {path}", method.to_uppercase()))
        })
        .collect();
    assert_eq!(there, documented);
}

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

fn examples() -> Vec<Example> {
    let text = fs::read_to_string(path("examples.txt")).expect("there are examples");
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| {
            let parts: Vec<&str> = line.split(" | ").collect();
            let [endpoint, object, target, body, shown] = parts[..] else { panic!("five parts: {line}") };
            let given = |text: &str| (text != "-").then(|| text.to_owned());
            Example {
                endpoint: endpoint.to_owned(),
                object: object.to_owned(),
                target: target.to_owned(),
                body: given(body),
                shown: given(shown).map(|pointer| pointer.trim_start_matches('.').to_owned()),
            }
        })
        .collect()
}

/// The endpoints that take lines.
fn streams() -> BTreeSet<String> {
    let lines = endpoints().into_iter().filter(|endpoint| matches!(endpoint.input, Input::Lines(_)));
    lines.map(|endpoint| format!("{endpoint:?}")).collect()
}

fn heading(callers: &[Caller]) -> String {
    let mut text = "# Made by tests/matrix.rs. What comes of each call, by what the caller may do; for 401, 403 and 404 the\n\
                    # code is left out where it is the usual one.\n"
        .to_owned();
    let mut row = format!("  {:<38}", "");
    for caller in callers {
        write!(row, " {:<13}", caller.title).expect("text takes it");
    }
    text += row.trim_end();
    text.push('\n');
    text
}

/// Nobody, an account without permissions, one for each permission alone, and an admin with a one-time password.
fn callers(ground: &Ground) -> Vec<Caller> {
    let mut callers = vec![Caller {
        title: "nobody",
        account: "absent".to_owned(),
        token: None,
        permission: None,
        password: PASSWORD.to_owned(),
    }];
    let alone = Permission::ALL.into_iter().rev().map(|one| (one.as_str(), Some(one)));
    for (title, permission) in [("none", None)].into_iter().chain(alone) {
        let account = format!("only-{title}");
        let permissions = permission.map_or(Permissions::NONE, Permissions::of);
        ground.account(&account, permissions);
        // The token would give everything: what the account may do bounds it.
        let token = Some(ground.token(&account, Permissions::of_all(), None));
        callers.push(Caller { title, account, token, permission, password: PASSWORD.to_owned() });
    }
    ground.account_with(ONE_TIME, Permissions::of_all(), PASSWORD, true);
    let token = Some(ground.token(ONE_TIME, Permissions::of_all(), None));
    let (account, password) = (ONE_TIME.to_owned(), PASSWORD.to_owned());
    callers.push(Caller { title: ONE_TIME, account, token, permission: None, password });
    ground.account(OTHER, Permissions::of(Permission::User));
    let table = |database: &str, table: &str| Scope::Table {
        database: NamePattern::from(Name::fold(database)),
        table: NamePattern::from(Name::fold(table)),
    };
    let select = Privileges::of(Privilege::Select);
    for caller in &callers {
        ground.grant(&caller.account, select, table("sales", "orders"));
    }
    ground.grant(OTHER, select, table("hr", "salaries"));
    ground.grant_all("root");
    ground.copied(["sales", "raw"], ["sales", "orders"]);
    ground.copied(["hr", "payroll"], ["hr", "salaries"]);
    callers
}

impl Matrix {
    fn ask(&mut self, example: &Example, caller: &mut Caller) -> Outcome {
        let (mut target, mut body) = (example.target.clone(), example.body.clone());
        let mut replaced = vec![
            "hr.salaries".to_owned(),
            "hr.absent".to_owned(),
            "absent".to_owned(),
            "987654321".to_owned(),
            HIDDEN_RUN.to_owned(),
        ];
        let names = ["me", "other", "password", "next-password"];
        let names = names.into_iter().chain(["unused-account", "new-account", "own-token", "others-token"]);
        for name in names {
            let place = format!("{{{name}}}");
            if !target.contains(&place) && !body.as_ref().is_some_and(|body| body.contains(&place)) {
                continue;
            }
            let value = self.value(name, caller);
            target = target.replace(&place, &value.replace(' ', "+"));
            body = body.map(|body| body.replace(&place, &value));
            replaced.push(value);
        }
        let (method, _) = example.endpoint.split_once(' ').expect("a method and a path");
        let mut ask = self.running.ask(method, &target);
        if let Some(token) = &caller.token {
            ask = ask.bearer(token);
        }
        if let Some(body) = body {
            let is_stream = self.lines.contains(&example.endpoint);
            ask = ask.body(if is_stream { "application/x-ndjson" } else { "application/json" }, body);
        }
        let answer = ask.send();
        if example.target == "/api/v1/password" && answer.status == 204 {
            caller.password = next_password(&caller.password);
            if caller.title == ONE_TIME {
                self.give_one_time_password(caller);
            }
        }
        outcome(&answer, example, &replaced)
    }

    /// What stands for a name in braces.
    fn value(&mut self, name: &str, caller: &Caller) -> String {
        match name {
            "me" => caller.account.clone(),
            "other" => OTHER.to_owned(),
            "password" => caller.password.clone(),
            "next-password" => next_password(&caller.password),
            "own-token" => self.new_token(&caller.account),
            "others-token" => self.new_token(OTHER),
            "unused-account" => self.unused(),
            "new-account" => {
                let name = self.unused();
                let account = serde_json::json!({ "name": name, "permissions": ["user"] });
                let made = self.running.post("/api/v1/accounts").bearer(&self.admin).json(&account).send();
                assert_eq!(made.status, 201, "{}", made.text());
                name
            }
            other => panic!("nothing is called `{other}`"),
        }
    }

    fn give_one_time_password(&self, caller: &Caller) {
        let permissions = Permission::ALL.map(Permission::as_str);
        let account = serde_json::json!({
            "name": caller.account,
            "permissions": permissions,
            "password": caller.password,
            "replace": true,
        });
        let made = self.running.post("/api/v1/accounts").bearer(&self.admin).json(&account).send();
        assert_eq!(made.status, 201, "{}", made.text());
    }

    fn unused(&mut self) -> String {
        self.made += 1;
        format!("new{}", self.made)
    }

    fn new_token(&self, account: &str) -> String {
        let token = serde_json::json!({ "label": "to be removed", "account": account });
        let made = self.running.post("/api/v1/tokens").bearer(&self.admin).json(&token).send();
        // Nobody has no account, and no token of their own.
        if made.status == 404 { "987654321".to_owned() } else { made.json()["token"]["id"].to_string() }
    }
}

fn next_password(password: &str) -> String {
    format!("{password} again")
}

fn outcome(answer: &Answer, example: &Example, replaced: &[String]) -> Outcome {
    let code = answer.code();
    // Who keeps the connection would wait for what never comes.
    let length = answer.header("content-length").unwrap_or("0");
    assert!(answer.status != 204 || length == "0", "an answer of nothing has a length: {}", example.target);
    let is_usual = matches!(
        (answer.status, code.as_str()),
        (401, "not-signed-in") | (403, "not-permitted") | (404, "not-found")
    );
    let shown = example.shown.as_deref().filter(|_| answer.status < 300);
    let shown = shown.map(|pointer| shown_at(&answer.json(), pointer));
    let cell = match shown {
        Some(shown) => format!("{} {shown}", answer.status),
        None if code.is_empty() || is_usual => answer.status.to_string(),
        None => format!("{} {code}", answer.status),
    };
    let mut told = answer.json();
    if let Some(fields) = told.as_object_mut() {
        fields.remove("request_id");
    }
    let mut told = told.to_string();
    for value in replaced {
        told = told.replace(value.as_str(), "?");
    }
    Outcome { cell, told }
}

/// A word as it is, of what was wrong its code, of names how many.
fn shown_at(answer: &Value, pointer: &str) -> String {
    let found = answer.pointer(pointer).unwrap_or(&Value::Null);
    match found {
        Value::String(word) => word.clone(),
        Value::Array(tables) => {
            let names = tables.iter().filter_map(|table| table["names"].as_array()).map(Vec::len);
            format!("{} seen", names.sum::<usize>())
        }
        found => found
            .pointer("/problem/code")
            .or_else(|| found.get("outcome"))
            .and_then(Value::as_str)
            .unwrap_or("?")
            .to_owned(),
    }
}

/// What may not be known of, and what is not there, are answered by the same words.
fn assert_alike(told: &BTreeMap<(String, String, &str), String>) {
    let mut compared = 0;
    for ((endpoint, object, caller), hidden) in told {
        if !object.contains("hidden") || *caller == "admin" {
            continue;
        }
        let missing = (endpoint.clone(), object.replace("hidden", "missing"), *caller);
        let Some(missing) = told.get(&missing) else { continue };
        let may_tell = matches!(*caller, "auditor" | "steward" | "policy-editor" | "plug-in");
        if !may_tell {
            assert_eq!(hidden, missing, "{endpoint}: {object}, {caller}");
            compared += 1;
        }
    }
    assert!(compared > 15, "{compared} answers were compared");
}

fn assert_current(path: &Path, text: &str) {
    if std::env::var_os("UPDATE_EXPECTED").is_some() {
        fs::write(path, text).expect("it can be written");
    }
    let expected = fs::read_to_string(path).unwrap_or_default();
    for (expected, found) in expected.lines().zip(text.lines()) {
        assert_eq!(expected, found, "UPDATE_EXPECTED=1 rewrites {}", path.display());
    }
    assert!(expected == text, "{} has other lines: UPDATE_EXPECTED=1 rewrites it", path.display());
}
