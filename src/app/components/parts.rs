//! The parts of the page that most visits do not need: each is cut out of the page's wasm at these functions (`xtask/src/split.rs`).

use super::later::NotFetched;
use super::{attention, help_text, learn, models, train, translate, tree};
use leptos::prelude::*;
use leptos::wasm_split::wasm_split;

/// The sign tree.
///
/// # Errors
/// Its code cannot be fetched.
#[wasm_split(tree, fallible, wasm_split_path = ::leptos::wasm_split)]
pub fn tree() -> Result<AnyView, NotFetched> {
    Ok(view! { <tree::TreePage /> }.into_any())
}

/// The maps of attention.
///
/// # Errors
/// Its code cannot be fetched.
#[wasm_split(attention, fallible, wasm_split_path = ::leptos::wasm_split)]
pub fn attention() -> Result<AnyView, NotFetched> {
    Ok(view! { <attention::AttentionPage /> }.into_any())
}

/// The lesson.
///
/// # Errors
/// Its code cannot be fetched.
#[wasm_split(learn, fallible, wasm_split_path = ::leptos::wasm_split)]
pub fn learn() -> Result<AnyView, NotFetched> {
    Ok(view! { <learn::LearnPage /> }.into_any())
}

/// Training.
///
/// # Errors
/// Its code cannot be fetched.
#[wasm_split(train, fallible, wasm_split_path = ::leptos::wasm_split)]
pub fn train() -> Result<AnyView, NotFetched> {
    Ok(view! { <train::TrainPage /> }.into_any())
}

/// The models.
///
/// # Errors
/// Its code cannot be fetched.
#[wasm_split(models, fallible, wasm_split_path = ::leptos::wasm_split)]
pub fn models() -> Result<AnyView, NotFetched> {
    Ok(view! { <models::ModelsPage /> }.into_any())
}

/// The card of the translation.
///
/// # Errors
/// Its code cannot be fetched.
#[wasm_split(translation, fallible, wasm_split_path = ::leptos::wasm_split)]
pub fn translation() -> Result<AnyView, NotFetched> {
    Ok(view! { <translate::Translate /> }.into_any())
}

/// What the help says.
///
/// # Errors
/// Its code cannot be fetched.
#[wasm_split(help, fallible, wasm_split_path = ::leptos::wasm_split)]
pub fn help() -> Result<AnyView, NotFetched> {
    Ok(view! { <help_text::HelpText /> }.into_any())
}
