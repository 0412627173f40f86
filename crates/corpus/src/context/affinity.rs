//! Measures how much each text of the corpora shares with the text asked about, by groups of three signs weighted by
//! rarity.
//!
//! A text that shares many is often a duplicate, a letter of the same archive or a recension of the same inscription.
//! Its reading of the gap weighs more, and so do all texts of a project that shares much. Nobody has to name the
//! period.

use crate::attested::{AttestedSign, AttestedTexts, SignClass, TEXT_END, TextNumber};
use std::collections::{BTreeMap, HashSet};

/// Number of signs in a group.
const GROUP_SIGNS: usize = 3;
/// Consecutive signs, by class.
type Group = [SignClass; GROUP_SIGNS];
/// Number of texts at which a group's weight falls to zero.
const TEXTS_OF_NO_WEIGHT: f32 = 60_000.0;

/// Similarity of every text of the corpora to the text asked about.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Affinity {
    texts: Vec<f32>,
    /// Share of each text's family (project and language) in the sum over all families.
    kindred: Vec<f32>,
    /// Sum of both, by which a text's places are ranked before they are weighed.
    kinships: Vec<f32>,
    closest: f32,
    /// Text that must not be a witness: the one asked about, if the corpora contain it.
    except: Option<TextNumber>,
}

impl Affinity {
    /// Compares these signs with all texts. The text `except` shares nothing and is never a witness.
    pub fn of(corpus: &AttestedTexts, signs: &[AttestedSign], except: Option<TextNumber>) -> Self {
        let mut texts = vec![0.0; corpus.text_count()];
        let family_of = corpus.families();
        let mut families = vec![0.0; family_of.iter().max().map_or(0, |last| usize::from(*last) + 1)];
        for mut found in texts_with(corpus, &groups_of(corpus, signs)) {
            found.retain(|text| Some(*text) != except);
            let weight = ((TEXTS_OF_NO_WEIGHT / found.len().max(1) as f32).ln() / TEXTS_OF_NO_WEIGHT.ln()).max(0.0);
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

    /// Returns the similarity of a text: about the number of shared groups.
    pub fn text(&self, number: TextNumber) -> f32 {
        self.texts.get(usize::from(number)).copied().unwrap_or_default()
    }

    /// Returns the share of the text's project and language in everything that is shared, from 0 to 1.
    pub fn kindred(&self, number: TextNumber) -> f32 {
        self.kindred.get(usize::from(number)).copied().unwrap_or_default()
    }

    /// Returns the contribution of both to the rough similarity by which witnesses are chosen.
    #[inline]
    pub(super) fn kinship(&self, number: TextNumber) -> f32 {
        self.kinships.get(usize::from(number)).copied().unwrap_or_default()
    }

    /// Returns the largest kinship of any text.
    pub(super) fn closest(&self) -> f32 {
        self.closest
    }

    /// Returns `true` if a text may be a witness.
    pub fn admits(&self, number: TextNumber) -> bool {
        Some(number) != self.except
    }
}

/// Returns the groups of consecutive known signs, each once.
fn groups_of(corpus: &AttestedTexts, signs: &[AttestedSign]) -> Vec<Group> {
    let mut seen = HashSet::new();
    let known = |group: &&[AttestedSign]| group.iter().all(|sign| sign.reading > TEXT_END);
    let classes = |group: &[AttestedSign]| std::array::from_fn(|place| corpus.readings().class(group[place].reading));
    signs.windows(GROUP_SIGNS).filter(known).map(classes).filter(|group| seen.insert(*group)).collect()
}

/// Returns the texts that contain each group, each text once, in rising order.
///
/// A group is looked up at its rarest sign. A sign can be the rarest of up to three groups, so its places are visited
/// once for all of them.
fn texts_with(corpus: &AttestedTexts, groups: &[Group]) -> Vec<Vec<TextNumber>> {
    let mut by_rarest: BTreeMap<SignClass, Vec<(usize, usize)>> = BTreeMap::new();
    for (number, group) in groups.iter().enumerate() {
        let rarest = (0..GROUP_SIGNS).min_by_key(|distance| corpus.places(group[*distance]).len()).unwrap_or_default();
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
                // Places rise, so a text that has the group twice was added last.
                let newest = texts.last().copied();
                texts.extend(corpus.text_at(first).filter(|text| newest != Some(*text)));
            }
        }
    }
    found
}
