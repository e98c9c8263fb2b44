//! A sorted sequence of which clones share the blocks that are alike.

use std::sync::Arc;

use smallvec::SmallVec;

/// What knows its place in a sorted sequence.
pub(crate) trait Keyed {
    type Key: Ord + Clone + std::fmt::Debug;

    fn key(&self) -> Self::Key;
}

/// Items in the order of their keys, each key once.
///
/// Few items lie in one block. More lie in blocks of a few hundred, of which a change copies one: changing one
/// of a million takes tens of microseconds on a shared value.
#[derive(Debug, Clone)]
pub(crate) enum Sorted<T: Keyed, const INLINE: usize = 4> {
    /// The first of them lie where the sequence itself does.
    Few(SmallVec<[T; INLINE]>),
    Many(Arc<Vec<Block<T>>>),
}

#[derive(Debug)]
pub(crate) struct Block<T: Keyed> {
    /// The key of the first item, or one before it: kept here so that a search stays in one array.
    first: T::Key,
    items: Arc<Vec<T>>,
}

impl<T: Keyed> Clone for Block<T> {
    fn clone(&self) -> Self {
        Self { first: self.first.clone(), items: Arc::clone(&self.items) }
    }
}

const FEW: usize = 64;
const BLOCK: usize = 512;

impl<T: Keyed, const INLINE: usize> Default for Sorted<T, INLINE> {
    fn default() -> Self {
        Self::Few(SmallVec::new())
    }
}

impl<T: Keyed + Clone, const INLINE: usize> Sorted<T, INLINE> {
    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Self::Few(items) => items.is_empty(),
            Self::Many(blocks) => blocks.is_empty(),
        }
    }

    /// The items, where they are few.
    pub(crate) fn few(&self) -> Option<&[T]> {
        match self {
            Self::Few(items) => Some(items),
            Self::Many(_) => None,
        }
    }

    pub(crate) fn get(&self, key: &T::Key) -> Option<&T> {
        let items: &[T] = match self {
            Self::Few(items) => items,
            Self::Many(blocks) => blocks.get(place_of_block(blocks, key))?.items.as_slice(),
        };
        items.get(place(items, key).ok()?)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> + Clone {
        self.blocks().flatten()
    }

    /// The items from a key on.
    pub(crate) fn from<'s>(&'s self, key: &T::Key) -> impl Iterator<Item = &'s T> + use<'s, T, INLINE> {
        let (first, rest): (&[T], &[Block<T>]) = match self {
            Self::Few(items) => (items, &[]),
            Self::Many(blocks) => {
                let place = place_of_block(blocks, key);
                let rest = blocks.get(place + 1..).unwrap_or_default();
                (blocks.get(place).map_or(&[], |block| block.items.as_slice()), rest)
            }
        };
        let start = first.partition_point(|item| item.key() < *key);
        first.get(start..).unwrap_or_default().iter().chain(rest.iter().flat_map(|block| block.items.iter()))
    }

    fn blocks(&self) -> impl Iterator<Item = &[T]> + Clone {
        let (few, many): (&[T], &[Block<T>]) = match self {
            Self::Few(items) => (items, &[]),
            Self::Many(blocks) => (&[], blocks),
        };
        std::iter::once(few).chain(many.iter().map(|block| block.items.as_slice()))
    }

    /// Puts an item where it belongs; gives back the one that had its key.
    pub(crate) fn insert(&mut self, item: T) -> Option<T> {
        let key = item.key();
        match self {
            Self::Few(items) => {
                match place_or_end(items, &key) {
                    Ok(place) => return replace(items, place, item),
                    Err(place) => items.insert(place, item),
                }
                if items.len() > FEW {
                    let items = std::mem::take(items).into_vec();
                    let block = Block { first: first_key(&items, key), items: Arc::new(items) };
                    *self = Self::Many(Arc::new(vec![block]));
                }
                None
            }
            Self::Many(blocks) => insert_into_blocks(Arc::make_mut(blocks), key, item),
        }
    }

    pub(crate) fn remove(&mut self, key: &T::Key) -> Option<T> {
        match self {
            Self::Few(items) => {
                let place = place(items, key).ok()?;
                Some(items.remove(place))
            }
            Self::Many(blocks) => {
                let at = place_of_block(blocks, key);
                let place = place(&blocks.get(at)?.items, key).ok()?;
                let blocks = Arc::make_mut(blocks);
                let items = Arc::make_mut(&mut blocks.get_mut(at)?.items);
                let old = items.remove(place);
                if items.is_empty() {
                    blocks.remove(at);
                }
                if blocks.is_empty() {
                    *self = Self::default();
                }
                Some(old)
            }
        }
    }
}

fn place<T: Keyed>(items: &[T], key: &T::Key) -> Result<usize, usize> {
    items.binary_search_by(|item| item.key().cmp(key))
}

/// The block in which a key is if it is anywhere.
fn place_of_block<T: Keyed>(blocks: &[Block<T>], key: &T::Key) -> usize {
    blocks.partition_point(|block| block.first <= *key).saturating_sub(1)
}

fn first_key<T: Keyed>(items: &[T], otherwise: T::Key) -> T::Key {
    items.first().map_or(otherwise, Keyed::key)
}

/// Where an item with a key is, or belongs.
fn place_or_end<T: Keyed>(items: &[T], key: &T::Key) -> Result<usize, usize> {
    let is_behind_all = items.last().is_none_or(|last| last.key() < *key);
    if is_behind_all { Err(items.len()) } else { place(items, key) }
}

fn replace<T>(items: &mut [T], place: usize, item: T) -> Option<T> {
    items.get_mut(place).map(|old| std::mem::replace(old, item))
}

fn insert_into_blocks<T: Keyed + Clone>(blocks: &mut Vec<Block<T>>, key: T::Key, item: T) -> Option<T> {
    let is_last = blocks.last().is_none_or(|last| last.first <= key);
    let at = if is_last { blocks.len().saturating_sub(1) } else { place_of_block(blocks, &key) };
    let block = blocks.get_mut(at)?;
    if is_last && block.items.len() >= BLOCK && block.items.last().is_some_and(|last| last.key() < key) {
        // Growing at the end, as a load does, leaves full blocks behind.
        let mut items = Vec::with_capacity(BLOCK);
        items.push(item);
        blocks.push(Block { first: key, items: Arc::new(items) });
        return None;
    }
    let items = Arc::make_mut(&mut block.items);
    match place_or_end(items, &key) {
        Ok(place) => return replace(items, place, item),
        Err(place) => items.insert(place, item),
    }
    if key < block.first {
        block.first = key.clone();
    }
    if items.len() > BLOCK {
        let upper = items.split_off(items.len() / 2);
        items.shrink_to_fit();
        blocks.insert(at + 1, Block { first: first_key(&upper, key), items: Arc::new(upper) });
    }
    None
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    impl Keyed for (u32, u32) {
        type Key = u32;

        fn key(&self) -> u32 {
            self.0
        }
    }

    /// Numbers that are no pattern, the same each time.
    fn numbers(seed: u64) -> impl Iterator<Item = u32> {
        std::iter::successors(Some(seed), |x| Some(x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1)))
            .map(|x| (x >> 40) as u32)
    }

    #[test]
    fn it_behaves_like_a_tree_map_and_leaves_clones_alone() {
        for (range, seed) in [(50, 3), (5_000, 4), (100_000, 5)] {
            let mut sorted: Sorted<(u32, u32)> = Sorted::default();
            let mut model = BTreeMap::new();
            let mut clones = Vec::new();
            for (step, number) in numbers(seed).take(30_000).enumerate() {
                let (key, value) = (number % range, step as u32);
                if number % 3 == 0 {
                    assert_eq!(sorted.remove(&key), model.remove(&key).map(|old| (key, old)));
                } else {
                    assert_eq!(sorted.insert((key, value)), model.insert(key, value).map(|old| (key, old)));
                }
                if step % 5_000 == 0 {
                    clones.push((sorted.clone(), model.clone()));
                }
            }
            clones.push((sorted, model));
            for (sorted, model) in clones {
                assert!(sorted.iter().copied().eq(model.iter().map(|(key, value)| (*key, *value))));
                assert_eq!(sorted.is_empty(), model.is_empty());
                for key in (0..range).step_by(7) {
                    assert_eq!(sorted.get(&key).map(|item| item.1), model.get(&key).copied());
                    let first = model.range(key..).next().map(|(key, value)| (*key, *value));
                    assert_eq!(sorted.from(&key).next().copied(), first);
                }
            }
        }
    }
}
