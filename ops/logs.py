"""Log lines: structlog's, uvicorn's, Celery's and everybody's in one form, secrets never in them.

Match, version and command are bound from outside with ``structlog.contextvars``; the pure code
inside logs nothing.
"""

import logging
import re
import sys
from collections.abc import Mapping, MutableMapping
from typing import Any, TextIO

import structlog
from structlog.types import Processor

HIDDEN = "…"

SECRET_KEYS = frozenset(
    {
        "authorization",
        "cookie",
        "entropy",
        "invite",
        "password",
        "salt",
        "sealed",
        "secret",
        "secret_key",
        "seed",
        "server_seed",
        "set-cookie",
        "ticket",
        "token",
    }
)
"""Names whose values are never written, however deep they stand."""

_SECRET_TEXTS = re.compile(
    r"(?P<kind>\b(?:plybook|invite|operator)_)[A-Za-z0-9_-]{20,}"
    r"|(?P<before>(?:bearer|basic)\s+)[A-Za-z0-9._~+/=-]{8,}"
    r"|(?P<login>://[^\s/:@]*:)[^\s/@]+(?=@)"
    r"|(?P<name>\b(?:token|ticket|secret|seed|password|invite)s?[\"']?\s*[=:]\s*[\"']?)"
    r"[A-Za-z0-9._~+/-]{8,}",
    re.IGNORECASE,
)
"""Secrets inside texts: our tokens, an authorization header, a URL's password, ``token=…``."""

_QUIET = {
    "alembic": "WARNING",
    "amqp": "WARNING",
    "asyncio": "WARNING",
    "celery.app.trace": "WARNING",
    "celery.worker.strategy": "WARNING",
    "httpcore": "WARNING",
    "httpx": "WARNING",
    "kombu": "WARNING",
    "kombu.connection": "ERROR",  # it warns that an in-process queue has no host
    "sqlalchemy": "WARNING",
    "uvicorn": "WARNING",
}
"""Libraries that talk about themselves: heard from this level upwards."""

_ROUTED = ("celery", "celery.task", "uvicorn", "uvicorn.error", "uvicorn.access")
"""Libraries that bring handlers of their own: they lose them."""


def configure_logs(form: str, level: str, stream: TextIO | None = None) -> None:
    """Send every log line of this process to ``stream`` (stderr) as ``console`` or ``json``."""
    target = stream or sys.stderr
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.ExtraAdder(),
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.StackInfoRenderer(),
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(target)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.format_exc_info,
                drop_secrets,
                _renderer(form, colours=target.isatty()),
            ],
        )
    )
    _route(handler, level)


def drop_secrets(
    _logger: Any, _method: str, line: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    """Hide secret values by their names and by their looks (a structlog processor).

    >>> drop_secrets(None, "", {"event": "asked with Bearer abcdefgh1234", "seed": b"1"})
    {'event': 'asked with Bearer …', 'seed': '…'}
    """
    return {key: HIDDEN if _named_secret(key) else _clean(value) for key, value in line.items()}


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        return _SECRET_TEXTS.sub(_keep_the_front, value)
    if isinstance(value, Mapping):
        return {
            key: HIDDEN if _named_secret(key) else _clean(inner) for key, inner in value.items()
        }
    if isinstance(value, (list, tuple)):
        return [_clean(inner) for inner in value]
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, (bytes, bytearray, memoryview)):
        return HIDDEN  # nothing worth reading in a log line is raw bytes, but a seed is
    return _clean(str(value))


def _keep_the_front(found: re.Match[str]) -> str:
    return "".join(front for front in found.groups() if front) + HIDDEN


def _named_secret(key: Any) -> bool:
    return isinstance(key, str) and key.lower() in SECRET_KEYS


def _renderer(form: str, *, colours: bool) -> Processor:
    if form == "json":
        return structlog.processors.JSONRenderer(ensure_ascii=False)
    # A pretty traceback prints local variables, and those may be secrets.
    return structlog.dev.ConsoleRenderer(
        colors=colours, exception_formatter=structlog.dev.plain_traceback
    )


def _route(handler: logging.Handler, level: str) -> None:
    root = logging.getLogger()
    for old in root.handlers[:]:
        root.removeHandler(old)
    root.addHandler(handler)
    root.setLevel(level.upper())
    for name in _ROUTED:
        library = logging.getLogger(name)
        library.handlers.clear()
        library.propagate = True
    for name, heard in _QUIET.items():
        logging.getLogger(name).setLevel(heard)
