//! What the user chooses for a run, kept at every change.

use crate::app::translator_choice::SHIPPED;
use crate::engine::protocol::translation::training::{Length, Pair, Plan, Settings};
use crate::engine::protocol::{KeptModel, NEW_MODEL, NEW_PARAMETERS, Shelves, fitting_batch};
use crate::text::augment::Rates;
use crate::text::corpus::{Columns, Corpus, Shape};
use serde::{Deserialize, Serialize};

/// The choices.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Choices {
    /// Name of the corpus's file, where it is from one.
    pub file: String,
    /// What stands between cells; guessed if not said.
    pub shape: Option<Shape>,
    /// Whether the first row names the columns; guessed if not said.
    pub header: Option<bool>,
    /// Which column is what; guessed if not said.
    pub columns: Option<Columns>,
    /// How often each augmentation acts.
    pub rates: Rates,
    /// What is trained further.
    pub base: String,
    /// Name of the run.
    pub name: String,
    /// How many steps.
    pub steps: u32,
    /// The highest learning rate.
    pub rate: f64,
    /// Seed of all chance.
    pub seed: u64,
}

impl Default for Choices {
    fn default() -> Self {
        Self {
            file: String::new(),
            shape: None,
            header: None,
            columns: None,
            rates: Rates::default(),
            base: NEW_MODEL.to_owned(),
            name: "my-training".to_owned(),
            steps: 200,
            rate: 3e-4,
            seed: 1,
        }
    }
}

impl Choices {
    /// The plan of a run on these pairs, those that would leak left out.
    pub fn plan(&self, corpus: &Corpus, leaks: &[usize], parameters: Option<u64>) -> Plan {
        let pair = |pair: &crate::text::corpus::Pair| Pair {
            text: pair.text.clone(),
            source: pair.source.clone(),
            target: pair.target.clone(),
            weight: pair.weight,
        };
        let kept = corpus.pairs.iter().enumerate().filter(|(number, _)| leaks.binary_search(number).is_err());
        let pairs = kept.map(|(_, one)| pair(one)).collect();
        Plan { pairs, settings: self.settings(parameters) }
    }

    /// How a base with so many parameters is trained.
    pub fn settings(&self, parameters: Option<u64>) -> Settings {
        let batch_bytes = parameters.and_then(fitting_batch).unwrap_or(Settings::default().batch_bytes);
        Settings {
            length: Length::Steps(self.steps),
            seed: self.seed,
            rate: self.rate,
            augmentation: self.rates,
            batch_bytes,
            ..Settings::default()
        }
    }

    /// The number of parameters of the base, as far as it is known before it is opened.
    pub fn parameters(&self, shelves: Option<&Shelves>) -> Option<u64> {
        if self.base == NEW_MODEL {
            return Some(NEW_PARAMETERS);
        }
        let shelves = shelves?;
        if self.base == SHIPPED {
            let stored = shelves.shipped.iter().find(|folder| folder.name == "translator");
            return stored.map(|folder| folder.bytes / 4);
        }
        let kept = |model: &&KeptModel| self.base.strip_prefix("kept:") == Some(model.name.as_str());
        shelves.kept.iter().find(kept).map(|model| model.parameters)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_leaks_is_in_no_plan() {
        let pair = |source: &str| crate::text::corpus::Pair {
            line: 1,
            text: String::new(),
            typed: source.into(),
            source: source.into(),
            target: "to".into(),
            weight: 1.0,
        };
        let corpus = Corpus { pairs: ["a", "b", "c"].map(pair).to_vec(), ..Corpus::default() };
        let plan = Choices { steps: 7, ..Choices::default() }.plan(&corpus, &[1], Some(400_000));
        let sources: Vec<&str> = plan.pairs.iter().map(|pair| pair.source.as_str()).collect();
        assert_eq!((sources, plan.settings.length), (vec!["a", "c"], Length::Steps(7)));
        assert_eq!(plan.check(), Ok(()));
    }

    #[test]
    fn choices_of_an_older_version_are_completed() {
        let read: Choices = serde_json::from_str("{\"steps\": 9, \"rates\": {\"drop\": 0.07}}").unwrap();
        assert_eq!((read.steps, read.rates.drop, read.rates.keep), (9, 0.07, 2));
    }
}
