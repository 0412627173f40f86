//! The names in the text: kinds of each name, and the evidence for them.

use super::card::{LookUpCard, of_present};
use super::state::{Corpora, CorpusState};
use crate::kit::format;
use crate::restore::export::label_of_line;
use crate::restore::state::Workbench;
use leptos::prelude::*;
use tuppum_protocol::{GlossedWord, KindProbability, NameEvidence, SpellingMatch, WordName};

/// Maximum number of names listed.
const MOST: usize = 200;
/// Maximum number of kinds shown for a name.
const KINDS: usize = 3;
/// Probability below which further kinds of a name are not shown.
const LEAST: f32 = 0.01;

/// The card with the names of the text.
#[component]
pub fn Names() -> impl IntoView {
    view! { <LookUpCard id="text-names" title="Names" look=Corpora::look_words_up found /> }
}

/// A name with the label of its line.
type Labelled = (String, GlossedWord, WordName);

fn found(workbench: Workbench) -> AnyView {
    let corpora = workbench.corpora;
    let proposes = corpora.state.with(|state| matches!(state, CorpusState::Ready(report) if report.proposes_names));
    let names = Memo::new(move |_| {
        of_present(workbench, corpora.glossed).map(|lines| {
            let label = |line: usize| {
                workbench.document.with_untracked(|document| {
                    document.lines.get(line).map(|line| label_of_line(document, line)).unwrap_or_default()
                })
            };
            let named = lines.iter().flat_map(|line| {
                let label = label(line.line);
                let named = |word: &GlossedWord| word.name.clone().map(|name| (label.clone(), word.clone(), name));
                line.words.iter().filter_map(named).collect::<Vec<Labelled>>()
            });
            named.collect::<Vec<Labelled>>()
        })
    });
    let body = move || match names.get() {
        None => view! { <p class="hint">"Looking for names …"</p> }.into_any(),
        Some(names) if names.is_empty() => view! {
            <p class="hint" data-state="none">"No word of this text seems to be a name."</p>
        }
        .into_any(),
        Some(names) => view! {
            <p class="hint">{statement(&names, proposes)}</p>
            {table(&names)}
        }
        .into_any(),
    };
    body.into_any()
}

/// Describes the number of names and their evidence.
fn statement(names: &[Labelled], proposes: bool) -> String {
    let of = |by: fn(&NameEvidence) -> bool| names.iter().filter(|(_, _, name)| by(&name.by)).count();
    let guessed = of(|by| matches!(by, NameEvidence::Proposed));
    let determined = of(|by| matches!(by, NameEvidence::Determinative));
    let own = of(|by| matches!(by, NameEvidence::Own { .. }));
    let parts = [
        (names.len() - guessed - determined - own, "from the lexicon of Oracc (CC0)"),
        (own, "from your own lists"),
        (determined, "by their determinative"),
        (guessed, "guessed by a model from spelling and neighbours"),
    ];
    let parts = parts.iter().filter(|(count, _)| *count > 0);
    let parts: Vec<String> =
        parts.map(|(count, whence)| format!("{} {whence}", format::count(*count as u64))).collect();
    let mut told = format!("{}: {}", format::plural(names.len(), "name", "names"), parts.join(", "));
    told.push_str(". Underlined in the text, and marked in its TEI; your own lists of names (page “Models”) win.");
    if !proposes {
        told.push_str(" These corpora came without the model that proposes names.");
    }
    if names.len() > MOST {
        told.push_str(&format!(" The first {MOST} are listed."));
    }
    told
}

fn table(names: &[Labelled]) -> impl IntoView + use<> {
    let row = |(label, word, name): &Labelled| {
        let is_guess = matches!(name.by, NameEvidence::Proposed);
        view! {
            <tr data-name=word.written.clone() class:guess=is_guess>
                <td>{label.clone()}</td>
                <th scope="row" lang="akk-Latn">{word.written.clone()}</th>
                <td>{kinds(&name.kinds)}</td>
                <td>{evidence(&word.written, name)}</td>
            </tr>
        }
    };
    view! {
        <div class="scrolled" tabindex="0" role="region" aria-label="The names of the text">
            <table id="name-list" class="plain">
                <thead>
                    <tr>
                        <th scope="col">"Line"</th>
                        <th scope="col">"Word"</th>
                        <th scope="col">"Name of"</th>
                        <th scope="col">"Known by"</th>
                    </tr>
                </thead>
                <tbody>{names.iter().take(MOST).map(row).collect_view()}</tbody>
            </table>
        </div>
    }
}

/// Formats the kinds of a name: `settlement 93 %, region 5 %`.
fn kinds(kinds: &[KindProbability]) -> String {
    let shown = kinds.iter().take(KINDS).enumerate().filter(|(at, kind)| *at == 0 || kind.probability >= LEAST);
    let told = shown.map(|(_, kind)| match kind.probability {
        sure if sure >= 1.0 && kinds.len() == 1 => kind.kind.to_string(),
        share => format!("{} {}", kind.kind, format::percent(share)),
    });
    told.collect::<Vec<_>>().join(", ")
}

/// Describes the evidence for the kind of a name.
fn evidence(written: &str, name: &WordName) -> String {
    match &name.by {
        NameEvidence::Lexicon { spelling, name, count } => {
            let spelled = if spelling == written { "so".to_owned() } else { format!("as {spelling}") };
            format!("{name}, {} {spelled} in the lexicon", format::plural(*count as usize, "time", "times"))
        }
        NameEvidence::Own { name, by: SpellingMatch::AsSpelt, .. } => format!("{name}, in your list"),
        NameEvidence::Own { spelling, by, name, .. } => format!("{name}, in your list as {spelling}: {}", by.name()),
        NameEvidence::Determinative => "its determinative; no list has the name".to_owned(),
        NameEvidence::Proposed => "a model’s guess".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tuppum_protocol::NameKind;

    #[test]
    fn kinds_and_evidence_are_told_in_words() {
        let kind = |kind, probability| KindProbability { kind, probability };
        let both = [kind(NameKind::Settlement, 0.93), kind(NameKind::Region, 0.065), kind(NameKind::God, 0.005)];
        assert_eq!(kinds(&both), "settlement 93\u{202f}%, region 6.5\u{202f}%");
        assert_eq!(kinds(&[kind(NameKind::Person, 1.0)]), "person");
        let told = |written: &str, by| evidence(written, &WordName { kinds: both[..1].to_vec(), by });
        let lexicon = NameEvidence::Lexicon { spelling: "{URU}NINA".into(), name: "Ninua".into(), count: 5 };
        assert_eq!(told("{URU}ni-nu-a", lexicon), "Ninua, 5 times as {URU}NINA in the lexicon");
        let [spelling, name, rendering] = ["be-er-ru", "Berru", "Berru"].map(str::to_owned);
        let own = NameEvidence::Own { spelling, by: SpellingMatch::Determinatives, name, rendering };
        assert_eq!(told("{d}be-er-ru", own), "Berru, in your list as be-er-ru: determinatives aside");
        assert!(told("{ID₂}qu-ur-za", NameEvidence::Determinative).starts_with("its determinative"));
        let guess = WordName { kinds: both.to_vec(), by: NameEvidence::Proposed };
        assert_eq!(evidence("qu-ur-za", &guess), "a model’s guess");
    }
}
