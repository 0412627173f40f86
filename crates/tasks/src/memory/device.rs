//! How much memory the device has that trains.

use super::estimate::{MOST_MEMORY, TrainingMemory};
use thiserror::Error;

/// What a device has room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeviceMemory {
    /// Bytes of all that a run keeps.
    pub bytes: u64,
    /// Bytes of the largest tensor that it takes; none where only the sum is bounded.
    pub largest_tensor: Option<u64>,
}

/// Why a run does not fit.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum TooLarge {
    /// All of it together is too much.
    #[error("it keeps {needed} bytes, and {most} are there")]
    Whole {
        /// Bytes that it keeps.
        needed: u64,
        /// Bytes that it may keep.
        most: u64,
    },
    /// One tensor is.
    #[error("one of its tensors has {needed} bytes, and none may have more than {most}")]
    Tensor {
        /// Bytes of its largest tensor.
        needed: u64,
        /// Bytes that a tensor may have.
        most: u64,
    },
}

impl DeviceMemory {
    /// The processor, as far as an engine's addresses reach.
    pub const PROCESSOR: Self = Self { bytes: MOST_MEMORY, largest_tensor: None };

    /// A graphics card of so many gigabytes, and the largest tensor that the browser lets it hold.
    pub fn of_card(gigabytes: u32, largest_tensor: u64) -> Self {
        Self { bytes: u64::from(gigabytes) << 30, largest_tensor: Some(largest_tensor) }
    }

    /// Bytes that a run takes there.
    pub fn takes(self, run: &TrainingMemory) -> u64 {
        if self.largest_tensor.is_some() { run.bytes_on_card() } else { run.bytes() }
    }

    /// Whether a run fits with a tenth to spare, for the program, for what is drawn, and for the estimate's error.
    ///
    /// # Errors
    /// What is too large.
    pub fn holds(self, run: &TrainingMemory) -> Result<(), TooLarge> {
        let (needed, most) = (self.takes(run), self.bytes / 10 * 9);
        if needed >= most {
            return Err(TooLarge::Whole { needed, most: self.bytes });
        }
        match (self.largest_tensor, run.largest_tensor()) {
            (Some(most), needed) if needed > most => Err(TooLarge::Tensor { needed, most }),
            _ => Ok(()),
        }
    }
}
