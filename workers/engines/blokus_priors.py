"""The learned weights of Blokus's priors, as they lie in ``seeds/blokus/priors.toml``."""

import tomllib
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from services.games.blokus.pieces import PIECES
from workers.engines.kernels.blokus_priors import CELL_FEATURES, PHASES

FILE = Path(__file__).parents[2] / "seeds" / "blokus" / "priors.toml"
NAMES = (*(piece.name for piece in PIECES), *CELL_FEATURES)
"""In the order of the weights."""


@cache
def weights(size: int) -> NDArray[np.int64]:
    """By phase and feature: the weights for the board of this size, in hundredths.

    >>> weights(14).shape
    (3, 39)
    """
    table = tomllib.loads(FILE.read_text("utf-8"))[f"size-{size}"]
    columns = [table[name] for name in NAMES]
    assert all(len(column) == PHASES for column in columns), "a weight for each phase"
    return np.array(columns, np.int64).T.copy()


def as_text(size: int, learned: NDArray[np.int64]) -> str:
    """A board's part of the file."""
    rows = zip(NAMES, learned.T.tolist(), strict=True)
    return "\n".join([f"[size-{size}]", *(f"{name} = {row}" for name, row in rows), ""])
