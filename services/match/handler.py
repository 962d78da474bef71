"""The one door: load, decide, append; decide again when only chatter came between."""

from typing import Any

import msgspec

from services.match.refusals import Refusal


class Done(msgspec.Struct, frozen=True):
    """The command is in the log. ``head`` is the stream's hash in hex after it."""

    match: str
    version: int
    turn: int
    head: str
    position: int
    state: Any
    repeated: bool = False


Answer = Done | Refusal
