//! Runs the cases in `tests/data`: policy files with what must come out of them.
//!
//! A case is one text of parts, each headed by `--- NAME`. `BLESS=1` writes what comes out as what must; read the
//! difference before it is committed.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use guardbee_exchange::{Exported, Imported, Report};
use guardbee_policy::{Change, Effect, Entry, Principal};
use guardbee_sentry::{
    FileKind, ImportSettings, UrisInDatabaseFiles, export_policy_file, import_policy_file,
};

fn cases(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(folder);
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty(), "no cases in {}", folder.display());
    files
}

fn parts(text: &str) -> BTreeMap<String, String> {
    let mut parts: BTreeMap<String, String> = BTreeMap::new();
    let mut name = String::new();
    for line in text.split_inclusive('\n') {
        if let Some(heading) = line.strip_prefix("--- ") {
            name = heading.trim().to_owned();
        } else {
            parts.entry(name.clone()).or_default().push_str(line);
        }
    }
    parts
}

/// Compares what came out with the part `expect`, or writes it there.
fn check(path: &Path, actual: &str, failures: &mut Vec<String>) {
    let text = std::fs::read_to_string(path).unwrap();
    let (given, expected) = text.split_once("--- expect\n").unwrap_or((&text, ""));
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(path, format!("{given}--- expect\n{actual}")).unwrap();
    } else if expected != actual {
        failures.push(format!("{}\nexpected:\n{expected}\nactual:\n{actual}", path.display()));
    }
}

fn render_entry(entry: &Entry) -> String {
    let effect = if entry.effect == Effect::Grant { "grant" } else { "deny" };
    let option = if entry.grant_option.is_with() { " with grant option" } else { "" };
    format!("{effect} {} on {} to {}{option}", entry.privileges, entry.scope, entry.principal)
}

fn render(changes: &[Change]) -> String {
    let mut text = String::new();
    for change in changes {
        let line = match change {
            Change::PutRole(role) => format!("role {}", role.name),
            Change::PutMembership(membership) => format!("{} in role {}", membership.member, membership.role),
            Change::PutEntry(entry) => render_entry(entry),
            Change::PutSetting { key, value } => format!("setting {key} = {value}"),
            other => format!("{other:?}"),
        };
        writeln!(text, "{line}").unwrap();
    }
    text
}

fn render_import(result: &Result<Imported, Report>) -> String {
    match result {
        Ok(imported) => {
            let mut text = render(&imported.changes);
            for (user, groups) in &imported.groups {
                writeln!(text, "user {user} in groups {}", groups.join(", ")).unwrap();
            }
            text + &imported.report.to_string()
        }
        Err(report) => format!("refused\n{report}"),
    }
}

fn import(parts: &BTreeMap<String, String>) -> Result<Imported, Report> {
    let options = parts.get("options").map_or("", String::as_str);
    let settings = ImportSettings {
        server: options.lines().find_map(|line| line.strip_prefix("server ")),
        uris_in_database_files: if options.contains("allow uris") {
            UrisInDatabaseFiles::Allow
        } else {
            UrisInDatabaseFiles::Refuse
        },
        ..ImportSettings::default()
    };
    import_policy_file(&parts["policy.ini"], &settings, |path| {
        parts.get(path).cloned().ok_or_else(|| "there is no such file".to_owned())
    })
}

#[test]
fn files_are_read_as_sentry_reads_them() {
    let mut failures = Vec::new();
    for path in cases("import") {
        let result = import(&parts(&std::fs::read_to_string(&path).unwrap()));
        check(&path, &render_import(&result), &mut failures);
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

fn render_export(exported: &Exported) -> String {
    format!("{}\n{}", exported.text, exported.report)
}

/// What is written and read again is the same policy.
#[test]
fn what_was_read_is_written_back() {
    for path in cases("import") {
        let Ok(first) = import(&parts(&std::fs::read_to_string(&path).unwrap())) else { continue };
        let exported = export_policy_file(first.changes.clone(), &first.groups, FileKind::ConfigTool);
        let settings = ImportSettings::default();
        let second = import_policy_file(&exported.text, &settings, |_| Err("no files".to_owned()));
        if exported.text.is_empty() {
            continue;
        }
        let second =
            second.unwrap_or_else(|report| panic!("{}\n{}\n{report}", path.display(), exported.text));
        let carried = |imported: &Imported| {
            // A role that grants nothing is not in the file.
            let granted = |role: &str| {
                imported.changes.iter().any(
                    |change| matches!(change, Change::PutEntry(entry) if entry.principal == Principal::role(role)),
                )
            };
            let changes: Vec<Change> = imported
                .changes
                .iter()
                .filter(|change| match change {
                    Change::PutRole(role) => granted(&role.name),
                    Change::PutMembership(membership) => granted(&membership.role),
                    _ => true,
                })
                .cloned()
                .collect();
            render(&changes)
        };
        assert_eq!(carried(&first), carried(&second), "{}\n{}", path.display(), exported.text);
        assert_eq!(first.groups, second.groups, "{}", path.display());
    }
}

/// The steps of a case of the export, built by the lines of its part `policy`.
mod policy_text {
    use std::sync::Arc;

    use guardbee_model::Name;
    use guardbee_policy::*;

    fn principal(text: &str) -> Principal {
        match text.split_once(' ').unwrap() {
            ("user", name) => Principal::user(name),
            ("group", name) => Principal::group(name),
            ("role", name) => Principal::role(name),
            other => panic!("{other:?}"),
        }
    }

    fn scope(text: &str) -> Scope {
        let (kind, name) = text.split_once(' ').unwrap_or((text, ""));
        let names: Vec<&str> = name.split('.').collect();
        match (kind, &*names) {
            ("SERVER", _) => Scope::Server,
            ("DATABASE", [database]) => Scope::database(database),
            ("TABLE", [database, table]) => Scope::table(database, table),
            ("COLUMN", [database, table, column]) => Scope::column(database, table, column),
            ("URI", _) => Scope::Uri(Uri::from_normalised(name)),
            ("FUNCTION", [database, function]) => Scope::Function {
                database: NamePattern::fold(database),
                function: NamePattern::fold(function),
            },
            ("TAG", [tag]) => Scope::Tag { tag: Name::fold(tag), value: None },
            other => panic!("{other:?}"),
        }
    }

    fn privileges(text: &str) -> Privileges {
        if text == "ALL" {
            return Privileges::ALL;
        }
        let one = |word: &str| *Privilege::EACH.iter().find(|privilege| privilege.as_str() == word).unwrap();
        text.split(", ").map(one).collect()
    }

    fn entry(id: u64, effect: Effect, line: &str) -> Entry {
        let (rights, rest) = line.split_once(" on ").unwrap();
        let (on, to) = rest.split_once(" to ").unwrap();
        let (to, until) = to.split_once(" until ").map_or((to, None), |(to, until)| (to, Some(until)));
        let (to, except) = to.split_once(" except ").map_or((to, None), |(to, except)| (to, Some(except)));
        let (to, option) = to
            .strip_suffix(" with grant option")
            .map_or((to, GrantOption::Without), |to| (to, GrantOption::With));
        Entry {
            id: EntryId(id),
            effect,
            principal: principal(to),
            except: except.into_iter().map(principal).collect(),
            privileges: privileges(rights),
            scope: scope(on),
            grant_option: option,
            grantor: None,
            created_at: Timestamp(0),
            validity: Validity { from: None, until: until.map(|until| Timestamp(until.parse().unwrap())) },
            purpose: None,
        }
    }

    pub fn changes(text: &str) -> Vec<Change> {
        (1..).zip(text.lines()).map(|(id, line)| change(id, line)).collect()
    }

    fn change(id: u64, line: &str) -> Change {
        if let Some((member, role)) = line.split_once(" in role ") {
            return membership(member, role);
        }
        if let Some(rest) = line.strip_prefix("grant ") {
            return Change::PutEntry(entry(id, Effect::Grant, rest));
        }
        if let Some(rest) = line.strip_prefix("deny ") {
            return Change::PutEntry(entry(id, Effect::Deny, rest));
        }
        if let Some(name) = line.strip_prefix("role ") {
            let (created_by, created_at) = (None, Timestamp(0));
            return Change::PutRole(Role { name: Name::fold(name), created_by, created_at });
        }
        if let Some(name) = line.strip_prefix("tag ") {
            return Change::PutTag(Tag {
                name: Name::fold(name),
                allowed_values: Arc::from([]),
                comment: None,
                created_by: None,
                created_at: Timestamp(0),
            });
        }
        if let Some((owner, resource)) = line.strip_prefix("owner ").and_then(|rest| rest.split_once(" of "))
        {
            let resource = Resource::Database(Name::fold(resource));
            return Change::PutOwner(Ownership { resource, owner: principal(owner) });
        }
        if let Some(name) = line.strip_prefix("mask ") {
            return Change::PutDataPolicy(DataPolicy {
                name: Name::fold(name),
                rule: DataRule::ColumnMask,
                scope: Scope::column("d", "t", "c"),
                expression: Arc::from("null"),
                principals: Arc::from([]),
                except: Arc::from([]),
                state: PolicyState::Enabled,
                created_by: None,
                created_at: Timestamp(0),
            });
        }
        panic!("{line}")
    }

    fn membership(member: &str, role: &str) -> Change {
        Change::PutMembership(Membership {
            role: Name::fold(role),
            member: principal(member),
            admin_option: GrantOption::Without,
            grantor: None,
            created_at: Timestamp(0),
        })
    }
}

#[test]
fn policies_are_written_as_sentry_takes_them() {
    let mut failures = Vec::new();
    for path in cases("export") {
        let parts = parts(&std::fs::read_to_string(&path).unwrap());
        let kind = if parts.get("options").is_some_and(|options| options.contains("config tool")) {
            FileKind::ConfigTool
        } else {
            FileKind::Policy
        };
        let exported = export_policy_file(policy_text::changes(&parts["policy"]), &BTreeMap::new(), kind);
        check(&path, &render_export(&exported), &mut failures);
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}
