"""What an append must be like before any database hears of it: programming errors, not answers."""

from collections.abc import Iterable, Mapping, Sequence
from types import NoneType

from events.log import Append, InlineRow, InlineTable, Value

INT_MAX = 2**63 - 1

_TYPES = {"text": (str, NoneType), "int": (int, NoneType), "blob": (bytes, NoneType)}


def check(batch: Sequence[Append], inline: Mapping[str, InlineTable]) -> None:
    """Raise ``ValueError`` or ``TypeError`` for what no store could write as it is meant."""
    for append in batch:
        if append.expected < -1:
            raise ValueError(f"expected version {append.expected}: -1 (any) or more is right")
        if not append.stream:
            raise ValueError("a stream needs a name")
        if not append.events:
            raise ValueError("an append needs at least one event")
        names = [secret.name for secret in append.secrets]
        if len(set(names)) < len(names):
            raise ValueError("an append names each secret once")
        for row in append.rows:
            _check_row(row, inline)
        _check_values(_values(append))


def _check_row(row: InlineRow, inline: Mapping[str, InlineTable]) -> None:
    if row.projection not in inline:
        raise ValueError(f"this log has no inline projection {row.projection!r}")
    if row.values is None:
        return
    columns = inline[row.projection].columns
    if len(row.values) != len(columns):
        raise ValueError(
            f"a row of {row.projection} has {len(columns)} values, not {len(row.values)}"
        )
    for (name, kind), value in zip(columns, row.values, strict=True):
        if not isinstance(value, _TYPES[kind]):
            raise TypeError(f"{row.projection}.{name} holds {kind}, not {type(value).__name__}")


def _values(append: Append) -> Iterable[Value]:
    yield from (append.stream, append.actor, append.cause, append.received_at)
    for event in append.events:
        yield event.kind
    if append.command_id is not None:
        yield append.command_id.key
    for row in append.rows:
        yield row.key
        yield from row.values or ()
    for secret in append.secrets:
        yield secret.name


def _check_values(values: Iterable[Value]) -> None:
    for value in values:
        if isinstance(value, str):
            if "\0" in value:
                raise ValueError("texts hold no NUL character: PostgreSQL cannot keep it")
        elif isinstance(value, int) and not -INT_MAX <= value <= INT_MAX:
            raise ValueError(f"{value} is more than 64 bits")
