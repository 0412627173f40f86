//! The names among the words of a transliteration: those of the lexicon, and where it has not the word, those that its
//! determinative shows or that the model proposes.

use super::NameModel;
use tuppum_tasks::gloss::{FoundSpelling, Gloss, GlossedLine, GlossedWord};
use tuppum_tasks::names::{FoundName, KindProbability, NameEvidence, NameKind};

/// A word is told as a name from this probability on that it is one.
const MORE_LIKELY_THAN_NOT: f32 = 0.5;

/// The names among glossed words, in their order. Words with signs that cannot be read are left out, as are
/// bare numerals.
pub fn names(lines: &[GlossedLine], model: &NameModel) -> Vec<FoundName> {
    lines.iter().flat_map(|line| of_line(line, model)).collect()
}

fn of_line<'a>(line: &'a GlossedLine, model: &'a NameModel) -> impl Iterator<Item = FoundName> + 'a {
    let written: Vec<&str> = line.words.iter().map(|word| word.written.as_str()).collect();
    // {d}30 is the moon god, 30 a number.
    let may_be_name = |word: &GlossedWord| word.is_legible && (!word.is_numeral || word.written.contains('{'));
    let asked = line.words.iter().enumerate().filter(move |(_, word)| may_be_name(word));
    asked.filter_map(move |(at, word)| {
        let (kinds, by) = match &word.found {
            Some(found) => in_lexicon(word, found)?,
            None => (proposed(model, &written, at)?, NameEvidence::Proposed),
        };
        Some(FoundName { line: line.line, span: word.span, written: word.written.clone(), kinds, by })
    })
}

/// The kinds of a word that the lexicon has, by how many words of that spelling are each; `None` where most of them are
/// no names.
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
    if kinds.iter().map(|kind| kind.probability).sum::<f32>() < MORE_LIKELY_THAN_NOT {
        return None;
    }
    // The commonest stands first.
    let Gloss { lemma, count, .. } = word.glosses.iter().find(|gloss| kind_of(gloss).is_some())?;
    Some((kinds, NameEvidence::Lexicon { spelling: found.spelling.clone(), name: lemma.clone(), count: *count }))
}

/// The kinds that the model proposes; `None` where the word is likelier no name. A determinative of names decides that
/// the word is one, and which kinds it can be of; the model then parts these.
fn proposed(model: &NameModel, written: &[&str], at: usize) -> Option<Vec<KindProbability>> {
    let guess = model.kinds(written, at);
    let Some(possible) = written.get(at).and_then(|word| possible_kinds(word)) else {
        return (1.0 - guess.none >= MORE_LIKELY_THAN_NOT).then_some(guess.kinds);
    };
    let mut kinds = guess.kinds;
    kinds.retain(|kind| possible.contains(&kind.kind));
    let sum: f32 = kinds.iter().map(|kind| kind.probability).sum();
    // Never zero: no softmax is.
    kinds.iter_mut().for_each(|kind| kind.probability /= sum.max(f32::MIN_POSITIVE));
    Some(kinds)
}

/// The kinds that the determinative in front, or `{KI}` behind, leaves to a word; `None` for a word without one.
fn possible_kinds(word: &str) -> Option<&'static [NameKind]> {
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
    use crate::glosses::{Glossary, GlossaryBuilder, LexiconRow};
    use tuppum_text::Document;

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
        NameModel::read(&std::fs::read(tuppum_testing::project("assets/names/names.pack")).unwrap()).unwrap()
    }

    #[test]
    fn the_lexicon_tells_first_and_the_model_what_it_does_not_know() {
        let glossed =
            glossary().gloss(&Document::read("LUGAL {m}{d}30-PAP.MEŠ.SU 20 {URU}ni-nu-a a-na {d}be-er-ru x-ma"));
        let found = names(&glossed, &shipped());
        let told: Vec<_> = found.iter().map(|name| (name.written.as_str(), name.kinds[0].kind)).collect();
        assert_eq!(
            told,
            [
                ("{m}{d}30-PAP.MEŠ.SU", NameKind::Ruler),
                ("{URU}ni-nu-a", NameKind::Settlement),
                ("{d}be-er-ru", NameKind::God)
            ]
        );
        let NameEvidence::Lexicon { name, count, .. } = &found[0].by else { panic!("{:?}", found[0].by) };
        assert_eq!((name.as_str(), *count), ("Sin-ahhe-eriba", 9));
        assert!((found[0].kinds[0].probability - 0.9).abs() < 1e-6 && found[0].kinds.len() == 2);
        assert_eq!(found[2].by, NameEvidence::Proposed);
    }

    #[test]
    fn a_determinative_decides_which_kinds_can_be() {
        let glossed =
            glossary().gloss(&Document::read("{m}ba-ar-zu-ta-nu {URU}be-er-ru-ba-at {ID₂}qu-ur-za ba-ar-zu{KI}"));
        let found = names(&glossed, &shipped());
        let told: Vec<NameKind> = found.iter().map(|name| name.kinds[0].kind).collect();
        assert!([NameKind::Person, NameKind::Ruler].contains(&told[0]), "{told:?}");
        assert_eq!(told[1..3], [NameKind::Settlement, NameKind::Watercourse]);
        for name in &found {
            let sum: f32 = name.kinds.iter().map(|kind| kind.probability).sum();
            // Ten numbers of single precision.
            assert!((sum - 1.0).abs() < 1e-5, "{name:?}");
        }
        assert_eq!(possible_kinds("{KI}"), None);
        assert_eq!(possible_kinds("a-na"), None);
    }
}
