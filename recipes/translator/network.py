"""ByT5 (T5 v1.1 with gated GELU) and the hyperbolic attention bias; parameter names as in Hugging Face's T5.

Beside the parameters of T5 there are `geometry.points` [384, 32] in the unit ball and `geometry.alpha` (a scalar, 0.1 at
the start): 12,289 in all. With `points=None` the network is exactly Hugging Face's T5ForConditionalGeneration.
"""

import functools
import math
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

PAD, END, FIRST_BYTE = 0, 1, 3
BUCKETS, FARTHEST = 32, 128
MASKED = -1e9
SIZES = {
    'tiny': dict(d_model=128, d_kv=32, num_heads=4, d_ff=384, num_layers=4, num_decoder_layers=2),
    'mini': dict(d_model=256, d_kv=64, num_heads=4, d_ff=1024, num_layers=6, num_decoder_layers=3),
    'small': dict(d_model=1472, d_kv=64, num_heads=6, d_ff=3584, num_layers=12, num_decoder_layers=4),
}


def config_of(size):
    """The `config.json` of a size, as Hugging Face writes it."""
    return dict(
        SIZES[size], vocab_size=384, dropout_rate=0.1, relative_attention_num_buckets=BUCKETS,
        relative_attention_max_distance=FARTHEST, feed_forward_proj='gated-gelu', tie_word_embeddings=False,
        decoder_start_token_id=PAD, pad_token_id=PAD, eos_token_id=END, layer_norm_epsilon=1e-6, model_type='t5',
    )


def encode(text):
    """Byte tokens, end of sequence last."""
    return [byte + FIRST_BYTE for byte in text.encode()] + [END]


def decode(ids):
    """The text of byte tokens; what is no byte is left out."""
    return bytes(i - FIRST_BYTE for i in ids if FIRST_BYTE <= i < FIRST_BYTE + 256).decode('utf-8', 'replace')


def normed(x, weight):
    """`x` divided by the root of the mean of its squares."""
    return weight * (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6))


def gated(x, gate):
    """`gelu(x) · gate`, GELU by tanh: written as x · sigmoid(2u), which is the same, it compiles into something faster."""
    return x * torch.sigmoid(2 * math.sqrt(2 / math.pi) * (x + 0.044715 * x * x * x)) * gate


def compile_parts():
    """Makes one kernel of each of the functions that work number by number: PyTorch's own GELU by tanh takes 2 ns a number."""
    global normed, gated
    normed, gated = (torch.compile(part, dynamic=True) for part in (normed, gated))


class Norm(nn.Module):
    """Root mean square norm, always in float32."""

    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        return normed(x.float(), self.weight)


class Drop(nn.Module):
    """Dropout with masks cut from a random pool at a random offset: drawing fresh ones is a third of a CPU step."""

    pool = None

    def __init__(self, rate):
        super().__init__()
        self.rate = rate

    def forward(self, x):
        if not self.training or self.rate == 0:
            return x
        if x.is_cuda:
            return F.dropout(x, self.rate)
        if Drop.pool is None:
            Drop.pool = (torch.rand(1 << 25) > self.rate).to(torch.bfloat16) / (1 - self.rate)
        count = x.numel()
        if count >= Drop.pool.numel():
            return F.dropout(x, self.rate)
        offset = random.randrange(Drop.pool.numel() - count)
        return x * Drop.pool[offset:offset + count].view(x.shape)


class Attention(nn.Module):
    """Softmax(q kᵀ + bias) v, without a division by the root of the width."""

    def __init__(self, config, has_table):
        super().__init__()
        self.heads = config['num_heads']
        width, inner = config['d_model'], config['num_heads'] * config['d_kv']
        self.q = nn.Linear(width, inner, bias=False)
        self.k = nn.Linear(width, inner, bias=False)
        self.v = nn.Linear(width, inner, bias=False)
        self.o = nn.Linear(inner, width, bias=False)
        if has_table:
            self.relative_attention_bias = nn.Embedding(BUCKETS, self.heads)

    def forward(self, x, looked_at, bias):
        rows, length, _ = x.shape

        def heads(y):
            return y.view(rows, -1, self.heads, y.shape[-1] // self.heads).transpose(1, 2)

        queries = heads(self.q(x))
        keys, values = heads(self.k(looked_at)), heads(self.v(looked_at))
        found = F.scaled_dot_product_attention(queries, keys, values, attn_mask=bias.to(queries.dtype), scale=1.0)
        return self.o(found.transpose(1, 2).reshape(rows, length, -1))


class FeedForward(nn.Module):
    """`wo(gelu(wi_0 x) · wi_1 x)`, GELU by tanh."""

    def __init__(self, config):
        super().__init__()
        self.wi_0 = nn.Linear(config['d_model'], config['d_ff'], bias=False)
        self.wi_1 = nn.Linear(config['d_model'], config['d_ff'], bias=False)
        self.wo = nn.Linear(config['d_ff'], config['d_model'], bias=False)

    def forward(self, x, drop):
        return self.wo(drop(gated(self.wi_0(x), self.wi_1(x))))


class Layer(nn.Module):
    """A norm and what it feeds, under the name that Hugging Face gives it."""

    def __init__(self, config, name, body):
        super().__init__()
        setattr(self, name, body)
        self.layer_norm = Norm(config['d_model'])


class Block(nn.Module):
    def __init__(self, config, is_first, is_decoder):
        super().__init__()
        layers = [Layer(config, 'SelfAttention', Attention(config, is_first))]
        if is_decoder:
            layers.append(Layer(config, 'EncDecAttention', Attention(config, False)))
        layers.append(Layer(config, 'DenseReluDense', FeedForward(config)))
        self.layer = nn.ModuleList(layers)


class Stack(nn.Module):
    def __init__(self, config, count, is_decoder):
        super().__init__()
        self.block = nn.ModuleList(Block(config, number == 0, is_decoder) for number in range(count))
        self.final_layer_norm = Norm(config['d_model'])
        self.is_decoder = is_decoder


class Between(torch.autograd.Function):
    """`table[ids_i, ids_j]` for all pairs of places of every row; its gradient is two matrix products, since adding millions of
    numbers at few hundred places one by one takes a graphics card longer than all else."""

    @staticmethod
    def forward(context, table, ids):
        context.save_for_backward(ids)
        context.count = len(table)
        return table[ids[:, :, None], ids[:, None, :]]

    @staticmethod
    def backward(context, gradient):
        ids, = context.saved_tensors
        places = F.one_hot(ids, context.count).to(gradient.dtype)
        return places.flatten(0, 1).T @ (gradient @ places).flatten(0, 1), None


class Looked(torch.autograd.Function):
    """`table[ids]`; its gradient is one matrix product, for the same reason, and so that no number has to come back from the card."""

    @staticmethod
    def forward(context, table, ids):
        context.save_for_backward(ids)
        context.count = len(table)
        return table[ids]

    @staticmethod
    def backward(context, gradient):
        places = F.one_hot(context.saved_tensors[0].flatten(), context.count).to(gradient.dtype)
        return places.T @ gradient.flatten(0, -2), None


def looked_up(embedding, ids):
    """The rows of an embedding for these numbers."""
    return Looked.apply(embedding.weight, ids) if ids.is_cuda else embedding(ids)


class Geometry(nn.Module):
    """The bias -α d(e_i, e_j) between byte tokens, for the first `layers` encoder layers; curvature is -c.

    With `numbers`, a function from tokens to numbers of points, it is a bias between signs (`signs.py`). With `learns_curvature` c is
    a parameter too, and the points are the ends of fixed vectors at the centre; of points that learn it would be one number too many,
    since α d_c(x, y) is (α / √c) d_1(√c x, √c y).
    """

    def __init__(self, points, layers=4, curvature=1.0, numbers=None, learns_curvature=False):
        super().__init__()
        self.points = nn.Parameter(points.clone().float())
        self.alpha = nn.Parameter(torch.tensor(0.1))
        self.layers, self.curvature, self.numbers = layers, curvature, numbers
        self.log_curvature = nn.Parameter(torch.tensor(math.log(curvature))) if learns_curvature else None
        if learns_curvature:
            lengths = self.points.detach().norm(dim=-1, keepdim=True).clamp(min=1e-9)
            root = math.sqrt(curvature)
            self.register_buffer('vectors', self.points.detach() / lengths * torch.atanh(root * lengths) / root, persistent=False)
            self.points.requires_grad_(False)

    def places(self):
        """The points, and c."""
        if self.log_curvature is None:
            return self.points.float(), self.curvature
        root = torch.exp(self.log_curvature / 2)
        lengths = self.vectors.norm(dim=-1, keepdim=True).clamp(min=1e-9)
        return self.vectors / lengths * torch.tanh(root * lengths) / root, root * root

    def table(self, used=slice(None)):
        """All distances, arcosh(1 + u) / √c; the floor under the root keeps the diagonal's gradient finite."""
        x, c = self.places()
        x = x[used]
        squares = (x * x).sum(-1)
        apart = (squares[:, None] + squares[None] - 2 * x @ x.T).clamp(min=0)
        apart = apart * (1 - torch.eye(len(x), device=x.device))  # what rounding leaves there would have a gradient
        if self.log_curvature is None and c == 0:
            return torch.sqrt(4 * apart + 1e-9)
        u = 2 * c * apart / ((1 - c * squares[:, None]) * (1 - c * squares[None])).clamp(min=1e-10)
        return torch.log1p(u + torch.sqrt(u * (u + 2) + 1e-9)) / c ** 0.5

    def forward(self, ids):
        with torch.autocast(ids.device.type, enabled=False):  # distances are differences of near numbers
            return self.bias(ids)

    def bias(self, ids):
        if self.numbers is None:
            return -self.alpha * Between.apply(self.table(), ids)[:, None]
        used, places = torch.unique(self.numbers(ids), return_inverse=True)
        return -self.alpha * Between.apply(self.table(used), places)[:, None]


class ByT5(nn.Module):
    def __init__(self, config, points=None, geometry_layers=4, curvature=1.0, **geometry):
        super().__init__()
        self.config = config
        self.shared = nn.Embedding(config['vocab_size'], config['d_model'])
        self.encoder = Stack(config, config['num_layers'], False)
        self.decoder = Stack(config, config['num_decoder_layers'], True)
        self.lm_head = nn.Linear(config['d_model'], config['vocab_size'], bias=False)
        self.drop = Drop(config.get('dropout_rate', 0.1))
        self.geometry = None if points is None else Geometry(points, geometry_layers, curvature, **geometry)

    def initialise(self):
        """Mesh TensorFlow's initialisation, as Hugging Face has it."""
        width, inner = self.config['d_model'], self.config['num_heads'] * self.config['d_kv']
        spread = {
            'q': (width * self.config['d_kv']) ** -0.5, 'k': width ** -0.5, 'v': width ** -0.5, 'o': inner ** -0.5,
            'wi_0': width ** -0.5, 'wi_1': width ** -0.5, 'wo': self.config['d_ff'] ** -0.5,
            'relative_attention_bias': width ** -0.5, 'shared': 1.0, 'lm_head': width ** -0.5,
        }
        for name, parameter in self.named_parameters():
            part = name.split('.')[-2]
            if part in spread:
                nn.init.normal_(parameter, std=spread[part])

    def run(self, stack, x, bias, mask, memory=None, memory_mask=None, geometric=None):
        """One stack over embedded tokens: [rows, length, d]."""
        x = self.drop(x)
        plain = bias + mask
        bent = plain if geometric is None else plain + geometric
        for number, block in enumerate(stack.block):
            own = bent if geometric is not None and number < self.geometry.layers else plain
            layers = block.layer
            normed = layers[0].layer_norm(x)
            x = x + self.drop(layers[0].SelfAttention(normed, normed, own))
            if stack.is_decoder:
                x = x + self.drop(layers[1].EncDecAttention(layers[1].layer_norm(x), memory, memory_mask))
            x = x + self.drop(layers[-1].DenseReluDense(layers[-1].layer_norm(x), self.drop))
        return self.drop(stack.final_layer_norm(x))

    def encode(self, ids):
        """Encoder states [rows, length, d] and the mask over them."""
        length = ids.shape[1]
        mask = ((ids == PAD) * MASKED)[:, None, None, :].float()
        geometric = None if self.geometry is None else self.geometry(ids)
        bias = positions(self.encoder, length, ids.device)
        return self.run(self.encoder, looked_up(self.shared, ids), bias, mask, geometric=geometric), mask

    def decode(self, ids, memory, memory_mask):
        """Logits [rows, length, vocabulary] after each token."""
        length = ids.shape[1]
        causal = torch.triu(torch.full((length, length), MASKED, device=ids.device), 1)[None, None]
        mask = memory_mask.expand(-1, self.config['num_heads'], length, -1)
        bias = positions(self.decoder, length, ids.device)
        return self.lm_head(self.run(self.decoder, looked_up(self.shared, ids), bias, causal, memory, mask))

    def forward(self, source, target_before):
        memory, mask = self.encode(source)
        return self.decode(target_before, memory, mask)


def positions(stack, length, device):
    """The bias of relative positions [1, heads, length, length]."""
    table = stack.block[0].layer[0].SelfAttention.relative_attention_bias
    return looked_up(table, buckets(length, not stack.is_decoder, device)).permute(2, 0, 1)[None]


@functools.cache  # and kept: recordings of kernels read them where they lie
def buckets(length, both_ways, device='cpu'):
    """The bucket of every key for every query: near ones exactly, far ones by their logarithm."""
    places = torch.arange(length)
    apart, count, found = places[None] - places[:, None], BUCKETS, 0
    if both_ways:
        count //= 2
        found = (apart > 0) * count
        apart = apart.abs()
    else:
        apart = -apart.clamp(max=0)
    exact = count // 2
    share = torch.log(apart.float().clamp(min=1) / exact) / math.log(FARTHEST / exact)
    far = (exact + (share * (count - exact)).long()).clamp(max=count - 1)
    return (found + torch.where(apart < exact, apart, far)).to(device)
