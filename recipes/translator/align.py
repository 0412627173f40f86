"""Cuts whole texts and their translations into pieces that belong together: a sentence of English and its words of Akkadian.

    python recipes/translator/align.py FOLDER

FOLDER is that of `deep_past.py`. Which word stands for which is learnt from the editors' sentences and then from the cut texts
too: IBM's Model 1 in both directions (Brown et al. 1993, https://aclanthology.org/J93-2003), beside which names that sound alike
and equal numbers count as known. The cuts of a text are those with the highest sum over its sentences, found by dynamic
programming; sentences keep their order. Words that often begin or end one of the editors' sentences make a cut likelier there.

The editors' sentences are cut anew in the same way, run by run: their table names first words, and a verb that belongs to one
sentence often stands at the beginning of the next.

Writes `pieces.tsv` and `recut.tsv`, and prints how many cuts of the texts that both have agree with the editors', and how often
the numbers of a piece are those of its translation, before and after.
"""

import collections
import math
import re
import sys

import numpy as np
from deep_past import english, sentences
from tables import rows

ROUNDS = 5  # of learning the words
STEM = 6  # letters of a word by which it is known
KNOWN, LEAST_LIKENESS = 0.5, 0.55  # probability of equal numbers and of names that sound alike; their least likeness
FLOOR = 1e-5  # probability of a word that nothing explains
CUE = 1.0  # weight of words that begin or end sentences
LEAST_WORTH = 0.2  # of a piece, per word, beside what the whole text explains of them
VOICED = str.maketrans({'b': 'p', 'd': 't', 'g': 'k', 'q': 'k', 'ṭ': 't', 'ṣ': 's', 'z': 's', 'š': 's', 'ḫ': 'h', 'w': 'm', 'y': 'i', 'j': 'i', 'e': 'i'})
LONG = str.maketrans('āēīūâêîûàèìùáéíú', 'aeiuaeiuaeiuaeiu')
LOGOGRAMS = {'DINGIR': 'il', 'PUZUR₄': 'puzur', 'MAN': 'puzur', 'IŠTAR': 'ištar', 'EN.ZU': 'suen', 'IM': 'adad', 'IŠKUR': 'adad',
             'UTU': 'šamaš', 'SIG₅': 'damiq', 'EN.LIL₂': 'illil', 'MAR.TU': 'amurrum', 'KAL': 'lamassi', 'GAL': 'rabi', 'BALA': 'bala'}


def sounds(word):
    """Letters of a word or name as they are compared: no lengths, no doublings, one letter for those that are often exchanged."""
    for logogram, reading in LOGOGRAMS.items():
        word = word.replace(logogram, reading)
    letters = re.sub(r'[^a-zšṣṭḫ]', '', word.lower().translate(LONG)).translate(VOICED)
    return re.sub(r'(.)\1+', r'\1', letters)


def likeness(one, other):
    """Dice's coefficient of the pairs of letters of two words, 0 to 1."""
    pairs = [collections.Counter(zip(own, own[1:])) for own in (one, other)]
    whole = sum(pairs[0].values()) + sum(pairs[1].values())
    return 2 * sum((pairs[0] & pairs[1]).values()) / whole if whole else 0.0


def stem(word):
    """What a word of Akkadian is known by."""
    if word[0].isdigit():
        return word
    return sounds(word)[:STEM] or word


def words_of(target):
    """The words of a translation."""
    return re.findall(r"\d+(?:/\d+)?|[^\W\d_]+(?:[-'’ʾ][^\W\d_]+)*", target)


def sentences_of(target):
    """The sentences of a translation."""
    return [part for part in re.split(r'(?<=[.!?])["”’)]*\s+(?=["“‘(]*(?:[A-ZĀĒĪŪŠṢṬḪÁ]|\d|\.\.\.))', target) if words_of(part)]


class Model:
    """Probabilities of words of one language given words of the other, both ways."""

    def __init__(self):
        self.tables = None  # of English given Akkadian, and of Akkadian given English
        self.alike = {}

    def learn(self, pairs):
        """Learns from pairs of (Akkadian stems and words, English words)."""
        for _ in range(ROUNDS):
            self.tables = [self.round(pairs, side) for side in (0, 1)]

    def round(self, pairs, side):
        """One round of expectation and maximisation; the words of one side by those of the other."""
        counts = collections.defaultdict(lambda: collections.defaultdict(float))
        for pair in pairs:
            known = self.table(pair, side) if self.tables else np.ones((len(pair[side]) + 1, len(pair[1 - side])))
            known = known / known.sum(0)
            for row, cause in enumerate(('', *pair[side])):
                for column, own in enumerate(pair[1 - side]):
                    if known[row, column] > 1e-4:
                        counts[key(cause)][key(own)] += known[row, column]
        return {cause: (found, sum(found.values())) for cause, found in counts.items()}

    def table(self, pair, side):
        """Probability of each word of the other side [columns] by each word of this side, nothing first [rows]."""
        found = np.full((len(pair[side]) + 1, len(pair[1 - side])), FLOOR)
        for row, cause in enumerate(('', *pair[side])):
            own, total = self.tables[side].get(key(cause), ({}, 1.0))
            for column, word in enumerate(pair[1 - side]):
                found[row, column] += own.get(key(word), 0.0) / (total + 1.0)
                if cause:
                    found[row, column] += KNOWN * self.known(*((cause, word) if side == 0 else (word, cause)))
        return found

    def known(self, akkadian, english):
        """How well two words fit without being learnt: names that sound alike, equal numbers."""
        if (akkadian, english) not in self.alike:
            self.alike[akkadian, english] = fit(akkadian, english)
        return self.alike[akkadian, english]


def fit(akkadian, own):
    if own[0].isdigit() or akkadian[0].isdigit():
        return float(own == akkadian)
    if not own[0].isupper():
        return 0.0
    found = likeness(sounds(akkadian), sounds(own))
    return found ** 2 if found >= LEAST_LIKENESS else 0.0


def key(word):
    """A word as the tables know it: English in small letters, Akkadian by its stem."""
    return word if not word or word.startswith('\t') else '\t' + (stem(word) if is_akkadian(word) else word.lower())


def is_akkadian(word):
    return '-' in word and word.islower() or any(letter in word for letter in '{₂₃₄₅₆₇₈₉')


class Cues:
    """How much likelier a word is at the beginning, or the end, of a sentence than anywhere."""

    def __init__(self, sources):
        whole = collections.Counter(stem(word) for source in sources for word in source)
        self.first, self.last = (
            {own: math.log((count + 0.5) / (share * whole[own] + 0.5)) for own, count in collections.Counter(stem(source[place]) for source in sources).items()}
            for place, share in ((0, len(sources) / sum(whole.values())), (-1, len(sources) / sum(whole.values())))
        )

    def of(self, source):
        """For each place between words, 0 before the first, what a cut there is worth."""
        first = [self.first.get(stem(word), -1.0) for word in source] + [0.0]
        last = [0.0] + [self.last.get(stem(word), -1.0) for word in source]
        return CUE * np.clip(np.array(first) + np.array(last), -3.0, 3.0)


def cut(model, cues, source, parts):
    """For the sentences of a translation, where the words of each end, and what each is worth."""
    words = [words_of(part) for part in parts]
    length, joined = len(source), [word for own in words for word in own]
    forward = model.table((source, joined), 0)
    backward = model.table((source, joined), 1)
    sums = np.vstack([np.zeros(len(joined)), np.cumsum(forward[1:], 0)])
    by_all = np.log(backward.mean(0) + FLOOR)  # each word of Akkadian by the whole translation
    worth, begin = [], 0
    at = cues.of(source)
    for own in words:
        end = begin + len(own)
        # [first, last] of the span: the English by it, beside the English by the whole text.
        explained = sums[None, :, begin:end] - sums[:, None, begin:end] + forward[0, begin:end]
        spans = np.arange(length + 1)[None, :] - np.arange(length + 1)[:, None]
        by_span = np.log(np.maximum(explained, FLOOR) / (np.maximum(spans, 1)[..., None] + 1.0)).sum(-1)
        by_text = np.log((sums[-1, begin:end] + forward[0, begin:end]) / (length + 1.0)).sum()
        inverse = np.log((backward[0] + backward[1 + begin:1 + end].sum(0)) / (len(own) + 1.0) + FLOOR) - by_all
        gathered = np.concatenate([[0.0], np.cumsum(inverse)])
        found = by_span - by_text + gathered[None, :] - gathered[:, None]
        found[spans < 1] = -np.inf
        worth.append(found)
        begin = end
    best, back = np.full(length + 1, -np.inf), []
    best[0] = 0.0
    for number, own in enumerate(worth):
        total = best[:, None] + own + (at[:, None] if number else 0.0)
        back.append(total.argmax(0))
        best = total.max(0)
    if not math.isfinite(best[length]):
        return None
    ends, place = [], length
    for number in range(len(parts) - 1, -1, -1):
        first = back[number][place]
        ends.append((place, worth[number][first, place] / (place - first + len(words[number]))))
        place = first
    return ends[::-1]


def main():
    folder = sys.argv[1]
    edited = collections.defaultdict(list)
    for row in rows(f'{folder}/sentences.tsv'):
        edited[row['oare_id']].append((row['source'].split(), english(row['target'])))
    pairs = [(source, words_of(target)) for own in edited.values() for source, target in own]
    texts = [(row['oare_id'], row['source'].split(), sentences_of(english(row['target']))) for row in rows(f'{folder}/pairs.tsv')]
    cues = Cues([source for source, _ in pairs])
    model, cuts = Model(), {}
    model.learn(pairs)
    for turn in range(2):
        pieces = []
        for name, source, parts in texts:
            found = cut(model, cues, source, parts) if len(parts) <= len(source) else None
            cuts[name] = found
            begin = 0
            for part, (end, worth) in zip(parts, found or []):
                pieces.append((name, source[begin:end], part, worth if len(parts) > 1 else math.inf))
                begin = end
        if turn == 0:
            model.learn(pairs + [(source, words_of(part)) for _, source, part, worth in pieces if worth > LEAST_WORTH])
    write(f'{folder}/pieces.tsv', pieces)
    compare(edited, texts, cuts)
    recut(folder, model, cues)


def recut(folder, model, cues):
    """Cuts the editors' sentences anew, and writes them."""
    before, after, runs = [], [], sentences(f'{folder}/sentences.tsv')
    for name, pairs in runs.items():
        source, begin = ' '.join(source for source, _ in pairs).split(), 0
        parts = [target for _, target in pairs]
        found = cut(model, cues, source, parts) if all(map(words_of, parts)) and len(parts) <= len(source) else None
        before += pairs
        for part, (end, worth) in zip(parts, found or []):
            after.append((name, source[begin:end], part, worth if len(parts) > 1 else math.inf))
            begin = end
    write(f'{folder}/recut.tsv', after)
    kept = [(' '.join(source), part) for _, source, part, worth in after if worth > LEAST_WORTH]
    for name, own in ('before', before), ('after', kept):
        counted = [same_numbers(*pair) for pair in own if re.search(r'\d', ''.join(pair))]
        print(f'{sum(counted)} of {len(counted)} sentences with numbers have the same ones in both languages {name}')


def same_numbers(source, target):
    """Whether the whole numbers of two texts are the same."""
    return sorted(re.findall(r'(?<![\d/])\d+(?![\d/])', source)) == sorted(re.findall(r'(?<![\d/])\d+(?![\d/])', target))


def write(path, pieces):
    """Writes the pieces that are worth it, numbered within their text."""
    kept, numbers = 0, collections.Counter()
    with open(path, 'w', encoding='utf-8') as file:
        file.write('oare_id\tnumber\tsource\ttarget\tworth\n')
        for name, source, part, worth in pieces:
            numbers[name] += 1
            if worth > LEAST_WORTH:
                kept += 1
                file.write(f'{name}\t{numbers[name]}\t{" ".join(source)}\t{part}\t{worth:.3f}\n')
    print(f'{kept} of {len(pieces)} pieces kept in {path}')


def compare(edited, texts, cuts):
    """Prints how many of the cuts are the editors', in the texts that both have."""
    agree = near = asked = 0
    for name, source, _ in texts:
        if name not in edited or not cuts[name]:
            continue
        ours = [end for end, _ in cuts[name][:-1]]
        place, text = 0, ' '.join(source)
        for own, _ in edited[name]:
            found = text.find(' ' + ' '.join(own[:4]))
            if found > 0:
                place = text[:found + 1].count(' ')
                asked += 1
                agree += place in ours
                near += any(abs(place - own) <= 1 for own in ours)
    print(f'{asked} sentences of the editors begin within these texts; a cut is there for {agree}, at most one word away for {near}')


if __name__ == '__main__':
    main()
