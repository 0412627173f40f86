"""Greedy translation with a cache of keys and values: for scores on the way; the application itself follows several beginnings."""

import torch
from network import decode, positions
from pairs import padded


def heads(attention, x):
    """[rows, heads, length, width of a head]"""
    return x.view(x.shape[0], -1, attention.heads, x.shape[-1] // attention.heads).transpose(1, 2)


def look(attention, x, keys, values, bias):
    """One place of every row looks at keys and values."""
    weights = (heads(attention, attention.q(x)) @ keys.transpose(2, 3) + bias).softmax(-1)
    return attention.o((weights @ values).transpose(1, 2).reshape(x.shape[0], 1, -1))


@torch.no_grad()
def greedy(network, sources, longest, device):
    """The likeliest continuation, byte by byte, of every source; each is encoded once."""
    memory, mask = network.encode(torch.tensor(padded(sources), device=device))
    cross = [block.layer[1].EncDecAttention for block in network.decoder.block]
    known = [(heads(own, own.k(memory)), heads(own, own.v(memory))) for own in cross]
    seen = [None] * len(known)
    table = positions(network.decoder, longest, device)
    ids = torch.zeros(len(sources), 1, dtype=torch.long, device=device)
    done, found = torch.zeros(len(sources), dtype=torch.bool, device=device), []
    for place in range(longest):
        x = network.shared(ids)
        for number, block in enumerate(network.decoder.block):
            own, inner = block.layer[0].SelfAttention, block.layer[0].layer_norm(x)
            new = heads(own, own.k(inner)), heads(own, own.v(inner))
            seen[number] = new if place == 0 else tuple(torch.cat(pair, 2) for pair in zip(seen[number], new))
            x = x + look(own, inner, *seen[number], table[:, :, place:place + 1, :place + 1])
            x = x + look(cross[number], block.layer[1].layer_norm(x), *known[number], mask)
            x = x + block.layer[2].DenseReluDense(block.layer[2].layer_norm(x), network.drop)
        best = network.lm_head(network.decoder.final_layer_norm(x))[:, -1].float().argmax(-1)
        found.append(torch.where(done, 0, best))
        done |= best == 1
        ids = found[-1][:, None]
        if done.all():
            break
    return [decode(row) for row in torch.stack(found, 1).tolist()]
