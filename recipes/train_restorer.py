"""Pretrain the sign-level restoration torso, or evaluate one.

    python train_restorer.py DATA HELDOUT OUT MINUTES [--resume CHECKPOINT] [--threads N] [--device cpu|cuda] [--compile]
    python train_restorer.py --evaluate-only WEIGHTS --float32 --file SIGNS_FILE --limit-lines 2000 --positions-out FILE

DATA and HELDOUT hold the same tree of *_signs.tsv.xz files; texts of HELDOUT are in no file of DATA. OUT receives
`last.safetensors` every quarter of an hour, then `restorer.safetensors` (float32), `restorer-f16.safetensors` (the one
that is shipped), their vocabularies and `restorer.report.json`.

The torso: 16 layers, d 384, feed-forward 1536, 8 heads of 32, rotary positions, no biases but in the head. Needs torch
and safetensors. The weights in `models/restorer/` took 52 minutes on two CPU cores with bf16 units.
"""

import argparse
import collections
import contextlib
import json
import lzma
import math
import os
import random
import time

import torch
import torch.nn as nn
import torch.nn.functional as F
from safetensors.torch import load_file, save_file

SPECIALS = ['<pad>', '<unk>', '<mask>', '-<mask>', '<gap>', '<x>', '-<x>', '<br>', '<bos>', '<eos>']
CORPORA = [
    'oracc/monolingual/oracc_signs.tsv.xz',
    'cdli/monolingual/cdli_old_assyrian_signs.tsv.xz',
    'cdli/monolingual/cdli_other_signs.tsv.xz',
]
WINDOW, FEWEST_SIGNS, FEWEST_COUNTS = 384, 4, 2
LAYERS, WIDTH, FEED_FORWARD, HEADS, HEAD_WIDTH, ROTARY_BASE, DROPOUT = 16, 384, 1536, 8, 32, 10000, 0.1
SPECIAL, RESTORED, READ = 0, 1, 2  # what a token may serve as: nothing, learning, learning and scoring
HITS = (1, 5, 10, 20)
EVALUATION_RATE, EVALUATION_SEED = 0.15, 7
CHECKPOINT_SECONDS = 900


# --- Corpora -----------------------------------------------------------------------------------------------------------

def open_corpus(path):
    return lzma.open(path, 'rt') if path.endswith('.xz') else open(path, encoding='utf-8')


def tokens_of_row(line):
    """The (token, kind) pairs of one line of a tablet; a leading `-` marks a sign inside a word."""
    cells = line.rstrip('\n').split('\t')
    tokens = []
    for reading, state, start in zip(cells[5].split(' '), cells[7], cells[8]):
        prefix = '' if start == '1' else '-'
        if state == 'G':
            tokens.append(('<gap>', SPECIAL))
        elif state == 'O':  # uninscribed: nothing was ever there
            continue
        elif state == 'X' or reading == 'x':
            tokens.append((prefix + '<x>', SPECIAL))
        else:
            tokens.append((prefix + reading, READ if state in 'PD' else RESTORED))
    return tokens


def read_corpora(paths, limit_lines=None):
    """Texts, each a list of lines, in the order of their first lines. The limit counts rows of each file."""
    texts = collections.OrderedDict()
    for path in paths:
        with open_corpus(path) as rows:
            next(rows)
            for number, line in enumerate(rows):
                if limit_lines is not None and number >= limit_lines:
                    break
                texts.setdefault((path, line.split('\t', 1)[0]), []).append(tokens_of_row(line))
    return texts


def vocabulary_of(texts):
    """Specials, then every token seen twice, commonest first."""
    counts = collections.Counter(token for lines in texts.values() for line in lines for token, kind in line if kind)
    return SPECIALS + [token for token, count in counts.most_common() if count >= FEWEST_COUNTS]


def encode(texts, ids_of):
    """Sequences of (ids, kinds): `<bos>`, then lines ended by `<br>`, cut to the window."""
    sequences = []
    for lines in texts.values():
        ids, kinds = [ids_of['<bos>']], [SPECIAL]
        for line in lines:
            for token, kind in line:
                ids.append(ids_of.get(token, ids_of['<unk>']))
                kinds.append(kind if token in ids_of else SPECIAL)
            ids.append(ids_of['<br>'])
            kinds.append(SPECIAL)
        for start in range(0, len(ids), WINDOW):
            window = kinds[start:start + WINDOW]
            if sum(1 for kind in window if kind) >= FEWEST_SIGNS:
                sequences.append((ids[start:start + WINDOW], window))
    return sequences


# --- The torso ---------------------------------------------------------------------------------------------------------

class Norm(nn.Module):
    """Root mean square norm, always in float32."""

    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        x = x.float()
        return self.weight * (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6))


class Drop(nn.Module):
    """Dropout with masks cut from a random pool at a random offset: drawing fresh ones is a third of a CPU step."""

    pool = None

    def __init__(self, rate):
        super().__init__()
        self.rate = rate

    def forward(self, x):
        if not self.training or self.rate == 0:
            return x
        if Drop.pool is None:
            Drop.pool = ((torch.rand(1 << 25) > self.rate).to(torch.bfloat16) / (1 - self.rate)).to(x.device)
        count = x.numel()
        if count >= Drop.pool.numel():
            return F.dropout(x, self.rate)
        offset = random.randrange(Drop.pool.numel() - count)
        return x * Drop.pool[offset:offset + count].view(x.shape)


def rotary(length, device):
    """Cosines and sines of the rotary positions, half-split."""
    frequencies = 1.0 / (ROTARY_BASE ** (torch.arange(0, HEAD_WIDTH, 2).float() / HEAD_WIDTH))
    angles = torch.outer(torch.arange(length).float(), frequencies)
    angles = torch.cat((angles, angles), -1)
    return angles.cos().to(device), angles.sin().to(device)


def rotated(x):
    first, second = x.chunk(2, -1)
    return torch.cat((-second, first), -1)


def linear(inputs, outputs):
    return nn.Linear(inputs, outputs, bias=False)


class Block(nn.Module):
    """Pre-norm attention and feed-forward with erf GELU."""

    def __init__(self):
        super().__init__()
        inner = HEADS * HEAD_WIDTH
        # The order of creation is part of the recipe: it fixes the random start.
        self.attn = nn.ModuleDict(dict(
            q=linear(WIDTH, inner), k=linear(WIDTH, inner), v=linear(WIDTH, inner), o=linear(inner, WIDTH)))
        self.norm1, self.norm2 = Norm(WIDTH), Norm(WIDTH)
        self.ff = nn.ModuleDict({'0': linear(WIDTH, FEED_FORWARD), '2': linear(FEED_FORWARD, WIDTH)})
        self.drop = Drop(DROPOUT)

    def forward(self, x, cos, sin, visible):
        batch, length, _ = x.shape

        def heads(y):
            return y.view(batch, length, HEADS, HEAD_WIDTH).transpose(1, 2)

        h = self.norm1(x)
        q, k, v = heads(self.attn['q'](h)), heads(self.attn['k'](h)), heads(self.attn['v'](h))
        q, k = (q * cos + rotated(q) * sin).to(v.dtype), (k * cos + rotated(k) * sin).to(v.dtype)
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=visible)
        x = x + self.drop(self.attn['o'](y.transpose(1, 2).reshape(batch, length, HEADS * HEAD_WIDTH)))
        return x + self.drop(self.ff['2'](F.gelu(self.ff['0'](self.norm2(x)))))


class Restorer(nn.Module):
    """Torso and restoration head; `active` lists the layers in use while the stack grows."""

    def __init__(self, vocabulary_size):
        super().__init__()
        torso = nn.Module()
        torso.embed = nn.Embedding(vocabulary_size, WIDTH)
        nn.init.normal_(torso.embed.weight, std=1.0)
        torso.layers = nn.ModuleList(Block() for _ in range(LAYERS))
        torso.final_norm = Norm(WIDTH)
        self.torso = torso
        self.restoration_head = nn.ModuleDict({'0': nn.Linear(WIDTH, WIDTH), '2': nn.Linear(WIDTH, vocabulary_size)})
        self.drop = Drop(DROPOUT)
        self.active = list(range(LAYERS))
        for layer in torso.layers:
            for weight in (layer.attn['o'].weight, layer.ff['2'].weight):
                nn.init.normal_(weight, std=0.02 / math.sqrt(2 * LAYERS))

    def forward(self, ids, wanted=None):
        """Logits at all places, or at those of the boolean tensor `wanted`."""
        cos, sin = rotary(ids.shape[1], ids.device)
        visible = (ids != 0)[:, None, None, :]
        x = self.drop(self.torso.embed(ids))
        for number in self.active:
            x = self.torso.layers[number](x, cos, sin, visible)
        x = self.torso.final_norm(x)
        if wanted is not None:
            x = x[wanted]
        return self.restoration_head['2'](F.relu(self.restoration_head['0'](x)))


@torch.no_grad()
def start_with_neighbour_heads(net, layers=8, strength=3.0):
    """Start half of the heads of the first layers at the offsets -1, +1, -2, +2: without position biases the model else
    sits on the unigram plateau for thousands of steps. The embeddings share a constant direction c; Q and K send it to
    two vectors whose rotary phases agree at the wanted offset. Only the start differs, not the architecture."""
    c = torch.randint(0, 2, (WIDTH,)).float() * 2 - 1
    net.torso.embed.weight += c
    theta = 1.0 / (ROTARY_BASE ** (torch.arange(3) / (HEAD_WIDTH / 2)))
    size = strength * math.sqrt(2) / WIDTH
    for layer in net.torso.layers[:layers]:
        for head, offset in enumerate((-1, 1, -2, 2)):
            for i in range(3):
                row, angle = head * HEAD_WIDTH + i, offset * theta[i]
                layer.attn['k'].weight[row] += size * c
                layer.attn['q'].weight[row] += size * math.cos(angle) * c
                layer.attn['q'].weight[row + HEAD_WIDTH // 2] += size * math.sin(angle) * c


def start_head_at_unigrams(net, sequences, vocabulary_size, device):
    """Else the head's first lesson floods the residual stream with one constant."""
    counts = torch.ones(vocabulary_size)
    for ids, kinds in sequences:
        targets = [token for token, kind in zip(ids, kinds) if kind]
        counts += torch.bincount(torch.tensor(targets), minlength=vocabulary_size)
    net.restoration_head['2'].bias.data = (counts / counts.sum()).log().to(device)


# --- Batches and masks -------------------------------------------------------------------------------------------------

def batches(sequences, most_tokens, shuffle=True):
    """Numbers of sequences of like length, padded to at most `most_tokens`."""
    order = sorted(range(len(sequences)), key=lambda i: len(sequences[i][0]) + (random.random() * 20 if shuffle else 0))
    found, batch, longest = [], [], 0
    for number in order:
        length = max(longest, len(sequences[number][0]))
        if batch and length * (len(batch) + 1) > most_tokens:
            found.append(batch)
            batch, length = [], len(sequences[number][0])
        batch.append(number)
        longest = length
    if batch:
        found.append(batch)
    if shuffle:
        random.shuffle(found)
    return found


def collate(sequences, batch, device):
    length = max(len(sequences[number][0]) for number in batch)
    ids = torch.zeros(len(batch), length, dtype=torch.long)
    kinds = torch.zeros(len(batch), length, dtype=torch.uint8)
    for row, number in enumerate(batch):
        ids[row, :len(sequences[number][0])] = torch.tensor(sequences[number][0])
        kinds[row, :len(sequences[number][1])] = torch.tensor(sequences[number][1], dtype=torch.uint8)
    return ids.to(device), kinds.to(device)


class Masker:
    """Chooses targets and masks all of them, none random and none kept: the masks say where a word begins."""

    def __init__(self, vocabulary, ids_of, device):
        self.inside = torch.tensor([token.startswith('-') for token in vocabulary]).to(device)
        self.mask, self.inner_mask = ids_of['<mask>'], ids_of['-<mask>']

    def apply(self, ids, chosen):
        masked = ids.clone()
        masked[chosen] = torch.where(self.inside[ids[chosen]], self.inner_mask, self.mask)
        return masked

    def training(self, ids, kinds, most=0.5):
        """5 % to `most` of the signs: single signs in half of the sequences, short spans in the others."""
        rate = torch.rand(ids.shape[0], 1) * (most - 0.05) + 0.05
        singles = torch.rand(ids.shape) < rate
        with_spans = torch.rand(ids.shape[0], 1) < 0.5
        starts = torch.rand(ids.shape) < rate / 3.0
        spans = starts.clone()
        for d in range(1, 6):
            spans[:, d:] |= starts[:, :-d] & (torch.rand(starts[:, :-d].shape) < 0.75 ** d)
        chosen = torch.where(with_spans, spans, singles).to(ids.device) & (kinds > 0)
        return self.apply(ids, chosen), chosen

    def evaluation(self, ids, kinds, generator):
        """15 % of the preserved and damaged signs, always the same ones for a seed."""
        chosen = (torch.rand(ids.shape, generator=generator) < EVALUATION_RATE).to(ids.device) & (kinds == READ)
        return self.apply(ids, chosen), chosen


# --- Evaluation --------------------------------------------------------------------------------------------------------

@torch.no_grad()
def evaluate(net, sequences, masker, settings, limit=None, on_places=None):
    """Loss over the vocabulary, and hits among the tokens of the target's kind (word-initial or not).

    `on_places(sequence, place, target, loss, rank)` is called for each target, if given; rank 0 is the best.
    """
    net.eval()
    generator = torch.Generator().manual_seed(EVALUATION_SEED)
    sums = collections.Counter()
    chosen_batches = batches(sequences, settings.tokens, shuffle=False)
    if limit:
        chosen_batches = chosen_batches[::max(1, len(chosen_batches) // limit)]
    for batch in chosen_batches:
        ids, kinds = collate(sequences, batch, settings.device)
        masked, chosen = masker.evaluation(ids, kinds, generator)
        if not chosen.any():
            continue
        with precision(settings):
            logits = net(masked, chosen)
        logits, targets = logits.float(), ids[chosen]
        losses = F.cross_entropy(logits, targets, reduction='none')
        logits = logits.masked_fill(masker.inside[None] != masker.inside[targets][:, None], -1e9)
        ranks = (logits > logits.gather(1, targets[:, None])).sum(1)
        sums['n'] += len(targets)
        sums['loss'] += losses.double().sum().item()
        sums['reciprocal'] += (1.0 / (ranks.double() + 1)).sum().item()
        for hits in HITS:
            sums[hits] += (ranks < hits).sum().item()
        if on_places:
            places = [(batch[row], column) for row, column in chosen.nonzero().tolist()]
            for (sequence, place), *rest in zip(places, targets.tolist(), losses.tolist(), ranks.tolist()):
                on_places(sequence, place, *rest)
    net.train()
    count = max(1, sums['n'])
    return {'n': sums['n'], 'loss': sums['loss'] / count, **{f'hit@{hits}': sums[hits] / count for hits in HITS},
            'mrr': sums['reciprocal'] / count}


def precision(settings):
    """bf16 where it can be lost, or float32 throughout: the mode for figures that a port must meet."""
    return contextlib.nullcontext() if settings.float32 else torch.autocast(settings.device, torch.bfloat16)


def vocabulary_beside(weights):
    """Checkpoints keep theirs in NAME.vocab.json, a model folder in vocab.json."""
    beside = weights.replace('.safetensors', '.vocab.json')
    if not os.path.exists(beside):
        beside = os.path.join(os.path.dirname(weights), 'vocab.json')
    with open(beside, encoding='utf-8') as file:
        return json.load(file)


def evaluate_only(settings):
    """Scores weights on one corpus; writes the places, their losses and ranks, and prints the figures as JSON."""
    vocabulary = vocabulary_beside(settings.evaluate_only)
    ids_of = {token: number for number, token in enumerate(vocabulary)}
    sequences = encode(read_corpora([settings.file], settings.limit_lines), ids_of)
    net = Restorer(len(vocabulary)).to(settings.device)
    net.load_state_dict({name: tensor.float() for name, tensor in load_file(settings.evaluate_only).items()})
    rows = []
    report = evaluate(net, sequences, Masker(vocabulary, ids_of, settings.device), settings,
                      on_places=lambda *row: rows.append(row))
    report = {'file': os.path.basename(settings.file), 'lines': settings.limit_lines, 'sequences': len(sequences),
              'tokens': sum(len(ids) for ids, _ in sequences), **report}
    if settings.positions_out:
        with open(settings.positions_out, 'w', encoding='utf-8') as out:
            out.write('sequence\tplace\ttarget\tloss\trank\n')
            for sequence, place, target, loss, rank in sorted(rows):
                out.write(f'{sequence}\t{place}\t{target}\t{loss:.5f}\t{rank}\n')
        with open(os.path.splitext(settings.positions_out)[0] + '.json', 'w', encoding='utf-8') as out:
            json.dump(report, out, indent=1)
            out.write('\n')
    print(json.dumps(report))


# --- Training ----------------------------------------------------------------------------------------------------------

class Growth:
    """Trains 4 layers first, then 8, then all 16: a layer joins with zero outputs, so the function does not jump.
    Trained whole from the start, the stack stays on the unigram plateau."""

    PLAN = [(0.0, [0, 1, 8, 15]), (0.55, [0, 1, 4, 6, 8, 10, 12, 15]), (0.75, list(range(LAYERS)))]

    def __init__(self, net, resumed):
        self.net, self.plan = net, [] if resumed else list(self.PLAN)

    @torch.no_grad()
    def at(self, share):
        while self.plan and share >= self.plan[0][0]:
            layers = self.plan.pop(0)[1]
            if share > 0:
                for number in set(layers) - set(self.net.active):
                    self.net.torso.layers[number].attn['o'].weight.zero_()
                    self.net.torso.layers[number].ff['2'].weight.zero_()
            self.net.active = layers
            print('layers', layers, flush=True)


def rate_at(share, peak):
    """The learning rate follows the wall clock, so that the run fits any budget: 4 % warm-up, then linear to 5 %."""
    return peak * min(1, share / 0.04) * (1 - 0.95 * max(0, (share - 0.04) / 0.96)) + 1e-6


def optimiser(net, peak):
    """AdamW; norms and biases are not decayed."""
    decayed = [p for p in net.parameters() if p.dim() > 1]
    free = [p for p in net.parameters() if p.dim() == 1]
    groups = [{'params': decayed, 'weight_decay': 0.05}, {'params': free, 'weight_decay': 0.0}]
    return torch.optim.AdamW(groups, lr=peak, betas=(0.9, 0.98), fused=True)


def save(net, vocabulary, folder, name, half=False):
    dtype = torch.float16 if half else torch.float32
    state = {key: tensor.detach().cpu().to(dtype).contiguous() for key, tensor in net.state_dict().items()}
    save_file(state, f'{folder}/{name}.safetensors')
    with open(f'{folder}/{name}.vocab.json', 'w', encoding='utf-8') as file:
        json.dump(vocabulary, file, ensure_ascii=False)


def prepare(settings):
    """Corpora, vocabulary and a net at its start or its checkpoint."""
    train = read_corpora([f'{settings.data}/{path}' for path in CORPORA])
    held_out = read_corpora([f'{settings.heldout}/{path}' for path in CORPORA])
    vocabulary = vocabulary_beside(settings.resume) if settings.resume else vocabulary_of(train)
    ids_of = {token: number for number, token in enumerate(vocabulary)}
    sequences, held_out_sequences = encode(train, ids_of), encode(held_out, ids_of)
    print('texts', len(train), 'sequences', len(sequences), 'tokens', sum(len(s[0]) for s in sequences),
          'heldout', len(held_out_sequences), sum(len(s[0]) for s in held_out_sequences),
          'vocab', len(vocabulary), flush=True)
    net = Restorer(len(vocabulary)).to(settings.device)
    print('parameters', sum(p.numel() for p in net.parameters()), flush=True)
    if settings.resume:
        net.load_state_dict({name: tensor.float() for name, tensor in load_file(settings.resume).items()})
    else:
        start_with_neighbour_heads(net)
        start_head_at_unigrams(net, sequences, len(vocabulary), settings.device)
    if settings.compile:
        for layer in net.torso.layers:
            for norm in (layer.norm1, layer.norm2):
                norm.compile(dynamic=True)
    return sequences, held_out_sequences, vocabulary, Masker(vocabulary, ids_of, settings.device), net


def train(settings):
    sequences, held_out, vocabulary, masker, net = prepare(settings)
    steps = optimiser(net, settings.lr)
    growth = Growth(net, bool(settings.resume))
    net.train()
    begun = saved = time.time()
    budget, step, tokens = settings.minutes * 60, 0, 0
    losses, mark = collections.deque(maxlen=100), (begun, 0)
    share = 0.0
    while share < 1:
        for batch in batches(sequences, settings.tokens):
            share = (time.time() - begun) / budget
            if share >= 1:
                break
            growth.at(share)
            for group in steps.param_groups:
                group['lr'] = rate_at(share, settings.lr)
            ids, kinds = collate(sequences, batch, settings.device)
            masked, chosen = masker.training(ids, kinds)
            if not chosen.any():
                continue
            with precision(settings):
                logits = net(masked, chosen)
            loss = F.cross_entropy(logits.float(), ids[chosen], label_smoothing=0.02)
            steps.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            steps.step()
            step, tokens = step + 1, tokens + ids.numel()
            losses.append(loss.item())
            if step % 25 == 0:
                speed = (tokens - mark[1]) / (time.time() - mark[0])
                print(f'step {step} {share * 100:.1f}% tokens {tokens / 1e6:.2f}M '
                      f'loss {sum(losses) / len(losses):.3f} {speed:.0f} tok/s', flush=True)
                mark = (time.time(), tokens)
            if time.time() - saved > CHECKPOINT_SECONDS:
                saved = time.time()
                print('eval', evaluate(net, held_out, masker, settings, limit=20), flush=True)
                save(net, vocabulary, settings.out, 'last')
    report = evaluate(net, held_out, masker, settings)
    print('final', report, flush=True)
    save(net, vocabulary, settings.out, 'restorer')
    save(net, vocabulary, settings.out, 'restorer-f16', half=True)
    with open(f'{settings.out}/restorer.report.json', 'w', encoding='utf-8') as file:
        json.dump({'heldout': report, 'tokens': tokens, 'steps': step, 'minutes': settings.minutes}, file, indent=1)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ('data', 'heldout', 'out'):
        parser.add_argument(name, nargs='?')
    parser.add_argument('minutes', nargs='?', type=float)
    parser.add_argument('--resume', help='checkpoint to go on from, with its .vocab.json beside it')
    parser.add_argument('--threads', type=int, default=2)
    parser.add_argument('--device', default='cpu')
    parser.add_argument('--tokens', type=int, default=4096, help='most tokens of a batch')
    parser.add_argument('--lr', type=float, default=7e-4)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--compile', action='store_true')
    parser.add_argument('--float32', action='store_true', help='no bf16 anywhere')
    parser.add_argument('--evaluate-only', metavar='WEIGHTS', help='train nothing, score these weights')
    parser.add_argument('--file', help='with --evaluate-only: the corpus')
    parser.add_argument('--limit-lines', type=int, help='with --evaluate-only: its first rows only')
    parser.add_argument('--positions-out', help='with --evaluate-only: table of places; the figures go beside it as .json')
    settings = parser.parse_args()
    if settings.evaluate_only and not settings.file:
        parser.error('--evaluate-only needs --file')
    if not settings.evaluate_only and settings.minutes is None:
        parser.error('training needs DATA HELDOUT OUT MINUTES')
    return settings


def main():
    settings = arguments()
    torch.manual_seed(settings.seed)
    random.seed(settings.seed)
    torch.set_num_threads(settings.threads)
    evaluate_only(settings) if settings.evaluate_only else train(settings)


if __name__ == '__main__':
    main()
