//! Fuzzes packs of corpora, memories, lexica and models of names, rows of corpus files, treebanks, words and clauses of
//! the formulary.
#![allow(clippy::unwrap_used)] // seeds that cannot be made are a failure

use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec;
use std::fs;
use tuppum_corpus::attested::{self, AttestedTexts, Builder};
use tuppum_corpus::context::Weights;
use tuppum_corpus::formulary::{Formulary, SourceFile};
use tuppum_corpus::glosses::{self, GlossaryBuilder, LexiconRow};
use tuppum_corpus::names::{NameClasses, NameModel, NameModelParts};
use tuppum_corpus::signs_row::{HEADER, SignsRow};
use tuppum_corpus::translation_memory::{self, PairSource, TranslationMemory};
use tuppum_corpus::treebank;
use tuppum_testing::fuzz::{Counting, Target};
use tuppum_testing::project;
use tuppum_text::Document;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const ROWS: [&str; 4] = [
    "P1\tsaao/saa01\takk-x-neoass\to 1\t-\ta na {m} LUGAL EN ia\t𒀀 𒈾 𒁹 𒈗 𒂗 𒅀\tPPDPPM\t101010",
    "P1\tsaao/saa01\takk-x-neoass\to 2\t-\tARAD ka x ...\t𒀴 𒅗 x ?\tPPXG\t1001",
    "P2\trinap/rinap1\takk\t1\t-\ta na be li₂\t𒀀 𒈾 𒁁 𒉌\tPPPP\t1010",
    "P3\triao\takk\t1\t-\tni\t𒉌\tP\t1",
];
const PAIRS: [PairSource; 2] = [
    PairSource { text: "P1", project: "saao", source: "a-na LUGAL EN-ia", target: "To the king, my lord:" },
    PairSource { text: "P2", project: "saao", source: "lu DI-mu", target: "Good health!" },
];

fn texts() -> AttestedTexts {
    let mut builder = Builder::default();
    builder.begin_file("corpus");
    ROWS.iter().for_each(|row| builder.add(&SignsRow::parse(row).unwrap()));
    builder.build().unwrap()
}

/// Returns a model that knows three features.
fn names() -> NameModel {
    NameModel::new(NameModelParts {
        dimension: 2,
        features: ["-1=LUGAL", "<{d}", "UTU"].map(str::to_owned).to_vec(),
        points: vec![0.5, -1.0, 3.0, 0.75, -0.25, 0.0],
        classes: (0..NameClasses::COUNT * 2).map(|at| at as f32 - 10.0).collect(),
        biases: vec![0.5; NameClasses::COUNT],
        temperature: 1.5,
    })
    .unwrap()
}

/// Returns a small pack of each kind.
fn packs() -> [Vec<u8>; 4] {
    let mut lexicon = GlossaryBuilder::default();
    for (spelling, lemma, guide_word) in [("LUGAL", "šarru", "king"), ("a-na", "ana", "to"), ("KUR", "mātu", "land")]
    {
        lexicon.add(&LexiconRow { spelling, lemma, guide_word, part_of_speech: "N", count: 7 });
    }
    [
        attested::write(&texts()),
        translation_memory::write(&TranslationMemory::new(PAIRS).unwrap()),
        glosses::write(&lexicon.build().unwrap()),
        names().write(),
    ]
}

/// Reads a pack as each of the kinds, and uses the result.
fn use_pack(pack: &[u8]) {
    if let Ok(texts) = attested::read(pack) {
        for number in 0..texts.text_count().min(20) {
            let signs = texts.signs_of(number as u16);
            assert!(signs.end <= texts.len(), "signs of a text");
            texts.written(signs);
        }
        let written = attested::write(&texts);
        assert_eq!(attested::read(&written).unwrap().len(), texts.len(), "a pack written is read");
    }
    if let Ok(memory) = translation_memory::read(pack) {
        let asked = memory.asked("a-na LUGAL EN-ia lu DI-mu");
        let recall = memory.recall(&asked, None);
        recall.runs.iter().for_each(|run| drop(memory.translation(run.pairs.clone())));
    }
    if let Ok(glossary) = glosses::read(pack) {
        glossary.gloss(&Document::read("a-na LUGAL KUR {d}UTU a-na-ku"));
    }
    if let Ok(model) = NameModel::read(pack) {
        let guess = model.kinds(&["a-na", "LUGAL", "{d}UTU"], 2);
        let sum: f32 = guess.none + guess.kinds.iter().map(|kind| kind.probability).sum::<f32>();
        assert!((sum - 1.0).abs() < 1e-4, "probabilities sum to one: {guess:?}");
        assert!(NameModel::read(&model.write()).is_ok(), "a model written is read");
    }
}

#[test]
fn fuzz_pack() {
    let words: [&[u8]; 5] =
        [b"TUPPUM-CORPUS\n\x01\0\0\0", b"readings", b"\xff\xff\xff\xff", b"\0\0\0\x01", b"\x05texts"];
    // Unpacked data can be a thousand times as long as packed data (RFC 1951), for each of eight sections, and an index
    // comes on top; each section is at most 64 MiB.
    Target::bytes("pack").seeds(packs()).words(words).memory(8 << 20, 64 << 10).run(use_pack);
}

/// Returns the unpacked sections of a pack.
fn sections(pack: &[u8]) -> Vec<(String, Vec<u8>)> {
    let number = |at: usize| u32::from_le_bytes(pack[at..at + 4].try_into().unwrap()) as usize;
    let (count, mut at) = (number(18), 22);
    let mut listed = Vec::new();
    for _ in 0..count {
        let length = usize::from(pack[at]);
        let name = String::from_utf8(pack[at + 1..at + 1 + length].to_vec()).unwrap();
        listed.push((name, number(at + 1 + length)));
        at += 1 + length + 8;
    }
    let mut sections = Vec::new();
    for (name, length) in listed {
        sections.push((name, decompress_to_vec(&pack[at..at + length]).unwrap()));
        at += length;
    }
    sections
}

/// Packs sections, as the format of packs is documented in the crate.
fn packed(sections: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut pack = b"TUPPUM-CORPUS\n\x01\0\0\0".to_vec();
    pack.extend((sections.len() as u32).to_le_bytes());
    let packed: Vec<Vec<u8>> = sections.iter().map(|(_, bytes)| compress_to_vec(bytes, 1)).collect();
    for ((name, bytes), packed) in sections.iter().zip(&packed) {
        pack.push(name.len() as u8);
        pack.extend(name.as_bytes());
        pack.extend((packed.len() as u32).to_le_bytes());
        pack.extend((bytes.len() as u32).to_le_bytes());
    }
    packed.iter().for_each(|packed| pack.extend(packed));
    pack
}

#[test]
fn fuzz_pack_sections() {
    let kinds = packs().map(|pack| sections(&pack));
    // The first byte selects the section of a pack that the other bytes replace.
    let all: Vec<(usize, usize)> =
        kinds.iter().enumerate().flat_map(|(kind, found)| (0..found.len()).map(move |place| (kind, place))).collect();
    let seeds = all.iter().enumerate().map(|(number, (kind, place))| {
        let mut seed = vec![number as u8];
        seed.extend(&kinds[*kind][*place].1);
        seed
    });
    let words: [&[u8]; 8] =
        [b"\t", b"\n", b"P1\tsaao\takk\t99999999\n", b"\xff\x7f", b"\x80", b"\xc0\x01", b"a-na", b"\0"];
    Target::bytes("pack-sections").seeds(seeds).words(words).memory(8 << 20, 64 << 10).run(|input| {
        let Some((which, bytes)) = input.split_first() else { return };
        let (kind, place) = all[usize::from(*which) % all.len()];
        let mut sections = kinds[kind].clone();
        sections[place].1 = bytes.to_vec();
        use_pack(&packed(&sections));
    });
}

#[test]
fn fuzz_corpus_rows() {
    let seeds = ROWS.iter().map(|row| (*row).to_owned()).chain([HEADER.to_owned()]);
    let words = ["\t", " ", "x", "...", "?", "P", "D", "M", "X", "G", "0", "1", "-", "{d}", "𒀀", "\r"];
    Target::text("corpus-rows").seeds(seeds).words(words).memory(64 << 10, 400).run(|input| {
        let line = std::str::from_utf8(input).unwrap_or_default();
        if let Ok(row) = SignsRow::parse(line) {
            let mut builder = Builder::default();
            builder.begin_file("corpus");
            builder.add(&row);
            drop(builder.build());
        }
    });
}

#[test]
fn fuzz_treebank() {
    let seed = "# sent_id = P1.1\n# text = ana šarri\n1\tana\tana\tADP\tPRP\t_\t2\tcase\t_\t_\n2\tšarri\tšarru\tNOUN\tN\
        \tCase=Gen\t0\troot\t_\t_\n\n";
    let words = ["\t", "\n", "\n\n", "0", "1", "2", "99999999999999999999", "1-2", "1.1", "_", "#", "root", "-1"];
    Target::text("treebank").seeds([seed]).words(words).memory(64 << 10, 400).run(|input| {
        drop(treebank::parse(std::str::from_utf8(input).unwrap_or_default()));
    });
}

#[test]
fn fuzz_formulary() {
    let folder = "crates/corpus/src/formulary/clauses";
    let clauses =
        ["addresses.toml", "debts.toml"].map(|name| fs::read_to_string(project(format!("{folder}/{name}"))).unwrap());
    let words =
        ["[[clause]]", "\n", "\"", "'''", "<", ">", "{", "}", "(", ")", "|", "?", "*", "[", "]", " = ", "...", "-"];
    let target = Target::text("formulary").seeds(clauses).words(words).memory(512 << 10, 2_000);
    target.run(|input| {
        let text = std::str::from_utf8(input).unwrap_or_default();
        let [own, names, things] =
            [("own.toml", text), ("names", ""), ("things", "")].map(|(name, text)| SourceFile { name, text });
        if let Ok(formulary) = Formulary::read(&[own], names, things) {
            formulary.cover(&Document::read("a-na pu-šu-ki-in qi₂-bi₄-ma um-ma"));
        }
        drop(Weights::parse(text));
    });
}

#[test]
fn fuzz_words_of_names() {
    let model = names();
    let words = ["{", "}", "{d}", "-", ".", "...", "|", "(", ")", "x", " ", "ₓ", "LUGAL", "\u{0}"];
    let seeds = ["{m}{d}30-PAP.MEŠ-SU a-na LUGAL", "|KA×(ME.DI)|-a {KUR}aš-šur{KI}"];
    Target::text("words-of-names").seeds(seeds).words(words).memory(1 << 20, 2_000).run(|input| {
        let text = std::str::from_utf8(input).unwrap_or_default();
        let line: Vec<&str> = text.split(' ').collect();
        (0..line.len().min(8)).for_each(|at| assert!(model.kinds(&line, at).none.is_finite()));
    });
}
