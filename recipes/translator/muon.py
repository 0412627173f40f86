"""Muon: momentum whose matrices are made orthogonal before they are subtracted (Jordan et al. 2024,
https://kellerjordan.github.io/posts/muon/). For the matrices inside a network; embeddings, scores of bytes and vectors are left
to Adam. In four minutes on one core, with two and one layers, it brought the loss of validation pairs to 2.29 nats a byte where
Adam came to 2.40 (one run each).
"""

import torch

MOMENTUM, DECAY, ITERATIONS = 0.95, 0.01, 4
POLYNOMIAL = 3.4445, -4.7750, 2.0315  # of Newton and Schulz's iteration, Jordan's coefficients


def orthogonal(matrices):
    """Matrices [count, rows, columns] with all singular values near 1."""
    x = matrices / (matrices.norm(dim=(1, 2), keepdim=True) + 1e-9)
    is_tall = x.shape[1] > x.shape[2]
    if is_tall:
        x = x.mT
    a, b, c = POLYNOMIAL
    for _ in range(ITERATIONS):
        square = x @ x.mT
        x = torch.baddbmm(x, torch.baddbmm(square, square, square, beta=b, alpha=c), x, beta=a)
    return x.mT if is_tall else x


class Muon:
    """`named` are pairs of a name and a matrix; `scale` says how far a name's matrix moves, as a share of the rate; the products
    of the iteration are made in `precision`."""

    def __init__(self, named, scale, precision=torch.float32):
        self.groups, self.precision = {}, precision
        for name, matrix in named:
            self.groups.setdefault(tuple(matrix.shape), []).append((name, matrix))
        self.moments, self.scales = {}, {}
        for (rows, columns), members in self.groups.items():
            device = members[0][1].device
            self.moments[rows, columns] = torch.zeros(len(members), rows, columns, device=device)
            scales = torch.tensor([scale(name) for name, _ in members], device=device)
            # A tall matrix of the first numbers has singular values as much larger.
            self.scales[rows, columns] = scales[:, None, None] * max(1, rows / columns) ** 0.5

    @torch.no_grad()
    def step(self, rate):
        """Moves every matrix by its gradient; matrices of one shape together."""
        for shape, members in self.groups.items():
            gradients = torch.stack([matrix.grad.float() for _, matrix in members])
            moments = self.moments[shape]
            moments.lerp_(gradients, 1 - MOMENTUM)
            moves = orthogonal(gradients.lerp(moments, MOMENTUM).to(self.precision)).float() * (self.scales[shape] * rate)
            matrices = [matrix for _, matrix in members]
            torch._foreach_mul_(matrices, 1 - DECAY * rate)
            torch._foreach_sub_(matrices, list(moves))

    def state_dict(self):
        """The moments by name."""
        return {
            name: moment.clone()
            for shape, members in self.groups.items() for (name, _), moment in zip(members, self.moments[shape])
        }

    def load_state_dict(self, kept):
        """Takes moments by name; a matrix without one begins at rest."""
        for shape, members in self.groups.items():
            for (name, _), moment in zip(members, self.moments[shape]):
                if name in kept:
                    moment.copy_(kept[name])
