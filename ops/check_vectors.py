"""Conformance files of every format we know, run against the rules as they are.

A new format is one more line in ``RUNNERS``. Nothing is passed over: an unreadable file, an
unknown format, an unknown kind of case or an empty file is a failure with a sentence.
"""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import msgspec

from ops.vectors import blokus, caltrop, fair_shuffle, hedgerow, pentobi, triangles
from ops.vectors.report import Report, Runner, Verdict

RUNNERS: Mapping[str, Runner] = MappingProxyType(
    {
        blokus.FORMAT: blokus.run,
        caltrop.FORMAT: caltrop.run,
        pentobi.COUNTS: pentobi.run_counts,
        pentobi.SCORES: pentobi.run_scores,
        fair_shuffle.FORMAT: fair_shuffle.run,
        hedgerow.FORMAT: hedgerow.run,
        triangles.FORMAT: triangles.run,
    }
)
"""Runners by the format a file names."""

BYTES_MAX = 16_777_216
"""Largest file looked at (16 MiB); the largest we know is a fiftieth of it."""

TOO_DEEP = "holds lists or objects inside each other more deeply than any conformance file does"


def run_file(path: Path, runners: Mapping[str, Runner] = RUNNERS) -> Report:
    """The verdicts on every case of a conformance file."""
    try:
        with path.open("rb") as file:
            data = file.read(BYTES_MAX + 1)
        if len(data) > BYTES_MAX:
            return _unusable(path, "", f"is too large: at most {BYTES_MAX} bytes are read")
        document = msgspec.json.decode(data)
    except (OSError, msgspec.DecodeError) as error:
        return _unusable(path, "", f"cannot be read as JSON: {error}")
    except RecursionError:
        return _unusable(path, "", TOO_DEEP)
    name = str(document.get("format", "")) if isinstance(document, dict) else ""
    if name not in runners:
        known = ", ".join(sorted(runners))
        return _unusable(path, name, f"unknown format {name!r}; known: {known}")
    try:
        verdicts = tuple(runners[name](document))
    except RecursionError:
        return _unusable(path, name, TOO_DEEP)
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        return _unusable(path, name, f"is no whole {name} file: {type(error).__name__}: {error}")
    if not verdicts:
        return _unusable(path, name, "holds no case")
    return Report(str(path), name, verdicts)


def _unusable(path: Path, name: str, sentence: str) -> Report:
    return Report(str(path), name, (Verdict("file", ok=False, message=sentence),))
