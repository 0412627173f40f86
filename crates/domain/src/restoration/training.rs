//! Training of a restorer: texts, settings, and measurements on held-out texts. Plain data, for page, worker and
//! command line; the training itself is `train::restorer`.

pub use crate::translation::training::{Length, Step};

use super::texts::Text;
use crate::error::PlanProblem;
use crate::training::{OptimiserRule, OptimiserSettings, are_below_one, are_shares, held_out, is_one};
use serde::{Deserialize, Deserializer, Serialize};
use tuppum_text::pair_table::Damage;

/// Minimum legible signs that make a stretch of a text worth learning from.
pub const MIN_LEGIBLE_SIGNS: usize = 4;

/// Masking of signs in training. The defaults are those of the shipped restorer.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Masking {
    /// Least share of the legible signs of a sequence.
    pub least: f64,
    /// Greatest share; every sequence draws one between the two, uniformly.
    pub most: f64,
    /// Share of the sequences masked by short spans; the others are masked by single signs.
    pub spans: f64,
}

impl Default for Masking {
    fn default() -> Self {
        Self { least: 0.05, most: 0.5, spans: 0.5 }
    }
}

/// Settings of the training of a restorer. The defaults are those of the recipe that made the shipped one, except for
/// rate and length, which suit further training (`docs/training.md`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RestorerTrainingSettings {
    /// Length of the run; an epoch is one pass over all texts.
    pub length: Length,
    /// Seed; equal seeds make equal runs.
    pub seed: u64,
    /// Settings of the optimiser; a file has their fields among these.
    #[serde(flatten, deserialize_with = "optimiser")]
    pub optimiser: OptimiserSettings,
    /// Share of probability that the loss spreads over all tokens.
    pub label_smoothing: f64,
    /// Share of every stream that is dropped.
    pub dropout: f64,
    /// Maximum tokens of a batch: rows times the longest row.
    pub batch_tokens: usize,
    /// Number of batches in a step.
    pub accumulation: usize,
    /// Number of parts in which each batch is computed one after the other, which takes less memory and more time; the
    /// step is the same except for its dropout. Omitted from files if 1, as in older versions.
    #[serde(skip_serializing_if = "is_one")]
    pub parts: usize,
    /// Longest sequence, in tokens; longer texts are cut.
    pub window: usize,
    /// Share of the texts that is held out for validation.
    pub held_out: f64,
    pub masking: Masking,
    /// Number of blocks that are trained, the last ones, with the head; fewer take less memory and time. `None` trains
    /// all.
    pub layers: Option<usize>,
}

impl Default for RestorerTrainingSettings {
    fn default() -> Self {
        Self {
            length: Length::Epochs(3),
            seed: 1,
            optimiser: OptimiserSettings {
                rule: OptimiserRule::AdamW,
                rate: 1e-4,
                warm_up: 0.1,
                points_rate: None,
                weight_decay: 0.05,
                betas: [0.9, 0.98],
                epsilon: 1e-8,
                clip: 1.0,
            },
            label_smoothing: 0.02,
            dropout: 0.1,
            batch_tokens: 4096,
            accumulation: 1,
            parts: 1,
            window: 384,
            held_out: 0.1,
            masking: Masking::default(),
            layers: None,
        }
    }
}

/// Reads the optimiser's settings from among those of a file.
fn optimiser<'de, D: Deserializer<'de>>(settings: D) -> Result<OptimiserSettings, D::Error> {
    RestorerTrainingSettings::default().optimiser.read(settings)
}

/// Texts with the settings of the training.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RestorerTrainingPlan {
    /// All texts, including those to be held out.
    pub texts: Vec<Text>,
    /// Settings of the training.
    #[serde(default)]
    pub settings: RestorerTrainingSettings,
}

/// Predictions of a model for the masked signs of one sequence.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SequencePrediction {
    /// Natural logarithm of each correct sign's probability, among all tokens.
    pub log_probabilities: Vec<f32>,
    /// Number of answers of its kind (word-initial or not) that rank above each correct sign.
    pub ranks: Vec<u32>,
}

/// Validation of a model on held-out signs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RestorationValidation {
    /// Number of steps before the validation.
    pub after: u32,
    /// Mean loss in nats per masked sign, without smoothing or dropout.
    pub loss: f64,
    /// Held-out sequences in order; one without masked signs is empty.
    pub sequences: Vec<SequencePrediction>,
}

impl RestorationValidation {
    /// Computes the validation from these sequences.
    pub fn new(after: u32, sequences: Vec<SequencePrediction>) -> Self {
        let all = || sequences.iter().flat_map(|own| &own.log_probabilities);
        let sum: f64 = all().map(|own| f64::from(*own)).sum();
        Self { after, loss: 0.0 - sum / all().count().max(1) as f64, sequences }
    }
}

impl RestorerTrainingSettings {
    /// Checks that every number is in range.
    ///
    /// # Errors
    /// Names the first that is not.
    pub fn check(&self) -> Result<(), PlanProblem> {
        let Masking { least, most, spans } = self.masking;
        are_shares(&[
            ("label smoothing", self.label_smoothing),
            ("least share of masked signs", least),
            ("greatest share of masked signs", most),
            ("share of sequences masked by spans", spans),
        ])?;
        are_below_one(&[("dropout", self.dropout), ("held-out share", self.held_out)])?;
        self.optimiser.check()?;
        if least > most {
            return Err(PlanProblem::Masking { least, most });
        }
        let counts = [self.accumulation, self.parts, self.layers.unwrap_or(1)];
        if matches!(self.length, Length::Epochs(0) | Length::Steps(0)) || counts.contains(&0) {
            return Err(PlanProblem::Zero("layers that train"));
        }
        if self.window <= MIN_LEGIBLE_SIGNS {
            return Err(PlanProblem::Window(self.window));
        }
        Ok(())
    }
}

impl RestorerTrainingPlan {
    /// Splits the texts into two lists of indices, trained and held out. Texts with too few legible signs are in
    /// neither. Whole texts are held out, as [`held_out`] chooses them, and all of the same name together.
    pub fn split(&self) -> [Vec<usize>; 2] {
        let keys: Vec<(usize, String)> = (self.texts.iter().enumerate())
            .filter(|(_, text)| text.legible() >= MIN_LEGIBLE_SIGNS)
            .map(|(number, text)| (number, text.key()))
            .collect();
        let held_out = held_out(keys.iter().map(|(_, key)| key.as_str()), self.settings.held_out);
        let (held_out, trained): (Vec<_>, Vec<_>) = keys.iter().partition(|(_, key)| held_out.contains(key.as_str()));
        [trained, held_out].map(|side| side.into_iter().map(|(number, _)| *number).collect())
    }

    /// Checks that the plan can be carried out.
    ///
    /// # Errors
    /// Names the problem with the settings or with a text.
    pub fn check(&self) -> Result<(), PlanProblem> {
        self.settings.check()?;
        for (number, text) in self.texts.iter().enumerate() {
            text.check().map_err(|problem| PlanProblem::Text { number: number + 1, problem })?;
        }
        let [trained, held_out] = self.split();
        if trained.is_empty() {
            let all = self.texts.len();
            let held_out = held_out.len();
            return Err(PlanProblem::NoTexts { all, held_out, short: all - held_out, fewest: MIN_LEGIBLE_SIGNS });
        }
        Ok(())
    }

    /// Returns the number of texts left out because they have too few legible signs.
    pub fn left_out(&self) -> usize {
        self.texts.len() - self.split().iter().map(Vec::len).sum::<usize>()
    }

    /// Measures how much of the texts is damaged, to compare with how much is masked.
    pub fn damage(&self) -> Damage {
        let mut damage = Damage::default();
        self.texts.iter().for_each(|text| text.count(&mut damage));
        damage
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::restoration::texts::texts;

    fn plan(names: impl Iterator<Item = String>) -> RestorerTrainingPlan {
        let text = |name: String| Text { name, ..texts("1. a-na be-li₂-ia")[0].clone() };
        RestorerTrainingPlan { texts: names.map(text).collect(), ..RestorerTrainingPlan::default() }
    }

    #[test]
    fn whole_texts_are_held_out_and_stay_so() {
        let names = |count: usize| (0..count).map(|number| format!("P{number:06}"));
        let [trained, held_out] = plan(names(2_000)).split();
        // Binomial, 2,000 draws at 1/10: 200 ± 5 standard deviations of 13.5.
        assert!((133..=267).contains(&held_out.len()) && trained.len() + held_out.len() == 2_000, "{}", held_out.len());
        let [_, fewer] = plan(names(1_000)).split();
        assert_eq!(fewer[..], held_out[..fewer.len()]);
        let [_, twice] = plan(names(1_000).chain(names(1_000))).split();
        assert_eq!(twice.len(), 2 * fewer.len(), "texts of one name stay together");
        assert_eq!(plan(names(1)).split(), [vec![0], vec![]]);
        for count in 2..30 {
            assert!(plan(names(count)).split().iter().all(|side| !side.is_empty()), "{count}");
        }
    }

    #[test]
    fn texts_without_a_name_are_told_apart_by_what_they_say() {
        let typed: String = (0..300).map(|number| format!("1. {number} GIN₂ KU₃ BABBAR\n\n")).collect();
        let mut plan = RestorerTrainingPlan { texts: texts(&typed), ..RestorerTrainingPlan::default() };
        let [_, held_out] = plan.split();
        assert!((10..60).contains(&held_out.len()), "{}", held_out.len());
        plan.texts.reverse();
        let [_, mut reversed] = plan.split();
        reversed.iter_mut().for_each(|number| *number = 299 - *number);
        reversed.reverse();
        assert_eq!(reversed, held_out);
    }

    /// Returns the default settings with another optimiser.
    fn with(change: impl Fn(&mut OptimiserSettings)) -> RestorerTrainingSettings {
        let mut settings = RestorerTrainingSettings::default();
        change(&mut settings.optimiser);
        settings
    }

    #[test]
    fn what_makes_no_sense_is_named() {
        let check = |settings: RestorerTrainingSettings, said: &str| {
            let problem = settings.check().unwrap_err().to_string();
            assert!(problem.contains(said), "{problem}");
        };
        check(RestorerTrainingSettings { dropout: 1.0, ..RestorerTrainingSettings::default() }, "dropout is 1");
        check(with(|own| own.rate = f64::NAN), "learning rate is NaN");
        check(
            RestorerTrainingSettings {
                masking: Masking { most: 1.5, ..Masking::default() },
                ..RestorerTrainingSettings::default()
            },
            "is 1.5",
        );
        check(
            RestorerTrainingSettings {
                masking: Masking { most: 0.01, ..Masking::default() },
                ..RestorerTrainingSettings::default()
            },
            "swap the two",
        );
        check(RestorerTrainingSettings { layers: Some(0), ..RestorerTrainingSettings::default() }, "1 or more");
        check(RestorerTrainingSettings { window: 2, ..RestorerTrainingSettings::default() }, "window of 2");
        assert_eq!(RestorerTrainingSettings::default().check(), Ok(()));
        assert!(
            RestorerTrainingPlan::default().check().unwrap_err().to_string().starts_with("of 0 texts none is left")
        );
        let mut plan = plan(["a", "b"].map(str::to_owned).into_iter());
        assert_eq!(plan.check(), Ok(()));
        plan.texts[1].lines[0].states.push('P');
        assert!(
            plan.check()
                .unwrap_err()
                .to_string()
                .starts_with("text 2 cannot be used for training: line 1 has 5 signs and 6 states")
        );
    }

    #[test]
    fn a_plan_travels_as_json_and_what_is_not_said_is_default() {
        let json = r#"{"texts": [{"lines": [{"signs": "a -na x", "states": "PDX"}]}], "settings": {"layers": 4}}"#;
        let plan: RestorerTrainingPlan = serde_json::from_str(json).unwrap();
        assert_eq!(plan.settings, RestorerTrainingSettings { layers: Some(4), ..RestorerTrainingSettings::default() });
        assert_eq!(plan.damage(), Damage { signs: 3, damaged: 2 });
        assert_eq!(serde_json::from_str::<RestorerTrainingPlan>(&serde_json::to_string(&plan).unwrap()).unwrap(), plan);
    }

    /// Default settings as version 0.1 wrote them into checkpoints and plans.
    const STORED: &str = concat!(
        r#"{"length":{"epochs":3},"seed":1,"rate":0.0001,"warm_up":0.1,"weight_decay":0.05,"betas":[0.9,0.98],"#,
        r#""epsilon":1e-8,"clip":1.0,"label_smoothing":0.02,"dropout":0.1,"batch_tokens":4096,"accumulation":1,"#,
        r#""window":384,"held_out":0.1,"masking":{"least":0.05,"most":0.5,"spans":0.5},"layers":null}"#,
    );

    #[test]
    fn stored_settings_read_as_before_and_are_written_as_before() {
        assert_eq!(
            serde_json::from_str::<RestorerTrainingSettings>(STORED).unwrap(),
            RestorerTrainingSettings::default()
        );
        assert_eq!(
            serde_json::to_string(&RestorerTrainingSettings::default()).unwrap(),
            STORED,
            "fingerprints of runs hang on it"
        );
        let partial = r#"{"rate": 1, "points_rate": 4}"#;
        assert_eq!(serde_json::from_str::<RestorerTrainingSettings>(partial).unwrap(), with(|own| own.rate = 1.0));
    }
}
