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
from ops.remote_match import RemoteMatch, Server, Told
from ops.rulesets import UnknownRuleset, ruleset_named
from ops.settings import Settings, settings_from
from ops.wiring import SEEDS
from services.games.contract import SEATS
from services.games.registry import UnknownGame, game
from services.levels import Levels
from services.match.shuffle import typed_entropy
from workers.engines.contract import Question
from workers.engines.registry import think

PLAYER_FILE = "terminal-player"
LISTED_MAX = 120
ENTROPY_BYTES = 16
HELP = """\
Type a move to play it, or:
  ?                 these words again
  list [BEGINNING]  the moves there are (that begin like this)
  hint              what a computer would play
  undo              take your last move back
  board             show the board again
  resign            give up
  quit              leave; the match waits for you"""


@click.command("play")
@click.argument("game_name", metavar="GAME")
@click.option("--level", default=1, show_default=True, help="The computers' level.")
@click.option("--ruleset", default=None, help="One of the game's named rulesets (the usual one).")
@click.option("--seat", default="A", show_default=True, help="Your seat, A to D.")
@click.option("--match", "match", default=None, help="Go on with a match you left.")
def command(game_name: str, level: int, ruleset: str | None, seat: str, match: str | None) -> None:
    """Play GAME in the terminal; computers of the level take the other seats."""
    settings = settings_from()
    data = _ruleset(game_name, ruleset)
    seats = _seats(game_name, data, seat, level)
    with _server(settings) as url, _seated(settings, url) as server:
        try:
            found = (
                RemoteMatch.found(server, match)
                if match
                else RemoteMatch.opened(server, game_name, data, seats)
            )
        except Told as told:
            raise Refused(str(told)) from None
        _Session(found).run()


def _ruleset(game_name: str, name: str | None) -> dict[str, Any]:
    try:
        rules = game(game_name).rules
        return ruleset_named(game_name, name) if name else rules.ruleset_data(rules.ruleset({}))
    except (UnknownGame, UnknownRuleset) as wrong:
        raise Refused(str(wrong)) from None


def _seats(game_name: str, ruleset: dict[str, Any], seat: str, level: int) -> dict[str, Any]:
    rules = game(game_name).rules
    names = SEATS[: rules.terms(rules.ruleset(ruleset)).seats]
    if seat not in names:
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
    """The person wants to leave."""


class _Session:
    """The talk between a person and a match, until it ends or the person leaves."""

    def __init__(self, match: RemoteMatch) -> None:
        self._match = match
        self._out = Console(highlight=False)
        self._shown = match.now.turn
        self._words: dict[str, Callable[[str], None]] = {
            "list": self._list,
            "hint": self._hint,
            "undo": lambda _: self._do(self._match.take_back, "Your last move is taken back."),
            "board": lambda _: self._board(),
            "resign": lambda _: self._do(self._match.resign),
            "help": lambda _: self._say(HELP),
            "?": lambda _: self._say(HELP),
            "quit": self._quit,
        }

    def run(self) -> None:
        """Play."""
        self._say(HELP)
        try:
            while not self._match.over:
                self._wait()
                if self._match.asked_for:
                    self._get_ready()
                    continue
                if self._match.my_turn:
                    self._board()
                while self._match.my_turn and not self._asked():
                    pass
            self._result()
        except (_Left, KeyboardInterrupt):
            view = self._match.now.view
            self._say(f"\nGo on with: plybook play {view.game} --match {view.match}")

    def _get_ready(self) -> None:
        """Hand in what the start waits for."""
        if self._match.asked_for == "entropy":
            self._give_entropy()
            return
        self._say("Your entry (a deck), which nobody sees before all are in. How it is written:")
        self._say(f"  {SEEDS / self._match.now.view.game / 'RULES.md'}")
        if line := self._answer("entry"):
            self._do(lambda: self._match.hand_in(line))

    def _give_entropy(self) -> None:
        """Random bytes, unless the person types others: nobody has to believe ours."""
        entropy = secrets.token_hex(ENTROPY_BYTES)
        self._say(f"The server's commitment to its secret seed: {self._match.now.view.seed_commit}")
        self._say(f"Your share of the chance, random bytes:     {entropy}")
        self._say(
            "Enter sends it; or type other bytes in hexadecimal, or any words, to send those."
        )
        line = self._answer("entropy")
        if line is None:
            return
        try:
            given = typed_entropy(line) or entropy
        except ValueError as error:
            self._say(str(error))
            return
        self._do(lambda: self._match.give_entropy(given), f"Given: {given}.")
        self._say("Keep both: with them you can check the deal when the match is over.")

    def _answer(self, what: str) -> str | None:
        """What is typed before the start; None if it was a word of ours, which is done."""
        line = self._read(f"{', '.join(self._match.now.you)} ({what})> ")
        if line not in ("quit", "?", "help"):
            return line
        self._words[line]("")
        return None

    def _asked(self) -> bool:
        """Ask once; whether the position has changed since."""
        turn = self._match.now.turn
        view = self._match.now.view
        line = self._read(f"{view.to_move} (ply {view.ply + 1})> ")
        word, _, rest = line.partition(" ")
        act = self._words.get(word)
        if act is not None:
            act(rest.strip())
        elif line:
            self._do(lambda: self._match.play(line))
        return self._match.now.turn != turn or self._match.over

    def _read(self, prompt: str) -> str:
        self._out.print(prompt, end="", markup=False)
        self._out.file.flush()
        line = sys.stdin.readline()
        if not line:
            raise _Left
        return line.strip()

    def _do(self, act: Callable[[], None], done: str = "") -> None:
        try:
            act()
        except Told as told:
            self._say(str(told))
            return
        if done:
            self._say(done)

    def _wait(self) -> None:
        if self._match.waits_for_me:
            return
        to_move = self._match.now.view.to_move
        with self._out.status(f"{to_move} is thinking …" if to_move else "In a moment …"):
            self._match.wait()

    def _board(self) -> None:
        view = self._match.now.view
        news = [(dealt.turn, "Dealt", dealt.facts) for dealt in view.rounds]
        news += [(m.turn, f"{m.ply}. {m.seat} played {m.move}", m.facts) for m in view.moves]
        for turn, what, facts in sorted(news):
            if turn > self._shown:
                self._say(f"{what}: {'; '.join(facts)}" if facts else what)
        self._shown = view.turn
        self._say(self._match.board().rstrip("\n"))

    def _list(self, beginning: str) -> None:
        legal = self._match.legal_moves()
        moves = [move for move in legal.moves if move.startswith(beginning)]
        self._out.print(Columns(moves[:LISTED_MAX], padding=(0, 2)))
        more = "" if len(moves) <= LISTED_MAX else f", the first {LISTED_MAX} of them shown"
        self._say(f"{len(moves)} moves{more}." if len(moves) != 1 else "1 move.")

    def _hint(self, _rest: str) -> None:
        view = self._match.now.view
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
        with self._out.status("Thinking …"):
            answer = think(question)
        self._say(f"A computer of level {spec.level} might play {answer.move}")

    def _quit(self, _rest: str) -> None:
        raise _Left

    def _result(self) -> None:
        view = self._match.now.view
        self._board()
        winners = " and ".join(view.winners) or "nobody"
        points = ", ".join(f"{seat} {view.points[seat]}" for seat in sorted(view.points))
        self._say(f"The match is over ({view.how}): {points}; won by {winners}.")
        self._say("Every move of it can be shown again: plybook replay " + view.match)

    def _say(self, text: str) -> None:
        self._out.print(text, markup=False, soft_wrap=True)
