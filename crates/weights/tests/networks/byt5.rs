//! Tests of the translator against its references, and of weights files that are not what they claim to be.

use crate::translator::*;
use burn::tensor::Device;
use std::cell::Cell;
use std::path::{Path, PathBuf};
use tuppum_domain::generation::{Continuation, Method, NextByte, Options, generate};
use tuppum_nn::byt5::{
    ByT5, ByT5Config, ByT5Error, Decoding, GOLDEN_TOLERANCE, HyperbolicBias, SourceRow, translate_all,
};
use tuppum_nn::yielding::{Cancelled, NeverYields, Yield};
use tuppum_testing::now;
use tuppum_weights::safetensors::Header;
use tuppum_weights::{ByT5Loader, MemorySource, WeightsError, load_byt5, open_translator, read_translator_golden};

fn flex() -> Device {
    Device::flex()
}

fn open(way: &str) -> ByT5 {
    now(translator(way, &flex()))
}

fn rows(way: &str) -> Vec<SourceRow> {
    now(golden(way)).rows
}

#[test]
fn every_way_agrees_with_its_reference() {
    for way in WAYS {
        let [states, logits] = now(differences(way, &flex()));
        println!("{way}: largest relative difference of states {states:e}, of logits {logits:e}");
        assert!(states < GOLDEN_TOLERANCE && logits < GOLDEN_TOLERANCE, "{way}: {states} {logits}");
    }
}

#[test]
fn the_shipped_translator_computes_what_pytorch_does() {
    let folder = tuppum_testing::project("models/translator");
    let model = now(open_translator(&folder, &flex(), |_, _| (), &NeverYields)).unwrap();
    let golden = std::fs::read(folder.join("golden.safetensors")).unwrap();
    let golden = now(read_translator_golden(&golden, "byte")).unwrap();
    let [states, logits] = now(tuppum_nn::byt5::self_test(&model, &golden, &NeverYields)).unwrap();
    println!("largest relative difference of states {states:e}, of logits {logits:e}");
    assert!(states < GOLDEN_TOLERANCE && logits < GOLDEN_TOLERANCE, "{states} {logits}");
}

#[test]
fn the_bias_makes_a_difference() {
    let (model, mut golden) = (open("plain"), now(golden("byte")));
    golden.rows.iter_mut().for_each(|row| row.points = None);
    let [states, _] = now(tuppum_nn::byt5::self_test(&model, &golden, &NeverYields)).unwrap();
    assert!(states > 0.05, "{states}");
}

#[test]
fn states_lead_layer_by_layer_to_what_the_encoder_gives() {
    let (with, without) = (open("byte"), open("plain"));
    let row = rows("byte").remove(0);
    let [own, plain] = [&with, &without].map(|model| now(model.states(&row, &NeverYields)).unwrap());
    let (width, layers) = (with.config().d_model, with.config().num_layers);
    assert_eq!((own.len(), own[0].len()), (layers + 1, row.ids.len() * width));
    assert_eq!(own[0], plain[0], "no bias reaches the embeddings");
    assert_ne!(own[1], plain[1]);
    let memory = now(with.encode(std::slice::from_ref(&row), 0, &NeverYields)).unwrap();
    let expected = memory.states.into_data().try_into_vec::<f32>().unwrap();
    let norm = now(weights("encoder.final_layer_norm.weight"));
    for (state, expected) in own[layers].chunks(width).zip(expected.chunks(width)) {
        let square = state.iter().map(|one| one * one).sum::<f32>() / width as f32;
        for ((one, norm), expected) in state.iter().zip(&norm).zip(expected) {
            let normed = one / (square + with.config().layer_norm_epsilon as f32).sqrt() * norm;
            // Sums of 32 numbers in another order.
            assert!((normed - expected).abs() < 1e-5 * (1.0 + expected.abs()), "{normed} {expected}");
        }
    }
}

#[test]
fn every_search_finds_what_hugging_face_finds() {
    for way in ["plain", "byte", "sign"] {
        let (model, rows) = (open(way), rows(way));
        for case in cases(way) {
            let own = &rows[case.row..=case.row];
            case.check(&now(outputs(&model, own, &case.options())).remove(0));
        }
    }
}

#[test]
fn a_batch_of_unequal_rows_finds_the_same() {
    for way in ["plain", "sign"] {
        let (model, rows) = (open(way), rows(way));
        for case in cases(way) {
            case.check(&now(outputs(&model, &rows, &case.options()))[case.row]);
        }
    }
}

#[test]
fn many_rows_come_back_in_order() {
    let (model, rows) = (open("byte"), rows("byte"));
    let many: Vec<SourceRow> = [1, 2, 0, 0, 1].iter().map(|row| rows[*row].clone()).collect();
    let case = &cases("byte")[0];
    let mut reported = Vec::new();
    let on_done = |done| reported.push(done);
    let found = now(translate_all(&model, &many, &case.options(), 2, &NeverYields, on_done)).unwrap();
    assert_eq!(reported, [2, 4, 5]);
    [2, 3].iter().for_each(|number: &usize| case.check(&found[*number]));
    assert_eq!(found[0][0].tokens, found[4][0].tokens);
}

#[test]
fn rows_kept_as_on_a_gpu_find_the_same() {
    for way in ["plain", "sign"] {
        let (model, rows) = (open(way), rows(way));
        let memory = now(model.encode(&rows, 0, &NeverYields)).unwrap();
        for case in cases(way) {
            let mut decoding = Decoding::on_device(&model, &memory, false, NeverYields);
            let found = now(generate(&mut decoding, rows.len(), &case.options(), |_| ())).unwrap();
            case.check(&found[case.row]);
        }
    }
}

#[test]
fn looking_seldom_finds_the_same() {
    let (model, rows) = (open("plain"), rows("plain"));
    for case in cases("plain").into_iter().filter(|case| case.beams == 1) {
        for read_every in [7, 64] {
            let options = Options { read_every, ..case.options() };
            case.check(&now(outputs(&model, &rows, &options))[case.row]);
        }
    }
}

fn states(model: &ByT5, rows: &[SourceRow]) -> Vec<f32> {
    now(model.encode(rows, 0, &NeverYields)).unwrap().states.into_data().try_to_vec().unwrap()
}

#[test]
fn detached_is_bit_by_bit_the_model_without_a_bias() {
    let (mut model, rows) = (open("byte"), rows("byte"));
    let attached = states(&model, &rows);
    let bias = model.detach().unwrap();
    let plain = states(&model, &rows);
    assert_eq!(plain, states(&open_without_geometry(), &rows));
    assert_ne!(plain, attached);
    model.attach(bias);
    assert_eq!(states(&model, &rows), attached);
    let none = model.detach().unwrap().with_layers(0);
    model.attach(none);
    assert_eq!(states(&model, &rows), plain);
}

/// Opens the translator from a file that never had a bias.
fn open_without_geometry() -> ByT5 {
    let mut source = MemorySource::new(WEIGHTS);
    let (header, _) = now(Header::read("weights", &mut source)).unwrap();
    let tensors: Vec<_> = header.tensors.into_iter().filter(|tensor| !tensor.name.starts_with("geometry")).collect();
    let mut loader = ByT5Loader::new(&config(), &[&tensors], &flex()).unwrap();
    now(loader.read(&tensors, &mut source, None, &mut |_, _| (), &NeverYields)).unwrap();
    loader.finish().unwrap()
}

/// Tolerance for sums in another order, of numbers near 10.
const SAME: f32 = 5e-5;

#[test]
fn byte_by_byte_is_what_all_at_once_is() {
    let (model, golden) = (open("byte"), now(golden("byte")));
    let memory = now(model.encode(&golden.rows, 0, &NeverYields)).unwrap();
    // 40 places, so that the cache grows.
    let target = |row: usize| -> Vec<u32> {
        (0..40).map(|at| if at == 0 { 0 } else { 60 + (at * 7 + row as u32) % 60 }).collect()
    };
    let targets: Vec<Vec<u32>> = (0..3).map(target).collect();
    let whole: Vec<f32> = now(model.logits(&memory, &targets, &NeverYields)).unwrap().into_data().try_to_vec().unwrap();
    let ways = [Decoding::new, Decoding::on_device];
    for mut decoding in ways.map(|way| way(&model, &memory, false, NeverYields)) {
        for at in 0..40 {
            let continued: Vec<_> = (0..3).map(|row| Continuation { parent: row, token: targets[row][at] }).collect();
            let scores = now(decoding.next(&continued)).unwrap();
            for row in 0..3 {
                let expected = &whole[(row * 40 + at) * 384..][..384];
                let found = &scores.logits[row * 384..][..384];
                let difference = found.iter().zip(expected).map(|(one, other)| (one - other).abs()).fold(0.0, f32::max);
                assert!(difference < SAME, "row {row}, place {at}: {difference}");
            }
        }
    }
}

#[test]
fn sources_that_end_change_nothing_of_the_others() {
    // Parents and sources of the rows of each step: two beams per source, until the first source ends, then the second.
    const STEPS: [&[(usize, usize)]; 6] = [
        &[(0, 0), (1, 1), (2, 2)],
        &[(0, 0), (0, 0), (1, 1), (1, 1), (2, 2), (2, 2)],
        &[(3, 1), (2, 1), (4, 2), (5, 2)],
        &[(0, 1), (1, 1), (2, 2), (3, 2)],
        &[(3, 2), (2, 2)],
        &[(0, 2), (1, 2)],
    ];
    let (model, rows) = (open("byte"), rows("byte"));
    let memory = now(model.encode(&rows, 0, &NeverYields)).unwrap();
    let token = |source: usize, step: usize| if step == 0 { 0 } else { 60 + (step * 7 + source) as u32 % 60 };
    let same = |one: &[f32], other: &[f32]| one.iter().zip(other).all(|(one, other)| (one - other).abs() < SAME);
    for way in [Decoding::new, Decoding::on_device] {
        let (mut all, mut fewer) = (way(&model, &memory, true, NeverYields), way(&model, &memory, true, NeverYields));
        for (step, rows) in STEPS.iter().enumerate() {
            let continued = |(parent, source)| Continuation { parent, token: token(source, step) };
            let found = now(fewer.next(&rows.iter().copied().map(continued).collect::<Vec<_>>())).unwrap();
            let every: Vec<_> = (0..3).map(|source| continued((source, source))).collect();
            let expected = now(all.next(&every)).unwrap();
            for (row, (_, source)) in rows.iter().enumerate() {
                let (logits, of_all) = (&found.logits[row * 384..], &expected.logits[source * 384..]);
                assert!(same(&logits[..384], of_all), "step {step}, source {source}");
                assert!(same(found.attention(row), expected.attention(*source)), "step {step}, source {source}");
            }
        }
    }
}

#[test]
fn rows_written_together_are_written_as_if_each_were_alone() {
    // Natively, products of more rows may be summed in another order.
    for way in ["plain", "byte", "sign"] {
        now(check_rows_together(way, |one, other| (one - other).abs() < SAME));
    }
}

#[test]
fn attention_is_that_of_the_reference() {
    let (model, golden) = (open("plain"), now(golden("plain")));
    let expected = now(tensor("plain.attention"));
    let memory = now(model.encode(&golden.rows, 0, &NeverYields)).unwrap();
    let (length, places) = (memory.length, golden.targets[0].len());
    let ways = [Decoding::new, Decoding::on_device];
    for mut decoding in ways.map(|way| way(&model, &memory, true, NeverYields)) {
        for at in 0..places {
            let continued: Vec<_> =
                (0..3).map(|row| Continuation { parent: row, token: golden.targets[row][at] }).collect();
            let scores = now(decoding.next(&continued)).unwrap();
            for row in 0..3 {
                let expected = &expected[(row * places + at) * length..][..length];
                let found = scores.attention(row);
                // Attention weights sum to 1; they agree with the reference up to the tolerance of golden numbers.
                assert!(found.iter().zip(expected).all(|(one, other)| (one - other).abs() < GOLDEN_TOLERANCE));
                assert!((found.iter().sum::<f32>() - 1.0).abs() < 1e-4);
            }
        }
    }
    let options = Options { attention: true, answers: 5, longest: 12, ..Options::default() };
    for output in now(outputs(&model, &golden.rows[..1], &options)).remove(0) {
        assert_eq!(output.attention.len(), output.tokens.len());
        assert!(output.attention.iter().all(|row| row.len() == golden.rows[0].ids.len()));
    }
}

#[test]
fn rows_that_cannot_be_read_are_refused_with_the_reason() {
    let check = |way: &str, ids: Vec<u32>, points: Option<Vec<u32>>, said: &str| {
        let error = now(open(way).encode(&[SourceRow { ids, points }], 0, &NeverYields)).unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
    };
    check("plain", Vec::new(), None, "it is empty");
    check("plain", vec![60; 2049], None, "2049 bytes, more than 2048");
    check("plain", vec![60, 384], None, "token 384 lies outside the vocabulary of 384");
    check("sign", vec![60, 61], Some(vec![1]), "2 tokens, but points for 1");
    check("sign", vec![60, 61], Some(vec![1, 40]), "point 40 lies outside the 40");
    check("sign", vec![60, 61], None, "points are those of signs");
    let (model, yielder) = (open("plain"), NeverYields);
    let memory = now(model.encode(&[SourceRow::of_text("a")], 0, &yielder)).unwrap();
    let refused = |targets: &[Vec<u32>]| now(model.logits(&memory, targets, &yielder)).unwrap_err().to_string();
    assert!(refused(&[vec![0], vec![0]]).contains("2 targets for 1 rows"));
    assert!(refused(&[vec![0, 999]]).contains("token 999"));
    let mut decoding = Decoding::new(&model, &memory, false, NeverYields);
    let error = now(decoding.next(&[Continuation { parent: 3, token: 0 }])).unwrap_err().to_string();
    assert!(error.contains("one of 1 that is not there"), "{error}");
}

/// Yielder that cancels a job after some layers.
struct CancelAfter(Cell<u32>);

impl Yield for CancelAfter {
    async fn yield_now(&self) -> Result<(), Cancelled> {
        let left = self.0.get().checked_sub(1).ok_or(Cancelled)?;
        self.0.set(left);
        Ok(())
    }
}

#[test]
fn a_cancelled_job_stops_yield_now() {
    let (model, rows) = (open("byte"), rows("byte"));
    let stopping = |layers| CancelAfter(Cell::new(layers));
    assert_eq!(now(model.encode(&rows, 0, &stopping(1))).unwrap_err(), ByT5Error::Stopped);
    let memory = now(model.encode(&rows, 0, &stopping(2))).unwrap();
    let mut shown = 0;
    let mut decoding = Decoding::new(&model, &memory, false, stopping(9));
    let stopped = now(generate(&mut decoding, rows.len(), &Options::default(), |_| shown += 1));
    assert_eq!(stopped.unwrap_err(), ByT5Error::Stopped);
    assert!(shown > 0, "nothing was shown of four bytes");
    let mut source = MemorySource::new(WEIGHTS);
    let loaded = now(load_byt5(&config(), &mut source, None, &flex(), |_, _| (), &stopping(3)));
    assert_eq!(loaded.unwrap_err(), WeightsError::Stopped);
}

#[test]
fn samples_repeat_with_their_seed() {
    let (model, rows) = (open("byte"), rows("byte"));
    let drawn = |seed| {
        let method = Method::Sample { temperature: 0.9, seed };
        now(outputs(&model, &rows, &Options { method, answers: 3, longest: 20, ..Options::default() }))
    };
    assert_eq!(drawn(1), drawn(1));
    assert_ne!(drawn(1), drawn(2));
}

#[test]
fn the_bias_trains_in_the_model() {
    let device = flex().autodiff();
    let (model, golden) = (now(translator("byte", &device)), now(golden("byte")));
    let train = |model: &ByT5| {
        let memory = now(model.encode(&golden.rows, 0, &NeverYields)).unwrap();
        let logits = now(model.logits(&memory, &golden.targets, &NeverYields)).unwrap();
        burn::tensor::activation::log_softmax(logits, 2).narrow(2, 60, 1).mean()
    };
    let loss = train(&model);
    let value = loss.clone().into_data().try_to_vec::<f32>().unwrap()[0];
    let mut gradients = loss.backward();
    let (points, alpha) = model.geometry().unwrap().parameters();
    let points: Vec<f32> = points.val().grad_remove(&mut gradients).unwrap().into_data().try_to_vec().unwrap();
    let alpha: Vec<f32> = alpha.val().grad_remove(&mut gradients).unwrap().into_data().try_to_vec().unwrap();
    assert!(points.iter().chain(&alpha).all(|number| number.is_finite()));
    assert!(points.iter().any(|number| *number != 0.0) && alpha[0] != 0.0);
    // Without gradients, α is moved a little: the slope of the loss is the gradient. The step of 0.02 moves the loss by
    // about 1e-4, of which rounding leaves a hundredth uncertain.
    let moved = |by: f32| {
        let mut model = open("byte");
        let bias = model.detach().unwrap();
        let values = now(bias.values()).unwrap();
        let alpha = values.1 + by;
        model.attach(HyperbolicBias::new(values.0, 32, alpha, bias.layers(), bias.curvature(), &flex()).unwrap());
        train(&model).into_data().try_to_vec::<f32>().unwrap()[0]
    };
    assert!((moved(0.0) - value).abs() < SAME);
    let slope = (moved(0.02) - moved(-0.02)) / 0.04;
    assert!((slope - alpha[0]).abs() < 0.05 * slope.abs().max(1e-3), "{slope} and {}", alpha[0]);
}

/// Returns the file with one text in its header replaced by another.
fn with_header(from: &str, to: &str) -> Vec<u8> {
    let length = u64::from_le_bytes(WEIGHTS[..8].try_into().unwrap()) as usize;
    let header = std::str::from_utf8(&WEIGHTS[8..8 + length]).unwrap();
    assert!(header.contains(from), "{from} is not in the header");
    let header = header.replacen(from, to, 1);
    [&(header.len() as u64).to_le_bytes(), header.as_bytes(), &WEIGHTS[8 + length..]].concat()
}

fn load(weights: Vec<u8>, config: &ByT5Config) -> Result<ByT5, WeightsError> {
    now(load_byt5(config, &mut MemorySource::new(weights), None, &flex(), |_, _| (), &NeverYields))
}

#[test]
fn a_wrong_weights_file_is_refused_with_the_reason() {
    let check = |weights: Vec<u8>, config: &ByT5Config, said: &str| {
        let error = load(weights, config).unwrap_err();
        assert!(!error.hints().is_empty());
        assert!(error.to_string().contains(said), "{error}");
    };
    let own = config();
    check(WEIGHTS[..WEIGHTS.len() - 1].to_vec(), &own, "truncated");
    check(with_header("lm_head.weight", "lm_heed.weight"), &own, "tensor lm_heed.weight is unknown to a ByT5");
    check(
        with_header("geometry.alpha", "decoder.block.0.layer.1.EncDecAttention.relative_attention_bias.weight"),
        &own,
        "geometry.alpha is missing",
    );
    let more = ByT5Config { num_decoder_layers: Some(3), ..own.clone() };
    check(WEIGHTS.to_vec(), &more, "decoder.block.2.layer.0.SelfAttention.k.weight is missing, as 13 others are");
    let fewer = ByT5Config { num_layers: 1, ..own.clone() };
    check(WEIGHTS.to_vec(), &fewer, "is unknown to a ByT5 of this size");
    let wider = ByT5Config { d_ff: 65, ..own.clone() };
    check(WEIGHTS.to_vec(), &wider, "config.json asks for [65, 32]");
    let flat = ByT5Config { curvature: 4.0, ..own.clone() };
    check(WEIGHTS.to_vec(), &flat, "lies outside the ball of curvature −4");
    let mut infinite = WEIGHTS.to_vec();
    let last = infinite.len() - 2;
    infinite[last..].copy_from_slice(&[0x00, 0x7e]);
    check(infinite, &own, "not finite");
}

#[test]
fn embeddings_under_another_name_are_read_once() {
    let renamed = with_header("shared.weight", "encoder.embed_tokens.weight");
    let rows = rows("byte");
    assert_eq!(states(&load(renamed, &config()).unwrap(), &rows), states(&open("byte"), &rows));
    // With both names, the second is not read and not counted.
    let mut source = MemorySource::new(WEIGHTS);
    let (header, _) = now(Header::read("weights", &mut source)).unwrap();
    let mut tensors = header.tensors;
    let mut alias = tensors.iter().find(|tensor| tensor.name == "shared.weight").unwrap().clone();
    alias.name = "decoder.embed_tokens.weight".to_string();
    let total: u64 = tensors.iter().map(|tensor| tensor.bytes as u64).sum();
    tensors.push(alias);
    let mut reported = Vec::new();
    let mut loader = ByT5Loader::new(&config(), &[&tensors], &flex()).unwrap();
    now(loader.read(&tensors, &mut source, None, &mut |done, of| reported.push((done, of)), &NeverYields)).unwrap();
    assert_eq!(reported.last(), Some(&(total, total)));
    assert_eq!(states(&loader.finish().unwrap(), &rows), states(&open("byte"), &rows));
}

fn folder(name: &str) -> PathBuf {
    tuppum_testing::project(name)
}

/// Writes a safetensors file of some tensors of the weights.
fn write_part(path: &Path, keep: impl Fn(usize) -> bool) -> Vec<String> {
    let mut source = MemorySource::new(WEIGHTS);
    let (header, _) = now(Header::read("weights", &mut source)).unwrap();
    let (mut entries, mut data) = (serde_json::Map::new(), Vec::new());
    for (_, tensor) in header.tensors.iter().enumerate().filter(|(number, _)| keep(*number)) {
        let begin = data.len();
        data.extend(&WEIGHTS[tensor.offset as usize..][..tensor.bytes]);
        let dtype = format!("{:?}", tensor.dtype).to_uppercase();
        let entry = serde_json::json!({"dtype": dtype, "shape": tensor.shape, "data_offsets": [begin, data.len()]});
        entries.insert(tensor.name.clone(), entry);
    }
    let names = entries.keys().cloned().collect();
    let header = serde_json::to_vec(&entries).unwrap();
    std::fs::write(path, [&(header.len() as u64).to_le_bytes(), header.as_slice(), &data].concat()).unwrap();
    names
}

#[test]
fn a_folder_of_shards_is_the_folder_of_one_file() {
    let rows = rows("byte");
    let whole =
        now(open_translator(&folder("tests/golden/tiny-translator"), &flex(), |_, _| (), &NeverYields)).unwrap();
    let cut = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tiny-translator-shards");
    std::fs::create_dir_all(&cut).unwrap();
    std::fs::copy(folder("tests/golden/tiny-translator/config.json"), cut.join("config.json")).unwrap();
    let mut map = serde_json::Map::new();
    for part in 0..3 {
        let name = format!("model-0000{}-of-00003.safetensors", part + 1);
        for tensor in write_part(&cut.join(&name), |number| number % 3 == part) {
            map.insert(tensor, name.clone().into());
        }
    }
    let index = cut.join("model.safetensors.index.json");
    std::fs::write(&index, serde_json::json!({"metadata": {}, "weight_map": map}).to_string()).unwrap();
    let open = || now(open_translator(&cut, &flex(), |_, _| (), &NeverYields));
    assert_eq!(states(&open().unwrap(), &rows), states(&whole, &rows));
    std::fs::write(&index, r#"{"weight_map": {"a": "../b"}}"#).unwrap();
    assert!(open().unwrap_err().to_string().contains("no plain file name"));
    std::fs::remove_file(&index).unwrap();
    assert!(open().unwrap_err().to_string().contains("there are no weights"));
}

#[test]
fn a_file_of_pytorch_is_the_same_translator() {
    let rows = rows("byte");
    let open = |name: &str| now(open_translator(&folder(name), &flex(), |_, _| (), &NeverYields)).unwrap();
    let (safe, torch) = (open("tests/golden/tiny-translator"), open("tests/golden/tiny-translator-torch"));
    assert_eq!(states(&torch, &rows), states(&safe, &rows));
}
