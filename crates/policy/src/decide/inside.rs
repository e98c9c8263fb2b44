//! What stands inside a resource: grants that open a way to it, denials that take from it as a whole.

use super::Judge;
use super::place::{Place, tag_nodes, tag_value_nodes};
use super::tally::Tally;
use crate::index::cell::Cell;
use crate::index::node::{Entries, Inside};
use crate::index::sorted::Sorted;
use crate::{EntryId, Resource, Scope, Uri};

impl<'p> Judge<'p> {
    /// Sees the denials inside a resource that take from it as a whole: at any column of a table, at any place
    /// that an address may reach.
    pub(super) fn see_denials_inside(&self, place: &Place<'p>, tally: &mut Tally) {
        match place.resource() {
            Resource::Table(_) => self.see_denials_at_columns(place, tally),
            Resource::Uri(uri) => self.see_denials_at_addresses(uri, tally),
            _ => {}
        }
    }

    fn see_denials_at_addresses(&self, uri: &Uri, tally: &mut Tally) {
        if self.sources.entries {
            self.policy.nodes.denials_reached(uri, |cell| {
                let is_wanted = cell.effective().intersects(tally.wanted());
                if is_wanted && self.subject.known.contains(cell.principal) && self.holds(cell) {
                    tally.count(cell);
                }
            });
        }
        if self.sources.tags && self.policy.nodes.tag_entries > 0 {
            self.policy.tags.carriers_reached(uri, |carrier| {
                for assignment in &carrier.own {
                    tag_nodes(self.policy, assignment, &mut |node| {
                        self.see_denials(&node.here, Tally::count, tally);
                    });
                }
            });
        }
    }

    fn see_denials_at_columns(&self, place: &Place<'p>, tally: &mut Tally) {
        let columns = place.table_node().and_then(|node| node.columns.as_deref());
        if let Some(columns) = columns.filter(|_| self.sources.entries)
            && columns.entries.denied.intersects(tally.wanted())
        {
            self.see_denials(&columns.entries, Tally::deny_at_column, tally);
        }
        let column_tags = if self.sources.tags { place.column_tags(self.policy) } else { &[] };
        for assignment in column_tags {
            tag_nodes(self.policy, assignment, &mut |node| {
                self.see_denials(&node.here, Tally::deny_at_column, tally);
            });
        }
        if !self.sources.entries {
            return;
        }
        self.patterns_near(place.resource(), |pattern| {
            let cell = &pattern.cell;
            if cell.is_denial()
                && self.subject.known.contains(cell.principal)
                && self.holds(cell)
                && pattern.scope.is_inside(place.resource())
            {
                tally.deny_at_column(cell);
            }
        });
    }

    fn see_denials<const INLINE: usize>(
        &self,
        entries: &Entries<INLINE>,
        deny: fn(&mut Tally, &Cell),
        tally: &mut Tally,
    ) {
        entries.cells_of(&self.subject.known, tally.wanted(), |cell, _| {
            if cell.is_denial() && self.holds(cell) {
                deny(tally, cell);
            }
        });
    }

    /// Sees the grants inside a resource.
    pub(super) fn see_grants_inside(&self, place: &Place<'p>, tally: &mut Tally) {
        match place.resource() {
            Resource::Server | Resource::Uri(_) => self.see_any_grant_inside(place.resource(), tally),
            Resource::Database(_) => self.see_grants_in_database(place, tally),
            Resource::Table(_) => self.see_grants_at_columns(place, tally),
            _ => {}
        }
    }

    fn see_grants_at_columns(&self, place: &Place<'p>, tally: &mut Tally) {
        let columns = place.table_node().and_then(|node| node.columns.as_deref());
        if let Some(columns) = columns.filter(|_| self.sources.entries) {
            self.see_grants(&columns.entries, tally);
        }
        let column_tags = if self.sources.tags { place.column_tags(self.policy) } else { &[] };
        for assignment in column_tags {
            tag_nodes(self.policy, assignment, &mut |node| self.see_grants(&node.here, tally));
        }
        self.see_patterns_inside(place, tally);
    }

    fn see_grants_in_database(&self, place: &Place<'p>, tally: &mut Tally) {
        let inside = place.own_node().and_then(|node| node.inside());
        if let Some(inside) = inside.filter(|_| self.sources.entries) {
            self.each_inside(inside, |inside| {
                if inside.privileges.intersects(tally.wanted()) && self.inside_holds(inside) {
                    tally.grant(inside.id, inside.privileges, inside.has_grant_option);
                }
            });
        }
        let carrier = place.resource().database().and_then(|name| self.policy.tags.carrier_of_database(name));
        for tag in carrier.into_iter().flat_map(|carrier| &carrier.inside) {
            tag_value_nodes(self.policy, &tag.tag, tag.value.as_deref(), &mut |node| {
                self.see_grants(&node.here, tally);
            });
        }
        self.see_patterns_inside(place, tally);
    }

    fn each_inside<'i>(&self, inside: &'i Sorted<Inside>, mut see: impl FnMut(&'i Inside)) {
        for standing in self.subject.known.iter().filter(|standing| standing.is_active()) {
            let number = standing.number();
            inside
                .from(&(number, EntryId(0)))
                .take_while(|inside| inside.principal == number)
                .filter(|inside| !inside.is_denial)
                .for_each(&mut see);
        }
    }

    fn inside_holds(&self, inside: &Inside) -> bool {
        !inside.is_conditional
            || self
                .policy
                .records
                .get(&inside.id)
                .and_then(|record| self.policy.nodes.entry(record))
                .is_some_and(|(_, cell)| self.holds(cell))
    }

    fn see_patterns_inside(&self, place: &Place<'p>, tally: &mut Tally) {
        if !self.sources.entries {
            return;
        }
        self.patterns_near(place.resource(), |pattern| {
            if !pattern.cell.is_denial() && pattern.scope.is_inside(place.resource()) {
                self.count_pattern(&pattern.cell, tally);
            }
        });
    }

    fn see_grants<const INLINE: usize>(&self, entries: &Entries<INLINE>, tally: &mut Tally) {
        entries.cells_of(&self.subject.known, tally.wanted(), |cell, standing| {
            if !cell.is_denial() {
                self.count(cell, standing, tally);
            }
        });
    }

    /// Sees every grant of the subject's inside a resource. Takes as long as the subject has entries.
    fn see_any_grant_inside(&self, resource: &Resource, tally: &mut Tally) {
        for standing in self.subject.known.iter().filter(|standing| standing.is_active()) {
            let node = self.policy.principals.get(standing.number());
            let records = node.into_iter().flat_map(|node| node.entries.iter());
            let entries = records
                .filter_map(|id| self.policy.records.get(id))
                .filter_map(|record| self.policy.nodes.entry(record));
            for (scope, cell) in entries {
                let is_wanted = !cell.is_denial() && cell.effective().intersects(tally.wanted());
                if is_wanted && self.holds(cell) && self.is_inside(&scope, resource) {
                    tally.count(cell);
                }
            }
        }
    }

    /// Is a scope inside a resource, one at a tag by what carries it?
    fn is_inside(&self, scope: &Scope, resource: &Resource) -> bool {
        let Scope::Tag { tag, value } = scope else {
            return self.sources.entries && scope.is_inside(resource);
        };
        if !self.sources.tags {
            return false;
        }
        self.policy.tags.carried().any(|assignment| {
            assignment.tag == *tag
                && (value.is_none() || assignment.value == *value)
                && match (resource, &assignment.resource) {
                    (Resource::Server, inner) => *inner != Resource::Server,
                    (Resource::Uri(outer), Resource::Uri(inner)) => outer != inner && outer.covers(inner),
                    _ => false,
                }
        })
    }
}
