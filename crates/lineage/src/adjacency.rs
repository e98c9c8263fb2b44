//! The neighbours of every node in one direction, compressed: per node the other ends in order, each as its
//! distance from the one before, seven bits a byte. The write and the mark of each edge stand in arrays beside it.

use crate::mark::Mark;

/// An edge as one of its ends has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Edge {
    pub node: u32,
    pub other: u32,
    pub write: u32,
    pub mark: Mark,
}

impl Edge {
    /// The same edge as its other end has it.
    pub const fn reversed(self) -> Self {
        Self { node: self.other, other: self.node, ..self }
    }
}

#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Adjacency {
    /// Where the bytes of each node start; one more than there are nodes.
    pub byte_starts: Vec<u32>,
    /// Where the edges of each node start; one more than there are nodes.
    pub edge_starts: Vec<u32>,
    pub bytes: Vec<u8>,
    pub writes: Vec<u32>,
    pub marks: Vec<u8>,
}

impl Adjacency {
    pub fn len(&self) -> usize {
        self.writes.len()
    }

    pub fn node_count(&self) -> u32 {
        self.byte_starts.len().saturating_sub(1) as u32
    }

    pub fn has_edges(&self, node: u32) -> bool {
        let node = node as usize;
        matches!(self.edge_starts.get(node..node + 2), Some([start, end]) if start < end)
    }

    /// The edges of a node in the order of their other ends.
    pub fn edges(&self, node: u32) -> Edges<'_> {
        let range = |starts: &[u32]| {
            let node = node as usize;
            match starts.get(node..node + 2) {
                Some(&[start, end]) => start as usize..end as usize,
                _ => 0..0,
            }
        };
        let edges = range(&self.edge_starts);
        Edges {
            bytes: self.bytes.get(range(&self.byte_starts)).unwrap_or_default(),
            writes: self.writes.get(edges.clone()).unwrap_or_default().iter(),
            marks: self.marks.get(edges).unwrap_or_default().iter(),
            other: 0,
        }
    }

    /// Bytes of what leads from node to node, without writes and marks.
    pub fn topology_bytes(&self) -> usize {
        self.bytes.len() + (self.byte_starts.len() + self.edge_starts.len()) * 4
    }

    pub fn memory_bytes(&self) -> usize {
        self.bytes.capacity()
            + (self.byte_starts.capacity() + self.edge_starts.capacity() + self.writes.capacity()) * 4
            + self.marks.capacity()
    }
}

pub(crate) struct Edges<'a> {
    bytes: &'a [u8],
    writes: std::slice::Iter<'a, u32>,
    marks: std::slice::Iter<'a, u8>,
    other: u32,
}

impl Iterator for Edges<'_> {
    /// The other end, the write, the mark.
    type Item = (u32, u32, Mark);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let write = *self.writes.next()?;
        let mark = Mark(*self.marks.next()?);
        let mut distance = 0u32;
        let mut shift = 0;
        while let Some((byte, rest)) = self.bytes.split_first() {
            self.bytes = rest;
            distance |= u32::from(byte & 0x7f).wrapping_shl(shift);
            shift += 7;
            if byte & 0x80 == 0 {
                break;
            }
        }
        self.other = self.other.wrapping_add(distance);
        Some((self.other, write, mark))
    }
}

/// Takes edges in order and packs them.
pub(crate) struct Packer {
    packed: Adjacency,
    /// The other end of the last edge of the node at work.
    last: u32,
}

impl Packer {
    pub fn with_capacity(nodes: usize, edges: usize) -> Self {
        let packed = Adjacency {
            byte_starts: Vec::with_capacity(nodes + 1),
            edge_starts: Vec::with_capacity(nodes + 1),
            bytes: Vec::with_capacity(edges * 3),
            writes: Vec::with_capacity(edges),
            marks: Vec::with_capacity(edges),
        };
        Self { packed, last: 0 }
    }

    /// All that follows belongs to the next node.
    pub fn start_node(&mut self) {
        self.last = 0;
        self.packed.byte_starts.push(self.packed.bytes.len() as u32);
        self.packed.edge_starts.push(self.packed.writes.len() as u32);
    }

    #[inline]
    pub fn push(&mut self, other: u32, write: u32, mark: Mark) {
        let mut distance = other.wrapping_sub(self.last);
        while distance >= 0x80 {
            self.packed.bytes.push(distance as u8 | 0x80);
            distance >>= 7;
        }
        self.packed.bytes.push(distance as u8);
        self.packed.writes.push(write);
        self.packed.marks.push(mark.0);
        self.last = other;
    }

    pub fn finish(mut self) -> Adjacency {
        self.start_node();
        self.packed.bytes.shrink_to_fit();
        self.packed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_come_back_as_they_went_in() {
        let mut packer = Packer::with_capacity(0, 0);
        let lists: [&[(u32, u32, Mark)]; 4] = [
            &[(0, 1, Mark(0)), (0, 2, Mark(1)), (127, 3, Mark(2)), (128, 0, Mark(3)), (u32::MAX, 9, Mark(4))],
            &[],
            &[(7, u32::MAX, Mark(0xff))],
            &[(300_000, 5, Mark(0)), (300_000, 5, Mark(1)), (4_000_000, 5, Mark(0))],
        ];
        for list in lists {
            packer.start_node();
            for (other, write, mark) in list {
                packer.push(*other, *write, *mark);
            }
        }
        let packed = packer.finish();
        assert_eq!(packed.node_count(), 4);
        for (node, list) in lists.iter().enumerate() {
            assert_eq!(packed.edges(node as u32).collect::<Vec<_>>(), *list);
        }
        assert_eq!(packed.edges(4).count(), 0);
        assert_eq!(packed.edges(u32::MAX).count(), 0);
    }
}
