//! Tests of attention maps: they are the model's own, and without the bias they are those of the model without it.

use crate::translator::*;
use burn::tensor::Device;
use tuppum_domain::translation::attention::{AttentionKind, AttentionMap, AttentionQuestion};
use tuppum_nn::byt5::{ByT5, ByT5Error, GOLDEN_TOLERANCE, HyperbolicBias, SourceRow};
use tuppum_nn::yielding::NeverYields;
use tuppum_testing::now;

const TARGET: [u32; 5] = [87, 114, 35, 112, 1];

fn open(way: &str) -> ByT5 {
    now(translator(way, &Device::flex()))
}

fn rows(way: &str) -> Vec<SourceRow> {
    now(golden(way)).rows
}

fn map(model: &ByT5, row: &SourceRow, geometry: Option<&HyperbolicBias>, question: &AttentionQuestion) -> AttentionMap {
    now(model.attention_map(row, &TARGET, geometry, question, &NeverYields)).unwrap()
}

/// Returns every question about a model of two layers and three heads.
fn questions() -> Vec<AttentionQuestion> {
    let choices = [(None, None), (Some(0), Some(2)), (Some(1), None), (None, Some(1)), (Some(1), Some(0))];
    let all = [AttentionKind::Encoder, AttentionKind::Decoder, AttentionKind::Cross].into_iter();
    all.flat_map(|kind| {
        choices.map(|(layer, head)| AttentionQuestion { kind, layer, head, ..AttentionQuestion::default() })
    })
    .collect()
}

#[test]
fn without_the_bias_maps_are_bit_by_bit_those_of_the_detached_model() {
    for way in ["byte", "sign"] {
        let (attached, row) = (open(way), &rows(way)[0]);
        let mut detached = open(way);
        detached.detach().unwrap();
        for question in questions() {
            let off = map(&attached, row, None, &question);
            assert_eq!(off, map(&detached, row, detached.geometry(), &question), "{way} {question:?}");
            let on = map(&attached, row, attached.geometry(), &question);
            // Self-attention of the decoder depends on the encoder's states, except in its first layer.
            let untouched = question.kind == AttentionKind::Decoder && question.layer == Some(0);
            assert_eq!(on == off, untouched, "{way} {question:?}");
        }
        // A question leaves the model as it was.
        assert_eq!(
            now(attached.geometry().unwrap().values()).unwrap(),
            now(open(way).geometry().unwrap().values()).unwrap()
        );
    }
}

#[test]
fn every_row_of_a_map_is_a_whole() {
    let (model, row) = (open("byte"), &rows("byte")[0]);
    for question in questions() {
        let found = map(&model, row, model.geometry(), &question);
        let source = row.ids.len();
        let sizes = match question.kind {
            AttentionKind::Encoder => (source, source),
            AttentionKind::Decoder => (TARGET.len(), TARGET.len()),
            AttentionKind::Cross => (TARGET.len(), source),
        };
        assert_eq!((found.rows, found.columns), sizes);
        for (place, shares) in found.values.chunks(found.columns).enumerate() {
            // Sums of about sixty roundings of f32.
            assert!((shares.iter().sum::<f32>() - 1.0).abs() < 1e-5, "{question:?} row {place}");
            if question.kind == AttentionKind::Decoder {
                assert!(shares[place + 1..].iter().all(|share| *share == 0.0), "nothing looks ahead");
            }
        }
    }
}

#[test]
fn the_mean_is_that_of_layers_and_heads() {
    let (model, row) = (open("byte"), &rows("byte")[0]);
    for kind in [AttentionKind::Encoder, AttentionKind::Cross] {
        let ask = |layer, head| {
            map(&model, row, model.geometry(), &AttentionQuestion { kind, layer, head, ..AttentionQuestion::default() })
        };
        let mean = ask(None, None);
        let all: Vec<AttentionMap> = (0..6).map(|at| ask(Some(at / 3), Some(at % 3))).collect();
        for (place, value) in mean.values.iter().enumerate() {
            let own = all.iter().map(|map| map.values[place]).sum::<f32>() / 6.0;
            assert!((own - value).abs() < 1e-6, "{kind:?} {place}: {own} {value}");
        }
    }
}

#[test]
fn cross_attention_is_that_of_the_reference() {
    let (model, golden) = (open("plain"), now(golden("plain")));
    let expected = now(tensor("plain.attention"));
    let (length, places) = (golden.rows.iter().map(|row| row.ids.len()).max().unwrap(), golden.targets[0].len());
    for (number, (row, target)) in golden.rows.iter().zip(&golden.targets).enumerate() {
        // The golden targets begin with the padding that decoding begins with; the last token has no row in the map.
        let written: Vec<u32> = target[1..].iter().copied().chain([1]).collect();
        let question = AttentionQuestion { kind: AttentionKind::Cross, ..AttentionQuestion::default() };
        let found = now(model.attention_map(row, &written, None, &question, &NeverYields)).unwrap();
        assert_eq!((found.rows, found.columns), (places, row.ids.len()));
        for (at, shares) in found.values.chunks(found.columns).enumerate() {
            let expected = &expected[(number * places + at) * length..][..found.columns];
            assert!(
                shares.iter().zip(expected).all(|(one, other)| (one - other).abs() < GOLDEN_TOLERANCE),
                "{number} {at}"
            );
        }
    }
}

#[test]
fn another_strength_is_that_of_a_bias_made_so() {
    let (mut model, row) = (open("byte"), &rows("byte")[0]);
    let question = AttentionQuestion { layer: Some(0), ..AttentionQuestion::default() };
    let own = model.geometry().unwrap().clone();
    let (values, alpha) = now(own.values()).unwrap();
    let stronger = map(&model, row, Some(&own.with_alpha(3.0 * alpha)), &question);
    let made = HyperbolicBias::new(values, 32, 3.0 * alpha, own.layers(), own.curvature(), &Device::flex()).unwrap();
    model.attach(made);
    assert_eq!(stronger, map(&model, row, model.geometry(), &question));
    assert_eq!(map(&model, row, Some(&own.with_alpha(alpha)), &question), map(&model, row, Some(&own), &question));
    // An α of 0 adds 0 to every logit.
    assert_eq!(map(&model, row, Some(&own.with_alpha(0.0)), &question), map(&model, row, None, &question));
}

#[test]
fn what_does_not_exist_is_refused_with_the_reason() {
    let (model, row) = (open("byte"), &rows("byte")[0]);
    let refused = |question: AttentionQuestion, target: &[u32]| {
        now(model.attention_map(row, target, None, &question, &NeverYields)).unwrap_err()
    };
    let check = |error: ByT5Error, said: &str| assert!(error.to_string().contains(said), "{error}");
    check(
        refused(AttentionQuestion { layer: Some(2), ..AttentionQuestion::default() }, &[]),
        "layer 3 is not one of the 2",
    );
    check(
        refused(AttentionQuestion { head: Some(3), ..AttentionQuestion::default() }, &[]),
        "head 4 is not one of the 3",
    );
    check(
        refused(AttentionQuestion { kind: AttentionKind::Cross, ..AttentionQuestion::default() }, &[]),
        "nothing is written",
    );
}
