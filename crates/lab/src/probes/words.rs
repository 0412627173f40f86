//! Sentences of a treebank as encoders read them, with the signs of each word.

use super::occurrences::ProbeLine;
use super::scores::DependencyTree;
use std::ops::Range;
use tuppum_corpus::treebank::Sentence;
use tuppum_text::{Document, SignIndex, SignKind};

/// A sentence in signs, with the tree over those of its words that have any.
#[derive(Clone, Debug, PartialEq)]
pub struct Read {
    /// The text that the sentence belongs to.
    pub text: String,
    /// Line that is read, with [`ProbeLine::LABEL`] before it.
    pub line: String,
    /// Signs of each word of the tree.
    pub words: Vec<Vec<SignIndex>>,
    /// Reading of each sign of the line, or its text if it has no reading.
    pub readings: Vec<String>,
    /// The tree.
    pub tree: DependencyTree,
}

impl Read {
    /// Spells a sentence and reads it. A word without a spelling of its own has no state: a word written together with
    /// others is written there, and for any other word `...` stands, a break. Punctuation and words without a legible
    /// sign have no state either.
    pub fn of(sentence: &Sentence) -> Self {
        let mut line = String::from(ProbeLine::LABEL);
        let mut spans: Vec<(usize, Range<usize>)> = Vec::new();
        for (number, word) in sentence.words.iter().enumerate() {
            let written = |part: &Range<usize>| {
                part.contains(&number) && sentence.words[part.clone()].iter().any(|word| word.spelling.is_some())
            };
            let shown = match &word.spelling {
                Some(_) if word.is_punctuation() => continue,
                Some(spelling) => spelling,
                None if word.is_punctuation() || sentence.joined.iter().any(written) => continue,
                None => "...",
            };
            if line.len() > ProbeLine::LABEL.len() {
                line.push(' ');
            }
            if word.spelling.is_some() {
                spans.push((number, line.len()..line.len() + shown.len()));
            }
            line.push_str(shown);
        }
        let document = Document::read(&line);
        let signs: Vec<_> = document.signs().collect();
        let of_word = |(_, span): &(usize, Range<usize>)| -> Vec<SignIndex> {
            let within = |sign: &SignIndex| span.contains(&signs[*sign].span.start);
            (0..signs.len()).filter(within).collect()
        };
        let legible = |sign: &SignIndex| matches!(signs[*sign].kind, SignKind::Reading(_));
        let own = spans.iter().map(|word| (word.0, of_word(word)));
        let (numbers, words): (Vec<usize>, Vec<Vec<SignIndex>>) =
            own.filter(|(_, own)| own.iter().any(legible)).unzip();
        let reading = |sign: &&tuppum_text::Sign| sign.reading().unwrap_or_else(|| sign.span.of(&line)).to_owned();
        Self {
            text: sentence.text().to_owned(),
            tree: DependencyTree::of(sentence, &numbers),
            readings: signs.iter().map(reading).collect(),
            words,
            line,
        }
    }

    /// Returns the line without the label.
    pub fn transliteration(&self) -> &str {
        &self.line[ProbeLine::LABEL.len()..]
    }
}

/// Subtracts the mean of these states and scales them to mean square 1, so that the rates of learning fit any layer.
#[derive(Clone, Debug, PartialEq)]
pub struct StateScale {
    mean: Vec<f64>,
    size: f64,
}

impl StateScale {
    /// Leaves states as they are: points of the hyperboloid are on the scale of their space.
    pub fn none(width: usize) -> Self {
        Self { mean: vec![0.0; width], size: 1.0 }
    }

    /// Returns the scale of some sentences' states.
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

    /// Brings states to this scale.
    pub fn apply(&self, states: &[f32]) -> Vec<f32> {
        let means = self.mean.iter().cycle();
        states.iter().zip(means).map(|(one, mean)| ((f64::from(*one) - mean) / self.size) as f32).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tuppum_corpus::treebank::parse;

    #[test]
    fn words_are_their_signs() {
        let sentence = &parse(
            "# sent_id = Q7-2\n1\te\t_\tX\t_\t_\t0\troot\t_\tE₂.GAL\n\
             2-3\tb\t_\t_\t_\t_\t_\t_\t_\t_\n2\tb\t_\tX\t_\t_\t1\tx\t_\tE₂-šu₂\n\
             3\tšu\t_\tX\t_\t_\t2\tx\t_\t_\n4\tz\t_\tX\t_\t_\t2\tx\t_\t_\n5\tx\t_\tX\t_\t_\t4\tx\t_\tx\n\
             6\ta\t_\tX\t_\t_\t5\tx\t_\ta\n",
        )
        .unwrap()[0];
        let read = Read::of(sentence);
        assert_eq!(read.line, "1. E₂.GAL E₂-šu₂ ... x a");
        assert_eq!(read.transliteration(), "E₂.GAL E₂-šu₂ ... x a");
        assert_eq!(read.readings, ["E₂", "GAL", "E₂", "šu₂", "...", "x", "a"]);
        assert_eq!(read.words, [vec![0, 1], vec![2, 3], vec![6]]);
        assert_eq!(read.text, "Q7");
        // From `a` over the two words that have no state to the second word.
        assert_eq!(read.tree.distances, [0.0, 1.0, 4.0, 1.0, 0.0, 3.0, 4.0, 3.0, 0.0]);
    }

    #[test]
    fn states_are_centred_and_of_mean_square_one() {
        let pooled = [1.5_f32, 1.0, 3.5, 1.0, 7.0, 1.0];
        let scale = StateScale::of([&pooled[..]].into_iter(), 2);
        let scaled = scale.apply(&pooled);
        assert!(scaled[1] == 0.0 && scaled.iter().step_by(2).sum::<f32>().abs() < 1e-6);
        assert!((scaled.iter().map(|one| one * one).sum::<f32>() - 6.0).abs() < 1e-5);
        assert_eq!(StateScale::none(2).apply(&pooled), pooled);
    }
}
