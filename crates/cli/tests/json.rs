//! What is written as JSON is what the schemas in `docs/schema` say.

mod support;

use guardbee_wire::{check, policy};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use support::{faults, run, schema, stdout};

const ALL_EXAMPLES: [&str; 3] = ["examples/warehouse", "examples/provenance", "examples/lint"];

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).expect("the output is JSON")
}

/// Nothing is lost where an answer is read into its type, as a client does.
fn comes_back<T: Serialize + DeserializeOwned>(document: &Value) {
    let read: T = serde_json::from_value(document.clone()).expect("the type reads what it writes");
    assert_eq!(serde_json::to_value(&read).expect("a document is plain data"), *document);
}

#[test]
fn analysis_is_as_documented() {
    let mut arguments = vec!["analyze", "--format", "json"];
    arguments.extend(ALL_EXAMPLES);
    let output = run(&arguments);
    assert_eq!(output.status.code(), Some(1), "the broken script has errors");
    let document = parsed(&stdout(&output));
    assert_eq!(faults(&schema("analyze.schema.json"), &document), Vec::<String>::new());
    let statements = document["statements"].as_array().expect("statements are a list");
    assert_eq!(document["summary"]["statements"], json!(statements.len()));
    assert!(statements.len() > 200);
}

#[test]
fn lines_say_what_the_document_says() {
    let mut arguments = vec!["analyze", "--format", "json"];
    arguments.extend(ALL_EXAMPLES);
    let document = parsed(&stdout(&run(&arguments)));
    arguments[2] = "jsonl";
    let lines: Vec<Value> = stdout(&run(&arguments)).lines().map(parsed).collect();
    assert_eq!(document["statements"], Value::Array(lines.clone()));
    let schema = schema("analyze-line.schema.json");
    for line in &lines {
        assert_eq!(faults(&schema, line), Vec::<String>::new());
    }
}

#[test]
fn places_lead_to_the_statement() {
    let file = "examples/warehouse/etl/load_orders.hql";
    let text = std::fs::read_to_string(support::root().join(file)).expect("the example is there");
    for line in stdout(&run(&["analyze", "--format", "jsonl", file])).lines().map(parsed) {
        let offset =
            |name: &str| usize::try_from(line[name].as_u64().expect("a number")).expect("a small number");
        let statement = &text[offset("start")..offset("end")];
        let first_line = text.lines().nth(offset("line") - 1).expect("the line is there");
        let column = offset("column") - 1;
        assert!(first_line[column..].starts_with(statement.lines().next().expect("a line")), "{line}");
    }
}

#[test]
fn traces_are_as_documented() {
    let schema = schema("trace.schema.json");
    for dataset in ["mart.revenue", "mart.revenue.amount_eur", "raw.crm_customers.email", "cln.customer"] {
        for edges in ["direct", "all"] {
            let output = run(&[
                "trace",
                "--files",
                "examples/warehouse",
                dataset,
                "--up",
                "--down",
                "--edges",
                edges,
                "--format",
                "json",
            ]);
            let document = parsed(&stdout(&output));
            assert_eq!(faults(&schema, &document), Vec::<String>::new());
            let names: Vec<&Value> =
                document["nodes"].as_array().expect("a list").iter().map(|node| &node["name"]).collect();
            for edge in document["edges"].as_array().expect("a list") {
                assert!(names.contains(&&edge["from"]) && names.contains(&&edge["to"]), "{edge}");
            }
        }
    }
}

#[test]
fn schemas_are_printed_as_documented() {
    for name in ["analyze", "analyze-line", "trace", "catalog"] {
        assert_eq!(parsed(&stdout(&run(&["schema", name]))), schema(&format!("{name}.schema.json")));
    }
}

#[test]
fn the_check_itself_finds_faults() {
    let schema = schema("trace.schema.json");
    let good = parsed(&stdout(&run(&[
        "trace",
        "--files",
        "examples/provenance",
        "hr.avgsalary",
        "--format",
        "json",
    ])));
    assert_eq!(faults(&schema, &good), Vec::<String>::new());
    for (field, bad) in
        [("version", json!("1")), ("directions", json!(["sideways"])), ("truncated", Value::Null)]
    {
        let mut document = good.clone();
        document[field] = bad;
        assert_eq!(faults(&schema, &document).len(), 1, "{field}");
    }
    let mut document = good.clone();
    document.as_object_mut().expect("an object").remove("nodes");
    document["more"] = json!(1);
    assert_eq!(faults(&schema, &document).len(), 2);
}

/// The fields that the core specification and the facets require.
#[test]
fn open_lineage_events_have_what_is_required() {
    let output = stdout(&run(&["analyze", "--format", "openlineage", "examples/warehouse"]));
    let events: Vec<Value> = output.lines().map(parsed).collect();
    assert!(events.len() > 100);
    for event in &events {
        for field in ["eventTime", "producer", "schemaURL"] {
            assert!(event[field].is_string(), "{field} in {event}");
        }
        assert!(event.get("run").is_none(), "a script is a job without a run");
        assert!(event["job"]["namespace"].is_string() && event["job"]["name"].is_string());
        let datasets = ["inputs", "outputs"].iter().flat_map(|side| event[side].as_array().expect("a list"));
        for dataset in datasets.clone() {
            assert!(dataset["namespace"].is_string() && dataset["name"].is_string());
        }
        let facets = datasets.map(|dataset| &dataset["facets"]).chain([&event["job"]["facets"]]);
        for facet in facets.flat_map(|facets| facets.as_object().expect("an object").values()) {
            assert!(facet["_producer"].is_string());
            let schema = facet["_schemaURL"].as_str().expect("a text");
            assert!(schema.starts_with("https://openlineage.io/spec/facets/"), "{schema}");
        }
    }
    let revenue = events
        .iter()
        .find(|event| event["outputs"][0]["name"] == "mart.revenue" && event["inputs"][0].is_object());
    let lineage = &revenue.expect("the mart is written")["outputs"][0]["facets"]["columnLineage"];
    let amount = lineage["fields"]["amount_eur"]["inputFields"].as_array().expect("a list");
    let fields: Vec<&str> = amount.iter().filter_map(|input| input["name"].as_str()).collect();
    assert_eq!(fields, ["dwh.dim_subscription", "dwh.fact_orders", "dwh.fact_pos_items"]);
    let transformation = &amount[0]["transformations"][0];
    assert_eq!(transformation["type"], "DIRECT");
    assert_eq!(transformation["subtype"], "AGGREGATION");
}

#[test]
fn answers_are_as_documented() {
    let cases = "crates/cli/tests/commands/check.in";
    let (policy, catalog, scripts) =
        (format!("{cases}/policy"), format!("{cases}/ddl.sql"), format!("{cases}/etl"));
    let asked = ["check", "--user", "ana", "--group", "analysts", "--policy", &policy, "--catalog", &catalog];
    let with = |more: &[&str]| stdout(&run(&[&asked[..], more].concat()));
    let document = parsed(&with(&["--format", "json", &scripts]));
    assert_eq!(faults(&schema("check.schema.json"), &document), Vec::<String>::new());
    comes_back::<check::Document>(&document);
    assert_eq!(document["summary"]["statements"], json!(5));
    let lines: Vec<Value> = with(&["--format", "jsonl", &scripts]).lines().map(parsed).collect();
    assert_eq!(document["statements"], Value::Array(lines));

    let answer = parsed(&with(&["--format", "jsonl", "-e", "SELECT ssn, mail FROM hr.emp, sales.orders"]));
    assert_eq!(faults(&schema("check-line.schema.json"), &answer), Vec::<String>::new());
    comes_back::<check::Statement>(&answer);
    assert_eq!(answer["outcome"], "denied");
    assert_eq!(answer["missing"], json!(["SELECT on hr.emp.ssn"]));
    assert_eq!(answer["remedy"]["grants"], json!(["GRANT SELECT (ssn) ON TABLE hr.emp TO ROLE reader"]));
    assert_eq!(answer["remedy"]["denials"][0]["sql"], "DENY SELECT ON TAG pii TO GROUP analysts");
    let allowed = parsed(&with(&["--format", "jsonl", "-e", "SELECT mail FROM sales.orders"]));
    let kinds: Vec<&Value> =
        allowed["obligations"].as_array().expect("a list").iter().map(|found| &found["kind"]).collect();
    assert_eq!(kinds, ["row_filter", "column_mask"]);
    comes_back::<check::Statement>(&allowed);
}

#[test]
fn policies_are_as_documented() {
    let folder = support::Folder::new("policy-json");
    let store = format!("{}/policy.db", folder.path());
    let cases = "crates/cli/tests/commands/policy_store.in";
    let (first, second) = (format!("{cases}/first"), format!("{cases}/second"));
    let log = format!("{cases}/queries.jsonl");
    let asked = |arguments: &[&str]| stdout(&run(&[arguments, &["--store", &store]].concat()));
    let as_json = |arguments: &[&str]| parsed(&asked(&[arguments, &["--format", "json"]].concat()));
    asked(&["policy", "apply", "--author", "root", &first]);

    let plan = as_json(&["policy", "plan", "--log", &log, &second]);
    assert_eq!(faults(&schema("plan.schema.json"), &plan), Vec::<String>::new());
    comes_back::<policy::PlanDocument>(&plan);
    assert_eq!(plan["past"]["now_refused"], json!(1));
    assert_eq!(plan["past"]["bad_lines"], json!(2));
    let history = as_json(&["policy", "history"]);
    assert_eq!(faults(&schema("history.schema.json"), &history), Vec::<String>::new());
    comes_back::<policy::HistoryDocument>(&history);
    assert_eq!(history["versions"][0]["author"], "root");
    let policy = as_json(&["policy", "show"]);
    assert_eq!(faults(&schema("policy.schema.json"), &policy), Vec::<String>::new());
    let who = as_json(&["who-can", "SELECT", "hr.emp.name"]);
    assert_eq!(faults(&schema("who-can.schema.json"), &who), Vec::<String>::new());
    comes_back::<policy::WhoCanDocument>(&who);
    assert_eq!(who["holders"][0]["principal"], json!({"type": "group", "name": "analysts"}));
    let what = as_json(&["what-can", "ana", "--group", "analysts"]);
    assert_eq!(faults(&schema("what-can.schema.json"), &what), Vec::<String>::new());
    comes_back::<policy::WhatCanDocument>(&what);
    assert_eq!(what["denials"][0]["carriers"], json!(["hr.emp.ssn"]));
    let why = as_json(&["why", "ana", "SELECT", "hr.emp.ssn", "--group", "analysts"]);
    assert_eq!(faults(&schema("why.schema.json"), &why), Vec::<String>::new());
    comes_back::<policy::WhyDocument>(&why);
    assert_eq!(why["held"], json!(false));
}

#[test]
fn a_policy_comes_back_out_of_its_json() {
    let folder = support::Folder::new("policy-round-trip");
    let (one, two) = (format!("{}/one.db", folder.path()), format!("{}/two.db", folder.path()));
    run(&[
        "policy",
        "apply",
        "--author",
        "root",
        "--store",
        &one,
        "crates/cli/tests/commands/policy_store.in/second",
    ]);
    let written = stdout(&run(&["policy", "export", "--to", "json", "--store", &one]));
    let file = folder.file("policy.json", written.as_bytes());
    run(&["policy", "import", "--from", "json", "--author", "eve", "--store", &two, &file]);
    assert!(written.contains("hide_mail"));
    assert_eq!(stdout(&run(&["policy", "show", "--format", "json", "--store", &two])), written);
    let again = run(&["policy", "import", "--from", "json", "--author", "eve", "--store", &two, &file]);
    assert_eq!(stdout(&again), "nothing is new: the policy stays at version 1\n");
}

/// Runs of the example warehouse in a store of its own.
fn recorded(name: &str) -> (support::Folder, String) {
    let folder = support::Folder::new(name);
    let store = format!("{}/runs.db", folder.path());
    let scripts = ["examples/provenance", "examples/warehouse"];
    let options = ["--user", "etl", "--time", "2026-11-29T02:00", "--hivevar", "day=2026-11-29"];
    let output =
        run(&[&["record"][..], &scripts, &options, &["--store", &store, "--format", "json"]].concat());
    let document = parsed(&stdout(&output));
    assert_eq!(faults(&schema("record.schema.json"), &document), Vec::<String>::new());
    assert!(document["summary"]["recorded"].as_u64() > Some(100), "{}", document["summary"]);
    (folder, store)
}

#[test]
fn answers_about_recorded_runs_are_as_documented() {
    let (_folder, store) = recorded("recorded-json");
    let revenue = "mart.revenue.amount_eur";
    let questions: [(&[&str], &str); 9] = [
        (&["trace", revenue, "--edges", "all"], "recorded-trace"),
        (&["trace", "mart.revenue", "--level", "run", "--up", "--down"], "recorded-trace"),
        (&["trace", "raw.orders", "--down", "--limit", "3"], "recorded-trace"),
        (&["impact", "raw.orders.amount"], "impact"),
        (&["path", "raw.orders.amount", revenue], "path"),
        (&["path", revenue, "raw.orders.amount"], "path"),
        (&["history", "mart.revenue"], "dataset-history"),
        (&["audit", "--limit", "5"], "audit"),
        (&["who-did", "raw.orders.amount"], "who-did"),
    ];
    for (question, name) in questions {
        let output = run(&[question, &["--store", &store, "--format", "json"]].concat());
        let document = parsed(&stdout(&output));
        assert_eq!(
            faults(&schema(&format!("{name}.schema.json")), &document),
            Vec::<String>::new(),
            "{question:?}"
        );
    }
    let cut = run(&["trace", "raw.orders", "--down", "--limit", "3", "--store", &store, "--format", "json"]);
    let document = parsed(&stdout(&cut));
    assert_eq!(document["truncated"], json!(true));
    assert_eq!(document["nodes"].as_array().map(Vec::len), Some(3));
    let lines = stdout(&run(&["audit", "export", "--store", &store]));
    assert!(lines.lines().count() > 200);
    assert!(lines.lines().zip(1..).all(|(line, number)| parsed(line)["number"] == json!(number)));
}

#[test]
fn answers_about_tags_are_as_documented() {
    let (_folder, store) = recorded("recorded-tags");
    let applied =
        run(&["policy", "apply", "examples/policy", "--author", "etl", "--store", &store, "--force"]);
    assert_eq!(applied.status.code(), Some(0), "{}", stdout(&applied));
    let ask = |question: &[&str], name: &str| {
        let output = run(&[question, &["--store", &store, "--format", "json"]].concat());
        let document = parsed(&stdout(&output));
        let faults = faults(&schema(&format!("{name}.schema.json")), &document);
        assert_eq!(faults, Vec::<String>::new(), "{question:?}");
        document
    };
    let tags = ask(&["tags", "mart.customer_360.email"], "tags");
    assert_eq!(tags["tags"][0]["put_on"], json!("cln.customer.email"));
    assert_eq!(tags["tags"][0]["path"].as_array().map(Vec::len), Some(3));
    let leaks = ask(&["leaks", "--limit", "1000"], "leaks");
    let of_number = |leak: &&Value| leak["source"] == json!("raw.crm_customers.ssn");
    let leak = leaks["leaks"].as_array().and_then(|leaks| leaks.iter().find(of_number)).expect("a leak");
    assert_eq!(leak["derived"], json!("cln.customer.ssn_last4"));
    let could = ask(&["who-could", "SELECT", "raw.crm_customers.ssn"], "who-could");
    let objects: Vec<&Value> = could["objects"].as_array().into_iter().flatten().collect();
    let place = |name: &str| objects.iter().position(|object| object["object"] == json!(name));
    let (path, derived) =
        (place("hdfs://lake:8020/kestrel/raw/crm/customers.ssn"), place("cln.customer.ssn_last4"));
    assert!(path.is_some() && path < derived, "{objects:?}");
    let long_ago =
        ask(&["who-could", "SELECT", "raw.crm_customers.ssn", "--as-of", "2001-01-01"], "who-could");
    assert_eq!(long_ago["objects"][0]["who"], json!([]));
}

/// The fields that the core specification and the facets require of run events.
#[test]
fn runs_leave_as_open_lineage_and_prov() {
    let (_folder, store) = recorded("recorded-exports");
    let traced = |format: &str| {
        stdout(&run(&["trace", "mart.revenue.amount_eur", "--store", &store, "--format", format]))
    };
    let events: Vec<Value> = traced("openlineage").lines().map(parsed).collect();
    assert!(events.len() > 5);
    for event in &events {
        assert_eq!(event["eventType"], "COMPLETE");
        for field in ["eventTime", "producer", "schemaURL"] {
            assert!(event[field].is_string(), "{field} in {event}");
        }
        assert_eq!(event["run"]["runId"].as_str().map(str::len), Some(36));
        assert!(event["job"]["namespace"].is_string() && event["job"]["name"].is_string());
        let datasets = ["inputs", "outputs"].iter().flat_map(|side| event[side].as_array().expect("a list"));
        for dataset in datasets {
            assert!(dataset["namespace"].is_string() && dataset["name"].is_string());
            for facet in dataset["facets"].as_object().expect("an object").values() {
                assert!(facet["_producer"].is_string() && facet["_schemaURL"].is_string());
            }
        }
    }
    let document = parsed(&traced("prov"));
    let named = |kind: &str| document[kind].as_object().expect("records of each kind").clone();
    let (entities, activities, agents) = (named("entity"), named("activity"), named("agent"));
    assert!(entities.contains_key("guardbee:column/mart.revenue/amount_eur"));
    for (kind, ends) in [
        ("used", [("prov:entity", &entities), ("prov:activity", &activities)]),
        ("wasGeneratedBy", [("prov:entity", &entities), ("prov:activity", &activities)]),
        ("wasDerivedFrom", [("prov:generatedEntity", &entities), ("prov:usedEntity", &entities)]),
        ("wasAssociatedWith", [("prov:activity", &activities), ("prov:agent", &agents)]),
    ] {
        for record in named(kind).values() {
            for (end, known) in ends {
                assert!(known.contains_key(record[end].as_str().expect("a name")), "{end} of {record}");
            }
        }
    }
}

/// What a viewer may not know of keeps its place and loses its name, in every format.
#[test]
fn what_may_not_be_seen_is_masked() {
    let (folder, store) = recorded("recorded-masked");
    let grant = folder.file(
        "grant.sql",
        b"GRANT ROLE admin TO USER etl; CREATE ROLE r; GRANT ROLE r TO USER ana;
        GRANT ALL ON SERVER server1 TO USER etl; GRANT SELECT ON TABLE mart.revenue TO ROLE r;
        GRANT SELECT ON TABLE raw.orders TO ROLE r;",
    );
    let applied = run(&["policy", "apply", "--store", &store, "--author", "etl", "--force", &grant]);
    assert!(applied.status.success(), "{}", support::stderr(&applied));
    let seen = |format: &str| {
        let output = run(&[
            "trace",
            "mart.revenue.amount_eur",
            "--store",
            &store,
            "--viewer",
            "ana",
            "--format",
            format,
        ]);
        stdout(&output)
    };
    for format in ["tree", "json", "dot", "mermaid", "csv", "graphml", "openlineage", "prov"] {
        let text = seen(format);
        for hidden in ["fact_orders", "sales_order", "ref.rates", "build_facts", "INSERT"] {
            assert!(!text.contains(hidden), "{hidden} in {format}: {text}");
        }
        assert!(text.contains("mart.revenue"), "{format}: {text}");
    }
    let document = parsed(&seen("json"));
    let nodes = document["nodes"].as_array().expect("a list");
    let all =
        parsed(&stdout(&run(&["trace", "mart.revenue.amount_eur", "--store", &store, "--format", "json"])));
    assert_eq!(nodes.len(), all["nodes"].as_array().map_or(0, Vec::len), "the shape stays");
    assert!(nodes.iter().any(|node| node["name"] == "raw.orders.amount"));
    assert!(nodes.iter().any(|node| node["type"] == "masked"));
    let unknown = run(&["trace", "dwh.fact_orders", "--store", &store, "--viewer", "ana"]);
    assert_eq!(unknown.status.code(), Some(1));
    assert!(!support::stderr(&unknown).contains("did you mean"));
}
