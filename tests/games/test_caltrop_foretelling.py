"""The dry run to look at: colours, signs and hollow spikes, and the same in words (sheet §10)."""

from msgspec.structs import replace

from services.games.caltrop import foretelling, rules
from services.games.caltrop.board import board_of
from services.games.caltrop.position import Position
from services.games.contract import Foretold
from services.games.picture import Label, Polygon, Rectangle


def beside(*reds: tuple[str, str]) -> Position:
    """Blue has placed the Tiny on d4 and Red stones on these squares; Blue is to place."""
    position = rules.setup(rules.ruleset({}))
    moves = tuple(
        move for slot, (square, _) in enumerate(reds, 1) for move in ("1d4", f"{slot}{square}")
    )
    board = board_of({"d4": "b0000", **dict(reds)})
    game = replace(position.game, board=board, moves=moves, left=(0b11111110, 0b11111100))
    return replace(position, games=(game,))


def hollow_spikes(told: Foretold) -> int:
    """Spikes drawn as an outline only."""
    shapes = told.picture.shapes
    return sum(isinstance(one, Polygon) and one.fill == "ground" for one in shapes)


def signs(told: Foretold) -> list[str]:
    """Pluses and minuses on the board."""
    return [one.text for one in told.picture.shapes if isinstance(one, Label) and one.size == 26]


def grounds(told: Foretold) -> list[str]:
    """The squares that are painted, by their paint."""
    shapes = told.picture.shapes
    fields = [one.fill for one in shapes if isinstance(one, Rectangle)]
    return [fill for fill in fields if fill.startswith("field")]


def test_a_stone_that_ends_lost_is_red_with_a_minus() -> None:
    """§13: everything ends red, so only the new stone changes hands."""
    told = foretelling.foretell(beside(("b3", "r0010"), ("c2", "r0003")), "4b2", "A")
    assert told.marks["red"] == ("b2",)
    assert told.sentence == (
        "Red (B) would take the new stone on b2 (red, \u2212). Spikes that would be gone "
        "(hollow): b2 north 2, east 1; c2 west 1; b3 south 1."
    )
    assert (signs(told), grounds(told)) == (["\u2212"], ["field-3"])


def test_a_stone_that_would_be_taken_is_yellow_with_a_plus() -> None:
    """N2 against a bare side: it turns to the mover, and one spike is used up (A1)."""
    told = foretelling.foretell(beside(("b3", "r0000")), "4b2", "A")
    assert told.marks == {"yellow": ("b3",), "red": (), "faded": ("b2 north 1",)}
    assert told.sentence.startswith("Blue (A) would take b3 (yellow, +).")
    assert (signs(told), grounds(told)) == (["+"], ["field-2"])
    assert hollow_spikes(told) == 1


def test_a_quiet_placement_says_so() -> None:
    """Nothing touches it: no colour, no sign, a sentence."""
    told = foretelling.foretell(beside(), "4b2", None)
    assert told.sentence == "No stone would change hands."
    assert (signs(told), grounds(told), hollow_spikes(told)) == ([], [], 0)
