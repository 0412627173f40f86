//! The service worker: stores the page so that it opens without a network, and reports new versions; and the bands that
//! offer them.
//!
//! A new version never takes over by itself. The page asks, the user accepts, and every open tab reloads once. A reload
//! loses nothing, since the page stores the work.

use leptos::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{EventTarget, ServiceWorker, ServiceWorkerContainer, ServiceWorkerRegistration, ServiceWorkerState};

/// The `<meta>` whose content is the address of the service worker; empty during development.
const SCRIPT_META: &str = "meta[name='tuppum-service-worker']";
/// Message that makes a waiting version take over.
const TAKE_OVER: &str = "take over";

/// State of new versions.
#[derive(Clone, Copy)]
pub struct Updates {
    /// `true` once a new version is complete and waits for the user.
    pub waiting: RwSignal<bool>,
    /// `true` if no version could be stored, so that the page needs the network.
    pub failed: RwSignal<bool>,
    worker: StoredValue<Option<ServiceWorker>, LocalStorage>,
}

impl Updates {
    /// Registers the service worker and watches for new versions. Without one (an old browser, an insecure page,
    /// development) no version ever waits and the page works all the same.
    pub fn watch() -> Self {
        let updates =
            Self { waiting: RwSignal::new(false), failed: RwSignal::new(false), worker: StoredValue::new_local(None) };
        if let Some((container, script)) = container().zip(script()) {
            spawn_local(async move {
                let result = if script.is_empty() {
                    unregister(&container).await
                } else {
                    updates.register(&container, &script).await
                };
                if let Err(error) = result {
                    web_sys::console::warn_2(&"Tuppum will not open without a network:".into(), &error);
                }
            });
        }
        updates
    }

    /// Lets the waiting version take over; every tab then reloads.
    pub fn accept(self) {
        if self.waiting.get_untracked() {
            self.waiting.set(false);
            self.worker.with_value(|worker| {
                if let Some(worker) = worker {
                    // A tab that no version controls (after a forced reload) receives no `controllerchange`, so it
                    // watches the worker.
                    let watched = worker.clone();
                    listen(worker, "statechange", move || {
                        if watched.state() == ServiceWorkerState::Activated {
                            reload();
                        }
                    });
                    // This fails only for messages that cannot be cloned; a string can.
                    let _ = worker.post_message(&TAKE_OVER.into());
                }
            });
        }
    }

    async fn register(self, container: &ServiceWorkerContainer, script: &str) -> Result<(), JsValue> {
        // Another tab may have accepted: the files of this tab's version are then gone, so it reloads too. The very
        // first version never arrives here, since it does not take over open pages.
        listen(container, "controllerchange", reload);
        let registration: ServiceWorkerRegistration = JsFuture::from(container.register(script)).await?.dyn_into()?;
        if let Some(worker) = registration.waiting() {
            self.announce(worker);
        }
        let found = registration.clone();
        let follow = move || {
            if let Some(worker) = found.installing() {
                self.follow(&worker, &found);
            }
        };
        // The very first version may be installing already; `updatefound` would not report it.
        follow();
        listen(&registration, "updatefound", follow);
        Ok(())
    }

    /// Reports a version once it is stored, or if storing it failed and there is no other.
    fn follow(self, worker: &ServiceWorker, registration: &ServiceWorkerRegistration) {
        let (watched, registration) = (worker.clone(), registration.clone());
        listen(worker, "statechange", move || match watched.state() {
            ServiceWorkerState::Installed => {
                self.failed.set(false);
                if container().is_some_and(|container| container.controller().is_some()) {
                    self.announce(watched.clone());
                }
            }
            ServiceWorkerState::Redundant if registration.active().is_none() => self.failed.set(true),
            _ => {}
        });
    }

    /// Tries again to store the page. Another failure is reported again.
    pub fn try_again(self) {
        self.failed.set(false);
        if let Some((container, script)) = container().zip(script()) {
            spawn_local(async move {
                if let Err(error) = self.register(&container, &script).await {
                    self.failed.set(true);
                    web_sys::console::warn_2(&"Tuppum will not open without a network:".into(), &error);
                }
            });
        }
    }

    fn announce(self, worker: ServiceWorker) {
        self.worker.set_value(Some(worker));
        self.waiting.set(true);
    }
}

/// Reloads once: two events may ask for it, and again before the reload has begun.
fn reload() {
    static RELOADING: AtomicBool = AtomicBool::new(false);
    if !RELOADING.swap(true, Ordering::Relaxed)
        && let Some(window) = web_sys::window()
        && let Err(error) = window.location().reload()
    {
        web_sys::console::warn_2(&"a new version of Tuppum is here; please reload:".into(), &error);
    }
}

/// Removes a service worker left by an earlier release at the same address. It would hide every edit during
/// development.
async fn unregister(container: &ServiceWorkerContainer) -> Result<(), JsValue> {
    let found = JsFuture::from(container.get_registration()).await?;
    if let Ok(registration) = found.dyn_into::<ServiceWorkerRegistration>() {
        JsFuture::from(registration.unregister()?).await?;
    }
    Ok(())
}

/// Returns `None` on pages that are not served securely, where `navigator.serviceWorker` is undefined.
fn container() -> Option<ServiceWorkerContainer> {
    let navigator = web_sys::window()?.navigator();
    js_sys::Reflect::get(&navigator, &"serviceWorker".into()).ok()?.dyn_into().ok()
}

fn script() -> Option<String> {
    web_sys::window()?.document()?.query_selector(SCRIPT_META).ok()??.get_attribute("content")
}

/// Listens as long as the page lives.
fn listen(target: &EventTarget, event: &str, handle: impl FnMut() + 'static) {
    let handle = Closure::<dyn FnMut()>::new(handle);
    // This fails only for a listener that is not a function.
    let _ = target.add_event_listener_with_callback(event, handle.as_ref().unchecked_ref());
    handle.forget();
}

/// The bands for a new version and for a page that could not be stored.
#[component]
pub fn Update() -> impl IntoView {
    let updates = Updates::watch();
    view! {
        <Show when=move || updates.waiting.get()>
            <section id="update" class="band" role="status" aria-label="New version">
                <p>"A new version is ready. Your work is kept; every open tab reloads once."</p>
                <button id="update-reload" type="button" on:click=move |_| updates.accept()>
                    "Reload"
                </button>
                <button id="update-later" type="button" class="quiet" on:click=move |_| updates.waiting.set(false)>
                    "Later"
                </button>
            </section>
        </Show>
        <Show when=move || updates.failed.get()>
            <section id="not-stored" class="band" role="status" aria-label="Without a network">
                <p>
                    "This browser could not store the page, so it will not open without a network. The disk may be \
                     nearly full, or the connection broke. All else works, and nothing is lost."
                </p>
                <button id="store-again" type="button" on:click=move |_| updates.try_again()>
                    "Try again"
                </button>
                <button id="store-later" type="button" class="quiet" on:click=move |_| updates.failed.set(false)>
                    "Close"
                </button>
            </section>
        </Show>
    }
}
