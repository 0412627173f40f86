//! Views of the text and its gaps: the field in which it is typed, the reading, proposals, remarks and changes.

pub mod changes;
pub mod controls;
pub mod fillings;
pub mod filters;
pub mod gap_panel;
pub mod input;
pub mod marks;
pub mod palette;
pub mod pieces;
pub mod proposals;
pub mod reading;
pub mod remarks;
pub mod sign;
