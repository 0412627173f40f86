//! How much memory a run takes, before it is begun.

use tuppum_nn::byt5::ByT5Config;
use tuppum_tasks::memory::TranslatorSize;
use tuppum_tasks::translation::training::Plan;

/// How large a model of this configuration is.
pub fn size(config: &ByT5Config) -> TranslatorSize {
    TranslatorSize {
        width: config.d_model,
        inner: config.inner(),
        feed_forward: config.d_ff,
        heads: config.num_heads,
        encoder_layers: config.num_layers,
        decoder_layers: config.decoder_layers(),
        vocabulary: config.vocab_size,
        parameters: config.parameter_count(),
    }
}

/// Bytes that training a model of this size by this plan takes at most, the model itself included.
pub fn estimate(config: &ByT5Config, plan: &Plan) -> u64 {
    size(config).memory(plan)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tuppum_tasks::translation::training::{Additions, Pair, Settings};

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
        // With additions the model once, 1.2 GB, the maps of attention twice, 0.36 GB, and 0.67 GB that the layers
        // keep, as before.
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
