"""Akkadian-English pairs: reading them, splitting off the validation texts, joining neighbours, batching."""

import bisect
import collections
import hashlib
import os

import deep_past
import numpy as np
from augment import augment
from network import END, FIRST_BYTE, encode
from tables import rows

LONGEST = 384  # bytes of a joined source or target where nothing else is said; single ones may have half as much again
TABLES = ['oracc/parallel/oracc_akk_en.tsv.xz', 'cdli/parallel/cdli_akk_en_segments.tsv']
VALIDATION_SHARE = 0.02
SUPPLEMENT_WEIGHT = 0.5
REPEATED = 4
SPELLINGS = 4  # of a lemma
STRETCH = 8  # batches
LENGTHS = 16, 32, 48, 64, 96, 128, 192, 256, 384, 576  # bytes, to which rows of fixed shapes are padded
RARE = 0.006  # of all that is computed: a shape that has less is not one of its own
FULL = 0.25  # share of its rows that a batch of a fixed shape must have
BETWEEN = '\n'  # of a source and the translation of its neighbour
LONGEST_NEIGHBOUR = 500  # bytes; a longer translation is not read
KEPT_WORDS = 0.85  # of a translation that stands as its own neighbour; of the others half are another pair's


def is_validation(text):
    """Whether a text is held back from training: decided by its name, so that every program agrees."""
    digest = hashlib.sha256(f'valid:{text}'.encode()).digest()
    return bool(text) and int.from_bytes(digest[:8], 'big') / 2 ** 64 < VALIDATION_SHARE


def named_pairs(path):
    """The name of its text, the source and the target of every pair of a table; CDLI's names have its prefix."""
    prefix = 'cdli:' if 'cdli' in os.path.basename(path) else ''
    for row in rows(path):
        yield prefix + (row['text_id'] or row.get('id', '')), row['source'], row['target']


def spelt(path):
    """Pairs of a lexicon: each of the commonest spellings of a lemma, and what the lemma means."""
    for row in rows(path):
        spellings = [spelling.strip() for spelling in row['spellings'].split('|')[:SPELLINGS]]
        yield from ((spelling, row['guide_word']) for spelling in spellings if spelling)


class Pairs:
    """The corpora in memory: `train` by text, `validation` flat, `supplement` from the lexicon, `synthetic` drawn from a
    formulary (`tuppum-lab corpus synthetic`); `near` the translation of the nearest source of another text (`neighbours.py`), by
    pair; `old_assyrian` by run of sentences, with its `names` (`deep_past.py`)."""

    def __init__(self, folder, with_supplement=True, synthetic=None, neighbours=None, least_likeness=0.0, longest=LONGEST,
                 validation=None, old_assyrian=None):
        texts = collections.OrderedDict()
        for path in TABLES:
            for text, source, target in named_pairs(f'{folder}/{path}'):
                texts.setdefault(text, []).append((source, target))
        self.validation = [pair for text, pairs in texts.items() if is_validation(text) for pair in pairs]
        if validation:
            self.validation = [pair[1:] for path in TABLES for pair in named_pairs(f'{validation}/{path}')]
        self.train = {text: pairs for text, pairs in texts.items() if not is_validation(text)}
        self.supplement = list(spelt(f'{folder}/oracc/lexicon/oracc_lemmas.tsv')) if with_supplement else []
        self.synthetic = [(row['source'], row['target']) for row in rows(synthetic)] if synthetic else []
        self.others = []  # validation pairs of another language than `validation`, whose loss is told beside it
        self.old_assyrian = deep_past.texts(old_assyrian) if old_assyrian else {}
        self.names = deep_past.names(old_assyrian) if old_assyrian else []
        self.longest, self.near = longest, {}
        for row in rows(neighbours) if neighbours else []:
            if len(row['near_target'].encode()) <= LONGEST_NEIGHBOUR and float(row['likeness']) >= least_likeness:
                self.near[row['source'], row['target']] = row['near_target']

    def beside(self, asked, source, target):
        """The source as it is asked, with the translation of the pair's neighbour behind it where there is one."""
        near = self.near.get((source, target))
        return asked if near is None else asked + BETWEEN + near

    def epoch(self, chance, augmented_share, joined_share=0.5, synthetic=0, alone=0.0, copies=0.0, others=1.0):
        """(source, target, weight), in order: this share of the pairs joined with neighbours of their text, CDLI's Old Assyrian and
        Old Babylonian texts as often as REPEATED says (there are few), a quarter of the lexicon, so many synthetic pairs; this
        share of the sources augmented, and all but the share `alone` with their neighbours, `copies` of them with a copy of
        their own translation that lacks words and has strange ones, so that reading the neighbour is learnt. With
        `old_assyrian` pairs all of these are in it, a quarter of their names, and of the texts and the lexicon the share `others`."""
        found = []
        for text, pairs in self.train.items():
            if chance.random() < others:
                for _ in range(REPEATED if text.startswith('cdli:') else 1):
                    found += joined(pairs, chance, joined_share, self.longest)
        for pairs in self.old_assyrian.values():
            found += joined(pairs, chance, joined_share, self.longest)
        chosen = chance.sample(self.supplement, int(others * len(self.supplement) / 4))
        chosen += chance.sample(self.names, len(self.names) // 4)
        chosen += chance.sample(self.synthetic, min(synthetic, len(self.synthetic)))
        found += [(source, target, SUPPLEMENT_WEIGHT) for source, target in chosen]
        asked = [augment(source, chance) if chance.random() < augmented_share else source for source, _, _ in found]
        return [
            (self.shown(own, pair, found, chance, alone, copies), *pair[1:])
            for own, pair in zip(asked, found)
        ]

    def shown(self, asked, pair, others, chance, alone, copies):
        """What the network reads of a pair: its source as it is asked, by itself, with its neighbour, or with a faulty copy."""
        source, target, _ = pair
        drawn = chance.random()
        if drawn < alone:
            return asked
        if drawn < alone + copies and len(target.encode()) <= LONGEST_NEIGHBOUR:
            return asked + BETWEEN + faulty(target, chance.choice(others)[1], chance)
        return self.beside(asked, source, target)


def faulty(target, other, chance):
    """The words of a translation, some left out and some exchanged for those of another."""
    strange, found = other.split(), []
    for word in target.split():
        if chance.random() < KEPT_WORDS:
            found.append(word)
        elif strange and chance.random() < 0.5:
            found.append(chance.choice(strange))
    return ' '.join(found)


def joined(pairs, chance, share, longest_pair=LONGEST):
    """The pairs of a text, this share of them joined with up to four that follow."""
    found, place = [], 0
    while place < len(pairs):
        wanted = 1 if chance.random() >= share else chance.randint(2, 5)
        source, target = pairs[place]
        place += 1
        while wanted > 1 and place < len(pairs):
            longer = source + ' ' + pairs[place][0], target + ' ' + pairs[place][1]
            if max(len(text.encode()) for text in longer) >= longest_pair:
                break
            source, target = longer
            place += 1
            wanted -= 1
        if max(len(source.encode()), len(target.encode())) < 1.5 * longest_pair:
            found.append((source, target, 1.0))
    return found


def batches(pairs, size, chance):
    """Batches of pairs of like lengths with at most `size` bytes, padding included, in random order.

    Pairs of like length together lie in stretches of some batches, and in a stretch by how much of it is the source: so an
    eighth of what is computed is padding, where it would be a quarter if the first alone counted.
    """
    measured = [(len(pair[0].encode()) + 1, len(pair[1].encode()) + 1, pair) for pair in pairs]
    measured.sort(key=lambda own: own[0] + own[1] + chance.random() * 30)
    found = []
    for stretch in stretches(measured, STRETCH * size):
        stretch.sort(key=lambda own: own[0] - own[1] + chance.random() * 4)
        batch, longest = [], (0, 0)
        for source, target, pair in stretch:
            wider = max(longest[0], source), max(longest[1], target)
            if batch and sum(wider) * (len(batch) + 1) > size:
                found.append(batch)
                batch, wider = [], (source, target)
            batch.append(pair)
            longest = wider
        found.append(batch)
    chance.shuffle(found)
    return found


def stretches(measured, size):
    """Cuts measured pairs into runs of about so many bytes."""
    found, whole = [[]], 0
    for own in measured:
        if whole > size:
            found.append([])
            whole = 0
        found[-1].append(own)
        whole += own[0] + own[1]
    return [stretch for stretch in found if stretch]


class Shapes:
    """The few shapes that batches may have (bytes of sources, of targets), for a card that plays kernels back; by a pass of pairs.

    With them all, some fifth of what is computed is padding. A pair goes into the least shape that holds it.
    """

    def __init__(self, pairs, size):
        if size < 2 * LENGTHS[-1]:
            raise SystemExit(f'A batch of fixed shape needs {2 * LENGTHS[-1]} bytes at least; {size} do not hold the longest pair.')
        counts = collections.Counter(map(self.tight, pairs))
        whole = sum(sum(shape) * count for shape, count in counts.items())
        kept = [shape for shape, count in counts.items() if sum(shape) * count > RARE * whole]
        self.kept, self.size = sorted({*kept, (LENGTHS[-1],) * 2}, key=sum), size

    @staticmethod
    def tight(pair):
        """The lengths of the grid that hold source and target."""
        found = (bisect.bisect_left(LENGTHS, len(text.encode()) + 1) for text in pair[:2])
        return tuple(LENGTHS[min(place, len(LENGTHS) - 1)] for place in found)

    def batches(self, pairs, chance):
        """Tables of sources, targets and weights in random order; a pair that no shape holds is left out, and those of a batch that
        is mostly empty too."""
        own = collections.defaultdict(list)
        for pair in pairs:
            tight = self.tight(pair)
            if max(len(text.encode()) for text in pair[:2]) < LENGTHS[-1]:
                own[next(shape for shape in self.kept if shape[0] >= tight[0] and shape[1] >= tight[1])].append(pair)
        found = []
        for shape, members in own.items():
            rows = self.size // sum(shape)
            chance.shuffle(members)
            parts = [members[start:start + rows] for start in range(0, len(members), rows)]
            found += [fixed(part, rows, shape) for part in parts if len(part) >= FULL * rows]
        chance.shuffle(found)
        return found


def fixed(batch, rows, shape):
    """Sources, targets and weights of pairs as tables of so many rows. Rows that are left over repeat the first pair with weight 0: with
    rows that have no letter, masked everywhere, weights were no number after five steps on a card."""
    source, target = (np.zeros((rows, length), np.int16) for length in shape)
    weights = np.zeros(rows, np.float32)
    for row, pair in enumerate(batch):
        for table, text in zip((source, target), pair):
            letters = np.frombuffer(text.encode(), np.uint8)
            table[row, :len(letters)] = letters
            table[row, :len(letters)] += FIRST_BYTE
            table[row, len(letters)] = END
        weights[row] = pair[2]
    source[len(batch):], target[len(batch):] = source[0], target[0]
    return source, target, weights


def padded(texts, multiple=1):
    """Token lists of one length, a multiple of this."""
    lists = [encode(text) for text in texts]
    longest = -(-max(map(len, lists)) // multiple) * multiple
    return [ids + [0] * (longest - len(ids)) for ids in lists]


def tables(batch, multiple=1):
    """Sources, targets and weights of pairs, as tables of tokens and a row."""
    source, target = (np.array(padded([pair[side] for pair in batch], multiple), np.int16) for side in (0, 1))
    return source, target, np.array([pair[2] for pair in batch], np.float32)
