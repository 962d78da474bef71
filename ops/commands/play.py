"""``plybook play``: a game in the terminal, through the same door as everybody else."""

import secrets
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click
from msgspec.structs import replace
from rich.columns import Columns
from rich.console import Console

from ops.entrypoints import embedded
from ops.folder_lock import running_server, write_private
from ops.logs import configure_logs
from ops.refused import Refused
from ops.settings import Settings, settings_from
from ops.table import Server, Table, Told
from services.games.contract import BadText
from services.games.registry import UnknownGame, game
from services.levels import Levels
from workers.engines.contract import Question
from workers.engines.registry import think

PLAYER_FILE = "terminal-player"
LISTED_MAX = 120
HELP = """\
Type a move to play it, or:
  list [BEGINNING]  the moves there are (that begin like this)
  hint              what a computer would play
  undo              take your last move back
  board             show the board again
  resign            give up
  quit              leave; the match waits for you"""


@click.command("play")
@click.argument("game_name", metavar="GAME")
@click.option("--level", default=1, show_default=True, help="The computers' level.")
@click.option("--variant", default=None, help="The game's variant (its rules' usual one).")
@click.option("--seat", default="A", show_default=True, help="Your seat, A to D.")
@click.option("--match", "match", default=None, help="Go on with a match you left.")
def command(game_name: str, level: int, variant: str | None, seat: str, match: str | None) -> None:
    """Play GAME in the terminal; computers of the level take the other seats."""
    settings = settings_from()
    ruleset = {} if variant is None else {"variant": variant}
    seats = _seats(game_name, ruleset, seat, level)
    with _server(settings) as url, _seated(settings, url) as server:
        try:
            table = (
                Table.found(server, match)
                if match
                else Table.opened(server, game_name, ruleset, seats)
            )
        except Told as told:
            raise Refused(str(told)) from None
        _Session(table).run()


def _seats(game_name: str, ruleset: dict[str, Any], seat: str, level: int) -> dict[str, Any]:
    try:
        rules = game(game_name).rules
        names = "ABCD"[: rules.terms(rules.ruleset(ruleset)).seats]
    except (UnknownGame, BadText) as wrong:
        raise Refused(str(wrong)) from None
    if seat not in tuple(names):
        raise Refused(f"There is no seat {seat} here; the seats are {', '.join(names)}.")
    return {name: "me" if name == seat else {"level": level} for name in names}


@contextmanager
def _server(settings: Settings) -> Iterator[str]:
    """The URL of the server that runs here, or of one that lives as long as the block."""
    if not settings.embedded:
        yield settings.url
        return
    here = running_server(settings.data)
    if here is not None:
        yield here.url
        return
    configure_logs("console", "error")
    with embedded(replace(settings, port=0, metrics_port=0)) as server:
        yield server.url


@contextmanager
def _seated(settings: Settings, url: str) -> Iterator[Server]:
    """The server as the player of this terminal; the account is made once."""
    server = Server(url)
    try:
        path = settings.data / PLAYER_FILE
        if not path.exists():
            write_private(path, server.open_account("Terminal").encode())
        server.sit_down(path.read_text().strip())
        yield server
    finally:
        server.close()


class _Left(Exception):
    """The person wants to leave the table."""


class _Session:
    """The talk between a person and a table, until the match ends or the person leaves."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._out = Console(highlight=False)
        self._shown = table.now.view.ply
        self._words: dict[str, Callable[[str], None]] = {
            "list": self._list,
            "hint": self._hint,
            "undo": lambda _: self._do(self._table.take_back),
            "board": lambda _: self._board(),
            "resign": lambda _: self._do(self._table.resign),
            "help": lambda _: self._say(HELP),
            "quit": self._quit,
        }

    def run(self) -> None:
        """Play."""
        self._say(HELP)
        try:
            while not self._table.over:
                self._wait()
                self._board()
                while self._table.my_turn and not self._asked():
                    pass
            self._result()
        except _Left:
            view = self._table.now.view
            self._say(f"Go on with: plybook play {view.game} --match {view.match}")

    def _asked(self) -> bool:
        """Ask once; whether the position has changed since."""
        turn = self._table.now.turn
        line = self._read()
        word, _, rest = line.partition(" ")
        act = self._words.get(word)
        if act is not None:
            act(rest.strip())
        elif line:
            self._do(lambda: self._table.play(line))
        return self._table.now.turn != turn or self._table.over

    def _read(self) -> str:
        view = self._table.now.view
        self._out.print(f"{view.to_move} (ply {view.ply + 1})> ", end="", markup=False)
        self._out.file.flush()
        line = sys.stdin.readline()
        if not line:
            raise _Left
        return line.strip()

    def _do(self, act: Callable[[], None]) -> None:
        try:
            act()
        except Told as told:
            self._say(str(told))

    def _wait(self) -> None:
        if self._table.my_turn:
            return
        view = self._table.now.view
        with self._out.status(f"{view.to_move or 'The server'} is thinking …"):
            self._table.wait()

    def _board(self) -> None:
        view = self._table.now.view
        for move in view.moves[self._shown :]:
            self._say(f"{move.ply}. {move.seat} played {move.move}")
        self._shown = view.ply
        self._say(self._table.board().rstrip("\n"))

    def _list(self, beginning: str) -> None:
        legal = self._table.legal_moves()
        moves = [move for move in legal.moves if move.startswith(beginning)]
        self._out.print(Columns(moves[:LISTED_MAX], padding=(0, 2)))
        more = "" if len(moves) <= LISTED_MAX else f", the first {LISTED_MAX} of them shown"
        self._say(f"{len(moves)} moves{more}.")

    def _hint(self, _rest: str) -> None:
        view = self._table.now.view
        levels = Levels.load()
        spec = levels.spec(view.game, max(levels.known(view.game)))
        assert spec is not None, "a known level has a specification"
        question = Question(
            game=view.game,
            rules_version=view.rules_version,
            ruleset=view.ruleset,
            view=view.position,
            seat=view.to_move,
            seed=secrets.randbits(64),
            engine=spec.engine,
            engine_version=spec.engine_version,
            level=spec.level,
            budget=spec.budget,
            noise=spec.noise,
        )
        self._say(f"A computer of level {spec.level} might play {think(question).move}")

    def _quit(self, _rest: str) -> None:
        raise _Left

    def _result(self) -> None:
        view = self._table.now.view
        self._board()
        winners = " and ".join(view.winners) or "nobody"
        points = ", ".join(f"{seat} {view.points[seat]}" for seat in sorted(view.points))
        self._say(f"The match is over ({view.how}): {points}; won by {winners}.")
        self._say("Every move of it can be shown again: plybook replay " + view.match)

    def _say(self, text: str) -> None:
        self._out.print(text, markup=False, soft_wrap=True)
