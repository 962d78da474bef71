"""Who can play in the league, and how they are named.

=====================================================  ===========================================
``level:8``                                            a computer level of today
``engine:blokus-greedy/1?budget=20&noise=300``         an engine at a version, as hard as named
``random``                                             any legal move with equal chance
``gtp:$PENTOBI --game duo --level 3 --nobook``         an outside program (Blokus, fixed corners)
=====================================================  ===========================================

A program's command may name variables of the environment, so that a plan holds no path of
anybody's machine; results are kept under the command as it is written, and what the program says
it is.
"""

import os
import re
from contextlib import closing
from urllib.parse import parse_qsl

import msgspec

from ops.dev.league.match import InProcess, Player, Turn
from services.levels import Levels, LevelSpec
from workers.engines.dice import Dice
from workers.engines.gtp import GtpEngine, GtpFailure
from workers.engines.registry import ENGINES, think, warm

RANDOM = "random"
GTP = "gtp:"
ANSWER_SECONDS = 600.0
"""An outside program that takes longer over a move has got stuck."""


class WrongSide(ValueError):
    """Nobody is called that; says what would be right."""


class Side(msgspec.Struct, frozen=True):
    """One side of a meeting: what tables call it, how it was asked for, and who that is today.

    A level may be made of something else tomorrow; results are kept for ``who``.
    """

    name: str
    asked: str
    who: str


def side(game: str, asked: str, name: str = "") -> Side:
    """Who plays if it is asked for like this; ``WrongSide`` if nobody does.

    >>> side("blokus", "engine:blokus-greedy/1?noise=9").who
    'engine:blokus-greedy/1?budget=0&noise=9'
    """
    return Side(name or asked, asked, _who(game, asked))


def seated(game: str, one: Side) -> Player:
    """The player itself, ready to move: what it has to compile is compiled.

    Of a level that is the engine it was made of when it was asked for, whatever it is by now.
    """
    if one.asked == RANDOM:
        return RandomPlayer()
    if one.asked.startswith(GTP):
        return Outsider(_command(one.asked))
    player = EnginePlayer(_spec(game, one.who))
    warm(player.spec.engine, player.spec.engine_version)
    return player


def _who(game: str, asked: str) -> str:
    if asked == RANDOM:
        return RANDOM
    if asked.startswith(GTP):
        return f"{asked} ({_title(asked)})"
    spec = _spec(game, asked)
    return f"engine:{spec.engine}/{spec.engine_version}?budget={spec.budget}&noise={spec.noise}"


def _spec(game: str, asked: str) -> LevelSpec:
    kind, _, rest = asked.partition(":")
    if kind == "level":
        return _level(game, rest)
    if kind == "engine":
        return _engine(game, rest)
    known = "level:N, engine:NAME/VERSION?budget=N, gtp:COMMAND or random"
    raise WrongSide(f"{asked!r} is no side: {known}.")


def _level(game: str, number: str) -> LevelSpec:
    levels = Levels.load()
    spec = levels.spec(game, int(number)) if number.isdecimal() else None
    if spec is None:
        known = ", ".join(map(str, levels.known(game)))
        raise WrongSide(f"{game} has no level {number!r}; it has {known}.")
    return spec


def _engine(game: str, text: str) -> LevelSpec:
    found = re.fullmatch(r"([a-z0-9-]+)/(\d+)(?:\?(.*))?", text)
    if found is None or (found[1], int(found[2])) not in ENGINES:
        known = ", ".join(f"{name}/{version}" for name, version in ENGINES)
        raise WrongSide(f"There is no engine {text!r}; there are {known}.")
    numbers = dict(parse_qsl(found[3] or ""))
    if set(numbers) - {"budget", "noise"} or not all(map(str.isdecimal, numbers.values())):
        raise WrongSide(f"{text!r}: after the question mark stand budget=N and noise=N.")
    budget, noise = (int(numbers.get(name, "0")) for name in ("budget", "noise"))
    return LevelSpec(game, 0, found[1], int(found[2]), budget, noise)


def _command(asked: str) -> str:
    """The command of a program, its variables filled in."""
    command = os.path.expandvars(asked.removeprefix(GTP))
    if left := re.search(r"\$\w+", command):
        raise WrongSide(f"The variable {left[0][1:]} is not set.")
    return command


def _title(asked: str) -> str:
    with closing(GtpEngine(_command(asked))) as program:
        try:
            return program.title(ANSWER_SECONDS)
        except GtpFailure as failure:
            raise WrongSide(f"{asked!r}: {failure}.") from None


class EnginePlayer(InProcess):
    """An engine of the house."""

    def __init__(self, spec: LevelSpec) -> None:
        self.spec = spec

    def move(self, turn: Turn) -> str:
        """What the engine answers."""
        return think(turn.question(self.spec)).move


class Outsider:
    """A program that speaks GTP."""

    def __init__(self, command: str) -> None:
        self._program = GtpEngine(command)

    def move(self, turn: Turn) -> str:
        """What the program answers."""
        nobody = LevelSpec(turn.game.rules.slug, 0, "gtp", 0, 0)
        return self._program.choose(turn.question(nobody), ANSWER_SECONDS).move

    def cpu_seconds(self) -> float:
        """As the program tells it."""
        return self._program.cpu_seconds()


class RandomPlayer(InProcess):
    """Any move of the list."""

    def move(self, turn: Turn) -> str:
        """A move drawn by the seed of the turn."""
        listed = turn.game.rules.moves(turn.position).texts
        return listed[Dice(turn.seed).below(len(listed))]
