//! Shows parts of the page whose code is fetched when they are first shown, with a message until then or when fetching
//! fails.

use leptos::prelude::*;
use leptos::wasm_split::SplitLoaderError;

/// Error: the code of a part could not be fetched.
#[derive(Clone, Copy, Debug)]
pub struct NotFetched;

impl From<SplitLoaderError> for NotFetched {
    fn from(_: SplitLoaderError) -> Self {
        // The loader's error says no more; the browser's console does.
        NotFetched
    }
}

/// Shows a part once its code is here.
pub fn later<F>(part: fn() -> F) -> impl IntoView
where
    F: Future<Output = Result<AnyView, NotFetched>> + Send + 'static,
{
    let tries = RwSignal::new(0_u32);
    let waiting = || view! { <p class="card hint" role="status">"Fetching this part of the page …"</p> };
    view! {
        <Suspense fallback=waiting>
            {move || {
                tries.track();
                Suspend::new(async move { part().await.unwrap_or_else(|NotFetched| failed(tries)) })
            }}
        </Suspense>
    }
}

fn failed(tries: RwSignal<u32>) -> AnyView {
    view! {
            <section class="card" role="alert">
                <h2>
                    <span aria-hidden="true">"⚠ "</span>
                    "This part of the page could not be fetched."
                </h2>
                <p>
                    "The network may be off, or a new version of the page was published since you opened it. Your work \
                     is kept; in the second case, reload the page."
                </p>
                <p class="buttons">
                    <button
                        id="later-again"
                        type="button"
                        class="primary"
                        on:click=move |_| tries.update(|tries| *tries += 1)
                    >
                        "Try again"
                    </button>
                </p>
            </section>
    }
    .into_any()
}
