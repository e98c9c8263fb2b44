//! Row filters and column masks, by where they stand.

use std::sync::Arc;

use guardbee_model::{Name, TableName};

use crate::index::cell::PrincipalNumber;
use crate::index::hashed::{Hashed, HashedSet};
use crate::index::node::hash_of_home;
use crate::index::sorted::{Keyed, Sorted};
use crate::{DataPolicy, DataRule, Scope};

/// The data policies of a policy.
#[derive(Debug, Clone, Default)]
pub(crate) struct DataPolicies {
    all: Sorted<Arc<DataRecord>>,
    /// Those on one table or its columns, and those on one tag.
    homes: HashedSet<Arc<Home>>,
    /// Those whose database or table has a `*`, in the order of their names.
    patterned: Sorted<Arc<DataRecord>>,
}

/// A data policy, with the numbers of the principals that it names.
#[derive(Debug, Clone)]
pub(crate) struct DataRecord {
    pub(crate) policy: DataPolicy,
    pub(crate) principals: Vec<PrincipalNumber>,
    pub(crate) except: Vec<PrincipalNumber>,
}

impl Keyed for Arc<DataRecord> {
    type Key = (DataRule, Name);

    fn key(&self) -> Self::Key {
        (self.policy.rule, self.policy.name.clone())
    }
}

/// What stands on one table and its columns, or on one tag with or without a value.
#[derive(Debug, Clone)]
struct Home {
    hash: u64,
    /// A table or a tag.
    scope: Scope,
    records: Sorted<Arc<DataRecord>>,
}

impl Hashed for Home {
    fn hash(&self) -> u64 {
        self.hash
    }
}

/// The home of a data policy; none where its database or table has a `*`.
fn home(scope: &Scope) -> Option<Scope> {
    match scope {
        Scope::Table { database, table } | Scope::Column { database, table, .. } => (database.is_literal()
            && table.is_literal())
        .then(|| Scope::Table { database: database.clone(), table: table.clone() }),
        other => Some(other.clone()),
    }
}

impl DataPolicies {
    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    pub(crate) fn get(&self, rule: DataRule, name: &Name) -> Option<&DataRecord> {
        self.all.get(&(rule, name.clone())).map(|record| &**record)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &DataPolicy> {
        self.all.iter().map(|record| &record.policy)
    }

    pub(crate) fn of_table<'d>(
        &'d self,
        table: &TableName,
    ) -> impl Iterator<Item = &'d DataRecord> + use<'d> {
        let scope =
            Scope::Table { database: table.database.clone().into(), table: table.table.clone().into() };
        self.at(&scope)
    }

    pub(crate) fn of_tag<'d>(
        &'d self,
        tag: &Name,
        value: Option<&str>,
    ) -> impl Iterator<Item = &'d DataRecord> + use<'d> {
        self.at(&Scope::Tag { tag: tag.clone(), value: value.map(Into::into) })
    }

    /// Those whose database or table has a `*`.
    pub(crate) fn patterned(&self) -> impl Iterator<Item = &DataRecord> {
        self.patterned.iter().map(|record| &**record)
    }

    fn at<'d>(&'d self, scope: &Scope) -> impl Iterator<Item = &'d DataRecord> + use<'d> {
        let home = self.homes.find(hash_of_home(scope), |home| home.scope == *scope);
        home.into_iter().flat_map(|home| home.records.iter()).map(|record| &**record)
    }

    pub(crate) fn put(&mut self, record: DataRecord) {
        let record = Arc::new(record);
        self.remove(record.policy.rule, &record.policy.name);
        match home(&record.policy.scope) {
            None => drop(self.patterned.insert(Arc::clone(&record))),
            Some(scope) => {
                let hash = hash_of_home(&scope);
                let is_it = |home: &Arc<Home>| home.scope == scope;
                match self.homes.find_mut(hash, is_it) {
                    Some(home) => drop(Arc::make_mut(home).records.insert(Arc::clone(&record))),
                    None => {
                        let mut records = Sorted::default();
                        records.insert(Arc::clone(&record));
                        self.homes.insert(Arc::new(Home { hash, scope, records }));
                    }
                }
            }
        }
        self.all.insert(record);
    }

    pub(crate) fn remove(&mut self, rule: DataRule, name: &Name) -> Option<Arc<DataRecord>> {
        let key = (rule, name.clone());
        let old = self.all.remove(&key)?;
        match home(&old.policy.scope) {
            None => drop(self.patterned.remove(&key)),
            Some(scope) => {
                let hash = hash_of_home(&scope);
                let is_it = |home: &Arc<Home>| home.scope == scope;
                if let Some(home) = self.homes.find_mut(hash, is_it) {
                    let home = Arc::make_mut(home);
                    home.records.remove(&key);
                    if home.records.is_empty() {
                        self.homes.remove(hash, is_it);
                    }
                }
            }
        }
        Some(old)
    }
}
