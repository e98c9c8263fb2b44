//! A hash table of which clones share the parts that are alike.

use std::hash::Hasher;
use std::sync::Arc;

use hashbrown::HashTable;
use rustc_hash::FxHasher;

/// What lies in a hash table, with its hash at hand.
pub(crate) trait Hashed {
    fn hash(&self) -> u64;
}

impl<T: Hashed> Hashed for Arc<T> {
    fn hash(&self) -> u64 {
        T::hash(self)
    }
}

/// The hash of texts of one kind.
#[inline]
pub(crate) fn hash_of(kind: u8, texts: &[&str]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_u8(kind);
    for text in texts {
        hasher.write(text.as_bytes());
    }
    hasher.finish()
}

/// Values by hash, in 4,096 small tables of which a change copies one.
#[derive(Debug, Clone)]
pub(crate) struct HashedSet<T> {
    branches: Arc<[Option<Arc<Branch<T>>>; WIDTH]>,
}

type Branch<T> = [Option<Arc<HashTable<T>>>; WIDTH];

const BITS: u32 = 6;
const WIDTH: usize = 1 << BITS;

/// The bits that choose a table: neither those that place a value in it nor those that tell values apart
/// there.
const LOWER: u32 = 20;
const UPPER: u32 = LOWER + BITS;

#[inline]
const fn piece(hash: u64, from: u32) -> usize {
    (hash >> from) as usize & (WIDTH - 1)
}

impl<T> Default for HashedSet<T> {
    fn default() -> Self {
        Self { branches: Arc::new([const { None }; WIDTH]) }
    }
}

impl<T: Hashed + Clone> HashedSet<T> {
    /// The value with this hash that `is_it` knows.
    #[inline]
    pub(crate) fn find(&self, hash: u64, is_it: impl FnMut(&T) -> bool) -> Option<&T> {
        let branch = self.branches.get(piece(hash, UPPER))?.as_deref()?;
        branch.get(piece(hash, LOWER))?.as_deref()?.find(hash, is_it)
    }

    pub(crate) fn find_mut(&mut self, hash: u64, is_it: impl FnMut(&T) -> bool) -> Option<&mut T> {
        self.table_mut(hash)?.find_mut(hash, is_it)
    }

    /// Adds a value; whoever adds has seen that it is not there yet.
    pub(crate) fn insert(&mut self, value: T) {
        let hash = value.hash();
        if let Some(table) = self.table_mut(hash) {
            table.insert_unique(hash, value, Hashed::hash);
        }
    }

    pub(crate) fn remove(&mut self, hash: u64, is_it: impl FnMut(&T) -> bool) -> Option<T> {
        let entry = self.table_mut(hash)?.find_entry(hash, is_it).ok()?;
        Some(entry.remove().0)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        self.branches
            .iter()
            .flatten()
            .flat_map(|branch| branch.iter().flatten())
            .flat_map(|table| table.iter())
    }

    /// What is in this set and in another, less the parts that both share.
    pub(crate) fn unshared<'s>(&'s self, other: &'s Self) -> (Vec<&'s T>, Vec<&'s T>) {
        let mut found = (Vec::new(), Vec::new());
        for (ours, theirs) in self.branches.iter().zip(other.branches.iter()) {
            if is_shared(ours.as_ref(), theirs.as_ref()) {
                continue;
            }
            for place in 0..WIDTH {
                let table = |branch: &'s Option<Arc<Branch<T>>>| -> Option<&'s Arc<HashTable<T>>> {
                    branch.as_ref()?.get(place)?.as_ref()
                };
                let (ours, theirs) = (table(ours), table(theirs));
                if !is_shared(ours, theirs) {
                    found.0.extend(ours.into_iter().flat_map(|table| table.iter()));
                    found.1.extend(theirs.into_iter().flat_map(|table| table.iter()));
                }
            }
        }
        found
    }

    /// The table of a hash; nothing where a shift is out of bounds, which it never is.
    fn table_mut(&mut self, hash: u64) -> Option<&mut HashTable<T>> {
        let branch = Arc::make_mut(&mut self.branches).get_mut(piece(hash, UPPER))?;
        let branch = branch.get_or_insert_with(|| Arc::new([const { None }; WIDTH]));
        let table = Arc::make_mut(branch).get_mut(piece(hash, LOWER))?;
        Some(Arc::make_mut(table.get_or_insert_default()))
    }
}

fn is_shared<T>(one: Option<&Arc<T>>, other: Option<&Arc<T>>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => Arc::ptr_eq(one, other),
        (one, other) => one.is_none() && other.is_none(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    impl Hashed for (u32, u32) {
        fn hash(&self) -> u64 {
            hash_of(0, &[&(self.0 / 2).to_string()])
        }
    }

    #[test]
    fn values_are_found_and_clones_left_alone() {
        let hash = |key: u32| (key, 0).hash();
        let mut set = HashedSet::default();
        let mut model = BTreeMap::new();
        for key in 0..20_000 {
            set.insert((key, key));
            model.insert(key, key);
        }
        let before = set.clone();
        for key in (0..20_000).step_by(3) {
            assert_eq!(set.remove(hash(key), |value| value.0 == key), Some((key, key)));
            model.remove(&key);
        }
        for key in (1..20_000).step_by(3) {
            set.find_mut(hash(key), |value| value.0 == key).unwrap().1 = 0;
            model.insert(key, 0);
        }
        for key in 0..20_000 {
            assert_eq!(
                set.find(hash(key), |value| value.0 == key).map(|value| value.1),
                model.get(&key).copied()
            );
            assert_eq!(before.find(hash(key), |value| value.0 == key), Some(&(key, key)));
        }
        assert_eq!((set.iter().count(), before.iter().count()), (model.len(), 20_000));
        assert_eq!(set.remove(hash(0), |value| value.0 == 0), None);
    }
}
