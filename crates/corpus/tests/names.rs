//! Tests of the model of names in `models/corpus`.
#![allow(clippy::unwrap_used)] // a test stops where it cannot go on

use tuppum_corpus::hierarchy::readings;
use tuppum_corpus::names::{NameModel, NameWord};
use tuppum_domain::names::NameKind;
use tuppum_testing::project;

#[test]
fn the_shipped_model_knows_well_known_names() {
    let model = NameModel::read(&std::fs::read(project("models/corpus/names.pack")).unwrap()).unwrap();
    let check = |line: &str, at: usize, kinds: &[NameKind]| {
        let words: Vec<&str> = line.split(' ').collect();
        let guess = model.kinds(&words, at);
        if kinds.is_empty() {
            assert!(guess.none > guess.kinds[0].probability, "{line}: {guess:?}");
        } else {
            let first = &guess.kinds[0];
            assert!(kinds.contains(&first.kind) && first.probability > guess.none, "{line}: {guess:?}");
        }
    };
    check("a-na {d}marduk EN-ia", 1, &[NameKind::God]);
    check("a-na-ku {m}{d}30-PAP.MEŠ-SU LUGAL GAL-u", 1, &[NameKind::Ruler, NameKind::Person]);
    check("{m}{d}30-PAP.MEŠ-SU", 0, &[NameKind::Ruler, NameKind::Person]);
    check("ina {URU}ni-nu-a URU", 1, &[NameKind::Settlement]);
    check("LUGAL {KUR}aš-šur{KI}", 1, &[NameKind::Region, NameKind::Settlement]);
    check("ina {ITI}BARAG U₄ 2-KAM", 1, &[NameKind::Month]);
    check("{ID₂}pu-rat-ta e-bir", 0, &[NameKind::Watercourse]);
    check("a-na LUGAL EN-ia", 0, &[]);
    check("a-na LUGAL EN-ia", 1, &[]);
}

#[test]
fn words_fall_into_the_readings_that_the_reader_of_texts_finds() {
    for word in ["{m}{d}30-PAP.MEŠ-SU", "{KUR}URI-a.a", "ŠU.2-su", "KA₂.DINGIR.RA{KI}", "a-na", "|KA×ME|-a"] {
        let all = readings(word).unwrap();
        assert_eq!(NameWord::read(word), NameWord::of_readings(all.iter().map(String::as_str)), "{word}");
    }
}
