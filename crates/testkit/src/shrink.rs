//! Makes what a fault was found with as small as it can be and still show the fault.

/// What is left of `start` when no candidate for something smaller still `differs`: the first that does is taken, and
/// asked for its own candidates.
pub fn smallest<T>(start: T, candidates: impl Fn(&T) -> Vec<T>, differs: impl Fn(&T) -> bool) -> T {
    let mut current = start;
    while let Some(smaller) = candidates(&current).into_iter().find(&differs) {
        current = smaller;
    }
    current
}

/// The list without each half, quarter and so on down to each single item.
pub fn without_some<T: Clone>(items: &[T]) -> Vec<Vec<T>> {
    let mut found = Vec::new();
    let mut length = items.len();
    while length > 0 {
        for start in (0..items.len()).step_by(length) {
            let end = items.len().min(start + length);
            found.push([&items[..start], &items[end..]].concat());
        }
        length /= 2;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_what_the_fault_needs() {
        let numbers: Vec<u32> = (0..100).collect();
        let left = smallest(
            numbers,
            |numbers| without_some(numbers),
            |numbers| numbers.contains(&17) && numbers.contains(&80),
        );
        assert_eq!(left, [17, 80]);
    }
}
