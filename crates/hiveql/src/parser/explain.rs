//! `EXPLAIN`.

use guardbee_model::HiveVersion;

use super::{Parse, Parser};
use crate::keyword::Keyword;
use crate::tree::{Explain, ExplainOption, Statement, VectorizationLevel};

/// What may stand between `EXPLAIN` and the statement.
const OPTIONS: &[Keyword] = &[
    Keyword::Extended,
    Keyword::Formatted,
    Keyword::Dependency,
    Keyword::Cbo,
    Keyword::Logical,
    Keyword::Authorization,
    Keyword::Analyze,
    Keyword::Reoptimization,
    Keyword::Locks,
    Keyword::Ast,
    Keyword::Vectorization,
    Keyword::Debug,
    Keyword::Ddl,
];

impl<'a> Parser<'a> {
    pub(crate) fn explain_statement(&mut self) -> Parse<Statement<'a>> {
        self.expect_keyword(Keyword::Explain)?;
        if self.eat_keyword(Keyword::Rewrite) {
            let statement = Statement::Query(self.query()?);
            return Ok(self.explain(&[ExplainOption::Rewrite], statement));
        }
        let mut options = Vec::new();
        while let Some(option) = self.explain_option() {
            options.push(option);
        }
        let statement = self.executable_statement().map_err(|diagnostic| {
            let may_be_option = diagnostic.hint.is_none() && diagnostic.span == self.token().span;
            if may_be_option { self.expected_among("a statement", OPTIONS) } else { diagnostic }
        })?;
        Ok(self.explain(&options, statement))
    }

    fn explain(&self, options: &[ExplainOption], statement: Statement<'a>) -> Statement<'a> {
        let options = self.arena.list(options);
        let statement = self.arena.alloc(statement);
        Statement::Explain(self.arena.alloc(Explain { options, statement }))
    }

    fn explain_option(&mut self) -> Option<ExplainOption> {
        let option = match self.keyword()? {
            Keyword::Analyze if self.peek_keyword(1) != Some(Keyword::Table) => ExplainOption::Analyze,
            Keyword::Extended => ExplainOption::Extended,
            Keyword::Formatted => ExplainOption::Formatted,
            Keyword::Dependency => ExplainOption::Dependency,
            Keyword::Authorization => ExplainOption::Authorization,
            Keyword::Logical => ExplainOption::Logical,
            Keyword::Reoptimization => ExplainOption::ReOptimization,
            Keyword::Locks if self.version() >= HiveVersion::V4_0 => ExplainOption::Locks,
            Keyword::Ast => ExplainOption::Ast,
            Keyword::Debug => ExplainOption::Debug,
            Keyword::Ddl => ExplainOption::Ddl,
            Keyword::Cbo => return Some(self.cbo_option()),
            Keyword::Vectorization => return Some(self.vectorization_option()),
            _ => return None,
        };
        self.bump();
        Some(option)
    }

    fn cbo_option(&mut self) -> ExplainOption {
        self.bump();
        if self.eat_keyword(Keyword::Cost) {
            ExplainOption::CboCost
        } else if self.eat_keyword(Keyword::Joincost) {
            ExplainOption::CboJoinCost
        } else {
            ExplainOption::Cbo
        }
    }

    fn vectorization_option(&mut self) -> ExplainOption {
        self.bump();
        let only = self.eat_keyword(Keyword::Only);
        let level = match self.keyword() {
            Some(Keyword::Summary) => Some(VectorizationLevel::Summary),
            Some(Keyword::Operator) => Some(VectorizationLevel::Operator),
            Some(Keyword::Expression) => Some(VectorizationLevel::Expression),
            Some(Keyword::Detail) => Some(VectorizationLevel::Detail),
            _ => None,
        };
        if level.is_some() {
            self.bump();
        }
        ExplainOption::Vectorization { only, level }
    }
}
