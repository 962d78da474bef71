"""Conformance: the cases of the rule sheets, Pentobi's counts and scores, and mutants.

The cases of the sheets lie in ``vectors``. What Pentobi says is read where it lies, beside the
repository; a checkout without that folder is held to counts of games of our own instead.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from ops.check_vectors import run_file
from services.games.blokus import rules
from services.games.blokus.board import Board
from services.games.blokus.pieces import squares_in
from services.games.blokus.position import Position
from tests.kit.samples import SAMPLES

VECTORS = Path(__file__).parent / "vectors"
BLOKUS = VECTORS / "blokus_vectors.json"
OWN_COUNTS = VECTORS / "own_legal_counts.json"

PENTOBI = [
    ("pentobi_legal_counts.json", 15),
    ("pentobi_legal_counts_duo.json", 9),
    ("pentobi_final_scores.json", 7),
]
IS_ALONE = not SAMPLES.parent.is_dir()
"""Whether the folder shared by all checkouts is missing; then, and only then, do without."""


@pytest.mark.parametrize("path", [pytest.param(p, id=p.stem) for p in VECTORS.glob("*.json")])
def test_every_case_of_our_own_vectors_holds(path: Path) -> None:
    """Each case by itself: nothing fails, nothing is left out."""
    document = json.loads(path.read_text(encoding="utf-8"))
    lists = [part for part in document.values() if isinstance(part, list)]
    cases = [case for part in lists for case in part if isinstance(case, dict)]
    report = run_file(path)
    assert report.failures == ()
    assert len(report.verdicts) >= len(cases) > 0


@pytest.mark.parametrize(
    ("path", "cases"),
    [pytest.param(OWN_COUNTS, 18, id="no-shared-folder-here-so-own-counts-instead-of-pentobi's")]
    if IS_ALONE
    else [pytest.param(SAMPLES / name, cases, id=name) for name, cases in PENTOBI],
)
def test_pentobi_agrees_on_counts_moves_and_points(path: Path, cases: int) -> None:
    """With fixed corners: every count, the SHA-256 of every list of moves, every final score."""
    report = run_file(path)
    assert report.failures == ()
    assert len(report.verdicts) == cases + 1  # the last one is on the file as a whole


def changed(tmp_path: Path, source: Path, change: Callable[[Any], None]) -> Path:
    """A copy of a conformance file with something in it changed."""
    document = json.loads(source.read_text(encoding="utf-8"))
    change(document)
    path = tmp_path / source.name
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def test_a_wrong_set_of_the_right_size_is_found(tmp_path: Path) -> None:
    """Counts alone would not see one move exchanged for another; the digest does."""

    def change(document: Any) -> None:
        document["positions"][1]["legal_sha256"] = "0" * 64

    report = run_file(changed(tmp_path, OWN_COUNTS, change))
    assert [verdict.message[:20] for verdict in report.failures] == ["legal_sha256: expect"]


def mutant_edges_are_allowed(patch: pytest.MonkeyPatch) -> None:
    """A piece may lie along its own colour."""
    patch.setattr(Board, "beside", lambda _board, _squares: 0)


def mutant_corners_are_not_needed(patch: pytest.MonkeyPatch) -> None:
    """A piece need not touch its own colour."""
    patch.setattr(Board, "diagonal", lambda board, _squares: board.full)


def mutant_first_piece_anywhere(patch: pytest.MonkeyPatch) -> None:
    """The first piece need not cover a start square."""

    def anywhere(ruleset: Any) -> tuple[int, ...]:
        return (ruleset.sheet.board.full,) * len(ruleset.sheet.colours)

    patch.setattr(rules, "start_squares", anywhere)


def mutant_bonus_forgotten(patch: pytest.MonkeyPatch) -> None:
    """Nothing extra for placing everything."""
    patch.setattr(rules, "colour_score", lambda left, _last: -squares_in(left))


def mutant_bonus_for_the_smallest_piece_always(patch: pytest.MonkeyPatch) -> None:
    """The 5 of the smallest piece also without placing all."""
    score = rules.colour_score

    def generous(left: int, last: int | None) -> int:
        return score(left, last) + 5 * (left > 0 and last == 0)

    patch.setattr(rules, "colour_score", generous)


def mutant_nobody_passes(patch: pytest.MonkeyPatch) -> None:
    """A blocked colour keeps the turn."""
    patch.setattr(rules, "_is_blocked", lambda _position, _colour: False)


def mutant_pass_ends_play(patch: pytest.MonkeyPatch) -> None:
    """The first pass is everybody's last."""
    blocked = rules._is_blocked

    def spread(position: Position, _colour: int) -> bool:
        return any(blocked(position, colour) for colour in range(len(position.left)))

    patch.setattr(rules, "_is_blocked", spread)


def mutant_pieces_are_never_used_up(patch: pytest.MonkeyPatch) -> None:
    """A colour may place the same piece again."""
    patch.setattr(rules, "pieces_in", lambda _pieces: range(21))


MUTANTS = [
    mutant_edges_are_allowed,
    mutant_corners_are_not_needed,
    mutant_first_piece_anywhere,
    mutant_bonus_forgotten,
    mutant_bonus_for_the_smallest_piece_always,
    mutant_nobody_passes,
    mutant_pass_ends_play,
    mutant_pieces_are_never_used_up,
]


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.__name__)
def test_a_broken_rule_is_caught(
    mutant: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each mutant of the rules fails at least one case of the sheet."""
    mutant(monkeypatch)
    assert not run_file(BLOKUS).ok


def passes(record: list[tuple[str, str]], variant: str) -> list[str]:
    """The colours that pass in a record, in order."""
    position = rules.setup(rules.ruleset({"variant": variant}))
    facts: list[str] = []
    for _, move in record:
        step = rules.apply(position, move)
        facts += step.facts
        position = step.position
    return [fact.removeprefix("pass ") for fact in facts]


def test_a_pass_is_final_and_said_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every colour passes once in a whole game; one that forgets it passed is noticed."""
    cases = json.loads(BLOKUS.read_text(encoding="utf-8"))["cases"]
    game = next(case for case in cases if case["id"] == "BG1")
    said = passes(game["record"], game["variant"])
    assert sorted(said) == ["blue", "green", "red", "yellow"]

    hand_turn = rules._hand_turn

    def forgetful(position: Position, colour: int, judge: rules.Passes) -> Any:
        return hand_turn(replace(position, done=0), colour, judge)

    monkeypatch.setattr(rules, "_hand_turn", forgetful)
    assert len(passes(game["record"], game["variant"])) > len(said)
