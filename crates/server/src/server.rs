//! A server, from its start to its end.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use guardbee_engine::accounts::{Account, Permission, Permissions, Placing};
use guardbee_engine::clock::{Clock as _, SystemClock};
use guardbee_engine::lineage::Lineage;
use guardbee_engine::store::{Storage, StoreError};
use guardbee_engine::{Engine, EngineError};
use guardbee_questions::DatasetIndex;
use smol_str::SmolStr;
use tokio::net::TcpListener;
use tokio::task::{JoinHandle, JoinSet};
use tokio_rustls::TlsAcceptor;

use crate::connection::Connections;
use crate::contact::Contact;
use crate::identity::{Accounts, Attempts, Passwords, one_time_password};
use crate::metrics::Metrics;
use crate::options::Options;
use crate::reports::Reports;
use crate::service::{Places, Service, ServiceOptions};
use crate::tls::{self, Certificate, TlsError};
use crate::trail::Trail;
use crate::{api, dispatch, following, jobs};

/// So many threads answer what takes long.
const LONG_THREADS: usize = 2;
/// Deep statements are read by recursion, within the parser's bound.
pub const STACK_BYTES: usize = 16 << 20;
/// So often it is looked whether the certificate has changed.
const CERTIFICATE_GLANCE: Duration = Duration::from_secs(10);

/// Why a server cannot start.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    #[error("cannot listen on `{address}`: {error}")]
    Listen { address: SocketAddr, error: io::Error },
    #[error(transparent)]
    Tls(#[from] TlsError),
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the machine gives no randomness: {0}")]
    Randomness(getrandom::Error),
    #[error("the password of the first account cannot be kept: {0}")]
    Password(String),
    #[error("no threads can be had: {0}")]
    Threads(io::Error),
}

/// The account that the first start made. Its password is told once, and has to be changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FirstAccount {
    pub name: SmolStr,
    pub password: SmolStr,
}

/// A server that listens.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    first_account: Option<FirstAccount>,
    connections: Connections,
    longest_stop: Duration,
    following: JoinSet<()>,
    writing: JoinHandle<()>,
    /// Where the audit log is packed and written: neither decisions nor what takes long waits for that.
    trail_work: tokio::runtime::Runtime,
    long_work: tokio::runtime::Runtime,
}

impl Server {
    /// Opens what is kept in a store, and listens. The runtime that it is called in has to have threads with
    /// [`STACK_BYTES`] of stack.
    ///
    /// # Errors
    /// [`ServeError`].
    pub async fn start(storage: Arc<dyn Storage>, options: Options) -> Result<Self, ServeError> {
        let passwords = Passwords::default();
        let certificate = options.tls.map(Certificate::read).transpose()?;
        let tls = certificate.clone().map(tls::config).transpose()?;
        let lineage = Lineage::open(storage.clone()).await?;
        let engine = Engine::open(storage.clone(), options.engine).await?;
        engine.inherit_tags(&lineage).await?;
        let listening = |error| ServeError::Listen { address: options.listen, error };
        let listener = TcpListener::bind(options.listen).await.map_err(listening)?;
        let address = listener.local_addr().map_err(listening)?;
        // Made once all else has come about: a start that fails would take its password along, which is told once.
        let first_account = first_account(&*storage, &passwords, options.first_account).await?;
        let accounts = Accounts::read(&*storage).await?;
        let (trail, writing) = Trail::new(storage.clone(), options.limits.waiting_records);
        // Nothing fails after they are made: a runtime must not be dropped inside another one.
        let trail_work = threads("guardbee-trail", 1).map_err(ServeError::Threads)?;
        let long_work = match threads("guardbee-long", LONG_THREADS) {
            Ok(threads) => threads,
            Err(error) => {
                trail_work.shutdown_background();
                return Err(ServeError::Threads(error));
            }
        };
        let service = Arc::new(Service {
            engine,
            lineage,
            storage,
            accounts,
            passwords,
            attempts: Attempts::default(),
            trail,
            reports: Reports::default(),
            datasets: DatasetIndex::default(),
            metrics: Metrics::new(),
            contact: Contact::new(),
            long_work: long_work.handle().clone(),
            places: Places::new(&options.limits),
            started_at: Instant::now(),
            address,
            options: ServiceOptions {
                limits: options.limits,
                trusted_proxy: options.trusted_proxy,
                is_encrypted: tls.is_some(),
                longest_without_store: options.longest_without_store,
                write_policy: options.write_policy,
            },
        });
        let mut following = following::start(&service);
        following.spawn_on(jobs::work(service.clone(), options.jobs), long_work.handle());
        if let Some(certificate) = certificate {
            following.spawn(renew(certificate));
        }
        let router = dispatch::router(service.clone(), api::endpoints());
        Ok(Self {
            listener,
            address,
            first_account,
            connections: Connections { router, service, acceptor: tls.map(TlsAcceptor::from) },
            longest_stop: options.longest_stop,
            following,
            writing: trail_work.spawn(writing),
            trail_work,
            long_work,
        })
    }

    /// Where it listens.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// The account that this start made, where there was none.
    #[must_use]
    pub const fn first_account(&self) -> Option<&FirstAccount> {
        self.first_account.as_ref()
    }

    /// Answers until told to stop; what is being answered then is answered still, and the audit log is written.
    pub async fn run_until(self, stop: impl Future<Output = ()>) {
        let Self { listener, connections, longest_stop, following, writing, trail_work, long_work, .. } =
            self;
        connections.serve(listener, stop, longest_stop).await;
        drop(following);
        long_work.shutdown_background();
        // The last of those who hold the way into the audit log were the calls and what followed the store.
        if tokio::time::timeout(longest_stop, writing).await.is_err() {
            tracing::error!("some records of the audit log could not be written before the server stopped");
        }
        trail_work.shutdown_background();
    }
}

fn threads(name: &str, count: usize) -> io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(count)
        .thread_name(name)
        .thread_stack_size(STACK_BYTES)
        .enable_all()
        .build()
}

async fn first_account(
    storage: &dyn Storage,
    passwords: &Passwords,
    name: SmolStr,
) -> Result<Option<FirstAccount>, ServeError> {
    if !storage.accounts().await?.is_empty() {
        return Ok(None);
    }
    let password = one_time_password().map_err(ServeError::Randomness)?;
    let hashed =
        passwords.hash(&password).await.map_err(|problem| ServeError::Password(problem.detail.into()))?;
    let account = Account {
        name: name.clone(),
        permissions: Permissions::of(Permission::Admin),
        password: Some(hashed),
        must_change_password: true,
        created_at: SystemClock.now(),
    };
    // Where another server is faster, its password counts.
    let is_first = storage.put_account(&account, Placing::First).await?;
    Ok(is_first.then_some(FirstAccount { name, password }))
}

async fn renew(certificate: Arc<Certificate>) {
    loop {
        tokio::time::sleep(CERTIFICATE_GLANCE).await;
        if let Err(error) = certificate.refresh() {
            tracing::warn!(%error, "the certificate has changed and cannot be read: the one before stays");
        }
    }
}
