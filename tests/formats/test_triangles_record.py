"""Records of Triangles (rule sheet §12): told round by round, and every line checked."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from events.log import CommandId, Namespace
from services.formats.draft import Notes
from services.formats.errors import FormatError
from services.formats.exporting import export_match
from services.formats.importing import Fate, import_file
from services.formats.judge import Judged
from services.formats.triangles_record import HEADING
from services.match import commands as cmd
from services.match.handler import Done, stream_of
from services.match.state import MatchState
from services.proofs.audit import audit_match
from services.proofs.report import PROVED
from tests.kit.desk import Desk, desk, new_handler
from tests.kit.playouts import Dice
from tests.kit.tree import ROOT
from tests.kit.verdicts import refused, taken

SEEDS = sorted((ROOT / "seeds" / "triangles" / "matches").glob("*.record"))
NOTES = Notes(names={"A": "Ines", "B": "Juri the 2nd"})


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Desk]:
    """A log of our own."""
    with desk(tmp_path) as made:
        yield made


def done(table: Desk, match: str, command: cmd.MatchCommand, actor: str) -> MatchState:
    """What a command led to."""
    answer = table.handler.handle(match, command, actor=actor, command_id=None, received_at=1)
    assert isinstance(answer, Done), answer
    return answer.state


def played(table: Desk, plies: int = 1_000, **options: Any) -> MatchState:
    """A match of people up to its end, or to so many moves; the same each time."""
    create = cmd.CreateMatch(game="triangles", ruleset=options)
    key = CommandId(
        Namespace.OUTSIDE, "first"
    )  # the id of the match follows from it, and the deals
    handler = new_handler(table.log, new_seed=lambda: bytes(range(32)))
    opened = handler.create(create, actor="player:p-a", command_id=key, received_at=1)
    assert isinstance(opened, Done)
    match, seats = opened.match, opened.state.seat_names()
    for seat in seats:
        done(table, match, cmd.TakeSeat(seat=seat), f"player:p-{seat.lower()}")
    for seat, entropy in zip(seats, ("00ff", "", "ab", "cd"), strict=False):
        give = cmd.GiveEntropy(seat, entropy, opened.state.seed_commit)
        done(table, match, give, f"player:p-{seat.lower()}")
    state, dice = done(table, match, cmd.StartMatch(), "player:p-a"), Dice(len(seats))
    while (mover := state.to_move()) and state.ply < plies:
        moves = state.the_game.rules.moves(state.position).texts
        move = cmd.PlayMove(mover, moves[dice.below(len(moves))], state.turn)
        state = done(table, match, move, f"player:p-{mover.lower()}")
    return state


@pytest.mark.parametrize("players", [2, 3])
def test_a_whole_match_is_written_and_read_back(table: Desk, players: int) -> None:
    """With every tile drawn, from the keys that its rounds have opened."""
    state = played(table, target=200, players=players)
    text = export_match(state, HEADING, NOTES)
    verdict = taken(text)
    assert verdict.is_over
    assert verdict.command.moves == tuple(ply.move for ply in state.line)
    assert state.ended is not None
    assert dict(verdict.points) == state.ended.points
    assert verdict.notes.names == dict(NOTES.names)
    assert "seat A Ines\nseat B Juri the 2nd\n" in text
    assert text.count("\nend ") == len(state.rounds)
    assert re.search(r" [A-C](\+[0-5]{3})+:[0-5]{3}[ud]", text)
    assert "++" not in text


def test_a_match_comes_in_and_goes_out_again(table: Desk) -> None:
    """The same lines but for the id, the seed and its commitments, which belong to the match."""
    text = export_match(played(table, target=200), HEADING, NOTES)
    (line,) = import_file(table.handler, table.store, text.encode(), "x.record", 1)
    assert line.fate is Fate.IMPORTED, str(line)
    assert isinstance(line.verdict, Judged)
    (again,) = import_file(table.handler, table.store, text.encode(), "x.record", 1)
    assert again.fate is Fate.ALREADY_HERE
    state = table.handler.load(line.verdict.match)
    assert state is not None
    assert lines_of_rounds(export_match(state, HEADING, NOTES)) == lines_of_rounds(text)
    report = audit_match(table.log.read(stream_of(line.verdict.match)))
    assert (report.verdict, report.differences) == (PROVED, ())


def lines_of_rounds(text: str) -> list[str]:
    """What a record tells of its rounds."""
    lines = text.splitlines()
    return lines[next(n for n, line in enumerate(lines) if line.startswith("round ")) : -1]


def test_a_match_that_was_broken_off_keeps_its_totals(table: Desk) -> None:
    """The last round has no end of its own, and who won is not on the table."""
    state = played(table, plies=30)
    seat = state.to_move() or "A"
    ended = done(table, state.match, cmd.Resign(seat=seat), f"player:p-{seat.lower()}")
    text = export_match(ended, HEADING, NOTES)
    assert "\nend broken - points " in text
    assert f"\nresult {'B' if seat == 'A' else 'A'} resign totals A=" in text
    verdict = taken(text)
    assert not verdict.is_over
    assert ended.ended is not None
    assert dict(verdict.points) == ended.ended.points
    (line,) = import_file(table.handler, table.store, text.encode(), "x.record", 1)
    assert line.fate is Fate.IMPORTED, str(line)


def test_a_running_match_is_not_written(table: Desk) -> None:
    """Its key is secret, so nobody could check what is told."""
    state = played(table, plies=12)
    with pytest.raises(FormatError, match="secret"):
        export_match(state, HEADING, NOTES)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A record of a whole match."""
    with desk(tmp_path_factory.mktemp("whole")) as made:
        return export_match(played(made, target=200), HEADING, NOTES)


def changed_word(text: str, begins: str, change: str) -> str:
    """The record with the first word that begins like this changed."""
    word = next(word for word in text.split() if word.startswith(begins))
    return text.replace(word, change, 1)


@pytest.mark.parametrize(
    ("begins", "change"),
    [
        ("key=", "key=" + "00" * 32),
        ("key=", "key=secret"),
        ("seed=", "seed=" + "00" * 32),
        ("seed=", "seed=00"),
        ("commit=", "commit=" + "00" * 32),
        ("A=00ff", "A=00fe"),
        ("A=00ff", "A=0"),
        ("B=", "C="),
        ("match", "game"),
        ("m-", "m-another"),
        ("start=", "start=C"),
        ("reason=", "reason=luck"),
        ("tile=", "tile=012"),
        ("target=", "target=300"),
        ("hand_size=", "hand_size=9"),
        ("players=", "players=3"),
        ("max_rounds=", "max_rounds=40 max_rounds=40"),
        ("options", "choices"),
        ("points", "pints"),
        ("totals", "sums"),
        ("end", "fin"),
        ("round", "turn"),
        ("result", "end"),
    ],
)
def test_a_changed_word_is_noticed(whole: str, begins: str, change: str) -> None:
    """Nothing in a record is believed that does not follow."""
    expected = "not-in-hand" if begins == "hand_size=" else "bad-record"
    assert refused(changed_word(whole, begins, change)).code == expected


def test_a_changed_draw_a_changed_point_and_a_changed_move_are_noticed(whole: str) -> None:
    """Draws and passes are forced, points are counted, moves are judged."""
    turns = [word for word in whole.split() if ":" in word and "bot" not in word]
    drawn = next(turn for turn in turns if "+" in turn)
    without = drawn[0] + drawn[drawn.index(":") :]
    assert refused(whole.replace(drawn, without, 1)).code == "bad-record"
    assert refused(whole.replace(turns[1], "", 1)).code in ("bad-record", "not-your-turn")
    assert refused(whole.replace(turns[1], turns[1] + "00", 1)).code == "notation"
    end = next(line for line in whole.splitlines() if line.startswith("end "))
    for name in (" A=", " B="):
        assert refused(whole.replace(end, end.replace(name, f"{name}1"), 1)).code == "bad-record"


@pytest.mark.parametrize(
    ("was", "is_now", "code"),
    [
        (" points totals", " resign totals", None),
        (" points totals", " cap totals", "bad-record"),
        (" points totals", " luck totals", "bad-record"),
        ("result ", "result X ", "bad-record"),
        ("totals A=", "totals B=", "bad-record"),
    ],
)
def test_the_result_is_derived(whole: str, was: str, is_now: str, code: str | None) -> None:
    """A result that was said to be by resignation tells nothing of the winner."""
    *lines, last = whole.splitlines(keepends=True)
    text = "".join([*lines, last.replace(was, is_now, 1)])
    if code is None:
        taken(text)
    else:
        assert refused(text).code == code


def test_a_winner_or_a_total_that_does_not_follow_is_noticed(whole: str) -> None:
    """The result line against the points."""
    *lines, last = whole.splitlines(keepends=True)
    _, winner, how, *rest = last.split(" ")
    other = "B" if winner == "A" else "A"
    wrong = [f"result {other} {how} {' '.join(rest)}", last.replace("A=", "A=1", 1)]
    for line in wrong:
        assert refused("".join([*lines, line])).code == "wrong-result"
    still = "".join([*lines, f"result - {' '.join(rest)}"])
    assert taken(still).is_over


def test_nothing_follows_the_result_and_a_heading_alone_is_nothing(whole: str) -> None:
    """A record is whole or it is none."""
    assert refused(whole + "A:333u0.0\n").code == "bad-record"
    assert refused(f"{HEADING}\n").code == "bad-record"
    assert refused(f"{HEADING}\nseat A Ines\n").code == "bad-record"
    assert refused(f"{HEADING}\noptions target=400\nA:333u0.0\n").code == "bad-record"
    assert refused(f"{HEADING}\noptions target=400\n").code == "empty"


@pytest.mark.parametrize("path", SEEDS, ids=lambda path: path.stem)
def test_every_seed_match_is_whole(path: Path) -> None:
    """The demo matches keep the rules to the end, and their seeds open their commitments."""
    text = path.read_text(encoding="utf-8")
    assert taken(text).is_over
    assert " seed=" in text


def test_there_are_seed_matches_for_two_and_for_three() -> None:
    """Both are worth a look."""
    assert {taken(p.read_text("utf-8")).command.ruleset["players"] for p in SEEDS} == {2, 3}
