"""The book of the league: a line for each game played, only ever appended.

Games are kept under everything that decides how they go (``Meeting.key``), so a game is never
played twice, a stopped run goes on where it stopped, and an engine of another version begins
anew. A line is a JSON array that tells its kind first: a meeting with its id, written by each run
before its first game of it; or a game, under the id of its meeting::

    ["meeting", "a1b2c3d4e5f60718", {"game": "blokus", …}]
    ["game", 0, "A", 1.0, 21.0, 18, 13, 1565.4, 26.9, "a1b2c3d4e5f60718"]

Books of several machines are joined by ``cat``.
"""

import os
from collections import defaultdict
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from ops.dev.league.meetings import Meeting, Numbers, Result


class _MeetingLine(msgspec.Struct, frozen=True, array_like=True, tag="meeting"):
    id: str
    meeting: Meeting


class _GameLine(Numbers, frozen=True, array_like=True, tag="game"):
    id: str


_Line = _MeetingLine | _GameLine


def meeting_id(met: Meeting) -> str:
    """Short for ``Meeting.key``: the first 16 hex digits of its hash."""
    return sha256(msgspec.json.encode(met.key)).hexdigest()[:16]


def _numbers(game: Numbers) -> dict[str, Any]:
    return {name: getattr(game, name) for name in Numbers.__struct_fields__}


class Book:
    """The results in a file; several runs may append to it at the same time."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._meetings: dict[str, Meeting] = {}
        self._results: dict[str, dict[int, Result]] = defaultdict(dict)
        if path.exists():
            for line in path.read_bytes().splitlines():
                self._note_line(line)

    def results(self, met: Meeting) -> dict[int, Result]:
        """The games of a meeting that were played, by number."""
        return self._results.get(meeting_id(met), {})

    def named(self, met: Meeting) -> dict[int, Result]:
        """The same of the newest meeting whose sides had these names, whoever they were."""
        names = (met.game, met.options, met.a.name, met.b.name)
        found: dict[int, Result] = {}
        for other, results in self.meetings():
            if names == (other.game, other.options, other.a.name, other.b.name):
                found = results
        return found

    def meetings(self) -> Iterator[tuple[Meeting, dict[int, Result]]]:
        """Every meeting there is a result of, the one met first first."""
        for id_, results in self._results.items():
            yield self._meetings[id_], results

    def add(self, result: Result) -> None:
        """Keep a result; it is on the disk when this returns."""
        id_ = meeting_id(result.meeting)
        lines: list[_Line] = []
        if id_ not in self._meetings:
            lines.append(_MeetingLine(id_, result.meeting))
        lines.append(_GameLine(**_numbers(result), id=id_))
        self._append(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
        for line in lines:
            self._note(line)

    def _append(self, lines: bytes) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("ab") as file:
            # A run that was cut off in the middle of a line left no end of line.
            file.write(lines if self._ends_whole() else b"\n" + lines)
            file.flush()
            os.fsync(file.fileno())

    def _ends_whole(self) -> bool:
        with self._path.open("rb") as file:
            if not file.seek(0, os.SEEK_END):
                return True
            file.seek(-1, os.SEEK_END)
            return file.read(1) == b"\n"

    def _note_line(self, line: bytes) -> None:
        try:
            self._note(msgspec.json.decode(line, type=_Line))
        except msgspec.DecodeError:
            return  # cut off in the middle: that game is played again

    def _note(self, line: _Line) -> None:
        if isinstance(line, _MeetingLine):
            self._meetings.setdefault(line.id, line.meeting)
        elif met := self._meetings.get(line.id):  # else the line that told of it was cut off
            self._results[line.id].setdefault(line.number, Result(**_numbers(line), meeting=met))
