//! A file of texts that the user brings.

use super::format;
use tuppum_text::pair_table::decode;
use wasm_bindgen_futures::JsFuture;

/// Its text; one of more bytes than `largest` is left to a command.
///
/// # Errors
/// Why it cannot be read, and what to do.
pub async fn text(file: &web_sys::File, largest: usize, command: &str) -> Result<String, String> {
    let name = file.name();
    if file.size() > largest as f64 {
        return Err(format!(
            "{name} has {}; at most {} are read here. Cut it, or use “{command}” on the command line.",
            format::bytes(file.size() as u64),
            format::bytes(largest as u64),
        ));
    }
    let buffer = JsFuture::from(file.array_buffer()).await.map_err(|_| {
        format!("{name} could not be read: it may have been moved, or it is a folder. Choose it again.")
    })?;
    let decoded = decode(&js_sys::Uint8Array::new(&buffer).to_vec());
    decoded.map_err(|reason| format!("{name} could not be read. {reason}"))
}
