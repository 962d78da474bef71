"""The command an event must have come from, made again from the event alone."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import msgspec

from events import event_kinds as kinds
from events.event_kinds import Event
from services.match import commands as cmd
from services.match.state import MatchState


def command_behind(state: MatchState, events: Sequence[Event]) -> cmd.MatchCommand | None:
    """What was asked when ``events[0]`` (with others after it) was the answer.

    None for an event that no command leads to by itself: a takeback is the answer to an offer,
    a result the answer to a move. ``msgspec.ValidationError`` for a command no door lets in.
    """
    make = _COMMANDS.get(type(events[0]))
    command = make(state, events) if make else None
    if command is None:
        return None
    return msgspec.convert(msgspec.to_builtins(command), type(command))


def _create(_state: MatchState, events: Sequence[Event]) -> cmd.MatchCommand:
    event: Any = events[0]
    return cmd.CreateMatch(
        event.game, event.ruleset, event.visibility, event.rated, event.per_move_s
    )


def _import(_state: MatchState, events: Sequence[Event]) -> cmd.MatchCommand:
    event: Any = events[0]
    moves = tuple(later.move for later in events if isinstance(later, kinds.MovePlayed))
    deals = tuple(later.round_key for later in events if isinstance(later, kinds.RoundEnded))
    return cmd.ImportMatch(event.game, event.ruleset, moves, event.start, deals)


def _take_seat(_state: MatchState, events: Sequence[Event]) -> cmd.MatchCommand:
    event: Any = events[0]
    return cmd.TakeSeat(event.seat, event.player, event.level, event.adaptive)


def _start(_state: MatchState, events: Sequence[Event]) -> cmd.MatchCommand:
    """The levels of adaptive computers stand in the event that begins play."""
    levels = next((e.levels for e in events if isinstance(e, kinds.MatchStarted)), {})
    return cmd.StartMatch(levels)


def _entropy(_state: MatchState, events: Sequence[Event]) -> cmd.MatchCommand:
    event: Any = events[0]
    return cmd.GiveEntropy(event.seat, event.entropy, event.seed_commit)


def _entry(_state: MatchState, events: Sequence[Event]) -> cmd.MatchCommand | None:
    """The entry's text stands in the event that opened it."""
    event: Any = events[0]
    for later in events:
        if isinstance(later, kinds.EntriesOpened) and event.seat in later.entries:
            return cmd.SealEntry(event.seat, later.entries[event.seat])
    return None


def _play(state: MatchState, events: Sequence[Event]) -> cmd.MatchCommand:
    event: Any = events[0]
    return cmd.PlayMove(event.seat, event.move, state.turn, event.thought)


def _offer(_state: MatchState, events: Sequence[Event]) -> cmd.MatchCommand:
    event: Any = events[0]
    to_turn = event.to_turn if event.offer == "takeback" else None
    return cmd.MakeOffer(event.offer, event.seat, to_turn)


def _answer(_state: MatchState, events: Sequence[Event]) -> cmd.MatchCommand:
    event: Any = events[0]
    return cmd.AnswerOffer(event.offer, event.seat, event.yes)


def _cancel(state: MatchState, _events: Sequence[Event]) -> cmd.MatchCommand | None:
    return cmd.CancelMatch() if state.status == "open" else None


def _of_seat(kind: Callable[[str], cmd.MatchCommand]) -> Any:
    return lambda _state, events: kind(events[0].seat)


_COMMANDS: Mapping[type[Event], Callable[..., cmd.MatchCommand | None]] = MappingProxyType(
    {
        kinds.MatchCreated: _create,
        kinds.MatchImported: _import,
        kinds.SeatTaken: _take_seat,
        kinds.SeatLeft: _of_seat(cmd.LeaveSeat),
        kinds.EntropyGiven: _entropy,
        kinds.EntrySealed: _entry,
        kinds.EntriesOpened: _start,
        kinds.MatchStarted: _start,
        kinds.MovePlayed: _play,
        kinds.SeatResigned: _of_seat(cmd.Resign),
        kinds.SeatTimedOut: _of_seat(cmd.CallTime),
        kinds.OfferMade: _offer,
        kinds.OfferAnswered: _answer,
        kinds.MatchEnded: _cancel,
        kinds.MatchCounted: lambda _state, _events: cmd.CountMatch(),
    }
)
