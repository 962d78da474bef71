"""What an append must be like before any database hears of it: programming errors, not answers."""

from collections.abc import Iterable, Mapping, Sequence
from types import NoneType

from events.log import Append, InlineRow, InlineTable, Value

INT_MAX = 2**63 - 1

_TYPES = {"text": (str, NoneType), "int": (int, NoneType), "blob": (bytes, NoneType)}


class Check:
    """The check of a log with these inline projections."""

    def __init__(self, inline: Mapping[str, InlineTable]) -> None:
        self._inline = inline
        self._types = {
            name: [_TYPES[kind] for _, kind in spec.columns] for name, spec in inline.items()
        }

    def __call__(self, batch: Sequence[Append]) -> None:
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
            values: list[Value] = [
                append.stream,
                append.actor,
                append.cause,
                append.received_at,
                *names,
            ]
            values += [event.kind for event in append.events]
            if append.command_id is not None:
                values.append(append.command_id.key)
            for row in append.rows:
                values.append(row.key)
                values += self._values(row)
            _check_values(values)

    def _values(self, row: InlineRow) -> tuple[Value, ...]:
        """The row's values, which are as many and of such types as its table has columns."""
        types = self._types.get(row.projection)
        if types is None:
            raise ValueError(f"this log has no inline projection {row.projection!r}")
        if row.values is None:
            return ()
        if len(row.values) != len(types):
            raise ValueError(
                f"a row of {row.projection} has {len(types)} values, not {len(row.values)}"
            )
        if not all(map(isinstance, row.values, types)):
            raise TypeError(self._misfit(row.projection, row.values))
        return row.values

    def _misfit(self, projection: str, values: Sequence[Value]) -> str:
        columns = zip(self._inline[projection].columns, values, strict=True)
        return ", ".join(
            f"{projection}.{name} holds {kind}, not {type(value).__name__}"
            for (name, kind), value in columns
            if not isinstance(value, _TYPES[kind])
        )


def _check_values(values: Iterable[Value]) -> None:
    for value in values:
        if isinstance(value, str):
            if "\0" in value:
                raise ValueError("texts hold no NUL character: PostgreSQL cannot keep it")
        elif isinstance(value, int) and not -INT_MAX <= value <= INT_MAX:
            raise ValueError(f"{value} is more than 64 bits")
