"""How quick the rules of every game are: moves listed, and plies judged, a second."""

import hashlib
import statistics
from collections.abc import Callable, Iterator
from functools import partial
from time import process_time
from typing import Any

import msgspec

from ops.dev.bench.findings import Line, Section, Target, Tell
from ops.dev.bench.sizes import Sizes
from services.games.contract import Deal, Game, Over
from services.games.registry import games
from services.levels import Levels, LevelSpec
from services.match.shuffle import Stream
from workers.engines.contract import Question
from workers.engines.registry import think

ABOUT = """\
One core, by its CPU time, over matches that the lowest computer level plays against itself under
each game's usual ruleset. **Listing** names the legal moves of every position; **judging** asks
for objections to the move that was played and plays it, with all that the rules do by themselves:
what an audit does with every ply."""

JUDGED_LEAST = 2_000


class Turn(msgspec.Struct, frozen=True):
    """A position and the move that was played in it."""

    position: Any
    move: str


def every_game(sizes: Sizes, tell: Tell) -> Section:
    """Two lines a game."""
    tell("the rules of every game")
    levels = Levels.load()
    lines = [line for game in games() for line in _lines(game, levels, sizes)]
    return Section("The rules of every game, one core", ABOUT, tuple(lines))


def _lines(game: Game, levels: Levels, sizes: Sizes) -> Iterator[Line]:
    spec = levels.spec(game.rules.slug, 1)
    assert spec is not None, "every game has a lowest level"
    turns = [turn for number in range(sizes.judged) for turn in _match(game, spec, number)]
    listed = sum(len(game.rules.moves(turn.position).texts) for turn in turns)
    listing = listed / _middle_seconds(partial(_list, game, turns))
    judging = len(turns) / _middle_seconds(partial(_judge, game, turns))
    name = game.rules.slug
    yield Line(f"{name}, listing", listing, "moves/s")
    target = Target(least=JUDGED_LEAST, of="number")
    yield Line(f"{name}, judging", judging, "plies/s", target=target)


def _match(game: Game, spec: LevelSpec, number: int) -> Iterator[Turn]:
    """A match of the lowest level against itself; all its chance follows from its number."""
    rules = game.rules
    ruleset = rules.ruleset({})
    position = rules.setup(ruleset)
    while not isinstance(awaited := rules.awaiting(position), Over):
        if isinstance(awaited, Deal):
            key = hashlib.sha256(f"{number}/{awaited.number}".encode()).digest()
            position = rules.deal(position, Stream(key)).position
            continue
        question = Question(
            game=rules.slug,
            rules_version=rules.version,
            ruleset=rules.ruleset_data(ruleset),
            view=game.notation.format_position(rules.view(position, awaited)),
            seat=awaited,
            seed=number,
            engine=spec.engine,
            engine_version=spec.engine_version,
            level=spec.level,
            budget=spec.budget,
            noise=spec.noise,
        )
        turn = Turn(position, think(question).move)
        yield turn
        position = rules.apply(position, turn.move).position


def _list(game: Game, turns: list[Turn]) -> None:
    for turn in turns:
        game.rules.moves(turn.position)


def _judge(game: Game, turns: list[Turn]) -> None:
    for turn in turns:
        assert game.rules.objection(turn.position, turn.move) is None
        game.rules.apply(turn.position, turn.move)


def _middle_seconds(work: Callable[[], object]) -> float:
    seconds = []
    for _ in range(3):
        begun = process_time()
        work()
        seconds.append(process_time() - begun)
    return statistics.median(seconds)
