//! A plan in the making: the steps so far, and the policy as they leave it.

use std::sync::Arc;

use guardbee_policy::{
    BookName, Change, ChangeError, Effect, Entry, EntryId, GrantOption, Policy, Principal, Privileges, Scope,
    Validity,
};

use super::{Context, Grounds, Plan, Refusal};
use crate::outcome::{Answer, Problem};

/// What an entry is about, whoever holds it.
#[derive(Debug, Clone)]
pub(super) struct Holding {
    pub effect: Effect,
    pub principal: Principal,
    pub except: Arc<[Principal]>,
    pub privileges: Privileges,
    pub scope: Scope,
    pub grant_option: GrantOption,
}

pub(super) struct Draft<'a> {
    context: Context<'a>,
    policy: Policy,
    changes: Vec<Change>,
    notices: Vec<String>,
}

impl<'a> Draft<'a> {
    pub(super) fn new(context: Context<'a>) -> Self {
        Self { context, policy: context.policy.clone(), changes: Vec::new(), notices: Vec::new() }
    }

    /// The policy as the steps so far leave it.
    pub(super) const fn policy(&self) -> &Policy {
        &self.policy
    }

    /// How many steps there are so far.
    pub(super) const fn steps(&self) -> usize {
        self.changes.len()
    }

    /// Makes a step.
    pub(super) fn make(&mut self, change: Change) -> Result<(), Refusal> {
        self.policy.apply(change.clone()).map_err(refusal)?;
        self.changes.push(change);
        Ok(())
    }

    /// Says something to a person.
    pub(super) fn notice(&mut self, notice: impl Into<String>) {
        self.notices.push(notice.into());
    }

    pub(super) fn add_entry(&mut self, holding: Holding) -> Result<(), Refusal> {
        let entry = Entry {
            id: self.policy.next_entry_id(),
            effect: holding.effect,
            principal: holding.principal,
            except: holding.except,
            privileges: holding.privileges,
            scope: holding.scope,
            grant_option: holding.grant_option,
            grantor: Some(self.context.user()),
            created_at: self.context.now,
            validity: Validity::ALWAYS,
            purpose: None,
        };
        self.make(Change::PutEntry(entry))
    }

    /// The same entry with other privileges; without any it goes.
    pub(super) fn narrow_entry(&mut self, entry: Entry, privileges: Privileges) -> Result<(), Refusal> {
        if privileges.is_empty() {
            return self.remove_entry(entry.id);
        }
        self.replace_entry(Entry { privileges, ..entry })
    }

    /// Puts an entry in the place of its old state; where another says the same already, it goes.
    pub(super) fn replace_entry(&mut self, entry: Entry) -> Result<(), Refusal> {
        // Hive keeps what each grantor granted; elsewhere nobody asks who it was.
        let keeps_grantors = matches!(self.context.book(), BookName::HiveLegacy | BookName::SqlStandard);
        let has_twin = self.policy.entries_on(&entry.scope).any(|twin| {
            twin.id != entry.id
                && twin.effect == entry.effect
                && twin.principal == entry.principal
                && twin.except == entry.except
                && twin.privileges == entry.privileges
                && twin.grant_option == entry.grant_option
                && twin.validity == entry.validity
                && (!keeps_grantors || twin.grantor == entry.grantor)
        });
        if has_twin { self.remove_entry(entry.id) } else { self.make(Change::PutEntry(entry)) }
    }

    pub(super) fn remove_entry(&mut self, id: EntryId) -> Result<(), Refusal> {
        self.make(Change::RemoveEntry(id))
    }

    pub(super) fn finish(self, grounds: Grounds) -> Plan {
        let answer = Answer { notices: self.notices, ..Answer::default() };
        Plan { grounds, changes: self.changes, answer, roles: None }
    }
}

fn refusal(error: ChangeError) -> Refusal {
    Refusal::Error(Problem::new(error.code(), error.to_string()))
}
