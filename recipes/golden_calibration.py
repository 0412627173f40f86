"""Writes what `translator/calibrate.py` expects of the words of some translations, which the engine's judgement is tested against.

    python recipes/golden_calibration.py tests/golden/calibration.json

Needs what `translator/calibrate.py` needs.
"""

import json
import random
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent / 'translator'))

from calibrate import NAMES, WHOLE, expected, expected_of_whole, judged

CONFIG = Path('models/translator/config.json')
PAIRS = [
    ('um-ma a-šur-i-di₂-ma', 'Thus Aššur-idī;'),
    ('a-na LUGAL be-li₂-ia', 'To the king, “the king”: the (King’s) lord …'),
    ('KU₃.BABBAR', '10 minas of silver, 10 minas of silver, and minas — of gold — of silver'),
    ('... x', 'x'),
]


def main():
    calibration = json.loads(CONFIG.read_text())['calibration']
    weights = [calibration[name] for name in ('constant', *NAMES)]
    chance, cases = random.Random(1), []
    for source, text in PAIRS:
        probabilities = [round(chance.uniform(0.3, 1.0), 3) for _ in text.encode()]
        words = judged({'source': source, 'target': ''}, {'text': text, 'byte_probabilities': probabilities})
        right = expected(weights, words)
        whole = round(float(expected_of_whole([calibration[name] for name in WHOLE], right.mean())), 6)
        right = [round(float(share), 6) for share in right]
        cases.append({'source': source, 'text': text, 'byte_probabilities': probabilities, 'right': right, 'whole': whole})
    found = {'calibration': calibration, 'cases': cases}
    Path(sys.argv[1]).write_text(json.dumps(found, ensure_ascii=False, indent=1) + '\n', encoding='utf-8')


if __name__ == '__main__':
    main()
