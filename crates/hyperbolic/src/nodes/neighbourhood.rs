//! The edges of a graph as tensors: sums over the neighbours of every node, whose cost grows with the edges and not
//! with the square of the nodes.

use crate::neighbours::EdgeError;
use burn::tensor::{Device, IndexingUpdateOp, Int, Tensor, TensorData};

/// Every node with itself and its neighbours: a list of links, both ways.
#[derive(Clone, Debug)]
pub struct Neighbourhood {
    nodes: usize,
    /// Node of each link: the one whose neighbourhood the link belongs to.
    of: Tensor<1, Int>,
    /// Neighbour of each link.
    neighbour: Tensor<1, Int>,
    /// Weight of each link, 1 / (1 + neighbours of the node): `[links, 1]`.
    shares: Tensor<2>,
}

impl Neighbourhood {
    /// Returns the neighbourhoods by these edges, taken both ways; a repeated edge counts twice.
    ///
    /// # Errors
    /// The graph is empty, or an edge leads to a missing node.
    pub fn new(nodes: usize, edges: &[[usize; 2]], device: &Device) -> Result<Self, EdgeError> {
        if nodes == 0 {
            return Err(EdgeError::Empty);
        }
        if let Some(&[one, other]) = edges.iter().find(|edge| edge.iter().any(|end| *end >= nodes)) {
            return Err(EdgeError::Outside { one, other, nodes });
        }
        let own = (0..nodes).map(|node| [node, node]);
        let links: Vec<[usize; 2]> =
            own.chain(edges.iter().flat_map(|[one, other]| [[*one, *other], [*other, *one]])).collect();
        let mut counts = vec![0u32; nodes];
        links.iter().for_each(|[of, _]| counts[*of] += 1);
        let shares: Vec<f32> = links.iter().map(|[of, _]| 1.0 / counts[*of] as f32).collect();
        let ends = |end: usize| numbers(links.iter().map(|link| link[end]), device);
        Ok(Self {
            nodes,
            of: ends(0),
            neighbour: ends(1),
            shares: Tensor::from_data(TensorData::new(shares, [links.len(), 1]), device),
        })
    }

    /// Even weights of every link, 1 / (1 + neighbours): `[links, 1]`.
    pub fn shares(&self) -> Tensor<2> {
        self.shares.clone()
    }

    /// Returns two rows for each link, of its node and of its neighbour: `[nodes, n]` and `[nodes, m]` to `[links, n]`
    /// and `[links, m]`.
    pub fn ends(&self, of_nodes: Tensor<2>, of_neighbours: Tensor<2>) -> [Tensor<2>; 2] {
        [of_nodes.select(0, self.of.clone()), of_neighbours.select(0, self.neighbour.clone())]
    }

    /// Returns for every node the weighted sum of its neighbours' rows and its own: weights `[links, 1]` and rows
    /// `[nodes, n]` to `[nodes, n]`.
    pub fn sums(&self, weights: Tensor<2>, rows: Tensor<2>) -> Tensor<2> {
        let width = rows.dims()[1];
        let device = rows.device();
        let weighed = rows.select(0, self.neighbour.clone()) * weights;
        let nothing = Tensor::<2>::zeros([self.nodes, width], &device);
        nothing.select_assign(0, self.of.clone(), weighed, IndexingUpdateOp::Add)
    }
}

/// Numbers of nodes as a tensor.
pub fn numbers(values: impl IntoIterator<Item = usize>, device: &Device) -> Tensor<1, Int> {
    let values: Vec<i64> = values.into_iter().map(|value| value as i64).collect();
    let count = values.len();
    Tensor::from_data(TensorData::new(values, [count]), device)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::neighbours::shares;
    use crate::support::{near, read, rows, vectors};
    use tuppum_geometry::Random;

    const EDGES: [[usize; 2]; 4] = [[0, 1], [1, 2], [4, 1], [5, 3]];

    #[test]
    fn sums_are_those_of_the_matrix_of_shares() {
        let device = Device::flex();
        let x = rows(&vectors(&mut Random::new(2), 3, 6));
        let found = Neighbourhood::new(6, &EDGES, &device).unwrap();
        let expected = shares(6, &EDGES, &device).unwrap().matmul(x.clone());
        near(&read(found.sums(found.shares(), x)), &read(expected), 1e-6);
    }

    #[test]
    fn gradients_are_those_of_the_matrix_of_shares() {
        let device = Device::flex().autodiff();
        let x = rows(&vectors(&mut Random::new(5), 3, 6)).autodiff().require_grad();
        let found = Neighbourhood::new(6, &EDGES, &device).unwrap();
        let gradient = |sums: Tensor<2>| {
            let gradients = sums.square().sum().backward();
            read(x.grad(&gradients).unwrap())
        };
        let expected = gradient(shares(6, &EDGES, &device).unwrap().matmul(x.clone()));
        near(&gradient(found.sums(found.shares(), x.clone())), &expected, 1e-5);
    }

    #[test]
    fn every_link_has_its_ends_and_wrong_edges_are_named() {
        let device = Device::flex();
        let found = Neighbourhood::new(3, &[[0, 2]], &device).unwrap();
        let names = rows(&[vec![0.0], vec![1.0], vec![2.0]]);
        let [of, neighbour] = found.ends(names.clone(), names).map(read);
        let links: Vec<[f64; 2]> = of.iter().zip(&neighbour).map(|(of, own)| [of[0], own[0]]).collect();
        assert_eq!(links, [[0.0, 0.0], [1.0, 1.0], [2.0, 2.0], [0.0, 2.0], [2.0, 0.0]]);
        assert!(Neighbourhood::new(0, &[], &device).is_err());
        assert!(Neighbourhood::new(2, &[[0, 2]], &device).is_err_and(|error| error.to_string().contains("0 – 2")));
    }
}
