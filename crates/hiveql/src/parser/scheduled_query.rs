//! `CREATE`, `ALTER` and `DROP SCHEDULED QUERY`.

use super::{Parse, Parser};
use crate::keyword::{Keyword, Place};
use crate::token::TokenKind;
use crate::tree::{
    AlterScheduledQuery, CreateScheduledQuery, Enablement, Identifier, IntervalUnit, Schedule,
    ScheduleOffset, ScheduledQueryChange, SourceText, Statement, StringLiteral, TimeUnit,
};

impl<'a> Parser<'a> {
    /// `CREATE SCHEDULED QUERY q schedule [EXECUTED AS 'u'] [ENABLE|DISABLE] [DEFINED] AS statement`.
    pub(super) fn create_scheduled_query(&mut self) -> Parse<Statement<'a>> {
        self.bump();
        self.expect_keywords(&[Keyword::Scheduled, Keyword::Query])?;
        let name = self.scheduled_query_name()?;
        let schedule = self.schedule()?;
        let executed_as = if self.at_keyword(Keyword::Executed) { Some(self.executed_as()?) } else { None };
        let enabled = self.optional_enablement();
        let (query, query_text) = self.defined_as()?;
        Ok(Statement::CreateScheduledQuery(self.arena.alloc(CreateScheduledQuery {
            name,
            schedule,
            executed_as,
            enabled,
            query,
            query_text,
        })))
    }

    pub(super) fn alter_scheduled_query(&mut self) -> Parse<Statement<'a>> {
        self.bump();
        self.expect_keywords(&[Keyword::Scheduled, Keyword::Query])?;
        let name = self.scheduled_query_name()?;
        let change = self.scheduled_query_change()?;
        Ok(Statement::AlterScheduledQuery(self.arena.alloc(AlterScheduledQuery { name, change })))
    }

    pub(super) fn scheduled_query_name(&mut self) -> Parse<Identifier<'a>> {
        self.identifier(Place::Table, "the name of a scheduled query")
    }

    fn scheduled_query_change(&mut self) -> Parse<ScheduledQueryChange<'a>> {
        match self.keyword() {
            Some(Keyword::Cron | Keyword::Every) => self.schedule().map(ScheduledQueryChange::Schedule),
            Some(Keyword::Executed) => self.executed_as().map(ScheduledQueryChange::ExecutedAs),
            Some(Keyword::Enable) => {
                self.bump();
                Ok(ScheduledQueryChange::Enable)
            }
            Some(Keyword::Disable) => {
                self.bump();
                Ok(ScheduledQueryChange::Disable)
            }
            Some(Keyword::Defined | Keyword::As) => {
                let (query, query_text) = self.defined_as()?;
                Ok(ScheduledQueryChange::DefinedAs { query, query_text })
            }
            Some(Keyword::Execute) => {
                self.bump();
                Ok(ScheduledQueryChange::Execute)
            }
            _ => Err(self.expected_keywords(&[
                Keyword::Cron,
                Keyword::Every,
                Keyword::Executed,
                Keyword::Enable,
                Keyword::Disable,
                Keyword::Defined,
                Keyword::As,
                Keyword::Execute,
            ])),
        }
    }

    fn optional_enablement(&mut self) -> Option<Enablement> {
        let enablement = match self.keyword() {
            Some(Keyword::Enable) => Enablement::Enable,
            Some(Keyword::Disable) => Enablement::Disable,
            _ => return None,
        };
        self.bump();
        Some(enablement)
    }

    fn executed_as(&mut self) -> Parse<StringLiteral<'a>> {
        self.expect_keywords(&[Keyword::Executed, Keyword::As])?;
        self.string("a user name in quotes")
    }

    /// `[DEFINED] AS statement`.
    fn defined_as(&mut self) -> Parse<(&'a Statement<'a>, SourceText<'a>)> {
        self.eat_keyword(Keyword::Defined);
        self.expect_keyword(Keyword::As)?;
        let start = self.start();
        let statement = self.nested(Self::statement)?;
        Ok((self.arena.alloc(statement), SourceText(self.text_since(start))))
    }

    fn schedule(&mut self) -> Parse<Schedule<'a>> {
        if self.eat_keyword(Keyword::Cron) {
            return self.string("a cron expression in quotes").map(Schedule::Cron);
        }
        if !self.eat_keyword(Keyword::Every) {
            return Err(self.expected_keywords(&[Keyword::Cron, Keyword::Every]));
        }
        let is_counted = matches!(self.kind(), TokenKind::Integer | TokenKind::Decimal);
        let count = if is_counted { Some(self.number("a number")?) } else { None };
        let unit = self.schedule_unit()?;
        Ok(Schedule::Every { count, unit, offset: self.optional_schedule_offset()? })
    }

    fn optional_schedule_offset(&mut self) -> Parse<Option<ScheduleOffset<'a>>> {
        let what = "a time in quotes";
        if self.eat_keyword(Keyword::At) {
            return self.string(what).map(ScheduleOffset::At).map(Some);
        }
        if self.eat_keyword(Keyword::Offset) {
            self.expect_keyword(Keyword::By)?;
            return self.string(what).map(ScheduleOffset::OffsetBy).map(Some);
        }
        Ok(None)
    }

    fn schedule_unit(&mut self) -> Parse<IntervalUnit> {
        let unit = match self.keyword() {
            Some(Keyword::Year) if self.peek_keyword(1) == Some(Keyword::To) => {
                self.expect_keywords(&[Keyword::Year, Keyword::To, Keyword::Month])?;
                return Ok(IntervalUnit::YearToMonth);
            }
            Some(Keyword::Day) if self.peek_keyword(1) == Some(Keyword::To) => {
                self.expect_keywords(&[Keyword::Day, Keyword::To, Keyword::Second])?;
                return Ok(IntervalUnit::DayToSecond);
            }
            Some(Keyword::Year) => TimeUnit::Year,
            Some(Keyword::Month) => TimeUnit::Month,
            Some(Keyword::Day) => TimeUnit::Day,
            Some(Keyword::Hour) => TimeUnit::Hour,
            Some(Keyword::Minute) => TimeUnit::Minute,
            Some(Keyword::Second) => TimeUnit::Second,
            _ => {
                return Err(self.expected_keywords(&[
                    Keyword::Minute,
                    Keyword::Hour,
                    Keyword::Day,
                    Keyword::Month,
                    Keyword::Year,
                    Keyword::Second,
                ]));
            }
        };
        self.bump();
        Ok(IntervalUnit::Unit(unit))
    }
}
