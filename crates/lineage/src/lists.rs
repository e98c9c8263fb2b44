//! A list of numbers for each of many owners, kept flat.

#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Lists {
    /// Where the list of each owner starts, and after the last one where that ends.
    pub starts: Vec<u32>,
    pub items: Vec<u32>,
}

impl Lists {
    /// Takes pairs of owner and item that are in order.
    pub fn of(owners: u32, pairs: &[(u32, u32)]) -> Self {
        let mut starts = Vec::with_capacity(owners as usize + 1);
        let mut items = Vec::with_capacity(pairs.len());
        for (owner, item) in pairs {
            while starts.len() <= *owner as usize {
                starts.push(items.len() as u32);
            }
            items.push(*item);
        }
        while starts.len() <= owners as usize {
            starts.push(items.len() as u32);
        }
        Self { starts, items }
    }

    pub fn get(&self, owner: u32) -> &[u32] {
        let start = self.starts.get(owner as usize).copied().unwrap_or(0) as usize;
        let end = self.starts.get(owner as usize + 1).copied().unwrap_or(0) as usize;
        self.items.get(start..end).unwrap_or_default()
    }

    pub fn iter(&self) -> impl Iterator<Item = (u32, u32)> {
        let owners = self.starts.len().saturating_sub(1) as u32;
        (0..owners).flat_map(|owner| self.get(owner).iter().map(move |item| (owner, *item)))
    }

    pub fn memory_bytes(&self) -> usize {
        (self.starts.capacity() + self.items.capacity()) * 4
    }
}

/// One bit for each of many.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Bits(pub Vec<u64>);

impl Bits {
    pub fn of(length: usize) -> Self {
        Self(vec![0; length.div_ceil(64)])
    }

    pub fn get(&self, place: u32) -> bool {
        self.0.get(place as usize / 64).is_some_and(|word| word >> (place % 64) & 1 == 1)
    }

    pub fn clear(&mut self, place: u32) {
        if let Some(word) = self.0.get_mut(place as usize / 64) {
            *word &= !(1 << (place % 64));
        }
    }

    pub fn set(&mut self, place: u32) {
        if let Some(word) = self.0.get_mut(place as usize / 64) {
            *word |= 1 << (place % 64);
        }
    }

    /// Says whether it was not set yet.
    pub fn insert(&mut self, place: u32) -> bool {
        let is_new = !self.get(place);
        self.set(place);
        is_new
    }
}
