//! Words that differ from another by a few slips of the keyboard.

use super::segment::Words;

/// Is a word at most so many edits away? Two swapped letters are one edit.
pub fn is_near(word: &str, letters: &[char], allowed: u8) -> bool {
    let mut table = Table::of(letters);
    word.chars().all(|letter| table.push(letter) <= allowed) && table.distance() <= allowed
}

/// Hands over the places of all near words. Those that begin alike are gone through together, and not at all once their
/// beginning is too far away.
pub fn each_near(words: &Words, letters: &[char], allowed: u8, mut found: impl FnMut(usize)) {
    let mut table = Table::of(letters);
    let mut place = 0;
    while let Some(word) = words.get(place) {
        let common = table.word.iter().zip(word.chars()).take_while(|(one, other)| *one == other).count();
        table.truncate(common);
        let mut rest = word.chars().skip(common);
        if rest.all(|letter| table.push(letter) <= allowed) {
            if table.distance() <= allowed {
                found(place);
            }
            place += 1;
        } else {
            let bytes = table.word.iter().map(|letter| letter.len_utf8()).sum();
            place = words.behind(place, word.get(..bytes).unwrap_or(word));
        }
    }
}

/// The distances of the beginnings of a word to those of another, a row for each letter of the first.
struct Table<'l> {
    letters: &'l [char],
    word: Vec<char>,
    rows: Vec<u8>,
}

impl<'l> Table<'l> {
    fn of(letters: &'l [char]) -> Self {
        let first = (0..=letters.len()).map(|length| u8::try_from(length).unwrap_or(u8::MAX));
        Self { letters, word: Vec::new(), rows: first.collect() }
    }

    const fn width(&self) -> usize {
        self.letters.len() + 1
    }

    fn truncate(&mut self, length: usize) {
        self.word.truncate(length);
        self.rows.truncate((length + 1) * self.width());
    }

    /// Takes the next letter; how near at least what goes on from here can come.
    fn push(&mut self, letter: char) -> u8 {
        let (width, length) = (self.width(), self.word.len());
        let start = length * width;
        let before_last = self.word.last().copied();
        let row = |number: usize| self.rows.get(number * width..(number + 1) * width).unwrap_or_default();
        let above = row(length);
        let higher = length.checked_sub(1).map(row).unwrap_or_default();
        let mut next = Vec::with_capacity(width);
        let mut left = above.first().copied().unwrap_or(u8::MAX).saturating_add(1);
        let mut least = left;
        next.push(left);
        let mut previous = None;
        for (column, (pair, &other)) in above.windows(2).zip(self.letters).enumerate() {
            let &[diagonal, up] = pair else { continue };
            let mut best = diagonal.saturating_add(u8::from(letter != other));
            best = best.min(up.saturating_add(1)).min(left.saturating_add(1));
            if previous == Some(letter)
                && before_last == Some(other)
                && let Some(swapped) = column.checked_sub(1).and_then(|column| higher.get(column))
            {
                best = best.min(swapped.saturating_add(1));
            }
            next.push(best);
            least = least.min(best);
            left = best;
            previous = Some(other);
        }
        debug_assert_eq!(start + width, self.rows.len());
        self.rows.append(&mut next);
        self.word.push(letter);
        least
    }

    fn distance(&self) -> u8 {
        self.rows.last().copied().unwrap_or(u8::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As the definition says, without any cleverness.
    fn distance(one: &[char], other: &[char]) -> usize {
        let (Some((last, rest)), Some((other_last, other_rest))) = (one.split_last(), other.split_last())
        else {
            return one.len().max(other.len());
        };
        let mut best = distance(rest, other_rest) + usize::from(last != other_last);
        best = best.min(distance(rest, other) + 1).min(distance(one, other_rest) + 1);
        if let ([.., a, b], [.., c, d]) = (one, other)
            && a == d
            && b == c
        {
            best = best.min(distance(&one[..one.len() - 2], &other[..other.len() - 2]) + 1);
        }
        best
    }

    #[test]
    fn what_is_near_is_what_the_definition_says() {
        let letters = ['a', 'b', 'ö'];
        let mut words: Vec<String> = vec![String::new()];
        for length in 0..5 {
            let longer: Vec<String> = words
                .iter()
                .filter(|word| word.chars().count() == length)
                .flat_map(|word| letters.map(|letter| format!("{word}{letter}")))
                .collect();
            words.extend(longer);
        }
        words.sort();
        words.dedup();
        let all: Words = words.iter().map(String::as_str).collect();
        for term in ["abba", "aab", "öba", "bbbbb", "baöab"] {
            let term: Vec<char> = term.chars().collect();
            for allowed in [1, 2] {
                let expected: Vec<&String> = words
                    .iter()
                    .filter(|word| {
                        let word: Vec<char> = word.chars().collect();
                        distance(&word, &term) <= usize::from(allowed)
                    })
                    .collect();
                let mut found = Vec::new();
                each_near(&all, &term, allowed, |place| found.push(&words[place]));
                assert_eq!(found, expected, "{term:?}");
                let single: Vec<&String> =
                    words.iter().filter(|word| is_near(word, &term, allowed)).collect();
                assert_eq!(single, expected, "{term:?}");
            }
        }
    }
}
