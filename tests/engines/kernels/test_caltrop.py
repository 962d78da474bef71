"""Caltrop compiled is Caltrop as the rules say it: every move of whole random matches."""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest

from services.games import registry
from services.games.caltrop.board import BLUE, RED, SQUARES
from services.games.caltrop.decks import SLOTS
from services.games.caltrop.moves import MOVES, read_move
from services.games.caltrop.position import Game, Position, result_of
from services.games.caltrop.stones import KINDS
from tests.games import caltrop_play
from tests.kit.playouts import Dice, Turn, playout, seeded_rulesets
from workers.engines.kernels import caltrop

GAME = registry.game("caltrop")
SEEDS = seeded_rulesets("caltrop")
GAMES_OF_ANY_STONES = 100
CHAIN, FIGHT = caltrop._chain, caltrop._fight


def seeded_start(data: dict[str, Any], dice: Dice) -> Position:
    """The beginning of a match by a ruleset of the seeds; decks of a budget are dealt out."""
    ruleset = GAME.rules.ruleset(data)
    entries = {}
    if data["form"] == "budget":
        for seat in "AB":
            while GAME.rules.entry_objection(ruleset, seat, deck := caltrop_play.random_deck(dice)):
                pass
            entries[seat] = deck
    start: Position = GAME.rules.setup(ruleset, entries)
    return start


@cache
def turns() -> tuple[Turn, ...]:
    """All turns of seeded matches: by each ruleset of the seeds, and of stones of every kind."""
    kept: list[Turn] = []
    for seed in range(2):
        for data in SEEDS.values():
            kept += playout(GAME, seeded_start(data, Dice(seed)), Dice(seed))
    for seed in range(GAMES_OF_ANY_STONES):
        kept += playout(GAME, caltrop_play.start(Dice(seed)), Dice(seed))
    return tuple(kept)


def played(position: Position) -> Game:
    """The game that the last move belongs to."""
    return next(game for game in reversed(position.games) if game.moves)


def number_of(move: str) -> int:
    """A move text as kernels count moves."""
    slot, square = read_move(move)
    return slot * SQUARES + square


def differences(place: Callable[..., None]) -> Iterator[str]:
    """The moves after which the compiled position is not the rules' own.

    Of each turn the move played is compared, and two that could have been.
    """
    dice = Dice(1)
    for turn in turns():
        game, listed = turn.position.game, turn.listed
        stones = caltrop.stones_of(game.decks)
        for move in (turn.move, listed[0], listed[dice.below(len(listed))]):
            row = caltrop.row_of(game)
            place(row, 0, stones, game.next, number_of(move))
            after = GAME.rules.apply(turn.position, move).position
            if (row != caltrop.row_of(played(after))).any():
                yield f"{move} in {GAME.notation.format_position(turn.position)}"


def test_a_compiled_turn_is_the_turn_of_the_rules() -> None:
    """Spikes, colours, codes, poison, luck and hands agree after every move."""
    assert not list(differences(caltrop.place))


def test_every_power_was_there_to_be_compared() -> None:
    """The matches above place every kind of stone often, and each power shows in their facts."""
    placed = Counter(
        turn.position.game.decks[turn.position.game.next][MOVES[turn.move][0]].kind
        for turn in turns()
    )
    facts = Counter(fact[0] for turn in turns() for fact in turn.step.facts)
    assert min(placed[kind] for kind in KINDS) >= 15
    assert min(facts[kind] for kind in "FCTLSHP") >= 10


def test_the_compiled_list_of_moves_is_the_rules_own() -> None:
    """Every stone in hand on every empty square, in canonical order; of equal stones the first."""
    listed = np.zeros((1, caltrop.MOVES), np.int64)
    for turn in turns():
        game = turn.position.game
        row, twins = caltrop.row_of(game), caltrop.twins_of(game.decks)
        n = caltrop.list_moves(row, 0, twins, game.next, listed, 0)
        deck, left = game.decks[game.next], game.left[game.next]
        in_hand = [slot for slot in range(SLOTS) if left >> slot & 1]
        firsts = {deck[slot]: slot for slot in reversed(in_hand)}.values()
        expected = [number_of(move) for move in turn.listed if MOVES[move][0] in firsts]
        assert listed[0, :n].tolist() == expected


def test_the_compiled_result_is_the_rules_own() -> None:
    """The value's sign is the result of a full board, its size the lead in points and spikes."""
    ends = [turn for turn in turns() if any(fact[:4] == "end " for fact in turn.step.facts)]
    assert len(ends) > GAMES_OF_ANY_STONES
    for turn in ends:
        game = played(turn.step.position)
        result = result_of(game.board, game.first)
        for colour in (BLUE, RED):
            found = caltrop.value_for(caltrop.row_of(game), 0, colour, game.first)
            points, spikes = (
                pair[colour] - pair[1 - colour] for pair in (result.points, result.spikes)
            )
            assert found == 2 * (512 * points + spikes) + (1 if game.first == colour else -1)
            assert (found > 0) == (result.winner == colour)


def _no_sharpening(*_: Any) -> None:
    pass


def _the_other_players_chain(rows: Any, at: int, mover: int, square: int) -> None:
    CHAIN(rows, at, 1 - mover, square)


def _unlucky(*_: Any) -> bool:
    return False


def _takes_for_nothing(rows: Any, at: int, one: int, side: int, two: int) -> int:
    before = rows[at, side]
    winner: int = FIGHT(rows, at, one, side, two)
    if winner == one:
        rows[at, side] = before
    return winner


@pytest.mark.parametrize(
    ("part", "wrong", "inside"),
    [
        ("_sharpen", _no_sharpening, ()),
        ("_chain", _the_other_players_chain, ()),
        ("_spared", _unlucky, ("_spare", "_placement_fights")),
        ("_fight", _takes_for_nothing, ("_placement_fights",)),
    ],
)
def test_a_mutant_turn_is_caught(
    monkeypatch: pytest.MonkeyPatch, part: str, wrong: Callable[..., Any], inside: tuple[str, ...]
) -> None:
    """What makes one step of a turn wrong shows in the matches above."""
    mutant = getattr(caltrop.place, "py_func")  # noqa: B009 - Numba ships no type for it
    for name in inside:
        monkeypatch.setattr(caltrop, name, getattr(caltrop, name).py_func)
    monkeypatch.setattr(caltrop, part, wrong)
    assert next(differences(mutant), None) is not None
