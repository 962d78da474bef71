"""What may stand on a page as somebody's name."""

import unicodedata

NAME_CHARS_MAX = 32

_MARKS = frozenset(" -_.'\u2019")
_KINDS = ("L", "M", "N")
"""Letters, their accents, and numbers of any script; no controls, no invisible characters."""


class BadName(ValueError):
    """The name cannot be used; the message says what can."""


def checked_name(text: str) -> str:
    """The name as it is kept: composed (NFC), single blanks, 1 to 32 characters.

    >>> checked_name("  Ada   Lovelace ")
    'Ada Lovelace'
    >>> checked_name("x" * 33)
    Traceback (most recent call last):
    ...
    services.players.names.BadName: A name has 1 to 32 characters; this one has 33.
    """
    name = " ".join(unicodedata.normalize("NFC", text[: 8 * NAME_CHARS_MAX]).split())
    if not 1 <= len(name) <= NAME_CHARS_MAX:
        raise BadName(f"A name has 1 to {NAME_CHARS_MAX} characters; this one has {len(name)}.")
    for char in name:
        if char not in _MARKS and unicodedata.category(char)[0] not in _KINDS:
            raise BadName(
                "A name is made of letters, numbers, blanks and - _ . ' only; "
                f"this one holds U+{ord(char):04X}."
            )
    if unicodedata.category(name[0])[0] not in ("L", "N"):
        raise BadName("A name begins with a letter or a number.")
    return name
