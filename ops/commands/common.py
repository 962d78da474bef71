"""What commands share: long work shown, and the right broker asked for."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)

from ops.settings import Settings, WrongSetting


@contextmanager
def progress() -> Iterator[Progress]:
    """A progress bar on stderr, where a person watches; nothing elsewhere."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    with Progress(*columns, console=console, disable=not sys.stderr.isatty()) as bar:
        yield bar


def need_rabbitmq(settings: Settings) -> None:
    """For processes of the production form."""
    if settings.embedded:
        raise WrongSetting(
            "PLYBOOK_BROKER is memory://: that queue lives inside `plybook serve`, which does "
            "everything by itself; processes of their own need amqp://…."
        )
