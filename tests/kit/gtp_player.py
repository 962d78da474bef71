"""A program that plays Blokus over GTP, well or as badly as a test wants: run as a script.

``gtp_player.py [--note FILE] [BEHAVIOUR@N]``: at its N-th ``genmove`` (of this process) it does
what the behaviour says, before and after it plays the first legal move. ``--note`` appends every
line it is told to a file. It speaks for itself: nothing of the house but the rules is used.
"""

import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from services.games.blokus import rules
from services.games.blokus.notation import read_placement
from services.games.blokus.position import Position, put

VARIANTS = {"blokus": "classic", "blokus two-player": "classic-2", "blokus duo": "duo"}
ILLEGAL = "a1,a2"
"""A placement that never is legal where it is tried: the middle of a game, far from everything."""


class Player:
    """One game, and the behaviour that is due at a move."""

    def __init__(self, behaviour: str, at: int) -> None:
        self._behaviour, self._at = behaviour, at
        self._moves = 0
        self._position = _empty("classic")

    def answer(self, words: Sequence[str]) -> str:
        """The answer's sign and text."""
        name, *rest = words
        if name == "name":
            return "= Scripted"
        if name == "version":
            return "= 7"
        if name == "cputime":
            return f"= {time.process_time():.3f}"
        if name in ("set_game", "clear_board"):
            variant = VARIANTS[" ".join(rest).lower()] if rest else self._position.ruleset.variant
            self._position = _empty(variant)
            return "="
        if name == "play":
            return self._play(*rest)
        return self._genmove(rest[0]) if name == "genmove" else "? unknown command"

    def _play(self, colour: str, move: str) -> str:
        number = _colour(colour)
        if rules.colour_objection(self._position, number, move):
            return "? illegal move"
        self._position = put(
            self._position, number, read_placement(self._position.board, move).mask
        )
        return "="

    def _genmove(self, colour: str) -> str:
        self._moves += 1
        if self._moves == self._at:
            special = self._special()
            if special:
                return special
        moves = rules.colour_moves(self._position, _colour(colour))
        if not moves:
            return "= pass"
        self._play(colour, moves[-1])
        return f"= {moves[-1].upper()}"

    def _special(self) -> str:
        if self._behaviour == "crash":
            os._exit(3)
        if self._behaviour == "hang":
            time.sleep(3_600)
        return {
            "illegal": f"= {ILLEGAL}",
            "resign": "= resign",
            "pass": "= PASS",
            "refuse": "? not today",
            "nonsense": "= left of the middle",
            "garbage": "Thinking: 12 % done",
            "flood": "= " + "\n".join(["e10"] * 2_000),
        }[self._behaviour]


def _empty(variant: str) -> Position:
    return rules.setup(rules.ruleset({"variant": variant, "corners": "fixed"}))


def _colour(name: str) -> int:
    return "bw".index(name) if name in "bw" else int(name) - 1


def main(arguments: list[str]) -> None:
    """Answer until ``quit`` or the end of input."""
    note = Path(arguments[arguments.index("--note") + 1]) if "--note" in arguments else None
    behaviour, _, at = next((word for word in arguments if "@" in word), "@0").partition("@")
    player = Player(behaviour, int(at))
    for line in sys.stdin:
        if note:
            with note.open("a", encoding="utf-8") as file:
                file.write(line)
        number, *words = line.split()
        answer = player.answer(words)
        # "garbage" forgets what GTP is; everything else carries the number.
        with_number = f"{answer[0]}{number}{answer[1:]}" if answer[0] in "=?" else answer
        sys.stdout.write(f"{with_number}\n\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
