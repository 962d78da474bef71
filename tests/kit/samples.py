"""Samples that lie beside the repository and are never part of it.

They are read where they are (``../shared/samples``, or ``PLYBOOK_TEST_SAMPLES``). Where they are
not, a test that needs them is skipped and says so.
"""

import json
import os
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.kit.tree import ROOT

SAMPLES = Path(os.environ.get("PLYBOOK_TEST_SAMPLES", ROOT.parent / "shared" / "samples"))


def sample(name: str) -> Path:
    """A file or folder of the samples."""
    if not SAMPLES.is_dir():
        pytest.skip(f"there are no samples in {SAMPLES}: set PLYBOOK_TEST_SAMPLES")
    return SAMPLES / name


@cache
def blksgf_manifest() -> dict[str, dict[str, Any]]:
    """What is known about each ``.blksgf`` sample, by file name."""
    entries = json.loads((sample("blksgf") / "manifest.json").read_text(encoding="utf-8"))
    return {entry["file"]: entry for entry in entries}


def read_blksgf(name: str) -> bytes:
    """The bytes of one ``.blksgf`` sample."""
    return (sample("blksgf") / name).read_bytes()
