//! Finding things by name in lists that are mostly short and may be very long.

use std::cell::{Cell, OnceCell, RefCell};
use std::hash::Hash;

use rustc_hash::FxHashMap;

/// So few names are searched faster than looked up.
const FEW: usize = 16;

/// A list of names that does not change.
#[derive(Debug, Default)]
pub(crate) struct Lookup<'n> {
    names: Vec<&'n str>,
    places: OnceCell<FxHashMap<&'n str, usize>>,
}

impl<'n> FromIterator<&'n str> for Lookup<'n> {
    fn from_iter<T: IntoIterator<Item = &'n str>>(names: T) -> Self {
        Self { names: names.into_iter().collect(), places: OnceCell::new() }
    }
}

impl Lookup<'_> {
    /// The place of the first of that name.
    pub(crate) fn place(&self, name: &str) -> Option<usize> {
        if self.names.len() <= FEW {
            return self.names.iter().position(|known| *known == name);
        }
        let index = || first_places(self.names.iter().copied());
        self.places.get_or_init(index).get(name).copied()
    }

    pub(crate) fn contains(&self, name: &str) -> bool {
        self.place(name).is_some()
    }
}

fn first_places<'n>(names: impl Iterator<Item = &'n str>) -> FxHashMap<&'n str, usize> {
    let mut places = FxHashMap::default();
    for (place, name) in names.enumerate() {
        places.entry(name).or_insert(place);
    }
    places
}

/// What is remembered of a list that only grows, so that the same list is not searched again and again.
#[derive(Debug)]
pub(crate) struct GrowingIndex<K> {
    known: Cell<usize>,
    places: RefCell<FxHashMap<K, usize>>,
}

impl<K> Default for GrowingIndex<K> {
    fn default() -> Self {
        Self { known: Cell::new(0), places: RefCell::default() }
    }
}

impl<K: Hash + Eq> GrowingIndex<K> {
    /// The place of the first item that `is_wanted`, which is to say the first with the key `wanted`. `items`
    /// has to be the same list as before, with or without more at its end.
    pub(crate) fn place<T>(
        &self,
        items: &[T],
        is_wanted: impl Fn(&T) -> bool,
        wanted: impl FnOnce() -> K,
        key_of: impl Fn(&T) -> K,
    ) -> Option<usize> {
        if items.len() <= FEW {
            return items.iter().position(is_wanted);
        }
        let mut places = self.places.borrow_mut();
        for (place, item) in items.iter().enumerate().skip(self.known.replace(items.len())) {
            places.entry(key_of(item)).or_insert(place);
        }
        places.get(&wanted()).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::{FEW, GrowingIndex, Lookup};

    #[test]
    fn finds_the_first_of_few_and_of_many() {
        for count in [3, FEW + 1, 1_000] {
            let names: Vec<String> = (0..count).map(|number| format!("n{}", number % (count - 1))).collect();
            let lookup: Lookup<'_> = names.iter().map(String::as_str).collect();
            assert_eq!((lookup.place("n0"), lookup.place("n1"), lookup.place("x")), (Some(0), Some(1), None));
        }
    }

    #[test]
    fn follows_a_list_that_grows() {
        let index = GrowingIndex::default();
        let mut items: Vec<u32> = Vec::new();
        for number in 0..100 {
            items.push(number / 2);
            let wanted = number / 2;
            let place = index.place(&items, |item| *item == wanted, || wanted, |item| *item);
            assert_eq!(place, Some(number as usize / 2 * 2));
        }
    }
}
