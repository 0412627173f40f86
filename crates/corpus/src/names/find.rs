//! Finds the names among the words of a transliteration: by the user's own lists, by the lexicon, and if neither has
//! the word, by its determinative or by the model.

use super::NameModel;
use crate::glosses::Glossary;
use tuppum_domain::gloss::{FoundSpelling, Gloss, GlossedLine, GlossedWord};
use tuppum_domain::names::{KindProbability, NameEvidence, NameKind, WordName};
use tuppum_text::{Document, Sign};

/// Minimum probability that a word is a name.
const MIN_NAME_PROBABILITY: f32 = 0.5;

/// Names glossed words: by the user's own list if its spelling is as near as the lexicon's, by the lexicon, or if that
/// lacks the word, by its determinative or by the model, if there is one. Skips words with illegible signs and bare
/// numerals.
pub fn find_names(lines: &mut [GlossedLine], own: &Glossary, model: Option<&NameModel>) {
    for line in lines {
        let written: Vec<String> = line.words.iter().map(|word| word.written.clone()).collect();
        let written: Vec<&str> = written.iter().map(String::as_str).collect();
        for (at, word) in line.words.iter_mut().enumerate() {
            let may_be_name = word.is_legible && !word.is_number();
            word.name = may_be_name.then(|| of_word(word, own, model, (&written, at))).flatten();
        }
    }
}

fn of_word(
    word: &GlossedWord,
    own: &Glossary,
    model: Option<&NameModel>,
    (written, at): (&[&str], usize),
) -> Option<WordName> {
    if let Some(name) = in_own_list(word, own) {
        return Some(name);
    }
    let (kinds, by) = match &word.found {
        Some(found) => in_lexicon(word, found)?,
        None => by_determinative(written[at]).or_else(|| proposed(model?, written, at))?,
    };
    Some(WordName { kinds, by })
}

/// Returns the name in the user's own list, unless the lexicon has a nearer spelling.
fn in_own_list(word: &GlossedWord, own: &Glossary) -> Option<WordName> {
    if own.is_empty() {
        return None;
    }
    let document = Document::read(&word.written);
    let readings: Vec<&str> = document.signs().filter_map(Sign::reading).collect();
    let found = own.look_up(&readings)?;
    let FoundSpelling { spelling, by } = found.spelling;
    if word.found.as_ref().is_some_and(|other| other.by < by) {
        return None;
    }
    let first = found.glosses.first()?;
    let kind = NameKind::of_letters(&first.part_of_speech)?;
    let (name, rendering) = (first.lemma.clone(), first.guide_word.clone());
    let kinds = vec![KindProbability { kind, probability: 1.0 }];
    Some(WordName { kinds, by: NameEvidence::Own { spelling, by, name, rendering } })
}

/// Returns the kinds of a word in the lexicon, by the share of its occurrences; `None` if most occurrences are not
/// names.
fn in_lexicon(word: &GlossedWord, found: &FoundSpelling) -> Option<(Vec<KindProbability>, NameEvidence)> {
    let total: u32 = word.glosses.iter().map(|gloss| gloss.count).sum();
    // Many editions call every place a region.
    let is_settled = ["{URU}", "{IRI}"].iter().any(|determinative| word.written.starts_with(determinative));
    let kind_of = |gloss: &Gloss| match NameKind::of_letters(&gloss.part_of_speech) {
        Some(NameKind::Region) if is_settled => Some(NameKind::Settlement),
        kind => kind,
    };
    let of_kind = |kind: NameKind| {
        let own = word.glosses.iter().filter(|gloss| kind_of(gloss) == Some(kind));
        own.map(|gloss| gloss.count).sum::<u32>()
    };
    let probability = |kind| KindProbability { kind, probability: of_kind(kind) as f32 / total.max(1) as f32 };
    let mut kinds: Vec<KindProbability> = NameKind::ALL.into_iter().map(probability).collect();
    kinds.retain(|kind| kind.probability > 0.0);
    kinds.sort_by(|one, other| other.probability.total_cmp(&one.probability));
    if kinds.iter().map(|kind| kind.probability).sum::<f32>() < MIN_NAME_PROBABILITY {
        return None;
    }
    // The most frequent lemma stands first.
    let Gloss { lemma, count, .. } = word.glosses.iter().find(|gloss| kind_of(gloss).is_some())?;
    Some((kinds, NameEvidence::Lexicon { spelling: found.spelling.clone(), name: lemma.clone(), count: *count }))
}

/// Returns the kind of a word whose determinative allows only one.
fn by_determinative(word: &str) -> Option<(Vec<KindProbability>, NameEvidence)> {
    let &[kind] = possible_kinds(word)? else { return None };
    Some((vec![KindProbability { kind, probability: 1.0 }], NameEvidence::Determinative))
}

/// Returns the kinds that the model proposes; `None` if the word is probably not a name. A determinative of names
/// decides that the word is a name and which kinds are possible; the model then weighs these.
fn proposed(model: &NameModel, written: &[&str], at: usize) -> Option<(Vec<KindProbability>, NameEvidence)> {
    let guess = model.kinds(written, at);
    let Some(possible) = written.get(at).and_then(|word| possible_kinds(word)) else {
        return (1.0 - guess.none >= MIN_NAME_PROBABILITY).then_some((guess.kinds, NameEvidence::Proposed));
    };
    let mut kinds = guess.kinds;
    kinds.retain(|kind| possible.contains(&kind.kind));
    let sum: f32 = kinds.iter().map(|kind| kind.probability).sum();
    // The sum is never zero, since softmax never is.
    kinds.iter_mut().for_each(|kind| kind.probability /= sum.max(f32::MIN_POSITIVE));
    Some((kinds, NameEvidence::Proposed))
}

/// Returns the kinds that the determinative in front, or `{KI}` behind, allows; `None` for a word without one.
pub(super) fn possible_kinds(word: &str) -> Option<&'static [NameKind]> {
    use NameKind::{God, Month, People, Person, Region, Ruler, Settlement, Star, Watercourse};
    let front = word.strip_prefix('{').and_then(|rest| rest.split_once('}')).filter(|(_, rest)| !rest.is_empty());
    let possible: &[NameKind] = match front.map(|(determinative, _)| determinative) {
        Some("m" | "1" | "f" | "MUNUS" | "MI₂") => &[Person, Ruler],
        Some("d") => &[God],
        Some("URU" | "IRI") => &[Settlement, Region, People],
        Some("KUR") => &[Region, Settlement, People],
        Some("ID₂" | "I₇") => &[Watercourse],
        Some("ITI" | "ITU") => &[Month],
        Some("MUL") => &[Star],
        _ if word.ends_with("{KI}") && word != "{KI}" => &[Settlement, Region, People],
        _ => return None,
    };
    Some(possible)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::glosses::{GlossaryBuilder, LexiconRow};
    use crate::names::Onomasticon;
    use tuppum_domain::gloss::SpellingMatch;

    fn glossary() -> Glossary {
        let rows = [
            ("{m}{d}30-PAP.MEŠ.SU", "Sin-ahhe-eriba", "RN", 9),
            ("{m}{d}30-PAP.MEŠ.SU", "Sin-ahhe-eriba", "PN", 1),
            ("20", "Šamaš", "DN", 2),
            ("{URU}ni-nu-a", "Ninua", "GN", 5),
            ("LUGAL", "šarru", "N", 7),
            ("LUGAL", "Šarru", "DN", 1),
        ];
        let mut builder = GlossaryBuilder::default();
        for (spelling, lemma, part_of_speech, count) in rows {
            builder.add(&LexiconRow { spelling, lemma, guide_word: "", part_of_speech, count });
        }
        builder.build().unwrap()
    }

    fn shipped() -> NameModel {
        NameModel::read(&std::fs::read(tuppum_testing::project("models/corpus/names.pack")).unwrap()).unwrap()
    }

    /// Returns the words of a text that are names, each with its name.
    fn found(text: &str, own: &str) -> Vec<(String, WordName)> {
        let own = Onomasticon::read(own).map(|list| Onomasticon::glossary([&list]).unwrap()).unwrap_or_default();
        let mut lines = glossary().gloss(&Document::read(text));
        find_names(&mut lines, &own, Some(&shipped()));
        let words = lines.into_iter().flat_map(|line| line.words);
        words.filter_map(|word| word.name.map(|name| (word.written, name))).collect()
    }

    #[test]
    fn the_lexicon_tells_first_and_the_model_what_it_does_not_know() {
        let found = found("LUGAL {m}{d}30-PAP.MEŠ.SU 20 {URU}ni-nu-a a-na {d}be-er-ru x-ma", "");
        let told: Vec<_> = found.iter().map(|(written, name)| (written.as_str(), name.kinds[0].kind)).collect();
        assert_eq!(
            told,
            [
                ("{m}{d}30-PAP.MEŠ.SU", NameKind::Ruler),
                ("{URU}ni-nu-a", NameKind::Settlement),
                ("{d}be-er-ru", NameKind::God)
            ]
        );
        let NameEvidence::Lexicon { name, count, .. } = &found[0].1.by else { panic!("{:?}", found[0].1.by) };
        assert_eq!((name.as_str(), *count), ("Sin-ahhe-eriba", 9));
        assert!((found[0].1.kinds[0].probability - 0.9).abs() < 1e-6 && found[0].1.kinds.len() == 2);
        assert_eq!(found[2].1.by, NameEvidence::Determinative);
    }

    #[test]
    fn a_determinative_decides_which_kinds_can_be() {
        let found = found("{m}ba-ar-zu-ta-nu {URU}be-er-ru-ba-at {ID₂}qu-ur-za ba-ar-zu{KI}", "");
        let told: Vec<NameKind> = found.iter().map(|(_, name)| name.kinds[0].kind).collect();
        assert!([NameKind::Person, NameKind::Ruler].contains(&told[0]), "{told:?}");
        assert_eq!(told[1..3], [NameKind::Settlement, NameKind::Watercourse]);
        let sure: Vec<bool> = found.iter().map(|(_, name)| name.by == NameEvidence::Determinative).collect();
        assert_eq!(sure, [false, false, true, false], "a river's determinative leaves no other kind");
        for (word, name) in &found {
            let sum: f32 = name.kinds.iter().map(|kind| kind.probability).sum();
            // Tolerance: ten numbers of single precision.
            assert!((sum - 1.0).abs() < 1e-5, "{word}: {name:?}");
        }
        assert_eq!(possible_kinds("{KI}"), None);
        assert_eq!(possible_kinds("a-na"), None);
    }

    #[test]
    fn a_list_of_the_users_own_wins_where_its_spelling_is_as_near() {
        let own = "{URU}ni-nu-a\tNinuwa\tsettlement\tNineveh\nbe-er-ru\tBerru\tPN\tBerru\nLU₂.GAL\tŠarrum\tPN\tX\n";
        let found = found("{URU}ni-nu-a {d}be-er-ru LUGAL šar-ru-um-ba-ni", own);
        let by: Vec<_> = found.iter().map(|(written, name)| (written.as_str(), name.by.clone())).collect();
        let mine = |spelling: &str, by, name: &str, rendering: &str| {
            let [spelling, name, rendering] = [spelling, name, rendering].map(str::to_owned);
            NameEvidence::Own { spelling, by, name, rendering }
        };
        assert_eq!(by[0], ("{URU}ni-nu-a", mine("{URU}ni-nu-a", SpellingMatch::AsSpelt, "Ninuwa", "Nineveh")));
        assert_eq!(by[1], ("{d}be-er-ru", mine("be-er-ru", SpellingMatch::Determinatives, "Berru", "Berru")));
        assert!(by.iter().all(|(written, _)| *written != "LUGAL"), "the lexicon has that word as it is spelt: {by:?}");
    }
}
