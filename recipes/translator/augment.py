"""The three augmentations of cuneiform sources. They change the source only; each takes a random.Random.

In the canonical form an illegible sign is `x` (print editions write [x]), a break of unknown length is `...`.
"""

import re

EQUIVALENT = {
    '{d}': '{DINGIR}', '{m}': '{DIŠ}', '{f}': '{MUNUS}', '{URU}': '{IRI}', '{KI}': '{ki}', '{LU₂}': '{lu₂}',
    '{GIŠ}': '{giš}',
}
EQUIVALENT |= {other: one for one, other in EQUIVALENT.items()}
SIGN = re.compile(r'\{[^}]*\}|[^-. {}]+')  # a determinative is a sign of its own


def drop_signs(text, chance, rate=0.15, keep=2):
    """Each legible sign becomes x with this probability; at least `keep` legible signs survive."""
    legible = [
        found.span() for found in SIGN.finditer(text)
        if found[0] not in ('x', 'X', '...') and any(letter.isalnum() for letter in found[0])
    ]
    hit = [span for span in legible if chance.random() < rate]
    chance.shuffle(hit)
    for start, end in sorted(hit[:max(0, len(legible) - keep)], reverse=True):
        joined = text[start] == '{' and end < len(text) and text[end] not in ' -.'  # {d}UTU becomes x-UTU
        text = text[:start] + ('x-' if joined else 'x') + text[end:]
    return text


def shuffle_words(text, chance, rate=0.3, farthest=2):
    """Each word changes places, with this probability, with one near it; none ends farther away than `farthest`."""
    words = text.split(' ')
    origin = list(range(len(words)))
    for here in range(len(words)):
        if chance.random() < rate:
            there = here + chance.choice([step for step in range(-farthest, farthest + 1) if step])
            if 0 <= there < len(words) and abs(origin[here] - there) <= farthest and abs(origin[there] - here) <= farthest:
                words[here], words[there] = words[there], words[here]
                origin[here], origin[there] = origin[there], origin[here]
    return ' '.join(words)


def vary_determinatives(text, chance, rate=0.2):
    """Each determinative is rewritten, with this probability, in its equivalent notation."""
    return re.sub(r'\{[^}]*\}', lambda found: EQUIVALENT.get(found[0], found[0]) if chance.random() < rate else found[0], text)


def augment(text, chance):
    """All three, one after the other."""
    return vary_determinatives(shuffle_words(drop_signs(text, chance), chance), chance)
