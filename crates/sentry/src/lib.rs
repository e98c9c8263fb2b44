//! Sentry's policy, read and written: the ini file that its file provider and its config tool speak, and the tables
//! of its database.
//!
//! [`import_policy_file`] reads one the way Sentry does and lists everything that is wrong with it;
//! [`export_policy_file`] writes one and lists everything that Sentry has no words for; [`import_tables`] reads the
//! dump of a Sentry service's database. The crate opens no file:
//! the text comes in, and a closure brings the files of single databases.
//!
//! ```
//! use guardbee_sentry::{FileKind, ImportSettings, export_policy_file, import_policy_file};
//!
//! let text = "
//! [groups]
//! analysts = reader
//! [roles]
//! reader = server=server1->db=sales->table=orders->action=select
//! ";
//! let settings = ImportSettings { file: "policy.ini", ..ImportSettings::default() };
//! let imported = import_policy_file(text, &settings, |path| Err(format!("no file `{path}`"))).unwrap();
//! assert!(imported.report.is_empty());
//!
//! let back = export_policy_file(imported.changes, &imported.groups, FileKind::Policy);
//! assert!(back.text.contains("reader = server=server1->db=sales->table=orders->action=select"));
//! ```

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing,
        clippy::string_slice
    )
)]

mod export;
mod import;
mod ini;
mod privilege;
mod role_names;
mod tables;

pub use export::{FileKind, export_policy_file};
pub use guardbee_exchange::dump::{DumpError, Flavour};
pub use import::{ImportSettings, UrisInDatabaseFiles, import_policy_file};
pub use tables::import_tables;
