//! What the user chooses for a run, stored at every change.

use crate::translate::shipped::{SHIPPED, shipped_size};
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
use tuppum_text::pair_table::{Columns, Corpus, Shape};

/// Tokens of a batch of a restorer, half of what is usual: a tab on the CPU makes a step in some seconds.
const RESTORER_BATCH: usize = 2048;

/// The size of the restorer that comes with the page.
const RESTORER: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/models/restorer/config.json"));

/// The highest learning rate where a translator that knows something is trained further, all of it. At three times
/// this, the rate of a new model, 150 pairs took the translator that comes with the page from 0.864 to 1.024 bits per
/// byte on what was set aside; this is what a restorer bears (`docs/training.md`). For translators it was not measured.
const FURTHER: f64 = 1e-4;
/// The same where a model begins from nothing, or only adapters or the bias train, which leave what it knows in place.
const NEW: f64 = 3e-4;

/// Which hyperbolic bias a run begins with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum WantedBias {
    /// What the base has, or none.
    #[default]
    Own,
    /// A new one in its place.
    New,
    /// None: what the base has is taken off.
    None,
}

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
    /// What is trained: a translator or a restorer.
    #[serde(rename = "craft")]
    pub task: Task,
    /// Name of the file of the texts that a restorer is trained on, where they are from one.
    pub texts_file: String,
    /// The restorer that is trained further; none for the one that comes with the page, which is kept as an empty text.
    #[serde(with = "or_empty")]
    pub restorer: Option<ModelRef>,
    /// How many of its layers train, the last ones; all if 0.
    pub layers: u32,
    /// How many steps a restorer is trained.
    pub restorer_steps: u32,
    /// The highest learning rate of a restorer.
    pub restorer_rate: f64,
    /// The translator that is trained further.
    pub base: ModelRef,
    /// Name of the run.
    pub name: String,
    /// How many steps.
    pub steps: u32,
    /// The highest learning rate, where the user chose one. Earlier versions kept theirs under another name, chosen or
    /// not.
    #[serde(rename = "chosen_rate")]
    pub rate: Option<f64>,
    /// Seed of all chance.
    pub seed: u64,
    /// Gigabytes of the graphics card, where the user has said; else 0.
    pub card: u32,
    /// What trains of a base that knows something. Earlier versions kept whether adapters do.
    #[serde(alias = "additions", deserialize_with = "learns")]
    pub learns: Learns,
    /// What moves the weights.
    pub optimiser: OptimiserRule,
    /// Which hyperbolic bias a run of a translator begins with.
    pub bias: WantedBias,
    /// The new bias, where one is wanted.
    pub new_bias: BiasSettings,
    /// How many steps each run of the ablation has.
    pub ablation_steps: u32,
    /// How many seeds the ablation has.
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
    /// The plan of a run on these pairs, those that would leak left out, of a base of this size on a device with this
    /// memory.
    pub fn plan(
        &self,
        corpus: &Corpus,
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

    /// How a base of this size is trained on pairs of which these are the longest, on a device with this memory.
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

    /// How a restorer is trained.
    pub fn restorer_settings(&self) -> restoring::RestorerTrainingSettings {
        let mut settings = restoring::RestorerTrainingSettings {
            length: Length::Steps(self.restorer_steps),
            seed: self.seed,
            layers: (self.layers > 0).then_some(self.layers as usize),
            batch_tokens: RESTORER_BATCH,
            ..restoring::RestorerTrainingSettings::default()
        };
        settings.optimiser.rate = self.restorer_rate;
        settings.optimiser.rule = self.optimiser;
        settings
    }

    /// What that keeps in memory; `None` where the size of the base is not known before it is opened.
    pub fn restorer_memory(&self, usage: Option<&StorageUsage>) -> Option<TrainingMemory> {
        let size = match &self.restorer {
            None => ModelSize::of_restorer(RESTORER),
            Some(ModelRef::Stored(name)) => stored_size(usage, name),
            Some(ModelRef::Shipped(_) | ModelRef::New(_)) => None,
        };
        size.map(|size| TrainingMemory::of_restorer(size, &self.restorer_settings()))
    }

    /// How a base of this size can be trained on pairs of which these are the longest, on a device with this memory.
    ///
    /// # Errors
    /// Why it is too large.
    pub fn fitting(
        &self,
        size: ModelSize,
        longest: LongestPair,
        memory: DeviceMemory,
    ) -> Result<FittingPlan, TooLarge> {
        FittingPlan::of(size, longest, (self.wanted_learns(), self.optimiser), memory)
    }

    /// The highest learning rate of a translator: as chosen, or as is usual for the base.
    pub fn rate(&self) -> f64 {
        self.rate.unwrap_or_else(|| self.usual_rate())
    }

    fn usual_rate(&self) -> f64 {
        let is_new = matches!(self.base, ModelRef::New(_));
        if is_new || self.learns != Learns::Whole { NEW } else { FURTHER }
    }

    /// Takes a learning rate as typed, if it makes sense, and says whether it did; with nothing typed it is the usual
    /// one again.
    pub fn set_rate(&mut self, typed: &str) -> bool {
        let typed_rate = typed.parse().ok().filter(|rate| (1e-7..=0.1).contains(rate));
        let is_taken = typed.is_empty() || typed_rate.is_some();
        let rate = if is_taken { typed_rate } else { self.rate };
        self.rate = rate.filter(|rate| *rate != self.usual_rate());
        is_taken
    }

    /// Lets a new bias reach no more blocks than a base of this size has.
    pub fn fit_bias(&mut self, size: Option<ModelSize>) {
        let blocks = size.map_or(usize::MAX, |size| size.encoder_layers);
        self.new_bias.layers = self.new_bias.layers.min(blocks);
    }

    /// A new model knows nothing that adapters or a bias could build on.
    fn wanted_learns(&self) -> Learns {
        if matches!(self.base, ModelRef::New(_)) { Learns::Whole } else { self.learns }
    }

    /// The size of the base, as far as it is known before it is opened.
    pub fn size(&self, usage: Option<&StorageUsage>) -> Option<ModelSize> {
        match &self.base {
            ModelRef::New(NewModel::Small) => Some(ModelSize::NEW),
            ModelRef::Shipped(_) => (self.base == SHIPPED).then(shipped_size).flatten(),
            ModelRef::Stored(name) => stored_size(usage, name),
        }
    }
}

/// The size of the model of this name in the browser's storage.
fn stored_size(usage: Option<&StorageUsage>, name: &str) -> Option<ModelSize> {
    let stored = |model: &&StoredModel| model.name == *name;
    usage?.stored.iter().find(stored).and_then(|model| model.size)
}

/// What trains by its name; an earlier version kept whether adapters do.
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

/// A model as text, or an empty text where there is none.
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
        let corpus = Corpus { pairs: ["a", "b", "c"].map(pair).to_vec(), ..Corpus::default() };
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
        // What an earlier version kept was its own default more often than a choice.
        let earlier: Choices = serde_json::from_str("{\"rate\": 0.0003}").unwrap();
        assert_eq!(earlier.rate(), FURTHER);
        let mut typed = chosen.clone();
        for (text, rate) in [("0.004", 0.004), ("much", 0.004), ("7", 0.004), ("", FURTHER)] {
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
