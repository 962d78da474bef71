"""Files into the log: through the server that holds the data folder, or with the folder's lock."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec

from ops.folder_lock import running_server
from ops.operator_line import OperatorLine, ServerRefused
from ops.printable import printable
from ops.refused import Refused
from ops.settings import Settings
from ops.wiring import alone, clock
from services.formats.importing import Fate, import_file
from services.formats.texts import BYTES_MAX


class Told(msgspec.Struct, frozen=True):
    """What became of a game of a file, as a line to show."""

    text: str
    refused: bool


Importer = Callable[[bytes, str], list[Told]]
"""A file's bytes and its name → a line for each of its games."""


@contextmanager
def importer(settings: Settings) -> Iterator[Importer]:
    """The way into this log, whoever holds it."""
    server = running_server(settings.data) if settings.embedded else None
    if server is not None:
        with closing(OperatorLine(server)) as line:
            yield lambda data, name: _through(line, data, name)
        return
    with alone(settings) as built:
        store = built.record.store
        yield lambda data, name: [
            Told(str(line), line.fate in (Fate.REFUSED, Fate.HELD_BACK))
            for line in import_file(built.handler, store, data, name, clock())
        ]


def need_regular(files: Mapping[str, Path]) -> None:
    """Stop at a pipe, a device or a folder: reading might wait for ever, or never end."""
    for name, path in files.items():
        if path.exists() and not path.is_file():
            raise Refused(f"{name} is no regular file: nothing was imported.")


def import_files(take: Importer, files: Mapping[str, Path]) -> Iterator[list[Told]]:
    """Every file by the name to call it; one that cannot be read is a refused line."""
    for called, path in files.items():
        name = printable(called)
        try:
            with path.open("rb") as opened:
                data = opened.read(BYTES_MAX + 1)
        except OSError as error:
            yield [Told(f"{name}: refused, cannot-read: {error.strerror}.", refused=True)]
        else:
            yield take(data, name)


def _through(line: OperatorLine, data: bytes, name: str) -> list[Told]:
    try:
        answer = line.import_file(data, name)
    except ServerRefused as refused:
        return [Told(f"{name}: refused, {refused.code}: {refused.sentence}", refused=True)]
    not_taken = answer.refused
    return [Told(game.text, not_taken) for game in answer.lines]
