//! Time limits for calls to the browser's storage and graphics: such calls cannot be cancelled, and one that never
//! answers must not keep the user waiting for ever.

use crate::bindings::scope;
use crate::errors::StorageError;
use js_sys::Promise;
use std::cell::Cell;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::FileSystemSyncAccessHandle;

/// Number of waits for a call that should answer within milliseconds. One long wait would be over at once in a worker
/// that has been computing all the while, or on a device that has been asleep.
const WAITS: u32 = 20;
/// Milliseconds of one wait.
const WAIT_MS: i32 = 1_000;

thread_local! {
    /// Number of waits for the storage: only one after it did not answer, until it answers again.
    static STORAGE_WAITS: Cell<u32> = const { Cell::new(WAITS) };
}

/// Waits for the result of a storage call.
///
/// # Errors
/// The browser refuses, or does not answer.
pub async fn settled<T: JsCast>(promise: Promise) -> Result<T, StorageError> {
    let answer = waited_for(STORAGE_WAITS.get(), JsFuture::from(promise)).await;
    STORAGE_WAITS.set(if answer.is_some() { WAITS } else { 1 });
    answer.ok_or(StorageError::Silent)?.map(JsCast::unchecked_into).map_err(StorageError::from)
}

/// Waits for the result of a graphics call; `None` if it does not answer.
pub async fn answered<T>(call: impl Future<Output = T>) -> Option<T> {
    waited_for(WAITS, std::pin::pin!(call)).await
}

/// Waits for the result of a download; `None` if it does not arrive within a minute.
pub async fn answered_in_a_minute<T>(call: impl Future<Output = T>) -> Option<T> {
    const MINUTE_WAITS: u32 = 60_000 / WAIT_MS.cast_unsigned();
    waited_for(MINUTE_WAITS, std::pin::pin!(call)).await
}

async fn waited_for<T>(times: u32, mut call: impl Future<Output = T> + Unpin) -> Option<T> {
    for _ in 0..times {
        let answer = within(WAIT_MS, &mut call).await;
        if answer.is_some() {
            return answer;
        }
    }
    None
}

/// Waits for an exclusive file handle. A handle that arrives after the time limit is closed, since it would lock the
/// file.
///
/// # Errors
/// The same as those of [`settled`].
pub async fn closed_when_late(promise: Promise) -> Result<FileSystemSyncAccessHandle, StorageError> {
    let answer = settled(promise.clone()).await;
    if answer == Err(StorageError::Silent) {
        spawn_local(async move {
            if let Ok(late) = JsFuture::from(promise).await {
                late.unchecked_into::<FileSystemSyncAccessHandle>().close();
            }
        });
    }
    answer
}

/// Returns the result of `work`, or `None` if it takes longer than `milliseconds`.
pub async fn within<T>(milliseconds: i32, work: impl Future<Output = T>) -> Option<T> {
    let late = Promise::new(&mut |resolve, _| {
        let set = scope().set_timeout_with_callback_and_timeout_and_arguments_0(&resolve, milliseconds);
        if set.is_err() {
            let _ = resolve.call0(&JsValue::NULL);
        }
    });
    let mut work = std::pin::pin!(work);
    let mut late = JsFuture::from(late);
    std::future::poll_fn(move |context| {
        if let std::task::Poll::Ready(value) = work.as_mut().poll(context) {
            return std::task::Poll::Ready(Some(value));
        }
        std::pin::Pin::new(&mut late).poll(context).map(|_| None)
    })
    .await
}
