//! Calls of functions.

use guardbee_model::HiveVersion;

use super::{Parse, Parser};
use crate::keyword::{Keyword, Place};
use crate::token::TokenKind;
use crate::tree::{
    Call, Expression, Identifier, Location, NullTreatment, NullsPlace, SetQuantifier, SortKey, Window,
};

/// What may stand behind the arguments of a call.
#[derive(Clone, Copy, Default)]
struct Behind<'a> {
    nulls: Option<(NullTreatment, NullsPlace)>,
    within_group: &'a [SortKey<'a>],
    over: Option<Window<'a>>,
}

impl<'a> Parser<'a> {
    /// `[db.]name(...)`; the caller has looked that this stands here.
    pub(crate) fn call(&mut self) -> Parse<Expression<'a>> {
        self.function_call().map(Expression::Call)
    }

    /// As [`Self::call`], where nothing but a call fits.
    pub(crate) fn function_call(&mut self) -> Parse<&'a Call<'a>> {
        let start = self.start();
        let database = if self.peek(1) == TokenKind::Dot { Some(self.database_of_function()?) } else { None };
        let function = self.function_name(database)?;
        self.expect(TokenKind::LeftParenthesis, "`(`")?;
        if self.version() < HiveVersion::V4_0 {
            self.check_form_of_call(function)?;
        }
        let quantifier = self.set_quantifier();
        let arguments = self.arguments(quantifier)?;
        self.finish_call(database, function, quantifier, arguments, start)
    }

    /// Hive 4 reads some of what looks like a call otherwise.
    fn check_form_of_call(&self, function: Identifier<'a>) -> Parse<()> {
        let what = match self.keyword() {
            Some(Keyword::Select) if function.raw.eq_ignore_ascii_case("any") => "a comparison with `ANY`",
            Some(Keyword::Select) if function.raw.eq_ignore_ascii_case("some") => "a comparison with `SOME`",
            Some(Keyword::Both) if function.raw.eq_ignore_ascii_case("trim") => "`TRIM(BOTH ...)`",
            _ => return Ok(()),
        };
        Err(self.needs_version(what, HiveVersion::V4_0, function.span()))
    }

    /// `db.` in front of a function.
    fn database_of_function(&mut self) -> Parse<Identifier<'a>> {
        let database = self.identifier(Place::QualifiedColumn, "a database name")?;
        self.bump();
        Ok(database)
    }

    fn function_name(&mut self, database: Option<Identifier<'a>>) -> Parse<Identifier<'a>> {
        match self.keyword() {
            _ if database.is_some() => self.identifier(Place::QualifiedColumn, "a function name"),
            // They are words in front of a parenthesis, and no names of functions.
            Some(Keyword::All | Keyword::Distinct | Keyword::Not | Keyword::Floor) => {
                Err(self.unexpected("a function name"))
            }
            _ => self.identifier(Place::Function, "a function name"),
        }
    }

    /// The rest of a call whose `(` and first argument are read.
    pub(super) fn call_behind(
        &mut self,
        function: Identifier<'a>,
        start: u32,
        first: Expression<'a>,
    ) -> Parse<Expression<'a>> {
        let mut arguments = vec![first];
        while self.eat(TokenKind::Comma) {
            arguments.push(self.expression_or_star()?);
        }
        let arguments = self.arena.list(&arguments);
        self.finish_call(None, function, None, arguments, start).map(Expression::Call)
    }

    /// A call that nothing but arguments belongs to.
    pub(super) fn plain_call(
        &mut self,
        function: Identifier<'a>,
        arguments: &[Expression<'a>],
        location: Location,
    ) -> Expression<'a> {
        Expression::Call(self.arena.alloc(Call {
            database: None,
            function,
            quantifier: None,
            arguments: self.arena.list(arguments),
            nulls: None,
            within_group: &[],
            over: None,
            location,
        }))
    }

    fn arguments(&mut self, quantifier: Option<SetQuantifier>) -> Parse<&'a [Expression<'a>]> {
        match self.kind() {
            TokenKind::RightParenthesis => Ok(&[]),
            // Behind a star in first place Hive looks for no further argument.
            TokenKind::Star if quantifier.is_none() => Ok(self.arena.list(&[self.expression_or_star()?])),
            _ if self.null_treatment().is_some() => Ok(&[]),
            _ => self.comma_list(Self::expression_or_star),
        }
    }

    /// The end of a call, from the `)` on.
    fn finish_call(
        &mut self,
        database: Option<Identifier<'a>>,
        function: Identifier<'a>,
        quantifier: Option<SetQuantifier>,
        arguments: &'a [Expression<'a>],
        start: u32,
    ) -> Parse<&'a Call<'a>> {
        let Behind { nulls, within_group, over } = self.behind_arguments()?;
        let location = self.since(start);
        Ok(self.arena.alloc(Call {
            database,
            function,
            quantifier,
            arguments,
            nulls,
            within_group,
            over,
            location,
        }))
    }

    /// `ALL` or `DISTINCT`, where one stands.
    pub(super) fn set_quantifier(&mut self) -> Option<SetQuantifier> {
        let quantifier = match self.keyword()? {
            Keyword::All => SetQuantifier::All,
            Keyword::Distinct => SetQuantifier::Distinct,
            _ => return None,
        };
        self.bump();
        Some(quantifier)
    }

    /// The `)` and what belongs to the call behind it.
    fn behind_arguments(&mut self) -> Parse<Behind<'a>> {
        if let Some(treatment) = self.null_treatment() {
            self.take_null_treatment()?;
            self.expect(TokenKind::RightParenthesis, "`)`")?;
            let over = Some(self.over()?);
            return Ok(Behind { nulls: Some((treatment, NullsPlace::Inside)), over, ..Behind::default() });
        }
        self.expect(TokenKind::RightParenthesis, "`)`")?;
        match self.keyword() {
            Some(Keyword::Over) => Ok(Behind { over: Some(self.over()?), ..Behind::default() }),
            Some(Keyword::Within) if self.peek_keyword(1) == Some(Keyword::Group) => self.within_group(),
            Some(Keyword::Ignore | Keyword::Respect) if self.is_null_treatment_of_window() => {
                let treatment = self.null_treatment();
                self.take_null_treatment()?;
                let nulls = treatment.map(|treatment| (treatment, NullsPlace::Behind));
                Ok(Behind { nulls, over: Some(self.over()?), ..Behind::default() })
            }
            _ => Ok(Behind::default()),
        }
    }

    /// Do `IGNORE NULLS` or `RESPECT NULLS` stand here?
    fn null_treatment(&mut self) -> Option<NullTreatment> {
        let treatment = match self.keyword()? {
            Keyword::Ignore => NullTreatment::Ignore,
            Keyword::Respect => NullTreatment::Respect,
            _ => return None,
        };
        (self.peek_keyword(1) == Some(Keyword::Nulls)).then_some(treatment)
    }

    /// `IGNORE` alone may be the alias of the call.
    fn is_null_treatment_of_window(&mut self) -> bool {
        self.null_treatment().is_some() && self.peek_keyword(2) == Some(Keyword::Over)
    }

    fn take_null_treatment(&mut self) -> Parse<()> {
        let start = self.start();
        self.bump();
        self.bump();
        if self.version() < HiveVersion::V4_0 {
            let span = self.since(start).span();
            return Err(self.needs_version("`IGNORE NULLS`", HiveVersion::V4_0, span));
        }
        Ok(())
    }

    /// `WITHIN GROUP (ORDER BY ...)`.
    fn within_group(&mut self) -> Parse<Behind<'a>> {
        let start = self.start();
        self.bump();
        self.bump();
        if self.version() < HiveVersion::V4_0 {
            let span = self.since(start).span();
            return Err(self.needs_version("`WITHIN GROUP`", HiveVersion::V4_0, span));
        }
        let within_group = self.parenthesized(Self::order_by)?;
        Ok(Behind { within_group, ..Behind::default() })
    }
}
