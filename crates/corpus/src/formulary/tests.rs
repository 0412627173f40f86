use super::pattern::Token;
use super::*;
use proptest::prelude::*;
use tuppum_domain::formulary::Cover;
use tuppum_random::Random;
use tuppum_text::Document;

fn formulary() -> &'static Formulary {
    Formulary::shared()
}

fn cover(text: &str) -> Cover {
    formulary().cover(&Document::read(text))
}

#[test]
fn the_files_compiled_in_are_read() {
    if let Err(error) = Formulary::compiled_in() {
        panic!("{error}");
    }
}

#[track_caller]
fn check(text: &str, english: &str) {
    assert_eq!(cover(text).english(), english, "{text}");
}

#[test]
fn letters_open_with_an_address() {
    check("um-ma a-šur-i-di₂-ma a-na pu-šu-ke-en₆ qi₂-bi₄-ma", "Thus Aššur-idī; to Pūšu-kēn say");
    check("um-ma a-šur₃-i-di-ma\na-na pu-šu-ke-en₆\nqi-bi-ma", "Thus Aššur-idī; to Pūšu-kēn say");
    check(
        "a-na ša-lim-a-šur₃ u₃ im-di₂-lim qi₂-bi-ma um-ma u₂-ṣur-ša-a-šur₃-ma",
        "To Šalim-Aššur and Imdī-ilum say: thus Uṣur-ša-Aššur",
    );
    check("um-ma ka₃-ru-um ka₃-ni-iš-ma", "Thus the kārum of Kaneš");
}

#[test]
fn debt_notes_name_claim_term_and_interest() {
    check(
        "11 GIN₂ KU₃.BABBAR ṣa-ru-pa₂-am i-ṣe₂-er im-di₂-lim e-la₂-li₂ i-šu",
        "Elālī has a claim of 11 shekels of refined silver on Imdī-ilum",
    );
    check("ITI 1-KAM ti-i-na-tum li-mu-um a-al-du₁₀", "Month Teʾinātum, eponymy of Āl-ṭāb");
    check(
        "1 1/2 GIN₂-TA a-na 1 ma-na-im i-na ITI.KAM ṣi₂-ib-tam₂ u₂-ṣa-ab₂",
        "He shall add 1 1/2 shekels of interest per 1 mina a month",
    );
    check("šu-ma la iš-qul₂", "If he has not paid");
    check("5 GIN₂ KU₃.BABBAR u₃ TUG₂", "5 shekels of silver and textiles");
}

#[test]
fn other_readings_of_the_same_signs_match() {
    // NE is bi₄ and ne, KI is qi₂ and ki, HI is di₂ and ti₂.
    check("um-ma a-šur-i-ti₂-ma", "Thus Aššur-idī");
    check("a-na i-na-a ki-bi-ma", "To Innāya say");
    check("kišib₃ da-da-a", "Seal of Dadāya");
}

#[test]
fn tin_is_not_the_preposition() {
    check("2 GIN₂ AN.NA", "2 shekels of tin");
    check("2 GIN₂ a-na", "2 shekels; [a-na]");
}

#[test]
fn a_name_that_is_not_known_stands_as_it_is_spelled() {
    let cover = cover("IGI ha-li-it-ka₃ DUMU da-da-a");
    assert_eq!(cover.english(), "Before ‹Ha-li-it-ka₃›, son of Dadāya");
    assert!(cover.parts.iter().filter_map(|part| part.clause.as_ref()).all(|clause| !clause.slots[0].is_known));
}

#[test]
fn what_cannot_be_read_fills_no_slot() {
    check("KIŠIB₃ x-da-a", "[KIŠIB₃ x-da-a]");
    check("a-na ... qi₂-bi-ma", "[a-na ... qi₂-bi-ma]");
    check("", "");
}

#[test]
fn every_clause_matches_itself() {
    for (number, clause) in formulary().clauses().iter().enumerate() {
        for (pattern, written) in clause.patterns.iter().zip(&clause.akkadian) {
            let words: Vec<String> = pattern.tokens.iter().map(sample).collect();
            let words = PassageWord::all_of(&words.join(" "));
            let found = formulary().whole_matches(number, pattern, &words);
            assert!(!found.is_empty(), "{written} does not match itself in {words:?}");
            let covered = formulary().cover_words(&words);
            assert_eq!(covered.covered(), words.len(), "{written}");
        }
    }
}

/// Returns words that fit an element of a pattern.
fn sample(token: &Token) -> String {
    use super::pattern::SlotKind;
    match token {
        Token::Word { spellings, .. } => spellings[0].written.clone(),
        Token::Slot { kind, ending, .. } => {
            let words = match kind {
                SlotKind::Person | SlotKind::Persons | SlotKind::Group | SlotKind::Name | SlotKind::Eponym => {
                    "im-di₂-lim"
                }
                SlotKind::Place => "za-al-pa₂",
                SlotKind::Month => "hu-bu-ur",
                SlotKind::Number => "3",
                SlotKind::Amount => "3 MA-NA",
                SlotKind::Rate => "3 GIN₂-TA",
                SlotKind::Goods => "KU₃-BABBAR",
                SlotKind::Sum => "3 MA-NA KU₃-BABBAR",
                SlotKind::Count => "3 u₄-me",
            };
            words.to_owned() + &ending.as_ref().map(|ending| format!("-{}", ending.written)).unwrap_or_default()
        }
    }
}

/// Returns the numbers of words as digits. Skips `1(diš)-KAM`, which writes "month" in clauses and fills no slot.
fn digits(text: &str) -> Vec<String> {
    let is_number = |word: &&str| word.starts_with(|letter: char| letter.is_ascii_digit());
    let words = text.split([' ', ';', ',']).filter(|word| !word.starts_with("1(diš)-KAM")).filter(is_number);
    words.map(|word| word.trim_end_matches("-KAM").to_owned()).collect()
}

#[test]
fn drawn_pairs_are_read_back_and_keep_their_numbers() {
    for seed in 0..300 {
        let drawn = formulary().draw(&mut Random::new(seed)).unwrap_or_else(|| panic!("nothing drawn for {seed}"));
        assert_eq!(Some(&drawn), formulary().draw(&mut Random::new(seed)).as_ref(), "another pair for the same seed");
        let cover = formulary().cover_words(&PassageWord::all_of(&drawn.source));
        assert_eq!(cover.english(), drawn.target);
        assert_eq!(cover.covered(), cover.words(), "{}", drawn.source);
        for part in &cover.parts {
            let Some(clause) = &part.clause else { continue };
            // Drawn texts write every number in digits, as the translation does.
            let (mut asked, mut told) = (digits(&part.words.join(" ")), digits(&clause.english));
            asked.sort();
            told.sort();
            assert_eq!(asked, told, "{} by {}", part.words.join(" "), clause.english);
        }
    }
}

#[test]
fn errors_name_the_file_and_the_line() {
    let names = SourceFile { name: "names.tsv", text: "name\tspellings\nDada\tda-da\n" };
    let things = SourceFile { name: "things.tsv", text: "kind\tenglish\tplural_or_unit\tspellings\n" };
    let clause = "[[clause]]\nname = \"seal\"\nkind = \"witness-list\"\npart = \"seal\"\n\
                  akkadian = [\"KIŠIB {person}\"]\n\
                  english = \"Seal of {person}\"\ntexts = [\"P100001\", \"P100002\"]\n";
    let read = |text: &str, names: SourceFile, things: SourceFile| {
        Formulary::read(&[SourceFile { name: "a.toml", text }], names, things)
    };
    assert!(read(clause, names, things).is_ok());
    let check = |text: &str, expected: &str| {
        let message = read(text, names, things).map(|_| ()).unwrap_err().to_string();
        assert!(message.contains(expected), "{message}");
    };
    check(&format!("{clause}\n{clause}"), "a.toml, line 9: a clause before has the name \"seal\" too");
    check(
        &clause.replace("Seal of {person}", "Seal"),
        "a.toml, line 1: the slots of \"KIŠIB {person}\" are [\"person\"]",
    );
    check(&clause.replace("{person}", "{pirson}"), "there is no slot \"pirson\"; the slots are person, persons");
    check(&clause.replace(", \"P100002\"", ""), "this one 1");
    check(&clause.replace("P100002", "P1"), "\"P1\" is no number of a text of CDLI");
    check(&clause.replace("part =", "parts ="), "a.toml, line 4: this is no list of clauses: unknown field `parts`");
    check(&clause.replace("KIŠIB {person}", "KIŠIB( {person}"), "\"KIŠIB(\" is no word of a pattern");
    check(&clause.replace("KIŠIB {person}", "{person} {person}"), "the slot \"person\" stands twice");
    let refused = |names: &str, things: &str| {
        let names = SourceFile { name: "names.tsv", text: names };
        let things = SourceFile { name: "things.tsv", text: things };
        read(clause, names, things).map(|_| ()).unwrap_err().to_string()
    };
    let twice = refused("name\tspellings\nDada\tda-da\nDudu\tda-da\n", things.text);
    assert!(twice.starts_with("names.tsv, line 3: the spelling \"da-da\" stands for \"Dada\" already"), "{twice}");
    let kind = refused(names.text, &format!("{}metal\ttin\tweight\tAN-NA\n", things.text));
    assert!(kind.starts_with("things.tsv, line 2: there is no kind \"metal\""), "{kind}");
    let unit = refused(names.text, &format!("{}measured\ttin\tmile\tAN-NA\n", things.text));
    assert!(unit.contains("measured by weight, sack, jar, not by \"mile\""), "{unit}");
    let cells = refused("name\tspellings\nDada\n", things.text);
    assert!(cells.contains("a row has 2 cells apart by tabs, this one 1"), "{cells}");
}

/// Words of all kinds: of clauses, names, numbers, broken ones.
const WORDS: [&str; 24] = [
    "um-ma",
    "a-na",
    "qi₂-bi-ma",
    "da-da-a-ma",
    "im-di₂-lim",
    "KIŠIB₃",
    "IGI",
    "DUMU",
    "u₃",
    "3",
    "1/2",
    "1(u)",
    "MA-NA",
    "GIN₂",
    "KU₃-BABBAR",
    "ša",
    "x",
    "...",
    "i-ṣe₂-er",
    "i-šu",
    "la₂",
    "TUG₂",
    "ri-ma-ku",
    "a-pu-tum",
];

proptest! {
    #[test]
    fn parts_are_the_words_that_were_asked(numbers in prop::collection::vec(0..WORDS.len(), 0..24)) {
        let words: Vec<&str> = numbers.iter().map(|number| WORDS[*number]).collect();
        let asked = PassageWord::all_of(&words.join(" "));
        let cover = formulary().cover_words(&asked);
        let told: Vec<&str> = cover.parts.iter().flat_map(|part| &part.words).map(String::as_str).collect();
        prop_assert_eq!(told, words);
        prop_assert!(cover.parts.iter().all(|part| !part.words.is_empty()));
        prop_assert!(cover.parts.windows(2).all(|two| two[0].clause.is_some() || two[1].clause.is_some()));
        for clause in cover.parts.iter().filter_map(|part| part.clause.as_ref()) {
            prop_assert!(!clause.english.contains(['{', '}']), "{}", clause.english);
        }
    }
}
