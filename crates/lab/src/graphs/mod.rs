//! Kinds of the nodes of a graph, and links between them (the paper's experiments with graphs, prepared as in Chami,
//! Ying, Ré and Leskovec, "Hyperbolic graph convolutional neural networks", NeurIPS 2019).
//!
//! - [`node_graph`]: nodes with features and kinds, and the edges between them; [`disease`] simulates one, [`script`]
//!   makes them of the sign tree and of treebanks;
//! - [`split`]: what is held out; [`training`]: both tasks; [`scores`]: their figures; [`command`]: the table.

pub mod command;
mod disease;
mod node_graph;
mod scores;
mod script;
mod split;
mod training;
