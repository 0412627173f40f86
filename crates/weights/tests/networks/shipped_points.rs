//! Compares what the documents say about the points of the shipped translator with its file: whether they learnt, or
//! are where training began.

use burn::tensor::{Device, Tensor, TensorData};
use tuppum_testing::now;
use tuppum_train::ball::PoincareBall;
use tuppum_weights::safetensors::{Header, floats};
use tuppum_weights::{MemorySource, Source};

const MODEL: &str = "models/translator/model.safetensors";
const START: &str = "assets/geometry/byte-points-hard.safetensors";
/// Documents that mention the points; each contains one of the two phrases, word for word.
const DOCUMENTS: [&str; 2] = ["models/translator/README.md", "docs/translator.md"];
const AT_START: &str = "Its points are where its training began with them";
const LEARNT: &str = "Its points moved";
/// Mean distance from the start up to which points count as not learnt. Two signs are 3 apart.
const UNLEARNT: f32 = 1e-3;

fn points(file: &str) -> Tensor<2> {
    let bytes = std::fs::read(tuppum_testing::project(file)).unwrap();
    let mut source = MemorySource::new(&bytes[..]);
    let (header, _) = now(Header::read(file, &mut source)).unwrap();
    let tensor = header.tensor("geometry.points").unwrap();
    let values = floats(tensor, &now(source.read(tensor.offset, tensor.bytes)).unwrap()).unwrap();
    Tensor::from_data(TensorData::new(values, [tensor.shape[0], tensor.shape[1]]), &Device::flex())
}

/// Files that state the strength of the bias, to two places.
const TOLD: [&str; 3] = ["models/translator/README.md", "docs/translator.md", "src/learn/bias.rs"];

#[test]
fn the_strength_of_the_shipped_bias_is_told_as_it_is() {
    let bytes = std::fs::read(tuppum_testing::project(MODEL)).unwrap();
    let mut source = MemorySource::new(&bytes[..]);
    let (header, _) = now(Header::read(MODEL, &mut source)).unwrap();
    let tensor = header.tensor("geometry.alpha").unwrap();
    let alpha = floats(tensor, &now(source.read(tensor.offset, tensor.bytes)).unwrap()).unwrap()[0];
    let told = format!("came to {alpha:.2}").replace('-', "−");
    for place in TOLD {
        let text = std::fs::read_to_string(tuppum_testing::project(place)).unwrap();
        let text = text.replace('\\', "").split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(&told), "{place} does not say {told:?}");
    }
}

#[test]
fn documents_say_of_the_shipped_points_what_the_file_has() {
    let ways = PoincareBall::new(1.0).distance(points(START), points(MODEL));
    let ways: Vec<f32> = ways.into_data().try_to_vec().unwrap();
    let (mean, largest) = (ways.iter().sum::<f32>() / ways.len() as f32, ways.iter().copied().fold(0.0, f32::max));
    println!("{} points moved by {mean:e} in the mean, {largest:e} at most", ways.len());
    assert_eq!(ways.len(), 384);
    for document in DOCUMENTS {
        let text = std::fs::read_to_string(tuppum_testing::project(document)).unwrap();
        // A sentence may run over the end of a line.
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let said = [AT_START, LEARNT].map(|said| text.contains(said));
        assert_eq!(said, [mean < UNLEARNT, mean >= UNLEARNT], "{document}, and the points moved by {mean:e}");
    }
}
