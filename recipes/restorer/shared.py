"""What this recipe shares with the others: the network and corpora of `train_restorer.py`, Muon of the translator's."""

import os
import sys

RECIPES = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path += [RECIPES, os.path.join(RECIPES, 'translator')]

import train_restorer as first  # noqa: E402
from muon import Muon  # noqa: E402

__all__ = ['Muon', 'first']
