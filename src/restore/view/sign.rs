//! One sign of the reading view, as a button that opens its proposals or facts; and the marks of words that are names,
//! once names have been searched for.

use crate::kit::format;
use crate::restore::state::Workbench;
use crate::restore::state::work::AcceptedReading;
use crate::restore::view::marks;
use crate::restore::view::pieces::{Look, SignView};
use leptos::prelude::*;
use tuppum_protocol::{GlossedLine, NameEvidence};
use tuppum_text::signs::SignList;
use tuppum_text::{Document, SignIndex, State};

/// State that the signs of a line follow, created and dropped with the line. A sign that followed signals of the page
/// directly would stay subscribed after its removal until they change, and some hardly ever do.
#[derive(Clone, Copy)]
pub struct LineState(Memo<LineFacts>);

#[derive(Clone, Debug, Default, PartialEq)]
struct LineFacts {
    /// The selected sign, if it stands in this line.
    selected: Option<SignIndex>,
    /// Influence of the line's signs on a proposal.
    weights: Vec<(SignIndex, f32)>,
    /// Names in this line with the index of their first sign.
    names: Vec<(usize, NameMark)>,
}

impl LineState {
    /// Follows the line with this number and these signs.
    pub fn of(workbench: Workbench, marks: NameMarks, number: usize, signs: Vec<SignIndex>) -> Self {
        Self(Memo::new(move |_| {
            let weights = workbench.restoring.influence.with(|influence| {
                let weight = |sign: &SignIndex| Some((*sign, *influence.as_ref()?.weights.get(sign)?));
                signs.iter().filter_map(weight).collect()
            });
            let selected = workbench.text.selected.get().filter(|sign| signs.contains(sign));
            LineFacts { selected, weights, names: marks.of_line(number) }
        }))
    }

    /// Returns `true` if this sign is selected. Tracked as a signal.
    fn is_selected(self, sign: SignIndex) -> bool {
        self.0.with(|line| line.selected == Some(sign))
    }

    /// Returns the mark of the name whose first sign has this index in the line. Tracked as a signal.
    pub fn name(self, first: usize) -> Option<NameMark> {
        self.0.with(|line| line.names.iter().find(|(place, _)| *place == first).map(|(_, mark)| mark.clone()))
    }

    /// Returns the influence of this sign on the proposal asked about. Tracked as a signal.
    fn weight(self, sign: SignIndex) -> Option<f32> {
        self.0.with(|line| line.weights.iter().find(|(other, _)| *other == sign).map(|(_, weight)| *weight))
    }
}

/// Draws a sign with its joiner and brackets.
pub fn sign(view: &SignView, glyphs: bool, line: LineState) -> impl IntoView + use<> {
    let mark = |text: &str| (!text.is_empty()).then(|| view! { <span class="mark">{text.to_owned()}</span> });
    view! {
        {mark(&view.before)}
        {button(view, glyphs, line)}
        {mark(&view.after)}
    }
}

fn button(view: &SignView, glyphs: bool, line: LineState) -> impl IntoView + use<> {
    let sign = view.sign;
    let gap = matches!(view.look, Look::Missing(_) | Look::Break | Look::Accepted(_));
    let is_selected = move || line.is_selected(sign);
    let weight = move || line.weight(sign);
    let title = title(&view.look);
    let weighted = move || match weight() {
        Some(weight) => format!("Influence {weight:.2}. {title}"),
        None => title.clone(),
    };
    view! {
        <button
            type="button"
            class=classes(view)
            class:selected=is_selected
            class:weighed=move || weight().is_some()
            style:--weight=move || weight().map(|weight| format!("{:.3}", weight.clamp(0.0, 1.0)))
            data-sign=sign.to_string()
            tabindex=if gap { "0" } else { "-1" }
            aria-pressed=move || is_selected().to_string()
            aria-label=label(&view.look)
            title=weighted
        >
            <span class="read">{content(&view.look)}</span>
            {glyphs.then(|| glyph(&view.look))}
        </button>
    }
}

fn classes(view: &SignView) -> String {
    let look = match view.look {
        Look::Reading(_) => "sign",
        Look::Missing(None) => "sign gap",
        Look::Missing(Some(_)) => "sign gap chosen",
        Look::Break => "sign gap break",
        Look::LeftAlone(_) => "sign left-alone",
        Look::Accepted(_) => "sign gap accepted",
        Look::Unreadable(..) => "sign unreadable",
    };
    let state = match view.state {
        State::Preserved => "",
        State::Damaged => " damaged",
        State::Missing => " missing",
    };
    format!("{look}{state}")
}

fn content(look: &Look) -> AnyView {
    match look {
        Look::Reading(reading) => marks::reading(reading),
        Look::Missing(None) => "x".into_any(),
        Look::Missing(Some(reading)) => view! { <s>{marks::reading(reading)}</s> }.into_any(),
        Look::Break => "…".into_any(),
        Look::LeftAlone(text) => text.clone().into_any(),
        Look::Accepted(readings) => accepted(readings),
        Look::Unreadable(typed, _) => view! { <span class="as-typed">{typed.clone()}</span>"?" }.into_any(),
    }
}

fn accepted(readings: &[AcceptedReading]) -> AnyView {
    view! {
        <span class="filling">
            {marks::filling(readings.iter().map(|reading| (reading.written.as_str(), reading.starts_word)))}
        </span>
        " "
        <small class="figure">{format::percent(probability(readings))}</small>
    }
    .into_any()
}

/// Returns the probability of a filling: the product of its readings' probabilities.
fn probability(readings: &[AcceptedReading]) -> f32 {
    readings.iter().map(|reading| reading.probability).product()
}

fn glyph(look: &Look) -> impl IntoView + use<> {
    let glyphs = match look {
        Look::Reading(reading) => SignList::shared().sign_of(reading).map(|entry| entry.glyph.to_string()),
        Look::Accepted(readings) => Some(readings.iter().map(|reading| reading.glyph.as_str()).collect()),
        _ => None,
    };
    glyphs.filter(|glyphs| !glyphs.is_empty()).map(|glyphs| {
        view! {
            <span class="below cuneiform" lang="akk-Xsux" aria-hidden="true">
                {glyphs}
            </span>
        }
    })
}

fn title(look: &Look) -> String {
    match look {
        Look::Reading(reading) => match SignList::shared().sign_of(reading) {
            Some(entry) => format!("{reading}: sign {} {}", entry.name, entry.glyph),
            None => format!("{reading}: not in the sign list"),
        },
        Look::Missing(None) => "Illegible sign: open its proposals".into(),
        Look::Missing(Some(reading)) => format!("{reading}, treated as broken: open its proposals"),
        Look::Break => "Break of unknown length: open its proposals".into(),
        Look::LeftAlone(_) => "Left alone: it is not restored".into(),
        Look::Accepted(_) => "A machine’s proposal that you accepted; not read on the tablet".into(),
        Look::Unreadable(_, reason) => format!("Kept as typed. {reason}"),
    }
}

/// Returns the label of a gap for screen readers; a reading needs none.
fn label(look: &Look) -> Option<String> {
    match look {
        Look::Reading(_) | Look::LeftAlone(_) => None,
        Look::Accepted(readings) => {
            let written = readings.iter().enumerate().map(|(place, reading)| {
                let before = if !reading.starts_word {
                    "-"
                } else if place > 0 {
                    " "
                } else {
                    ""
                };
                format!("{before}{}", reading.written)
            });
            let written: String = written.collect();
            Some(format!("Accepted proposal {written} {}", format::percent(probability(readings))))
        }
        Look::Unreadable(typed, reason) => Some(format!("{typed}, not read: {reason}")),
        // The visible text comes first, so that voice control can use it.
        Look::Missing(None) => Some("x: illegible sign, open its proposals".into()),
        Look::Break => Some("…: break of unknown length, open its proposals".into()),
        chosen @ Look::Missing(Some(_)) => Some(title(chosen)),
    }
}

/// Mark of a word: its CSS class and its tooltip.
pub type NameMark = (&'static str, String);

/// A marked word: its line, counted from 0, and the index of its first sign in the line.
type Marked = ((usize, usize), NameMark);

/// Marks of all names in the text.
#[derive(Clone, Copy)]
pub struct NameMarks(Memo<Vec<Marked>>);

impl NameMarks {
    /// Follows the text on the workbench.
    pub fn of(workbench: Workbench) -> Self {
        Self(Memo::new(move |_| {
            let document = workbench.text.document.get();
            let reading = workbench.text.work.with(|work| work.reading);
            workbench.corpora.glossed.with(|found| {
                let found = found.as_ref().filter(|found| found.text.0 == document.source && found.text.1 == reading);
                found.map(|found| marks_of(&document, &found.found)).unwrap_or_default()
            })
        }))
    }

    /// Returns the marks of a line with the index of each word's first sign. Tracked as a signal.
    pub fn of_line(self, line: usize) -> Vec<(usize, NameMark)> {
        self.0.with(|marks| {
            let own = marks.iter().filter(|((own, _), _)| *own == line);
            own.map(|((_, first), mark)| (*first, mark.clone())).collect()
        })
    }
}

fn marks_of(document: &Document, found: &[GlossedLine]) -> Vec<Marked> {
    let mut marks = Vec::new();
    for glossed in found {
        let Some(line) = document.lines.get(glossed.line) else { continue };
        for word in &glossed.words {
            let Some((name, likeliest)) = word.name.as_ref().and_then(|name| Some((name, name.likeliest()?))) else {
                continue;
            };
            let (class, by) = match name.by {
                NameEvidence::Own { .. } => ("word name own", "your list"),
                NameEvidence::Lexicon { .. } => ("word name", "the lexicon"),
                NameEvidence::Determinative => ("word name", "its determinative"),
                NameEvidence::Proposed => ("word name guess", "a model’s guess"),
            };
            let title = format!("Name: {} ({by})", likeliest.kind);
            if let Some(first) = line.signs.iter().position(|sign| sign.span.start == word.span.start) {
                marks.push(((glossed.line, first), (class, title)));
            }
        }
    }
    marks
}

#[cfg(test)]
mod tests {
    use super::*;
    use tuppum_protocol::{GlossedWord, KindProbability, NameKind, WordName};

    #[test]
    fn a_name_is_marked_where_its_first_sign_stands() {
        let document = Document::read("1. a-na {d}UTU\n2. a-šur");
        let name = |line: usize, first: usize, by: NameEvidence| {
            let span = document.lines[line].signs[first].span;
            let kinds = vec![KindProbability { kind: NameKind::God, probability: 0.9 }];
            let name = Some(WordName { kinds, by });
            let word = GlossedWord {
                span,
                written: String::new(),
                is_legible: true,
                is_numeral: false,
                found: None,
                glosses: Vec::new(),
                name,
            };
            GlossedLine { line, words: vec![word] }
        };
        let lexicon = NameEvidence::Lexicon { spelling: "{d}UTU".into(), name: "Šamaš".into(), count: 3 };
        let marks = marks_of(&document, &[name(0, 2, lexicon), name(1, 0, NameEvidence::Proposed)]);
        assert_eq!(marks.len(), 2);
        assert_eq!(marks[0], ((0, 2), ("word name", "Name: god (the lexicon)".to_owned())));
        assert_eq!((marks[1].0, marks[1].1.0), ((1, 0), "word name guess"));
    }
}
