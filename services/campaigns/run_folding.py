"""How a run follows from its events, one pure step a kind."""

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from events import event_kinds as kinds
from events.codec import decode
from events.event_kinds import Event
from events.recorded import Foldable
from services.campaigns.records import collection_of
from services.campaigns.run_state import RunMatch, RunState
from services.campaigns.solo_rules import rules_of
from services.games.caltrop.collection import with_deck, with_new_stone, with_upgrade
from services.games.caltrop.decks import with_stone
from services.games.caltrop.stones import stone


def fold(state: RunState, events: Iterable[Foldable]) -> RunState:
    """The run after more stored events; ``events.codec.UnknownKind`` on kinds of the future."""
    for recorded in events:
        state = evolve(state, decode(recorded.kind, recorded.data), recorded.received_at)
    return state


def evolve(state: RunState, event: Event, received_at: int = 0) -> RunState:
    """The run after one more event; ``received_at`` (µs) is the envelope's."""
    after: RunState = _STEPS[type(event)](state, event, received_at)
    return replace(after, version=state.version + 1)


def _started(state: RunState, event: kinds.RunStarted, _at: int) -> RunState:
    rules = rules_of(event.rules)
    collection = collection_of(event.stones, event.deck, event.next_number)
    return replace(
        state,
        campaign=event.campaign,
        number=event.number,
        player=event.player,
        game=event.game,
        rules=rules,
        for_good=collection,
        collection=collection,
        seed_commit=event.seed_commit,
        opponent=event.opponent,
        decks={one.number: one.deck for one in rules.roster},
    )


def _deck_changed(state: RunState, event: kinds.DeckChanged, _at: int) -> RunState:
    return replace(state, collection=with_deck(state.collection, event.deck))


def _match_opened(state: RunState, event: kinds.RunMatchOpened, _at: int) -> RunState:
    opened = RunMatch(
        event.number,
        event.match,
        event.opponent,
        event.deck,
        event.against,
        event.first,
        event.level,
    )
    return replace(state, matches=(*state.matches, opened))


def _match_ended(state: RunState, event: kinds.RunMatchEnded, at: int) -> RunState:
    ended = replace(state.matches[-1], won=event.won, how=event.how)
    return replace(
        state,
        matches=(*state.matches[:-1], ended),
        wins=state.wins + event.won,
        opponent=event.next_opponent,
        since=at,
    )


def _stone_won(state: RunState, event: kinds.StoneWon, _at: int) -> RunState:
    collection, _ = with_new_stone(state.collection, stone(event.stone.stone))
    return replace(state, collection=collection)


def _upgrade_offered(state: RunState, event: kinds.UpgradeOffered, _at: int) -> RunState:
    return replace(state, offer=event.slots)


def _upgrade_chosen(state: RunState, event: kinds.UpgradeChosen, _at: int) -> RunState:
    return replace(state, collection=with_upgrade(state.collection, event.slot - 1), offer=())


def _opponents_grew(state: RunState, event: kinds.OpponentsGrew, _at: int) -> RunState:
    decks = dict(state.decks)
    for one in event.raised:
        decks[one.opponent] = with_stone(decks[one.opponent], one.slot - 1, stone(one.became))
    return replace(state, decks=decks, grown=event.number)


def _ended(state: RunState, event: kinds.RunEnded, _at: int) -> RunState:
    return replace(state, ended=event, opponent=0)


_STEPS: dict[type[Event], Any] = {
    kinds.RunStarted: _started,
    kinds.DeckChanged: _deck_changed,
    kinds.RunMatchOpened: _match_opened,
    kinds.RunMatchEnded: _match_ended,
    kinds.StoneWon: _stone_won,
    kinds.UpgradeOffered: _upgrade_offered,
    kinds.UpgradeChosen: _upgrade_chosen,
    kinds.OpponentsGrew: _opponents_grew,
    kinds.RunEnded: _ended,
}
