//! Runs the cases in `tests/data`: policy files with what must come out of them, and policies with the files that
//! must be made of them.

#[path = "../../exchange/tests/support/case.rs"]
mod case;
#[path = "../../exchange/tests/support/policy_text.rs"]
mod policy_text;

use std::collections::BTreeMap;
use std::fmt::Write;

use case::Case;
use guardbee_exchange::{Exported, Imported, Report};
use guardbee_policy::{Change, Principal};
use guardbee_sentry::{
    FileKind, ImportSettings, UrisInDatabaseFiles, export_policy_file, import_policy_file,
};
use policy_text::render;

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

fn import(case: &Case) -> Result<Imported, Report> {
    let settings = ImportSettings {
        server: case.option("server"),
        uris_in_database_files: match case.option("uris") {
            Some("allow") => UrisInDatabaseFiles::Allow,
            _ => UrisInDatabaseFiles::Refuse,
        },
        ..ImportSettings::default()
    };
    import_policy_file(case.part("policy.ini"), &settings, |path| {
        case.parts.get(path).cloned().ok_or_else(|| "there is no such file".to_owned())
    })
}

fn cases(folder: &str) -> Vec<Case> {
    case::cases(env!("CARGO_MANIFEST_DIR"), folder)
}

#[test]
fn files_are_read_as_sentry_reads_them() {
    case::check(&cases("import"), |case| render_import(&import(case)));
}

/// What is written and read again is the same policy.
#[test]
fn what_was_read_is_written_back() {
    for case in cases("import") {
        let Ok(first) = import(&case) else { continue };
        let exported = export_policy_file(first.changes.clone(), &first.groups, FileKind::ConfigTool);
        if exported.text.is_empty() {
            continue;
        }
        let second = import_policy_file(&exported.text, &ImportSettings::default(), |_| Err(String::new()));
        let path = case.path.display();
        let second = second.unwrap_or_else(|report| panic!("{path}\n{}\n{report}", exported.text));
        assert_eq!(carried(&first), carried(&second), "{path}\n{}", exported.text);
        assert_eq!(first.groups, second.groups, "{path}");
    }
}

/// What a file can hold of a policy: a role that grants nothing is not in it.
fn carried(imported: &Imported) -> String {
    let grants = |role: &str| {
        let role = Principal::role(role);
        imported
            .changes
            .iter()
            .any(|change| matches!(change, Change::PutEntry(entry) if entry.principal == role))
    };
    let changes: Vec<Change> = imported
        .changes
        .iter()
        .filter(|change| match change {
            Change::PutRole(role) => grants(&role.name),
            Change::PutMembership(membership) => grants(&membership.role),
            _ => true,
        })
        .cloned()
        .collect();
    render(&changes)
}

fn render_export(exported: &Exported) -> String {
    format!("{}\n{}", exported.text, exported.report)
}

#[test]
fn policies_are_written_as_sentry_takes_them() {
    case::check(&cases("export"), |case| {
        let kind =
            if case.option("for") == Some("config tool") { FileKind::ConfigTool } else { FileKind::Policy };
        let changes = policy_text::changes(case.part("policy"));
        render_export(&export_policy_file(changes, &BTreeMap::new(), kind))
    });
}
