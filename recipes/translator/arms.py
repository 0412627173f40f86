"""Make the runs of an ablation's plan, one model fine-tuned in each way of the plan with each seed, on a processor or a GPU.

    python recipes/translator/arms.py crates/lab/records/ablation-mini.toml [--minutes MINUTES]

Every run has a folder in the plan's `out`: `state.pt`, from which it goes on where it was cut, `checks.json`, the bits per byte
of pairs kept aside after every few steps, and at its end `result.json`, which `tuppum-lab ablate PLAN --report PAGE` makes tables of.
A run ends when these bits have turned, that is, when they were `patience` times in a row above their least, or at the plan's
longest; what is measured is the model at their least. The base is measured first, as it is (`base-0`). Several processes, on
several machines with a common folder, may work on one plan: each takes a run that is neither done nor taken, and a run whose `taken`
nobody has touched for half an hour is free again.

The arms of the design have the names A to F; a plan may name others by `[[arm]]`, as `tuppum-lab ablate` reads them. Needs torch,
safetensors and sacrebleu.
"""

import argparse
import hashlib
import json
import math
import os
import random
import time
import tomllib

import torch
from augment import augment
from greedy import greedy
from pairs import SUPPLEMENT_WEIGHT, batches, is_validation, named_pairs, spelt, tables
from safetensors.torch import load_file, save_file
from signs import of_rows
from train import MEAN_DECAY, Training

DESIGN = {'A': '', 'B': 'da', 'C': 'b', 'D': 'dab', 'E': 'd', 'F': 'a'}  # more data, augmentation, bias
EMPTY = {'data': False, 'augmentation': False, 'bias': False, 'layers': None, 'curvature': None, 'points': None, 'signs': False}
GEOMETRY_LAYERS, CURVATURE = 4, 1.0  # of an arm that says nothing else
STALE_SECONDS = 1800
LONGEST_TRANSLATION, AT_ONCE = 300, 64
KEPT_ASIDE, LONGEST_KEPT = 256, 400  # pairs, letters of a side


def evenly(items, count):
    """So many of the items, from all of the list."""
    return [items[place * len(items) // count] for place in range(count)] if len(items) > count else items


class Data:
    """The pairs of a plan: `drawn`, of every arm; `more` and `lexicon`, at half weight; `kept`, to stop by; `measured`."""

    def __init__(self, plan):
        if 'optimiser' in plan['settings']:
            raise SystemExit('The runs of a recipe are moved by its own optimisers: leave optimiser away.')
        longest = plan['settings']['longest']
        fits = lambda pair: max(len(text.encode()) for text in pair) <= longest
        trained, kept = [], []
        for path in plan['pairs']:
            for text, *pair in named_pairs(path):
                if fits(pair):
                    (kept if is_validation(text) else trained).append(pair)
        random.Random(plan.get('draw_seed', 1)).shuffle(trained)
        self.drawn, more = trained[:plan['drawn']], trained[plan['drawn']:]
        self.more = [(source, target, SUPPLEMENT_WEIGHT) for source, target in more]
        self.lexicon = [(*pair, SUPPLEMENT_WEIGHT) for pair in spelt(plan['lexicon'])]
        self.kept = evenly([pair for pair in kept if max(map(len, pair)) < LONGEST_KEPT], KEPT_ASIDE)
        self.measured = [pair for path in plan['measured'] for _, *pair in named_pairs(path) if fits(pair)]

    def epoch(self, arm, share, chance):
        """Sources, targets and weights of one pass of an arm; a quarter of the lexicon where there is more data."""
        found = [(source, target, 1.0) for source, target in self.drawn]
        if arm['data']:
            found += self.more + chance.sample(self.lexicon, len(self.lexicon) // 4)
        if not arm['augmentation']:
            return found
        return [(augment(own, chance) if chance.random() < share else own, *rest) for own, *rest in found]


class Run:
    """One run in its folder."""

    def __init__(self, plan, arm, seed, data):
        self.plan, self.arm, self.seed, self.data, self.own = plan, arm, seed, data, plan['recipe']
        self.folder = os.path.join(plan['out'], f"{arm['name']}-{seed}")
        self.weights = os.path.join(plan['base'], 'model.safetensors')
        self.checks, self.training, self.loss = [], None, 0.0

    def path(self, name):
        return os.path.join(self.folder, name)

    def is_free(self):
        """Whether it is neither done nor somebody else's."""
        if os.path.exists(self.path('result.json')):
            return False
        try:
            return time.time() - os.path.getmtime(self.path('taken')) > STALE_SECONDS
        except FileNotFoundError:
            return True

    def take(self):
        os.makedirs(self.folder, exist_ok=True)
        with open(self.path('taken'), 'w', encoding='utf-8') as file:
            file.write(f'{os.uname().nodename} {os.getpid()}\n')

    def begin(self):
        """The network with its moments: from the folder, or the base with the arm's bias."""
        own = lambda name, usual: usual if self.arm.get(name) is None else self.arm[name]
        geometry = {
            'geometry_layers': own('layers', GEOMETRY_LAYERS), 'curvature': own('curvature', CURVATURE),
            'numbers': of_rows if self.arm['signs'] else None, 'learns_curvature': self.arm.get('learns_curvature', False)}
        settings = argparse.Namespace(
            out=self.folder, start=None, device=self.own.get('device', 'cpu'), threads=self.own.get('threads', 1), bf16=False,
            seed=self.seed, no_geometry=not self.arm['bias'], points=self.arm.get('points') or self.plan['points'], size='mini',
            layers=self.own['layers'], dropout=self.own['dropout'], only_bias=self.arm.get('alone', False), compile=self.own.get('compile', True),
            rate=self.own['rate'], inner_rate=self.own['inner_rate'], points_rate=self.own['points_rate'], points_after=0,
            points_pull=0.0, smoothing=0.0, geometry=geometry, denoising=0, mean_decay=MEAN_DECAY, playback=False,
            freeze_points=self.arm.get('frozen', False) or geometry['learns_curvature'])
        self.training = training = Training(settings)
        if training.steps == 0:
            state = load_file(self.weights)
            missing, unknown = training.network.load_state_dict({name: own.float() for name, own in state.items()}, strict=False)
            if unknown or any(not name.startswith('geometry.') for name in missing):
                raise SystemExit(f"{self.plan['base']}: not the base of this plan: {(unknown + missing)[0]}")
            with open(self.path('base.sha256'), 'w', encoding='utf-8') as file:
                file.write(self.base())
        with open(self.path('base.sha256'), encoding='utf-8') as file:
            if file.read() != self.base():
                raise SystemExit(f'{self.folder} holds a run that began with another base; delete it, or give another folder as out.')
        if os.path.exists(self.path('checks.json')):
            with open(self.path('checks.json'), encoding='utf-8') as file:
                self.checks = [check for check in json.load(file) if check[0] <= training.steps]

    def base(self):
        """The checksum of what the run begins with."""
        with open(self.weights, 'rb') as file:
            return hashlib.file_digest(file, 'sha256').hexdigest()

    def check(self):
        """Measures on the pairs kept aside; keeps the state, and the weights if they are the best."""
        self.training.keep()
        bits = self.bits(self.data.kept)
        self.checks.append((self.training.steps, sum(own for own, _ in bits) / sum(count for _, count in bits)))
        if min(self.checks, key=lambda check: check[1]) is self.checks[-1]:
            save_file({name: own.clone() for name, own in self.training.network.state_dict().items()}, self.path('best.safetensors'))
        with open(self.path('checks.json'), 'w', encoding='utf-8') as file:
            json.dump(self.checks, file)
        print(self.arm['name'], self.seed, *self.checks[-1], flush=True)
        self.take()

    def has_turned(self):
        best = min(range(len(self.checks)), key=lambda place: self.checks[place][1])
        return len(self.checks) - 1 - best >= self.own['patience']

    def train(self, deadline):
        """Trains to its end; false if the deadline came first."""
        self.begin()
        training, most, every = self.training, self.plan['settings']['length']['steps'], self.own['check_every']
        chance = random.Random(self.seed * 1_000_003 + training.steps)
        torch.manual_seed(self.seed * 7 + training.steps)
        if not self.checks:
            self.check()
        training.network.train()
        begin = time.time() - training.seconds
        while training.steps < most and not self.has_turned():
            for batch in batches(self.data.epoch(self.arm, self.own['augmented'], chance), self.plan['settings']['batch_bytes'], chance):
                share = min(1.0, (training.steps + 1) / self.own['warm_up']) * (1 - 0.97 * training.steps / most)
                self.loss = training.step(tables(batch), share).item()
                training.seconds = time.time() - begin
                if training.steps % every == 0 or training.steps >= most:
                    self.check()
                    if training.steps >= most or self.has_turned():
                        break
                if time.time() > deadline:
                    training.keep()
                    return False
        return True

    @torch.no_grad()
    def bits(self, pairs):
        """The bits of each pair's target and its bytes, the end included, in order."""
        training = self.training
        training.network.eval()
        order = sorted(range(len(pairs)), key=lambda place: sum(len(text.encode()) for text in pairs[place]))
        found = [None] * len(pairs)
        for first in range(0, len(order), 32):
            places = order[first:first + 32]
            drawn = tables([(*pairs[place], 1.0) for place in places])
            losses, weights = training.losses([training.tensor(table) for table in drawn], 0.0)
            sums, counts = (losses * weights).sum(1) / math.log(2), weights.sum(1)
            for place, one, count in zip(places, sums.tolist(), counts.tolist()):
                found[place] = (one, int(count))
        training.network.train()
        return found

    def translations(self, pairs):
        network = self.training.network
        network.eval()
        order = sorted(range(len(pairs)), key=lambda place: len(pairs[place][0]))
        found = [''] * len(pairs)
        for first in range(0, len(order), AT_ONCE):
            places = order[first:first + AT_ONCE]
            own = greedy(network, [pairs[place][0] for place in places], LONGEST_TRANSLATION, self.training.settings.device)
            for place, text in zip(places, own):
                found[place] = text
            self.take()
        return found

    def measure(self):
        """Writes the result of the model at its least loss."""
        import sacrebleu
        training = self.training
        training.network.load_state_dict(load_file(self.path('best.safetensors')))
        bits = self.bits(self.data.measured)
        some = evenly(self.data.measured, self.plan['translate']) if self.plan['translate'] else []
        found, scores = self.translations(some), None
        if some:
            wanted = [[target for _, target in some]]
            bleu, chrf = sacrebleu.corpus_bleu(found, wanted).score, sacrebleu.corpus_chrf(found, wanted, word_order=2).score
            scores = {'BLEU': bleu, 'chrF++': chrf, 'score': math.sqrt(bleu * chrf)}
        after = min(self.checks, key=lambda check: check[1])[0]
        network = training.network
        result = {
            'arm': self.arm, 'seed': self.seed, 'fingerprint': '', 'base': self.base(),
            'translate': len(some), 'pairs': len(self.data.epoch({**self.arm, 'augmentation': False}, 0, random.Random(0))),
            'steps': after, 'last_loss': self.loss, 'seconds': training.seconds,
            'alpha': None if network.geometry is None else float(network.geometry.alpha),
            'validation': {
                'after': after, 'bits_per_byte': sum(own for own, _ in bits) / sum(count for _, count in bits),
                'bits': [round(own, 3) for own, _ in bits], 'bytes': [count for _, count in bits]},
            'scores': scores,
            'points': dict(zip(('mean', 'largest'), training.points.way())) if training.points else None,
            'curvature': None if network.geometry is None else float(network.geometry.places()[1]),
            'translations': found,
        }
        with open(self.path('result.new'), 'w', encoding='utf-8') as file:
            json.dump(result, file, ensure_ascii=False)
        os.replace(self.path('result.new'), self.path('result.json'))
        for name in ('state.pt', 'taken'):
            if os.path.exists(self.path(name)):
                os.remove(self.path(name))
        print(self.arm['name'], self.seed, 'after', after, result['validation']['bits_per_byte'], scores, flush=True)


def arms_of(plan):
    """The arms of the plan as `tuppum-lab ablate` writes them."""
    named = plan.get('arm') or [
        {'name': name, 'data': 'd' in own, 'augmentation': 'a' in own, 'bias': 'b' in own} for name, own in DESIGN.items()]
    return [{**EMPTY, **arm} for arm in named]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('plan')
    parser.add_argument('--minutes', type=float, default=math.inf, help='begin no step after so many')
    asked = parser.parse_args()
    with open(asked.plan, 'rb') as file:
        plan = tomllib.load(file)
    deadline, data = time.time() + 60 * asked.minutes, Data(plan)
    print(f'{len(data.drawn)} drawn, {len(data.more)} and {len(data.lexicon)} more, {len(data.kept)} kept aside, '
          f'{len(data.measured)} to measure with', flush=True)
    base = Run(plan, {**EMPTY, 'name': 'base'}, 0, data)
    if base.is_free():
        base.take()
        base.begin()
        base.check()
        base.measure()
    for seed in plan['seeds']:
        for arm in arms_of(plan):
            run = Run(plan, arm, seed, data)
            if run.is_free() and time.time() < deadline:
                run.take()
                if not run.train(deadline):
                    os.remove(run.path('taken'))
                    return
                run.measure()


if __name__ == '__main__':
    main()
