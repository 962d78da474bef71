"""How a match follows from its events, one pure step a kind."""

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from events import event_kinds as kinds
from events.codec import DamagedEvent, decode
from events.recorded import Foldable
from services.games.contract import BadText, Game, Seat
from services.match import shuffle
from services.match.state import Holder, MatchState, Offer, Ply, Round, position_at


def fold(state: MatchState, events: Iterable[Foldable]) -> MatchState:
    """The match after more stored events.

    ``events.codec.UnknownKind`` on kinds of the future, ``DamagedEvent`` on what nobody recorded.
    """
    for recorded in events:
        try:
            state = evolve(state, decode(recorded.kind, recorded.data), recorded.received_at)
        except (DamagedEvent, BadText) as error:
            why = error.why if isinstance(error, DamagedEvent) else str(error)
            place = f"event {state.version + 1} of {state.match}"
            raise DamagedEvent(recorded.kind, why, place) from error
    return state


def evolve(state: MatchState, event: kinds.Event, received_at: int = 0) -> MatchState:
    """The match after one more event; ``received_at`` (µs) is the envelope's."""
    after: MatchState = _STEPS[type(event)](state, event, received_at)
    return after


def _created(state: MatchState, event: kinds.MatchCreated, received_at: int) -> MatchState:
    game, ruleset = _game_of(state, event)
    return replace(
        state,
        version=state.version + 1,
        status="open",
        game=game,
        ruleset=ruleset,
        terms=game.rules.terms(ruleset),
        host=event.host,
        visibility=event.visibility,
        rated=event.rated,
        per_move_s=event.per_move_s,
        seats=(None,) * event.seats,
        seed_commit=event.seed_commit,
        turn_since=received_at,
    )


def _imported(state: MatchState, event: kinds.MatchImported, received_at: int) -> MatchState:
    game, ruleset = _game_of(state, event)
    start = (
        game.notation.parse_position(event.start) if event.start else game.rules.setup(ruleset, {})
    )
    return replace(
        state,
        version=state.version + 1,
        status="running",
        game=game,
        ruleset=ruleset,
        terms=game.rules.terms(ruleset),
        visibility="public",
        imported=True,
        seats=(None,) * event.seats,
        start=start,
        start_version=state.version + 1,
        position=start,
        base=(0, start),
        turn_since=received_at,
    )


def _game_of(
    state: MatchState, event: kinds.MatchCreated | kinds.MatchImported
) -> tuple[Game, Any]:
    game = state.games.game(event.game, event.rules_version)
    return game, game.rules.ruleset(event.ruleset)


def _seat_taken(state: MatchState, event: kinds.SeatTaken, _received_at: int) -> MatchState:
    holder = Holder(player=event.player, level=event.level, adaptive=event.adaptive)
    return _with_holder(state, event.seat, holder)


def _seat_left(state: MatchState, event: kinds.SeatLeft, _received_at: int) -> MatchState:
    return _with_holder(state, event.seat, None)


def _with_holder(state: MatchState, seat: Seat, holder: Holder | None) -> MatchState:
    index = ord(seat) - ord("A")
    seats = (*state.seats[:index], holder, *state.seats[index + 1 :])
    return replace(state, version=state.version + 1, seats=seats)


def _entropy_given(state: MatchState, event: kinds.EntropyGiven, _received_at: int) -> MatchState:
    entropy = {**state.entropy, event.seat: event.entropy}
    return replace(state, version=state.version + 1, entropy=entropy)


def _entry_sealed(state: MatchState, event: kinds.EntrySealed, _received_at: int) -> MatchState:
    sealed = {**state.sealed, event.seat: event.commit}
    return replace(state, version=state.version + 1, sealed=sealed)


def _entries_opened(state: MatchState, event: kinds.EntriesOpened, _received_at: int) -> MatchState:
    return replace(state, version=state.version + 1, entries=event.entries)


def _started(state: MatchState, event: kinds.MatchStarted, received_at: int) -> MatchState:
    start = state.the_game.rules.setup(state.ruleset, state.entries)
    seats = tuple(
        replace(holder, level=event.levels[seat]) if holder and seat in event.levels else holder
        for seat, holder in zip(state.seat_names(), state.seats, strict=True)
    )
    return replace(
        state,
        version=state.version + 1,
        status="running",
        seats=seats,
        start=start,
        start_version=state.version + 1,
        position=start,
        base=(0, start),
        turn_since=received_at,
    )


def _dealt(state: MatchState, event: kinds.Dealt, received_at: int) -> MatchState:
    rules = state.the_game.rules
    if state.secret is None:
        step = rules.deal(state.position, None, event.facts)
    else:
        step = rules.deal(state.position, shuffle.Stream(state.round_key(event.number)))
    dealt = Round(
        version=state.version + 1,
        turn=event.turn,
        number=event.number,
        commit=event.round_commit,
        facts=event.facts,
    )
    return replace(
        state,
        version=state.version + 1,
        turn=event.turn,
        position=step.position,
        base=(event.turn, step.position),
        rounds=(*state.rounds, dealt),
        offers=(),
        asked=(),
        turn_since=received_at,
    )


def _round_ended(state: MatchState, event: kinds.RoundEnded, _received_at: int) -> MatchState:
    rounds = tuple(
        replace(known, key=event.round_key) if known.number == event.number else known
        for known in state.rounds
    )
    return replace(state, version=state.version + 1, rounds=rounds)


def _move_played(state: MatchState, event: kinds.MovePlayed, received_at: int) -> MatchState:
    step = state.the_game.rules.apply(state.position, event.move, event.facts)
    ply = Ply(
        version=state.version + 1,
        turn=event.turn,
        seat=event.seat,
        move=event.move,
        facts=event.facts,
        thought=event.thought,
        position=step.position,
    )
    return replace(
        state,
        version=state.version + 1,
        turn=event.turn,
        position=step.position,
        line=(*state.line, ply),
        offers=(),
        asked=(),
        turn_since=received_at,
    )


def _withdrawn(
    state: MatchState, event: kinds.SeatResigned | kinds.SeatTimedOut, received_at: int
) -> MatchState:
    step = state.the_game.rules.withdraw(state.position, event.seat, event.facts)
    return replace(
        state,
        version=state.version + 1,
        turn=event.turn,
        position=step.position,
        base=(event.turn, step.position),
        out=(*state.out, event.seat),
        offers=(),
        asked=(),
        turn_since=received_at,
    )


def _offer_made(state: MatchState, event: kinds.OfferMade, _received_at: int) -> MatchState:
    offer = Offer(event.offer, event.seat, event.to_turn, (event.seat,))
    return replace(
        state,
        version=state.version + 1,
        offers=(*state.offers, offer),
        asked=(*state.asked, (event.offer, event.seat)),
    )


def _offer_answered(state: MatchState, event: kinds.OfferAnswered, _received_at: int) -> MatchState:
    kept = tuple(
        replace(offer, agreed=(*offer.agreed, event.seat)) if offer.offer == event.offer else offer
        for offer in state.offers
        if event.yes or offer.offer != event.offer
    )
    return replace(state, version=state.version + 1, offers=kept)


def _taken_back(state: MatchState, event: kinds.TakenBack, received_at: int) -> MatchState:
    return replace(
        state,
        version=state.version + 1,
        turn=event.turn,
        position=position_at(state, event.to_turn),
        line=tuple(ply for ply in state.line if ply.turn <= event.to_turn),
        offers=(),
        asked=(),
        turn_since=received_at,
    )


def _ended(state: MatchState, event: kinds.MatchEnded, _received_at: int) -> MatchState:
    return replace(
        state, version=state.version + 1, status="ended", offers=(), asked=(), ended=event
    )


def _counted(state: MatchState, _event: kinds.MatchCounted, _received_at: int) -> MatchState:
    return replace(state, version=state.version + 1, is_counted=True)


_STEPS: dict[type[kinds.Event], Any] = {
    kinds.MatchCreated: _created,
    kinds.MatchImported: _imported,
    kinds.SeatTaken: _seat_taken,
    kinds.SeatLeft: _seat_left,
    kinds.EntropyGiven: _entropy_given,
    kinds.EntrySealed: _entry_sealed,
    kinds.EntriesOpened: _entries_opened,
    kinds.MatchStarted: _started,
    kinds.Dealt: _dealt,
    kinds.RoundEnded: _round_ended,
    kinds.MovePlayed: _move_played,
    kinds.SeatResigned: _withdrawn,
    kinds.SeatTimedOut: _withdrawn,
    kinds.OfferMade: _offer_made,
    kinds.OfferAnswered: _offer_answered,
    kinds.TakenBack: _taken_back,
    kinds.MatchEnded: _ended,
    kinds.MatchCounted: _counted,
}
