//! The gaps of a text as an edition's apparatus lists them: the accepted reading, marked as a proposal, alternatives,
//! and the edited texts that attest each of them.

use crate::corpora::place;
use crate::kit::format;
use crate::restore::export::{line_of, sign_at};
use crate::restore::state::work::{Accepted, AcceptedReading, Work};
use tuppum_protocol::export::NOTE;
use tuppum_protocol::{AttestedReading, GapAnswer, Proposal};
use tuppum_text::{Document, SignIndex, SignKind};

/// Maximum number of alternatives listed for a gap.
const MAX_ALTERNATIVES: usize = 3;
/// Maximum number of places listed for a reading.
const MAX_PLACES: usize = 3;

/// Facts known about one gap.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a> {
    pub sign: SignIndex,
    /// Answer for the gap, if it was asked about.
    pub answer: Option<&'a GapAnswer>,
    /// Readings in edited texts, if these were asked.
    pub attested: Option<&'a [AttestedReading]>,
}

/// Writes the apparatus: a remark on what it is, then a line for every gap, such as `3  x] ub? (71 %; in 12 texts:
/// P224485 (saao/saa01), o 3); or be (12 %)`.
pub fn apparatus(document: &Document, work: &Work, entries: &[Entry], restorer: &str) -> String {
    let mut lines = vec![
        format!("# {NOTE}"),
        format!("# Tuppum {}; restorer {restorer}; “?” marks what a machine proposed", env!("CARGO_PKG_VERSION")),
    ];
    lines.extend(entries.iter().map(|entry| line(document, work, entry)));
    lines.push(String::new());
    lines.join("\n")
}

fn line(document: &Document, work: &Work, entry: &Entry) -> String {
    let lemma = match sign_at(document, entry.sign).map(|sign| &sign.kind) {
        Some(SignKind::Gap) => "...".to_owned(),
        Some(SignKind::Reading(reading)) => reading.clone(),
        _ => "x".to_owned(),
    };
    let accepted = work.accepted_at(entry.sign);
    let mut parts = Vec::new();
    match accepted {
        Some(accepted) => parts.push(of_accepted(accepted, entry)),
        None => parts.push("open".into()),
    }
    let is_accepted = |proposal: &&Proposal| {
        accepted.is_some_and(|accepted| {
            matches!(accepted.readings.as_slice(), [only] if only.reading == proposal.reading
                && only.starts_word == proposal.starts_word)
        })
    };
    let proposals = entry.answer.map(|answer| answer.proposals.as_slice()).unwrap_or_default();
    let others = proposals.iter().filter(|proposal| !is_accepted(proposal)).take(MAX_ALTERNATIVES);
    let others: Vec<String> = others.map(|one| of_proposal(one, entry)).collect();
    if !others.is_empty() {
        parts.push(format!("or {}", others.join(", ")));
    }
    format!("{}  {lemma}] {}", line_of(document, entry.sign), parts.join("; "))
}

fn of_accepted(accepted: &Accepted, entry: &Entry) -> String {
    let mut written = String::new();
    for AcceptedReading { written: own, starts_word, .. } in &accepted.readings {
        written.push_str(if *starts_word && !written.is_empty() { " " } else { "" });
        written.push_str(&format!("{}?", joined(own, *starts_word)));
    }
    let probability = accepted.readings.iter().map(|reading| reading.probability).product();
    let places = match accepted.readings.as_slice() {
        [only] => of_places(entry, &only.reading, only.starts_word),
        _ => String::new(),
    };
    format!("{written} ({}{places})", format::percent(probability))
}

fn of_proposal(proposal: &Proposal, entry: &Entry) -> String {
    let places = of_places(entry, &proposal.reading, proposal.starts_word);
    let written = joined(&proposal.written, proposal.starts_word);
    format!("{written} ({}{places})", format::percent(proposal.probability))
}

/// Puts a hyphen before a reading that continues a word, except before a determinative.
fn joined(written: &str, starts_word: bool) -> String {
    if starts_word || written.starts_with('{') { written.to_owned() } else { format!("-{written}") }
}

/// Returns the number of edited texts that attest a reading, with some of them.
fn of_places(entry: &Entry, reading: &str, starts_word: bool) -> String {
    let Some(attested) = entry.attested else { return String::new() };
    let same = |one: &&AttestedReading| one.reading == reading && one.starts_word == starts_word;
    let Some(found) = attested.iter().find(same) else { return "; not attested so".into() };
    let places: Vec<String> = found.places.iter().take(MAX_PLACES).map(|at| place::name(&at.edition)).collect();
    let more = if found.texts > places.len() { " …" } else { "" };
    format!("; in {}: {}{more}", format::plural(found.texts, "text", "texts"), places.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tuppum_protocol::{AttestedPlace, EditionPlace};

    fn proposal(reading: &str, probability: f32) -> Proposal {
        Proposal {
            reading: reading.into(),
            written: reading.into(),
            glyph: String::new(),
            sign_name: String::new(),
            starts_word: true,
            probability,
            variants: Vec::new(),
        }
    }

    #[test]
    fn what_goes_on_in_a_word_has_its_hyphen() {
        for (written, starts_word, expected) in [("šu", true, "šu"), ("šu", false, "-šu"), ("{KI}", false, "{KI}")]
        {
            assert_eq!(joined(written, starts_word), expected);
        }
        let reading = |written: &str, starts_word: bool| AcceptedReading {
            reading: written.into(),
            written: written.into(),
            glyph: String::new(),
            starts_word,
            probability: 0.5,
        };
        let readings = vec![reading("šu", false), reading("ma", false), reading("a", true)];
        let accepted = Accepted { sign: 0, readings, model: None };
        let entry = Entry { sign: 0, answer: None, attested: None };
        assert!(of_accepted(&accepted, &entry).starts_with("-šu?-ma? a? ("));
    }

    #[test]
    fn a_gap_has_its_reading_alternatives_and_places() {
        let document = Document::read("o 3. a-na x be-li₂-ia\n4. [...]");
        let mut work = Work::on("o 3. a-na x be-li₂-ia\n4. [...]");
        let reading = AcceptedReading {
            reading: "LUGAL".into(),
            written: "LUGAL".into(),
            glyph: String::new(),
            starts_word: true,
            probability: 0.71,
        };
        work.accept(Accepted { sign: 2, readings: vec![reading], model: None });
        let proposals = vec![proposal("LUGAL", 0.7), proposal("EN", 0.1)];
        let answer = GapAnswer { sign: 2, proposals, lengths: Vec::new(), word_start: 1.0 };
        let edition = EditionPlace {
            text: "P224485".into(),
            project: "saao/saa01".into(),
            line: "o 3".into(),
            address: None,
            own: false,
        };
        let place = AttestedPlace {
            edition,
            before: String::new(),
            sign: "LUGAL".into(),
            behind: String::new(),
            restored: false,
        };
        let attested = [AttestedReading {
            reading: "LUGAL".into(),
            starts_word: true,
            share: 0.6,
            texts: 12,
            places: vec![place],
        }];
        let entries = [
            Entry { sign: 2, answer: Some(&answer), attested: Some(&attested) },
            Entry { sign: 6, answer: None, attested: None },
        ];
        let text = apparatus(&document, &work, &entries, "models/restorer/");
        let lines: Vec<&str> = text.lines().skip(2).collect();
        assert_eq!(
            lines,
            [
                "o 3  x] LUGAL? (71\u{202f}%; in 12 texts: P224485 (saao/saa01), o 3 …); or EN (10\u{202f}%; not \
                 attested so)",
                "4  ...] open",
            ]
        );
    }
}
