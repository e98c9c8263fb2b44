//! The SQL of accounts and tokens.

use crate::rows::Kind;
use crate::statements::{Dialect, Writer};

impl Dialect {
    pub const ACCOUNT_STATE_KINDS: &'static [Kind] = &[Kind::Integer; 2];

    /// How many changes there were, and the next token's number.
    pub fn account_state(self) -> String {
        format!("SELECT changes, next_token FROM {}account_state WHERE id = 1", self.prefix)
    }

    /// How many changes there were.
    pub fn account_changes(self) -> String {
        format!("SELECT changes FROM {}account_state WHERE id = 1", self.prefix)
    }

    /// The same with the next token's number, to be held until the transaction ends.
    pub fn lock_account_state(self) -> String {
        self.account_state() + self.row_lock
    }

    /// Parameters: those that [`account_state`](Self::account_state) gives.
    pub fn set_account_state(self) -> String {
        let mut writer = Writer::new(self);
        writer.push("UPDATE ").push(self.prefix).push("account_state SET changes = ").parameter();
        writer.push(", next_token = ").parameter().push(" WHERE id = 1").finish()
    }

    pub fn account_count(self) -> String {
        format!("SELECT count(*) FROM {}accounts", self.prefix)
    }

    /// How many accounts may make others. Their permission is the first bit.
    pub fn admin_count(self) -> String {
        format!("SELECT count(*) FROM {}accounts WHERE permissions & 1 = 1", self.prefix)
    }

    /// The columns of an account, in the order of their checksum.
    const ACCOUNT: &'static str = "name, permissions, password, must_change_password, created_at";

    pub const ACCOUNT_KINDS: &'static [Kind] =
        &[Kind::Text, Kind::Integer, Kind::Text, Kind::Integer, Kind::Integer, Kind::Integer];

    pub fn add_account(self) -> String {
        let mut writer = Writer::new(self);
        writer.push("INSERT INTO ").push(self.prefix).push("accounts (").push(Self::ACCOUNT);
        writer.push(", checksum) VALUES ").tuples(1, Self::ACCOUNT_KINDS.len()).finish()
    }

    fn accounts_where(self) -> Writer {
        let mut writer = Writer::new(self);
        writer
            .push("SELECT ")
            .push(Self::ACCOUNT)
            .push(", checksum FROM ")
            .push(self.prefix)
            .push("accounts");
        writer
    }

    pub fn accounts(self) -> String {
        self.accounts_where().push(" ORDER BY name").finish()
    }

    /// Parameter: the name.
    pub fn account(self) -> String {
        self.accounts_where().push(" WHERE name = ").parameter().finish()
    }

    /// Gives the permissions where it was there. Parameter: the name.
    pub fn remove_account(self) -> String {
        let mut writer = Writer::new(self);
        writer.push("DELETE FROM ").push(self.prefix).push("accounts WHERE name = ").parameter();
        writer.push(" RETURNING permissions").finish()
    }

    /// The columns of a token, in the order of their checksum.
    const TOKEN: &'static str = "id, digest, account, label, permissions, created_at, expires_at";

    pub const TOKEN_KINDS: &'static [Kind] = &[
        Kind::Integer,
        Kind::Bytes,
        Kind::Text,
        Kind::Text,
        Kind::Integer,
        Kind::Integer,
        Kind::Integer,
        Kind::Integer,
    ];

    pub fn add_token(self) -> String {
        let mut writer = Writer::new(self);
        writer.push("INSERT INTO ").push(self.prefix).push("tokens (").push(Self::TOKEN);
        writer.push(", checksum) VALUES ").tuples(1, Self::TOKEN_KINDS.len()).finish()
    }

    pub fn tokens(self) -> String {
        format!("SELECT {}, checksum FROM {}tokens ORDER BY id", Self::TOKEN, self.prefix)
    }

    /// Gives the id where it was there. Parameter: the id.
    pub fn remove_token(self) -> String {
        let mut writer = Writer::new(self);
        writer.push("DELETE FROM ").push(self.prefix).push("tokens WHERE id = ").parameter();
        writer.push(" RETURNING id").finish()
    }

    /// Parameter: the account.
    pub fn remove_tokens_of(self) -> String {
        let mut writer = Writer::new(self);
        writer.push("DELETE FROM ").push(self.prefix).push("tokens WHERE account = ").parameter().finish()
    }
}
