//! Tests of PyTorch files: what is found in them, and that damaged ones are refused.

use super::*;
use crate::safetensors::{Dtype, Header};
use crate::storage::{MemorySource, SourceError};
use crate::tensors;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use tuppum_testing::now;

macro_rules! golden {
    ($name:literal) => {
        include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/torch/", $name))
    };
}

const TINY: &[u8] = golden!("tiny.bin");

fn list(bytes: &[u8]) -> Result<Vec<TensorInfo>, WeightsError> {
    now(read("pytorch_model.bin", &mut MemorySource::new(bytes)))
}

#[track_caller]
fn refuses(bytes: &[u8], expected: &str) {
    let error = list(bytes).unwrap_err().to_string();
    assert!(error.contains(expected), "{error}");
}

/// Returns an archive of these entries as PyTorch writes it; with `wide`, sizes and offsets are in the fields of zip64.
fn archive(entries: &[(&str, &[u8])], wide: bool) -> Vec<u8> {
    let (mut bytes, mut list) = (Vec::new(), Vec::new());
    for (name, data) in entries {
        let offset = bytes.len() as u64;
        bytes.extend(b"PK\x03\x04");
        bytes.extend([0; 22]);
        bytes.extend((name.len() as u16).to_le_bytes());
        bytes.extend(3_u16.to_le_bytes());
        bytes.extend(name.as_bytes());
        bytes.extend(b"pad");
        bytes.extend(*data);
        list.extend(listed(name, data.len() as u64, offset, wide));
    }
    let (begin, size) = (bytes.len() as u64, list.len() as u64);
    bytes.extend(list);
    bytes.extend(end(begin, size, begin + size, wide));
    bytes
}

/// Returns an entry of the directory.
fn listed(name: &str, bytes: u64, offset: u64, wide: bool) -> Vec<u8> {
    let short = |value: u64| if wide { u32::MAX } else { value as u32 }.to_le_bytes();
    // A field of another kind precedes that of zip64.
    let extra: Vec<u8> = if wide {
        [b"FB\x02\x00zz\x01\x00\x18\x00".to_vec(), [bytes, bytes, offset].map(u64::to_le_bytes).concat()].concat()
    } else {
        Vec::new()
    };
    let mut listed = b"PK\x01\x02".to_vec();
    listed.extend([0; 16]);
    listed.extend([short(bytes), short(bytes)].concat());
    listed.extend([(name.len() as u16).to_le_bytes(), (extra.len() as u16).to_le_bytes()].concat());
    listed.extend([0; 10]);
    listed.extend(short(offset));
    listed.extend(name.as_bytes());
    listed.extend(extra);
    listed
}

/// Returns the last records of an archive.
fn end(begin: u64, size: u64, here: u64, wide: bool) -> Vec<u8> {
    let mut bytes = Vec::new();
    if wide {
        bytes.extend(b"PK\x06\x06");
        bytes.extend([0; 36]);
        bytes.extend([size, begin].map(u64::to_le_bytes).concat());
        bytes.extend(b"PK\x06\x07\0\0\0\0");
        bytes.extend(here.to_le_bytes());
        bytes.extend([0; 4]);
    }
    bytes.extend(b"PK\x05\x06");
    bytes.extend([0; 8]);
    bytes.extend([size, begin].map(|value| if wide { u32::MAX } else { value as u32 }.to_le_bytes()).concat());
    bytes.extend([0; 2]);
    bytes
}

/// Returns the pickle of one tensor `a` with this type, offset, shape and strides.
fn pickle(kind: &str, offset: u8, shape: &[u8], strides: &[u8]) -> Vec<u8> {
    let tuple =
        |items: &[u8]| [b"(".to_vec(), items.iter().flat_map(|item| [b'K', *item]).collect(), b"t".to_vec()].concat();
    let mut bytes = b"\x80\x02}X\x01\0\0\0actorch._utils\n_rebuild_tensor_v2\n((X\x07\0\0\0storagectorch\n".to_vec();
    bytes.extend(kind.as_bytes());
    bytes.extend(b"\nX\x01\0\0\x000X\x03\0\0\0cpuK\x04tQK");
    bytes.push(offset);
    bytes.extend(tuple(shape));
    bytes.extend(tuple(strides));
    bytes.extend(b"\x89N");
    bytes.extend(b"tRs.");
    bytes
}

fn model(pickle: &[u8], wide: bool) -> Vec<u8> {
    archive(&[("m/data.pkl", pickle), ("m/byteorder", b"little"), ("m/data/0", &[0; 16])], wide)
}

#[test]
fn the_tensors_are_those_that_pytorch_wrote() {
    let safe: &[u8] = golden!("tiny.safetensors");
    let (expected, _) = now(Header::read("tiny.safetensors", &mut MemorySource::new(safe))).unwrap();
    for bytes in [TINY, golden!("protocol4.bin")] {
        let found = list(bytes).unwrap();
        assert_eq!(found.len(), expected.tensors.len());
        for tensor in &expected.tensors {
            let ours = found.iter().find(|ours| ours.name == tensor.name).unwrap();
            assert_eq!(
                (&ours.shape, ours.dtype, ours.bytes),
                (&tensor.shape, tensor.dtype, tensor.bytes),
                "{}",
                ours.name
            );
            let numbers = |bytes: &[u8], tensor: &TensorInfo| bytes[tensor.offset as usize..][..tensor.bytes].to_vec();
            assert_eq!(numbers(bytes, ours), numbers(safe, tensor), "{}", ours.name);
        }
        let place = |name: &str| found.iter().find(|tensor| tensor.name == name).map(|tensor| tensor.offset);
        assert_eq!(place("shared.weight"), place("encoder.embed_tokens.weight"));
        assert!(found.is_sorted_by_key(|tensor| tensor.offset));
        assert_eq!(now(tensors::read("f", &mut MemorySource::new(bytes))).map(|tensors| tensors.list), Ok(found));
    }
    let tensors = now(tensors::read("f", &mut MemorySource::new(safe))).unwrap();
    assert_eq!((tensors.list, tensors.first.len() as u64), (expected.tensors, expected.bytes));
}

#[test]
fn other_files_of_pytorch_are_refused_with_what_to_do() {
    refuses(golden!("legacy.bin"), "before PyTorch 1.6");
    let hints = list(golden!("legacy.bin")).unwrap_err().hints().join(" ");
    assert!(hints.contains("torch.load") && hints.contains("save_file"), "{hints}");
    refuses(
        golden!("transposed.bin"),
        "tensor a is stored in another order than its own (shape [3, 2], strides [1, 3])",
    );
    refuses(golden!("checkpoint.bin"), "its entry \"step\" is no tensor");
    refuses(golden!("long.bin"), "tensor position_ids is of type LongStorage");
    refuses(b"<html>not found</html>", "no archive of PyTorch");
    refuses(b"", "no archive of PyTorch");
}

#[test]
fn archives_by_hand_are_read_in_both_widths() {
    let pickle = pickle("HalfStorage", 2, &[2, 3], &[3, 1]);
    for wide in [false, true] {
        let bytes = model(&pickle, wide);
        let found = list(&bytes).unwrap();
        let at = bytes.windows(8).position(|window| window == b"data/0pa").unwrap() as u64 + 9;
        let expected = TensorInfo { name: "a".into(), dtype: Dtype::F16, shape: vec![2, 3], offset: at + 4, bytes: 12 };
        assert_eq!(found, [expected]);
    }
}

/// File most of which is never read.
struct Sparse {
    parts: Vec<(u64, Vec<u8>)>,
    length: u64,
}

impl Source for Sparse {
    fn length(&self) -> u64 {
        self.length
    }

    async fn read(&mut self, offset: u64, length: usize) -> Result<Vec<u8>, SourceError> {
        let mut bytes = vec![0; length];
        for (start, part) in &self.parts {
            for (place, byte) in (*start..).zip(part) {
                if let Some(into) = place.checked_sub(offset).and_then(|place| bytes.get_mut(place as usize)) {
                    *into = *byte;
                }
            }
        }
        Ok(bytes)
    }
}

#[test]
fn files_above_four_gigabytes_are_read() {
    let local = |name: &str| {
        [b"PK\x03\x04".to_vec(), vec![0; 22], (name.len() as u16).to_le_bytes().to_vec(), vec![0; 2], name.into()]
            .concat()
    };
    let pickle = pickle("FloatStorage", 0, &[4], &[1]);
    let (numbers, describes, list) = (5 << 30, 6 << 30, 7 << 30);
    let entries =
        [listed("m/data/0", 16, numbers, true), listed("m/data.pkl", pickle.len() as u64, describes, true)].concat();
    let size = entries.len() as u64;
    let last = end(list, size, list + size, true);
    let length = list + size + last.len() as u64;
    let mut source = Sparse {
        parts: vec![
            (0, local("m/version")),
            (numbers, local("m/data/0")),
            (describes, [local("m/data.pkl"), pickle].concat()),
            (list, [entries, last].concat()),
        ],
        length,
    };
    let found = now(read("pytorch_model.bin", &mut source)).unwrap();
    assert_eq!((found[0].offset, found[0].bytes), (numbers + 38, 16));
}

#[test]
fn pickles_that_would_run_code_are_refused_by_name() {
    let refuses = |pickle: &[u8], expected: &str| refuses(&model(pickle, false), expected);
    refuses(b"\x80\x02cos\nsystem\nX\x02\0\0\0ls\x85R.", "asks for os.system");
    refuses(b"\x80\x04\x8c\x08builtins\x8c\x04eval\x93\x8c\x011\x85R.", "asks for builtins.eval");
    refuses(b"\x80\x02ctorch\nload\n)R.", "asks for torch.load");
    refuses(b"\x80\x02ccollections\nOrderedDict\n)\x81.", "instruction 0x81");
    refuses(b"cos\nsystem\n(S'ls'\ntR.", "asks for os.system");
    refuses(b"(S'ls'\nios\nsystem\n.", "instruction 0x53");
    refuses(b"\x80\x02X\x01\0\0\0aX\x01\0\0\0bR.", "calls a value that is no name");
    refuses(b"\x80\x02(X\x04\0\0\0pathX\x01\0\0\x000X\x01\0\0\x000NNtQ.", "refers to \"path\" outside itself");
    refuses(b"\x80\x02ccollections\nOrderedDict\n}b.", "sets attributes of something that is no table");
}

#[test]
fn malformed_pickles_are_refused() {
    let refuses = |pickle: &[u8], expected: &str| refuses(&model(pickle, false), expected);
    refuses(b"", "breaks off");
    refuses(b"\x80\x02}", "breaks off");
    refuses(b".", "malformed");
    refuses(b"t.", "malformed");
    refuses(b"h\x01.", "malformed");
    refuses(b"K\x01.", "no table of tensors");
    refuses(b"}K\x01K\x02s.", "a key that is no name");
    refuses(b"}(K\x01u.", "malformed");
    refuses(b"X\xff\xff\xff\xffa.", "breaks off");
    refuses(b"X\x01\0\0\0\xff.", "not UTF-8");
    refuses(b"\x8a\x09\0\0\0\0\0\0\0\0\x01.", "more than 64 bits");
    refuses(&[b'N'; 1_000_002], "more than 1000000 values");
    let one = pickle("FloatStorage", 0, &[4], &[1]);
    let twice = [b"\x80\x02}", &one[3..one.len() - 1], &one[3..]].concat();
    refuses(&twice, "names tensor a twice");
}

#[test]
fn impossible_sizes_are_refused() {
    let refuses = |offset, shape: &[u8], strides: &[u8], expected: &str| {
        refuses(&model(&pickle("FloatStorage", offset, shape, strides), false), expected);
    };
    refuses(0, &[5], &[1], "tensor a has shape [5] at number 0 of data/0, which has 16 bytes");
    refuses(1, &[4], &[1], "at number 1 of data/0");
    refuses(0, &[255; 8], &[1; 8], "impossible sizes");
    refuses(0, &[1; 9], &[1; 9], "impossible sizes");
    refuses(0, &[2, 2], &[1, 2], "another order");
    refuses(0, &[2, 2], &[2], "another order");
    assert!(
        list(&model(&pickle("FloatStorage", 0, &[2, 1, 2], &[2, 9, 1]), false)).is_ok(),
        "an axis of one has no stride"
    );
    assert!(list(&model(&pickle("FloatStorage", 4, &[0, 3], &[9, 9]), false)).is_ok(), "nothing has no order");
}

#[test]
fn malformed_archives_are_refused() {
    let pickle = pickle("FloatStorage", 0, &[4], &[1]);
    let (first, second) = (("m/data.pkl", &pickle[..]), ("m/data/0", &[0; 16][..]));
    refuses(&archive(&[second], false), "no data.pkl");
    refuses(&archive(&[first], false), "data/0, which the archive lacks");
    refuses(&archive(&[first, ("n/data.pkl", &pickle)], false), "two data.pkl");
    refuses(&archive(&[first, second, second], false), "two entries named m/data/0");
    refuses(&archive(&[first, second, ("m/byteorder", b"big")], false), "big-endian");
    let good = archive(&[first, second], false);
    assert!(list(&good).is_ok());
    let place = good.windows(4).position(|window| window == b"PK\x01\x02").unwrap();
    let changed = |at: usize, byte: u8| {
        let mut bytes = good.clone();
        bytes[place + at] = byte;
        bytes
    };
    refuses(&changed(8, 1), "is encrypted");
    refuses(&changed(10, 8), "is packed");
    refuses(&changed(24, 1), "is packed");
    refuses(&changed(42, 7), "does not begin where the list says");
    refuses(&changed(45, 0x7f), "lies outside the archive");
    refuses(&changed(0, 0), "list of entries is malformed");
    refuses(&good[..good.len() - 1], "truncated");
}

/// Instructions that the reader knows, and some of their arguments.
const INSTRUCTIONS: &[u8] = b"}])(tuseabRQqhKNX.\x85\x86\x87\x88\x94\x93\x8a\x00\x01\x02";

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 2_000,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(1),
        ..ProptestConfig::default()
    })]

    /// Checks that reading a damaged file never panics, and that tensors that are found lie inside it.
    #[test]
    fn damaged_files_never_panic(
        file in prop_oneof![Just(TINY.to_vec()), Just(model(&pickle("HalfStorage", 2, &[2, 3], &[3, 1]), true))],
        flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
        cut in prop::option::weighted(0.3, any::<prop::sample::Index>()),
    ) {
        let mut bytes = file;
        for (place, byte) in flips {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        let length = bytes.len() as u64;
        for tensor in list(&bytes).unwrap_or_default() {
            prop_assert!(tensor.offset + tensor.bytes as u64 <= length);
            prop_assert_eq!(tensor.shape.iter().product::<usize>() * tensor.dtype.bytes(), tensor.bytes);
        }
    }

    #[test]
    fn any_pickle_is_read_or_refused(
        pickle in prop::collection::vec(prop::sample::select(INSTRUCTIONS.to_vec()), 0..60)
    ) {
        let _ = list(&model(&pickle, false));
    }
}
