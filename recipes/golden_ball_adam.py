"""Golden steps of Riemannian Adam in the Poincaré ball, from the published library geoopt (https://github.com/geoopt/geoopt).

    python recipes/golden_ball_adam.py tests/golden/geometry

Writes ball_adam.json: for curvatures -1, -0.3 and 0 eight points, from the centre to 0.95 of the radius, their gradients in eight
steps, and the points and first moments after each, by geoopt's RiemannianAdam on PoincareBallExact in float64. Rates and lengths
of gradients vary by orders of magnitude, and a point rests now and then. That `translator/ball_adam.py` makes the same steps is
asserted here. Needs torch and geoopt (0.5.1 made what is here).
"""

import json
import sys
from pathlib import Path

import geoopt
import torch

sys.path.insert(0, str(Path(__file__).parent / "translator"))
from ball_adam import BallAdam  # noqa: E402

torch.set_default_dtype(torch.float64)
CURVATURES = (1.0, 0.3, 0.0)
POINTS, DIMENSIONS, STEPS = 8, 4, 8
BETAS, EPSILON = (0.9, 0.98), 1e-8
AGREEMENT = 1e-12  # rounding of float64 over a few hundred operations, lengthened near the rim by 1 / (1 - 0.95²)


def numbers(tensor):
    return tensor.reshape(-1).tolist()


def case(c):
    generator = torch.Generator().manual_seed(2)
    radius = c ** -0.5 if c else 1.0
    direction = torch.nn.functional.normalize(torch.randn(POINTS, DIMENSIONS, generator=generator), dim=-1)
    start = direction * (0.95 * radius * torch.arange(POINTS) / (POINTS - 1))[:, None]
    ball = geoopt.PoincareBallExact(c=c)
    theirs = geoopt.ManifoldParameter(start.clone(), manifold=ball)
    optimiser = geoopt.optim.RiemannianAdam([theirs], lr=0.0, betas=BETAS, eps=EPSILON)
    ours = torch.nn.Parameter(start.clone())
    own = BallAdam(ours, c, betas=BETAS, epsilon=EPSILON, clip=float("inf"))
    steps = []
    for number in range(STEPS):
        gradient = torch.randn(POINTS, DIMENSIONS, generator=generator) * 10.0 ** -(number % 4)
        gradient[number % POINTS] = 0
        rate = (0.1, 0.01, 0.3)[number % 3]
        theirs.grad, ours.grad = gradient.clone(), gradient.clone()
        optimiser.param_groups[0]["lr"] = rate
        optimiser.step()
        own.step(rate)
        first = optimiser.state[theirs]["exp_avg"]
        off = max((ours - theirs).abs().max().item(), (own.first - first).abs().max().item())
        assert off < AGREEMENT, (c, number, off)
        found = {"points": numbers(theirs.detach()), "first": numbers(first)}
        steps.append({"rate": rate, "gradient": numbers(gradient), **found})
    ways = numbers(ball.dist(start, theirs.detach()))
    assert max(abs(one - other) for one, other in zip(ways, numbers(own_ways(own)))) < AGREEMENT
    return {"c": c, "dimensions": DIMENSIONS, "betas": BETAS, "epsilon": EPSILON, "start": numbers(start), "steps": steps, "ways": ways}


def own_ways(own):
    from ball_adam import distance
    return distance(own.points.detach(), own.start, own.c)


def main():
    out = Path(sys.argv[1])
    golden = {"library": f"geoopt {geoopt.__version__}", "cases": [case(c) for c in CURVATURES]}
    (out / "ball_adam.json").write_text(json.dumps(golden, indent=0) + "\n", encoding="utf-8")


main()
