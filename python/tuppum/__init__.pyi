"""Types of the package; what things do is said where they are made."""

from collections.abc import Sequence
from os import PathLike
from typing import Any, Literal, TypeAlias, TypedDict

import numpy as np
import numpy.typing as npt

__version__: str

Device: TypeAlias = Literal["cpu", "wgpu", "cuda", "auto"]
Folder: TypeAlias = str | PathLike[str]
Numbers: TypeAlias = npt.NDArray[np.float32]

class Restoration(TypedDict):
    """As `tuppum restore --json` prints it."""

    note: str
    tuppum: str
    model: str
    question: dict[str, Any]
    answer: dict[str, Any]

class Translation(TypedDict):
    """One translation of a passage."""

    right: float | None
    held_back: bool
    text: str
    score: float
    ended: bool
    byte_probabilities: Numbers
    byte_attention: Numbers | None

class Passage(TypedDict):
    """A passage with its translations, the likeliest first."""

    source: str
    translations: list[Translation]

class Parallel(TypedDict):
    """A place of the edited texts that is like a line."""

    similarity: float
    text: str
    project: str
    line: str
    address: str | None
    own: bool
    written: str

class LineParallels(TypedDict):
    """A line with its parallels, the most alike first."""

    line: str
    formula: bool
    parallels: list[Parallel]

class Restorer:
    def __init__(self, model: Folder, *, device: Device | None = None, corpus: Folder | None = None) -> None: ...
    def restore(
        self,
        texts: Sequence[str],
        *,
        beam: int = 5,
        top: int = 20,
        longest: int = 10,
        period: str | None = None,
    ) -> list[Restoration]: ...
    def states(self, texts: Sequence[str]) -> list[Numbers]: ...

class Translator:
    def __init__(self, model: Folder, *, device: Device | None = None) -> None: ...
    def translate(
        self,
        texts: Sequence[str],
        *,
        whole: bool = False,
        beams: int = 5,
        length_penalty: float = 1.0,
        longest: int = 512,
        answers: int = 1,
        attention: bool = False,
    ) -> list[list[Passage]]: ...

class Reader:
    def __init__(self) -> None: ...
    def read(self, texts: Sequence[str]) -> list[dict[str, Any]]: ...

class Corpus:
    def __init__(self, folder: Folder) -> None: ...
    def parallels(
        self, texts: Sequence[str], *, top: int = 3, except_text: str | None = None
    ) -> list[list[LineParallels]]: ...
    def gloss(self, texts: Sequence[str]) -> list[list[dict[str, str]]]: ...
