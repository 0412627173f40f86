//! Mutation of inputs: bytes are changed, words of the format inserted, pieces moved, doubled and removed.

use tuppum_random::Random;

/// Numbers at which readers of binary formats tend to be off by one.
const EDGES: [u64; 10] =
    [0, 1, 0x7f, 0xff, 0x7fff, 0xffff, 0x7fff_ffff, 0xffff_ffff, 0x7fff_ffff_ffff_ffff, 0xffff_ffff_ffff_ffff];

/// Mutates inputs.
#[derive(Debug)]
pub struct Mutator<'t> {
    pub random: Random,
    /// `true` if inputs are text, which is cut only between characters.
    pub is_text: bool,
    pub words: &'t [Vec<u8>],
    /// Maximum length of an input, in bytes.
    pub longest: usize,
}

impl Mutator<'_> {
    /// Returns a mutation of one of these inputs.
    pub fn mutated(&mut self, pool: &[Vec<u8>]) -> Vec<u8> {
        // The shorter of two: it takes less time and shows as much.
        let two = [0; 2].map(|_| pool.get(self.random.below(pool.len())));
        let mut input = two.into_iter().flatten().min_by_key(|input| input.len()).cloned().unwrap_or_default();
        let most = [1, 2, 4, 12][self.random.below(4)];
        for _ in 0..=self.random.below(most) {
            self.change(&mut input, pool);
        }
        let mut end = input.len().min(self.longest);
        while self.is_text && end > 0 && end < input.len() && !begins_character(input[end]) {
            end -= 1;
        }
        input.truncate(end);
        input
    }

    fn change(&mut self, input: &mut Vec<u8>, pool: &[Vec<u8>]) {
        let (from, to) = self.stretch(input);
        match self.random.below(9) {
            0 | 1 => insert(input, from, &self.word()),
            2 => drop(input.splice(from..to, self.word())),
            3 => drop(input.drain(from..to)),
            4 => {
                let piece = input[from..to].to_vec();
                insert(input, to, &piece);
            }
            5 => {
                let piece: Vec<u8> = input.drain(from..to).collect();
                let place = self.place(input);
                insert(input, place, &piece);
            }
            6 => {
                let other = pool.get(self.random.below(pool.len())).cloned().unwrap_or_default();
                let (from_other, to_other) = self.stretch(&other);
                input.splice(from..to, other[from_other..to_other].iter().copied());
            }
            7 if !self.is_text => self.number(input, from),
            7 => self.character(input, from),
            _ if !self.is_text => {
                let bit = 1 << self.random.below(8);
                if let Some(byte) = input.get_mut(from) {
                    *byte ^= bit;
                }
            }
            _ => {
                let (word, times) = (self.word(), 1 + self.random.below(6));
                insert(input, from, &word.repeat(times));
            }
        }
    }

    fn word(&mut self) -> Vec<u8> {
        self.words.get(self.random.below(self.words.len())).cloned().unwrap_or_else(|| vec![b' '])
    }

    /// Returns a random position between two characters, or bytes.
    fn place(&mut self, input: &[u8]) -> usize {
        let mut place = self.random.below(input.len() + 1);
        while self.is_text && input.get(place).is_some_and(|byte| !begins_character(*byte)) {
            place += 1;
        }
        place
    }

    /// Returns two random positions, in most cases close to each other.
    fn stretch(&mut self, input: &[u8]) -> (usize, usize) {
        let from = self.place(input);
        let reach = [2, 8, 40, input.len() + 1][self.random.below(4)];
        let mut to = (from + self.random.below(reach)).min(input.len());
        while self.is_text && input.get(to).is_some_and(|byte| !begins_character(*byte)) {
            to += 1;
        }
        (from, to)
    }

    /// Overwrites one to eight bytes with a number, in either byte order.
    fn number(&mut self, input: &mut [u8], at: usize) {
        let mut number = EDGES[self.random.below(EDGES.len())];
        if self.random.below(2) == 0 {
            number = self.random.below(300) as u64;
        }
        let width = [1, 2, 4, 8][self.random.below(4)];
        let mut bytes = number.to_le_bytes();
        if self.random.below(4) == 0 {
            bytes[..width].reverse();
        }
        input.iter_mut().skip(at).zip(&bytes[..width]).for_each(|(byte, new)| *byte = *new);
    }

    /// Inserts a character of any script.
    fn character(&mut self, input: &mut Vec<u8>, at: usize) {
        let most = [0x80, 0x300, 0x2fff, 0x1_3000, 0x11_0000][self.random.below(5)];
        let letter = u32::try_from(self.random.below(most)).ok().and_then(char::from_u32).unwrap_or('\u{fffd}');
        insert(input, at, letter.encode_utf8(&mut [0; 4]).as_bytes());
    }
}

fn insert(input: &mut Vec<u8>, at: usize, bytes: &[u8]) {
    input.splice(at..at, bytes.iter().copied());
}

fn begins_character(byte: u8) -> bool {
    byte & 0xc0 != 0x80
}

#[cfg(test)]
mod tests {
    use super::Mutator;
    use tuppum_random::Random;

    #[test]
    fn text_stays_text_and_within_its_length() {
        let words = ["š", "[", "₂", "𒀭"].map(|word| word.as_bytes().to_vec());
        let mut mutator = Mutator { random: Random::new(1), is_text: true, words: &words, longest: 40 };
        let mut pool = vec!["a-na šu₂ [...]".as_bytes().to_vec(), Vec::new()];
        for _ in 0..2_000 {
            let input = mutator.mutated(&pool);
            assert!(std::str::from_utf8(&input).is_ok() && input.len() <= 40, "{input:?}");
            pool.push(input);
        }
    }
}
