"""Every way to be told no: a code a program can act on and a sentence a person understands."""

from collections.abc import Mapping
from typing import Any

import msgspec


class Refusal(msgspec.Struct, frozen=True):
    """The command changed nothing. ``details`` hold what would be right, where it is known.

    Refusals are counted, never remembered in the log.
    """

    code: str
    sentence: str
    details: Mapping[str, Any] = {}


def not_found(match: str) -> Refusal:
    """No such match, or a private one that the caller may not know of."""
    return Refusal("no-such-match", f"There is no match {match} that you can see.")
