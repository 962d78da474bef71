"""Proposals by consent: draw, takeback, abandon.

A computer seat answers at once: draw no, abandon yes, takeback yes where one is allowed. Whoever
holds several seats answers for all of them. An offer lapses with the next turn, and a seat makes
each kind at most once a turn, so offers can neither be used to stall nor to flood the log.
"""

from events.event_kinds import Event, OfferAnswered, OfferMade, TakenBack
from services.games.contract import Seat
from services.match.commands import AnswerOffer, MakeOffer
from services.match.folding import evolve
from services.match.refusals import Refusal
from services.match.results import result_as_it_stands
from services.match.state import Holder, MatchState, Offer, position_at


def make(state: MatchState, command: MakeOffer) -> tuple[Event, ...] | Refusal:
    """The offer, the computers' answers to it, and what follows if all agree."""
    seat = command.seat
    if seat in state.out:
        return Refusal("seat-out", f"Seat {seat} is out and has no say any more.")
    if any(offer.offer == command.offer for offer in state.offers):
        return Refusal("offer-open", f"A {command.offer} offer is open already: answer it.")
    if (command.offer, seat) in state.asked:
        return Refusal("offer-repeated", f"Seat {seat} has offered this already at this turn.")
    to_turn = 0
    if command.offer == "takeback":
        target = _takeback_target(state, command)
        if isinstance(target, Refusal):
            return target
        to_turn = target
    made = OfferMade(offer=command.offer, seat=seat, to_turn=to_turn)
    return _with_consequences(state, (made, *_computer_answers(state, command)))


def answer(state: MatchState, command: AnswerOffer) -> tuple[Event, ...] | Refusal:
    """A seat's answer, and what follows if it was the last one needed."""
    offer = _open_offer(state, command.offer)
    if offer is None:
        return Refusal("no-such-offer", f"No {command.offer} offer is open.")
    if command.seat not in _with_a_say(state) or _has_agreed(state, offer, command.seat):
        return Refusal("not-asked", f"Seat {command.seat} has nothing to answer.")
    answered = OfferAnswered(offer=command.offer, seat=command.seat, yes=command.yes)
    return _with_consequences(state, (answered,))


def _with_consequences(state: MatchState, events: tuple[Event, ...]) -> tuple[Event, ...]:
    after = state
    for event in events:
        after = evolve(after, event)
    for offer in after.offers:
        if set(_holders(state, offer.agreed)) >= set(_holders(state, _with_a_say(state))):
            return (*events, _effect(after, offer))
    return events


def _effect(state: MatchState, offer: Offer) -> Event:
    if offer.offer == "takeback":
        return TakenBack(turn=state.turn + 1, to_turn=offer.to_turn)
    if offer.offer == "draw":
        return result_as_it_stands(state, "draw", _with_a_say(state))
    return result_as_it_stands(state, "abandoned", ())


def _computer_answers(state: MatchState, command: MakeOffer) -> tuple[OfferAnswered, ...]:
    yes = command.offer != "draw"
    answers = tuple(
        OfferAnswered(offer=command.offer, seat=seat, yes=yes)
        for seat in _with_a_say(state)
        if seat != command.seat and _is_computer(state, seat)
    )
    return answers if yes else answers[:1]


def _takeback_target(state: MatchState, command: MakeOffer) -> int | Refusal:
    if state.terms.hidden:
        return Refusal("takeback-hidden", "A game with hidden things has no takebacks.")
    if state.rated:
        return Refusal("takeback-rated", "A rated match has no takebacks.")
    if state.run:
        return Refusal("takeback-run", "A match of a run has no takebacks.")
    to_turn = command.to_turn
    if to_turn is None:
        to_turn = _before_last_move_of(state, command.seat)
    if to_turn is None or to_turn == _standing_turn(state):
        return Refusal("nothing-to-take-back", "There is no move to take back.")
    if position_at(state, to_turn) is None:
        turns = [state.base[0], *(ply.turn for ply in state.line if ply.turn > state.base[0])]
        return Refusal(
            "no-such-turn",
            f"The match cannot go back to turn {to_turn}.",
            {"turns": turns[:-1]},
        )
    return to_turn


def _standing_turn(state: MatchState) -> int:
    """The turn whose position stands now, as a takeback would name it."""
    last = state.line[-1].turn if state.line else 0
    return max(last, state.base[0])


def _before_last_move_of(state: MatchState, seat: Seat) -> int | None:
    """The turn before the seat's last move: a computer's answer to it goes as well."""
    before = None
    previous = state.base[0]
    for ply in state.line:
        if ply.turn <= state.base[0]:
            continue
        if ply.seat == seat:
            before = previous
        previous = ply.turn
    return before


def _open_offer(state: MatchState, kind: str) -> Offer | None:
    return next((offer for offer in state.offers if offer.offer == kind), None)


def _with_a_say(state: MatchState) -> tuple[Seat, ...]:
    return tuple(seat for seat in state.seat_names() if seat not in state.out)


def _has_agreed(state: MatchState, offer: Offer, seat: Seat) -> bool:
    return state.holder(seat) in _holders(state, offer.agreed)


def _holders(state: MatchState, seats: tuple[Seat, ...]) -> tuple[Holder | None, ...]:
    """Who speaks for these seats: a person once, however many of them they hold."""
    return tuple(state.holder(seat) for seat in seats)


def _is_computer(state: MatchState, seat: Seat) -> bool:
    holder = state.holder(seat)
    return holder is not None and holder.level > 0
