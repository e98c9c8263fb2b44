//! Branches, tags and `EXECUTE` of tables with snapshots.

use super::expression::time_unit;
use super::{Print, Printer};
use crate::tree::{
    Age, ExecuteOperation, ReferenceKind, ReferenceSource, SnapshotReference, SnapshotRetention,
};

impl Print for ReferenceKind {
    fn print(&self, printer: &mut Printer) {
        printer.word(match self {
            Self::Branch => "BRANCH",
            Self::Tag => "TAG",
        });
    }
}

impl Print for Age<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.word(self.count);
        printer.word(time_unit(self.unit));
    }
}

impl Print for SnapshotRetention<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.word("WITH SNAPSHOT RETENTION");
        printer.word(self.snapshots);
        printer.word("SNAPSHOTS");
        printer.maybe(self.age.as_ref());
    }
}

impl Print for ExecuteOperation<'_> {
    fn print(&self, printer: &mut Printer) {
        match self {
            Self::Rollback(target) => printer.argument("ROLLBACK", target),
            Self::ExpireSnapshots(None) => printer.word("EXPIRE_SNAPSHOTS"),
            Self::ExpireSnapshots(Some(which)) => printer.argument("EXPIRE_SNAPSHOTS", which),
            Self::ExpireSnapshotsBetween { from, to } => {
                printer.worded("EXPIRE_SNAPSHOTS BETWEEN", from);
                printer.worded("AND", to);
            }
            Self::ExpireSnapshotsRetainLast(count) => {
                printer.word("EXPIRE_SNAPSHOTS RETAIN LAST");
                printer.word(count);
            }
            Self::SetCurrentSnapshot(snapshot) => printer.argument("SET_CURRENT_SNAPSHOT", snapshot),
            Self::FastForward { source, target } => {
                printer.worded("FAST-FORWARD", source);
                printer.maybe(target.as_ref());
            }
            Self::CherryPick(snapshot) => {
                printer.word("CHERRY-PICK");
                printer.word(snapshot);
            }
            Self::DeleteOrphanFiles(None) => printer.word("DELETE ORPHAN-FILES"),
            Self::DeleteOrphanFiles(Some(time)) => printer.argument("DELETE ORPHAN-FILES OLDER THAN", time),
        }
    }
}

impl Printer {
    /// Writes `words (argument)`.
    fn argument(&mut self, words: &str, argument: &impl Print) {
        self.word(words);
        self.parenthesized(argument);
    }

    pub(super) fn create_reference(&mut self, reference: &SnapshotReference<'_>) {
        self.word("CREATE");
        self.word_if(reference.or_replace, "OR REPLACE");
        reference.kind.print(self);
        self.if_not_exists(reference.if_not_exists);
        reference.name.print(self);
        if let Some(source) = &reference.source {
            self.word("FOR");
            self.reference_source(source, " AS OF");
        }
        self.reference_lifetime(reference);
    }

    pub(super) fn replace_reference(&mut self, reference: &SnapshotReference<'_>) {
        self.word("REPLACE");
        reference.kind.print(self);
        reference.name.print(self);
        self.word("AS OF");
        if let Some(source) = &reference.source {
            self.reference_source(source, "");
        }
        self.reference_lifetime(reference);
    }

    /// Writes what a reference points to, with `link` between the kind of place and the place.
    fn reference_source(&mut self, source: &ReferenceSource<'_>, link: &str) {
        let (kind, place) = match source {
            ReferenceSource::SystemTime(time) => ("SYSTEM_TIME", time.raw),
            ReferenceSource::SystemVersion(version) => ("SYSTEM_VERSION", *version),
            ReferenceSource::Tag(name) => ("TAG", name.raw),
            ReferenceSource::Branch(name) => ("BRANCH", name.raw),
        };
        self.word(kind);
        self.glued(link);
        self.word(place);
    }

    fn reference_lifetime(&mut self, reference: &SnapshotReference<'_>) {
        self.optional("RETAIN", reference.retain.as_ref());
        self.maybe(reference.retention.as_ref());
    }
}
