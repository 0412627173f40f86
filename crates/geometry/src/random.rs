//! Reproducible random numbers: the same seed draws the same numbers on every machine, today and in later versions.
//!
//! SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014). Good enough to scatter
//! points and to draw pairs; for nothing that has to be secret.

/// A generator with its state.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A generator that starts from this seed.
    pub fn new(seed: u64) -> Self {
        Random(seed)
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Even on [0, 1).
    pub fn fraction(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A whole number below `end`, 0 if `end` is 0. Ends below 2³² are drawn without a bias that could be seen.
    pub fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.bits()) * end as u128) >> 64) as usize
    }

    /// Puts items in random order (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }

    /// Normal, mean 0 and variance 1 (Box and Muller, 1958).
    pub fn normal(&mut self) -> f64 {
        // 1 - fraction is never 0, so the logarithm is finite.
        let radius = (-2.0 * (1.0 - self.fraction()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.fraction()).cos()
    }

    /// A direction of this dimension, even on the sphere.
    pub fn direction(&mut self, dimension: usize) -> Vec<f64> {
        let drawn: Vec<f64> = (0..dimension).map(|_| self.normal()).collect();
        super::vector::unit(&drawn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_numbers_are_those_of_the_paper() {
        // Java's SplittableRandom gives these for seed 1234567.
        let mut random = Random::new(1_234_567);
        let drawn = [random.bits(), random.bits(), random.bits()];
        assert_eq!(drawn, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    #[test]
    fn moments_are_those_of_the_distributions() {
        let mut random = Random::new(7);
        let count = 20_000;
        let (mut even, mut normal, mut square, mut thirds) = (0.0, 0.0, 0.0, [0i32; 3]);
        for _ in 0..count {
            even += random.fraction() / f64::from(count);
            let drawn = random.normal();
            normal += drawn / f64::from(count);
            square += drawn * drawn / f64::from(count);
            thirds[random.below(3)] += 1;
        }
        // Five standard errors of 20,000 draws: 0.29 / 141, 1 / 141, √2 / 141, √(2 / 9) · 141.
        assert!((even - 0.5).abs() < 0.0103, "{even}");
        assert!(normal.abs() < 0.036, "{normal}");
        assert!((square - 1.0).abs() < 0.05, "{square}");
        assert!(thirds.iter().all(|third| (third - count / 3).abs() < 334), "{thirds:?}");
        assert_eq!(random.below(0), 0);
    }
}
