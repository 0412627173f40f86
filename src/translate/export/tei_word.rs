//! Machine annotations of a word in TEI, each with its source and certainty: the lemma that editors gave most often to
//! the same spelling, and the element around a name.

use tuppum_protocol::{GlossedLine, NameEvidence, NameKind, SpellingMatch};
use tuppum_text::{Line, Sign};

/// Statement about the lemmata, in every document that has some.
pub const LEMMA_STATEMENT: &str = "Lemmata were looked up by machine: of those that Oracc’s editors gave to a \
    spelling the commonest, with its guide word in brackets. Their certainty is its share, a little lower where the \
    spelling is rare and never above 0.99, “low” where only a similar spelling was found.";

/// Pseudo-count of occurrences with a lemma that no editor has given the spelling yet. It was fitted by predicting each
/// of the lexicon's 518,879 words from all others: 0.07 gives the lowest loss (0.166 nats a word, 0.220 without a
/// pseudo-count). Of spellings that occur only once elsewhere 93.5 % have that lemma again; the formula gives 93 %.
const UNSEEN_LEMMAS: f64 = 0.07;
/// Upper bound of a certainty: no spelling excludes every other lemma.
const MAX_CERTAINTY: f64 = 0.99;

#[derive(Debug, PartialEq, Eq)]
pub struct Lemma {
    lemma: String,
    part_of_speech: String,
    certainty: String,
}

impl Lemma {
    /// Returns the lemma of the word that begins with a sign, if the lexicon has one; numerals have none.
    pub fn of(line: Option<&GlossedLine>, sign: &Sign) -> Option<Self> {
        let begins = sign.span.start;
        let mut words = line?.words.iter();
        let word = words.find(|word| (word.span.start..word.span.end).contains(&begins))?;
        let first = word.glosses.first().filter(|_| !word.is_numeral)?;
        let all: u32 = word.glosses.iter().map(|gloss| gloss.count).sum();
        let is_as_spelt = word.found.as_ref().is_some_and(|found| found.by == SpellingMatch::AsSpelt);
        Some(Self {
            lemma: match first.guide_word.as_str() {
                "" => first.lemma.clone(),
                guide_word => format!("{}[{guide_word}]", first.lemma),
            },
            part_of_speech: first.part_of_speech.clone(),
            certainty: match is_as_spelt {
                true => certainty(first.count, all),
                false => "low".to_owned(),
            },
        })
    }

    /// Returns the attributes of the word's element.
    pub fn attributes(&self) -> [(&'static str, &str); 4] {
        [("lemma", &self.lemma), ("pos", &self.part_of_speech), ("resp", "#tuppum"), ("cert", &self.certainty)]
    }
}

/// Returns the certainty of a spelling's commonest lemma; `count` occurrences of the spelling have it, of `all`.
fn certainty(count: u32, all: u32) -> String {
    format!("{:.2}", (f64::from(count) / (f64::from(all) + UNSEEN_LEMMAS)).min(MAX_CERTAINTY))
}

/// Statement about the names, in every document that marks some.
pub const NAME_STATEMENT: &str = "Names were marked by machine: by lists of the user’s own (resp “#user”), by \
    what Oracc’s editors gave to the spelling (evidence “external”), by a determinative that leaves one kind (evidence \
    “internal”), and else by a model’s guess (evidence “conjecture”). Their certainty is a probability.";

/// Element around a word that is a name.
#[derive(Debug, PartialEq, Eq)]
pub struct NameElement {
    /// Name of the element: `persName`, `placeName` or `name`.
    pub element: &'static str,
    kind: String,
    responsible: &'static str,
    evidence: &'static str,
    certainty: String,
}

impl NameElement {
    /// Returns the element of the word that begins with a sign; `None` if the word is no name or has a restored sign.
    pub fn of(
        glossed: Option<&GlossedLine>,
        (line, begin): (&Line, &Sign),
        is_filled: impl Fn(usize) -> bool,
    ) -> Option<Self> {
        let word = glossed?.words.iter().find(|word| word.span.start == begin.span.start)?;
        let name = word.name.as_ref()?;
        let likeliest = name.likeliest()?;
        let within = |sign: &Sign| (word.span.start..word.span.end).contains(&sign.span.start);
        if line.signs.iter().enumerate().any(|(place, sign)| within(sign) && is_filled(place)) {
            return None;
        }
        let (responsible, evidence) = match name.by {
            NameEvidence::Own { .. } => ("#user", "external"),
            NameEvidence::Lexicon { .. } => ("#tuppum", "external"),
            NameEvidence::Determinative => ("#tuppum", "internal"),
            NameEvidence::Proposed => ("#tuppum", "conjecture"),
        };
        Some(Self {
            element: match likeliest.kind {
                NameKind::Person | NameKind::Ruler => "persName",
                NameKind::Settlement | NameKind::Region | NameKind::Temple | NameKind::Watercourse => "placeName",
                NameKind::God | NameKind::People | NameKind::Star | NameKind::Month => "name",
            },
            kind: likeliest.kind.to_string(),
            responsible,
            evidence,
            certainty: format!("{:.2}", likeliest.probability),
        })
    }

    /// Returns the attributes of the element.
    pub fn attributes(&self) -> [(&'static str, &str); 4] {
        let Self { kind, responsible, evidence, certainty, .. } = self;
        [("type", kind), ("resp", responsible), ("evidence", evidence), ("cert", certainty)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tuppum_protocol::gloss::FoundSpelling;
    use tuppum_protocol::{Gloss, GlossedWord, KindProbability, WordName};
    use tuppum_text::{Document, Span};

    fn gloss(lemma: &str, guide_word: &str, count: u32) -> Gloss {
        let [lemma, guide_word, part_of_speech] = [lemma, guide_word, "N"].map(str::to_owned);
        Gloss { lemma, guide_word, part_of_speech, count }
    }

    fn line(word: Span, by: SpellingMatch, is_numeral: bool) -> GlossedLine {
        let word = GlossedWord {
            span: word,
            written: "LUGAL".into(),
            is_legible: true,
            is_numeral,
            found: Some(FoundSpelling { spelling: "LUGAL".into(), by }),
            glosses: vec![gloss("šarru", "king", 3), gloss("šarrūtu", "kingship", 1)],
            name: None,
        };
        GlossedLine { line: 0, words: vec![word] }
    }

    #[test]
    fn what_is_rare_is_less_certain_and_nothing_is_beyond_doubt() {
        let all_alike = [1, 2, 5, 100, 17_000].map(|count| certainty(count, count));
        assert_eq!(all_alike, ["0.93", "0.97", "0.99", "0.99", "0.99"]);
        assert_eq!([certainty(1, 2), certainty(0, 0)], ["0.48", "0.00"]);
    }

    #[test]
    fn the_commonest_lemma_comes_with_its_share() {
        let document = Document::read("a-na LUGAL");
        let sign = document.signs().nth(2).expect("three signs");
        let word = Span { start: sign.span.start, end: sign.span.end };
        let found = |by, is_numeral| Lemma::of(Some(&line(word, by, is_numeral)), sign);
        let lemma = found(SpellingMatch::AsSpelt, false).expect("the lexicon has it");
        let wanted = [("lemma", "šarru[king]"), ("pos", "N"), ("resp", "#tuppum"), ("cert", "0.74")];
        assert_eq!(lemma.attributes(), wanted);
        let similar = found(SpellingMatch::OtherSigns, false).expect("a similar spelling");
        assert_eq!(similar.attributes()[3], ("cert", "low"));
        assert_eq!(found(SpellingMatch::AsSpelt, true), None, "a numeral");
        let first = document.signs().next().expect("three signs");
        assert_eq!(Lemma::of(Some(&line(word, SpellingMatch::AsSpelt, false)), first), None, "another word");
        assert_eq!(Lemma::of(None, sign), None);
    }

    fn glossed(document: &Document, kind: NameKind, by: NameEvidence) -> GlossedLine {
        let signs = &document.lines[0].signs;
        let span = tuppum_text::Span::new(signs[0].span.start, signs[1].span.end);
        let name = WordName { kinds: vec![KindProbability { kind, probability: 0.93 }], by };
        let word = GlossedWord {
            span,
            written: "a-šur".into(),
            is_legible: true,
            is_numeral: false,
            found: None,
            glosses: Vec::new(),
            name: Some(name),
        };
        GlossedLine { line: 0, words: vec![word] }
    }

    #[test]
    fn the_kind_decides_the_element_and_the_evidence_who_says_so() {
        let document = Document::read("a-šur qi₂");
        let line = &document.lines[0];
        let of = |kind, by, filled: usize| {
            let glossed = glossed(&document, kind, by);
            NameElement::of(Some(&glossed), (line, &line.signs[0]), |place| place == filled)
        };
        let place = of(NameKind::Settlement, NameEvidence::Proposed, 2).expect("a name");
        assert_eq!(place.element, "placeName");
        let attributes = [("type", "settlement"), ("resp", "#tuppum"), ("evidence", "conjecture"), ("cert", "0.93")];
        assert_eq!(place.attributes(), attributes);
        let god = of(NameKind::God, NameEvidence::Determinative, 2).expect("a name");
        assert_eq!(god.attributes()[2], ("evidence", "internal"));
        let lexicon = || NameEvidence::Lexicon { spelling: "a-šur".into(), name: "Aššur".into(), count: 1 };
        assert_eq!(of(NameKind::God, lexicon(), 2).map(|name| name.element), Some("name"));
        assert_eq!(of(NameKind::God, lexicon(), 1), None, "a sign of it was filled");
        assert_eq!(NameElement::of(None, (line, &line.signs[0]), |_| false), None);
    }
}
