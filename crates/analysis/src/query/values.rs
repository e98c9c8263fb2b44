//! `VALUES (...), (...)` as rows.

use guardbee_hiveql::tree::{Expression, Values};
use guardbee_model::{Diagnostic, DiagnosticCode, Name, Span};

use crate::effects::Derivation;
use crate::types::Type;
use crate::typing;

use super::analyzer::{Analyzer, Environment, Place, Typed};
use super::flow::{Flow, Kind, RowsId, Value};
use super::scope::{OutputColumn, Rows, RowsOrigin, Scope};

impl<'c> Analyzer<'c, '_> {
    /// Rows of constants, mostly. Their columns are `col1`, `col2`, ...
    pub(super) fn values<'p>(&mut self, environment: Environment<'p, 'c>, values: &'p Values<'p>) -> Rows {
        let scope = Scope::inside(environment.outer);
        let place = Place::new(environment, &scope);
        let mut columns: Vec<ValuesColumn> = Vec::new();
        let version = environment.context.version();
        for (number, row) in values.rows().enumerate() {
            if number == 0 {
                columns.resize_with(row.len(), ValuesColumn::default);
            } else if row.len() != columns.len() {
                self.report_ragged_row(columns.len(), row, environment.source);
            }
            for (column, cell) in columns.iter_mut().zip(row) {
                match cell {
                    Expression::Literal(literal) => column.add_type(&typing::literal(literal, version)),
                    cell => {
                        let value = self.evaluate(place, cell);
                        column.add_type(&value.data_type);
                        if !value.sources.is_empty() || !value.influences.is_empty() {
                            column.values.push(value);
                        }
                    }
                }
            }
        }
        let columns: Vec<OutputColumn> = columns
            .into_iter()
            .enumerate()
            .map(|(number, column)| {
                let name = values.names.get(number).and_then(|name| name.as_ref().map(|name| name.name()));
                let name = name.unwrap_or_else(|| Name::fold(&format!("col{}", number + 1)));
                self.values_column(name, column)
            })
            .collect();
        Rows {
            columns: columns.into(),
            open: Vec::new(),
            influences: RowsId::FREE,
            origin: RowsOrigin::Relations,
        }
    }

    fn values_column(&mut self, name: Name, column: ValuesColumn) -> OutputColumn {
        let data_type = column.data_type.unwrap_or(Type::Void);
        let kind = if data_type == Type::Void { Kind::SIMPLE } else { Kind::SCRIPT };
        let value = if column.values.is_empty() {
            Value::constant(data_type)
        } else {
            let mark = self.mark();
            for value in &column.values {
                self.push_value(value, Flow::value(Derivation::Identity));
            }
            self.value_since(mark, Typed::varying(data_type))
        };
        OutputColumn { name, value: Value { kind, ..value }, expression: Span::default() }
    }

    fn report_ragged_row(&mut self, width: usize, row: &[Expression<'_>], source: &str) {
        let span = row.first().map_or(Span::default(), |cell| cell.span(source));
        self.report(|| {
            let message = format!("the first row has {width} values, this one has {}", row.len());
            Diagnostic::error(DiagnosticCode::SEMANTIC, span, message)
        });
    }
}

#[derive(Debug, Default)]
struct ValuesColumn {
    data_type: Option<Type>,
    /// The values that have sources.
    values: Vec<Value>,
}

impl ValuesColumn {
    fn add_type(&mut self, data_type: &Type) {
        match &mut self.data_type {
            Some(known) if known == data_type => {}
            Some(known) => *known = typing::common(known, data_type),
            None => self.data_type = Some(data_type.clone()),
        }
    }
}
