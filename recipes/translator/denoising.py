"""Denoising of Akkadian that nobody has translated: the encoder names the letters of signs that are hidden from it.

The head that names them is not part of the translator and is thrown away. It is a byte's form of BERT's task (Devlin et al. 2019),
with whole signs hidden, and half as many again beside them.
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
LONGEST = 256  # bytes of a passage
HIDDEN, NEXT = 0.15, 0.5  # shares of the signs; that the next one is hidden too
UNKNOWN, IGNORED = 2, -100


def passages(folder):
    """Lines of one text joined as long as they fit."""
    found = []
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
    return [passage for passage in found if 12 < len(passage.encode()) <= LONGEST]


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
    anchor = chance.randrange(len(passages))
    drawn = sorted(range(anchor, anchor + 4 * size // LONGEST), key=lambda place: len(passages[place % len(passages)].encode()))
    longest = 0
    start, rows = chance.randrange(max(1, len(drawn) * 3 // 4)), []
    for place in drawn[start:]:
        passage = passages[place % len(passages)]
        longest = max(longest, -(-(len(passage.encode()) + 1) // 8) * 8)
        if longest * (len(rows) + 1) > size:
            break
        rows.append(hidden(passage, chance))
    length = -(-max(len(shown) for shown, _ in rows) // 8) * 8
    shown, asked = np.zeros((len(rows), length), np.int16), np.full((len(rows), length), IGNORED, np.int16)
    for row, (own, wanted) in enumerate(rows):
        shown[row, :len(own)], asked[row, :len(own)] = own, wanted
    return shown, asked
