//! Buttons that restore one gap or one line of a long text, without waiting for the whole.

use crate::kit::format;
use crate::restore::export::line_number;
use crate::restore::state::Workbench;
use leptos::prelude::*;
use tuppum_text::{Document, SignIndex};

/// Buttons that restore a gap or its line alone, in a text with other gaps.
#[component]
pub fn Scope(
    /// Gap that the first button restores.
    sign: SignIndex,
) -> impl IntoView {
    let workbench = expect_context::<Workbench>();
    let open = Memo::new(move |_| workbench.open_gaps(None));
    let in_line = Memo::new(move |_| of_line(&workbench.document.get(), sign, &open.get()));
    let is_open = move || open.with(|open| open.contains(&sign));
    // If the line has all gaps of the text, the Restore button does the same.
    let has_other_lines = move || open.with(Vec::len) > in_line.with(Vec::len);
    view! {
        <p class="buttons" hidden=move || !is_open() || open.with(Vec::len) < 2>
            <button
                id="restore-gap"
                type="button"
                title="The other gaps stay illegible to the model, and their proposals stay as they are"
                on:click=move |_| workbench.restore_only(vec![sign])
            >
                "Restore only this gap"
            </button>
            <button
                id="restore-line"
                type="button"
                hidden=move || in_line.with(Vec::len) < 2 || !has_other_lines()
                on:click=move |_| workbench.restore_only(in_line.get_untracked())
            >
                {move || format!("Only this line ({})", format::plural(in_line.with(Vec::len), "gap", "gaps"))}
            </button>
        </p>
    }
}

/// Returns those gaps that stand in the line of a sign.
fn of_line(document: &Document, sign: SignIndex, gaps: &[SignIndex]) -> Vec<SignIndex> {
    let line = line_number(document, sign);
    gaps.iter().copied().filter(|gap| line_number(document, *gap) == line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gaps_of_a_line_are_those_beside_the_sign() {
        let document = Document::read("1. a-na x be-li₂-x\n2. x LUGAL ...");
        let gaps: Vec<SignIndex> =
            document.signs().enumerate().filter(|(_, sign)| sign.reading().is_none()).map(|(index, _)| index).collect();
        assert_eq!(gaps, [2, 5, 6, 8]);
        assert_eq!(of_line(&document, 5, &gaps), [2, 5]);
        assert_eq!(of_line(&document, 6, &gaps), [6, 8]);
    }
}
