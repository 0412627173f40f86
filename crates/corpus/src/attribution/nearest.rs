//! Finds the edited texts that share most with a text, by groups of two and three signs weighted by rarity, and their
//! known origins.

use super::groups::{Group, shared_groups};
use crate::attested::{AttestedSign, AttestedTexts, TEXT_END, TextNumber, TextRecord};
use crate::counts::period;
use tuppum_domain::attested::NearText;
use tuppum_text::signs::Period;

/// Number of lengths of groups: two and three signs.
const GROUP_LENGTHS: f32 = 2.0;
/// Number of shared groups shown for a text.
const SHOWN_GROUPS: usize = 3;

/// An edited text with its similarity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SimilarText {
    /// Number of the text.
    pub text: TextNumber,
    /// Information (nats) of the groups that both texts share, divided by the square root of both lengths; hardly above
    /// 1.
    pub likeness: f32,
}

/// Returns the `most` nearest texts except `except`, most similar first.
pub fn nearest(
    corpus: &AttestedTexts,
    signs: &[AttestedSign],
    most: usize,
    except: Option<TextNumber>,
) -> Vec<SimilarText> {
    nearest_by(corpus, (signs, &shared_groups(corpus, signs)), most, except)
}

/// Returns the `most` nearest texts when the shared groups are known already.
pub(super) fn nearest_by(
    corpus: &AttestedTexts,
    (signs, groups): (&[AttestedSign], &[Group]),
    most: usize,
    except: Option<TextNumber>,
) -> Vec<SimilarText> {
    let mut shared = vec![0.0_f32; corpus.text_count()];
    for group in groups {
        for (text, _) in &group.texts {
            if let Some(sum) = shared.get_mut(usize::from(*text)) {
                *sum += group.weight;
            }
        }
    }
    let rarest = (corpus.text_count().max(2) as f32).ln() * GROUP_LENGTHS;
    let own = root(known(signs.iter().copied()));
    let near = |(text, shared): (TextNumber, &f32)| {
        let length = root(corpus.readable_signs(text));
        SimilarText { text, likeness: shared / (own * length * rarest) }
    };
    // The origin of the user's own texts is unknown, so they do not vote.
    let votes = |text: TextNumber| Some(text) != except && corpus.text(text).is_some_and(|text| !text.own);
    let sharing = (0..).zip(&shared).filter(|(text, shared)| **shared > 0.0 && votes(*text));
    let mut found: Vec<SimilarText> = sharing.map(near).collect();
    let by_likeness = |one: &SimilarText, other: &SimilarText| {
        other.likeness.total_cmp(&one.likeness).then(one.text.cmp(&other.text))
    };
    // Thousands of texts share something; only the first `most` need to be sorted.
    if most < found.len() {
        found.select_nth_unstable_by(most, by_likeness);
        found.truncate(most);
    }
    found.sort_unstable_by(by_likeness);
    found
}

/// Returns texts as reasons, each with the rarest groups that it shares with the question. `write` transliterates a
/// group.
pub(super) fn reasons(
    corpus: &AttestedTexts,
    mut groups: Vec<Group>,
    found: &[SimilarText],
    write: impl Fn(usize, usize) -> String,
) -> Vec<NearText> {
    groups.sort_by(|one, other| other.weight.total_cmp(&one.weight).then(one.place.cmp(&other.place)));
    let reason = |near: &SimilarText| {
        let shared: Vec<&Group> = groups.iter().filter(|group| group.place_in(near.text).is_some()).collect();
        let place = shared.first().and_then(|group| group.place_in(near.text));
        let place = place.unwrap_or(corpus.signs_of(near.text).start);
        let mut rarest: Vec<&Group> = Vec::new();
        for group in &shared {
            let overlaps =
                |other: &&Group| group.place < other.place + other.length && other.place < group.place + group.length;
            if rarest.len() < SHOWN_GROUPS && !rarest.iter().any(overlaps) {
                rarest.push(group);
            }
        }
        NearText {
            edition: corpus.edition(near.text, place..place + 1),
            period: corpus.text(near.text).and_then(|text| super::Origin::Period.of(text)).map(str::to_owned),
            likeness: near.likeness,
            shared: shared.len(),
            rarest: rarest.iter().map(|group| write(group.place, group.length)).collect(),
        }
    };
    found.iter().map(reason).collect()
}

/// Returns the number of signs that can be read and occur in the corpora.
pub(super) fn known(signs: impl Iterator<Item = AttestedSign>) -> usize {
    signs.filter(|sign| sign.reading > TEXT_END).count()
}

fn root(signs: usize) -> f32 {
    (1.0 + signs as f32).sqrt()
}

/// Kind of origin to guess.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Period, one of those that the corpora are counted by.
    Period,
    /// Oracc's project or CDLI's period.
    Project,
}

impl Origin {
    /// Returns the origin of a text; `None` for the user's own texts.
    pub fn of(self, text: &TextRecord) -> Option<&str> {
        if text.own { None } else { self.of_project(&text.project, &text.language) }
    }

    /// Returns the origin of a text in this project and language; `None` if it has no period known here, or no project.
    pub fn of_project<'p>(self, project: &'p str, language: &str) -> Option<&'p str> {
        match self {
            Self::Period => period(project, language).map(Period::name),
            // CDLI marks an uncertain period with a question mark.
            Self::Project => Some(project.trim_end_matches([' ', '?'])).filter(|project| !project.is_empty()),
        }
    }
}
