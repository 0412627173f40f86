"""Learns where the clauses of an Old Assyrian text begin, for texts that come without line ends.

    python recipes/translator/clauses.py FOLDER VALIDATION OUT.tsv

FOLDER is that of `deep_past.py`, with `pieces.tsv`; VALIDATION a table of sentences like its `sentences.tsv`. Between two words a
logistic function says how likely a clause begins: of the word before and the word behind, their signs beside the gap, and whether
they are numbers. OUT receives the weights in thousandths, as `crates/domain/src/translation/clauses.rs` reads them. Prints how
many places are found, and how many of those found are right, on the validation texts. Needs numpy.
"""

import collections
import itertools
import math
import os
import sys

import numpy as np
from deep_past import sentences

LEAST_COUNT, LEAST_WEIGHT = 15, 0.5  # of a feature that is kept
ROUNDS, RATE, PULL = 400, 0.05, 1.0  # of fitting by Adam, and the pull of weights to 0
THRESHOLDS = 0.2, 0.3, 0.4, 0.5
HEAD = """# Weights by recipes/translator/clauses.py, learnt from the Deep Past Challenge's sentences (Deep Past Initiative, OARE). CC BY-SA 4.0.
# What the words beside a place between two words say about a clause that begins there: b, f the word before and behind, B, F the
# sign beside the place, # any number; in thousandths of a logit.
"""


def runs(path):
    """The words of consecutive sentences, and where all but the first begin."""
    for pairs in sentences(path).values():
        lengths = [len(source.split()) for source, _ in pairs]
        if len(pairs) > 1:
            yield ' '.join(source for source, _ in pairs).split(), set(itertools.accumulate(lengths[:-1]))


def features(before, behind):
    """What the function knows of a place between two words."""
    left = ['b #'] if before[0].isdigit() else ['b ' + before, 'B ' + before.split('-')[-1]]
    return left + (['f #'] if behind[0].isdigit() else ['f ' + behind, 'F ' + behind.split('-')[0]])


def places(texts):
    """The features of all places between words, and whether a sentence begins there."""
    found = [(features(*words[place - 1:place + 1]), place in cuts) for words, cuts in texts for place in range(1, len(words))]
    return [own for own, _ in found], np.array([begins for _, begins in found], float)


class Logistic:
    """The function, with one weight for each feature."""

    def __init__(self, names, constant):
        self.number = {name: place for place, name in enumerate(names)}
        self.weights, self.constant = np.zeros(len(self.number)), constant

    def table(self, found):
        """The known features of all places one after the other, and of which place each is."""
        known = [[self.number[name] for name in own if name in self.number] for own in found]
        return np.array(list(itertools.chain.from_iterable(known)), int), np.repeat(np.arange(len(known)), list(map(len, known)))

    def probabilities(self, table, count):
        logits = self.constant + np.bincount(table[1], weights=self.weights[table[0]], minlength=count)
        return 1 / (1 + np.exp(-logits))

    def fit(self, found, wanted):
        table, size = self.table(found), len(self.weights) + 1
        mean, square = np.zeros(size), np.zeros(size)
        for step in range(1, ROUNDS + 1):
            error = self.probabilities(table, len(wanted)) - wanted
            gradient = np.append(np.bincount(table[0], weights=error[table[1]], minlength=size - 1) + PULL * self.weights, error.sum())
            mean, square = 0.9 * mean + 0.1 * gradient, 0.99 * square + 0.01 * gradient ** 2
            move = RATE * mean / (1 - 0.9 ** step) / (np.sqrt(square / (1 - 0.99 ** step)) + 1e-8)
            self.weights -= move[:-1]
            self.constant -= move[-1]


def report(model, found, wanted):
    own = model.probabilities(model.table(found), len(wanted))
    loss = -(wanted * np.log(own) + (1 - wanted) * np.log(1 - own)).mean()
    print(f'{int(wanted.sum())} beginnings at {len(wanted)} places, {loss:.4f} nats a place')
    for least in THRESHOLDS:
        chosen = own > least
        right = (chosen * wanted).sum()
        print(f'above {least}: {right / wanted.sum():.3f} found, {right / max(chosen.sum(), 1):.3f} of those chosen right')


def main():
    folder, validation, out = sys.argv[1:]
    texts = [own for name in ('sentences', 'pieces') if os.path.exists(f'{folder}/{name}.tsv') for own in runs(f'{folder}/{name}.tsv')]
    found, wanted = places(texts)
    counts = collections.Counter(itertools.chain.from_iterable(found))
    base = math.log(wanted.mean() / (1 - wanted.mean()))
    model = Logistic([name for name, count in counts.items() if count >= LEAST_COUNT], base)
    model.fit(found, wanted)
    kept = Logistic([name for name, place in model.number.items() if abs(model.weights[place]) >= LEAST_WEIGHT], base)
    kept.fit(found, wanted)
    report(kept, *places(list(runs(validation))))
    with open(out, 'w', encoding='utf-8') as file:
        file.write(HEAD + f'constant\t\t{round(1000 * kept.constant)}\n')
        for name, place in sorted(kept.number.items()):
            kind, word = name.split(' ')
            file.write(f'{kind}\t{word}\t{round(1000 * kept.weights[place])}\n')
    print(f'{len(kept.number)} features in {out}')


if __name__ == '__main__':
    main()
