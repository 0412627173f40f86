"""Texts as sequences of token ids: cut anew each epoch, in batches of like length."""

import random

from shared import first

SHORT, LONG = 384, 768  # tokens of a window
SMALLEST_SHARE = 0.5  # of a window, where the first cut of a long text may fall


def encoded(texts, ids_of):
    """Whole texts as (ids, kinds), in the manner of `first.encode`."""
    first.WINDOW = 1 << 30
    found = first.encode(texts, ids_of)
    first.WINDOW = SHORT
    return found


def windows(texts, chance, long_share):
    """Every text once, in windows of one length or the other; where a long text is cut is chance."""
    found = []
    for ids, kinds in texts:
        most = LONG if chance.random() < long_share else SHORT
        begin, end = 0, most if len(ids) <= most else chance.randint(int(SMALLEST_SHARE * most), most)
        while begin < len(ids):
            if sum(1 for kind in kinds[begin:end] if kind) >= first.FEWEST_SIGNS:
                found.append((ids[begin:end], kinds[begin:end]))
            begin, end = end, end + most
    return found


def epoch(texts, number, settings):
    """The batches of one epoch, each a list of windows; the same whenever they are asked for."""
    random.seed(f'{settings.seed} {number}')  # `first.batches` draws from it
    found = windows(texts, random, settings.long)
    return [[found[i] for i in batch] for batch in first.batches(found, settings.batch)]
