"""The package in a clean environment: the same answers as the command's, without Python's lock, and the notebook run.

`TUPPUM_COMMAND` names the command, `TUPPUM_PROJECT` the project's folder; `cargo xtask python` sets both.
"""

import json
import os
import pathlib
import subprocess
import threading
import time
import unittest

import numpy
import tuppum

PROJECT = pathlib.Path(os.environ['TUPPUM_PROJECT'])
TINY = 'tests/golden/tiny-translator'
TEXTS = ['a-na {d}UTU be-li₂-ia x-bi₂-ma', '1. um-ma [a-szur]-i-di2-ma#\n2. a-na x']


def command(*arguments):
    return subprocess.run([os.environ['TUPPUM_COMMAND'], *arguments], cwd=PROJECT, check=True, capture_output=True, text=True).stdout


class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        os.chdir(PROJECT)
        cls.restorer = tuppum.Restorer('models/restorer')

    def test_it_restores_as_the_command(self):
        for text, answer in zip(TEXTS, self.restorer.restore(TEXTS, beam=2, top=3)):
            self.assertEqual(answer, json.loads(command('restore', '--json', '--beam', '2', '--top', '3', '--text', text)))

    def test_attested_texts_count(self):
        answer, = tuppum.Restorer('models/restorer', corpus='models/corpus').restore(TEXTS[:1], top=3)
        expected = command('restore', '--json', '--top', '3', '--corpus', 'models/corpus', '--text', TEXTS[0])
        self.assertEqual(answer, json.loads(expected))

    def test_it_translates_as_the_command(self):
        for model in (TINY, 'models/translator'):
            found = tuppum.Translator(model).translate(TEXTS[1:], longest=20, answers=2, attention=True)
            expected = json.loads(command('translate', '--model', model, '--json', '--longest', '20', '--answers', '2', TEXTS[1]))
            for passage, wanted in zip(found[0], expected, strict=True):
                self.assertEqual(passage['source'], wanted['source'])
                for own, other in zip(passage['translations'], wanted['translations'], strict=True):
                    for name, value in other.items():
                        if name.startswith('byte_'):
                            self.assertEqual(own[name].dtype, numpy.float32)
                            self.assertTrue(numpy.array_equal(own[name], numpy.asarray(value, 'f4')))
                        else:
                            self.assertEqual(own[name], value)

    def test_it_reads_and_glosses(self):
        read = tuppum.Reader().read(TEXTS)
        self.assertEqual([own['source'] for own in read], TEXTS)
        self.assertIn('um-ma', read[1]['canonical'])
        corpus = tuppum.Corpus('models/corpus')
        names, *rows = [row.split('\t') for row in command('gloss', '--format', 'tsv', '--text', TEXTS[0]).splitlines()]
        self.assertEqual(corpus.gloss(TEXTS)[0], [dict(zip(names, row)) for row in rows])
        line = corpus.parallels(['um-ma {m}a-šur-i-di₂-ma a-na be-li₂-ia'], top=2)[0][0]
        self.assertEqual(len(line['parallels']), 2)
        self.assertGreaterEqual(line['parallels'][0]['similarity'], line['parallels'][1]['similarity'])

    def test_states_are_arrays(self):
        one, two = self.restorer.states(TEXTS)
        self.assertEqual((one.dtype, one.ndim, one.shape[1]), (numpy.float32, 2, two.shape[1]))

    def test_threads_go_on_while_it_computes(self):
        counted, done = [0], threading.Event()

        def count():
            while not done.is_set():
                counted[0] += 1
                time.sleep(0.001)

        thread = threading.Thread(target=count)
        thread.start()
        before = counted[0]
        self.restorer.restore(TEXTS)
        after = counted[0]
        done.set()
        thread.join()
        self.assertGreater(after, before + 5)  # of hundreds of milliseconds; with the lock held next to nothing is counted

    def test_errors_say_what_to_do(self):
        with self.assertRaisesRegex(ValueError, 'say cpu, wgpu, cuda or auto'):
            tuppum.Restorer('models/restorer', device='tpu')
        with self.assertRaisesRegex(ValueError, 'cannot be opened'):
            tuppum.Translator('models/nowhere')
        with self.assertRaises(TypeError):
            self.restorer.restore('a-na')  # one text is no list of texts

    def test_the_notebook_runs(self):
        notebook = json.loads((PROJECT / 'python/tuppum.ipynb').read_text(encoding='utf-8'))
        names = {}
        for number, cell in enumerate(cell for cell in notebook['cells'] if cell['cell_type'] == 'code'):
            exec(compile(''.join(cell['source']), f'cell {number}', 'exec'), names)


if __name__ == '__main__':
    unittest.main()
