//! How much each text of the corpora shares with the text asked about: groups of three signs, the rarer the more.
//!
//! A text that shares many is often a duplicate, a letter of the same archive or a recension of the same inscription;
//! what it has in the gap weighs more, and so do all texts of a project that shares much. No period has to be named.

use crate::attested::{AttestedSign, AttestedTexts, SignClass, TEXT_END, TextNumber};
use std::collections::{BTreeMap, HashSet};

/// How many signs are compared together.
const GROUP: usize = 3;
/// Signs that follow one another, by what they are written with.
type Group = [SignClass; GROUP];
/// A group of signs that stands in this many texts says nothing.
const EVERYWHERE: f32 = 60_000.0;

/// What the texts of the corpora share with the text asked about.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Affinity {
    texts: Vec<f32>,
    /// The share of each text's project and language in all that is shared.
    kindred: Vec<f32>,
    /// Both together, as a text's places are ranked before they are weighed.
    kinships: Vec<f32>,
    closest: f32,
    /// The text that does not count as a witness: the one asked about, where it is in the corpora itself.
    except: Option<TextNumber>,
}

impl Affinity {
    /// What texts share with these signs. The text `except` shares nothing and witnesses nothing.
    pub fn of(corpus: &AttestedTexts, signs: &[AttestedSign], except: Option<TextNumber>) -> Self {
        let mut texts = vec![0.0; corpus.text_count()];
        let family_of = corpus.families();
        let mut families = vec![0.0; family_of.iter().max().map_or(0, |last| usize::from(*last) + 1)];
        for mut found in texts_with(corpus, &groups_of(corpus, signs)) {
            found.retain(|text| Some(*text) != except);
            let weight = ((EVERYWHERE / found.len().max(1) as f32).ln() / EVERYWHERE.ln()).max(0.0);
            for text in &found {
                texts[usize::from(*text)] += weight;
                families[usize::from(family_of[usize::from(*text)])] += weight / found.len() as f32;
            }
        }
        let all: f32 = families.iter().sum::<f32>().max(f32::MIN_POSITIVE);
        let kindred: Vec<f32> = family_of.iter().map(|family| families[usize::from(*family)] / all).collect();
        let kinship = |(kindred, text): (&f32, &f32)| 0.3 * kindred + 0.1 * (1.0 + text).ln();
        let kinships: Vec<f32> = kindred.iter().zip(&texts).map(kinship).collect();
        let closest = kinships.iter().copied().fold(0.0, f32::max);
        Self { texts, kindred, kinships, closest, except }
    }

    /// What a text shares: about the number of groups of signs.
    pub fn text(&self, number: TextNumber) -> f32 {
        self.texts.get(usize::from(number)).copied().unwrap_or_default()
    }

    /// The share that the text's project and language have in all that is shared, from 0 to 1.
    pub fn kindred(&self, number: TextNumber) -> f32 {
        self.kindred.get(usize::from(number)).copied().unwrap_or_default()
    }

    /// What both are worth in the rough likeness by which witnesses are chosen.
    #[inline]
    pub(super) fn kinship(&self, number: TextNumber) -> f32 {
        self.kinships.get(usize::from(number)).copied().unwrap_or_default()
    }

    /// What the closest text of all is worth so.
    pub(super) fn closest(&self) -> f32 {
        self.closest
    }

    /// Whether a text may witness.
    pub fn admits(&self, number: TextNumber) -> bool {
        Some(number) != self.except
    }
}

/// The groups of known signs that follow one another, each once.
fn groups_of(corpus: &AttestedTexts, signs: &[AttestedSign]) -> Vec<Group> {
    let mut seen = HashSet::new();
    let known = |group: &&[AttestedSign]| group.iter().all(|sign| sign.reading > TEXT_END);
    let classes = |group: &[AttestedSign]| std::array::from_fn(|place| corpus.readings().class(group[place].reading));
    signs.windows(GROUP).filter(known).map(classes).filter(|group| seen.insert(*group)).collect()
}

/// The texts in which each group stands, each once, rising.
///
/// A group is looked for where its rarest sign stands. That of a word is the rarest of up to three groups, and its
/// places are gone through once for all of them.
fn texts_with(corpus: &AttestedTexts, groups: &[Group]) -> Vec<Vec<TextNumber>> {
    let mut by_rarest: BTreeMap<SignClass, Vec<(usize, usize)>> = BTreeMap::new();
    for (number, group) in groups.iter().enumerate() {
        let rarest = (0..GROUP).min_by_key(|distance| corpus.places(group[*distance]).len()).unwrap_or_default();
        by_rarest.entry(group[rarest]).or_default().push((number, rarest));
    }
    let mut found = vec![Vec::new(); groups.len()];
    for (class, sharing) in by_rarest {
        for place in corpus.places(class) {
            for (number, rarest) in &sharing {
                let Some(first) = (*place as usize).checked_sub(*rarest) else { continue };
                if !groups[*number].iter().zip(first..).all(|(class, place)| corpus.class(place) == *class) {
                    continue;
                }
                let texts = &mut found[*number];
                let newest = texts.last().copied();
                texts.extend(corpus.text_at(first).filter(|text| newest != Some(*text)));
            }
        }
    }
    found
}
