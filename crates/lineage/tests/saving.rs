//! What is saved is what is read back, and nothing else is read.

mod support;

use guardbee_lineage::{AsOf, Direction, Graph, LoadError, Loading, Node, Question, Run};
use support::answer::trace_text;
use support::random::{self, Random};

fn graph_of(random: &mut Random, count: usize) -> Graph {
    let runs: Vec<Run> = (0..count).map(|number| random::run(random, number, 9)).collect();
    Graph::new().record(&runs).graph
}

fn answers(graph: &Graph) -> Vec<String> {
    let mut lines = Vec::new();
    for dataset in graph.datasets(AsOf::Now) {
        let question = Question::about(Node::dataset(dataset), Direction::Both);
        lines.extend(trace_text(graph, &question, &graph.trace(&question)));
    }
    lines
}

#[test]
fn a_graph_comes_back_as_it_was_saved_and_goes_on() {
    for seed in 0..200 {
        let mut random = Random::new(seed);
        let count = random.below(12);
        let graph = graph_of(&mut random, count);
        let loaded = Graph::from_parts(graph.to_parts()).expect("what was saved");
        assert_eq!(answers(&loaded), answers(&graph), "seed {seed}");
        let more: Vec<Run> = (count..count + 3).map(|number| random::run(&mut random, number, 9)).collect();
        assert_eq!(answers(&loaded.record(&more).graph), answers(&graph.record(&more).graph), "seed {seed}");
        let parts: Vec<Vec<u8>> = loaded.to_parts().collect();
        assert_eq!(parts, graph.to_parts().collect::<Vec<_>>(), "seed {seed}");
    }
}

#[test]
fn damaged_missing_and_foreign_parts_are_errors() {
    let mut random = Random::new(7);
    let graph = graph_of(&mut random, 20);
    let parts: Vec<Vec<u8>> = graph.to_parts().collect();
    for (place, part) in parts.iter().enumerate() {
        let mut without = parts.clone();
        without.remove(place);
        assert_eq!(Graph::from_parts(without).err(), Some(LoadError::Incomplete));
        let mut twice = parts.clone();
        twice.insert(place, part.clone());
        assert_eq!(Graph::from_parts(twice).err(), Some(LoadError::Incomplete));
        for _ in 0..20 {
            let mut changed = parts.clone();
            let byte = random.below(part.len());
            changed[place][byte] ^= 1 << random.below(8);
            assert!(Graph::from_parts(changed).is_err(), "part {place} byte {byte}");
        }
        let mut cut = parts.clone();
        cut[place].truncate(random.below(part.len()));
        assert!(Graph::from_parts(cut).is_err());
    }
    assert_eq!(Graph::from_parts(Vec::new()).err(), Some(LoadError::Incomplete));
    assert_eq!(
        Loading::default().take(b"something else altogether, long enough").err(),
        Some(LoadError::Damaged)
    );
    let mut later = parts[0].clone();
    later[4] = 9;
    assert_eq!(Loading::default().take(&later).err(), Some(LoadError::Format { found: 9 }));
}

/// Parts whose checksums are right though their numbers are not: whoever made them, nothing panics, and what is read
/// can be asked and added to.
#[test]
fn parts_made_to_deceive_do_no_harm() {
    let mut random = Random::new(11);
    let graph = graph_of(&mut random, 20);
    let parts: Vec<Vec<u8>> = graph.to_parts().collect();
    let more: Vec<Run> = (20..24).map(|number| random::run(&mut random, number, 9)).collect();
    let mut read = 0;
    for _ in 0..3_000 {
        let mut changed = parts.clone();
        let place = random.below(parts.len());
        let part = &mut changed[place];
        let (first, end) = (20, part.len() - 8);
        if first == end {
            continue;
        }
        let byte = first + random.below(end - first);
        part[byte] = random.below(256) as u8;
        let checksum = checksum(&part[..end]);
        part[end..].copy_from_slice(&checksum.to_le_bytes());
        if let Ok(graph) = Graph::from_parts(changed) {
            read += 1;
            answers(&graph.record(&more).graph.compacted());
        }
    }
    assert!(read > 0);
}

/// As the crate sums.
fn checksum(bytes: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut state = FACTOR ^ bytes.len() as u64;
    let mut chunks = bytes.chunks_exact(8);
    for chunk in &mut chunks {
        state = (state.rotate_left(23) ^ u64::from_le_bytes(chunk.try_into().expect("eight")))
            .wrapping_mul(FACTOR);
    }
    let mut last = [0u8; 8];
    last[..chunks.remainder().len()].copy_from_slice(chunks.remainder());
    state = (state.rotate_left(23) ^ u64::from_le_bytes(last)).wrapping_mul(FACTOR);
    state ^ (state >> 32)
}
