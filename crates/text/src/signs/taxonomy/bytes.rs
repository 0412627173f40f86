//! Distances between ByT5's tokens: how far apart the signs and readings are that two bytes are written in.
//!
//! `associations` and `distances` of the reference program. Every occurrence of a reading counts for each byte of its
//! UTF-8 spelling, so a byte is a distribution over pairs of sign and reading.

use super::ReadingCount;
use std::collections::BTreeMap;

/// Number of tokens: padding, end of sequence, unknown, the 256 bytes, sentinels.
pub const TOKENS: usize = 384;

/// Token of byte 0.
pub const FIRST_BYTE: usize = 3;

/// Definition of the distance between bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Distance of the source text: each byte is its most frequent pair. 0 for the same reading, 1 for another reading
    /// of the same sign, 2 for another sign.
    Hard,
    /// Expected distance between draws from the two distributions, minus half of each one's distance to itself, so that
    /// equal distributions are at 0.
    Soft,
}

/// Pairs of sign and reading that each byte is written in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Associations<'a> {
    /// Occurrences by token, glyph and reading; tokens without occurrences are absent.
    pub tokens: BTreeMap<usize, BTreeMap<(&'a str, &'a str), u64>>,
}

impl<'a> Associations<'a> {
    /// Counts every reading once for each different byte of its spelling.
    pub fn of(counts: &[ReadingCount<'a>]) -> Self {
        let mut associations = Associations::default();
        for row in counts {
            let mut bytes: Vec<u8> = row.reading.bytes().collect();
            bytes.sort_unstable();
            bytes.dedup();
            for byte in bytes {
                let pairs = associations.tokens.entry(FIRST_BYTE + usize::from(byte)).or_default();
                *pairs.entry((row.glyph, row.reading)).or_default() += row.count;
            }
        }
        associations
    }

    /// Returns the tokens with an association, in ascending order.
    pub fn known(&self) -> Vec<usize> {
        self.tokens.keys().copied().collect()
    }

    /// Returns the distances of all tokens, `[TOKENS × TOKENS]` by rows, symmetric with a zero diagonal. Tokens without
    /// an association (controls, sentinels, bytes of no reading) are at half the largest distance from all others, as
    /// the root is.
    pub fn distances(&self, mode: Mode) -> Vec<f64> {
        let shares = self.shares(mode);
        let raw = |one: &Shares, other: &Shares| {
            2.0 - meeting(&one.signs, &other.signs) - meeting(&one.readings, &other.readings)
        };
        let own: BTreeMap<usize, f64> = shares.iter().map(|(token, own)| (*token, raw(own, own))).collect();
        let mut known = Vec::new();
        for (one, of_one) in &shares {
            for (other, of_other) in shares.range(one + 1..) {
                let distance = raw(of_one, of_other) - (own[one] + own[other]) / 2.0;
                known.push((*one, *other, distance.max(0.0)));
            }
        }
        let far = known.iter().map(|(_, _, distance)| *distance).fold(0.0, f64::max);
        let mut table = vec![far / 2.0; TOKENS * TOKENS];
        for token in 0..TOKENS {
            table[token * TOKENS + token] = 0.0;
        }
        for (one, other, distance) in known {
            table[one * TOKENS + other] = distance;
            table[other * TOKENS + one] = distance;
        }
        table
    }

    /// Returns each token's shares of signs and of readings.
    fn shares(&self, mode: Mode) -> BTreeMap<usize, Shares<'a>> {
        let of_token = |(token, pairs): (&usize, &BTreeMap<(&'a str, &'a str), u64>)| {
            // Of equal counts the greater pair, as in the reference program.
            let most = pairs.iter().max_by_key(|(pair, count)| (**count, **pair)).map(|(pair, _)| *pair);
            let mut shares = Shares::default();
            let total: u64 = pairs.values().sum();
            for (pair, count) in pairs {
                let share = match mode {
                    Mode::Hard if Some(*pair) == most => 1.0,
                    Mode::Hard => continue,
                    Mode::Soft => *count as f64 / total.max(1) as f64,
                };
                *shares.signs.entry(pair.0).or_default() += share;
                *shares.readings.entry(*pair).or_default() += share;
            }
            (*token, shares)
        };
        self.tokens.iter().map(of_token).collect()
    }
}

/// Distributions of a token.
#[derive(Default)]
struct Shares<'a> {
    signs: BTreeMap<&'a str, f64>,
    readings: BTreeMap<(&'a str, &'a str), f64>,
}

/// Returns the probability that draws from two distributions are equal.
fn meeting<K: Ord>(one: &BTreeMap<K, f64>, other: &BTreeMap<K, f64>) -> f64 {
    let (short, long) = if one.len() < other.len() { (one, other) } else { (other, one) };
    short.iter().filter_map(|(key, share)| Some(share * long.get(key)?)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "reading\tglyph\toracc\tcdli_old_assyrian\tcdli_other\n\
        ba\t𒁀\t6\t0\t0\nbi\t𒁉\t3\t0\t0\nKA\t𒅗\t5\t0\t0\nDU\t𒅗\t4\t0\t0\n";

    fn at(table: &[f64], one: u8, other: u8) -> f64 {
        let place = |byte: u8| FIRST_BYTE + usize::from(byte);
        table[place(one) * TOKENS + place(other)]
    }

    #[test]
    fn hard_distances_are_those_of_the_commonest_pairs() {
        let counts = ReadingCount::parse(TABLE).unwrap();
        let associations = Associations::of(&counts);
        assert_eq!(associations.known().len(), 7);
        let table = associations.distances(Mode::Hard);
        assert_eq!(at(&table, b'b', b'a'), 0.0, "both are mostly ba");
        assert_eq!(at(&table, b'b', b'i'), 2.0, "ba and bi");
        assert_eq!(at(&table, b'K', b'A'), 0.0);
        assert_eq!(at(&table, b'K', b'D'), 1.0, "two readings of one sign");
        assert_eq!(at(&table, b'K', b'z'), 1.0, "z is unused: the root");
        assert_eq!(table[1], 1.0);
    }

    #[test]
    fn soft_distances_weigh_all_pairs() {
        let counts = ReadingCount::parse(TABLE).unwrap();
        let table = Associations::of(&counts).distances(Mode::Soft);
        // b is ba in 2/3, bi in 1/3; expected distances by hand, minus the self-distance of b, 2(1 - 5/9).
        assert!((at(&table, b'b', b'a') - (2.0 / 3.0 - 4.0 / 9.0)).abs() < 1e-15);
        assert!((at(&table, b'b', b'i') - (4.0 / 3.0 - 4.0 / 9.0)).abs() < 1e-15);
        assert_eq!(at(&table, b'K', b'D'), 1.0);
    }

    #[test]
    fn tables_are_symmetric_with_a_zero_diagonal() {
        let counts = ReadingCount::parse(TABLE).unwrap();
        for mode in [Mode::Hard, Mode::Soft] {
            let table = Associations::of(&counts).distances(mode);
            for one in 0..TOKENS {
                assert_eq!(table[one * TOKENS + one], 0.0);
                for other in 0..one {
                    assert_eq!(table[one * TOKENS + other], table[other * TOKENS + one]);
                }
            }
        }
        assert_eq!(Associations::default().distances(Mode::Hard), vec![0.0; TOKENS * TOKENS]);
    }
}
