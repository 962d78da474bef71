"""What a conformance file comes to: a verdict for each case, and never silence."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any

import msgspec

Case = Mapping[str, Any]
"""One case, as the file has it."""

Document = Mapping[str, Any]
"""A whole conformance file."""

Judge = Callable[[Case], str]
"""Says what is wrong with a case; an empty text means that it holds."""


class Verdict(msgspec.Struct, frozen=True):
    """Whether a case holds; ``message`` says what does not."""

    id: str
    ok: bool
    message: str = ""


DESCRIPTIVE = frozenset({"id", "kind", "note", "title", "why", "source", "comment"})
"""Parts of a case that are for its reader only."""

Runner = Callable[[Document], Iterable[Verdict]]
"""Goes through a file of one format, case by case."""


class Report(msgspec.Struct, frozen=True):
    """All verdicts on a file; ``format`` is empty if it could not be read."""

    path: str
    format: str
    verdicts: tuple[Verdict, ...]

    @property
    def failures(self) -> tuple[Verdict, ...]:
        """The cases that do not hold."""
        return tuple(verdict for verdict in self.verdicts if not verdict.ok)

    @property
    def ok(self) -> bool:
        """Whether every case holds."""
        return not self.failures


def verdicts(cases: Iterable[Case], judge: Judge) -> Iterator[Verdict]:
    """Each case judged; one that cannot be understood fails with the reason."""
    for number, case in enumerate(cases, start=1):
        name = str(case.get("id", number)) if isinstance(case, Mapping) else str(number)
        try:
            wrong = judge(case)
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            wrong = f"the case cannot be understood: {type(error).__name__}: {error}"
        yield Verdict(name, not wrong, wrong)


def by_kind(judges: Mapping[str, Judge], key: str = "kind") -> Judge:
    """The judge of files whose cases name their kind, under this key."""

    def judge(case: Case) -> str:
        kind = str(case.get(key))
        if kind not in judges:
            return f"unknown kind of case {kind!r}; known: {', '.join(sorted(judges))}"
        return judges[kind](case)

    return judge


def unknown_keys(case: Case, *known: str) -> str:
    """A sentence on the parts of a case that would be ignored; empty if there are none."""
    strange = sorted(set(case) - set(known) - DESCRIPTIVE)
    return f"unknown in this kind of case: {', '.join(strange)}" if strange else ""


def differences(expected: Mapping[str, Any], found: Mapping[str, Any]) -> str:
    """What was expected and not found; an expectation nothing is known about is one, too."""
    return "; ".join(
        f"{key}: expected {_short(want)}, "
        + (f"found {_short(found[key])}" if key in found else "which this kind cannot tell")
        for key, want in expected.items()
        if key not in found or found[key] != want
    )


def flat_differences(case: Case, given: Collection[str], found: Mapping[str, Any]) -> str:
    """The same for flat cases, where everything that is not given is expected."""
    expected = {key: value for key, value in case.items() if key not in DESCRIPTIVE.union(given)}
    return unknown_keys(case, *given, *found) or differences(expected, found)


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 200 else text[:200] + "…"  # noqa: PLR2004 - a line or two
