//! One thing that the service can be asked: its route, who may ask, what it takes and answers.
//!
//! The types of what goes in and out are those of the function that answers, so that what is documented cannot differ
//! from what is done.

use std::fmt;
use std::sync::Arc;

use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, HeaderName};
use axum::http::{HeaderMap, HeaderValue, Method, Response, StatusCode};
use bytes::Bytes;
use futures_util::future::BoxFuture;
use guardbee_engine::accounts::{Permission, Permissions};
use schemars::generate::SchemaGenerator;
use schemars::{JsonSchema, Schema};
use serde::Serialize;
use serde::de::DeserializeOwned;
use smol_str::SmolStr;

use crate::identity::Caller;
use crate::problem::Problem;
use crate::service::Service;
use crate::{lines, stated};

/// Something that the service can be asked.
#[derive(Clone)]
pub struct Endpoint {
    pub method: Method,
    /// With the names of its parts in braces.
    pub path: &'static str,
    pub access: Access,
    /// What it is for, in a few words.
    pub summary: &'static str,
    pub work: Work,
    /// What it needs of the store.
    pub(crate) need: Need,
    pub input: Input,
    pub output: Output,
    /// Of an answer that is no problem.
    pub status: StatusCode,
    pub(crate) answer: Arc<Answering>,
}

pub(crate) type Answering =
    dyn Fn(Call, Sent) -> BoxFuture<'static, Result<Response<Body>, Problem>> + Send + Sync;

/// Who may ask. An account with the permission `admin` may always.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Whoever can reach the port.
    Anyone,
    /// Whoever is signed in, even before a one-time password was changed.
    SignedIn,
    /// Whoever is signed in and has any permission.
    Account,
    /// Whoever has one of these.
    Any(&'static [Permission]),
}

/// How long an answer may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// As long as a decision.
    Quick,
    /// As long as a question that goes through much of what is remembered; does not stand in the way of quick ones.
    Long,
}

/// What an answer needs of the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Need {
    /// What is known here of it, or that it can be read.
    Knowledge,
    /// To change it: nobody is let wait for that while it is away.
    Writing,
}

/// Makes the schema of a type.
pub type SchemaOf = fn(&mut SchemaGenerator) -> Schema;

/// What it takes.
#[derive(Debug, Clone, Copy)]
pub enum Input {
    Nothing,
    /// Parts of the path, and of the query.
    Query(SchemaOf),
    Json(SchemaOf),
    /// Lines of JSON.
    Lines(SchemaOf),
}

/// What it answers, where it does not fail.
#[derive(Debug, Clone, Copy)]
pub enum Output {
    Nothing,
    Json(SchemaOf),
    /// Lines of JSON.
    Lines(SchemaOf),
    /// Text of one of these media types.
    Text(&'static [&'static str]),
}

/// A call, as far as it is the same for all endpoints.
#[derive(Clone)]
pub struct Call {
    pub(crate) service: Arc<Service>,
    pub(crate) caller: Caller,
    pub(crate) headers: HeaderMap,
    /// Where it comes from, as far as that is known.
    pub(crate) client: SmolStr,
}

impl Call {
    /// The same for the audit log.
    pub(crate) fn client(&self) -> Option<SmolStr> {
        (!self.client.is_empty()).then(|| self.client.clone())
    }
}

/// What was sent with a call.
pub struct Sent {
    pub(crate) path_parts: Vec<(String, String)>,
    pub(crate) query: String,
    /// All of a body that is read as a whole.
    pub(crate) whole: Bytes,
    /// A body that is read as it arrives.
    pub(crate) stream: Body,
}

/// An answer, with what goes beside it.
#[derive(Debug)]
pub struct Reply<R> {
    value: R,
    headers: Vec<(HeaderName, HeaderValue)>,
}

impl<R> Reply<R> {
    pub const fn of(value: R) -> Self {
        Self { value, headers: Vec::new() }
    }

    /// A header with a value that can be one; others are left out.
    #[must_use]
    pub fn with_header(mut self, name: HeaderName, value: &str) -> Self {
        if let Ok(value) = HeaderValue::from_str(value) {
            self.headers.push((name, value));
        }
        self
    }

    fn into_response(self, body: impl FnOnce(R) -> (Body, &'static str)) -> Response<Body> {
        let (body, media_type) = body(self.value);
        let mut response = Response::new(body);
        let headers = response.headers_mut();
        if !media_type.is_empty() {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
        }
        headers.extend(self.headers);
        response
    }
}

/// Text of some media type.
#[derive(Debug)]
pub struct Text {
    pub media_type: &'static str,
    pub text: String,
}

impl Endpoint {
    /// A question, asked by the parts of the path and the query.
    pub fn get<Q, R, F>(
        path: &'static str,
        access: Access,
        answer: impl Fn(Call, Q) -> F + Send + Sync + Copy + 'static,
    ) -> Self
    where
        Q: DeserializeOwned + JsonSchema + Send + 'static,
        R: Serialize + JsonSchema + 'static,
        F: Future<Output = Result<Reply<R>, Problem>> + Send + 'static,
    {
        Self::by_query(Method::GET, path, access, Output::Json(schema::<R>), answer, json)
    }

    /// The same with an answer in text.
    pub fn get_text<Q, F>(
        path: &'static str,
        access: Access,
        media_types: &'static [&'static str],
        answer: impl Fn(Call, Q) -> F + Send + Sync + Copy + 'static,
    ) -> Self
    where
        Q: DeserializeOwned + JsonSchema + Send + 'static,
        F: Future<Output = Result<Reply<Text>, Problem>> + Send + 'static,
    {
        Self::by_query(Method::GET, path, access, Output::Text(media_types), answer, text)
    }

    /// Removes what the path names.
    pub fn delete<Q, F>(
        path: &'static str,
        access: Access,
        answer: impl Fn(Call, Q) -> F + Send + Sync + Copy + 'static,
    ) -> Self
    where
        Q: DeserializeOwned + JsonSchema + Send + 'static,
        F: Future<Output = Result<Reply<()>, Problem>> + Send + 'static,
    {
        Self::by_query(Method::DELETE, path, access, Output::Nothing, answer, nothing)
    }

    /// Something to be done, or asked in more words than a query has room for.
    pub fn post<B, R, F>(
        path: &'static str,
        access: Access,
        answer: impl Fn(Call, B) -> F + Send + Sync + Copy + 'static,
    ) -> Self
    where
        B: DeserializeOwned + JsonSchema + Send + 'static,
        R: Serialize + JsonSchema + 'static,
        F: Future<Output = Result<Reply<R>, Problem>> + Send + 'static,
    {
        Self::by_body(Method::POST, path, access, Output::Json(schema::<R>), answer, json)
    }

    /// The same where nothing is answered but that it was done.
    pub fn put<B, F>(
        path: &'static str,
        access: Access,
        answer: impl Fn(Call, B) -> F + Send + Sync + Copy + 'static,
    ) -> Self
    where
        B: DeserializeOwned + JsonSchema + Send + 'static,
        F: Future<Output = Result<Reply<()>, Problem>> + Send + 'static,
    {
        Self::by_body(Method::PUT, path, access, Output::Nothing, answer, nothing)
    }

    /// Lines in, lines out: as many as there are, one after the other.
    pub fn stream<B, A, R, F>(
        path: &'static str,
        access: Access,
        answer: impl Fn(Call, B) -> F + Send + Sync + Copy + 'static,
    ) -> Self
    where
        B: DeserializeOwned + JsonSchema + Send + 'static,
        A: Into<R> + Send,
        R: From<guardbee_wire::check::Problem> + Serialize + JsonSchema + 'static,
        F: Future<Output = Result<A, Problem>> + Send + 'static,
    {
        let (input, output) = (Input::Lines(schema::<B>), Output::Lines(schema::<R>));
        let streamed = Self::new(Method::POST, path, access, input, output, move |call, sent| async move {
            stated::admit_lines(&call.headers)?;
            let limits = call.service.options.limits;
            let answers =
                lines::answered::<B, A, R, F>(sent.stream, limits, move |asked| answer(call.clone(), asked));
            Ok(Reply::of(answers).into_response(|body| (body, "application/x-ndjson")))
        });
        streamed.takes_long()
    }

    fn by_body<B, R, F>(
        method: Method,
        path: &'static str,
        access: Access,
        output: Output,
        answer: impl Fn(Call, B) -> F + Send + Sync + Copy + 'static,
        write: fn(R) -> (Body, &'static str),
    ) -> Self
    where
        B: DeserializeOwned + JsonSchema + Send + 'static,
        R: 'static,
        F: Future<Output = Result<Reply<R>, Problem>> + Send + 'static,
    {
        Self::new(method, path, access, Input::Json(schema::<B>), output, move |call, sent| async move {
            let body = stated::json::<B>(&call.headers, &sent.whole)?;
            Ok(answer(call, body).await?.into_response(write))
        })
    }

    fn by_query<Q, R, F>(
        method: Method,
        path: &'static str,
        access: Access,
        output: Output,
        answer: impl Fn(Call, Q) -> F + Send + Sync + Copy + 'static,
        write: fn(R) -> (Body, &'static str),
    ) -> Self
    where
        Q: DeserializeOwned + JsonSchema + Send + 'static,
        R: 'static,
        F: Future<Output = Result<Reply<R>, Problem>> + Send + 'static,
    {
        Self::new(method, path, access, Input::Query(schema::<Q>), output, move |call, sent| async move {
            let query = stated::query::<Q>(&sent.path_parts, &sent.query)?;
            Ok(answer(call, query).await?.into_response(write))
        })
    }

    fn new<F>(
        method: Method,
        path: &'static str,
        access: Access,
        input: Input,
        output: Output,
        answer: impl Fn(Call, Sent) -> F + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output = Result<Response<Body>, Problem>> + Send + 'static,
    {
        Self {
            method,
            path,
            access,
            summary: "",
            work: Work::Quick,
            need: Need::Knowledge,
            input,
            output,
            status: output.status(),
            answer: Arc::new(move |call, sent| Box::pin(answer(call, sent))),
        }
    }

    #[must_use]
    pub const fn says(mut self, summary: &'static str) -> Self {
        self.summary = summary;
        self
    }

    /// It makes something.
    #[must_use]
    pub const fn makes(mut self) -> Self {
        self.status = StatusCode::CREATED;
        self
    }

    /// It changes what is in the store.
    #[must_use]
    pub const fn changes(mut self) -> Self {
        self.need = Need::Writing;
        self
    }

    #[must_use]
    pub const fn takes_long(mut self) -> Self {
        self.work = Work::Long;
        self
    }
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.method, self.path)
    }
}

impl Output {
    const fn status(self) -> StatusCode {
        match self {
            Self::Nothing => StatusCode::NO_CONTENT,
            Self::Json(_) | Self::Lines(_) | Self::Text(_) => StatusCode::OK,
        }
    }
}

impl Access {
    /// Lets a caller through.
    ///
    /// # Errors
    /// The problem that a caller has who may not.
    pub(crate) fn admit(self, caller: &Caller) -> Result<(), Problem> {
        let held = match self {
            Self::Anyone => return Ok(()),
            _ if !caller.is_known() => return Err(Problem::not_signed_in()),
            Self::SignedIn => return Ok(()),
            _ if caller.must_change_password => {
                return Err(Problem::not_permitted("the one-time password has to be changed first")
                    .with_hint("send the new one to `/api/v1/password`"));
            }
            Self::Account => !caller.permissions.is_empty(),
            Self::Any(permissions) => {
                permissions.iter().any(|permission| caller.permissions.has(*permission))
            }
        };
        if held || caller.permissions.has(Permission::Admin) {
            return Ok(());
        }
        Err(Problem::not_permitted(format!("that takes {}", self)))
    }

    /// The permissions that let through, `admin` left out.
    #[must_use]
    pub fn permissions(self) -> Permissions {
        match self {
            Self::Anyone | Self::SignedIn | Self::Account => Permission::ALL.into_iter().collect(),
            Self::Any(permissions) => permissions.iter().copied().collect(),
        }
    }
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Anyone => f.write_str("nothing"),
            Self::SignedIn | Self::Account => f.write_str("an account"),
            Self::Any([]) => write!(f, "the permission `{}`", Permission::Admin),
            Self::Any(permissions) => {
                let names: Vec<String> = permissions.iter().map(|one| format!("`{one}`")).collect();
                write!(f, "the permission {} or `{}`", names.join(", "), Permission::Admin)
            }
        }
    }
}

fn schema<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

fn json<R: Serialize>(value: R) -> (Body, &'static str) {
    (Body::from(Bytes::from(serde_json::to_vec(&value).unwrap_or_default())), "application/json")
}

fn text(value: Text) -> (Body, &'static str) {
    (Body::from(value.text), value.media_type)
}

fn nothing((): ()) -> (Body, &'static str) {
    (Body::empty(), "")
}
