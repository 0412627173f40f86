//! The query of a head and a relation: the point that distances to tails are measured from, and the gradient by head
//! and relation.

/// A query, with the intermediate results that its backward pass needs.
#[derive(Clone, Debug, Default)]
pub struct Query {
    /// Space-like coordinates.
    pub space: Vec<f32>,
    /// Coordinate that completes the space-like ones.
    pub time: f32,
    /// Lorentz: Wh + b. MuRP: the diagonal's product, a tangent vector. AttH: the weighed tangent vector.
    pub(super) inside: Vec<f32>,
    /// Lorentz: |Wh + b|.
    pub(super) length: f32,
    /// Lorentz: σ(v·h). AttH: the weight of the turned vector.
    pub(super) gate: f32,
    /// MuRP and AttH: the head's tangent vector.
    pub(super) tangent: Vec<f32>,
    /// AttH: the head's tangent vector, turned.
    pub(super) turned: Vec<f32>,
    /// AttH: the head's tangent vector, mirrored.
    pub(super) mirrored: Vec<f32>,
    /// MuRP, RotH and AttH: the point before the translation.
    pub(super) before: Vec<f32>,
    /// MuRP, RotH and AttH: the point that the origin is translated to.
    pub(super) to: Vec<f32>,
}

/// The gradient of a loss by what a query was made of, for one triple.
#[derive(Clone, Debug, Default)]
pub struct QueryGradient {
    /// Gradient by the head's space-like coordinates.
    pub head: Vec<f32>,
    /// Lorentz: by the head's time-like coordinate, as if it were free. Else 0.
    pub head_time: f32,
    /// Lorentz: by Wh + b. Else by the relation's transform.
    pub inside: Vec<f32>,
    /// Lorentz: by v·h. Else 0.
    pub gate: f32,
    /// Gradient by the bias or the translation.
    pub shift: Vec<f32>,
}

/// Puts new numbers in the place of a vector's old ones, without a new allocation.
pub(super) fn replace(into: &mut Vec<f32>, from: impl Iterator<Item = f32>) {
    into.clear();
    into.extend(from);
}
