"""A file into the log: whole or not at all, once, and without anybody's name in an event."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from events.event_kinds import MatchImported
from events.log import whole_log
from services.formats.draft import Notes
from services.formats.importing import Fate, Line, import_file, notes_of
from services.formats.judge import Judged, Refused
from tests.kit.desk import Desk, desk
from tests.kit.samples import read_blksgf
from tests.kit.tree import ROOT

GOOD = "(;GM[Blokus Duo]PB[Gwendolyn]DT[1999]C[hello];B[e10]C[first];W[j5])"
BAD = "(;GM[Blokus Duo];B[e10];W[a1])"
NOW = 2_000_000


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Desk]:
    """An empty log with its handler."""
    with desk(tmp_path) as opened:
        yield opened


def bring(here: Desk, *games: str) -> list[Line]:
    """Import one file with these games."""
    return import_file(here.handler, here.store, "".join(games).encode(), "test.blksgf", NOW)


def only_match(lines: list[Line]) -> Judged:
    """The one game of a file that was taken."""
    (line,) = lines
    assert isinstance(line.verdict, Judged)
    return line.verdict


def test_a_game_becomes_one_match_of_one_append(here: Desk) -> None:
    """Imported, played and ended in one transaction, by ``file``, in nobody's seat."""
    judged = only_match(bring(here, GOOD))
    state = here.handler.load(judged.match)
    assert state is not None
    assert (state.status, state.imported, state.ply) == ("ended", True, 2)
    assert state.seats == (None, None)
    events = here.log.read(f"match/{judged.match}")
    assert {(event.actor, event.received_at) for event in events} == {("file", NOW)}
    assert events[0].kind == MatchImported.kind
    assert len(events) == 4


def test_the_second_time_it_is_already_here(here: Desk) -> None:
    """The same game, also in other words, adds nothing."""
    first, again = bring(here, GOOD), bring(here, GOOD)
    position = here.log.position()
    older = bring(here, "(;GM[Blokus Duo];1[e10];2[j5])")
    assert [line.fate for line in (*first, *again, *older)] == [
        Fate.IMPORTED,
        Fate.ALREADY_HERE,
        Fate.ALREADY_HERE,
    ]
    assert len({only_match(lines).match for lines in (first, again, older)}) == 1
    assert here.log.position() == position


def test_nothing_of_a_bad_file_is_stored(here: Desk) -> None:
    """Good games beside a bad one are judged, reported and held back."""
    lines = bring(here, GOOD, BAD, "(;GM[Blokus];1[a20])")
    assert [line.fate for line in lines] == [Fate.HELD_BACK, Fate.REFUSED, Fate.HELD_BACK]
    assert here.log.position() == 0
    refused = lines[1].verdict
    assert isinstance(refused, Refused)
    assert (refused.number, refused.node, refused.code) == (2, 3, "first-move-start-square")
    assert notes_of(here.store, only_match(lines[:1]).match).is_empty


def test_names_and_comments_stay_out_of_the_log(here: Desk) -> None:
    """They lie in the erasable table, and the first that came stay."""
    match = only_match(bring(here, GOOD)).match
    stored = b"".join(event.data for event in whole_log(here.log))
    assert b"Gwendolyn" not in stored
    assert b"hello" not in stored
    notes = Notes(names={"A": "Gwendolyn"}, date="1999", comments={0: "hello", 1: "first"})
    assert notes_of(here.store, match) == notes
    bring(here, GOOD.replace("Gwendolyn", "Mallory"))
    assert notes_of(here.store, match) == notes


def test_a_file_of_eight_games_is_eight_matches(here: Desk) -> None:
    """Pentobi's own match runner writes such files; Pentobi cannot read them."""
    name = "generated__collection-8-classic-games.blksgf"
    lines = import_file(here.handler, here.store, read_blksgf(name), name, NOW)
    assert [line.fate for line in lines] == [Fate.IMPORTED] * 8
    assert len(here.log.streams("match/")) == 8


def test_every_seed_match_comes_in(here: Desk) -> None:
    """What ``plybook seed`` does."""
    paths = sorted((ROOT / "seeds" / "blokus" / "matches").glob("*.record"))
    for path in paths:
        (line,) = import_file(here.handler, here.store, path.read_bytes(), path.name, NOW)
        assert line.fate is Fate.IMPORTED
    assert len(here.log.streams("match/")) == len(paths) == 5


def test_a_line_says_what_became_of_a_game(here: Desk) -> None:
    """File, variant, plies, scores, match id; what was left out; why it was refused."""
    (line,) = bring(here, "(;GM[Blokus Duo];B[e10](;W[j5])(;W[j4,j5];B[f11]))")
    match = only_match([line]).match
    assert str(line) == (
        f"test.blksgf: duo, 2 plies, blue=-88 green=-88, {match}, imported, "
        "1 other lines (2 nodes) left out"
    )
    (refused,) = bring(here, BAD)
    assert str(refused).startswith(
        "test.blksgf: refused, first-move-start-square: Game 1, node 3: "
    )
