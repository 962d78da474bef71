"""Every format there is, by name, and which one a text is in."""

from collections.abc import Mapping
from types import MappingProxyType

from services.formats.blokus import BLKSGF
from services.formats.blokus_record import BLOKUS_RECORD
from services.formats.caltrop_record import CALTROP_RECORD
from services.formats.caltrop_record import LINE as CALTROP_LINE
from services.formats.draft import Format
from services.formats.errors import FormatError
from services.formats.hedgerow_record import HEDGEROW_RECORD
from services.formats.triangles_record import TRIANGLES_RECORD

RECORDS: Mapping[str, Format] = MappingProxyType(
    {
        BLOKUS_RECORD.name: BLOKUS_RECORD,
        CALTROP_RECORD.name: CALTROP_RECORD,
        HEDGEROW_RECORD.name: HEDGEROW_RECORD,
        TRIANGLES_RECORD.name: TRIANGLES_RECORD,
    }
)
"""Our own records by their first line; each game brings one."""

ONE_LINERS: Mapping[str, Format] = MappingProxyType({CALTROP_LINE: CALTROP_RECORD})
"""Records without a heading, by the first word of their only line."""

FORMATS: Mapping[str, Format] = MappingProxyType({BLKSGF.name: BLKSGF, **RECORDS})
"""Every format by name."""


def format_of(text: str) -> Format:
    """The format of a text, by how it begins; ``FormatError`` (``unknown-format``) otherwise.

    >>> format_of("(;GM[Blokus])").name
    'blksgf'
    """
    if text.lstrip().startswith("("):
        return BLKSGF
    heading = " ".join(text.partition("\n")[0].split())
    if heading in RECORDS:
        return RECORDS[heading]
    first_word = heading.partition(" ")[0]
    if first_word in ONE_LINERS:
        return ONE_LINERS[first_word]
    known = ", ".join(RECORDS)
    raise FormatError(
        "unknown-format",
        f"No format known here begins like this; .blksgf begins with (, a record with {known}.",
    )
