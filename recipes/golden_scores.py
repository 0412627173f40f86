"""Golden files of translation scores, made with sacreBLEU.

    python recipes/golden_scores.py DATA tests/golden/scores

writes `sentences.json` (translations, references, tokens and scores of single sentences), `corpora.json` (the same sentences
in groups, with the scores of each group) and `bootstrap.json` (a paired bootstrap with the sentences that were drawn).
DATA holds oracc/parallel/oracc_akk_en.tsv.xz. Needs sacrebleu and numpy; made with sacrebleu 2.6.0.
"""

import argparse
import csv
import json
import lzma
import math
import random
from pathlib import Path

import numpy as np
import sacrebleu
from sacrebleu.metrics import BLEU, CHRF
from sacrebleu.significance import _paired_bs_test, Result

HAND = {
    "equal": [("The king spoke to me.", "The king spoke to me."), ("a b c d", "a b c d"), ("1,000 sheep", "1,000 sheep")],
    "one word": [("king", "king"), ("king", "queen"), ("king.", "king"), ("(king)", "king"), ("a", "a"), ("-", "-"), ("Yes!", "Yes!")],
    "two and three words": [("the king", "the king"), ("the king spoke", "the king spoke"), ("the king spoke", "the king said"), ("king the", "the king")],
    "empty translations": [("", "The king spoke."), ("The king spoke.", "The king spoke."), ("  \t", "of the land"), ("", "x")],
    "empty references": [("The king spoke.", ""), ("The king spoke.", "The king spoke to him."), ("x", "   "), ("", "")],
    "all empty": [("", ""), ("", "")],
    "nothing shared": [("abc def ghi jkl mno", "PQR STU VWX YZ."), ("1 2 3", "4 5 6")],
    "unicode": [
        ("Aššur-nāṣir-apli, šar māt Aššur", "Aššur-nāṣir-apli, šar māt Aššur"), ("ṭuppum ša₂ {d}UTU", "ṭuppam ša {d}UTU"),
        ("𒀭𒌓 the god Šamaš", "𒀭𒌓 the god Shamash"), ("“Aššur” – the ‘god’ …", "\"Aššur\" - the 'god' ..."),
        ("e\u0301a e\u0301", "éa é"), ("a\u00a0b\u3000c\u2009d", "a b c d"), ("a\u200bb c\ufeff", "ab c"), ("x\x1cy z\x85w", "x y z w"),
        ("王 speaks 。", "王 spoke 。"), ("İstanbul ſ ß", "istanbul s ss"), ("👑👑 king 👑", "👑 king 👑👑"),
    ],
    "punctuation": [
        ("He said: \"Go (now)!\" -- and left; why?", "He said, \"Go now!\" - and left. Why?"), ("so...and. 5.", "so ... and . 5 ."),
        ("...", ". . ."), ("a,b.c,d", "a , b . c , d"), (".,.,", ",.,."), ("[...] of the {land} <of> Assyria/Babylon", "[... of the land] <of> Assyria / Babylon"),
        ("son-in-law's -hand- 'tis", "son - in - law 's hand 'tis"), ("a_b^c`d~e|f\\g@h#i$j%k&l*m+n=o", "a b c d e f g h i j k l m n o"), ("(hi) ((hi)) hi)) !hi!", "(hi) hi !"),
    ],
    "entities": [
        ("&quot;The king&quot; &amp; the queen", "\"The king\" & the queen"), ("a &lt; b &gt; c", "a < b > c"), ("&amp;lt; &amp;quot; &amp;amp;", "< \" &"),
        ("& &; &x; &apos;", "&apos; &x; & ;"), ("left<skipped> out", "left out"), ("cut-\nting off\nhere-", "cutting off here-"), ("tail \n\n", "tail"),
    ],
    "numbers": [
        ("3,000.5 sheep, 2-3 oxen", "3,000.5 sheep , 2 - 3 oxen"), ("1.2.3 4,5,6. 7", "1.2.3, 4,5,6 7."), (".5 5. ,5 5, 5-", ".5 5 ,5 5 5 -"), ("-5 5-5-5 a-5 5-a", "- 5 5 - 5 - 5 a - 5 5 - a"),
        ("1½ mana ₂ ²", "1 ½ mana ₂ ²"), ("٣,٤ ٣-٤", "٣ , ٤ ٣ - ٤"),
    ],
    "repeated": [("the the the the the the the", "the cat is on the mat"), ("aaaa aaaa", "aa aaaa aaaa aaaa"), ("a a a a a a a a", "a a")],
    "short and long": [("to the king", "to the king, my lord: your servant Nabû-belu-ka''in. Good health to the king, my lord!"), ("to the king, my lord: your servant Nabû-belu-ka''in. Good health to the king, my lord!", "to the king")],
}
CORPUS = 40
DRAWS = 40


def disturbed(words, rng):
    """A translation as a model might give: words left out, doubled, changed places, cut off."""
    out = []
    for word in words:
        dice = rng.random()
        out += [] if dice < 0.12 else [word, word] if dice < 0.15 else [word[:-1] or word] if dice < 0.2 else [word]
    if len(out) > 2 and rng.random() < 0.4:
        i = rng.randrange(len(out) - 1)
        out[i], out[i + 1] = out[i + 1], out[i]
    return " ".join(out)


def english(data):
    """Every 1,200th translation of the parallel corpus, with its number."""
    with lzma.open(data / "oracc/parallel/oracc_akk_en.tsv.xz", "rt", encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [(row["id"], row["target"]) for row in rows[::1200] if len(row["target"]) < 300][:CORPUS]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    given = parser.parse_args()
    rng = random.Random(3)
    excerpt = english(given.data)
    groups = dict(HAND, **{"Oracc": [(disturbed(target.split(), rng), target) for _, target in excerpt]})
    tokens = BLEU().tokenizer
    single = {True: BLEU(effective_order=True), False: BLEU()}
    chrf = CHRF(word_order=2)
    sentences, corpora = [], []
    for name, pairs in groups.items():
        corpora.append({"name": name, "first": len(sentences), "sentences": len(pairs)} | scores(single[False], chrf, pairs))
        for hypothesis, reference in pairs:
            sentences.append({
                "translation": hypothesis, "reference": reference, "tokens": tokens(hypothesis.rstrip()), "reference_tokens": tokens(reference.rstrip()),
                "bleu": single[True].sentence_score(hypothesis, [reference]).score, "chrf": chrf.sentence_score(hypothesis, [reference]).score,
                "bleu_without_effective_order": single[False].sentence_score(hypothesis, [reference]).score,
            })
    corpora.append({"name": "all together", "first": 0, "sentences": len(sentences)} | scores(single[False], chrf, [pair for pairs in groups.values() for pair in pairs]))
    given.out.mkdir(parents=True, exist_ok=True)
    note = {"made_with": f"sacrebleu {sacrebleu.__version__}", "bleu_signature": str(single[False].get_signature()), "chrf_signature": str(chrf.get_signature())}
    note["attribution"] = "The references of the group Oracc are translations of the Oracc projects, CC BY-SA 3.0, after Gutherz et al., PNAS Nexus 2 (2023): " + ", ".join(number for number, _ in excerpt)
    write(given.out / "sentences.json", {"note": note, "sentences": sentences})
    write(given.out / "corpora.json", {"corpora": corpora})
    write(given.out / "bootstrap.json", bootstrap([target for _, target in excerpt], rng))


def scores(bleu, chrf, pairs):
    hypotheses, references = [h for h, _ in pairs], [[r for _, r in pairs]]
    b, c = bleu.corpus_score(hypotheses, references).score, chrf.corpus_score(hypotheses, references).score
    return {"bleu": b, "chrf": c, "score": math.sqrt(b * c)}


def bootstrap(references, rng):
    """Two systems on the excerpt, and what sacreBLEU's paired bootstrap makes of them with the draws of its seed."""
    systems = [[disturbed(reference.split(), rng) for reference in references] for _ in range(2)]
    found = {"first": systems[0], "second": systems[1], "references": references}
    drawn = np.random.default_rng(12345).choice(len(references), size=(DRAWS, len(references)), replace=True)
    found["draws"] = [" ".join(map(str, sample)) for sample in drawn.tolist()]
    for name, metric in (("bleu", BLEU()), ("chrf", CHRF(word_order=2))):
        counts = metric._extract_corpus_statistics(systems[0], [references])
        baseline = {name: (counts, Result(metric._aggregate_and_compute(counts).score))}
        _, result = _paired_bs_test(baseline, "second", systems[1], [references], {name: metric}, DRAWS, seed=12345)
        found[name] = {"score": result[name].score, "mean": float(result[name].mean), "ci": float(result[name].ci), "p": result[name].p_value}
    return found


def write(path, content):
    text = json.dumps(content, ensure_ascii=False, indent=0)
    path.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
