"""Train the restorer on, from the weights of `train_restorer.py` or from this program's own state.

    python recipes/restorer/train.py DATA VALIDATION OUT --start WEIGHTS --steady MINUTES --finish MINUTES

Training has two phases, as that of the translator. The steady one (a short warm-up, then one learning rate) may be cut into
as many sessions as it takes: OUT/state.pt holds weights, moments and counters, and the next call goes on from it as if there
had been no end, for batches and masks follow from the number of the step. SIGTERM ends a phase after its next step. The
finishing one lets the learning rate fall to 3 % and writes the model; it starts from the state and leaves it as it was, so
that steady training can go on afterwards. Figures on the way are those of the running mean of the weights, which is what a
decay comes to, nearly.

On a graphics card (`--device cuda`) products are made in bf16, other processes draw the batches (`--workers`), and dropout
(`--dropout`) keeps many passes over the texts from being learnt by heart:

    python recipes/restorer/train.py DATA VALIDATION OUT --device cuda --workers 4 --batch 32768 --dropout 0.1 \\
        --inner-rate 1e-2 --rate 7e-4 --mean-decay 0.99 --finish MINUTES

DATA and VALIDATION hold the same tree of files, as those of `train_restorer.py`; no text of VALIDATION is trained on. It is
masked and measured as that program does. OUT receives `restorer.safetensors` (float16), `vocab.json`, `report.json` and
`curve.tsv`. Needs torch, numpy, safetensors and a C++ compiler.
"""

import argparse
import contextlib
import json
import os
import signal
import time

import numpy as np
import torch
import torch.nn.functional as F
from damage import Damage
from fast import Fast
from feed import ahead
from safetensors.torch import load_file, save_file
from shared import Muon, first
from texts import encoded, epoch

WARM_UP_STEPS, LEAST_RATE, CLIP = 20, 0.03, 1.0
MEAN_DECAY = 0.995  # of the running mean of the weights, a step; less in the first 1,000
CHECKPOINT_SECONDS = 600
REPORT_SECONDS = 400  # of the processor's time: a program that runs when others rest must not measure all the time
VALIDATION_BATCHES = 8  # of about 24, measured on the way; all are at the end
PARTS = 4  # of an epoch that processes draw, so that the first need not be waited for long


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('data')
    parser.add_argument('validation')
    parser.add_argument('out')
    parser.add_argument('--steady', type=float, default=0, metavar='MINUTES')
    parser.add_argument('--finish', type=float, default=0, metavar='MINUTES')
    parser.add_argument('--start', default='models/restorer/restorer.safetensors', help='weights, when OUT has no state')
    parser.add_argument('--batch', type=int, default=8192, metavar='TOKENS')
    parser.add_argument('--rate', type=float, default=1e-4, help="Adam's, for embeddings, head and norms")
    parser.add_argument('--inner-rate', type=float, default=1e-3, help="Muon's, for the matrices of the layers")
    parser.add_argument('--long', type=float, default=0.2, metavar='SHARE', help='of texts, in windows of 768 tokens')
    parser.add_argument('--exact', action='store_true', help='no products in 8 bits')
    parser.add_argument('--report', type=float, default=REPORT_SECONDS, metavar='SECONDS')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--threads', type=int, default=1)
    parser.add_argument('--device', default='cpu', choices=['cpu', 'cuda'])
    parser.add_argument('--workers', type=int, default=0, help='processes that draw batches; without, this one does')
    parser.add_argument('--dropout', type=float, default=0.0)
    parser.add_argument('--mean-decay', type=float, default=MEAN_DECAY, help='of the running mean of the weights, a step')
    return parser.parse_args()


class Training:
    """The network, its optimisers, the counters, and how they are kept."""

    def __init__(self, settings):
        self.settings = settings
        torch.set_num_threads(settings.threads)
        torch.set_float32_matmul_precision('high')  # of Muon's products on a graphics card
        self.vocabulary = first.vocabulary_beside(settings.start)
        ids_of = {token: number for number, token in enumerate(self.vocabulary)}
        self.texts = encoded(read(settings.data), ids_of)
        self.validation = first.encode(read(settings.validation), ids_of)
        self.damage = Damage(self.texts, self.vocabulary)
        self.masker = first.Masker(self.vocabulary, ids_of, settings.device)
        self.network = first.Restorer(len(self.vocabulary))
        self.network.load_state_dict({name: value.float() for name, value in load_file(settings.start).items()})
        self.network.to(settings.device)
        self.fast = Fast(self.network, settings.exact or settings.device != 'cpu', settings.dropout)
        self.mean = copied(self.network)
        self.muon, self.adam = self.optimisers()
        self.steps, self.epoch, self.place, self.tokens, self.signs = 0, 0, 0, 0, 0
        self.seconds, self.curve, self.stopped = 0.0, [], False
        signal.signal(signal.SIGTERM, self.stop)
        if os.path.exists(self.path('state.pt')):
            self.restore()

    def stop(self, *_):
        """Ends the phase after the step that runs; a steady one keeps its state."""
        self.stopped = True

    def path(self, name):
        return os.path.join(self.settings.out, name)

    def optimisers(self):
        """Muon for the matrices of the layers, Adam for the rest."""
        named = list(self.network.named_parameters())
        inner = [(name, value) for name, value in named if is_inner(name, value)]
        rest = [value for name, value in named if not is_inner(name, value)]
        adam = torch.optim.AdamW(rest, lr=self.settings.rate, betas=(0.9, 0.98), weight_decay=0.0, fused=True)
        return Muon(inner, lambda name: 1.0), adam

    def keep(self):
        """Writes the state, whole or not at all."""
        optimisers = {'moments': self.muon.state_dict(), 'adam': self.adam.state_dict()}
        counters = {name: getattr(self, name) for name in COUNTERS}
        state = {'network': self.network.state_dict(), 'mean': self.mean, **optimisers, **counters}
        torch.save(state, self.path('state.pt.new'))
        os.replace(self.path('state.pt.new'), self.path('state.pt'))

    def restore(self):
        state = torch.load(self.path('state.pt'), map_location=self.settings.device, weights_only=True)
        self.network.load_state_dict(state['network'])
        self.mean = state['mean']
        self.muon.load_state_dict(state['moments'])
        self.adam.load_state_dict(state['adam'])
        for name in COUNTERS:
            setattr(self, name, state[name])

    def drawn(self, windows, seed):
        """Ids, what stands in their place, and where answers are wanted."""
        return self.damage.batch(windows, np.random.default_rng([self.settings.seed, seed]))

    def part(self, number):
        """A part of an epoch, drawn; for the processes of `ahead`."""
        torch.set_num_threads(1)
        found = epoch(self.texts, number // PARTS, self.settings)[number % PARTS::PARTS]
        return [[each.numpy() for each in self.drawn(own, number << 16 | place)] for place, own in enumerate(found)]

    def step(self, drawn, rate):
        """One step at this share of the learning rates; the loss of a sign as a tensor, unread."""
        for group in self.adam.param_groups:
            group['lr'] = rate * self.settings.rate
        count, signs = drawn[0].numel(), int(drawn[2].sum())
        ids, masked, wanted = (each.to(self.settings.device, non_blocking=True) for each in drawn)
        with self.precision():
            logits = self.fast(masked, wanted)
        loss = F.cross_entropy(logits.float(), ids[wanted])
        self.network.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), CLIP)
        self.muon.step(rate * self.settings.inner_rate)
        self.adam.step()
        self.average()
        self.steps, self.tokens, self.signs = self.steps + 1, self.tokens + count, self.signs + signs
        return loss.detach()

    def precision(self):
        """bf16 on a graphics card; on a processor products are in 8 bits, or exact."""
        on_card = self.settings.device == 'cuda'
        return torch.autocast('cuda', torch.bfloat16) if on_card else contextlib.nullcontext()

    @torch.no_grad()
    def average(self):
        share = min(self.settings.mean_decay, (self.steps + 1) / (self.steps + 5))
        own = self.network.state_dict()
        torch._foreach_lerp_([self.mean[name] for name in own], list(own.values()), 1 - share)

    def batches(self):
        """Drawn batches without end, from where training stands; with other processes, from the beginning of the epoch."""
        if self.settings.workers:
            begin = self.epoch * PARTS
            for number, drawn in enumerate(ahead(self.part, begin, self.settings.workers), begin):
                yield from ([torch.from_numpy(each) for each in batch] for batch in drawn)
                self.epoch = (number + 1) // PARTS
        while True:
            found = epoch(self.texts, self.epoch, self.settings)
            while self.place < len(found):
                yield self.drawn(found[self.place], self.steps)
                self.place += 1
            self.epoch, self.place = self.epoch + 1, 0

    def run(self, minutes, rate_at, keeps):
        """Trains for so many minutes; `rate_at` maps the share of them that is over to that of the learning rate."""
        begin = kept = time.time()
        told = self.clock()
        earlier, recent = self.seconds, []
        self.network.train()
        for drawn in self.batches():
            now = time.time()
            self.seconds = earlier + now - begin
            if self.stopped or now - begin >= 60 * minutes:
                break
            recent.append(self.step(drawn, rate_at((now - begin) / (60 * minutes))))
            if self.clock() - told > self.settings.report:
                self.tell(torch.stack(recent).mean().item())
                told, recent = self.clock(), []
            if keeps and now - kept > CHECKPOINT_SECONDS:
                kept = now
                self.keep()

    def clock(self):
        """Seconds of the processor, which rests in turn; of the wall on a graphics card."""
        return time.process_time() if self.settings.device == 'cpu' else time.time()

    def tell(self, loss):
        figures = self.measured(self.mean, VALIDATION_BATCHES)
        point = [self.steps, self.tokens, self.signs, round(self.seconds), round(loss, 4)]
        point += [round(figures[name], 4) for name in MEASURES]
        self.curve.append(point)
        print(*(f'{name} {value}' for name, value in zip(COLUMNS, point)), flush=True)

    def measured(self, weights, limit=None):
        """The figures of `weights` on the validation texts."""
        own = copied(self.network)
        self.network.load_state_dict(weights)
        own_device = self.settings.device
        settings = argparse.Namespace(tokens=4096, device=own_device, float32=own_device == 'cpu')
        figures = first.evaluate(self.network, self.validation, self.masker, settings, limit)
        self.network.load_state_dict(own)
        return figures

    def write(self):
        """The mean of the weights or the last ones, whichever foretell the validation texts better, and their figures."""
        last = copied(self.network)
        figures, weights = min(((self.measured(each), each) for each in (self.mean, last)), key=lambda pair: pair[0]['loss'])
        save_file({name: value.half().cpu().contiguous() for name, value in weights.items()}, self.path('restorer.safetensors'))
        write_json(self.path('vocab.json'), self.vocabulary)
        counters = {name: getattr(self, name) for name in COUNTERS if name != 'curve'}
        write_json(self.path('report.json'), {**counters, 'validation': figures, 'is_mean': weights is self.mean})
        with open(self.path('curve.tsv'), 'w', encoding='utf-8') as curve:
            for point in (COLUMNS, *self.curve):
                curve.write('\t'.join(map(str, point)) + '\n')
        print(counters, figures, flush=True)


COUNTERS = ['steps', 'epoch', 'place', 'tokens', 'signs', 'seconds', 'curve']
MEASURES = ['loss', 'hit@1', 'hit@5']
COLUMNS = ['steps', 'tokens', 'signs', 'seconds', 'training_loss', *MEASURES]


def is_inner(name, value):
    return '.layers.' in name and value.dim() == 2


def copied(network):
    return {name: value.detach().clone() for name, value in network.state_dict().items()}


def read(folder):
    return first.read_corpora([os.path.join(folder, path) for path in first.CORPORA])


def write_json(path, value):
    with open(path, 'w', encoding='utf-8') as file:
        json.dump(value, file, ensure_ascii=False)


def main():
    settings = arguments()
    os.makedirs(settings.out, exist_ok=True)
    training = Training(settings)
    print(f'{len(training.texts)} texts, {sum(len(ids) for ids, _ in training.texts)} tokens, '
          f'{len(training.damage.passages)} damaged passages, {training.steps} steps before', flush=True)
    if settings.steady:
        training.run(settings.steady, lambda _: min(1.0, (training.steps + 1) / WARM_UP_STEPS), keeps=True)
        training.keep()
    if settings.finish and not training.stopped:
        training.run(settings.finish, lambda share: 1 - (1 - LEAST_RATE) * share, keeps=False)
        training.write()


if __name__ == '__main__':
    main()
