//! The lesson: seven steps from the sign with many readings to the states of a network, each with something to try.

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
pub mod sentence;
pub mod weights;
