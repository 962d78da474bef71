"""The benchmark runs and has a row for everything the design asks; no number is judged here."""

import re
import tempfile
from shutil import which

import pytest

from events.table_dump import digest
from ops.dev.bench.alternating import per_second
from ops.rebuilding import NAMES
from services.levels import Levels
from tests.kit.machine import Machine
from tests.kit.tree import ROOT

pytestmark = pytest.mark.xdist_group("bench")  # one run serves all

ROWS = {
    "Append as the service does it": [
        f"{place}, {clients} beside {anchor}"
        for place in ("SQLite", "PostgreSQL")
        for clients in ("1 client", "4 clients")
        for anchor in ("raw driver, same rows", "ceiling")
    ],
    "Append of bare events": [
        f"{place}, {clients} beside {anchor}"
        for place in ("SQLite", "PostgreSQL")
        for clients in ("1 client", "4 clients")
        for anchor in ("raw driver, event row", "eventsourcing")
    ],
    "Replay of 200 events, decode only": [
        f"{place} beside eventsourcing, {what}"
        for place in ("SQLite", "PostgreSQL")
        for what in ("repository.get", "decode only")
    ],
    "Fold and audit of Blokus, one core": ["fold", "audit"],
    "Rebuild over 8 imported matches": [
        "boards, work_due",
        "match_list",
        "standings",
        "ratings",
        "campaign_list",
    ],
    "Move round trip by HTTP, 4 matches at once": [
        "p50 beside empty POST",
        "p99 beside empty POST",
        "moves in all",
    ],
    "The rules of every game, one core": [
        f"{game}, {what}"
        for game in ("blokus", "caltrop", "hedgerow", "triangles")
        for what in ("listing", "judging")
    ],
    "Blokus: rules and engines": [
        *(
            f"{variant}, {what}"
            for variant in ("classic", "duo")
            for what in ("listing", "listing", "playing", "random playouts")
        ),
        *(f"level {level}, a move of classic" for level in Levels.load().known("blokus")),
    ],
    "Blokus: playouts of a search, one core": ["opening", "ply 10", "ply 20", "ply 40"],
    "Caltrop: exact ends, one core": [
        f"nine empty squares{' beside plain C++ search' if which('g++') else ''}",
        "nine empty squares, longest of 2",
    ],
}


def rows(section: str) -> dict[str, list[float]]:
    """The rows of a section's table by name (and anchor), with the numbers in each."""
    table = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("| ")]
    head, *lines = [[cell.strip() for cell in line] for line in table]
    anchored = "beside" in head
    found: dict[str, list[float]] = {}
    for cells in lines:
        beside = f" beside {cells[2]}" if anchored and cells[2] else ""
        texts = [cells[1], *cells[3:5]] if beside else [cells[1]]
        numbers = [float(text.split()[0].replace(",", "")) for text in texts]
        found.setdefault(cells[0] + beside, []).extend(numbers)
    return found


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory, postgres_server: str) -> str:
    """What a quick run writes down."""
    folder = tmp_path_factory.mktemp("bench")
    machine = Machine(folder / "data", PLYBOOK_TEST_POSTGRES=postgres_server)
    run = machine.run("bench", "--quick", "--write", str(folder / "benchmarks.md"))
    written = (folder / "benchmarks.md").read_text(encoding="utf-8")
    assert written == run.stdout
    return written


@pytest.mark.postgres
def test_a_run_has_every_row_of_the_design(page: str) -> None:
    """Each row has its number, and beside an anchor the anchor's and the ratio."""
    sections = dict(part.split("\n", 1) for part in page.split("\n## ")[1:])
    assert [re.sub(r" \([\d,]+ events\)", "", title) for title in sections] == list(ROWS)
    for body, wanted in zip(sections.values(), ROWS.values(), strict=True):
        found = rows(body)
        assert list(found) == list(dict.fromkeys(wanted))
        for name, numbers in found.items():
            assert len(numbers) == (3 if " beside " in name else wanted.count(name)), name
            assert min(numbers) > 0, name


@pytest.mark.postgres
def test_a_page_tells_of_the_machine_and_nothing_private(page: str) -> None:
    """Cores, versions and the date place the numbers; names, addresses and folders do not."""
    assert re.search(
        r"^\d{4}-\d\d-\d\d\. \d+ cores .* Python 3\..* PostgreSQL .* SQLite ", page, re.MULTILINE
    )
    for private in ("127.0.0.1", "postgres@", str(ROOT), tempfile.gettempdir()):
        assert private not in page


NOT_OF_RECORDS = ("campaign_list", "ratings")
"""Projections that imported matches leave empty: solo games, and contests."""


@pytest.mark.postgres
def test_a_rebuild_gives_the_same_bytes(page: str) -> None:
    """Every projection is made anew and compared; none is empty where matches leave rows."""
    shas = dict(
        re.findall(r"^- `(\w+)`: byte-identical, SHA-256 `([0-9a-f]{64})`", page, re.MULTILINE)
    )
    assert list(shas) == list(NAMES)
    of_matches = {name: sha for name, sha in shas.items() if name not in NOT_OF_RECORDS}
    assert digest([]) not in of_matches.values()


def test_a_failing_client_fails_the_run() -> None:
    """A number without what it counts would be a lie."""
    with pytest.raises(ZeroDivisionError):
        per_second([[lambda: 1], [lambda: 1 / 0]])
