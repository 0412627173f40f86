//! The parts of the page that its first drawing does not need: each is cut out of the page's wasm at these functions
//! (`xtask/src/cut.rs`). What stands beside the text has one name, and so has the help's text
//! (`src/shell/help.rs`), since it is fetched together: with a name each for five functions, what some of them share
//! with other parts was cut into three times as many pieces, and a first visit took 1.4 seconds to be whole where it
//! takes one.

use crate::attention::page::AttentionPage;
use crate::corpora::glosses::Glosses;
use crate::corpora::names::Names;
use crate::corpora::origin::Origin;
use crate::corpora::parallels::Parallels;
use crate::learn::page::LearnPage;
use crate::models::page::ModelsPage;
use crate::restore::changes::Changes;
use crate::restore::export_view::Export;
use crate::restore::gap_panel::GapPanel;
use crate::restore::joint::Together;
use crate::restore::remarks::Remarks;
use crate::shell::later::NotFetched;
use crate::texts::list::ShelfList;
use crate::train::page::TrainPage;
use crate::translate::view::Translate;
use crate::tree::page::TreePage;
use leptos::prelude::*;
use leptos::wasm_split::wasm_split;

/// The sign tree.
///
/// # Errors
/// Its code cannot be fetched.
#[wasm_split(tree, fallible, wasm_split_path = ::leptos::wasm_split)]
pub fn tree() -> Result<AnyView, NotFetched> {
    Ok(view! { <TreePage /> }.into_any())
}

/// The maps of attention.
///
/// # Errors
/// Its code cannot be fetched.
#[wasm_split(attention, fallible, wasm_split_path = ::leptos::wasm_split)]
pub fn attention() -> Result<AnyView, NotFetched> {
    Ok(view! { <AttentionPage /> }.into_any())
}

/// The lesson.
///
/// # Errors
/// Its code cannot be fetched.
#[wasm_split(learn, fallible, wasm_split_path = ::leptos::wasm_split)]
pub fn learn() -> Result<AnyView, NotFetched> {
    Ok(view! { <LearnPage /> }.into_any())
}

/// Training.
///
/// # Errors
/// Its code cannot be fetched.
#[wasm_split(train, fallible, wasm_split_path = ::leptos::wasm_split)]
pub fn train() -> Result<AnyView, NotFetched> {
    Ok(view! { <TrainPage /> }.into_any())
}

/// The models.
///
/// # Errors
/// Its code cannot be fetched.
#[wasm_split(models, fallible, wasm_split_path = ::leptos::wasm_split)]
pub fn models() -> Result<AnyView, NotFetched> {
    Ok(view! { <ModelsPage /> }.into_any())
}

/// The card of the translation, and those of changes and remarks, which stand below it where there are any.
///
/// # Errors
/// Its code cannot be fetched.
#[wasm_split(text, fallible, wasm_split_path = ::leptos::wasm_split)]
pub fn translation() -> Result<AnyView, NotFetched> {
    let all = view! {
        <Translate />
        <Changes />
        <Remarks />
    };
    Ok(all.into_any())
}

/// What is on the shelf.
///
/// # Errors
/// Its code cannot be fetched.
#[wasm_split(text, fallible, wasm_split_path = ::leptos::wasm_split)]
pub fn shelf() -> Result<AnyView, NotFetched> {
    Ok(view! { <ShelfList /> }.into_any())
}

/// The cards of words and meanings, and of names.
///
/// # Errors
/// Its code cannot be fetched.
#[wasm_split(text, fallible, wasm_split_path = ::leptos::wasm_split)]
pub fn words() -> Result<AnyView, NotFetched> {
    let both = view! {
        <Glosses />
        <Names />
    };
    Ok(both.into_any())
}

/// The cards of what is proposed for a gap and for all gaps, of parallels, of the origin of a text, and of what can be
/// copied.
///
/// # Errors
/// Its code cannot be fetched.
#[wasm_split(text, fallible, wasm_split_path = ::leptos::wasm_split)]
pub fn findings() -> Result<AnyView, NotFetched> {
    let all = view! {
        <GapPanel />
        <Together />
        <Parallels />
        <Origin />
        <Export />
    };
    Ok(all.into_any())
}
