"""Restore, gloss and translate whole corpora, on one machine or on a Ray cluster.

    python recipes/ray/corpus.py TEXTS... --out OUT [--workers 8] [--address auto]

TEXTS are Parquet or JSON lines with `id` and `text`, or ATF. OUT gets a Parquet file for each block of texts, with the texts' proposals
and, in its metadata, what made them: version, checksums of models, settings. Restorations and translations are a machine's
proposals. The same command goes on where it was cut: a block whose file is there is not made again. With `--workers 0` one process
makes all of it, without Ray; the files are the same. OUT and the models lie in a folder that all machines have.

Without Ray, by GNU parallel or as a Slurm array, block by block:

    parallel -j 8 python recipes/ray/corpus.py TEXTS --out OUT --workers 0 --share {}/8 ::: 0 1 2 3 4 5 6 7
    sbatch --array=0-63 --cpus-per-task=4 --wrap 'python recipes/ray/corpus.py TEXTS --out OUT --workers 0 --share $SLURM_ARRAY_TASK_ID/64'

Needs the package tuppum (`cargo xtask python` builds it), pyarrow and, for workers, ray.
"""

import argparse
import json
import os
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import texts  # noqa: E402


class Worker:
    """Opens the models once, then makes blocks."""

    def __init__(self, settings):
        import tuppum
        self.settings, models = settings, settings['models']
        self.restorer = tuppum.Restorer(os.path.join(models, 'restorer'), device=settings['device'])
        self.corpus = tuppum.Corpus(os.path.join(models, 'corpus'))
        self.translator = None if settings['no_translation'] else tuppum.Translator(
            os.path.join(models, 'translator'), device=settings['device'])
        self.provenance = {
            'tuppum': tuppum.__version__, 'settings': settings,
            'models': {name: texts.of_folder(os.path.join(models, name)) for name in ('restorer', 'translator', 'corpus')},
        }

    def block(self, number, rows):
        """Makes a block, unless its file is there; says how many texts it made."""
        out = self.settings['out']
        if os.path.exists(texts.file_of(out, number)):
            return 0
        texts.write(out, number, [self.row(*row) for row in rows], self.provenance)
        return len(rows)

    def row(self, name, text, file):
        """A text's row; what cannot be made of it is told, and the rest is made all the same."""
        row = {'id': name, 'text': text, 'source_file': os.path.basename(file), 'text_sha256': texts.checksum(text)}
        problems = []
        for step in (self.restored, self.glossed, *([self.translated] if self.translator else [])):
            try:
                row |= step(text)
            except ValueError as problem:  # such as a text without gaps
                problems.append(str(problem))
        return row | {'problem': ' '.join(problems) or None}

    def restored(self, text):
        answer = self.restorer.restore([text], beam=self.settings['beam'], top=self.settings['top'])[0]['answer']
        return {'restored': json.dumps(answer['joint'][:1], ensure_ascii=False), 'gaps': json.dumps(answer['gaps'], ensure_ascii=False)}

    def glossed(self, text):
        return {'glosses': json.dumps(self.corpus.gloss([text])[0], ensure_ascii=False)}

    def translated(self, text):
        found = self.translator.translate([text], beams=self.settings['beams'], longest=self.settings['longest'])[0]
        return {'translation': [own['translations'][0]['text'] for own in found],
                'translations': json.dumps(found, ensure_ascii=False, default=lambda numbers: numbers.tolist())}


# How many more actors than there are workers may be lost one after another without a block being made: then some machine cannot
# open the models, and it is better to say so than to try for ever.
MOST_LOST = 5


def by_ray(settings, blocks, workers, address):
    """Makes all blocks by actors; a block whose machine is lost is made by another one."""
    import ray
    from ray.exceptions import RayActorError
    if not ray.is_initialized():
        ray.init(address=address)
    cpus, gpus = settings['cpus'], settings['gpus']
    threads = {'env_vars': {'RAYON_NUM_THREADS': str(cpus)}}
    Remote = ray.remote(num_cpus=cpus, num_gpus=gpus, max_restarts=-1, max_task_retries=-1)(Worker)
    begin = lambda: Remote.options(runtime_env=threads).remote(settings)
    waiting, running, made, lost = list(reversed(blocks)), {}, 0, 0

    def give(worker, block):
        running[worker.block.remote(*block)] = worker, block

    for _ in range(min(workers, len(blocks))):
        give(begin(), waiting.pop())
    while running:
        (done,), _ = ray.wait(list(running), num_returns=1)
        worker, block = running.pop(done)
        try:
            made += ray.get(done)
            lost = 0
            if waiting:
                give(worker, waiting.pop())
        except RayActorError as error:  # beyond what Ray restarts by itself, or models that cannot be opened
            lost += 1
            if lost >= workers + MOST_LOST:
                raise RuntimeError(f'{lost} workers in a row ended before they had made a block; the last one said: {error}') from error
            give(begin(), block)
        del worker  # the last handle of an idle actor: what it held is free for one that has to begin anew
    return made


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('texts', nargs='+')
    parser.add_argument('--out', required=True)
    parser.add_argument('--models', default='models', help='folder with restorer, translator and corpus')
    parser.add_argument('--workers', type=int, default=0, help='actors of Ray; 0 for this process alone')
    parser.add_argument('--address', help='of a running cluster; auto finds it')
    parser.add_argument('--share', help='N/OF: only the Nth of OF shares of the blocks, from 0')
    parser.add_argument('--block', type=int, default=64, help='texts of a block')
    parser.add_argument('--cpus', type=int, default=1, help='of a worker')
    parser.add_argument('--gpus', type=float, default=0, help='of a worker')
    parser.add_argument('--device', choices=['cpu', 'wgpu', 'auto'])
    parser.add_argument('--beam', type=int, default=5)
    parser.add_argument('--top', type=int, default=20)
    parser.add_argument('--beams', type=int, default=5)
    parser.add_argument('--longest', type=int, default=512)
    parser.add_argument('--no-translation', action='store_true')
    asked = parser.parse_args(arguments)
    made_by = ('beam', 'top', 'beams', 'longest', 'no_translation', 'device', 'cpus', 'gpus', 'block')
    settings = {name: getattr(asked, name) for name in made_by}
    settings |= {'out': os.path.abspath(asked.out), 'models': os.path.abspath(asked.models)}
    every = texts.blocks(texts.all_texts(asked.texts), asked.block)
    if asked.share:
        number, of = map(int, asked.share.split('/'))
        every = [block for block in every if block[0] % of == number]
    left = [block for block in every if not os.path.exists(texts.file_of(settings['out'], block[0]))]
    begin = time.time()
    if asked.workers:
        made = by_ray(settings, left, asked.workers, asked.address)
    else:
        os.environ.setdefault('RAYON_NUM_THREADS', str(asked.cpus))
        worker = Worker(settings) if left else None
        made = sum(worker.block(*block) for block in left)
    seconds = time.time() - begin
    print(f'{made} texts in {seconds:.1f} s, {made / seconds:.2f} a second; {len(every) - len(left)} of {len(every)} blocks were there')


if __name__ == '__main__':
    main()
