//! Step 2: the script as a tree.

use super::question::Try;
use crate::tree::page::SmallTree;
use leptos::prelude::*;

#[component]
pub fn Step() -> impl IntoView {
    view! {
        <section class="card step" id="learn-step-2" aria-labelledby="learn-2">
            <h2 id="learn-2">"2. The script as a tree"</h2>
            <p>
                "Signs have readings, readings occur in words, words in phrases: a hierarchy, here of 741 signs, \
                 3\u{202f}448 readings, 28\u{202f}486 words and 5\u{202f}191 phrases counted in editions. Two readings \
                 of one sign are close together in it, readings of different signs far apart."
            </p>
            <p>
                "The tree is a simplification. A word that is written with several signs belongs under a reading of \
                 each; here it hangs under only one, the first that is not a determinative. In truth the script is a \
                 network, with many ways to a word."
            </p>
            <SmallTree />
            <Try
                question="Go to a sign (press its node, or use the key ↓), and from there to a reading of it \
                    in the same way. How many steps is it from that reading to the next reading of the same sign, and \
                    how many to a reading of another sign?"
                answer="Two, up to the sign and down again; and four, since the way to another sign leads through the \
                    root."
            />
        </section>
    }
}
