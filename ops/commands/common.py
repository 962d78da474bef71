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
    with Progress(
        *columns,
        console=Console(stderr=True),
        disable=not sys.stderr.isatty(),
        redirect_stdout=sys.stdout.isatty(),  # else results would be drawn above the bar
    ) as bar:
        yield bar


def need_rabbitmq(settings: Settings) -> None:
    """For processes of the production form."""
    if settings.embedded:
        raise WrongSetting(
            "PLYBOOK_BROKER is memory://: that queue lives inside `plybook serve`, which does "
            "everything by itself; processes of their own need amqp://…."
        )
