"""Golden figures for the taxonomy: what the reference program makes of counts of readings.

    python recipes/golden_taxonomy.py REFERENCE DATA/osl/signs/reading_counts.tsv tests/golden/taxonomy

REFERENCE is the folder of taxonomy.py. Writes counts.tsv, some rows of the table of counts, and golden.json: for these rows
and for the whole table the associations of a few bytes, rows and sums of the distances, and how well the points keep the
distances before and after the descent. Needs numpy and torch.
"""

import json
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, sys.argv[1])
import taxonomy

COMMONEST = 40  # rows that the small table takes
ALSO = ["DINGIR", "an", "TUM", "ib₂", "1(diš)", "LU₂", "{LU₂}", "o", "duh"]  # and readings that show more
BYTES = "am{T₂š"


def small_table(source, target):
    lines = Path(source).read_text(encoding="utf-8").splitlines()
    kept = lines[: COMMONEST + 1] + [line for line in lines[COMMONEST + 1 :] if line.split("\t")[0] in ALSO]
    target.write_text("\n".join(kept) + "\n", encoding="utf-8")


def correlation(points, wanted, known):
    upper = np.triu_indices(len(known), 1)
    x = points[known].astype(np.float64)
    found = taxonomy.poincare_distance(x[:, None], x[None])[upper]
    wanted = wanted[np.ix_(known, known)][upper]
    return {"correlation": np.corrcoef(found, wanted)[0, 1], "stress": ((found / 1.5 - wanted) ** 2).mean()}


def figures(table):
    associations = taxonomy.associations(table)
    known = sorted(associations)
    shown = sorted({byte + taxonomy.BYTE0 for byte in BYTES.encode()} & set(known))
    commonest = lambda token: sorted(associations[token].items(), key=lambda pair: (-pair[1], pair[0]))[:3]
    found = {
        "known": known,
        "pairs": [len(associations[token]) for token in known],
        "occurrences": [sum(associations[token].values()) for token in known],
        "commonest": {token: [[*pair, count] for pair, count in commonest(token)] for token in shown},
    }
    for mode in ("hard", "soft"):
        wanted = taxonomy.distances(associations, mode)
        start = taxonomy.spectral_embedding(wanted, associations)
        fitted = taxonomy.fit(start, wanted, associations)
        found[mode] = {
            "row_sums": wanted.sum(1).tolist(),
            "rows": {token: wanted[token, known].tolist() for token in shown},
            "start": correlation(start, wanted, known),
            "fitted": correlation(fitted, wanted, known),
        }
    return found


def main():
    counts, out = sys.argv[2], Path(sys.argv[3])
    out.mkdir(parents=True, exist_ok=True)
    small_table(counts, out / "counts.tsv")
    golden = {"small": figures(out / "counts.tsv"), "whole": figures(counts)}
    (out / "golden.json").write_text(json.dumps(golden, ensure_ascii=False) + "\n", encoding="utf-8")


main()
