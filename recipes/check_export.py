"""Whether an exported translator is the same model elsewhere.

    python recipes/check_export.py TUPPUM FOLDER [--reference FOLDER_OF_BYT5_GEO] [--text TEXT]...

TUPPUM is the command line's binary, FOLDER a model's folder as `tuppum train` writes it. Every text is translated greedily by TUPPUM;
then the probability of every byte it wrote is computed again: with the bias detached by Hugging Face's transformers, which
must load the folder with no tensor missing or unexpected but those of the bias, and with the bias on by
translator/network.py, or by the byt5_geo.py of --reference. Prints the largest differences of log probabilities. Needs torch, transformers
and safetensors.
"""

import argparse
import json
import math
import subprocess
import sys
from pathlib import Path

import torch
from safetensors.torch import load_file
from transformers import T5ForConditionalGeneration

TEXTS = ["um-ma a-šur-i-di₂-ma", "a-na {d}UTU be-li₂-ia qi₂-bi₂-ma", "10 GIN₂ KU₃.BABBAR a-na a-lim{KI}"]
# Sums of f32 in another order, through every layer.
AGREEMENT = 1e-3


def written(tuppum, folder, texts, bias):
    """What TUPPUM wrote for each text, and the logarithm of the probability of every byte."""
    command = [tuppum, "translate", "-", "--raw", "--model", folder, "--beams", "1", "--json", "--longest", "120"]
    command += [] if bias else ["--no-bias"]
    done = subprocess.run(command, input="\n".join(texts), capture_output=True, text=True, check=True)
    outputs = [answer["translations"][0] for answer in json.loads(done.stdout)]
    return [(output["text"], [math.log(max(p, 1e-30)) for p in output["byte_probabilities"]]) for output in outputs]


def tokens(text):
    return [byte + 3 for byte in text.encode()]


def compare(name, logits_of, outputs, texts):
    largest = 0.0
    for text, (output, expected) in zip(texts, outputs):
        target = tokens(output)
        if not target or len(target) > len(expected):
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
    a = parser.parse_args()
    texts = a.text or TEXTS
    net, report = T5ForConditionalGeneration.from_pretrained(a.folder, dtype=torch.float32, output_loading_info=True)
    net.eval()
    unknown = [name for name in report["unexpected_keys"] if not name.startswith("geometry.")]
    print(f"transformers: missing {sorted(report['missing_keys'])}, unexpected besides the bias {unknown}")
    good = not report["missing_keys"] and not unknown
    forced = lambda source, before: net(input_ids=source, decoder_input_ids=before).logits  # noqa: E731
    good &= compare("detached, transformers", forced, written(a.tuppum, a.folder, texts, False), texts)
    weights = load_file(Path(a.folder, "model.safetensors"))
    if "geometry.points" in weights:
        config = json.loads(Path(a.folder, "config.json").read_text())
        if a.reference:
            sys.path.insert(0, a.reference)
            import byt5_geo
            own = byt5_geo.ByT5(config, weights["geometry.points"].tolist())
            own.geometry.layers, own.geometry.c = config["geometry_layers"], config["curvature"]
            own.load(weights)
        else:
            sys.path.insert(0, str(Path(__file__).parent / "translator"))
            import network
            own = network.ByT5(config, weights["geometry.points"], config["geometry_layers"], config["curvature"])
            own.load_state_dict(weights)
        own.eval()
        good &= compare("with the bias, reference", own, written(a.tuppum, a.folder, texts, True), texts)
    sys.exit(0 if good else "the models differ")


if __name__ == "__main__":
    main()
