"""Games played out at random by seeded dice: what laws of games are checked over."""

import random
import tomllib
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

import msgspec

from services.games.contract import Deal, Game, Over, Seat, Step
from tests.kit.tree import ROOT


class Dice:
    """Chance for ``Rules.deal`` and for choosing moves; the same seed rolls the same."""

    def __init__(self, seed: int | random.Random) -> None:
        self._random = random.Random(seed) if isinstance(seed, int) else seed

    def below(self, m: int) -> int:
        """A number 0 <= n < m."""
        return self._random.randrange(m)

    def permutation(self, n: int) -> tuple[int, ...]:
        """A permutation of 0..n-1."""
        return tuple(self._random.sample(range(n), n))


class Turn(msgspec.Struct, frozen=True):
    """A seat's move: the position before it, the listed moves, the one played, what came of it.

    A deal is a turn of nobody: it has no seat, no listed moves and no move.
    """

    position: Any
    seat: Seat
    listed: tuple[str, ...]
    move: str
    step: Step


Choose = Callable[[Any, tuple[str, ...], Dice], str]
"""Picks one of the moves listed in a position, by seeded dice."""


def uniform(position: Any, listed: tuple[str, ...], dice: Dice) -> str:  # noqa: ARG001
    """Any listed move with equal chance."""
    return listed[dice.below(len(listed))]


@cache
def play_module(slug: str) -> ModuleType | None:
    """``tests/games/<slug>_play.py``: how random matches of a game are played, if it says so.

    A game whose play goes wrong under uniform choice brings that module, with its ``choose``;
    its ``start``, if there is one, makes a first position by dice.
    """
    name = f"tests.games.{slug}_play"
    return import_module(name) if find_spec(name) else None


def chooser(slug: str) -> Choose:
    """How moves of a game are chosen at random."""
    module = play_module(slug)
    choose: Choose = module.choose if module else uniform
    return choose


def playout(game: Game, start: Any, dice: Dice) -> Iterator[Turn]:
    """Random legal moves from ``start`` to the end of play, as the game's ``chooser`` likes."""
    return (turn for turn in with_deals(game, start, dice) if turn.seat)


def with_deals(game: Game, start: Any, dice: Dice, choose: Choose | None = None) -> Iterator[Turn]:
    """The same, and the deals between the moves; chosen by ``choose`` if it is given."""
    position, choose = start, choose or chooser(game.rules.slug)
    while not isinstance(awaited := game.rules.awaiting(position), Over):
        if isinstance(awaited, Deal):
            turn = Turn(position, "", (), "", game.rules.deal(position, dice))
        else:
            listed = game.rules.moves(position).texts
            assert listed, f"{awaited} is awaited and has no move"
            move = choose(position, listed, dice)
            turn = Turn(position, awaited, listed, move, game.rules.apply(position, move))
        yield turn
        position = turn.step.position


def seeded_rulesets(slug: str) -> dict[str, dict[str, Any]]:
    """The plain data of every ruleset among the seeds of a game, by file name."""
    files = sorted((ROOT / "seeds" / slug / "rulesets").glob("*.toml"))
    return {file.stem: tomllib.loads(file.read_text(encoding="utf-8")) for file in files}
