"""Reference numbers for training the translator, computed by PyTorch's autograd and optimiser.

    python recipes/golden_training.py tests/golden/tiny-translator tests/golden/training

Reads the tiny translator with its hyperbolic bias and the rows of its golden file, and writes training.safetensors:
`loss`, and under each tensor's own name a table [1 + 12, 3]: first the length of its gradient and of its change in a step,
then for twelve numbers, those with the largest gradients, their place, gradient and value after the step. The step is that
of translator/train.py: gradients of weights and of points each cut to length 1, AdamW with decay for matrices only, Riemannian
Adam for the points. steps.json holds three steps of torch.optim.AdamW, of torch.optim.Muon and of transformers' Adafactor on a
few numbers. Gradients are computed in float64, so that they are exact for a port in float32, and so is Muon's iteration, which
torch rounds to bfloat16. Needs torch 2.9 or later, transformers and safetensors.
"""

import json
import sys
from pathlib import Path

import torch
import torch.nn.functional as F
from safetensors.torch import load_file, save_file
from transformers.optimization import Adafactor

sys.path.insert(0, str(Path(__file__).parent / "translator"))
import network  # noqa: E402
from ball_adam import BallAdam  # noqa: E402

KEPT = 12
RATE, DECAY, BETAS, CLIP, SMOOTHING = 1e-3, 0.01, (0.9, 0.98), 1.0, 0.05
WEIGHTS = [1.0, 0.5, 1.0]


class Norm64(torch.nn.Module):
    """The reference's norm, without its rounding to float32."""

    def __init__(self, weight):
        super().__init__()
        self.weight = weight

    def forward(self, x):
        return self.weight * (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6))


def exact_table(geometry):
    """The reference's distances with |x - y| taken directly, so that equal points have no gradient from rounding."""
    x, c = geometry.points, geometry.curvature
    apart = ((x[:, None] - x[None]) ** 2).sum(-1)
    inside = 1 - c * (x * x).sum(-1)
    u = 2 * c * apart / (inside[:, None] * inside[None]).clamp(min=1e-10)
    return torch.log1p(u + torch.sqrt(u * (u + 2) + 1e-9)) / c ** 0.5


def model(folder):
    config = json.loads((folder / "config.json").read_text())
    weights = {name: value.double() for name, value in load_file(folder / "model.safetensors").items()}
    net = network.ByT5(config, weights["geometry.points"], config["geometry_layers"], config["curvature"])
    net = net.double().eval()
    net.load_state_dict(weights)
    for module in list(net.modules()):
        for name, child in list(module.named_children()):
            if isinstance(child, network.Norm):
                setattr(module, name, Norm64(child.weight))
    geometry = net.geometry
    geometry.forward = lambda ids: -geometry.alpha * exact_table(geometry)[ids[:, :, None], ids[:, None, :]][:, None]
    return net


def rows(folder):
    golden = load_file(folder / "golden.safetensors")
    ids = golden["ids"].long().clamp(min=0)
    before = golden["targets"].long()
    # Targets of unequal length: what follows each place, the rest padding.
    targets = torch.cat([before[:, 1:], torch.ones_like(before[:, :1])], 1)
    targets[1, 5:] = 0
    targets[1, 4] = 1
    shifted = torch.cat([torch.zeros_like(targets[:, :1]), targets[:, :-1]], 1)
    return ids, shifted, targets


def gradients(net, ids, before, targets):
    logits = net(ids, before)
    weights = torch.tensor(WEIGHTS).double()[:, None] * (targets != 0)
    entropy = F.cross_entropy(logits.transpose(1, 2), targets, reduction="none", label_smoothing=SMOOTHING)
    loss = (entropy * weights).sum() / weights.sum()
    loss.backward()
    return loss


def step(net):
    named = [(name, own) for name, own in net.named_parameters()]
    torch.nn.utils.clip_grad_norm_([own for name, own in named if name != "geometry.points"], CLIP)
    groups = [
        {"params": [own for name, own in named if own.dim() > 1 and "geometry" not in name], "weight_decay": DECAY},
        {"params": [own for _, own in named if own.dim() <= 1], "weight_decay": 0.0},
    ]
    torch.optim.AdamW(groups, lr=RATE, betas=BETAS).step()
    geometry = net.geometry
    BallAdam(geometry.points, geometry.curvature, betas=BETAS, clip=CLIP).step(RATE * 10)


def whole_model(folder, out):
    net, (ids, before, targets) = model(folder), rows(folder)
    loss = gradients(net, ids, before, targets)
    found = {name: own.grad.clone() for name, own in net.named_parameters()}
    first = {name: own.detach().clone() for name, own in net.named_parameters()}
    step(net)
    # Shapes of pieces: [1 + 12, 3] each.
    tables = {"loss": torch.tensor([loss.item()]), "targets": torch.where(targets != 0, targets, -1).int()}
    for name, own in net.named_parameters():
        gradient = found[name].flatten()
        places = gradient.abs().topk(min(KEPT, gradient.numel())).indices
        after = own.detach().flatten()[places]
        table = torch.stack([places.double(), gradient[places], after], 1)
        moved = (own.detach() - first[name]).norm()
        head = torch.tensor([[float(len(places)), gradient.norm().item(), moved.item()]], dtype=torch.double)
        tables[name] = torch.cat([head, table]).float()
    save_file(tables, out / "training.safetensors")
    print("loss", loss.item(), "length", torch.stack([own.norm() for own in found.values()]).norm().item())


def steps_of(optimiser, value):
    """Three steps with gradients by chance that become smaller, and a rate that falls."""
    start, taken = value.detach().clone(), []
    for number in range(3):
        value.grad = torch.randn(value.shape).double() * 10.0 ** -number
        optimiser.param_groups[0]["lr"] = 1e-2 / (1 + number)
        optimiser.step()
        taken.append({"rate": 1e-2 / (1 + number), "gradient": value.grad.flatten().tolist(), "value": value.detach().flatten().tolist()})
    return {"columns": value.shape[-1], "start": start.flatten().tolist(), "steps": taken}


def single_steps(out):
    torch.manual_seed(3)

    def fresh(*shape):
        return torch.nn.Parameter(torch.randn(*shape).double())

    value = fresh(3, 4)
    adamw = {"decay": 0.1, "betas": BETAS, "epsilon": 1e-8}
    adamw = [adamw | steps_of(torch.optim.AdamW([value], lr=1e-2, betas=BETAS, weight_decay=0.1), value)]
    muon, adafactor = [], []
    torch.Tensor.bfloat16 = torch.Tensor.double
    for shape in [(3, 4), (5, 3)]:
        value = fresh(*shape)
        own = torch.optim.Muon([value], weight_decay=0.1, momentum=BETAS[0], adjust_lr_fn="match_rms_adamw")
        muon.append({"decay": 0.1, "betas": BETAS, "epsilon": 1e-7} | steps_of(own, value))
    for shape in [(3, 4), (5,)]:
        value = fresh(*shape)
        own = Adafactor([value], lr=1e-2, weight_decay=0.1, scale_parameter=False, relative_step=False, warmup_init=False)
        adafactor.append({"decay": 0.1, "betas": BETAS, "epsilon": 1e-30} | steps_of(own, value))
    steps = {"adamw": adamw, "muon": muon, "adafactor": adafactor}
    rounded = json.loads(json.dumps(steps), parse_float=lambda text: float(f"{float(text):.9g}"))
    (out / "steps.json").write_text(json.dumps(rounded) + "\n")


def main():
    folder, out = map(Path, sys.argv[1:3])
    out.mkdir(parents=True, exist_ok=True)
    whole_model(folder, out)
    single_steps(out)


if __name__ == "__main__":
    main()
