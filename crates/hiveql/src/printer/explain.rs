//! `EXPLAIN`.

use super::{Print, Printer};
use crate::tree::{Explain, ExplainOption, VectorizationLevel};

impl Print for Explain<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.word("EXPLAIN");
        for option in self.options {
            option.print(printer);
        }
        self.statement.print(printer);
    }
}

impl Print for ExplainOption {
    fn print(&self, printer: &mut Printer) {
        printer.word(match self {
            Self::Extended => "EXTENDED",
            Self::Formatted => "FORMATTED",
            Self::Dependency => "DEPENDENCY",
            Self::Authorization => "AUTHORIZATION",
            Self::Logical => "LOGICAL",
            Self::Rewrite => "REWRITE",
            Self::Analyze => "ANALYZE",
            Self::ReOptimization => "REOPTIMIZATION",
            Self::Locks => "LOCKS",
            Self::Ast => "AST",
            Self::Debug => "DEBUG",
            Self::Cbo => "CBO",
            Self::CboCost => "CBO COST",
            Self::CboJoinCost => "CBO JOINCOST",
            Self::Ddl => "DDL",
            Self::Vectorization { only: true, .. } => "VECTORIZATION ONLY",
            Self::Vectorization { only: false, .. } => "VECTORIZATION",
        });
        if let Self::Vectorization { level: Some(level), .. } = self {
            printer.word(match level {
                VectorizationLevel::Summary => "SUMMARY",
                VectorizationLevel::Operator => "OPERATOR",
                VectorizationLevel::Expression => "EXPRESSION",
                VectorizationLevel::Detail => "DETAIL",
            });
        }
    }
}
