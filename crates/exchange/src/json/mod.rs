//! A policy as JSON: all of it, with ids, times and grantors.
//!
//! ```
//! use guardbee_exchange::Stamp;
//! use guardbee_exchange::json::{export_json, import_json};
//!
//! let text = r#"{"version": 1, "roles": [{"name": "reader"}], "entries": [{
//!     "effect": "grant", "principal": {"kind": "role", "name": "reader"}, "privileges": ["SELECT"],
//!     "scope": {"type": "database", "database": "sales"}}]}"#;
//! let imported = import_json(text, "policy.json", "hdfs://nn1:8020", &Stamp::default()).unwrap();
//! let again = export_json(imported.changes);
//! assert!(again.contains(r#""database": "sales""#));
//! ```

mod read;
mod wire;
mod write;

use std::sync::Arc;

use guardbee_model::plain_words;
use guardbee_policy::{Change, Policy};

pub use wire::{
    JsonDataPolicy, JsonDataRule, JsonEffect, JsonEntry, JsonMembership, JsonOwner, JsonPolicy,
    JsonPrincipal, JsonPrincipalKind, JsonResource, JsonRole, JsonScope, JsonTag, JsonTagAssignment, VERSION,
};

use crate::{Contents, Imported, Place, Report, ReportLine, Stamp};

/// Writes a policy as JSON, the same for the same policy.
#[must_use]
pub fn export_json(changes: impl IntoIterator<Item = Change>) -> String {
    let document = write::document(&Contents::of(changes));
    // The shape has string keys and no values that JSON lacks: it can always be written.
    serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"
}

/// Reads a policy out of JSON. `file` is the text's name in the report; `default_file_system` completes addresses;
/// entries without an id get free ones from the stamp's on.
///
/// # Errors
/// The report, with what is wrong: nothing is to be applied.
pub fn import_json(
    text: &str,
    file: &str,
    default_file_system: &str,
    stamp: &Stamp,
) -> Result<Imported, Report> {
    let mut report = Report::default();
    let document: JsonPolicy = match serde_json::from_str(text) {
        Ok(document) => document,
        Err(error) => {
            let place = Place {
                file: Arc::from(file),
                line: error.line() as u64,
                column: u32::try_from(error.column()).ok(),
            };
            report.push(ReportLine::error("malformed-json", message_of(&error)).at(place));
            return Err(report);
        }
    };
    if document.version != VERSION {
        let message = format!("the policy has version {} of the form, this is {VERSION}", document.version);
        report.push(ReportLine::error("unknown-version", message));
        return Err(report);
    }
    let file_system = document.settings.get("default_fs").cloned();
    let file_system = file_system.as_deref().unwrap_or(default_file_system);
    let changes = read::changes(document, file_system, stamp, &mut report);
    let mut policy = Policy::new();
    for change in &changes {
        if let Err(error) = policy.apply(change.clone()) {
            report.push(ReportLine::error(error.code(), error.to_string()));
        }
    }
    if report.has_errors() { Err(report) } else { Ok(Imported { changes, report, ..Imported::default() }) }
}

/// What is wrong, without the place that stands before it anyway.
fn message_of(error: &serde_json::Error) -> String {
    let message = error.to_string();
    plain_words(message.rsplit_once(" at line ").map_or(message.as_str(), |(message, _)| message))
}
