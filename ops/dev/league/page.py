"""The results as tables: for the terminal, and for ``docs/league.md``."""

import datetime as dt
import os
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from math import isfinite

from ops.dev.bench.machine import processor
from ops.dev.league.book import Book
from ops.dev.league.meetings import Meeting, Result
from ops.dev.league.plan import Entry
from ops.dev.league.scoring import Standing, standing

INTRODUCTION = """\
What `make league` played so far; `GAMES=20` makes it short, and a stopped run goes on where it
stopped: each game is a line of [league.jsonl](league.jsonl). Every game follows from its number:
one seed gives the same deal and dice to a game and its return game with the seats swapped (more
than two seats: A has each once, the others are B's).

- **score** of A: 1 for a win, ½ for a draw, 0 for a loss, on average; with four seats 1, ⅔, ⅓ or 0
  by rank, level seats sharing theirs. ½ is even.
- **95 %**: the interval of the score. Its unit is a game together with its return game; it is the
  normal interval after adding one such pair won and one lost (Agresti and Coull), so that a clean
  sweep of a few games does not settle what it does not. Who stops a meeting because it looks
  settled makes a close verdict less sure than its interval says.
- **margin**: points of A less those of the others on average, with the half of its 95 % interval.
- **ms a move**: computing time a move, an outside program's as it tells it. Rows may have
  been played on different machines: compare within a row.
- **verdict**: *A wins* if the interval lies above ½. *To reach* is what the design asks."""

HEAD = (
    "A",
    "B",
    "ruleset",
    "games",
    "score",
    "95 %",
    "margin",
    "ms a move, A",
    "ms a move, B",
    "verdict",
    "to reach",
)


def row(met: Meeting, results: Iterable[Result]) -> tuple[str, ...]:
    """The cells of a meeting, in the order of ``HEAD``."""
    return (met.a.name, met.b.name, met.ruleset, *_numbers(standing(results)), "")


def planned_row(entry: Entry, book: Book) -> tuple[str, ...]:
    """The same for a meeting of the plan, with what was asked of it."""
    met, planned, found = entry.met, entry.planned, standing(entry.results(book))
    asked = _to_reach(found, planned.reach, planned.reach_margin)
    return (met.a.name, met.b.name, met.ruleset, *_numbers(found), asked)


def _numbers(found: Standing | None) -> tuple[str, ...]:
    if found is None:
        return ("0", "", "", "", "", "", "not played")
    return (
        f"{found.games}",
        f"{found.score:.3f}",
        f"{found.low:.2f} to {found.high:.2f}",
        f"{found.margin:+.1f}{_more_or_less(found.margin_reach)}",
        _ms(found.cpu_ms_a),
        _ms(found.cpu_ms_b),
        found.verdict,
    )


def _more_or_less(reach: float) -> str:
    return f" ± {reach:.1f}" if isfinite(reach) else ""


def _to_reach(found: Standing | None, score: float | None, margin: float | None) -> str:
    if score is not None:
        is_missed = found is not None and found.score < score
        return f"score ≥ {score:g}{' (missed)' if is_missed else ''}"
    if margin is not None:
        is_missed = found is not None and found.margin - found.margin_reach < margin
        return f"margin ≥ {margin:g}, 95 %{' (missed)' if is_missed else ''}"
    return ""


def page(entries: Sequence[Entry], book: Book, today: dt.date) -> str:
    """The whole page as Markdown."""
    return "\n".join(_page(entries, book, today)) + "\n"


def _page(entries: Sequence[Entry], book: Book, today: dt.date) -> Iterator[str]:
    yield from ("# The league", "", INTRODUCTION, "")
    yield f"Written {today:%Y-%m-%d} on {len(os.sched_getaffinity(0))} cores ({processor()})."
    for title, planned in groupby(entries, key=lambda entry: entry.planned.title):
        yield from ("", f"## {title}", "")
        yield from table([planned_row(entry, book) for entry in planned])
    away = dict.fromkeys(why for entry in entries for why in entry.hindrances)
    if away:
        yield from ("", "## What could not be played here", "", *(f"- {why}" for why in away))


def table(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """A Markdown table, straight in a terminal too; a column that says nothing is left out."""
    columns = [cells for cells in zip(HEAD, *rows, strict=True) if any(cells[1:]) or not rows]
    widths = [max(map(len, cells)) for cells in columns]
    for number, cells in enumerate(zip(*columns, strict=True)):
        padded = (cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
        yield f"| {' | '.join(padded)} |"
        if number == 0:
            yield f"|{'|'.join('-' * (width + 2) for width in widths)}|"


def _ms(value: float) -> str:
    return f"{value:,.0f}" if value >= 10 else f"{value:.1f}"  # noqa: PLR2004 - two digits do
