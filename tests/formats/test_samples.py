"""Files that others wrote: every sample imports with its points, or is refused by its game."""

import json

import pytest

from services.formats.blksgf import DIALECTS
from services.formats.judge import Judged, Refused, Verdict, judge
from services.games.registry import REGISTRY
from tests.kit.samples import blksgf_manifest, read_blksgf, sample

SQUARES = 89
"""Pentobi counts squares placed, the sheet squares left: 89 between them (sheet §4)."""
OURS = {dialect.title for dialect in DIALECTS}
TWO_ILLEGAL = "pentobi-history__book_classic_2__14d7777.blksgf"


def judged(name: str) -> list[Judged]:
    """Every game of a sample, none of them refused."""
    verdicts = judge(read_blksgf(name), name)
    assert all(isinstance(verdict, Judged) for verdict in verdicts), verdicts
    return [verdict for verdict in verdicts if isinstance(verdict, Judged)]


def refused(name: str) -> Refused:
    """The one refusal of a sample."""
    verdicts: list[Verdict] = judge(read_blksgf(name), name)
    assert len(verdicts) == 1
    assert isinstance(verdicts[0], Refused), verdicts
    return verdicts[0]


def test_every_game_we_play_is_taken_with_the_points_it_ended_with() -> None:
    """Moves, end and points are those of the manifest, which Pentobi agreed with."""
    taken = 0
    for name, entry in blksgf_manifest().items():
        if entry["game"] not in OURS or name == TWO_ILLEGAL:
            continue
        games = judged(name)
        assert len(games) == entry.get("game_trees", 1), name
        if entry.get("leaves", 1) == 1 and len(games) == 1:
            points = entry.get("final_points") or entry["points"]
            assert [part + SQUARES for part in games[0].parts.values()] == points, name
            assert games[0].plies == entry["moves"], name
            assert games[0].is_over == entry.get("game_over", False), name
        taken += 1
    assert taken == 96


def test_every_other_game_is_refused_by_its_name() -> None:
    """Junior, Trigon, Nexos, Callisto and GembloQ are named, nothing else is said of them."""
    others = [n for n, entry in blksgf_manifest().items() if entry["game"] not in OURS]
    assert len(others) == 16
    for name in others:
        refusal = refused(name)
        assert refusal.code == "game-not-played"
        assert repr(blksgf_manifest()[name]["game"]) in refusal.sentence


def test_the_book_with_illegal_placements_is_refused_where_they_begin() -> None:
    """Both stand on the main line: green and red had their corners and turns exchanged."""
    assert blksgf_manifest()[TWO_ILLEGAL]["illegal_placements"] == 2
    refusal = refused(TWO_ILLEGAL)
    assert (refusal.code, refusal.node) == ("not-your-turn", 4)
    assert "node 4" in refusal.sentence
    assert "red" in refusal.sentence


def test_books_in_three_dialects_are_one_match() -> None:
    """The id follows from what was played, not from how it was written down."""
    ids = {
        judged(name)[0].match
        for name in (
            "pentobi__book_classic_2.blksgf",
            "pentobi-history__book_classic_2__1f3ef78.blksgf",
            "pentobi-history__book_classic_2__85e9ef6.blksgf",
        )
    }
    assert len(ids) == 1


def test_left_out_lines_are_counted_as_the_manifest_counts_leaves() -> None:
    """Every leaf but the main line's own is one other line."""
    for name, entry in blksgf_manifest().items():
        if entry["game"] in OURS and "leaves" in entry and name != TWO_ILLEGAL:
            assert judged(name)[0].left_out.lines == entry["leaves"] - 1, name


@pytest.mark.parametrize("name", ["generated__setup-classic.blksgf", "generated__setup-duo.blksgf"])
def test_a_set_up_position_allows_the_moves_that_pentobi_counts(name: str) -> None:
    """The colour of PL is to place and has the manifest's number of legal moves."""
    entry = blksgf_manifest()[name]
    game = REGISTRY.game("blokus")
    position = game.notation.parse_position(judged(name)[0].command.start)
    assert len(game.rules.moves(position).texts) == entry["legal_counts_all"][entry["to_move"]]


def engine_words(verdict: Judged) -> str:
    """The final score as Pentobi says it: points of the colours, or the lead of one player."""
    if verdict.variant == "classic":
        return " ".join(str(part + SQUARES) for part in verdict.parts.values())
    lead = verdict.points["A"] - verdict.points["B"]
    return f"{'B' if lead > 0 else 'W'}+{abs(lead)}" if lead else "0"


def test_complete_games_end_with_the_scores_of_the_engine() -> None:
    """The moves of the score samples, as a file of the dialect, give the engine's own answer."""
    scores = json.loads(sample("pentobi_final_scores.json").read_text(encoding="utf-8"))
    answers = 0
    for game in scores["games"]:
        moves = "".join(f";{colour.upper()}[{move}]" for colour, move in game["moves"])
        for title, said in game["engine_final_score"].items():
            (verdict,) = judge(f"(;GM[{title}]{moves})".encode(), game["id"])
            assert isinstance(verdict, Judged), verdict
            assert verdict.is_over
            assert engine_words(verdict) == said, game["id"]
            answers += 1
    assert answers == 12
