//! Changes and timelines as rows of numbers, and back.

use std::sync::Arc;

use crate::change::{Change, ChangeAct};
use crate::moment::Moment;
use crate::timeline::{Columns, DatasetLife, Life, Segment, Span, Timeline};

const CREATE: u32 = 0;
const ENSURE: u32 = 1;
const DROP: u32 = 2;
const RENAME: u32 = 3;
const RENAME_COLUMN: u32 = 4;
const DROP_COLUMN: u32 = 5;

pub(super) fn of_changes(changes: &[Change]) -> Vec<u32> {
    let mut row = Vec::new();
    for change in changes {
        push_moment(&mut row, change.moment);
        match &change.act {
            ChangeAct::Create { dataset, columns } => push_listed(&mut row, CREATE, *dataset, columns),
            ChangeAct::Ensure { dataset, columns } => push_listed(&mut row, ENSURE, *dataset, columns),
            ChangeAct::Drop { dataset } => row.extend([DROP, *dataset]),
            ChangeAct::Rename { from, to } => row.extend([RENAME, *from, *to]),
            ChangeAct::RenameColumn { dataset, from, to } => {
                row.extend([RENAME_COLUMN, *dataset, *from, *to]);
            }
            ChangeAct::DropColumn { dataset, column } => row.extend([DROP_COLUMN, *dataset, *column]),
        }
    }
    row
}

fn push_listed(row: &mut Vec<u32>, act: u32, dataset: u32, columns: &[u32]) {
    row.extend([act, dataset, columns.len() as u32]);
    row.extend(columns);
}

fn push_moment(row: &mut Vec<u32>, moment: Moment) {
    row.extend([moment.run, u32::from(moment.step)]);
}

pub(super) fn read_changes(row: &[u32]) -> Option<Vec<Change>> {
    let mut row = Row(row);
    let mut changes = Vec::new();
    while !row.0.is_empty() {
        let moment = row.moment()?;
        let act = match row.next()? {
            CREATE => ChangeAct::Create { dataset: row.next()?, columns: Arc::from(row.listed()?) },
            ENSURE => ChangeAct::Ensure { dataset: row.next()?, columns: Arc::from(row.listed()?) },
            DROP => ChangeAct::Drop { dataset: row.next()? },
            RENAME => ChangeAct::Rename { from: row.next()?, to: row.next()? },
            RENAME_COLUMN => {
                ChangeAct::RenameColumn { dataset: row.next()?, from: row.next()?, to: row.next()? }
            }
            DROP_COLUMN => ChangeAct::DropColumn { dataset: row.next()?, column: row.next()? },
            _ => return None,
        };
        changes.push(Change { moment, act });
    }
    Some(changes)
}

/// Each timeline after the number of its name.
pub(super) fn of_timelines(timelines: &[Option<Arc<Timeline>>]) -> Vec<u32> {
    let mut row = Vec::new();
    for (name, timeline) in timelines.iter().enumerate() {
        let Some(timeline) = timeline else { continue };
        row.extend([name as u32, timeline.segments.len() as u32]);
        for segment in &timeline.segments {
            push_segment(&mut row, segment);
        }
        row.push(timeline.lives.len() as u32);
        for life in &timeline.lives {
            push_life(&mut row, &life.life);
            match &life.columns {
                None => row.push(0),
                Some(columns) => {
                    row.push(1);
                    push_columns(&mut row, columns);
                }
            }
        }
    }
    row
}

fn push_columns(row: &mut Vec<u32>, columns: &Columns) {
    row.push(columns.segments.len() as u32);
    for (name, segment) in &columns.segments {
        row.push(*name);
        push_segment(row, segment);
    }
    row.push(columns.lives.len() as u32);
    for life in &columns.lives {
        push_life(row, life);
    }
}

fn push_segment(row: &mut Vec<u32>, segment: &Segment) {
    push_moment(row, segment.from);
    push_moment(row, segment.until);
    row.extend([segment.born.0, segment.born.1]);
}

fn push_life(row: &mut Vec<u32>, life: &Life) {
    row.extend([life.born.0, life.born.1, life.spans.len() as u32]);
    for span in &life.spans {
        row.push(span.name);
        push_moment(row, span.from);
        push_moment(row, span.until);
    }
    row.push(u32::from(life.closed.is_some()));
    if let Some(closed) = life.closed {
        push_moment(row, closed);
    }
    row.push(u32::from(life.predecessor.is_some()));
    if let Some(before) = life.predecessor {
        row.extend([before.0, before.1]);
    }
}

pub(super) fn read_timelines(row: &[u32], names: u32) -> Option<Vec<Option<Arc<Timeline>>>> {
    let mut row = Row(row);
    let mut timelines = vec![None; names as usize];
    while !row.0.is_empty() {
        let name = row.next()?;
        let segments = row.many(Row::segment)?;
        let lives = row.many(|row| {
            let life = row.life()?;
            let columns = match row.next()? {
                0 => None,
                _ => Some(Arc::new(row.columns()?)),
            };
            Some(DatasetLife { life, columns })
        })?;
        *timelines.get_mut(name as usize)? = Some(Arc::new(Timeline { segments, lives }));
    }
    Some(timelines)
}

/// What is left of a row.
struct Row<'r>(&'r [u32]);

impl Row<'_> {
    fn next(&mut self) -> Option<u32> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    fn listed(&mut self) -> Option<Vec<u32>> {
        self.many(Self::next)
    }

    /// No memory is taken before what fills it was read.
    fn many<T>(&mut self, read: impl Fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count = self.next()?;
        (0..count).map(|_| read(self)).collect()
    }

    fn moment(&mut self) -> Option<Moment> {
        Some(Moment { run: self.next()?, step: u16::try_from(self.next()?).ok()? })
    }

    fn segment(&mut self) -> Option<Segment> {
        let (from, until) = (self.moment()?, self.moment()?);
        Some(Segment { from, until, born: (self.next()?, self.next()?) })
    }

    fn life(&mut self) -> Option<Life> {
        let born = (self.next()?, self.next()?);
        let spans = self.many(|row| {
            let name = row.next()?;
            Some(Span { name, from: row.moment()?, until: row.moment()? })
        })?;
        let closed = match self.next()? {
            0 => None,
            _ => Some(self.moment()?),
        };
        let predecessor = match self.next()? {
            0 => None,
            _ => Some((self.next()?, self.next()?)),
        };
        Some(Life { born, spans, closed, predecessor })
    }

    fn columns(&mut self) -> Option<Columns> {
        let segments = self.many(|row| Some((row.next()?, row.segment()?)))?;
        Some(Columns { segments, lives: self.many(Self::life)? })
    }
}
