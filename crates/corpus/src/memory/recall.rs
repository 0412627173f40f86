//! What is remembered of a passage.

use super::pairs::{AskedPassage, TranslationMemory};
use super::ranking::{Asked, Evidence};
use super::words::English;
use crate::attested::{AttestedSign, TextNumber, written_signs};
use crate::parallels::{Aligned, Alignment, Candidate, Parallel, align, aligned, candidates};
use rapidfuzz::fuzz::{Args, RatioBatchComparator};
use std::collections::HashSet;
use std::ops::Range;
use tuppum_tasks::attested::{RememberedRun, RememberedTranslation, pieces};
use tuppum_tasks::restoration::texts::Text;
use tuppum_text::Document;

/// A part of a passage with fewer known signs is not looked for on its own.
const FEWEST: usize = 3;
/// The longest run of pairs that is taken as one.
const LONGEST_RUN: usize = 6;
/// How many runs a translation is put together from, at most.
const MOST_RUNS: usize = 4;
/// A run for a part of the passage must be this like it.
const LEAST_LIKE: f32 = 0.55;
/// How many stretches are taken from the votes, and how many of them are aligned.
const VOTED: usize = 2000;
const ALIGNED: usize = 200;
/// How much letters weigh beside signs, which are one less this: chosen on the validation pairs.
const LETTERS_WEIGH: f32 = 0.7;
/// How many runs are compared letter by letter.
const COMPARED_BY_LETTERS: usize = 60;
/// A passage of at most so many letters is compared with all pairs that are about as short, if they are this like it.
const SHORT_LETTERS: usize = 64;
const LEAST_LETTERS: f64 = 0.5;
/// What is worth so little less than the best, of 87 at most, is as good; of these the one counts whose wording is most
/// usual.
const AS_GOOD: f32 = 1.0;
/// How many runs are compared by their words and translations.
const COMPARED: usize = 20;

/// Pairs that follow one another in a text, and how like their source is to the passage, or to a part of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Remembered {
    /// The text.
    pub text: TextNumber,
    /// The pairs.
    pub pairs: Range<usize>,
    /// Which signs of the passage they are for.
    pub asked: Range<usize>,
    /// Weighed mean of two likenesses, of signs and of letters: twice what agrees by all that both have. Of a part of a
    /// passage that of signs alone.
    pub similarity: f32,
    /// The two likenesses; that of letters is 0 where it was not measured.
    signs: f32,
    letters: f32,
    agree: f32,
    known: usize,
}

/// What is remembered of a passage: the best run of pairs, or several for its parts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recall {
    /// The runs, in the order of the parts of the passage that they are for.
    pub runs: Vec<Remembered>,
    /// How like all of them together are to the passage.
    pub similarity: f32,
}

impl TranslationMemory {
    /// The `most` nearest runs of pairs, at most one a text, the nearest first.
    pub fn nearest(&self, asked: &AskedPassage, most: usize, except: Option<TextNumber>) -> Vec<Remembered> {
        let mut found = one_a_text(self.near(asked, &self.near_by_signs(&asked.signs, except), except));
        found.truncate(most);
        found
    }

    /// Near runs of pairs, also several of a text, the nearest first; `by_signs` are those near by signs.
    fn near(&self, asked: &AskedPassage, by_signs: &[Remembered], except: Option<TextNumber>) -> Vec<Remembered> {
        let mut found: Vec<Remembered> = by_signs.iter().take(COMPARED_BY_LETTERS).cloned().collect();
        found.extend(self.nearest_by_letters(asked, except));
        let letters = RatioBatchComparator::new(asked.letters.chars());
        for run in &mut found {
            run.letters = letters.similarity(self.source_of(run.pairs.clone()).chars()) as f32;
            run.similarity += LETTERS_WEIGH * (run.letters - run.similarity);
        }
        sort(&mut found);
        let mut seen = HashSet::new();
        found.retain(|run| seen.insert(run.pairs.clone()));
        found
    }

    /// Near runs by what agrees sign by sign, also several of a text, the nearest first.
    fn near_by_signs(&self, asked: &[AttestedSign], except: Option<TextNumber>) -> Vec<Remembered> {
        let aligned = self.likely(asked).into_iter().filter_map(|candidate| aligned(self.sources(), asked, candidate));
        let others = aligned.filter(|(text, _)| Some(*text) != except);
        let mut found: Vec<Remembered> =
            others.filter_map(|(text, alignment)| self.best_run(asked, text, &alignment)).collect();
        sort(&mut found);
        found
    }

    /// The nearest pairs of a short passage by their letters: of a word or two the signs differ with every ending.
    fn nearest_by_letters(&self, asked: &AskedPassage, except: Option<TextNumber>) -> Vec<Remembered> {
        if asked.letters.chars().count() > SHORT_LETTERS {
            return Vec::new();
        }
        let letters = RatioBatchComparator::new(asked.letters.chars());
        let arguments = Args::default().score_cutoff(LEAST_LETTERS);
        let mut found: Vec<(f64, usize)> = Vec::new();
        for pair in 0..self.len() {
            let source = self.source(pair);
            if source.len() <= 4 * SHORT_LETTERS
                && let Some(likeness) = letters.similarity_with_args(source.chars(), &arguments)
            {
                found.push((likeness, pair));
            }
        }
        found.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
        let sources = self.sources();
        let run = |(_, pair): &(f64, usize)| {
            let signs = sources.signs_of_line(*pair);
            let text = sources.text_at(signs.start).filter(|text| Some(*text) != except)?;
            let alignment = align(sources, &asked.signs, signs.clone());
            self.run(&asked.signs, text, &alignment, *pair..pair + 1)
        };
        found.iter().filter_map(run).take(COMPARED_BY_LETTERS).collect()
    }

    /// The stretches to align: those with many votes whose pair is about as long as the passage come first.
    fn likely(&self, asked: &[AttestedSign]) -> Vec<Candidate> {
        let sources = self.sources();
        let known = Self::known(asked) as f32;
        let worth = |candidate: &Candidate| {
            let middle = (candidate.begin + asked.len() as isize / 2).max(0) as usize;
            let length = sources.signs_of_line(sources.line_at(middle)).len() as f32;
            candidate.votes * (0.5 + known.min(length) / (known + length))
        };
        let mut found: Vec<(f32, Candidate)> =
            candidates(sources, asked, VOTED).into_iter().map(|candidate| (worth(&candidate), candidate)).collect();
        found.sort_by(|one, other| other.0.total_cmp(&one.0));
        found.into_iter().take(ALIGNED).map(|(_, candidate)| candidate).collect()
    }

    /// What is nearest to a passage and serves it best: one run of pairs, or several for its parts.
    pub fn recall(&self, asked: &AskedPassage, except: Option<TextNumber>) -> Recall {
        let mut found = self.recalls(asked, except);
        let best = found.iter().map(|(_, evidence)| evidence.worth()).fold(f32::MIN, f32::max);
        let english: Vec<HashSet<English>> = found.iter().map(|(recall, _)| self.english_of(recall)).collect();
        let as_good = (0..found.len()).filter(|place| found[*place].1.worth() >= best - AS_GOOD);
        let usual = |place: &usize| english.iter().map(|other| common(&english[*place], other)).sum::<f32>();
        // Of equally usual ones the nearest, which comes first.
        let chosen = as_good.rev().max_by(|one, other| usual(one).total_cmp(&usual(other)));
        chosen.map(|chosen| found.swap_remove(chosen).0).unwrap_or_default()
    }

    /// The English words of what is remembered.
    fn english_of(&self, recall: &Recall) -> HashSet<English> {
        let pairs = recall.runs.iter().flat_map(|run| run.pairs.clone());
        pairs.flat_map(|pair| self.words().english_of(pair)).copied().collect()
    }

    /// What may be remembered of a passage, with what speaks for it: the nearest runs, and several together.
    pub fn recalls(&self, asked: &AskedPassage, except: Option<TextNumber>) -> Vec<(Recall, Evidence)> {
        let words = Asked::new(self.words(), &asked.letters, &self.pairs_of(except));
        let single = |run: Remembered| {
            let source = self.source_of(run.pairs.clone());
            let evidence = words.evidence(std::slice::from_ref(&run.pairs), &source, run.signs, run.letters);
            (Recall { similarity: run.similarity, runs: vec![run] }, evidence)
        };
        let by_signs = self.near_by_signs(&asked.signs, except);
        let nearest = one_a_text(self.near(asked, &by_signs, except)).into_iter().take(COMPARED);
        let mut found: Vec<(Recall, Evidence)> = nearest.map(single).collect();
        let parts = self.parts(&asked.signs, by_signs, except);
        if parts.runs.len() > 1 {
            let pairs: Vec<Range<usize>> = parts.runs.iter().map(|run| run.pairs.clone()).collect();
            let source = pairs.iter().map(|pairs| self.source_of(pairs.clone())).collect::<Vec<_>>().join(" ");
            let letters = RatioBatchComparator::new(asked.letters.chars()).similarity(source.chars()) as f32;
            let evidence = words.evidence(&pairs, &source, parts.similarity, letters);
            found.push((parts, evidence));
        }
        found
    }

    /// The runs that together are most like a passage, each for a part of it; `by_signs` are those near the whole.
    fn parts(&self, asked: &[AttestedSign], by_signs: Vec<Remembered>, except: Option<TextNumber>) -> Recall {
        let mut runs = vec![];
        if Self::known(asked) >= FEWEST {
            self.fill(asked, 0..asked.len(), by_signs, except, &mut runs);
        }
        runs.sort_by_key(|part: &Remembered| part.asked.start);
        let agree: f32 = runs.iter().map(|part| part.agree).sum();
        let known: usize = runs.iter().map(|part| part.known).sum();
        Recall { similarity: dice(agree, Self::known(asked) + known), runs }
    }

    /// The translation of a recall, with what is carried over from the passage.
    pub fn answer(&self, asked: &AskedPassage, recall: &Recall, except: Option<TextNumber>) -> String {
        let of_run = |run: &Remembered| {
            let carried = self.carried_over(&asked.letters, run.pairs.clone(), self.pairs_of(except));
            let translation = self.translation(run.pairs.clone());
            pieces(&translation, &carried).iter().map(|piece| piece.text).collect::<String>()
        };
        recall.runs.iter().map(of_run).collect::<Vec<_>>().join(" ")
    }

    /// What is remembered of a transliteration, as it is shown.
    pub fn remembered(&self, source: &str) -> RememberedTranslation {
        let asked = self.asked(source);
        let recall = self.recall(&asked, None);
        let written = written_signs(&Text::of_document("", &Document::read(source)));
        let run = |run: Remembered| {
            let sources = self.sources();
            let last = run.pairs.end.saturating_sub(1);
            let signs = sources.signs_of_line(run.pairs.start).start..sources.signs_of_line(last).end;
            let alignment = align(sources, &asked.signs, signs.clone());
            let parallel = Parallel { text: run.text, alignment };
            RememberedRun {
                edition: sources.edition(run.text, signs),
                carried: self.carried_over(&asked.letters, run.pairs.clone(), 0..0),
                translation: self.translation(run.pairs),
                columns: parallel.passage(sources, &written).columns,
            }
        };
        RememberedTranslation { similarity: recall.similarity, runs: recall.runs.into_iter().map(run).collect() }
    }

    /// Adds the run that is most like a part of the passage, of those near it by signs, then those for what it leaves
    /// out on both sides.
    fn fill(
        &self,
        asked: &[AttestedSign],
        part: Range<usize>,
        by_signs: Vec<Remembered>,
        except: Option<TextNumber>,
        runs: &mut Vec<Remembered>,
    ) {
        let signs = asked.get(part.clone()).unwrap_or_default();
        // A run for a part is judged by the signs that it covers, so that a short one may serve.
        let covering = |run: &Remembered| {
            let covered = Self::known(signs.get(run.asked.clone()).unwrap_or_default());
            dice(run.agree, covered + run.known)
        };
        let found = one_a_text(by_signs).into_iter().take(COMPARED).filter(|run| covering(run) >= LEAST_LIKE);
        let Some(mut best) = found.max_by(|one, other| one.agree.total_cmp(&other.agree)) else { return };
        best.similarity = covering(&best);
        best.asked = best.asked.start + part.start..best.asked.end + part.start;
        let rest = [part.start..best.asked.start, best.asked.end..part.end];
        runs.push(best);
        for part in rest {
            let signs = asked.get(part.clone()).unwrap_or_default();
            if runs.len() < MOST_RUNS && Self::known(signs) >= FEWEST {
                self.fill(asked, part, self.near_by_signs(signs, except), except, runs);
            }
        }
    }

    /// Of the pairs that an alignment touches, the run that is most like the passage.
    fn best_run(&self, asked: &[AttestedSign], text: TextNumber, alignment: &Alignment) -> Option<Remembered> {
        let sources = self.sources();
        let last = alignment.attested.end.checked_sub(1)?;
        let (first, last) = (sources.line_at(alignment.attested.start), sources.line_at(last));
        let ends = |begin: usize| begin + 1..=(last + 1).min(begin + LONGEST_RUN);
        let runs = (first..=last).flat_map(|begin| ends(begin).map(move |end| begin..end));
        let runs = runs.filter_map(|pairs| self.run(asked, text, alignment, pairs));
        runs.fold(None, |best: Option<Remembered>, run| match best {
            Some(best) if best.similarity >= run.similarity => Some(best),
            _ => Some(run),
        })
    }

    /// A run of pairs as an alignment compares it with the passage.
    fn run(
        &self,
        asked: &[AttestedSign],
        text: TextNumber,
        alignment: &Alignment,
        pairs: Range<usize>,
    ) -> Option<Remembered> {
        let sources = self.sources();
        let signs = sources.signs_of_line(pairs.start).start..sources.signs_of_line(pairs.end.checked_sub(1)?).end;
        let (agree, covered) = agreement(alignment, &signs);
        let own: Vec<AttestedSign> = signs.map(|place| sources.sign(place)).collect();
        let known = Self::known(&own);
        let similarity = dice(agree, Self::known(asked) + known);
        Some(Remembered { text, pairs, asked: covered, similarity, signs: similarity, letters: 0.0, agree, known })
    }
}

/// Of each text its nearest run, the nearest first.
fn one_a_text(mut runs: Vec<Remembered>) -> Vec<Remembered> {
    sort(&mut runs);
    let mut seen = HashSet::new();
    runs.retain(|run| seen.insert(run.text));
    runs
}

/// The nearest first.
fn sort(runs: &mut [Remembered]) {
    runs.sort_by(|one, other| {
        let places = |run: &Remembered| (run.pairs.start, run.pairs.end);
        other.similarity.total_cmp(&one.similarity).then(places(one).cmp(&places(other)))
    });
}

/// Twice what agrees by all.
fn dice(agree: f32, all: usize) -> f32 {
    2.0 * agree / all.max(1) as f32
}

/// How many signs of an alignment agree within some of the attested ones, and from which to which of the passage.
fn agreement(alignment: &Alignment, signs: &Range<usize>) -> (f32, Range<usize>) {
    let (mut agree, mut covered) = (0.0, None::<Range<usize>>);
    for column in &alignment.columns {
        let (number, place, worth) = match column {
            Aligned::Same(number, place) => (number, place, 1.0),
            Aligned::Variant(number, place) => (number, place, 0.8),
            Aligned::Unknown(number, place) | Aligned::Different(number, place) => (number, place, 0.0),
            Aligned::OnlyAsked(_) | Aligned::OnlyAttested(_) => continue,
        };
        if signs.contains(place) {
            agree += worth;
            covered = Some(covered.map_or(*number, |covered| covered.start)..number + 1);
        }
    }
    (agree, covered.unwrap_or(0..0))
}

/// How many words two translations share, by all that either has.
fn common(one: &HashSet<English>, other: &HashSet<English>) -> f32 {
    let both = one.intersection(other).count();
    both as f32 / (one.len() + other.len() - both).max(1) as f32
}
