//! How long a connection is waited for: until the headers of a call that has begun are whole, and between calls.
//!
//! The two differ: a client that keeps its connection for later says nothing for minutes, one that is slow with its
//! headers keeps a place from others. What is read of a body has a bound of its own.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep};

/// Is a call being answered on the connection? Whoever answers says so.
#[derive(Debug, Clone, Default)]
pub struct Answering(Arc<AtomicBool>);

impl Answering {
    /// The headers are whole.
    pub fn begin(&self) {
        self.0.store(true, Ordering::Release);
    }

    /// The answer is there.
    pub fn end(&self) {
        self.0.store(false, Ordering::Release);
    }

    fn is_under_way(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

/// A stream that ends with an error where its client takes too long.
pub struct Patient<S> {
    stream: S,
    answering: Answering,
    headers: Duration,
    idle: Duration,
    phase: Phase,
    deadline: Instant,
    /// Set to some moment, and set anew only where it is needed: most calls arrive whole, and need no alarm.
    alarm: Pin<Box<Sleep>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Something of the headers has arrived, or ought to soon.
    Headers,
    Answering,
    Idle,
}

impl<S> Patient<S> {
    pub fn new(stream: S, answering: Answering, headers: Duration, idle: Duration) -> Self {
        // Whoever connects has something to say.
        let deadline = Instant::now() + headers;
        let alarm = Box::pin(tokio::time::sleep_until(deadline));
        Self { stream, answering, headers, idle, phase: Phase::Headers, deadline, alarm }
    }

    /// Something has arrived.
    fn arrived(&mut self) {
        if self.phase != Phase::Headers && !self.answering.is_under_way() {
            self.phase = Phase::Headers;
            self.deadline = Instant::now() + self.headers;
        }
    }

    /// Nothing has arrived: is it too late?
    fn poll_late(&mut self, context: &mut Context<'_>) -> Poll<io::Error> {
        if self.answering.is_under_way() {
            self.phase = Phase::Answering;
            return Poll::Pending;
        }
        if self.phase == Phase::Answering {
            self.phase = Phase::Idle;
            self.deadline = Instant::now() + self.idle;
        }
        let deadline = self.deadline;
        if deadline < self.alarm.deadline() {
            self.alarm.as_mut().reset(deadline);
        }
        while self.alarm.as_mut().poll(context).is_ready() {
            if deadline <= Instant::now() {
                return Poll::Ready(io::Error::from(io::ErrorKind::TimedOut));
            }
            self.alarm.as_mut().reset(deadline);
        }
        Poll::Pending
    }

    /// An answer is being taken: who takes it is not idle.
    fn written(&mut self) {
        if self.phase == Phase::Idle {
            self.deadline = Instant::now() + self.idle;
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Patient<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match Pin::new(&mut self.stream).poll_read(context, buffer) {
            Poll::Ready(read) => {
                self.arrived();
                Poll::Ready(read)
            }
            Poll::Pending => self.poll_late(context).map(Err),
        }
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Patient<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.written();
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.written();
        Pin::new(&mut self.stream).poll_write_vectored(context, bytes)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, duplex};

    use super::*;

    const HEADERS: Duration = Duration::from_secs(10);
    const IDLE: Duration = Duration::from_secs(300);

    async fn read(stream: &mut Patient<tokio::io::DuplexStream>) -> io::Result<usize> {
        stream.read(&mut [0; 16]).await
    }

    #[tokio::test(start_paused = true)]
    async fn headers_that_never_end_are_not_waited_for() {
        let (mut client, server) = duplex(64);
        let mut stream = Patient::new(server, Answering::default(), HEADERS, IDLE);
        let started = Instant::now();
        client.write_all(b"GET /").await.unwrap();
        assert_eq!(read(&mut stream).await.unwrap(), 5);
        // A byte now and then buys no time.
        tokio::time::sleep(Duration::from_secs(6)).await;
        client.write_all(b"x").await.unwrap();
        assert_eq!(read(&mut stream).await.unwrap(), 1);
        assert_eq!(read(&mut stream).await.unwrap_err().kind(), io::ErrorKind::TimedOut);
        assert!(started.elapsed() < HEADERS + Duration::from_secs(1), "{:?}", started.elapsed());
    }

    #[tokio::test(start_paused = true)]
    async fn who_is_idle_between_calls_is_waited_for_longer() {
        let (mut client, server) = duplex(64);
        let answering = Answering::default();
        let mut stream = Patient::new(server, answering.clone(), HEADERS, IDLE);
        client.write_all(b"GET /").await.unwrap();
        read(&mut stream).await.unwrap();
        answering.begin();
        // However long the answer takes.
        assert!(tokio::time::timeout(IDLE * 2, read(&mut stream)).await.is_err());
        answering.end();
        let ended = Instant::now();
        assert!(tokio::time::timeout(HEADERS * 2, read(&mut stream)).await.is_err());
        // The next call has its own time for headers.
        client.write_all(b"GET").await.unwrap();
        read(&mut stream).await.unwrap();
        assert_eq!(read(&mut stream).await.unwrap_err().kind(), io::ErrorKind::TimedOut);
        assert!(ended.elapsed() < HEADERS * 4, "{:?}", ended.elapsed());
    }

    #[tokio::test(start_paused = true)]
    async fn nobody_is_idle_for_ever() {
        let (mut client, server) = duplex(64);
        let answering = Answering::default();
        let mut stream = Patient::new(server, answering.clone(), HEADERS, IDLE);
        client.write_all(b"GET /").await.unwrap();
        read(&mut stream).await.unwrap();
        answering.begin();
        assert!(tokio::time::timeout(HEADERS, read(&mut stream)).await.is_err());
        answering.end();
        let ended = Instant::now();
        assert_eq!(read(&mut stream).await.unwrap_err().kind(), io::ErrorKind::TimedOut);
        assert!(ended.elapsed() >= IDLE, "{:?}", ended.elapsed());
    }
}
