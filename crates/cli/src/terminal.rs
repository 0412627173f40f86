//! Output to the terminal: progress bars, and answers on standard output.

use crate::failure::Result;
use indicatif::ProgressStyle;
use std::io::{ErrorKind, Write};

/// Returns the style of a progress bar; the plain style if the template is wrong.
pub fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// Writes to standard output; a closed pipe is no error.
pub fn print(text: &str) -> Result<()> {
    match std::io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(format!("the answer cannot be written: {error}").into())
        }
        _ => Ok(()),
    }
}
