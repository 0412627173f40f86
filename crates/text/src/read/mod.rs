//! Reader of transliterations in any of the common conventions. It never fails: what cannot be read stays as typed.
//!
//! The passes, each in its file: [`clean`] drops what cannot be seen and composes [`accents`], [`lines`] separates
//! transliteration from remarks, [`scan`] cuts words, except [`dividers`], into [`lexeme`]s, [`brackets`] pairs
//! brackets, [`units`] makes signs ([`unit`]) of lexemes with the help of [`sign`], and [`print`] writes the canonical
//! form of the typed text. [`habits`] counts how the text is written.

mod accents;
mod brackets;
mod clean;
mod dividers;
mod doubts;
mod evidence;
mod foreign;
mod habits;
mod headings;
mod inner_space;
mod labels;
mod lexeme;
mod line_numbers;
#[cfg(test)]
mod line_tests;
mod lines;
mod numerals;
mod print;
mod report;
mod rules;
mod scan;
mod sign;
mod sumerian;
#[cfg(test)]
mod tests;
mod unit;
mod units;

use super::{ConventionFound, Document, Edit, Line, LineKind, ReadingOptions, Sign, Span, Style};
use brackets::{Ahead, Pairing};
use clean::Clean;
use habits::Habits;
pub use headings::speaks_of_a_break;
use lexeme::Scanned;
use lines::RawLine;
use print::Printed;
use report::Report;

use unit::Unit;
use units::Reading;

/// Context that all lines of a text give for each line.
#[derive(Clone, Copy)]
struct How {
    /// `true` if names have a capital.
    capital_names: bool,
    /// `true` if a line stays as typed rather than begin with another number, or none.
    numbers_stay: bool,
}

impl Document {
    /// Reads a transliteration.
    pub fn read(typed: &str) -> Document {
        Self::read_with(typed, &ReadingOptions::default())
    }

    /// Reads a transliteration with the user's choices.
    pub fn read_with(typed: &str, options: &ReadingOptions) -> Document {
        let Assembled { mut document, some_stay } = Assembled::of(typed, options);
        // A line that stays as typed may be inside a bracket that the lines around it now repeat for themselves, or
        // depend on a name that their canonical form no longer shows. In that case all lines stay as typed.
        if some_stay && !document.edits.is_empty() && !reads_back(&document, options) {
            document.edits.clear();
        }
        document
    }

    /// Returns the text in canonical form, with all edits made. Reading it again changes nothing.
    pub fn canonical(&self) -> String {
        let mut canonical = String::with_capacity(self.source.len());
        let mut done = 0;
        for edit in &self.edits {
            canonical.push_str(Span::new(done, edit.span.start).of(&self.source));
            canonical.push_str(&edit.canonical);
            done = edit.span.end;
        }
        canonical.push_str(Span::new(done, self.source.len()).of(&self.source));
        canonical
    }
}

/// Returns `true` if the canonical form of a text reads like the text.
fn reads_back(document: &Document, options: &ReadingOptions) -> bool {
    let again = Assembled::of(&document.canonical(), options).document;
    let read = |line: &Line| {
        let signs = line.signs.iter().map(|sign| (sign.kind.clone(), sign.joiner, sign.state, sign.language));
        (line.kind, signs.collect::<Vec<_>>())
    };
    again.edits.is_empty() && again.lines.iter().map(read).eq(document.lines.iter().map(read))
}

/// Text whose lines have been read one by one.
struct Assembled {
    document: Document,
    /// `true` if some line stays as typed because its canonical form would be read differently.
    some_stay: bool,
}

impl Assembled {
    fn of(typed: &str, options: &ReadingOptions) -> Self {
        let clean = Clean::of(typed);
        let raw = lines::split(&clean.text, !options.bare_numbers_are_numerals);
        let has_names = |texts: &str| match options.convention {
            Some(chosen) => chosen.has_capital_names(),
            None => habits::has_capital_names(texts),
        };
        let capital_names = has_names(&texts(&clean, &raw));
        let assembled = Self::assemble(typed, options, &clean, &raw, How { capital_names, numbers_stay: false });
        if assembled.document.edits.is_empty() {
            return assembled;
        }
        // The context from all lines together must be the same for their canonical forms: whether names have a capital,
        // which `{Pu-šu` hides behind its brace, and which unmarked numbers are line numbers.
        let canonical = Clean::of(&assembled.document.canonical());
        let again = lines::split(&canonical.text, !options.bare_numbers_are_numerals);
        let has_more_names = !capital_names && has_names(&texts(&canonical, &again));
        let numbered = |line: &RawLine| line.inferred;
        let numbers_stay = !raw.iter().map(numbered).eq(again.iter().map(numbered));
        if !has_more_names && !numbers_stay {
            return assembled;
        }
        let how = How { capital_names: capital_names || has_more_names, numbers_stay };
        Self::assemble(typed, options, &clean, &raw, how)
    }

    fn assemble(typed: &str, options: &ReadingOptions, clean: &Clean, raw: &[RawLine], how: How) -> Self {
        let capital_names = how.capital_names;
        let mut some_stay = false;
        let mut report = Report::new(clean);
        let mut habits = Habits::default();
        let mut reading = Reading { text: &clean.text, capital_names, habits: &mut habits, report: &mut report };
        let mut lines = Vec::with_capacity(raw.len());
        let mut edits = Vec::new();
        let mut scanned: Vec<Option<Scanned>> = raw
            .iter()
            .map(|line| {
                (line.kind == LineKind::Text).then(|| scan::scan(&clean.text, line.body.clone(), line.language))
            })
            .collect();
        let ahead = look_ahead(&scanned);
        let mut pairing = Pairing::default();
        let mut start = 0;
        for (place, line) in raw.iter().enumerate() {
            let is_last = place + 1 == raw.len();
            // The last line takes invisible characters at the end of the text, which the cleaned text lacks, so that
            // lines tile the typed text.
            let end = if is_last { typed.len() } else { clean.typed(&line.whole).end };
            let span = Span::new(start, end);
            start = end;
            let mut signs = Vec::new();
            let mut printed = Vec::new();
            if let Some(scanned) = scanned.get_mut(place).and_then(Option::as_mut) {
                let covers = pairing.cover(scanned, ahead.get(place).copied().unwrap_or_default(), reading.report);
                let (units, words) = units::words(scanned, &covers, &mut reading);
                printed = print::words(&units, &words);
                if !reads_the_same(&clean.text, line, &units, &printed, how) {
                    printed.clear();
                    some_stay = true;
                }
                signs = units.into_iter().filter_map(|unit| sign_of(unit, clean)).collect();
            }
            print::edits(typed, clean, line, span, &printed, &mut edits);
            let label = line.label.as_ref().map(|label| clean.typed(label));
            lines.push(Line { span, label, label_is_inferred: line.inferred, kind: line.kind, signs });
        }
        // The typed text has nothing but invisible characters.
        if raw.is_empty() && !typed.is_empty() {
            let span = Span::new(0, typed.len());
            lines.push(Line { span, label: None, label_is_inferred: false, kind: LineKind::Empty, signs: Vec::new() });
            edits.push(Edit { span, canonical: String::new(), rule: print::INVISIBLE.to_owned() });
        }
        report.inferred_numbers(raw);
        report.foreign(raw);
        doubts::look_over(&mut lines, typed, &mut report);
        sumerian::look_over(&lines, &mut report);
        let diagnostics = report.finish();
        let (convention, style) = convention(options, &texts(clean, raw), &habits);
        let document = Document { source: typed.to_owned(), convention, style, lines, edits, diagnostics };
        Self { document, some_stay }
    }
}

/// Returns the convention that the user chose, or that the text shows, and its style of signs.
fn convention(options: &ReadingOptions, texts: &str, habits: &Habits) -> (ConventionFound, Style) {
    match options.convention {
        Some(convention) => {
            let found = ConventionFound { convention, confidence: 1.0, is_chosen: true, evidence: Vec::new() };
            (found, convention.style())
        }
        None => (evidence::convention(texts, habits), habits.style()),
    }
}

/// Returns `true` if the canonical form of a line reads like the line. The canonical form of odd input can mean
/// something else (a question mark dropped between two letters makes one sign of them); such a line stays as typed.
fn reads_the_same(text: &str, line: &RawLine, units: &[Unit], printed: &[Printed], how: How) -> bool {
    let is_canonical = |word: &Printed| text.get(word.at.clone()) == Some(word.canonical.as_str());
    if printed.iter().all(is_canonical) {
        return true;
    }
    let canonical = print::line(text, line, printed);
    if how.numbers_stay && canonical.trim().is_empty() {
        return false; // Lines must still be lines of text.
    }
    let clean = Clean::of(&canonical);
    let [again] = &mut lines::split(&clean.text, false)[..] else { return units.is_empty() };
    if !matches!(again.kind, LineKind::Text | LineKind::Empty) {
        return false; // `col 5 [` without its bracket is a heading.
    }
    let number = |text: &str| labels::label(text).map(|label| (label.mark, label.value, label.words, label.is_set_off));
    if how.numbers_stay && number(text.get(line.whole.start..line.body.end).unwrap_or("")) != number(&canonical) {
        return false;
    }
    if let Some(label) = line.label.as_ref().filter(|_| line.inferred) {
        again.number(label.start - line.whole.start..label.end - line.whole.start);
    }
    if clean.text != canonical || again.kind != line.kind || again.body.start != line.body.start - line.whole.start {
        return units.is_empty();
    }
    let mut scanned = scan::scan(&canonical, again.body.clone(), line.language);
    let (mut report, mut habits) = (Report::new(&clean), Habits::default());
    let covers = Pairing::default().cover(&mut scanned, Ahead::default(), &mut report);
    let capital_names = how.capital_names;
    let mut reading = Reading { text: &clean.text, capital_names, habits: &mut habits, report: &mut report };
    let (again, words) = units::words(&scanned, &covers, &mut reading);
    let is_same = |(one, other): (&Unit, &Unit)| {
        (&one.kind, one.joiner, one.state, one.language, &one.print)
            == (&other.kind, other.joiner, other.state, other.language, &other.print)
    };
    let is_settled = |word: &Printed| canonical.get(word.at.clone()) == Some(word.canonical.as_str());
    again.len() == units.len()
        && again.iter().zip(units).all(is_same)
        && print::words(&again, &words).iter().all(is_settled)
}

/// Returns the words of all lines of transliteration.
fn texts(clean: &Clean, raw: &[RawLine]) -> String {
    raw.iter().filter(|line| line.kind == LineKind::Text).map(|line| slice(clean, line)).collect()
}

fn slice<'a>(clean: &'a Clean, line: &RawLine) -> &'a str {
    clean.text.get(line.body.start..line.whole.end).unwrap_or("")
}

/// Returns, for each line, what the next brackets after it do.
fn look_ahead(scanned: &[Option<Scanned>]) -> Vec<Ahead> {
    let mut after = Ahead::default();
    let mut ahead: Vec<Ahead> = scanned
        .iter()
        .rev()
        .map(|line| {
            let here = after;
            after = line.as_ref().map_or(after, |line| after.before(line));
            here
        })
        .collect();
    ahead.reverse();
    ahead
}

fn sign_of(unit: Unit, clean: &Clean) -> Option<Sign> {
    let kind = unit.kind?;
    Some(Sign { span: clean.typed(&unit.at), kind, state: unit.state, joiner: unit.joiner, language: unit.language })
}
