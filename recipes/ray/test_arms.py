"""The runs of a small ablation on a local cluster of two nodes, of which one is killed in the middle.

    python -m unittest recipes/ray/test_arms.py

Needs what `arms.py` needs, ray with it, and a base: `crates/lab/records/ablation-mini/base`.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
RECIPES = os.path.dirname(HERE)

DEADLINE = 1200
NAMES = ['base-0', 'A-1', 'C-1', 'A-2', 'C-2']
# Lines of the form of the corpora, ten texts.
PAIRS = [(f'P{number % 10:06}', f'{number + 2} GIN₂ KU₃.BABBAR a-na a-šur-i-di₂', f'{number + 2} shekels of silver to Aššur-idī') for number in range(40)]


def plan(folder, out):
    """A plan whose runs take a minute or so; where it lies."""
    pairs, lexicon = os.path.join(folder, 'pairs.tsv'), os.path.join(folder, 'lexicon.tsv')
    with open(pairs, 'w', encoding='utf-8') as file:
        file.writelines('\t'.join(row) + '\n' for row in [('text_id', 'source', 'target'), *PAIRS])
    with open(lexicon, 'w', encoding='utf-8') as file:
        file.write('spellings\tguide_word\na-na\tto\n')
    path = out + '.toml'
    with open(path, 'w', encoding='utf-8') as file:
        file.write(f'''
base = "{os.path.dirname(RECIPES)}/crates/lab/records/ablation-mini/base"
out = "{out}"
pairs = ["{pairs}"]
measured = ["{pairs}"]
lexicon = "{lexicon}"
points = "{os.path.dirname(RECIPES)}/assets/geometry/byte-points-hard.safetensors"
drawn = 16
translate = 2
seeds = [1, 2]

[settings]
length = {{ steps = 4 }}
batch_bytes = 256
longest = 512

[recipe]
layers = "6,3"
rate = 2e-4
inner_rate = 2e-3
points_rate = 1e-2
dropout = 0.1
augmented = 0.5
warm_up = 2
check_every = 2
patience = 9
compile = false

[[arm]]
name = "A"

[[arm]]
name = "C"
bias = true
''')
    return path


def taken(out):
    """Which process works on which run."""
    found = {}
    for name in NAMES:
        try:
            with open(os.path.join(out, name, 'taken'), encoding='utf-8') as file:
                process = file.read().strip()
        except FileNotFoundError:
            continue
        if process:
            found[name] = process
    return found


def results(out):
    found = {}
    for name in sorted(os.listdir(out)) if os.path.isdir(out) else []:
        path = os.path.join(out, name, 'result.json')
        if os.path.exists(path):
            with open(path, encoding='utf-8') as file:
                found[name] = json.load(file)
    return found


def named(result):
    """What a result is of."""
    return {name: result[name] for name in ('arm', 'seed', 'base', 'pairs', 'translate')}


class Killed(unittest.TestCase):
    def test_every_run_is_made_once_though_a_node_is_killed(self):
        from ray.cluster_utils import Cluster
        with tempfile.TemporaryDirectory() as folder:
            [one, two] = [os.path.join(folder, name) for name in ('one', 'two')]
            alone = [sys.executable, os.path.join(RECIPES, 'translator', 'arms.py'), plan(folder, one)]
            subprocess.run(alone, check=True, stdout=subprocess.DEVNULL)
            path = plan(folder, two)
            cluster = Cluster(initialize_head=True, head_node_args={'num_cpus': 1})
            second = cluster.add_node(num_cpus=1)
            job = subprocess.Popen([sys.executable, os.path.join(HERE, 'arms.py'), path, '--address', cluster.address])
            try:
                begin = time.time()
                # Both nodes work, and something is done already.
                before = {}
                while time.time() - begin < DEADLINE and not (len(before) == 2 and results(two)):
                    time.sleep(0.05)
                    before = taken(two)
                self.assertEqual(len(before), 2)
                after = {}
                cluster.remove_node(second, allow_graceful=False)
                while job.poll() is None and time.time() - begin < DEADLINE:
                    time.sleep(0.05)
                    for name, process in taken(two).items():
                        after.setdefault(name, set()).add(process)
                self.assertEqual(job.wait(1), 0)
            finally:
                job.kill()
                cluster.shutdown()
            expected, found = results(one), results(two)
            self.assertEqual((sorted(found), sorted(expected)), (sorted(NAMES), sorted(NAMES)))
            self.assertFalse(any(os.path.exists(os.path.join(two, name, 'state.pt')) for name in NAMES))
            for name in NAMES:
                self.assertEqual(named(found[name]), named(expected[name]))
                # Training is not the same twice, in one process or in two: four steps from one base differ by a hundredth or so.
                bits = [own[name]['validation']['bits_per_byte'] for own in (found, expected)]
                self.assertAlmostEqual(*bits, delta=0.05, msg=name)
            self.assertEqual(found['base-0']['validation'], expected['base-0']['validation'])
            # One of the two that were under way had another process in the end.
            self.assertTrue(any(after.get(name, {process}) - {process} for name, process in before.items()), (before, after))


if __name__ == '__main__':
    unittest.main()
