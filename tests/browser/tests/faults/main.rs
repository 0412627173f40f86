//! The fault table: at each step of the engine that may fail, it is made to fail, in every way that people meet. After
//! it the page says what happened, nothing is lost that was kept, the page can be used, and a second try works. The
//! test prints the table and fails when a cell does.

mod cells;
mod device;
mod hub;
mod opening;
mod restoring;
mod training;
mod translator;
