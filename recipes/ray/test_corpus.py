"""A corpus on a local cluster of two nodes, of which one is killed in the middle.

    python -m unittest discover recipes/ray

Needs what `corpus.py` needs, ray with it, and the project's models.
"""

import json
import os
import sys
import tempfile
import threading
import time
import unittest

import pyarrow
import pyarrow.compute
import pyarrow.parquet

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import corpus  # noqa: E402
import texts  # noqa: E402

LINES = ['a-na {d}UTU be-li₂-ia x-bi₂-ma', 'um-ma x-šur-i-di₂-ma', 'ṭup-pa-am ni-x-me-ma', '10 GIN₂ KU₃.BABBAR x', 'x-ri-iš a-lim{KI}']
WHOLE = 'a-na be-li₂-ia'
TEXTS_OF_A_BLOCK = 2
DEADLINE = 600


def files(folder):
    """Texts of all three kinds; one of them has nothing to restore, one nothing at all."""
    rows = [{'id': f'P{number:06}', 'text': LINES[number % len(LINES)]} for number in range(8)]
    names = [os.path.join(folder, name) for name in ('some.jsonl', 'more.parquet', 'last.atf')]
    with open(names[0], 'w', encoding='utf-8') as file:
        file.writelines(json.dumps(row, ensure_ascii=False) + '\n' for row in rows)
    more = [{'id': f'Q{number:06}', 'text': text} for number, text in enumerate(['', WHOLE, *LINES])]
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(more), names[1])
    with open(names[2], 'w', encoding='utf-8') as file:
        file.write(''.join(f'&R{number:06} = letter\n1. {LINES[number % len(LINES)]}\n' for number in range(6)))
    return names


class Broken(unittest.TestCase):
    def test_models_that_cannot_be_opened_end_the_job(self):
        import ray
        with tempfile.TemporaryDirectory() as folder:
            ray.init(num_cpus=1, runtime_env={'env_vars': {'PYTHONPATH': HERE}})
            try:
                with self.assertRaisesRegex(RuntimeError, '(?s)workers in a row.*cannot be opened'):
                    corpus.main([*files(folder), '--models', folder, '--out', os.path.join(folder, 'out'), '--workers', '1'])
            finally:
                ray.shutdown()


class Killed(unittest.TestCase):
    def test_a_node_is_killed_and_nothing_is_lost_or_doubled(self):
        import ray
        from ray.cluster_utils import Cluster
        with tempfile.TemporaryDirectory() as folder:
            names, [one, two] = files(folder), [os.path.join(folder, name) for name in ('one', 'two')]
            own = [*names, '--models', os.path.join(HERE, '../../models'), '--block', str(TEXTS_OF_A_BLOCK), '--beam', '2', '--top', '3',
                   '--beams', '1', '--longest', '12']
            corpus.main([*own, '--out', one])
            cluster = Cluster(initialize_head=True, head_node_args={'num_cpus': 1})
            second = cluster.add_node(num_cpus=1)
            ray.init(address=cluster.address, runtime_env={'env_vars': {'PYTHONPATH': HERE}})
            try:
                job = threading.Thread(target=corpus.main, args=([*own, '--out', two, '--workers', '2'],), daemon=True)
                job.start()
                parts = lambda: len([name for name in os.listdir(two) if name.endswith('.parquet')]) if os.path.isdir(two) else 0
                begin = time.time()
                while parts() < 2 and time.time() - begin < DEADLINE:
                    time.sleep(0.05)
                self.assertLess(parts(), 10, 'the job was done before a node could be killed')
                cluster.remove_node(second, allow_graceful=False)
                job.join(DEADLINE)
                self.assertFalse(job.is_alive(), 'the job did not end')
            finally:
                ray.shutdown()
                cluster.shutdown()
            found, expected = texts.gather(two), texts.gather(one)
            self.assertEqual(found.num_rows, 21)
            self.assertEqual(len(set(found['id'].to_pylist())), 21)
            self.assertTrue(found.equals(expected))
            self.assertEqual(len([name for name in os.listdir(two) if name.endswith('.parquet')]), 11)
            rows = {row['text']: row for row in found.to_pylist()}
            self.assertIn('nothing to restore', rows[WHOLE]['problem'])
            self.assertTrue(rows[WHOLE]['translation'] and rows[WHOLE]['glosses'])
            self.assertIn('no text', rows['']['problem'])
            self.assertEqual(sum(1 for row in rows.values() if row['problem']), 2)
            said = json.loads(pyarrow.parquet.read_schema(texts.file_of(two, 0)).metadata[b'tuppum'])
            self.assertEqual(said['models']['restorer'], texts.of_folder(os.path.join(HERE, '../../models/restorer')))


if __name__ == '__main__':
    unittest.main()
