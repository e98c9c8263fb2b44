//! A statement that ran, as one line of a query log in JSON: what `import querylog` reads, and what dead letters hold.

use serde::{Deserialize, Serialize};

/// One line. What else it holds is passed over.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct LoggedLine {
    /// A text, or milliseconds since 1970.
    pub time: Option<serde_json::Value>,
    pub user: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub database: Option<String>,
    pub sql: String,
    /// The key of its run; absent: the query id, or else one that is made of the rest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub query_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client_address: Option<String>,
}

impl LoggedLine {
    /// The line, without its end.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }
}
