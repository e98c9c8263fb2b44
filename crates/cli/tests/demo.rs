//! What `make demo` shows.

mod support;

use std::process::Command;

use support::{root, stderr, stdout};

#[test]
fn demo_shows_what_a_newcomer_should_see() {
    let output = Command::new("examples/demo.sh")
        .arg(env!("CARGO_BIN_EXE_guardbee"))
        .current_dir(root())
        .env("COLUMNS", "100")
        .output()
        .expect("the demo can be started");
    let text = stdout(&output);
    assert!(output.status.success(), "{text}{}", stderr(&output));
    assert_eq!(stderr(&output), "");

    let headings: Vec<&str> =
        text.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_digit())).collect();
    let numbered = headings.iter().filter(|line| line.contains(". ")).count();
    assert_eq!(numbered, 13, "{headings:?}");
    for fact in [
        "40 files, 258 statements, no errors",
        "writes  mart.revenue  partition month (dynamic) (overwrite)",
        "transformation, masked  sha2(t.email, 256)",
        "└─ raw.orders.amount",
        "mart.campaign_audience.email",
        "hr.avgsalary comes from",
        "did you mean `amount`?",
        "denied   needs SELECT on cln.customer.ssn_last4",
        "shown as sha2(email, 256)",
        "11 passed, 0 failed",
        "258 statements, 141 recorded, 111 without data, 6 denied",
        "mart.customer_360.phone  pii = 'contact'  from cln.customer.phone",
        "mart.v_service_desk.email  readable by group help_desk, group marketing",
        "the audit log is whole: ",
        "docs/analyze.md",
    ] {
        assert!(text.contains(fact), "`{fact}` is missing in:\n{text}");
    }
    assert!(text.lines().count() < 250, "a newcomer does not read {} lines", text.lines().count());
    let too_wide: Vec<&str> =
        text.lines().filter(|line| line.chars().count() > 100 && !is_command_or_fact(line)).collect();
    assert!(too_wide.is_empty(), "{too_wide:?}");
}

/// What is typed is as long as it is, with the place of the command; and so is the hash that an audit log ends at.
fn is_command_or_fact(line: &str) -> bool {
    line.starts_with("$ ") || line.contains(env!("CARGO_BIN_EXE_guardbee")) || line.contains(", ending at ")
}

/// What the last lines promise is there.
#[test]
fn demo_leads_on() {
    let script = std::fs::read_to_string(root().join("examples/demo.sh")).expect("the demo is there");
    let guides: Vec<&str> = script
        .split([' ', ',', '\n'])
        .filter(|word| word.starts_with("docs/") && word.ends_with(".md"))
        .collect();
    assert_eq!(guides.len(), 7);
    for guide in guides {
        assert!(root().join(guide).is_file(), "{guide} is missing");
    }
}
