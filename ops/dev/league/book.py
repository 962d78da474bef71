"""The book of the league: a line of JSON for each game played, only ever appended.

Games are kept under everything that decides how they go (``Meeting.key``), so a game is never
played twice, a stopped run goes on where it stopped, and an engine of another version begins anew.
"""

import os
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import msgspec

from ops.dev.league.meetings import Meeting, Result

Key = tuple[str, int, str, str, str]


class Book:
    """The results in a file; several runs may append to it at the same time."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._results: dict[Key, dict[int, Result]] = defaultdict(dict)
        if path.exists():
            for line in path.read_bytes().splitlines():
                self._note_line(line)

    def results(self, met: Meeting) -> dict[int, Result]:
        """The games of a meeting that were played, by number."""
        return self._results.get(met.key, {})

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
        for results in self._results.values():
            yield next(iter(results.values())).meeting, results

    def add(self, result: Result) -> None:
        """Keep a result; it is on the disk when this returns."""
        line = msgspec.json.encode(result) + b"\n"
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("ab") as file:
            # A run that was cut off in the middle of a line left no end of line.
            file.write(line if self._ends_whole() else b"\n" + line)
            file.flush()
            os.fsync(file.fileno())
        self._note(result)

    def _ends_whole(self) -> bool:
        with self._path.open("rb") as file:
            if not file.seek(0, os.SEEK_END):
                return True
            file.seek(-1, os.SEEK_END)
            return file.read(1) == b"\n"

    def _note_line(self, line: bytes) -> None:
        try:
            self._note(msgspec.json.decode(line, type=Result))
        except msgspec.DecodeError:
            return  # cut off in the middle: that game is played again

    def _note(self, result: Result) -> None:
        self._results[result.meeting.key].setdefault(result.number, result)
