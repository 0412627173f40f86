use super::super::support::{CURVATURES, near, on_hyperboloid, read};
use super::super::{CurvatureError, Lorentz};
use super::*;
use burn::module::Module;
use burn::tensor::{Device, Tensor};
use tuppum_domain::generation::{Continuation, Method, NextByte, Options};
use tuppum_testing::now;
use tuppum_text::bytes::{self, PAD};
use tuppum_text::tokens::TokenId;

fn small(space: Space) -> TransformerSettings {
    TransformerSettings {
        space,
        width: 12,
        heads: 3,
        encoder_layers: 2,
        decoder_layers: 2,
        feed_forward: 20,
        longest: 40,
        ..TransformerSettings::default()
    }
}

fn model(settings: &TransformerSettings) -> Transformer {
    Transformer::new(settings, 5, &Device::flex()).unwrap()
}

fn tokens(texts: &[&str]) -> Vec<Vec<TokenId>> {
    texts.iter().map(|text| bytes::encode(text)).collect()
}

fn logits(model: &Transformer, sources: &[&str], targets: &[&str]) -> Tensor<3> {
    model.forced_logits(&tokens(sources), &tokens(targets), &mut ()).unwrap()
}

#[test]
fn every_state_of_the_lorentz_model_lies_on_the_sheet() {
    for curvature in CURVATURES {
        let hyperboloid = Lorentz::new(curvature).unwrap();
        for decoder_layers in 1..=3 {
            let settings = TransformerSettings { curvature, decoder_layers, ..small(Space::Lorentz) };
            let model = model(&settings);
            on_hyperboloid(hyperboloid, model.tokens.val());
            on_hyperboloid(hyperboloid, model.answers.val());
            let sources = tokens(&["a-na be-li₂-ia", "LUGAL"]);
            let states = model.encoder_states(&sources).unwrap();
            assert_eq!(states.len(), 3);
            for states in states {
                assert_eq!(states.dims(), [2, 17, 13]);
                on_hyperboloid(hyperboloid, states);
            }
            let memory = model.encode(&sources, &mut ()).unwrap();
            on_hyperboloid(hyperboloid, model.decode(&memory, &[vec![PAD, 100, 101], vec![PAD]], &mut ()).unwrap());
        }
    }
}

#[test]
fn a_later_byte_of_the_target_changes_no_earlier_score() {
    for space in Space::ALL {
        let model = model(&small(space));
        let (one, other) = (logits(&model, &["a-na"], &["to him"]), logits(&model, &["a-na"], &["to hem"]));
        let (one, other) = (read(one), read(other));
        // The byte at 4 is read from place 5 on. Until there not a bit differs, as what is hidden has weight 0.
        assert_eq!(one[..5], other[..5], "{space}");
        assert!(one[5] != other[5] && one[6] != other[6], "{space}");
    }
}

#[test]
fn every_byte_of_the_source_and_of_what_is_written_plays_a_part() {
    for space in Space::ALL {
        let model = model(&small(space));
        let last = |source: &str, target: &str| read(logits(&model, &[source], &[target])).pop().unwrap();
        let whole = last("a-na", "to him");
        for (source, target) in [("e-na", "to him"), ("a-ni", "to him"), ("a-na", "so him"), ("na-a", "to him")] {
            assert_ne!(whole, last(source, target), "{space}: {source} {target}");
        }
    }
}

#[test]
fn padding_changes_nothing() {
    for space in Space::ALL {
        let model = model(&small(space));
        let together = logits(&model, &["LUGAL", "a-na be-li₂-ia qi₂-bi₂-ma"], &["king", "speak to my lord"]);
        let alone = logits(&model, &["LUGAL"], &["king"]);
        let places = alone.dims()[1];
        let together = together.narrow(0, 0, 1).narrow(1, 0, places);
        // Products of other shapes are added up in another order.
        near(&read(together), &read(alone), 1e-5);
        let states = |texts: &[&str]| model.encoder_states(&tokens(texts)).unwrap().pop().unwrap();
        let (together, alone) = (states(&["LUGAL", "a-na be-li₂-ia"]), states(&["LUGAL"]));
        near(&read(together.narrow(0, 0, 1).narrow(1, 0, 6)), &read(alone), 1e-5);
    }
}

#[test]
fn both_models_are_equally_large() {
    let counts = Space::ALL.map(|space| {
        let settings = TransformerSettings { space, ..TransformerSettings::default() };
        Transformer::new(&settings, 1, &Device::flex()).unwrap().num_params()
    });
    println!("{counts:?}");
    let [lorentz, euclidean] = counts.map(|count| count as f64);
    // A row of every matrix for the time-like coordinate is what the one has more.
    assert!((lorentz / euclidean - 1.0).abs() < 0.03, "{counts:?}");
}

#[test]
fn equal_seeds_draw_equal_models_and_others_do_not() {
    for space in Space::ALL {
        let states =
            |seed| now(Transformer::new(&small(space), seed, &Device::flex()).unwrap().states("LUGAL")).unwrap();
        assert_eq!(states(1), states(1));
        assert_ne!(states(1), states(2));
    }
}

#[test]
fn states_of_a_text_are_those_of_its_tokens_layer_by_layer() {
    for space in Space::ALL {
        let (settings, model) = (small(space), model(&small(space)));
        let found = now(model.states("ša₂")).unwrap();
        let expected = model.encoder_states(&tokens(&["ša₂"])).unwrap();
        assert_eq!(found.len(), 3);
        for (found, expected) in found.iter().zip(expected) {
            assert_eq!(found.len(), 7 * settings.coordinates());
            assert_eq!(*found, expected.into_data().try_into_vec::<f32>().unwrap());
        }
    }
}

#[test]
fn what_is_written_byte_by_byte_has_the_scores_of_the_whole() {
    for space in Space::ALL {
        let model = model(&small(space));
        let sources = ["a-na", "LUGAL GAL"];
        let targets = tokens(&["to", "so"]);
        let pairs = targets[0].iter().zip(&targets[1]);
        let whole = model.forced_logits(&tokens(&sources), &targets, &mut ()).unwrap();
        let mut decoding = TransformerDecoding::new(&model, &tokens(&sources)).unwrap();
        let mut before = [PAD, PAD];
        for (place, (one, other)) in pairs.enumerate() {
            let rows: Vec<Continuation> = (0..2).map(|parent| Continuation { parent, token: before[parent] }).collect();
            let scores = now(decoding.next(&rows)).unwrap();
            let found: Vec<Vec<f64>> =
                scores.logits.chunks_exact(384).map(|row| row.iter().map(|one| f64::from(*one)).collect()).collect();
            near(&found, &read(whole.clone().narrow(1, place, 1)), 1e-5);
            before = [*one, *other];
        }
    }
}

#[test]
fn a_row_is_continued_from_the_row_and_source_that_it_names() {
    let model = model(&small(Space::Lorentz));
    let mut decoding = TransformerDecoding::new(&model, &tokens(&["a-na", "LUGAL"])).unwrap();
    let start = [0, 1].map(|parent| Continuation { parent, token: PAD });
    now(decoding.next(&start)).unwrap();
    let scores = now(decoding.next(&[Continuation { parent: 1, token: 100 }])).unwrap();
    let expected = model.forced_logits(&tokens(&["LUGAL"]), &[vec![100, 1]], &mut ()).unwrap();
    let found: Vec<f64> = scores.logits.iter().map(|one| f64::from(*one)).collect();
    near(&[found], &read(expected.narrow(1, 1, 1)), 1e-5);
}

#[test]
fn translations_come_in_the_order_of_their_sources_and_end() {
    let model = model(&small(Space::Lorentz));
    let sources = tokens(&["a-na be-li₂-ia", "LUGAL", "E₂.GAL"]);
    let options = Options { method: Method::Greedy, ..Options::default() };
    let by = |batch| now(translate(&model, &sources, &options, batch, |_| ())).unwrap();
    let (one, all) = (by(1), by(3));
    assert_eq!(one.len(), 3);
    for (one, all) in one.iter().zip(&all) {
        assert_eq!(one[0].tokens, all[0].tokens);
        assert!(one[0].tokens.len() <= 40);
    }
}

#[test]
fn models_that_cannot_be_are_refused() {
    let refused = |settings: TransformerSettings, said: &str| {
        let problem = Transformer::new(&settings, 1, &Device::flex()).map(|_| ()).unwrap_err().to_string();
        assert!(problem.contains(said), "{problem}");
    };
    let own = small(Space::Lorentz);
    refused(TransformerSettings { heads: 5, ..own.clone() }, "a width of 12 cannot be cut into 5 heads");
    refused(TransformerSettings { heads: 0, ..own.clone() }, "the number of heads is 0");
    refused(TransformerSettings { width: 0, ..own.clone() }, "the width is 0");
    refused(TransformerSettings { decoder_layers: 0, ..own.clone() }, "decoder layers is 0");
    refused(TransformerSettings { vocabulary: 100, ..own.clone() }, "the vocabulary has 100 tokens");
    for curvature in [0.0, 1.5, f64::NAN] {
        let settings = TransformerSettings { curvature, ..own.clone() };
        refused(settings.clone(), &CurvatureError(curvature).to_string());
        assert_eq!(TransformerSettings { space: Space::Euclidean, ..settings }.check(), Ok(()));
    }
}

#[test]
fn texts_that_cannot_be_read_are_refused() {
    let model = model(&small(Space::Euclidean));
    let refused = |rows: &[Vec<TokenId>], said: &str| {
        let problem = model.encode(rows, &mut ()).map(|_| ()).unwrap_err().to_string();
        assert!(problem.contains(said), "{problem}");
    };
    refused(&[], "no text to read");
    refused(&[vec![]], "a text of 0 tokens");
    refused(&[vec![3; 41]], "a text of 41 tokens");
    refused(&[vec![3, 384]], "there is no token 384");
    assert!(now(model.states(&"a".repeat(50))).is_err());
}
