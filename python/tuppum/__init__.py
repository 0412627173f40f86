"""Restore, read, gloss and translate cuneiform transliterations, with the same library as the page and the command `tuppum`.

Every method takes a list of texts and returns a list with an answer for each. It computes without Python's global lock, so that
threads go on meanwhile; one model computes one list at a time. What a model proposes is a machine's proposal, with its probability,
not a reading of the tablet.

    import tuppum
    restorer = tuppum.Restorer('models/restorer')
    answer, = restorer.restore(['a-na {d}UTU be-li₂-ia x-bi₂-ma'])
    answer['answer']['gaps'][0]['proposals'][0]
"""

from importlib.metadata import version

from ._tuppum import Corpus, Reader, Restorer, Translator

__all__ = ['Corpus', 'Reader', 'Restorer', 'Translator']
__version__ = version('tuppum')
