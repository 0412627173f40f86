//! The fault table: each step of the engine that may fail is made to fail in every way that users meet. Afterwards the
//! page says what happened, no stored data is lost, the page can be used, and a second attempt works. The test prints
//! the table and fails if a cell does.

mod cells;
mod device;
mod hub;
mod opening;
mod restoring;
mod training;
mod translator;
