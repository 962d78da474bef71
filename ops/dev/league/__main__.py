"""``python -m ops.dev.league``: play games, go on with them, show the table."""

import datetime as dt
import os
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from ops.commands.common import progress
from ops.dev.league.book import Book
from ops.dev.league.farm import GameFailed, played
from ops.dev.league.meetings import Meeting, meeting
from ops.dev.league.page import page, row, table
from ops.dev.league.plan import PLAN_FILE, read_plan
from ops.dev.league.sides import WrongSide, side
from ops.refused import Refused
from ops.rulesets import UnknownRuleset
from services.games.contract import BadText
from services.games.registry import UnknownGame

BOOK = Path("docs", "league.jsonl")
"""Kept beside the page that is made of it, so that whoever comes next goes on with it."""


def play_all(book: Book, wanted: Sequence[tuple[Meeting, int]], jobs: int) -> None:
    """Play what the book has not yet, with a bar; Ctrl-C loses only the games being played."""
    todo = [
        (met, number)
        for met, games in wanted
        for number in range(games)
        if number not in book.results(met)
    ]
    with progress() as bar:
        task = bar.add_task("games", total=len(todo))
        try:
            for result in played(todo, min(jobs, len(todo))):
                book.add(result)
                bar.advance(task)
        except GameFailed as failed:
            raise Refused(f"{failed}; the games before it are kept.") from None


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def league() -> None:
    """Seeded games between computer players, and what they prove."""


book_option = click.option(
    "--book",
    "path",
    type=click.Path(dir_okay=False, path_type=Path),
    default=BOOK,
    show_default=True,
    help="The file of results.",
)
jobs_option = click.option(
    "--jobs",
    type=click.IntRange(1),
    default=os.cpu_count,
    help="Games at the same time (as many as there are cores).",
)


@league.command("play")
@click.option("--game", "slug", required=True)
@click.option("--ruleset", required=True, help="A file of seeds/GAME/rulesets, without .toml.")
@click.option(
    "--option",
    "options",
    multiple=True,
    help="KEY=VALUE: these options instead, the ruleset only lends its name.",
)
@click.option(
    "--a",
    required=True,
    help="level:N, engine:NAME/VERSION?budget=N&noise=N, gtp:COMMAND or random.",
)
@click.option("--b", required=True, help="The same; with more than two seats it has the others.")
@click.option("--games", type=click.IntRange(1), required=True, help="How many there shall be.")
@jobs_option
@book_option
def play(
    *,
    slug: str,
    ruleset: str,
    options: tuple[str, ...],
    a: str,
    b: str,
    games: int,
    jobs: int,
    path: Path,
) -> None:
    """Play games between two sides until there are GAMES of them, and show the row."""
    book = Book(path)
    try:
        chosen = _read(options) if options else None
        met = meeting(slug, ruleset, side(slug, a), side(slug, b), chosen)
    except (UnknownGame, UnknownRuleset, WrongSide, BadText) as wrong:
        raise click.BadParameter(str(wrong)) from None
    play_all(book, [(met, games)], jobs)
    rows = [row(met, [book.results(met)[number] for number in range(games)])]
    click.echo("\n".join(table(rows)))


@league.command("table")
@click.option("--game", "slug", help="Only this game.")
@book_option
def show(slug: str | None, path: Path) -> None:
    """Show every meeting of the book."""
    meetings = [found for found in Book(path).meetings() if slug in (None, found[0].game)]
    click.echo("\n".join(table([row(met, results.values()) for met, results in meetings])))


@league.command("plan")
@click.option(
    "--file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    default=PLAN_FILE,
    help="Another plan than the house's.",
)
@click.option("--game", "slug", help="Only play this game; the page shows all.")
@click.option("--games", type=click.IntRange(0), help="At most so many of each meeting.")
@click.option("--write", type=click.Path(path_type=Path), help="Also write the page to this file.")
@jobs_option
@book_option
def plan(
    *,
    file: Path,
    slug: str | None,
    games: int | None,
    write: Path | None,
    jobs: int,
    path: Path,
) -> None:
    """Play what the plan asks for and the book has not, and show the page."""
    book, entries = Book(path), read_plan(file)
    wanted = [
        (entry.met, entry.planned.games if games is None else min(games, entry.planned.games))
        for entry in entries
        if not entry.hindrances and slug in (None, entry.met.game)
    ]
    play_all(book, wanted, jobs)
    text = page(entries, book, dt.datetime.now(dt.UTC).date())
    click.echo(text, nl=False)
    if write is not None:
        write.write_text(text, encoding="utf-8")


def _read(options: tuple[str, ...]) -> dict[str, Any]:
    """Options as they stand in a ruleset file: ``max_rounds=1``, ``corners="fixed"``."""
    try:
        return tomllib.loads("\n".join(options))
    except tomllib.TOMLDecodeError as wrong:
        raise click.BadParameter(f'KEY=VALUE as in a ruleset file, words in "": {wrong}') from None


def main(arguments: list[str]) -> int:
    """Run a command; errors are one sentence."""
    try:
        return league.main(arguments, standalone_mode=False) or 0
    except click.ClickException as wrong:
        wrong.show()
        return 2
    except Refused as refused:
        click.echo(str(refused), err=True)
        return 1
    except (KeyboardInterrupt, click.Abort):
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
