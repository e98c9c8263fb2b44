//! What a call states, read: its query, its body, a line of a stream. Each is bounded before it is held.

use std::time::Duration;

use axum::body::Body;
use axum::http::header::{CONTENT_ENCODING, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
use bytes::Bytes;
use guardbee_model::plain_words;
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use serde::de::DeserializeOwned;

use crate::problem::Problem;

const LONGEST_DRAIN: Duration = Duration::from_secs(1);

/// The whole body of a call.
///
/// # Errors
/// The problem of one that is too large, too slow, or breaks off.
pub async fn body(mut body: Body, most_bytes: usize, longest: Duration) -> Result<Bytes, Problem> {
    let all = Limited::new(&mut body, most_bytes).collect();
    let slow =
        |_| Problem::new(StatusCode::REQUEST_TIMEOUT, "too-slow", "what was sent did not arrive in time");
    let collected = match tokio::time::timeout(longest, all).await.map_err(slow)? {
        Ok(collected) => collected,
        Err(error) if error.is::<LengthLimitError>() => {
            drain(body, most_bytes).await;
            return Err(too_large(most_bytes));
        }
        Err(_) => return Err(Problem::malformed("what was sent broke off")),
    };
    Ok(collected.to_bytes())
}

/// Lets some of the rest of a body go by: where the connection ended with it unread, its client might not see the answer.
async fn drain(mut body: Body, most_bytes: usize) {
    let mut left = most_bytes;
    let passing = async {
        while let Some(Ok(frame)) = body.frame().await {
            let length = frame.data_ref().map_or(0, Bytes::len);
            match left.checked_sub(length) {
                Some(rest) => left = rest,
                None => break,
            }
        }
    };
    let _ = tokio::time::timeout(LONGEST_DRAIN, passing).await;
}

/// A body of JSON.
///
/// # Errors
/// The problem of one that is none, or not of the documented shape.
pub fn json<T: DeserializeOwned>(headers: &HeaderMap, body: &[u8]) -> Result<T, Problem> {
    admit(headers, "application/json", "not-json")?;
    object(body)?;
    serde_json::from_slice(body).map_err(|error| of_json(&error))
}

/// One line of a stream.
///
/// # Errors
/// The problem of one that is no JSON, or not of the documented shape.
pub fn line<T: DeserializeOwned>(line: &[u8]) -> Result<T, Problem> {
    object(line)?;
    serde_json::from_slice(line).map_err(|error| of_json(&error))
}

/// All that is taken are objects. Read into a shape, an array would be taken for one whose fields stand in its order.
fn object(text: &[u8]) -> Result<(), Problem> {
    match text.trim_ascii_start().first() {
        Some(b'[') => Err(Problem::senseless("wrong-shape", "an array is sent where an object is asked for")
            .with_hint("`/api/v1/openapi.json` says what it should look like")),
        _ => Ok(()),
    }
}

/// Is what is sent a stream of lines? A page of elsewhere can send neither that nor JSON without being asked first.
///
/// # Errors
/// The problem of something else.
pub fn admit_lines(headers: &HeaderMap) -> Result<(), Problem> {
    admit(headers, "application/x-ndjson", "not-lines")
}

fn admit(headers: &HeaderMap, expected: &str, code: &'static str) -> Result<(), Problem> {
    let unsupported = |code, detail: String| Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, code, detail);
    if let Some(encoding) = headers.get(CONTENT_ENCODING).filter(|encoding| *encoding != "identity") {
        let detail = format!("what is sent may not be compressed, as `{}`", encoding.to_str().unwrap_or("?"));
        return Err(unsupported("compressed", detail));
    }
    let stated = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let media_type = stated.split(';').next().unwrap_or_default().trim();
    if media_type.eq_ignore_ascii_case(expected) {
        return Ok(());
    }
    Err(unsupported(code, format!("what is sent has to be `Content-Type: {expected}`")))
}

/// What is wrong with a text that should be JSON of a shape.
#[must_use]
pub fn of_json(error: &serde_json::Error) -> Problem {
    let problem = match error.classify() {
        serde_json::error::Category::Data => {
            Problem::senseless("wrong-shape", plain_words(&error.to_string()))
        }
        _ => Problem::malformed(format!("that is no JSON: {error}")),
    };
    problem.with_hint("`/api/v1/openapi.json` says what it should look like")
}

/// The parts of the path and the query of a call.
///
/// # Errors
/// The problem of a query that is not of the documented shape.
pub fn query<T: DeserializeOwned>(path_parts: &[(String, String)], query: &str) -> Result<T, Problem> {
    let stated = |text: &str| {
        serde_html_form::from_str(text).map_err(|error| {
            Problem::malformed(format!("the query cannot be read: {}", plain_words(&error.to_string())))
                .with_hint("`/api/v1/openapi.json` says what it should look like")
        })
    };
    if path_parts.is_empty() {
        return stated(query);
    }
    let mut all = form_urlencoded::Serializer::new(String::new());
    all.extend_pairs(path_parts);
    all.extend_pairs(form_urlencoded::parse(query.as_bytes()));
    stated(&all.finish())
}

pub fn too_large(most_bytes: usize) -> Problem {
    let detail = format!("what was sent is larger than {most_bytes} bytes");
    Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "too-large", detail)
        .with_hint("send it in parts, or as a stream of lines")
}
