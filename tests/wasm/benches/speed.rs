//! Speed of the worker on the CPU, relative to what it reaches in one large matrix product: the encoder of a translator
//! of ten million parameters over 257 bytes, with and without relaxed instructions. `cargo xtask bench` prints it.

fn main() {}

#[cfg(target_family = "wasm")]
mod in_the_browser {
    use burn::tensor::{Device, Distribution, Tensor};
    use std::hint::black_box;
    use tuppum_engine::bindings::now;
    use tuppum_engine::models::device::run_constructors;
    use tuppum_engine::wasm_module::use_relaxed;
    use tuppum_nn::byt5::{ByT5, ByT5Builder, ByT5Config, SourceRow};
    use tuppum_nn::yielding::NeverYields;
    use tuppum_random::Random;
    use wasm_bindgen_test::{console_log, wasm_bindgen_test, wasm_bindgen_test_configure};

    wasm_bindgen_test_configure!(run_in_dedicated_worker);

    /// Number of measurements of each figure, in turn with the others; the median counts.
    const TIMES: usize = 9;
    /// Number of uncounted measurements before, until the browser has optimised the loops.
    const WARM_UP: usize = 3;
    const LARGE: usize = 1_024;

    fn model(config: &ByT5Config) -> ByT5 {
        let mut builder = ByT5Builder::new(config.clone(), Device::flex());
        let mut random = Random::stream(1, 0);
        for spec in config.tensors() {
            let scale = spec.shape.get(1).map_or(1.0, |inputs| (*inputs as f32).powf(-0.5));
            let values = (0..spec.elements()).map(|_| (random.uniform() as f32 - 0.5) * 2.0 * scale).collect();
            builder.put(&spec.name, values).expect("a tensor of the model");
        }
        builder.build().expect("a model")
    }

    /// Returns the number of operations in the encoder's products over a row of `places` tokens.
    fn operations(config: &ByT5Config, places: usize) -> f64 {
        let (d, inner) = (config.d_model, config.num_heads * config.d_kv);
        let weights = 4 * d * inner + 3 * d * config.d_ff;
        let attention = 2 * places * inner;
        2.0 * (places * (weights + attention) * config.num_layers) as f64
    }

    fn middle(mut times: Vec<f64>) -> f64 {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    }

    #[wasm_bindgen_test]
    async fn speed() {
        run_constructors();
        let config = ByT5Config::named("mini").expect("a size by its name");
        let model = model(&config);
        let row = [SourceRow::of_text(&"a-na be-li-ia ".repeat(19)[..256])];
        let square = || Tensor::<2>::random([LARGE, LARGE], Distribution::Default, &Device::flex());
        let (left, right) = (square(), square());
        let (mut encoding, mut product) = ([vec![], vec![]], [vec![], vec![]]);
        for round in 0..WARM_UP + TIMES {
            for relaxed in [false, true] {
                if relaxed && !use_relaxed() {
                    continue;
                }
                gemm::use_slot(relaxed);
                let start = now();
                let memory = model.encode(&row, 0, &NeverYields).await;
                assert!(memory.is_ok());
                let between = now();
                black_box(left.clone().matmul(right.clone()));
                if round >= WARM_UP {
                    encoding[usize::from(relaxed)].push(between - start);
                    product[usize::from(relaxed)].push(now() - between);
                }
            }
        }
        for (name, encoding, product) in [("plain", &encoding[0], &product[0]), ("relaxed", &encoding[1], &product[1])]
        {
            if encoding.is_empty() {
                console_log!("speed {name} none");
                continue;
            }
            let [encoding, product] = [encoding, product].map(|times| middle(times.clone()));
            let reached = operations(&config, row[0].ids.len()) / encoding / 1e6;
            let peak = 2.0 * (LARGE as f64).powi(3) / product / 1e6;
            console_log!("speed {name} {encoding:.1} ms {reached:.1} of {peak:.1} GFLOP/s");
        }
    }
}
