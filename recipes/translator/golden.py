"""What golden numbers of a translator and its folder have in common: exact distances, and the manifest."""

import hashlib
import json
import math

import torch
import torch.nn as nn


class Exact(nn.Module):
    """The reference's bias with its distances in f64 over given numbers of points: in f32 the rounding of |x|^2 + |y|^2 - 2 x.y
    alone moves states by up to 4e-4 of the largest, since the distance of near points is its square root."""

    def __init__(self, geometry, numbers):
        super().__init__()
        self.own, self.layers, self.numbers = geometry, geometry.layers, numbers

    def forward(self, ids):
        x, c = self.own.points.double(), self.own.curvature
        inside = 1 - c * (x * x).sum(-1)
        u = 2 * c * ((x[:, None] - x[None]) ** 2).sum(-1) / (inside[:, None] * inside[None]).clamp(min=1e-10)
        table = torch.log1p(u + torch.sqrt(u * (u + 2) + 1e-9)) / math.sqrt(c)
        assert (table - self.own.table()).abs().max() < 2e-2
        return (-self.own.alpha * table[self.numbers[:, :, None], self.numbers[:, None, :]][:, None]).float()


def write_manifest(folder, names):
    """Lengths and checksums of the files that a tab opens."""
    files = []
    for name in names:
        content = (folder / name).read_bytes()
        files.append({"name": name, "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()})
    (folder / "manifest.json").write_text(json.dumps({"model": "translator", "format": 1, "files": files}, indent=1) + "\n")
