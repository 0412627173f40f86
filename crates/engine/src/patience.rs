//! How long the browser's storage and its graphics are waited for: their calls cannot be called off, and one that never
//! answers must not keep its user waiting for ever.

use super::errors::StorageError;
use super::event_loop::within;
use js_sys::Promise;
use std::cell::Cell;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::FileSystemSyncAccessHandle;

/// How many times they are waited for, which answer in milliseconds when they are well. A single long wait would be
/// over at once in a worker that computed all the while, or on a device that slept.
const PATIENCE: u32 = 20;
/// How long each time, in milliseconds.
const A_WHILE: i32 = 1_000;

thread_local! {
    /// How many times the storage is waited for now: once only after it did not answer, until it does.
    static LEFT: Cell<u32> = const { Cell::new(PATIENCE) };
}

/// What a call of the storage comes to.
///
/// # Errors
/// The browser refuses, or does not answer.
pub async fn settled<T: JsCast>(promise: Promise) -> Result<T, StorageError> {
    let answer = waited_for(LEFT.get(), JsFuture::from(promise)).await;
    LEFT.set(if answer.is_some() { PATIENCE } else { 1 });
    answer.ok_or(StorageError::Silent)?.map(JsCast::unchecked_into).map_err(StorageError::from)
}

/// What a call of the graphics comes to, or nothing when it does not answer.
pub async fn answered<T>(call: impl Future<Output = T>) -> Option<T> {
    waited_for(PATIENCE, std::pin::pin!(call)).await
}

/// What a download comes to, or nothing when it has not come within a minute.
pub async fn answered_in_a_minute<T>(call: impl Future<Output = T>) -> Option<T> {
    const WHILES: u32 = 60_000 / A_WHILE.cast_unsigned();
    waited_for(WHILES, std::pin::pin!(call)).await
}

async fn waited_for<T>(times: u32, mut call: impl Future<Output = T> + Unpin) -> Option<T> {
    for _ in 0..times {
        let answer = within(A_WHILE, &mut call).await;
        if answer.is_some() {
            return answer;
        }
    }
    None
}

/// The same for a handle that keeps all others from its file: one that comes when nobody waits any more is closed.
///
/// # Errors
/// As of [`settled`].
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
