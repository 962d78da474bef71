"""A run audited: every draw is drawn again from its seed, every growth follows from the sheet."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from events import event_kinds as kinds
from events.codec import decode, encode
from events.event_kinds import Event
from events.heads import KeptHead
from events.log import whole_log
from events.recorded import Recorded
from services.campaigns import commands as cmd
from services.campaigns.handler import Kept, campaign_stream, run_stream
from services.levels import Levels
from services.proofs.audit_beside import audit_beside
from services.proofs.audit_run import audit_campaign, audit_run
from services.proofs.report import CHAIN_ONLY, PROVED
from tests.kit.desk import desk
from tests.proofs.stories import rehashed
from tests.simulation.solo import PLAYER, SoloSeason

Streams = dict[str, list[Recorded]]
Change = Callable[[Any], Event]


class Told:
    """A run of three wins and a loss, settled; and how it stood after two wins."""

    def __init__(self, folder: Path) -> None:
        with desk(folder, levels=Levels.load()) as table:
            season = SoloSeason(table, 4, lost=0)
            self.campaign, self.run = season.begin("hard")
            self.half: Streams = {}
            while (state := season.state(self.run)).wins < 3:
                if state.wins == 2 and not self.half and state.phase == "ready":
                    self.half = streams_of(table.log)
                season.step(state)
            while season.state(self.run).phase != "fighting":
                season.step(season.state(self.run))
            season.resigns(self.run)
            season.settle()
            (kept, *_) = season.state(self.run).collection.owned[8:]
            closed = season.campaigns.keep(
                self.campaign,
                cmd.KeepStone(1, kept.number),
                actor=PLAYER,
                command_id=None,
                received_at=season.now,
            )
            assert isinstance(closed, Kept)
            self.whole = streams_of(table.log)
            assert [r.verdict for r in audit_beside(table.log)] == [PROVED, PROVED]


def streams_of(log: Any) -> Streams:
    """Everything a log holds, by stream."""
    streams: Streams = {}
    for recorded in whole_log(log):
        streams.setdefault(recorded.stream, []).append(recorded)
    return streams


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Told:
    """One run for all tests here."""
    return Told(tmp_path_factory.mktemp("run"))


def reading(streams: Streams) -> Callable[[str], Sequence[Recorded]]:
    """A log that is a dict."""
    return lambda stream: streams.get(stream, [])


def forged(streams: Streams, stream: str, kind: type[Event], change: Change) -> tuple[Streams, int]:
    """The streams with the first event of a kind changed and every hash made anew; its version."""
    events = list(streams[stream])
    at = next(n for n, event in enumerate(events) if event.kind == kind.kind)
    new = encode(change(decode(events[at].kind, events[at].data)))
    events[at] = replace(events[at], data=new.data)
    return {**streams, stream: rehashed(events)}, at + 1


def other_draw(event: Any) -> Any:
    """Another place of the list drawn."""
    place = (event.draw.drawn[0] + 1) % len(event.draw.items)
    return replace(event, draw=replace(event.draw, drawn=(place, *event.draw.drawn[1:])))


def other_weight(event: Any) -> Any:
    """A list that makes one stone likelier."""
    (item, weight), *rest = event.draw.items
    return replace(event, draw=replace(event.draw, items=((item, weight + 1), *rest)))


FORGERIES: dict[str, tuple[type[Event], Change]] = {
    "another first opponent": (
        kinds.RunStarted,
        lambda e: replace(e, opponent=e.opponent % 23 + 1),
    ),
    "a stone more at the start": (
        kinds.RunStarted,
        lambda e: replace(e, stones=(*e.stones, kinds.OwnedStone(99, "Q4"))),
    ),
    "another commitment": (kinds.RunStarted, lambda e: replace(e, seed_commit="00" * 32)),
    "a weaker opponent": (kinds.RunMatchOpened, lambda e: replace(e, level=1)),
    "a win told as a loss": (kinds.RunMatchEnded, lambda e: replace(e, won=False)),
    "another next opponent": (
        kinds.RunMatchEnded,
        lambda e: replace(e, next_opponent=e.next_opponent % 23 + 1),
    ),
    "another stone drawn": (kinds.StoneWon, other_draw),
    "another chance of a stone": (kinds.StoneWon, other_weight),
    "another level of a stone": (
        kinds.StoneWon,
        lambda e: replace(e, stone=replace(e.stone, stone="Q4")),
    ),
    "other slots offered": (
        kinds.UpgradeOffered,
        lambda e: replace(e, slots=tuple(reversed(e.slots))),
    ),
    "a better upgrade": (
        kinds.UpgradeChosen,
        lambda e: replace(e, stone=replace(e.stone, stone="Q4")),
    ),
    "a deck that did not grow": (kinds.OpponentsGrew, lambda e: replace(e, raised=e.raised[1:])),
    "a deck that grew twice": (
        kinds.OpponentsGrew,
        lambda e: replace(e, raised=(*e.raised, e.raised[0])),
    ),
    "growth for no reason": (kinds.OpponentsGrew, lambda e: replace(e, match="m-another")),
    "another order": (kinds.RunEnded, lambda e: replace(e, order=tuple(reversed(e.order)))),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_event_is_named_even_with_every_hash_made_anew(told: Told, name: str) -> None:
    """Whoever can rewrite the log cannot rewrite the sheet or the seed."""
    kind, change = FORGERIES[name]
    streams, version = forged(told.whole, run_stream(told.run), kind, change)
    report = audit_run(told.run, reading(streams))
    assert report.verdict == f"differs at event {version}"
    assert report.differences[0].what.startswith(kind.kind)


def test_another_seed_is_noticed(told: Told) -> None:
    """The seed has to open the commitment of the first event."""
    streams, _ = forged(
        told.whole,
        run_stream(told.run),
        kinds.RunEnded,
        lambda e: replace(e, server_seed="ab" * 32),
    )
    report = audit_run(told.run, reading(streams))
    assert report.verdict == "differs at event 1"


def test_a_match_with_other_decks_or_another_end_is_noticed(told: Told) -> None:
    """The run and its matches bear each other out."""
    match = next(stream for stream in told.whole if stream.startswith("match/"))
    for kind, change in (
        (kinds.MatchCreated, lambda e: replace(e, ruleset={**e.ruleset, "first": "r"})),
        (kinds.MatchEnded, lambda e: replace(e, winners=("B",))),
    ):
        streams, _ = forged(told.whole, match, kind, change)
        assert not audit_run(told.run, reading(streams)).is_good


def test_a_run_that_is_still_played_is_checked_as_far_as_its_draws(told: Told) -> None:
    """Growth and decks can be judged at once; the rest waits for the seed."""
    assert audit_run(told.run, reading(told.half)).verdict == CHAIN_ONLY
    streams, version = forged(
        told.half,
        run_stream(told.run),
        kinds.OpponentsGrew,
        lambda e: replace(e, raised=e.raised[1:]),
    )
    report = audit_run(told.run, reading(streams))
    assert report.verdict == f"differs at event {version}"


def test_a_campaign_keeps_only_what_its_run_gained(told: Told) -> None:
    """The settlement is made again from the run."""
    stream = campaign_stream(told.campaign)
    assert audit_campaign(told.campaign, reading(told.whole)).verdict == PROVED
    for change in (
        lambda e: replace(e, kept=0),
        lambda e: replace(e, kept=77),
        lambda e: replace(e, deck=tuple(reversed(e.deck))),
        lambda e: replace(e, wins=20),
    ):
        streams, version = forged(told.whole, stream, kinds.RunClosed, change)
        report = audit_campaign(told.campaign, reading(streams))
        assert report.verdict == f"differs at event {version}"


def test_a_run_that_was_cut_short_shows_against_a_kept_head(tmp_path: Path) -> None:
    """A chain cannot tell that its tail is gone; a head that left the database can."""
    with desk(tmp_path, levels=Levels.load()) as table:
        season = SoloSeason(table, 4, lost=0)
        _, run = season.begin("easy")
        stream = run_stream(run)
        head = table.log.head(stream)
        good = KeptHead(stream, head.version, head.hash.hex())
        gone = KeptHead(run_stream("r-gone"), 3, head.hash.hex())
        longer = KeptHead(stream, head.version + 1, head.hash.hex())
        assert all(report.is_good for report in audit_beside(table.log, [good]))
        bad = {r.match for r in audit_beside(table.log, [good, gone, longer]) if not r.is_good}
        assert bad == {"r-gone", run}


def test_bytes_that_cannot_be_read_are_a_difference_and_no_crash(told: Told) -> None:
    """An audit takes any bytes."""
    stream = run_stream(told.run)
    events = [*told.whole[stream]]
    events[3] = replace(events[3], data=b'{"deck":7}')
    report = audit_run(told.run, reading({**told.whole, stream: rehashed(events)}))
    assert report.differences
