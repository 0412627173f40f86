"""Makes the folder that the page opens of a trained translator.

    python recipes/translator/ship.py OUT models/translator

OUT is that of train.py. FOLDER receives model.safetensors and config.json as any program for ByT5 reads them, golden.safetensors
(states and logits of three lines, by which a device is tested) and manifest.json. Needs torch and safetensors.
"""

import argparse
import json
import shutil
from pathlib import Path

import torch
from golden import Exact, write_manifest
from network import ByT5, encode
from safetensors.torch import load_file, save_file

# A letter, a royal inscription with letters of two and three bytes, and a line longer than the largest bucket of positions.
SOURCES = [
    "a-na LUGAL be-li₂-ia",
    "{d}UTU EN GAL-u₂ ... MAN",
    "a-na a-lim{KI} u₃ ṣa-bi-im qi₂-bi-ma um-ma ka-ru-um ka-ni-iš-ma ṭup-pa-am ša a-lim{KI} ni-iš-me-ma",
]
TARGETS = ["To the king", "Šamaš, great lord", "To the City say"]
PLACES = 8


def rows(lists, filler):
    """Lists of tokens as one table."""
    longest = max(map(len, lists))
    return torch.tensor([own + [filler] * (longest - len(own)) for own in lists])


@torch.no_grad()
def golden(weights, config):
    """What the network makes of the lines, computed in f32 from the weights as they are shipped, distances in f64."""
    network = ByT5(config, weights['geometry.points'].float(), config['geometry_layers'], config['curvature'])
    network.load_state_dict({name: value.float() for name, value in weights.items()})
    network.eval()
    ids = rows([encode(source) for source in SOURCES], 0)
    targets = torch.tensor([[0] + encode(target)[:PLACES - 1] for target in TARGETS])
    network.geometry = Exact(network.geometry, ids)
    states, mask = network.encode(ids)
    logits = network.decode(targets, states, mask)
    found = {'byte.states': states.contiguous(), 'byte.logits': logits.contiguous()}
    return {'ids': torch.where(ids != 0, ids, -1).int(), 'targets': targets.int(), **found}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('out', type=Path)
    parser.add_argument('folder', type=Path)
    settings = parser.parse_args()
    settings.folder.mkdir(parents=True, exist_ok=True)
    config = json.loads((settings.out / 'config.json').read_text())
    config |= {'architectures': ['T5ForConditionalGeneration'], 'is_encoder_decoder': True}
    config['geometry_layers'] = min(config['geometry_layers'], config['num_layers'])
    (settings.folder / 'config.json').write_text(json.dumps(config, indent=2) + '\n')
    shutil.copy(settings.out / 'model.safetensors', settings.folder / 'model.safetensors')
    weights = load_file(settings.folder / 'model.safetensors')
    save_file(golden(weights, config), settings.folder / 'golden.safetensors')
    write_manifest(settings.folder, ['config.json', 'model.safetensors', 'golden.safetensors'])


if __name__ == '__main__':
    main()
