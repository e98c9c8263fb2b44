//! Diagnostics for people: they point into the text.

use std::fmt::Write as _;

use guardbee_model::{Severity, Span};
use unicode_width::UnicodeWidthChar;

use crate::place::Place;
use crate::reading::Finding;
use crate::terminal::{Paint, Style, hanging, printable, shown_width, visible, wrapped};

/// What stands before the line of the text.
const INDENT: usize = 4;
/// A line that is cut shows so many columns at least.
const NARROWEST_EXCERPT: usize = 20;

/// Something to say about a place in a text.
#[derive(Debug)]
pub struct Mark<'m> {
    pub place: Place,
    pub severity: Severity,
    pub message: &'m str,
    pub hint: Option<&'m str>,
    /// In the text that is pointed into.
    pub span: Span,
}

/// Writes a finding, as [`write_mark`] does.
pub fn write(out: &mut String, style: Style, label: &str, text: &str, finding: &Finding) {
    let diagnostic = &finding.diagnostic;
    let mark = Mark {
        place: finding.place,
        severity: diagnostic.severity,
        message: &diagnostic.message,
        hint: diagnostic.hint.as_deref(),
        span: diagnostic.span,
    };
    write_mark(out, style, label, text, &mark);
}

/// Writes `file:line:column  error  message`, the line, a caret under the place, and the hint.
pub fn write_mark(out: &mut String, style: Style, label: &str, text: &str, mark: &Mark<'_>) {
    let (word, paint) = match mark.severity {
        Severity::Error => ("error", Paint::Bad),
        Severity::Warning => ("warning", Paint::Warning),
    };
    let position = format!("{}:{}:{}", printable(label), mark.place.line, mark.place.column);
    let head = format!(
        "{}  {}  {}",
        style.paint(Paint::Heading, &position),
        style.paint(paint, word),
        printable(mark.message)
    );
    for line in hanging(&head, style.width, INDENT) {
        let _ = writeln!(out, "{line}");
    }
    let excerpt = Excerpt::of(text, mark.span, style.width.saturating_sub(INDENT));
    let _ = writeln!(out, "{:INDENT$}{}", "", excerpt.text.trim_end());
    let marks = style.paint(paint, &"^".repeat(excerpt.marked));
    let _ = write!(out, "{:INDENT$}{}{marks}", "", " ".repeat(excerpt.before));
    let hint = mark.hint.map(printable).unwrap_or_default();
    let used = INDENT + excerpt.before + excerpt.marked + 1;
    if hint.is_empty() {
        out.push('\n');
    } else if used + shown_width(&hint) <= style.width {
        let _ = writeln!(out, " {hint}");
    } else {
        out.push('\n');
        for line in wrapped(&hint, style.width.saturating_sub(INDENT)) {
            let _ = writeln!(out, "{:INDENT$}{line}", "");
        }
    }
}

/// The part of a line that fits the terminal, with the marked place in it. Costs no more for a line of a
/// hundred million bytes.
struct Excerpt {
    text: String,
    /// Columns before the mark.
    before: usize,
    marked: usize,
}

impl Excerpt {
    fn of(text: &str, span: Span, width: usize) -> Self {
        let room = width.max(NARROWEST_EXCERPT);
        let at = text.floor_char_boundary(span.start as usize);
        let (left, right) = text.split_at(at);
        let mut before: Vec<char> = left.chars().rev().take_while(|&c| c != '\n').take(room + 1).collect();
        before.reverse();
        let mut after: Vec<char> = right.chars().take_while(|&c| c != '\n').take(room + 1).collect();
        if after.last() == Some(&'\r') {
            after.pop();
        }
        let length = span.text(text).chars().take(room).take_while(|&c| c != '\n').count();
        let marked: String = after.iter().take(length).copied().map(visible).collect();

        let is_whole = width_of(&before) + width_of(&after) <= room;
        // The mark stands in the last third where the line is cut on its left.
        let keep = if is_whole { room } else { (room - 1).saturating_sub(width_of(&after).min(room / 3)) };
        let cut_left = cut_front(&mut before, keep);
        let mut shown: String = if cut_left { "…".to_owned() } else { String::new() };
        shown.extend(before.iter().copied().map(visible));
        let lead = shown_width(&shown);
        let cut_right = cut_back(&mut after, room.saturating_sub(lead));
        shown.extend(after.iter().copied().map(visible));
        if cut_right {
            shown.push('…');
        }
        let marked = shown_width(&marked).clamp(1, room.saturating_sub(lead).max(1));
        Self { text: shown, before: lead, marked }
    }
}

fn width_of(characters: &[char]) -> usize {
    characters.iter().copied().map(width_of_one).sum()
}

fn width_of_one(character: char) -> usize {
    visible(character).width().unwrap_or(0)
}

/// Takes characters away until the rest fits with a sign for what is gone. Says whether any had to go.
fn cut_front(characters: &mut Vec<char>, width: usize) -> bool {
    let mut left = width_of(characters);
    if left <= width {
        return false;
    }
    let is_too_much = |character: &&char| {
        let goes = left + 1 > width;
        left -= if goes { width_of_one(**character) } else { 0 };
        goes
    };
    let start = characters.iter().take_while(is_too_much).count();
    characters.drain(..start);
    true
}

fn cut_back(characters: &mut Vec<char>, width: usize) -> bool {
    let mut left = width_of(characters);
    if left <= width {
        return false;
    }
    while left + 1 > width
        && let Some(character) = characters.pop()
    {
        left -= width_of_one(character);
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn excerpt(text: &str, start: usize, end: usize, width: usize) -> (String, usize, usize) {
        let number = |offset: usize| u32::try_from(offset).expect("a short text");
        let excerpt = Excerpt::of(text, Span::new(number(start), number(end)), width);
        (excerpt.text, excerpt.before, excerpt.marked)
    }

    #[test]
    fn shows_a_short_line_whole() {
        assert_eq!(excerpt("a\nselect amout\nb", 9, 14, 40), ("select amout".to_owned(), 7, 5));
        assert_eq!(excerpt("select\r\n", 6, 6, 40), ("select".to_owned(), 6, 1));
    }

    #[test]
    fn cuts_a_long_line_around_the_mark() {
        let text = format!("{}here{}", "x".repeat(1000), "y".repeat(1000));
        let (shown, before, marked) = excerpt(&text, 1000, 1004, 30);
        assert_eq!(shown.chars().count(), 30);
        assert_eq!(shown.chars().skip(before).take(marked).collect::<String>(), "here");
        assert!(shown.starts_with('…') && shown.ends_with('…'));
    }

    #[test]
    fn points_past_wide_characters() {
        assert_eq!(excerpt("数据 x", 7, 8, 40), ("数据 x".to_owned(), 5, 1));
    }
}
