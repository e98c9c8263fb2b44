//! Many rows cut into pieces of few sizes, so that few different statements stay prepared.

/// The sizes, largest first.
const SIZES: [usize; 3] = [100, 10, 1];

/// Pieces of 100 rows, then of 10, then single ones.
pub fn batches<T>(rows: &[T]) -> impl Iterator<Item = &[T]> {
    let mut rest = rows;
    std::iter::from_fn(move || {
        let size = SIZES.into_iter().find(|size| *size <= rest.len())?;
        let (batch, behind) = rest.split_at_checked(size)?;
        rest = behind;
        Some(batch)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_in_one_piece() {
        for count in [0, 1, 9, 10, 11, 99, 100, 223] {
            let rows: Vec<usize> = (0..count).collect();
            let pieces: Vec<&[usize]> = batches(&rows).collect();
            assert_eq!(pieces.concat(), rows);
            assert!(pieces.iter().all(|piece| SIZES.contains(&piece.len())));
        }
    }
}
