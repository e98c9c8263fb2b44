//! A small deterministic source of chance: the same seed gives the same statements on every machine and with every compiler.

/// `SplitMix64`: one addition and a few mixes a number, good enough to vary test input.
#[derive(Debug, Clone)]
pub struct Random {
    state: u64,
}

impl Random {
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// A seed that differs from run to run, for tests that print it.
    #[must_use]
    pub fn fresh_seed() -> u64 {
        let since_epoch = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        // Short seeds are easier to repeat by hand.
        since_epoch.map_or(1, |elapsed| {
            Self::new(u64::from(elapsed.subsec_nanos()) ^ elapsed.as_secs()).number() % 1_000_000
        })
    }

    pub fn number(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0 up to, but not including, `bound`; 0 where the bound is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        let bound = u64::try_from(bound.max(1)).unwrap_or(u64::MAX);
        usize::try_from(self.number() % bound).unwrap_or(0)
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high.saturating_sub(low) + 1)
    }

    pub fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }

    /// One of the choices.
    ///
    /// # Panics
    /// Where there is none to choose from.
    pub fn pick<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.below(choices.len())]
    }

    /// One of the texts.
    ///
    /// # Panics
    /// Where there is none to choose from.
    pub fn text<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len())]
    }

    /// The place of one of the weights, each as likely as it is heavy.
    pub fn weighted(&mut self, weights: &[usize]) -> usize {
        let mut left = self.below(weights.iter().sum());
        for (place, weight) in weights.iter().enumerate() {
            if left < *weight {
                return place;
            }
            left -= weight;
        }
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seed_fixes_the_sequence() {
        let draw = |seed| {
            let mut random = Random::new(seed);
            (0..5).map(|_| random.below(1000)).collect::<Vec<_>>()
        };
        assert_eq!(draw(7), draw(7));
        assert_ne!(draw(7), draw(8));
    }

    #[test]
    fn weights_are_kept() {
        let mut random = Random::new(1);
        let mut drawn = [0_usize; 3];
        for _ in 0..10_000 {
            drawn[random.weighted(&[1, 0, 3])] += 1;
        }
        assert_eq!(drawn[1], 0);
        assert!((2_200..2_800).contains(&drawn[0]), "{drawn:?}");
    }
}
