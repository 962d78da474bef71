"""The 56 tiles (``seeds/triangles/RULES.md`` §1). A tile is its number, a set of tiles an integer.

Numbers run from 0 (``000``) to 55 (``555``) in the order of the dictionary.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations_with_replacement, product
from types import MappingProxyType

DIGITS = "012345"

TILES = tuple("".join(digits) for digits in combinations_with_replacement(DIGITS, 3))
"""Names by number: the digits clockwise from the smallest, which never decrease."""

NUMBERS: Mapping[str, int] = MappingProxyType({name: n for n, name in enumerate(TILES)})
VALUES = tuple(sum(map(int, name)) for name in TILES)
"""The sum of the digits, by tile."""

NO_TILE = -1
ALL_TILES = (1 << len(TILES)) - 1
TRIPLES = sum(1 << tile for tile, name in enumerate(TILES) if len(set(name)) == 1)

HIGHEST = tuple(
    sorted(range(len(TILES)), key=lambda tile: (VALUES[tile], TILES[tile][::-1]), reverse=True)
)
"""Tiles from the highest down: by value, then by the digits from the largest down (§3)."""

Reading = tuple[int, int, int]
"""The digits of a lying tile at corners 0, 1, 2 of its cell, clockwise."""

Pattern = tuple[int | None, int | None, int | None]
"""The digits known at corners 0, 1, 2 of a cell; None where there is none yet."""


def turned(name: str) -> tuple[str, str, str]:
    """A tile read clockwise from each of its corners.

    >>> turned("012")
    ('012', '120', '201')
    """
    return name, name[1:] + name[0], name[2] + name[:2]


READINGS: Mapping[str, int] = MappingProxyType(
    {reading: tile for tile, name in enumerate(TILES) for reading in turned(name)}
)
"""The tile of each of the 156 clockwise readings; mirror images are none."""


def _fitting() -> Iterator[tuple[Pattern, tuple[tuple[int, str], ...]]]:
    for pattern in product((None, *range(6)), repeat=3):
        fits = tuple(
            (tile, reading)
            for reading, tile in sorted(READINGS.items())
            if all(p is None or p == int(d) for p, d in zip(pattern, reading, strict=True))
        )
        yield (pattern[0], pattern[1], pattern[2]), fits


FITTING: Mapping[Pattern, tuple[tuple[int, str], ...]] = MappingProxyType(dict(_fitting()))
"""The (tile, reading) pairs that agree with a pattern."""


def as_set(tiles: Iterable[int]) -> int:
    """The set of these tiles.

    >>> as_set([0, 2])
    5
    """
    found = 0
    for tile in tiles:
        found |= 1 << tile
    return found


FITTING_TILES: Mapping[Pattern, int] = MappingProxyType(
    {pattern: as_set(tile for tile, _ in fits) for pattern, fits in FITTING.items()}
)
"""The set of tiles that agree with a pattern in some rotation."""


def tiles_in(tiles: int) -> tuple[int, ...]:
    """The tiles of a set, in order.

    >>> tiles_in(0b101)
    (0, 2)
    """
    return tuple(tile for tile in range(tiles.bit_length()) if tiles >> tile & 1)


def value_of(tiles: int) -> int:
    """The values of a set of tiles added up.

    >>> value_of(ALL_TILES)
    420
    """
    return sum(VALUES[tile] for tile in tiles_in(tiles))
