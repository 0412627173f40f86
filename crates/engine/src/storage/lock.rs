//! Web Locks: of all tabs of this site, only one at a time writes a model or works on a run.

use crate::bindings::{NAVIGATOR, Navigator, abort_signal};
use crate::errors::StorageError;
use crate::queue::CancellationToken;
use js_sys::{Array, Function, Object, Promise, Reflect};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::AbortSignal;

/// Name of the lock for writing the weights of shipped models.
pub const SHIPPED_LOCK: &str = "tuppum-weights";
/// Maximum milliseconds to wait for another tab to release a lock; a tab that was just closed or reloaded releases it
/// at once.
const RELEASE_TIMEOUT_MS: u32 = 2_000;

/// Right to write, held until dropped. Without Web Locks it is granted at once.
pub struct WritingRight {
    release: Option<Function>,
}

impl WritingRight {
    /// Waits until no other tab holds the lock of this name, or until the job is cancelled.
    ///
    /// # Errors
    /// The job was cancelled, or the browser refuses.
    pub async fn wait(lock: &str, token: &CancellationToken) -> Result<Self, StorageError> {
        Self::ask(lock, abort_signal(token)).await
    }

    /// Waits briefly for the lock, in case it is just being released; `None` if another tab holds it for longer.
    ///
    /// # Errors
    /// The browser refuses.
    pub async fn soon(lock: &str) -> Result<Option<Self>, StorageError> {
        let patience = AbortSignal::timeout_with_u32(RELEASE_TIMEOUT_MS);
        match Self::ask(lock, Some(patience.clone())).await {
            Err(_) if patience.aborted() => Ok(None),
            granted => granted.map(Some),
        }
    }

    async fn ask(lock: &str, signal: Option<AbortSignal>) -> Result<Self, StorageError> {
        let Some(locks) = NAVIGATOR.with(Navigator::locks) else {
            return Ok(Self { release: None });
        };
        let options = Object::new();
        if let Some(signal) = signal {
            Reflect::set(&options, &"signal".into(), &signal)?;
        }
        let release: Rc<RefCell<Option<Function>>> = Rc::default();
        let hold: Rc<RefCell<Option<Function>>> = Rc::default();
        let granted = Promise::new(&mut |resolve, _| {
            *hold.borrow_mut() = Some(resolve);
        });
        let (held_out, give) = (hold.clone(), Rc::downgrade(&release));
        let on_grant = Closure::once_into_js(move || {
            // A request that is no longer awaited must not hold the lock.
            let Some(give) = give.upgrade() else { return Promise::resolve(&JsValue::NULL) };
            let until_released = Promise::new(&mut |let_go, _| *give.borrow_mut() = Some(let_go));
            if let Some(granted) = held_out.borrow_mut().take() {
                let _ = granted.call0(&JsValue::NULL);
            }
            until_released
        });
        let asked = locks.request(lock, &options, on_grant.unchecked_ref())?;
        // `asked` settles before the grant only if it fails.
        JsFuture::from(Promise::race(&Array::of2(&granted, &asked))).await?;
        let release = release.borrow_mut().take();
        Ok(Self { release })
    }
}

impl Drop for WritingRight {
    fn drop(&mut self) {
        if let Some(release) = &self.release {
            let _ = release.apply(&JsValue::NULL, &Array::new());
        }
    }
}
