"""Hides signs in texts that no model has seen, and asks for them as the page asks by default.

    python recipes/restorer/masked_signs.py TUPPUM DATA [--model models/restorer] [--corpus models/corpus]

TUPPUM is the command line's binary. Of Old Assyrian and Neo-Assyrian validation texts and of eBL's fragments, each drawn by a hash of
its number, up to eight unbroken lines are typed, up to four of their syllables replaced by `x`; spaces and hyphens stay as the
editor typed them, and no period is chosen. Prints a table: how often the editor's reading came first, among the first five and among
the first twenty, and how often the first proposal went to another word than the editor's sign; with the corpora and without.
"""

import argparse
import collections
import csv
import hashlib
import json
import lzma
import random
import re
import subprocess

SIGNS = {'Old Assyrian': 62, 'Neo-Assyrian': 61, 'eBL': 61}
LINES, MOST = 8, 4
SYLLABLE = re.compile(r'(?:(?<=^)|(?<=[ -]))([a-zšṣṭʾḫĝ]+[₀-₉]*)(?=[ -]|$)')
BROKEN = re.compile(r'(?<![a-zšṣṭʾḫ])[xX](?![a-zšṣṭʾḫ₀-₉])|\.\.\.|[\[\]<>(){}|…$&#@?!*°\\+/:%]')


def table(path):
    with lzma.open(path, 'rt', encoding='utf-8') as file:
        yield from csv.DictReader(file, delimiter='\t', quoting=csv.QUOTE_NONE)


def lines(kind, data):
    """Pairs of a text's number and a line of it."""
    held_out = f'{data}/validation'
    if kind == 'Old Assyrian':
        for row in table(f'{held_out}/cdli/monolingual/cdli_old_assyrian_signs.tsv.xz'):
            yield row['text_id'], row['transliteration']
    elif kind == 'Neo-Assyrian':
        for row in table(f'{held_out}/oracc/monolingual/oracc_signs.tsv.xz'):
            if row['project'].startswith('saao'):
                yield row['text_id'], row['transliteration']
    else:
        for fragment in map(json.loads, lzma.open(f'{data}/ebl/fragments.jsonl.xz', 'rt', encoding='utf-8')):
            for line in fragment['atf'].split('\n'):
                if re.match(r'^[^ @$#&]*\. ', line) and '%' not in line:
                    yield fragment['id'], line.split('. ', 1)[1]


def texts(kind, data):
    """Texts with at least three unbroken lines, in the order of a hash of their number."""
    found = collections.defaultdict(list)
    for text, line in lines(kind, data):
        if not BROKEN.search(re.sub(r'\{[^{}]*\}', '', line)) and len(SYLLABLE.findall(line)) >= 3:
            found[text].append(line)
    kept = [(text, own[:LINES]) for text, own in found.items() if len(own) >= 3]
    return sorted(kept, key=lambda pair: hashlib.sha256(pair[0].encode()).digest())


def masked(text, own, most):
    """The lines with some syllables replaced, and these: what each was, and whether a word begins with it."""
    places = [(number, match.span(1)) for number, line in enumerate(own) for match in SYLLABLE.finditer(line)]
    drawn = random.Random('184:' + text).sample(places, min(MOST, len(places) // 4, most))
    wanted = [(own[n][start:end], start == 0 or own[n][start - 1] == ' ') for n, (start, end) in sorted(drawn)]
    typed = list(own)
    for number, (start, end) in sorted(drawn, reverse=True):
        typed[number] = typed[number][:start] + 'x' + typed[number][end:]
    return '\n'.join(f'{number}. {line}' for number, line in enumerate(typed, 1)), wanted


def gaps(settings, text, options):
    command = [settings.tuppum, 'restore', '-t', text, '--model', settings.model, '--json', *options]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)['answer']['gaps']


def count(wanted, found):
    """How many were first, among five, among twenty, and in another word."""
    counts = collections.Counter(signs=len(wanted))
    for (reading, begins), gap in zip(wanted, found):
        hits = [rank for rank, one in enumerate(gap['proposals']) if reading in (one['written'], one['reading'])]
        rank = hits[0] if hits else 99
        counts += collections.Counter({most: int(rank < most) for most in (1, 5, 20)})
        counts['other word'] += bool(gap['proposals']) and gap['proposals'][0]['starts_word'] != begins
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('tuppum')
    parser.add_argument('data')
    parser.add_argument('--model', default='models/restorer')
    parser.add_argument('--corpus', default='models/corpus')
    settings = parser.parse_args()
    print('| texts | ranked by | signs | first | of five | of twenty | in another word |\n|---|---|---|---|---|---|---|')
    for kind, number in SIGNS.items():
        counts = {'network and edited texts': collections.Counter(), 'network': collections.Counter()}
        for text, own in texts(kind, settings.data):
            left = number - counts['network']['signs']
            typed, wanted = masked(text, own, left)
            if not left or not wanted:
                continue
            found = gaps(settings, typed, ['--corpus', settings.corpus]), gaps(settings, typed, [])
            if all(len(one) == len(wanted) for one in found):
                for own_counts, one in zip(counts.values(), found):
                    own_counts += count(wanted, one)
        for name, own in counts.items():
            print(f'| {kind} | {name} | {own["signs"]} | {own[1]} | {own[5]} | {own[20]} | {own["other word"]} |', flush=True)


if __name__ == '__main__':
    main()
