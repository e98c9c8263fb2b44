//! What is wrong with a text, said so that a person can mend it.

use crate::Span;

/// How much a diagnostic weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The statement could be read; something in it deserves a look.
    Warning,
    /// The statement has no complete result.
    Error,
}

/// A stable name of a kind of diagnostic, such as `syntax` or `unknown-column`.
///
/// Codes are part of the interface: scripts match on them, so they never change their meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DiagnosticCode(pub &'static str);

impl DiagnosticCode {
    /// The text is no statement of any known version.
    pub const SYNTAX: Self = Self("syntax");
    /// The statement belongs to another version of Hive.
    pub const VERSION: Self = Self("version");
    /// The statement nests deeper, or is longer, than is read.
    pub const LIMIT: Self = Self("limit");
    /// A string, quoted name or comment does not end.
    pub const UNTERMINATED: Self = Self("unterminated");
    /// A table, view or database does not exist.
    pub const UNKNOWN_TABLE: Self = Self("unknown-table");
    /// No statement of that name was prepared.
    pub const UNKNOWN_STATEMENT: Self = Self("unknown-statement");
    /// A column does not exist.
    pub const UNKNOWN_COLUMN: Self = Self("unknown-column");
    /// A name stands for more than one thing.
    pub const AMBIGUOUS: Self = Self("ambiguous");
    /// A function is neither built in nor created.
    pub const UNKNOWN_FUNCTION: Self = Self("unknown-function");
    /// Something of that name is there already.
    pub const ALREADY_EXISTS: Self = Self("already-exists");
    /// The statement is grammatical and still none that Hive runs.
    pub const SEMANTIC: Self = Self("semantic");
    /// The session ends before the statement.
    pub const NOT_RUN: Self = Self("not-run");
    /// A variable has no value.
    pub const UNRESOLVED_VARIABLE: Self = Self("unresolved-variable");
}

/// One finding in a text. The message is in lower case without a full stop and quotes user input
/// in backticks; the hint says what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    pub severity: Severity,
    pub code: DiagnosticCode,
    pub message: String,
    pub span: Span,
    pub hint: Option<String>,
}

impl Diagnostic {
    /// A finding that leaves the statement without a complete result.
    #[must_use]
    pub fn error(code: DiagnosticCode, span: Span, message: impl Into<String>) -> Self {
        Self { severity: Severity::Error, code, message: message.into(), span, hint: None }
    }

    /// A finding that deserves a look.
    #[must_use]
    pub fn warning(code: DiagnosticCode, span: Span, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, code, message: message.into(), span, hint: None }
    }

    /// The same finding with advice on what to do about it.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The same finding in a text that holds this one from byte `offset` on.
    #[must_use]
    pub fn shifted(mut self, offset: u32) -> Self {
        self.span = self.span.shifted(offset);
        self
    }
}
