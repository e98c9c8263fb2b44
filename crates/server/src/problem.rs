//! What a caller is told when a call fails: a problem as RFC 9457 writes them, with a stable code.

use std::borrow::Cow;
use std::time::Duration;

use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderValue, Response, StatusCode};
use guardbee_engine::EngineError;
use guardbee_engine::store::StoreError;
use guardbee_questions::Unanswered;
use guardbee_wire::policy::TextProblem;
use schemars::JsonSchema;
use serde::Serialize;

/// Why a call failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    pub status: StatusCode,
    /// Stable: programs match on it.
    pub code: Cow<'static, str>,
    /// What is wrong with this call, in lower case without a full stop.
    pub detail: Box<str>,
    /// What can be done about it.
    pub hint: Option<Box<str>>,
    /// Seconds after which trying again may help.
    pub retry_after: Option<u32>,
    /// Of texts that were to state a policy: everything that is wrong with them.
    pub mistakes: Vec<TextProblem>,
}

/// The same as it is written.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Problem")]
pub struct Written<'p> {
    /// `urn:guardbee:problem:` and the code.
    #[serde(rename = "type")]
    type_uri: String,
    /// The words of HTTP for the status.
    title: &'static str,
    status: u16,
    /// Stable: programs match on it.
    code: &'p str,
    /// What is wrong with this call.
    detail: &'p str,
    /// What can be done about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<&'p str>,
    /// Names the call in the server's log.
    request_id: &'p str,
    /// Seconds after which trying again may help.
    #[serde(skip_serializing_if = "Option::is_none")]
    retry_after: Option<u32>,
    /// Of texts that were to state a policy: everything that is wrong with them.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    mistakes: &'p [TextProblem],
}

impl Problem {
    #[must_use]
    pub fn new(status: StatusCode, code: impl Into<Cow<'static, str>>, detail: impl Into<Box<str>>) -> Self {
        Self {
            status,
            code: code.into(),
            detail: detail.into(),
            hint: None,
            retry_after: None,
            mistakes: Vec::new(),
        }
    }

    /// What was sent cannot be read.
    #[must_use]
    pub fn malformed(detail: impl Into<Box<str>>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "malformed", detail)
    }

    /// What was sent can be read, and makes no sense.
    #[must_use]
    pub fn senseless(code: &'static str, detail: impl Into<Box<str>>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, code, detail)
    }

    #[must_use]
    pub fn not_signed_in() -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "not-signed-in", "the call says not who makes it")
            .with_hint("send a token as `Authorization: Bearer ...`, or sign in")
    }

    #[must_use]
    pub fn not_permitted(detail: impl Into<Box<str>>) -> Self {
        Self::new(StatusCode::FORBIDDEN, "not-permitted", detail)
    }

    #[must_use]
    pub fn not_found(detail: impl Into<Box<str>>) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not-found", detail)
    }

    /// There is too much to do, or something that is needed is away for the moment.
    #[must_use]
    pub fn busy(code: &'static str, detail: impl Into<Box<str>>, after: Duration) -> Self {
        Self {
            retry_after: Some(u32::try_from(after.as_secs()).unwrap_or(u32::MAX).max(1)),
            ..Self::new(StatusCode::SERVICE_UNAVAILABLE, code, detail)
        }
    }

    #[must_use]
    pub fn with_hint(self, hint: impl Into<Box<str>>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }

    /// The answer, with the id of the call in it.
    #[must_use]
    pub fn into_response(self, request_id: &str) -> Response<Body> {
        let written = Written {
            type_uri: format!("urn:guardbee:problem:{}", self.code),
            title: self.status.canonical_reason().unwrap_or("Error"),
            status: self.status.as_u16(),
            code: &self.code,
            detail: &self.detail,
            hint: self.hint.as_deref(),
            request_id,
            retry_after: self.retry_after,
            mistakes: &self.mistakes,
        };
        let mut response = Response::new(Body::from(serde_json::to_vec(&written).unwrap_or_default()));
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if let Some(seconds) = self.retry_after {
            headers.insert(RETRY_AFTER, HeaderValue::from(seconds));
        }
        if self.status == StatusCode::UNAUTHORIZED {
            headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer realm=\"guardbee\""));
        }
        response
    }

    fn of_problem(status: StatusCode, problem: guardbee_engine::Problem) -> Self {
        Self { hint: problem.hint.map(Into::into), ..Self::new(status, problem.code, problem.message) }
    }
}

/// As it stands in the place of an answer among many.
impl From<Problem> for guardbee_wire::check::Problem {
    fn from(problem: Problem) -> Self {
        Self { code: problem.code, message: problem.detail.into(), hint: problem.hint.map(Into::into) }
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        let status = match &error {
            StoreError::Conflict { .. } => StatusCode::CONFLICT,
            StoreError::UnknownVersion(_) => StatusCode::NOT_FOUND,
            StoreError::Unstorable(_) | StoreError::LastAdmin => StatusCode::UNPROCESSABLE_ENTITY,
            StoreError::Full(_) => StatusCode::INSUFFICIENT_STORAGE,
            StoreError::Refused(_)
            | StoreError::ReadOnly(_)
            | StoreError::Unavailable(_)
            | StoreError::Unknown(_) => StatusCode::SERVICE_UNAVAILABLE,
            StoreError::NewerSchema { .. }
            | StoreError::Location(_)
            | StoreError::Foreign(_)
            | StoreError::Damaged(_) => StatusCode::INTERNAL_SERVER_ERROR,
        };
        let problem = Self::new(status, error.code(), error.to_string());
        match status {
            StatusCode::SERVICE_UNAVAILABLE => Self { retry_after: Some(1), ..problem },
            StatusCode::CONFLICT => problem.with_hint("read the policy again, and ask once more"),
            _ => problem,
        }
    }
}

impl From<EngineError> for Problem {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::Store(error) => error.into(),
            EngineError::Change(error) => Self::senseless(error.code(), error.to_string()),
        }
    }
}

impl From<Unanswered> for Problem {
    fn from(unanswered: Unanswered) -> Self {
        match unanswered {
            Unanswered::WrongUse(problem) => Self::of_problem(StatusCode::UNPROCESSABLE_ENTITY, problem),
            Unanswered::NotFound(problem) => Self::of_problem(StatusCode::NOT_FOUND, problem),
            Unanswered::Store { cannot, error } => {
                let problem = Self::from(error);
                Self { detail: format!("cannot {cannot}: {}", problem.detail).into(), ..problem }
            }
            Unanswered::PolicyText(mistakes) => {
                let detail = match mistakes.len() {
                    1 => "one mistake in the policy: nothing was done".to_owned(),
                    count => format!("{count} mistakes in the policy: nothing was done"),
                };
                Self { mistakes, ..Self::senseless("policy-text", detail) }
            }
            Unanswered::Impossible(error) => Self::senseless(error.code(), error.to_string()),
            Unanswered::Refused(problem) => Self::of_problem(StatusCode::CONFLICT, problem),
            Unanswered::NoPolicy(error) => {
                let detail = format!("the store holds what is no policy: {error}");
                Self::new(StatusCode::INTERNAL_SERVER_ERROR, "store-damaged", detail)
            }
        }
    }
}
