//! The lines of a body that is a stream, each within a bound, as they arrive.

use std::collections::VecDeque;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, BodyDataStream};
use bytes::{Bytes, BytesMut};
use futures_util::Stream;

use crate::options::Limits;
use crate::problem::Problem;
use crate::stated;

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

    fn take(&mut self, chunk: &[u8]) {
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
                Poll::Ready(Some(Ok(chunk))) => self.take(&chunk),
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
