"""The players' rule book of Caltrop says what the rules do: its tables are read and played."""

import tomllib

import pytest

from services.games.caltrop import rules
from services.games.caltrop.board import LETTERS, NAMES, NUMBERS, as_it_lies, board_of, token
from services.games.caltrop.growth import read_difficulties
from services.games.caltrop.position import FORMS
from services.games.caltrop.stones import KINDS, Kind, Sides, spikes_at, stone, top_level
from services.games.caltrop.turn import Fray, fight, play, put
from tests.kit.tree import ROOT

SEEDS = ROOT / "seeds" / "caltrop"
BOOK = (SEEDS / "RULES.md").read_text(encoding="utf-8")


def table(heading: str) -> list[tuple[str, ...]]:
    """The rows of the table whose heading begins like this, without marks of code."""
    body = BOOK.split(f"\n| {heading} |", 1)[1].split("\n\n", 1)[0]
    rows = body.replace("`", "").splitlines()[2:]
    return [tuple(cell.strip() for cell in row.strip("|").split("|")) for row in rows]


def digits(sides: Sides) -> str:
    """Four sides as the book writes them."""
    return "".join(map(str, sides))


def row_of(kind: Kind) -> tuple[str, ...]:
    """What the book says of an ordinary stone."""
    top = top_level(kind)
    return kind.code, kind.name, digits(kind.base), str(top), digits(spikes_at(kind, top))


def test_the_book_describes_every_stone() -> None:
    """Codes, names, spikes and tops; of rare stones the growth and the name of the power."""
    plain = [kind for kind in KINDS.values() if not kind.is_rare]
    assert table("code | stone") == [row_of(kind) for kind in plain]
    rare = [kind for kind in KINDS.values() if kind.is_rare]
    assert [row[:5] for row in table("code | rare stone")] == [
        (kind.code, kind.name, digits(kind.base), digits(kind.growth), str(top_level(kind)))
        for kind in rare
    ]
    powers = [row[5].partition(":")[0] for row in table("code | rare stone")]
    assert powers == [kind.power for kind in rare]


def test_the_book_lists_forms_and_costs() -> None:
    """Every form of the rulesets; the examples of costs."""
    assert tuple(form for form, _ in table("form")) == FORMS
    for text, cost in table("stone | cost"):
        assert stone(text).cost == int(cost)


def test_the_book_lists_the_difficulties() -> None:
    """Titles, how far they look, levels per win, and how many groups there are."""
    text = (SEEDS / "difficulties.toml").read_text(encoding="utf-8")
    found = read_difficulties(tomllib.loads(text)).values()
    assert [(row[0], int(row[2])) for row in table("difficulty")] == [
        (one.title, one.levels_per_win) for one in found
    ]
    for row, one in zip(table("difficulty"), found, strict=True):
        assert (row[1] == "2 placements") == (one.look_ahead == 2)
        assert (", then" in row[3]) == (len(one.groups) == 2)


@pytest.mark.parametrize("row", table("facing spikes"), ids=" ".join)
def test_an_example_of_a_fight_is_right(row: tuple[str, ...]) -> None:
    """Spikes before, spikes after, who is taken."""
    met, left, taken = row
    n, m = map(int, met.split(":"))
    fray: Fray = put(board_of({"b3": f"r00{m}0"}), 0, NUMBERS["b2"], "", (n, 0, 0, 0))
    its, other = 4 * NUMBERS["b2"], 4 * NUMBERS["b3"] + 2
    winner = fight(fray, NUMBERS["b2"], its, NUMBERS["b3"], other)
    assert f"{fray.spikes[its]}:{fray.spikes[other]}" == left
    beaten = {NUMBERS["b2"]: "the second", NUMBERS["b3"]: "the first"}
    assert beaten.get(winner, "nobody") == taken


@pytest.mark.parametrize("row", table("on the board"), ids=lambda row: f"{row[0]} {row[2]}")
def test_an_example_of_a_turn_is_right(row: tuple[str, ...]) -> None:
    """The board afterwards and the events."""
    before, letter, placed, square, after, events = row
    special, _, four = placed.rpartition(":")
    front, right, back, left = map(int, four)
    mover = LETTERS.index(letter)
    board = board_of(dict(stone_on(text) for text in before.split(", ")))
    lying = as_it_lies((front, right, back, left), mover)
    turned = play(board, mover, NUMBERS[square], special, lying)
    found = {name: token(turned.board, NUMBERS[name]) for name in NAMES}
    expected = dict.fromkeys(NAMES, "-") | dict(stone_on(text) for text in after.split(", "))
    assert found == expected
    assert turned.events == tuple(events.split("; "))


def stone_on(text: str) -> tuple[str, str]:
    """A square and the stone on it."""
    square, what = text.split(" ")
    return square, what


def test_every_reason_of_the_rules_is_in_the_book() -> None:
    """In the order in which they are given."""
    position = rules.setup(rules.ruleset({}))
    over = rules.withdraw(position, "A").position
    undrawn = rules.setup(rules.ruleset({"games": 1}))
    placed = rules.apply(rules.apply(position, "1a1").position, "1b1").position
    wrongs = [
        rules.objection(over, "?"),
        rules.objection(undrawn, "?"),
        rules.objection(placed, "?"),
        rules.objection(placed, "9z9"),
        rules.objection(placed, "1z9"),
        rules.objection(placed, "1a1"),
        rules.objection(placed, "2a1"),
    ]
    listed = [code for code, _ in table("reason") if code != "not-your-turn"]
    assert [wrong.code for wrong in wrongs if wrong] == listed
