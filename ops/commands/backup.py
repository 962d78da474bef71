"""``plybook backup``: SQLite's online copy, whole and consistent while the server writes."""

import sqlite3
from contextlib import closing
from pathlib import Path

import click

from ops.commands.common import progress
from ops.refused import Refused
from ops.secret_key import KEY_FILE
from ops.settings import Settings, settings_from
from ops.wiring import need_log

PAGES_A_STEP = 1_000


@click.command("backup")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
def command(file: Path) -> None:
    """Copy the SQLite log to FILE while the server runs.

    The key that opens the secrets is not in it: keep that apart, or the copy is worth stealing.
    """
    settings = settings_from()
    if not settings.sqlite:
        raise Refused("The log is in PostgreSQL: back it up with pg_dump, which sees one moment.")
    if file.exists():
        raise Refused(f"{file} exists already; a backup replaces nothing.")
    need_log(settings)
    _copy(settings.sqlite_file, file)
    click.echo(f"{file} holds the whole log.")
    click.echo(_about_the_key(settings))


def _copy(source: Path, target: Path) -> None:
    draft = target.with_name(f"{target.name}.part")
    draft.unlink(missing_ok=True)
    try:
        _copy_pages(source, draft)
    except sqlite3.Error as error:
        draft.unlink(missing_ok=True)
        raise Refused(f"{target} is not written: {error}.") from None
    draft.replace(target)


def _copy_pages(source: Path, draft: Path) -> None:
    with (
        closing(sqlite3.connect(f"file:{source}?mode=ro", uri=True)) as log,
        closing(sqlite3.connect(draft)) as copy,
        progress() as bar,
    ):
        task = bar.add_task("pages", total=None)
        log.backup(
            copy,
            pages=PAGES_A_STEP,
            progress=lambda _, left, total: bar.update(task, total=total, completed=total - left),
        )


def _about_the_key(settings: Settings) -> str:
    if settings.secret_key is not None:
        return "The key is PLYBOOK_SECRET_KEY of the environment: keep it too, in another place."
    return f"The key is {settings.data / KEY_FILE}: keep it too, in another place."
