//! Which of many names somebody gets to see.

use std::borrow::Cow;

use guardbee_model::{ColumnName, Name, TableName};

use super::Judge;
use super::place::Place;
use super::tally::{Ground, Tally};
use crate::policy::Policy;
use crate::subject::Subject;
use crate::{BookName, GrantOption, Privilege, Privileges, Resource, Timestamp};

/// What of a warehouse somebody gets to see in the answers of `SHOW` and its kin.
///
/// The books of Hive's own modes hide nothing. Sentry's shows what one holds any of its seven actions on, or on
/// something around or inside it, and the database `default` to everybody unless the settings say otherwise;
/// Ranger's shows what one holds any right on.
pub struct Visibility<'p> {
    policy: &'p Policy,
    subject: Cow<'p, Subject>,
    now: Timestamp,
}

/// Sentry's actions.
const ACTIONS: [Privilege; 7] = [
    Privilege::Select,
    Privilege::Insert,
    Privilege::Alter,
    Privilege::Create,
    Privilege::Drop,
    Privilege::Index,
    Privilege::Lock,
];

/// Of these any one shows a column in Sentry.
const COLUMN_ACTIONS: [Privilege; 3] = [Privilege::Select, Privilege::Insert, Privilege::Alter];

impl<'p> Visibility<'p> {
    /// What the subject gets to see at a moment.
    #[must_use]
    pub fn new(policy: &'p Policy, subject: &'p Subject, now: Timestamp) -> Self {
        Self { policy, subject: subject.of(policy), now }
    }

    /// Those of some databases that are seen.
    pub fn databases<'n>(&self, names: impl IntoIterator<Item = &'n Name>) -> Vec<&'n Name> {
        let settings = &self.policy.settings;
        let is_open = settings.rule_book == BookName::Sentry && !settings.restrict_default_database.is_on();
        let is_seen = |judge: &Judge<'_>, name: &Name| {
            is_open && name.as_str() == "default"
                || judge.sees(&Resource::Database(name.clone()), self.any_of(&ACTIONS))
        };
        self.filter(names, is_seen)
    }

    /// Those of some tables and views of one database that are seen.
    pub fn tables<'n>(&self, database: &Name, names: impl IntoIterator<Item = &'n Name>) -> Vec<&'n Name> {
        let any = self.any_of(&ACTIONS);
        let home = Resource::Database(database.clone());
        let around = Judge::new(self.policy, &self.subject, self.now).tally_around(&home, any);
        self.filter(names, |judge, name| {
            let table = Resource::Table(TableName::new(database.clone(), name.clone()));
            judge.sees_within(&around, &table)
        })
    }

    /// Those of some columns of one table that are seen.
    pub fn columns<'n>(&self, table: &TableName, names: impl IntoIterator<Item = &'n Name>) -> Vec<&'n Name> {
        self.filter(names, |judge, name| {
            let column = Resource::Column(ColumnName::new(table.clone(), name.clone()));
            judge.sees(&column, self.any_of(&COLUMN_ACTIONS))
        })
    }

    fn any_of(&self, actions: &[Privilege]) -> Privileges {
        let each = if self.policy.settings.rule_book == BookName::Sentry { actions } else { Privilege::EACH };
        each.iter().copied().collect()
    }

    fn filter<'n>(
        &self,
        names: impl IntoIterator<Item = &'n Name>,
        is_seen: impl Fn(&Judge<'_>, &Name) -> bool,
    ) -> Vec<&'n Name> {
        let names = names.into_iter();
        let judge = Judge::new(self.policy, &self.subject, self.now);
        let hides = matches!(self.policy.settings.rule_book, BookName::Sentry | BookName::Ranger);
        if hides && judge.super_entry.is_none() {
            names.filter(|name| is_seen(&judge, name)).collect()
        } else {
            names.collect()
        }
    }
}

impl<'p> Judge<'p> {
    /// Does the subject hold any of some privileges at a resource, around or inside it?
    fn sees(&self, resource: &Resource, any: Privileges) -> bool {
        let place = Place::new(self.policy, resource);
        let mut tally = Tally::new(any, GrantOption::Without, Ground::Grants);
        self.see_around(&place, &mut tally);
        if let Resource::Column(column) = resource {
            self.see_column(&place, &column.column, &mut tally);
        }
        self.sees_here_or_inside(&place, tally)
    }

    fn sees_here_or_inside(&self, place: &Place<'p>, mut tally: Tally) -> bool {
        if !tally.is_met() {
            self.see_grants_inside(place, &mut tally);
        }
        tally.is_met()
    }

    /// What holds around everything inside a resource.
    fn tally_around(&self, resource: &Resource, any: Privileges) -> Tally {
        let mut tally = Tally::new(any, GrantOption::Without, Ground::Grants);
        self.see_around(&Place::new(self.policy, resource), &mut tally);
        tally
    }

    /// As `sees`, with what holds around it known.
    fn sees_within(&self, around: &Tally, resource: &Resource) -> bool {
        let place = Place::innermost(self.policy, resource);
        let mut tally = around.clone();
        self.see_at(&place, &mut tally);
        self.sees_here_or_inside(&place, tally)
    }
}
