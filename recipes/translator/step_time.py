"""Times a step of training by PyTorch on one thread, for `cargo xtask bench --peers --training`.

    python recipes/translator/step_time.py

It does what the worker's bench does (`tests/wasm/benches/training.rs`): a translator of the size mini without its bias, 16 pairs of twice 128
tokens, dropout 0.1, AdamW, gradients clipped to a norm of 1. Prints `training N ms a step`, the middle of nine after three. Needs torch.
"""

import time

import torch
import torch.nn.functional as F
from network import END, FIRST_BYTE, ByT5, config_of

PAIRS, TOKENS = 16, 128
WARM_UP, TIMES = 3, 9


def rows():
    """Letters drawn at random, the end of the text last."""
    ids = torch.randint(FIRST_BYTE + ord('a'), FIRST_BYTE + ord('z') + 1, (PAIRS, TOKENS))
    ids[:, -1] = END
    return ids


def main():
    torch.manual_seed(1)
    torch.set_num_threads(1)
    network = ByT5(config_of('mini')).train()
    network.initialise()
    optimiser = torch.optim.AdamW(network.parameters(), lr=3e-4, weight_decay=0.01)
    times = []
    for step in range(WARM_UP + TIMES):
        source, target = rows(), rows()
        before = torch.cat([torch.zeros_like(target[:, :1]), target[:, :-1]], 1)
        start = time.perf_counter()
        optimiser.zero_grad()
        loss = F.cross_entropy(network(source, before).flatten(0, 1), target.flatten())
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimiser.step()
        if step >= WARM_UP:
            times.append(time.perf_counter() - start)
    print(f'training {1000 * sorted(times)[TIMES // 2]:.1f} ms a step')


if __name__ == '__main__':
    main()
