//! Text and translation as TEI P5: signs as on the tablet, restorations as `supplied`, open gaps as `gap`, and the
//! translation in a division of its own with a statement about it.

use super::formats::{RESTORED_STATEMENT, STATEMENT, title};
use super::published::{Published, PublishedTranslation};
use super::tei_sign;
use super::tei_word::{LEMMA_STATEMENT, Lemma, NAME_STATEMENT, NameElement};
use super::xml::Xml;
use crate::restore::state::work::{Accepted, Work};
use crate::translate::state::passages;
use crate::translate::state::rendering::Rendering;
use tuppum_protocol::GlossedLine;
use tuppum_protocol::translation::Passage;
use tuppum_text::editorial::editorial;
use tuppum_text::{Document, Joiner, Language, Line, LineKind, Sign, SignKind};

const NAMESPACE: &str = "http://www.tei-c.org/ns/1.0";

/// Returns the text and its translation, if it has one, as TEI. `standing` has the passage that each rendering
/// translates now, `None` for an outdated one; `glossed` has the lemmata of the words, where they were looked up.
pub fn tei(
    work: &Work,
    document: &Document,
    renderings: &[Rendering],
    standing: &[Option<Passage>],
    published: &Published,
    glossed: &[GlossedLine],
    restorer: &str,
) -> String {
    let mut xml = Xml::new();
    xml.open("TEI", &[("xmlns", NAMESPACE)]);
    header(&mut xml, document, renderings, glossed, restorer);
    xml.line();
    xml.open("text", &[]);
    xml.open("body", &[]);
    edition(&mut xml, work, document, glossed);
    if !renderings.is_empty() {
        translation(&mut xml, document, renderings, standing, published);
    }
    xml.finish()
}

fn header(xml: &mut Xml, document: &Document, renderings: &[Rendering], glossed: &[GlossedLine], restorer: &str) {
    let mut models: Vec<String> = renderings.iter().map(|rendering| rendering.made.model.to_string()).collect();
    models.dedup();
    let mut name = format!("Tuppum {}; restorer {restorer}", env!("CARGO_PKG_VERSION"));
    let (mut made, mut chose) = ("Machine restoration", "Chose among the machine's proposals");
    if !models.is_empty() {
        name.push_str(&format!("; translator {}", models.join(", ")));
        made = "Machine restoration and machine translation";
        chose = "Chose among the machine's proposals and edited the translation";
    }
    xml.line();
    xml.open("teiHeader", &[]);
    xml.open("fileDesc", &[]);
    xml.line();
    xml.open("titleStmt", &[]);
    xml.element("title", &[], &title(document));
    for (who, what, name) in [("tuppum", made, name.as_str()), ("user", chose, "The user of Tuppum")] {
        xml.open("respStmt", &[("xml:id", who)]);
        xml.element("resp", &[], what);
        xml.element("name", &[], name);
        xml.close();
    }
    xml.close();
    xml.line();
    xml.open("publicationStmt", &[]);
    xml.element("p", &[], "Not published: taken from a user's own workbench.");
    xml.close();
    xml.open("sourceDesc", &[]);
    xml.element("p", &[], "A transliteration that the user typed, here in the canonical form of Oracc.");
    xml.close();
    xml.close();
    xml.line();
    xml.open("encodingDesc", &[]);
    xml.element("p", &[], if renderings.is_empty() { RESTORED_STATEMENT } else { STATEMENT });
    if !glossed.is_empty() {
        xml.element("p", &[], LEMMA_STATEMENT);
    }
    if glossed.iter().flat_map(|line| &line.words).any(|word| word.name.is_some()) {
        xml.element("p", &[], NAME_STATEMENT);
    }
    xml.close();
    xml.close();
}

fn edition(xml: &mut Xml, work: &Work, document: &Document, glossed: &[GlossedLine]) {
    xml.line();
    xml.open("div", &[("type", "edition"), ("xml:lang", "akk-Latn")]);
    xml.open("ab", &[]);
    let mut first = 0;
    let mut number = 0;
    for (place, line) in document.lines.iter().enumerate() {
        let own = line.span.of(&document.source).trim();
        match line.kind {
            LineKind::Text => {
                number += 1;
                xml.line();
                xml.empty("lb", &[("n", &label(document, line, number)), ("xml:id", &line_id(place))]);
                let glossed = glossed.iter().find(|glossed| glossed.line == place);
                words(xml, work, document, (line, first), glossed);
            }
            LineKind::Empty => {}
            LineKind::Surface => {
                xml.line();
                let name = own.trim_start_matches('@');
                let unit = if name.starts_with("column") { "column" } else { "surface" };
                xml.empty("milestone", &[("unit", unit), ("n", name)]);
            }
            kind => {
                xml.line();
                let told = own.trim_start_matches('$').trim_start();
                xml.element("note", &[("type", note_type(kind)), ("xml:lang", "en")], told);
            }
        }
        first += line.signs.len();
    }
    xml.close();
    xml.close();
}

fn note_type(kind: LineKind) -> &'static str {
    match kind {
        LineKind::Heading => "heading",
        LineKind::State => "state",
        LineKind::Translation => "translation",
        _ => "comment",
    }
}

/// Returns the label of a text line, or its number among the text lines.
fn label(document: &Document, line: &Line, number: usize) -> String {
    line.label_in(&document.source).map_or_else(|| number.to_string(), str::to_owned)
}

fn line_id(place: usize) -> String {
    format!("line-{}", place + 1)
}

/// Writes the words of a line; `first` is the number of its first sign.
fn words(
    xml: &mut Xml,
    work: &Work,
    document: &Document,
    (line, first): (&Line, usize),
    glossed: Option<&GlossedLine>,
) {
    let (mut in_word, mut in_name) = (false, false);
    let mut before: Option<&Accepted> = None;
    let said = editorial(document, line);
    for (place, sign) in line.signs.iter().enumerate() {
        let accepted = work.accepted_at(first + place);
        let begins = match accepted.and_then(|accepted| accepted.readings.first()) {
            Some(reading) => reading.starts_word,
            None => sign.starts_word() || sign.kind == SignKind::Gap,
        };
        if in_word {
            tei_sign::surplus(xml, &said, place, true);
        }
        if in_word && begins {
            xml.close();
        }
        if in_name && begins {
            xml.close();
        }
        let apart = begins || !in_word;
        tei_sign::surplus(xml, &said, place, false);
        if apart {
            xml.text(" ");
            let is_filled = |place: usize| work.accepted_at(first + place).is_some();
            let name = NameElement::of(glossed, (line, sign), is_filled);
            in_name = name.is_some();
            if let Some(name) = &name {
                xml.open(name.element, &name.attributes());
            }
            let lemma = Lemma::of(glossed, sign).filter(|_| accepted.is_none());
            let lemma = lemma.as_ref().map(Lemma::attributes);
            xml.open("w", &[language(sign), lemma.as_ref().map_or(&[][..], |lemma| lemma)].concat());
        } else {
            xml.text(joiner(sign, before, accepted));
        }
        in_word = true;
        before = accepted;
        match accepted {
            Some(accepted) => tei_sign::accepted(xml, accepted, sign),
            None => tei_sign::typed(xml, document, sign, said.signs.get(place)),
        }
    }
    tei_sign::surplus(xml, &said, line.signs.len(), true);
    for is_open in [in_word, in_name] {
        if is_open {
            xml.close();
        }
    }
    tei_sign::surplus(xml, &said, line.signs.len(), false);
}

/// Returns the language attribute of a word, if it is not in the edition's language.
fn language(sign: &Sign) -> &'static [(&'static str, &'static str)] {
    match sign.language {
        Language::Akkadian | Language::Unrecognised => &[],
        Language::Sumerian => &[("xml:lang", "sux-Latn")],
        Language::Other => &[("xml:lang", "und-Latn")],
    }
}

/// Returns the joiner between a sign and the one before it in its word. A determinative touches its noun.
fn joiner(sign: &Sign, before: Option<&Accepted>, accepted: Option<&Accepted>) -> &'static str {
    let filling = accepted.and_then(|accepted| accepted.readings.first());
    let last = before.and_then(|before| before.readings.last());
    if filling.is_some_and(|first| first.reading.starts_with('{'))
        || last.is_some_and(|last| last.reading.ends_with('}'))
    {
        return "";
    }
    match sign.joiner {
        Joiner::Dot => ".",
        Joiner::Plus => "+",
        Joiner::Nothing => "",
        Joiner::Space if filling.is_none() => "",
        Joiner::Hyphen | Joiner::Space => "-",
    }
}

fn translation(
    xml: &mut Xml,
    document: &Document,
    renderings: &[Rendering],
    standing: &[Option<Passage>],
    published: &Published,
) {
    xml.line();
    xml.open("div", &[("type", "translation"), ("xml:lang", "en"), ("resp", "#tuppum")]);
    xml.line();
    xml.element("note", &[("type", "statement")], STATEMENT);
    for (rendering, now) in renderings.iter().zip(standing) {
        let lines = now.as_ref().map_or(&rendering.translated.lines, |passage| &passage.lines);
        let n = passages::label(document, rendering, now.as_ref());
        let resp = if rendering.own_wording().is_some() { "#tuppum #user" } else { "#tuppum" };
        let text_lines = |place: &usize| document.lines.get(*place).is_some_and(|line| line.kind == LineKind::Text);
        let places: Vec<String> =
            lines.clone().filter(text_lines).map(|place| format!("#{}", line_id(place))).collect();
        let corresp = places.join(" ");
        let mut attributes = vec![("n", n.as_str()), ("resp", resp)];
        if now.is_some() && !corresp.is_empty() {
            attributes.push(("corresp", &corresp));
        }
        xml.line();
        xml.open("p", &attributes);
        xml.text(rendering.text());
        if now.is_none() {
            xml.element("note", &[("type", "outdated")], "Made for an earlier wording of the text.");
        }
        if rendering.is_held_back() {
            xml.element("note", &[("type", "held-back")], "Few words of the translation would be right.");
        }
        if rendering.is_unfinished() {
            xml.element("note", &[("type", "unfinished")], "The translation was stopped here.");
        }
        if let Some(found) = published.beside(rendering) {
            similar(xml, found);
        }
        xml.close();
    }
    xml.close();
}

/// Writes the published translation of the most similar edited passage, with its place.
fn similar(xml: &mut Xml, found: &PublishedTranslation) {
    let like = format!("{:.2}", found.similarity);
    for part in &found.parts {
        let kind = if found.own { "own-text" } else { "published" };
        xml.open("note", &[("type", kind), ("n", &like)]);
        xml.element("quote", &[("xml:lang", "en")], &part.translation);
        xml.element("bibl", &[], &format!("{}; {}", part.place, part.licence));
        xml.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::restore::state::work::AcceptedReading;
    use crate::translate::export::published::examples::published;
    use crate::translate::state::passages::PresentText;
    use crate::translate::state::rendering::examples::rendering;
    use proptest::prelude::*;
    use xml::reader::{EventReader, XmlEvent};

    fn reading(reading: &str, starts_word: bool, probability: f32) -> AcceptedReading {
        AcceptedReading {
            reading: reading.into(),
            written: reading.into(),
            glyph: String::new(),
            starts_word,
            probability,
        }
    }

    fn exported(work: &Work, renderings: &[Rendering]) -> String {
        exported_with(work, renderings, &Published::default())
    }

    fn exported_with(work: &Work, renderings: &[Rendering], published: &Published) -> String {
        let document = Document::read(&work.text);
        let filled: Vec<_> = work.accepted.iter().map(Accepted::filled).collect();
        let standing = PresentText::new(&document, &filled).stand(renderings);
        tei(work, &document, renderings, &standing, published, &[], "models/restorer/")
    }

    /// Parses a document; returns names and attributes of the elements, and all text.
    fn parsed(xml: &str) -> (Vec<String>, String) {
        let (mut elements, mut text) = (Vec::new(), String::new());
        for event in EventReader::from_str(xml) {
            match event.unwrap_or_else(|problem| panic!("{problem}\n{xml}")) {
                XmlEvent::StartElement { name, attributes, .. } => {
                    let pairs = attributes.iter().map(|pair| format!(" {}={}", pair.name.local_name, pair.value));
                    elements.push(format!("{}{}", name.local_name, pairs.collect::<String>()));
                }
                XmlEvent::Characters(part) => text.push_str(&part),
                _ => {}
            }
        }
        (elements, text)
    }

    #[test]
    fn a_restored_text_needs_no_translation() {
        let mut work = Work::on("1. a-na [x] [...]");
        let untouched = exported(&work, &[]);
        assert!(untouched.contains("<gap reason=\"lost\" unit=\"sign\" extent=\"1\"/>"), "{untouched}");
        work.accept(Accepted { sign: 2, readings: vec![reading("ia", true, 0.975)], model: None });
        let tei = exported(&work, &[]);
        let (elements, text) = parsed(&tei);
        let supplied = "supplied reason=lost resp=#tuppum cert=0.98";
        assert!(elements.iter().any(|element| element == supplied), "{elements:?}");
        assert!(
            !elements.iter().any(|element| element.contains("translation")) && !text.contains("translat"),
            "{text}"
        );
        assert!(text.contains("have not been seen on the tablet"));
    }

    #[test]
    fn a_restored_determinative_touches_its_noun() {
        let mut work = Work::on("1. a-lim x");
        work.accept(Accepted { sign: 2, readings: vec![reading("{KI}", false, 0.9)], model: None });
        let tei = exported(&work, &[]);
        assert!(tei.contains("a-lim<supplied") && tei.contains("{KI}</supplied></w>"), "{tei}");
        let mut work = Work::on("1. x-UTU");
        work.accept(Accepted { sign: 0, readings: vec![reading("{d}", true, 0.9)], model: None });
        assert!(exported(&work, &[]).contains("{d}</supplied>UTU</w>"));
    }

    #[test]
    fn restored_lost_and_damaged_signs_are_told_apart() {
        let mut work = Work::on("&P123456 = A & B\n@obverse\n1. a-na ⸢szar⸣-[ri] x [x] [...] %%\n2. x-ma");
        work.accept(Accepted { sign: 4, readings: vec![reading("u₂", true, 0.9)], model: None });
        let two_words = vec![reading("{d}", true, 0.5), reading("UTU", false, 0.5), reading("u₃", true, 0.9)];
        work.accept(Accepted { sign: 8, readings: two_words, model: None });
        let mut renderings = [rendering(2, "a-na šar-ri u₂ x ... x", &["to <the> king"])];
        renderings[0].edit("unto the king & lord");
        let tei = exported(&work, &renderings);
        for expected in [
            "<lb n=\"1\" xml:id=\"line-3\"/> <w>a-na</w> <w><unclear>šar</unclear>-<supplied \
             reason=\"lost\">ri</supplied></w>",
            "<w><supplied reason=\"illegible\" resp=\"#tuppum\" cert=\"0.90\">u₂</supplied></w>",
            "<w><gap reason=\"lost\" unit=\"sign\" extent=\"1\"/></w> <w><gap reason=\"lost\" unit=\"sign\" \
             extent=\"unknown\"/></w>",
            "<w><supplied reason=\"illegible\" resp=\"#tuppum\" cert=\"0.22\">{d}UTU</supplied></w> <w><supplied \
             reason=\"illegible\" resp=\"#tuppum\" cert=\"0.22\">u₃</supplied>-ma</w>",
            "<milestone unit=\"surface\" n=\"obverse\"/>",
            "<title>A &amp; B</title>",
            "<div type=\"translation\" xml:lang=\"en\" resp=\"#tuppum\">",
            "resp=\"#tuppum #user\"",
            "unto the king &amp; lord",
        ] {
            assert!(tei.contains(expected), "{expected} in\n{tei}");
        }
        let (elements, text) = parsed(&tei);
        assert!(text.contains(STATEMENT) && elements.iter().any(|element| element == "TEI"));
    }

    #[test]
    fn what_is_outdated_or_unfinished_says_so() {
        let mut stopped = rendering(0, "a-na", &[]);
        stopped.translated.partial = "to m".into();
        let tei = exported(&Work::on("a-na"), &[stopped, rendering(3, "um-ma", &["thus"])]);
        let (elements, text) = parsed(&tei);
        let count = |element: &str| elements.iter().filter(|one| *one == element).count();
        assert_eq!((count("note type=unfinished"), count("note type=outdated")), (1, 1));
        assert!(text.contains("to m") && text.contains("thus"));
    }

    #[test]
    fn what_is_published_and_what_is_held_back_is_said() {
        let mut one = rendering(0, "a-na", &["to"]);
        one.translated.candidates[0].held_back = true;
        let tei = exported_with(&Work::on("a-na"), &[one], &published("a-na"));
        let (elements, text) = parsed(&tei);
        assert!(elements.iter().any(|element| element.contains("note") && element.contains("held-back")), "{tei}");
        assert!(tei.contains("<quote xml:lang=\"en\">To the king</quote>"), "{tei}");
        assert!(text.contains("P334567 (saao/saa01), o 1") && text.contains("CC BY-SA 3.0"), "{text}");
    }

    proptest! {
        #[test]
        fn any_text_is_well_formed(
            text in "(?s)([a-z{}\\[\\]<>&\"'x.\\-# \n@$\u{0}-\u{1f}\u{fffe}š₂]|\\PC){0,60}",
            english in "(?s).{0,40}",
            fill in 0usize..6,
        ) {
            let mut work = Work::on(text.as_str());
            work.accept(Accepted { sign: fill, readings: vec![reading("<b>", true, 0.5)], model: None });
            let mut one = rendering(0, "a-na", &["to"]);
            one.edit(&english);
            let (elements, _) = parsed(&exported(&work, &[one]));
            prop_assert!(elements.iter().any(|element| element.starts_with("div type=translation")));
        }
    }
}
