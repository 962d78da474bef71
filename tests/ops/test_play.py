"""``plybook play`` as a person has it: a terminal, a board, words and moves typed."""

import os
import pty
import re
import select
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

import httpx

from tests.kit.machine import PATIENCE_SECONDS, PLYBOOK, Machine
from tests.kit.tree import ROOT

COLOUR = re.compile(r"\x1b\[[0-9;]*3[0-7]m")


class Terminal:
    """A person in front of a pseudo-terminal: reads until something stands there, then types."""

    def __init__(self, machine: Machine, *arguments: str) -> None:
        self._screen, theirs = pty.openpty()
        self._process = subprocess.Popen(
            [PLYBOOK, *arguments],
            cwd=ROOT,
            env={**machine.environ, "NO_COLOR": "1", "TERM": "xterm", "COLUMNS": "100"},
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
        )
        os.close(theirs)
        self.shown = ""
        self._unread = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        os.close(self._screen)

    def read_until(self, pattern: str) -> str:
        """What appears, up to and with the first text that matches; the rest is read next time."""
        end = time.monotonic() + PATIENCE_SECONDS
        while not (found := re.search(pattern, self._unread)):
            assert time.monotonic() < end, f"{pattern!r} did not appear: {self._unread}"
            ready, _, _ = select.select([self._screen], [], [], 1)
            if ready:
                self._unread += self._more()
        new, self._unread = self._unread[: found.end()], self._unread[found.end() :]
        self.shown += new
        return new

    def type(self, line: str) -> None:
        """Type a line."""
        os.write(self._screen, f"{line}\n".encode())

    def first_listed(self) -> str:
        """The first of the moves there are."""
        self.type("list")
        return self.read_until(r"(?s)moves?[.,].*\(ply \d+\)> ").split("list")[1].split()[0]

    def interrupt(self) -> None:
        """Press Ctrl-C."""
        self._process.send_signal(signal.SIGINT)

    def leave(self) -> int:
        """The exit code, when the program has ended."""
        return self._process.wait(PATIENCE_SECONDS)

    def _more(self) -> str:
        try:
            return os.read(self._screen, 65_536).decode("utf-8", "replace")
        except OSError as error:
            raise AssertionError(f"the program ended: {self.shown}{self._unread}") from error


@contextmanager
def sitting(machine: Machine, *arguments: str) -> Iterator[Terminal]:
    """A person who has started to play."""
    with Terminal(machine, "play", *arguments) as terminal:
        yield terminal


def test_a_game_in_the_terminal_from_the_first_word_to_the_end(tmp_path: Path) -> None:
    """Listing, a hint, a mistake, a move, the computer's answer, a move taken back, giving up."""
    with sitting(
        Machine(tmp_path / "data"), "blokus", "--ruleset", "duo", "--level", "1"
    ) as terminal:
        assert "14 . . ." in terminal.read_until(r"\(ply 1\)> ")
        terminal.type("list c9,d9")
        listed = terminal.read_until(r"(\d+) moves\.")
        move = next(word for word in listed.split() if word.startswith("c9,d9,"))
        terminal.type("hint")
        terminal.read_until(r"might play [a-n0-9,]+")
        terminal.type("z99")
        terminal.read_until(r"z99 is not on the board: a1 to n14\.")
        terminal.type(move)
        answered = terminal.read_until(r"\(ply 3\)> ")
        assert f"1. A played {move}" in answered
        assert "2. B played " in answered
        terminal.type("undo")
        terminal.read_until(r"\(ply 1\)> ")
        terminal.type("resign")
        terminal.read_until(r"The match is over \(resign\): .*; won by B\.")
        assert terminal.leave() == 0
        assert not COLOUR.search(terminal.shown)


def test_a_match_left_waits_on_the_running_server_and_goes_on_where_it_was(tmp_path: Path) -> None:
    """The other seat this time: the computer begins; others can look on while nobody sits there."""
    machine = Machine(tmp_path / "data")
    with machine.serving():
        with sitting(machine, "blokus", "--ruleset", "duo", "--seat", "B") as terminal:
            before = terminal.read_until(r"B \(ply 2\)> ")
            terminal.type("quit")
            match = terminal.read_until(r"--match (m-[a-z2-7]{16})").split()[-1]
            assert terminal.leave() == 0
        shown = httpx.get(f"{machine.url}/v1/matches/{match}/board.txt").text
        with sitting(machine, "blokus", "--match", match) as terminal:
            after = terminal.read_until(r"B \(ply 2\)> ")
    assert _board(after) == _board(before) == _board(shown)


def test_a_hand_is_dealt_and_is_there_again_after_a_break(tmp_path: Path) -> None:
    """Entropy is offered and may be replaced; what happens besides moves is told; Ctrl-C leaves."""
    machine = Machine(tmp_path / "data")
    with machine.serving():
        with sitting(machine, "triangles", "--ruleset", "short") as terminal:
            offered = terminal.read_until(r"A \(entropy\)> ")
            assert re.search(
                r"commitment .*: [0-9a-f]{64}\r?\n.*random bytes: +[0-9a-f]{32}", offered
            )
            terminal.type("long words " * 6)
            terminal.read_until(r"(?s)At most 64 bytes.*\(entropy\)> ")
            terminal.type("hi!")
            terminal.read_until(r"Given: 686921\.")
            before = terminal.read_until(r"A \(ply \d+\)> ")
            assert "Dealt: round 1 start=" in before
            terminal.type("undo")
            terminal.read_until(r"A game with hidden things has no takebacks\.")
            terminal.type("?")
            terminal.read_until(r"these words again")
            terminal.interrupt()
            match = terminal.read_until(r"--match (m-[a-z2-7]{16})").split()[-1]
            assert terminal.leave() == 0
        with sitting(machine, "triangles", "--match", match) as terminal:
            after = terminal.read_until(r"A \(ply \d+\)> ")
            move = terminal.first_listed()
            terminal.type(move)
            played = terminal.read_until(rf"\d+\. A played {move}: points A tile=")
    hand = re.compile(r"Your hand: ([0-5]{3} ){7}[0-5]{3}")
    assert hand.search(before)
    assert hand.findall(after) == hand.findall(before)
    assert "Dealt" not in after + played


def test_a_deck_is_handed_in_and_a_whole_game_played(tmp_path: Path) -> None:
    """A wrong deck is refused with its reason; then every move from the list, to the result."""
    with sitting(Machine(tmp_path / "data"), "caltrop", "--ruleset", "budget-one-game") as terminal:
        terminal.read_until(r"A \(entropy\)> ")
        terminal.type("")
        terminal.read_until(r"Given: [0-9a-f]{32}\.(?s:.*)A \(entry\)> ")
        terminal.type("Pn1,Pe1")
        terminal.read_until(r"A deck has 8 stones, not 2\.")
        terminal.type("Pn1,Pe1,Pw1,Nn1,Ne1,B1,R1,Q1")
        assert "Dealt: first " in terminal.read_until(r"A \(ply [12]\)> ")
        for _ in range(8):
            terminal.type(terminal.first_listed())
            shown = terminal.read_until(r"A \(ply \d+\)> |The match is over .*; won by [AB]\.")
        assert re.search(r"end [br] \d+:\d+ .*The match is over", shown, re.DOTALL)
        assert terminal.leave() == 0


def test_an_unknown_ruleset_is_answered_with_those_there_are(tmp_path: Path) -> None:
    """One sentence, before anything is opened."""
    with sitting(Machine(tmp_path / "data"), "hedgerow", "--ruleset", "duo") as terminal:
        terminal.read_until(r"hedgerow has no ruleset 'duo'; it has b-begins, .*standard")
        assert terminal.leave() == 1


def _board(shown: str) -> list[str]:
    return [line.strip() for line in shown.splitlines() if re.match(r" *\d+ [ .*+BG]", line)]
