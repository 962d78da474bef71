"""Adaptive computers at the table: seated by the host, fixed at the start, owed the result."""

import pytest
from msgspec.structs import replace

from events import event_kinds as kinds
from services.match import commands as cmd
from services.match.contests import Lesson, is_contest, lesson_of, places
from services.match.state import Holder
from services.projections.work_due import LESSON, work_rows
from tests.kit.given import ANN_AT_A, CREATED, GUEST, HOST, Given, played

FOLLOWS = kinds.SeatTaken(seat="B", level=3, adaptive=True)
STARTED_AT_4 = kinds.MatchStarted(levels={"B": 4})
TABLE = (CREATED, ANN_AT_A, FOLLOWS, STARTED_AT_4)
RESIGNED = kinds.SeatResigned(turn=1, seat="A", facts=("out A",))
LOST = kinds.MatchEnded(how="resign", points={"A": 0, "B": 1}, winners=("B",))


def test_the_host_seats_a_computer_that_follows_them() -> None:
    """With a level to begin at; a guest cannot, nor can a match that no player hosts."""
    seat = cmd.TakeSeat("B", level=3, adaptive=True)
    Given(CREATED, ANN_AT_A).when(seat).then(FOLLOWS)
    Given(CREATED, ANN_AT_A).when(seat, actor=GUEST).refused("not-the-host")
    Given(CREATED).when(cmd.TakeSeat("A", adaptive=True)).refused("no-level")
    nobodys = replace(CREATED, host="run:r-1")
    Given(nobodys).when(seat, actor="run:r-1").refused("nobody-to-follow")


def test_the_start_fixes_its_level_for_the_whole_match() -> None:
    """From then on the seat is a computer of that level like any other."""
    given = Given(CREATED, ANN_AT_A, FOLLOWS).when(cmd.StartMatch({"B": 4}))
    given.then(STARTED_AT_4)
    assert Given(*TABLE).state.holder("B") == Holder(level=4, adaptive=True)


@pytest.mark.parametrize("levels", [{}, {"A": 4}, {"A": 4, "B": 4}])
def test_a_start_names_the_levels_of_adaptive_computers_and_of_nobody_else(
    levels: dict[str, int],
) -> None:
    """The door fills them in; a record that says otherwise has no command behind it."""
    with pytest.raises(ValueError, match="started with the levels"):
        Given(CREATED, ANN_AT_A, FOLLOWS).when(cmd.StartMatch(levels))


def test_the_result_is_owed_to_the_host_until_it_is_counted() -> None:
    """A row of the match says so, and the note that it is counted takes it away."""
    over = Given(*TABLE, RESIGNED, LOST)
    assert lesson_of(over.state) == Lesson("p-ann", level=4, place=2, against=(1,))
    assert work_rows(over.state).keys() == {LESSON}
    over.when(cmd.CountMatch(), actor=GUEST).refused("not-the-host")
    over.when(cmd.CountMatch()).then(kinds.MatchCounted(by=HOST))
    counted = Given(*TABLE, RESIGNED, LOST, kinds.MatchCounted(by=HOST))
    assert work_rows(counted.state) == {}
    counted.when(cmd.CountMatch()).refused("counted")


def test_nothing_is_owed_where_nothing_can_be_learnt() -> None:
    """No adaptive computer, a host who does not play, a match that was abandoned or still runs."""
    abandoned = replace(LOST, how="abandoned", winners=())
    by_a_guest = kinds.SeatTaken(seat="A", player="p-bob")
    for events in (
        (CREATED, ANN_AT_A, replace(FOLLOWS, adaptive=False), kinds.MatchStarted(), LOST),
        (CREATED, by_a_guest, FOLLOWS, STARTED_AT_4, LOST),
        (*TABLE, abandoned),
        TABLE,
    ):
        given = Given(*events)
        assert lesson_of(given.state) is None
        assert LESSON not in work_rows(given.state)
    Given(*TABLE, abandoned).when(cmd.CountMatch()).refused("not-waiting")


ANN, BEN, FIRST, SECOND = Holder("p-ann"), Holder("p-ben"), Holder(level=1), Holder(level=2)


@pytest.mark.parametrize(
    ("holders", "how", "counts"),
    [
        ((ANN, BEN), "points", True),
        ((ANN, FIRST), "draw", True),
        ((FIRST, SECOND), "points", True),
        ((ANN, FIRST, FIRST, FIRST), "time", True),
        ((ANN, BEN), "abandoned", False),
        ((ANN, BEN), "cancelled", False),
        ((None, None), "unfinished", False),
        ((None, None), "points", False),
        ((ANN, ANN), "points", False),
        ((ANN, ANN, BEN), "points", False),
        ((FIRST, FIRST), "points", False),
    ],
)
def test_a_contest_is_played_to_a_result_between_different_sides(
    holders: tuple[Holder | None, ...], how: str, counts: bool
) -> None:
    """Records from files have no holders; a level may have several seats, a person one."""
    ended = replace(LOST, how=how)
    assert is_contest(HOST, holders, ended) is counts
    assert not is_contest("run:r-1", holders, ended), "a run's decks are uneven on purpose"


def test_winners_come_first_and_the_others_by_their_points() -> None:
    """Also where a winner has fewer points than somebody who gave up."""
    ended = kinds.MatchEnded(how="resign", points={"A": 9, "B": 5, "C": 7, "D": 7}, winners=("B",))
    assert places(ended, "ABCD") == {"A": 2, "B": 1, "C": 3, "D": 3}
    assert places(ended, "AC") == {"A": 1, "C": 2}, "of those that are asked about"
    drawn = replace(ended, how="draw", winners=("A", "B", "C", "D"))
    assert set(places(drawn, "ABCD").values()) == {1}


def test_an_adaptive_computer_moves_like_any_other() -> None:
    """Its evidence names the level that the start fixed."""
    given = Given(*TABLE, played(1, "A", "1"))
    given.when(cmd.PlayMove("B", "1", 1), actor="computer:B").then(played(2, "B", "1"))
