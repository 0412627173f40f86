//! Glosses the words of a transliteration.

use super::glossary::{Glossary, written};
use tuppum_tasks::gloss::{GlossedLine, GlossedWord};
use tuppum_text::{Document, Language, Line, LineKind, Sign, SignKind, Span};

/// Stand-in for a sign that cannot be read.
const ILLEGIBLE: &str = "x";
/// Stand-in for a break.
const BREAK: &str = "...";

impl Glossary {
    /// Glosses the words of all lines of transliteration. Words marked as Sumerian, or as another language than
    /// Akkadian, get no gloss. Neither do numbers: gods are written with numerals too, but only a determinative shows
    /// it (`{d}30`).
    pub fn gloss(&self, document: &Document) -> Vec<GlossedLine> {
        let lines = document.lines.iter().enumerate().filter(|(_, line)| line.kind == LineKind::Text);
        let glossed = lines.map(|(number, line)| {
            let words = words(line).map(|word| self.gloss_word(word, &document.source)).collect();
            GlossedLine { line: number, words }
        });
        glossed.collect()
    }

    fn gloss_word(&self, word: &[Sign], source: &str) -> GlossedWord {
        let span =
            Span::new(word.first().map_or(0, |sign| sign.span.start), word.last().map_or(0, |sign| sign.span.end));
        let readings: Option<Vec<&str>> = word.iter().map(Sign::reading).collect();
        let shown = |sign: &'_ Sign| match &sign.kind {
            SignKind::Reading(reading) => reading.clone(),
            SignKind::Illegible => ILLEGIBLE.to_owned(),
            SignKind::Gap => BREAK.to_owned(),
            SignKind::Unreadable => sign.span.of(source).to_owned(),
        };
        let shown: Vec<String> = word.iter().map(shown).collect();
        let mut glossed = GlossedWord {
            span,
            written: written(shown.iter().map(String::as_str)),
            is_legible: readings.is_some(),
            is_numeral: readings.as_deref().is_some_and(is_numeral),
            found: None,
            glosses: Vec::new(),
            name: None,
        };
        let is_akkadian = word.iter().all(|sign| !matches!(sign.language, Language::Sumerian | Language::Other));
        let asked = readings.filter(|_| is_akkadian && !glossed.is_number());
        if let Some(found) = asked.and_then(|readings| self.look_up(&readings)) {
            (glossed.found, glossed.glosses) = (Some(found.spelling), found.glosses);
        }
        glossed
    }
}

/// Splits a line into words. A break is a word of its own, or part of a word that it touches.
fn words(line: &Line) -> impl Iterator<Item = &[Sign]> {
    line.signs.chunk_by(|_, next| !next.starts_word())
}

/// Returns `true` if a word consists of numerals only, determinatives aside.
pub(super) fn is_numeral(readings: &[&str]) -> bool {
    let mut others = readings.iter().filter(|reading| !reading.starts_with('{')).peekable();
    let is_number = |reading: &&str| {
        reading.starts_with(|first: char| {
            first.is_ascii_digit() || matches!(first, '½' | '⅓' | '⅔' | '¼' | '¾' | '⅙' | '⅚')
        })
    };
    others.peek().is_some() && others.all(is_number)
}
