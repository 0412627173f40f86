//! TEI element around a word that is a name, with the source of that claim and its certainty.

use tuppum_protocol::{GlossedLine, NameEvidence, NameKind};
use tuppum_text::{Line, Sign};

/// Statement about the names, in every document that marks some.
pub const STATEMENT: &str = "Names were marked by machine: by lists of the user’s own (resp “#user”), by what Oracc’s \
                             editors gave to the spelling (evidence “external”), by a determinative that leaves one \
                             kind (evidence “internal”), and else by a model’s guess (evidence “conjecture”). Their \
                             certainty is a probability.";

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
    use tuppum_protocol::{GlossedWord, KindProbability, WordName};
    use tuppum_text::Document;

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
