//! One sign as TEI: as on the tablet, supplied, or open, with the editor's remarks about it.

use super::xml::Xml;
use crate::restore::work::Accepted;
use tuppum_text::editorial::{Editorial, EditorialLine};
use tuppum_text::{Document, Sign, SignKind, State};

/// Writes an accepted proposal of the machine into the open word; a proposal of several words opens further ones. The
/// certainty is the probability as a number: “high” would be an editor's word for what was seen.
pub fn accepted(xml: &mut Xml, accepted: &Accepted, sign: &Sign) {
    let probability = accepted.readings.iter().map(|reading| reading.probability).product::<f32>();
    let cert = format!("{probability:.2}");
    let mut words: Vec<String> = Vec::new();
    for reading in &accepted.readings {
        match words.last_mut().filter(|_| !reading.starts_word) {
            Some(word) => {
                // A determinative touches its noun.
                let touches = word.ends_with('}') || reading.reading.starts_with('{');
                word.push_str(if touches { "" } else { "-" });
                word.push_str(&reading.reading);
            }
            None => words.push(reading.reading.clone()),
        }
    }
    for (place, word) in words.iter().enumerate() {
        if place > 0 {
            xml.close();
            xml.text(" ");
            xml.open("w", &[]);
        }
        xml.element("supplied", &[("reason", reason(sign)), ("resp", "#tuppum"), ("cert", &cert)], word);
    }
}

/// Returns the reason why a sign cannot be read: it is lost, or its remains are not clear.
fn reason(sign: &Sign) -> &'static str {
    if sign.state == State::Missing || sign.kind == SignKind::Gap { "lost" } else { "illegible" }
}

/// Writes a sign as it was typed. The editor's remarks become elements around the reading: an uncertain one is
/// `unclear` with low certainty, a corrected one `corr` beside the signs on the tablet.
pub fn typed(xml: &mut Xml, document: &Document, sign: &Sign, said: Option<&Editorial>) {
    match &sign.kind {
        SignKind::Reading(reading) => read(xml, reading, sign.state, said.unwrap_or(&Editorial::default())),
        SignKind::Illegible => illegible(xml, (document, sign), said.unwrap_or(&Editorial::default())),
        SignKind::Gap => xml.empty("gap", &[("reason", "lost"), ("unit", "sign"), ("extent", "unknown")]),
        SignKind::Unreadable => xml.element("orig", &[], sign.span.of(&document.source)),
    }
}

fn read(xml: &mut Xml, reading: &str, state: State, said: &Editorial) {
    let mut elements = Vec::new();
    if said.is_omitted {
        elements.push(("supplied", vec![("reason", "omitted")]));
    }
    let uncertain = |mut attributes: Vec<_>| {
        attributes.extend(said.is_uncertain.then_some(("cert", "low")));
        attributes
    };
    match state {
        State::Preserved if said.is_uncertain => elements.push(("unclear", uncertain(Vec::new()))),
        State::Preserved => {}
        State::Damaged if said.is_uncertain => elements.push(("unclear", uncertain(vec![("reason", "damage")]))),
        State::Damaged => elements.push(("unclear", Vec::new())),
        State::Missing => elements.push(("supplied", uncertain(vec![("reason", "lost")]))),
    }
    elements.iter().for_each(|(name, attributes)| xml.open(name, attributes));
    corrected(xml, said, |xml| xml.text(reading));
    elements.iter().for_each(|_| xml.close());
}

/// Writes a sign that cannot be read; one that the scribe omitted has the reason `omitted`.
fn illegible(xml: &mut Xml, (document, sign): (&Document, &Sign), said: &Editorial) {
    let reason = if said.is_omitted { "omitted" } else { reason(sign) };
    let mut attributes = vec![("reason", reason), ("unit", "sign"), ("extent", "1")];
    attributes.extend(is_doubtful(document, sign).then_some(("cert", "low")));
    corrected(xml, said, |xml| xml.empty("gap", &attributes));
}

/// Writes content as the editor corrected it, beside the signs on the tablet where the editor gives them.
fn corrected(xml: &mut Xml, said: &Editorial, content: impl FnOnce(&mut Xml)) {
    if let Some(written) = &said.written {
        xml.open("choice", &[]);
        xml.element("sic", &[], written);
    }
    if said.is_corrected {
        xml.open("corr", &[]);
    }
    content(xml);
    for is_open in [said.is_corrected, said.written.is_some()] {
        if is_open {
            xml.close();
        }
    }
}

/// Writes the signs that an editor deletes before the sign at this place: within the open word, or between two words.
pub fn surplus(xml: &mut Xml, said: &EditorialLine, place: usize, in_word: bool) {
    for struck in said.surplus.iter().filter(|struck| struck.before == place && struck.in_word == in_word) {
        xml.text(if in_word { "" } else { " " });
        xml.element("surplus", &[], &struck.signs);
    }
}

/// Returns `true` if a sign is in parentheses: `(x)` says that it may never have been there.
fn is_doubtful(document: &Document, sign: &Sign) -> bool {
    let before = document.source.get(..sign.span.start).unwrap_or("");
    before.ends_with('(') || sign.span.of(&document.source).starts_with('(')
}
