"""Two events side by side: the first field in which they differ, shown at a readable length."""

from typing import Any

import msgspec

from events.event_kinds import Event

TEXT_CHARS_MAX = 200
"""How much of a value a difference shows."""


def difference(stored: Event, again: Event) -> tuple[str, str, str] | None:
    """The first field in which two events differ, with both values."""
    if type(stored) is not type(again):
        return stored.kind, shown(stored), f"{again.kind} {shown(again)}"
    for field in again.__struct_fields__:
        was, derived = getattr(stored, field), getattr(again, field)
        if was != derived:
            return f"{stored.kind} {field}", shown(was), shown(derived)
    return None


def shown(value: Any) -> str:
    """A value as JSON, cut to a readable length."""
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= TEXT_CHARS_MAX else text[:TEXT_CHARS_MAX] + "…"
