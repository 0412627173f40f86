"""Golden files of the augmentations: texts, the random decisions in order, and what translator/augment.py made of them.

    python recipes/golden_augment.py tests/golden/augment.json
"""

import json
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "translator"))
import augment

TEXTS = [
    "a-na be-li₂-ia qi₂-bi₂-ma um-ma {d}UTU-na-ṣir-ma",
    "{m}{d}AG-NUMUN-GAL₂{ši} LUGAL TIN.TIR{KI}",
    "a-na {URU}ŠA₃.URU {LU₂}A.BA {GIŠ}TUKUL {f}a-hat-{d}iškur",
    "x x a-x ... X-na {IRI}ni-nu-a{ki} {DIŠ}ku-ku",
    "{DINGIR}EN {MUNUS}be-le-su-nu {giš}GU.ZA {lu₂}MAH {KUR}aš-šur{KI}",
    "a", "a b", "a b c", "", " ", "  a  b ", "...", "x ... x", "{d}", "{d}{KI}", "{d {KI} }a", "{}a {x}b", "til{KI}", "til{KI}-ma", "{KI}.{d}-a", "UTU{d}{KI}UTU",
    "LUGAL GAL-u₂ LUGAL dan-nu LUGAL ŠU₂ LUGAL KUR aš-šur", "5 5/6 ma-na KU₃.BABBAR i-ṣe₂-er a-šur-i-mi₃-ti₂ i-šu",
]


class Recorder(random.Random):
    """Keeps every decision; numbers have four digits, so that a file can hold them."""

    def __init__(self, seed):
        super().__init__(seed)
        self.uniforms, self.choices = [], []

    def random(self):
        self.uniforms.append(round(super().random(), 4))
        return self.uniforms[-1]

    def _randbelow(self, bound):
        self.choices.append(int(super().random() * bound))
        return self.choices[-1]


def main():
    cases = []
    for number, text in enumerate(TEXTS):
        for name in ("drop_signs", "shuffle_words", "vary_determinatives"):
            for p in (0, 0.15, 0.5, 1):
                rng = Recorder(1000 * number + int(100 * p))
                made = getattr(augment, name)(text, rng, p)
                if p in (0, 1) or made != text:
                    cases.append({"what": name, "p": p, "text": text, "uniforms": rng.uniforms, "choices": rng.choices, "made": made})
        for seed in range(2):
            rng = Recorder(seed)
            cases.append({"what": "augment", "p": 0, "text": text, "made": augment.augment(text, rng), "uniforms": rng.uniforms, "choices": rng.choices})
    lines = ",\n".join(json.dumps(case, ensure_ascii=False) for case in cases)
    Path(sys.argv[1]).write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
