//! Identity through time: what a name stood for at a moment, and what something was called.
//!
//! The rules are the same for datasets and for the columns of a dataset:
//!
//! - A name that is mentioned while nothing is open under it opens something: from the beginning of time if it never
//!   stood for anything, else from where the last thing under it ended.
//! - To create closes what is open and opens another. To ensure opens only where nothing is open.
//! - To drop mentions, then closes.
//! - To rename mentions the old name, closes what is open under the new one, and moves. To its own name it does
//!   nothing.
//! - Whatever opens has as predecessor what stood under the name last, if that was closed and not renamed.
//!
//! A replay lives through the events of names that have to do with one another, in order. It is told the events that
//! do something, and asks about mere mentions only where they could matter: while nothing is open.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::graph::{Graph, Until};
use crate::moment::Moment;

/// A dataset within one graph: the n-th that opened under a name. A graph with other runs may number otherwise; what
/// stays is the name at a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DatasetId {
    pub(crate) name: u32,
    pub(crate) life: u32,
}

/// A column within its dataset: the n-th that opened under a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ColumnId {
    pub(crate) name: u32,
    pub(crate) life: u32,
}

impl ColumnId {
    /// In place of a column that no run names: it goes along where the whole of its dataset does.
    pub const UNNAMED: Self = Self { name: u32::MAX - 1, life: 0 };
}

/// What happens to a name, in a replay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Event {
    Create(u32),
    Ensure(u32),
    /// It is named by something that changes nothing, a list of columns.
    Mention(u32),
    Drop(u32),
    /// Closes what is open, if anything is.
    Close(u32),
    Rename(u32, u32),
}

/// Something with names, one at a time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Life {
    /// The name it opened under, and how many had opened under it before.
    pub born: (u32, u32),
    /// In order of time, one after the other without gaps.
    pub spans: Vec<Span>,
    pub closed: Option<Moment>,
    pub predecessor: Option<(u32, u32)>,
}

impl Life {
    pub fn is_closed(&self, graph: &Graph, until: Until) -> bool {
        self.closed.is_some_and(|closed| graph.is_until(closed.run, until))
    }
}

/// What it was called, from a moment until before another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    pub name: u32,
    pub from: Moment,
    pub until: Moment,
}

/// What a name stood for, from a moment until before another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Segment {
    pub from: Moment,
    pub until: Moment,
    /// The name that it opened under, and which of those it is.
    pub born: (u32, u32),
}

/// Everything about one name of a dataset.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Timeline {
    pub segments: Vec<Segment>,
    /// The datasets that opened under it.
    pub lives: Vec<DatasetLife>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct DatasetLife {
    pub life: Life,
    /// Where one of its columns was renamed or dropped.
    pub columns: Option<Arc<Columns>>,
}

/// The columns of one dataset.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Columns {
    /// In order of name; those of one name in order of time.
    pub segments: Vec<(u32, Segment)>,
    pub lives: Vec<Life>,
}

impl Timeline {
    /// Is it as if there were no timeline: one dataset that was never called otherwise, is not closed, and whose
    /// columns never changed theirs?
    pub fn is_plain(&self) -> bool {
        match (self.lives.as_slice(), self.segments.len()) {
            ([one], 1) => one.life.spans.len() == 1 && one.life.closed.is_none() && one.columns.is_none(),
            _ => false,
        }
    }

    pub fn memory_bytes(&self) -> usize {
        let lives = self.lives.iter().map(|one| {
            size_of::<DatasetLife>()
                + one.life.spans.capacity() * size_of::<Span>()
                + one.columns.as_ref().map_or(0, |columns| {
                    columns.segments.capacity() * size_of::<(u32, Segment)>()
                        + columns.lives.capacity() * (size_of::<Life>() + size_of::<Span>())
                })
        });
        size_of::<Self>() + self.segments.capacity() * size_of::<Segment>() + lives.sum::<usize>()
    }
}

/// Whether a name was mentioned between two moments.
pub(crate) trait Mentions {
    fn is_mentioned(&mut self, name: u32, after: Moment, before: Moment) -> bool;
}

/// Lives through events that are in order. `names` are all that lives are wanted of.
pub(crate) fn replay(names: &[u32], events: &[(Moment, Event)], mentions: &mut impl Mentions) -> Vec<Life> {
    let mut replay = Replay { mentions, states: FxHashMap::default(), lives: Vec::new() };
    for (moment, event) in events {
        replay.live_through(*moment, *event);
    }
    for name in names {
        replay.open_if_mentioned(*name, Moment::NEVER);
    }
    replay.lives
}

struct Replay<'m, M> {
    mentions: &'m mut M,
    states: FxHashMap<u32, State>,
    lives: Vec<Life>,
}

#[derive(Debug, Clone, Copy)]
struct State {
    open: Option<usize>,
    /// From when on nothing is open, where nothing is.
    empty_from: Moment,
    /// What was closed last under the name, unless it was renamed away.
    closed: Option<usize>,
    births: u32,
}

impl State {
    const NEW: Self = Self { open: None, empty_from: Moment::BEGINNING, closed: None, births: 0 };
}

impl<M: Mentions> Replay<'_, M> {
    fn live_through(&mut self, moment: Moment, event: Event) {
        match event {
            Event::Create(name) => {
                self.open_if_mentioned(name, moment);
                self.close(name, moment);
                self.open(name, moment);
            }
            Event::Ensure(name) => {
                self.open_if_mentioned(name, moment);
                if self.state(name).open.is_none() {
                    self.open(name, moment);
                }
            }
            Event::Mention(name) => self.mention(name),
            Event::Drop(name) => {
                self.mention(name);
                self.close(name, moment);
            }
            Event::Close(name) => {
                self.open_if_mentioned(name, moment);
                self.close(name, moment);
            }
            Event::Rename(from, to) => {
                self.mention(from);
                if from != to {
                    self.open_if_mentioned(to, moment);
                    self.close(to, moment);
                    self.rename(from, to, moment);
                }
            }
        }
    }

    fn state(&mut self, name: u32) -> &mut State {
        self.states.entry(name).or_insert(State::NEW)
    }

    fn open_if_mentioned(&mut self, name: u32, before: Moment) {
        let state = *self.state(name);
        if state.open.is_none() && self.mentions.is_mentioned(name, state.empty_from, before) {
            self.open(name, state.empty_from);
        }
    }

    fn mention(&mut self, name: u32) {
        let state = *self.state(name);
        if state.open.is_none() {
            self.open(name, state.empty_from);
        }
    }

    fn open(&mut self, name: u32, from: Moment) {
        let place = self.lives.len();
        let state = self.state(name);
        let born = (name, state.births);
        let closed = state.closed;
        *state = State { open: Some(place), births: born.1 + 1, ..*state };
        let predecessor = closed.and_then(|closed| self.lives.get(closed)).map(|life| life.born);
        let spans = vec![Span { name, from, until: Moment::NEVER }];
        self.lives.push(Life { born, spans, closed: None, predecessor });
    }

    fn close(&mut self, name: u32, moment: Moment) {
        let state = self.state(name);
        let Some(place) = state.open else { return };
        *state = State { open: None, empty_from: moment, closed: Some(place), ..*state };
        if let Some(life) = self.lives.get_mut(place) {
            life.closed = Some(moment);
            end_span(life, moment);
        }
    }

    fn rename(&mut self, from: u32, to: u32, moment: Moment) {
        let state = self.state(from);
        let Some(place) = state.open else { return };
        *state = State { open: None, empty_from: moment, closed: None, ..*state };
        self.state(to).open = Some(place);
        if let Some(life) = self.lives.get_mut(place) {
            end_span(life, moment);
            life.spans.push(Span { name: to, from: moment, until: Moment::NEVER });
        }
    }
}

fn end_span(life: &mut Life, moment: Moment) {
    if let Some(last) = life.spans.last_mut() {
        last.until = moment;
    }
}
