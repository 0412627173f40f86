"""Golden numbers of hyperbolic geometry, from the published library geoopt (https://github.com/geoopt/geoopt).

    python recipes/golden_geometry.py tests/golden/geometry

Writes ball.json and hyperboloid.json: random points and tangent vectors for curvatures -1 and -0.5, and what geoopt makes of
them in float64. geoopt's Lorentz(k) has curvature -1/k. Needs torch and geoopt (0.5.1 made what is here).
"""

import json
import sys
from pathlib import Path

import geoopt
import torch

torch.set_default_dtype(torch.float64)
CURVATURES = (1.0, 0.5)
DIMENSION = 4
CASES = 12


def numbers(tensor):
    return tensor.reshape(-1).tolist() if tensor.dim() else tensor.item()


def drawn(generator, norm):
    direction = torch.randn(DIMENSION, generator=generator)
    return norm * direction / direction.norm()


def ball_case(curvature, generator, number):
    ball = geoopt.PoincareBall(c=curvature)
    # Norms from the middle to 0.95 of the radius; beyond, geoopt's own projection to the ball begins to tell.
    radius = curvature**-0.5
    x = drawn(generator, radius * 0.95 * (number + 1) / CASES)
    y = drawn(generator, radius * 0.95 * torch.rand(1, generator=generator).item())
    v = drawn(generator, torch.rand(1, generator=generator).item()) / ball.lambda_x(x)
    moved = ball.transp(x, y, v)
    found = {
        "dist": ball.dist(x, y),
        "mobius_add": ball.mobius_add(x, y),
        "expmap": ball.expmap(x, v),
        "logmap": ball.logmap(x, y),
        "transp": moved,
        "lambda_x": ball.lambda_x(x),
        "gyration": ball.gyration(x, y, v),
        "mobius_scalar_mul": ball.mobius_scalar_mul(torch.tensor(0.4), x),
    }
    return {"c": curvature, "x": numbers(x), "y": numbers(y), "v": numbers(v), **{k: numbers(t) for k, t in found.items()}}


def hyperboloid_case(curvature, generator, number):
    space = geoopt.Lorentz(k=1.0 / curvature)
    radius = curvature**-0.5
    lift = lambda v: torch.cat([(1.0 / curvature + v.pow(2).sum()).sqrt().reshape(1), v])
    x = lift(drawn(generator, radius * 3.0 * (number + 1) / CASES))
    y = lift(drawn(generator, radius * 3.0 * torch.rand(1, generator=generator).item()))
    v = space.proju(x, torch.cat([torch.zeros(1), drawn(generator, radius)]))
    found = {
        "dist": space.dist(x, y),
        "expmap": space.expmap(x, v),
        "logmap": space.logmap(x, y),
        "transp": space.transp(x, y, v),
        "inner": space.inner(x, v, v),
    }
    return {"c": curvature, "x": numbers(x), "y": numbers(y), "v": numbers(v), **{k: numbers(t) for k, t in found.items()}}


def main():
    out = Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    for name, case in (("ball", ball_case), ("hyperboloid", hyperboloid_case)):
        generator = torch.Generator().manual_seed(1)
        cases = [case(curvature, generator, number) for curvature in CURVATURES for number in range(CASES)]
        golden = {"library": f"geoopt {geoopt.__version__}", "cases": cases}
        (out / f"{name}.json").write_text(json.dumps(golden, indent=0) + "\n", encoding="utf-8")


main()
