//! An index holds its input, in any order and after a round trip through a pack.

use super::*;
use crate::signs_row::SignsRow;
use proptest::prelude::*;
use tuppum_text::SignState;

const ROWS: [&str; 4] = [
    "P1\tsaao/saa01\takk-x-neoass\to 1\t-\ta na {m} LUGAL EN ia\t𒀀 𒈾 𒁹 𒈗 𒂗 𒅀\tPPDPPM\t101010",
    "P1\tsaao/saa01\takk-x-neoass\to 2\t-\tARAD ka x ...\t𒀴 𒅗 x ?\tPPXG\t1001",
    "P2\trinap/rinap1\takk\t1\t-\ta na be li₂\t𒀀 𒈾 𒁁 𒉌\tPPPP\t1010",
    "P3\triao\takk\t1\t-\tni\t𒉌\tP\t1",
];

fn built(order: impl IntoIterator<Item = usize>) -> AttestedTexts {
    let mut builder = Builder::default();
    builder.begin_file("corpus");
    for row in order {
        builder.add(&SignsRow::parse(ROWS[row]).unwrap_or_else(|error| panic!("{error}")));
    }
    builder.build().unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn signs_lines_and_texts_are_found_where_they_stand() {
    let texts = built(0..4);
    assert_eq!((texts.text_count(), texts.len()), (3, 18));
    let first = texts.signs_of(0);
    assert_eq!(first, 0..10);
    assert_eq!(texts.written(texts.signs_of_line(0)), "a-na {m}LUGAL EN-ia");
    assert_eq!(texts.written(texts.signs_of_line(1)), "ARAD-ka-x ...");
    assert_eq!((texts.label(1), texts.label(2)), ("o 2", "1"));
    assert_eq!((texts.line_at(0), texts.line_at(5), texts.line_at(6), texts.line_at(11)), (0, 0, 1, 2));
    assert_eq!(texts.text_number("P2"), Some(1));
    assert_eq!(texts.text(1).map(|text| &*text.project), Some("rinap/rinap1"));
    let states = [2, 3, 5, 8, 9].map(|place| texts.state(place));
    use SignState::*;
    assert_eq!(states, [Damaged, Preserved, Restored, Illegible, Break]);
    assert!(texts.starts_line(6) && !texts.starts_line(7));
}

#[test]
fn readings_of_one_sign_are_one_class() {
    let texts = built(0..4);
    let class = |name| texts.readings().number(name).map(|reading| texts.readings().class(reading));
    assert_eq!(class("ni"), class("li₂"));
    assert_ne!(class("a"), class("na"));
    // The two signs stand at the end of the second text and in the third.
    assert_eq!(texts.places(class("ni").unwrap_or_default()), [14, 16]);
    assert!(texts.places(texts.readings().class(ILLEGIBLE)).is_empty());
}

#[test]
fn what_is_no_pack_or_a_damaged_one_is_refused() {
    let pack = write(&built(0..4));
    assert_eq!(read(b"PK"), Err(PackError::NoPack));
    let mut newer = pack.clone();
    newer[14] = 9;
    assert_eq!(read(&newer), Err(PackError::Version { found: 9, known: 1 }));
    for length in 18..pack.len() {
        assert!(read(&pack[..length]).is_err(), "{length} of {} bytes were taken for a pack", pack.len());
    }
    assert!(read(&newer).is_err_and(|error| error.to_string().contains("version 9")));
}

proptest! {
    #[test]
    fn an_index_does_not_depend_on_the_order_of_texts(seed in any::<u64>()) {
        // Whole texts move; the lines of each text keep their order.
        let mut texts = vec![vec![0, 1], vec![2], vec![3]];
        texts.rotate_left((seed % 3) as usize);
        if seed & 8 == 0 {
            texts.swap(0, 2);
        }
        prop_assert_eq!(built(texts.into_iter().flatten()), built(0..4));
    }

    #[test]
    fn a_pack_reads_back_as_it_was(order in proptest::sample::subsequence(vec![0_usize, 1, 2, 3], 0..=4)) {
        let texts = built(order);
        prop_assert_eq!(read(&write(&texts)), Ok(texts));
    }

    #[test]
    fn a_flipped_byte_never_panics(place in any::<prop::sample::Index>(), bit in 0..8_u32) {
        let mut pack = write(&built(0..4));
        let place = place.index(pack.len());
        pack[place] ^= 1 << bit;
        // A changed byte in a name can go unnoticed here: the sha256 of the whole pack is checked where packs are
        // fetched.
        let _ = read(&pack);
    }
}

#[test]
fn a_text_without_lines_is_damaged() {
    let mut sections = super::pack::sections_of(&built(0..4));
    let (_, records) = sections.iter_mut().find(|(name, _)| *name == "texts").unwrap();
    records.extend(b"P9\tsaao\takk\t0\n");
    assert_eq!(read(&super::sections::write(&sections)).map(|_| ()), Err(PackError::Damaged { section: "texts" }));
}
