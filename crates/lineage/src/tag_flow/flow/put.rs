//! What is put on a view or on a table that lies over a path goes to what is read through the one or under the other.

use crate::question::Node;

use super::{Entry, Flow, Period, Spot, TagNumber};

impl Flow<'_, '_> {
    /// Hands on what was put on something that has its data elsewhere.
    pub(super) fn hand_on_what_is_put(&mut self, node: Node) {
        if self.views.is_view(node.dataset) {
            self.hand_through(node);
        }
        self.hand_to_files(node);
    }

    /// Hands on what was put on a view or on a column of it, to what was made by reading through the view.
    fn hand_through(&mut self, node: Node) {
        let place = self.places.of_node(&node);
        let Some((number, _)) = self.put_at(place) else { return };
        let mut steps = Vec::new();
        for edge in self.views.edges_through(node) {
            self.places.scan_down(edge, &mut steps);
        }
        for step in steps {
            self.take_step(number, step);
        }
    }

    /// Hands on what was put on a table, or on a column of it, to the paths that the table lies over and to what is read
    /// from there.
    fn hand_to_files(&mut self, node: Node) {
        let until = self.graph.until(self.rules.as_of);
        let under = self.files.under(node, (self.rules.edges, until));
        if under.is_empty() {
            return;
        }
        let place = self.places.of_node(&node);
        let Some((number, tag)) = self.put_at(place) else { return };
        for near in self.files.read_as(&mut self.places, &under) {
            self.hand_on(&[number], place, near);
        }
        for (path, run) in under.carries {
            let at = Spot::Place(self.places.of_node(&path));
            let (period, came) = (Period::since(run), Some((number, run)));
            // What is read from there has it already.
            self.entries.push(Entry { at, tag, period, came, is_open: false });
        }
    }

    /// The entry of what was put on a place.
    fn put_at(&self, place: u32) -> Option<(u32, TagNumber)> {
        let entries = self.at.get(place as usize)?.iter();
        entries.copied().find_map(|number| {
            let entry = self.entries.get(number as usize)?;
            entry.came.is_none().then_some((number, entry.tag))
        })
    }
}
