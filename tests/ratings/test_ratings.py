"""The table of skills: what counts in it, and that the log alone makes it."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from events.migrations import upgrade
from events.projector import Projector
from events.rebuild import rebuild_projection
from events.table_dump import dump
from services.match import commands as cmd
from services.match.handler import Done
from services.projections.inline import INLINE_TABLES
from services.projections.ratings import RATINGS, Rated, ratings
from services.ratings.skill import Skill
from tests.workers.workshop import Workshop, workshop

Side = str | int
"""A player's id, or a level."""


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def shop(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Workshop]:
    """A workshop whose log has the table, on each store there is."""
    is_sqlite = request.param == "sqlite"
    database = tmp_path / "log.db" if is_sqlite else request.getfixturevalue("postgres_url")
    with workshop(database) as made:
        upgrade(made.store, INLINE_TABLES, [RATINGS])
        yield made


def contest(shop: Workshop, sides: Sequence[Side], *, a_wins: bool, **create: Any) -> str:
    """A match between these: A takes the only object there is, or gives up."""
    match = begun(shop, sides, **create)
    first = str(sides[0])
    tell(shop, match, first, cmd.PlayMove("A", "1", 0) if a_wins else cmd.Resign("A"))
    return match


def begun(shop: Workshop, sides: Sequence[Side], **create: Any) -> str:
    """A running match that A, a player, hosts."""
    host = str(sides[0])
    ruleset = {"heap": 1, "seats": len(sides)}
    opened = shop.handler.create(
        cmd.CreateMatch("nim", ruleset, **create),
        actor=f"player:{host}",
        command_id=None,
        received_at=0,
    )
    assert isinstance(opened, Done)
    for seat, side in zip("ABCD", sides, strict=False):
        if isinstance(side, int):
            tell(shop, opened.match, host, cmd.TakeSeat(seat, level=side))
        else:
            tell(shop, opened.match, side, cmd.TakeSeat(seat))
    tell(shop, opened.match, host, cmd.StartMatch())
    return opened.match


def tell(shop: Workshop, match: str, player: str, command: cmd.MatchCommand) -> None:
    """A command that succeeds."""
    actor = f"player:{player}"
    answer = shop.handler.handle(match, command, actor=actor, command_id=None, received_at=0)
    assert isinstance(answer, Done), answer


def table(shop: Workshop) -> dict[Side, Rated]:
    """The table of the toy game now, by player or level, in its order."""
    Projector(shop.store, shop.log, [RATINGS]).catch_up()
    found = shop.store.read(lambda connection: ratings(connection, "nim"))
    return {one.player or one.level: one for one in found}


def test_a_contest_moves_both_sides_and_orders_the_table(shop: Workshop) -> None:
    """The winner stands above, each has played once, and nobody else is there."""
    contest(shop, ["ann", "ben"], a_wins=False)
    found = table(shop)
    assert list(found) == ["ben", "ann"]
    assert found["ben"].skill == Skill(27_635, 8_066)
    assert found["ann"].skill == Skill(22_365, 8_066)
    assert [one.played for one in found.values()] == [1, 1]


def test_people_and_levels_stand_in_one_table(shop: Workshop) -> None:
    """Each result moves on from where the last one left, whoever the other was."""
    contest(shop, ["ann", 1], a_wins=False)
    contest(shop, ["ben", 1], a_wins=False)
    contest(shop, ["ann", "ben"], a_wins=False)
    found = table(shop)
    assert list(found) == [1, "ben", "ann"]
    assert [one.played for one in found.values()] == [2, 2, 2]


def test_a_level_at_several_seats_takes_the_mean_of_what_they_did(shop: Workshop) -> None:
    """Three seats of one level are three contests of one side."""
    contest(shop, ["ann", 1, 1, 1], a_wins=True)
    found = table(shop)
    assert [(side, one.played) for side, one in found.items()] == [("ann", 1), (1, 3)]


def test_matches_against_oneself_private_ones_and_abandoned_ones_do_not_count(
    shop: Workshop,
) -> None:
    """Nothing is learnt of them, or nothing may be told."""
    contest(shop, ["ann", "ann"], a_wins=True)
    contest(shop, ["ann", "ben"], a_wins=True, visibility="private")
    match = begun(shop, ["ann", "ben"])
    tell(shop, match, "ann", cmd.MakeOffer("abandon", "A"))
    tell(shop, match, "ben", cmd.AnswerOffer("abandon", "B", yes=True))
    running = begun(shop, ["ann", "ben"])
    assert table(shop) == {}
    tell(shop, running, "ann", cmd.Resign("A"))
    assert list(table(shop)) == ["ben", "ann"]


def test_an_adaptive_computer_counts_as_the_level_it_played_at(shop: Workshop) -> None:
    """The start says which; what the seat would have begun at does not matter."""
    for _ in range(2):
        match = shop.adaptive_match(level=3)
        shop.done(cmd.Resign("A"), match)
        shop.tools().opponents.learn(match, 0)
    assert set(table(shop)) == {"p-ann", 3, 2}


def test_a_rebuild_gives_the_same_bytes(shop: Workshop) -> None:
    """Skills are whole numbers that follow from the log in its order: no clock, no rests."""
    people = ["ann", "ben", "eve"]
    for number in range(9):
        first, *others = people[number % 3 :] + people[: number % 3]
        contest(shop, [first, *others, number % 2 + 1], a_wins=True)
    assert len(table(shop)) == 5
    before = dump(shop.store, RATINGS.name)
    rebuild_projection(shop.store, shop.log, RATINGS)
    assert dump(shop.store, RATINGS.name) == before
