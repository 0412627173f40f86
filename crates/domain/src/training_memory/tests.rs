//! The estimate grows with everything that grows, plans shrink until they fit, and measured runs stay within it.

use super::*;
use crate::restoration;
use crate::training::OptimiserRule;
use crate::translation::learns::Learns;
use crate::translation::training::{TranslationPair, TranslatorTrainingPlan, TranslatorTrainingSettings};
use proptest::prelude::*;
use tuppum_testing::project;

fn shipped(file: &str) -> Vec<u8> {
    std::fs::read(project(file)).unwrap()
}

fn translator() -> ModelSize {
    ModelSize::of_translator(&shipped("models/translator/config.json")).unwrap()
}

fn restorer() -> ModelSize {
    ModelSize::of_restorer(&shipped("models/restorer/config.json")).unwrap()
}

/// Returns a ByT5 of this width, feed-forward width, and numbers of heads, encoder and decoder layers.
fn byt5([width, feed_forward, heads, encoder, decoder]: [usize; 5]) -> ModelSize {
    let json = format!(
        r#"{{"d_model": {width}, "d_kv": 64, "d_ff": {feed_forward}, "num_heads": {heads}, "num_layers": {encoder},
        "num_decoder_layers": {decoder}, "vocab_size": 384}}"#
    );
    ModelSize::of_translator(json.as_bytes()).expect("the sizes of a translator")
}

/// Returns ByT5-small.
fn small() -> ModelSize {
    byt5([1472, 3584, 6, 12, 4])
}

/// Returns ByT5-base.
fn base() -> ModelSize {
    byt5([1536, 3968, 12, 18, 6])
}

/// Bytes of the largest tensor that WebGPU guarantees.
const BINDING: u64 = 128 << 20;

const ADAMW: OptimiserRule = OptimiserRule::AdamW;

fn in_a_tab(size: ModelSize, wanted: Learns) -> Result<FittingPlan, TooLarge> {
    FittingPlan::of(size, lines(100), (wanted, ADAMW), DeviceMemory::PROCESSOR)
}

fn lines(length: usize) -> LongestPair {
    LongestPair::of(std::iter::repeat_n([length + 1; 2], 1000), 512)
}

#[test]
fn a_plan_is_made_smaller_until_it_fits_or_none_does() {
    let plan = |learns, batch_bytes| Ok(FittingPlan { learns, rule: ADAMW, batch_bytes, parts: 1 });
    let (whole, adapters) = (Learns::Whole, Learns::Adapters);
    assert_eq!(in_a_tab(ModelSize::NEW, whole), plan(whole, 4096));
    assert_eq!(in_a_tab(translator(), whole), plan(whole, 4096));
    assert_eq!(in_a_tab(translator(), adapters), plan(adapters, 4096));
    // ByT5-small: its weights, gradients and moments alone are 6 GB.
    let of_small = in_a_tab(small(), whole);
    assert!(of_small.is_ok_and(|plan| plan.learns == adapters && plan.batch_bytes < 4096), "{of_small:?}");
    let large = ModelSize { encoder_layers: 36, decoder_layers: 12, parameters: 1_228_183_552, ..small() };
    let Err(TooLarge::Whole { needed, most }) = in_a_tab(large, adapters) else { panic!("1.2 billion numbers fit") };
    assert!(needed > 4_900_000_000 && most == MOST_MEMORY, "{needed} of {most}");
}

/// Returns trained part, batch bytes and parts of the plan to train all of a model on a card.
fn on_card(gigabytes: u32, size: ModelSize, rule: OptimiserRule) -> Result<(Learns, usize, usize), TooLarge> {
    let memory = DeviceMemory::of_card(gigabytes, BINDING);
    let plan = FittingPlan::of(size, lines(100), (Learns::Whole, rule), memory)?;
    Ok((plan.learns, plan.batch_bytes, plan.parts))
}

#[test]
fn what_keeps_fewer_moments_trains_the_whole_on_a_smaller_card() {
    let least = |size, rule| {
        let whole = |gigabytes: &u32| on_card(*gigabytes, size, rule).is_ok_and(|plan| plan.0 == Learns::Whole);
        [4, 6, 8, 12, 16, 24].into_iter().find(whole)
    };
    let cards = |size| OptimiserRule::ALL.map(|rule| least(size, rule));
    // AdamW, Adafactor, Muon.
    assert_eq!((cards(small()), cards(base())), ([Some(8), Some(6), Some(8)], [Some(16), Some(12), Some(16)]));
}

#[test]
fn a_card_bears_more_than_a_tab() {
    let on = |gigabytes, size| on_card(gigabytes, size, ADAMW);
    let (whole, adapters) = (Learns::Whole, Learns::Adapters);
    // Weights, gradients and moments of ByT5-small are 6.0 GB, of ByT5-base 11.6 GB.
    for (size, cards) in [(small(), [4, 6, 8, 16]), (base(), [6, 8, 16, 24])] {
        let learns = cards.map(|card| on(card, size).map(|plan| plan.0));
        assert_eq!(learns, [adapters, adapters, whole, whole].map(Ok), "{cards:?}");
    }
    assert_eq!(on(8, small()), Ok((whole, 512, 2)), "as a whole before in larger batches");
    assert!(on(4, base()).is_err());
    assert_eq!(on(48, small()), on(80, small()), "more than all of the usual plan brings nothing");
}

#[test]
fn a_tensor_that_the_browser_does_not_allow_is_named() {
    let with =
        |largest| FittingPlan::of(base(), lines(100), (Learns::Whole, ADAMW), DeviceMemory::of_card(16, largest));
    // The gated maps: 1,536 × 7,936 numbers.
    let needed = 1536 * 2 * 3968 * 4;
    assert_eq!(with(needed - 1), Err(TooLarge::Tensor { needed, most: needed - 1 }));
    assert!(with(needed).is_ok());
}

#[test]
fn the_bias_alone_takes_less_than_anything_else_that_trains() {
    for size in [translator(), small()] {
        let bytes =
            |learns| FittingPlan { learns, rule: ADAMW, batch_bytes: 1024, parts: 1 }.memory(size, lines(100)).bytes();
        assert!(bytes(Learns::Bias) < bytes(Learns::Adapters) && bytes(Learns::Adapters) < bytes(Learns::Whole));
    }
    assert!(in_a_tab(small(), Learns::Bias).is_ok(), "ByT5-small with a bias fits into a tab");
}

#[test]
fn what_the_page_plans_is_what_the_worker_counts() {
    for size in [ModelSize::NEW, translator(), small()] {
        for [source, target] in [[40, 60], [300, 500], [512, 3]] {
            let pairs = vec![TranslationPair::new("", "a".repeat(source), "b".repeat(target)); 50];
            let too_long = TranslationPair::new("", "a".repeat(600), "b");
            let usual = TranslatorTrainingSettings::default();
            let longest = LongestPair::of(pairs.iter().map(TranslationPair::bytes), usual.longest);
            let fitting = FittingPlan::of(size, longest, (Learns::Whole, ADAMW), DeviceMemory::PROCESSOR);
            let Ok(fitting) = fitting else { panic!("{size:?} has no plan") };
            let FittingPlan { learns, batch_bytes, parts, .. } = fitting;
            let settings = TranslatorTrainingSettings { batch_bytes, parts, ..usual }.learning(learns);
            let plan = TranslatorTrainingPlan { pairs: pairs.into_iter().chain([too_long]).collect(), settings };
            let counted = TrainingMemory::of_translator(size, &plan);
            assert_eq!(counted, fitting.memory(size, longest));
            assert!(counted.fits());
        }
    }
}

#[test]
fn a_restorer_takes_about_what_it_was_known_to() {
    let settings = |layers, batch_tokens| restoration::training::RestorerTrainingSettings {
        layers,
        batch_tokens,
        ..restoration::training::RestorerTrainingSettings::default()
    };
    let bytes = |layers, tokens| TrainingMemory::of_restorer(restorer(), &settings(layers, tokens)).bytes();
    // As the page offers it: 115 MB of weights, the same for the four layers' gradients and moments, 0.7 GB of kept
    // values, 36 MB of answers, and the program.
    assert!((1.05e9..1.2e9).contains(&(bytes(Some(4), 2048) as f64)), "{}", bytes(Some(4), 2048));
    assert!(bytes(None, 2048) <= MOST_MEMORY, "all sixteen layers fit with half a batch: {}", bytes(None, 2048));
    assert_eq!(bytes(Some(16), 2048), bytes(None, 2048));
}

/// Generates sizes of either architecture.
fn sizes() -> impl Strategy<Value = ModelSize> {
    let numbers = (1..40_usize, 1..20_usize, 1..40_usize, 1..12_usize);
    (numbers, 1..24_usize, 0..12_usize, 1..5000_usize, 0..1_000_000_000_u64).prop_map(
        |((width, head, feed_forward, heads), encoder_layers, decoder_layers, vocabulary, parameters)| ModelSize {
            architecture: if decoder_layers == 0 { Architecture::Restorer } else { Architecture::Translator },
            width: 32 * width,
            inner: 8 * head * heads,
            feed_forward: 64 * feed_forward,
            heads,
            encoder_layers,
            decoder_layers,
            vocabulary,
            parameters,
        },
    )
}

proptest! {
    #[test]
    fn more_of_anything_takes_more(
        size in sizes(),
        rows in 1..64_usize,
        source in 1..512_usize,
        target in 1..512_usize,
        trained in prop_oneof![
            Just(Trained::Whole),
            (1..8_usize).prop_map(Trained::LastLayers),
            (1..64_usize).prop_map(Trained::LoraAdapters),
            Just(Trained::Bias)
        ],
        rule in proptest::sample::select(OptimiserRule::ALL.to_vec()),
    ) {
        let batch_of = |rows: usize, source: usize, target: usize| {
            let [source_places, target_places] = [rows * source, rows * target];
            BatchShape { source, source_places, target, target_places, answers: target_places }
        };
        let batch = batch_of(rows, source, target);
        let own = TrainingMemory { size, trained, rule, batch };
        let with = |size, batch| TrainingMemory { size, trained, rule, batch }.bytes();
        let larger = [[rows + 1, source, target], [rows, source + 1, target], [rows, source, target + 1]];
        for [rows, source, target] in larger {
            prop_assert!(with(size, batch_of(rows, source, target)) > own.bytes());
        }
        let more_decoders = ModelSize { decoder_layers: size.decoder_layers + 1, ..size };
        prop_assert!(with(more_decoders, batch) > own.bytes());
        let deeper = with(ModelSize { encoder_layers: size.encoder_layers + 1, ..size }, batch);
        match trained {
            // The number of trained layers stays the same, which is a smaller share of a deeper model.
            Trained::LastLayers(layers) if layers <= size.encoder_layers => prop_assert!(deeper <= own.bytes()),
            _ => prop_assert!(deeper > own.bytes()),
        }
        let more = match trained {
            Trained::Whole | Trained::Bias => trained,
            Trained::LastLayers(layers) => Trained::LastLayers(layers + 1),
            Trained::LoraAdapters(rank) => Trained::LoraAdapters(rank + 1),
        };
        let with_more = TrainingMemory { trained: more, ..own };
        prop_assert!(with_more.bytes() >= own.bytes());
    }

    #[test]
    fn a_larger_batch_and_longer_pairs_take_no_less(
        source in 1..512_usize, target in 1..512_usize, batch_bytes in 512..8192_usize,
    ) {
        let bytes = |batch_bytes| {
            let longest = LongestPair { source, target, pairs: usize::MAX };
            let plan = FittingPlan { learns: Learns::Whole, rule: ADAMW, batch_bytes, parts: 1 };
            plan.memory(translator(), longest).bytes()
        };
        prop_assert!(bytes(batch_bytes) <= bytes(batch_bytes + 1));
        prop_assert!(bytes(batch_bytes) < bytes(2 * (batch_bytes + source + target)));
    }
}
