//! The command line against a running service: the same answers as on a store, byte for byte, with the same exit codes.

#[path = "support/service.rs"]
#[allow(dead_code, reason = "each test file uses its own part")]
mod service;
mod support;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Output;
use std::time::{SystemTime, UNIX_EPOCH};

use guardbee_lineage::utc;
use guardbee_model::Timestamp;
use service::{Service, with_input, with_profiles};
use support::{Folder, guardbee, run, stderr, stdout};

/// A night in the warehouse of the examples, its policy, and a few who asked.
fn warehouse(folder: &Folder) -> String {
    let store = format!("{}/guardbee.db", folder.path());
    let record =
        ["record", "examples/warehouse", "--user", "etl", "--time", "2026-11-29T02:00", "--store", &store];
    assert_eq!(run(&record).status.code(), Some(1), "{}", stderr(&run(&record)));
    let apply =
        ["policy", "apply", "examples/policy", "--author", "etl", "--reason", "start", "--store", &store];
    assert_eq!(run(&apply).status.code(), Some(0), "{}", stderr(&run(&apply)));
    let more = ["policy", "apply", "examples/policy", "--author", "etl", "--store", &store];
    assert_eq!(run(&more).status.code(), Some(0));
    let check = ["check", "--user", "ana", "-e", "SELECT ssn_last4 FROM cln.customer", "--store", &store];
    assert_eq!(run(&check).status.code(), Some(1));
    store
}

fn first_difference(remote: &str, local: &str) -> String {
    let mut remote = remote.lines();
    let mut number = 0;
    for local in local.lines() {
        number += 1;
        let remote = remote.next();
        if remote != Some(local) {
            return format!("line {number}\nremote {remote:?}\nlocal  {local:?}");
        }
    }
    format!("after line {number}\nremote {:?}", remote.collect::<Vec<_>>())
}

fn now() -> String {
    let elapsed = SystemTime::now().duration_since(UNIX_EPOCH).expect("the clock is right");
    utc::text(Timestamp(i64::try_from(elapsed.as_millis()).expect("it is not that late")))
}

/// A store and a service over a copy of it, to be asked the same.
struct Two {
    folder: Folder,
    store: String,
    service: Service,
    token_file: String,
    /// After all that both have in common.
    moment: String,
}

impl Two {
    fn new(name: &str) -> Self {
        let folder = Folder::new(name);
        let store = warehouse(&folder);
        let moment = now();
        let served = format!("{}/served.db", folder.path());
        for part in
            ["", "-wal"].into_iter().filter(|part| fs::exists(format!("{store}{part}")).is_ok_and(|is| is))
        {
            fs::copy(format!("{store}{part}"), format!("{served}{part}")).expect("a store can be copied");
        }
        let service = Service::start(&served, &[]);
        let token_file = service.token_file(&folder);
        Self { folder, store, service, token_file, moment }
    }

    fn local(&self, arguments: &[&str]) -> Output {
        let mut command = guardbee(&[arguments, &["--store", &self.store]].concat());
        command.env("USER", "etl").output().expect("the command can be started")
    }

    fn remote(&self, arguments: &[&str]) -> Output {
        run(&[arguments, &["--server", &self.service.server, "--token-file", &self.token_file]].concat())
    }

    /// Both say the same; hands back the exit code.
    fn same(&self, arguments: &[&str]) -> Option<i32> {
        let (local, remote) = (self.local(arguments), self.remote(arguments));
        let asked = arguments.join(" ");
        for (remote, local) in [(stderr(&remote), stderr(&local)), (stdout(&remote), stdout(&local))] {
            assert!(remote == local, "{asked}\n{}", first_difference(&remote, &local));
        }
        assert_eq!(remote.status.code(), local.status.code(), "{asked}");
        local.status.code()
    }
}

#[test]
fn lineage_is_the_same() {
    let two = Two::new("remote-lineage");
    let datasets =
        ["mart.revenue", "mart.revenue.amount_eur", "raw.crm_customers.email", "mart.customer_360"];
    for dataset in datasets {
        for format in ["tree", "json", "dot", "mermaid", "csv", "graphml", "openlineage", "prov"] {
            for directions in [&["--up"][..], &["--down"], &["--up", "--down"]] {
                two.same(&[&["trace", dataset, "--format", format], directions].concat());
            }
        }
    }
    let trace = ["trace", "mart.customer_360.email"];
    for options in [
        &["--depth", "1"][..],
        &["--edges", "all"],
        &["--level", "table"],
        &["--level", "run"],
        &["--as-of", "2026-11-29T01:00"],
        &["--from", "2026-11-29", "--until", "2026-11-30"],
        &["--stop", "cln.customer", "--stop", "stg.customer"],
        &["--limit", "3"],
        &["--limit", "3", "--format", "csv"],
        &["--temporary"],
        &["--database", "mart"],
    ] {
        two.same(&[&trace[..], options].concat());
    }
    assert_eq!(two.same(&["trace", "no.such"]), Some(1));
    assert_eq!(two.same(&["trace", "revenue"]), Some(1));
    for format in ["table", "json"] {
        for asked in [
            &["impact", "raw.orders.amount"][..],
            &["impact", "raw.orders"],
            &["impact", "mart.revenue"],
            &["path", "raw.orders.amount", "mart.revenue.amount_eur"],
            &["path", "mart.revenue", "raw.orders"],
            &["path", "raw.orders", "mart.revenue", "--edges", "all"],
            &["runs"],
            &["runs", "--limit", "3"],
            &["runs", "--user", "nobody"],
            &[
                "runs",
                "--operation",
                "CREATETABLE_AS_SELECT",
                "--from",
                "2026-11-29",
                "--until",
                "2026-11-30",
            ],
            &["runs", "--dataset", "mart.customer_360", "--limit", "2"],
            &["runs", "--dataset", "no.such"],
            &["runs", "show", "no/such key"],
            &["search", "custmer"],
            &["search", "customer", "email", "--limit", "2"],
            &["search", "customer", "--limit", "2", "--cursor", "8:cln.customer"],
            &["search", "pii"],
            &["search", "nothing_like_this"],
            &["search", "a", "--cursor", "nonsense"],
            &["describe", "mart.customer_360"],
            &["describe", "cln.customer.phone"],
            &["describe", "cln"],
            &["describe", "customer", "--database", "cln"],
            &["describe", "no.such"],
            &["history", "mart.customer_360"],
            &["history", "dwh.fact_orders", "--limit", "1"],
            &["tags", "mart.customer_360"],
            &["tags", "mart.customer_360.phone", "--as-of", "2026-11-01"],
            &["tags", "raw.orders"],
            &["leaks"],
            &["leaks", "--limit", "1"],
            &["who-could", "SELECT", "cln.customer", "--as-of", "2026-11-01"],
            &["who-did", "mart.customer_360", "--until", &two.moment],
            &["who-did", "cln.customer", "--user", "ana", "--until", &two.moment],
            &["who-did", "cln.customer", "--verdict", "denied", "--until", &two.moment],
            &["who-did", "mart.nobody"],
            &["impact", "no.such"],
            &["history", "no.such"],
        ] {
            two.same(&[asked, &["--format", format]].concat());
        }
    }
    let listed = stdout(&two.local(&["runs", "--limit", "1", "--format", "json"]));
    let listed: serde_json::Value = serde_json::from_str(&listed).expect("JSON");
    let key = listed["runs"][0]["key"].as_str().expect("there is a run");
    for format in ["table", "json"] {
        assert_eq!(two.same(&["runs", "show", key, "--format", format]), Some(0));
    }
    // As JSON it says the moment that was asked about.
    assert_eq!(two.same(&["who-could", "SELECT", "cln.customer.phone"]), Some(0));
    assert_eq!(two.same(&["who-could", "FLY", "cln.customer"]), Some(2));
}

#[test]
fn the_audit_log_is_the_same() {
    let two = Two::new("remote-audit");
    for format in ["table", "json"] {
        two.same(&["audit", "--until", &two.moment, "--format", format]);
        two.same(&["audit", "--until", &two.moment, "--limit", "3", "--format", format]);
        two.same(&[
            "audit",
            "--user",
            "ana",
            "--verdict",
            "denied",
            "--until",
            &two.moment,
            "--format",
            format,
        ]);
    }
    for format in ["jsonl", "parquet"] {
        let file = |side: &str| format!("{}/{side}.{format}", two.folder.path());
        let (local, remote) = (file("local"), file("remote"));
        let export = ["audit", "export", "--until", &two.moment, "--format", format, "-o"];
        assert_eq!(two.local(&[&export[..], &[&local]].concat()).status.code(), Some(0));
        let exported = two.remote(&[&export[..], &[&remote]].concat());
        assert_eq!(exported.status.code(), Some(0), "{}", stderr(&exported));
        let (local, remote) = (fs::read(local).expect("written"), fs::read(remote).expect("written"));
        assert!(local == remote && local.len() > 1000, "{format}: {} and {}", local.len(), remote.len());
    }
    let verified = two.remote(&["audit", "verify"]);
    assert!(stdout(&verified).starts_with("the audit log is whole: "), "{}", stdout(&verified));
    let end = stdout(&verified);
    let end = end.trim().rsplit(' ').next().expect("it says where it ends");
    assert_eq!(two.remote(&["audit", "verify", "--anchor", end]).status.code(), Some(0));
    let (number, hash) = end.split_once(':').expect("a number and a hash");
    let other = format!("{number}:{}", "0".repeat(hash.len()));
    assert_eq!(two.remote(&["audit", "verify", "--anchor", &other]).status.code(), Some(1));
    assert_eq!(two.same(&["audit", "verify", "--anchor", "nonsense"]), Some(2));
    let masked = two.remote(&["audit", "--viewer", "ana"]);
    assert_eq!(masked.status.code(), Some(2));
    assert!(stderr(&masked).contains("`--viewer` does not go with a server"), "{}", stderr(&masked));
}

#[test]
fn policies_are_the_same() {
    let two = Two::new("remote-policy");
    for format in ["table", "json"] {
        for asked in [
            &["who-can", "SELECT", "cln.customer.phone"][..],
            &["who-can", "SELECT", "DATABASE mart"],
            &["what-can", "ana", "--group", "analysts"],
            &["what-can", "nobody"],
            &["why", "ana", "SELECT", "cln.customer.ssn_last4", "--group", "analysts"],
            &["why", "ana", "SELECT", "mart.revenue", "--group", "analysts"],
            &["policy", "history"],
            &["policy", "history", "--limit", "1"],
            &["policy", "history", "--before", "1"],
            &["policy", "plan", "examples/policy"],
        ] {
            two.same(&[asked, &["--format", format]].concat());
        }
    }
    assert_eq!(two.same(&["who-can", "FLY", "cln.customer"]), Some(2));
    assert_eq!(two.same(&["why", "ana", "SELECT", "a b c"]), Some(2));
    for format in ["sql", "json", "table"] {
        two.same(&["policy", "show", "--format", format]);
        two.same(&["policy", "show", "--format", format, "--at", "1"]);
    }
    for form in ["sentry-tool", "sql", "json"] {
        two.same(&["policy", "export", "--to", form]);
    }
    assert_eq!(two.remote(&["policy", "show", "--at", "99"]).status.code(), Some(3));
    assert_eq!(two.same(&["policy", "diff", "1", "2"]), Some(1));
    assert_eq!(two.same(&["policy", "diff", "1"]), Some(1));
    assert_eq!(two.same(&["policy", "diff", "1", "examples/policy"]), Some(1));
    assert_eq!(two.same(&["policy", "diff", "examples/policy"]), Some(0));

    let text =
        "CREATE ROLE guests; GRANT ROLE admin TO USER etl; GRANT SELECT ON DATABASE mart TO ROLE guests;";
    let file = two.folder.file("guests.sql", text.as_bytes());
    let log = two.folder.file(
        "log.jsonl",
        b"{\"user\":\"ana\",\"groups\":[\"analysts\"],\"sql\":\"SELECT amount_eur FROM mart.revenue\"}\nnothing\n",
    );
    assert_eq!(two.same(&["policy", "plan", &file]), Some(1));
    assert_eq!(two.same(&["policy", "plan", &file, "--log", &log, "--format", "json"]), Some(1));
    assert_eq!(two.same(&["policy", "plan", &file, "--log", &log]), Some(1));
    let wrong = two.folder.file("wrong.sql", b"GRANT FLY ON TABLE a.b TO ROLE r;\nSELECT 1;");
    assert_eq!(two.same(&["policy", "plan", &wrong]), Some(3));
    assert_eq!(two.same(&["policy", "apply", &wrong]), Some(3));
    assert_eq!(two.same(&["policy", "apply", &file, "--base", "1"]), Some(3));
    let nobody = two.folder.file("nobody.sql", b"CREATE ROLE guests;");
    assert_eq!(two.same(&["policy", "apply", &nobody]), Some(3));
    assert_eq!(two.same(&["policy", "apply", &file, "--reason", "guests"]), Some(0));
    assert_eq!(two.same(&["policy", "apply", &file]), Some(0));
    assert_eq!(two.same(&["policy", "show"]), Some(0));
    assert_eq!(two.same(&["policy", "restore", "2"]), Some(0));
    assert_eq!(two.same(&["policy", "show"]), Some(0));
    assert_eq!(two.remote(&["policy", "restore", "99"]).status.code(), Some(3));
    let signed = two.remote(&["policy", "apply", &file, "--author", "somebody"]);
    assert_eq!(signed.status.code(), Some(2));
    let known = two.remote(&["policy", "plan", &file, "--catalog", "examples/warehouse/ddl"]);
    assert_eq!(known.status.code(), Some(2), "{}", stderr(&known));
}

#[test]
fn checks_are_the_same() {
    let two = Two::new("remote-check");
    let script = two.folder.file(
        "script.sql",
        b"USE cln;\nSELECT ssn_last4 FROM customer;\nSELECT email FROM ${hivevar:t};\nDROP TABLE customer;\nSELEC 1;\n",
    );
    for options in [&[][..], &["--explain"], &["--refused"], &["--format", "jsonl"], &["--format", "json"]] {
        for asked in [
            &["-e", "SELECT ssn_last4 FROM cln.customer"][..],
            &["-e", "SELECT email FROM mart.campaign_audience"],
            &["-e", "SHOW DATABASES"],
            &["--role", "none", "-e", "SELECT email FROM mart.campaign_audience"],
        ] {
            two.same(&[&["check", "--user", "ana", "--group", "analysts"], asked, options].concat());
        }
    }
    // How long it took is part of what people are told about a script.
    let check =
        ["check", "--user", "ana", "--group", "analysts", "--hivevar", "t=mart.campaign_audience", &script];
    for form in ["jsonl", "json"] {
        assert_eq!(two.same(&[&check[..], &["--format", form]].concat()), Some(1));
    }
    let known =
        two.remote(&["check", "--user", "ana", "-e", "SELECT 1", "--catalog", "examples/warehouse/ddl"]);
    assert_eq!(known.status.code(), Some(2));
    assert!(stderr(&known).contains("`--catalog` does not go with a server"), "{}", stderr(&known));
}

/// What a script makes it makes anew; against what the store has recorded it is the same as with that as a catalog.
#[test]
fn analyses_are_the_same() {
    let two = Two::new("remote-analyze");
    let script = two.folder.file(
        "script.sql",
        b"USE cln;\nSELECT ssn_last4, nothing FROM customer;\nSELECT email FROM ${hivevar:t};\nSELECT * FROM no.such;\nSELEC 1;\n",
    );
    let asked = [
        "analyze",
        &script,
        "-e",
        "SELECT * FROM mart.revenue",
        "-e",
        "SELECT 1",
        "--hivevar",
        "t=cln.customer",
    ];
    for options in [&["--format", "json"][..], &["--format", "jsonl"], &["--format", "jsonl", "--findings"]] {
        let remote = two.remote(&[&asked[..], options].concat());
        let local = run(&[&asked[..], options, &["--catalog", "examples/warehouse/ddl"]].concat());
        let (told, expected) = (stdout(&remote), stdout(&local));
        assert!(told == expected, "{options:?}\n{}", first_difference(&told, &expected));
        assert_eq!(remote.status.code(), local.status.code(), "{}", stderr(&remote));
    }
    let absent = two.remote(&["analyze", "no/such.sql", "--format", "json"]);
    assert_eq!(absent.status.code(), Some(3), "{}", stderr(&absent));
    let table = two.remote(&["analyze", &script]);
    assert_eq!(table.status.code(), Some(2), "{}", stderr(&table));
    let known = two.remote(&["analyze", &script, "--format", "json", "--catalog", "examples/warehouse/ddl"]);
    assert_eq!(known.status.code(), Some(2), "{}", stderr(&known));
}

#[test]
fn a_token_comes_from_login_and_goes_with_logout() {
    let folder = Folder::new("remote-login");
    let store = warehouse(&folder);
    let service = Service::start(&store, &[]);
    let login = service.login(&folder, &["--server", &service.server]);
    assert_eq!(login.status.code(), Some(0), "{}", stderr(&login));
    assert!(stdout(&login).contains("`admin` asks http://127.0.0.1:"), "{}", stdout(&login));
    let file = |name: &str| format!("{}/guardbee/{name}", folder.path());
    for name in ["default.token", "profiles.toml"] {
        let mode = fs::metadata(file(name)).expect("it is there").permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{name}");
    }
    let profiles = fs::read_to_string(file("profiles.toml")).expect("it is there");
    let secret = fs::read_to_string(file("default.token")).expect("it is there");
    assert!(!profiles.contains(secret.trim()), "the secret is in the token's file alone");

    let trace = ["trace", "mart.revenue"];
    let asked = with_profiles(&folder, &trace);
    assert_eq!(asked.status.code(), Some(0), "{}", stderr(&asked));
    assert!(stdout(&asked).contains("mart.revenue"));
    let wrong = with_input(
        &folder,
        &["login", "--profile", "other", "--user", "admin", "--server", &service.server],
        "no\n",
    );
    assert_eq!(wrong.status.code(), Some(3));
    assert!(stderr(&wrong).contains("wrong-password"), "{}", stderr(&wrong));

    fs::set_permissions(file("default.token"), fs::Permissions::from_mode(0o644)).expect("it is ours");
    let refused = with_profiles(&folder, &trace);
    assert_eq!(refused.status.code(), Some(3));
    assert!(stderr(&refused).contains("chmod 600"), "{}", stderr(&refused));
    fs::set_permissions(file("default.token"), fs::Permissions::from_mode(0o600)).expect("it is ours");

    let out = with_profiles(&folder, &["logout"]);
    assert_eq!(out.status.code(), Some(0), "{}", stderr(&out));
    assert!(!fs::exists(file("default.token")).expect("it can be looked for"));
    let nobody = with_profiles(&folder, &trace);
    assert_eq!(nobody.status.code(), Some(3));
    assert!(stderr(&nobody).contains("guardbee login"), "{}", stderr(&nobody));
    let token = folder.file("old.token", secret.as_bytes());
    fs::set_permissions(&token, fs::Permissions::from_mode(0o600)).expect("it is ours");
    let old = run(&["trace", "mart.revenue", "--server", &service.server, "--token-file", &token]);
    assert_eq!(old.status.code(), Some(3), "the server does not know it any more");
    assert!(stderr(&old).contains("unknown-token"), "{}", stderr(&old));
    assert!(!stderr(&old).contains(secret.trim()));
}

#[test]
fn who_is_asked_is_said_once() {
    let two = Two::new("remote-choice");
    let (server, token) = (two.service.server.as_str(), two.token_file.as_str());
    let both = run(&["trace", "mart.revenue", "--store", &two.store, "--server", server]);
    assert_eq!(both.status.code(), Some(2));
    let secret = fs::read_to_string(token).expect("it is there");
    let ask = |environment: &[(&str, &str)], arguments: &[&str]| {
        let mut command = guardbee(&[&["policy", "history", "--limit", "1"], arguments].concat());
        command.envs(environment.iter().copied()).output().expect("the command can be started")
    };
    let by_environment = [("GUARDBEE_SERVER", server), ("GUARDBEE_TOKEN", secret.trim())];
    assert_eq!(ask(&by_environment, &[]).status.code(), Some(0));
    assert_eq!(ask(&by_environment[..1], &[]).status.code(), Some(3), "without a token");
    let in_two = [("GUARDBEE_SERVER", server), ("GUARDBEE_STORE", &two.store)];
    assert_eq!(ask(&in_two, &[]).status.code(), Some(2));
    assert_eq!(ask(&in_two, &["--store", &two.store]).status.code(), Some(0), "the command line decides");
    let other = [("GUARDBEE_SERVER", "http://127.0.0.1:1"), ("GUARDBEE_TOKEN", "nonsense")];
    let decided = ask(&other, &["--server", server, "--token-file", token]);
    assert_eq!(decided.status.code(), Some(0), "{}", stderr(&decided));
    let nonsense = ask(&[("GUARDBEE_TOKEN", "nonsense")], &["--server", server]);
    assert_eq!(nonsense.status.code(), Some(3));
    assert!(!stderr(&nonsense).contains("nonsense"), "{}", stderr(&nonsense));
    let open = ask(&[("GUARDBEE_TOKEN", "secret")], &["--server", "http://guardbee.example:9085"]);
    assert_eq!(open.status.code(), Some(2));
    assert!(stderr(&open).contains("use https://"), "{}", stderr(&open));
    // What has no server to ask says so.
    let record = guardbee(&["record", "--user", "etl", "-e", "SELECT 1"])
        .env("GUARDBEE_SERVER", server)
        .output()
        .expect("it runs");
    assert_eq!(record.status.code(), Some(2));
    assert!(stderr(&record).contains("a server cannot be asked for that"), "{}", stderr(&record));
    // Nobody is told what a profile has for somebody else.
    let profile = format!("[default]\nserver = \"{server}\"\ntoken_file = \"default.token\"\n");
    fs::write(format!("{}/guardbee/profiles.toml", two.folder.path()), profile).expect("it can be written");
    let elsewhere = two.service.server.replace("127.0.0.1", "localhost");
    let asked = with_profiles(&two.folder, &["policy", "history", "--server", &elsewhere]);
    assert_eq!(asked.status.code(), Some(3));
    assert!(stderr(&asked).contains("not-signed-in"), "{}", stderr(&asked));
}

#[test]
fn what_is_wrong_with_a_server_is_told() {
    let two = Two::new("remote-gone");
    let token = two.token_file.clone();
    let Two { service, folder, .. } = two;
    let server = service.server.clone();
    service.stop();
    let gone = run(&["trace", "mart.revenue", "--server", &server, "--token-file", &token]);
    assert_eq!(gone.status.code(), Some(3));
    assert!(stderr(&gone).contains(&format!("cannot reach the server `{server}`")), "{}", stderr(&gone));

    let tls = |name: &str| format!("crates/cli/tests/data/tls/{name}");
    let store = format!("{}/served.db", folder.path());
    let certificate = [&tls("server.pem"), &tls("server.key")];
    let options = ["--tls-certificate", certificate[0], "--tls-key", certificate[1]];
    let service = Service::start(&store, &options);
    let ask = |server: &str, ca: &str| {
        let ca = tls(ca);
        run(&["policy", "history", "--server", server, "--token-file", &token, "--ca", &ca])
    };
    let named = service.server.replace("127.0.0.1", "localhost");
    let fine = ask(&named, "authority.pem");
    assert_eq!(fine.status.code(), Some(0), "{}", stderr(&fine));
    let stranger = ask(&named, "other.pem");
    assert_eq!(stranger.status.code(), Some(3));
    assert!(
        stderr(&stranger).contains("nobody who is trusted signed its certificate"),
        "{}",
        stderr(&stranger)
    );
    let misnamed = ask(&service.server, "authority.pem");
    assert_eq!(misnamed.status.code(), Some(3));
    assert!(stderr(&misnamed).contains("its certificate is for another name"), "{}", stderr(&misnamed));
    let none = ask(&named, "server.key");
    assert_eq!(none.status.code(), Some(3));
    assert!(stderr(&none).contains("has no certificate"), "{}", stderr(&none));
}
