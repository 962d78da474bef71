"""JSON bodies are what they say they are: a number is no text, no fraction and no truth value."""

import re
from typing import Any

import msgspec
from litestar import Request
from litestar.exceptions import ValidationException

_WHERE = re.compile(r"`\$\.(.+)`$")


class StrictRequest(Request[Any, Any, Any]):
    """A request whose JSON body is of its route's type, to the letter.

    The framework converts a body as it converts a query, where everything is text: to it ``"1"``
    and ``1.0`` are as good as ``1``. What it finds converted it leaves alone.
    """

    async def json(self) -> Any:
        """The body as its route declares it; ``ValidationException`` if it is anything else."""
        plain = await super().json()
        wanted = self.route_handler.parsed_data_field
        if wanted is None:
            return plain
        try:
            return msgspec.convert(plain, wanted.annotation)
        except msgspec.ValidationError as error:
            raise _not_as_declared(error) from error


def _not_as_declared(error: msgspec.ValidationError) -> ValidationException:
    """What the framework says of the same, so that there is one shape of it (``problems``)."""
    found = _WHERE.search(str(error))
    wrong = str(error).split(" - ", maxsplit=1)[0]
    return ValidationException(extra=[{"key": found[1] if found else "data", "message": wrong}])
