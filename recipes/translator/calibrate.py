"""Fits how far a translator's probabilities can be believed, and writes it into its `config.json`.

    python recipes/translator/calibrate.py TUPPUM MODEL VALIDATION [--least 0.55] [--write]

TUPPUM is the command line's binary, or a file `*.json` with its answers (`beams.py`). Takes the best of five beams for every pair of texts that neither the model nor the corpora have seen. A word is right if the edition's
translation of the line has it, in whatever place, letter case and punctuation left aside, once for each time. A logistic function of
two log-odds, of the word's probability (the product of its bytes') and of the geometric mean of the probabilities of all bytes, of
the logarithms of how many times as long as its source the translation is and of the word's place, and of whether it has been written
before, is fitted to that (Platt 1999), and another of the log-odds of the mean of its words to how many of a translation's words are
right. Prints tables in Markdown:
each half of the texts is judged by what was fitted on the other, so that no figure is flattered by the fit. Needs numpy. What it writes
is `crates/domain/src/translation/calibration.rs`'s `Calibration`.
"""

import argparse
import collections
import hashlib
import json
import math
from pathlib import Path

import numpy
from golden import write_manifest
from pairs import rows
from scores import answered
from sureness import plain

TABLES = ['oracc/parallel/oracc_akk_en.tsv.xz', 'cdli/parallel/cdli_akk_en_segments.tsv']
NEAREST = 1e-4  # as the program cuts probabilities
WHOLE = ['whole_constant', 'whole']
NAMES = ['word', 'translation', 'length', 'place', 'repeated']  # what a word is judged by, as `config.json` calls it
AT_A_TIME = 50  # sources; what the bytes looked at makes long answers
EDGES = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0]


def log_odds(probability):
    cut = min(max(probability, NEAREST), 1 - NEAREST)
    return math.log(cut / (1 - cut))


def judged(row, answer):
    """Each word of an answer: its probability, what it is judged by (in the order of NAMES), whether it is right."""
    length = math.log((len(answer['text'].encode()) + 1) / (len(row['source'].strip().encode()) + 1))
    data, probabilities = answer['text'].encode(), answer['byte_probabilities']
    # The mean of the page counts the end of the sequence too, which the command line does not print.
    mean = log_odds(math.exp(sum(math.log(max(own, 1e-30)) for own in probabilities) / max(1, len(probabilities))))
    wanted, found, start = collections.Counter(plain(word) for word in row['target'].split()), [], 0
    written = set()
    for before, word in enumerate(data.split()):
        start = data.index(word, start)
        probability = math.prod(probabilities[start:start + len(word)])
        start += len(word)
        name = plain(word.decode())
        own = log_odds(probability), mean, length, math.log(before + 1), float(name in written)
        found.append((probability, own, wanted[name] > 0))
        wanted[name] -= 1
        written.add(name)
    return found


def fitted(words):
    """Constant and weights by Newton's method; a little ridge keeps it from running away."""
    features = numpy.array([[1.0, *own] for _, own, _ in words])
    right, weights = numpy.array([float(is_right) for *_, is_right in words]), numpy.zeros(1 + len(NAMES))
    for _ in range(50):
        expected = 1 / (1 + numpy.exp(-features @ weights))
        slope = features.T @ (right - expected) - 1e-3 * weights
        curve = (features * (expected * (1 - expected))[:, None]).T @ features + 1e-3 * numpy.eye(len(weights))
        weights += numpy.linalg.solve(curve, slope)
    return weights


def expected(weights, words):
    features = numpy.array([[1.0, *own] for _, own, _ in words]).reshape(-1, 1 + len(NAMES))
    return 1 / (1 + numpy.exp(-features @ weights))


def fitted_whole(means, shares):
    """Constant and weight of the log-odds of a translation's mean, by Newton's method."""
    features = numpy.array([[1.0, log_odds(mean)] for mean in means])
    shares, weights = numpy.array(shares), numpy.array([0.0, 1.0])
    for _ in range(50):
        stated = 1 / (1 + numpy.exp(-features @ weights))
        curve = (features * (stated * (1 - stated))[:, None]).T @ features + 1e-3 * numpy.eye(2)
        weights = weights + numpy.linalg.solve(curve, features.T @ (shares - stated))
    return weights


def expected_of_whole(weights, mean):
    """The part of a translation's words that is right, from the mean of how often each of them is."""
    return 1 / (1 + numpy.exp(-weights[0] - weights[1] * log_odds(mean)))


def wholes(weights, lines):
    """The mean of what is expected of the words of each translation that has some, and the share that is right."""
    kept = [words for words in lines if words]
    means = [expected(weights, words).mean() for words in kept]
    return means, [sum(is_right for *_, is_right in words) / len(words) for words in kept]


def calibration_error(stated, right):
    """The expected calibration error over ten equal bins: mean distance of what is stated and what came true."""
    bins = numpy.minimum((stated * 10).astype(int), 9)
    return sum(abs(stated[bins == own].mean() - right[bins == own].mean()) * (bins == own).mean() for own in set(bins))


def table(title, stated, right):
    print(f'\n| {title} | words | right | stated in the mean |\n|---|---|---|---|')
    for low, high in zip(EDGES, EDGES[1:]):
        own = (stated >= low) & ((stated < high) | ((high == 1.0) & (stated <= 1.0)))
        if own.any():
            print(f'| {low:.2f} to {high:.2f} | {own.sum()} | {right[own].mean():.0%} | {stated[own].mean():.0%} |')
    print(f'\nexpected calibration error {calibration_error(stated, right):.3f}')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('tuppum')
    parser.add_argument('model', type=Path)
    parser.add_argument('validation')
    parser.add_argument('--least', type=float, default=0.55, help='a translation with fewer right words is held back')
    parser.add_argument('--answers', metavar='FOLDER', help='receives the translations, one a line, for `tuppum eval translate --translations`')
    parser.add_argument('--write', action='store_true')
    settings = parser.parse_args()
    lines = []
    for name in TABLES:
        pairs = [row for row in rows(f'{settings.validation}/{name}') if row['source'].strip()]
        found = []
        for start in range(0, len(pairs), AT_A_TIME):
            part = pairs[start:start + AT_A_TIME]
            found += answered(settings.tuppum, str(settings.model), part, [])
            for row, answer in zip(part, found[start:]):
                half = hashlib.sha256((row['text_id'] or row['id']).encode()).digest()[0] % 2
                lines.append((half, judged(row, answer), row, answer['text']))
        if settings.answers:
            written = ''.join(answer['text'].replace('\n', ' ') + '\n' for answer in found)
            Path(settings.answers, Path(name).name.split('.')[0] + '.txt').write_text(written, encoding='utf-8')
    halves = [[word for half, words, *_ in lines if half == own for word in words] for own in (0, 1)]
    weights = [fitted(halves[1]), fitted(halves[0])]
    every = halves[0] + halves[1]
    right = numpy.array([float(is_right) for *_, is_right in every])
    table('probability of the word', numpy.array([word[0] for word in every]), right)
    table('calibrated', numpy.concatenate([expected(weights[own], halves[own]) for own in (0, 1)]), right)
    by_half = [[words for half, words, *_ in lines if half == own] for own in (0, 1)]
    whole = [fitted_whole(*wholes(weights[own], by_half[1 - own])) for own in (0, 1)]
    stated = [(expected_of_whole(whole[half], expected(weights[half], words).mean()) if words else 0.0, words) for half, words, *_ in lines]
    print('\n| expected to be right | translations | words that are right | in the mean of translations |\n|---|---|---|---|')
    for low, high in zip(EDGES, EDGES[1:]):
        own = [words for share, words in stated if low <= share < high and words]
        if own:
            shares = [sum(is_right for *_, is_right in words) / len(words) for words in own]
            words = [is_right for words in own for *_, is_right in words]
            print(f'| {low:.2f} to {high:.2f} | {len(own)} | {numpy.mean(words):.0%} | {numpy.mean(shares):.0%} |')
    held = [words for share, words in stated if share < settings.least]
    kept = [is_right for share, words in stated if share >= settings.least for *_, is_right in words]
    print(f'\nheld back below {settings.least}: {len(held)} of {len(stated)} translations; of the words of all others {numpy.mean(kept):.0%} are right')
    every_weight = fitted(every)
    of_whole = fitted_whole(*wholes(every_weight, [words for _, words, *_ in lines]))
    own = dict(zip(['constant', *NAMES], every_weight)) | dict(zip(WHOLE, of_whole)) | dict(least_right=settings.least)
    own = {name: round(float(value), 4) for name, value in own.items()}
    print(json.dumps(own))
    if settings.write:
        path = settings.model / 'config.json'
        config = json.loads(path.read_text()) | {'calibration': own}
        path.write_text(json.dumps(config, indent=2) + '\n')
        write_manifest(settings.model, ['config.json', 'model.safetensors', 'golden.safetensors'])
        print('written, and the manifest anew')


if __name__ == '__main__':
    main()
