"""Triangles against a second program that shares no code with it."""

from services.games.contract import Game
from services.games.triangles import drawing, notation, rules
from services.games.triangles.lattice import EMPTY, around, beside, corners
from services.games.triangles.options import Ruleset
from services.games.triangles.points import hexagons_closed, makes_bridge
from services.games.triangles.position import Position
from services.games.triangles.tiles import READINGS, TILES, VALUES, tiles_in
from tests.games import triangles_reference as reference
from tests.kit.playouts import Dice, Turn, playout

TRIANGLES = Game("Triangles", rules, notation, drawing)


def lying(position: Position) -> reference.Lying:
    """The table as the second program has it."""
    table: reference.Lying = {}
    for placement in position.placed:
        if not table:
            laid = reference.first(TILES[placement.tile])
        else:
            laid = reference.legal(table, [TILES[placement.tile]])[placement.text]
        table[frozenset(laid)] = laid
    return table


def some_turns(ruleset: Ruleset, seed: int, every: int) -> list[Turn]:
    """Some turns of a random match."""
    return list(playout(TRIANGLES, rules.setup(ruleset), Dice(seed)))[::every]


def test_the_tiles_are_the_same_and_read_156_ways() -> None:
    """§1: 56 tiles, 420 in all, 6 triples, 30 with a pair, 20 with three different digits."""
    assert list(TILES) == reference.TILES
    assert sum(VALUES) == 420
    assert [[len(set(name)) for name in TILES].count(n) for n in (1, 2, 3)] == [6, 30, 20]
    assert len(READINGS) == 156
    assert "021" not in READINGS


def test_cells_and_vertices_agree_with_each_other() -> None:
    """§2: neighbours are mutual and share the side; the six cells round a vertex have it."""
    for cell in [(kind, q, r) for kind in "ud" for q in range(-3, 4) for r in range(-3, 4)]:
        for side, near in enumerate(beside(cell)):
            assert cell in beside(near)
            shared = set(corners(cell)) & set(corners(near))
            assert shared == set(corners(cell)) - {corners(cell)[side]}
        for vertex in corners(cell):
            assert cell in around(vertex)
            assert len(set(around(vertex))) == 6


def test_both_programs_list_the_same_moves() -> None:
    """Also for the other hand, whosever turn it is, and for all tiles at once."""
    for turn in some_turns(rules.ruleset({}), 5, 7):
        position: Position = turn.position
        if not position.turns:
            continue
        hand = [TILES[tile] for tile in tiles_in(position.hands[position.next])]
        assert tuple(sorted(reference.legal(lying(position), hand))) == turn.listed
        everything = {text[:3] for text in reference.legal(lying(position), list(TILES))}
        assert {READINGS[r] for r in everything} == set(tiles_in(position.layout.playable()))


def test_both_programs_give_the_same_bonuses() -> None:
    """Hexagons and bridges of every legal move; never both at once."""
    met = set()
    for turn in [t for seed in (1, 2, 3) for t in some_turns(rules.ruleset({}), seed, 3)]:
        table = lying(turn.position)
        for text, laid in reference.legal(table, list(TILES)).items():
            placement = notation.read_placement(text)
            layout = turn.position.layout
            hexagons = hexagons_closed(layout, placement)
            bridge = makes_bridge(turn.position.ruleset, layout, placement, hexagons)
            assert reference.bonus(table, laid) == (50 * hexagons, 40 * bridge)
            assert not (hexagons and bridge)
            met.add((hexagons, bridge))
    assert {(0, False), (1, False), (0, True)} <= met


def test_the_empty_table_has_no_free_cells() -> None:
    """Any tile can be the first one."""
    assert not EMPTY.frontier
    assert tiles_in(EMPTY.playable()) == tuple(range(56))
