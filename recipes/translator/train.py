"""Pretrain the translator: ByT5 with the hyperbolic bias, Akkadian to English.

    python recipes/translator/train.py DATA OUT --steady MINUTES --finish MINUTES

Training has two phases. The steady one (a short warm-up, then one learning rate) may be cut into as many sessions as it
takes: OUT/state.pt holds weights, moments and counters, and the next call goes on from it. The finishing one lets the
learning rate fall to 3 % and writes the model; it starts from the state and leaves it as it was, so that steady training
can go on afterwards. (Hägele et al. 2024, https://arxiv.org/abs/2405.18392, find this as good as one long decay.)

OUT receives `model.safetensors` (float16; points and alpha float32), `config.json`, `report.json` and `curve.tsv`. A
model instead of a state may be gone on from by `--start`. Needs torch, safetensors and sacrebleu.
"""

import argparse
import json
import math
import os
import random
import time

import torch
import torch.nn.functional as F
from network import ByT5, config_of, decode
from pairs import Pairs, batches, padded
from safetensors.torch import load_file, save_file

WARM_UP_STEPS, LEAST_RATE, SMOOTHING, CLIP = 1000, 0.03, 0.05, 1.0
CHECKPOINT_SECONDS, REPORT_SECONDS = 600, 60
VALIDATION_SAMPLE, BATCH_OF_TRANSLATIONS = 256, 64


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
    parser.add_argument('--rate', type=float, default=1e-3)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--augmented', type=float, default=0.5, metavar='SHARE')
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
        points = None if settings.no_geometry else load_file(settings.points)['geometry.points']
        self.network = ByT5(config_of(settings.size), points)
        self.network.initialise()
        self.steps, self.bytes, self.seconds, self.curve = 0, 0, 0.0, []
        if settings.start:
            self.network.load_state_dict({name: value.float() for name, value in load_file(settings.start).items()})
        self.network.to(settings.device)
        self.optimiser = torch.optim.AdamW(self.groups(), lr=settings.rate, betas=(0.9, 0.98), fused=True)
        if os.path.exists(self.path('state.pt')):
            self.restore()

    def path(self, name):
        return os.path.join(self.settings.out, name)

    def groups(self):
        """Matrices decay, vectors and scalars do not; the points have a step of their own."""
        named = [pair for pair in self.network.named_parameters() if pair[0] != 'geometry.points']
        return [
            {'params': [value for _, value in named if value.dim() > 1], 'weight_decay': 0.01},
            {'params': [value for _, value in named if value.dim() <= 1], 'weight_decay': 0.0},
        ]

    def keep(self):
        """Writes the state, whole or not at all."""
        counters = {'steps': self.steps, 'bytes': self.bytes, 'seconds': self.seconds, 'curve': self.curve}
        state = {'network': self.network.state_dict(), 'optimiser': self.optimiser.state_dict(), **counters}
        torch.save(state, self.path('state.new'))
        os.replace(self.path('state.new'), self.path('state.pt'))

    def restore(self):
        state = torch.load(self.path('state.pt'), map_location=self.settings.device, weights_only=True)
        self.network.load_state_dict(state['network'])
        self.optimiser.load_state_dict(state['optimiser'])
        self.steps, self.bytes, self.seconds, self.curve = (state[name] for name in ('steps', 'bytes', 'seconds', 'curve'))

    def autocast(self):
        return torch.autocast(self.settings.device, torch.bfloat16, enabled=self.settings.bf16)

    def tensor(self, ids):
        return torch.tensor(ids, device=self.settings.device)

    def losses(self, batch, smoothing):
        """Cross entropy of every target byte and its weight, padding 0."""
        source = self.tensor(padded([pair[0] for pair in batch]))
        target = self.tensor(padded([pair[1] for pair in batch]))
        before = torch.cat([torch.zeros_like(target[:, :1]), target[:, :-1]], 1)
        with self.autocast():
            logits = self.network(source, before)
        found = F.cross_entropy(logits.float().transpose(1, 2), target, reduction='none', label_smoothing=smoothing)
        weights = torch.tensor([pair[2] for pair in batch], device=target.device)[:, None] * (target != 0)
        self.bytes += (source.numel() + target.numel()) if self.network.training else 0
        return found, weights

    def step(self, batch, rate):
        """One step at this share of the learning rate; the loss as a tensor, unread."""
        for group in self.optimiser.param_groups:
            group['lr'] = rate * self.settings.rate
        losses, weights = self.losses(batch, SMOOTHING)
        loss = (losses * weights).sum() / weights.sum()
        for parameter in self.network.parameters():
            parameter.grad = None
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), CLIP)
        self.optimiser.step()
        if self.network.geometry is not None:
            self.network.geometry.riemannian_step(10 * rate * self.settings.rate)
        self.steps += 1
        return loss.detach()

    def run(self, pairs, minutes, rate_at):
        """Trains for so many minutes; `rate_at` maps the share of them that is over to that of the learning rate."""
        chance = random.Random(self.settings.seed * 1_000_003 + self.steps)
        begin = kept = told = time.time()
        earlier, recent = self.seconds, []
        self.network.train()
        while True:
            for batch in batches(pairs.epoch(chance, self.settings.augmented), self.settings.batch, chance):
                now = time.time()
                self.seconds = earlier + now - begin
                if now - begin >= 60 * minutes:
                    return
                recent.append(self.step(batch, rate_at((now - begin) / (60 * minutes))))
                if now - told > REPORT_SECONDS:
                    told = now
                    self.tell(pairs, torch.stack(recent).mean().item())
                    recent = []
                if now - kept > CHECKPOINT_SECONDS and minutes == self.settings.steady:
                    kept = now
                    self.keep()

    def tell(self, pairs, loss):
        point = [self.steps, self.bytes, round(self.seconds), round(loss, 4), round(self.validation_loss(pairs), 4)]
        self.curve.append(point)
        print('step {} bytes {} seconds {} loss {} validation {}'.format(*point), flush=True)

    @torch.no_grad()
    def validation_loss(self, pairs):
        """Nats per byte over the same few validation pairs."""
        self.network.eval()
        every = max(1, len(pairs.validation) // VALIDATION_SAMPLE)
        sample = [(*pair, 1.0) for pair in pairs.validation[::every] if len(pair[0]) < 400 and len(pair[1]) < 400]
        total = count = 0
        for batch in batches(sample, self.settings.batch, random.Random(0)):
            losses, weights = self.losses(batch, 0.0)
            total += (losses * weights).sum().item()
            count += weights.sum().item()
        self.network.train()
        return total / count

    @torch.no_grad()
    def translate(self, sources, longest=400):
        """Greedy translations, each source encoded once."""
        self.network.eval()
        found = []
        for start in range(0, len(sources), BATCH_OF_TRANSLATIONS):
            source = self.tensor(padded(sources[start:start + BATCH_OF_TRANSLATIONS]))
            with self.autocast():
                memory, mask = self.network.encode(source)
                ids = torch.zeros(len(source), 1, dtype=torch.long, device=source.device)
                done = torch.zeros(len(source), dtype=torch.bool, device=source.device)
                for _ in range(longest):
                    best = self.network.decode(ids, memory, mask)[:, -1].float().argmax(-1)
                    ids = torch.cat([ids, torch.where(done, 0, best)[:, None]], 1)
                    done |= best == 1
                    if done.all():
                        break
            found += [decode(row.tolist()) for row in ids]
        self.network.train()
        return found

    def score(self, pairs):
        """BLEU, chrF++ and the root of their product on single validation lines, greedy, and the translations."""
        import sacrebleu
        every = max(1, len(pairs.validation) // VALIDATION_SAMPLE)
        sample = pairs.validation[::every]
        found = self.translate([source for source, _ in sample])
        wanted = [[target for _, target in sample]]
        bleu = sacrebleu.corpus_bleu(found, wanted).score
        chrf = sacrebleu.corpus_chrf(found, wanted, word_order=2).score
        examples = [{'source': s, 'reference': t, 'found': f} for (s, t), f in zip(sample, found)]
        return {'BLEU': bleu, 'chrF++': chrf, 'score': math.sqrt(bleu * chrf), 'pairs': len(sample)}, examples

    def write(self, pairs):
        """The finished model with its figures."""
        halved = {
            name: (value if name.startswith('geometry.') else value.half()).detach().cpu().contiguous()
            for name, value in self.network.state_dict().items()
        }
        save_file(halved, self.path('model.safetensors'))
        geometry = self.network.geometry
        own = {} if geometry is None else {'geometry_layers': geometry.layers, 'curvature': geometry.curvature}
        write_json(self.path('config.json'), {**self.network.config, **own})
        score, examples = self.score(pairs)
        counters = {'steps': self.steps, 'bytes': self.bytes, 'seconds': round(self.seconds)}
        write_json(self.path('report.json'), {**counters, 'validation': score, 'examples': examples})
        with open(self.path('curve.tsv'), 'w', encoding='utf-8') as curve:
            curve.write('steps\tbytes\tseconds\tloss\tvalidation_loss\n')
            curve.writelines('\t'.join(map(str, point)) + '\n' for point in self.curve)
        print(counters, score)


def write_json(path, value):
    with open(path, 'w', encoding='utf-8') as file:
        json.dump(value, file, indent=1, ensure_ascii=False)


def main():
    settings = arguments()
    os.makedirs(settings.out, exist_ok=True)
    pairs = Pairs(settings.data, not settings.no_supplement)
    training = Training(settings)
    count = sum(parameter.numel() for parameter in training.network.parameters())
    print(f'{count} parameters, {sum(map(len, pairs.train.values()))} pairs, {len(pairs.validation)} for validation')
    if settings.steady:
        training.run(pairs, settings.steady, lambda _: min(1.0, (training.steps + 1) / WARM_UP_STEPS))
        training.keep()
    if settings.finish:
        training.run(pairs, settings.finish, lambda share: 1 - (1 - LEAST_RATE) * share)
        training.write(pairs)


if __name__ == '__main__':
    main()
