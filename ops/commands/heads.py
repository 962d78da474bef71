"""``plybook heads``: the newest hash of every stream, for keeping where nobody can change it."""

from collections.abc import Iterator

import click
import msgspec

from events.heads import KeptHead
from events.log import EventLog
from ops.reading import reading
from ops.settings import settings_from


@click.command("heads")
def command() -> None:
    """Print the heads of all streams, a JSON object a line: what `audit --heads` reads.

    Kept on another machine, they show a log that was computed again or cut short.
    """
    with reading(settings_from()) as opened:
        for head in _heads(opened.log):
            click.echo(msgspec.json.encode(head))


def _heads(log: EventLog) -> Iterator[KeptHead]:
    after = ""
    while page := log.streams(after=after):
        for head in page:
            yield KeptHead(head.stream, head.version, head.hash.hex(), head.position, head.at)
        after = page[-1].stream
