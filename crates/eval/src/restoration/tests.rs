use super::*;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use tuppum_domain::restoration::Row;
use tuppum_text::tokens::{BEGIN, INNER_MASK, MASK, SPECIALS};
use tuppum_train::sequences::TokenKind;

const A: TokenId = 10;
const NA: TokenId = 11;
const INNER_NA: TokenId = 12;

fn vocabulary() -> Vocabulary {
    let tokens = SPECIALS.iter().chain(&["a", "na", "-na"]).map(|token| token.to_string()).collect();
    Vocabulary::new(tokens).unwrap_or_else(|message| panic!("{message}"))
}

/// Always gives the same logits for a mask, and keeps the rows that it was asked.
struct Fixed {
    start: [f32; 3],
    inside: [f32; 3],
    asked: Vec<Row>,
}

impl Scorer for Fixed {
    type Error = ();

    async fn score(&mut self, rows: &[Row]) -> Result<Vec<Vec<Vec<f32>>>, ()> {
        self.asked.extend_from_slice(rows);
        let logits = |row: &Row, place: &usize| {
            let own = if row.ids[*place] == MASK { self.start } else { self.inside };
            [f32::NEG_INFINITY; 10].into_iter().chain(own.map(f32::ln)).collect()
        };
        Ok(rows.iter().map(|row| row.places.iter().map(|place| logits(row, place)).collect()).collect())
    }
}

fn run(boundary_unknown: bool, places: &[usize]) -> (Report, Vec<Row>) {
    let sequence = Sequence {
        ids: vec![BEGIN, A, INNER_NA, NA, A, LINE_END],
        kinds: vec![
            TokenKind::Special,
            TokenKind::Read,
            TokenKind::Read,
            TokenKind::Read,
            TokenKind::Read,
            TokenKind::Special,
        ],
    };
    let mut scorer = Fixed { start: [0.5, 0.25, 0.25], inside: [0.125, 0.25, 0.625], asked: Vec::new() };
    let mut evaluation = Evaluation::new(boundary_unknown);
    let (vocabulary, priors) = (vocabulary(), Priors::default());
    {
        let mut added = pin!(evaluation.add(&sequence, places, &vocabulary, &priors, &mut scorer));
        assert_eq!(added.as_mut().poll(&mut Context::from_waker(Waker::noop())), Poll::Ready(Ok(())));
    }
    (evaluation.report(), scorer.asked)
}

#[test]
fn with_the_boundary_given_answers_are_of_the_targets_kind() {
    let (report, asked) = run(false, &[1, 2, 3]);
    assert_eq!(asked, [Row { ids: vec![BEGIN, MASK, INNER_MASK, MASK, A, LINE_END], places: vec![1, 2, 3] }]);
    let scores = report.boundary_given;
    // `a` first of its kind; `-na` the only one of its kind; `na` second of its kind.
    assert_eq!((scores.targets, scores.hit_1, scores.hit_5, scores.mrr), (3, 2.0 / 3.0, 1.0, 2.5 / 3.0));
    // ln of 1/2, 5/8 and 1/4 over the whole vocabulary; logits are f32.
    let loss = -(0.5_f64.ln() + 0.625_f64.ln() + 0.25_f64.ln()) / 3.0;
    assert!((scores.loss - loss).abs() < 1e-6, "{}", scores.loss);
    assert_eq!(report.boundary_unknown, None);
}

#[test]
fn without_the_boundary_readings_count_however_they_are_joined() {
    let (report, asked) = run(true, &[1, 3]);
    assert_eq!(asked.len(), 2 + SHARES);
    // Start kind: a 2/3, na 1/3. Inside kind: -na 1. Mixed evenly: a 1/3, na 2/3.
    let scores = report.boundary_unknown.unwrap_or_default();
    assert_eq!((scores.targets, scores.hit_1, scores.mrr), (2, 0.5, 0.75));
    let loss = -((1.0_f64 / 3.0).ln() + (2.0_f64 / 3.0).ln()) / 2.0;
    assert!((scores.loss - loss).abs() < 1e-6, "{}", scores.loss);
}

#[test]
fn every_place_is_tried_with_both_masks() {
    let (_, asked) = run(true, &[1, 2, 3, 4]);
    for place in 1..=4 {
        let base = asked[1].ids[place];
        let flipped = asked[2..].iter().filter(|row| row.ids[place] != base).count();
        assert_eq!(flipped, 1, "place {place}");
    }
}

#[test]
fn places_outside_the_sequence_are_left_out() {
    assert_eq!(run(true, &[99]).0.boundary_given.targets, 0);
}
