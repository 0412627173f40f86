"""Which sign each byte of a transliteration belongs to, as `tuppum_text::signs::taxonomy` numbers signs and readings.

The reader of the application knows every convention; this one takes sources as the tables of pairs write them: words of signs
joined by `-` and `.`, determinatives in braces, no brackets. What is no sign belongs to the root, number 0.
"""

import functools
import pathlib
import re

import torch

NAMES = pathlib.Path(__file__).parents[2] / 'assets/geometry/sign-names.tsv'
FIRST_BYTE, BYTES = 3, 256


@functools.cache
def sign_points():
    """The number of every reading's point, that of the sign it is written with most."""
    found, number = {}, 1
    for row in NAMES.read_text(encoding='utf-8').splitlines()[1:]:
        _, readings = row.split('\t')
        number += 1  # the sign itself
        for reading in readings.split():
            bare = reading.removesuffix('*')
            if reading != bare or bare not in found:
                found[bare] = number
            number += 1
    return found


@functools.lru_cache(maxsize=1 << 16)
def numbers(tokens):
    """The number of each token's sign, for a tuple of byte tokens; of the end and of padding the root's."""
    text = bytes(token - FIRST_BYTE for token in tokens if FIRST_BYTE <= token < FIRST_BYTE + BYTES).decode('utf-8', 'replace')
    found = []
    for part in re.split(r'(\{[^}]*\}|[^\s\-.{}]+)', text):
        found += [sign_points().get(part, 0)] * len(part.encode())
    return (found + [0] * len(tokens))[:len(tokens)]


def of_rows(ids):
    """The numbers of a batch of tokens [rows, length]."""
    return torch.tensor([numbers(tuple(row)) for row in ids.tolist()], device=ids.device)
