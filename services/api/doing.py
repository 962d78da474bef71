"""From a request to the one door and back: command ids, seats, and the answer."""

import msgspec
from litestar import Response
from msgspec.structs import replace

from events.log import CommandId, Namespace
from services.api.callers import Caller
from services.api.computer_turns import need_room
from services.api.messages import MatchAnswer, NewComputer, NewMatch
from services.api.problems import Problem, refused
from services.api.seen import Seen, answer_for, seats_of, see, seen_by
from services.games.contract import BadText, Seat
from services.games.registry import UnknownGame
from services.match.commands import (
    CreateMatch,
    GiveEntropy,
    MatchCommand,
    PlayMove,
    SealEntry,
    StartMatch,
    TakeSeat,
)
from services.match.handler import Answer, Done
from services.match.refusals import Refusal

REPLAYED_HEADER = "Idempotent-Replayed"


def outside(key: str | None) -> CommandId | None:
    """A caller's key as a command id, in the namespace that never meets our own."""
    return None if key is None else CommandId(Namespace.OUTSIDE, key)


def _part_of(key: str | None, part: str) -> CommandId | None:
    """The id of one part of a request that is made of several commands."""
    return None if key is None else CommandId(Namespace.INSIDE, f"{part} {key}")


def seat_for(seen: Seen, asked: Seat | None) -> Seat:
    """The seat a command is for: the one asked for, or the caller's only one.

    Several seats are never chosen from: the same request must always mean the same command.
    """
    if asked is not None:
        return asked
    if not seen.you:
        raise Problem(403, "not-your-seat", "You have no seat in this match.")
    if len(seen.you) > 1:
        sentence = "You have several seats: name one in the field 'seat'."
        raise Problem(400, "which-seat", sentence, {"field": "seat", "seats": seen.you})
    return seen.you[0]


def play(caller: Caller, seen: Seen, command: PlayMove) -> Done:
    """Play a move; against a computer only while the player's computers keep up."""
    if any(holder and holder.level for holder in seen.state.seats):
        need_room(caller)
    return do(caller, seen.state.match, command)


def give_entropy(caller: Caller, seen: Seen, seat: Seat, entropy: str, commit: str) -> Done:
    """A seat's share of the chance; the start follows if it was the last thing missing."""
    command = GiveEntropy(seat=seat, entropy=entropy, seed_commit=commit)
    return started_if_ready(caller, do(caller, seen.state.match, command))


def seal_entry(caller: Caller, seen: Seen, seat: Seat, text: str) -> Done:
    """A seat's entry; the start follows if it was the last thing missing."""
    return started_if_ready(caller, do(caller, seen.state.match, SealEntry(seat=seat, text=text)))


def do(caller: Caller, match: str, command: MatchCommand) -> Done:
    """Send a command through the door; a refusal leaves as a problem."""
    answer = _through_the_door(caller, match, command, outside(caller.key))
    if isinstance(answer, Refusal):
        raise _told(caller, match, answer)
    return answer


def _through_the_door(
    caller: Caller, match: str, command: MatchCommand, command_id: CommandId | None
) -> Answer:
    return caller.services.handler.handle(
        match,
        command,
        actor=caller.actor,
        command_id=command_id,
        received_at=caller.received_at,
    )


def answered(caller: Caller, done: Done) -> Response[MatchAnswer]:
    """201 with the match after the command."""
    seen = seen_by(caller, done.state, seats_of(done.state, caller))
    headers = {REPLAYED_HEADER: "true"} if done.repeated else {}
    return Response(answer_for(caller, seen, done.head), status_code=201, headers=headers)


def again(caller: Caller, seen: Seen) -> Response[MatchAnswer]:
    """201 with the match as it stands, for what has been handed in before."""
    headers = {REPLAYED_HEADER: "true"}
    return Response(answer_for(caller, seen), status_code=201, headers=headers)


def _told(caller: Caller, match: str, refusal: Refusal) -> Problem:
    """The refusal as a problem; whoever looked at an old position is shown the new one."""
    if refusal.code == "stale-turn":
        now = answer_for(caller, see(caller, match))
        refusal = replace(refusal, details={**refusal.details, "now": now})
    return refused(refusal)


def open_match(caller: Caller, data: NewMatch) -> Done:
    """Create a match, seat who is named, and start it if nothing is missing.

    Each part has its own command id, so a repeated request finishes a half-done one. The first
    part answers for the whole: its key means these seats as well.
    """
    _check_seats(caller, data)
    named = {seat: holder for seat, holder in data.seats.items() if holder != "open"}
    if any(isinstance(holder, NewComputer) for holder in data.seats.values()):
        need_room(caller)
    created = caller.services.handler.create(
        CreateMatch(
            game=data.game,
            ruleset=data.ruleset,
            visibility=data.visibility,
            rated=data.rated,
            per_move_s=data.per_move_s,
        ),
        actor=caller.actor,
        command_id=outside(caller.key),
        received_at=caller.received_at,
        request=msgspec.json.encode(named, order="deterministic"),
    )
    if isinstance(created, Refusal):
        raise refused(created)
    done = created
    for seat, holder in sorted(named.items()):
        command = TakeSeat(seat)
        if isinstance(holder, NewComputer):
            command = TakeSeat(seat, level=holder.level, adaptive=holder.adaptive)
        done = _seated(caller, created.match, command)
    return replace(started_if_ready(caller, done), repeated=created.repeated)


def _seated(caller: Caller, match: str, command: TakeSeat) -> Done:
    answer = _through_the_door(caller, match, command, _part_of(caller.key, f"seat {command.seat}"))
    if isinstance(answer, Refusal):
        raise refused(answer)
    return answer


def started_if_ready(caller: Caller, done: Done) -> Done:
    """Start an open match that waits for nobody; whoever came second finds it started."""
    if done.state.status != "open" or None in done.state.seats or done.state.still_asked():
        return done
    part = _part_of(caller.key, "start")
    answer = _through_the_door(caller, done.match, StartMatch(), part)
    return done if isinstance(answer, Refusal) else replace(answer, repeated=done.repeated)


def _check_seats(caller: Caller, data: NewMatch) -> None:
    """Refuse bad seats before anything is written."""
    try:
        game = caller.services.games.game(data.game)
        seats = game.rules.terms(game.rules.ruleset(data.ruleset)).seats
    except (UnknownGame, BadText):
        return  # the decider says it better
    names = tuple("ABCD"[:seats])
    for seat, holder in data.seats.items():
        if seat not in names:
            sentence = f"This match has no seat {seat}; its seats are {', '.join(names)}."
            raise Problem(400, "no-such-seat", sentence, {"seats": names})
        if isinstance(holder, NewComputer):
            _check_level(caller, data.game, holder)


def _check_level(caller: Caller, game: str, computer: NewComputer) -> None:
    """Refuse a level the game does not have."""
    levels = caller.services.levels
    known = levels.own(game) if computer.adaptive else levels.known(game)
    if computer.level not in known:
        to_adapt = " that a computer adapts from" if computer.adaptive else ""
        there_are = ", ".join(map(str, known))
        sentence = f"{game} has no level {computer.level}{to_adapt}; it has {there_are}."
        raise Problem(400, "no-such-level", sentence, {"levels": known})
