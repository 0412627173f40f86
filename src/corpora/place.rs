//! The place of an edition as a link, as a name and as a citation.

use leptos::prelude::*;
use tuppum_protocol::EditionPlace;

/// Draws number and line of a text, as a link to its edition if there is one.
pub fn place(edition: &EditionPlace) -> AnyView {
    let name = name(edition);
    let own = edition.own.then(|| {
        view! {
            <span class="badge" data-badge="own" title="From the texts that you keep on this device">
                "Yours"
            </span>
            " "
        }
    });
    match &edition.address {
        Some(address) => view! {
            <a class="edition" href=address.clone() target="_blank" rel="noopener noreferrer">
                {name}
                <span class="unseen">" (opens in a new tab)"</span>
            </a>
        }
        .into_any(),
        None => view! {
            {own}
            <span class="edition">{name}</span>
        }
        .into_any(),
    }
}

/// Returns number and line of a text, with its project or period.
pub fn name(edition: &EditionPlace) -> String {
    let EditionPlace { text, project, line, .. } = edition;
    if line.is_empty() { format!("{text} ({project})") } else { format!("{text} ({project}), {line}") }
}

/// Returns the name of a place with the edition's address, for the clipboard.
pub fn citation(edition: &EditionPlace) -> String {
    match &edition.address {
        Some(address) => format!("{}, {address}", name(edition)),
        None => name(edition),
    }
}

/// Returns the licence of a translation: the user's own, Oracc's licence, or CDLI's terms. CDLI's editions are
/// recognised by their period in words.
pub fn licence_of_translation(edition: &EditionPlace) -> &'static str {
    if edition.own {
        "own archive"
    } else if edition.project.contains(' ') {
        "CDLI, free re-use with credit"
    } else {
        "CC BY-SA 3.0"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_citation_names_text_line_and_address() {
        let edition = EditionPlace {
            text: "P334567".into(),
            project: "saao/saa01".into(),
            line: "o 5".into(),
            address: Some("https://example.org/P334567".into()),
            own: false,
        };
        assert_eq!(citation(&edition), "P334567 (saao/saa01), o 5, https://example.org/P334567");
        let unknown = EditionPlace { line: String::new(), address: None, ..edition };
        assert_eq!(citation(&unknown), "P334567 (saao/saa01)");
    }
}
