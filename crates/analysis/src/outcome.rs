//! What an analysis has found so far.

use guardbee_model::{Diagnostic, DiagnosticCode, Name, Operation, Severity, Span};
use rustc_hash::FxHashMap;

use crate::effects::{
    Access, DatasetKind, Effects, FunctionName, FunctionOrigin, FunctionUse, Object, PartitionValues, Read,
    Write, WriteAction,
};
use crate::lookup::GrowingIndex;

/// Effects that grow, and findings beside them.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub effects: Effects,
    pub diagnostics: Vec<Diagnostic>,
    writes: GrowingIndex<(Object, WriteAction)>,
    functions: GrowingIndex<FunctionName>,
    /// Of each write, by its place.
    written_columns: FxHashMap<usize, GrowingIndex<Name>>,
}

impl Outcome {
    pub(crate) fn new(operation: Operation) -> Self {
        Self {
            effects: Effects::new(operation),
            diagnostics: Vec::new(),
            writes: GrowingIndex::default(),
            functions: GrowingIndex::default(),
            written_columns: FxHashMap::default(),
        }
    }

    /// Notes that the statement itself names an object and reads it, as a whole or one partition.
    pub(crate) fn read(&mut self, object: Object, kind: DatasetKind, partition: Option<PartitionValues>) {
        let partition = partition.filter(|values| !values.is_empty());
        let known =
            self.effects.reads.iter_mut().find(|read| read.access.is_direct() && read.object == object);
        match known {
            Some(read) => read.partitions.extend(partition),
            None => self.read_new(object, kind, partition),
        }
    }

    /// Notes a read of an object that is known to come for the first time.
    pub(crate) fn read_new(&mut self, object: Object, kind: DatasetKind, partition: Option<PartitionValues>) {
        self.effects.reads.push(Read {
            object,
            kind,
            access: Access::Direct,
            columns: Vec::new(),
            partitions: partition.into_iter().collect(),
        });
    }

    /// Notes that the statement writes an object; the same object and action twice is one write. The result
    /// is the place of the write.
    pub(crate) fn write(
        &mut self,
        object: Object,
        kind: DatasetKind,
        action: WriteAction,
        partition: Option<PartitionValues>,
    ) -> usize {
        let partition = partition.filter(|values| !values.is_empty());
        let known = self.writes.place(
            &self.effects.writes,
            |write| write.action == action && write.object == object,
            || (object.clone(), action),
            |write| (write.object.clone(), write.action),
        );
        let Some(place) = known else {
            self.write_new(object, kind, action, partition);
            return self.effects.writes.len() - 1;
        };
        if let Some(write) = self.effects.writes.get_mut(place) {
            write.partitions.extend(partition);
        }
        place
    }

    /// Notes the columns that a write names.
    pub(crate) fn write_columns(&mut self, place: usize, columns: &[Name]) {
        let Some(write) = self.effects.writes.get_mut(place) else { return };
        let index = self.written_columns.entry(place).or_default();
        for column in columns {
            let known = index.place(&write.columns, |known| known == column, || column.clone(), Name::clone);
            if known.is_none() {
                write.columns.push(column.clone());
            }
        }
    }

    /// Notes a write of an object that is known to come for the first time.
    pub(crate) fn write_new(
        &mut self,
        object: Object,
        kind: DatasetKind,
        action: WriteAction,
        partition: Option<PartitionValues>,
    ) {
        self.effects.writes.push(Write {
            object,
            kind,
            action,
            partitions: partition.into_iter().collect(),
            columns: Vec::new(),
        });
    }

    /// Notes that a function is called or managed.
    pub(crate) fn function(&mut self, function: FunctionName, origin: FunctionOrigin) {
        let known = self.functions.place(
            &self.effects.functions,
            |known| known.function == function,
            || function.clone(),
            |known| known.function.clone(),
        );
        if known.is_none() {
            self.effects.functions.push(FunctionUse { function, origin });
        }
    }

    /// Will Hive have nothing of the statement, whatever else the catalog does not know?
    pub(crate) fn is_refused(&self) -> bool {
        let refusals = [DiagnosticCode::SEMANTIC, DiagnosticCode::ALREADY_EXISTS];
        self.diagnostics
            .iter()
            .any(|found| found.severity == Severity::Error && refusals.contains(&found.code))
    }

    pub(crate) fn error(&mut self, code: DiagnosticCode, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::error(code, span, message));
    }

    pub(crate) fn warning(&mut self, code: DiagnosticCode, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::warning(code, span, message));
    }

    pub(crate) fn error_with_hint(
        &mut self,
        code: DiagnosticCode,
        span: Span,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) {
        self.diagnostics.push(Diagnostic::error(code, span, message).with_hint(hint));
    }
}
