//! The plan of an ablation, in TOML: the base, the data, the arms and the seeds.

use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use tuppum_cli::failure::{About, Result, at};
use tuppum_corpus::pairs_file::{FilePair, for_each_pair};
use tuppum_domain::training::OptimiserRule;
use tuppum_domain::translation::learns::Learns;
use tuppum_domain::translation::training::{
    TranslationPair, TranslatorPart, TranslatorTrainingPlan, TranslatorTrainingSettings,
};
use tuppum_eval::ablation::{ARMS, HALF, Ingredients};
use tuppum_eval::texts::TextGroups;
use tuppum_random::Random;

/// Number of spellings taken of a lemma.
const SPELLINGS: usize = 4;

/// Plan of an ablation. Paths are relative to the folder that the command runs in.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AblationPlan {
    /// Title of the report.
    #[serde(default = "title")]
    pub title: String,
    /// Notes with which the report opens, in Markdown: the answer, and how the base was made, for example.
    #[serde(default)]
    pub about: String,
    /// Folder of the model that every run begins with; it should have no hyperbolic bias.
    pub base: PathBuf,
    /// Folder that results are kept in, a folder for each run.
    pub out: PathBuf,
    /// Tables of pairs. The texts that training keeps for validation are measured with, unless `measured` names others.
    pub pairs: Vec<PathBuf>,
    /// Tables of pairs to measure with, all of them and in their order.
    #[serde(default)]
    pub measured: Vec<PathBuf>,
    /// Settings of the recipe that makes the runs (`recipes/translator/arms.py`); the command then only makes tables of
    /// what the recipe left in `out`.
    #[serde(default)]
    pub recipe: Option<toml::Table>,
    /// A table of lemmas (columns guide_word and spellings), supplementary.
    #[serde(default)]
    pub lexicon: Option<PathBuf>,
    /// Number of pairs, drawn at random, that are the data of every arm; the other pairs and the lexicon are
    /// supplementary.
    #[serde(default = "drawn")]
    pub drawn: usize,
    /// Seed by which the pairs are drawn.
    #[serde(default = "one")]
    pub draw_seed: u64,
    /// Maximum number of supplementary pairs.
    #[serde(default)]
    pub supplementary: Option<usize>,
    /// Maximum number of pairs to measure with.
    #[serde(default = "validation")]
    pub validation: usize,
    /// Maximum number of measured pairs that are translated too, for BLEU and chrF++.
    #[serde(default)]
    pub translate: usize,
    /// Seeds; every arm runs once with each seed.
    #[serde(default = "seeds")]
    pub seeds: Vec<u64>,
    /// The points that a bias begins with.
    #[serde(default = "points")]
    pub points: PathBuf,
    /// Settings of the training of every arm.
    #[serde(default)]
    pub settings: TranslatorTrainingSettings,
    /// Arms to compare; the six usual ones if none are named.
    #[serde(default = "arms", rename = "arm")]
    pub arms: Vec<Arm>,
}

/// An arm of the ablation: one way to train.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Arm {
    /// Name of the arm: a letter or a word, also used for its folder.
    pub name: String,
    /// `true` if the arm has the supplementary pairs.
    pub data: bool,
    /// `true` if sources are augmented.
    pub augmentation: bool,
    /// `true` if the model has the hyperbolic bias.
    pub bias: bool,
    /// Number of encoder blocks that the bias reaches.
    pub layers: Option<usize>,
    /// Curvature of the ball is minus this; 0 is Euclid's space. Points of the plan are scaled by 1 / √c.
    pub curvature: Option<f64>,
    /// Points of the arm, in place of the plan's.
    pub points: Option<PathBuf>,
    /// `true` if the points belong to signs and readings rather than to bytes.
    pub signs: bool,
    /// `true` if the points stay where they begin.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub frozen: bool,
    /// `true` if only the points and the strength of the bias learn, and everything else stays as it is.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub alone: bool,
    /// `true` if the curvature of the ball learns; the points are then the ends of fixed vectors at its centre. Only in
    /// plans with a recipe: between points that learn, the curvature says nothing that the strength does not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub learns_curvature: bool,
}

fn title() -> String {
    "What each ingredient brings".to_owned()
}
fn drawn() -> usize {
    1_561
}
fn one() -> u64 {
    1
}
fn validation() -> usize {
    400
}
fn seeds() -> Vec<u64> {
    vec![1, 2, 3]
}
fn points() -> PathBuf {
    PathBuf::from("assets/geometry/byte-points-hard.safetensors")
}

/// Returns the six usual arms.
fn arms() -> Vec<Arm> {
    let arm = |Ingredients { name, data, augmentation, bias }| Arm {
        name: name.to_owned(),
        data,
        augmentation,
        bias,
        ..Arm::default()
    };
    ARMS.into_iter().map(arm).collect()
}

/// The pairs of an ablation.
#[derive(Clone, Debug, Default)]
pub struct AblationData {
    /// Pairs that every arm trains with.
    pub drawn: Vec<TranslationPair>,
    /// Additional pairs of the arms with more data, at half weight.
    pub supplementary: Vec<TranslationPair>,
    /// Pairs to measure with.
    pub validation: Vec<TranslationPair>,
}

impl AblationData {
    /// Returns the texts of the pairs to measure with.
    pub fn texts(&self) -> TextGroups {
        TextGroups::of(self.validation.iter().map(TranslationPair::text_key))
    }
}

impl AblationPlan {
    /// Reads the plan in a file.
    ///
    /// # Errors
    /// What is wrong with it, with its line.
    pub fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).at(path)?;
        let plan: Self = toml::from_str(&text).at(path)?;
        let is_name =
            |name: &str| !name.is_empty() && name.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
        let mut names = std::collections::BTreeSet::new();
        match plan.arms.iter().find(|arm| !is_name(&arm.name) || !names.insert(&arm.name)) {
            Some(arm) => Err(at(
                path,
                format_args!("the arm {:?} needs a name of letters and digits that no other has", arm.name),
            )),
            None if plan.recipe.is_none() && plan.arms.iter().any(|arm| arm.learns_curvature) => {
                Err(at(path, "a curvature learns in the runs of a recipe only (recipes/translator/arms.py)"))
            }
            None if plan.recipe.is_some() && plan.settings.optimiser.rule != OptimiserRule::default() => {
                Err(at(path, "the runs of a recipe are moved by its own optimisers: leave optimiser away"))
            }
            None if plan.seeds.is_empty() => Err(at(path, "there are no seeds; three or more tell chance from effect")),
            None => Ok(plan),
        }
    }

    /// Reads the files, draws and splits.
    ///
    /// # Errors
    /// What is wrong with a file.
    pub fn data(&self) -> Result<AblationData> {
        let (mut data, mut rest) = (AblationData::default(), Vec::new());
        for path in &self.pairs {
            let add = |pair: FilePair| {
                let own = pair_of(&pair);
                if pair.is_valid() { data.validation.push(own) } else { rest.push(own) }
            };
            for_each_pair(path, None, add)?;
        }
        let longest = self.settings.longest;
        let fits = |pair: &TranslationPair| pair.bytes().iter().all(|bytes| *bytes <= longest + 1);
        rest.retain(fits);
        data.validation.retain(fits);
        let mut draws = Random::new(self.draw_seed);
        draws.shuffle(&mut rest);
        if self.measured.is_empty() {
            draws.shuffle(&mut data.validation);
            data.validation.truncate(self.validation);
        } else {
            data.validation = self.measured_pairs()?.into_iter().filter(fits).collect();
        }
        data.supplementary = rest.split_off(self.drawn.min(rest.len()));
        data.drawn = rest;
        if let Some(path) = &self.lexicon {
            data.supplementary.extend(lexicon(path)?);
            draws.shuffle(&mut data.supplementary);
        }
        data.supplementary.truncate(self.supplementary.unwrap_or(usize::MAX));
        data.supplementary.iter_mut().for_each(|pair| pair.weight = HALF);
        if data.validation.is_empty() {
            return Err(
                "none of the texts is one of those that are kept for validation; nothing can be measured".into()
            );
        }
        Ok(data)
    }

    /// Returns the pairs of the tables to measure with, in their order.
    fn measured_pairs(&self) -> Result<Vec<TranslationPair>> {
        let mut found = Vec::new();
        for path in &self.measured {
            for_each_pair(path, None, |pair| found.push(pair_of(&pair)))?;
        }
        Ok(found)
    }

    /// Returns the training plan of one run of an arm.
    pub fn run(&self, arm: &Arm, seed: u64, data: &AblationData) -> TranslatorTrainingPlan {
        let mut settings = TranslatorTrainingSettings { seed, held_out: 0.0, bias: arm.bias, ..self.settings.clone() };
        if arm.alone {
            settings = settings.learning(Learns::Bias);
        }
        if arm.frozen {
            settings.frozen.insert(TranslatorPart::Points);
        }
        settings.augmented = if arm.augmentation { self.settings.augmented } else { 0.0 };
        let supplementary = if arm.data { data.supplementary.as_slice() } else { &[] };
        TranslatorTrainingPlan { pairs: [data.drawn.as_slice(), supplementary].concat(), settings }
    }
}

/// Returns a pair of a table, at full weight.
fn pair_of(pair: &FilePair) -> TranslationPair {
    TranslationPair { text: pair.text.clone(), source: pair.source.clone(), target: pair.target.clone(), weight: 1.0 }
}

/// Returns a pair of each of the commonest spellings of a lemma and what the lemma means.
fn lexicon(path: &Path) -> Result<Vec<TranslationPair>> {
    let text = std::fs::read_to_string(path).at(path)?;
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
    let column = |name: &str| {
        let found = names.iter().position(|own| *own == name);
        found.ok_or_else(|| at(path, format_args!("the first line must name the column {name}")))
    };
    let [meaning, spellings] = [column("guide_word")?, column("spellings")?];
    let mut pairs = Vec::new();
    for line in lines {
        let cells: Vec<&str> = line.split('\t').collect();
        let cell = |place: usize| cells.get(place).copied().unwrap_or_default().trim();
        let all = cell(spellings).split('|').map(str::trim).take(SPELLINGS).filter(|spelling| !spelling.is_empty());
        if !cell(meaning).is_empty() {
            pairs.extend(
                all.map(|spelling| TranslationPair {
                    weight: HALF,
                    ..TranslationPair::new("", spelling, cell(meaning))
                }),
            );
        }
    }
    Ok(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_plan_has_the_arms_of_the_design() {
        let text = "base = \"b\"\nout = \"o\"\npairs = [\"p.tsv\"]\n[settings]\nlength = { steps = 300 }\n";
        let plan: AblationPlan = toml::from_str(text).unwrap();
        let names: Vec<&str> = plan.arms.iter().map(|arm| arm.name.as_str()).collect();
        assert_eq!((names.concat().as_str(), plan.drawn, &plan.seeds[..]), ("ABCDEF", 1_561, &[1, 2, 3][..]));
        let data = AblationData {
            drawn: vec![TranslationPair::new("a", "a-na", "to")],
            supplementary: vec![TranslationPair { weight: 0.5, ..TranslationPair::new("b", "LUGAL", "king") }],
            validation: Vec::new(),
        };
        let run = |name: &str| plan.run(plan.arms.iter().find(|arm| arm.name == name).unwrap(), 7, &data);
        for (name, pairs, augmented, bias) in
            [("A", 1, 0.0, false), ("D", 2, 1.0, true), ("E", 2, 0.0, false), ("F", 1, 1.0, false)]
        {
            let run = run(name);
            let TranslatorTrainingSettings { seed, held_out, .. } = run.settings;
            assert_eq!(
                (run.pairs.len(), run.settings.augmented, run.settings.bias),
                (pairs, augmented, bias),
                "{name}"
            );
            assert_eq!((seed, held_out), (7, 0.0));
        }
    }

    #[test]
    fn arms_and_sweeps_can_be_named() {
        let text = "base = \"b\"\nout = \"o\"\npairs = []\n[[arm]]\nname = \"C1\"\nbias = true\nlayers = 1\n\
                    [[arm]]\nname = \"flat\"\nbias = true\ncurvature = 0.0\n";
        let plan: AblationPlan = toml::from_str(text).unwrap();
        assert_eq!(plan.arms[0], Arm { name: "C1".into(), bias: true, layers: Some(1), ..Arm::default() });
        assert_eq!(plan.arms[1].curvature, Some(0.0));
        let still = Arm { frozen: true, ..plan.arms[0].clone() };
        let frozen = |arm: &Arm| plan.run(arm, 1, &AblationData::default()).settings.frozen;
        assert!(frozen(&plan.arms[0]).is_empty());
        assert_eq!(frozen(&still).into_iter().collect::<Vec<_>>(), [TranslatorPart::Points]);
        let alone = Arm { alone: true, ..plan.arms[0].clone() };
        assert_eq!(plan.run(&alone, 1, &AblationData::default()).settings.learns(), Learns::Bias);
        let message = toml::from_str::<AblationPlan>(&text.replace("layers", "layer")).unwrap_err().to_string();
        assert!(message.contains("layer"), "{message}");
    }
}
