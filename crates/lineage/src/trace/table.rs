//! A place for each node that is met, out of very many nodes of which few are: pages are made where they are touched.

const PAGE: usize = 64;
const NO_PAGE: u32 = u32::MAX;
/// The node was not met.
pub(crate) const NONE: u32 = u32::MAX;

pub(crate) struct Table {
    /// Which page has the nodes.
    pages: Vec<u32>,
    places: Vec<[u32; PAGE]>,
}

impl Table {
    pub fn new(nodes: usize) -> Self {
        Self { pages: vec![NO_PAGE; nodes.div_ceil(PAGE)], places: Vec::new() }
    }

    #[inline]
    pub fn get(&self, node: u32) -> u32 {
        let page = self.pages.get(node as usize / PAGE).copied().unwrap_or(NO_PAGE);
        let page = self.places.get(page as usize);
        page.and_then(|page| page.get(node as usize % PAGE)).copied().unwrap_or(NONE)
    }

    pub fn set(&mut self, node: u32, place: u32) {
        let Some(page) = self.pages.get_mut(node as usize / PAGE) else { return };
        if *page == NO_PAGE {
            *page = self.places.len() as u32;
            self.places.push([NONE; PAGE]);
        }
        let page = self.places.get_mut(*page as usize);
        if let Some(slot) = page.and_then(|page| page.get_mut(node as usize % PAGE)) {
            *slot = place;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_set_is_there_and_nothing_else() {
        let mut table = Table::new(1_000);
        for node in [0, 63, 64, 999] {
            assert_eq!(table.get(node), NONE);
            table.set(node, node + 1);
        }
        table.set(5_000, 1);
        assert_eq!([0, 63, 64, 999].map(|node| table.get(node)), [1, 64, 65, 1_000]);
        assert_eq!([1, 65, 5_000, u32::MAX].map(|node| table.get(node)), [NONE; 4]);
    }
}
