"""Draws the learning curve of a translator.

    python recipes/translator/curve.py OUT/curve.tsv docs/translator-curve.svg [STEP WORDS ...]

WORDS stand at a line where STEP is reached. Bytes stand on the x axis; on the y axis, by its logarithm, bits per byte of the target,
in training (as augmented, in the mean of some minutes) and on validation pairs (with the running mean of the weights).
"""

import csv
import math
import sys

LEFT, RIGHT, TOP, BOTTOM, WIDTH, HEIGHT = 64, 624, 34, 284, 640, 320
INK, RULE, PAPER, FONT = '#221e18', '#d9d2c3', '#fffdf8', "'Tuppum Serif','Noto Serif',serif"
TICKS = [0.5, 1, 1.5, 2, 3, 4, 6, 8]
SERIES = [('loss', 'training', '#d55e00'), ('validation_loss', 'validation', '#0072b2')]


def main():
    curve, out, *marks = sys.argv[1:]
    with open(curve, encoding='utf-8') as table:
        rows = [{name: float(value) for name, value in row.items()} for row in csv.DictReader(table, delimiter='\t')]
    most_bytes = rows[-1]['bytes']
    values = [row[name] / math.log(2) for row in rows for name, _, _ in SERIES]
    low = max(tick for tick in TICKS if tick <= min(values))
    high = min(tick for tick in TICKS if tick >= max(values))

    def x(count):
        return LEFT + (RIGHT - LEFT) * count / most_bytes

    def y(value):
        return BOTTOM - (BOTTOM - TOP) * math.log(value / low) / math.log(high / low)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">',
        '<title>Bits per byte of the translation over the bytes seen in training</title>',
        f'<rect width="100%" height="100%" fill="{PAPER}"/>',
        f'<g font-family="{FONT}" font-size="13" fill="{INK}">',
    ]
    for value in (tick for tick in TICKS if low <= tick <= high):
        parts.append(f'<path d="M{LEFT} {y(value):.1f}H{RIGHT}" stroke="{RULE}"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{y(value) + 4:.1f}" text-anchor="end">{value:g}</text>')
    step = 10 ** math.floor(math.log10(most_bytes / 2))
    step *= 1 if most_bytes / step <= 6 else 2 if most_bytes / step <= 12 else 5
    for place in range(0, int(most_bytes // step) + 1):
        anchor = 'start' if place == 0 else 'middle'
        parts.append(f'<text x="{x(place * step):.1f}" y="302" text-anchor="{anchor}">{place * step / 1e6:g} M</text>')
    parts.append(f'<text x="12" y="18">bits per byte</text><text x="{RIGHT}" y="317" text-anchor="end" font-size="11">bytes, padding included</text>')
    for number, (step, words) in enumerate(zip(marks[::2], marks[1::2])):
        at = x(next(row['bytes'] for row in rows if row['steps'] >= float(step)))
        parts.append(f'<path d="M{at:.1f} {TOP}V{BOTTOM}" stroke="{INK}" stroke-dasharray="3 3"/>')
        parts.append(f'<text x="{at - 5:.1f}" y="{TOP + 12 + 15 * number}" text-anchor="end" font-size="11" stroke="{PAPER}" stroke-width="3" paint-order="stroke">{words}</text>')
    for number, (name, words, colour) in enumerate(SERIES):
        points = ' '.join(f'{x(row["bytes"]):.1f},{y(row[name] / math.log(2)):.1f}' for row in rows)
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts.append(f'<text x="{RIGHT - 170 + 90 * number}" y="18" fill="{colour}">{words}</text>')
    parts.append('</g>\n</svg>\n')
    with open(out, 'w', encoding='utf-8') as file:
        file.write('\n'.join(parts))


if __name__ == '__main__':
    main()
