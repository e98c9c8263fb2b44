//! Keeps who may call the service: accounts and tokens, with a count of the changes to them.

use std::sync::Arc;

use guardbee_engine::accounts::{Account, NewToken, Permissions, Placing, Token, TokenId};
use guardbee_engine::store::StoreError;
use guardbee_model::Timestamp;
use smol_str::SmolStr;

use crate::checksum::{self, Kept};
use crate::database::{Database, Transaction, tell};
use crate::rows::{Kind, Value};
use crate::session::{Failure, Session};
use crate::statements::{Dialect, News};

/// No name, label or password hash is longer.
const MOST_BYTES: usize = 1024;

pub async fn put(database: &dyn Database, account: &Account, placing: Placing) -> Result<bool, Failure> {
    short(&[&account.name, account.password.as_deref().unwrap_or_default()])?;
    let mut transaction = database.write().await?;
    let (session, dialect) = (transaction.session(), database.dialect());
    let mut state = State::lock(session, dialect).await?;
    let name = [Value::Text(&account.name)];
    let may_be_kept = match placing {
        Placing::First => session.integer(&dialect.account_count()).await? == 0,
        Placing::New => read_accounts(session, &dialect.account(), &name).await?.is_empty(),
        Placing::Replacing => true,
    };
    if !may_be_kept {
        return Ok(false);
    }
    let admins = session.integer(&dialect.admin_count()).await?;
    remove_row(session, &dialect.remove_account(), &name).await?;
    let values = [
        Value::Text(&account.name),
        Value::Integer(account.permissions.bits().into()),
        account.password.as_deref().map_or(Value::Null(Kind::Text), Value::Text),
        Value::Integer(account.must_change_password.into()),
        Value::Integer(account.created_at.0),
    ];
    insert(session, &dialect.add_account(), Kept::Account, &values).await?;
    keep_an_admin(session, dialect, admins).await?;
    state.changes = state.changes.saturating_add(1);
    state.commit(database, transaction).await?;
    Ok(true)
}

pub async fn one(database: &dyn Database, name: &str) -> Result<Option<Account>, Failure> {
    let mut transaction = database.read().await?;
    let sql = database.dialect().account();
    let found = read_accounts(transaction.session(), &sql, &[Value::Text(name)]).await?.pop();
    transaction.commit().await?;
    Ok(found)
}

pub async fn all(database: &dyn Database) -> Result<Vec<Account>, Failure> {
    let mut transaction = database.read().await?;
    let found = read_accounts(transaction.session(), &database.dialect().accounts(), &[]).await?;
    transaction.commit().await?;
    Ok(found)
}

pub async fn remove(database: &dyn Database, name: &str) -> Result<bool, Failure> {
    let mut transaction = database.write().await?;
    let (session, dialect) = (transaction.session(), database.dialect());
    let mut state = State::lock(session, dialect).await?;
    let name = [Value::Text(name)];
    let admins = session.integer(&dialect.admin_count()).await?;
    let was_there = remove_row(session, &dialect.remove_account(), &name).await?;
    keep_an_admin(session, dialect, admins).await?;
    session.execute(&dialect.remove_tokens_of(), &name).await?;
    state.changes = state.changes.saturating_add(i64::from(was_there));
    state.commit(database, transaction).await?;
    Ok(was_there)
}

pub async fn add_token(database: &dyn Database, token: &NewToken) -> Result<TokenId, Failure> {
    short(&[&token.account, &token.label])?;
    let mut transaction = database.write().await?;
    let (session, dialect) = (transaction.session(), database.dialect());
    let mut state = State::lock(session, dialect).await?;
    let id = state.next_token;
    let values = [
        Value::Integer(id),
        Value::Bytes(&token.digest),
        Value::Text(&token.account),
        Value::Text(&token.label),
        Value::Integer(token.permissions.bits().into()),
        Value::Integer(token.created_at.0),
        token.expires_at.map_or(Value::Null(Kind::Integer), |at| Value::Integer(at.0)),
    ];
    insert(session, &dialect.add_token(), Kept::Token, &values).await?;
    (state.next_token, state.changes) = (id.saturating_add(1), state.changes.saturating_add(1));
    state.commit(database, transaction).await?;
    Ok(TokenId(id.cast_unsigned()))
}

pub async fn tokens(database: &dyn Database) -> Result<Vec<Token>, Failure> {
    let mut transaction = database.read().await?;
    let mut tokens = Vec::new();
    let sql = database.dialect().tokens();
    transaction
        .session()
        .rows(&sql, &[], Dialect::TOKEN_KINDS, &mut |row| {
            tokens.push(token(whole(row, Kept::Token)?)?);
            Ok(())
        })
        .await?;
    transaction.commit().await?;
    Ok(tokens)
}

pub async fn remove_token(database: &dyn Database, id: TokenId) -> Result<bool, Failure> {
    let mut transaction = database.write().await?;
    let (session, dialect) = (transaction.session(), database.dialect());
    let mut state = State::lock(session, dialect).await?;
    let id = [Value::Integer(i64::try_from(id.0).unwrap_or(i64::MAX))];
    let was_there = remove_row(session, &dialect.remove_token(), &id).await?;
    state.changes = state.changes.saturating_add(i64::from(was_there));
    state.commit(database, transaction).await?;
    Ok(was_there)
}

pub async fn changes(database: &dyn Database) -> Result<u64, Failure> {
    let mut transaction = database.read().await?;
    let state = State::read(transaction.session(), &database.dialect().account_state()).await?;
    transaction.commit().await?;
    Ok(state.changes.cast_unsigned())
}

/// Two that take the permission from each other at once must not leave none: who comes second is refused here, where
/// writers take turns.
async fn keep_an_admin(session: &mut dyn Session, dialect: Dialect, before: i64) -> Result<(), Failure> {
    if before > 0 && session.integer(&dialect.admin_count()).await? == 0 {
        return Err(StoreError::LastAdmin.into());
    }
    Ok(())
}

/// What all writers share.
struct State {
    changes: i64,
    next_token: i64,
}

impl State {
    async fn lock(session: &mut dyn Session, dialect: Dialect) -> Result<Self, Failure> {
        Self::read(session, &dialect.lock_account_state()).await
    }

    async fn read(session: &mut dyn Session, sql: &str) -> Result<Self, Failure> {
        let mut found = None;
        session
            .rows(sql, &[], Dialect::ACCOUNT_STATE_KINDS, &mut |row| {
                if let [Value::Integer(changes), Value::Integer(next_token)] = *row {
                    found = Some(Self { changes, next_token });
                }
                Ok(())
            })
            .await?;
        found.ok_or_else(|| damaged().into())
    }

    async fn write(&self, session: &mut dyn Session, dialect: Dialect) -> Result<(), Failure> {
        let values = [Value::Integer(self.changes), Value::Integer(self.next_token)];
        session.execute(&dialect.set_account_state(), &values).await?;
        tell(session, dialect, News::Accounts, self.changes).await
    }

    /// Ends a transaction with what has changed in it.
    async fn commit(
        self,
        database: &dyn Database,
        mut transaction: Box<dyn Transaction>,
    ) -> Result<(), Failure> {
        self.write(transaction.session(), database.dialect()).await?;
        transaction.commit().await?;
        database.feed(News::Accounts).made(self.changes.cast_unsigned());
        Ok(())
    }
}

async fn insert(
    session: &mut dyn Session,
    sql: &str,
    kept: Kept,
    values: &[Value<'_>],
) -> Result<(), Failure> {
    let mut row = values.to_vec();
    row.push(Value::Integer(checksum::of_kept(kept, values)));
    session.execute(sql, &row).await
}

async fn remove_row(session: &mut dyn Session, sql: &str, key: &[Value<'_>]) -> Result<bool, Failure> {
    let mut was_there = false;
    session
        .rows(sql, key, &[Kind::Integer], &mut |_| {
            was_there = true;
            Ok(())
        })
        .await?;
    Ok(was_there)
}

async fn read_accounts(
    session: &mut dyn Session,
    sql: &str,
    values: &[Value<'_>],
) -> Result<Vec<Account>, Failure> {
    let mut accounts = Vec::new();
    session
        .rows(sql, values, Dialect::ACCOUNT_KINDS, &mut |row| {
            accounts.push(account(whole(row, Kept::Account)?)?);
            Ok(())
        })
        .await?;
    Ok(accounts)
}

/// The values of a row, where they are those that were written.
fn whole<'r, 'v>(row: &'r [Value<'v>], kept: Kept) -> Result<&'r [Value<'v>], StoreError> {
    match row.split_last() {
        Some((Value::Integer(sum), values)) if checksum::of_kept(kept, values) == *sum => Ok(values),
        _ => Err(damaged()),
    }
}

fn account(values: &[Value<'_>]) -> Result<Account, StoreError> {
    let [
        Value::Text(name),
        Value::Integer(permissions),
        password,
        Value::Integer(must_change),
        Value::Integer(at),
    ] = *values
    else {
        return Err(damaged());
    };
    Ok(Account {
        name: SmolStr::new(name),
        permissions: read_permissions(permissions)?,
        password: match password {
            Value::Text(hash) => Some(Arc::from(hash)),
            _ => None,
        },
        must_change_password: must_change != 0,
        created_at: Timestamp(at),
    })
}

fn token(values: &[Value<'_>]) -> Result<Token, StoreError> {
    let [
        Value::Integer(id),
        Value::Bytes(digest),
        Value::Text(account),
        Value::Text(label),
        Value::Integer(permissions),
        Value::Integer(created_at),
        expires_at,
    ] = *values
    else {
        return Err(damaged());
    };
    let token = NewToken {
        digest: digest.try_into().map_err(|_| damaged())?,
        account: SmolStr::new(account),
        label: SmolStr::new(label),
        permissions: read_permissions(permissions)?,
        created_at: Timestamp(created_at),
        expires_at: match expires_at {
            Value::Integer(at) => Some(Timestamp(at)),
            _ => None,
        },
    };
    Ok(Token { id: TokenId(id.cast_unsigned()), token })
}

fn read_permissions(bits: i64) -> Result<Permissions, StoreError> {
    u8::try_from(bits).ok().and_then(Permissions::from_bits).ok_or_else(damaged)
}

fn short(texts: &[&str]) -> Result<(), StoreError> {
    if texts.iter().any(|text| text.len() > MOST_BYTES || text.contains('\0')) {
        let message = format!("a name or label has more than {MOST_BYTES} bytes, or a NUL in it");
        return Err(StoreError::Unstorable(message));
    }
    Ok(())
}

fn damaged() -> StoreError {
    StoreError::Damaged("an account is not what was written".into())
}
