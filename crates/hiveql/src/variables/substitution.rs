//! Putting values in the place of `${name}`, and finding the way back from the resulting text.

use std::borrow::Cow;
use std::fmt;

use guardbee_model::{Diagnostic, DiagnosticCode, Span};
use memchr::memmem;

use super::{VariableNamespace, Variables};

/// How often values that name variables are resolved again, unless a setting says otherwise.
const DEFAULT_DEPTH: u32 = 40;

/// The most that a setting may ask for. Every level costs a walk over the text, and Hive knows no bound.
const GREATEST_DEPTH: u32 = 1000;

/// How much longer than the text the result may be. A few lines can ask for more than any memory
/// holds.
const GROWTH_LIMIT: usize = 1 << 20;

/// How many variables without a value are listed.
const UNRESOLVED_LIMIT: usize = 1000;

/// A text with its variables replaced.
#[derive(Debug, Clone)]
pub struct Substitution<'t> {
    /// The resulting text. It is the text itself, uncopied, where there was nothing to replace.
    pub text: Cow<'t, str>,
    /// The way from places in the result to places in the text.
    pub offsets: OffsetMap,
    /// The first thousand variables without a value. They are still in the resulting text.
    pub unresolved: Vec<UnresolvedVariable>,
    /// Why nothing was replaced at all, where that is so.
    pub failure: Option<SubstitutionFailure>,
}

/// A variable without a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnresolvedVariable {
    /// What stands between the braces.
    pub name: String,
    /// Its place in the text before anything was replaced.
    pub span: Span,
}

/// A replacement that does not end, or not soon enough. Hive refuses the statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SubstitutionFailure {
    /// Values name variables whose values name variables, and so on, deeper than this.
    TooDeep(u32),
    /// The result would be too long.
    TooLong,
}

impl Substitution<'_> {
    /// The findings, with their places in the text before anything was replaced.
    #[must_use]
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        let failure = self.failure.map(SubstitutionFailure::diagnostic);
        failure.into_iter().chain(self.unresolved.iter().map(UnresolvedVariable::diagnostic)).collect()
    }
}

impl fmt::Display for SubstitutionFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooDeep(depth) => write!(f, "variables refer to each other more than {depth} levels deep"),
            Self::TooLong => {
                write!(f, "variables make the text more than {} MiB longer", GROWTH_LIMIT >> 20)
            }
        }
    }
}

impl SubstitutionFailure {
    fn diagnostic(self) -> Diagnostic {
        Diagnostic::error(DiagnosticCode::LIMIT, Span::at(0), self.to_string())
            .with_hint("look for a variable whose value names itself")
    }
}

impl UnresolvedVariable {
    fn diagnostic(&self) -> Diagnostic {
        let message = format!("variable `{}` has no value", self.name);
        let hint = match VariableNamespace::split(&self.name) {
            (None, name) => format!("set it with `SET hivevar:{name}=...`"),
            (Some(VariableNamespace::Environment), key) => format!("set `{key}` in the environment"),
            (Some(namespace), key) => format!("set it with `SET {}{key}=...`", namespace.prefix()),
        };
        Diagnostic::warning(DiagnosticCode::UNRESOLVED_VARIABLE, self.span, message).with_hint(hint)
    }
}

impl Variables {
    /// Replaces `${name}` everywhere in `text`, in strings and comments too, as Hive does before it
    /// looks at a statement. Values are searched for variables again.
    ///
    /// With `hive.variable.substitute=false` the text stays as it is.
    #[must_use]
    pub fn substitute<'t>(&self, text: &'t str) -> Substitution<'t> {
        let untouched = Substitution {
            text: Cow::Borrowed(text),
            offsets: OffsetMap::default(),
            unresolved: Vec::new(),
            failure: None,
        };
        if !self.is_substitution_on() || memmem::find(text.as_bytes(), b"${").is_none() {
            return untouched;
        }
        match self.replace_all(text) {
            Ok(Some((replaced, offsets))) => {
                let unresolved = unresolved(&replaced, &offsets);
                Substitution { text: Cow::Owned(replaced), offsets, unresolved, failure: None }
            }
            Ok(None) => Substitution { unresolved: unresolved(text, &untouched.offsets), ..untouched },
            Err(failure) => Substitution { failure: Some(failure), ..untouched },
        }
    }

    /// The text after as many rounds as it takes until nothing is left to replace; `None` where the
    /// first found nothing.
    fn replace_all(&self, text: &str) -> Result<Option<(String, OffsetMap)>, SubstitutionFailure> {
        let depth = self.depth();
        let limit = text.len().saturating_add(GROWTH_LIMIT);
        let mut result: Option<(String, OffsetMap)> = None;
        for _ in 0..=depth {
            let round = match &result {
                Some((text, offsets)) => self.replace_once(text, offsets, limit)?,
                None => self.replace_once(text, &OffsetMap::default(), limit)?,
            };
            match round {
                Some(round) => result = Some(round),
                None => return Ok(result),
            }
        }
        Err(SubstitutionFailure::TooDeep(depth))
    }

    fn replace_once(
        &self,
        text: &str,
        offsets: &OffsetMap,
        limit: usize,
    ) -> Result<Option<(String, OffsetMap)>, SubstitutionFailure> {
        let mut replaced = Replaced::of(offsets);
        let mut found = false;
        for reference in references(text) {
            let Some(value) = self.resolve(reference.name) else { continue };
            found = true;
            replaced.copy(text, reference.start);
            replaced.replace(reference.start, reference.end, value);
            if replaced.text.len() > limit {
                return Err(SubstitutionFailure::TooLong);
            }
        }
        if !found {
            return Ok(None);
        }
        replaced.copy(text, text.len());
        Ok(Some((replaced.text, OffsetMap { pieces: replaced.pieces })))
    }

    fn is_substitution_on(&self) -> bool {
        let setting = self.get(VariableNamespace::HiveConf, "hive.variable.substitute");
        setting.is_none_or(|value| !value.trim().eq_ignore_ascii_case("false"))
    }

    fn depth(&self) -> u32 {
        self.get(VariableNamespace::HiveConf, "hive.variable.substitute.depth")
            .and_then(|value| value.trim().parse().ok())
            .map_or(DEFAULT_DEPTH, |depth: u32| depth.min(GREATEST_DEPTH))
    }
}

/// A `${name}` in a text.
struct Reference<'t> {
    name: &'t str,
    start: usize,
    end: usize,
}

/// Every reference, innermost ones only: a name has no `$`, `}` or space in it.
fn references(text: &str) -> impl Iterator<Item = Reference<'_>> {
    let opening = memmem::Finder::new("${");
    let mut position = 0;
    std::iter::from_fn(move || {
        loop {
            let start = position + opening.find(text.as_bytes().get(position..)?)?;
            let name_start = start + 2;
            let rest = text.get(name_start..)?;
            let length = rest.bytes().position(|byte| matches!(byte, b'}' | b'$' | b' '))?;
            position = name_start + length;
            if length > 0 && rest.as_bytes().get(length) == Some(&b'}') {
                position += 1;
                return Some(Reference { name: rest.get(..length)?, start, end: position });
            }
        }
    })
}

fn unresolved(text: &str, offsets: &OffsetMap) -> Vec<UnresolvedVariable> {
    references(text)
        .take(UNRESOLVED_LIMIT)
        .map(|reference| UnresolvedVariable {
            name: reference.name.to_owned(),
            span: offsets.original(Span::new(offset(reference.start), offset(reference.end))),
        })
        .collect()
}

/// The way from places in a text whose variables were replaced to places in the text before.
#[derive(Debug, Clone, Default)]
pub struct OffsetMap {
    /// In the order of the resulting text, without gaps. Empty where nothing was replaced.
    pieces: Vec<Piece>,
}

/// A part of the resulting text that was taken over, or that stands for one or more variables.
#[derive(Debug, Clone, Copy)]
struct Piece {
    /// Where it starts in the resulting text. It ends where the next one starts.
    start: u32,
    origin: Origin,
}

#[derive(Debug, Clone, Copy)]
enum Origin {
    /// Taken over from this place on.
    Copied(u32),
    /// A value for what stands here.
    Value(Span),
}

impl OffsetMap {
    /// The place before replacement. Inside a value, that is the whole variable.
    #[must_use]
    pub fn original(&self, span: Span) -> Span {
        if span.is_empty() {
            return Span::at(self.original_start(span.start));
        }
        Span::new(self.original_start(span.start), self.original_end(span.end))
    }

    fn original_start(&self, offset: u32) -> u32 {
        match self.piece_at(offset) {
            Some(Piece { start, origin: Origin::Copied(original) }) => original + (offset - start),
            Some(Piece { origin: Origin::Value(span), .. }) => span.start,
            None => offset,
        }
    }

    /// The end of what ends before `end`.
    fn original_end(&self, end: u32) -> u32 {
        match self.piece_at(end.saturating_sub(1)) {
            Some(Piece { start, origin: Origin::Copied(original) }) => original + (end - start),
            Some(Piece { origin: Origin::Value(span), .. }) => span.end,
            None => end,
        }
    }

    fn piece_at(&self, offset: u32) -> Option<Piece> {
        let after = self.pieces.partition_point(|piece| piece.start <= offset);
        self.pieces.get(after.checked_sub(1)?).copied()
    }
}

/// A text while it is put together from another one, with its map.
struct Replaced<'m> {
    text: String,
    pieces: Vec<Piece>,
    /// The map of the text that is read.
    source: &'m OffsetMap,
    /// The piece of the source that is read next.
    next_piece: usize,
    /// How far the source has been read.
    position: usize,
}

impl<'m> Replaced<'m> {
    const fn of(source: &'m OffsetMap) -> Self {
        Self { text: String::new(), pieces: Vec::new(), source, next_piece: 0, position: 0 }
    }

    /// Takes over the source up to `end`.
    fn copy(&mut self, text: &str, end: usize) {
        while self.position < end {
            let (origin, piece_end) = self.source_piece(end);
            self.push(origin, text.get(self.position..piece_end).unwrap_or_default());
            self.position = piece_end;
        }
    }

    /// Puts `value` in the place of the source from `start` to `end`.
    fn replace(&mut self, start: usize, end: usize, value: &str) {
        let span = self.source.original(Span::new(offset(start), offset(end)));
        self.push(Origin::Value(span), value);
        self.position = end;
    }

    fn push(&mut self, origin: Origin, text: &str) {
        if !text.is_empty() {
            self.pieces.push(Piece { start: offset(self.text.len()), origin });
            self.text.push_str(text);
        }
    }

    /// Where the source came from at the current position, and how far that holds.
    fn source_piece(&mut self, end: usize) -> (Origin, usize) {
        let position = offset(self.position);
        while self.source.pieces.get(self.next_piece + 1).is_some_and(|piece| piece.start <= position) {
            self.next_piece += 1;
        }
        let Some(piece) = self.source.pieces.get(self.next_piece) else {
            return (Origin::Copied(position), end);
        };
        let piece_end = self.source.pieces.get(self.next_piece + 1).map_or(end, |next| next.start as usize);
        let origin = match piece.origin {
            Origin::Copied(original) => Origin::Copied(original + (position - piece.start)),
            Origin::Value(span) => Origin::Value(span),
        };
        (origin, piece_end.min(end))
    }
}

fn offset(position: usize) -> u32 {
    u32::try_from(position).unwrap_or(u32::MAX)
}
