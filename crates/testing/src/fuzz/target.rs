//! What is fuzzed: a reader, what its inputs look like and how much memory it may take.

/// A reader to be fuzzed.
#[derive(Clone, Debug)]
pub struct Target {
    /// Name of the target, that of its kept inputs in `tests/fuzz` too.
    pub name: &'static str,
    /// Whether inputs are text.
    pub is_text: bool,
    /// Inputs that the reader takes, from real files.
    pub seeds: Vec<Vec<u8>>,
    /// Words of the format, to be put into inputs.
    pub words: Vec<Vec<u8>>,
    /// The most bytes of an input.
    pub longest: usize,
    /// The most bytes of memory at a time: so many, and so many for each byte of the input.
    pub memory: (usize, usize),
    /// How many mutations are tried in an ordinary run of the tests.
    pub mutations: usize,
}

impl Target {
    /// A reader of text.
    pub fn text(name: &'static str) -> Self {
        let memory = (usize::MAX, 0);
        Self { name, is_text: true, seeds: Vec::new(), words: Vec::new(), longest: 2_000, memory, mutations: 300 }
    }

    /// A reader of bytes.
    pub fn bytes(name: &'static str) -> Self {
        Self { is_text: false, ..Self::text(name) }
    }

    /// With these seeds; a longer one than inputs may be is cut into pieces, where it is text, at line ends.
    #[must_use]
    pub fn seeds<S: AsRef<[u8]>>(mut self, seeds: impl IntoIterator<Item = S>) -> Self {
        for seed in seeds {
            let seed = seed.as_ref();
            if seed.len() <= self.longest {
                self.seeds.push(seed.to_vec());
                continue;
            }
            let mut piece = Vec::new();
            for line in seed.split_inclusive(|byte| self.is_text && *byte == b'\n') {
                if piece.len() + line.len() > self.longest / 4 {
                    self.seeds.extend((!piece.is_empty()).then(|| std::mem::take(&mut piece)));
                }
                piece.extend(line.iter().take(self.longest));
            }
            self.seeds.push(piece);
        }
        self
    }

    /// With these words of the format.
    #[must_use]
    pub fn words<W: AsRef<[u8]>>(mut self, words: impl IntoIterator<Item = W>) -> Self {
        self.words.extend(words.into_iter().map(|word| word.as_ref().to_vec()));
        self
    }

    /// With inputs of at most so many bytes; to be said before the seeds.
    #[must_use]
    pub fn longest(mut self, longest: usize) -> Self {
        self.longest = longest;
        self
    }

    /// With a bound on memory: so many bytes, and so many for each byte of the input.
    #[must_use]
    pub fn memory(mut self, fixed: usize, per_byte: usize) -> Self {
        self.memory = (fixed, per_byte);
        self
    }

    /// With so many mutations in an ordinary run of the tests.
    #[must_use]
    pub fn mutations(mut self, mutations: usize) -> Self {
        self.mutations = mutations;
        self
    }

    /// The most memory for an input of so many bytes.
    pub fn bound(&self, length: usize) -> usize {
        self.memory.0.saturating_add(self.memory.1.saturating_mul(length))
    }
}
