//! Help and about: the button, its dialog, and the text: how to write, what the answers mean, how to cite, licences.

use crate::kit::dialog::{CloseButton, open_dialog};
use crate::kit::format;
use crate::kit::later::{NotFetched, later};
use crate::translate::state::translator::SHIPPED_PARAMETERS;
use leptos::html::Dialog;
use leptos::prelude::*;
use leptos::wasm_split::wasm_split;

/// The help button and its dialog, whose text is drawn when it is first opened.
#[component]
pub fn HelpButton() -> impl IntoView {
    let dialog = NodeRef::<Dialog>::new();
    let asked = RwSignal::new(false);
    let open = move |_| {
        asked.set(true);
        open_dialog(dialog);
    };
    view! {
        <button id="help" type="button" class="quiet" on:click=open>
            "Help and about"
        </button>
        <dialog id="help-dialog" node_ref=dialog aria-labelledby="help-title">
            <div class="dialog-head">
                <h2 id="help-title">"Help and about"</h2>
                <CloseButton dialog />
            </div>
            <Show when=move || asked.get()>{later(help)}</Show>
        </dialog>
    }
}

/// Text of the help, fetched together with the cards beside the text (`crate::parts`).
///
/// # Errors
/// The code cannot be fetched.
#[wasm_split(text, fallible, wasm_split_path = ::leptos::wasm_split)]
fn help() -> Result<AnyView, NotFetched> {
    Ok(view! { <HelpText /> }.into_any())
}

/// The whole text of the help.
#[component]
pub fn HelpText() -> impl IntoView {
    view! {
        <Writing />
        <Reading />
        <About />
    }
}

#[component]
fn Writing() -> impl IntoView {
    view! {
        <h3>"Writing"</h3>
        <p>
            "Write as you normally do: C-ATF ("<code>"sza2"</code>"), Oracc ("<code>"ša₂"</code>"), print ("
            <code>"šá"</code>"). The page lists what it changed. Proposals come in your own convention."
        </p>
        <table class="plain">
            <tbody>
                <tr><th scope="row"><code>"x"</code>", "<code>"[x]"</code></th><td>"one illegible sign: \
                    Tuppum restores it"</td></tr>
                <tr><th scope="row"><code>"..."</code>", "<code>"[...]"</code></th><td>"a break of unknown length: \
                    Tuppum tries one to ten signs"</td></tr>
                <tr><th scope="row"><code>"[a-na]"</code></th><td>"missing, restored by an editor: taken \
                    as written"</td></tr>
                <tr><th scope="row"><code>"⸢a⸣"</code>", "<code>"a#"</code></th><td>"damaged, but read"</td></tr>
                <tr><th scope="row"><code>"{d}"</code>", "<code>"{ki}"</code></th><td>"determinatives"</td></tr>
                <tr><th scope="row"><code>"LUGAL"</code></th><td>"logograms, in capitals"</td></tr>
            </tbody>
        </table>
        <p>
            "You can also restore a legible sign: choose it in the reading and press “Treat as broken”. "
            <kbd>"Shift"</kbd>"+"<kbd>"Enter"</kbd>" in the text restores. Arrow keys move through signs and \
                proposals. "
            <kbd>"Enter"</kbd>" accepts a proposal. "<kbd>"Ctrl"</kbd>"+"<kbd>"Z"</kbd>" undoes the last step. In a \
             text field it undoes your last typing."
        </p>
    }
}

/// Percentages of signs whose right reading comes first, among the first five and among the first twenty, for network
/// and edited texts together, and for the network alone (`docs/context.md`).
const PERCENT_TOGETHER: [u32; 3] = [75, 90, 95];
const PERCENT_NETWORK_ALONE: [u32; 3] = [72, 88, 95];
/// Percentage of signs whose right reading comes first where nothing like the passage is attested.
const PERCENT_UNATTESTED: u32 = 57;

fn accuracy() -> String {
    let ([first, of_five, of_twenty], [alone, five_alone, twenty_alone]) = (PERCENT_TOGETHER, PERCENT_NETWORK_ALONE);
    format!(
        "On texts that are new to the network and not among the edited texts, the right reading came first for \
         {first}\u{202f}% of the signs, among the first five for {of_five}\u{202f}%, and among the first twenty for \
         {of_twenty}\u{202f}%. The network alone reached {alone}, {five_alone} and {twenty_alone}\u{202f}%. In this \
         test 15\u{202f}% of the signs were hidden and word boundaries were given. Where no edited text has a similar \
         passage, the right reading came first for {PERCENT_UNATTESTED}\u{202f}%. If it is unknown whether a word \
         begins at the gap, about three signs fewer in a hundred are right. Below the proposals the page lists the \
         texts that attest them. It marks a place where no tablet shows the sign: an editor restored the reading."
    )
}

#[component]
fn Reading() -> impl IntoView {
    view! {
        <h3>"What the answers mean"</h3>
        <p>
            "Each percentage is the probability of a reading in one gap. It depends on the rest of the text, your \
             filters and the period. Two sources give it: a network, which knows what is usual, and the edited texts \
             of Oracc and CDLI, in which the page finds similar contexts. The percentage does not say what is written \
             on your tablet."
        </p>
        <p>{accuracy()}</p>
        <p>
            "The publication box shows an edition’s translation of the edited passage most similar to yours, with its \
             place and its likeness. From a likeness of 45\u{202f}% the box stands above the machine translation and \
             begins with “Published”. From 25\u{202f}% it stands below, folded. Less similar passages are not shown. \
             Signs that differ are marked. Where the alignment is sure, your text’s names and numbers replace those of \
             the edition and are underlined. All other names and numbers belong to the edition."
        </p>
        <p>
            "“Formulary” translates Old Assyrian by some 200 clauses. They were written for Tuppum by hand. Each \
             clause names tablets in which it stands. Words outside a clause stay as you spelled them. “Yours” marks \
             answers from the texts that you keep on the page “Models”. Neither “Published” nor “Formulary” is a \
             machine’s proposal: both show a place, not a probability."
        </p>
        <p>
            "“New text” puts the present text on the shelf, with its readings, steps and translation. It then begins \
             an empty text. “Shelf” brings each text back as you left it."
        </p>
        <p>
            "“Words and meanings” shows under each word the lemma that Oracc’s editors most often gave to the same \
             spelling. It does not read the sentence: if a spelling has several lemmata, your word may have another. \
             “Period and place of origin” compares your text with all edited texts. It proposes a period and a project \
             of the corpora; it does not know findspots. For unseen texts of the same corpora the period was right for \
             95\u{202f}% and the project for 84\u{202f}%."
        </p>
        <p>
            "The machine translation comes from the translator, a network. The percentage of a translation is the \
             model’s probability for exactly these words, so long sentences have small percentages. Compare sentences \
             by the mean probability of a byte. The model is unsure of a shaded word. A shaded word may be right, and \
             an unshaded word may be wrong. For the translator that comes with the page, the percentages of words were \
             checked on unseen texts: of the words marked with 80\u{202f}%, about 80 in 100 stood in the edition’s \
             translation."
        </p>
        <p>
            "A machine translation is held back if fewer than 55\u{202f}% of its words are expected to be right. It is \
             also held back if no similar passage has been edited with a translation, or if your text is Old Assyrian \
             of a kind that the translator hardly learnt. You can still ask for it. The page also links each word of \
             the translation to the word of your text that the model looked at while writing it."
        </p>
    }
}

#[component]
fn About() -> impl IntoView {
    let citation = format!(
        "Tuppum, version {}, restorer of 28\u{202f}758\u{202f}383 parameters, deterministic search, translator of {} \
         parameters; machine proposals.",
        env!("CARGO_PKG_VERSION"),
        format::count(SHIPPED_PARAMETERS),
    );
    view! {
        <h3>"To cite"</h3>
        <p class="citation">{citation}</p>
        <h3>"Made from"</h3>
        <ul>
            <li>
                "The restorer was trained on transliterations of Oracc (CC0) and CDLI (free re-use with credit)."
            </li>
            <li>
                "The translator was trained on translations of Oracc’s projects (CC BY-SA 3.0) and of CDLI. Its \
                 weights are under "
                "CC BY-SA 3.0. Its model card names the editors."
            </li>
            <li>
                "Edited texts and their translations: Oracc (transliterations CC0, translations CC BY-SA 3.0) and CDLI \
                 (free re-use with credit). Quote the edition that is linked."
            </li>
            <li>"Signs and glyphs: Oracc Sign List (CC0)."</li>
            <li>"Fonts: Noto Sans Cuneiform, Gentium Plus (SIL Open Font License 1.1)."</li>
            <li>
                "The program: MIT or Apache 2.0. It runs in your browser. Only one thing is sent, to a model hub: the \
                 name of a model that you look up or fetch."
            </li>
        </ul>
        <p>
            <a href="models/restorer/card.html">"Model card of the restorer"</a>", "
            <a href="models/translator/card.html">"of the translator"</a>", "
            <a href="models/corpus/card.html">"of the edited texts"</a>"; "
            <a href="tuppum.cdx.json" download>"all libraries in the program"</a>
            ", with their licences and checksums (CycloneDX)"
        </p>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that the last figures in the row of `docs/context.md` that begins with `begins` are `expected`, in
    /// percent. Figures in the document have three digits, so a half may be rounded either way.
    #[track_caller]
    fn check(begins: &str, expected: &[u32]) {
        let document = include_str!("../../docs/context.md");
        let row = document.lines().find(|line| line.starts_with(begins)).unwrap_or_else(|| panic!("no row {begins}"));
        let figures: Vec<f64> = row.split(['|', '*', ' ']).filter_map(|cell| cell.parse().ok()).collect();
        let found = &figures[figures.len() - 3..];
        let agree =
            found.iter().zip(expected).all(|(share, percent)| (100.0 * share - f64::from(*percent)).abs() < 0.5 + 1e-9);
        assert!(agree, "{found:?} in “{row}”, {expected:?} in the help");
    }

    #[test]
    fn figures_are_those_of_the_document() {
        check("| **network and attested contexts** |", &PERCENT_TOGETHER);
        check("| the network alone |", &PERCENT_NETWORK_ALONE);
        check("| they are not |", &[PERCENT_UNATTESTED]);
    }
}
