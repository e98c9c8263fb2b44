//! Runs the cases in `tests/data`: policy files with what must come out of them, and policies with the files that
//! must be made of them.

#[path = "../../exchange/tests/support/case.rs"]
mod case;
#[path = "../../exchange/tests/support/policy_text.rs"]
mod policy_text;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use case::Case;
use guardbee_exchange::{Exported, Imported, Report};
use guardbee_policy::{Change, Principal};
use guardbee_sentry::{
    DumpError, FileKind, ImportSettings, UrisInDatabaseFiles, export_policy_file, import_policy_file,
    import_tables,
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

#[test]
fn tables_are_read_as_sentry_keeps_them() {
    case::check(&cases("tables"), |case| {
        let settings =
            ImportSettings { file: "sentry.sql", server: case.option("server"), ..ImportSettings::default() };
        match import_tables(case.part("dump").as_bytes(), None, &settings) {
            Ok(imported) => render_import(&Ok(imported)),
            Err(DumpError::Wrong(report)) => render_import(&Err(report)),
            Err(DumpError::Input(error)) => panic!("{error}"),
        }
    });
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

/// Draws from a sequence that is the same in every run.
struct Draw(u64);

impl Draw {
    fn below(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % below as u64).unwrap()
    }

    fn one(&mut self, of: &[&'static str]) -> &'static str {
        of[self.below(of.len())]
    }

    fn line(&mut self) -> String {
        let roles = ["reader", "writer", "idle", "rôle", "semi;#"];
        let holders = [
            "group Analysts",
            "group a:b",
            "user ana",
            "group [x]",
            "user o'neil",
            "role reader",
            "group ;x",
        ];
        let (role, holder) = (self.one(&roles), self.one(&holders));
        if self.below(3) == 0 {
            return format!("{holder} in role {role}");
        }
        let privilege = self.one(&["ALL", "SELECT", "INSERT", "SELECT, DROP", "UPDATE", "OWNER", "REFRESH"]);
        let scope = self.one(&[
            "SERVER",
            "DATABASE sales",
            "DATABASE *",
            "DATABASE fin_*",
            "DATABASE a->b",
            "DATABASE a=b",
            "TABLE sales.orders",
            "TABLE *.t",
            "TABLE sales.*",
            "COLUMN sales.orders.id",
            "COLUMN sales.*.id",
            "URI hdfs://nn1:8020/in/x=1",
            "URI file:///a b",
            "URI s3a://b/a,b",
            "FUNCTION d.f",
        ]);
        let principal = if self.below(4) == 0 { holder.to_owned() } else { format!("role {role}") };
        let option = self.one(&["", "", " with grant option"]);
        let effect = self.one(&["grant", "grant", "grant", "deny"]);
        format!("{effect} {privilege} on {scope} to {principal}{option}")
    }
}

/// What is written is read as what it was, and what is not written is in the report; nothing is ever added.
#[test]
fn nothing_is_lost_in_silence() {
    let mut draw = Draw(0x2545_f491_4f6c_dd1d);
    let facts = |text: &str| text.lines().map(str::to_owned).collect::<BTreeSet<String>>();
    let mut complete = 0;
    for _ in 0..5000 {
        let count = 1 + draw.below(6);
        let mut lines: Vec<String> = (0..count).map(|_| draw.line()).collect();
        lines.push("group Analysts in role reader".to_owned());
        lines.push("grant SELECT on TABLE hr.emp to role reader".to_owned());
        let first = policy_text::changes(&lines.join("\n"));
        let exported = export_policy_file(first.clone(), &BTreeMap::new(), FileKind::ConfigTool);
        let settings = ImportSettings::default();
        let second = import_policy_file(&exported.text, &settings, |_| Err(String::new()));
        let second = second.unwrap_or_else(|report| panic!("{}\n{report}", exported.text));
        // An entry of two privileges comes back as two.
        let split = render(&first).replace("SELECT, DROP", "SELECT");
        let (before, after) = (facts(&split), facts(&render(&second.changes)));
        let known = |line: &&String| line.starts_with("grant") || line.contains(" in role ");
        for line in after.iter().filter(known).filter(|line| !line.contains("DROP")) {
            assert!(before.contains(line), "added: {line}\n{}\n{}", lines.join("\n"), exported.text);
        }
        if exported.report.is_empty() {
            complete += 1;
            for line in before.iter().filter(known) {
                assert!(after.contains(line), "lost: {line}\n{}\n{}", lines.join("\n"), exported.text);
            }
        }
    }
    assert!(complete > 100, "only {complete} policies were written as a whole");
}

/// Time and report stay in proportion to the file, however bad it is.
#[test]
fn large_files_are_read() {
    let mut text = "[groups]\n".to_owned();
    for number in 0..10_000 {
        writeln!(text, "g{number} = r{number}, \\\n missing").unwrap();
    }
    text.push_str("[roles]\n");
    for number in 0..10_000 {
        writeln!(text, "r{number} = server=server1->db=d{number}->action=select").unwrap();
    }
    text.push_str("wide = server=server1->db=x");
    for number in 0..10_000 {
        write!(text, ", \\\n server=server1->tabel=t{number}").unwrap();
    }
    let started = std::time::Instant::now();
    let refused = import_policy_file(&text, &ImportSettings::default(), |_| Err(String::new()));
    let report = refused.unwrap_err();
    assert_eq!(report.lines().len(), 20_000);
    let last = report.lines().last().unwrap().place.as_ref().unwrap();
    assert_eq!((last.line, last.column), (40_003, Some(18)));
    assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
}

/// A file that ends anywhere, or has any characters in it, is no reason to fall over, and never grants to somebody
/// whom it does not name.
#[test]
fn broken_files_are_read_to_their_end() {
    let mut draw = Draw(0x9e37_79b9_7f4a_7c15);
    for case in cases("import") {
        let text: Vec<char> = case.part("policy.ini").chars().collect();
        for _ in 0..200 {
            let mut text = text.clone();
            for _ in 0..=draw.below(3) {
                let at = draw.below(text.len());
                match draw.below(3) {
                    0 => text.truncate(at.max(1)),
                    1 => drop(text.remove(at)),
                    _ => text.insert(
                        at,
                        ['\\', '=', '\n', '[', ']', ',', '-', '>', '\0', '*', 'İ', '\u{feff}']
                            [draw.below(12)],
                    ),
                }
                if text.is_empty() {
                    text.push('x');
                }
            }
            let text: String = text.into_iter().collect();
            let read = |path: &str| case.parts.get(path).cloned().ok_or_else(String::new);
            let Ok(imported) = import_policy_file(&text, &ImportSettings::default(), read) else { continue };
            let files: String = case.parts.values().cloned().collect::<String>() + &text;
            for change in imported.changes {
                if let Change::PutMembership(membership) = change {
                    let name = membership.member.name().to_owned();
                    assert!(files.replace("\\\n", "").contains(&name), "{name}\n{text}");
                }
            }
        }
    }
}
