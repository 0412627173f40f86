"""Cut assets/examples/old-assyrian-letters.txt from CDLI's Old Assyrian texts: 40 letters of 12 to 40 lines, spread over the corpus.

    python recipes/sample_texts.py DATA assets/examples/old-assyrian-letters.txt
"""
import lzma
import sys

LEAST, MOST, TEXTS = 12, 40, 40


def letters(path):
    """Each text's lines, in the order of the corpus; letters are told by their first words, um-ma or a-na."""
    texts = {}
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        next(lines)
        for line in lines:
            text, _, _, place, transliteration = line.rstrip("\n").split("\t")[:5]
            texts.setdefault(text, []).append((place, transliteration))
    fits = lambda lines: LEAST <= len(lines) <= MOST and lines[0][1].startswith(("um-ma", "a-na"))
    return [(text, lines) for text, lines in texts.items() if fits(lines)]


def main(data, out):
    found = letters(f"{data}/cdli/monolingual/cdli_old_assyrian_signs.tsv.xz")
    chosen = [found[number * len(found) // TEXTS] for number in range(TEXTS)]
    with open(out, "w", encoding="utf-8") as file:
        for text, lines in chosen:
            file.write(f"&{text}\n")
            face = None
            for place, transliteration in lines:
                *side, number = place.split(" ")
                if side != face:
                    face = side
                    file.write(f"@{' '.join(side)}\n")
                file.write(f"{number}. {transliteration}\n")
            file.write("\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
