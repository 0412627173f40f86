"""Riemannian Adam for points of the Poincaré ball of curvature -c (Bécigneul and Ganea 2019, https://arxiv.org/abs/1810.00760).

As geoopt's RiemannianAdam takes it on PoincareBallExact (`golden_ball_adam.py` compares both): the gradient is rescaled by the
inverse of the metric; the second moment is of its squared Riemannian length, one number for each point; a step follows the
geodesic, and the first moment is transported along it. Beyond that library: the gradient of all points together is cut to a
length of its own, and points may be pulled back to where they began, each along its geodesic by a share of the way (rate · pull),
as AdamW's decay pulls weights to zero. With c = 0 all of this is Euclid's space with four times its metric, as the ball has it at
its centre.
"""

import math

import torch

EDGE = 1e-5  # how far from the rim a point stays, as a share of the radius
LEAST = 1e-15
LEAST_LENGTH = 1e-6  # added to the gradient's length before the longest is divided by it, as in PyTorch


def dot(x, y):
    return (x * y).sum(-1, keepdim=True)


def inside(x, c):
    """1 - c |x|², which is two over the conformal factor."""
    return (1 - c * dot(x, x)).clamp(min=LEAST)


def drawn_in(x, c):
    """What has left the ball comes back to its rim."""
    if c == 0:
        return x
    return x * ((1 - EDGE) / math.sqrt(c) / x.norm(dim=-1, keepdim=True).clamp(min=LEAST)).clamp(max=1.0)


def add(x, y, c):
    """Möbius addition."""
    return ((1 + 2 * c * dot(x, y) + c * dot(y, y)) * x + inside(x, c) * y) / between(x, -y, c)


def between(x, y, c):
    """1 - 2c x·y + c²|x|²|y|², without its cancelling near the rim."""
    return inside(x, c) * inside(y, c) + c * dot(x - y, x - y)


def follow(x, v, c):
    """The exponential map: the end of the geodesic that starts at x as v."""
    length = v.norm(dim=-1, keepdim=True).clamp(min=LEAST)
    half = length / inside(x, c)
    share = half if c == 0 else torch.tanh(math.sqrt(c) * half) / math.sqrt(c)
    return drawn_in(add(x, v * (share / length), c), c)


def transported(x, y, v, c):
    """A vector at x, carried along the geodesic to y: gyr[y, -x]v · λ(x) / λ(y), written so that every term of the turn
    vanishes with y - x."""
    way = y - x
    xv, along = dot(x, v), dot(way, v)
    turned = c * dot(way, way) * xv
    of_way = -c * (xv * inside(y, c) + c * dot(x, x) * along + turned)
    of_x = c * (along * inside(x, c) - turned)
    return (v + 2 * (of_way * way + of_x * x) / between(x, y, c)) * (inside(y, c) / inside(x, c))


def distance(x, y, c):
    """Length of the geodesic, by the difference itself, so that near points keep their digits."""
    square = dot(x - y, x - y)
    if c == 0:
        return 2 * square.sqrt()
    u = 2 * c * square / (inside(x, c) * inside(y, c))
    return torch.log1p(u + (u * (u + 2)).sqrt()) / math.sqrt(c)


def towards(x, y, share, c):
    """The point at this share of the way from x to y."""
    way = add(-x, y, c)
    if c == 0:
        return x + share * way
    length = (way.norm(dim=-1, keepdim=True) * math.sqrt(c)).clamp(LEAST, 1 - EDGE)
    return drawn_in(add(x, way * (torch.tanh(share * torch.atanh(length)) / length), c), c)


class BallAdam:
    """Moves `points`, a parameter [count, dimensions]; `start` is where they are pulled to and their way is counted from."""

    def __init__(self, points, c, start=None, betas=(0.9, 0.98), epsilon=1e-8, clip=1.0, pull=0.0):
        self.points, self.c, self.betas, self.epsilon, self.clip, self.pull = points, c, betas, epsilon, clip, pull
        self.start = points.detach().clone() if start is None else start.to(points)
        self.first, self.second = torch.zeros_like(points), torch.zeros_like(points[:, :1])
        self.steps = 0

    @torch.no_grad()
    def step(self, rate):
        """One step by the gradient that the points have; the Riemannian length of it before it was cut."""
        x, c, gradient = self.points, self.c, self.points.grad
        length = (gradient * inside(x, c) / 2).norm()
        gradient = gradient * (self.clip / (length + LEAST_LENGTH)).clamp(max=1.0)
        self.steps += 1
        self.first.lerp_(gradient * (inside(x, c) ** 2 / 4), 1 - self.betas[0])
        self.second.lerp_(dot(gradient, gradient) * (inside(x, c) ** 2 / 4), 1 - self.betas[1])
        left = [1 - beta ** self.steps for beta in self.betas]
        move = self.first / left[0] / ((self.second / left[1]).sqrt() + self.epsilon)
        reached = follow(x, -rate * move, c)
        self.first = transported(x, reached, self.first, c)
        if self.pull > 0:
            before, reached = reached, towards(reached, self.start, min(1.0, rate * self.pull), c)
            self.first = transported(before, reached, self.first, c)
        self.points.copy_(reached)
        return length

    @torch.no_grad()
    def way(self):
        """Mean and largest way of the points from their start."""
        ways = distance(self.points, self.start, self.c)
        return ways.mean().item(), ways.max().item()

    def state_dict(self):
        return {'first': self.first.clone(), 'second': self.second.clone(), 'steps': self.steps, 'start': self.start.clone()}

    def load_state_dict(self, kept):
        """Takes what was kept; where nothing was, moments begin at zero and the way is counted from here."""
        if kept:
            self.first, self.second, self.start = (kept[name].to(self.points) for name in ('first', 'second', 'start'))
            self.steps = kept['steps']
