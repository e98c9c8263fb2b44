//! The lines of a body that is a stream, each within a bound, as they arrive.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, BodyDataStream};
use bytes::{Bytes, BytesMut};
use futures_util::{Stream, StreamExt as _};
use guardbee_wire::check::Problem as WrittenProblem;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::options::Limits;
use crate::problem::Problem;
use crate::stated;

/// An answer a line, one after the other. A line that has no answer says why; the others go on.
pub fn answered<B, A, R, F>(
    body: Body,
    limits: Limits,
    answer: impl Fn(B) -> F + Send + Sync + Clone + 'static,
) -> Body
where
    B: DeserializeOwned + Send,
    A: Into<R> + Send,
    R: From<WrittenProblem> + Serialize,
    F: Future<Output = Result<A, Problem>> + Send,
{
    let answers = Lines::of(body, limits).then(move |line| {
        let answer = answer.clone();
        async move {
            let answered = match line.and_then(|line| stated::line(&line)) {
                Ok(asked) => answer(asked).await,
                Err(problem) => Err(problem),
            };
            let mut text = serde_json::to_vec(&among_many::<A, R>(answered)).unwrap_or_default();
            text.push(b'\n');
            Ok::<_, Infallible>(Bytes::from(text))
        }
    });
    Body::from_stream(answers)
}

/// An answer of a batch. What is wrong with one question does not keep the others from being answered.
///
/// # Errors
/// The problem, where it is the service that something is wrong with.
pub fn in_batch<A: Into<R>, R: From<WrittenProblem>>(answer: Result<A, Problem>) -> Result<R, Problem> {
    match answer {
        Err(problem) if problem.status.is_server_error() => Err(problem),
        answer => Ok(among_many(answer)),
    }
}

fn among_many<A: Into<R>, R: From<WrittenProblem>>(answer: Result<A, Problem>) -> R {
    answer.map_or_else(|problem| R::from(problem.into()), Into::into)
}

/// The lines of a body; empty ones are left out. One that is too long is a problem in its place, and the end.
pub struct Lines {
    body: BodyDataStream,
    /// What has arrived of the line that is not whole.
    begun: BytesMut,
    whole: VecDeque<Bytes>,
    longest: usize,
    is_over: bool,
}

impl Lines {
    #[must_use]
    pub fn of(body: Body, limits: Limits) -> Self {
        Self {
            body: body.into_data_stream(),
            begun: BytesMut::new(),
            whole: VecDeque::new(),
            longest: limits.line_bytes,
            is_over: false,
        }
    }

    fn take_chunk(&mut self, chunk: &[u8]) {
        let mut rest = chunk;
        while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
            let (line, after) = rest.split_at(end);
            self.begun.extend_from_slice(line);
            self.end_line();
            rest = after.get(1..).unwrap_or_default();
        }
        self.begun.extend_from_slice(rest);
    }

    fn end_line(&mut self) {
        let line = self.begun.split().freeze();
        if !line.trim_ascii().is_empty() {
            self.whole.push_back(line);
        }
    }
}

impl Stream for Lines {
    type Item = Result<Bytes, Problem>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            if let Some(line) = self.whole.pop_front() {
                if line.len() > self.longest {
                    self.is_over = true;
                    self.whole.clear();
                    return Poll::Ready(Some(Err(stated::too_large(self.longest))));
                }
                return Poll::Ready(Some(Ok(line)));
            }
            if self.is_over {
                return Poll::Ready(None);
            }
            if self.begun.len() > self.longest {
                self.is_over = true;
                return Poll::Ready(Some(Err(stated::too_large(self.longest))));
            }
            match Pin::new(&mut self.body).poll_next(context) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(Some(Ok(chunk))) => self.take_chunk(&chunk),
                Poll::Ready(Some(Err(_))) => {
                    self.is_over = true;
                    return Poll::Ready(Some(Err(Problem::malformed("what was sent broke off"))));
                }
                Poll::Ready(None) => {
                    self.is_over = true;
                    self.end_line();
                }
            }
        }
    }
}
