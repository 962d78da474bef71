"""Runs, decision by decision: what a win brings, what ends a run, and what nobody may know."""

import hashlib
import hmac
import struct
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from events import event_kinds as kinds
from events.codec import decode
from events.event_kinds import Event
from events.log import whole_log
from services.campaigns import commands as cmd
from services.campaigns.campaign import CampaignState
from services.campaigns.campaign import evolve as evolve_campaign
from services.campaigns.campaign import start as start_campaign
from services.campaigns.handler import Kept, run_stream
from services.campaigns.run_decider import begin, decide, order_of
from services.campaigns.run_folding import evolve
from services.campaigns.run_state import RunState, initial
from services.campaigns.views import run_view
from services.games.caltrop.stones import STONES
from services.levels import Levels
from services.match.commands import MakeOffer
from services.match.decider import SERVER
from services.match.handler import Done
from services.match.refusals import Refusal
from services.match.secret import Secret
from tests.campaigns.sheet import after_wins
from tests.kit.desk import OFFERING, Desk, desk
from tests.simulation.solo import SoloSeason

SEED = bytes(range(32))
ANN = "player:p-ann"


class Given:
    """A run by itself: decisions folded one after the other, each as it came."""

    def __init__(self, difficulty: str = "easy", seed: bytes = SEED) -> None:
        rules = OFFERING.rules(difficulty)
        assert rules is not None
        campaign = CampaignState("c-test")
        decided = start_campaign(campaign, rules, "p-ann")
        assert not isinstance(decided, Refusal)
        for event in decided:
            campaign = evolve_campaign(campaign, event)
        self.state: RunState = initial("r-test", Secret(seed))
        self.events: list[Event] = []
        self.take(begin(self.state, campaign))

    def take(self, decided: tuple[Event, ...] | Refusal) -> tuple[Event, ...]:
        """Fold what was decided."""
        assert not isinstance(decided, Refusal), decided
        for event in decided:
            self.state = evolve(self.state, event, received_at=1)
        self.events += decided
        return decided

    def when(self, command: cmd.RunCommand, actor: str = ANN, match: str = "") -> tuple[Event, ...]:
        """A command that is granted."""
        return self.take(decide(self.state, command, actor, match))

    def refused(self, command: cmd.RunCommand, actor: str = ANN) -> str:
        """The code of a command that is refused."""
        answer = decide(self.state, command, actor, "m-other")
        assert isinstance(answer, Refusal)
        return answer.code

    def match(self, *, won: bool) -> tuple[Event, ...]:
        """The next match, from the fight to its result."""
        match = f"m-{self.state.next_match}"
        self.when(cmd.Fight(self.state.next_match), match=match)
        return self.when(cmd.CountResult(match, won, "points"), SERVER)

    def win(self) -> tuple[Event, ...]:
        """A won match, with the choice and the growth that follow."""
        decided = self.match(won=True)
        if self.state.offer:
            self.when(cmd.ChooseUpgrade(self.state.wins, self.state.offer[0]))
        if self.state.is_growing:
            self.when(cmd.GrowOpponents(self.state.wins), SERVER)
        return decided


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Desk]:
    """A log with the levels of the house."""
    with desk(tmp_path, levels=Levels.load()) as made:
        yield made


def drawn_by_hand(purpose: str, counter: int, total: int) -> int:
    """A number below a total, from the sheet of the fair shuffle and nothing of ours."""

    def mac(key: bytes, label: str, message: bytes) -> bytes:
        return hmac.digest(key, label.encode() + b"\x00" + message, "sha256")

    run, name = b"r-test", purpose.encode()
    key = mac(SEED, "plybook/match-key/v1", struct.pack(">H", len(run)) + run + b"\x00")
    named = struct.pack(">H", len(name)) + name + struct.pack(">I", counter)
    block = mac(mac(key, "plybook/purpose/v1", named), "plybook/stream/v1", struct.pack(">I", 0))
    return next(byte for byte in block if byte < 256 - 256 % total) % total


def test_a_stone_is_drawn_as_the_fair_shuffle_says() -> None:
    """The recorded list and place follow from seed, run id, purpose and match number alone."""
    given = Given()
    for number in range(1, 6):
        won = next(event for event in given.win() if isinstance(event, kinds.StoneWon))
        weights = [weight for _, weight in won.draw.items]
        left = drawn_by_hand("new-stone", number, sum(weights))
        place = next(p for p in range(len(weights)) if left < sum(weights[: p + 1]))
        assert (won.draw.counter, won.draw.drawn) == (number, (place,))
        assert won.stone.stone == won.draw.items[place][0]
    commit = hashlib.sha256(b"plybook/seed-commit/v1\x00" + SEED).hexdigest()
    assert given.state.seed_commit == commit


def test_a_win_is_told_in_the_order_of_the_sheet() -> None:
    """Result, new stone, offer; then the choice, and growth in its own time."""
    given = Given()
    decided = given.match(won=True)
    assert [type(event) for event in decided] == [
        kinds.RunMatchEnded,
        kinds.StoneWon,
        kinds.UpgradeOffered,
    ]
    assert given.refused(cmd.Fight(2)) == "upgrade-first"
    assert given.refused(cmd.ChangeStones((1, 2, 3, 4, 5, 6, 7, 8))) == "upgrade-first"
    (chosen,) = given.when(cmd.ChooseUpgrade(1, given.state.offer[1]))
    assert isinstance(chosen, kinds.UpgradeChosen)
    stone = given.state.collection.one(chosen.stone.number)
    source = given.state.collection.gone or given.state.collection.owned
    (old,) = [one for one in source if one.number == stone.source]
    assert (stone.stone.type, stone.stone.level) == (old.stone.type, old.stone.level + 1)
    assert given.refused(cmd.Fight(2)) == "opponents-growing"
    (grew,) = given.when(cmd.GrowOpponents(1), SERVER)
    assert isinstance(grew, kinds.OpponentsGrew)
    assert (grew.match, grew.reason) == ("m-1", "match-won")
    assert given.state.phase == "ready"


@pytest.mark.parametrize("difficulty", ["easy", "normal", "hard", "very-hard"])
def test_every_deck_grows_also_of_those_who_are_not_in_the_run(difficulty: str) -> None:
    """So growth tells nothing of the order; the boss skips the first three wins."""
    given = Given(difficulty)
    for wins in range(6):
        for one in OFFERING.roster:
            types = " ".join(stone.type for stone in one.deck)
            deck = ",".join(stone.text for stone in given.state.decks[one.number])
            assert deck == after_wins(types, difficulty, wins, one.number)
        given.win()


def test_growth_comes_once_a_win_and_in_order() -> None:
    """Twice, too early, or by somebody else: refused."""
    given = Given()
    assert given.refused(cmd.GrowOpponents(1), SERVER) == "not-growing"
    given.match(won=True)
    assert given.refused(cmd.GrowOpponents(2), SERVER) == "not-growing"
    assert given.refused(cmd.GrowOpponents(1), ANN) == "not-your-run"
    given.when(cmd.GrowOpponents(1), SERVER)
    assert given.refused(cmd.GrowOpponents(1), SERVER) == "not-growing"


def test_a_loss_ends_the_run_without_rewards() -> None:
    """The seed is opened, with the whole order it gives."""
    given = Given()
    given.win()
    decided = given.match(won=False)
    assert [type(event) for event in decided] == [kinds.RunMatchEnded, kinds.RunEnded]
    ended = given.state.ended
    assert ended is not None
    assert (ended.how, ended.wins, ended.server_seed) == ("lost", 1, SEED.hex())
    assert given.refused(cmd.Fight(2)) == "run-over"
    assert given.refused(cmd.CountResult("m-2", won=True, how="points"), SERVER) == "run-over"


def test_the_twentieth_win_has_its_rewards_and_no_growth() -> None:
    """The last gains can be kept; the run is won once the last upgrade is chosen."""
    given = Given()
    for _ in range(19):
        given.win()
    assert given.state.opponent == 24
    last = given.win()
    assert kinds.StoneWon in {type(event) for event in last}
    assert given.state.ended is not None
    assert (given.state.ended.how, given.state.wins) == ("won", 20)
    grown = [event.number for event in given.events if isinstance(event, kinds.OpponentsGrew)]
    assert grown == list(range(1, 20))
    assert isinstance(given.events[-1], kinds.RunEnded)
    assert [match.opponent for match in given.state.matches] == list(given.state.ended.order)


def test_without_anything_to_upgrade_nothing_is_offered() -> None:
    """A deck at its top level: the next match may come, and the last win ends the run at once."""
    given = Given()
    top = tuple(replace(one, stone=STONES["R5"]) for one in given.state.collection.owned)
    given.state = replace(given.state, collection=replace(given.state.collection, owned=top))
    assert [type(event) for event in given.match(won=True)][1:] == [kinds.StoneWon]
    assert given.state.phase == "growing"

    given.state = replace(given.state, wins=19, grown=19, opponent=24)
    decided = [type(event) for event in given.match(won=True)]
    assert decided == [kinds.RunMatchEnded, kinds.StoneWon, kinds.RunEnded]


def test_nothing_of_a_running_run_tells_the_order_or_the_seed() -> None:
    """Events, the view and every print of the state name the next opponent and no other."""
    given = Given()
    for _ in range(3):
        given.win()
    order = order_of(given.state)
    shown = [msgspec.json.encode(event) for event in given.events]
    shown += [msgspec.json.encode(run_view(given.state)), repr(given.state).encode()]
    named = [e.opponent for e in given.events if isinstance(e, kinds.RunStarted)]
    named += [e.next_opponent for e in given.events if isinstance(e, kinds.RunMatchEnded)]
    assert tuple(named) == order[:4]
    for text in shown:
        assert SEED.hex().encode() not in text
        assert SEED not in text
        assert msgspec.json.encode(order[4:8])[1:-1] not in text


def test_an_abandoned_match_is_a_lost_one(table: Desk) -> None:
    """The computer agrees to stop, and nobody has won: the run is over."""
    season = SoloSeason(table, 3, lost=0)
    _, run = season.begin("easy")
    season.step(season.state(run))
    running = season.state(run).running
    assert running is not None
    offered = season.handler.handle(
        running.match, MakeOffer("abandon", "A"), actor=ANN, command_id=None, received_at=1
    )
    assert isinstance(offered, Done)
    assert offered.state.ended is not None
    season.settle()
    ended = season.state(run).ended
    assert ended is not None
    assert (ended.how, season.state(run).matches[0].how) == ("lost", "abandoned")


def test_a_result_counted_twice_is_recorded_once(table: Desk) -> None:
    """The command id is the match: a doubled or late step finds the first answer, or nothing."""
    season = SoloSeason(table, 3, lost=0)
    _, run = season.begin("easy")
    season.step(season.state(run))
    running = season.state(run).running
    assert running is not None
    early = season.campaigns.count(running.match, 1)
    season.resigns(run)
    first = season.campaigns.count(running.match, 1)
    again = season.campaigns.count(running.match, 1)
    assert isinstance(early, Refusal)
    assert isinstance(first, Kept)
    assert isinstance(again, Refusal)
    assert (early.code, again.code) == ("not-waiting", "not-waiting")
    kinds_of_run = [event.kind for event in table.log.read(run_stream(run))]
    assert kinds_of_run.count("run.match_ended.1") == 1


def test_a_step_that_broke_off_half_way_is_finished(
    table: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run has the result, the match does not know it yet: the row stands, the step again."""
    season = SoloSeason(table, 3, lost=0)
    _, run = season.begin("easy")
    season.step(season.state(run))
    running = season.state(run).running
    assert running is not None
    season.resigns(run)
    with monkeypatch.context() as patched:
        patched.setattr(season.handler, "handle", lambda *_, **__: None)
        season.campaigns.count(running.match, 1)
    assert season.state(run).ended is not None
    assert "run_step" in table.log.rows("work_due", f"match/{running.match}")
    season.settle()
    assert table.log.rows("work_due", f"match/{running.match}") == {}


def test_no_match_seed_opens_the_run(table: Desk) -> None:
    """Each match has a seed of its own; the run's is nowhere before its end."""
    season = SoloSeason(table, 6, lost=0)
    _, run = season.begin("easy")
    season.step(season.state(run))
    season.fights(season.state(run))
    secret = season.state(run).secret
    assert secret is not None
    for recorded in whole_log(table.log):
        event = decode(recorded.kind, recorded.data)
        if isinstance(event, kinds.MatchEnded):
            assert event.server_seed not in ("", secret.seed.hex())
        assert secret.seed.hex().encode() not in recorded.data
