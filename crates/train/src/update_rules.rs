//! The rules by which one step moves one tensor: AdamW, Adafactor, Muon, and Riemannian Adam for points on a manifold.
//! All of them take the same settings, [`TensorUpdate`]. Nothing is read from the device, so they run wherever burn
//! does.
//!
//! AdamW (Loshchilov and Hutter 2019, <https://arxiv.org/abs/1711.05101>) is computed as in PyTorch: two moments for
//! every number.
//!
//! Adafactor (Shazeer and Stern 2018, <https://arxiv.org/abs/1804.04235>, Algorithm 4) is computed as in
//! `transformers`, with the plan's learning rate in place of a relative one. For a matrix it stores the mean square of
//! the gradients by row and by column and no first moment, which is next to nothing beside the matrix.
//!
//! Muon (Jordan et al. 2024, <https://kellerjordan.github.io/posts/muon/>) is computed as in PyTorch: momentum whose
//! matrices are made orthogonal before they are subtracted. It is for the linear maps within a network; AdamW moves
//! embeddings, maps to tokens and vectors. It stores one moment instead of AdamW's two, and a step costs fifteen matrix
//! products per map.
//!
//! Riemannian Adam (Bécigneul and Ganea, "Riemannian adaptive optimization methods", ICLR 2019,
//! <https://arxiv.org/abs/1810.00760>) has the moments and the bias correction of AdamW, along geodesics. The manifold
//! defines gradient, length, geodesic and transport. Points of the Poincaré ball ([`ball`](crate::ball)) and of the
//! hyperboloid in the crate `hyperbolic` store the same [`TensorMoments`] and move by the same fraction of them.

use burn::tensor::Tensor;

/// Settings of a step. AdamW uses all of them, Adafactor rate, decay and number, Muon rate, decay and the first beta.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TensorUpdate {
    /// Learning rate.
    pub rate: f64,
    /// Shares of the old moments that are kept.
    pub betas: [f64; 2],
    /// Number added to the root of the second moment.
    pub epsilon: f64,
    /// Weight decay, which is multiplied by the rate.
    pub decay: f64,
    /// Number of the step, from 1.
    pub number: u32,
}

impl TensorUpdate {
    /// Returns a tensor after its decay.
    pub fn decayed(&self, value: Tensor<2>) -> Tensor<2> {
        if self.decay == 0.0 { value } else { value * (1.0 - self.rate * self.decay) }
    }
}

/// First and second moment of one tensor. A point has a single second moment, that of its gradient's squared length.
#[derive(Clone, Debug)]
pub struct TensorMoments {
    /// Moving average of the gradient.
    pub first: Tensor<2>,
    /// Moving average of the square of the gradient.
    pub second: Tensor<2>,
}

impl TensorMoments {
    /// Returns the moments after a gradient and its `square`, given number by number or once per row; `before` is
    /// `None` at the first step.
    pub fn after(before: Option<Self>, gradient: Tensor<2>, square: Tensor<2>, update: &TensorUpdate) -> Self {
        let [beta_1, beta_2] = update.betas;
        let (fresh, square) = (gradient * (1.0 - beta_1), square * (1.0 - beta_2));
        match before {
            Some(Self { first, second }) => Self { first: first * beta_1 + fresh, second: second * beta_2 + square },
            None => Self { first: fresh, second: square },
        }
    }

    /// Returns the amount to subtract from a tensor with these moments: rate · m̂ / (√v̂ + ε), where m̂ and v̂ are the
    /// moments divided by 1 − βᵗ, which corrects for their start at zero.
    pub fn movement(&self, update: &TensorUpdate) -> Tensor<2> {
        let left = update.betas.map(|beta| 1.0 - beta.powi(i32::try_from(update.number).unwrap_or(i32::MAX)));
        let size = self.second.clone().sqrt() / left[1].sqrt() + update.epsilon;
        self.first.clone() / size * (update.rate / left[0])
    }
}

/// Returns a tensor after one step of AdamW, and its moments; `before` is `None` at the first step.
pub fn adamw(
    value: Tensor<2>,
    gradient: Tensor<2>,
    before: Option<TensorMoments>,
    update: &TensorUpdate,
) -> (Tensor<2>, TensorMoments) {
    let moments = TensorMoments::after(before, gradient.clone(), gradient.square(), update);
    (update.decayed(value) - moments.movement(update), moments)
}

/// ε₁, added to the squares of the gradient.
const LEAST_SQUARE: f64 = 1e-30;
/// d, the largest root mean square of an update before it is multiplied by the rate.
const LONGEST_UPDATE: f64 = 1.0;
/// Exponent of the step's number in the share of the old means, `1 − number^DECAY_POWER`, which approaches 1.
const DECAY_POWER: f64 = -0.8;

/// Mean squares of the gradients of one tensor. For a vector, which is one row, `columns` holds everything.
#[derive(Clone, Debug)]
pub struct SquareMeans {
    /// Mean square of every row: `[rows, 1]`.
    pub rows: Tensor<2>,
    /// Mean square of every column: `[1, columns]`.
    pub columns: Tensor<2>,
}

impl SquareMeans {
    /// Returns the means after the gradient of a step; `before` is `None` at the first step.
    fn after(before: Option<Self>, gradient: &Tensor<2>, number: u32) -> Self {
        // At the first step no old means are kept; later their share approaches 1. A constant share would need a
        // correction like Adam's for the start at zero.
        let kept = 1.0 - f64::from(number.max(1)).powf(DECAY_POWER);
        let square = gradient.clone().square() + LEAST_SQUARE;
        let [rows, columns] = [1, 0].map(|axis| square.clone().mean_dim(axis));
        match before {
            Some(own) => Self {
                rows: own.rows * kept + rows * (1.0 - kept),
                columns: own.columns * kept + columns * (1.0 - kept),
            },
            None => Self { rows, columns },
        }
    }

    /// Divides the gradient by the root of its estimated mean square: (mean of its row) · (mean of its column) / (mean
    /// of all rows).
    fn scaled(&self, gradient: Tensor<2>) -> Tensor<2> {
        // An outer product of rows and columns stands for the matrix of mean squares, which would take as much memory
        // as the weights. Dividing by the mean of the rows gives it the right total.
        let rows = self.rows.clone() / self.rows.clone().mean().reshape([1, 1]);
        gradient * rows.sqrt().recip() * self.columns.clone().sqrt().recip()
    }
}

/// Returns a tensor after one step of Adafactor, and its means. Of `update`, the rate, the decay and the number of the
/// step are used.
pub fn adafactor(
    value: Tensor<2>,
    gradient: Tensor<2>,
    before: Option<SquareMeans>,
    update: &TensorUpdate,
) -> (Tensor<2>, SquareMeans) {
    let means = SquareMeans::after(before, &gradient, update.number);
    let movement = means.scaled(gradient);
    // Without a first moment, a gradient much larger than the stored means suggests would move the tensor too far; the
    // root mean square of an update is therefore at most 1.
    let length = movement.clone().square().mean().sqrt().reshape([1, 1]);
    let factor = (length / LONGEST_UPDATE).clamp_min(1.0).recip() * update.rate;
    (update.decayed(value) - movement * factor, means)
}

/// Coefficients a, b and c of the Newton–Schulz iteration a·X + b·(XXᵀ)X + c·(XXᵀ)²X, as chosen by Jordan.
const POLYNOMIAL: [f64; 3] = [3.4445, -4.7750, 2.0315];
const ITERATIONS: usize = 5;
/// Smallest divisor of a matrix.
const LEAST_LENGTH: f64 = 1e-7;
/// Root mean square that every update is scaled to. It is that of AdamW's updates, so that one rate serves both (Liu et
/// al. 2025, <https://arxiv.org/abs/2502.16982>, Eq. 4).
const UPDATE_SIZE: f64 = 0.2;

/// Returns maps side by side, with `columns` columns each, after one step of Muon, and their momentum; `before` is
/// `None` at the first step. Of `update`, the rate, the decay and the first beta, Nesterov's momentum, are used.
pub fn muon(
    value: Tensor<2>,
    gradient: Tensor<2>,
    before: Option<Tensor<2>>,
    update: &TensorUpdate,
    columns: &[usize],
) -> (Tensor<2>, Tensor<2>) {
    let kept = update.betas[0];
    let fresh = gradient.clone() * (1.0 - kept);
    let momentum = match before {
        Some(before) => before * kept + fresh.clone(),
        None => fresh.clone(),
    };
    // Nesterov's momentum: the gradient counts once more, as if the momentum had already made the step.
    let ahead = fresh + momentum.clone() * kept;
    let mut first = 0;
    // Each map is made orthogonal by itself: queries, keys and values only lie side by side, and together they would
    // share singular vectors that none of them has.
    let maps = columns.iter().map(|width| {
        let own = ahead.clone().narrow(1, first, *width);
        first += width;
        let longer = own.dims().into_iter().max().unwrap_or(1) as f64;
        // An orthogonal matrix has a root mean square of 1/√(longer side); this factor gives all maps the same.
        orthogonal(own) * (UPDATE_SIZE * longer.sqrt() * update.rate)
    });
    let movement = Tensor::cat(maps.collect(), 1);
    (update.decayed(value) - movement, momentum)
}

/// Returns a matrix with the same singular vectors whose singular values lie between 0.7 and 1.2, except tiny ones.
fn orthogonal(matrix: Tensor<2>) -> Tensor<2> {
    // The iteration diverges for singular values well above 1. None exceeds the Frobenius norm, which is cheap to
    // compute.
    let length = matrix.clone().square().sum().sqrt().clamp_min(LEAST_LENGTH).reshape([1, 1]);
    let [rows, columns] = matrix.dims();
    let is_tall = rows > columns;
    // A wide matrix has the smaller product XXᵀ.
    let matrix = if is_tall { matrix.transpose() } else { matrix };
    let [a, b, c] = POLYNOMIAL;
    // A step applies the polynomial to each singular value and leaves the singular vectors unchanged. The coefficients
    // are chosen to lift small values fast rather than to converge to 1: after five steps directions with small
    // gradients count as much as others, which is the point of Muon.
    let iterated = (0..ITERATIONS).fold(matrix / length, |x, _| {
        let square = x.clone().matmul(x.clone().transpose());
        let polynomial = square.clone() * b + square.clone().matmul(square) * c;
        x.clone() * a + polynomial.matmul(x)
    });
    if is_tall { iterated.transpose() } else { iterated }
}

/// Manifold whose points, one per row of a tensor, can learn by Adam.
///
/// # Shapes
/// All arguments and results are `[points, coordinates]`, except the result of [`RiemannianAdam::squared_length`]:
/// `[points, 1]`, or the same number in every column.
pub trait RiemannianAdam {
    /// Returns the Riemannian gradient at points, given the gradient by coordinates.
    fn gradient(&self, points: Tensor<2>, gradient: Tensor<2>) -> Tensor<2>;

    /// Returns the squared Riemannian length of tangent vectors at points.
    fn squared_length(&self, points: Tensor<2>, tangents: Tensor<2>) -> Tensor<2>;

    /// Follows the geodesics that leave points along tangent vectors for a time of one, and returns their ends.
    fn exp(&self, points: Tensor<2>, tangents: Tensor<2>) -> Tensor<2>;

    /// Transports tangent vectors along the geodesics from one set of points to another.
    fn transport(&self, from: Tensor<2>, to: Tensor<2>, tangents: Tensor<2>) -> Tensor<2>;

    /// Returns points after one step, and their moments; `before` is `None` at the first step.
    ///
    /// Each point is one factor of the manifold: its second moment is a single number, that of its gradient's squared
    /// length. The first moment is a tangent vector and is transported along. A step follows the geodesic exactly.
    ///
    /// # Shapes
    /// Points, gradient by coordinates and first moment: `[points, coordinates]`; second moment: as the result of
    /// [`RiemannianAdam::squared_length`].
    fn adam(
        &self,
        points: Tensor<2>,
        gradient: Tensor<2>,
        before: Option<TensorMoments>,
        update: &TensorUpdate,
    ) -> (Tensor<2>, TensorMoments) {
        let gradient = self.gradient(points.clone(), gradient);
        let square = self.squared_length(points.clone(), gradient.clone());
        let moments = TensorMoments::after(before, gradient, square, update);
        let reached = self.exp(points.clone(), moments.movement(update).neg());
        let first = self.transport(points, reached.clone(), moments.first);
        (reached, TensorMoments { first, ..moments })
    }
}
