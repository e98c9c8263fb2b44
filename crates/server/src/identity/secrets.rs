//! Secrets that programs show, and what is kept of them.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};

/// What tokens begin with, so that one that lies about is known for what it is.
const PREFIX: &str = "gb_";

/// 32 bytes that nobody can guess. Never shown by `Debug`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Secret([u8; 32]);

impl Secret {
    /// A new one.
    ///
    /// # Errors
    /// Where the machine gives no randomness.
    pub fn new() -> Result<Self, getrandom::Error> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes)?;
        Ok(Self(bytes))
    }

    /// One as it is shown.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let mut bytes = [0; 32];
        let length = URL_SAFE_NO_PAD.decode_slice(text.strip_prefix(PREFIX)?, &mut bytes).ok()?;
        (length == bytes.len()).then_some(Self(bytes))
    }

    /// As it is shown, once.
    #[must_use]
    pub fn text(&self) -> String {
        format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(self.0))
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a secret")
    }
}

/// What is kept of a secret. It is long and random, so that a quick digest gives nothing away.
#[must_use]
pub fn digest_of(secret: &Secret) -> [u8; 32] {
    Sha256::digest(secret.0).into()
}

/// What a page has to send beside the cookie of a session with that secret.
#[must_use]
pub fn csrf_of(secret: &Secret) -> String {
    let digest = Sha256::new().chain_update(b"csrf").chain_update(secret.0).finalize();
    URL_SAFE_NO_PAD.encode(digest)
}

/// Is it that? Takes as long for a wrong one as for the right one.
#[must_use]
pub fn is_csrf_of(secret: &Secret, stated: &[u8]) -> bool {
    let right = csrf_of(secret);
    let differs = right.bytes().zip(stated).fold(0, |differs, (one, other)| differs | (one ^ other));
    right.len() == stated.len() && differs == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_read_as_it_was_shown() {
        let secret = Secret::new().unwrap();
        assert_eq!(Secret::read(&secret.text()), Some(secret));
        assert_ne!(Secret::new().unwrap(), secret);
        assert!(!format!("{secret:?}").contains(&secret.text()));
    }

    #[test]
    fn what_is_no_secret_is_none() {
        let text = Secret::new().unwrap().text();
        for wrong in
            ["", "gb_", "gb_AAAA", &text[3..], &format!("{text}A"), &format!("{text}=="), "gb_\u{e4}"]
        {
            assert_eq!(Secret::read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_page_of_another_session_is_not_heard() {
        let (one, other) = (Secret::new().unwrap(), Secret::new().unwrap());
        assert!(is_csrf_of(&one, csrf_of(&one).as_bytes()));
        assert!(!is_csrf_of(&one, csrf_of(&other).as_bytes()));
        assert!(!is_csrf_of(&one, b""));
        assert!(!is_csrf_of(&one, &csrf_of(&one).as_bytes()[1..]));
    }
}
