"""Answers that a caller may have already: an ETag over the very bytes, and 304 for the same."""

import hashlib
from typing import Any

from litestar import Request, Response
from litestar.status_codes import HTTP_304_NOT_MODIFIED


def conditional(
    request: Request[Any, Any, Any],
    content: bytes,
    media_type: str,
    headers: dict[str, str] | None = None,
) -> Response[Any]:
    """The content with its ETag, or nothing if the caller holds it already.

    ``private``: what one caller may see is nobody else's, so no shared cache keeps it.
    """
    tag = f'"{hashlib.blake2b(content, digest_size=16).hexdigest()}"'
    headers = {"ETag": tag, "Cache-Control": "private, no-cache", **(headers or {})}
    if tag in held(request.headers.get("if-none-match", "")):
        return Response(
            b"", status_code=HTTP_304_NOT_MODIFIED, media_type=media_type, headers=headers
        )
    return Response(content, media_type=media_type, headers=headers)


def held(if_none_match: str) -> frozenset[str]:
    """The tags of an ``If-None-Match`` header; weak ones count, a 304 needs no more.

    >>> sorted(held('W/"a", "b"'))
    ['"a"', '"b"']
    """
    return frozenset(tag.strip().removeprefix("W/") for tag in if_none_match.split(","))
