"""A second Triangles, slow and plain: triangles as sets of points in the plane, tried one by one.

It shares no code with the game; the two have to agree on every legal move and on its bonuses.
"""

Point = tuple[int, int]
Triangle = frozenset[Point]
Lying = dict[Triangle, dict[Point, str]]
"""The table: the digit at each point of each triangle."""

TILES = [f"{a}{b}{c}" for a in range(6) for b in range(a, 6) for c in range(b, 6)]


def _clockwise(triangle: Triangle) -> tuple[Point, Point, Point]:
    """The points, corner 0 (the one that is alone at its height) first."""
    heights = [y for _, y in triangle]
    (tip,) = [p for p in triangle if heights.count(p[1]) == 1]
    left, right = sorted(p for p in triangle if p != tip)
    return (tip, right, left) if tip[1] > left[1] else (tip, left, right)


def first(tile: str) -> dict[Point, str]:
    """The tile as a round begins: points are (twice the way across, the row)."""
    return dict(zip(_clockwise(frozenset({(0, 0), (2, 0), (1, 1)})), tile, strict=True))


def written(corners: dict[Point, str]) -> str:
    """A lying tile as the sheet writes it."""
    tip, right, left = _clockwise(frozenset(corners))
    digits = corners[tip] + corners[right] + corners[left]
    if tip[1] > left[1]:
        return f"{digits}u{(left[0] - left[1]) // 2}.{left[1]}"
    return f"{digits}d{(tip[0] - tip[1]) // 2 - 1}.{tip[1]}"


def legal(table: Lying, hand: list[str]) -> dict[str, dict[Point, str]]:
    """Every way to lay a tile of the hand, by its text."""
    known = {point: digit for corners in table.values() for point, digit in corners.items()}
    found = {}
    for triangle in table:
        for away in triangle:
            p, q = triangle - {away}
            across = frozenset({p, q, (p[0] + q[0] - away[0], p[1] + q[1] - away[1])})
            if across in table:
                continue
            for tile in hand:
                for turn in range(3):
                    turned = tile[turn:] + tile[:turn]
                    corners = dict(zip(_clockwise(across), turned, strict=True))
                    if all(known.get(point, digit) == digit for point, digit in corners.items()):
                        found[written(corners)] = corners
    return found


def bonus(table: Lying, corners: dict[Point, str]) -> tuple[int, int]:
    """The points for hexagons and for a bridge of a tile about to be laid."""
    new = frozenset(corners)
    touching = [triangle for triangle in table if triangle & new]
    hexagons = sum(sum(point in triangle for triangle in touching) == 5 for point in new)
    shared = [triangle & new for triangle in touching if len(triangle & new) == 2]
    if len(shared) != 1:
        return 50 * hexagons, 0
    (opposite,) = new - shared[0]
    return 50 * hexagons, 40 * any(opposite in triangle for triangle in touching)
