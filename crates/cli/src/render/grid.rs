//! Rows of fields, aligned; the last field takes what room is left.

use std::fmt::Write as _;

use crate::terminal::{Paint, Style, hanging, padded, printable, shown_width};

const GAP: usize = 2;

/// Writes rows under their headings. Fields must be printable.
#[must_use]
pub fn grid(style: Style, headings: &[&str], rows: &[Vec<String>]) -> String {
    let widths: Vec<usize> = headings
        .iter()
        .enumerate()
        .map(|(place, heading)| {
            let fields = rows.iter().filter_map(|row| row.get(place)).map(|field| shown_width(field));
            fields.chain([shown_width(heading)]).max().unwrap_or(0)
        })
        .collect();
    let mut out = String::new();
    let head: Vec<String> = headings.iter().map(|heading| style.paint(Paint::Dim, heading)).collect();
    line(&mut out, style, &widths, &head);
    rows.iter().for_each(|row| line(&mut out, style, &widths, row));
    out
}

/// What is known of one thing, a line each under its heading; what is not known is left out. Lines must be printable.
#[must_use]
pub fn facts<const COUNT: usize>(style: Style, lines: [(&str, Option<String>); COUNT]) -> String {
    let width = lines.iter().map(|(heading, _)| shown_width(heading)).max().unwrap_or(0);
    let mut out = String::new();
    for (heading, line) in lines {
        if let Some(line) = line {
            let _ = writeln!(out, "{}  {line}", style.paint(Paint::Dim, &padded(heading, width)));
        }
    }
    out
}

/// Says how to come by what follows a page, where something does.
#[must_use]
pub fn goes_on(style: Style, next: Option<&str>) -> String {
    let more = |next| format!("… goes on: a greater --limit shows more, or --cursor {}", printable(next));
    next.map(|next| format!("{}\n", style.paint(Paint::Dim, &more(next)))).unwrap_or_default()
}

fn line(out: &mut String, style: Style, widths: &[usize], fields: &[String]) {
    let Some((last, before)) = fields.split_last() else { return };
    let mut indent = 0;
    let mut text = String::new();
    for (field, width) in before.iter().zip(widths) {
        text.push_str(&padded(field, width + GAP));
        indent += width + GAP;
    }
    let room = style.width.saturating_sub(indent).max(20);
    text.push_str(&hanging(last, room, 0).join(&format!("\n{:indent$}", "")));
    let _ = writeln!(out, "{}", text.trim_end());
}
