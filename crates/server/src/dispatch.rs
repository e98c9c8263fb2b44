//! The way of every call: a place is found for it, who calls is known and let through, then it is answered in time.

use std::sync::Arc;
use std::task::Poll;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::extract::RawPathParams;
use axum::extract::{Request, State};
use axum::http::header::{ALLOW, CACHE_CONTROL, HeaderName, X_CONTENT_TYPE_OPTIONS};
use axum::http::{HeaderValue, Method, Response, StatusCode};
use axum::routing::{MethodFilter, MethodRouter, on};
use bytes::Bytes;
use smol_str::{SmolStr, format_smolstr};

use crate::endpoint::{Access, Call, Endpoint, Input, Need, Sent, Work};
use crate::identity::{self, Peer};
use crate::metrics::CallMetrics;
use crate::problem::Problem;
use crate::service::Service;
use crate::stated;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// Of what somebody sends whom nobody knows yet.
const STRANGERS_BYTES: usize = 64 << 10;
/// Of an id that a caller states.
const LONGEST_ID: usize = 64;

/// The router of some endpoints.
pub(crate) fn router(service: Arc<Service>, endpoints: Vec<Endpoint>) -> Router {
    let mut router: Router<Arc<Service>> = Router::new();
    let mut methods: std::collections::BTreeMap<&'static str, Vec<Method>> =
        std::collections::BTreeMap::new();
    for endpoint in endpoints {
        methods.entry(endpoint.path).or_default().push(endpoint.method.clone());
        router = router.route(endpoint.path, route(&service, endpoint));
    }
    for (path, known) in methods {
        let allow = known.iter().map(Method::as_str).collect::<Vec<_>>().join(", ");
        router = router
            .route(path, MethodRouter::new().fallback(move |request| wrong_method(request, allow.clone())));
    }
    router.fallback(nothing_there).with_state(service)
}

fn route(service: &Service, endpoint: Endpoint) -> MethodRouter<Arc<Service>> {
    let counted = service.metrics.of(&endpoint);
    let filter = MethodFilter::try_from(endpoint.method.clone()).unwrap_or(MethodFilter::GET);
    let endpoint = Arc::new(endpoint);
    on(filter, move |State(service): State<Arc<Service>>, path_parts: RawPathParams, request: Request| {
        let (endpoint, counted) = (endpoint.clone(), counted.clone());
        async move { answered(service, &endpoint, &counted, &path_parts, request).await }
    })
}

async fn answered(
    service: Arc<Service>,
    endpoint: &Endpoint,
    counted: &CallMetrics,
    path_parts: &RawPathParams,
    request: Request,
) -> Response<Body> {
    let started = Instant::now();
    let id = request_id(&request);
    let answer = answer(&service, endpoint, path_parts, request).await;
    let response = answer.unwrap_or_else(|problem| {
        if problem.status.is_server_error() && problem.retry_after.is_none() {
            tracing::error!(request_id = %id, endpoint = ?endpoint, code = &*problem.code, detail = &*problem.detail, "a call failed");
        }
        problem.into_response(&id)
    });
    let took = started.elapsed();
    let status = response.status().as_u16();
    counted.count(status, took);
    tracing::debug!(request_id = %id, endpoint = ?endpoint, status, took_us = took.as_micros(), "answered");
    named(response, &id)
}

/// With what every answer says.
fn named(mut response: Response<Body>, id: &str) -> Response<Body> {
    let headers = response.headers_mut();
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    if let Ok(id) = HeaderValue::from_str(id) {
        headers.insert(REQUEST_ID, id);
    }
    response
}

async fn answer(
    service: &Arc<Service>,
    endpoint: &Endpoint,
    path_parts: &RawPathParams,
    request: Request,
) -> Result<Response<Body>, Problem> {
    let (mut parts, body) = request.into_parts();
    let peer = parts.extensions.remove::<Peer>().unwrap_or(Peer { address: None, certificate_name: None });
    let proxy = service.options.trusted_proxy.as_ref();
    let caller = identity::caller(&parts, &peer, &service.accounts.known(), proxy, service.now())?;
    endpoint.access.admit(&caller)?;
    if endpoint.need == Need::Writing {
        service.admit_changes()?;
    }
    let client = peer.address.map(|address| format_smolstr!("{address}")).unwrap_or_default();
    let (whole, stream) = match endpoint.input {
        Input::Json(_) => (arrived(service, endpoint, body).await?, Body::empty()),
        Input::Nothing | Input::Query(_) | Input::Lines(_) => (Bytes::new(), body),
    };
    let place = service.places.enter(endpoint.work)?;
    let call = Call { service: service.clone(), caller, headers: parts.headers, client };
    let sent = Sent {
        path_parts: path_parts.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
        query: parts.uri.query().unwrap_or_default().to_owned(),
        whole,
        stream,
    };
    let limits = service.options.limits;
    let answering = (endpoint.answer)(call, sent);
    let answer = match endpoint.work {
        Work::Quick => in_time(limits.quick_time + limits.body_time, answering).await,
        Work::Long => {
            let longest = limits.long_time + limits.body_time;
            let work = service.long_work.spawn(async move { in_time(longest, answering).await });
            work.await.unwrap_or_else(|_| {
                Err(Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "broken", "the answer broke off"))
            })
        }
    };
    drop(place);
    let mut answer = answer?;
    *answer.status_mut() = endpoint.status;
    Ok(answer)
}

/// What is sent, once it has arrived: while it does it keeps no place from others, and what is there already needs none to
/// wait in. Of whom nobody knows little is taken, and from few at once.
async fn arrived(service: &Service, endpoint: &Endpoint, body: Body) -> Result<Bytes, Problem> {
    let limits = service.options.limits;
    let is_known = endpoint.access != Access::Anyone;
    let most_bytes = if is_known { limits.body_bytes } else { limits.body_bytes.min(STRANGERS_BYTES) };
    let mut reading = std::pin::pin!(stated::body(body, most_bytes, limits.body_time));
    let read = std::future::poll_fn(|context| Poll::Ready(reading.as_mut().poll(context))).await;
    if let Poll::Ready(read) = read {
        return read;
    }
    let _place = service.places.receive(is_known)?;
    reading.await
}

async fn in_time<T>(longest: Duration, work: impl Future<Output = Result<T, Problem>>) -> Result<T, Problem> {
    tokio::time::timeout(longest, work).await.unwrap_or_else(|_| {
        Err(Problem::busy("took-too-long", "no answer was found in time", Duration::from_secs(1)))
    })
}

/// The id that a caller gave, where it is a short word, or a new one.
fn request_id(request: &Request) -> SmolStr {
    let stated = request.headers().get(&REQUEST_ID).and_then(|id| id.to_str().ok());
    let is_word = |id: &&str| {
        !id.is_empty()
            && id.len() <= LONGEST_ID
            && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
    };
    stated.filter(is_word).map_or_else(new_id, SmolStr::new)
}

/// Ids tell calls of a server apart, and of servers by chance; nobody has to be unable to guess them.
fn new_id() -> SmolStr {
    use std::hash::{BuildHasher as _, RandomState};
    use std::sync::LazyLock;
    use std::sync::atomic::{AtomicU64, Ordering};
    static PROCESS: LazyLock<u64> = LazyLock::new(|| RandomState::new().hash_one(std::process::id()) >> 32);
    static COUNT: AtomicU64 = AtomicU64::new(0);
    format_smolstr!("{:08x}-{:x}", *PROCESS, COUNT.fetch_add(1, Ordering::Relaxed))
}

async fn nothing_there(request: Request) -> Response<Body> {
    let id = request_id(&request);
    let problem = Problem::not_found(format!("there is no `{}`", shown_path(&request)));
    let problem = problem.with_hint("`/api/v1/openapi.json` lists what there is");
    named(problem.into_response(&id), &id)
}

async fn wrong_method(request: Request, allow: String) -> Response<Body> {
    let id = request_id(&request);
    let detail = format!("`{}` is not for `{}`", shown_path(&request), request.method());
    let problem = Problem::new(StatusCode::METHOD_NOT_ALLOWED, "wrong-method", detail);
    let mut response = problem.with_hint(format!("it is for {allow}")).into_response(&id);
    if let Ok(allow) = HeaderValue::from_str(&allow) {
        response.headers_mut().insert(ALLOW, allow);
    }
    named(response, &id)
}

/// As much of it as a message shows.
fn shown_path(request: &Request) -> String {
    request.uri().path().chars().take(200).collect()
}
