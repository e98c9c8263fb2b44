//! Which kind of statement it is.

use guardbee_model::{Diagnostic, DiagnosticCode};

use super::{Dialect, Parse, Parser};
use crate::keyword::Keyword;
use crate::token::TokenKind;
use crate::tree::Statement;

/// The words that statements start with.
const OPENERS: &[Keyword] = &[
    Keyword::Select,
    Keyword::From,
    Keyword::Insert,
    Keyword::With,
    Keyword::Values,
    Keyword::Map,
    Keyword::Reduce,
    Keyword::Explain,
    Keyword::Load,
    Keyword::Export,
    Keyword::Import,
    Keyword::Update,
    Keyword::Delete,
    Keyword::Merge,
    Keyword::Start,
    Keyword::Commit,
    Keyword::Rollback,
    Keyword::Prepare,
    Keyword::Execute,
    Keyword::Repl,
    Keyword::Use,
    Keyword::Create,
    Keyword::Drop,
    Keyword::Truncate,
    Keyword::Alter,
    Keyword::Analyze,
    Keyword::Msck,
    Keyword::Show,
    Keyword::Describe,
    Keyword::Desc,
    Keyword::Lock,
    Keyword::Unlock,
    Keyword::Abort,
    Keyword::Kill,
    Keyword::Reload,
    Keyword::Set,
    Keyword::Grant,
    Keyword::Revoke,
    Keyword::Enable,
    Keyword::Disable,
    Keyword::Replace,
    Keyword::Optimize,
    Keyword::Deny,
    Keyword::Unset,
];

impl<'a> Parser<'a> {
    pub(crate) fn statement(&mut self) -> Parse<Statement<'a>> {
        match self.keyword() {
            Some(Keyword::Explain) => self.explain_statement(),
            _ => self.executable_statement(),
        }
    }

    /// Every statement but `EXPLAIN`.
    pub(crate) fn executable_statement(&mut self) -> Parse<Statement<'a>> {
        let keyword = match self.kind() {
            TokenKind::Keyword(keyword) => keyword,
            TokenKind::LeftParenthesis => return self.query_statement(),
            _ => return Err(self.no_statement()),
        };
        match keyword {
            Keyword::Select
            | Keyword::From
            | Keyword::Insert
            | Keyword::With
            | Keyword::Values
            | Keyword::Map
            | Keyword::Reduce => self.query_statement(),
            Keyword::Load => self.load_statement(),
            Keyword::Export => self.export_statement(),
            Keyword::Import => self.import_statement(),
            Keyword::Update => self.update_statement(),
            Keyword::Delete => self.delete_statement(),
            Keyword::Merge => self.merge_statement(),
            Keyword::Start => self.start_transaction_statement(),
            Keyword::Commit => self.commit_statement(),
            Keyword::Rollback => self.rollback_statement(),
            Keyword::Prepare => self.prepare_statement(),
            Keyword::Execute => self.execute_statement(),
            Keyword::Repl => self.replication_statement(),
            Keyword::Use => self.use_statement(),
            Keyword::Create => self.create_statement(),
            Keyword::Drop => self.drop_statement(),
            Keyword::Truncate => self.truncate_statement(),
            Keyword::Alter => self.alter_statement(),
            Keyword::Analyze => self.analyze_statement(),
            Keyword::Msck => self.msck_statement(),
            Keyword::Show => self.show_statement(),
            Keyword::Describe | Keyword::Desc => self.describe_statement(),
            Keyword::Lock => self.lock_statement(),
            Keyword::Unlock => self.unlock_statement(),
            Keyword::Abort => self.abort_statement(),
            Keyword::Kill => self.kill_statement(),
            Keyword::Reload => self.reload_statement(),
            Keyword::Set => self.set_statement(),
            Keyword::Grant => self.grant_statement(),
            Keyword::Revoke => self.revoke_statement(),
            Keyword::Enable | Keyword::Disable => self.workload_management_statement(),
            Keyword::Replace => self.replace_statement(),
            Keyword::Optimize => self.optimize_statement(),
            Keyword::Deny if self.takes_extensions() => self.deny_statement(),
            Keyword::Unset if self.takes_extensions() => self.unset_statement(),
            _ => Err(self.no_statement()),
        }
    }

    /// May the text hold what no Hive knows: statements of Sentry, AuthDev and our own?
    pub(crate) fn takes_extensions(&self) -> bool {
        self.settings.dialect == Dialect::Guardbee
    }

    fn query_statement(&mut self) -> Parse<Statement<'a>> {
        self.query().map(Statement::Query)
    }

    #[cold]
    fn no_statement(&self) -> Box<Diagnostic> {
        let token = self.token();
        if token.kind == TokenKind::Eof && self.is_at_start() {
            let message = "the text holds no statement";
            return Box::new(Diagnostic::error(DiagnosticCode::SYNTAX, token.span, message));
        }
        self.expected_among("a statement", OPENERS)
    }
}
