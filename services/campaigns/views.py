"""What anybody may see of a campaign and of a run: plain data, ready for JSON.

Nothing of a run's seed or of the opponents to come is in it before the run has ended.
"""

import msgspec

from services.campaigns.campaign import CampaignState, ClosedRun
from services.campaigns.run_state import Phase, RunMatch, RunState
from services.games.caltrop.collection import Collection, Owned, gained
from services.games.caltrop.growth import Difficulty
from services.games.caltrop.rewards import MATCHES, places_first
from services.games.caltrop.stones import Stone

Cards = tuple[Difficulty, ...]
"""The difficulties, easiest first; ``look_ahead`` 0 is as far as they can."""


class StoneView(msgspec.Struct, frozen=True):
    """A stone owned: its number, its text, its spikes front, right, back, left; 0: no slot."""

    number: int
    stone: str
    sides: tuple[int, int, int, int]
    slot: int
    source: int


class OpponentView(msgspec.Struct, frozen=True):
    """Who comes next, with the levels of now; ``first`` says whether they place first."""

    number: int
    name: str
    deck: tuple[str, ...]
    first: bool


class MetView(msgspec.Struct, frozen=True):
    """An opponent of the run's matches so far, with the levels of now."""

    number: int
    name: str
    deck: tuple[str, ...]


class UpgradeView(msgspec.Struct, frozen=True):
    """An upgrade on offer: the slot, the stone in it, and what it becomes."""

    slot: int
    stone: str
    becomes: str


class CampaignView(msgspec.Struct, frozen=True):
    """A campaign: what is owned for good, the runs that are over, and the one of now.

    ``run`` is empty before it has begun; ``may_keep`` lists the numbers of the stones of a
    finished run of which one may be kept.
    """

    campaign: str
    player: str
    difficulty: Difficulty
    stones: tuple[StoneView, ...]
    closed: tuple[ClosedRun, ...]
    next_run: int
    run: str
    phase: str
    may_keep: tuple[int, ...]


class RunView(msgspec.Struct, frozen=True):
    """A run as anybody may see it.

    ``phase`` says what it waits for: ``ready`` (fight, or change stones), ``fighting`` (the
    match ``match``), ``growing`` (the opponents gain levels), ``upgrade`` (choose one) or
    ``ended``. ``strongest`` is the deck with the most spikes, as numbers by slot; ``met`` are
    the opponents of ``matches``, in the same order. ``order`` and ``server_seed`` are empty
    until the end.
    """

    run: str
    campaign: str
    number: int
    player: str
    difficulty: Difficulty
    phase: Phase
    wins: int
    matches_in_all: int
    next_match: int
    opponent: OpponentView | None
    match: str
    stones: tuple[StoneView, ...]
    strongest: tuple[int, ...]
    gained: tuple[int, ...]
    offer: tuple[UpgradeView, ...]
    matches: tuple[RunMatch, ...]
    met: tuple[MetView, ...]
    how: str
    order: tuple[int, ...]
    seed_commit: str
    server_seed: str


def campaign_view(state: CampaignState, run: RunState | None) -> CampaignView:
    """The campaign and its run of now, if it has begun."""
    over = run is not None and run.ended is not None
    return CampaignView(
        campaign=state.campaign,
        player=state.player,
        difficulty=state.the_rules.difficulty,
        stones=_stones(state.collection),
        closed=state.closed,
        next_run=state.next_run,
        run=run.run if run else "",
        phase=run.phase if run else "",
        may_keep=_gained(run) if run and over else (),
    )


def run_view(state: RunState) -> RunView:
    """The run as it is now."""
    ended, running = state.ended, state.running
    return RunView(
        run=state.run,
        campaign=state.campaign,
        number=state.number,
        player=state.player,
        difficulty=state.the_rules.difficulty,
        phase=state.phase,
        wins=state.wins,
        matches_in_all=MATCHES,
        next_match=state.next_match,
        opponent=_opponent(state),
        match=running.match if running else "",
        stones=_stones(state.collection),
        strongest=state.collection.strongest(),
        gained=_gained(state),
        offer=_offer(state),
        matches=state.matches,
        met=tuple(_met(state, match.opponent) for match in state.matches),
        how=ended.how if ended else "",
        order=ended.order if ended else (),
        seed_commit=state.seed_commit,
        server_seed=ended.server_seed if ended else "",
    )


def _opponent(state: RunState) -> OpponentView | None:
    """The next opponent; the levels are those of the match only once they have grown."""
    if not state.opponent:
        return None
    one = state.the_rules.opponent(state.opponent)
    deck = tuple(stone.text for stone in state.decks[one.number])
    return OpponentView(one.number, one.name, deck, first=not places_first(state.next_match))


def _met(state: RunState, number: int) -> MetView:
    deck = tuple(stone.text for stone in state.decks[number])
    return MetView(number, state.the_rules.opponent(number).name, deck)


def _offer(state: RunState) -> tuple[UpgradeView, ...]:
    deck: tuple[Stone, ...] = state.collection.stones
    return tuple(
        UpgradeView(slot, stone.text, stone.at(stone.level + 1).text)
        for slot in state.offer
        for stone in (deck[slot - 1],)
    )


def _gained(state: RunState) -> tuple[int, ...]:
    return tuple(one.number for one in gained(state.for_good, state.collection))


def _stones(collection: Collection) -> tuple[StoneView, ...]:
    """Every stone, in the order of acquisition."""
    slots = {number: slot for slot, number in enumerate(collection.deck, start=1)}
    return tuple(_stone(one, slots.get(one.number, 0)) for one in collection.owned)


def _stone(one: Owned, slot: int) -> StoneView:
    return StoneView(one.number, one.stone.text, one.stone.sides, slot, one.source)
