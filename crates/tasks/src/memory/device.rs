//! Memory of the device that trains.

use super::estimate::{MOST_MEMORY, TrainingMemory};
use thiserror::Error;

/// Memory limits of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeviceMemory {
    /// Bytes available for a run.
    pub bytes: u64,
    /// Maximum bytes of a tensor; `None` if only the sum is limited.
    pub largest_tensor: Option<u64>,
}

/// Reason why a run does not fit.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum TooLarge {
    /// The run as a whole is too large.
    #[error("it keeps {needed} bytes, and {most} are there")]
    Whole {
        /// Bytes that the run keeps.
        needed: u64,
        /// Bytes available.
        most: u64,
    },
    /// One tensor is too large.
    #[error("one of its tensors has {needed} bytes, and none may have more than {most}")]
    Tensor {
        /// Bytes of the largest tensor.
        needed: u64,
        /// Maximum bytes of a tensor.
        most: u64,
    },
}

impl DeviceMemory {
    /// Limits of the processor: the 32-bit addresses of an engine.
    pub const PROCESSOR: Self = Self { bytes: MOST_MEMORY, largest_tensor: None };

    /// Returns the limits of a graphics card with this many gigabytes and the browser's largest tensor.
    pub fn of_card(gigabytes: u32, largest_tensor: u64) -> Self {
        Self { bytes: u64::from(gigabytes) << 30, largest_tensor: Some(largest_tensor) }
    }

    /// Returns the bytes that a run takes on the device.
    pub fn takes(self, run: &TrainingMemory) -> u64 {
        if self.largest_tensor.is_some() { run.bytes_on_card() } else { run.bytes() }
    }

    /// Checks that a run fits with a tenth to spare, for the program, for drawing, and for the estimate's error.
    ///
    /// # Errors
    /// Names what is too large.
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
