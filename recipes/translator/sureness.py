"""Looks whether words that a translator is surer of stand more often in the edition's translation of the line.

    python recipes/translator/sureness.py TUPPUM MODEL DATA

Takes the best of five beams for every validation pair. A word's probability is the product of its bytes', as the page has it; it counts
as found if the edition's translation has the word, in whatever place, letter case and punctuation left aside, once for each time. Prints
a table in Markdown.
"""

import collections
import sys

from scores import TABLES, answered, validation

EDGES = [0.0, 0.2, 0.5, 0.8, 0.9, 0.95, 0.99, 1.01]  # the page marks words below the second and third
PUNCTUATION = '.,;:!?()[]"“”‘’\'—–…'


def words(answer):
    """Words of a translation with their probabilities."""
    data, probabilities, start = answer['text'].encode(), answer['byte_probabilities'], 0
    for word in data.split():
        start = data.index(word, start)
        probability = 1.0
        for own in probabilities[start:start + len(word)]:
            probability *= own
        start += len(word)
        yield plain(word.decode()), probability


def plain(word):
    """A word as it is compared."""
    return word.strip(PUNCTUATION).lower()


def main():
    tuppum, model, folder = sys.argv[1:]
    found = []
    for table in TABLES:
        kept, _ = validation(folder, table)
        for row, answer in zip(kept, answered(tuppum, model, kept, [])):
            wanted = collections.Counter(plain(word) for word in row['target'].split())
            for word, probability in words(answer):
                if word:
                    found.append((probability, wanted[word] > 0))
                    wanted[word] -= 1
    print('| probability of the word | words | in the edition | mean probability |\n|---|---|---|---|')
    for low, high in zip(EDGES, EDGES[1:]):
        own = [(probability, stands) for probability, stands in found if low <= probability < high]
        if own:
            share, mean = sum(stands for _, stands in own) / len(own), sum(probability for probability, _ in own) / len(own)
            print(f'| {low:.2f} to {min(high, 1.0):.2f} | {len(own)} | {share:.0%} | {mean:.0%} |')


if __name__ == '__main__':
    main()
