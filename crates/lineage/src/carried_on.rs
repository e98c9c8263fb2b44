//! What went on before it was removed.
//!
//! A write of which nothing is left is current still where a run read what it brought while that was there, and what
//! this run wrote is current: a staging table that was emptied or dropped, a table that was overwritten from itself, a
//! partition that was moved away. A view carries nothing on, for it shows what there is; and what was read through a
//! view was made of what is behind it, so a definition that is no more is not current. A table that lies over a path
//! shows what there is as well; who read the table read the path.

use rustc_hash::FxHashMap;

use crate::currency::is_within;
use crate::endings::{Endings, NEVER};
use crate::graph::{Between, Graph, Until, Way};
use crate::lists::Bits;
use crate::moment::{Moment, Order};
use crate::timeline::DatasetId;
use crate::write::WriteAct;

type Born = (u32, u32);

/// Answers for single writes, as of a moment.
pub(crate) struct CarriedOn<'g> {
    graph: &'g Graph,
    until: Until,
    endings: Endings,
    readers: FxHashMap<Born, Vec<u32>>,
    known: FxHashMap<u32, bool>,
}

/// A write that is being found out about.
struct Visit {
    write: u32,
    born: Born,
    /// The run that removed it.
    end: u32,
    /// The place in the list of readers that comes next.
    next: usize,
}

impl<'g> CarriedOn<'g> {
    pub fn new(graph: &'g Graph, until: Until) -> Self {
        let (endings, readers, known) = <_>::default();
        Self { graph, until, endings, readers, known }
    }

    /// Is a write to a dataset current though nothing of it is there? What is there is carried on, too.
    pub fn is_carried_on(&mut self, born: Born, write: u32) -> bool {
        let mut open = Vec::new();
        self.open(born, write, &mut open);
        // One after the other and not one within the other: a table may have been overwritten from itself a million
        // times.
        while let Some(visit) = open.last_mut() {
            match self.next_unknown(visit) {
                Some(reader) => {
                    let born = self.target(reader);
                    self.open(born, reader, &mut open);
                }
                None => {
                    open.pop();
                }
            }
        }
        self.known.get(&write).copied().unwrap_or(false)
    }

    /// Did it go on into something current no later than a run, which removed a part of it?
    pub fn is_carried_on_before(&mut self, born: Born, write: u32, end: u32) -> bool {
        let graph = self.graph;
        let run = graph.run_of_write(write);
        let mut next = self.first_reader(born, run);
        while let Some(reader) = self.readers.get(&born).and_then(|readers| readers.get(next)).copied() {
            let reading = graph.run_of_write(reader);
            if is_run_before(graph, end, reading) || !graph.is_until(reading, self.until) {
                return false;
            }
            let target = self.target(reader);
            if self.is_carried_on(target, reader) {
                return true;
            }
            next += 1;
        }
        false
    }

    fn open(&mut self, born: Born, write: u32, open: &mut Vec<Visit>) {
        if self.known.contains_key(&write) {
            return;
        }
        let graph = self.graph;
        let dataset = DatasetId { name: born.0, life: born.1 };
        let end = self.endings.of(graph, (dataset, None), write);
        let is_there = end == NEVER || !graph.is_until(end, self.until);
        if is_there || is_definition(graph, write) {
            self.known.insert(write, is_there);
            return;
        }
        let next = self.first_reader(born, graph.run_of_write(write));
        open.push(Visit { write, born, end, next });
    }

    /// The place of the first that read a dataset after a run.
    fn first_reader(&mut self, born: Born, run: u32) -> usize {
        let graph = self.graph;
        let readers = self.readers.entry(born).or_insert_with(|| readers(graph, born));
        readers.partition_point(|reader| !is_run_before(graph, run, graph.run_of_write(*reader)))
    }

    /// The next reader of which it is not known whether what it wrote is current. Where there is none it is known of
    /// the write itself.
    fn next_unknown(&mut self, visit: &mut Visit) -> Option<u32> {
        let graph = self.graph;
        let readers = self.readers.get(&visit.born).map(Vec::as_slice).unwrap_or_default();
        while let Some(reader) = readers.get(visit.next).copied() {
            let run = graph.run_of_write(reader);
            if is_run_before(graph, visit.end, run) || !graph.is_until(run, self.until) {
                break;
            }
            match self.known.get(&reader) {
                None => return Some(reader),
                Some(true) => {
                    self.known.insert(visit.write, true);
                    return None;
                }
                Some(false) => visit.next += 1,
            }
        }
        self.known.insert(visit.write, false);
        None
    }

    fn target(&self, write: u32) -> Born {
        self.graph.write(write).map_or((0, 0), |write| self.graph.born_as(write.dataset, write.moment))
    }
}

/// The writes after all runs that nothing is left of, neither there nor in what was made of it.
///
/// Takes those that have ended and the datasets that have such. A base numbers writes in the order of their runs: from
/// the last one back, whatever a write may have gone on into is known when it is looked at.
pub(crate) fn gone(graph: &Graph, ended: &Bits, datasets: &[Born]) -> Bits {
    let mut gone = ended.clone();
    let mut endings = Endings::default();
    let mut looked_at = Vec::new();
    let mut open: Vec<(u32, u32)> = Vec::new();
    for (place, born) in (0..).zip(datasets) {
        for span in graph.spans(*born) {
            let writes = graph.base.writes_of.get(span.name).iter().copied();
            let within =
                |write: &u32| graph.write(*write).is_some_and(|write| is_within(graph, &span, write.moment));
            let writes = writes.filter(|write| ended.get(*write) && !is_definition(graph, *write));
            open.extend(writes.filter(within).map(|write| (write, place)));
        }
        looked_at.push(Readers { writes: readers(graph, *born), first_current: None });
    }
    open.sort_unstable();
    for (write, place) in open.into_iter().rev() {
        let Some((readers, born)) = looked_at.get_mut(place as usize).zip(datasets.get(place as usize))
        else {
            continue;
        };
        let run = graph.run_of_write(write);
        readers.look_back_to(graph, run, &gone);
        let dataset = DatasetId { name: born.0, life: born.1 };
        let end = endings.of(graph, (dataset, None), write);
        if readers.first_current.is_some_and(|first| end == NEVER || !is_run_before(graph, end, first)) {
            gone.clear(write);
        }
    }
    gone
}

/// What read a dataset, looked at from the last one back.
struct Readers {
    /// Those that were not looked at.
    writes: Vec<u32>,
    /// The first run of those looked at that wrote something current.
    first_current: Option<u32>,
}

impl Readers {
    fn look_back_to(&mut self, graph: &Graph, run: u32, gone: &Bits) {
        while let Some(reader) = self.writes.last().copied() {
            let reading = graph.run_of_write(reader);
            if !is_run_before(graph, run, reading) {
                return;
            }
            if !gone.get(reader) {
                self.first_current = Some(reading);
            }
            self.writes.pop();
        }
    }
}

/// The writes that something of a dataset went into, in the order of their runs. Who reads what lies over a path reads
/// the path.
fn readers(graph: &Graph, born: Born) -> Vec<u32> {
    let mut readers = Vec::new();
    let mut lying_over = Vec::new();
    for (write, act) in reads_of(graph, born) {
        match act {
            WriteAct::Define => {}
            WriteAct::Locate => lying_over.push(write),
            _ => readers.push(write),
        }
    }
    for located in lying_over.into_iter().filter_map(|write| graph.write(write)) {
        let table = graph.born_as(located.dataset, located.moment);
        let later = reads_of(graph, table).into_iter().filter(|(write, act)| {
            !act.shows() && is_run_before(graph, located.moment.run, graph.run_of_write(*write))
        });
        readers.extend(later.map(|(write, _)| write));
    }
    readers.sort_by(|one, other| graph.compare_writes(*one, *other));
    readers.dedup();
    readers
}

fn reads_of(graph: &Graph, born: Born) -> Vec<(u32, WriteAct)> {
    let mut reads = Vec::new();
    for span in graph.spans(born) {
        for (_, number, _) in graph.edges(Between::Datasets, Way::Down, span.name) {
            let Some(write) = graph.write(number) else { continue };
            if is_within(graph, &span, Moment::reads(write.moment.run)) {
                reads.push((number, write.act));
            }
        }
    }
    reads
}

fn is_definition(graph: &Graph, write: u32) -> bool {
    graph.write(write).is_some_and(|write| write.act == WriteAct::Define)
}

fn is_run_before(graph: &Graph, one: u32, other: u32) -> bool {
    graph.is_before(Moment::reads(one), Moment::reads(other))
}
