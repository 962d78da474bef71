"""One decision: a match as it is, a command, who asks, and when; events or a refusal come out.

Pure. Everybody comes through here alike: people, bots, mail, the server's own workers. The
rules of the game judge the moves; this module judges whose they are and whether they are due.
"""

from collections.abc import Callable
from typing import Any

from events import event_kinds as kinds
from events.event_kinds import Event
from services.games.contract import BadText, Seat
from services.games.registry import UnknownGame
from services.match import clock, imports, offers, shuffle
from services.match import commands as cmd
from services.match.refusals import Refusal
from services.match.results import ending, result_by_rules
from services.match.state import MatchState, evolve

Decision = tuple[Event, ...] | Refusal

SERVER = "server"
"""The actor of everything the service does by itself (time calls, clean-up)."""


def decide(state: MatchState, command: cmd.MatchCommand, actor: str, received_at: int) -> Decision:
    """The events this command leads to, or why it changes nothing.

    ``actor`` is ``player:<id>``, ``computer:<seat>``, ``server`` or ``file``; ``received_at``
    (µs) is when the command reached the edge.
    """
    decider: Callable[[MatchState, Any, str, int], Decision] = _DECIDERS[type(command)]
    return decider(state, command, actor, received_at)


def _create(state: MatchState, command: cmd.CreateMatch, actor: str, _at: int) -> Decision:
    if state.status != "none":
        return Refusal("match-exists", f"Match {state.match} exists already.")
    if state.secret is None:
        raise ValueError("a match is created with its secret seed in hand")
    try:
        game = state.games.game(command.game)
        ruleset = game.rules.ruleset(command.ruleset)
    except UnknownGame as error:
        return Refusal("no-such-game", str(error), {"games": state.games.slugs()})
    except BadText as error:
        return Refusal("bad-ruleset", str(error))
    terms = game.rules.terms(ruleset)
    return (
        kinds.MatchCreated(
            game=command.game,
            rules_version=game.rules.version,
            ruleset=game.rules.ruleset_data(ruleset),
            seats=terms.seats,
            seed_commit=shuffle.seed_commit(state.secret.seed).hex(),
            host=actor,
            visibility=command.visibility,
            rated=command.rated,
            per_move_s=command.per_move_s,
        ),
    )


def _import(state: MatchState, command: cmd.ImportMatch, _actor: str, _at: int) -> Decision:
    if state.status != "none":
        return Refusal("already-here", f"This record is already here as match {state.match}.")
    return imports.events_of(state, command)


def _take_seat(state: MatchState, command: cmd.TakeSeat, actor: str, _at: int) -> Decision:
    if refusal := _unless_open(state):
        return refusal
    seat = command.seat or _first_free(state)
    if seat is None:
        return Refusal("match-full", "Every seat of this match is taken.")
    if seat not in state.seat_names():
        return _no_such_seat(state, seat)
    if state.holder(seat) is not None:
        return Refusal("seat-taken", f"Seat {seat} is taken.", {"free": _free(state)})
    if command.level:
        if actor != state.host:
            return Refusal("not-the-host", "Only the host of the match seats computers.")
        return (kinds.SeatTaken(seat=seat, level=command.level),)
    player = actor.removeprefix("player:")
    if player == actor or command.player not in ("", player):
        return Refusal("not-yourself", "A player can take a seat only for themselves.")
    return (kinds.SeatTaken(seat=seat, player=player),)


def _leave_seat(state: MatchState, command: cmd.LeaveSeat, actor: str, _at: int) -> Decision:
    if refusal := _unless_open(state):
        return refusal
    if state.holder(command.seat) is None:
        return Refusal("seat-free", f"Nobody sits at {command.seat}.")
    if actor != state.host and not _holds(state, command.seat, actor):
        return _not_your_seat(command.seat)
    return (kinds.SeatLeft(seat=command.seat),)


def _start(state: MatchState, _command: cmd.StartMatch, actor: str, _at: int) -> Decision:
    if refusal := _unless_open(state):
        return refusal
    if actor != state.host and not any(_holds(state, s, actor) for s in state.seat_names()):
        return Refusal("not-at-the-table", "Only the host or a seated player starts the match.")
    if free := _free(state):
        return Refusal("seats-free", f"Seats {', '.join(free)} are still free.", {"free": free})
    return (kinds.MatchStarted(),)


def _cancel(state: MatchState, _command: cmd.CancelMatch, actor: str, _at: int) -> Decision:
    if refusal := _unless_open(state):
        return refusal
    if actor != state.host:
        return Refusal("not-the-host", "Only the host of the match calls it off.")
    return (ending(state, "cancelled", {}, ()),)


def _play(state: MatchState, command: cmd.PlayMove, actor: str, received_at: int) -> Decision:
    if refusal := _unless_running(state) or _unless_seated(state, command.seat, actor):
        return refusal
    if command.expected_turn != state.turn:
        return Refusal(
            "stale-turn",
            f"The match is at turn {state.turn}, the move was made for {command.expected_turn}.",
            {"turn": state.turn},
        )
    to_move = state.to_move()
    if command.seat != to_move:
        return Refusal("not-your-turn", f"It is the turn of seat {to_move}.", {"to_move": to_move})
    if clock.has_fallen(state, received_at):
        return Refusal("time-over", "The time for this move is over.")
    return _judged_move(state, command)


def _judged_move(state: MatchState, command: cmd.PlayMove) -> Decision:
    game = state.the_game
    if objection := game.rules.objection(state.position, command.move):
        return Refusal(objection.code, objection.sentence, {"move": command.move})
    move = game.notation.canonical(state.position, command.move)
    step = game.rules.apply(state.position, move)
    played = kinds.MovePlayed(
        turn=state.turn + 1,
        seat=command.seat,
        move=move,
        facts=step.facts,
        thought=command.thought,
    )
    return _with_result(state, played, "points")


def _resign(state: MatchState, command: cmd.Resign, actor: str, _at: int) -> Decision:
    if refusal := _unless_running(state) or _unless_seated(state, command.seat, actor):
        return refusal
    if command.seat in state.out:
        return Refusal("seat-out", f"Seat {command.seat} is out already.")
    step = state.the_game.rules.withdraw(state.position, command.seat)
    resigned = kinds.SeatResigned(turn=state.turn + 1, seat=command.seat, facts=step.facts)
    return _with_result(state, resigned, "resign")


def _call_time(state: MatchState, command: cmd.CallTime, _actor: str, received_at: int) -> Decision:
    if refusal := _unless_running(state):
        return refusal
    if command.seat != state.to_move() or not clock.has_fallen(state, received_at):
        return Refusal("time-not-over", f"The time of seat {command.seat} is not over.")
    step = state.the_game.rules.withdraw(state.position, command.seat)
    timed_out = kinds.SeatTimedOut(turn=state.turn + 1, seat=command.seat, facts=step.facts)
    return _with_result(state, timed_out, "time")


def _with_result(state: MatchState, event: Event, how: str) -> tuple[Event, ...]:
    """The event, and the end of the match if the rules say that it brought it."""
    after = evolve(state, event)
    return (event, result_by_rules(after, how)) if after.over() else (event,)


def _offer(state: MatchState, command: cmd.MakeOffer, actor: str, _at: int) -> Decision:
    if refusal := _unless_running(state) or _unless_seated(state, command.seat, actor):
        return refusal
    return offers.make(state, command)


def _answer(state: MatchState, command: cmd.AnswerOffer, actor: str, _at: int) -> Decision:
    if refusal := _unless_running(state) or _unless_seated(state, command.seat, actor):
        return refusal
    return offers.answer(state, command)


def _unless_open(state: MatchState) -> Refusal | None:
    if state.status == "open":
        return None
    return Refusal("not-open", "Seats can change only before the start of a match.")


def _unless_running(state: MatchState) -> Refusal | None:
    if state.status == "running":
        return None
    if state.status == "ended":
        return Refusal("match-over", "The match is over.")
    return Refusal("not-started", "The match has not started yet.", {"free": _free(state)})


def _unless_seated(state: MatchState, seat: Seat, actor: str) -> Refusal | None:
    if seat not in state.seat_names():
        return _no_such_seat(state, seat)
    return None if _holds(state, seat, actor) else _not_your_seat(seat)


def _holds(state: MatchState, seat: Seat, actor: str) -> bool:
    holder = state.holder(seat)
    if holder is None:
        return False
    return actor == (f"computer:{seat}" if holder.level else f"player:{holder.player}")


def _not_your_seat(seat: Seat) -> Refusal:
    return Refusal("not-your-seat", f"Seat {seat} is not yours.")


def _no_such_seat(state: MatchState, seat: Seat) -> Refusal:
    seats = state.seat_names()
    return Refusal("no-such-seat", f"This match has no seat {seat}.", {"seats": seats})


def _free(state: MatchState) -> tuple[Seat, ...]:
    return tuple(seat for seat in state.seat_names() if state.holder(seat) is None)


def _first_free(state: MatchState) -> Seat | None:
    return next(iter(_free(state)), None)


_DECIDERS: dict[type[Any], Callable[[MatchState, Any, str, int], Decision]] = {
    cmd.CreateMatch: _create,
    cmd.ImportMatch: _import,
    cmd.TakeSeat: _take_seat,
    cmd.LeaveSeat: _leave_seat,
    cmd.StartMatch: _start,
    cmd.CancelMatch: _cancel,
    cmd.PlayMove: _play,
    cmd.Resign: _resign,
    cmd.CallTime: _call_time,
    cmd.MakeOffer: _offer,
    cmd.AnswerOffer: _answer,
}
