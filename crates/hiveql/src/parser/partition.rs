//! Partitions: which one is meant, and which ones are.

use guardbee_model::HiveVersion;

use super::operator::{Level, Operation};
use super::{Parse, Parser};
use crate::keyword::{Keyword, Place};
use crate::token::TokenKind;
use crate::tree::{
    BinaryOperator, Identifier, PartitionItem, PartitionOperator, PartitionSpecification, PartitionTransform,
};

impl<'a> Parser<'a> {
    /// `PARTITION (a = 1, b)`.
    pub(crate) fn partition_specification(&mut self) -> Parse<PartitionSpecification<'a>> {
        let start = self.start();
        self.expect_keyword(Keyword::Partition)?;
        let items = self.parenthesized_list(Self::partition_value)?;
        Ok(PartitionSpecification { items, location: self.since(start) })
    }

    /// `PARTITION (a = 1, b)`, where it stands.
    pub(crate) fn optional_partition(&mut self) -> Parse<Option<PartitionSpecification<'a>>> {
        if self.at_keyword(Keyword::Partition) { self.partition_specification().map(Some) } else { Ok(None) }
    }

    /// `(a = 1, b > 2, c LIKE 'x')`, the partitions that a statement is about; a value is needed each time.
    pub(crate) fn partition_selection(&mut self) -> Parse<PartitionSpecification<'a>> {
        let start = self.start();
        let items = self.parenthesized_list(Self::partition_condition)?;
        Ok(PartitionSpecification { items, location: self.since(start) })
    }

    fn partition_value(&mut self) -> Parse<PartitionItem<'a>> {
        let key = self.partition_key()?;
        if !self.at(TokenKind::Equal) {
            return Ok(PartitionItem { key, value: None });
        }
        let operator = self.partition_operator()?;
        Ok(PartitionItem { key, value: Some((operator, self.constant()?)) })
    }

    fn partition_condition(&mut self) -> Parse<PartitionItem<'a>> {
        let key = self.partition_key()?;
        let operator = self.partition_operator()?;
        Ok(PartitionItem { key, value: Some((operator, self.constant()?)) })
    }

    fn partition_operator(&mut self) -> Parse<PartitionOperator> {
        let operator = match self.operation() {
            Some((
                Level::Equality | Level::Comparison,
                Operation::Binary(operator) | Operation::Quantified(operator),
            )) if is_partition_comparison(operator) => PartitionOperator::Comparison(operator),
            _ if self.at_keyword(Keyword::Like) && self.version() >= HiveVersion::V4_0 => {
                PartitionOperator::Like
            }
            _ => return Err(self.unexpected("a comparison")),
        };
        self.bump();
        Ok(operator)
    }

    /// A column, or a function of it as Iceberg partitions by one.
    fn partition_key(&mut self) -> Parse<PartitionTransform<'a>> {
        if self.version() >= HiveVersion::V4_1 {
            self.transform_of(Self::partition_column)
        } else {
            self.partition_column().map(PartitionTransform::Column)
        }
    }

    fn partition_column(&mut self) -> Parse<Identifier<'a>> {
        self.identifier(Place::PartitionColumn, "a partition column")
    }
}

const fn is_partition_comparison(operator: BinaryOperator) -> bool {
    matches!(
        operator,
        BinaryOperator::Equal
            | BinaryOperator::DoubleEqual
            | BinaryOperator::NotEqual
            | BinaryOperator::BangEqual
            | BinaryOperator::Less
            | BinaryOperator::LessOrEqual
            | BinaryOperator::Greater
            | BinaryOperator::GreaterOrEqual
    )
}
