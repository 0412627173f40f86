"""Golden files of PyTorch's own format: tiny `pytorch_model.bin`s, and what is in them as safetensors.

    python recipes/golden_torch_file.py tests/golden/torch
    python recipes/golden_torch_file.py tests/golden/tiny-translator-torch tests/golden/tiny-translator

The second writes the tiny translator of that folder again, as pytorch_model.bin with its config.json. The first
writes tiny.bin (types, aliases, views, a scalar, an empty tensor), protocol4.bin (the same, pickled otherwise), legacy.bin (before
PyTorch 1.6), transposed.bin and checkpoint.bin (to be refused), tiny.safetensors with the numbers of tiny.bin, and tiny-f16.safetensors
with what `tuppum convert` must make of it: halves, but for the geometry, and no aliases of shared.weight.
"""

import sys
from collections import OrderedDict
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file

out = Path(sys.argv[1])
out.mkdir(parents=True, exist_ok=True)
if len(sys.argv) > 2:
    translator = Path(sys.argv[2])
    torch.save(OrderedDict(load_file(translator / "model.safetensors")), out / "pytorch_model.bin")
    (out / "config.json").write_bytes((translator / "config.json").read_bytes())
    sys.exit()
torch.manual_seed(7)
shared, fused = torch.randn(5, 4), torch.randn(6, 3)
table = OrderedDict(
    [
        ("shared.weight", shared), ("encoder.embed_tokens.weight", shared), ("decoder.embed_tokens.weight", shared),
        ("block.0.upper", fused[:2]), ("block.0.lower", fused[2:]), ("half", torch.randn(3).half()), ("brain", torch.randn(2, 2, 2).bfloat16()),
        ("whole", torch.tensor([1, -2, 3], dtype=torch.int32)), ("scalar", torch.tensor(0.5)), ("none", torch.zeros(0, 4)), ("one", torch.randn(4, 1, 3)[:, :1].contiguous()),
        ("šumu", torch.tensor([2.0])), ("geometry.points", torch.randn(3, 2)),
    ]
)
table._metadata = OrderedDict([("", {"version": 1})])
torch.save(table, out / "tiny.bin")
torch.save(table, out / "protocol4.bin", pickle_protocol=4)
torch.save(OrderedDict([("a", torch.ones(2))]), out / "legacy.bin", _use_new_zipfile_serialization=False)
torch.save(OrderedDict([("a", torch.randn(2, 3).T)]), out / "transposed.bin")
torch.save({"step": 3, "state_dict": table}, out / "checkpoint.bin")
torch.save(OrderedDict([("a", torch.ones(2)), ("position_ids", torch.arange(3))]), out / "long.bin")
save_file({name: value.clone().contiguous() for name, value in table.items()}, out / "tiny.safetensors")
narrow = lambda name, value: value.half() if value.is_floating_point() and not name.startswith("geometry.") else value
save_file({name: narrow(name, value).clone().contiguous() for name, value in table.items() if "embed_tokens" not in name}, out / "tiny-f16.safetensors")
