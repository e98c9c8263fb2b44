//! The accounts and tokens of the store, as they are known here.

use std::sync::Arc;

use arc_swap::ArcSwap;
use guardbee_engine::accounts::{Account, Permission, Permissions, Token, TokenId};
use guardbee_engine::store::{Storage, StoreError};
use guardbee_policy::Timestamp;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use tokio::sync::Mutex;

use super::{Caller, Way};

/// Who may call, followed through its changes.
pub struct Accounts {
    known: ArcSwap<Known>,
    /// Held while they are read, so that an older reading never takes the place of a newer one.
    reading: Mutex<()>,
}

/// Accounts and tokens as of one moment.
#[derive(Debug, Default)]
pub struct Known {
    changes: u64,
    accounts: FxHashMap<SmolStr, Account>,
    tokens: FxHashMap<[u8; 32], Token>,
}

impl Accounts {
    /// Those of a store.
    ///
    /// # Errors
    /// What the store says.
    pub async fn read(storage: &dyn Storage) -> Result<Self, StoreError> {
        let known = Known::read(storage, storage.account_changes().await?).await?;
        Ok(Self { known: ArcSwap::from_pointee(known), reading: Mutex::new(()) })
    }

    #[must_use]
    pub fn known(&self) -> Arc<Known> {
        self.known.load_full()
    }

    /// Takes over what has changed in the store.
    ///
    /// # Errors
    /// What the store says; what was known stays.
    pub async fn refresh(&self, storage: &dyn Storage) -> Result<(), StoreError> {
        let _reading = self.reading.lock().await;
        let changes = storage.account_changes().await?;
        if changes != self.known.load().changes {
            self.known.store(Arc::new(Known::read(storage, changes).await?));
        }
        Ok(())
    }
}

impl Known {
    /// What is read after the changes were counted may be newer than the count, which only has it read once more.
    async fn read(storage: &dyn Storage, changes: u64) -> Result<Self, StoreError> {
        let accounts = storage.accounts().await?.into_iter().map(|account| (account.name.clone(), account));
        let accounts = accounts.collect();
        let tokens = storage.tokens().await?.into_iter().map(|token| (token.token.digest, token)).collect();
        Ok(Self { changes, accounts, tokens })
    }

    /// How many changes there were when it was read.
    #[must_use]
    pub const fn changes(&self) -> u64 {
        self.changes
    }

    #[must_use]
    pub fn account(&self, name: &str) -> Option<&Account> {
        self.accounts.get(name)
    }

    /// Who a token speaks for, with what both the account and the token may.
    #[must_use]
    pub fn by_token(&self, digest: &[u8; 32], now: Timestamp) -> Option<(TokenId, Caller)> {
        let Token { id, token } = self.tokens.get(digest)?;
        let is_over = token.expires_at.is_some_and(|expires_at| expires_at <= now);
        let account = self.accounts.get(&token.account).filter(|_| !is_over)?;
        let caller = of(account);
        Some((*id, Caller { permissions: caller.permissions.in_common(token.permissions), ..caller }))
    }

    #[must_use]
    pub fn by_name(&self, name: &str) -> Option<Caller> {
        self.accounts.get(name).map(of)
    }

    /// Whoever has no account may do what any user may.
    #[must_use]
    pub fn by_name_or_user(&self, name: &str) -> Caller {
        self.by_name(name).unwrap_or_else(|| Caller {
            name: SmolStr::new(name),
            permissions: Permissions::of(Permission::User),
            must_change_password: false,
            way: Way::Nobody,
        })
    }
}

fn of(account: &Account) -> Caller {
    Caller {
        name: account.name.clone(),
        permissions: account.permissions,
        must_change_password: account.must_change_password,
        way: Way::Nobody,
    }
}
