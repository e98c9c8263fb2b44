//! Which word was meant where one is misspelt.

/// The candidate that differs from `word` by a slip of the keyboard, if one does.
#[must_use]
pub fn nearest<'c>(word: &str, candidates: impl Iterator<Item = &'c str>) -> Option<&'c str> {
    if word.len() < 3 || word.len() > 64 {
        return None;
    }
    let allowed = if word.len() < 6 { 1 } else { 2 };
    candidates
        .filter(|candidate| candidate.len().abs_diff(word.len()) <= allowed)
        .map(|candidate| (distance(word, candidate), candidate))
        .filter(|&(distance, _)| distance > 0 && distance <= allowed)
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

/// Edits between two words without regard to case; two swapped letters are one edit.
fn distance(left: &str, right: &str) -> usize {
    let fold = |word: &str| word.chars().flat_map(char::to_lowercase).collect::<Vec<char>>();
    let (left, right) = (fold(left), fold(right));
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=right.len()).collect();
    for (row, &a) in left.iter().enumerate() {
        let mut line = Vec::with_capacity(right.len() + 1);
        line.push(row + 1);
        for (column, &b) in right.iter().enumerate() {
            let replaced = above.get(column).copied().unwrap_or(0) + usize::from(a != b);
            let removed = above.get(column + 1).copied().unwrap_or(0) + 1;
            let inserted = line.last().copied().unwrap_or(0) + 1;
            let mut best = replaced.min(removed).min(inserted);
            let is_swap =
                row > 0 && column > 0 && left.get(row - 1) == Some(&b) && right.get(column - 1) == Some(&a);
            if is_swap {
                best = best.min(before.get(column - 1).copied().unwrap_or(0) + 1);
            }
            line.push(best);
        }
        before = std::mem::replace(&mut above, line);
    }
    above.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn takes_slips_of_the_keyboard_only() {
        let names = ["amount", "FROM", "customer_id"];
        for (word, meant) in [
            ("amout", Some("amount")),
            ("form", Some("FROM")),
            ("costumer_id", Some("customer_id")),
            ("amount", None),
            ("total", None),
            ("am", None),
        ] {
            assert_eq!(nearest(word, names.into_iter()), meant, "{word}");
        }
    }
}
