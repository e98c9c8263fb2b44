//! Where tags end: columns that somebody has named, and functions.
//!
//! A function ends a tag where the column is nothing but a call of it, by its full name. What else an expression may
//! hide is not judged: a tag too many is put right by naming the column.

use std::collections::{HashMap, HashSet};

use guardbee_hiveql::keyword::Keyword;
use guardbee_hiveql::lexer::Lexer;
use guardbee_hiveql::token::TokenKind;
use guardbee_lineage::{DatasetName, EdgeFilter, Run, RunKey, TagStep, TargetColumn};
use guardbee_model::Name;
use guardbee_policy::{Policy, Settings, TagBoundary};

use super::flow::Ground;

/// A function by its full name; a built-in one has no database.
pub(crate) type FunctionName = (Option<Name>, Name);

/// The functions at which any tag ends.
pub(crate) fn functions(settings: &Settings) -> HashSet<FunctionName> {
    let boundaries = settings.declassifiers.iter();
    boundaries
        .filter_map(|one| match &one.at {
            TagBoundary::Function { database, function } => Some((database.clone(), function.clone())),
            TagBoundary::Column(_) => None,
        })
        .collect()
}

/// Which columns runs made by calling one of some functions.
#[derive(Debug, Clone, Default)]
pub struct FunctionCalls {
    functions: HashSet<FunctionName>,
    of_runs: HashMap<RunKey, Vec<Call>>,
}

#[derive(Debug, Clone)]
struct Call {
    dataset: DatasetName,
    column: Name,
    function: FunctionName,
    /// What decides about the column does not pass the function.
    is_influenced: bool,
}

impl FunctionCalls {
    /// Those of the functions that any tag of a policy ends at; not known of any run yet.
    #[must_use]
    pub fn wanted_by(policy: &Policy) -> Self {
        Self::of(functions(policy.settings()))
    }

    pub(crate) fn of(functions: HashSet<FunctionName>) -> Self {
        Self { functions, of_runs: HashMap::new() }
    }

    /// Is there anything to learn from runs?
    #[must_use]
    pub fn wants_runs(&self) -> bool {
        !self.functions.is_empty()
    }

    /// Is there nothing to learn of the functions that any tag of a policy ends at?
    #[must_use]
    pub fn covers(&self, policy: &Policy) -> bool {
        functions(policy.settings()).is_subset(&self.functions)
    }

    pub(crate) const fn functions(&self) -> &HashSet<FunctionName> {
        &self.functions
    }

    /// Looks for calls in a run.
    pub fn learn(&mut self, run: &Run) {
        if self.functions.is_empty() {
            return;
        }
        let mut calls = Vec::new();
        for target in &run.targets {
            for column in &target.columns {
                if let Some(function) = function_of(run, column).filter(|name| self.functions.contains(name))
                {
                    calls.push(Call {
                        dataset: target.dataset.clone(),
                        column: column.name.clone(),
                        function,
                        is_influenced: !column.influences.is_empty(),
                    });
                }
            }
        }
        if !calls.is_empty() {
            self.of_runs.insert(run.key.clone(), calls);
        }
    }

    /// Did the step go through one of some functions?
    pub(crate) fn is_passed(&self, ground: &Ground<'_>, step: TagStep, functions: &[FunctionName]) -> bool {
        let graph = ground.graph;
        let counts = |call: &&Call| {
            functions.contains(&call.function) && (ground.edges == EdgeFilter::Direct || !call.is_influenced)
        };
        if self.of_runs.is_empty() || functions.is_empty() {
            return false;
        }
        let Some(calls) = self.of_runs.get(&graph.run_key(step.run)) else { return false };
        calls.iter().filter(counts).any(|call| {
            graph.dataset_written_by(&call.dataset, step.run) == Some(step.to.dataset)
                && graph.column_written_by(step.to.dataset, &call.column, step.run) == step.to.column
        })
    }
}

/// The function that a column of a run is the result of, and of nothing else.
pub(crate) fn function_of(run: &Run, column: &TargetColumn) -> Option<FunctionName> {
    let function = called_as_a_whole(column.expression.as_deref()?)?;
    writes_once(&run.context.statement).then_some(function)
}

/// Where several branches write one column, its expression is that of one of them.
fn writes_once(statement: &str) -> bool {
    let mut lexer = Lexer::new(statement);
    let mut writes = 0;
    loop {
        match lexer.next_token().kind {
            TokenKind::Eof => return writes <= 1,
            TokenKind::Keyword(Keyword::Insert | Keyword::Update | Keyword::Merge) => writes += 1,
            _ => {}
        }
    }
}

/// The function of an expression that is one call as a whole.
pub(crate) fn called_as_a_whole(expression: &str) -> Option<FunctionName> {
    let mut lexer = Lexer::new(expression);
    let mut parts: Vec<Name> = Vec::new();
    loop {
        let token = lexer.next_token();
        let text = expression.get(token.span.start as usize..token.span.end as usize)?;
        parts.push(match token.kind {
            TokenKind::QuotedIdentifier => Name::fold(text.trim_matches('`')),
            TokenKind::Identifier | TokenKind::Keyword(_) => Name::fold(text),
            _ => return None,
        });
        match lexer.next_token().kind {
            TokenKind::Dot => {}
            TokenKind::LeftParenthesis => break,
            _ => return None,
        }
    }
    let mut depth = 1_u32;
    while depth > 0 {
        match lexer.next_token().kind {
            TokenKind::Eof => return None,
            TokenKind::LeftParenthesis => depth += 1,
            TokenKind::RightParenthesis => depth -= 1,
            _ => {}
        }
    }
    let is_whole = lexer.next_token().kind == TokenKind::Eof;
    let mut parts = parts.into_iter();
    let name = match (parts.next(), parts.next(), parts.next()) {
        (Some(function), None, _) => (None, function),
        (Some(database), Some(function), None) => (Some(database), function),
        _ => return None,
    };
    is_whole.then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_call_as_a_whole_ends_a_tag() {
        let called =
            |database: &str, function: &str| Some((Some(Name::fold(database)), Name::fold(function)));
        assert_eq!(called_as_a_whole("util.hash_id(ssn)"), called("util", "hash_id"));
        assert_eq!(called_as_a_whole("`Util` . Hash_Id ( concat(a, ')', b) )"), called("util", "hash_id"));
        assert_eq!(called_as_a_whole("sha2(ssn, 256)"), Some((None, "sha2".into())));
        for expression in [
            "util.hash_id(ssn) || ssn",
            "util.hash_id(ssn), ssn",
            "concat(util.hash_id(a), a) + 1",
            "(util.hash_id(ssn))",
            "a.b.c(ssn)",
            "ssn",
            "util.hash_id",
            "util.hash_id(ssn",
            "'util'.hash_id(ssn)",
            "",
        ] {
            assert_eq!(called_as_a_whole(expression), None, "{expression}");
        }
    }

    #[test]
    fn several_writes_share_an_expression() {
        assert!(writes_once("INSERT INTO d SELECT f(a) FROM t"));
        assert!(writes_once("CREATE TABLE d AS SELECT f(a), 'insert update' FROM t"));
        assert!(!writes_once("FROM t INSERT INTO d SELECT f(a) INSERT INTO d SELECT a"));
        assert!(!writes_once(
            "MERGE INTO d USING t ON d.a = t.a WHEN NOT MATCHED THEN INSERT VALUES (f(t.a))"
        ));
    }
}
