//! Sentences of a treebank as the restorer reads them, and the states of their words from those of its tokens.

use super::DependencyTree;
use std::ops::Range;
use tuppum_corpus::treebank::Sentence;
use tuppum_text::encode::encode;
use tuppum_text::tokens::{TokenId, UNKNOWN, Vocabulary};
use tuppum_text::{Document, SignIndex, SignKind};

/// A sentence in tokens, with the tree over those of its words that have any.
#[derive(Clone, Debug, PartialEq)]
pub struct Read {
    /// The text that the sentence belongs to.
    pub text: String,
    /// What the restorer read.
    pub line: String,
    /// Tokens of the whole sentence.
    pub ids: Vec<TokenId>,
    /// For each word of the tree the places of its tokens.
    pub places: Vec<Vec<usize>>,
    /// The tree.
    pub tree: DependencyTree,
    /// Signs, and those that the restorer has no token for.
    pub signs: [usize; 2],
}

impl Read {
    /// Spells a sentence and reads it. A word without a spelling of its own has no state: one that is written together
    /// with others is written there, for any other `...` stands, a break. Punctuation and words without a legible sign
    /// have none either.
    pub fn of(sentence: &Sentence, vocabulary: &Vocabulary) -> Self {
        // The number keeps a sentence that begins with a number from being read as a line with a label.
        let mut line = String::from("1.");
        let mut spans: Vec<(usize, Range<usize>)> = Vec::new();
        for (number, word) in sentence.words.iter().enumerate() {
            let written = |part: &Range<usize>| {
                part.contains(&number) && sentence.words[part.clone()].iter().any(|word| word.spelling.is_some())
            };
            match &word.spelling {
                Some(_) if word.punctuation => {}
                Some(spelling) => {
                    line.push(' ');
                    spans.push((number, line.len()..line.len() + spelling.len()));
                    line.push_str(spelling);
                }
                None if word.punctuation || sentence.joined.iter().any(written) => {}
                None => line.push_str(" ..."),
            }
        }
        let document = Document::read(&line);
        let encoded = encode(&document, vocabulary);
        let signs: Vec<_> = document.signs().collect();
        let of_word = |(_, span): &(usize, Range<usize>)| -> Vec<SignIndex> {
            let within = |sign: &SignIndex| span.contains(&signs[*sign].span.start);
            (0..signs.len()).filter(within).collect()
        };
        let legible = |sign: &SignIndex| matches!(signs[*sign].kind, SignKind::Reading(_));
        let (mut words, mut places) = (Vec::new(), Vec::new());
        for word in &spans {
            let own = of_word(word);
            if own.iter().any(legible) {
                words.push(word.0);
                places.push(own.iter().filter_map(|sign| encoded.place_of(*sign)).collect());
            }
        }
        let unknown = encoded.ids.iter().filter(|id| **id == UNKNOWN).count();
        Self {
            text: sentence.text().to_owned(),
            tree: DependencyTree::of(sentence, &words),
            signs: [encoded.signs.iter().flatten().count(), unknown],
            ids: encoded.ids,
            line,
            places,
        }
    }

    /// The states of the words, `words × width`: means over the states of their tokens, which `state` gives by place.
    pub fn pooled<'a>(&self, width: usize, state: impl Fn(usize) -> &'a [f32]) -> Vec<f32> {
        let mut pooled = vec![0.0; self.places.len() * width];
        for (word, places) in pooled.chunks_exact_mut(width).zip(&self.places) {
            for place in places {
                word.iter_mut().zip(state(*place)).for_each(|(sum, one)| *sum += one / places.len() as f32);
            }
        }
        pooled
    }
}

/// Subtracts the mean of these states and divides by what makes their mean square 1, so that the rates of learning fit
/// any layer.
#[derive(Clone, Debug, PartialEq)]
pub struct StateScale {
    mean: Vec<f64>,
    size: f64,
}

impl StateScale {
    /// The scale of some sentences' states.
    pub fn of<'a>(states: impl Iterator<Item = &'a [f32]> + Clone, width: usize) -> Self {
        let rows = || states.clone().flat_map(|sentence| sentence.chunks_exact(width));
        let count = rows().count().max(1) as f64;
        let mut mean = vec![0.0; width];
        rows().for_each(|row| mean.iter_mut().zip(row).for_each(|(sum, one)| *sum += f64::from(*one) / count));
        let square =
            |row: &[f32]| row.iter().zip(&mean).map(|(one, mean)| (f64::from(*one) - mean).powi(2)).sum::<f64>();
        let size = (rows().map(square).sum::<f64>() / (count * width as f64)).sqrt();
        Self { mean, size: if size > 0.0 { size } else { 1.0 } }
    }

    /// States on this scale.
    pub fn apply(&self, states: &[f32]) -> Vec<f32> {
        let means = self.mean.iter().cycle();
        states.iter().zip(means).map(|(one, mean)| ((f64::from(*one) - mean) / self.size) as f32).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tuppum_corpus::treebank::parse;
    use tuppum_text::tokens::SPECIALS;

    #[test]
    fn words_are_the_tokens_of_their_signs() {
        let own = ["1(diš)", "E₂", "-GAL", "-šu₂", "a"];
        let vocabulary =
            Vocabulary::new(SPECIALS.iter().chain(&own).map(|token| (*token).to_owned()).collect()).unwrap();
        let sentence = &parse(
            "# sent_id = Q7-2\n1\te\t_\tX\t_\t_\t0\troot\t_\tE₂.GAL\n\
             2-3\tb\t_\t_\t_\t_\t_\t_\t_\t_\n2\tb\t_\tX\t_\t_\t1\tx\t_\tE₂-šu₂\n\
             3\tšu\t_\tX\t_\t_\t2\tx\t_\t_\n4\tz\t_\tX\t_\t_\t2\tx\t_\t_\n5\tx\t_\tX\t_\t_\t4\tx\t_\tx\n\
             6\ta\t_\tX\t_\t_\t5\tx\t_\ta\n",
        )
        .unwrap()[0];
        let read = Read::of(sentence, &vocabulary);
        assert_eq!(read.line, "1. E₂.GAL E₂-šu₂ ... x a");
        let shown: Vec<&str> = read.ids.iter().map(|id| vocabulary.text(*id)).collect();
        assert_eq!(shown.join(" "), "<bos> E₂ -GAL E₂ -šu₂ <gap> <x> a <br>");
        assert_eq!(read.places, [vec![1, 2], vec![3, 4], vec![7]]);
        assert_eq!((read.text.as_str(), read.signs), ("Q7", [7, 0]));
        // From `a` over the two words that have no state to the second word.
        assert_eq!(read.tree.distances, [0.0, 1.0, 4.0, 1.0, 0.0, 3.0, 4.0, 3.0, 0.0]);
        let states: Vec<[f32; 2]> = (0..9).map(|place: u8| [f32::from(place), 1.0]).collect();
        let pooled = read.pooled(2, |place| &states[place]);
        assert_eq!(pooled, [1.5, 1.0, 3.5, 1.0, 7.0, 1.0]);
        let scale = StateScale::of([pooled.as_slice()].into_iter(), 2);
        let scaled = scale.apply(&pooled);
        assert!(scaled[1] == 0.0 && scaled.iter().step_by(2).sum::<f32>().abs() < 1e-6);
        assert!((scaled.iter().map(|one| one * one).sum::<f32>() - 6.0).abs() < 1e-5);
    }
}
