"""The same values in other types: what a loose reader of JSON takes for what was asked."""

from collections.abc import Iterator
from typing import Any


def mistyped(value: Any) -> tuple[Any, ...]:
    """A JSON number, truth value or text in the types that it is not.

    >>> mistyped(1)
    ('1', 1.0, True)
    """
    if isinstance(value, bool):
        return (str(value).lower(), float(value), int(value))
    if isinstance(value, int):
        return (str(value), float(value), bool(value))
    return (7, 7.0, True)


def each_mistyped(plain: Any) -> Iterator[Any]:
    """The JSON value as often as anything in it can be mistyped, each time with one thing wrong."""
    if isinstance(plain, dict):
        for key, value in plain.items():
            yield from ({**plain, key: wrong} for wrong in each_mistyped(value))
    elif isinstance(plain, list):
        for place, value in enumerate(plain):
            yield from (
                [*plain[:place], wrong, *plain[place + 1 :]] for wrong in each_mistyped(value)
            )
    else:
        yield from mistyped(plain)
