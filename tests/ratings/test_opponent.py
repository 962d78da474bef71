"""How an adaptive opponent follows its player: up after wins, down after losses, a step a match."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from events import event_kinds as kinds
from services.ratings.opponent import (
    CountLesson,
    FollowedPlayer,
    begins_at,
    decide,
    evolve,
    nearest,
    skill_of,
)
from services.ratings.skill import Skill, skills_after

LEVELS = tuple(range(1, 9))
WON, LOST, DREW = (1, (2,)), (2, (1,)), (1, (1,))
NOBODY = FollowedPlayer("p-ann")


def after(player: FollowedPlayer, *results: tuple[int, tuple[int, ...]]) -> FollowedPlayer:
    """The player after matches at whatever level the opponent had then (first: 4)."""
    for place, against in results:
        known = player.opponents.get("nim")
        level = known.level if known else 4
        number = f"m-{player.version}"
        decided = decide(player, CountLesson(number, "nim", level, place, against, LEVELS))
        assert isinstance(decided, tuple)
        for event in decided:
            player = evolve(player, event)
    return player


def level(player: FollowedPlayer) -> int:
    """The opponent's level now."""
    return player.opponents["nim"].level


def test_a_first_win_raises_the_level_and_says_why() -> None:
    """Two events: what the result says of the player, and the step with its reason."""
    decided = decide(NOBODY, CountLesson("m-1", "nim", 4, 1, (2,), LEVELS))
    assert isinstance(decided, tuple)
    rated, changed = decided
    assert isinstance(rated, kinds.ResultRated)
    assert rated.mu > skill_of(4)
    assert rated.sigma < begins_at(4).sigma
    assert changed == kinds.OpponentLevelChanged("nim", "m-1", "match-won", was=4, level=5)


def test_a_draw_with_an_equal_leaves_the_level() -> None:
    """Nothing new is known of who is stronger: one event, no step."""
    decided = decide(NOBODY, CountLesson("m-1", "nim", 4, 1, (1,), LEVELS))
    assert isinstance(decided, tuple)
    assert [type(event) for event in decided] == [kinds.ResultRated]
    assert level(after(NOBODY, DREW)) == 4


def test_wins_lead_to_the_strongest_level_and_losses_to_the_weakest() -> None:
    """And no further; it takes a step a match at most."""
    assert level(after(NOBODY, *[WON] * 12)) == 8
    assert level(after(NOBODY, *[LOST] * 12)) == 1
    assert level(after(NOBODY, WON)) == 5
    assert level(after(NOBODY, LOST)) == 3


def test_the_longer_it_knows_a_player_the_less_one_result_moves_it() -> None:
    """A first win says much about a stranger, and little about somebody met forty times."""

    def gain(player: FollowedPlayer) -> int:
        before = player.opponents["nim"].skill if player.opponents else begins_at(4)
        return after(player, WON).opponents["nim"].skill.mu - before.mu

    assert gain(NOBODY) > 3 * gain(after(NOBODY, *[WON, LOST] * 20)) > 0


def test_the_games_of_a_player_do_not_touch_each_other() -> None:
    """An opponent in one game knows nothing of the other."""
    player = after(NOBODY, WON)
    decided = decide(player, CountLesson("m-9", "go", 2, 2, (1,), LEVELS))
    assert isinstance(decided, tuple)
    both = player
    for event in decided:
        both = evolve(both, event)
    assert both.opponents["nim"] == player.opponents["nim"]
    assert both.opponents["go"].level == 1


def test_a_game_without_levels_teaches_nothing() -> None:
    """There is nothing to choose from."""
    command = CountLesson("m-1", "nim", 4, 1, (2,), ())
    assert not isinstance(decide(NOBODY, command), tuple)


@given(
    results=st.lists(st.sampled_from([WON, LOST, DREW, (2, (1, 3)), (3, (1, 1))]), max_size=12),
    known=st.sets(st.integers(1, 8), min_size=1),
)
def test_every_step_is_towards_the_nearest_level_and_one_long(
    results: list[tuple[int, tuple[int, ...]]], known: set[int]
) -> None:
    """Whatever the results and whichever levels a game has."""
    player, levels = NOBODY, tuple(sorted(known))
    for number, (place, against) in enumerate(results):
        opponent = player.opponents.get("nim")
        was = opponent.level if opponent else levels[0]
        command = CountLesson(f"m-{number}", "nim", was, place, against, levels)
        decided = decide(player, command)
        assert isinstance(decided, tuple)
        for event in decided:
            player = evolve(player, event)
        now = player.opponents["nim"]
        aim = nearest(now.skill, levels)
        assert abs(now.level - was) <= 1
        assert abs(now.level - aim) <= max(abs(was - aim) - 1, 0)


@pytest.mark.parametrize("places", [[1, 2], [2, 1], [1, 1], [1, 2, 3], [2, 1, 2, 2]])
def test_who_did_better_is_not_thought_worse_of(places: list[int]) -> None:
    """Among equals, skills after a contest stand in the order of their places."""
    after_it = skills_after([Skill()] * len(places), places)
    for one, here in zip(after_it, places, strict=True):
        for other, there in zip(after_it, places, strict=True):
            assert here >= there or one.mu > other.mu
        assert one.sigma < Skill().sigma
    worse = replace(after_it[0], sigma=9_000)
    assert worse.at_least < after_it[0].at_least
