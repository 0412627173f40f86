//! Compares the taxonomy of bytes with the reference program: associations, distances, and how well points keep them.
//!
//! `tests/golden/taxonomy/` holds the output of `recipes/golden_taxonomy.py` for some rows of the table of counts,
//! stored there too, and for the whole table, which is not part of the project.
#![allow(clippy::unwrap_used)] // a golden file that cannot be read is a failure

use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use tuppum_domain::translation::bias::BiasPoints;
use tuppum_geometry::distortion::Distortion;
use tuppum_geometry::ranking::Monotonicity;
use tuppum_geometry::{Ball, Distances, points, spectral, stress};
use tuppum_text::signs::taxonomy::bytes::{Associations, Mode, TOKENS};
use tuppum_text::signs::taxonomy::{Node, ReadingCount, SignTree};

const FOLDER: &str = "tests/golden/taxonomy";
const WHOLE: &str = "../shared/data/osl/signs/reading_counts.tsv";
/// Largest difference from the reference, which adds the same doubles in another order.
const TOLERANCE: f64 = 1e-11;

fn root(name: &str) -> PathBuf {
    tuppum_testing::project(name)
}

fn golden(which: &str) -> Value {
    let golden: Value = serde_json::from_str(&fs::read_to_string(root(FOLDER).join("golden.json")).unwrap()).unwrap();
    golden[which].clone()
}

fn floats(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|one| one.as_f64().unwrap()).collect()
}

fn check_associations(associations: &Associations, golden: &Value) {
    let known: Vec<f64> = associations.known().iter().map(|token| *token as f64).collect();
    assert_eq!(known, floats(&golden["known"]));
    let pairs: Vec<f64> = associations.tokens.values().map(|pairs| pairs.len() as f64).collect();
    assert_eq!(pairs, floats(&golden["pairs"]));
    let occurrences: Vec<f64> = associations.tokens.values().map(|pairs| pairs.values().sum::<u64>() as f64).collect();
    assert_eq!(occurrences, floats(&golden["occurrences"]));
    for (token, expected) in golden["commonest"].as_object().unwrap() {
        let pairs = &associations.tokens[&token.parse().unwrap()];
        for row in expected.as_array().unwrap() {
            let pair = (row[0].as_str().unwrap(), row[1].as_str().unwrap());
            assert_eq!(pairs.get(&pair).copied(), row[2].as_u64(), "{pair:?} of token {token}");
        }
    }
}

fn check_distances(table: &[f64], known: &[usize], golden: &Value) {
    for (row, sum) in table.chunks(TOKENS).zip(floats(&golden["row_sums"])) {
        assert!((row.iter().sum::<f64>() - sum).abs() < TOLERANCE * TOKENS as f64);
    }
    for (token, expected) in golden["rows"].as_object().unwrap() {
        let row = &table[token.parse::<usize>().unwrap() * TOKENS..][..TOKENS];
        for (other, expected) in known.iter().zip(floats(expected)) {
            assert!((row[*other] - expected).abs() < TOLERANCE, "tokens {token} and {other}");
        }
    }
}

/// Checks that the points keep the distances as well as the reference's points, from which they may differ.
fn check_points(table: &[f64], known: &[usize], golden: &Value) {
    let wanted = Distances::of(known.len(), |one, other| table[known[one] * TOKENS + known[other]]);
    let settings = stress::StressSettings::default();
    let made = points::for_distances(Ball::UNIT, &wanted, &spectral::SpectralSettings::default(), &settings);
    let figures = |points: &[Vec<f64>]| {
        let found = |one: usize, other: usize| Ball::UNIT.distance(&points[one], &points[other]);
        Distortion::of(settings.scale, wanted.pairs().map(|(one, other, wanted)| (wanted, found(one, other))))
    };
    let (start, end) = (figures(&made.start), figures(&made.points));
    println!("start {start:?}\nend {end:?}\nreference {} {}", golden["start"], golden["fitted"]);
    let of = |figure: &str| golden["fitted"][figure].as_f64().unwrap();
    // The start takes some of many equal eigenvectors, by chance, which decides a few thousandths of the result.
    assert!(end.correlation > of("correlation") - 0.003, "{end:?}");
    assert!(end.stress < 1.1 * of("stress") + 1e-5, "{end:?}");
    assert!(start.stress > end.stress);
}

fn check(table: &str, golden: &Value) {
    let counts = ReadingCount::parse(table).unwrap();
    let associations = Associations::of(&counts);
    check_associations(&associations, golden);
    for (mode, name) in [(Mode::Hard, "hard"), (Mode::Soft, "soft")] {
        let table = associations.distances(mode);
        check_distances(&table, &associations.known(), &golden[name]);
        check_points(&table, &associations.known(), &golden[name]);
    }
}

#[test]
fn some_rows_agree_with_the_reference_program() {
    check(&fs::read_to_string(root(FOLDER).join("counts.tsv")).unwrap(), &golden("small"));
}

#[test]
fn the_whole_table_agrees_with_the_reference_program() {
    let whole = root(WHOLE);
    if !whole.exists() {
        println!("not run: {} is not there", whole.display());
        return;
    }
    check(&fs::read_to_string(whole).unwrap(), &golden("whole"));
}

/// Returns the rows of a shipped table of points: a file of one f32 tensor `[rows × 32]`.
fn shipped(name: &str) -> Vec<Vec<f64>> {
    let file = fs::read(root("assets/geometry").join(name)).unwrap();
    let (length, rest) = file.split_first_chunk::<8>().unwrap();
    let (header, data) = rest.split_at(u64::from_le_bytes(*length) as usize);
    let header: Value = serde_json::from_slice(header).unwrap();
    let tensor = &header["geometry.points"];
    assert_eq!((tensor["dtype"].as_str(), tensor["shape"][1].as_u64()), (Some("F32"), Some(32)));
    let floats: Vec<f64> = data.as_chunks::<4>().0.iter().map(|bytes| f64::from(f32::from_le_bytes(*bytes))).collect();
    let rows: Vec<Vec<f64>> = floats.chunks(32).map(<[f64]>::to_vec).collect();
    assert_eq!(tensor["shape"][0].as_u64(), Some(rows.len() as u64));
    rows
}

#[test]
fn shipped_points_of_signs_fit_the_tree_that_is_compiled_in() {
    let (tree, points) = (SignTree::shared(), shipped("sign-points.safetensors"));
    assert_eq!(points.len(), tree.len());
    assert!(points.iter().all(|point| Ball::UNIT.contains(point)));
    let (mut pairs, mut order) = (Vec::new(), Monotonicity::default());
    // Every 40th node against all others: 440,000 pairs, a sample of all nine million.
    for one in (0..points.len()).step_by(40) {
        let both =
            |other: usize| (tree.distance(one as u32, other as u32), Ball::UNIT.distance(&points[one], &points[other]));
        let mut row: Vec<(f64, f64)> = (0..points.len()).filter(|other| *other != one).map(both).collect();
        pairs.extend(&row);
        order.add(&mut row);
    }
    let found = Distortion::of(3.0, pairs);
    assert!(found.correlation > 0.97 && found.average < 0.03, "{found:?}");
    assert!(order.share() < 1e-5, "{order:?}");
}

#[test]
fn shipped_points_with_their_company_draw_together_what_stands_together() {
    let (tree, points) = (SignTree::shared(), shipped("context-points.safetensors"));
    assert_eq!(points.len(), tree.len());
    assert!(points.iter().all(|point| Ball::UNIT.contains(point)));
    let apart = |one: &str, other: &str| {
        let [one, other] = [one, other].map(|reading| &points[tree.number_of(reading) as usize]);
        Ball::UNIT.distance(one, other)
    };
    // Unrelated signs are 6 apart, readings of one sign 3.
    for (one, other) in [("{d}", "UTU"), ("{d}", "IŠKUR"), ("{KI}", "UNUG"), ("LUGAL", "šar"), ("{GIŠ}", "TUKUL")] {
        assert!(apart(one, other) < 4.6, "{one} {other}: {}", apart(one, other));
    }
    assert!(apart("LUGAL", "UTU") > 5.0 && apart("DUMU", "ma") > 5.0);
    assert!((2.0..4.0).contains(&apart("{d}", "AN")), "they are still readings of one sign: {}", apart("{d}", "AN"));
}

#[test]
fn shipped_points_of_bytes_have_a_row_for_every_token() {
    for name in ["hard", "soft"] {
        let points = shipped(&format!("byte-points-{name}.safetensors"));
        assert_eq!(points.len(), TOKENS);
        assert!(points.iter().all(|point| Ball::UNIT.contains(point)));
        let at_the_root = points.iter().filter(|point| point.iter().all(|one| *one == 0.0)).count();
        assert_eq!(at_the_root, TOKENS - 86, "tokens that no reading is written in");
    }
}

#[test]
fn shipped_points_of_bytes_are_as_good_as_the_reference_s() {
    let whole = root(WHOLE);
    if !whole.exists() {
        println!("not run: {} is not there", whole.display());
        return;
    }
    let table = fs::read_to_string(whole).unwrap();
    let counts = ReadingCount::parse(&table).unwrap();
    let associations = Associations::of(&counts);
    for (mode, name) in [(Mode::Hard, "hard"), (Mode::Soft, "soft")] {
        let (wanted, points) = (associations.distances(mode), shipped(&format!("byte-points-{name}.safetensors")));
        let known = associations.known();
        let pairs = known
            .iter()
            .flat_map(|one| known.iter().filter(move |other| one < *other).map(move |other| (*one, *other)));
        let both = |(one, other): (usize, usize)| {
            (wanted[one * TOKENS + other], Ball::UNIT.distance(&points[one], &points[other]))
        };
        let (found, expected) = (Distortion::of(1.5, pairs.map(both)), &golden("whole")[name]["fitted"]);
        assert!(found.correlation > expected["correlation"].as_f64().unwrap() - 1e-3, "{found:?}");
        assert!(found.stress < 1.02 * expected["stress"].as_f64().unwrap(), "{found:?}");
    }
}

/// Returns the shipped points, and the tokens of a text's bytes.
fn placed(points: BiasPoints, text: &str) -> (Vec<Vec<f64>>, Vec<usize>) {
    let tokens = if points.are_over_signs() {
        SignTree::shared().numbers(text).into_iter().map(|sign| sign as usize).collect()
    } else {
        // The token of a byte is the byte plus three.
        text.bytes().map(|byte| usize::from(byte) + 3).collect()
    };
    (shipped(points.file()), tokens)
}

/// Returns the distances of every byte in one range of a text from every byte in another.
fn between(points: BiasPoints, text: &str, [one, other]: [std::ops::Range<usize>; 2]) -> Vec<f64> {
    let (at, tokens) = placed(points, text);
    let distance = |one: usize, other: usize| match points {
        // A ball of curvature 0: the limit of the distance is twice the Euclidean one.
        BiasPoints::Flat => 2.0 * at[one].iter().zip(&at[other]).map(|(x, y)| (x - y).powi(2)).sum::<f64>().sqrt(),
        _ => Ball::UNIT.distance(&at[one], &at[other]),
    };
    tokens[one].iter().flat_map(|one| tokens[other.clone()].iter().map(|other| distance(*one, *other))).collect()
}

#[test]
fn the_example_of_the_bias_lies_as_far_apart_as_the_page_says() {
    for points in BiasPoints::ALL {
        // The letters of the noun follow those of the determinative.
        let all = between(points, "{d}UTU", [0..3, 3..6]);
        let (least, greatest) =
            all.iter().fold((f64::MAX, 0.0f64), |(least, most), one| (one.min(least), one.max(most)));
        let expected = points.example().between;
        // The page states two decimals.
        assert!(
            (least - expected[0]).abs() < 0.006 && (greatest - expected[1]).abs() < 0.006,
            "{points:?}: {least:.3} to {greatest:.3}, expected {expected:?}"
        );
    }
}

#[test]
fn half_of_all_pairs_are_nearer_than_the_page_says() {
    for points in BiasPoints::ALL {
        let at = shipped(points.file());
        // Over bytes: the printable letters that have a point; over signs: readings at even steps.
        let chosen: Vec<usize> = if points.are_over_signs() {
            let tree = SignTree::shared();
            let is_reading = |node: &usize| matches!(tree.node(*node as u32), Node::Reading(_));
            (0..tree.len()).filter(is_reading).step_by(9).collect()
        } else {
            (36..130).filter(|token| at[*token].iter().any(|x| *x != 0.0)).collect()
        };
        let mut found = Vec::new();
        for (place, one) in chosen.iter().enumerate() {
            found.extend(chosen[..place].iter().map(|other| match points {
                BiasPoints::Flat => {
                    2.0 * at[*one].iter().zip(&at[*other]).map(|(x, y)| (x - y).powi(2)).sum::<f64>().sqrt()
                }
                _ => Ball::UNIT.distance(&at[*one], &at[*other]),
            }));
        }
        found.sort_by(f64::total_cmp);
        let (median, expected) = (found[found.len() / 2], points.example().median);
        // The choice of readings changes the second decimal.
        assert!((median - expected).abs() < 0.03, "{points:?}: {median:.3}, expected {expected}");
    }
}

#[test]
fn the_two_sentences_of_the_lesson_are_as_far_apart_as_it_says() {
    for points in BiasPoints::ALL {
        let mean = |all: Vec<f64>| all.iter().sum::<f64>() / all.len() as f64;
        let god = mean(between(points, "a-na {d}UTU", [5..8, 8..11]));
        let day = mean(between(points, "a-na u₄-mi", [2..4, 5..9]));
        let expected = points.contrast();
        assert!(
            (god - expected[0]).abs() < 0.006 && (day - expected[1]).abs() < 0.006,
            "{points:?}: {god:.3} and {day:.3}, expected {expected:?}"
        );
    }
}
