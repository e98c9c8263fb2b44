//! Texts by number: a flat arena for those that stay, a persistent table for those that came since.
//!
//! A text in the arena is found by its hash in an open table of numbers. Nothing here knows what a text means.

use rpds::{HashTrieMapSync, VectorSync};
use rustc_hash::FxBuildHasher;
use smol_str::SmolStr;

const EMPTY: u32 = u32::MAX;

/// Texts that never change, each with its number.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Texts {
    pub bytes: String,
    /// Where each text ends.
    pub ends: Vec<u64>,
    /// An open table: the numbers, at the place of their hash. Its length is a power of two.
    slots: Vec<u32>,
}

impl Texts {
    /// Of texts in order: the number of the first that does not come before one.
    pub fn first_not_before(&self, text: &str) -> u32 {
        let (mut start, mut end) = (0, self.len());
        while start < end {
            let middle = start + (end - start) / 2;
            if self.get(middle) < text {
                start = middle + 1;
            } else {
                end = middle;
            }
        }
        start
    }

    pub fn with_capacity(texts: usize, bytes: usize) -> Self {
        Self { bytes: String::with_capacity(bytes), ends: Vec::with_capacity(texts), slots: Vec::new() }
    }

    /// Texts that were kept as one, with where each ends; none where that does not fit.
    pub fn of(bytes: String, ends: Vec<u64>) -> Option<Self> {
        let is_sound = ends.is_sorted()
            && ends.last().copied().unwrap_or(0) == bytes.len() as u64
            && ends.iter().all(|end| bytes.is_char_boundary(*end as usize));
        is_sound.then(|| Self { bytes, ends, slots: Vec::new() }.indexed())
    }

    /// Puts a text at the end. It is not found before [`Texts::indexed`].
    pub fn push(&mut self, text: &str) {
        self.bytes.push_str(text);
        self.ends.push(self.bytes.len() as u64);
    }

    #[must_use]
    pub fn indexed(mut self) -> Self {
        let size = (self.ends.len() * 3 / 2 + 1).next_power_of_two();
        self.slots = vec![EMPTY; size];
        for number in 0..self.len() {
            let mut place = self.first_place(self.get(number));
            while self.slots.get(place).is_some_and(|taken| *taken != EMPTY) {
                place = (place + 1) & (size - 1);
            }
            if let Some(slot) = self.slots.get_mut(place) {
                *slot = number;
            }
        }
        self
    }

    pub fn len(&self) -> u32 {
        u32::try_from(self.ends.len()).unwrap_or(u32::MAX)
    }

    pub fn get(&self, number: u32) -> &str {
        let number = number as usize;
        let start = match number.checked_sub(1) {
            None => 0,
            Some(before) => self.ends.get(before).copied().unwrap_or(0),
        };
        let end = self.ends.get(number).copied().unwrap_or(start);
        self.bytes.get(start as usize..end as usize).unwrap_or_default()
    }

    pub fn find(&self, text: &str) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        let mut place = self.first_place(text);
        loop {
            let number = *self.slots.get(place)?;
            if number == EMPTY {
                return None;
            }
            if self.get(number) == text {
                return Some(number);
            }
            place = (place + 1) & (self.slots.len() - 1);
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|number| self.get(number))
    }

    pub fn memory_bytes(&self) -> usize {
        self.bytes.capacity() + self.ends.capacity() * 8 + self.slots.capacity() * 4
    }

    fn first_place(&self, text: &str) -> usize {
        hash(text.as_bytes()) as usize & (self.slots.len().wrapping_sub(1))
    }
}

/// Eight bytes at a time; the product's upper half decides, so that every byte counts.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut state = FACTOR ^ bytes.len() as u64;
    let (chunks, rest) = bytes.as_chunks::<8>();
    for chunk in chunks {
        state = (state.rotate_left(23) ^ u64::from_le_bytes(*chunk)).wrapping_mul(FACTOR);
    }
    let mut last = [0u8; 8];
    for (place, byte) in last.iter_mut().zip(rest) {
        *place = *byte;
    }
    state = (state.rotate_left(23) ^ u64::from_le_bytes(last)).wrapping_mul(FACTOR);
    state ^ (state >> 32)
}

/// Texts that came since the arena was built; their numbers go on after its own.
#[derive(Clone)]
pub(crate) struct NewTexts {
    numbers: HashTrieMapSync<SmolStr, u32, FxBuildHasher>,
    texts: VectorSync<SmolStr>,
}

impl Default for NewTexts {
    fn default() -> Self {
        Self {
            numbers: HashTrieMapSync::new_with_hasher_and_ptr_kind(FxBuildHasher),
            texts: VectorSync::new_sync(),
        }
    }
}

impl NewTexts {
    pub fn len(&self) -> u32 {
        u32::try_from(self.texts.len()).unwrap_or(u32::MAX)
    }

    pub fn iter(&self) -> impl Iterator<Item = &SmolStr> {
        self.texts.iter()
    }

    pub fn get<'t>(&'t self, base: &'t Texts, number: u32) -> &'t str {
        match number.checked_sub(base.len()) {
            None => base.get(number),
            Some(new) => self.texts.get(new as usize).map_or("", SmolStr::as_str),
        }
    }

    pub fn find(&self, base: &Texts, text: &str) -> Option<u32> {
        base.find(text).or_else(|| self.numbers.get(text).copied())
    }

    pub fn number(&mut self, base: &Texts, text: &str) -> u32 {
        if let Some(number) = self.find(base, text) {
            return number;
        }
        let number = base.len().saturating_add(self.len());
        let text = SmolStr::new(text);
        self.texts.push_back_mut(text.clone());
        self.numbers.insert_mut(text, number);
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_found_under_the_number_it_was_given() {
        let mut texts = Texts::default();
        for number in 0..1_000 {
            texts.push(&format!("text {number}"));
        }
        texts.push("");
        let texts = texts.indexed();
        let mut new = NewTexts::default();
        assert_eq!(texts.find("text 999"), Some(999));
        assert_eq!(texts.find(""), Some(1_000));
        assert_eq!(texts.find("text 1000"), None);
        assert_eq!(new.number(&texts, "text 7"), 7);
        assert_eq!(new.number(&texts, "new"), 1_001);
        assert_eq!(new.number(&texts, "new"), 1_001);
        assert_eq!(new.get(&texts, 1_001), "new");
        assert_eq!(new.get(&texts, 8), "text 8");
    }
}
