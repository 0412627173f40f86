"""The network of `train_restorer.py` for training on a processor: each layer one compiled function, products in 8 bits.

What works number by number is compiled into few kernels. The weights, their names and what they compute are the
network's own, so that it can be measured as it is.
"""

import math

import torch
import torch.nn.functional as F
from eight_bits import linear
from shared import first

HEADS, HEAD_WIDTH = first.HEADS, first.HEAD_WIDTH


def normed(x, weight):
    return weight * (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6))


def gelu(x):
    """GELU by tanh, written as x · sigmoid(2u): the network's own, by the error function, takes four times as long, and the
    difference is less than that of rounding to 8 bits."""
    return x * torch.sigmoid(2 * math.sqrt(2 / math.pi) * (x + 0.044715 * x * x * x))


def layer(x, weights, cos, sin, visible, rows, length, product, dropout):
    """One layer over [rows * length, width]; `weights` in the order of `weights_of`."""
    norm1, q, k, v, o, norm2, wider, narrower = weights

    def heads(y):
        return y.view(rows, length, HEADS, HEAD_WIDTH).transpose(1, 2)

    together = product(normed(x, norm1), torch.cat([q, k, v]))
    q, k, v = (heads(part) for part in together.chunk(3, -1))
    q, k = q * cos + first.rotated(q) * sin, k * cos + first.rotated(k) * sin
    y = F.scaled_dot_product_attention(q, k, v, attn_mask=visible)
    x = x + F.dropout(product(y.transpose(1, 2).reshape(rows * length, -1), o), dropout)
    return x + F.dropout(product(gelu(product(normed(x, norm2), wider)), narrower), dropout)


def weights_of(block):
    attention = [block.attn[name].weight for name in 'qkvo']
    return [block.norm1.weight, *attention, block.norm2.weight, block.ff['0'].weight, block.ff['2'].weight]


class Fast:
    """Logits of a network at the places `wanted`."""

    def __init__(self, net, exact=False, dropout=0.0):
        self.net, self.dropout = net, dropout
        self.product = F.linear if exact else linear
        self.layer = torch.compile(layer, dynamic=True)

    def __call__(self, ids, wanted):
        rows, length = ids.shape
        cos, sin = first.rotary(length, ids.device)
        visible = (ids != 0)[:, None, None, :]
        x = F.dropout(self.net.torso.embed(ids).flatten(0, 1), self.dropout)
        for block in self.net.torso.layers:
            x = self.layer(x, weights_of(block), cos, sin, visible, rows, length, self.product, self.dropout)
        x = self.net.torso.final_norm(x)[wanted.flatten()]
        head = self.net.restoration_head
        return head['2'](F.relu(head['0'](x)))
