"""Greedy translations of pairs' sources by a translator that was trained to read a neighbour beside them (`train.py --neighbours`).

    python recipes/translator/beside.py MODEL PAIRS NEIGHBOURS OUT

MODEL is a folder with `model.safetensors` and `config.json`, PAIRS a table with the column `source`, NEIGHBOURS has a translation a
line, in the order of the pairs: what `tuppum eval translate --memory … --json` finds for them. An empty line is no neighbour. OUT gets a
translation a line, for `tuppum eval translate --translations`. Rows of like length are translated together.
"""

import json
import sys

import torch
from greedy import greedy
from network import ByT5
from pairs import BETWEEN, LONGEST_NEIGHBOUR, rows
from safetensors.torch import load_file

AT_ONCE, LONGEST = 32, 512


def opened(folder):
    """The translator in a folder, in numbers of 32 bits."""
    with open(f'{folder}/config.json', encoding='utf-8') as file:
        config = json.load(file)
    weights = {name: value.float() for name, value in load_file(f'{folder}/model.safetensors').items()}
    own = config.get('geometry_layers', 4), config.get('curvature', 1.0)
    network = ByT5(config, weights.get('geometry.points'), *own)
    network.load_state_dict(weights)
    return network.eval()


def main():
    model, pairs, neighbours, out = sys.argv[1:]
    sources = [row['source'] for row in rows(pairs)]
    with open(neighbours, encoding='utf-8') as file:
        near = file.read().splitlines()
    if len(near) != len(sources):
        raise SystemExit(f'{neighbours} has {len(near)} lines for {len(sources)} pairs; each pair needs one, be it empty.')
    read = [
        source + BETWEEN + beside if beside and len(beside.encode()) <= LONGEST_NEIGHBOUR else source
        for source, beside in zip(sources, near)
    ]
    network, found = opened(model), [''] * len(read)
    order = sorted(range(len(read)), key=lambda place: len(read[place]))
    for start in range(0, len(order), AT_ONCE):
        places = order[start:start + AT_ONCE]
        for place, text in zip(places, greedy(network, [read[place] for place in places], LONGEST, torch.device('cpu'))):
            found[place] = ' '.join(text.split())
        print(start, flush=True)
    with open(out, 'w', encoding='utf-8') as file:
        file.writelines(text + '\n' for text in found)


if __name__ == '__main__':
    main()
