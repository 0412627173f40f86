"""The Old Assyrian pairs of the Deep Past Challenge, with English in one style.

FOLDER holds `sentences.tsv` (cut by the editors), `pieces.tsv` (whole texts cut by `align.py`), `texts.tsv` (transliterations) and
`lexicon.tsv` (spellings with their norm), with sources as the translator reads them:

    tuppum-lab corpus sources DATA/deep_past/sentences.tsv.xz FOLDER/sentences.tsv
    tuppum-lab corpus sources DATA/deep_past/pairs.tsv.xz FOLDER/pairs.tsv
    tuppum-lab corpus sources DATA/deep_past/texts.tsv.xz --column transliteration FOLDER/texts.tsv
    tuppum-lab corpus sources DATA/deep_past/lexicon.tsv.xz --column form FOLDER/lexicon.tsv
"""

import collections
import os
import re

from tables import rows

ABBREVIATIONS = {'s.': 'son of', 'd.': 'daughter of', 'w.': 'wife of'}
FRACTIONS = {'3333': '1/3', '6666': '2/3', '6667': '2/3', '8333': '5/6', '1666': '1/6', '1667': '1/6', '5': '1/2', '25': '1/4', '75': '3/4'}
SIGNS = {'½': '1/2', '⅓': '1/3', '⅔': '2/3', '⅚': '5/6', '¼': '1/4', '¾': '3/4', '⅙': '1/6'}
LONGEST_TEXT = 384  # bytes of a text that is a pair as it stands


def english(target):
    """A translation with relations written out, fractions as fractions, and one sign for a break."""
    target = re.sub(r'\b([sdw]\.)(?= )', lambda found: ABBREVIATIONS[found[1]], target)
    target = target.replace('<gap>', '...')
    target = re.sub(r'(\d*)([½⅓⅔⅚¼¾⅙])', lambda found: f'{found[1]} {SIGNS[found[2]]}'.strip(), target)
    return re.sub(r'\b(\d+)\.(\d+)\b', fraction, target)


def fraction(found):
    """`1.3333` as `1 1/3`; other decimals as they are."""
    known = FRACTIONS.get(found[2]) or FRACTIONS.get(found[2][:4] if len(found[2]) > 4 else '')
    if known is None:
        return found[0]
    return known if found[1] == '0' else f'{found[1]} {known}'


def sentences(path):
    """The sentences of each text in runs that follow one another, as pairs by the run's name."""
    runs, last = collections.OrderedDict(), None
    for row in rows(path):
        text, number = row['oare_id'], int(float(row['number']))
        if last is None or last[:2] != (text, number - 1):
            name = f'deep_past:{text}:{number}'
        runs.setdefault(name, []).append((row['source'], english(row['target'])))
        last = text, number
    return runs


def texts(folder):
    """All pairs to train on, in the order of their texts: sentences of the editors, and pieces of whole texts."""
    found = sentences(f'{folder}/sentences.tsv')
    if os.path.exists(f'{folder}/pieces.tsv'):
        for name, pairs in sentences(f'{folder}/pieces.tsv').items():
            found['pieces ' + name] = pairs
    for row in rows(f'{folder}/pairs.tsv'):
        pair = row['source'], english(row['target'])
        if max(len(text.encode()) for text in pair) <= LONGEST_TEXT:
            found['whole ' + row['oare_id']] = [pair]
    return found


def names(folder):
    """Spellings of names with the names, as short pairs."""
    return [(row['form'], row['norm']) for row in rows(f'{folder}/lexicon.tsv') if row['type'] in ('PN', 'GN')]


def passages(folder):
    """The transliterations, one a line."""
    return [row['transliteration'] for row in rows(f'{folder}/texts.tsv')]
