"""``python -m ops.dev.league``: play games, go on with them, show the table."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from ops.commands.common import progress
from ops.dev.league.book import Book
from ops.dev.league.farm import GameFailed, played
from ops.dev.league.meetings import Meeting, meeting
from ops.dev.league.page import row, table
from ops.dev.league.sides import WrongSide, side
from ops.refused import Refused
from ops.rulesets import UnknownRuleset
from ops.settings import settings_from
from services.games.registry import UnknownGame

BOOK = "league.jsonl"


def book_of(path: Path | None) -> Book:
    """The book of this machine, or the one named."""
    return Book(path or settings_from().data / BOOK)


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
            for result in played(todo, min(jobs, max(1, len(todo)))):
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
    help=f"The file of results ({BOOK} in the data folder).",
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
@click.option("--a", required=True, help="level:N, engine:NAME/VERSION?budget=N&noise=N, random.")
@click.option("--b", required=True, help="The same; with more than two seats it has the others.")
@click.option("--games", type=click.IntRange(1), required=True, help="How many there shall be.")
@jobs_option
@book_option
def play(
    *, slug: str, ruleset: str, a: str, b: str, games: int, jobs: int, path: Path | None
) -> None:
    """Play games between two sides until there are GAMES of them, and show the row."""
    book, met = book_of(path), _meeting(slug, ruleset, a, b)
    play_all(book, [(met, games)], jobs)
    rows = [row(met, [book.results(met)[number] for number in range(games)])]
    click.echo("\n".join(table(rows)))


@league.command("table")
@click.option("--game", "slug", help="Only this game.")
@book_option
def show(slug: str | None, path: Path | None) -> None:
    """Show every meeting of the book."""
    meetings = [found for found in book_of(path).meetings() if slug in (None, found[0].game)]
    click.echo("\n".join(table([row(met, results.values()) for met, results in meetings])))


def _meeting(slug: str, ruleset: str, a: str, b: str) -> Meeting:
    try:
        return meeting(slug, ruleset, side(slug, a), side(slug, b))
    except (UnknownGame, UnknownRuleset, WrongSide) as wrong:
        raise click.BadParameter(str(wrong)) from None


def main() -> int:
    """Run a command; errors are one sentence."""
    try:
        return league.main(standalone_mode=False) or 0
    except click.ClickException as wrong:
        wrong.show()
        return 2
    except Refused as refused:
        click.echo(str(refused), err=True)
        return 1
    except (KeyboardInterrupt, click.Abort):
        return 130


if __name__ == "__main__":
    sys.exit(main())
