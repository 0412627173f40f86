//! Doubtful readings: readings that no sign list has, determinatives whose raised letters were lost in pasting, lines
//! that do not look like Akkadian.

use super::clean::composed;
use super::report::Report;
use super::sign::{Surroundings, normalise};
use crate::signs::SignList;
use crate::{Edit, Language, Line, LineKind, Severity, Sign, SignKind, Span};

/// Determinatives before their noun, in plain letters and in braces.
const BEFORE: [(&str, &str); 26] = [
    ("d", "d"),
    ("m", "m"),
    ("f", "f"),
    ("I", "m"),
    ("giš", "giš"),
    ("gis", "giš"),
    ("lú", "lu₂"),
    ("lu₂", "lu₂"),
    ("lu2", "lu₂"),
    ("uru", "uru"),
    ("kur", "kur"),
    ("dug", "dug"),
    ("na₄", "na₄"),
    ("na4", "na₄"),
    ("túg", "tug₂"),
    ("tug₂", "tug₂"),
    ("mí", "munus"),
    ("munus", "munus"),
    ("iti", "iti"),
    ("anše", "anše"),
    ("íd", "id₂"),
    ("kuš", "kuš"),
    ("mul", "mul"),
    ("md", "m}{d"),
    ("é", "e₂"),
    ("šim", "šim"),
];

/// Determinative after its noun.
const BEHIND: &str = "ki";

/// Reports doubtful readings, and marks the signs of lines that do not look like Akkadian.
pub fn look_over(lines: &mut [Line], typed: &str, report: &mut Report) {
    other_languages(lines, report);
    for line in lines.iter_mut().filter(|line| line.kind == LineKind::Text) {
        let legible = line.signs.iter().filter(|sign| sign.is_akkadian() && is_legible(sign)).count();
        let doubtful: Vec<&Sign> = line.signs.iter().filter(|sign| sign.is_akkadian() && is_unknown(sign)).collect();
        if doubtful.len() >= 3 && doubtful.len() * 2 >= legible {
            not_akkadian(line, doubtful.len(), legible, report);
        } else {
            doubtful.into_iter().for_each(|sign| unknown(sign, typed, report));
        }
    }
    nothing_to_go_by(lines, report);
}

/// Reports once that passages marked as another language are left out.
fn other_languages(lines: &[Line], report: &mut Report) {
    let mut others = lines.iter().filter_map(|line| line.signs.iter().find(|sign| !sign.is_akkadian()));
    let Some(first) = others.next() else { return };
    let message = match others.count() + 1 {
        1 => {
            "One line has signs in another language than Akkadian; they are neither restored nor translated.".to_owned()
        }
        count => format!(
            "{count} lines have signs in another language than Akkadian; they are neither restored nor translated."
        ),
    };
    report.told(first.span, Severity::Note, message, Some("Write %akk before words in Akkadian.".to_owned()), None);
}

/// Reports that restorations of a text without any legible sign have no evidence.
fn nothing_to_go_by(lines: &[Line], report: &mut Report) {
    let signs = || lines.iter().flat_map(|line| &line.signs).filter(|sign| sign.is_akkadian());
    let Some(first) = signs().find(|sign| sign.kind == SignKind::Illegible) else { return };
    if signs().any(|sign| matches!(sign.kind, SignKind::Reading(_))) {
        return;
    }
    let message =
        "No sign of this text can be read as Akkadian: what is proposed only says how texts usually begin and go on.";
    let hint = "Type the signs around the gaps that you can read; restorations rest on them.";
    report.told(first.span, Severity::Warning, message.to_owned(), Some(hint.to_owned()), None);
}

fn is_legible(sign: &Sign) -> bool {
    matches!(sign.kind, SignKind::Reading(_) | SignKind::Unreadable)
}

/// Returns `true` if no sign list has the sign: a reading that is neither a number nor a compound sign, or characters
/// that are not a reading.
fn is_unknown(sign: &Sign) -> bool {
    match &sign.kind {
        SignKind::Unreadable => true,
        SignKind::Reading(reading) => {
            let plain =
                !reading.contains(['|', '(', '@']) && !reading.starts_with(|first: char| first.is_ascii_digit());
            plain && reading != "n" && SignList::shared().sign_of(reading).is_none()
        }
        _ => false,
    }
}

fn not_akkadian(line: &mut Line, doubtful: usize, legible: usize, report: &mut Report) {
    line.signs.iter_mut().for_each(|sign| sign.language = Language::Unrecognised);
    let span = match (line.signs.first(), line.signs.last()) {
        (Some(first), Some(last)) => Span::new(first.span.start, last.span.end),
        _ => line.span,
    };
    let message = format!(
        "This line looks like no Akkadian: {doubtful} of {legible} readings are in no sign list. It is neither \
         restored nor translated."
    );
    let hint = "Check its spelling if it is transliteration; write # before a line that only speaks about the text.";
    report.told(span, Severity::Warning, message, Some(hint.to_owned()), None);
}

/// Reports a reading that no sign list has: with the determinative that it may begin with, or with the nearest
/// readings.
fn unknown(sign: &Sign, typed: &str, report: &mut Report) {
    let own = sign.span.of(typed);
    if let Some((before, after)) = lost_superscript(own) {
        let canonical = format!("{before}{after}");
        let message = format!("“{own}” may be a determinative that lost its raised letters: {canonical}.");
        let offer = Edit { span: sign.span, canonical, rule: "raised letters lost in pasting".to_owned() };
        report.told(sign.span, Severity::Note, message, Some("Write it in braces.".to_owned()), Some(offer));
        return;
    }
    // Unreadable signs were reported before.
    let Some(reading) = sign.reading().filter(|_| report.has_room()) else { return };
    let near = SignList::shared().nearest(reading.trim_matches(['{', '}']), 3);
    let hint = if near.is_empty() {
        "Check its spelling; it is kept as typed.".to_owned()
    } else {
        format!("Near it are {}.", near.join(", "))
    };
    let message = format!("“{own}” is read {reading}, which is in no sign list.");
    report.told(sign.span, Severity::Note, message, Some(hint), None);
}

/// Splits a word that was pasted without its raised letters, the determinative in braces: `{m}` and `me` of `mme`,
/// `{d}` and `UTU` of `dUTU`, `šur` and `{ki}` of `šurki`.
fn lost_superscript(own: &str) -> Option<(String, String)> {
    let is_known = |rest: &str| {
        let read = normalise(&composed(rest), Surroundings::default());
        read.is_ok_and(|read| SignList::shared().sign_of(&read.reading).is_some())
    };
    const LONGEST: usize = 24;
    if own.len() > LONGEST {
        return None;
    }
    let before = BEFORE.iter().filter_map(|(letters, name)| Some((own.strip_prefix(letters)?, name)));
    let found = before.filter(|(rest, _)| !rest.is_empty()).find(|(rest, _)| is_known(rest));
    if let Some((rest, name)) = found {
        return Some((format!("{{{name}}}"), rest.to_owned()));
    }
    let rest = own.strip_suffix(BEHIND).or_else(|| own.strip_suffix("KI")).filter(|rest| is_known(rest))?;
    Some((rest.to_owned(), format!("{{{BEHIND}}}")))
}

#[cfg(test)]
mod tests {
    use crate::Document;

    #[test]
    fn a_text_in_which_nothing_can_be_read_says_so() {
        let says = |typed: &str| {
            Document::read(typed).diagnostics.iter().any(|told| told.message.starts_with("No sign of this text"))
        };
        assert!(says("x x x") && says("1. [x x]\n2. [...]"));
        assert!(!says("1. [x x]\n2. a") && !says("[...]") && !says("") && !says("%sux x x"));
        assert!(says("1. %sux lugal\n2. %akk x x"), "what is not restored is nothing to go by");
    }
}
