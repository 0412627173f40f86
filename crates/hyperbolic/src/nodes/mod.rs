//! Networks over the nodes of a graph: what kind a node is, and which nodes are linked (the paper's experiments with
//! graphs).
//!
//! - [`neighbourhood`]: the edges as tensors, node by node;
//! - [`networks`]: two layers on the hyperboloid, with even or with learnt weights of neighbours, and the graph
//!   convolution in Euclid's space that they are compared with.

pub mod neighbourhood;
pub mod networks;
