"""Exports a translator without its bias to ONNX, for the bench against onnxruntime-web.

    python recipes/translator/onnx_export.py models/translator OUT
    python recipes/translator/onnx_export.py --random small OUT

OUT receives encoder.onnx, decoder.onnx and shape.json. The encoder takes `ids` [1, length] and gives, for every layer of the decoder, the
keys and values of the source that it attends to; the decoder takes one byte token with these and with the keys and values of the bytes
before (none at the first byte) and gives `logits` and the keys and values with one byte more. All numbers are f32, nothing is quantised:
the bench is to compare programs over the same weights. The graphs are written so that onnxruntime finds its own kernels in them: GELU is
one operation, the norm is the pattern that it fuses, and the bias of positions is looked up in a table of distances.

With --random a translator of that size with random weights is made first, in OUT/model, for the engine to open; it writes nothing but printable
ASCII, so that both sides can be compared as text, and never ends.

The logits are compared with those of network.py, over a source and a target. Needs torch, safetensors, onnx, onnxscript and
onnxruntime, which nothing else in this project needs.
"""

import argparse
import json
from pathlib import Path

import onnxruntime
import torch
import torch.nn as nn
import torch.nn.functional as F
from golden import write_manifest
from network import FARTHEST, ByT5, buckets, config_of, encode
from safetensors.torch import load_file, save_file

SOURCE = 'a-na {m}EN-šu-nu qi₂-bi-ma um-ma {d}AMAR.UTU-mu-ba-li₂-iṭ-ma {d}UTU li-ba-al-li-iṭ-ka ' * 3
TARGET = 'To Belšunu speak: thus says Marduk-muballiṭ. May Šamaš keep you well.'
# Sums of f32 in another order, through every layer, relative to the largest logit.
AGREEMENT = 1e-4
# The version of the operators that has GELU by tanh.
OPERATORS = 20
PRINTABLE = range(3 + 0x21, 3 + 0x7F)


def normed(norm, x):
    """The norm in the pattern that onnxruntime makes one kernel of."""
    return x / torch.sqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * norm.weight


def fed(layer, x):
    """What the gated layer makes of a stream."""
    inner, body = normed(layer.layer_norm, x), layer.DenseReluDense
    return x + body.wo(F.gelu(body.wi_0(inner), approximate='tanh') * body.wi_1(inner))


def by_distance(stack):
    """The bias of positions by the distance from -FARTHEST to FARTHEST: [distances, heads]; beyond, nothing changes."""
    table = stack.block[0].layer[0].SelfAttention.relative_attention_bias.weight.detach()
    whole = buckets(FARTHEST + 1, not stack.is_decoder)
    before, after = whole[FARTHEST], whole[0, 1:]
    return table[torch.cat([before, after])]


class Encoder(nn.Module):
    """From byte tokens to the keys and values of the source for every layer of the decoder."""

    def __init__(self, own):
        super().__init__()
        self.own, self.heads = own, own.config['num_heads']
        self.register_buffer('biases', by_distance(own.encoder))

    def split(self, x):
        return x.view(1, -1, self.heads, self.own.config['d_kv']).transpose(1, 2)

    def forward(self, ids):
        own, places = self.own, torch.arange(ids.shape[1])
        apart = (places[None] - places[:, None]).clamp(-FARTHEST, FARTHEST) + FARTHEST
        bias = self.biases[apart].permute(2, 0, 1)[None]
        x = own.shared(ids)
        for block in own.encoder.block:
            attention, inner = block.layer[0].SelfAttention, normed(block.layer[0].layer_norm, x)
            weights = self.split(attention.q(inner)) @ self.split(attention.k(inner)).transpose(2, 3) + bias
            taken = weights.softmax(-1) @ self.split(attention.v(inner))
            x = x + attention.o(taken.transpose(1, 2).reshape(1, -1, attention.o.in_features))
            x = fed(block.layer[1], x)
        states, found = normed(own.encoder.final_layer_norm, x), []
        for block in own.decoder.block:
            cross = block.layer[1].EncDecAttention
            found += [self.split(cross.k(states)).transpose(2, 3), self.split(cross.v(states))]
        return tuple(found)


class Decoder(nn.Module):
    """One byte more: logits, and for every layer the keys and values of all bytes so far."""

    def __init__(self, own):
        super().__init__()
        self.own, self.heads = own, own.config['num_heads']
        self.register_buffer('biases', by_distance(own.decoder))

    def split(self, x):
        return x.view(1, 1, self.heads, self.own.config['d_kv']).transpose(1, 2)

    def look(self, attention, x, keys, values, bias):
        """One place looks at keys, which lie with their length last, and values."""
        weights = self.split(attention.q(x)) @ keys
        weights = (weights if bias is None else weights + bias).softmax(-1)
        return attention.o((weights @ values).transpose(1, 2).reshape(1, 1, attention.o.in_features))

    def forward(self, id, memory, before):
        own, written, after = self.own, before[0].shape[2], []
        apart = (torch.arange(written + 1) - written).clamp(min=-FARTHEST) + FARTHEST
        bias = self.biases[apart].T[None, :, None]
        x = own.shared(id)
        for number, block in enumerate(own.decoder.block):
            attention, inner = block.layer[0].SelfAttention, normed(block.layer[0].layer_norm, x)
            keys = torch.cat([before[2 * number], self.split(attention.k(inner))], 2)
            values = torch.cat([before[2 * number + 1], self.split(attention.v(inner))], 2)
            after += [keys, values]
            x = x + self.look(attention, inner, keys.transpose(2, 3), values, bias)
            inner = normed(block.layer[1].layer_norm, x)
            x = x + self.look(block.layer[1].EncDecAttention, inner, memory[2 * number], memory[2 * number + 1], None)
            x = fed(block.layer[2], x)
        return (own.lm_head(normed(own.decoder.final_layer_norm, x))[:, 0], *after)


def names(what, layers):
    """The names of keys and values, layer by layer."""
    return [f'{what}_{part}_{number}' for number in range(layers) for part in ('keys', 'values')]


@torch.no_grad()
def export(own, out):
    """Writes both graphs."""
    layers, ids = own.config['num_decoder_layers'], torch.tensor([encode(SOURCE)])
    length, written = torch.export.Dim('length', min=2, max=4096), torch.export.Dim('written', min=0, max=4096)
    encoder, decoder = Encoder(own).eval(), Decoder(own).eval()
    settings = dict(dynamo=True, opset_version=OPERATORS, external_data=False, verbose=False)
    torch.onnx.export(
        encoder, (ids,), out / 'encoder.onnx', input_names=['ids'], output_names=names('memory', layers),
        dynamic_shapes=({1: length},), **settings,
    )
    # Each one a tensor of its own: one that came twice would be taken for one input.
    memory, before = encoder(ids), [torch.randn(1, decoder.heads, 5, own.config['d_kv']) for _ in range(2 * layers)]
    torch.onnx.export(
        decoder, (torch.tensor([[0]]), list(memory), before), out / 'decoder.onnx',
        input_names=['id', *names('memory', layers), *names('before', layers)],
        output_names=['logits', *names('after', layers)],
        dynamic_shapes=(None, [{3: length}, {2: length}] * layers, [{2: written}] * (2 * layers)), **settings,
    )
    shape = dict(layers=layers, heads=decoder.heads, head=own.config['d_kv'])
    (out / 'shape.json').write_text(json.dumps(shape) + '\n')


@torch.no_grad()
def difference(own, out):
    """The largest difference of a logit from network.py's, relative to the largest logit; written byte by byte."""
    layers, ids, target = own.config['num_decoder_layers'], encode(SOURCE), [0] + encode(TARGET)
    expected = own(torch.tensor([ids]), torch.tensor([target]))[0]
    sessions = [onnxruntime.InferenceSession(out / f'{name}.onnx') for name in ('encoder', 'decoder')]
    memory = dict(zip(names('memory', layers), sessions[0].run(None, {'ids': [ids]})))
    empty = torch.zeros(1, own.config['num_heads'], 0, own.config['d_kv']).numpy()
    before, largest = [empty] * (2 * layers), 0.0
    for place, token in enumerate(target):
        given = {'id': [[token]], **memory, **dict(zip(names('before', layers), before))}
        logits, *before = sessions[1].run(None, given)
        largest = max(largest, (torch.tensor(logits[0]) - expected[place]).abs().max().item())
    return largest / expected.abs().max().item()


def random_model(size, folder):
    """A folder with a translator of random weights that writes printable ASCII for ever."""
    torch.manual_seed(1)
    folder.mkdir(parents=True, exist_ok=True)
    own = ByT5(config_of(size))
    own.initialise()
    silent = [token for token in range(own.config['vocab_size']) if token not in PRINTABLE]
    with torch.no_grad():
        own.lm_head.weight[silent] = 0  # of the others one is above nothing
    save_file({name: value.detach().half() for name, value in own.named_parameters()}, folder / 'model.safetensors')
    config = config_of(size) | dict(dropout_rate=0.0, architectures=['T5ForConditionalGeneration'], is_encoder_decoder=True)
    (folder / 'config.json').write_text(json.dumps(config, indent=2) + '\n')
    write_manifest(folder, ['config.json', 'model.safetensors'])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('folder', nargs='?', type=Path)
    parser.add_argument('out', type=Path)
    parser.add_argument('--random', metavar='SIZE')
    settings = parser.parse_args()
    settings.out.mkdir(parents=True, exist_ok=True)
    folder = settings.folder
    if settings.random:
        folder = settings.out / 'model'
        random_model(settings.random, folder)
    weights = load_file(folder / 'model.safetensors')
    own = ByT5(json.loads((folder / 'config.json').read_text())).eval()
    own.load_state_dict({name: value.float() for name, value in weights.items() if not name.startswith('geometry.')})
    export(own, settings.out)
    apart = difference(own, settings.out)
    print(f'largest difference of a logit from network.py, relative to the largest logit: {apart:.1e}')
    if apart > AGREEMENT:
        raise SystemExit('the exported translator is not the same')


if __name__ == '__main__':
    main()
