//! When a tag comes first to nodes of which each is its own place, and who brings it: by the writes of the base, whose
//! numbers are in the order of time. Most of what is met goes this way, so a look costs one number and no hash.

use crate::lists::Bits;

#[derive(Default)]
pub(super) struct Arrivals {
    /// For each node how early the tag comes: nothing where it does not come, else what is the greater the earlier.
    earliness: Vec<u32>,
    /// For each node the entry that it comes from.
    from: Vec<u32>,
    /// The nodes that have an earliness.
    known: Vec<u32>,
    /// For each write the last node that waits for its turn with it.
    heads: Vec<u32>,
    /// Nodes that wait, each with the one before it.
    waiting: Vec<(u32, u32)>,
    /// The writes that nodes wait for.
    writes: Bits,
    /// No node waits for a write of a word before this.
    first_word: usize,
}

const NOTHING: u32 = 0;
/// Before every write.
const ALWAYS: u32 = u32::MAX;

const fn earliness(write: u32) -> u32 {
    !write
}

impl Arrivals {
    pub fn new(nodes: usize, writes: usize) -> Self {
        Self {
            earliness: vec![NOTHING; nodes],
            from: vec![0; nodes],
            heads: vec![NOTHING; writes],
            writes: Bits::of(writes),
            ..Self::default()
        }
    }

    /// Before another tag: nothing came anywhere.
    pub fn forget(&mut self) {
        for node in self.known.drain(..) {
            if let Some(earliness) = self.earliness.get_mut(node as usize) {
                *earliness = NOTHING;
            }
        }
        self.waiting.clear();
    }

    /// Does the tag come to a node by that write, or earlier, and for ever?
    #[inline]
    pub fn covers(&self, node: u32, write: u32) -> bool {
        self.earliness.get(node as usize).is_some_and(|known| *known >= earliness(write))
    }

    /// Does it come to it at all?
    #[inline]
    pub fn has(&self, node: u32) -> bool {
        self.earliness.get(node as usize).is_some_and(|known| *known != NOTHING)
    }

    /// The write by which it comes first, if it does.
    pub fn write(&self, node: u32) -> Option<u32> {
        let known = self.earliness.get(node as usize).copied().filter(|known| *known != NOTHING);
        known.map(|known| !known)
    }

    /// It was there from the start.
    pub fn hold(&mut self, node: u32) {
        self.set(node, ALWAYS);
    }

    fn set(&mut self, node: u32, earliness: u32) {
        let Some(known) = self.earliness.get_mut(node as usize) else { return };
        if *known == NOTHING {
            self.known.push(node);
        }
        *known = earliness;
    }

    /// It comes by a write earlier than any that is known of, from an entry.
    pub fn note(&mut self, node: u32, write: u32, entry: u32) {
        self.set(node, earliness(write));
        if let Some(from) = self.from.get_mut(node as usize) {
            *from = entry;
        }
        let Some(head) = self.heads.get_mut(write as usize) else { return };
        self.waiting.push((node, *head));
        *head = self.waiting.len() as u32;
        self.writes.set(write);
        self.first_word = self.first_word.min(write as usize / 64);
    }

    /// The first write that nodes wait for.
    pub fn next(&mut self) -> Option<u32> {
        let words = self.writes.0.get(self.first_word..)?;
        let Some(place) = words.iter().position(|word| *word != 0) else {
            self.first_word = self.writes.0.len();
            return None;
        };
        self.first_word += place;
        let word = words.get(place)?;
        Some(self.first_word as u32 * 64 + word.trailing_zeros())
    }

    /// The nodes that a write is the first to bring the tag to, each with the entry that it comes from. They wait no
    /// more.
    pub fn take(&mut self, write: u32, taken: &mut Vec<(u32, u32)>) {
        taken.clear();
        self.writes.clear(write);
        let Some(head) = self.heads.get_mut(write as usize) else { return };
        let mut next = std::mem::replace(head, NOTHING);
        while let Some(&(node, before)) =
            next.checked_sub(1).and_then(|place| self.waiting.get(place as usize))
        {
            // What came earlier meanwhile waits elsewhere, or has gone on.
            if self.earliness.get(node as usize) == Some(&earliness(write)) {
                taken.push((node, self.from.get(node as usize).copied().unwrap_or(0)));
            }
            next = before;
        }
        taken.reverse();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_wait_for_the_first_write_that_reaches_them() {
        let mut arrivals = Arrivals::new(100, 1_000);
        let mut taken = Vec::new();
        assert_eq!(arrivals.next(), None);
        arrivals.note(5, 700, 1);
        arrivals.note(6, 700, 1);
        arrivals.note(5, 64, 2);
        arrivals.note(7, 0, 3);
        arrivals.hold(8);
        assert!(arrivals.covers(5, 64) && arrivals.covers(5, 65) && !arrivals.covers(5, 63));
        assert!(arrivals.covers(8, 0) && arrivals.has(8) && !arrivals.has(9));
        assert_eq!((arrivals.write(5), arrivals.write(9)), (Some(64), None));
        let mut order = Vec::new();
        while let Some(write) = arrivals.next() {
            arrivals.take(write, &mut taken);
            order.push((write, taken.clone()));
            if write == 700 {
                arrivals.note(9, 3, 4);
            }
        }
        assert_eq!(order, [(0, vec![(7, 3)]), (64, vec![(5, 2)]), (700, vec![(6, 1)]), (3, vec![(9, 4)])]);
        arrivals.forget();
        assert!((0..100).all(|node| !arrivals.has(node)));
    }
}
