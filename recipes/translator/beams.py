"""Beam search for many sources at once: what `tuppum translate` finds one by one (crates/domain/src/generation/beam.rs), for tables.

    python recipes/translator/beams.py MODEL DATA OUT.json [--own]

MODEL is a folder with `model.safetensors` and `config.json`. DATA holds pairs as `pairs.py` reads them; all are translated, or with --own
those that the recipe keeps for validation. OUT gets, for each pair, the row, the best translation and the probabilities of its bytes, as
`scores.py` and `calibrate.py` take them by `--answers`. Rows of like length are translated together.
"""

import argparse
import json
import math

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
        self.network = network
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
        if len(order) < len(self.mask):
            self.known = [[part[order] for part in pair] for pair in self.known]
            self.mask = self.mask[order]


class Search:
    """The beginnings of one source, best first, and its outputs."""

    def __init__(self):
        self.running, self.finished, self.is_over = [(0.0, ((), ()))], [], False

    def advance(self, candidates, logs, length):
        """Takes the best continuations (total, beam, token), best first; the beam and token of each beginning that goes on."""
        running, rows = [], []
        for rank, (total, beam, token) in enumerate(candidates):
            ends = token == END or length == LONGEST
            if ends and rank >= BEAMS or not ends and len(running) == BEAMS:
                continue
            tokens, own = self.running[beam][1]
            path = (*tokens, token), (*own, logs[beam, token].item())
            if ends:
                self.finished = sorted([*self.finished, (total / length, path)], key=lambda each: -each[0])[:BEAMS]
            else:
                running.append((total, path))
                rows.append((beam, token))
        worst = self.finished[-1][0] if len(self.finished) == BEAMS else -math.inf
        self.running, self.is_over = running, not running or running[0][0] / length <= worst
        return rows


@torch.no_grad()
def beams(network, sources):
    """For each source the bytes of the best output and the logarithms of their probabilities."""
    state, searches = Beams(network, sources), [Search() for _ in sources]
    active, ids = searches, torch.zeros(len(sources) * BEAMS, dtype=torch.long)
    for length in range(1, LONGEST + 1):
        logs = state.step(ids, length - 1).view(len(active), BEAMS, -1)
        vocabulary = logs.shape[-1]
        # At first there is one beginning; later as many as beams.
        totals = torch.tensor([[total for total, _ in own.running] + [-1e9] * (BEAMS - len(own.running)) for own in active])
        best, flat = (totals[..., None] + logs).flatten(1).topk(2 * BEAMS)
        order, tokens = [], []
        for number, own in enumerate(active):
            found = [(total, *divmod(place, vocabulary)) for total, place in zip(best[number].tolist(), flat[number].tolist())]
            rows = own.advance(found, logs[number], length)
            if not own.is_over:
                order += [number * BEAMS + beam for beam, _ in rows]
                tokens += [token for _, token in rows]
        active = [own for own in active if not own.is_over]
        if not active:
            break
        ids = torch.tensor(tokens)
        state.keep(torch.tensor(order))
    return [own.finished[0][1] for own in searches]


def answer(row, path):
    """As the command line answers: without the end of the sequence."""
    tokens, logs = path
    if tokens and tokens[-1] == END:
        tokens, logs = tokens[:-1], logs[:-1]
    return {'row': row, 'text': decode(tokens), 'byte_probabilities': [round(math.exp(log), 6) for log in logs]}


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
