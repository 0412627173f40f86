//! Parts of the page that the first drawing does not need. The build cuts each of them out of the page's wasm at these
//! functions (`xtask/src/cut.rs`).
//!
//! The cards beside the text and the text of the help (`src/frame/help.rs`) share the name `text`, since they are
//! fetched together. With a name each, the code that some of them share with other parts was cut into three times as
//! many pieces, and a first visit took 1.4 seconds instead of one.

use crate::attention::page::AttentionPage;
use crate::corpora::origin::Origin;
use crate::corpora::parallels::Parallels;
use crate::corpora::words::Glosses;
use crate::corpora::words::Names;
use crate::kit::later::NotFetched;
use crate::learn::page::LearnPage;
use crate::models::page::ModelsPage;
use crate::restore::export::view::Export;
use crate::restore::view::changes::Changes;
use crate::restore::view::fillings::JointFillings;
use crate::restore::view::gap_panel::GapPanel;
use crate::restore::view::remarks::Remarks;
use crate::texts::list::ShelfList;
use crate::train::page::TrainPage;
use crate::translate::view::Translate;
use crate::tree::page::TreePage;
use leptos::prelude::*;
use leptos::wasm_split::wasm_split;

/// View of the sign tree.
///
/// # Errors
/// The code cannot be fetched.
#[wasm_split(tree, fallible, wasm_split_path = ::leptos::wasm_split)]
pub fn tree() -> Result<AnyView, NotFetched> {
    Ok(view! { <TreePage /> }.into_any())
}

/// View of attention maps.
///
/// # Errors
/// The code cannot be fetched.
#[wasm_split(attention, fallible, wasm_split_path = ::leptos::wasm_split)]
pub fn attention() -> Result<AnyView, NotFetched> {
    Ok(view! { <AttentionPage /> }.into_any())
}

/// View of the lessons.
///
/// # Errors
/// The code cannot be fetched.
#[wasm_split(learn, fallible, wasm_split_path = ::leptos::wasm_split)]
pub fn learn() -> Result<AnyView, NotFetched> {
    Ok(view! { <LearnPage /> }.into_any())
}

/// View for training.
///
/// # Errors
/// The code cannot be fetched.
#[wasm_split(train, fallible, wasm_split_path = ::leptos::wasm_split)]
pub fn train() -> Result<AnyView, NotFetched> {
    Ok(view! { <TrainPage /> }.into_any())
}

/// View of the models.
///
/// # Errors
/// The code cannot be fetched.
#[wasm_split(models, fallible, wasm_split_path = ::leptos::wasm_split)]
pub fn models() -> Result<AnyView, NotFetched> {
    Ok(view! { <ModelsPage /> }.into_any())
}

/// Cards of the translation, of changes and of remarks.
///
/// # Errors
/// The code cannot be fetched.
#[wasm_split(text, fallible, wasm_split_path = ::leptos::wasm_split)]
pub fn translation() -> Result<AnyView, NotFetched> {
    let all = view! {
        <Translate />
        <Changes />
        <Remarks />
    };
    Ok(all.into_any())
}

/// List of texts on the shelf.
///
/// # Errors
/// The code cannot be fetched.
#[wasm_split(text, fallible, wasm_split_path = ::leptos::wasm_split)]
pub fn shelf() -> Result<AnyView, NotFetched> {
    Ok(view! { <ShelfList /> }.into_any())
}

/// Cards of words with their meanings and of names.
///
/// # Errors
/// The code cannot be fetched.
#[wasm_split(text, fallible, wasm_split_path = ::leptos::wasm_split)]
pub fn words() -> Result<AnyView, NotFetched> {
    let both = view! {
        <Glosses />
        <Names />
    };
    Ok(both.into_any())
}

/// Cards of proposals for one gap and for all gaps, of parallels, of the text's origin and of exports.
///
/// # Errors
/// The code cannot be fetched.
#[wasm_split(text, fallible, wasm_split_path = ::leptos::wasm_split)]
pub fn findings() -> Result<AnyView, NotFetched> {
    let all = view! {
        <GapPanel />
        <JointFillings />
        <Parallels />
        <Origin />
        <Export />
    };
    Ok(all.into_any())
}
