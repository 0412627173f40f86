//! Time of a training step in the worker on the CPU: a translator of ten million parameters without its bias, and
//! sixteen pairs of twice 128 tokens. `cargo xtask bench --peers --training` prints it beside PyTorch.

fn main() {}

#[cfg(target_family = "wasm")]
mod in_the_browser {
    use burn::tensor::Device;
    use tuppum_domain::translation::training::{
        Length, TranslationPair, TranslatorTrainingPlan, TranslatorTrainingSettings,
    };
    use tuppum_engine::bindings::now;
    use tuppum_engine::models::device::run_constructors;
    use tuppum_engine::wasm_module::use_relaxed;
    use tuppum_nn::byt5::ByT5Config;
    use tuppum_nn::yielding::NeverYields;
    use tuppum_random::Random;
    use tuppum_train::translator::{TranslatorTrainer, fresh};
    use wasm_bindgen_test::{console_log, wasm_bindgen_test, wasm_bindgen_test_configure};

    wasm_bindgen_test_configure!(run_in_dedicated_worker);

    /// Number of measured steps; the median counts.
    const TIMES: usize = 9;
    /// Number of uncounted steps before, until the browser has optimised the loops.
    const WARM_UP: usize = 3;
    const PAIRS: usize = 16;
    /// Letters of a source and of a target; the end of each is one more token.
    const LETTERS: usize = 127;

    fn plan() -> TranslatorTrainingPlan {
        let mut draws = Random::new(1);
        let mut line = || (0..LETTERS).map(|_| char::from(b'a' + (draws.uniform() * 26.0) as u8)).collect::<String>();
        let pairs = (0..4 * PAIRS).map(|number| TranslationPair::new(number.to_string(), line(), line())).collect();
        let settings = TranslatorTrainingSettings {
            length: Length::Steps((WARM_UP + TIMES) as u32),
            batch_bytes: PAIRS * 2 * (LETTERS + 1),
            held_out: 0.0,
            augmented: 0.0,
            bias: false,
            ..TranslatorTrainingSettings::default()
        };
        TranslatorTrainingPlan { pairs, settings }
    }

    #[wasm_bindgen_test]
    async fn training() {
        run_constructors();
        use_relaxed();
        let config = ByT5Config::named("mini").expect("a size by its name");
        let model = fresh::model(&config, 1, &Device::flex()).expect("a model");
        let mut trainer = TranslatorTrainer::new(&model, plan()).expect("a plan that can be carried out");
        let mut times = vec![];
        for step in 0..WARM_UP + TIMES {
            let start = now();
            let made = trainer.step(&NeverYields).await.expect("a step");
            assert_eq!(made.pairs, PAIRS as u32);
            if step >= WARM_UP {
                times.push(now() - start);
            }
        }
        times.sort_by(f64::total_cmp);
        console_log!("training {:.1} ms a step", times[TIMES / 2]);
    }
}
