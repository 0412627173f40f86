//! The lesson: six steps from the sign with many readings to a restoration read critically, each with something to do.

pub mod bias;
pub mod circles;
pub mod damage;
pub mod fitting;
pub mod line;
pub mod page;
pub mod polyvalence;
pub mod question;
pub mod restoration;
pub mod script;
pub mod weights;
