"""The Go Text Protocol, version 2: a line in, an answer out, an empty line after it.

Source: Farnebäck, "Specification of the Go Text Protocol, version 2" (2002). A command may begin
with a number, which its answer repeats; ``#`` begins a comment; empty lines are passed over.
"""

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping

import msgspec

Command = Callable[..., str]
"""Takes the words after the command's name as they are, and gives the answer's text."""

QUIT = "quit"


class GtpError(Exception):
    """What a command answers instead: its sentence goes out after a question mark."""


class Asked(msgspec.Struct, frozen=True):
    """A line that was read; ``number`` is empty where the command has none."""

    number: str
    name: str
    words: tuple[str, ...]


def read_line(line: str) -> Asked | None:
    """The command on a line; None where there is none.

    >>> read_line("17 play  b f9,e10 # hm")
    Asked(number='17', name='play', words=('b', 'f9,e10'))
    >>> read_line("  # only a comment")
    """
    plain = "".join(c for c in line.replace("\t", " ") if c.isprintable()).partition("#")[0]
    number, *words = plain.split() or [""]
    if not (number.isascii() and number.isdecimal()):
        number, words = "", [number, *words]
    name, *rest = words or [""]
    return Asked(number, name, tuple(rest)) if number or name else None


def answers(lines: Iterable[str], commands: Mapping[str, Command]) -> Iterator[str]:
    """The answer to each command, ready to be written, until ``quit`` or the end of input."""
    for line in lines:
        asked = read_line(line)
        if asked is None:
            continue
        yield _answer(asked, commands)
        if asked.name == QUIT:
            return


def _answer(asked: Asked, commands: Mapping[str, Command]) -> str:
    command = commands.get(asked.name)
    if command is None:
        return _formatted("?", asked.number, "unknown command")
    try:
        inspect.signature(command).bind(*asked.words)
    except TypeError:
        return _formatted("?", asked.number, "wrong number of arguments")
    try:
        return _formatted("=", asked.number, command(*asked.words))
    except GtpError as error:
        return _formatted("?", asked.number, str(error))


def _formatted(sign: str, number: str, text: str) -> str:
    """An answer ends at the first empty line, so none may stand in it."""
    first, *rest = text.split("\n")
    return "\n".join((f"{sign}{number} {first}", *filter(str.strip, rest), "", ""))
