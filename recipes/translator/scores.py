"""Scores a translator on validation lines, by project and by whether the source stands word for word in a text that trains.

    python recipes/translator/scores.py TUPPUM MODEL DATA [OPTION ...]

TUPPUM is the command line's binary; it translates every pair of the validation texts on its own, with five beams unless the OPTIONs, which
it is given, say otherwise. A file `*.json` in its place has the answers already (`beams.py`). Prints a table in Markdown and examples drawn evenly. Needs sacrebleu.
"""

import functools
import json
import math
import subprocess
import sys

import sacrebleu
from pairs import is_validation, rows

TABLES = ['oracc/parallel/oracc_akk_en.tsv.xz', 'cdli/parallel/cdli_akk_en_segments.tsv']
EXAMPLES = 24


def validation(folder, table):
    """The rows of the validation texts, and the sources of all others."""
    kept, trained = [], set()
    for row in rows(f'{folder}/{table}'):
        text = row['text_id'] or row['id']
        if is_validation(text if table.startswith('oracc') else 'cdli:' + text):
            kept.append(row)
        else:
            trained.add(row['source'])
    return kept, trained


def answered(tuppum, model, kept, options):
    """What the command line says of the sources: the best translation of each, with the probabilities of its bytes."""
    if tuppum.endswith('.json'):
        return [kept_answers(tuppum)[row['source']] for row in kept]
    command = [tuppum, 'translate', '-', '--raw', '--model', model, '--json', *options]
    sources = '\n'.join(row['source'] for row in kept)
    done = subprocess.run(command, input=sources, capture_output=True, text=True, check=True)
    return [answer['translations'][0] for answer in json.loads(done.stdout)]


@functools.cache
def kept_answers(path):
    """The answers of `beams.py` by their sources."""
    with open(path, encoding='utf-8') as file:
        return {answer['row']['source']: answer for answer in json.load(file)}


def scored(name, pairs):
    """A row of the table."""
    found, wanted = [pair[2] for pair in pairs], [[pair[1] for pair in pairs]]
    bleu, chrf = sacrebleu.corpus_bleu(found, wanted).score, sacrebleu.corpus_chrf(found, wanted, word_order=2).score
    print(f'| {name} | {len(pairs)} | {bleu:.1f} | {chrf:.1f} | {math.sqrt(bleu * chrf):.1f} |')


def main():
    tuppum, model, folder, *options = sys.argv[1:]
    pairs = []
    for table in TABLES:
        kept, trained = validation(folder, table)
        for row, answer in zip(kept, answered(tuppum, model, kept, options)):
            kind = row['project'].split('/')[0] or 'unknown' if 'project' in row else 'cdli, ' + row['period'].split(' (')[0]
            pairs.append((row['source'], row['target'], answer['text'], kind, row['source'] in trained))
    print('| pairs of | number | BLEU | chrF++ | score |\n|---|---|---|---|---|')
    scored('all', pairs)
    scored('those whose source trains too', [pair for pair in pairs if pair[4]])
    scored('all others', [pair for pair in pairs if not pair[4]])
    for kind in sorted({pair[3] for pair in pairs}):
        scored(kind, [pair for pair in pairs if pair[3] == kind])
    for source, wanted, found, kind, _ in pairs[:: max(1, len(pairs) // EXAMPLES)]:
        print(f'\n{kind}\nsource {source}\nwanted {wanted}\nfound  {found}')


if __name__ == '__main__':
    main()
