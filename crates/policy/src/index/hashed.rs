//! A hash table of which clones share the parts that are alike.

use std::hash::Hasher;
use std::sync::Arc;

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
///
/// A table is one block of slots, each with the hash of what is in it, so that a look-up touches little memory:
/// the slot, and the value that it leads to.
#[derive(Debug, Clone)]
pub(crate) struct HashedSet<T> {
    branches: Arc<[Option<Arc<Branch<T>>>; WIDTH]>,
}

type Branch<T> = [Table<T>; WIDTH];

/// Values with open addressing: a value lies in the slot that its hash names or in one of the next.
#[derive(Debug, Clone)]
struct Table<T> {
    /// A power of two of them, or none; at most three quarters are taken.
    slots: Option<Arc<[Slot<T>]>>,
    count: usize,
}

type Slot<T> = Option<(u64, T)>;

const BITS: u32 = 6;
const WIDTH: usize = 1 << BITS;

/// The bits that choose a table: not those that choose a slot in it.
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

impl<T> Table<T> {
    const EMPTY: Self = Self { slots: None, count: 0 };

    #[inline]
    fn slots(&self) -> &[Slot<T>] {
        self.slots.as_deref().unwrap_or_default()
    }

    fn iter(&self) -> impl Iterator<Item = &T> {
        self.slots().iter().flatten().map(|(_, value)| value)
    }

    /// The place of the value with this hash that `is_it` knows.
    #[inline]
    fn place(&self, hash: u64, mut is_it: impl FnMut(&T) -> bool) -> Option<usize> {
        let slots = self.slots();
        let mask = slots.len().checked_sub(1)?;
        let mut place = hash as usize & mask;
        while let Some((known, value)) = slots.get(place)?.as_ref() {
            if *known == hash && is_it(value) {
                return Some(place);
            }
            place = (place + 1) & mask;
        }
        None
    }
}

impl<T: Clone> Table<T> {
    fn get_mut(&mut self, place: usize) -> Option<&mut T> {
        Arc::make_mut(self.slots.as_mut()?).get_mut(place)?.as_mut().map(|(_, value)| value)
    }

    /// Adds a value and says where it is.
    fn insert(&mut self, hash: u64, value: T) -> Option<usize> {
        let size = self.slots().len();
        if (self.count + 1) * 4 > size * 3 {
            self.grow((size * 2).max(4));
        }
        self.count += 1;
        put(Arc::make_mut(self.slots.as_mut()?), hash, value)
    }

    fn grow(&mut self, size: usize) {
        let mut larger: Vec<Slot<T>> = std::iter::repeat_with(|| None).take(size).collect();
        if let Some(slots) = &mut self.slots {
            let old = match Arc::get_mut(slots) {
                Some(slots) => slots.iter_mut().filter_map(Option::take).collect::<Vec<_>>(),
                None => slots.iter().flatten().cloned().collect(),
            };
            for (hash, value) in old {
                put(&mut larger, hash, value);
            }
        }
        self.slots = Some(larger.into());
    }

    /// Takes a value out, and moves those behind it up that would not be found otherwise.
    fn remove(&mut self, mut hole: usize) -> Option<T> {
        let slots = Arc::make_mut(self.slots.as_mut()?);
        let mask = slots.len().checked_sub(1)?;
        let (_, old) = slots.get_mut(hole)?.take()?;
        self.count -= 1;
        let mut place = (hole + 1) & mask;
        while let Some((hash, _)) = slots.get(place)? {
            let wanted = *hash as usize & mask;
            let from_hole = place.wrapping_sub(hole) & mask;
            let from_wanted = place.wrapping_sub(wanted) & mask;
            if from_wanted >= from_hole {
                slots.swap(hole, place);
                hole = place;
            }
            place = (place + 1) & mask;
        }
        Some(old)
    }
}

/// Puts a value into the first free slot from the one that its hash names on.
fn put<T>(slots: &mut [Slot<T>], hash: u64, value: T) -> Option<usize> {
    let mask = slots.len().checked_sub(1)?;
    let mut place = hash as usize & mask;
    while slots.get(place)?.is_some() {
        place = (place + 1) & mask;
    }
    *slots.get_mut(place)? = Some((hash, value));
    Some(place)
}

impl<T: Clone> HashedSet<T> {
    /// The value with this hash that `is_it` knows.
    #[inline]
    pub(crate) fn find(&self, hash: u64, is_it: impl FnMut(&T) -> bool) -> Option<&T> {
        let branch = self.branches.get(piece(hash, UPPER))?.as_deref()?;
        let table = branch.get(piece(hash, LOWER))?;
        let place = table.place(hash, is_it)?;
        table.slots().get(place)?.as_ref().map(|(_, value)| value)
    }

    pub(crate) fn find_mut(&mut self, hash: u64, is_it: impl FnMut(&T) -> bool) -> Option<&mut T> {
        let table = self.table_mut(hash)?;
        let place = table.place(hash, is_it)?;
        table.get_mut(place)
    }

    /// The value with this hash that `is_it` knows, or else one that `make` makes.
    pub(crate) fn find_or_insert(
        &mut self,
        hash: u64,
        is_it: impl FnMut(&T) -> bool,
        make: impl FnOnce() -> T,
    ) -> Option<&mut T> {
        let table = self.table_mut(hash)?;
        let place = match table.place(hash, is_it) {
            Some(place) => place,
            None => table.insert(hash, make())?,
        };
        table.get_mut(place)
    }

    /// Adds a value; whoever adds has seen that it is not there yet.
    pub(crate) fn insert(&mut self, value: T)
    where
        T: Hashed,
    {
        let hash = value.hash();
        if let Some(table) = self.table_mut(hash) {
            table.insert(hash, value);
        }
    }

    pub(crate) fn remove(&mut self, hash: u64, is_it: impl FnMut(&T) -> bool) -> Option<T> {
        let table = self.table_mut(hash)?;
        let place = table.place(hash, is_it)?;
        table.remove(place)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        self.branches.iter().flatten().flat_map(|branch| branch.iter()).flat_map(Table::iter)
    }

    /// What is in this set and in another, less the parts that both share.
    pub(crate) fn unshared<'s>(&'s self, other: &'s Self) -> (Vec<&'s T>, Vec<&'s T>) {
        let mut found = (Vec::new(), Vec::new());
        for (ours, theirs) in self.branches.iter().zip(other.branches.iter()) {
            if is_shared(ours.as_ref(), theirs.as_ref()) {
                continue;
            }
            for place in 0..WIDTH {
                let table = |branch: &'s Option<Arc<Branch<T>>>| branch.as_ref()?.get(place);
                let (ours, theirs) = (table(ours), table(theirs));
                let slots = |table: Option<&'s Table<T>>| table.and_then(|table| table.slots.as_ref());
                if !is_shared(slots(ours), slots(theirs)) {
                    found.0.extend(ours.into_iter().flat_map(Table::iter));
                    found.1.extend(theirs.into_iter().flat_map(Table::iter));
                }
            }
        }
        found
    }

    /// The table of a hash; nothing where a shift is out of bounds, which it never is.
    fn table_mut(&mut self, hash: u64) -> Option<&mut Table<T>> {
        let branch = Arc::make_mut(&mut self.branches).get_mut(piece(hash, UPPER))?;
        let branch = branch.get_or_insert_with(|| Arc::new([const { Table::EMPTY }; WIDTH]));
        Arc::make_mut(branch).get_mut(piece(hash, LOWER))
    }
}

fn is_shared<T: ?Sized>(one: Option<&Arc<T>>, other: Option<&Arc<T>>) -> bool {
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
