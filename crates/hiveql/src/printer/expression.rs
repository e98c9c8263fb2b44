//! Expressions, calls apart.

use super::{Print, Printer};
use crate::tree::{
    AllColumns, Between, BinaryOperator, Case, Cast, Chain, Expression, Extract, Field, Floor, In, InSet,
    Index, Interval, IntervalSpelling, IntervalUnit, Is, Like, LikeOperator, LikeQuantifier, LiteralKind,
    Negation, Quantified, Quantifier, TimeUnit, Trim, TrimSide, Truth, TypedLiteral, TypedLiteralType, Unary,
    UnaryOperator,
};

impl Print for Expression<'_> {
    fn print(&self, printer: &mut Printer) {
        match *self {
            Self::Literal(literal) => printer.word(literal.raw),
            Self::Column(name) => name.print(printer),
            Self::Field(node) => node.print(printer),
            Self::Index(node) => node.print(printer),
            Self::Call(node) => node.print(printer),
            Self::Cast(node) => node.print(printer),
            Self::Case(node) => node.print(printer),
            Self::Unary(node) => node.print(printer),
            Self::Chain(node) => node.print(printer),
            Self::Between(node) => node.print(printer),
            Self::In(node) => node.print(printer),
            Self::Like(node) => node.print(printer),
            Self::Is(node) => node.print(printer),
            Self::Quantified(node) => node.print(printer),
            Self::Exists(node) => {
                printer.word("EXISTS");
                printer.parenthesized(node.query);
            }
            Self::Subquery(node) => printer.parenthesized(node.query),
            Self::TypedLiteral(node) => node.print(printer),
            Self::Interval(node) => node.print(printer),
            Self::Extract(node) => node.print(printer),
            Self::Floor(node) => node.print(printer),
            Self::Trim(node) => node.print(printer),
            Self::Tuple(node) => printer.parenthesized_list(node.items, |printer, item| item.print(printer)),
            Self::Parenthesized(node) => printer.parenthesized(&node.inner),
            Self::Parameter(_) => printer.word("?"),
            Self::AllColumns(node) => node.print(printer),
        }
    }
}

impl Print for Field<'_> {
    fn print(&self, printer: &mut Printer) {
        self.operand.print(printer);
        // Behind a number the dot would become part of it.
        let is_number = matches!(self.operand, Expression::Literal(literal) if !matches!(
            literal.kind,
            LiteralKind::Null | LiteralKind::True | LiteralKind::False | LiteralKind::String
        ));
        if is_number {
            printer.blank();
        }
        printer.dot();
        self.name.print(printer);
    }
}

impl Print for Index<'_> {
    fn print(&self, printer: &mut Printer) {
        self.operand.print(printer);
        printer.glued("[");
        self.index.print(printer);
        printer.glued("]");
    }
}

impl Print for Cast<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.word("CAST(");
        self.operand.print(printer);
        printer.word("AS");
        self.data_type.print(printer);
        if let Some(format) = self.format {
            printer.word("FORMAT");
            format.print(printer);
        }
        printer.glued(")");
    }
}

impl Print for Case<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.word("CASE");
        if let Some(operand) = self.operand {
            operand.print(printer);
        }
        for (condition, result) in self.branches {
            printer.word("WHEN");
            condition.print(printer);
            printer.word("THEN");
            result.print(printer);
        }
        if let Some(otherwise) = self.otherwise {
            printer.word("ELSE");
            otherwise.print(printer);
        }
        printer.word("END");
    }
}

impl Print for Unary<'_> {
    fn print(&self, printer: &mut Printer) {
        match self.operator {
            UnaryOperator::Not => printer.word("NOT"),
            UnaryOperator::Bang => printer.word("!"),
            UnaryOperator::Plus => printer.word("+"),
            UnaryOperator::Minus => printer.word("-"),
            UnaryOperator::Tilde => printer.word("~"),
        }
        let is_sign =
            matches!(self.operator, UnaryOperator::Plus | UnaryOperator::Minus | UnaryOperator::Tilde);
        // Two signs in a row stay apart: `--` starts a comment.
        if is_sign && !matches!(self.operand, Expression::Unary(_)) {
            printer.tight(|printer| self.operand.print(printer));
        } else {
            self.operand.print(printer);
        }
    }
}

impl Print for Chain<'_> {
    fn print(&self, printer: &mut Printer) {
        self.first.print(printer);
        for (operator, operand) in self.rest {
            printer.word(binary_operator(*operator));
            operand.print(printer);
        }
    }
}

impl Print for Between<'_> {
    fn print(&self, printer: &mut Printer) {
        self.operand.print(printer);
        self.negation.print(printer);
        printer.word("BETWEEN");
        self.low.print(printer);
        printer.word("AND");
        self.high.print(printer);
    }
}

impl Print for In<'_> {
    fn print(&self, printer: &mut Printer) {
        self.operand.print(printer);
        self.negation.print(printer);
        printer.word("IN");
        match self.set {
            InSet::List(items) => printer.parenthesized_list(items, |printer, item| item.print(printer)),
            InSet::Query(query) => printer.parenthesized(query),
        }
    }
}

impl Print for Like<'_> {
    fn print(&self, printer: &mut Printer) {
        self.operand.print(printer);
        self.negation.print(printer);
        printer.word(match self.operator {
            LikeOperator::Like => "LIKE",
            LikeOperator::RLike => "RLIKE",
            LikeOperator::Regexp => "REGEXP",
        });
        let quantifier = match self.quantifier {
            None => return printer.list(self.patterns, |printer, pattern| pattern.print(printer)),
            Some(LikeQuantifier::Any) => "ANY",
            Some(LikeQuantifier::All) => "ALL",
        };
        printer.word(quantifier);
        printer.parenthesized_list(self.patterns, |printer, pattern| pattern.print(printer));
    }
}

impl Print for Is<'_> {
    fn print(&self, printer: &mut Printer) {
        self.operand.print(printer);
        printer.word("IS");
        self.negation.print(printer);
        printer.word(match self.truth {
            Truth::Null => "NULL",
            Truth::True => "TRUE",
            Truth::False => "FALSE",
            Truth::Unknown => "UNKNOWN",
        });
    }
}

impl Print for Quantified<'_> {
    fn print(&self, printer: &mut Printer) {
        self.operand.print(printer);
        printer.word(binary_operator(self.operator));
        printer.word(match self.quantifier {
            Quantifier::Any => "ANY",
            Quantifier::Some => "SOME",
            Quantifier::All => "ALL",
        });
        printer.parenthesized(self.query);
    }
}

impl Print for TypedLiteral<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.word(match self.literal_type {
            TypedLiteralType::Date => "DATE",
            TypedLiteralType::Timestamp => "TIMESTAMP",
            TypedLiteralType::TimestampLocalTimeZone => "TIMESTAMPLOCALTZ",
            TypedLiteralType::CurrentDate => "CURRENT_DATE",
            TypedLiteralType::CurrentTimestamp => "CURRENT_TIMESTAMP",
        });
        if let Some(value) = self.value {
            value.print(printer);
        }
    }
}

impl Print for Interval<'_> {
    fn print(&self, printer: &mut Printer) {
        if self.spelling == IntervalSpelling::Worded {
            printer.word("INTERVAL");
        }
        self.value.print(printer);
        printer.word(interval_unit(self.unit));
    }
}

impl Print for Extract<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.word("EXTRACT(");
        printer.word(time_unit(self.unit));
        printer.word("FROM");
        self.operand.print(printer);
        printer.glued(")");
    }
}

impl Print for Floor<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.word("FLOOR(");
        self.operand.print(printer);
        printer.word("TO");
        printer.word(time_unit(self.unit));
        printer.glued(")");
    }
}

impl Print for Trim<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.word("TRIM(");
        match self.side {
            None => {}
            Some(TrimSide::Both) => printer.word("BOTH"),
            Some(TrimSide::Leading) => printer.word("LEADING"),
            Some(TrimSide::Trailing) => printer.word("TRAILING"),
        }
        if let Some(characters) = self.characters {
            characters.print(printer);
        }
        printer.word("FROM");
        self.operand.print(printer);
        printer.glued(")");
    }
}

impl Print for AllColumns<'_> {
    fn print(&self, printer: &mut Printer) {
        for part in self.qualifier {
            part.print(printer);
            printer.dot();
        }
        printer.word("*");
    }
}

impl Print for Negation {
    fn print(&self, printer: &mut Printer) {
        if *self == Self::Negated {
            printer.word("NOT");
        }
    }
}

pub(super) const fn binary_operator(operator: BinaryOperator) -> &'static str {
    match operator {
        BinaryOperator::Or => "OR",
        BinaryOperator::And => "AND",
        BinaryOperator::Equal => "=",
        BinaryOperator::DoubleEqual => "==",
        BinaryOperator::NullSafeEqual => "<=>",
        BinaryOperator::NotEqual => "<>",
        BinaryOperator::BangEqual => "!=",
        BinaryOperator::Less => "<",
        BinaryOperator::LessOrEqual => "<=",
        BinaryOperator::Greater => ">",
        BinaryOperator::GreaterOrEqual => ">=",
        BinaryOperator::IsDistinctFrom => "IS DISTINCT FROM",
        BinaryOperator::IsNotDistinctFrom => "IS NOT DISTINCT FROM",
        BinaryOperator::Concatenate => "||",
        BinaryOperator::BitOr => "|",
        BinaryOperator::BitXor => "^",
        BinaryOperator::BitAnd => "&",
        BinaryOperator::Plus => "+",
        BinaryOperator::Minus => "-",
        BinaryOperator::Multiply => "*",
        BinaryOperator::Divide => "/",
        BinaryOperator::Modulo => "%",
        BinaryOperator::IntegerDivide => "DIV",
    }
}

pub(super) const fn interval_unit(unit: IntervalUnit) -> &'static str {
    match unit {
        IntervalUnit::YearToMonth => "YEAR TO MONTH",
        IntervalUnit::DayToSecond => "DAY TO SECOND",
        IntervalUnit::Unit(unit) => time_unit(unit),
    }
}

pub(super) const fn time_unit(unit: TimeUnit) -> &'static str {
    match unit {
        TimeUnit::Year => "YEAR",
        TimeUnit::Quarter => "QUARTER",
        TimeUnit::Month => "MONTH",
        TimeUnit::Week => "WEEK",
        TimeUnit::Day => "DAY",
        TimeUnit::DayOfWeek => "DAYOFWEEK",
        TimeUnit::Hour => "HOUR",
        TimeUnit::Minute => "MINUTE",
        TimeUnit::Second => "SECOND",
    }
}
