//! A growing array of which clones share the blocks that are alike.

use std::sync::Arc;

/// Values by number. Nothing is ever taken out.
#[derive(Debug, Clone)]
pub(crate) struct Slots<T> {
    blocks: Arc<Vec<Arc<Vec<T>>>>,
}

const BITS: usize = 9;
const BLOCK: usize = 1 << BITS;

impl<T> Default for Slots<T> {
    fn default() -> Self {
        Self { blocks: Arc::default() }
    }
}

impl<T: Clone> Slots<T> {
    pub(crate) fn len(&self) -> usize {
        self.blocks.last().map_or(0, |last| (self.blocks.len() - 1) * BLOCK + last.len())
    }

    pub(crate) fn get(&self, number: usize) -> Option<&T> {
        self.blocks.get(number >> BITS)?.get(number & (BLOCK - 1))
    }

    pub(crate) fn get_mut(&mut self, number: usize) -> Option<&mut T> {
        let block = Arc::make_mut(&mut self.blocks).get_mut(number >> BITS)?;
        Arc::make_mut(block).get_mut(number & (BLOCK - 1))
    }

    pub(crate) fn push(&mut self, value: T) {
        let blocks = Arc::make_mut(&mut self.blocks);
        match blocks.last_mut() {
            Some(last) if last.len() < BLOCK => Arc::make_mut(last).push(value),
            _ => blocks.push(Arc::new(vec![value])),
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> + Clone {
        self.blocks.iter().flat_map(|block| block.iter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clone_keeps_what_it_had() {
        let mut slots = Slots::default();
        for number in 0..2_000 {
            slots.push(number);
        }
        let before = slots.clone();
        *slots.get_mut(1_000).unwrap() = 7;
        slots.push(2_000);
        assert_eq!((before.get(1_000), slots.get(1_000)), (Some(&1_000), Some(&7)));
        assert_eq!((before.len(), slots.len()), (2_000, 2_001));
        assert!(before.iter().copied().eq(0..2_000));
        assert_eq!(before.get(2_000), None);
    }
}
