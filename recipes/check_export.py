"""Whether an exported translator is the same model elsewhere.

    python recipes/check_export.py TUPPUM FOLDER [--reference FOLDER_OF_BYT5_GEO] [--text TEXT]... [--no-transformers]

TUPPUM is the command line's binary, FOLDER a model's folder as `tuppum train` and the page write it. Every text is translated greedily by
TUPPUM; then the probability of every byte it wrote is computed again: with the bias detached by Hugging Face's transformers, which
must load the folder with no tensor missing or unexpected but those of the bias, and with the bias on by
translator/network.py, or by the byt5_geo.py of --reference. With --no-transformers the reference program computes the detached model too. A bias over
signs is told which byte belongs to which sign by the names beside the points. Prints the largest differences of log probabilities. Needs torch
and safetensors, and transformers without --no-transformers.
"""

import argparse
import json
import math
import subprocess
import sys
from pathlib import Path

import torch
from safetensors.torch import load_file

TEXTS = ["um-ma a-šur-i-di₂-ma", "a-na {d}UTU be-li₂-ia qi₂-bi₂-ma", "10 GIN₂ KU₃.BABBAR a-na a-lim{KI}"]
# Most bytes of a translation.
LONGEST = 120
# Sums of f32 in another order, through every layer.
AGREEMENT = 1e-3


def written(tuppum, folder, texts, bias):
    """What TUPPUM wrote for each text, and the logarithm of the probability of every byte."""
    command = [tuppum, "translate", "-", "--raw", "--model", folder, "--beams", "1", "--json", "--longest", str(LONGEST)]
    command += [] if bias else ["--no-bias"]
    done = subprocess.run(command, input="\n".join(texts), capture_output=True, text=True, check=True)
    outputs = [answer["translations"][0] for answer in json.loads(done.stdout)]
    return [(output["text"], [math.log(max(p, 1e-30)) for p in output["byte_probabilities"]]) for output in outputs]


def tokens(text):
    return [byte + 3 for byte in text.encode()]


def over_signs(geometry, ids):
    """The bias between bytes by the points of their signs; what is no sign, and the end, is at the root."""
    sys.path.insert(0, str(Path(__file__).parent / "translator"))
    from signs import of_rows

    numbers = of_rows(ids)
    return -geometry.alpha * geometry.table()[numbers[:, :, None], numbers[:, None, :]][:, None]


def elsewhere(config, weights, reference):
    """The model as the reference program, or translator/network.py, has it."""
    points = weights.get("geometry.points")
    layers, curvature = config["geometry_layers"], config["curvature"]
    sys.path.insert(0, reference or str(Path(__file__).parent / "translator"))
    if reference:
        import byt5_geo

        own = byt5_geo.ByT5(config, None if points is None else points.tolist())
        if points is not None:
            own.geometry.layers, own.geometry.c = layers, curvature
        own.load(weights)
    else:
        import network

        own = network.ByT5(config, points, layers, curvature)
        own.load_state_dict(weights)
    if points is not None and config.get("geometry_level") == "sign":
        own.geometry.forward = lambda ids: over_signs(own.geometry, ids)
    return own.eval()


def by_transformers(folder):
    """The model without its bias, and whether transformers misses nothing and knows all but the bias."""
    from transformers import T5ForConditionalGeneration

    net, report = T5ForConditionalGeneration.from_pretrained(folder, dtype=torch.float32, output_loading_info=True)
    net.eval()
    unknown = [name for name in report["unexpected_keys"] if not name.startswith("geometry.")]
    print(f"transformers: missing {sorted(report['missing_keys'])}, unexpected besides the bias {unknown}")
    whole = not report["missing_keys"] and not unknown
    return (lambda source, before: net(input_ids=source, decoder_input_ids=before).logits), whole


def compare(name, logits_of, outputs, texts):
    largest = 0.0
    for text, (output, expected) in zip(texts, outputs):
        target = tokens(output)
        whole = len(expected) if len(expected) == LONGEST else len(expected) - 1  # the end counts where it came
        if not target or len(target) not in (whole, len(expected)):
            print(f"{name}: {text!r}: {output!r} holds bytes that are no text; not compared")
            continue
        source, before = torch.tensor([tokens(text) + [1]]), torch.tensor([[0] + target[:-1]])
        with torch.no_grad():
            logs = torch.log_softmax(logits_of(source, before)[0].double(), -1)
        found = logs[torch.arange(len(target)), torch.tensor(target)]
        off = (found - torch.tensor(expected[: len(target)]).double()).abs().max().item()
        print(f"{name}: {text!r} -> {output!r}: {len(target)} bytes, largest difference {off:.2e}")
        largest = max(largest, off)
    print(f"{name}: largest difference of log probabilities {largest:.2e}")
    return largest < AGREEMENT


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tuppum")
    parser.add_argument("folder")
    parser.add_argument("--reference", help="a folder with byt5_geo.py")
    parser.add_argument("--text", action="append")
    parser.add_argument("--no-transformers", action="store_true")
    a = parser.parse_args()
    texts, good = a.text or TEXTS, True
    weights = load_file(Path(a.folder, "model.safetensors"))
    config = json.loads(Path(a.folder, "config.json").read_text())
    if a.no_transformers:
        bare = {name: value for name, value in weights.items() if not name.startswith("geometry.")}
        name, detached = "detached, reference", elsewhere(config, bare, a.reference)
    else:
        name = "detached, transformers"
        detached, good = by_transformers(a.folder)
    good &= compare(name, detached, written(a.tuppum, a.folder, texts, False), texts)
    if "geometry.points" in weights:
        own = elsewhere(config, weights, a.reference)
        good &= compare("with the bias, reference", own, written(a.tuppum, a.folder, texts, True), texts)
    sys.exit(0 if good else "the models differ")


if __name__ == "__main__":
    main()
