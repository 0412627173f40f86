"""Pretrain the translator: ByT5 with the hyperbolic bias, Akkadian to English.

    python recipes/translator/train.py DATA OUT --steady MINUTES --finish MINUTES

Training has two phases. The steady one (a short warm-up, then one learning rate) may be cut into as many sessions as it
takes: OUT/state.pt holds weights, moments and counters, and the next call goes on from it. The finishing one lets the
learning rate fall to 3 % and writes the model; it starts from the state and leaves it as it was, so that steady training
can go on afterwards; its own end is kept as `finished.pt`, and the mean of the weights that had the least validation loss on the way
as `least-loss.safetensors`. (Hägele et al. 2024, https://arxiv.org/abs/2405.18392, find this as good as one long decay.)
Losses on the way are those of the running mean of the weights, which is what a decay comes to, nearly.

The points of the hyperbolic bias move by Riemannian Adam in the ball (`ball_adam.py`) at a rate of their own, with a cut of the
gradient of their own; how far they have come from the points of `--points`, in the mean and at most, is in the curve.

A network may begin with few layers (`--layers 2,1`) and get more when a call names more: they are put on top, and write
nothing at first, so that the network goes on as it was. Lower layers need not wait for a deep network to learn their part.

On a graphics card other processes draw the batches (`--workers`), and beside every batch of pairs the encoder may be given Akkadian
that nobody has translated, to name signs that are hidden from it (`--denoising`, `denoising.py`):

    python recipes/translator/train.py DATA OUT --device cuda --bf16 --compile --workers 4 --batch 32768 --denoising 12288 \\
        --longest 640 --dropout 0.15 --augmented 0.3 --start WEIGHTS --validation VALIDATION --finish MINUTES

With `--playback` batches have a few fixed shapes and the kernels of a step are recorded once for each (`playback.py`); small batches keep
such a card busy only so.

OUT receives `model.safetensors` (float16; points and alpha float32), `config.json`, `report.json` and `curve.tsv`. A
model instead of a state may be gone on from by `--start`. Needs torch, safetensors and sacrebleu.
"""

import argparse
import json
import math
import multiprocessing
import os
import random
import sys
import time

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

import deep_past
import denoising
import network
import torch
import torch.nn.functional as F
from ball_adam import BallAdam
from feed import ahead
from greedy import greedy
from muon import Muon
from network import ByT5, config_of
from pairs import LONGEST, Pairs, Shapes, batches, tables
from playback import Playback
from safetensors.torch import load_file, save_file

WARM_UP_STEPS, LEAST_RATE, CLIP = 100, 0.03, 1.0
BETAS = 0.9, 0.98
MEAN_DECAY = 0.998  # of the running mean of the weights, a step
INNER = {'q', 'k', 'v', 'o', 'wi_0', 'wi_1', 'wo'}  # the matrices that Muon moves
CHECKPOINT_SECONDS, REPORT_SECONDS = 600, 180
VALIDATION_SAMPLE, BATCHES_OF_TRANSLATIONS = 256, {'cpu': 64, 'cuda': 320}
LONGEST_TRANSLATION = 400
MULTIPLES = {'cpu': 1, 'cuda': 8}  # of bytes, to which rows are padded: a card's kernels for attention with a bias want it


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('data')
    parser.add_argument('out')
    parser.add_argument('--steady', type=float, default=0, metavar='MINUTES')
    parser.add_argument('--finish', type=float, default=0, metavar='MINUTES')
    parser.add_argument('--points', default='assets/geometry/byte-points-hard.safetensors')
    parser.add_argument('--start', help='weights to begin with, when OUT has no state')
    parser.add_argument('--size', default='mini', choices=['tiny', 'mini', 'small'])
    parser.add_argument('--batch', type=int, default=8192, metavar='BYTES')
    parser.add_argument('--rate', type=float, default=2e-3, help="Adam's; embeddings eight times as much")
    parser.add_argument('--inner-rate', type=float, default=2e-2, help="Muon's")
    parser.add_argument('--points-rate', type=float, default=1e-2, help="of the points' own Adam, in the ball")
    parser.add_argument('--points-after', type=int, default=0, metavar='STEPS', help='that the points rest at first')
    parser.add_argument('--points-pull', type=float, default=0.0, metavar='STRENGTH', help='back to where they began')
    parser.add_argument('--freeze-points', action='store_true')
    parser.add_argument('--only-bias', action='store_true', help='the points and the strength learn, all else stays')
    parser.add_argument('--layers', metavar='E,D', help='of encoder and decoder, fewer than the size has')
    parser.add_argument('--dropout', type=float, default=0.1)
    parser.add_argument('--smoothing', type=float, default=0.05)
    parser.add_argument('--joined', type=float, default=0.5, metavar='SHARE', help='of pairs, with neighbours of their text')
    parser.add_argument('--joined-until', type=float, default=1.0, metavar='SHARE', help='of a phase; after it no pairs are joined')
    parser.add_argument('--steps', type=int, help='end a phase after so many, where its minutes are not over before')
    parser.add_argument('--compile', action='store_true', help='what works number by number; needs a C++ compiler')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--augmented', type=float, default=0.5, metavar='SHARE')
    parser.add_argument('--synthetic', metavar='FILE', help='pairs by `tuppum-lab corpus synthetic`, at half weight')
    parser.add_argument('--synthetic-pairs', type=int, default=8000, metavar='COUNT', help='of them in each pass')
    parser.add_argument('--old-assyrian', metavar='FOLDER', help='of pairs of the Deep Past Challenge, by deep_past.py')
    parser.add_argument('--old-assyrian-validation', metavar='FILE', help='sentences to measure on')
    parser.add_argument('--others', type=float, default=1.0, metavar='SHARE', help='of the other texts in each pass, beside them')
    parser.add_argument('--neighbours', metavar='FILE', help='by neighbours.py, to be read beside the sources')
    parser.add_argument('--alone', type=float, default=0.15, metavar='SHARE', help='of pairs without their neighbours')
    parser.add_argument('--likeness', type=float, default=0.0, help='that a neighbour must have to be read, 0 to 1')
    parser.add_argument('--copies', type=float, default=0.0, metavar='SHARE', help='of pairs with their own translation, faulty, as neighbour')
    parser.add_argument('--longest', type=int, default=LONGEST, metavar='BYTES', help='of a joined source or target')
    parser.add_argument('--denoising', type=int, default=0, metavar='BYTES', help='of untranslated Akkadian, beside every batch')
    parser.add_argument('--denoising-weight', type=float, default=0.3, metavar='WEIGHT', help='of its loss')
    parser.add_argument('--validation', metavar='FOLDER', help='of other texts to measure on; those held back train in no case')
    parser.add_argument('--sample', type=int, default=VALIDATION_SAMPLE, metavar='PAIRS', help='of them, measured')
    parser.add_argument('--report', type=float, default=REPORT_SECONDS, metavar='SECONDS')
    parser.add_argument('--playback', action='store_true', help='on a graphics card: fixed shapes, recorded kernels')
    parser.add_argument('--workers', type=int, default=0, help='processes that draw batches; without, this one does')
    parser.add_argument('--mean-decay', type=float, default=MEAN_DECAY, help='of the running mean of the weights, a step')
    parser.add_argument('--no-geometry', action='store_true')
    parser.add_argument('--no-supplement', action='store_true')
    parser.add_argument('--device', default='cuda' if torch.cuda.is_available() else 'cpu')
    parser.add_argument('--bf16', action='store_true', help='on a GPU, or a processor with bf16 units')
    parser.add_argument('--threads', type=int, default=2)
    return parser.parse_args()


class Training:
    """The network, its optimiser, the counters, and how they are kept."""

    def __init__(self, settings):
        self.settings = settings
        torch.set_num_threads(settings.threads)
        torch.manual_seed(settings.seed)
        torch.set_float32_matmul_precision('high')  # of Muon's products on a graphics card
        if settings.compile:
            network.compile_parts()
        points = None if settings.no_geometry else load_file(settings.points)['geometry.points']
        config = {**config_of(settings.size), 'dropout_rate': settings.dropout}
        if settings.layers:
            config['num_layers'], config['num_decoder_layers'] = map(int, settings.layers.split(','))
        geometry = getattr(settings, 'geometry', {})
        if points is not None and geometry.get('curvature', 1.0) > 0:
            points = points / math.sqrt(geometry.get('curvature', 1.0))  # files have them in the ball of radius 1
        self.network = ByT5(config, points, **geometry)
        self.network.initialise()
        self.steps, self.bytes, self.seconds, self.curve = 0, 0, 0.0, []
        self.best = (math.inf, None)  # the least loss on the way and the mean of the weights then
        if settings.start:
            self.network.load_state_dict({name: value.float() for name, value in load_file(settings.start).items()})
        self.network.to(settings.device)
        self.denoiser = torch.nn.Linear(config['d_model'], config['vocab_size'], device=settings.device) if settings.denoising else None
        if settings.only_bias:
            for name, value in self.network.named_parameters():
                value.requires_grad_(name.startswith('geometry.'))
        self.mean = {name: value.detach().clone() for name, value in self.network.state_dict().items()}
        self.own = self.network.state_dict()  # the same numbers as the network's
        self.rate = torch.zeros((), device=settings.device) if settings.playback else 0.0
        self.muon, self.adam = self.optimisers()
        self.ready_for_playback()
        self.points = None if points is None else self.points_optimiser(points)
        kept = [] if self.points is None else [self.network.geometry.points]
        self.playback = Playback(self.learn, kept) if settings.playback else None
        if os.path.exists(self.path('state.pt')):
            self.restore()

    def path(self, name):
        return os.path.join(self.settings.out, name)

    def optimisers(self):
        """Muon for the matrices inside, Adam for the rest; the points have a step of their own."""
        named = [pair for pair in self.network.named_parameters() if pair[0] != 'geometry.points' and pair[1].requires_grad]
        inner = [(name, value) for name, value in named if part_of(name) in INNER]
        # T5 begins with queries as much smaller, in place of a division by the root of the width.
        queries = self.network.config['d_kv'] ** -0.5
        precision = torch.bfloat16 if self.settings.bf16 else torch.float32
        muon = Muon(inner, lambda name: queries if part_of(name) == 'q' else 1.0, precision)
        rest = [(name, value) for name, value in named if part_of(name) not in INNER]
        if self.denoiser:
            rest += [(f'denoiser.{name}', value) for name, value in self.denoiser.named_parameters()]
        rates = {'shared': 8 * self.settings.rate, 'log_curvature': self.settings.points_rate}
        kind = lambda name: 'log_curvature' if name.endswith('log_curvature') else part_of(name)
        groups = [
            {'params': [value for name, value in rest if rates.get(kind(name), self.settings.rate) == rate], 'own': rate}
            for rate in sorted({rates.get(kind(name), self.settings.rate) for name, _ in rest}, reverse=True)
        ]
        adam = torch.optim.AdamW(groups, betas=BETAS, weight_decay=0.0, fused=True, capturable=self.settings.playback)
        return muon, adam

    def ready_for_playback(self):
        """Recorded kernels read the rate of Adam on the card."""
        for group in self.adam.param_groups if self.settings.playback else ():
            group['lr'], group['capturable'] = torch.zeros((), device=self.settings.device), True

    def points_optimiser(self, start):
        """The points' own, which counts their way from `start`."""
        geometry = self.network.geometry
        return BallAdam(geometry.points, geometry.curvature, start, BETAS, clip=CLIP, pull=self.settings.points_pull)

    def keep(self, name='state.pt'):
        """Writes the state, whole or not at all."""
        counters = {'steps': self.steps, 'bytes': self.bytes, 'seconds': self.seconds, 'curve': self.curve}
        optimisers = {'moments': self.muon.state_dict(), 'adam': self.adam.state_dict()}
        optimisers['points'] = None if self.points is None else self.points.state_dict()
        state = {'network': self.network.state_dict(), 'mean': self.mean, **optimisers, **counters}
        torch.save(state, self.path(name + '.new'))
        os.replace(self.path(name + '.new'), self.path(name))

    def restore(self):
        """Goes on from the state; layers that it has not are new, and add nothing at first."""
        state = torch.load(self.path('state.pt'), map_location=self.settings.device, weights_only=True)
        missing, unknown = self.network.load_state_dict(state['network'], strict=False)
        if unknown:
            raise SystemExit(f'The state has more layers than asked for: {unknown[0]}, for one.')
        for name, value in self.network.named_parameters():
            if name in missing and part_of(name) in ('o', 'wo'):
                value.data.zero_()
        self.mean = {name: value.detach().clone() for name, value in self.network.state_dict().items()}
        self.mean.update(state['mean'])
        self.muon.load_state_dict(state['moments'])
        if self.points is not None:
            self.points.load_state_dict(state.get('points'))
        if not missing:
            own = [group['own'] for group in self.adam.param_groups]
            self.adam.load_state_dict(state['adam'])
            for group, rate in zip(self.adam.param_groups, own):
                group['own'] = rate
            self.ready_for_playback()
        self.steps, self.bytes, self.seconds, self.curve = (state[name] for name in ('steps', 'bytes', 'seconds', 'curve'))

    def autocast(self):
        return torch.autocast(self.settings.device, torch.bfloat16, enabled=self.settings.bf16)

    def tensor(self, table):
        return torch.from_numpy(table).to(self.settings.device, non_blocking=True)

    def denoising_loss(self, shown, asked):
        """The loss of a letter of the signs that the encoder does not see."""
        shown, asked = shown.long(), asked.long()
        with self.autocast():
            states, _ = self.network.encode(shown)
            logits = self.denoiser(states)
        return F.cross_entropy(logits.float().flatten(0, 1), asked.flatten(), ignore_index=denoising.IGNORED)

    def losses(self, batch, smoothing):
        """Cross entropy of every target byte of the tensors of a batch and its weight, padding 0."""
        source, target, shares = batch[:3]
        source, target = source.long(), target.long()
        before = torch.cat([torch.zeros_like(target[:, :1]), target[:, :-1]], 1)
        with self.autocast():
            logits = self.network(source, before)
        flat = logits.float().flatten(0, 1), target.flatten()
        found = F.cross_entropy(*flat, reduction='none', label_smoothing=smoothing).view(target.shape)
        return found, shares[:, None] * (target != 0)

    def learn(self, batch):
        """Moves all but the points by the gradient of a batch of tensors, at `self.rate`; the loss, unread."""
        for group in self.adam.param_groups:
            if self.settings.playback:
                group['lr'].copy_(self.rate * group['own'])
            else:
                group['lr'] = self.rate * group['own']
        losses, weights = self.losses(batch, self.settings.smoothing)
        loss = (losses * weights).sum() / weights.sum()
        for parameter in (*self.network.parameters(), *(self.denoiser.parameters() if self.denoiser else ())):
            parameter.grad = None
        loss.backward()
        if self.denoiser:
            (self.settings.denoising_weight * self.denoising_loss(*batch[3:])).backward()
        weights = [value for name, value in self.network.named_parameters() if name != 'geometry.points']
        torch.nn.utils.clip_grad_norm_(weights, CLIP)
        self.muon.step(self.rate * self.settings.inner_rate)
        self.adam.step()
        return loss.detach()

    def step(self, batch, rate):
        """One step at this share of the learning rates; the loss as a tensor, unread."""
        if self.playback:
            self.rate.fill_(rate)
            loss = self.playback.step([torch.from_numpy(table) for table in batch])
        else:
            self.rate = rate
            loss = self.learn([self.tensor(table) for table in batch])
        if self.points is not None and not self.settings.freeze_points and self.steps >= self.settings.points_after:
            self.points.step(rate * self.settings.points_rate)
        share = min(self.settings.mean_decay, (self.steps + 1) / (self.steps + 10))
        torch._foreach_lerp_([self.mean[name] for name in self.own], list(self.own.values()), 1 - share)
        self.steps += 1
        self.bytes += batch[0].size + batch[1].size
        return loss

    def run(self, pairs, minutes, rate_at):
        """Trains for so many minutes or steps; `rate_at` maps the share of them that is over to that of the learning rate."""
        begin = kept = told = time.time()
        earlier, first, recent = self.seconds, self.steps, []
        most = self.settings.steps or math.inf
        self.network.train()
        drawing = Drawing(pairs, self.settings, self.steps)
        for batch in drawing.batches():
            now = time.time()
            self.seconds = earlier + now - begin
            over = max((now - begin) / (60 * minutes), (self.steps - first) / most)
            if over >= 1:
                if recent:
                    self.tell(pairs, torch.stack(recent).mean().item())
                return
            drawing.join(over < self.settings.joined_until)
            recent.append(self.step(batch, rate_at(over)))
            if now - told > self.settings.report:
                told = now
                self.tell(pairs, torch.stack(recent).mean().item())
                recent = []
            if now - kept > CHECKPOINT_SECONDS and minutes == self.settings.steady:
                kept = now
                self.keep()

    def tell(self, pairs, loss):
        validation, others = self.with_mean(lambda: [self.validation_loss(pairs, own) for own in (pairs.validation, pairs.others)])
        if not math.isfinite(validation):
            raise SystemExit(f'The loss is no number after {self.steps} steps; the last state that was kept is in {self.settings.out}.')
        if validation < self.best[0]:
            self.best = validation, {name: value.clone() for name, value in self.mean.items()}
        point = [self.steps, self.bytes, round(self.seconds), round(loss, 4), round(validation, 4)]
        if pairs.others:
            print(f'validation of the others {others:.4f}', flush=True)
        point += [f'{way:.3g}' for way in self.points.way()] if self.points else ['', '']
        self.curve.append(point)
        told = 'step {} bytes {} seconds {} loss {} validation {} way of the points {} at most {}'
        print(told.format(*point), flush=True)
        with open(self.path('curve.tsv'), 'w', encoding='utf-8') as curve:
            curve.write('steps\tbytes\tseconds\tloss\tvalidation_loss\tpoints_mean\tpoints_largest\n')
            curve.writelines('\t'.join(map(str, point)) + '\n' for point in self.curve)

    def settle(self, pairs):
        """Takes the mean of the weights for the weights where it foretells the validation pairs better."""
        own = {name: value.clone() for name, value in self.network.state_dict().items()}
        now, mean = self.validation_loss(pairs, pairs.validation), self.with_mean(lambda: self.validation_loss(pairs, pairs.validation))
        print(f'validation {now:.4f}, of the mean of the weights {mean:.4f}')
        self.network.load_state_dict(self.mean if mean < now else own)

    def with_mean(self, measure):
        """What `measure` returns while the network has the mean of the weights."""
        own = {name: value.clone() for name, value in self.network.state_dict().items()}
        self.network.load_state_dict(self.mean)
        found = measure()
        self.network.load_state_dict(own)
        return found

    @torch.no_grad()
    def validation_loss(self, pairs, validation):
        """Nats per byte over the same few of these pairs; none without pairs."""
        if not validation:
            return math.nan
        self.network.eval()
        every = max(1, len(validation) // self.settings.sample)
        chosen = [pair for pair in validation[::every] if len(pair[0]) < 400 and len(pair[1]) < 400]
        sample = [(pairs.beside(source, source, target), target, 1.0) for source, target in chosen]
        total = count = 0
        for batch in batches(sample, self.settings.batch, random.Random(0)):
            drawn = tables(batch, MULTIPLES[self.settings.device])
            losses, weights = self.losses([self.tensor(table) for table in drawn], 0.0)
            total += (losses * weights).sum().item()
            count += weights.sum().item()
        self.network.train()
        return total / count

    def translate(self, sources):
        """Greedy translations."""
        self.network.eval()
        at_once = BATCHES_OF_TRANSLATIONS[self.settings.device]
        order = sorted(range(len(sources)), key=lambda place: len(sources[place]))
        found = [''] * len(sources)
        for start in range(0, len(sources), at_once):
            places = order[start:start + at_once]
            with self.autocast():
                part = greedy(self.network, [sources[place] for place in places], LONGEST_TRANSLATION, self.settings.device)
            for place, text in zip(places, part):
                found[place] = text
        self.network.train()
        return found

    def score(self, pairs):
        """BLEU, chrF++ and the root of their product on single validation lines, greedy, and the translations."""
        import sacrebleu
        every = max(1, len(pairs.validation) // self.settings.sample)
        sample = pairs.validation[::every]
        found = self.translate([pairs.beside(source, source, target) for source, target in sample])
        wanted = [[target for _, target in sample]]
        bleu = sacrebleu.corpus_bleu(found, wanted).score
        chrf = sacrebleu.corpus_chrf(found, wanted, word_order=2).score
        examples = [{'source': s, 'reference': t, 'found': f} for (s, t), f in zip(sample, found)]
        return {'BLEU': bleu, 'chrF++': chrf, 'score': math.sqrt(bleu * chrf), 'pairs': len(sample)}, examples

    def write(self, pairs):
        """The finished model with its figures."""
        save_file(halved(self.network.state_dict()), self.path('model.safetensors'))
        if self.best[1] is not None:
            save_file(halved(self.best[1]), self.path('least-loss.safetensors'))
        geometry = self.network.geometry
        own = {} if geometry is None else {'geometry_layers': geometry.layers, 'curvature': geometry.curvature}
        write_json(self.path('config.json'), {**self.network.config, **own})
        score, examples = self.score(pairs)
        counters = {'steps': self.steps, 'bytes': self.bytes, 'seconds': round(self.seconds)}
        if self.points is not None:
            counters['points'] = dict(zip(('mean', 'largest'), self.points.way()))
        write_json(self.path('report.json'), {**counters, 'validation': score, 'examples': examples})
        print(counters, score)


class Drawing:
    """Draws the batches of training: tables of sources, targets and weights, and two of hidden signs where those are asked for."""

    def __init__(self, pairs, settings, steps):
        self.pairs, self.settings, self.steps = pairs, settings, steps
        own = deep_past.passages(settings.old_assyrian) if settings.old_assyrian else ()
        self.passages = denoising.passages(settings.data, own) if settings.denoising else []
        self.joined = multiprocessing.Value('d', settings.joined)  # the processes that draw read it
        self.shapes = Shapes(self.pairs_of(random.Random(settings.seed)), settings.batch) if settings.playback else None

    def join(self, is_wanted):
        """Whether pairs of texts are joined; what is drawn already stays as it is."""
        self.joined.value = self.settings.joined if is_wanted else 0.0

    def pairs_of(self, chance):
        """The pairs of an epoch."""
        own = self.settings
        mixture = own.synthetic_pairs, own.alone, own.copies, own.others
        return self.pairs.epoch(chance, own.augmented, self.joined.value, *mixture)

    def batches(self):
        """Batches without end."""
        if self.settings.workers:
            for epoch in ahead(self.own_epoch, 0, self.settings.workers):
                yield from epoch
        chance = random.Random(self.settings.seed * 1_000_003 + self.steps)
        while True:
            yield from self.epoch(chance)

    def own_epoch(self, number):
        """An epoch that follows from its number alone; for the processes of `ahead`."""
        return list(self.epoch(random.Random(f'{self.settings.seed} {self.steps} {number}')))

    def epoch(self, chance):
        own, epoch = self.settings, self.pairs_of(chance)
        if self.shapes:
            for drawn in self.shapes.batches(epoch, chance):
                yield (*drawn, *(denoising.drawn(self.passages, own.denoising, chance) if self.passages else ()))
            return
        for batch in batches(epoch, own.batch, chance):
            hidden = denoising.batch(self.passages, own.denoising, chance) if self.passages else ()
            yield (*tables(batch, MULTIPLES[own.device]), *hidden)


def halved(weights):
    """Weights as they are written: float16, but for those of the bias."""
    return {
        name: (value if name.startswith('geometry.') else value.half()).detach().cpu().contiguous()
        for name, value in weights.items()
    }


def part_of(name):
    """What a parameter belongs to: `wo` of `encoder.block.0.layer.1.DenseReluDense.wo.weight`."""
    return name.split('.')[-2]


def write_json(path, value):
    with open(path, 'w', encoding='utf-8') as file:
        json.dump(value, file, indent=1, ensure_ascii=False)


def main():
    settings = arguments()
    os.makedirs(settings.out, exist_ok=True)
    pairs = Pairs(settings.data, not settings.no_supplement, settings.synthetic, settings.neighbours, settings.likeness,
                  settings.longest, settings.validation, settings.old_assyrian)
    if settings.old_assyrian_validation:
        pairs.others = pairs.validation
        pairs.validation = [pair for run in deep_past.sentences(settings.old_assyrian_validation).values() for pair in run]
    training = Training(settings)
    count = sum(parameter.numel() for parameter in training.network.parameters())
    print(f'{count} parameters, {sum(map(len, pairs.train.values()))} pairs, {len(pairs.validation)} for validation')
    if settings.steady:
        training.run(pairs, settings.steady, lambda _: min(1.0, (training.steps + 1) / WARM_UP_STEPS))
        training.keep()
    if settings.finish:
        first = training.steps

        def falling(share):
            """Warms up where training begins with a model's weights, whose moments are not known."""
            warm = min(1.0, (training.steps - first + 1) / WARM_UP_STEPS) if settings.start and not settings.steady else 1.0
            return warm * (1 - (1 - LEAST_RATE) * share)

        training.run(pairs, settings.finish, falling)
        training.keep('finished.pt')
        training.settle(pairs)
        training.write(pairs)


if __name__ == '__main__':
    main()
