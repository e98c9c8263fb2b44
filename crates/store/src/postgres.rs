//! The store on a PostgreSQL server.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use guardbee_engine::accounts::{Account, NewToken, Placing, Token, TokenId};
use guardbee_engine::audit::{AuditCursor, AuditEntry, AuditFilter, AuditHead, AuditRecord, AuditVerdict};
use guardbee_engine::jobs::{JobAttempt, JobClaim, JobOutcome, JobRun, JobStore};
use guardbee_engine::run_store::{
    Appended, BuriedLetter, DeadLetter, IndexSaved, LetterBounds, LetterId, LetterUse, Retention, RunFilter,
    RunHead, RunPlace, RunSeq, StoredRun,
};
use guardbee_engine::store::{
    At, Commit, LoadedHead, PolicyVersion, Store, StoreError, VersionChanges, VersionRecord,
};
use guardbee_lineage::{Run, RunKey};
use guardbee_model::Timestamp;
use guardbee_policy::Change;
use sqlx::postgres::{PgConnectOptions, PgListener, PgPoolOptions};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection as _, PgConnection, PgPool, Postgres};
use tokio::time::timeout;

use crate::audit::OpenGroup;
use crate::commit::{self, Made};
use crate::database::{self, Database, Transaction};
use crate::feed::{Feed, Feeds, Teller};
use crate::history;
use crate::jobs;
use crate::load;
use crate::location::ServerUrl;
use crate::ports::ports;
use crate::schema::{self, Next};
use crate::session::{Failure, Session, is_of_another_kind};
use crate::statements::{Dialect, News, Parameters, Reading};

pub(crate) const DIALECT: Dialect = Dialect {
    reading: Reading::Rows,
    prefix: "guardbee.",
    parameters: Parameters::Numbered,
    row_lock: " FOR UPDATE",
    tell: Some("SELECT pg_notify($1, $2)"),
};

/// How long a connection may take to come about.
pub(crate) const CONNECT_PATIENCE: Duration = Duration::from_secs(10);
/// How long the server may take to answer a COMMIT.
const COMMIT_PATIENCE: Duration = Duration::from_secs(30);
/// How often the version is looked at beside the server's own telling.
const LOOK: Duration = Duration::from_secs(1);
/// The number of the lock that who does the jobs holds: `guardbee`.
const JOB_LOCK: i64 = i64::from_be_bytes(*b"guardbee");
/// How long until a server that could not be reached is tried again.
const RETRY: Duration = Duration::from_millis(500);

/// Connections of a process at most, those that listen among them: one for each sort of news.
const CONNECTIONS: u32 = 11;
/// What a server knows our connections by.
pub(crate) const APPLICATION: &str = "guardbee";

/// Keeps everything in the schema `guardbee` of a database. Any number of processes may share it.
pub struct PostgresStore {
    pool: PgPool,
    options: PgConnectOptions,
    place: Place,
    feeds: Feeds,
    open_group: Arc<OpenGroup>,
}

impl PostgresStore {
    /// Connects, and makes the schema where there is none.
    ///
    /// # Errors
    /// [`StoreError`], never with the password in it.
    pub async fn open(url: &ServerUrl) -> Result<Self, StoreError> {
        let place = Place(url.to_string());
        let options = options(url)?;
        let pool = PgPoolOptions::new()
            .max_connections(CONNECTIONS)
            .acquire_timeout(CONNECT_PATIENCE)
            .connect_lazy_with(options.clone());
        // A pool tries again until its time is up; the first connection says at once what is wrong.
        let prepared = timeout(CONNECT_PATIENCE, Box::pin(prepare(&options))).await;
        prepared
            .unwrap_or_else(|_| Err(sqlx::Error::PoolTimedOut.into()))
            .map_err(|failure| place.error(failure))?;
        Ok(Self { pool, options, place, feeds: Feeds::default(), open_group: Arc::default() })
    }

    pub async fn close(self) {
        self.pool.close().await;
    }

    async fn try_load(&self, at: At, each: &mut (dyn FnMut(Change) + Send)) -> Result<LoadedHead, Failure> {
        let mut connection = self.pool.acquire().await?;
        load::load(&mut *connection, DIALECT, at, each).await
    }

    async fn try_commit(&self, commit: &Commit) -> Result<PolicyVersion, Failure> {
        let mut transaction = self.pool.begin().await?;
        settle(&mut transaction).await?;
        let version = match commit::make(&mut *transaction, DIALECT, commit).await? {
            Made::Before(version) => return Ok(version),
            Made::New(version) => version,
        };
        database::tell(&mut *transaction, DIALECT, News::Policy, version.0.cast_signed()).await?;
        commit_in_time(transaction, &self.place).await?;
        self.feeds.of(News::Policy).made(version.0);
        Ok(version)
    }
}

impl PostgresStore {
    /// On a connection of its own: the lock ends with it.
    async fn claim(&self, holder: &str) -> Result<Option<Box<dyn JobClaim + '_>>, StoreError> {
        let claim = async {
            let mut connection = self.options.connect().await?;
            // A machine that is gone does not say so: nobody else would do the jobs for hours.
            sqlx::raw_sql(
                "SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3",
            )
            .execute(&mut connection)
            .await?;
            let is_free: bool = sqlx::query_scalar("SELECT pg_try_advisory_lock($1)")
                .bind(JOB_LOCK)
                .fetch_one(&mut connection)
                .await?;
            Ok(is_free.then_some(connection))
        };
        let claimed = timeout(CONNECT_PATIENCE, claim).await;
        let claimed = claimed.unwrap_or_else(|_| Err(sqlx::Error::PoolTimedOut.into()));
        let connection = claimed.map_err(|failure| self.place.error(failure))?;
        Ok(connection.map(|connection| {
            let claim = ServerClaim { connection, place: self.place.clone(), holder: holder.to_owned() };
            Box::new(claim) as Box<dyn JobClaim>
        }))
    }
}

/// The right to do jobs. Whatever is noted goes over the connection that has the lock: who has lost it notes nothing.
struct ServerClaim {
    connection: PgConnection,
    place: Place,
    holder: String,
}

#[async_trait]
impl JobClaim for ServerClaim {
    async fn begin(
        &mut self,
        job: &str,
        period: i64,
        at: Timestamp,
    ) -> Result<Option<JobAttempt>, StoreError> {
        let begun = async {
            let mut transaction = self.connection.begin().await?;
            settle(&mut transaction).await?;
            let of = (job, period);
            let begun = jobs::begin(&mut *transaction, DIALECT, &self.holder, of, at).await?;
            transaction.commit().await?;
            Ok(begun)
        };
        let begun = timeout(COMMIT_PATIENCE, begun).await;
        begun
            .unwrap_or_else(|_| Err(sqlx::Error::PoolTimedOut.into()))
            .map_err(|failure| self.place.error(failure))
    }

    async fn end(
        &mut self,
        attempt: &JobAttempt,
        at: Timestamp,
        outcome: &JobOutcome,
    ) -> Result<bool, StoreError> {
        let ended = async {
            let mut transaction = self.connection.begin().await?;
            settle(&mut transaction).await?;
            let ended = jobs::end(&mut *transaction, DIALECT, attempt, at, outcome).await?;
            transaction.commit().await?;
            Ok(ended)
        };
        let ended = timeout(COMMIT_PATIENCE, ended).await;
        ended
            .unwrap_or_else(|_| Err(sqlx::Error::PoolTimedOut.into()))
            .map_err(|failure| self.place.error(failure))
    }
}

#[async_trait]
impl Store for PostgresStore {
    async fn load_each(
        &self,
        at: At,
        each: &mut (dyn FnMut(Change) + Send),
    ) -> Result<LoadedHead, StoreError> {
        self.try_load(at, each).await.map_err(|failure| self.place.error(failure))
    }

    async fn commit(&self, commit: Commit) -> Result<PolicyVersion, StoreError> {
        self.try_commit(&commit).await.map_err(|failure| self.place.error(failure))
    }

    async fn history(
        &self,
        before: Option<PolicyVersion>,
        limit: u32,
    ) -> Result<Vec<VersionRecord>, StoreError> {
        let read = async {
            let mut connection = self.pool.acquire().await?;
            history::history(&mut *connection, DIALECT, before, limit).await
        };
        read.await.map_err(|failure| self.place.error(failure))
    }

    async fn changes_after(
        &self,
        after: PolicyVersion,
        limit: u32,
    ) -> Result<Vec<VersionChanges>, StoreError> {
        let read = async {
            let mut connection = self.pool.acquire().await?;
            history::changes_after(&mut *connection, DIALECT, after, limit).await
        };
        read.await.map_err(|failure| self.place.error(failure))
    }

    async fn wait_after(&self, after: PolicyVersion) -> Result<PolicyVersion, StoreError> {
        self.wait_for(News::Policy, after.0).await.map(PolicyVersion)
    }
}

ports!(PostgresStore);

#[async_trait]
impl Database for PostgresStore {
    fn dialect(&self) -> Dialect {
        DIALECT
    }

    async fn read(&self) -> Result<Box<dyn Transaction>, Failure> {
        let transaction = self.pool.begin_with("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").await?;
        Ok(Box::new(ServerTransaction { transaction, place: self.place.clone() }))
    }

    async fn write(&self) -> Result<Box<dyn Transaction>, Failure> {
        let mut transaction = self.pool.begin().await?;
        settle(&mut transaction).await?;
        Ok(Box::new(ServerTransaction { transaction, place: self.place.clone() }))
    }

    fn error(&self, failure: Failure) -> StoreError {
        self.place.error(failure)
    }

    fn open_group(&self) -> &OpenGroup {
        &self.open_group
    }

    fn feed(&self, news: News) -> &Feed {
        self.feeds.of(news)
    }

    async fn wait_for(&self, news: News, after: u64) -> Result<u64, StoreError> {
        let (pool, place) = (self.pool.clone(), self.place.clone());
        self.feed(news).wait_after(after, |teller| look(pool, place, teller, news)).await
    }
}

struct ServerTransaction {
    transaction: sqlx::Transaction<'static, Postgres>,
    place: Place,
}

#[async_trait]
impl Transaction for ServerTransaction {
    fn session(&mut self) -> &mut dyn Session {
        &mut *self.transaction
    }

    async fn commit(self: Box<Self>) -> Result<(), Failure> {
        commit_in_time(self.transaction, &self.place).await
    }
}

async fn commit_in_time(transaction: sqlx::Transaction<'_, Postgres>, place: &Place) -> Result<(), Failure> {
    match timeout(COMMIT_PATIENCE, transaction.commit()).await {
        Ok(committed) => committed.map_err(|error| place.commit_failed(error)),
        Err(_) => Err(StoreError::Unknown(format!("{} did not answer in time", place.0)).into()),
    }
}

/// How a server is connected to.
pub(crate) fn options(url: &ServerUrl) -> Result<PgConnectOptions, StoreError> {
    let options: PgConnectOptions = url
        .secret()
        .parse()
        .map_err(|_| StoreError::Location(format!("`{url}` is not the address of a server")))?;
    Ok(options.application_name(APPLICATION).disable_statement_logging())
}

/// Makes the tables, and sees to it that they are of a schema that we know.
async fn prepare(options: &PgConnectOptions) -> Result<(), Failure> {
    let mut connection = options.connect().await?;
    if let Next::Migrate = found(&mut connection).await? {
        schema::postgres().run_direct(None, &mut connection, false).await.map_err(schema::failure)?;
    }
    sqlx::Connection::close(connection).await?;
    Ok(())
}

async fn found(connection: &mut PgConnection) -> Result<Next, Failure> {
    let is_there: bool = sqlx::query_scalar("SELECT to_regclass($1) IS NOT NULL")
        .bind(schema::POSTGRES_MIGRATIONS)
        .fetch_one(&mut *connection)
        .await?;
    if !is_there {
        return Ok(Next::Migrate);
    }
    let sql = format!("SELECT coalesce(max(version), 0) FROM {}", schema::POSTGRES_MIGRATIONS);
    let version: i64 = sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(connection).await?;
    Ok(schema::next(version)?)
}

/// Of this transaction alone: it is durable whatever the server's default, and does not wait for ever.
pub(crate) async fn settle(connection: &mut PgConnection) -> Result<(), Failure> {
    sqlx::query(
        "SELECT set_config('lock_timeout', '5s', true), set_config('synchronous_commit', \
         CASE current_setting('synchronous_commit') WHEN 'off' THEN 'on' \
         ELSE current_setting('synchronous_commit') END, true)",
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Listens, and looks now and then in case a notice got lost with its connection.
async fn look(pool: PgPool, place: Place, teller: Teller, news: News) {
    loop {
        teller.somebody_waits().await;
        if let Err(failure) = listen(&pool, &teller, news).await {
            teller.failure(place.error(failure));
        }
        tokio::time::sleep(RETRY).await;
    }
}

async fn listen(pool: &PgPool, teller: &Teller, news: News) -> Result<(), Failure> {
    let number = DIALECT.number_of(news);
    let mut listener = PgListener::connect_with(pool).await?;
    listener.listen(news.channel()).await?;
    loop {
        let newest = pool.acquire().await?.integer(&number).await?;
        teller.newest(newest.cast_unsigned());
        teller.somebody_waits().await;
        // Notices that came meanwhile have been read already; either way the version is looked at again.
        let _ = timeout(LOOK, listener.try_recv()).await.map_or(Ok(None), |heard| heard)?;
    }
}

/// The server, to name it in messages.
#[derive(Clone)]
pub(crate) struct Place(pub String);

impl Place {
    /// What the server itself says is shown, for it names what is wrong; it never repeats a password.
    pub(crate) fn error(&self, failure: Failure) -> StoreError {
        let error = match failure {
            Failure::Store(error) => return error,
            Failure::Database(error) => error,
        };
        let server = &self.0;
        let Some(answer) = error.as_database_error() else {
            return match error {
                _ if is_of_another_kind(&error) => {
                    StoreError::Damaged(format!("{server}: a value in the tables is not what was written"))
                }
                sqlx::Error::PoolTimedOut => StoreError::Unavailable(format!("{server} does not answer")),
                sqlx::Error::Io(error) => {
                    let text = error.to_string();
                    let text = text.split(" (os error").next().unwrap_or(&text);
                    StoreError::Unavailable(format!("{server}: {}", text.to_lowercase()))
                }
                sqlx::Error::Tls(_) => {
                    StoreError::Unavailable(format!("{server}: no secure connection comes about"))
                }
                sqlx::Error::Configuration(_) => {
                    StoreError::Location(format!("the address of {server} has a wrong part"))
                }
                _ => StoreError::Unavailable(format!("{server}: the connection broke")),
            };
        };
        let message = format!("{server}: {}", answer.message());
        let code = answer.code().unwrap_or_default();
        match &*code {
            "28000" | "28P01" | "42501" => StoreError::Refused(message),
            "3D000" => StoreError::Location(message),
            "25006" => StoreError::ReadOnly(message),
            "53100" => StoreError::Full(message),
            "58030" | "XX001" | "XX002" | "42P01" | "42703" => StoreError::Damaged(message),
            _ => StoreError::Unavailable(message),
        }
    }

    /// A server that answers has not made the change; one that does not may have.
    pub(crate) fn commit_failed(&self, error: sqlx::Error) -> Failure {
        let is_answer = error.as_database_error().is_some_and(|answer| {
            // `57P..`: the server stops, maybe after it has made the change.
            answer.code().is_some_and(|code| !code.starts_with("57P") && !code.starts_with("08"))
        });
        if is_answer {
            return error.into();
        }
        StoreError::Unknown(format!("the connection to {} broke", self.0)).into()
    }
}
