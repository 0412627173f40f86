//! One sign as TEI: as on the tablet, supplied, or open, with the editor's remarks about it.

use super::xml::Xml;
use crate::restore::state::work::Accepted;
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

/// Round trip: excerpts in every convention are written as TEI and read back, sign by sign.
#[cfg(test)]
mod tests {
    use crate::restore::state::work::Work;
    use crate::translate::export::published::Published;
    use crate::translate::export::tei::tei;
    use std::path::Path;
    use tuppum_text::editorial::{EditorialLine, editorial};
    use tuppum_text::{Convention, Document, Joiner, Language, LineKind, Sign, SignKind, State};
    use xml::reader::{EventReader, XmlEvent};

    const EXCERPTS: [&str; 7] =
        ["ebl.atf", "oracc.atf", "cdli.atf", "oracc-page.txt", "glyphs.txt", "print.txt", "export.txt"];

    /// Returns the text of the edition in Oracc's form, made from the elements alone.
    fn read_back(tei: &str) -> String {
        let (mut text, mut open, mut foreign) = (String::new(), Vec::new(), "");
        // Closing marks of the open elements, and the signs on the tablet where one is corrected.
        let (mut ends, mut written) = (Vec::new(), String::new());
        for event in EventReader::from_str(tei) {
            match event.unwrap_or_else(|problem| panic!("{problem}\n{tei}")) {
                XmlEvent::StartElement { name, attributes, .. } => {
                    let attribute = |name: &str| {
                        attributes.iter().find(|own| own.name.local_name == name).map_or("", |own| own.value.as_str())
                    };
                    if name.local_name == "lb" {
                        text.push_str(&format!("\n{}.", attribute("n").trim_end_matches('.')));
                        foreign = "";
                    }
                    if name.local_name == "w" {
                        let language = if attribute("lang") == "sux-Latn" { "%sux" } else { "" };
                        if language != foreign {
                            text.push_str(if language.is_empty() { " %akk" } else { " %sux" });
                            foreign = language;
                        }
                    }
                    let (begins, end) = match name.local_name.as_str() {
                        "surplus" if open.iter().any(|name| name == "w") => ("<<", ">>"),
                        name => marks(name, attribute),
                    };
                    text.push_str(begins);
                    ends.push(end);
                    open.push(name.local_name);
                }
                XmlEvent::EndElement { name } => {
                    open.pop();
                    text.push_str(ends.pop().unwrap_or_default());
                    if name.local_name == "corr" && !written.is_empty() {
                        text.push_str(&format!("({})", std::mem::take(&mut written)));
                    }
                }
                XmlEvent::Characters(own) if open.last().is_some_and(|name| name == "sic") => written = own,
                XmlEvent::Characters(own) if open.iter().any(|name| name == "w" || name == "surplus") => {
                    text.push_str(&own);
                }
                _ => {}
            }
        }
        text
    }

    /// Returns the marks before and after the content of an element.
    fn marks<'a>(element: &str, attribute: impl Fn(&str) -> &'a str) -> (&'static str, &'static str) {
        let is_uncertain = attribute("cert") == "low";
        match (element, attribute("reason")) {
            ("w", _) => (" ", ""),
            ("unclear", "") if is_uncertain => ("", "?"),
            ("unclear", _) => ("⸢", if is_uncertain { "?⸣" } else { "⸣" }),
            ("supplied", "omitted") => ("<", ">"),
            ("supplied", _) => ("[", if is_uncertain { "?]" } else { "]" }),
            ("surplus", _) => (" <<", ">> "),
            ("corr", _) => ("", "!"),
            ("gap", reason) => match (attribute("extent"), reason) {
                ("1", "lost") => ("[x]", ""),
                ("1", "omitted") => ("<x>", ""),
                ("1", _) => ("x", ""),
                _ => ("[...]", ""),
            },
            _ => ("", ""),
        }
    }

    /// Returns the properties of a sign that must come back. TEI does not record the damage of a break nor its joiner.
    fn kept(sign: &Sign) -> (SignKind, Option<State>, Option<Joiner>, bool) {
        let is_break = sign.kind == SignKind::Gap;
        let state = match (&sign.kind, sign.state) {
            (SignKind::Illegible, State::Damaged) => State::Preserved,
            (_, state) => state,
        };
        let is_told = !matches!(sign.kind, SignKind::Gap | SignKind::Unreadable);
        let is_foreign = sign.language == Language::Sumerian;
        (sign.kind.clone(), is_told.then_some(state), (!is_break).then_some(sign.joiner), is_foreign)
    }

    /// Returns the editor's remarks in each text line that has signs.
    fn said(document: &Document) -> Vec<EditorialLine> {
        let lines = document.lines.iter().filter(|line| line.kind == LineKind::Text && !line.signs.is_empty());
        lines.map(|line| editorial(document, line)).collect()
    }

    #[test]
    fn what_an_editor_says_comes_back_from_tei() {
        let typed = "1. a-na? ⸢LUGAL⸣!-ri [be?]-⸢li2?⸣ x\n2. <a-na> ku!(KI)-ub <<ma>> a-<<ma>>-na? <<x x>>\n\
             3. ⸢u2?⸣!(szu)-<ma>\n4. <x>-na x!(KI) be-li2-<<ma>> a";
        let document = Document::read(typed);
        let tei = tei(&Work::on(typed), &document, &[], &[], &Published::default(), &[], "models/");
        for expected in [
            "a-<unclear cert=\"low\">na</unclear></w>",
            "<w><unclear><corr>LUGAL</corr></unclear>-ri</w>",
            "<supplied reason=\"lost\" cert=\"low\">be</supplied>-\
             <unclear reason=\"damage\" cert=\"low\">li₂</unclear>",
            "<w><supplied reason=\"omitted\">a</supplied>-<supplied reason=\"omitted\">na</supplied></w>",
            "<w><choice><sic>KI</sic><corr>ku</corr></choice>-ub</w> <surplus>ma</surplus> \
             <w>a<surplus>ma</surplus>-<unclear",
            "<w><gap reason=\"omitted\" unit=\"sign\" extent=\"1\"/>-na</w>",
            "<w><choice><sic>KI</sic><corr><gap reason=\"illegible\" unit=\"sign\" extent=\"1\"/></corr></choice></w>",
            "-li₂<surplus>ma</surplus></w> <w>a</w>",
        ] {
            assert!(tei.contains(expected), "{expected} in\n{tei}");
        }
        assert_eq!(said(&Document::read(&read_back(&tei))), said(&document), "{}", read_back(&tei));
    }

    #[test]
    fn excerpts_come_back_from_tei_sign_by_sign() {
        for file in EXCERPTS {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/reading").join(file);
            let typed =
                std::fs::read_to_string(&path).unwrap_or_else(|problem| panic!("{}: {problem}", path.display()));
            let document = Document::read(&typed);
            let text =
                read_back(&tei(&Work::on(typed.as_str()), &document, &[], &[], &Published::default(), &[], "models/"));
            let options = tuppum_text::ReadingOptions { convention: Some(Convention::Oracc), ..Default::default() };
            let again = Document::read_with(&text, &options);
            let signs = |document: &Document| -> Vec<Vec<_>> {
                let lines = document.lines.iter().filter(|line| line.kind == LineKind::Text && !line.signs.is_empty());
                lines.map(|line| line.signs.iter().map(kept).collect()).collect()
            };
            let (before, after) = (signs(&document), signs(&again));
            assert_eq!(said(&document), said(&again), "{file}");
            for (line, (own, other)) in before.iter().zip(&after).enumerate() {
                assert_eq!(own, other, "{file}, line {line}");
            }
            assert_eq!(before.len(), after.len(), "{file}: {text}");
            assert!(before.iter().map(Vec::len).sum::<usize>() > 5, "{file} has signs");
        }
    }
}
