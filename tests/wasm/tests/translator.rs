//! The translator in a real worker of a real browser, on both devices: the same test bodies as natively.
#![cfg(target_family = "wasm")]

#[path = "../../../crates/weights/tests/translator/mod.rs"]
mod translator;

use burn::tensor::Device;
use translator::{WAYS, cases, check_first_case, check_rows_together, differences, golden, outputs, translator};
use tuppum_domain::generation::{Method, Options};
use tuppum_engine::models::device::run_constructors;
use tuppum_nn::byt5::{GOLDEN_TOLERANCE, SourceRow};
use tuppum_wasm_tests::graphics;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_dedicated_worker);

async fn check_every_way(device: &Device) {
    for way in WAYS {
        let [states, logits] = differences(way, device).await;
        assert!(states < GOLDEN_TOLERANCE && logits < GOLDEN_TOLERANCE, "{way}: {states:e} {logits:e}");
    }
}

#[wasm_bindgen_test]
async fn the_cpu_computes_every_way() {
    run_constructors();
    check_every_way(&Device::flex()).await;
}

#[wasm_bindgen_test]
async fn the_cpu_finds_the_beams_of_hugging_face() {
    run_constructors();
    for way in ["plain", "byte", "sign"] {
        let (model, rows) = (translator(way, &Device::flex()).await, golden(way).await.rows);
        for case in cases(way) {
            let own: &[SourceRow] = &rows[case.row..=case.row];
            case.check(&outputs(&model, own, &case.options()).await[0]);
        }
    }
}

#[wasm_bindgen_test]
async fn the_cpu_writes_rows_together_as_if_each_were_alone() {
    run_constructors();
    for way in ["plain", "byte", "sign"] {
        check_rows_together(way, |one, other| one == other).await;
    }
}

#[wasm_bindgen_test]
async fn webgpu_computes_every_way() {
    run_constructors();
    let Some(gpu) = graphics().await else { return };
    check_every_way(&gpu.device).await;
    assert_eq!(gpu.errors.take(), None);
}

#[wasm_bindgen_test]
async fn webgpu_finds_the_beams_of_hugging_face() {
    run_constructors();
    let Some(gpu) = graphics().await else { return };
    check_first_case("byte", &gpu.device).await;
    assert_eq!(gpu.errors.take(), None);
}

#[wasm_bindgen_test]
async fn webgpu_need_not_be_looked_at_after_every_byte() {
    run_constructors();
    let Some(gpu) = graphics().await else { return };
    let (model, rows) = (translator("plain", &gpu.device).await, golden("plain").await.rows);
    let greedy: Vec<_> = cases("plain").into_iter().filter(|case| case.beams == 1).collect();
    let options = Options { method: Method::Greedy, read_every: 8, ..greedy[0].options() };
    let found = outputs(&model, &rows, &options).await;
    greedy.iter().for_each(|case| case.check(&found[case.row]));
    assert_eq!(gpu.errors.take(), None);
}
