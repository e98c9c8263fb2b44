//! Two policies side by side: `+` and `-` before statements, and whom it touches.

use std::fmt::Write as _;

use crate::terminal::{Paint, Style, hanging, printable};
use crate::wire::check::PrincipalType;
use crate::wire::policy::{Differences, Touched};

/// The statements by their headings, then who is touched.
#[must_use]
pub fn text(style: Style, differences: &Differences) -> String {
    let mut out = String::new();
    for group in &differences.groups {
        if !out.is_empty() {
            out.push('\n');
        }
        write_statements(&mut out, style, &group.heading, &group.removed, &group.added);
    }
    out.push_str(&touched_text(style, &differences.touched));
    out
}

/// What goes, by its headings: nobody should have to find it in what stays.
#[must_use]
pub fn removals_text(style: Style, differences: &Differences) -> String {
    let mut out = String::new();
    for group in differences.groups.iter().filter(|group| !group.removed.is_empty()) {
        write_statements(&mut out, style, &group.heading, &group.removed, &[]);
    }
    out
}

fn touched_text(style: Style, touched: &[Touched]) -> String {
    let mut out = String::new();
    if touched.is_empty() {
        return out;
    }
    let _ = writeln!(out, "\n{}", style.paint(Paint::Heading, "Who is touched"));
    for touched in touched {
        let effects: Vec<&str> = touched.effects.iter().map(|effect| effect.as_str()).collect();
        let members: Vec<String> = touched.members.iter().map(ToString::to_string).collect();
        let members = match (&touched.principal, members.as_slice()) {
            (principal, _) if principal.is_public() => " (everybody)".to_owned(),
            (principal, []) if principal.principal_type == PrincipalType::Role => {
                " (nobody is in it)".to_owned()
            }
            (_, []) => String::new(),
            _ => format!(" ({})", members.join(", ")),
        };
        let line = format!("{}{members}: {}", touched.principal, effects.join(", "));
        for line in hanging(&printable(&line), style.width.saturating_sub(2), 2) {
            let _ = writeln!(out, "  {line}");
        }
    }
    out
}

fn write_statements(out: &mut String, style: Style, heading: &str, removed: &[String], added: &[String]) {
    let _ = writeln!(out, "{}", style.paint(Paint::Heading, heading));
    let removed = removed.iter().map(|statement| ('-', Paint::Bad, statement));
    let added = added.iter().map(|statement| ('+', Paint::Good, statement));
    for (sign, paint, statement) in removed.chain(added) {
        for (place, line) in statement.lines().enumerate() {
            let sign = if place == 0 { sign } else { ' ' };
            let line = format!("{sign} {}", printable(line));
            for line in hanging(&line, style.width.saturating_sub(2), 4) {
                let _ = writeln!(out, "  {}", style.paint(paint, &line));
            }
        }
    }
}
