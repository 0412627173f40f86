"""Takes the mean of the weights of two translators, one of which was trained on from the other.

    python recipes/translator/mean.py FIRST SECOND OUT [--share 0.5]

Each is a `model.safetensors`; OUT receives their mean, SHARE of it the second. Where both lie in one basin of the loss, the mean can
foretell unseen pairs better than either (Wortsman et al. 2022, "Model soups"); measure it on validation pairs before it ships. The points of
the bias are so near each other that their mean in the ball's coordinates is their midpoint to the digits that are kept.
"""

import argparse

from safetensors.torch import load_file, save_file


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('first')
    parser.add_argument('second')
    parser.add_argument('out')
    parser.add_argument('--share', type=float, default=0.5)
    settings = parser.parse_args()
    first, second = load_file(settings.first), load_file(settings.second)
    if first.keys() != second.keys():
        raise SystemExit(f'The two are of other shapes: {next(iter(first.keys() ^ second.keys()))}, for one.')
    share = settings.share
    mean = {name: ((1 - share) * own.float() + share * second[name].float()).to(own.dtype) for name, own in first.items()}
    save_file({name: value.contiguous() for name, value in mean.items()}, settings.out)


if __name__ == '__main__':
    main()
