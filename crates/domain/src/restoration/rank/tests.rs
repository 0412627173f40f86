use super::*;
use tuppum_text::tokens::SPECIALS;

const TOKENS: [&str; 8] = ["KA", "ka", "-ka", "LUGAL", "-KA", "na", "-na", "ša₂"];

fn vocabulary() -> Vocabulary {
    let tokens = SPECIALS.iter().chain(&TOKENS).map(|token| token.to_string()).collect();
    Vocabulary::new(tokens).unwrap_or_else(|message| panic!("{message}"))
}

fn frequencies() -> Frequencies {
    // 100 signs; Old Assyrian has 50 of them, and none of the 20 LUGAL.
    let rows = "KA\t5\t5\t0\t0\t0\t0\t0\t0\nLUGAL\t0\t20\t0\t0\t0\t0\t0\t0\nna\t45\t25\t0\t0\t0\t0\t0\t0\n";
    Frequencies::parse(format!("{}\n{rows}", Frequencies::HEADER).leak()).unwrap_or_default()
}

fn ranker() -> Ranker {
    Ranker::new(&vocabulary(), SignList::shared(), &frequencies())
}

/// Returns logits whose exponentials are these weights, with specials far above everything.
fn logits(weights: [f32; 8]) -> Vec<f32> {
    [50.0; SPECIALS.len()].into_iter().chain(weights.map(f32::ln)).collect()
}

fn shares(proposals: &[Proposal]) -> Vec<(&str, bool, f32)> {
    proposals.iter().map(|proposal| (proposal.reading.as_str(), proposal.starts_word, proposal.probability)).collect()
}

fn check(found: &[Proposal], expected: &[(&str, bool, f32)]) {
    let found = shares(found);
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for (found, expected) in found.iter().zip(expected) {
        // Tolerance: a dozen roundings in f32.
        assert!(
            found.0 == expected.0 && found.1 == expected.1 && (found.2 - expected.2).abs() < 1e-6,
            "{found:?} {expected:?}"
        );
    }
}

const EVEN: [f32; 8] = [1.0; 8];

#[test]
fn masks_are_mixed_variants_merged_and_specials_left_out() {
    // Start kind: KA 2, ka 1, LUGAL 4, na 2, ša₂ 1, of 10; inside kind: ka 6, KA 1, na 3, of 10.
    let start = logits([2.0, 1.0, 9.0, 4.0, 9.0, 2.0, 9.0, 1.0]);
    let inside = logits([9.0, 9.0, 6.0, 9.0, 1.0, 9.0, 3.0, 9.0]);
    let found = ranker().proposals(Some(&start), Some(&inside), 0.25, &Traces::default(), None, &Style::default(), 9);
    check(&found, &[("ka", false, 0.6), ("na", false, 0.275), ("LUGAL", true, 0.1), ("ša₂", true, 0.025)]);
    let forms: Vec<_> =
        found[0].variants.iter().map(|variant| (variant.reading.as_str(), variant.starts_word)).collect();
    assert_eq!(forms, [("ka", false), ("KA", false), ("KA", true), ("ka", true)]);
    assert_eq!((found[0].sign_name.as_str(), found[0].glyph.as_str()), ("KA", "𒅗"));
}

#[test]
fn with_one_mask_the_answer_is_of_its_kind_whatever_the_prior() {
    let start = logits([2.0, 1.0, 9.0, 4.0, 9.0, 2.0, 9.0, 1.0]);
    let found = ranker().proposals(Some(&start), None, 0.0, &Traces::default(), None, &Style::default(), 2);
    check(&found, &[("LUGAL", true, 0.4), ("KA", true, 0.3)]);
    let inside = logits(EVEN);
    let found = ranker().proposals(None, Some(&inside), 1.0, &Traces::default(), None, &Style::default(), 9);
    check(&found, &[("ka", false, 2.0 / 3.0), ("na", false, 1.0 / 3.0)]);
}

#[test]
fn traces_leave_what_fits_and_it_sums_to_one() {
    let (start, inside) = (logits(EVEN), logits(EVEN));
    let traces = Traces { starts_with: "k".into(), logogram: Some(true), ..Traces::default() };
    let found = ranker().proposals(Some(&start), Some(&inside), 0.5, &traces, None, &Style::default(), 9);
    check(&found, &[("KA", false, 1.0)]);
    assert_eq!(found[0].variants.len(), 2, "ka is no logogram");
    let traces = Traces { contains: "q".into(), ..Traces::default() };
    assert!(ranker().proposals(Some(&start), Some(&inside), 0.5, &traces, None, &Style::default(), 9).is_empty());
}

#[test]
fn the_period_weighs_by_its_counts() {
    let start = logits(EVEN);
    let period = Some(Period::OldAssyrian);
    let found = ranker().proposals(Some(&start), None, 1.0, &Traces::default(), period, &Style::default(), 9);
    // 100 signs in all, 50 of the period: KA (5+5)/(5+5) = 1, LUGAL 5/(10+5), na (45+5)/(35+5); ka and ša₂, never
    // counted, 5/5 = 1.
    let sum = 1.0 + 1.0 + 1.0 / 3.0 + 1.25 + 1.0;
    check(
        &found,
        &[
            ("KA", true, 2.0 / sum),
            ("na", true, 1.25 / sum),
            ("ša₂", true, 1.0 / sum),
            ("LUGAL", true, 1.0 / 3.0 / sum),
        ],
    );
}

#[test]
fn broken_logits_and_none_give_no_proposals() {
    let nothing = Traces::default();
    assert!(ranker().proposals(None, None, 0.5, &nothing, None, &Style::default(), 9).is_empty());
    for value in [f32::NAN, f32::NEG_INFINITY, f32::INFINITY] {
        let broken = vec![value; TOKENS.len() + SPECIALS.len()];
        assert!(
            ranker().proposals(Some(&broken), None, 0.5, &nothing, None, &Style::default(), 9).is_empty(),
            "{value}"
        );
    }
    assert!(ranker().proposals(Some(&[]), None, 0.5, &nothing, None, &Style::default(), 9).is_empty());
}

#[test]
fn glyphs_of_tokens() {
    let ranker = ranker();
    assert_eq!(ranker.glyph(SPECIALS.len() as TokenId + 3), "𒈗");
    assert_eq!(ranker.glyph(0), "");
    assert_eq!(ranker.glyph(9_999), "");
}
