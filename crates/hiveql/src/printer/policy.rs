//! Row filters, column masks and tags.

use super::{Print, Printer};
use crate::tree::{
    CreatePolicy, PolicyChange, PolicyDefinition, PolicyKind, PolicyStatement, PrincipalName, StringLiteral,
    TagChange, TagValue,
};

impl Print for PolicyStatement<'_> {
    fn print(&self, printer: &mut Printer) {
        match self {
            Self::Create(policy) => policy.print(printer),
            Self::Alter { kind, name, change } => {
                printer.worded("ALTER", kind);
                name.print(printer);
                change.print(printer);
            }
            Self::Drop { kind, name, if_exists } => {
                printer.worded("DROP", kind);
                printer.if_exists(*if_exists);
                name.print(printer);
            }
            Self::CreateTag { name, if_not_exists, allowed_values, comment } => {
                printer.word("CREATE TAG");
                printer.if_not_exists(*if_not_exists);
                name.print(printer);
                if !allowed_values.is_empty() {
                    printer.allowed_values(allowed_values);
                }
                printer.optional("COMMENT", comment.as_ref());
            }
            Self::AlterTag { name, change } => {
                printer.worded("ALTER TAG", name);
                change.print(printer);
            }
            Self::DropTag { name, if_exists } => {
                printer.word("DROP TAG");
                printer.if_exists(*if_exists);
                name.print(printer);
            }
            Self::SetTags { tags, object } => {
                printer.word("SET TAG");
                printer.nodes(tags);
                printer.worded("ON", object);
            }
            Self::UnsetTags { tags, object } => {
                printer.word("UNSET TAG");
                printer.nodes(tags);
                printer.worded("ON", object);
            }
        }
    }
}

impl Print for PolicyKind {
    fn print(&self, printer: &mut Printer) {
        printer.word(match self {
            Self::RowFilter => "ROW FILTER",
            Self::ColumnMask => "COLUMN MASK",
        });
    }
}

impl Print for CreatePolicy<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.word(if self.or_replace { "CREATE OR REPLACE" } else { "CREATE" });
        self.kind.print(printer);
        printer.if_not_exists(self.if_not_exists);
        self.name.print(printer);
        printer.worded("ON", &self.on);
        if let Some(column) = &self.column {
            printer.parenthesized_nodes(std::slice::from_ref(column));
        }
        self.definition.print(printer);
        printer.policy_principals(self.principals);
        printer.except(self.except);
    }
}

impl Print for PolicyDefinition<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.word("USING (");
        self.expression.print(printer);
        printer.glued(")");
    }
}

impl Print for PolicyChange<'_> {
    fn print(&self, printer: &mut Printer) {
        match self {
            Self::Rename(name) => printer.worded("RENAME TO", name),
            Self::Enable => printer.word("ENABLE"),
            Self::Disable => printer.word("DISABLE"),
            Self::Redefine { definition, principals, except } => {
                printer.maybe(definition.as_ref());
                printer.policy_principals(principals);
                printer.except(except);
            }
        }
    }
}

impl Print for TagChange<'_> {
    fn print(&self, printer: &mut Printer) {
        match self {
            Self::Rename(name) => printer.worded("RENAME TO", name),
            Self::Comment(comment) => printer.worded("SET COMMENT", comment),
            Self::AllowedValues(values) => {
                printer.word("SET");
                printer.allowed_values(values);
            }
            Self::AnyValue => printer.word("UNSET ALLOWED_VALUES"),
            Self::AddDeclassifier { at, reason, review, owner } => {
                printer.worded("ADD DECLASSIFIER", at);
                printer.worded("REASON", reason);
                printer.worded("REVIEW", review);
                printer.optional("OWNER", owner.as_ref());
            }
            Self::DropDeclassifier(at) => printer.worded("DROP DECLASSIFIER", at),
        }
    }
}

impl Print for TagValue<'_> {
    fn print(&self, printer: &mut Printer) {
        self.name.print(printer);
        printer.optional("=", self.value.as_ref());
    }
}

impl Printer {
    fn allowed_values(&mut self, values: &[StringLiteral<'_>]) {
        self.word("ALLOWED_VALUES");
        self.nodes(values);
    }

    fn policy_principals(&mut self, principals: &[PrincipalName<'_>]) {
        if !principals.is_empty() {
            self.word("TO");
            self.nodes(principals);
        }
    }
}
