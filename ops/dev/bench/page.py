"""The findings as a page: for the terminal, and for ``docs/benchmarks.md``."""

import datetime as dt
from collections.abc import Iterator, Sequence

from ops.dev.bench.findings import Line, Section

INTRODUCTION = """\
What `make bench` measured last, on one machine; run it on yours. Anchors run beside us in the
same minutes, by turns with us, and the ratio is the median of the ratios run by run: absolute
numbers move with the disk and with whoever else uses the machine, ratios much less. *To reach* is
what the design asks."""


def page(sections: Sequence[Section], machine: Sequence[str], today: dt.date) -> str:
    """The whole page as Markdown."""
    return "\n".join(_page(sections, machine, today)) + "\n"


def _page(sections: Sequence[Section], machine: Sequence[str], today: dt.date) -> Iterator[str]:
    yield from ("# Benchmarks", "", INTRODUCTION, "")
    yield f"{today:%Y-%m-%d}. " + "; ".join(machine) + "."
    missed = [
        f"{section.title}: {line.what}"
        for section in sections
        for line in section.lines
        if not line.is_met
    ]
    yield from ("", f"Not reached: {'; '.join(missed)}." if missed else "Every target is reached.")
    for section in sections:
        yield from ("", f"## {section.title}", "", section.about, "")
        yield from _table(section.lines)
        if section.also:
            yield ""
            yield from (f"- {sentence}" for sentence in section.also)


def _table(lines: Sequence[Line]) -> Iterator[str]:
    """A Markdown table, straight in a terminal too; columns that say nothing are left out."""
    whole = [("what", "ours", "beside", "its number", "ratio", "to reach"), *map(_cells, lines)]
    columns = [column for column in zip(*whole, strict=True) if any(column[1:])]
    widths = [max(map(len, column)) for column in columns]
    for number, row in enumerate(zip(*columns, strict=True)):
        padded = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield f"| {' | '.join(padded)} |"
        if number == 0:
            yield f"|{'|'.join('-' * (width + 2) for width in widths)}|"


def _cells(line: Line) -> tuple[str, ...]:
    return (
        line.what,
        f"{_number(line.ours)} {line.unit}",
        line.beside,
        "" if line.anchor is None else _number(line.anchor),
        "" if line.ratio is None else f"{_number(line.ratio)}",
        "" if line.target is None else f"{line.target}{'' if line.is_met else ' (missed)'}",
    )


def _number(value: float) -> str:
    """As many decimals as mean something.

    >>> [_number(value) for value in (12_345.6, 42.11, 1.234, 0.8)]
    ['12,346', '42.1', '1.23', '0.80']
    """
    decimals = 0 if value >= 100 else 1 if value >= 10 else 2  # noqa: PLR2004
    return f"{value:,.{decimals}f}"
