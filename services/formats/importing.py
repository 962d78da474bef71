"""A judged file into the log: one match a transaction, a second time "already here".

A file is taken as a whole or not at all: when one of its games is refused, the others are
judged and reported, and nothing is stored.
"""

from enum import Enum

import msgspec
from sqlalchemy import Connection, select

from events import schema
from events.store import Store
from services.formats.draft import Notes
from services.formats.judge import Judged, Refused, Verdict, judge
from services.match.handler import Done, Handler

ACTOR = "file"


class Fate(Enum):
    """What became of a game of a file."""

    IMPORTED = "imported"
    ALREADY_HERE = "already here"
    HELD_BACK = "not taken, because another game of the file is refused"
    REFUSED = "refused"


class Line(msgspec.Struct, frozen=True):
    """One game of a file and what became of it; ``str`` is the line to show."""

    verdict: Verdict
    fate: Fate

    def __str__(self) -> str:
        verdict = self.verdict
        if isinstance(verdict, Refused):
            return f"{verdict.file}: refused, {verdict.code}: {verdict.sentence}"
        scores = " ".join(f"{name}={score}" for name, score in verdict.parts.items())
        words = [verdict.variant, f"{verdict.plies} plies", scores, verdict.match, self.fate.value]
        if verdict.left_out.lines:
            left_out = verdict.left_out
            words.append(f"{left_out.lines} other lines ({left_out.nodes} nodes) left out")
        return f"{verdict.file}: {', '.join(words)}"


def import_file(
    handler: Handler, store: Store, data: bytes, file: str, received_at: int
) -> list[Line]:
    """Take a file in; one answer for each of its games. ``received_at`` is µs since 1970."""
    verdicts = judge(data, file)
    if any(isinstance(verdict, Refused) for verdict in verdicts):
        return [Line(verdict, _unless_good(verdict)) for verdict in verdicts]
    return [
        _import_one(handler, store, verdict, received_at)
        for verdict in verdicts
        if isinstance(verdict, Judged)
    ]


def _unless_good(verdict: Verdict) -> Fate:
    return Fate.REFUSED if isinstance(verdict, Refused) else Fate.HELD_BACK


def _import_one(handler: Handler, store: Store, judged: Judged, received_at: int) -> Line:
    answer = handler.handle(
        judged.match, judged.command, actor=ACTOR, command_id=None, received_at=received_at
    )
    if not isinstance(answer, Done) and answer.code != "already-here":
        refused = Refused(judged.file, judged.number, 0, answer.code, answer.sentence)
        return Line(refused, Fate.REFUSED)
    if not judged.notes.is_empty:
        store.write(lambda connection: _keep_notes(connection, judged.match, judged.notes))
    return Line(judged, Fate.IMPORTED if isinstance(answer, Done) else Fate.ALREADY_HERE)


def _keep_notes(connection: Connection, match: str, notes: Notes) -> None:
    """The personal part goes beside the log, where it can be erased; the first one stays."""
    table = schema.record_note
    if connection.execute(select(table.c.match).where(table.c.match == match)).first():
        return
    comments = {"date": notes.date, "plies": {str(k): v for k, v in notes.comments.items()}}
    row = {
        "match": match,
        "names": msgspec.json.encode(notes.names).decode(),
        "comments": msgspec.json.encode(comments).decode(),
    }
    connection.execute(table.insert().values(row))


def notes_of(store: Store, match: str) -> Notes:
    """The names and comments that came with an imported match, or none."""
    table = schema.record_note
    query = select(table.c.names, table.c.comments).where(table.c.match == match)
    row = store.read(lambda connection: connection.execute(query).first())
    if row is None:
        return Notes()
    comments = msgspec.json.decode(row.comments)
    return Notes(
        names=msgspec.json.decode(row.names),
        date=comments["date"],
        comments={int(ply): text for ply, text in comments["plies"].items()},
    )
