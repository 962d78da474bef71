"""Whole logs audited: changes by SQL, and what only heads kept outside can show."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from events.heads import KeptHead
from events.recorded import Recorded
from services.formats.importing import import_file
from services.formats.judge import Judged
from services.match import commands as cmd
from services.match.handler import Done
from services.proofs.audit_log import audit_log, audit_stored
from services.proofs.report import CHAIN_ONLY, PROVED
from tests.kit.desk import Desk, desk
from tests.proofs.stories import forged, rehashed

GAMES = "(;GM[Blokus Duo];B[e10];W[j5];B[f11,f12])(;GM[Blokus];1[a20];2[t20])"
Change = Callable[[sqlite3.Connection], object]


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Desk]:
    """A log with two matches."""
    with desk(tmp_path) as opened:
        import_file(opened.handler, opened.store, GAMES.encode(), "two.blksgf", 0)
        yield opened


def duo(here: Desk) -> str:
    """The id of the Duo match."""
    lines = import_file(here.handler, here.store, GAMES.encode(), "two.blksgf", 0)
    assert isinstance(lines[0].verdict, Judged)
    return lines[0].verdict.match


def live(here: Desk) -> str:
    """A running Duo match of two people with a move each; events 1 to 6."""
    ann, bob = "player:p-aaaaaaaaaaaaaaaa", "player:p-bbbbbbbbbbbbbbbb"
    opened = here.handler.create(
        cmd.CreateMatch("blokus", {"variant": "duo"}), actor=ann, command_id=None, received_at=0
    )
    assert isinstance(opened, Done)
    commands: tuple[tuple[str, cmd.MatchCommand], ...] = (
        (ann, cmd.TakeSeat("A")),
        (bob, cmd.TakeSeat("B")),
        (ann, cmd.StartMatch()),
        (ann, cmd.PlayMove("A", "e10", 0)),
        (bob, cmd.PlayMove("B", "j5,j6", 1)),
    )
    for actor, command in commands:
        answer = here.handler.handle(
            opened.match, command, actor=actor, command_id=None, received_at=0
        )
        assert isinstance(answer, Done), answer
    return opened.match


def by_sql(here: Desk, change: Change) -> None:
    """Change the database as its owner can, who drops the triggers first."""
    with closing(sqlite3.connect(here.path)) as connection, connection:
        triggers = connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        for (name,) in triggers.fetchall():
            connection.execute(f'DROP TRIGGER "{name}"')
        change(connection)


def store_again(connection: sqlite3.Connection, events: list[Recorded]) -> None:
    """Write a stream anew, head included, as if it had always been so."""
    stream = events[0].stream
    connection.execute("DELETE FROM event WHERE stream = ?", (stream,))
    for event in events:
        connection.execute(
            "INSERT INTO event (stream, version, kind, actor, received_at, at, data, cause, hash)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                *(stream, event.version, event.kind, event.actor, event.received_at, event.at),
                *(event.data, event.cause, event.hash),
            ),
        )
    connection.execute(
        "UPDATE stream SET version = ?, hash = ? WHERE stream = ?",
        (events[-1].version, events[-1].hash, stream),
    )


def kept(here: Desk) -> list[KeptHead]:
    """The heads as somebody noted them in time."""
    heads = here.log.streams("match/")
    return [KeptHead(head.stream, head.version, head.hash.hex()) for head in heads]


def test_an_untouched_log_is_proved_match_by_match(here: Desk) -> None:
    """In the order of their ids, with the progress told."""
    told: list[tuple[int, int]] = []
    reports = list(
        audit_log(here.log, kept=kept(here), progress=lambda done, of: told.append((done, of)))
    )
    assert [report.verdict for report in reports] == [PROVED, PROVED]
    assert [report.match for report in reports] == sorted(report.match for report in reports)
    assert told == [(1, 2), (2, 2)]


def test_a_byte_changed_by_sql_names_match_version_and_what(here: Desk) -> None:
    """Only that match, only that event."""
    match = duo(here)
    by_sql(
        here,
        lambda sql: sql.execute(
            "UPDATE event SET data = cast(replace(cast(data AS text), 'e10', 'e11') AS blob)"
            " WHERE stream = ? AND version = 2",
            (f"match/{match}",),
        ),
    )
    bad = [report for report in audit_log(here.log) if not report.is_good]
    assert [report.match for report in bad] == [match]
    first = bad[0].differences[0]
    assert (first.match, first.version, first.what) == (match, 2, "hash")
    assert match in str(first)
    assert "event 2" in str(first)


def test_an_event_inserted_by_sql_is_found(here: Desk) -> None:
    """It has no place in the chain, and the log's own head knows nothing of it."""
    match = duo(here)
    by_sql(
        here,
        lambda sql: sql.execute(
            "INSERT INTO event (stream, version, kind, actor, received_at, at, data, cause, hash)"
            " SELECT stream, 6, kind, actor, received_at, at, data, cause, hash"
            " FROM event WHERE stream = ? AND version = 4",
            (f"match/{match}",),
        ),
    )
    report = audit_stored(here.log, match)
    assert report is not None
    assert report.verdict == "differs at event 6"
    assert [difference.what for difference in report.differences[:2]] == ["hash", "version"]


def test_a_chain_computed_again_shows_only_against_kept_heads(here: Desk) -> None:
    """Another legal move in the place of one that was played, and every hash new.

    In itself such a match is in order: this is the limit of a chain without a key.
    """
    match = live(here)
    noted = kept(here)

    def change(sql: sqlite3.Connection) -> None:
        events = here.log.read(f"match/{match}")
        store_again(sql, rehashed(forged(events, len(events), lambda data: data.update(move="j5"))))

    by_sql(here, change)
    alone, beside = audit_stored(here.log, match), audit_stored(here.log, match, kept=noted)
    assert alone is not None
    assert alone.verdict == CHAIN_ONLY
    assert beside is not None
    assert (beside.differences[0].version, beside.differences[0].what) == (6, "hash")


def test_a_tail_cut_off_shows_against_kept_heads(here: Desk) -> None:
    """Even when the database's own head was corrected too."""
    match = live(here)
    noted = kept(here)
    by_sql(here, lambda sql: store_again(sql, here.log.read(f"match/{match}")[:5]))
    alone = audit_stored(here.log, match)
    assert alone is not None
    assert alone.is_good
    report = audit_stored(here.log, match, kept=noted)
    assert report is not None
    assert (report.differences[0].version, report.differences[0].what) == (6, "version")


def test_a_match_deleted_whole_shows_against_kept_heads(here: Desk) -> None:
    """Without them there is nothing that could be missed."""
    match, noted = duo(here), kept(here)

    def delete(sql: sqlite3.Connection) -> None:
        for table in ("event", "stream"):
            sql.execute(f"DELETE FROM {table} WHERE stream = ?", (f"match/{match}",))  # noqa: S608

    by_sql(here, delete)
    assert audit_stored(here.log, match) is None
    report = audit_stored(here.log, match, kept=noted)
    assert report is not None
    assert report.verdict == "differs at event 5"
    assert len(list(audit_log(here.log, kept=noted))) == 2
