//! A target of fuzzing: the form of its inputs, and the memory that it may take.

/// A reader to fuzz.
#[derive(Clone, Debug)]
pub struct Target {
    /// Name of the target, and of its file in `tests/fuzz`.
    pub name: &'static str,
    /// `true` if inputs are text.
    pub is_text: bool,
    /// Valid inputs, from real files.
    pub seeds: Vec<Vec<u8>>,
    /// Words of the format, inserted into inputs.
    pub words: Vec<Vec<u8>>,
    /// Maximum length of an input, in bytes.
    pub longest: usize,
    /// Limit of memory held at a time: fixed bytes, and bytes for each byte of the input.
    pub memory: (usize, usize),
    /// Number of mutations tried in an ordinary test run.
    pub mutations: usize,
}

impl Target {
    /// Returns a target that reads text.
    pub fn text(name: &'static str) -> Self {
        let memory = (usize::MAX, 0);
        Self { name, is_text: true, seeds: Vec::new(), words: Vec::new(), longest: 2_000, memory, mutations: 300 }
    }

    /// Returns a target that reads bytes.
    pub fn bytes(name: &'static str) -> Self {
        Self { is_text: false, ..Self::text(name) }
    }

    /// Sets the seeds; one that is longer than an input may be is cut into pieces, at line ends if it is text.
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

    /// Sets the words of the format.
    #[must_use]
    pub fn words<W: AsRef<[u8]>>(mut self, words: impl IntoIterator<Item = W>) -> Self {
        self.words.extend(words.into_iter().map(|word| word.as_ref().to_vec()));
        self
    }

    /// Sets the maximum length of an input; call it before `seeds`.
    #[must_use]
    pub fn longest(mut self, longest: usize) -> Self {
        self.longest = longest;
        self
    }

    /// Sets the limit of memory: fixed bytes, and bytes for each byte of the input.
    #[must_use]
    pub fn memory(mut self, fixed: usize, per_byte: usize) -> Self {
        self.memory = (fixed, per_byte);
        self
    }

    /// Sets the number of mutations in an ordinary test run.
    #[must_use]
    pub fn mutations(mut self, mutations: usize) -> Self {
        self.mutations = mutations;
        self
    }

    /// Returns the limit of memory for an input of this length.
    pub fn bound(&self, length: usize) -> usize {
        self.memory.0.saturating_add(self.memory.1.saturating_mul(length))
    }
}
