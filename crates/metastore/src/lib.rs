//! The privilege tables of Hive's metastore, read into policies and written back.
//!
//! [`read_dump`] reads an SQL dump of a metastore on MySQL, PostgreSQL or Derby: `ROLES`, `ROLE_MAP`, the
//! `*_PRIVS` tables, and the tables that name databases, tables and owners. [`Dump::import`] makes a policy of
//! it; [`export_script`] makes a script of INSERTs of a policy. Both report what has no counterpart on the other
//! side. Nothing here knows a database: text comes in, text goes out.
//!
//! ```
//! use guardbee_metastore::{ExportSettings, ImportSettings, Target, export_script, read_dump};
//!
//! let text = "
//! INSERT INTO `ROLES` VALUES (3,1700000000,'root','reader');
//! INSERT INTO `DBS` VALUES (1,NULL,'hdfs://nn/warehouse','sales','root','USER','hive');
//! INSERT INTO `DB_PRIVS` VALUES (1,1700000000,1,0,'root','USER','reader','ROLE','SELECT','SQL');
//! ";
//! let dump = read_dump(text.as_bytes(), None, "metastore.sql").unwrap();
//! let imported = dump.import(&ImportSettings::default());
//! assert_eq!(imported.changes.len(), 3); // the role, the grant, the owner of `sales`
//!
//! let settings = ExportSettings::default();
//! let script = export_script(imported.changes, Target::Dump(&dump), &settings);
//! assert!(script.text.contains("nothing is to be done"));
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

mod dump;
mod export;
mod import;
mod privilege;
#[cfg(test)]
mod round_trip;
mod rows;
mod script;
mod tables;

pub use dump::{Dump, read_dump};
pub use export::{Authorizer, ExistingRows, ExportSettings, Target, export_script};
pub use guardbee_exchange::dump::{DumpError, Flavour};
pub use import::ImportSettings;
