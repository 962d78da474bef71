"""The results as tables: for the terminal, and for ``docs/league.md``."""

from collections.abc import Iterable, Iterator, Sequence

from ops.dev.league.meetings import Meeting, Result
from ops.dev.league.scoring import standing

HEAD = (
    "A",
    "B",
    "ruleset",
    "games",
    "score of A",
    "95 %",
    "margin",
    "ms a move, A",
    "ms a move, B",
    "verdict",
)


def row(met: Meeting, results: Iterable[Result]) -> tuple[str, ...]:
    """The cells of a meeting, in the order of ``HEAD``."""
    found = standing(results)
    who = (met.a.name, met.b.name, met.ruleset)
    if found is None:
        return (*who, "0", "", "", "", "", "", "not played")
    return (
        *who,
        f"{found.games}",
        f"{found.score:.3f}",
        f"{found.low:.2f} to {found.high:.2f}",
        f"{found.margin:+.1f}",
        _ms(found.cpu_ms_a),
        _ms(found.cpu_ms_b),
        found.verdict,
    )


def table(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """A Markdown table that is straight in a terminal too."""
    whole = [HEAD, *rows]
    widths = [max(len(cells[column]) for cells in whole) for column in range(len(HEAD))]
    for number, cells in enumerate(whole):
        padded = (cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
        yield f"| {' | '.join(padded)} |"
        if number == 0:
            yield f"|{'|'.join('-' * (width + 2) for width in widths)}|"


def _ms(value: float) -> str:
    return f"{value:,.0f}" if value >= 10 else f"{value:.1f}"  # noqa: PLR2004 - two digits do
