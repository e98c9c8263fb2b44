//! Every reason of an answer, as a tree.

use std::fmt::Write as _;

use crate::terminal::{Paint, Style, hanging, printable};
use crate::wire::check::{Basis, HeldEntry, Reason, RightKind};

/// The reasons, one branch for each right that the statement needs.
#[must_use]
pub fn tree(style: Style, user: &str, reasons: &[Reason]) -> String {
    let mut out = String::new();
    if reasons.is_empty() {
        let _ = writeln!(out, "└─ it needs no right");
    }
    for (place, reason) in reasons.iter().enumerate() {
        let is_last = place + 1 == reasons.len();
        let leaves = leaves(style, user, reason);
        let (branch, below) = if is_last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
        add(&mut out, style, branch, below, &head(style, reason));
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

fn head(style: Style, reason: &Reason) -> String {
    let (word, paint) = if reason.held { ("held", Paint::Good) } else { ("not held", Paint::Bad) };
    let needed = printable(&reason.needed);
    format!("{needed}  {}  {}", style.paint(paint, word), style.paint(Paint::Dim, basis_text(reason.basis)))
}

const fn basis_text(basis: Basis) -> &'static str {
    match basis {
        Basis::Granted => "by grants",
        Basis::Owner => "as the owner",
        Basis::Administrator => "as an administrator",
        Basis::Super => "by SUPER, which passes every check",
        Basis::Provider => "by a provider outside the policy",
        Basis::Denied => "denied",
        Basis::NotGranted => "nothing gives it",
        Basis::Forbidden => "the rule book allows it to nobody",
    }
}

fn leaves(style: Style, user: &str, reason: &Reason) -> Vec<String> {
    let mut leaves = Vec::new();
    if !reason.columns.is_empty() && !reason.missing.is_empty() {
        leaves.push(format!("missing: {}", printable(&reason.missing.join(", "))));
    }
    leaves.extend(reason.entries.iter().map(|held| held_text(style, held)));
    let is_known = |held: &&HeldEntry| !reason.entries.iter().any(|known| known.entry == held.entry);
    let nearby = reason.nearby.iter().filter(is_known);
    leaves.extend(nearby.map(|held| format!("{}  does not reach it", held_text(style, held))));
    if reason.kind == RightKind::Privilege
        && reason.basis == Basis::NotGranted
        && reason.nearby.is_empty()
        && reason.entries.is_empty()
    {
        leaves.push(format!("{} holds nothing on {}", printable(user), printable(&reason.object)));
    }
    leaves
}

/// `user ana > group analysts > role reader   GRANT SELECT ON TABLE hr.emp TO ROLE reader (entry 17)`.
fn held_text(style: Style, held: &HeldEntry) -> String {
    let path: Vec<String> = held.path.iter().map(ToString::to_string).collect();
    let carrier = held.carrier.as_ref().map(|carrier| format!(" on {carrier}")).unwrap_or_default();
    format!(
        "{}  {} {}",
        printable(&path.join(" > ")),
        printable(held.sql.as_deref().unwrap_or_default()),
        style.paint(Paint::Dim, &printable(&format!("(entry {}{carrier})", held.entry)))
    )
}
