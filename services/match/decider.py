"""One decision: a match as it is, a command, who asks, and when; events or a refusal come out.

Pure. Everybody comes through here alike: people, bots, mail, the server's own workers. The
rules of the game judge the moves; this module judges whose they are and whether they are due.
"""

from collections.abc import Callable
from typing import Any

from events import event_kinds as kinds
from events.event_kinds import Event
from services.match import clock, offers, opening
from services.match import commands as cmd
from services.match.authority import unless_running, unless_seated
from services.match.consequences import with_consequences
from services.match.contests import lesson_of
from services.match.refusals import Refusal
from services.match.state import MatchState

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


def _play(state: MatchState, command: cmd.PlayMove, actor: str, received_at: int) -> Decision:
    if refusal := unless_running(state) or unless_seated(state, command.seat, actor):
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
    return with_consequences(state, (played,), "points")


def _resign(state: MatchState, command: cmd.Resign, actor: str, _at: int) -> Decision:
    if refusal := unless_running(state) or unless_seated(state, command.seat, actor):
        return refusal
    if command.seat in state.out:
        return Refusal("seat-out", f"Seat {command.seat} is out already.")
    step = state.the_game.rules.withdraw(state.position, command.seat)
    resigned = kinds.SeatResigned(turn=state.turn + 1, seat=command.seat, facts=step.facts)
    return with_consequences(state, (resigned,), "resign")


def _call_time(state: MatchState, command: cmd.CallTime, _actor: str, received_at: int) -> Decision:
    if refusal := unless_running(state):
        return refusal
    if command.seat != state.to_move() or not clock.has_fallen(state, received_at):
        return Refusal("time-not-over", f"The time of seat {command.seat} is not over.")
    step = state.the_game.rules.withdraw(state.position, command.seat)
    timed_out = kinds.SeatTimedOut(turn=state.turn + 1, seat=command.seat, facts=step.facts)
    return with_consequences(state, (timed_out,), "time")


def _offer(state: MatchState, command: cmd.MakeOffer, actor: str, _at: int) -> Decision:
    if refusal := unless_running(state) or unless_seated(state, command.seat, actor):
        return refusal
    return offers.make(state, command)


def _answer(state: MatchState, command: cmd.AnswerOffer, actor: str, _at: int) -> Decision:
    if refusal := unless_running(state) or unless_seated(state, command.seat, actor):
        return refusal
    return offers.answer(state, command)


def _count(state: MatchState, _command: cmd.CountMatch, actor: str, _at: int) -> Decision:
    if actor != state.host:
        return Refusal("not-the-host", "Only the host of a match says that it is counted.")
    if state.status != "ended":
        return Refusal("not-over", "The match is not over yet.")
    if not state.run and lesson_of(state) is None:
        return Refusal("not-waiting", "Nobody waits for the result of this match.")
    if state.is_counted:
        return Refusal("counted", "The result of this match is counted already.")
    return (kinds.MatchCounted(by=actor),)


_DECIDERS: dict[type[Any], Callable[[MatchState, Any, str, int], Decision]] = {
    cmd.CreateMatch: opening.create,
    cmd.ImportMatch: opening.import_record,
    cmd.TakeSeat: opening.take_seat,
    cmd.LeaveSeat: opening.leave_seat,
    cmd.GiveEntropy: opening.give_entropy,
    cmd.SealEntry: opening.seal_entry,
    cmd.StartMatch: opening.start,
    cmd.CancelMatch: opening.cancel,
    cmd.PlayMove: _play,
    cmd.Resign: _resign,
    cmd.CallTime: _call_time,
    cmd.CountMatch: _count,
    cmd.MakeOffer: _offer,
    cmd.AnswerOffer: _answer,
}
