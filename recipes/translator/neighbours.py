"""The nearest pair of another text for every training and validation pair: what a translator with retrieval reads beside its source.

    python recipes/translator/neighbours.py DATA OUT.tsv

Candidates are the twenty training pairs of other texts whose weighted runs of three to five letters are likest (cosine); the one with the
least edit distance is taken (`rapidfuzz`, likeness from 0 to 1). Validation texts are never among the candidates. A row is
source, target, the near source and target, likeness. Bulté and Tezcan 2019, https://aclanthology.org/P19-1175. Needs scikit-learn and rapidfuzz.
"""

import csv
import sys

import numpy as np
from pairs import Pairs
from rapidfuzz import fuzz
from sklearn.feature_extraction.text import TfidfVectorizer

CANDIDATES, AT_ONCE = 20, 100


def main():
    data, out = sys.argv[1:3]
    pairs = Pairs(data, with_supplement=False)
    pool = [(text, *pair) for text, own in pairs.train.items() for pair in own]
    asked = pool + [(None, *pair) for pair in pairs.validation]
    vectors = TfidfVectorizer(analyzer='char_wb', ngram_range=(3, 5), sublinear_tf=True, max_features=100_000, dtype=np.float32)
    known = vectors.fit_transform([source for _, source, _ in pool])
    texts = np.array([text for text, _, _ in pool])
    with open(out, 'w', encoding='utf-8', newline='') as file:
        table = csv.writer(file, delimiter='\t', quoting=csv.QUOTE_NONE, quotechar=None)
        table.writerow(['source', 'target', 'near_source', 'near_target', 'likeness'])
        for start in range(0, len(asked), AT_ONCE):
            part = asked[start:start + AT_ONCE]
            likeness = (vectors.transform([source for _, source, _ in part]) @ known.T).toarray()
            for (text, source, target), row in zip(part, likeness):
                if text is not None:
                    row[texts == text] = -1
                best = max(np.argpartition(-row, CANDIDATES)[:CANDIDATES], key=lambda place: fuzz.ratio(source, pool[place][1]))
                _, near, translation = pool[best]
                table.writerow([source, target, near, translation, f'{fuzz.ratio(source, near) / 100:.3f}'])
            print(start, flush=True)


if __name__ == '__main__':
    main()
