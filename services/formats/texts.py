"""Bytes from outside to text we are willing to look at."""

from services.formats.errors import FormatError

BYTES_MAX = 1_048_576
"""Largest file looked at (1 MiB); the largest real collection met is a twentieth of it."""


def decode_text(data: bytes) -> str:
    r"""The file as text: UTF-8, an optional byte order mark dropped, no NUL characters.

    >>> decode_text(b"\xef\xbb\xbf(;GM[Blokus])")
    '(;GM[Blokus])'
    """
    if len(data) > BYTES_MAX:
        raise FormatError(
            "too-large", f"The file is too large: at most {BYTES_MAX} bytes are read."
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormatError(
            "not-utf-8", f"The file is not UTF-8 text: byte {error.start} does not fit."
        ) from None
    nul = text.find("\0")
    if nul >= 0:
        raise FormatError("not-text", f"There is a NUL character at offset {nul}.", offset=nul)
    return text
