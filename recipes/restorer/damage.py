"""What is masked in training: single signs, breaks as long as editors' restorations are and where they are in a line, and
the restorations of whole passages, laid over another text.

In some sequences it is not said for some of the masked signs whether a word begins there. One half of these stand as
`<unk>` and are to be answered. The other half stand under the wrong mask and are not: a reader who does not know where words
begin will ask with wrong masks beside the right one.
"""

import numpy as np
import torch
from shared import first

SINGLES, BREAKS = 0.5, 0.25  # shares of the sequences; the rest is damaged as other texts are
LEAST, MOST = 0.1, 0.5  # shares of the signs that are masked
UNSURE, HIDDEN = 0.25, 0.5  # shares of the sequences, and of their masked signs, whose boundaries are not said
FEWEST_BREAKS = 5  # in a passage that lends its damage
LINES = 40  # of such a passage
MULTIPLE = 8  # of tokens, to which sequences are padded: kernels for masked attention want it
AT_START, AT_END, WITHIN, WHOLE = range(4)


def lines_of(ids, line_end):
    """Pairs of begin and end, line ends left out."""
    ends = np.flatnonzero(ids == line_end)
    begins = np.concatenate([[0], ends + 1])
    return list(zip(begins, np.append(ends, len(ids))))


def breaks_of(restored):
    """(where, length) of every run of restored signs of a line."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], restored.astype(np.int8), [0]])))
    found = []
    for begin, end in zip(edges[::2], edges[1::2]):
        at_start, at_end = begin == 0, end == len(restored)
        where = WHOLE if at_start and at_end else AT_START if at_start else AT_END if at_end else WITHIN
        found.append((where, end - begin))
    return found


class Damage:
    """Masks sequences; `texts` are (ids, kinds) whose restorations are taken as examples."""

    def __init__(self, texts, vocabulary):
        ids_of = {token: number for number, token in enumerate(vocabulary)}
        self.inside = np.array([token.startswith('-') for token in vocabulary])
        self.masks = np.array([ids_of['<mask>'], ids_of['-<mask>']])
        self.unknown, self.line_end = ids_of['<unk>'], ids_of['<br>']
        self.passages = []
        for ids, kinds in texts:
            ids, kinds = np.array(ids), np.array(kinds)
            lines = [breaks_of(kinds[begin:end] == first.RESTORED) for begin, end in lines_of(ids, self.line_end)]
            parts = [lines[i:i + LINES] for i in range(0, len(lines), LINES)]
            self.passages += [part for part in parts if sum(map(len, part)) >= FEWEST_BREAKS]
        self.breaks = [each for part in self.passages for line in part for each in line]

    def batch(self, sequences, chance):
        """Padded ids, what stands in their place, and where answers are wanted, as tensors."""
        length = -(-max(len(ids) for ids, _ in sequences) // MULTIPLE) * MULTIPLE
        found = np.zeros((3, len(sequences), length), dtype=np.int64)
        for row, (ids, kinds) in enumerate(sequences):
            ids, kinds = np.array(ids), np.array(kinds)
            found[:, row, :len(ids)] = (ids, *self.masked(ids, self.chosen(ids, kinds > 0, chance), chance))
        ids, masked, wanted = map(torch.from_numpy, found)
        return ids, masked, wanted.bool()

    def chosen(self, ids, signs, chance):
        """The signs to be masked."""
        way, share = chance.random(), LEAST + (MOST - LEAST) * chance.random()
        if way < SINGLES:
            return signs & (chance.random(len(ids)) < share)
        lines = lines_of(ids, self.line_end)
        spread = self.broken if way < SINGLES + BREAKS else self.lent
        return signs & spread(lines, np.zeros(len(ids), bool), share * signs.sum(), chance)

    def broken(self, lines, chosen, count, chance):
        """Breaks of other texts, each in any line, until so many signs are gone."""
        for _ in range(len(chosen)):
            if chosen.sum() >= count:
                break
            lay(self.breaks[chance.integers(len(self.breaks))], lines[chance.integers(len(lines))], chosen, chance)
        return chosen

    def lent(self, lines, chosen, count, chance):
        """The damage of one passage after another, line for line, until so many signs are gone or the lines are."""
        passage, skipped = [], chance.integers(LINES)
        for line in lines:
            while not passage:
                passage = self.passages[chance.integers(len(self.passages))][skipped:]
                skipped = 0
            for each in passage[0]:
                lay(each, line, chosen, chance)
            passage = passage[1:]
            if chosen.sum() >= count:
                break
        return chosen

    def masked(self, ids, chosen, chance):
        """What stands for a sequence, and where answers are wanted."""
        inside, wanted = self.inside[ids], chosen.copy()
        masks = self.masks[inside.astype(int)]
        if chance.random() < UNSURE:
            draw = chance.random(len(ids))
            wrong = draw < HIDDEN / 2
            masks = np.where(wrong, self.masks[1 - inside.astype(int)], np.where(draw < HIDDEN, self.unknown, masks))
            wanted &= ~wrong
        return np.where(chosen, masks, ids), wanted


def lay(each, line, chosen, chance):
    """Marks one break in one line: at the same edge, or anywhere within."""
    (where, length), (begin, end) = each, line
    if where == WHOLE:
        chosen[begin:end] |= length >= end - begin  # a short line that is gone does not take a long one with it
    elif where == AT_START:
        chosen[begin:min(begin + length, end)] = True
    elif where == AT_END:
        chosen[max(end - length, begin):end] = True
    elif begin < end:
        at = chance.integers(begin, end)
        chosen[at:min(at + length, end)] = True
