"""A second Blokus, slow and plain: sets of (column, row), grown shapes, every placement tried.

It shares no code with the game; the two have to agree on every legal move.
"""

from functools import cache

Square = tuple[int, int]
Shape = frozenset[Square]

FREE_SHAPES = 21


def neighbours_of(square: Square) -> set[Square]:
    """The squares across an edge, on the board or not."""
    x, y = square
    return {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)}


def corners_of(square: Square) -> set[Square]:
    """The squares across a corner."""
    x, y = square
    return {(x + 1, y + 1), (x - 1, y - 1), (x + 1, y - 1), (x - 1, y + 1)}


def _zeroed(shape: Shape) -> Shape:
    left, low = min(x for x, _ in shape), min(y for _, y in shape)
    return frozenset((x - left, y - low) for x, y in shape)


def kind(shape: Shape) -> tuple[Square, ...]:
    """The same for a shape however it is turned and flipped."""
    spun, seen = shape, []
    for _ in range(4):
        spun = frozenset((y, -x) for x, y in spun)
        seen += [spun, frozenset((-x, y) for x, y in spun)]
    return min(tuple(sorted(_zeroed(turned))) for turned in seen)


@cache
def fixed_shapes(squares: int) -> frozenset[Shape]:
    """Every shape of that many squares joined by edges, grown square by square."""
    if squares == 1:
        return frozenset({frozenset({(0, 0)})})
    return frozenset(
        _zeroed(shape | {square})
        for shape in fixed_shapes(squares - 1)
        for cell in shape
        for square in neighbours_of(cell) - shape
    )


@cache
def placements(size: int) -> tuple[tuple[Shape, tuple[Square, ...]], ...]:
    """Every place of every shape on a board, with the shape's kind."""
    return tuple(
        (frozenset((x + right, y + up) for x, y in shape), name)
        for squares in range(1, 6)
        for shape in fixed_shapes(squares)
        for name in [kind(shape)]
        for right in range(size - max(x for x, _ in shape))
        for up in range(size - max(y for _, y in shape))
    )


def legal(
    size: int, own: list[Shape], others: list[Shape], starts: set[Square]
) -> frozenset[Shape]:
    """Where a colour can place, given its pieces, all other pieces, and its start squares."""
    used = {kind(shape) for shape in own}
    mine = frozenset().union(*own)
    taken = mine.union(*others)
    beside = {near for square in mine for near in neighbours_of(square)}
    contacts = {near for square in mine for near in corners_of(square)} if mine else starts
    return frozenset(
        shape
        for shape, name in placements(size)
        if name not in used and shape & contacts and not shape & taken and not shape & beside
    )
