//! The user's settings for a run, stored at every change.

pub mod card;
pub mod fields;
pub mod learning;
pub mod restorer;
pub mod translator;

use crate::translate::state::translator::{SHIPPED, shipped_size};
use serde::{Deserialize, Deserializer, Serialize};
use tuppum_protocol::translation::bias::BiasSettings;
use tuppum_protocol::translation::learns::Learns;
use tuppum_protocol::translation::training::{
    Length, TranslationPair, TranslatorTrainingPlan, TranslatorTrainingSettings,
};
use tuppum_protocol::{
    DeviceMemory, FittingPlan, LongestPair, ModelRef, ModelSize, NewModel, OptimiserRule, StorageUsage, StoredModel,
    Task, TooLarge, TrainingMemory, restoring,
};
use tuppum_text::augment::Rates;
use tuppum_text::pair_table::{Columns, ImportedPairs, Shape};

/// Tokens per batch of a restorer: half of the usual number, so that a step on the CPU takes only some seconds in a
/// tab.
const RESTORER_BATCH_TOKENS: usize = 2048;

/// Configuration of the shipped restorer, from which its size is computed.
const RESTORER_CONFIG: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/models/restorer/config.json"));

/// Default learning rate for training a whole translator further. At three times this rate, the default for new models,
/// 150 pairs took an earlier translator from 0.864 to 1.024 bits per byte on held-out text. The value is the one that
/// restorers tolerate (`docs/training.md`); it was not measured for translators.
const FURTHER_RATE: f64 = 1e-4;
/// Default learning rate for a new model, and for adapters or the bias alone, which leave the weights of the base
/// unchanged.
const NEW_RATE: f64 = 3e-4;

/// Hyperbolic bias that a run starts with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum WantedBias {
    /// The bias of the base, if it has one.
    #[default]
    Own,
    /// A new bias, which replaces that of the base.
    New,
    /// No bias: that of the base is removed.
    None,
}

/// The user's settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Choices {
    /// Name of the file of the corpus; empty for a pasted corpus.
    pub file: String,
    /// Separator of the cells; guessed if `None`.
    pub shape: Option<Shape>,
    /// `true` if the first row names the columns; guessed if `None`.
    pub header: Option<bool>,
    /// Columns of source, target, text and weight; guessed if `None`.
    pub columns: Option<Columns>,
    /// Rates of the augmentations.
    pub rates: Rates,
    /// Kind of model to train.
    #[serde(rename = "craft")]
    pub task: Task,
    /// Name of the file of the restorer's texts; empty for pasted texts.
    pub texts_file: String,
    /// Restorer to train further; `None` is the shipped one, stored as an empty string.
    #[serde(with = "or_empty")]
    pub restorer: Option<ModelRef>,
    /// Number of the restorer's layers to train, counted from the last one; 0 for all.
    pub layers: u32,
    /// Number of steps of a restorer's run.
    pub restorer_steps: u32,
    /// Peak learning rate of a restorer's run.
    pub restorer_rate: f64,
    /// Translator to train further.
    pub base: ModelRef,
    pub name: String,
    /// Number of steps of a translator's run.
    pub steps: u32,
    /// Peak learning rate of a translator's run, if the user chose one. Earlier versions stored a rate under another
    /// name even where the user had chosen none.
    #[serde(rename = "chosen_rate")]
    pub rate: Option<f64>,
    /// Seed of all random numbers.
    pub seed: u64,
    /// Memory of the graphics card in gigabytes, as the user stated it; 0 if not stated.
    pub card: u32,
    /// Part of a base that is trained. Earlier versions stored a boolean: `true` for adapters.
    #[serde(alias = "additions", deserialize_with = "learns")]
    pub learns: Learns,
    pub optimiser: OptimiserRule,
    /// Hyperbolic bias that a translator's run starts with.
    pub bias: WantedBias,
    /// Settings of the new bias, for [`WantedBias::New`].
    pub new_bias: BiasSettings,
    /// Number of steps of each run of the ablation.
    pub ablation_steps: u32,
    /// Number of seeds of the ablation.
    pub ablation_seeds: u32,
}

impl Default for Choices {
    fn default() -> Self {
        Self {
            file: String::new(),
            shape: None,
            header: None,
            columns: None,
            rates: Rates::default(),
            task: Task::Translation,
            texts_file: String::new(),
            restorer: None,
            layers: 4,
            restorer_steps: 60,
            restorer_rate: 1e-4,
            base: SHIPPED,
            name: "my-training".to_owned(),
            steps: 200,
            rate: None,
            seed: 1,
            card: 0,
            learns: Learns::Whole,
            optimiser: OptimiserRule::AdamW,
            bias: WantedBias::Own,
            new_bias: BiasSettings::default(),
            ablation_steps: 30,
            ablation_seeds: 3,
        }
    }
}

impl Choices {
    /// Returns the plan of a run on the pairs of `corpus`, without the pairs whose indices are in `leaks`. The plan
    /// fits a base of `size`, if that is known, into `memory`.
    pub fn plan(
        &self,
        corpus: &ImportedPairs,
        leaks: &[usize],
        size: Option<ModelSize>,
        memory: DeviceMemory,
    ) -> TranslatorTrainingPlan {
        let pair = |pair: &tuppum_text::pair_table::ImportedPair| TranslationPair {
            text: pair.text.clone(),
            source: pair.source.clone(),
            target: pair.target.clone(),
            weight: pair.weight,
        };
        let clean = corpus.pairs.iter().enumerate().filter(|(number, _)| leaks.binary_search(number).is_err());
        let pairs: Vec<TranslationPair> = clean.map(|(_, one)| pair(one)).collect();
        let longest =
            LongestPair::of(pairs.iter().map(TranslationPair::bytes), TranslatorTrainingSettings::default().longest);
        TranslatorTrainingPlan { pairs, settings: self.settings(size, longest, memory) }
    }

    /// Returns the settings for training a base of `size` on pairs of at most `longest`, so that they fit into
    /// `memory`.
    pub fn settings(
        &self,
        size: Option<ModelSize>,
        longest: LongestPair,
        memory: DeviceMemory,
    ) -> TranslatorTrainingSettings {
        let usual = FittingPlan {
            learns: self.wanted_learns(),
            rule: self.optimiser,
            batch_bytes: TranslatorTrainingSettings::default().batch_bytes,
            parts: 1,
        };
        let fitting = size.and_then(|size| self.fitting(size, longest, memory).ok());
        let FittingPlan { learns, batch_bytes, parts, .. } = fitting.unwrap_or(usual);
        let mut settings = TranslatorTrainingSettings {
            bias: self.bias != WantedBias::None,
            attach: (self.bias == WantedBias::New).then_some(self.new_bias),
            length: Length::Steps(self.steps),
            seed: self.seed,
            augmentation: self.rates,
            batch_bytes,
            parts,
            ..TranslatorTrainingSettings::default()
        };
        settings.optimiser.rate = self.rate();
        settings.optimiser.rule = self.optimiser;
        settings.learning(learns)
    }

    /// Returns the settings for training a restorer.
    pub fn restorer_settings(&self) -> restoring::RestorerTrainingSettings {
        let mut settings = restoring::RestorerTrainingSettings {
            length: Length::Steps(self.restorer_steps),
            seed: self.seed,
            layers: (self.layers > 0).then_some(self.layers as usize),
            batch_tokens: RESTORER_BATCH_TOKENS,
            ..restoring::RestorerTrainingSettings::default()
        };
        settings.optimiser.rate = self.restorer_rate;
        settings.optimiser.rule = self.optimiser;
        settings
    }

    /// Returns the memory that training the restorer takes; `None` where the size of the base is unknown until it is
    /// opened.
    pub fn restorer_memory(&self, usage: Option<&StorageUsage>) -> Option<TrainingMemory> {
        let size = match &self.restorer {
            None => ModelSize::of_restorer(RESTORER_CONFIG),
            Some(ModelRef::Stored(name)) => stored_size(usage, name),
            Some(ModelRef::Shipped(_) | ModelRef::New(_)) => None,
        };
        size.map(|size| TrainingMemory::of_restorer(size, &self.restorer_settings()))
    }

    /// Returns how a base of `size` can be trained on pairs of at most `longest` within `memory`.
    ///
    /// # Errors
    /// The model is too large for the memory.
    pub fn fitting(
        &self,
        size: ModelSize,
        longest: LongestPair,
        memory: DeviceMemory,
    ) -> Result<FittingPlan, TooLarge> {
        FittingPlan::of(size, longest, (self.wanted_learns(), self.optimiser), memory)
    }

    /// Returns the peak learning rate of a translator: the user's, or the default for the base.
    pub fn rate(&self) -> f64 {
        self.rate.unwrap_or_else(|| self.usual_rate())
    }

    fn usual_rate(&self) -> f64 {
        let is_new = matches!(self.base, ModelRef::New(_));
        if is_new || self.learns != Learns::Whole { NEW_RATE } else { FURTHER_RATE }
    }

    /// Sets the learning rate from typed text; returns `false` for a rate that is not accepted. Empty text brings the
    /// default back.
    pub fn set_rate(&mut self, typed: &str) -> bool {
        let typed_rate = typed.parse().ok().filter(|rate| (1e-7..=0.1).contains(rate));
        let is_taken = typed.is_empty() || typed_rate.is_some();
        let rate = if is_taken { typed_rate } else { self.rate };
        self.rate = rate.filter(|rate| *rate != self.usual_rate());
        is_taken
    }

    /// Reduces the number of blocks that a new bias reaches to those of a base of `size`.
    pub fn fit_bias(&mut self, size: Option<ModelSize>) {
        let blocks = size.map_or(usize::MAX, |size| size.encoder_layers);
        self.new_bias.layers = self.new_bias.layers.min(blocks);
    }

    /// Returns the part of the base that is trained. A new model is trained as a whole: it has learnt nothing that
    /// adapters or a bias could build on.
    fn wanted_learns(&self) -> Learns {
        if matches!(self.base, ModelRef::New(_)) { Learns::Whole } else { self.learns }
    }

    /// Returns the size of the base, if it is known before the base is opened.
    pub fn size(&self, usage: Option<&StorageUsage>) -> Option<ModelSize> {
        match &self.base {
            ModelRef::New(NewModel::Small) => Some(ModelSize::NEW),
            ModelRef::Shipped(_) => (self.base == SHIPPED).then(shipped_size).flatten(),
            ModelRef::Stored(name) => stored_size(usage, name),
        }
    }
}

/// Returns the size of a model in the browser's storage.
fn stored_size(usage: Option<&StorageUsage>, name: &str) -> Option<ModelSize> {
    let stored = |model: &&StoredModel| model.name == *name;
    usage?.stored.iter().find(stored).and_then(|model| model.size)
}

/// Reads the part that is trained: its name, or the boolean of an earlier version (`true` for adapters).
fn learns<'de, D: Deserializer<'de>>(kept: D) -> Result<Learns, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Kept {
        Adapters(bool),
        Learns(Learns),
    }
    Ok(match Kept::deserialize(kept)? {
        Kept::Adapters(true) => Learns::Adapters,
        Kept::Adapters(false) => Learns::Whole,
        Kept::Learns(learns) => learns,
    })
}

/// (De)serialises an optional model as text, `None` as an empty string.
mod or_empty {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use tuppum_protocol::ModelRef;

    pub fn serialize<S: Serializer>(model: &Option<ModelRef>, out: S) -> Result<S::Ok, S::Error> {
        model.as_ref().map(ModelRef::to_string).unwrap_or_default().serialize(out)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(text: D) -> Result<Option<ModelRef>, D::Error> {
        let text = String::deserialize(text)?;
        Ok((!text.is_empty()).then(|| ModelRef::from(text)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(choices: &Choices, size: Option<ModelSize>) -> TranslatorTrainingSettings {
        choices.settings(size, LongestPair::USUAL, DeviceMemory::PROCESSOR)
    }

    #[test]
    fn what_leaks_is_in_no_plan() {
        let pair = |source: &str| tuppum_text::pair_table::ImportedPair {
            line: 1,
            text: String::new(),
            typed: source.into(),
            source: source.into(),
            target: "to".into(),
            weight: 1.0,
        };
        let corpus = ImportedPairs { pairs: ["a", "b", "c"].map(pair).to_vec(), ..ImportedPairs::default() };
        let plan = Choices { steps: 7, ..Choices::default() }.plan(
            &corpus,
            &[1],
            Some(ModelSize::NEW),
            DeviceMemory::PROCESSOR,
        );
        let sources: Vec<&str> = plan.pairs.iter().map(|pair| pair.source.as_str()).collect();
        assert_eq!((sources, plan.settings.length), (vec!["a", "c"], Length::Steps(7)));
        assert_eq!(plan.check(), Ok(()));
    }

    #[test]
    fn adapters_or_the_bias_train_where_they_are_wanted_and_adapters_where_nothing_else_fits() {
        let stored = Choices { base: ModelRef::stored("large"), ..Choices::default() };
        let learns = |choices: &Choices, size| settings(choices, size).learns();
        let (new, large) = (ModelSize::NEW, ModelSize { width: 1472, parameters: 300_000_000, ..ModelSize::NEW });
        assert_eq!(learns(&stored, Some(new)), Learns::Whole);
        assert_eq!(learns(&stored, Some(large)), Learns::Adapters);
        for wanted in [Learns::Adapters, Learns::Bias] {
            let choices = Choices { learns: wanted, ..stored.clone() };
            for size in [Some(new), Some(large), None] {
                assert_eq!(learns(&choices, size), wanted, "{size:?}");
            }
            let on_nothing = Choices { base: ModelRef::New(NewModel::Small), ..choices };
            assert_eq!(learns(&on_nothing, Some(new)), Learns::Whole);
        }
    }

    #[test]
    fn the_optimiser_is_that_of_the_plan_and_of_its_memory() {
        let chosen = Choices { optimiser: OptimiserRule::Adafactor, ..Choices::default() };
        assert_eq!(settings(&chosen, Some(ModelSize::NEW)).optimiser.rule, OptimiserRule::Adafactor);
        assert_eq!(chosen.restorer_settings().optimiser.rule, OptimiserRule::Adafactor);
        let size = ModelSize { width: 1472, parameters: 300_000_000, ..ModelSize::NEW };
        let stored = |optimiser| Choices { base: ModelRef::stored("large"), optimiser, ..Choices::default() };
        let on_card = |rule| stored(rule).fitting(size, LongestPair::USUAL, DeviceMemory::of_card(6, 1 << 30));
        assert_eq!(on_card(OptimiserRule::AdamW).map(|plan| plan.learns), Ok(Learns::Adapters));
        assert_eq!(on_card(OptimiserRule::Adafactor).map(|plan| plan.learns), Ok(Learns::Whole));
    }

    #[test]
    fn a_bias_is_attached_or_taken_off_where_that_is_wanted() {
        let bias = |bias| {
            let choices = Choices { bias, ..Choices::default() };
            let settings = settings(&choices, Some(ModelSize::NEW));
            (settings.bias, settings.attach)
        };
        assert_eq!(bias(WantedBias::Own), (true, None));
        assert_eq!(bias(WantedBias::New), (true, Some(BiasSettings::default())));
        assert_eq!(bias(WantedBias::None), (false, None));
        let alone = Choices { bias: WantedBias::None, learns: Learns::Bias, ..Choices::default() };
        let problem = settings(&alone, None).check().unwrap_err().to_string();
        assert!(problem.contains("choose one of the two"), "{problem}");
    }

    #[test]
    fn what_a_model_knows_is_not_trained_away() {
        let new = Choices { base: ModelRef::New(NewModel::Small), ..Choices::default() };
        let rate = |choices: &Choices| settings(choices, None).optimiser.rate;
        let [further, adapters] =
            [Learns::Whole, Learns::Adapters].map(|learns| Choices { learns, ..Choices::default() });
        assert!(rate(&further) < rate(&adapters), "adapters leave what the base knows in place");
        assert!(rate(&further) < rate(&new), "a new model knows nothing yet");
        let chosen = Choices { rate: Some(0.002), ..Choices::default() };
        assert_eq!(rate(&chosen), 0.002);
        // Earlier versions stored their default rate even if the user had chosen none, so it is ignored.
        let earlier: Choices = serde_json::from_str("{\"rate\": 0.0003}").unwrap();
        assert_eq!(earlier.rate(), FURTHER_RATE);
        let mut typed = chosen.clone();
        for (text, rate) in [("0.004", 0.004), ("much", 0.004), ("7", 0.004), ("", FURTHER_RATE)] {
            typed.set_rate(text);
            assert_eq!(typed.rate(), rate, "{text}");
        }
        assert_eq!(typed.rate, None, "it follows the base again");
        let kept = serde_json::to_string(&chosen).unwrap();
        assert_eq!(serde_json::from_str::<Choices>(&kept).unwrap(), chosen);
    }

    #[test]
    fn choices_of_an_older_version_are_completed() {
        let read: Choices = serde_json::from_str("{\"steps\": 9, \"rates\": {\"drop\": 0.07}}").unwrap();
        assert_eq!((read.steps, read.rates.drop, read.rates.keep), (9, 0.07, 2));
        for (kept, learns) in [("true", Learns::Adapters), ("false", Learns::Whole)] {
            let read: Choices = serde_json::from_str(&format!("{{\"additions\": {kept}}}")).unwrap();
            assert_eq!(read.learns, learns);
        }
        let bias = Choices { learns: Learns::Bias, bias: WantedBias::New, ..Choices::default() };
        assert_eq!(serde_json::from_str::<Choices>(&serde_json::to_string(&bias).unwrap()).unwrap(), bias);
        let read: Choices = serde_json::from_str("{\"base\": \"new:small\", \"restorer\": \"\"}").unwrap();
        assert_eq!((read.base, read.restorer), (ModelRef::New(NewModel::Small), None));
        let stored = Choices { restorer: Some(ModelRef::stored("mine")), ..Choices::default() };
        let written = serde_json::to_string(&stored).unwrap();
        assert!(written.contains("\"restorer\":\"kept:mine\"") && written.contains("\"base\":\"models/translator/\""));
        assert_eq!(serde_json::from_str::<Choices>(&written).unwrap(), stored);
    }
}
