"""A writing process is killed in the middle: what was acknowledged is there, and nothing half."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from events.log import Appended, EventLog, whole_log
from events.migrations import upgrade
from events.recorded import GENESIS, link_hash
from tests.kit.log_writer import EVENTS_EACH, append_number, open_for_writing
from tests.kit.logs import INLINE
from tests.kit.tree import ROOT

ACKNOWLEDGED = (1, 40, 150)
"""After how many acknowledged appends the process is killed, one round after the other."""


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A file name or an address of an empty log."""
    if request.param == "sqlite":
        yield str(tmp_path / "log.db")
    else:
        yield request.getfixturevalue("postgres_url")


def killed_while_writing(where: str, after: int) -> dict[str, int]:
    """The newest acknowledged version of each stream when the writer was killed."""
    command = [sys.executable, "-m", "tests.kit.log_writer", where]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        lines = [writer.stdout.readline() for _ in range(after)]
        writer.kill()
        lines += writer.stdout.readlines()
    newest: dict[str, int] = {}
    for line in lines:
        stream, version = line.split()
        newest[stream] = int(version)
    return newest


def check_whole(log: EventLog, stream: str) -> int:
    """The appends of a stream, each of which must be there with all that belongs to it."""
    events = log.read(stream)
    link = GENESIS
    for version, e in enumerate(events, start=1):
        assert (e.version, e.data) == (version, b"%d" % version)
        link = link_hash(link, stream, version, e.kind, e.actor, e.received_at, e.at, e.data)
        assert e.hash == link
    appends, rest = divmod(len(events), EVENTS_EACH)
    assert rest == 0
    assert log.head(stream).hash == link
    assert log.rows("places", stream) == ({"": (stream, appends - 1, None)} if appends else {})
    assert log.secrets(stream) == ({"seed": b"sealed"} if appends else {})
    return appends


def test_a_killed_writer_has_kept_every_word(where: str) -> None:
    """After ``kill -9`` nothing acknowledged is lost, no append is half there, retries agree."""
    store, log = open_for_writing(where)
    upgrade(store, INLINE)
    log.close()
    store.close()
    for after in ACKNOWLEDGED:
        newest = killed_while_writing(where, after)
        store, log = open_for_writing(where)
        with closing(store), closing(log):
            for stream, version in newest.items():
                appends = check_whole(log, stream)
                assert appends * EVENTS_EACH >= version
                for number in (version // EVENTS_EACH - 1, appends):
                    [first] = log.append([append_number(stream, number)])
                    [again] = log.append([append_number(stream, number)])
                    assert isinstance(first, Appended)
                    assert again == replace(first, repeated=True)
            positions = [event.position for event in whole_log(log)]
            assert positions == sorted(set(positions))
