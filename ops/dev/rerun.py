"""``python -m ops.dev.rerun``: computers' moves of all games, played and then played again.

Each level of each game answers somebody who plays at random, one turn at a time, by the way every
turn goes: due row, offer, claim, engine, decider, log. Then ``plybook audit --engines`` plays all
of them again from the log alone, with another number of engines, over kernels that were compiled
anew in an empty cache. Every move has to come out the same.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import click

from ops.commands.common import progress
from ops.logs import configure_logs
from ops.refused import Refused
from ops.settings import Settings, settings_from
from ops.wiring import House, alone, clock, toolbox
from services.games.contract import Game
from services.games.registry import REGISTRY
from services.levels import LevelSpec
from services.match import commands as cmd
from services.match.handler import Done
from services.match.state import MatchState
from workers.ai_turns import play_ai_turn
from workers.celery_app import QUEUES
from workers.dispatcher import Dispatcher
from workers.election import Election
from workers.engine_pool import EnginePool
from workers.engines.dice import Dice
from workers.engines.registry import think, warm
from workers.lanes import lanes
from workers.offers import Due

SOMEBODY = "player:p-somebody"
WAYS: Mapping[str, dict[str, Any]] = {"blokus": {"variant": "duo"}}
"""The ruleset of a game for two, where the usual one is for more."""


class Table:
    """Somebody at seat A who plays at random against a level at seat B, as often as it takes."""

    def __init__(self, house: House, engines: EnginePool) -> None:
        self._handler = house.handler
        self._offered: list[Due] = []
        self._dispatcher = Dispatcher(
            house.record.log,
            house.record.store,
            lambda due, _seconds: self._offered.append(due),
            lanes=lanes(house.levels.specs()),
            windows=dict.fromkeys(QUEUES, 1),
            election=Election(house.record.store, "dispatcher", "rerun", clock),
            clock=clock,
            on_error=_raised,
        )
        self._tools = toolbox(house, engines, "rerun")

    def answers(self, spec: LevelSpec, moves: int) -> Iterator[int]:
        """Play until the level has moved so often; tells each move's number."""
        dice, moved = Dice(spec.level), 0
        while moved < moves:
            state = self._opened(spec)
            while state.status == "running" and moved < moves:
                if state.to_move() == "B":
                    state = self._answered(state)
                    moved += 1
                    yield moved
                else:
                    state = self._done(cmd.PlayMove("A", _drawn(state, dice), state.turn), state)
            if state.status == "running":
                self._done(cmd.Resign("A"), state)  # the end opens the seed

    def _opened(self, spec: LevelSpec) -> MatchState:
        game = REGISTRY.game(spec.game)
        state = self._done(cmd.CreateMatch(spec.game, WAYS.get(spec.game, {})))
        state = self._done(cmd.TakeSeat("A"), state)
        state = self._done(cmd.TakeSeat("B", level=spec.level), state)
        if game.rules.terms(state.ruleset).chance:
            state = self._done(cmd.GiveEntropy("A", "", state.seed_commit), state)
        return self._done(cmd.StartMatch(), state)

    def _answered(self, state: MatchState) -> MatchState:
        self._dispatcher.offer()
        due = self._offered.pop()
        report = play_ai_turn(self._tools, state.match, due.turn)
        after = self._handler.load(state.match)
        if after is None or after.turn == state.turn:
            raise Refused(f"{state.match} did not go on: {report}.")
        return after

    def _done(self, command: cmd.MatchCommand, state: MatchState | None = None) -> MatchState:
        asked: dict[str, Any] = {"actor": SOMEBODY, "command_id": None, "received_at": clock()}
        if isinstance(command, cmd.CreateMatch):
            answer = self._handler.create(command, **asked)
        else:
            assert state is not None
            answer = self._handler.handle(state.match, command, **asked)
        assert isinstance(answer, Done), answer
        return answer.state


def play(settings: Settings, moves: int, level_max: int, games: Collection[str]) -> None:
    """Fill the log of the settings with so many computer moves, all levels as many."""
    with (
        alone(settings) as house,
        closing(EnginePool(think, 1, warm)) as engines,
        progress() as bar,
    ):
        specs = [
            spec for spec in house.levels.specs() if spec.level <= level_max and spec.game in games
        ]
        table = Table(house, engines)
        task = bar.add_task("computers' moves", total=moves)
        for number, spec in enumerate(specs):
            share = moves * (number + 1) // len(specs) - moves * number // len(specs)
            for _ in table.answers(spec, share):
                bar.advance(task)


def again(environ: Mapping[str, str], jobs: int) -> Counter[str]:
    """How many moves ``plybook audit`` played again, by game; ``Refused`` if any differs."""
    said = _plybook(environ, "audit", "--all", "--engines", "--json", "--jobs", str(jobs))
    reports = [json.loads(line) for line in said.splitlines()]
    played, wrong = Counter[str](), []
    for report in reports:
        played[report["game"]] += report["rerun"]
        wrong += [
            f"{report['game']}, event {one['version']}: {one['what']} is {one['stored']}, "
            f"now {one['derived']}"
            for one in report["differences"]
        ]
        if report["verdict"] != "proved" and not report["differences"]:
            wrong.append(f"{report['game']}: {report['verdict']}")
    if wrong or not reports:
        raise Refused("\n".join(wrong) or "Nothing was played again.")
    return played


def _plybook(environ: Mapping[str, str], *arguments: str) -> str:
    """What the program says; an audit that finds something tells it in its lines."""
    return subprocess.run(
        [sys.executable, "-m", "ops", *arguments],
        env=environ,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    ).stdout


def _drawn(state: MatchState, dice: Dice) -> str:
    game: Game = state.the_game
    listed = game.rules.moves(state.position).texts
    return listed[dice.below(len(listed))]


def _raised(_loop: str, error: Exception) -> None:
    raise error


@click.command()
@click.option("--moves", type=click.IntRange(1), default=500, show_default=True)
@click.option("--game", type=click.Choice(REGISTRY.slugs()), default=None, help="Only this one.")
@click.option("--level-max", type=click.IntRange(1, 8), default=8, show_default=True)
@click.option("--jobs", type=click.IntRange(2), default=3, show_default=True)
@click.option(
    "--cold/--warm", default=True, help="Compile every kernel anew before they play again."
)
def command(*, moves: int, game: str | None, level_max: int, jobs: int, cold: bool) -> None:
    """Play computer moves with one engine, then again with JOBS of them, and compare."""
    configure_logs("console", "warning")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        environ = {**os.environ, "PLYBOOK_DATA": str(folder / "data")}
        play(settings_from(environ), moves, level_max, {game} if game else {*REGISTRY.slugs()})
        if cold:
            environ["XDG_CACHE_HOME"] = str(folder / "cold")
            click.echo(_plybook(environ, "warm").splitlines()[-1])
        try:
            played = again(environ, jobs)
        except Refused as refused:
            raise click.ClickException(str(refused)) from None
        for slug, count in sorted(played.items()):
            click.echo(f"{slug}: {count} computer moves played again by {jobs} engines, all equal")


if __name__ == "__main__":
    command()
