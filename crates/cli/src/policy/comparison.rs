//! Two policies side by side: `+` and `-` before statements, and whom it touches.

use std::fmt::Write as _;

use guardbee_engine::comparison::{GroupDifference, Touched, statement_difference, touched};
use guardbee_policy::{Policy, Principal};

use crate::terminal::{Paint, Style, hanging, printable};

/// What two policies differ in.
#[derive(Debug)]
pub struct Comparison {
    pub groups: Vec<GroupDifference>,
    pub touched: Vec<Touched>,
}

impl Comparison {
    #[must_use]
    pub fn of(before: &Policy, after: &Policy) -> Self {
        Self { groups: statement_difference(before, after), touched: touched(before, after) }
    }

    #[must_use]
    pub fn added(&self) -> usize {
        self.groups.iter().map(|group| group.added.len()).sum()
    }

    #[must_use]
    pub fn removed(&self) -> usize {
        self.groups.iter().map(|group| group.removed.len()).sum()
    }

    /// The statements by their headings, then who is touched.
    #[must_use]
    pub fn text(&self, style: Style) -> String {
        let mut out = String::new();
        for group in &self.groups {
            if !out.is_empty() {
                out.push('\n');
            }
            write_statements(&mut out, style, group.heading, &group.removed, &group.added);
        }
        out.push_str(&self.touched_text(style));
        out
    }

    /// What goes, by its headings: nobody should have to find it in what stays.
    #[must_use]
    pub fn removals_text(&self, style: Style) -> String {
        let mut out = String::new();
        for group in self.groups.iter().filter(|group| !group.removed.is_empty()) {
            write_statements(&mut out, style, group.heading, &group.removed, &[]);
        }
        out
    }

    fn touched_text(&self, style: Style) -> String {
        let mut out = String::new();
        if self.touched.is_empty() {
            return out;
        }
        let _ = writeln!(out, "\n{}", style.paint(Paint::Heading, "Who is touched"));
        for touched in &self.touched {
            let effects: Vec<&str> = touched.effects.iter().map(|effect| effect.as_str()).collect();
            let members: Vec<String> = touched.members.iter().map(ToString::to_string).collect();
            let members = match (&touched.principal, members.as_slice()) {
                (principal, _) if *principal == Principal::public() => " (everybody)".to_owned(),
                (Principal::Role(_), []) => " (nobody is in it)".to_owned(),
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
