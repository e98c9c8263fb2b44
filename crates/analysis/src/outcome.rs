//! What an analysis has found so far.

use guardbee_model::{Diagnostic, DiagnosticCode, Operation, Severity, Span};

use crate::effects::{
    Access, DatasetKind, Effects, FunctionName, FunctionOrigin, FunctionUse, Object, PartitionValues, Read,
    Write, WriteAction,
};

/// Effects that grow, and findings beside them.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub effects: Effects,
    pub diagnostics: Vec<Diagnostic>,
}

impl Outcome {
    pub(crate) const fn new(operation: Operation) -> Self {
        Self { effects: Effects::new(operation), diagnostics: Vec::new() }
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

    /// Notes that the statement writes an object; the same object and action twice is one write.
    pub(crate) fn write(
        &mut self,
        object: Object,
        kind: DatasetKind,
        action: WriteAction,
        partition: Option<PartitionValues>,
    ) {
        let partition = partition.filter(|values| !values.is_empty());
        let known =
            self.effects.writes.iter_mut().find(|write| write.action == action && write.object == object);
        match known {
            Some(write) => write.partitions.extend(partition),
            None => self.write_new(object, kind, action, partition),
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
        if !self.effects.functions.iter().any(|known| known.function == function) {
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
