//! How much memory a run takes, before it is begun: an estimate that is rather too high than too low.

use super::adapters;
use tuppum_nn::byt5::ByT5Config;
use tuppum_tasks::translation::training::{Additions, Pair, Plan};

/// Copies of every trained number: the weight, its gradient, two moments, and what a step computes beside them.
const COPIES: usize = 5;
/// Numbers kept for the gradients of a layer, per place: so many of the width of the stream, of all heads, of the feed-forward part;
/// and per pair of places and head. Fitted to what burn-flex took for widths of 64 and 128 at 4,096 bytes (210 and 300 MB beside the
/// program), a tenth above it; a GPU keeps more at a time.
const OF_STREAM: usize = 8;
const OF_HEADS: usize = 6;
const OF_FEED_FORWARD: usize = 5;
const OF_PAIRS: usize = 1;

/// Bytes that training a model of this size by this plan takes at most, the model itself included.
pub fn estimate(config: &ByT5Config, plan: &Plan) -> u64 {
    let settings = &plan.settings;
    let fitting: Vec<[usize; 2]> = plan
        .pairs
        .iter()
        .map(Pair::bytes)
        .filter(|own| own.iter().all(|bytes| *bytes <= settings.longest + 1))
        .collect();
    let [source, target] =
        fitting.iter().fold([1, 1], |[source, target], own| [source.max(own[0]), target.max(own[1])]);
    let rows = (settings.batch_bytes / (source + target)).min(fitting.len()).max(1);
    let (width, inner, wide, heads) = (config.d_model, config.inner(), config.d_ff, config.num_heads);
    let layer = |places: usize, looked_at: usize| {
        let by_place = OF_STREAM * width + OF_HEADS * inner + OF_FEED_FORWARD * wide;
        rows * places * (by_place + OF_PAIRS * heads * looked_at)
    };
    let encoder = config.num_layers * layer(source, source);
    let decoder = config.decoder_layers() * (layer(target, target) + layer(target, source));
    let logits = 4 * rows * target * config.vocab_size;
    let numbers = config.parameter_count();
    let weights = match settings.additions {
        // The model once, the maps with their additions and the gradients of these sums besides.
        Some(Additions { rank, .. }) => {
            let [added, maps] = adapters::sizes(config, rank);
            numbers + 2 * maps + COPIES as u64 * added
        }
        None => COPIES as u64 * numbers,
    };
    4 * (weights + (encoder + decoder + logits) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tuppum_tasks::translation::training::Settings;

    #[test]
    fn smaller_batches_and_shorter_rows_take_less() {
        let config = ByT5Config::named("small").unwrap();
        let plan = |length: usize, batch_bytes| Plan {
            pairs: vec![Pair::new("", "a".repeat(length), "b".repeat(length)); 100],
            settings: Settings { batch_bytes, ..Settings::default() },
        };
        let of = |length, batch_bytes| estimate(&config, &plan(length, batch_bytes));
        assert!(of(200, 4096) > of(200, 1024) && of(200, 4096) > of(50, 4096));
        // ByT5-small: 300 M numbers, five times four bytes.
        assert!(of(50, 512) > 6_000_000_000);
        // With additions the model once, 1.2 GB, the maps of attention twice, 0.36 GB, and 0.67 GB that the layers keep, as before.
        let mut small = plan(50, 512);
        small.settings.additions = Some(Additions::default());
        let of_additions = estimate(&config, &small);
        assert!((2_200_000_000..2_300_000_000).contains(&of_additions), "{of_additions}");
        assert_eq!(
            of(600, 4096),
            estimate(&config, &Plan { pairs: Vec::new(), ..plan(1, 4096) }),
            "too long is left out"
        );
    }
}
