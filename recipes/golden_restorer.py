"""Reference numbers for the torso: the model of a folder, computed by PyTorch in float32.

    python recipes/golden_restorer.py models/restorer          golden.safetensors and manifest.json of a folder
    python recipes/golden_restorer.py --tiny tests/golden/tiny-torso --vocabulary models/restorer/vocab.json
                                                               a random tiny torso first, then the same

A model folder has config.json, vocab.json and restorer.safetensors. golden.safetensors gets `ids` [3, 64] (padded with 0,
masks in place), `positions` [N, 2] (row and place of each mask) and `logits` [N, V]. The port in crates/nn/src/torso must
agree with them; crates/weights/tests/networks/torso.rs says how closely. Needs torch and safetensors.
"""

import argparse
import hashlib
import json
import math
from pathlib import Path

import torch
import torch.nn.functional as F
from safetensors.torch import load_file, save_file

# An Old Assyrian letter, a state letter, a royal inscription; readings outside a small vocabulary become <unk>.
LINES = [
    "a -na A -šur -i -<mask> DUMU šu -A -nim <br> qi₂ -<mask> -ma um -ma ku -ku -a -nim -<mask>",
    "<mask> -na be -li₂ -ia <br> ARAD -ka {m} <mask> -<mask> <br> lu DI -mu a -na EN -ia",
    "{d} UTU u {d} AG <gap> LUGAL <mask> <mask> <br> <x> -na KUR <mask> -šur {KI}",
]
PADDED = 64
FILES = ["config.json", "vocab.json", "restorer.safetensors", "golden.safetensors"]
TINY = {"layers": 2, "d_model": 32, "d_ff": 64, "heads": 2, "head_dim": 16, "vocabulary": 400, "rope_base": 10000.0, "window": 384, "longest": 768}


def shapes(config):
    """Name and shape of every tensor, in the order of the file."""
    d, ff, inner, v = config["d_model"], config["d_ff"], config["heads"] * config["head_dim"], config["vocabulary"]
    found = {"torso.embed.weight": (v, d)}
    for layer in range(config["layers"]):
        at = f"torso.layers.{layer}."
        found |= {at + f"attn.{name}.weight": (inner, d) for name in "qkv"}
        found |= {at + "attn.o.weight": (d, inner), at + "norm1.weight": (d,), at + "norm2.weight": (d,)}
        found |= {at + "ff.0.weight": (ff, d), at + "ff.2.weight": (d, ff)}
    found["torso.final_norm.weight"] = (d,)
    for number, outputs in (("0", d), ("2", v)):
        found |= {f"restoration_head.{number}.weight": (outputs, d), f"restoration_head.{number}.bias": (outputs,)}
    return found


def random_weights(config):
    """Weights of a size that keeps activations near 1, so that logits differ and an error in any part shows."""
    torch.manual_seed(20)
    weights = {}
    for name, shape in shapes(config).items():
        noise = torch.randn(shape)
        if "norm" in name:
            weights[name] = 1 + 0.1 * noise
        elif name.endswith("bias") or "embed" in name:
            weights[name] = noise
        else:
            weights[name] = 1.5 * noise / math.sqrt(shape[1])
    return {name: value.half() for name, value in weights.items()}


def rms_norm(x, gain):
    return gain * x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6)


def rotate(x):
    first, second = x.chunk(2, -1)
    return torch.cat((-second, first), -1)


def forward(weights, config, ids):
    """Logits [rows, places, vocabulary]."""
    rows, length = ids.shape
    heads, width = config["heads"], config["head_dim"]
    frequency = 1.0 / (config["rope_base"] ** (torch.arange(0, width, 2).float() / width))
    angle = torch.outer(torch.arange(length).float(), frequency)
    angle = torch.cat((angle, angle), -1)
    cos, sin = angle.cos(), angle.sin()
    mask = torch.where(ids[:, None, None, :] == 0, -1e9, 0.0)
    x = weights["torso.embed.weight"][ids]
    for layer in range(config["layers"]):
        at = f"torso.layers.{layer}."
        h = rms_norm(x, weights[at + "norm1.weight"])
        q, k, v = ((h @ weights[at + f"attn.{name}.weight"].T).view(rows, length, heads, width).transpose(1, 2) for name in "qkv")
        q, k = q * cos + rotate(q) * sin, k * cos + rotate(k) * sin
        y = (q @ k.transpose(-1, -2) / math.sqrt(width) + mask).softmax(-1) @ v
        x = x + y.transpose(1, 2).reshape(rows, length, heads * width) @ weights[at + "attn.o.weight"].T
        h = rms_norm(x, weights[at + "norm2.weight"])
        x = x + F.gelu(h @ weights[at + "ff.0.weight"].T) @ weights[at + "ff.2.weight"].T
    x = rms_norm(x, weights["torso.final_norm.weight"])
    x = F.relu(x @ weights["restoration_head.0.weight"].T + weights["restoration_head.0.bias"])
    return x @ weights["restoration_head.2.weight"].T + weights["restoration_head.2.bias"]


def write_golden(folder):
    config = json.loads((folder / "config.json").read_text())
    vocabulary = json.loads((folder / "vocab.json").read_text())
    number = {token: i for i, token in enumerate(vocabulary)}
    weights = {name: value.float() for name, value in load_file(folder / "restorer.safetensors").items()}
    rows = [[number["<bos>"], *(number.get(token, number["<unk>"]) for token in line.split()), number["<br>"]] for line in LINES]
    ids = torch.tensor([row + [0] * (PADDED - len(row)) for row in rows])
    positions = ((ids == number["<mask>"]) | (ids == number["-<mask>"])).nonzero()
    with torch.no_grad():
        logits = forward(weights, config, ids)[positions[:, 0], positions[:, 1]]
    save_file({"ids": ids.int(), "positions": positions.int().contiguous(), "logits": logits.contiguous()}, folder / "golden.safetensors")
    for (row, place), values in zip(positions.tolist(), logits):
        best = values.softmax(-1).topk(5)
        print(row, place, [(vocabulary[i], round(p, 3)) for p, i in zip(best.values.tolist(), best.indices.tolist())])


def write_manifest(folder):
    files = [{"name": name, "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()} for name in FILES for data in [(folder / name).read_bytes()]]
    (folder / "manifest.json").write_text(json.dumps({"model": "restorer", "format": 1, "files": files}, indent=2) + "\n")


def write_tiny(folder, vocabulary):
    folder.mkdir(parents=True, exist_ok=True)
    tokens = json.loads(vocabulary.read_text())[: TINY["vocabulary"]]
    (folder / "config.json").write_text(json.dumps(TINY, indent=2) + "\n")
    (folder / "vocab.json").write_text(json.dumps(tokens, ensure_ascii=False) + "\n")
    save_file(random_weights(TINY), folder / "restorer.safetensors")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--tiny", action="store_true", help="make random weights first")
    parser.add_argument("--vocabulary", type=Path, default=Path("models/restorer/vocab.json"))
    given = parser.parse_args()
    if given.tiny:
        write_tiny(given.folder, given.vocabulary)
    write_golden(given.folder)
    write_manifest(given.folder)


if __name__ == "__main__":
    main()
