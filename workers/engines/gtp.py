"""A program that speaks GTP, asked like an engine: text in, text out, killed when it is late.

Programs play Blokus here. They keep a board of their own, which is brought to the question's
position first: by the placements it lacks, or from an empty board where it holds others. Whatever
goes wrong is a ``GtpFailure`` with a word for the log; the process is then gone, and the next
question starts another one. What a program answers is its own affair: it is no engine that could be
asked again and would say the same.
"""

import os
import shlex
import signal
import subprocess
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from services.games.blokus import notation
from services.games.blokus.position import Ruleset
from services.games.contract import BadText
from workers.engines.contract import Answer, Question
from workers.engines.gtp_blokus import NAMES, Placed, colour_name, placements

LINE_MAX = 10_000
"""Longest line of an answer that is read, in bytes."""
LINES_MAX = 1_000
SEEDS = 1 << 31
"""Programs take seeds below this."""


class GtpFailure(Exception):
    """No move came; ``reason`` is the word for the log and ``detail`` for the operator.

    ``time``, ``crash``, ``garbage`` (no answer as GTP has them), ``refused`` (an answer that says
    no), ``resign``, ``pass``, ``unfit`` (a question no such program can be asked).
    """

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail


class GtpProgram:
    """The running program: one command after the other, each with its answer."""

    def __init__(self, command: str) -> None:
        self._asked = 0
        self._is_late = False
        try:
            self._process = subprocess.Popen(  # noqa: S603 - the operator names the program
                shlex.split(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # killed with whatever it starts, and by us alone
            )
        except (OSError, ValueError) as error:
            raise GtpFailure("crash", f"it cannot be started: {error}") from None

    @contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        """All that is asked in the block together takes at most so long, or fails with ``time``."""
        timer = threading.Timer(seconds, self._give_up)
        timer.start()
        try:
            yield
        except GtpFailure:
            if not self._is_late:
                raise
        finally:
            timer.cancel()
            timer.join()
        if self._is_late:
            raise GtpFailure("time", f"no answer after {seconds} s")

    def ask(self, line: str) -> str:
        """The answer to a command; ``GtpFailure`` where there is none, or it says no."""
        self._asked += 1
        try:
            self._write(f"{self._asked} {line}\n")
            told = self._read()
        except (OSError, ValueError) as error:  # a pipe that is broken, or closed
            raise GtpFailure("crash", f"it is gone: {error}") from None
        sign, *text = told.split(maxsplit=1)
        if sign == f"={self._asked}":
            return "".join(text)
        if sign == f"?{self._asked}":
            raise GtpFailure("refused", f"{line[:80]!r} was refused: {''.join(text)[:80]}")
        raise GtpFailure("garbage", f"{line[:80]!r} was answered {told[:80]!r}")

    def kill(self) -> None:
        """End it, whatever it is doing: who waits for an answer finds it gone."""
        if self._process.returncode is None:  # not waited for: the number is still its own
            with suppress(ProcessLookupError):  # it went by itself just now
                os.killpg(self._process.pid, signal.SIGKILL)

    def close(self) -> None:
        """End it and what is left of it."""
        self.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            with suppress(OSError):  # what it was told last will not arrive any more
                pipe.close()

    def _write(self, text: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(text.encode())
        self._process.stdin.flush()

    def _read(self) -> str:
        assert self._process.stdout is not None
        lines: list[str] = []
        while len(lines) < LINES_MAX:
            raw = self._process.stdout.readline(LINE_MAX)
            if not raw:
                raise GtpFailure("crash", f"it ended, exit status {self._process.wait()}")
            if line := raw.decode(errors="replace").strip():
                lines.append(line)
            elif lines:
                return "\n".join(lines)
        raise GtpFailure("garbage", f"more than {LINES_MAX} lines: {lines[0][:80]!r}")

    def _give_up(self) -> None:
        self._is_late = True
        self.kill()


class GtpEngine:
    """A program kept from question to question, so that it may go on with its search.

    For one thread at a time; ``kill`` alone may come from another.
    """

    def __init__(self, command: str) -> None:
        self._command = command
        self._is_over = False
        self._program: GtpProgram | None = None
        self._ruleset: Ruleset | None = None
        self._board: tuple[Placed, ...] = ()

    def choose(self, question: Question, seconds: float) -> Answer:
        """The program's move, in our spelling where it can be read."""
        colour, ruleset, wanted = _asked(question)
        with self._running() as program, program.within(seconds):
            self._bring_to(program, ruleset, wanted)
            _tell_seed(program, question.seed)
            move = program.ask(f"genmove {colour_name(ruleset, colour)}").lower()
        if move in ("resign", "pass"):
            self._board = wanted
            raise GtpFailure(move, "it has a move, and said so instead")
        try:
            move = notation.read_placement(ruleset.sheet.board, move).text
        except BadText as bad:
            self.close()
            raise GtpFailure("garbage", f"{move[:80]!r} is no placement: {bad}") from None
        self._board = (*wanted, (colour, move))
        return Answer(move, nodes=0)

    def title(self, seconds: float) -> str:
        """What the program calls itself, and its version."""
        with self._running() as program, program.within(seconds):
            return f"{program.ask('name')} {program.ask('version')}"

    def cpu_seconds(self) -> float:
        """Its computing time so far, as it tells; 0 before its first question."""
        return float(self._program.ask("cputime")) if self._program else 0.0

    def kill(self) -> None:
        """End the program for good, also while it is asked: the question fails."""
        self._is_over = True
        if program := self._program:
            program.kill()

    def close(self) -> None:
        """End the program; the next question starts it anew."""
        program, self._program = self._program, None
        if program is not None:
            program.close()

    @contextmanager
    def _running(self) -> Iterator[GtpProgram]:
        """The program, started if there is none, and ended if anything goes wrong."""
        if self._program is None:
            self._program, self._ruleset = GtpProgram(self._command), None
        try:
            self._need_wanted()
            yield self._program
        except BaseException:
            self.close()
            raise

    def _need_wanted(self) -> None:
        """Asked after a start, as ``kill`` looks the other way round: one of them sees it."""
        if self._is_over:
            raise GtpFailure("crash", "it is not to be asked any more")

    def _bring_to(self, program: GtpProgram, ruleset: Ruleset, wanted: Sequence[Placed]) -> None:
        if ruleset != self._ruleset:
            program.ask(f"set_game {NAMES[ruleset.variant]}")
        elif self._board != tuple(wanted[: len(self._board)]):
            program.ask("clear_board")
        else:
            wanted = wanted[len(self._board) :]
        for colour, squares in wanted:
            program.ask(f"play {colour_name(ruleset, colour)} {squares}")
        self._ruleset = ruleset


def _asked(question: Question) -> tuple[int, Ruleset, tuple[Placed, ...]]:
    """The colour that is to place, by which rules, and what is on the board."""
    if question.game != "blokus":
        raise GtpFailure("unfit", f"programs play Blokus here, not {question.game}")
    position = notation.parse_position(question.view)
    if position.ruleset.corners != "fixed":
        raise GtpFailure("unfit", "programs begin in a colour's own corner: corners is fixed")
    return position.next, position.ruleset, placements(position)


def _tell_seed(program: GtpProgram, seed: int) -> None:
    """So that a program that can answers the same again; others may refuse."""
    try:
        program.ask(f"set_random_seed {seed % SEEDS}")
    except GtpFailure as failure:
        if failure.reason != "refused":
            raise
