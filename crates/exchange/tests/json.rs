//! Policies as JSON: there and back, the documented shape, and what is wrong with a text.

use std::path::Path;
use std::sync::Arc;

use guardbee_exchange::json::{JsonPolicy, export_json, import_json};
use guardbee_exchange::{Contents, Report, Stamp};
use guardbee_model::{ColumnName, Name, TableName};
use guardbee_policy::*;

const FILE_SYSTEM: &str = "hdfs://nn1:8020";

fn import(text: &str) -> Result<Vec<Change>, Report> {
    import_json(text, "policy.json", FILE_SYSTEM, &Stamp::default()).map(|imported| imported.changes)
}

fn entry(id: u64, scope: Scope) -> Entry {
    Entry {
        id: EntryId(id),
        effect: Effect::Grant,
        principal: Principal::user("Ana"),
        except: Arc::from([]),
        privileges: Privileges::of(Privilege::Select).with(Privilege::CreateView),
        scope,
        grant_option: GrantOption::Without,
        grantor: None,
        created_at: Timestamp(0),
        validity: Validity::ALWAYS,
        purpose: None,
    }
}

/// One of everything that a policy can hold.
fn everything() -> Policy {
    let at = Timestamp(1_700_000_000_123);
    let (reader, pii) = (Name::fold("reader"), Name::fold("pii"));
    let orders = TableName::new(Name::fold("sales"), Name::fold("orders"));
    let uri = || Uri::granted("/in/x=1", FILE_SYSTEM).unwrap();
    let setting = |key: &str, value: &str| Change::PutSetting { key: key.into(), value: value.into() };
    let mut changes = vec![
        setting("rule_book", "hive-legacy"),
        setting("server", "prod"),
        Change::PutRole(Role { name: reader.clone(), created_by: Some("root".into()), created_at: at }),
        Change::PutMembership(Membership {
            role: reader.clone(),
            member: Principal::group("Data \"Eng\""),
            admin_option: GrantOption::With,
            grantor: Some(Principal::role("reader")),
            created_at: at,
        }),
        Change::PutTag(Tag {
            name: pii.clone(),
            allowed_values: Arc::from(["a".into(), "b".into()]),
            comment: Some(Arc::from("what\nnames a person")),
            created_by: None,
            created_at: at,
        }),
    ];
    let name = |text: &str| NamePattern::fold(text);
    let scopes = [
        Scope::Server,
        Scope::database("fin_*"),
        Scope::table("sales", "*"),
        Scope::column("sales", "orders", "id"),
        Scope::Uri(uri()),
        Scope::Function { database: name("d"), function: name("f") },
        Scope::Connector(name("c")),
        Scope::Tag { tag: pii.clone(), value: None },
        Scope::Tag { tag: pii.clone(), value: Some("a".into()) },
    ];
    changes.extend((1..).zip(scopes).map(|(id, scope)| Change::PutEntry(entry(id * 7, scope))));
    let denial = Entry {
        effect: Effect::Deny,
        principal: Principal::role("public"),
        except: Arc::from([Principal::user("x"), Principal::role("reader")]),
        privileges: Privileges::ALL.without(Privileges::of(Privilege::Drop)),
        ..entry(100, Scope::Server)
    };
    let grant = Entry {
        privileges: Privileges::ALL,
        grant_option: GrantOption::With,
        grantor: Some(Principal::user("root")),
        created_at: at,
        validity: Validity { from: Some(Timestamp(-5)), until: Some(Timestamp(7)) },
        purpose: Some(Arc::from("audit")),
        ..entry(101, Scope::database("sales"))
    };
    changes.extend([Change::PutEntry(denial), Change::PutEntry(grant)]);
    let resources = [
        Resource::Server,
        Resource::Database(Name::fold("sales")),
        Resource::Table(orders.clone()),
        Resource::Column(ColumnName::new(orders, Name::fold("id"))),
        Resource::Uri(uri()),
        Resource::Function { database: Some(Name::fold("d")), function: Name::fold("f") },
        Resource::Function { database: None, function: Name::fold("f") },
        Resource::Connector(Name::fold("c")),
        Resource::Service(Name::fold("s")),
    ];
    for (place, resource) in resources.into_iter().enumerate() {
        let value = (place % 2 == 0).then(|| "b".into());
        let assignment = TagAssignment { tag: pii.clone(), value, resource: resource.clone() };
        changes.push(Change::PutTagAssignment(assignment));
        changes.push(Change::PutOwner(Ownership { resource, owner: Principal::role("reader") }));
    }
    for (rule, scope, state) in [
        (DataRule::RowFilter, Scope::table("sales", "orders"), PolicyState::Enabled),
        (DataRule::ColumnMask, Scope::column("sales", "orders", "id"), PolicyState::Disabled),
    ] {
        changes.push(Change::PutDataPolicy(DataPolicy {
            name: Name::fold("p"),
            rule,
            scope,
            expression: Arc::from("a = 'ü' -- comment"),
            principals: Arc::from([Principal::user("x")]),
            except: Arc::from([Principal::group("y")]),
            state,
            created_by: Some("root".into()),
            created_at: at,
        }));
    }
    Policy::from_changes(changes).unwrap()
}

#[test]
fn a_policy_comes_back_as_it_was() {
    let policy = everything();
    let text = export_json(policy.changes());
    let changes = import(&text).unwrap_or_else(|report| panic!("{report}{text}"));
    let built_in = |changes| {
        let mut contents = Contents::of(changes);
        contents.roles.retain(|name, _| !matches!(name.as_str(), "public" | "admin"));
        contents
    };
    let before: Vec<Change> = policy.changes().collect();
    assert_eq!(built_in(before), built_in(changes.clone()));
    assert_eq!(text, export_json(changes));
}

#[test]
fn what_may_be_left_out_has_a_value() {
    let text = r#"{"version": 1, "roles": [{"name": "Reader"}], "settings": {"default_fs": "s3a://lake"}, "entries": [
        {"effect": "grant", "principal": {"kind": "role", "name": "READER"}, "privileges": ["select"],
         "scope": {"type": "uri", "uri": "/in"}},
        {"id": 9, "effect": "deny", "principal": {"kind": "user", "name": "Ana"}, "privileges": ["ALL"],
         "without": ["DROP"], "scope": {"type": "server"}}]}"#;
    let contents = Contents::of(import(text).unwrap());
    let ids: Vec<u64> = contents.entries.keys().map(|id| id.0).collect();
    assert_eq!(ids, [9, 10]);
    assert_eq!(contents.entries[&EntryId(10)].scope.to_string(), "URI 's3a://lake/in'");
}

#[test]
fn everything_that_is_wrong_is_told() {
    let refused = |text: &str| import(text).unwrap_err().to_string();
    let principal = r#""principal": {"kind": "user", "name": "a"}, "scope": {"type": "server"}"#;
    assert_eq!(
        refused("{\n\"version\": 1,\n  \"rolls\": []}").lines().next().unwrap(),
        "policy.json:3:9: error[malformed-json]: unknown field `rolls`, expected one of `version`, `settings`, \
         `roles`, `memberships`, `entries`, `tags`, `tag_assignments`, `data_policies`, `owners`"
    );
    assert!(refused("{\"version\": 2}").starts_with("error[unknown-version]"));
    assert!(refused("").starts_with("policy.json:1:0: error[malformed-json]"));
    let text = format!(
        r#"{{"version": 1, "memberships": [{{"role": "r", "member": {{"kind": "user", "name": "a"}}}}], "entries": [
            {{"effect": "grant", "privileges": ["FLY"], {principal}}},
            {{"effect": "grant", "privileges": ["SELECT"], "without": ["DROP"], {principal}}},
            {{"id": 3, "effect": "grant", "privileges": [], {principal}}},
            {{"id": 3, "effect": "grant", "privileges": ["SELECT"], {principal}}}],
            "settings": {{"strict": "maybe"}},
            "owners": [{{"resource": {{"type": "uri", "uri": "a/b"}}, "owner": {{"kind": "user", "name": "a"}}}}]}}"#
    );
    let report = import(&text).unwrap_err();
    let codes: Vec<&str> = report.lines().iter().map(|line| line.code).collect();
    assert_eq!(
        codes,
        [
            "repeated-id",
            "unknown-privilege",
            "without",
            "bad-uri",
            "setting-value",
            "unknown-role",
            "empty-privileges"
        ],
        "{report}"
    );
}

/// The documented shape is that of the types. `UPDATE_EXPECTED=1` rewrites it.
#[test]
fn the_documented_schema_is_current() {
    let schema =
        schemars::generate::SchemaSettings::default().into_generator().into_root_schema_for::<JsonPolicy>();
    let current = serde_json::to_string_pretty(&schema).unwrap() + "\n";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema/policy.schema.json");
    if std::env::var_os("UPDATE_EXPECTED").is_some() {
        std::fs::write(&path, &current).unwrap();
    }
    let documented = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(documented == current, "out of date: run UPDATE_EXPECTED=1 cargo test -p guardbee-exchange");
}
