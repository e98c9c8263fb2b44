//! Connections: taken in within a bound, encrypted where that is asked for, served until they end or the server stops.
//!
//! A client that is slow with its headers is sent away, and so is one that never finishes the greeting of TLS; one that
//! says nothing between calls costs a few kilobytes, for some minutes.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use hyper_util::server::graceful::GracefulShutdown;
use smol_str::SmolStr;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_rustls::TlsAcceptor;
use tower_service::Service as _;

use crate::identity::Peer;
use crate::options::Limits;
use crate::patience::{Answering, Patient};
use crate::service::Service;
use crate::tls;

/// The greeting of TLS has to be over within this.
const GREETING: Duration = Duration::from_secs(10);
/// Where no connection can be taken in, as when there are no files left, it is tried again after so long.
const PAUSE: Duration = Duration::from_millis(50);

/// Takes in connections and serves them.
pub(crate) struct Connections {
    pub router: Router,
    pub service: Arc<Service>,
    pub acceptor: Option<TlsAcceptor>,
}

impl Connections {
    /// Serves until told to stop, and then what is being answered, for a while.
    pub async fn serve(self, listener: TcpListener, stop: impl Future<Output = ()>, longest_stop: Duration) {
        let limits = self.service.options.limits;
        let places = Arc::new(Semaphore::new(limits.connections));
        let connections = Arc::new(self);
        let graceful = GracefulShutdown::new();
        let mut stop = std::pin::pin!(stop);
        loop {
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                () = &mut stop => break,
            };
            let (stream, address) = match accepted {
                Ok(accepted) => accepted,
                Err(error) => {
                    tracing::warn!(%error, "a connection cannot be taken in");
                    tokio::time::sleep(PAUSE).await;
                    continue;
                }
            };
            let Ok(place) = places.clone().try_acquire_owned() else {
                connections.service.metrics.refused_connections.inc();
                continue;
            };
            let (connections, watcher) = (connections.clone(), graceful.watcher());
            tokio::spawn(async move {
                let _place = place;
                connections.service.metrics.connections.inc();
                connections.one(stream, address, watcher).await;
                connections.service.metrics.connections.dec();
            });
        }
        drop(listener);
        if tokio::time::timeout(longest_stop, graceful.shutdown()).await.is_err() {
            tracing::warn!("some calls were not answered before the server stopped");
        }
    }

    async fn one(
        &self,
        stream: TcpStream,
        address: SocketAddr,
        watcher: hyper_util::server::graceful::Watcher,
    ) {
        // Answers are written at once; waiting for more to send helps nobody.
        let _ = stream.set_nodelay(true);
        let mut peer = Peer { address: Some(address.ip().to_canonical()), certificate_name: None };
        let ended = match &self.acceptor {
            None => self.http(stream, peer, watcher).await,
            Some(acceptor) => {
                let greeted = tokio::time::timeout(GREETING, acceptor.accept(stream)).await;
                let stream = match greeted {
                    Ok(Ok(stream)) => stream,
                    Ok(Err(error)) => return refused(address, &error),
                    Err(_) => return refused(address, &io::Error::from(io::ErrorKind::TimedOut)),
                };
                let shown = stream.get_ref().1.peer_certificates().and_then(<[_]>::first);
                peer.certificate_name = shown.and_then(tls::common_name).map(SmolStr::from);
                self.http(stream, peer, watcher).await
            }
        };
        if let Err(error) = ended {
            tracing::debug!(%address, %error, "a connection ended");
        }
    }

    async fn http<S: AsyncRead + AsyncWrite + Unpin + Send + 'static>(
        &self,
        stream: S,
        peer: Peer,
        watcher: hyper_util::server::graceful::Watcher,
    ) -> Result<(), hyper::Error> {
        let limits = self.service.options.limits;
        let answering = Answering::default();
        let stream = Patient::new(stream, answering.clone(), limits.header_time, limits.idle_time);
        let answer = service_fn(|request: hyper::Request<Incoming>| {
            answering.begin();
            let mut request: Request = request.map(axum::body::Body::new);
            request.extensions_mut().insert(peer.clone());
            let answered = self.router.clone().call(request);
            let answering = answering.clone();
            async move {
                let answer = answered.await.unwrap_or_else(|never| match never {});
                answering.end();
                Ok::<_, Infallible>(answer)
            }
        });
        let served = builder(limits).serve_connection(TokioIo::new(stream), answer);
        watcher.watch(served).await
    }
}

fn refused(address: SocketAddr, error: &io::Error) {
    tracing::info!(%address, %error, "a client could not be greeted");
}

/// Answers are not held back for the next call of a row: then the refusal of what cannot be read would never be sent.
fn builder(limits: Limits) -> http1::Builder {
    let mut builder = http1::Builder::new();
    builder
        // `Patient` looks after both.
        .header_read_timeout(None)
        .max_buf_size(limits.header_bytes.max(8 << 10))
        .half_close(false);
    builder
}
