//! The file system of the cluster that Hive's tests start. Hive's SQL-standard mode asks the file system about
//! addresses. All that is there belongs to whoever runs the tests, and nobody else may write there, unless
//! `dfs -chmod` has opened a place.
//!
//! What lies on the machine itself is left out: recordings hide its paths, and nobody is refused there.

use guardbee_policy::request::{Lifetime, Request, WriteAction};
use guardbee_policy::{Resource, Uri};

use super::USER;

/// Paths without a scheme are not the cluster's in these tests.
pub(super) const HOME: &str = "file://";
const CLUSTER: &str = "hdfs:";

/// Which places are open.
#[derive(Debug, Default)]
pub(super) struct Cluster {
    open: Vec<Uri>,
}

impl Cluster {
    /// What a `dfs` command has changed.
    pub(super) fn follow(&mut self, command: &str) {
        let words: Vec<&str> = command.trim_end_matches(';').split_whitespace().collect();
        let [_, "-chmod", options @ .., mode, path] = words.as_slice() else { return };
        let is_known = options.iter().all(|option| *option == "-R");
        let is_open = mode.bytes().last().is_some_and(|bits| matches!(bits, b'2' | b'3' | b'6' | b'7'));
        if let (true, Ok(place)) = (is_known, Uri::requested(path, HOME)) {
            self.open.retain(|open| *open != place);
            if is_open {
                self.open.push(place);
            }
        }
    }

    /// What a user lacks on the places where something new is written.
    pub(super) fn missing(&self, user: &str, request: &Request) -> Vec<(String, String)> {
        if user == USER {
            return Vec::new();
        }
        let is_written = |action: WriteAction| !matches!(action, WriteAction::Lock | WriteAction::Touch);
        let written = request
            .writes
            .iter()
            .filter(|write| write.lifetime == Lifetime::Permanent && is_written(write.action));
        let read = request.reads.iter().map(|read| &read.resource);
        let places = written.map(|write| &write.resource).chain(read).filter_map(|resource| match resource {
            Resource::Uri(place) if place.key().starts_with(CLUSTER) => Some(place),
            _ => None,
        });
        let closed = places.filter(|place| !self.open.iter().any(|open| open.covers(place)));
        closed
            .flat_map(|place| ["INSERT", "DELETE"].map(|missing| (missing.to_owned(), place.to_string())))
            .collect()
    }
}
