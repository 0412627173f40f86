//! Runs several sources through one model, step by step.

use super::beam::Beam;
use super::next_byte::{Continuation, NextByte};
use super::options::{Method, Options};
use super::output::{Output, Partial, Shown};
use super::sample::Samples;
use super::search::{Paths, Search};
use tuppum_random::Random;
use tuppum_text::bytes::{END, PAD};

/// Searches outputs for the sources that the model has read, best first for each. `on_partial` gets the text so far
/// whenever it has changed, and the outputs of a source as soon as they are found.
///
/// # Errors
/// Returns the model's errors.
pub async fn generate<N: NextByte>(
    model: &mut N,
    sources: usize,
    options: &Options,
    on_partial: impl FnMut(Partial<'_>),
) -> Result<Vec<Vec<Output>>, N::Error> {
    let options = options.in_range();
    let mut shown = Shown::new(sources, on_partial);
    if options.method == Method::Greedy && options.read_every > 1 && !options.attention {
        return greedy(model, sources, &options, shown).await;
    }
    let mut found = vec![Vec::new(); sources];
    let mut live: Vec<(usize, Box<dyn Search>)> =
        (0..sources).map(|source| (source, search(source, &options))).collect();
    let mut rows: Vec<Continuation> = (0..sources).map(|parent| Continuation { parent, token: PAD }).collect();
    while !live.is_empty() {
        let scores = model.next(&rows).await?;
        // Every unfinished source has equally many rows.
        let each = rows.len() / live.len();
        rows.clear();
        let mut go_on = Vec::new();
        for (number, (source, mut search)) in live.into_iter().enumerate() {
            let next = search.advance(&scores, number * each);
            if next.is_empty() {
                found[source] = search.outputs();
                shown.end(source, &found[source]);
                continue;
            }
            shown.show(source, &search.partial());
            rows.extend(next.into_iter().map(|(row, token)| Continuation { parent: number * each + row, token }));
            go_on.push((source, search));
        }
        live = go_on;
    }
    Ok(found)
}

fn search(source: usize, options: &Options) -> Box<dyn Search> {
    match options.method {
        Method::Greedy => Box::new(Samples::new(0.0, 1, Random::new(0), options)),
        Method::Beam { beams, length_penalty, early } => Box::new(Beam::new(beams, length_penalty, early, options)),
        Method::Sample { temperature, seed } => {
            let random = Random::stream(seed, source as u64);
            Box::new(Samples::new(temperature, options.answers, random, options))
        }
    }
}

/// Returns one output per source. `shown` gets the text so far every [`Options::read_every`] bytes.
pub async fn greedy<N: NextByte>(
    model: &mut N,
    sources: usize,
    options: &Options,
    mut shown: Shown<impl FnMut(Partial<'_>)>,
) -> Result<Vec<Vec<Output>>, N::Error> {
    let mut written: Vec<WrittenOutput> = (0..sources).map(|_| WrittenOutput::default()).collect();
    let mut found = vec![Vec::new(); sources];
    let mut live: Vec<usize> = (0..sources).collect();
    let mut rows: Vec<Continuation> = (0..sources).map(|parent| Continuation { parent, token: PAD }).collect();
    let mut length = 0;
    while !live.is_empty() {
        let count = options.read_every.min(options.longest - length);
        let chosen = model.likeliest(&rows, count).await?;
        length += count;
        rows.clear();
        let mut go_on = Vec::new();
        for (row, (source, chosen)) in live.iter().zip(chosen).enumerate() {
            let own = &mut written[*source];
            let mut last = PAD;
            for chosen in chosen {
                own.end = Some(own.paths.append(own.end, chosen.token, chosen.log_probability, None));
                own.total += chosen.log_probability;
                own.length += 1;
                last = chosen.token;
                if last == END {
                    break;
                }
            }
            if last != END && length < options.longest {
                shown.show(*source, &own.paths.tokens(own.end));
                go_on.push(*source);
                rows.push(Continuation { parent: row, token: last });
            } else {
                found[*source] = vec![own.output()];
                shown.end(*source, &found[*source]);
            }
        }
        live = go_on;
    }
    Ok(found)
}

#[derive(Default)]
struct WrittenOutput {
    paths: Paths,
    end: Option<usize>,
    total: f32,
    length: usize,
}

impl WrittenOutput {
    fn output(&self) -> Output {
        self.paths.output(self.end, self.total / self.length.max(1) as f32)
    }
}

#[cfg(test)]
mod tests {

    //! The searches on a model small enough to enumerate.

    use super::super::next_byte::{NextByteScores, likeliest};
    use super::*;
    use tuppum_testing::now;
    use tuppum_text::bytes::{END, FIRST_BYTE};
    use tuppum_text::tokens::TokenId;

    /// A model whose scores follow from the tokens of a row, with few enough outputs to enumerate: the bytes `a`, `b`,
    /// … and the end; everything else is nearly impossible.
    struct ToyModel {
        /// Number of different bytes.
        letters: usize,
        /// Seed of all scores.
        seed: u64,
        /// Source and tokens of each row of the last step.
        rows: Vec<(usize, Vec<TokenId>)>,
        /// Number of rows of each call.
        calls: Vec<usize>,
        /// Number of calls after which the model fails.
        fails_after: Option<usize>,
    }

    /// Size of the toy vocabulary: up to the letter `z`.
    const VOCABULARY: usize = FIRST_BYTE as usize + 128;

    impl ToyModel {
        /// Creates a model that has read `sources` sources.
        fn new(sources: usize, letters: usize, seed: u64) -> Self {
            let rows = (0..sources).map(|source| (source, Vec::new())).collect();
            Self { letters, seed, rows, calls: Vec::new(), fails_after: None }
        }

        /// Returns the logits after these tokens.
        fn logits(&self, source: usize, tokens: &[TokenId]) -> Vec<f32> {
            let mut state = self.seed ^ (source as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            for token in tokens {
                state = (state ^ u64::from(*token)).wrapping_mul(0x0100_0000_01B3).rotate_left(23);
            }
            let mut logits = vec![-40.0; VOCABULARY];
            let letters = (0..self.letters as u32).map(|letter| FIRST_BYTE + u32::from(b'a') + letter);
            for token in letters.chain([END]) {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                logits[token as usize] = ((state >> 40) as f32 / (1u64 << 24) as f32 - 0.5) * 4.0;
            }
            logits
        }
    }

    impl NextByte for ToyModel {
        type Error = &'static str;

        async fn next(&mut self, rows: &[Continuation]) -> Result<NextByteScores, Self::Error> {
            if self.fails_after == Some(self.calls.len()) {
                return Err("cancelled");
            }
            self.calls.push(rows.len());
            self.rows = rows
                .iter()
                .map(|row| {
                    let (source, mut tokens) = self.rows[row.parent].clone();
                    tokens.push(row.token);
                    (source, tokens)
                })
                .collect();
            let logits = self.rows.iter().flat_map(|(source, tokens)| self.logits(*source, tokens)).collect();
            // The attention of each row is its number of tokens and 0.5.
            let attention = self.rows.iter().flat_map(|(_, tokens)| [tokens.len() as f32, 0.5]).collect();
            Ok(NextByteScores { logits, vocabulary: VOCABULARY, attention, inputs: 2 })
        }
    }

    fn run(model: &mut ToyModel, sources: usize, options: &Options) -> Vec<Vec<Output>> {
        now(generate(model, sources, options, |_| ())).unwrap()
    }

    fn beam(beams: usize, length_penalty: f32) -> Method {
        Method::Beam { beams, length_penalty, early: false }
    }

    /// Returns every output of up to `longest` tokens with its log-probability.
    fn all(model: &ToyModel, longest: usize) -> Vec<(Vec<TokenId>, f32)> {
        let mut open = vec![(Vec::new(), 0.0)];
        let mut done = Vec::new();
        for length in 1..=longest {
            let mut next = Vec::new();
            for (tokens, total) in open {
                let given: Vec<TokenId> = [PAD].into_iter().chain(tokens.iter().copied()).collect();
                let scores =
                    NextByteScores { logits: model.logits(0, &given), vocabulary: VOCABULARY, ..Default::default() };
                let log_probabilities = scores.log_probabilities(0);
                let letters = (0..model.letters as u32).map(|letter| FIRST_BYTE + u32::from(b'a') + letter);
                for token in letters.chain([END]) {
                    let longer = ([tokens.as_slice(), &[token]].concat(), total + log_probabilities[token as usize]);
                    if token == END || length == longest { done.push(longer) } else { next.push(longer) }
                }
            }
            open = next;
        }
        done
    }

    #[test]
    fn a_beam_as_wide_as_the_tree_finds_the_best_output() {
        for seed in 0..20 {
            for length_penalty in [0.0, 0.6, 1.0] {
                let mut model = ToyModel::new(1, 2, seed);
                let options =
                    Options { method: beam(32, length_penalty), longest: 4, answers: 3, ..Options::default() };
                let found = run(&mut model, 1, &options).remove(0);
                let score = |(tokens, total): &(Vec<TokenId>, f32)| total / (tokens.len() as f32).powf(length_penalty);
                let mut expected = all(&model, 4);
                expected.sort_by(|one, other| score(other).total_cmp(&score(one)));
                assert_eq!(found.len(), 3);
                for (found, expected) in found.iter().zip(&expected) {
                    assert_eq!(found.tokens, expected.0, "seed {seed}, penalty {length_penalty}");
                    assert!((found.score - score(expected)).abs() < 1e-5);
                    assert!((found.log_probabilities.iter().sum::<f32>() - expected.1).abs() < 1e-5);
                }
            }
        }
    }

    #[test]
    fn one_beam_is_greedy() {
        for seed in 0..20 {
            let options = Options { method: Method::Greedy, longest: 9, ..Options::default() };
            let greedy = run(&mut ToyModel::new(1, 3, seed), 1, &options).remove(0).remove(0);
            let options = Options { method: beam(1, 1.0), ..options };
            let one = run(&mut ToyModel::new(1, 3, seed), 1, &options).remove(0).remove(0);
            let mut model = ToyModel::new(1, 3, seed);
            let mut tokens = vec![PAD];
            while tokens.len() < 10 && tokens.last() != Some(&END) {
                tokens.push(likeliest(&model.logits(0, &tokens)).token);
            }
            assert_eq!(greedy.tokens, tokens[1..]);
            // One beam may continue past an end that greedy search takes, and return with something better; never
            // worse.
            assert!(one.score >= greedy.score - 1e-6, "seed {seed}");
            let options = Options { method: Method::Greedy, read_every: 4, longest: 9, ..Options::default() };
            assert_eq!(run(&mut model, 1, &options).remove(0).remove(0).tokens, greedy.tokens);
        }
    }

    #[test]
    fn sources_together_get_what_each_gets_alone() {
        let ways = [
            beam(3, 1.0),
            Method::Greedy,
            Method::Sample { temperature: 0.8, seed: 5 },
            Method::Beam { beams: 2, length_penalty: 0.5, early: true },
        ];
        for method in ways {
            for read_every in [1, 3] {
                let options =
                    Options { method: method.clone(), longest: 12, answers: 2, read_every, ..Options::default() };
                let together = run(&mut ToyModel::new(4, 3, 11), 4, &options);
                for (source, together) in together.iter().enumerate() {
                    let mut alone = ToyModel::new(4, 3, 11);
                    alone.rows = vec![(source, Vec::new())];
                    let mut own = options.clone();
                    if let Method::Sample { .. } = method {
                        // Every source has random numbers of its own, so only the first can be drawn alone.
                        if source > 0 {
                            continue;
                        }
                        own.method = method.clone();
                    }
                    assert_eq!(&run(&mut alone, 1, &own)[0], together, "{method:?}, source {source}");
                }
            }
        }
    }

    #[test]
    fn attention_follows_the_path_of_each_output() {
        let options = Options { method: beam(4, 1.0), longest: 8, answers: 4, attention: true, ..Options::default() };
        for output in run(&mut ToyModel::new(1, 3, 3), 1, &options).remove(0) {
            let expected: Vec<Vec<f32>> = (1..=output.tokens.len()).map(|length| vec![length as f32, 0.5]).collect();
            assert_eq!(output.attention, expected);
            assert_eq!(output.byte_attention().len(), output.text.len());
            assert_eq!(output.byte_probabilities().len(), output.text.len());
        }
    }

    #[test]
    fn samples_are_drawn_with_the_probabilities_of_the_model() {
        let mut model = ToyModel::new(1, 3, 1);
        let first = NextByteScores { logits: model.logits(0, &[PAD]), vocabulary: VOCABULARY, ..Default::default() };
        let likely = likeliest(&first.log_probabilities(0));
        let mut hits = 0;
        for seed in 0..50 {
            let method = Method::Sample { temperature: 1.0, seed };
            let options = Options { method, longest: 1, answers: 40, ..Options::default() };
            model.rows = vec![(0, Vec::new())];
            let drawn = run(&mut model, 1, &options).remove(0);
            assert!(drawn.is_sorted_by(|one, other| one.score >= other.score));
            hits += drawn.iter().filter(|output| output.tokens == [likely.token]).count();
        }
        let (share, expected) = (hits as f64 / 2000.0, f64::from(likely.log_probability).exp());
        // Four times the standard error of 2000 draws, which is below 0.0112.
        assert!((share - expected).abs() < 0.045, "{share} and {expected}");
    }

    #[test]
    fn equal_seeds_draw_equal_bytes_and_no_temperature_none_at_all() {
        let drawn = |temperature, seed| {
            let method = Method::Sample { temperature, seed };
            run(&mut ToyModel::new(1, 4, 2), 1, &Options { method, longest: 20, answers: 3, ..Options::default() })
        };
        assert_eq!(drawn(1.0, 1), drawn(1.0, 1));
        assert_ne!(drawn(1.0, 1), drawn(1.0, 2));
        let greedy = Options { method: Method::Greedy, longest: 20, ..Options::default() };
        let greedy = run(&mut ToyModel::new(1, 4, 2), 1, &greedy);
        assert!(drawn(0.0, 1)[0].iter().all(|output| *output == greedy[0][0]));
    }

    #[test]
    fn what_is_shown_changes_each_time_and_ends_with_the_output() {
        for method in [beam(3, 1.0), Method::Greedy] {
            for read_every in [1, 4] {
                let options = Options { method: method.clone(), longest: 10, read_every, ..Options::default() };
                let mut reported = [vec![String::new()], vec![String::new()]];
                let mut told = [None, None];
                let found =
                    now(generate(&mut ToyModel::new(2, 3, 8), 2, &options, |Partial { source, text, found }| {
                        assert_eq!(told[source], None, "what was found is told last");
                        match found {
                            Some(found) => told[source] = Some((text.to_owned(), found.to_vec())),
                            None => reported[source].push(text.to_owned()),
                        }
                    }))
                    .unwrap();
                assert!(reported.iter().any(|texts| texts.len() > 1));
                assert!(reported.iter().all(|texts| texts.windows(2).all(|pair| pair[0] != pair[1])));
                assert_eq!(
                    told.map(|told| told.unwrap()).to_vec(),
                    [0, 1].map(|at| (found[at][0].text.clone(), found[at].clone()))
                );
            }
        }
    }

    #[test]
    fn a_failing_model_ends_the_search() {
        let mut model = ToyModel::new(1, 3, 8);
        model.fails_after = Some(3);
        let options = Options { longest: 10, ..Options::default() };
        assert_eq!(now(generate(&mut model, 1, &options, |_| ())), Err("cancelled"));
        assert_eq!(model.calls, [1, 5, 5]);
    }

    #[test]
    fn options_out_of_range_are_taken_as_the_nearest() {
        let method = Method::Beam { beams: 0, length_penalty: f32::NAN, early: false };
        let options = Options { method, longest: 0, answers: 0, read_every: 0, ..Options::default() };
        let found = run(&mut ToyModel::new(1, 3, 8), 1, &options);
        assert_eq!(found[0].len(), 1);
        assert_eq!(found[0][0].tokens.len(), 1);
    }

    #[test]
    fn the_more_rows_a_source_has_the_fewer_sources_are_searched_for_together() {
        let together = |method, answers| Options { method, answers, ..Options::default() }.sources_together();
        assert_eq!([1, 2, 3, 5, 6, 64].map(|beams| together(beam(beams, 1.0), 1)), [4, 4, 3, 2, 1, 1]);
        assert_eq!(together(Method::Greedy, 1), 4);
        assert_eq!(together(Method::Sample { temperature: 1.0, seed: 1 }, 5), 2);
    }
}
