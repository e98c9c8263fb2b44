//! Some datasets with the words that they are found by. It never changes once it is made.

use std::borrow::Cow;
use std::collections::HashMap;

use guardbee_lineage::DatasetName;
use rustc_hash::FxBuildHasher;

use super::near::each_near;
use super::term::{Field, How, Rank, Term, words};
use super::warehouse::Searched;

/// Words in order, one after the other in one text.
#[derive(Debug, Default)]
pub struct Words {
    text: String,
    ends: Vec<usize>,
}

impl<'w> FromIterator<&'w str> for Words {
    fn from_iter<I: IntoIterator<Item = &'w str>>(words: I) -> Self {
        let mut all = Self::default();
        for word in words {
            all.text.push_str(word);
            all.ends.push(all.text.len());
        }
        all
    }
}

impl Words {
    pub fn get(&self, place: usize) -> Option<&str> {
        let end = *self.ends.get(place)?;
        let start = place.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        self.text.get(start..end)
    }

    /// The first place from which on no word comes before one.
    fn first_not_before(&self, word: &str) -> usize {
        self.partition_point(0, |known| known < word)
    }

    /// The first place behind one whose word does not begin like the one there.
    pub fn behind(&self, place: usize, beginning: &str) -> usize {
        // Mostly it is near.
        let mut step = 1;
        while self.get(place + step).is_some_and(|word| word.starts_with(beginning)) {
            step *= 2;
        }
        self.partition_point(place + step / 2, |word| word.starts_with(beginning)).min(self.ends.len())
    }

    fn partition_point(&self, from: usize, is_before: impl Fn(&str) -> bool) -> usize {
        let (mut start, mut end) = (from, self.ends.len());
        while start < end {
            let middle = start + (end - start) / 2;
            if self.get(middle).is_some_and(&is_before) {
                start = middle + 1;
            } else {
                end = middle;
            }
        }
        start
    }
}

/// Where a word stands: in which dataset, in which field of it, and whether it is all of a name. There are many of them.
#[derive(Debug, Clone, Copy, Default)]
struct Posting(u32);

impl Posting {
    const FIELD_BITS: u32 = 3;

    const fn new(place: u32, field: Field) -> Self {
        Self((place << Self::FIELD_BITS | field as u32) << 1)
    }

    /// The same where the word is all of a name, not one among others.
    const fn of_whole(self) -> Self {
        Self(self.0 | 1)
    }

    const fn is_whole(self) -> bool {
        self.0 & 1 == 1
    }

    const fn place(self) -> u32 {
        self.0 >> (Self::FIELD_BITS + 1)
    }

    /// How well a word fits that is found so.
    const fn rank(self, how: How) -> Rank {
        Rank::of_field(how, (self.0 >> 1) as u8 & 0b111)
    }
}

/// More datasets than a posting can tell apart are not searched.
const MOST: usize = 1 << 28;

/// A dataset, and the text that it is ordered by.
#[derive(Debug)]
pub struct Entry {
    pub dataset: DatasetName,
    pub text: Box<str>,
}

#[derive(Debug, Default)]
pub struct Segment {
    entries: Vec<Entry>,
    words: Words,
    /// Where the postings of each word end.
    ends: Vec<usize>,
    postings: Vec<Posting>,
}

impl Segment {
    pub fn of(datasets: impl Iterator<Item = Searched>) -> Self {
        let mut datasets: Vec<Searched> = datasets.take(MOST).collect();
        datasets.sort_by(|one, other| one.text.cmp(&other.text));
        let mut found = Found::default();
        for (place, searched) in datasets.iter().enumerate() {
            found.take(u32::try_from(place).unwrap_or(u32::MAX), searched);
        }
        let entries = datasets
            .into_iter()
            .map(|searched| Entry { dataset: searched.dataset, text: searched.text.into_boxed_str() });
        found.segment(entries.collect())
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Where a dataset stands, by its text.
    pub fn place(&self, text: &str) -> Option<u32> {
        let place = self.entries.binary_search_by(|entry| (*entry.text).cmp(text)).ok()?;
        u32::try_from(place).ok()
    }

    /// How well each dataset fits a word by what stands in the segment.
    pub fn ranks(&self, term: &Term) -> Vec<Rank> {
        let mut ranks = self.single(term);
        if term.parts.is_empty() {
            return ranks;
        }
        let mut composed = vec![Rank(0); ranks.len()];
        for part in &term.parts {
            for (rank, part) in composed.iter_mut().zip(self.single(part)) {
                *rank = (*rank).max(part.of_a_part());
            }
        }
        for (rank, composed) in ranks.iter_mut().zip(composed) {
            *rank = (*rank).min(composed);
        }
        ranks
    }

    /// What fits, by how well it does and in order of the texts.
    pub fn by_rank(&self, ranks: &[Rank], is_meant: impl Fn(u32) -> bool) -> Vec<Vec<&Entry>> {
        let mut found = vec![Vec::new(); Rank::COUNT];
        for (place, (entry, rank)) in (0..).zip(self.entries.iter().zip(ranks)) {
            if let Some(found) = found.get_mut(rank.0 as usize)
                && is_meant(place)
            {
                found.push(entry);
            }
        }
        found
    }

    fn single(&self, term: &Term) -> Vec<Rank> {
        let mut ranks = vec![Rank::NONE; self.entries.len()];
        self.rank_full_names(&term.text, &mut ranks);
        let mut place = self.words.first_not_before(&term.text);
        while let Some(word) = self.words.get(place).filter(|word| word.starts_with(&term.text)) {
            let whole = if *word == term.text { How::Exact } else { How::Prefix };
            for posting in self.postings_of(place) {
                let how = if posting.is_whole() { whole } else { How::Word };
                better(&mut ranks, posting.place(), posting.rank(how));
            }
            place += 1;
        }
        if term.mistakes() > 0 {
            each_near(&self.words, &term.letters, term.mistakes(), |place| {
                for posting in self.postings_of(place) {
                    better(&mut ranks, posting.place(), posting.rank(How::Typo));
                }
            });
        }
        ranks
    }

    /// The datasets whose name with the database in front begins with a text.
    fn rank_full_names(&self, text: &str, ranks: &mut [Rank]) {
        let first = self.entries.partition_point(|entry| *entry.text < *text);
        for (entry, rank) in self.entries.iter().zip(ranks).skip(first) {
            if !entry.text.starts_with(text) {
                return;
            }
            let how = if *entry.text == *text { How::Exact } else { How::Prefix };
            *rank = Rank::of(how, Field::Name);
        }
    }

    fn postings_of(&self, word: usize) -> &[Posting] {
        let start = word.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        let end = self.ends.get(word).copied().unwrap_or(start);
        self.postings.get(start..end).unwrap_or_default()
    }
}

/// Has a dataset rank no worse than that.
pub fn better(ranks: &mut [Rank], place: u32, rank: Rank) {
    if let Some(known) = ranks.get_mut(place as usize) {
        *known = rank.min(*known);
    }
}

/// Most names and texts are in lower case as they are.
fn lowercase(text: &str) -> Cow<'_, str> {
    let is_lowercase = text.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase());
    if is_lowercase { Cow::Borrowed(text) } else { Cow::Owned(text.to_lowercase()) }
}

/// Words as they are found.
#[derive(Default)]
struct Found {
    numbers: HashMap<Box<str>, u32, FxBuildHasher>,
    pairs: Vec<(u32, Posting)>,
}

impl Found {
    fn take(&mut self, place: u32, searched: &Searched) {
        self.name(place, Field::Name, searched.own_name());
        if let Some(database) = searched.database() {
            self.text(place, Field::Name, database);
        }
        for column in &searched.columns {
            self.name(place, Field::Column, column);
        }
        if let Some(owner) = &searched.owner {
            self.name(place, Field::Owner, owner);
        }
        for comment in &searched.comments {
            self.text(place, Field::Comment, comment);
        }
    }

    fn name(&mut self, place: u32, field: Field, name: &str) {
        let name = lowercase(name);
        let posting = Posting::new(place, field);
        self.word(&name, posting.of_whole());
        for word in words(&name).filter(|word| *word != name) {
            self.word(word, posting);
        }
    }

    fn text(&mut self, place: u32, field: Field, text: &str) {
        for word in words(&lowercase(text)) {
            self.word(word, Posting::new(place, field));
        }
    }

    fn word(&mut self, word: &str, posting: Posting) {
        let number = match self.numbers.get(word) {
            Some(number) => *number,
            None => {
                let number = u32::try_from(self.numbers.len()).unwrap_or(u32::MAX);
                self.numbers.insert(word.into(), number);
                number
            }
        };
        self.pairs.push((number, posting));
    }

    fn segment(self, entries: Vec<Entry>) -> Segment {
        let mut sorted: Vec<(&str, u32)> =
            self.numbers.iter().map(|(word, number)| (&**word, *number)).collect();
        sorted.sort_unstable();
        // Where a word stands in order, by its number.
        let mut places = vec![0_u32; sorted.len()];
        for (place, (_, number)) in sorted.iter().enumerate() {
            if let Some(known) = places.get_mut(*number as usize) {
                *known = u32::try_from(place).unwrap_or(u32::MAX);
            }
        }
        let place_of = |number: u32| places.get(number as usize).map_or(usize::MAX, |place| *place as usize);
        // How many postings each word has, then where the next of each goes, which ends as where they end.
        let mut ends = vec![0_usize; sorted.len()];
        for (number, _) in &self.pairs {
            if let Some(count) = ends.get_mut(place_of(*number)) {
                *count += 1;
            }
        }
        let mut start = 0;
        for end in &mut ends {
            start += std::mem::replace(end, start);
        }
        let mut postings = vec![Posting::default(); self.pairs.len()];
        for (number, posting) in &self.pairs {
            if let Some(end) = ends.get_mut(place_of(*number)) {
                if let Some(free) = postings.get_mut(*end) {
                    *free = *posting;
                }
                *end += 1;
            }
        }
        Segment { entries, words: sorted.iter().map(|(word, _)| *word).collect(), ends, postings }
    }
}
