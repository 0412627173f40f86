//! The features that a model knows: those of several spellings to learn from.

use super::examples::NameExamples;

/// Minimum number of spellings whose examples have a feature, for the model to know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MinSpellings {
    /// Minimum for a feature of the word itself.
    pub word: u32,
    /// Minimum for a feature of the words around the word.
    pub company: u32,
}

/// Features that a model knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vocabulary {
    /// Number in the model of each feature of the examples; none for unknown features.
    numbers: Vec<Option<u32>>,
    /// The features of the model, in the order of their bytes.
    features: Vec<u32>,
}

impl Vocabulary {
    /// Returns the features of these examples.
    pub fn of(examples: &NameExamples, learnt: &[u32], fewest: MinSpellings) -> Self {
        let mut counts = vec![(0_u32, u32::MAX); examples.features.len()];
        for number in learnt {
            let example = &examples.all[*number as usize];
            for feature in &example.features {
                let count = &mut counts[*feature as usize];
                if count.1 != example.spelling {
                    *count = (count.0 + 1, example.spelling);
                }
            }
        }
        let is_company = |text: &str| text.starts_with(['+', '-']) && text.len() > 2;
        let mut features: Vec<u32> = (0..counts.len() as u32)
            .filter(|number| {
                let text = &examples.features[*number as usize];
                let needed = if is_company(text) { fewest.company } else { fewest.word };
                counts[*number as usize].0 >= needed
            })
            .collect();
        features.sort_by_key(|number| &examples.features[*number as usize]);
        let mut numbers = vec![None; examples.features.len()];
        for (number, feature) in features.iter().enumerate() {
            numbers[*feature as usize] = Some(number as u32);
        }
        Self { numbers, features }
    }

    /// Returns the number of features.
    pub fn len(&self) -> usize {
        self.features.len()
    }

    /// Returns the features' texts, in order.
    pub fn texts<'e>(&self, examples: &'e NameExamples) -> impl Iterator<Item = &'e str> {
        self.features.iter().map(|number| examples.features[*number as usize].as_str())
    }

    /// Returns the number in the model of a feature of the examples.
    pub fn number(&self, feature: u32) -> Option<usize> {
        self.numbers[feature as usize].map(|number| number as usize)
    }
}
