"""Beam search for many sources at once: what `tuppum translate` finds one by one (crates/tasks/src/generation/beam.rs), for tables.

    python recipes/translator/beams.py MODEL DATA OUT.json [--own]

MODEL is a folder with `model.safetensors` and `config.json`. DATA holds pairs as `pairs.py` reads them; all are translated, or with --own
those that the recipe keeps for validation. OUT gets, for each pair, the row, the best translation and the probabilities of its bytes, as
`scores.py` and `calibrate.py` take them by `--answers`. Rows of like length are translated together.
"""

import argparse
import json

import torch
from beside import opened
from greedy import heads, look
from network import decode, positions
from pairs import TABLES, padded, rows
from scores import validation

BEAMS, LONGEST, END = 5, 512, 1
SOURCES = 24  # at once


class Beams:
    """The beginnings of some sources, five of each, in a decoder that keeps keys and values."""

    def __init__(self, network, sources):
        self.network, self.count = network, len(sources)
        memory, mask = network.encode(torch.tensor(padded(sources)))
        self.mask = mask.repeat_interleave(BEAMS, 0)
        self.cross = [block.layer[1].EncDecAttention for block in network.decoder.block]
        self.known = [[heads(own, part(memory)).repeat_interleave(BEAMS, 0) for part in (own.k, own.v)] for own in self.cross]
        self.seen = [None] * len(self.cross)
        self.table = positions(network.decoder, LONGEST, 'cpu')

    def step(self, ids, place):
        """Logarithms of the probabilities of the next byte, [rows, vocabulary]."""
        network, x = self.network, self.network.shared(ids[:, None])
        for number, block in enumerate(network.decoder.block):
            own, inner = block.layer[0].SelfAttention, block.layer[0].layer_norm(x)
            new = heads(own, own.k(inner)), heads(own, own.v(inner))
            self.seen[number] = new if place == 0 else tuple(torch.cat(pair, 2) for pair in zip(self.seen[number], new))
            x = x + look(own, inner, *self.seen[number], self.table[:, :, place:place + 1, :place + 1])
            x = x + look(self.cross[number], block.layer[1].layer_norm(x), *self.known[number], self.mask)
            x = x + block.layer[2].DenseReluDense(block.layer[2].layer_norm(x), network.drop)
        return network.lm_head(network.decoder.final_layer_norm(x))[:, -1].float().log_softmax(-1)

    def keep(self, order):
        """Goes on with these rows."""
        self.seen = [tuple(part[order] for part in pair) for pair in self.seen]


@torch.no_grad()
def beams(network, sources):
    """For each source the bytes of the best output and the logarithms of their probabilities."""
    state, count = Beams(network, sources), len(sources)
    totals = torch.full((count, BEAMS), -1e9)
    totals[:, 0] = 0.0
    running = [[([], []) for _ in range(BEAMS)] for _ in range(count)]
    finished, over = [[] for _ in range(count)], [False] * count
    ids = torch.zeros(count * BEAMS, dtype=torch.long)
    for place in range(LONGEST):
        scores = state.step(ids, place)
        vocabulary = scores.shape[-1]
        best, flat = (totals[..., None] + scores.view(count, BEAMS, -1)).flatten(1).topk(2 * BEAMS)
        order = torch.arange(count * BEAMS)
        for source in range(count):
            if over[source]:
                continue
            going = []
            for rank, (total, number) in enumerate(zip(best[source].tolist(), flat[source].tolist())):
                beam, token = divmod(number, vocabulary)
                ends = token == END or place + 1 == LONGEST
                if ends and rank >= BEAMS or not ends and len(going) == BEAMS:
                    continue
                tokens, own = running[source][beam]
                path = tokens + [token], own + [scores[source * BEAMS + beam, token].item()]
                if ends:
                    finished[source] = sorted([*finished[source], (total / (place + 1), path)], key=lambda each: -each[0])[:BEAMS]
                else:
                    going.append((total, beam, token, path))
            worst = finished[source][-1][0] if len(finished[source]) == BEAMS else -float('inf')
            over[source] = not going or going[0][0] / (place + 1) <= worst
            if over[source]:
                continue
            for row, (total, beam, token, path) in enumerate(going):
                at = source * BEAMS + row
                totals[source, row], order[at], ids[at], running[source][row] = total, source * BEAMS + beam, token, path
        if all(over):
            break
        state.keep(order)
    return [each[0][1] for each in finished]


def answer(row, path):
    """As the command line answers: without the end of the sequence."""
    tokens, logs = path
    if tokens and tokens[-1] == END:
        tokens, logs = tokens[:-1], logs[:-1]
    return {'row': row, 'text': decode(tokens), 'byte_probabilities': [round(2.718281828459045 ** log, 6) for log in logs]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ('model', 'data', 'out'):
        parser.add_argument(name)
    parser.add_argument('--own', action='store_true')
    parser.add_argument('--threads', type=int, default=2)
    settings = parser.parse_args()
    torch.set_num_threads(settings.threads)
    tables = [validation(settings.data, table)[0] if settings.own else rows(f'{settings.data}/{table}') for table in TABLES]
    kept = [row for table in tables for row in table]
    network, found = opened(settings.model), [None] * len(kept)
    order = sorted(range(len(kept)), key=lambda place: len(kept[place]['source'].encode()))
    for start in range(0, len(order), SOURCES):
        places = order[start:start + SOURCES]
        for place, path in zip(places, beams(network, [kept[place]['source'].strip() for place in places])):
            found[place] = answer(kept[place], path)
        print(start + len(places), 'of', len(order), flush=True)
    with open(settings.out, 'w', encoding='utf-8') as file:
        json.dump(found, file, ensure_ascii=False)


if __name__ == '__main__':
    main()
