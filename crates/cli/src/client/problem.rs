//! Why a service did not answer, as the command line tells it.

use anyhow::anyhow;
use serde::Deserialize;

use crate::policy::source::NoPolicy;
use crate::wire::policy::TextProblem;

/// Why there is no answer.
#[derive(Debug)]
pub enum NotAnswered {
    /// The service says why.
    Problem(Box<Problem>),
    /// It did not come to that.
    Failed(anyhow::Error),
}

/// A problem as RFC 9457 writes them, with what Guardbee adds.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct Problem {
    #[serde(default)]
    pub status: u16,
    #[serde(default)]
    pub code: String,
    #[serde(default)]
    pub detail: String,
    #[serde(default)]
    pub hint: Option<String>,
    #[serde(default)]
    pub request_id: Option<String>,
    #[serde(default)]
    pub mistakes: Vec<TextProblem>,
}

impl Problem {
    /// What an answer says that is none.
    #[must_use]
    pub fn of(status: u16, body: &[u8]) -> Self {
        let told: Self = serde_json::from_slice(body).unwrap_or_default();
        if told.code.is_empty() {
            let detail = format!("the answer has the status {status}, and is none of Guardbee's");
            let hint = Some("is that the address of a `guardbee serve`?".to_owned());
            return Self { status, detail, hint, ..Self::default() };
        }
        Self { status, ..told }
    }

    /// As a failure: with its hint, and with what it has in the server's log.
    #[must_use]
    pub fn failure(&self) -> anyhow::Error {
        let hint = self.hint.as_deref().map(|hint| format!("; {hint}")).unwrap_or_default();
        let code = match (self.code.as_str(), self.request_id.as_deref()) {
            ("", _) => String::new(),
            (code, None) => format!(" ({code})"),
            (code, Some(id)) => format!(" ({code}, request {id})"),
        };
        anyhow!("{}{hint}{code}", self.detail)
    }

    fn hint(&self) -> Option<String> {
        match self.code.as_str() {
            // What a program that calls the service would do is nothing for a terminal.
            "not-signed-in" => Some(
                "`guardbee login` makes a token; `--token-file FILE` or GUARDBEE_TOKEN names one".to_owned(),
            ),
            _ => self.hint.clone(),
        }
    }
}

impl From<anyhow::Error> for NotAnswered {
    fn from(error: anyhow::Error) -> Self {
        Self::Failed(error)
    }
}

impl From<NotAnswered> for NoPolicy {
    fn from(not_answered: NotAnswered) -> Self {
        let problem = match not_answered {
            NotAnswered::Failed(error) => return Self::Failed(error),
            NotAnswered::Problem(problem) => problem,
        };
        let problem = Problem { hint: problem.hint(), ..*problem };
        match (problem.status, problem.code.as_str()) {
            // `not-found` is the address itself.
            (404, "not-found" | "unknown-version" | "") => Self::Failed(problem.failure()),
            (404, _) => Self::NotFound { message: problem.detail, hint: problem.hint },
            (400 | 422, _) => Self::WrongUse(match problem.hint {
                Some(hint) => format!("{}: {hint}", problem.detail),
                None => problem.detail,
            }),
            _ => Self::Failed(problem.failure()),
        }
    }
}

impl From<NotAnswered> for anyhow::Error {
    fn from(not_answered: NotAnswered) -> Self {
        match not_answered {
            NotAnswered::Failed(error) => error,
            NotAnswered::Problem(problem) => Problem { hint: problem.hint(), ..*problem }.failure(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{NotAnswered, Problem};
    use crate::policy::source::NoPolicy;

    #[test]
    fn what_is_no_problem_of_ours_is_told_as_such() {
        let problem = Problem::of(502, b"<html>Bad Gateway</html>");
        let text = problem.failure().to_string();
        assert!(text.contains("502") && text.contains("guardbee serve"), "{text}");
    }

    #[test]
    fn a_problem_is_told_with_hint_code_and_request() {
        let body =
            br#"{"status":503,"code":"busy","detail":"too much to do","hint":"wait","request_id":"r-1"}"#;
        assert_eq!(Problem::of(503, body).failure().to_string(), "too much to do; wait (busy, request r-1)");
    }

    #[test]
    fn problems_end_a_command_as_the_store_would() {
        let ends = |status: u16, code: &str| {
            let problem = Problem { status, code: code.to_owned(), ..Problem::default() };
            NoPolicy::from(NotAnswered::Problem(Box::new(problem)))
        };
        assert!(matches!(ends(404, "unknown-dataset"), NoPolicy::NotFound { .. }));
        assert!(matches!(ends(404, "not-found"), NoPolicy::Failed(_)));
        assert!(matches!(ends(422, "malformed-anchor"), NoPolicy::WrongUse(_)));
        for status in [401, 403, 409, 429, 500, 503, 507] {
            assert!(matches!(ends(status, "any"), NoPolicy::Failed(_)), "{status}");
        }
    }
}
