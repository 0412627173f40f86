//! The edited texts that share most with a text: groups of two and three signs, the rarer the more.

use super::groups::{Group, shared_groups};
use crate::attested::{AttestedSign, AttestedTexts, TEXT_END, TextNumber};
use tuppum_tasks::attribution::NearText;

/// How many lengths groups have.
const LENGTHS: f32 = 2.0;
/// How many shared groups are shown of a text.
const SHOWN: usize = 3;

/// An edited text and how like it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Near {
    /// Its number.
    pub text: TextNumber,
    /// The information of the groups of signs that both share, by the square root of both lengths; hardly above 1.
    pub likeness: f32,
}

/// The `most` likest texts, the likest first, without `except`.
pub fn nearest(corpus: &AttestedTexts, signs: &[AttestedSign], most: usize, except: Option<TextNumber>) -> Vec<Near> {
    nearest_by(corpus, (signs, &shared_groups(corpus, signs)), most, except)
}

/// The same where it is known which groups of the signs stand where.
pub(super) fn nearest_by(
    corpus: &AttestedTexts,
    (signs, groups): (&[AttestedSign], &[Group]),
    most: usize,
    except: Option<TextNumber>,
) -> Vec<Near> {
    let mut shared = vec![0.0_f32; corpus.text_count()];
    for group in groups {
        for (text, _) in &group.texts {
            if let Some(sum) = shared.get_mut(usize::from(*text)) {
                *sum += group.weight;
            }
        }
    }
    let rarest = (corpus.text_count().max(2) as f32).ln() * LENGTHS;
    let own = root(known(signs.iter().copied()));
    let near = |(text, shared): (TextNumber, &f32)| {
        let length = root(corpus.readable_signs(text));
        Near { text, likeness: shared / (own * length * rarest) }
    };
    // Where the user's own texts are from is not known.
    let votes = |text: TextNumber| Some(text) != except && corpus.text(text).is_some_and(|text| !text.own);
    let sharing = (0..).zip(&shared).filter(|(text, shared)| **shared > 0.0 && votes(*text));
    let mut found: Vec<Near> = sharing.map(near).collect();
    let by_likeness =
        |one: &Near, other: &Near| other.likeness.total_cmp(&one.likeness).then(one.text.cmp(&other.text));
    // Thousands of texts share something; only the first ones need an order.
    if most < found.len() {
        found.select_nth_unstable_by(most, by_likeness);
        found.truncate(most);
    }
    found.sort_unstable_by(by_likeness);
    found
}

/// Texts as reasons: with the groups that each shares with the signs asked about, which `write` puts into letters.
pub(super) fn reasons(
    corpus: &AttestedTexts,
    mut groups: Vec<Group>,
    found: &[Near],
    write: impl Fn(usize, usize) -> String,
) -> Vec<NearText> {
    groups.sort_by(|one, other| other.weight.total_cmp(&one.weight).then(one.place.cmp(&other.place)));
    let reason = |near: &Near| {
        let shared: Vec<&Group> = groups.iter().filter(|group| group.place_in(near.text).is_some()).collect();
        let place = shared.first().and_then(|group| group.place_in(near.text));
        let place = place.unwrap_or(corpus.signs_of(near.text).start);
        let mut rarest: Vec<&Group> = Vec::new();
        for group in &shared {
            let overlaps =
                |other: &&Group| group.place < other.place + other.length && other.place < group.place + group.length;
            if rarest.len() < SHOWN && !rarest.iter().any(overlaps) {
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

/// How many signs can be read and stand in the corpora.
pub(super) fn known(signs: impl Iterator<Item = AttestedSign>) -> usize {
    signs.filter(|sign| sign.reading > TEXT_END).count()
}

fn root(signs: usize) -> f32 {
    (1.0 + signs as f32).sqrt()
}
