//! Finds the remembered translation of a passage.

use super::pairs::{AskedPassage, TranslationMemory};
use super::ranking::{AskedWords, RunEvidence};
use super::words::English;
use crate::attested::{AttestedSign, TextNumber, written_signs};
use crate::parallels::{Aligned, Alignment, Parallel, VotedStretch, align, aligned, candidates};
use rapidfuzz::fuzz::{Args, RatioBatchComparator};
use std::collections::HashSet;
use std::ops::Range;
use tuppum_domain::attested::{RememberedRun, RememberedTranslation, pieces};
use tuppum_domain::restoration::texts::Text;
use tuppum_text::Document;

/// Minimum known signs of a part of a passage that is looked for on its own.
const MIN_KNOWN_SIGNS: usize = 3;
/// Largest number of pairs in a run.
const MAX_RUN_PAIRS: usize = 6;
/// Largest number of runs that make up a translation.
const MAX_RUNS: usize = 4;
/// Minimum similarity of a run to its part of the passage.
const MIN_RUN_SIMILARITY: f32 = 0.55;
/// Number of stretches taken from the votes.
const VOTED_STRETCHES: usize = 2000;
/// Number of voted stretches that are aligned.
const ALIGNED_STRETCHES: usize = 200;
/// Weight of similarity by letters; similarity by signs has the rest. Chosen on the validation pairs.
const LETTERS_WEIGHT: f32 = 0.7;
/// Number of runs compared letter by letter.
const COMPARED_BY_LETTERS: usize = 60;
/// Largest number of letters of a passage that is compared by letters with all pairs that are about as short.
const SHORT_LETTERS: usize = 64;
/// Minimum similarity by letters of such a pair.
const MIN_LETTERS_SIMILARITY: f64 = 0.5;
/// Scores within 1.0 of the best (of at most 87) count as ties; the most usual wording wins.
const TIE_MARGIN: f32 = 1.0;
/// Number of runs compared by their words and translations.
const COMPARED_RUNS: usize = 20;

/// Consecutive pairs of a text, with the similarity of their source to the passage or a part of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Remembered {
    pub text: TextNumber,
    pub pairs: Range<usize>,
    /// Signs of the passage that the pairs cover.
    pub asked: Range<usize>,
    /// Weighted mean of the similarities by signs and by letters, each twice what agrees divided by the sum of both
    /// lengths. For a part of a passage the similarity by signs alone.
    pub similarity: f32,
    /// Similarity by signs.
    signs: f32,
    /// Similarity by letters; 0 if it was not measured.
    letters: f32,
    agree: f32,
    known: usize,
}

/// The best run of pairs for a passage, or several for its parts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recall {
    /// Runs, in the order of the parts of the passage that they cover.
    pub runs: Vec<Remembered>,
    /// Similarity of all runs together to the passage.
    pub similarity: f32,
}

impl TranslationMemory {
    /// Returns the `most` nearest runs of pairs, at most one per text, nearest first.
    pub fn nearest(&self, asked: &AskedPassage, most: usize, except: Option<TextNumber>) -> Vec<Remembered> {
        let mut found = one_a_text(self.near(asked, &self.near_by_signs(&asked.signs, except), except));
        found.truncate(most);
        found
    }

    /// Returns near runs of pairs, several per text possible, nearest first; `by_signs` are the runs near by signs.
    fn near(&self, asked: &AskedPassage, by_signs: &[Remembered], except: Option<TextNumber>) -> Vec<Remembered> {
        let mut found: Vec<Remembered> = by_signs.iter().take(COMPARED_BY_LETTERS).cloned().collect();
        found.extend(self.nearest_by_letters(asked, except));
        let letters = RatioBatchComparator::new(asked.letters.chars());
        for run in &mut found {
            run.letters = letters.similarity(self.source_of(run.pairs.clone()).chars()) as f32;
            // Weighted mean of both similarities: a step from signs towards letters.
            run.similarity += LETTERS_WEIGHT * (run.letters - run.similarity);
        }
        sort(&mut found);
        let mut seen = HashSet::new();
        // A run can be near both by signs and by letters.
        found.retain(|run| seen.insert(run.pairs.clone()));
        found
    }

    /// Returns near runs by agreement sign by sign, several per text possible, nearest first.
    fn near_by_signs(&self, asked: &[AttestedSign], except: Option<TextNumber>) -> Vec<Remembered> {
        let aligned = self.likely(asked).into_iter().filter_map(|candidate| aligned(self.sources(), asked, candidate));
        let others = aligned.filter(|(text, _)| Some(*text) != except);
        let mut found: Vec<Remembered> =
            others.filter_map(|(text, alignment)| self.best_run(asked, text, &alignment)).collect();
        sort(&mut found);
        found
    }

    /// Returns the nearest pairs of a short passage by letters, since the signs of a word or two change with every
    /// ending.
    fn nearest_by_letters(&self, asked: &AskedPassage, except: Option<TextNumber>) -> Vec<Remembered> {
        if asked.letters.chars().count() > SHORT_LETTERS {
            return Vec::new();
        }
        let letters = RatioBatchComparator::new(asked.letters.chars());
        let arguments = Args::default().score_cutoff(MIN_LETTERS_SIMILARITY);
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

    /// Returns the stretches to align: first those with many votes whose pair is about as long as the passage.
    fn likely(&self, asked: &[AttestedSign]) -> Vec<VotedStretch> {
        let sources = self.sources();
        let known = Self::known(asked) as f32;
        // The votes count in full for a pair as long as the passage, by half for one of a very different length.
        let worth = |candidate: &VotedStretch| {
            let middle = (candidate.begin + asked.len() as isize / 2).max(0) as usize;
            let length = sources.signs_of_line(sources.line_at(middle)).len() as f32;
            candidate.votes * (0.5 + known.min(length) / (known + length))
        };
        let mut found: Vec<(f32, VotedStretch)> = candidates(sources, asked, VOTED_STRETCHES)
            .into_iter()
            .map(|candidate| (worth(&candidate), candidate))
            .collect();
        found.sort_by(|one, other| other.0.total_cmp(&one.0));
        found.into_iter().take(ALIGNED_STRETCHES).map(|(_, candidate)| candidate).collect()
    }

    /// Returns the run, or the runs for parts, that serve a passage best.
    pub fn recall(&self, asked: &AskedPassage, except: Option<TextNumber>) -> Recall {
        let mut found = self.recalls(asked, except);
        let best = found.iter().map(|(_, evidence)| evidence.worth()).fold(f32::MIN, f32::max);
        let english: Vec<HashSet<English>> = found.iter().map(|(recall, _)| self.english_of(recall)).collect();
        let as_good = (0..found.len()).filter(|place| found[*place].1.worth() >= best - TIE_MARGIN);
        let usual = |place: &usize| english.iter().map(|other| common(&english[*place], other)).sum::<f32>();
        // Of equally usual wordings the nearest, which comes first.
        let chosen = as_good.rev().max_by(|one, other| usual(one).total_cmp(&usual(other)));
        chosen.map(|chosen| found.swap_remove(chosen).0).unwrap_or_default()
    }

    /// Returns the English words of a recall.
    fn english_of(&self, recall: &Recall) -> HashSet<English> {
        let pairs = recall.runs.iter().flat_map(|run| run.pairs.clone());
        pairs.flat_map(|pair| self.words().english_of(pair)).copied().collect()
    }

    /// Returns the candidates for a passage with their evidence: the nearest runs, and several runs together.
    pub fn recalls(&self, asked: &AskedPassage, except: Option<TextNumber>) -> Vec<(Recall, RunEvidence)> {
        let words = AskedWords::new(self.words(), &asked.letters, &self.pairs_of(except));
        let single = |run: Remembered| {
            let source = self.source_of(run.pairs.clone());
            let evidence = words.evidence(std::slice::from_ref(&run.pairs), &source, run.signs, run.letters);
            (Recall { similarity: run.similarity, runs: vec![run] }, evidence)
        };
        let by_signs = self.near_by_signs(&asked.signs, except);
        let nearest = one_a_text(self.near(asked, &by_signs, except)).into_iter().take(COMPARED_RUNS);
        let mut found: Vec<(Recall, RunEvidence)> = nearest.map(single).collect();
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

    /// Returns runs for the parts of a passage that together are most similar to it; `by_signs` are the runs near the
    /// whole.
    fn parts(&self, asked: &[AttestedSign], by_signs: Vec<Remembered>, except: Option<TextNumber>) -> Recall {
        let mut runs = vec![];
        if Self::known(asked) >= MIN_KNOWN_SIGNS {
            self.fill(asked, 0..asked.len(), by_signs, except, &mut runs);
        }
        runs.sort_by_key(|part: &Remembered| part.asked.start);
        let agree: f32 = runs.iter().map(|part| part.agree).sum();
        let known: usize = runs.iter().map(|part| part.known).sum();
        Recall { similarity: dice(agree, Self::known(asked) + known), runs }
    }

    /// Returns the translation of a recall, with the names and numbers of the passage.
    pub fn answer(&self, asked: &AskedPassage, recall: &Recall, except: Option<TextNumber>) -> String {
        let of_run = |run: &Remembered| {
            let carried = self.carried_over(&asked.letters, run.pairs.clone(), self.pairs_of(except));
            let translation = self.translation(run.pairs.clone());
            pieces(&translation, &carried).iter().map(|piece| piece.text).collect::<String>()
        };
        recall.runs.iter().map(of_run).collect::<Vec<_>>().join(" ")
    }

    /// Returns the remembered translation of a transliteration, as it is displayed.
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

    /// Adds the run that is most similar to a part of the passage, taken from those near by signs, then runs for what
    /// it leaves out on either side.
    fn fill(
        &self,
        asked: &[AttestedSign],
        part: Range<usize>,
        by_signs: Vec<Remembered>,
        except: Option<TextNumber>,
        runs: &mut Vec<Remembered>,
    ) {
        let signs = asked.get(part.clone()).unwrap_or_default();
        // A run is judged only by the signs that it covers, so that a short one may serve a part.
        let covering = |run: &Remembered| {
            let covered = Self::known(signs.get(run.asked.clone()).unwrap_or_default());
            dice(run.agree, covered + run.known)
        };
        let found =
            one_a_text(by_signs).into_iter().take(COMPARED_RUNS).filter(|run| covering(run) >= MIN_RUN_SIMILARITY);
        let Some(mut best) = found.max_by(|one, other| one.agree.total_cmp(&other.agree)) else { return };
        best.similarity = covering(&best);
        best.asked = best.asked.start + part.start..best.asked.end + part.start;
        let rest = [part.start..best.asked.start, best.asked.end..part.end];
        runs.push(best);
        for part in rest {
            let signs = asked.get(part.clone()).unwrap_or_default();
            if runs.len() < MAX_RUNS && Self::known(signs) >= MIN_KNOWN_SIGNS {
                self.fill(asked, part, self.near_by_signs(signs, except), except, runs);
            }
        }
    }

    /// Returns the most similar run among the pairs that an alignment touches.
    fn best_run(&self, asked: &[AttestedSign], text: TextNumber, alignment: &Alignment) -> Option<Remembered> {
        let sources = self.sources();
        let last = alignment.attested.end.checked_sub(1)?;
        let (first, last) = (sources.line_at(alignment.attested.start), sources.line_at(last));
        let ends = |begin: usize| begin + 1..=(last + 1).min(begin + MAX_RUN_PAIRS);
        let runs = (first..=last).flat_map(|begin| ends(begin).map(move |end| begin..end));
        let runs = runs.filter_map(|pairs| self.run(asked, text, alignment, pairs));
        // On a tie the earlier run stays, and of those that begin alike the shorter one.
        runs.fold(None, |best: Option<Remembered>, run| match best {
            Some(best) if best.similarity >= run.similarity => Some(best),
            _ => Some(run),
        })
    }

    /// Compares a run of pairs with the passage along an alignment.
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

/// Keeps the nearest run of each text and sorts, nearest first.
fn one_a_text(mut runs: Vec<Remembered>) -> Vec<Remembered> {
    sort(&mut runs);
    let mut seen = HashSet::new();
    runs.retain(|run| seen.insert(run.text));
    runs
}

/// Sorts by similarity, nearest first.
fn sort(runs: &mut [Remembered]) {
    runs.sort_by(|one, other| {
        let places = |run: &Remembered| (run.pairs.start, run.pairs.end);
        other.similarity.total_cmp(&one.similarity).then(places(one).cmp(&places(other)))
    });
}

/// Returns twice the agreement divided by the sum of both lengths (Sørensen and Dice).
fn dice(agree: f32, all: usize) -> f32 {
    2.0 * agree / all.max(1) as f32
}

/// Returns the agreement of an alignment within some attested signs, and the signs of the passage that it covers.
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

/// Returns the words that two translations share, as a share of the words of either (Jaccard).
fn common(one: &HashSet<English>, other: &HashSet<English>) -> f32 {
    let both = one.intersection(other).count();
    both as f32 / (one.len() + other.len() - both).max(1) as f32
}
