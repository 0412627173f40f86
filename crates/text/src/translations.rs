//! Translations that were typed or downloaded beside the text: `#tr.en: To my lord`, `@translation`.

use super::{Document, LineKind};

/// Line of translation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TypedTranslation<'a> {
    /// Number of the line in the document.
    pub line: usize,
    /// Number of the line of transliteration above it; `None` in a translation of the whole text.
    pub of: Option<usize>,
    /// Language as the text names it (`en`, `de`); empty if it does not.
    pub language: &'a str,
    /// The translation.
    pub text: &'a str,
}

impl Document {
    /// Returns the translations in the text, in order; empty ones are left out.
    pub fn typed_translations(&self) -> Vec<TypedTranslation<'_>> {
        let (mut found, mut of, mut block) = (Vec::new(), None, "");
        for (number, line) in self.lines.iter().enumerate() {
            let typed = line.span.of(&self.source).trim();
            match line.kind {
                LineKind::Text => of = Some(number),
                LineKind::Heading => of = None,
                LineKind::Surface => {
                    let words = typed.strip_prefix("@translation").map(str::split_whitespace);
                    let language = words.and_then(|mut words| words.find(|word| word.len() == 2));
                    (of, block) = (None, language.unwrap_or(block));
                }
                LineKind::Translation => {
                    let (language, text, of) = match typed.strip_prefix("#tr") {
                        Some(rest) => {
                            let (head, text) = rest.split_once(':').unwrap_or(("", rest));
                            (head.trim_start_matches('.').split('.').next().unwrap_or(""), text.trim(), of)
                        }
                        None => (block, typed, None),
                    };
                    found.extend((!text.is_empty()).then_some(TypedTranslation { line: number, of, language, text }));
                }
                _ => {}
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn translations_stand_under_their_lines() {
        let typed =
            "&P123456 = T\n1. a-na be-li₂-ia\n#tr.en: To my lord\n#tr.de.(o 2): Meinem Herrn\n2. um-ma\n#tr.en:\n";
        let document = Document::read(typed);
        let found = document.typed_translations();
        assert_eq!(
            found,
            [
                TypedTranslation { line: 2, of: Some(1), language: "en", text: "To my lord" },
                TypedTranslation { line: 3, of: Some(1), language: "de", text: "Meinem Herrn" },
            ]
        );
    }

    #[test]
    fn a_translation_of_the_whole_stands_alone() {
        let document =
            Document::read("1. a-na\n@translation labeled en project\n@(1) To my lord\nSpeak!\n&P1234\n1. a-na");
        let found: Vec<_> = document.typed_translations();
        assert_eq!(
            found,
            [
                TypedTranslation { line: 2, of: None, language: "en", text: "@(1) To my lord" },
                TypedTranslation { line: 3, of: None, language: "en", text: "Speak!" },
            ]
        );
        assert_eq!(document.signs().count(), 4);
    }
}
