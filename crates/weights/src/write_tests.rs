//! Tests of writing: files are read back, rounding is exact, and models are split into files.

use super::*;
use crate::safetensors::{Header, TensorInfo, floats};
use crate::storage::{MemorySource, WriteSink};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use tuppum_testing::now;

fn planned(name: &str, dtype: Dtype, shape: &[usize]) -> Planned {
    Planned { name: name.into(), dtype, shape: shape.to_vec() }
}

/// Writes tensors of these numbers.
fn write(tensors: &[(Planned, Vec<f32>)], notes: &BTreeMap<String, String>) -> Result<Vec<u8>, WeightsError> {
    let mut bytes = Vec::new();
    now(async {
        let plan = tensors.iter().map(|(planned, _)| planned.clone()).collect();
        let mut writer = Writer::begin(&mut bytes, plan, notes).await?;
        for (planned, values) in tensors {
            writer.put(&planned.name, values).await?;
        }
        writer.finish()
    })?;
    Ok(bytes)
}

#[test]
fn what_is_written_can_be_read() {
    let tensors = [
        (planned("second \"šumu\"", Dtype::F16, &[2, 2]), vec![1.0, -2.5, 0.0, 65_504.0]),
        (planned("a", Dtype::F32, &[]), vec![0.1]),
        (planned("nothing", Dtype::F32, &[0, 3]), vec![]),
        (planned("b", Dtype::Bf16, &[1, 3]), vec![1.0, 3e38, -0.5]),
    ];
    let notes = BTreeMap::from([("format".to_string(), "pt".to_string())]);
    let bytes = write(&tensors, &notes).unwrap();
    let (header, first) = now(Header::read("file", &mut MemorySource::new(&bytes))).unwrap();
    assert_eq!((first.len() % 8, header.file_bytes()), (0, bytes.len() as u64));
    assert_eq!(header.tensors.len(), tensors.len());
    for (planned, values) in &tensors {
        let info = header.tensor(&planned.name).unwrap();
        assert_eq!((info.dtype, &info.shape), (planned.dtype, &planned.shape));
        let found = floats(info, &bytes[info.offset as usize..][..info.bytes]).unwrap();
        // bfloat16 keeps 8 bits: the error is half a step of 2⁻⁸.
        let is_near = |(found, value): (&f32, &f32)| (found - value).abs() <= value.abs() / 256.0;
        assert!(found.len() == values.len() && found.iter().zip(values).all(is_near), "{found:?} {values:?}");
    }
    assert!(String::from_utf8_lossy(&first).contains(r#""__metadata__":{"format":"pt"}"#));
    let safe: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/torch/tiny.safetensors"));
    let (reference, _) = now(Header::read("tiny", &mut MemorySource::new(safe))).unwrap();
    assert_eq!(now(rewritten(safe, &reference)).unwrap(), safe[reference.bytes as usize..]);
}

/// Reads the numbers of a file and writes them again.
async fn rewritten(bytes: &[u8], header: &Header) -> Result<Vec<u8>, WeightsError> {
    let plan = header.tensors.iter().map(|tensor| planned(&tensor.name, tensor.dtype, &tensor.shape)).collect();
    let mut sink = WriteSink::new("memory", Vec::new());
    let mut writer = Writer::begin(&mut sink, plan, &BTreeMap::new()).await?;
    for tensor in &header.tensors {
        writer.put_bytes(&tensor.name, &bytes[tensor.offset as usize..][..tensor.bytes]).await?;
    }
    writer.finish()?;
    let mut written = sink.finish()?;
    let (again, _) = Header::read("again", &mut MemorySource::new(&written)).await?;
    Ok(written.split_off(again.bytes as usize))
}

#[test]
fn tensors_are_written_as_planned_or_not_at_all() {
    let message = |names: &[&str], values: &[f32]| {
        let mut bytes = Vec::new();
        let plan = vec![planned("a", Dtype::F16, &[2]), planned("b", Dtype::F16, &[2])];
        let done = now(async {
            let mut writer = Writer::begin(&mut bytes, plan, &BTreeMap::new()).await?;
            for name in names {
                writer.put(name, values).await?;
            }
            writer.finish()
        });
        done.map_or_else(|error| error.to_string(), |()| String::new())
    };
    assert_eq!(message(&["a", "b"], &[1.0, 2.0]), "");
    assert!(message(&["a"], &[1.0, 2.0]).contains("tensor b was planned but not written"));
    assert!(message(&["b"], &[1.0, 2.0]).contains("tensor b was written where a was planned"));
    assert!(message(&["a", "b", "c"], &[1.0, 2.0]).contains("tensor c was written but not planned"));
    assert!(message(&["a"], &[1.0]).contains("tensor a has 1 numbers; its shape [2] asks for 2"));
    assert!(message(&["a"], &[1.0, 65_520.0]).contains("tensor a holds 6.552e4, which F16 cannot hold"));
    assert!(message(&["a"], &[f32::NAN, 1.0]).contains("holds NaN"));
    let twice = write(&vec![(planned("a", Dtype::F32, &[1]), vec![1.0]); 2], &BTreeMap::new());
    assert!(twice.unwrap_err().to_string().contains("tensor a is planned twice"));
}

#[test]
fn numbers_are_rounded_to_the_nearest_and_ties_to_even() {
    let f16_bits = |value: f32| encoded(&[value], Dtype::F16).map(|bytes| u16::from_le_bytes([bytes[0], bytes[1]]));
    let bf16_bits = |value: f32| encoded(&[value], Dtype::Bf16).map(|bytes| u16::from_le_bytes([bytes[0], bytes[1]]));
    // Steps after 1 are 2⁻¹⁰ and 2⁻⁷: half a step is rounded to the even neighbour, more than half up.
    let (step, brain) = (2_f32.powi(-10), 2_f32.powi(-7));
    assert_eq!(
        [0.5, 0.501, 1.5, 2.5].map(|steps| f16_bits(1.0 + steps * step)),
        [0x3c00, 0x3c01, 0x3c02, 0x3c02].map(Ok)
    );
    assert_eq!(
        [0.5, 0.501, 1.5, 2.5].map(|steps| bf16_bits(1.0 + steps * brain)),
        [0x3f80, 0x3f81, 0x3f82, 0x3f82].map(Ok)
    );
    // Half the smallest number above 0 is a tie with 0, which is even.
    let smallest = 2_f32.powi(-24);
    assert_eq!([0.5, 0.501, 1.0, 1.5, -0.4].map(|of| f16_bits(of * smallest)), [0, 1, 1, 2, 0x8000].map(Ok));
    // The largest is 65,504; from half a step above it on there is only infinity.
    assert_eq!((f16_bits(65_519.996), f16_bits(65_520.0).is_err()), (Ok(0x7bff), true));
    assert!(bf16_bits(f32::MAX).is_err() && encoded(&[f32::INFINITY], Dtype::F32).is_err());
    assert!(encoded(&[1.0], Dtype::I32).is_err());
}

#[test]
fn every_half_survives_being_read_and_written() {
    for (dtype, infinity) in [(Dtype::F16, 0x7c00_u16), (Dtype::Bf16, 0x7f80)] {
        let bits: Vec<u8> = (0..infinity).chain(0x8000..0x8000 + infinity).flat_map(u16::to_le_bytes).collect();
        let info = TensorInfo { name: "a".into(), dtype, shape: vec![bits.len() / 2], offset: 0, bytes: bits.len() };
        let values = floats(&info, &bits).unwrap();
        assert_eq!(encoded(&values, dtype), Ok(bits));
    }
}

#[test]
fn models_are_cut_in_order() {
    let sizes = |shards: &[Vec<Planned>]| {
        shards.iter().map(|shard| shard.iter().map(|it| it.numbers()).collect()).collect::<Vec<Vec<_>>>()
    };
    let plan: Vec<Planned> = [3, 1, 4, 20, 5, 0]
        .iter()
        .enumerate()
        .map(|(number, size)| planned(&number.to_string(), Dtype::F16, &[*size]))
        .collect();
    let cut = shards(plan.clone(), 16);
    assert_eq!(sizes(&cut), [vec![3, 1, 4], vec![20], vec![5, 0]]);
    let index = index(&cut);
    assert_eq!(index.metadata.total_size, Some(66));
    assert_eq!(index.weight_map["3"], "model-00002-of-00003.safetensors");
    assert_eq!(shards(plan, u64::MAX).len(), 1);
    assert_eq!(shard_name(0, 1), "model.safetensors");
    let json = serde_json::to_vec(&index).unwrap();
    assert_eq!(Index::from_json("index", &json), Ok(index));
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 256,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(1),
        ..ProptestConfig::default()
    })]

    #[test]
    fn half_precision_is_the_nearest(value in -60_000_f32..60_000.0) {
        let bytes = encoded(&[value], Dtype::F16).unwrap();
        let bits = u16::from_le_bytes([bytes[0], bytes[1]]);
        let distance = |bits: u16| (f16::from_bits(bits).to_f32() - value).abs();
        prop_assert!(distance(bits) <= distance(bits.saturating_sub(1)) && distance(bits) <= distance(bits + 1));
    }

    #[test]
    fn no_tensor_is_lost_and_no_file_too_large(
        sizes in prop::collection::vec(0_usize..50, 0..20),
        limit in 1_u64..200,
    ) {
        let planned_of = |(number, size): (usize, &usize)| planned(&number.to_string(), Dtype::F32, &[*size]);
        let plan: Vec<Planned> = sizes.iter().enumerate().map(planned_of).collect();
        let cut = shards(plan.clone(), limit);
        prop_assert_eq!(cut.concat(), plan);
        for shard in cut {
            let fits = shard.iter().map(Planned::bytes).sum::<u64>() <= limit;
            prop_assert!(shard.len() <= 1 || fits || shard[1..].iter().all(|it| it.bytes() == 0));
        }
    }
}
