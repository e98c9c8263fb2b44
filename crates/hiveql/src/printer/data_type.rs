//! Data types.

use super::{Print, Printer};
use crate::tree::{DataType, PrimitiveType, StructField};

impl Print for DataType<'_> {
    fn print(&self, printer: &mut Printer) {
        match *self {
            Self::Primitive(primitive) => printer.word(primitive_name(primitive)),
            Self::Char(length) => {
                printer.word("CHAR");
                printer.in_parentheses(length);
            }
            Self::Varchar(length) => {
                printer.word("VARCHAR");
                printer.in_parentheses(length);
            }
            Self::Decimal { precision, scale } => print_decimal(precision, scale, printer),
            Self::TimestampLocalTimeZone => printer.word("TIMESTAMP WITH LOCAL TIME ZONE"),
            Self::Array(element) => {
                printer.word("ARRAY<");
                printer.tight(|printer| element.print(printer));
                printer.glued(">");
            }
            Self::Map((key, value)) => {
                printer.word("MAP<");
                printer.tight(|printer| key.print(printer));
                printer.glued(",");
                value.print(printer);
                printer.glued(">");
            }
            Self::Struct(fields) => {
                printer.word("STRUCT<");
                printer.tight(|printer| printer.list(fields, |printer, field| field.print(printer)));
                printer.glued(">");
            }
            Self::Union(members) => {
                printer.word("UNIONTYPE<");
                printer.tight(|printer| printer.list(members, |printer, member| member.print(printer)));
                printer.glued(">");
            }
        }
    }
}

impl Print for StructField<'_> {
    fn print(&self, printer: &mut Printer) {
        self.name.print(printer);
        printer.glued(":");
        self.data_type.print(printer);
        if let Some(comment) = self.comment {
            printer.word("COMMENT");
            comment.print(printer);
        }
    }
}

fn print_decimal(precision: Option<&str>, scale: Option<&str>, printer: &mut Printer) {
    printer.word("DECIMAL");
    let Some(precision) = precision else {
        return;
    };
    printer.glued("(");
    printer.glued(precision);
    if let Some(scale) = scale {
        printer.glued(",");
        printer.word(scale);
    }
    printer.glued(")");
}

const fn primitive_name(primitive: PrimitiveType) -> &'static str {
    match primitive {
        PrimitiveType::TinyInt => "TINYINT",
        PrimitiveType::SmallInt => "SMALLINT",
        PrimitiveType::Int => "INT",
        PrimitiveType::BigInt => "BIGINT",
        PrimitiveType::Boolean => "BOOLEAN",
        PrimitiveType::Float => "FLOAT",
        PrimitiveType::Real => "REAL",
        PrimitiveType::Double => "DOUBLE",
        PrimitiveType::DoublePrecision => "DOUBLE PRECISION",
        PrimitiveType::Date => "DATE",
        PrimitiveType::DateTime => "DATETIME",
        PrimitiveType::Timestamp => "TIMESTAMP",
        PrimitiveType::String => "STRING",
        PrimitiveType::Binary => "BINARY",
        PrimitiveType::Variant => "VARIANT",
    }
}
