"""Reference numbers for the translator: a tiny random ByT5, computed by PyTorch in float32.

    python recipes/golden_translator.py tests/golden/tiny-translator

Writes manifest.json, config.json, model.safetensors (f16, with the hyperbolic bias in f32), signs.safetensors (a bias over other points,
as the mode over signs has it), golden.safetensors and golden.json. Without the bias the numbers are those of Hugging Face's
T5ForConditionalGeneration, beams too; with it the states are those of translator/network.py, and Hugging Face's
decoder and beam search go on from them. `ids` [3, L] and `targets` [3, T] are padded with -1; `plain`, `tied`, `byte` and
`sign` are the ways: without the bias; without it and with the embeddings as output weights; with it over bytes; over signs.
Needs torch, transformers and safetensors.
"""

import argparse
import json
import math
import sys
import tempfile
from pathlib import Path

import torch
from safetensors.torch import save_file
from transformers import ByT5Tokenizer, T5ForConditionalGeneration
from transformers.modeling_outputs import BaseModelOutput

sys.path.insert(0, str(Path(__file__).parent / "translator"))
import network  # noqa: E402
from golden import Exact, write_manifest  # noqa: E402

SIZE = dict(d_model=32, d_kv=12, num_heads=3, d_ff=64, num_layers=2, num_decoder_layers=2)
CONFIG = dict(
    SIZE, vocab_size=384, dropout_rate=0.1, relative_attention_num_buckets=32, relative_attention_max_distance=128,
    layer_norm_epsilon=1e-6, feed_forward_proj="gated-gelu", tie_word_embeddings=False, is_encoder_decoder=True,
    decoder_start_token_id=0, pad_token_id=0, eos_token_id=1, model_type="t5",
    architectures=["T5ForConditionalGeneration"], geometry_layers=1, curvature=1.0,
)
# Old Assyrian, a royal inscription with letters of two and three bytes, and a line longer than the largest bucket.
SOURCES = [
    "um-ma a-šur-i-di₂-ma",
    "{d}UTU EN GAL-u₂ ... MAN",
    "a-na a-lim{KI} u₃ ṣa-bi-im qi₂-bi-ma um-ma ka-ru-um ka-ni-iš-ma ṭup-pa-am ša a-lim{KI} ni-iš-me-ma "
    "a-na ṣe₂-ri-ku-nu ni-iš-ta-pa-ra-am",
]
TARGETS = ["Thus says Aššur", "To the city and", "Šamaš, great lo"]
SIGN_POINTS = 40
LONGEST = 40


def random_weights():
    """Weights of a size that keeps activations near 1 and lets letters and the end win over other bytes."""
    torch.manual_seed(2)
    net = network.ByT5(CONFIG, points(384))
    weights = {}
    for name, value in net.state_dict().items():
        noise = torch.randn(value.shape)
        if name.endswith("layer_norm.weight"):
            weights[name] = 1 + 0.2 * noise
        elif name == "shared.weight":
            weights[name] = noise
        elif "relative_attention_bias" in name:
            weights[name] = 0.7 * noise
        elif name.startswith("geometry"):
            weights[name] = value
        elif name == "lm_head.weight":
            weights[name] = 0.25 * noise / math.sqrt(value.shape[1])
            likely = [1] + [3 + byte for byte in "abdehilmnorstu š".encode()]
            weights[name][likely] *= 10.0
        else:
            scale = 0.6 if ".q." in name else 1.4
            weights[name] = scale * noise / math.sqrt(value.shape[1])
    weights["geometry.alpha"] = torch.tensor(0.35)
    return {name: value if name.startswith("geometry") else value.half() for name, value in weights.items()}


def points(count):
    """Directions at random, norms up to 0.95, the first point at the origin."""
    generator = torch.Generator().manual_seed(count)
    direction = torch.nn.functional.normalize(torch.randn(count, 32, generator=generator), dim=-1)
    return direction * (0.95 * torch.rand(count, 1, generator=generator)) * (torch.arange(count) > 0)[:, None]


def hugging_face(weights, tied=False):
    """Loaded from a folder as anyone would; with the embeddings as output weights where it is `tied`."""
    with tempfile.TemporaryDirectory() as folder:
        own = {name: value.float() for name, value in weights.items() if not name.startswith("geometry")}
        if tied:
            del own["lm_head.weight"]
        Path(folder, "config.json").write_text(json.dumps(dict(CONFIG, tie_word_embeddings=tied)))
        save_file(own, Path(folder, "model.safetensors"), metadata={"format": "pt"})
        net = T5ForConditionalGeneration.from_pretrained(folder, attn_implementation="eager", dtype=torch.float32).eval()
    assert tied == torch.equal(net.lm_head.weight, net.shared.weight)
    return net


def pad(rows, filler):
    length = max(map(len, rows))
    return torch.tensor([row + [filler] * (length - len(row)) for row in rows])


class Writer:
    def __init__(self):
        self.tensors, self.cases, self.tokenizer = {}, [], ByT5Tokenizer()

    def way(self, name, net, encoded=None, attention=False):
        """States, logits and texts of one way; `encoded` where the states are not Hugging Face's own."""
        mask = (ids != 0).long()
        with torch.no_grad():
            states = net.encoder(ids, attention_mask=mask).last_hidden_state if encoded is None else encoded
            known = BaseModelOutput(last_hidden_state=states)
            found = net(encoder_outputs=known, attention_mask=mask, decoder_input_ids=targets, output_attentions=attention)
        if name != "tied":  # they are those of `plain`
            self.tensors[f"{name}.states"] = states.contiguous()
        self.tensors[f"{name}.logits"] = found.logits.contiguous()
        if attention:
            self.tensors[f"{name}.attention"] = torch.stack(found.cross_attentions).mean((0, 2)).contiguous()
        if name != "tied":
            ways = [dict(num_beams=5), dict(num_beams=5, length_penalty=0.4), dict(num_beams=3, early_stopping=True), dict(num_beams=1)]
            for way in ways:
                self.texts(name, net, known, mask, way)

    def texts(self, name, net, known, mask, way):
        beams = way["num_beams"]
        with torch.no_grad():
            out = net.generate(
                encoder_outputs=BaseModelOutput(last_hidden_state=known.last_hidden_state.clone()), attention_mask=mask,
                do_sample=False, max_new_tokens=LONGEST, num_return_sequences=beams, return_dict_in_generate=True,
                output_scores=True, **way,
            )
        scores = out.sequences_scores.tolist() if beams > 1 else [None] * len(SOURCES)
        for row in range(len(SOURCES)):
            outputs = []
            for sequence, score in zip(out.sequences[row * beams:(row + 1) * beams].tolist(), scores[row * beams:(row + 1) * beams]):
                # What follows the end is filled up, after a beam search with ends.
                tokens = sequence[1:]
                tokens = tokens[:tokens.index(1) + 1] if 1 in tokens else tokens
                text = self.tokenizer.decode(tokens, skip_special_tokens=True, clean_up_tokenization_spaces=False)
                outputs.append({"tokens": tokens, "text": text, "score": score})
            case = {"way": name, "row": row, "beams": beams, "length_penalty": way.get("length_penalty", 1.0),
                    "early": way.get("early_stopping", False), "longest": LONGEST, "outputs": outputs}
            self.cases.append(case)
            print(name, way, [(round(o["score"] or 0, 4), len(o["tokens"]), o["text"]) for o in outputs[:2]])


def with_bias(weights, point_table):
    """The reference with these points."""
    net = network.ByT5(CONFIG, point_table).eval()
    net.load_state_dict({**{name: value.float() for name, value in weights.items()}, "geometry.points": point_table})
    net.geometry.layers = CONFIG["geometry_layers"]
    return net


def states_with_bias(net, numbers):
    """The reference's states, and how far those with its own distances in f32 are from them."""
    before = net.encode(ids)[0] if numbers is ids else None
    net.geometry = Exact(net.geometry, numbers)
    states = net.encode(ids)[0]
    if before is not None:
        print("with distances in f32:", ((states - before).abs().max() / states.abs().max()).item())
    return states


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    weights = random_weights()
    writer, plain = Writer(), hugging_face(weights)
    writer.way("plain", plain, attention=True)
    writer.way("tied", hugging_face(weights, tied=True))
    reference = with_bias(weights, weights["geometry.points"])
    with torch.no_grad():
        writer.way("byte", plain, states_with_bias(reference, ids))
        sign_points = points(SIGN_POINTS)
        signed = with_bias(weights, sign_points)
        generator = torch.Generator().manual_seed(1)
        numbers = torch.randint(0, SIGN_POINTS, ids.shape, generator=generator) * (ids != 0)
        writer.way("sign", plain, states_with_bias(signed, numbers))
    rows = {"ids": torch.where(ids != 0, ids, -1).int(), "targets": targets.int(),
            "sign.points": torch.where(ids != 0, numbers, -1).int()}
    (folder / "config.json").write_text(json.dumps(CONFIG, indent=2) + "\n")
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    save_file({"geometry.points": sign_points, "geometry.alpha": weights["geometry.alpha"]}, folder / "signs.safetensors")
    save_file({**rows, **writer.tensors}, folder / "golden.safetensors")
    cases = ",\n".join(json.dumps(case, ensure_ascii=False) for case in writer.cases)
    (folder / "golden.json").write_text(f"[\n{cases}\n]\n")
    write_manifest(folder, ["config.json", "model.safetensors", "golden.safetensors"])


ids = pad([network.encode(source) for source in SOURCES], 0)
targets = torch.tensor([[0] + network.encode(target)[:-1][:7] for target in TARGETS])

if __name__ == "__main__":
    main()
