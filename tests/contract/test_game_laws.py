"""The laws of ``services/games/contract.py`` over every game, rules version and seeded ruleset.

No game is named here: a new game is held to them by being registered.
"""

from collections.abc import Iterator
from functools import cache
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.games.contract import SEATS, BadText, Deal, Game, Objection, Over, Seat
from services.games.picture import to_svg
from services.games.registry import REGISTRY
from tests.kit.mistyped import each_mistyped
from tests.kit.playouts import Dice, Turn, playout, seeded_rulesets

CASES = [
    pytest.param(game, data, id=f"{game.rules.slug}-{game.rules.version}-{name}")
    for game in REGISTRY.versions()
    for name, data in seeded_rulesets(game.rules.slug).items()
]
every_ruleset = pytest.mark.parametrize(("game", "data"), CASES)


def _has_dry_runs(game: Any, _data: object) -> bool:
    return bool(game.foretelling)


with_dry_runs = pytest.mark.parametrize(
    ("game", "data"), [case for case in CASES if _has_dry_runs(*case.values)]
)
every_game = pytest.mark.parametrize(
    "game", [pytest.param(g, id=f"{g.rules.slug}-{g.rules.version}") for g in REGISTRY.versions()]
)


def turns(game: Game, data: dict[str, Any]) -> tuple[Turn, ...]:
    """Two games played out at random, once for all laws."""
    return _turns(game, tuple(data.items()))


@cache
def _turns(game: Game, data: tuple[tuple[str, Any], ...]) -> tuple[Turn, ...]:
    start = game.rules.setup(game.rules.ruleset(dict(data)))
    return tuple(turn for seed in (1, 2) for turn in playout(game, start, Dice(seed)))


def some(game: Game, data: dict[str, Any], wanted: int = 12) -> tuple[Turn, ...]:
    """A few turns spread over the games, for laws that cost time."""
    played = turns(game, data)
    return played[:: max(1, len(played) // wanted)]


def last_positions(game: Game, data: dict[str, Any]) -> list[Any]:
    """The positions in which play was over."""
    after = [turn.step.position for turn in turns(game, data)]
    return [position for position in after if isinstance(game.rules.awaiting(position), Over)]


def seats(game: Game, data: dict[str, Any]) -> tuple[Seat, ...]:
    """The seats of a ruleset."""
    return SEATS[: game.rules.terms(game.rules.ruleset(data)).seats]


@every_game
def test_every_game_has_rulesets_among_the_seeds(game: Game) -> None:
    """A game without a seeded ruleset would escape every law below."""
    assert seeded_rulesets(game.rules.slug)


@every_ruleset
def test_a_ruleset_is_whole_and_refuses_what_it_does_not_know(
    game: Game, data: dict[str, Any]
) -> None:
    """The log's copy reads back as the same ruleset; an unknown key is an error."""
    ruleset = game.rules.ruleset(data)
    assert game.rules.ruleset(game.rules.ruleset_data(ruleset)) == ruleset
    assert data.items() <= game.rules.ruleset_data(ruleset).items()
    with pytest.raises(BadText):
        game.rules.ruleset({**data, "no-such-option": 1})


@every_ruleset
def test_an_option_is_taken_in_its_own_type_alone(game: Game, data: dict[str, Any]) -> None:
    """``1.0``, ``"1"`` and true are not 1: one ruleset has one text in the log."""
    for wrong in each_mistyped(game.rules.ruleset_data(game.rules.ruleset(data))):
        with pytest.raises(BadText):
            game.rules.ruleset(wrong)


@every_ruleset
def test_a_listed_move_has_no_objection_and_any_other_has(game: Game, data: dict[str, Any]) -> None:
    """What is listed may be played; when the list is whole, nothing else may."""
    pool: list[str] = []
    for turn in turns(game, data):
        for move in turn.listed:
            assert game.rules.objection(turn.position, move) is None
        for move in set(pool) - set(turn.listed):
            objection = game.rules.objection(turn.position, move)
            assert objection, move
            assert objection.sentence.endswith((".", "!", "?"))
        pool = [*pool[-40:], *turn.listed[:3], turn.move]


@every_ruleset
def test_moves_are_listed_in_one_order_without_repeats(game: Game, data: dict[str, Any]) -> None:
    """The list is the same each time; a limit cuts its end and says so."""
    for turn in some(game, data):
        assert game.rules.moves(turn.position).texts == turn.listed
        assert len(set(turn.listed)) == len(turn.listed)
        cut = game.rules.moves(turn.position, limit=1)
        assert cut.texts == turn.listed[:1]
        assert cut.truncated == (len(turn.listed) > 1)


@every_ruleset
def test_apply_leaves_the_position_alone_and_takes_recorded_facts(
    game: Game, data: dict[str, Any]
) -> None:
    """Folding with the recorded facts comes to what judging again comes to."""
    for turn in turns(game, data):
        before = game.notation.format_position(turn.position)
        assert game.rules.apply(turn.position, turn.move, turn.step.facts) == turn.step
        assert game.rules.apply(turn.position, turn.move) == turn.step
        assert game.notation.format_position(turn.position) == before


@every_ruleset
def test_a_position_is_one_line_of_text_and_back(game: Game, data: dict[str, Any]) -> None:
    """Nothing of a position is lost in its text, and every move changes it."""
    for turn in turns(game, data):
        text = game.notation.format_position(turn.position)
        assert text.isprintable()
        assert game.notation.parse_position(text) == turn.position
        assert game.notation.format_position(turn.step.position) != text


@every_ruleset
def test_a_move_has_one_canonical_text(game: Game, data: dict[str, Any]) -> None:
    """Listed moves are spelled as the log keeps them."""
    for turn in turns(game, data):
        assert all(game.notation.canonical(turn.position, move) == move for move in turn.listed)


@every_ruleset
def test_play_ends_within_the_ply_limit(game: Game, data: dict[str, Any]) -> None:
    """The terms' limit is never exceeded, and the seats are those of the terms."""
    terms = game.rules.terms(game.rules.ruleset(data))
    ends = last_positions(game, data)
    assert len(ends) == 2
    assert len(turns(game, data)) <= 2 * terms.plies_max
    assert {turn.seat for turn in turns(game, data)} <= set(SEATS[: terms.seats])


@every_ruleset
def test_there_is_an_outcome_exactly_when_play_is_over(game: Game, data: dict[str, Any]) -> None:
    """The outcome is the standing of the last position: points for all seats, some of them win."""
    for turn in turns(game, data):
        assert game.rules.outcome(turn.position) is None
    for position in last_positions(game, data):
        outcome = game.rules.outcome(position)
        assert outcome is not None
        assert outcome == game.rules.standing(position)
        assert tuple(outcome.points) == seats(game, data)
        assert outcome.winners
        assert set(outcome.winners) <= set(outcome.points)
        assert not game.rules.moves(position).texts
        objection = game.rules.objection(position, turns(game, data)[0].move)
        assert objection is not None
        assert objection.code == "match-over"


@every_ruleset
def test_material_is_conserved(game: Game, data: dict[str, Any]) -> None:
    """The census of the first position holds in every other."""
    played = turns(game, data)
    census = game.rules.census(played[0].position)
    assert census
    assert all(game.rules.census(turn.step.position) == census for turn in played)


@every_ruleset
def test_a_view_can_be_imagined_whole_and_shows_the_same(game: Game, data: dict[str, Any]) -> None:
    """A position imagined from a view looks the same to its seat; a view of a view is itself."""
    for turn in some(game, data):
        for seat in (*seats(game, data), None):
            view = game.rules.view(turn.position, seat)
            assert game.rules.view(view, seat) == view
            assert game.rules.view(game.rules.imagine(view, Dice(3)), seat) == view


@every_ruleset
def test_nothing_is_dealt_unless_chance_is_awaited(game: Game, data: dict[str, Any]) -> None:
    """Chance enters only where play waits for it, and only in games that have it."""
    chance = game.rules.terms(game.rules.ruleset(data)).chance
    for turn in some(game, data):
        with pytest.raises(ValueError, match=r"."):
            game.rules.deal(turn.position, Dice(1))
        assert chance or not isinstance(game.rules.awaiting(turn.step.position), Deal)


def spelled(game: Game, position: Any, move: str, prefix: str = "") -> bool:
    """Whether a move can be typed step by step."""
    return any(
        (step.ends if step.text == move else spelled(game, position, move, step.text))
        for step in game.rules.steps(position, prefix)
        if move.startswith(step.text) and (step.text == move or step.completable)
    )


@every_ruleset
def test_every_move_can_be_typed_step_by_step(game: Game, data: dict[str, Any]) -> None:
    """Steps lead to every move, say truly where a move ends, and where they can go on."""
    for turn in some(game, data, 6):
        assert spelled(game, turn.position, turn.move)
        assert spelled(game, turn.position, turn.listed[-1])
        for step in game.rules.steps(turn.position, "")[:10]:
            assert step.ends == (game.rules.objection(turn.position, step.text) is None)
            assert step.completable == bool(game.rules.steps(turn.position, step.text))
        assert game.rules.steps(turn.position, "\0 no move begins like this") == ()


@every_ruleset
def test_a_seat_that_withdraws_is_not_awaited_again_and_does_not_win(
    game: Game, data: dict[str, Any]
) -> None:
    """After a resignation the others play on, or the last seat left has won."""
    for turn in some(game, data, 5):
        for seat in seats(game, data):
            step = game.rules.withdraw(turn.position, seat)
            assert game.rules.withdraw(turn.position, seat, step.facts) == step
            assert game.rules.census(step.position) == game.rules.census(turn.position)
            text = game.notation.format_position(step.position)
            assert game.notation.parse_position(text) == step.position
            end = step.position
            for later in playout(game, step.position, Dice(4)):
                assert later.seat != seat
                end = later.step.position
            outcome = game.rules.outcome(end)
            assert outcome is not None
            assert seat not in outcome.winners
            if len(outcome.points) == 2:
                assert end == step.position


@every_ruleset
def test_pictures_are_well_formed_and_the_same_each_time(game: Game, data: dict[str, Any]) -> None:
    """A picture says in words what it shows; the text board needs no colour."""
    for turn in some(game, data, 4):
        view = game.rules.view(turn.position, turn.seat)
        picture = game.drawing.picture(view, turn.seat)
        svg = to_svg(picture)
        assert svg == to_svg(game.drawing.picture(view, turn.seat))
        root = ET.fromstring(svg)  # noqa: S314 - our own text
        assert [child.tag.rpartition("}")[2] for child in root[:2]] == ["title", "desc"]
        assert root[0].text
        assert root[1].text
        assert all(line.isprintable() for line in game.drawing.text(view, turn.seat).split("\n"))


@every_ruleset
def test_the_last_move_changes_the_picture(game: Game, data: dict[str, Any]) -> None:
    """What was just played is to be seen, in the picture and in its words."""
    for turn in some(game, data, 4):
        before, after = (
            game.drawing.picture(game.rules.view(position, None), None)
            for position in (turn.position, turn.step.position)
        )
        assert before.shapes != after.shapes
        assert before.description != after.description


@with_dry_runs
def test_a_dry_run_marks_the_board_as_it_stands(game: Game, data: dict[str, Any]) -> None:
    """It is drawn over the picture of now, says what it shows, and begins each mark with a spot."""
    assert game.foretelling is not None
    assert not game.rules.terms(game.rules.ruleset(data)).hidden
    for turn in some(game, data, 6):
        now = game.drawing.picture(turn.position, turn.seat)
        told = game.foretelling.foretell(turn.position, turn.move, turn.seat)
        assert told == game.foretelling.foretell(turn.position, turn.move, turn.seat)
        assert told.picture.shapes[: len(now.shapes)] == now.shapes
        assert len(told.picture.shapes) > len(now.shapes)
        assert told.picture.description == told.sentence
        spots = {spot.name for spot in now.spots}
        for marks in told.marks.values():
            assert {mark.split()[0] for mark in marks} <= spots


def middles() -> Iterator[tuple[Game, Turn]]:
    """A turn in the middle of a game, of every game at every version."""
    for game in REGISTRY.versions():
        played = turns(game, next(iter(seeded_rulesets(game.rules.slug).values())))
        yield game, played[len(played) // 4]


near_moves = st.text("abcdnrt0123456789,.@+-uUNESWX ", max_size=30)


@given(text=st.text(max_size=40) | near_moves)
def test_any_text_at_all_gets_an_answer(text: str) -> None:
    """Judging and reading never fail in any other way than by saying what is wrong."""
    for game, turn in middles():
        objection = game.rules.objection(turn.position, text)
        assert isinstance(objection, Objection) == (not is_listed(game, turn, text))
        if objection:
            assert objection.sentence.endswith((".", "!", "?"))
        game.rules.steps(turn.position, text)
        with pytest.raises(BadText):
            game.notation.parse_position(text)


def is_listed(game: Game, turn: Turn, text: str) -> bool:
    """Whether a text is one of the listed moves, in whatever spelling."""
    try:
        return game.notation.canonical(turn.position, text) in turn.listed
    except BadText:
        return False


@given(place=st.integers(0, 2_000), length=st.integers(0, 6), text=near_moves)
def test_a_damaged_position_line_is_refused_or_is_another_whole_one(
    place: int, length: int, text: str
) -> None:
    """A position has one text: whatever can be read is written back as it was."""
    for game, turn in middles():
        line = game.notation.format_position(turn.position)
        place %= len(line)
        damaged = line[:place] + text + line[place + length :]
        try:
            position = game.notation.parse_position(damaged)
        except BadText:
            continue
        assert game.notation.format_position(position) == damaged
