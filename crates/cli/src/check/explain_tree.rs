//! Every reason of an answer, as a tree.

use std::fmt::Write as _;

use guardbee_engine::entry_statements;
use guardbee_engine::explain::{Explained, Held};
use guardbee_policy::decision::Basis;
use guardbee_policy::request::Columns;
use guardbee_policy::requirement::{Reach, Requirement, Right};
use guardbee_policy::{Policy, Principal, Resource};

use crate::terminal::{Paint, Style, hanging, printable};

/// The reasons, one branch for each right that the statement needs.
#[must_use]
pub fn tree(style: Style, policy: &Policy, user: &str, reasons: &[Explained]) -> String {
    let mut out = String::new();
    if reasons.is_empty() {
        let _ = writeln!(out, "└─ it needs no right");
    }
    for (place, reason) in reasons.iter().enumerate() {
        let is_last = place + 1 == reasons.len();
        let leaves = leaves(style, policy, user, reason);
        let (branch, below) = if is_last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
        add(&mut out, style, branch, below, &head(style, policy, reason));
        for (place, leaf) in leaves.iter().enumerate() {
            let (branch, further) =
                if place + 1 == leaves.len() { ("└─ ", "   ") } else { ("├─ ", "│  ") };
            add(&mut out, style, &format!("{below}{branch}"), &format!("{below}{further}"), leaf);
        }
    }
    out
}

fn add(out: &mut String, style: Style, first: &str, rest: &str, text: &str) {
    let width = style.width.saturating_sub(first.chars().count());
    for (place, line) in hanging(text, width, 2).iter().enumerate() {
        let _ = writeln!(out, "{}{line}", if place == 0 { first } else { rest });
    }
}

fn head(style: Style, policy: &Policy, reason: &Explained) -> String {
    let is_met = reason.missing.is_empty();
    let (word, paint) = if is_met { ("held", Paint::Good) } else { ("not held", Paint::Bad) };
    let needed = printable(&requirement_text(policy, &reason.requirement));
    format!("{needed}  {}  {}", style.paint(paint, word), style.paint(Paint::Dim, basis_text(&reason.basis)))
}

const fn basis_text(basis: &Basis) -> &'static str {
    match basis {
        Basis::Granted => "by grants",
        Basis::Owner => "as the owner",
        Basis::Administrator => "as an administrator",
        Basis::Super => "by SUPER, which passes every check",
        Basis::Provider(_) => "by a provider outside the policy",
        Basis::Denied => "denied",
        Basis::NotGranted => "nothing gives it",
        Basis::Forbidden => "the rule book allows it to nobody",
    }
}

/// `SELECT on hr.emp (name, ssn)`.
pub fn requirement_text(policy: &Policy, requirement: &Requirement) -> String {
    if let Right::Nobody(reason) = &requirement.right {
        return reason.to_string();
    }
    let mut out = match &requirement.resource {
        Resource::Server => format!("{} on SERVER {}", requirement.right, policy.settings().server),
        resource => format!("{} on {resource}", requirement.right),
    };
    if let Columns::Named(columns) = &requirement.columns {
        let names: Vec<&str> = columns.iter().map(|name| name.as_str()).collect();
        let _ = write!(out, " ({})", names.join(", "));
    }
    if requirement.reach == Reach::AroundOrInside {
        out.push_str(" or anything in it");
    }
    out
}

fn leaves(style: Style, policy: &Policy, user: &str, reason: &Explained) -> Vec<String> {
    let mut leaves = Vec::new();
    if !reason.missing.is_empty() && matches!(reason.requirement.columns, Columns::Named(_)) {
        let names: Vec<String> = reason.missing.iter().map(|missing| missing.resource.to_string()).collect();
        leaves.push(format!("missing: {}", printable(&names.join(", "))));
    }
    leaves.extend(reason.entries.iter().map(|held| held_text(style, policy, held)));
    let is_known = |held: &&Held| !reason.entries.iter().any(|known| known.entry.id == held.entry.id);
    leaves.extend(
        reason
            .nearby
            .iter()
            .filter(is_known)
            .map(|held| format!("{}  does not reach it", held_text(style, policy, held))),
    );
    let is_of_entries = matches!(reason.requirement.right, Right::AnyOf { .. });
    if is_of_entries
        && reason.basis == Basis::NotGranted
        && reason.nearby.is_empty()
        && reason.entries.is_empty()
    {
        leaves.push(format!(
            "{} holds nothing on {}",
            printable(user),
            printable(&reason.requirement.resource.to_string())
        ));
    }
    leaves
}

/// `user ana > group analysts > role reader   GRANT SELECT ON TABLE hr.emp TO ROLE reader (entry 17)`.
fn held_text(style: Style, policy: &Policy, held: &Held) -> String {
    let path: Vec<String> = held.path.iter().map(Principal::to_string).collect();
    let statement = entry_statements(policy, std::slice::from_ref(&held.entry)).join("; ");
    let carrier = held.carrier.as_ref().map(|carrier| format!(" on {carrier}")).unwrap_or_default();
    format!(
        "{}  {} {}",
        printable(&path.join(" > ")),
        printable(&statement),
        style.paint(Paint::Dim, &printable(&format!("({}{carrier})", held.entry.id)))
    )
}
