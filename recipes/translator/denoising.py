"""Denoising of Akkadian that nobody has translated: the encoder names the letters of signs that are hidden from it.

The head that names them is not part of the translator and is thrown away. It is a byte's form of BERT's task (Devlin et al. 2019),
with whole signs hidden, two in a row in the mean.
"""

import lzma

import numpy as np
from augment import SIGN
from network import encode

LINES = [
    'oracc/monolingual/oracc_lines.txt.xz',
    'cdli/monolingual/cdli_old_assyrian_lines.txt.xz',
    'cdli/monolingual/cdli_other_lines.txt.xz',
]
BRACKETS = str.maketrans('', '', '[]⸢⸣')
SHORTEST, LONGEST = 13, 256  # bytes of a passage
HIDDEN, NEXT = 0.15, 0.5  # shares of the signs; that the next one is hidden too
UNKNOWN, IGNORED = 2, -100
MULTIPLE = 8
FIXED = 264  # tokens of a row of one shape: a passage and its end


def passages(folder, texts=()):
    """Lines of one text joined as long as they fit, and the words of `texts` likewise, the shortest first."""
    found = [' '.join(words) for text in texts for words in fitting(text.split(' '))]
    for path in LINES:
        current = ''
        with lzma.open(f'{folder}/{path}', 'rt', encoding='utf-8') as lines:
            for line in lines:
                line = line.strip().translate(BRACKETS)
                longer = f'{current} {line}' if current and line else current or line
                if not line or len(longer.encode()) > LONGEST:
                    found.append(current)
                    longer = line
                current = longer
        found.append(current)
    kept = [passage for passage in found if SHORTEST <= len(passage.encode()) <= LONGEST]
    return sorted(kept, key=lambda passage: len(passage.encode()))


def fitting(words):
    """Words in groups of at most LONGEST bytes."""
    group, size = [], 0
    for word in words:
        own = len(word.encode()) + 1
        if group and size + own > LONGEST:
            yield group
            group, size = [], 0
        group.append(word)
        size += own
    yield group


def hidden(passage, chance):
    """The tokens of a passage with signs hidden, and what they were; IGNORED where nothing is asked."""
    wanted = encode(passage)
    shown, asked, goes_on = list(wanted), [IGNORED] * len(wanted), False
    for sign in SIGN.finditer(passage):
        goes_on = chance.random() < (NEXT if goes_on else HIDDEN)
        if goes_on:
            begin = len(passage[:sign.start()].encode())
            for place in range(begin, begin + len(sign[0].encode())):
                shown[place], asked[place] = UNKNOWN, wanted[place]
    return shown, asked


def batch(passages, size, chance):
    """Passages of like length with at most `size` bytes, as two tables."""
    rows = []
    for passage in passages[chance.randrange(len(passages)):]:
        if rows and filled(passage) * (len(rows) + 1) > size:
            break
        rows.append(hidden(passage, chance))
        length = filled(passage)
    return tables(rows, length)


def drawn(passages, size, chance):
    """So many bytes of passages of any length, as two tables of one shape whatever is drawn."""
    return tables([hidden(passage, chance) for passage in chance.choices(passages, k=size // FIXED)], FIXED)


def tables(rows, length):
    """What is shown and what is asked, in rows of this length."""
    shown, asked = np.zeros((len(rows), length), np.int16), np.full((len(rows), length), IGNORED, np.int16)
    for row, (own, wanted) in enumerate(rows):
        shown[row, :len(own)], asked[row, :len(own)] = own, wanted
    return shown, asked


def filled(passage):
    """The tokens of a passage with its end, up to a length that a card's kernels like."""
    return -(-(len(passage.encode()) + 1) // MULTIPLE) * MULTIPLE
