//! Random numbers with a seed: the same natively and in the browser, on every run, in every version.
//!
//! Good enough to scatter points, draw batches and resample texts; not for anything secret.

/// Source of random decisions. Tests supply their own decisions.
pub trait Draws {
    /// Returns a number from 0 (included) to 1 (excluded), uniformly distributed.
    fn uniform(&mut self) -> f64;

    /// Returns an integer below `bound`, uniformly distributed; 0 when `bound` is 0.
    fn below(&mut self, bound: usize) -> usize;

    /// Brings the items into a random order, by Fisher-Yates from the end, as Python's `random.shuffle` does.
    fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

/// SplitMix64 generator (Steele, Lea and Flood 2014, "Fast splittable pseudorandom number generators").
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Random(u64);

impl Random {
    /// Creates a generator from a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Creates a generator for one of many streams of a seed, which share no numbers.
    pub fn stream(seed: u64, stream: u64) -> Self {
        let mixed = Self(seed).bits() ^ stream.wrapping_mul(0xD134_2543_DE82_EF95);
        Self(mixed)
    }

    /// Returns the next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number from 0 (included) to 1 (excluded), uniformly distributed.
    pub fn uniform(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Returns an integer below `bound`, 0 when `bound` is 0: the upper half of the product of 64 random bits and the
    /// bound. The result is uniform up to bound / 2⁶⁴, and the same where `usize` has 32 bits as where it has 64.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.bits()) * bound as u128) >> 64) as usize
    }

    /// Brings the items into a random order (Fisher-Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        Draws::shuffle(self, items);
    }

    /// Returns a normally distributed number, mean 0 and variance 1 (Box and Muller, 1958).
    pub fn normal(&mut self) -> f64 {
        // 1 - uniform is never 0, so the logarithm is finite.
        let radius = (-2.0 * (1.0 - self.uniform()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.uniform()).cos()
    }

    /// Returns a random direction of this dimension, uniform on the sphere.
    pub fn direction(&mut self, dimension: usize) -> Vec<f64> {
        let drawn: Vec<f64> = (0..dimension).map(|_| self.normal()).collect();
        let norm = drawn.iter().map(|x| x * x).sum::<f64>().sqrt();
        if norm > 0.0 { drawn.iter().map(|x| 1.0 / norm * x).collect() } else { drawn }
    }
}

impl Draws for Random {
    fn uniform(&mut self) -> f64 {
        self.uniform()
    }

    fn below(&mut self, bound: usize) -> usize {
        self.below(bound)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_gives_its_published_numbers() {
        // The first numbers of the reference implementation in C for seed 1234567.
        let mut random = Random::new(1_234_567);
        let expected = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!([random.bits(), random.bits(), random.bits()], expected);
    }

    #[test]
    fn draws_stay_in_their_bounds_and_are_even() {
        let mut random = Random::new(1);
        let mut counts = [0; 5];
        for _ in 0..10_000 {
            counts[random.below(5)] += 1;
            assert!((0.0..1.0).contains(&random.uniform()));
        }
        // Binomial, 10,000 draws at 1/5: 2,000 ± 5 standard deviations of 40.
        assert!(counts.iter().all(|count| (1_800..=2_200).contains(count)), "{counts:?}");
        assert_eq!((random.below(0), random.below(1)), (0, 0));
    }

    #[test]
    fn shuffling_keeps_the_items_and_reaches_every_order() {
        let mut random = Random::new(1);
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..200 {
            let mut items = [1, 2, 3];
            random.shuffle(&mut items);
            seen.insert(items);
            items.sort_unstable();
            assert_eq!(items, [1, 2, 3]);
        }
        assert_eq!(seen.len(), 6);
    }

    #[test]
    fn moments_are_those_of_the_distributions() {
        let mut random = Random::new(7);
        let count = 20_000;
        let (mut even, mut normal, mut square) = (0.0, 0.0, 0.0);
        for _ in 0..count {
            even += random.uniform() / f64::from(count);
            let drawn = random.normal();
            normal += drawn / f64::from(count);
            square += drawn * drawn / f64::from(count);
        }
        // Five standard errors of 20,000 draws: 0.29 / 141, 1 / 141, √2 / 141.
        assert!((even - 0.5).abs() < 0.0103, "{even}");
        assert!(normal.abs() < 0.036, "{normal}");
        assert!((square - 1.0).abs() < 0.05, "{square}");
        let length: f64 = random.direction(5).iter().map(|x| x * x).sum();
        assert!((length - 1.0).abs() < 1e-12, "{length}");
    }
}
