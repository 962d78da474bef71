"""What an adaptive computer learns: once, whatever is lost, doubled or late."""

from typing import cast

import pytest

from events import event_kinds as kinds
from events.codec import decode
from services.levels import Levels
from services.match import commands as cmd
from services.match.handler import Handler
from services.match.refusals import Refusal
from services.match.state import Holder
from services.ratings.handler import Learnt, Opponents, followed, player_stream
from tests.workers.toy_engines import LEVELS
from tests.workers.workshop import ANN, Workshop
from workers.difficulty import learn_lesson
from workers.toolbox import Outcome


def lost_match(shop: Workshop, level: int = 1) -> tuple[str, int]:
    """A match that Ann gave up against her adaptive opponent, and its last turn."""
    match = shop.adaptive_match(level)
    shop.done(cmd.Resign("A"), match)
    return match, turn_of(shop, match)


def turn_of(shop: Workshop, match: str) -> int:
    """Where the match stands."""
    state = shop.handler.load(match)
    assert state is not None
    return state.turn


def story(shop: Workshop, stream: str) -> list[kinds.Event]:
    """The events of a stream."""
    return [decode(event.kind, event.data) for event in shop.log.read(stream)]


def anns(shop: Workshop) -> list[kinds.Event]:
    """What is known of Ann."""
    return story(shop, player_stream("p-ann"))


def test_a_result_reaches_the_players_stream_and_the_match_notes_it(each_shop: Workshop) -> None:
    """The row stands from the end of the match until both are recorded."""
    shop = each_shop
    match, turn = lost_match(shop, level=3)
    assert shop.dispatcher().offer() == 1
    (due,) = shop.published
    assert (due.queue, due.stream, due.turn) == ("upgrades", f"match/{match}", turn)

    assert learn_lesson(shop.tools(), match, turn).outcome is Outcome.PLAYED

    rated, changed = anns(shop)
    assert isinstance(rated, kinds.ResultRated)
    assert (rated.game, rated.match, rated.level, rated.place) == ("nim", match, 3, 2)
    assert changed == kinds.OpponentLevelChanged("nim", match, "match-lost", was=3, level=2)
    assert story(shop, f"match/{match}")[-1] == kinds.MatchCounted(by=ANN)
    assert shop.dispatcher("d2").offer() == 0


def test_a_lesson_delivered_twice_or_late_is_learnt_once(each_shop: Workshop) -> None:
    """The second delivery finds nothing to take; one whose lease ran out finds it recorded."""
    shop = each_shop
    match, turn = lost_match(shop)
    shop.dispatcher().offer()
    outcomes = [learn_lesson(shop.tools(), match, turn).outcome for _ in range(3)]
    assert outcomes == [Outcome.PLAYED, Outcome.TAKEN, Outcome.TAKEN]
    assert len(anns(shop)) == 1, "level 1 is the lowest: nothing changes but what is known of Ann"


class StopsHalfWay:
    """A door that shows matches and lets nothing in, as if the worker died at this moment."""

    def __init__(self, handler: Handler) -> None:
        self.load = handler.load

    note_counted = Handler.note_counted

    def handle(self, *_: object, **__: object) -> Refusal:
        """No."""
        return Refusal("busy", "Not now.")


def test_a_lesson_that_stopped_half_way_is_finished(shop: Workshop) -> None:
    """Recorded with the player, not yet noted in the match: the row stands, the rest is done."""
    match, turn = lost_match(shop)
    half = cast("Handler", StopsHalfWay(shop.handler))
    assert isinstance(Opponents(shop.log, half, LEVELS).learn(match, shop.clock()), Learnt)
    before = anns(shop)
    assert before

    assert shop.dispatcher().offer() == 1
    assert learn_lesson(shop.tools(), match, turn).outcome is Outcome.REPEATED

    assert anns(shop) == before
    assert story(shop, f"match/{match}")[-1] == kinds.MatchCounted(by=ANN)
    assert shop.dispatcher("d2").offer() == 0


def test_levels_that_came_meanwhile_do_not_make_it_another_lesson(shop: Workshop) -> None:
    """The match names it: a worker of a newer program repeats what an older one recorded."""
    match, _turn = lost_match(shop)
    half = cast("Handler", StopsHalfWay(shop.handler))
    Opponents(shop.log, half, LEVELS).learn(match, shop.clock())
    fewer = Levels([spec for spec in LEVELS.specs() if spec.level < 3])
    again = Opponents(shop.log, shop.handler, fewer).learn(match, shop.clock())
    assert isinstance(again, Learnt)
    assert again.repeated


def test_a_lesson_the_broker_lost_is_offered_again(shop: Workshop) -> None:
    """The row is the truth, the message a hint."""
    match, turn = lost_match(shop)
    assert shop.dispatcher().offer() == 1
    shop.clock.turn(3_600)
    assert shop.dispatcher("d2").offer() == 1
    assert learn_lesson(shop.tools(), match, turn).outcome is Outcome.PLAYED


def test_the_next_match_is_played_at_the_level_that_was_learnt(shop: Workshop) -> None:
    """The seat names where it would begin; the start says what it plays at."""
    match, turn = lost_match(shop, level=3)
    shop.dispatcher().offer()
    learn_lesson(shop.tools(), match, turn)

    state = shop.handler.load(shop.adaptive_match(level=5))

    assert state is not None
    assert state.holder("B") == Holder(level=2, adaptive=True)
    assert story(shop, f"match/{state.match}")[-1] == kinds.MatchStarted(levels={"B": 2})


def test_a_match_that_began_before_keeps_its_level(shop: Workshop) -> None:
    """What is learnt meanwhile changes the next match, never a running one; both are counted."""
    first, second = shop.adaptive_match(3), shop.adaptive_match(3)
    for match in (first, second):
        shop.done(cmd.Resign("A"), match)
        shop.dispatcher(match).offer()
        learn_lesson(shop.tools(), match, turn_of(shop, match))
        shop.clock.turn(60)
    rated = [event for event in anns(shop) if isinstance(event, kinds.ResultRated)]
    assert [(event.match, event.level) for event in rated] == [(first, 3), (second, 3)]
    assert followed(shop.log, "p-ann").opponents["nim"].level == 2


@pytest.mark.parametrize("level", [1, 7])
def test_a_match_against_a_fixed_level_teaches_nobody(shop: Workshop, level: int) -> None:
    """No row, no event: only adaptive seats follow."""
    match = shop.match(level)
    shop.done(cmd.Resign("A"), match)
    assert shop.dispatcher().offer() == 0
    assert learn_lesson(shop.tools(), match, turn_of(shop, match)).outcome is Outcome.TAKEN
    assert anns(shop) == []
