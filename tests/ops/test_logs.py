"""Log lines have one form wherever they come from, and no secret is in any of them."""

import io
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
import structlog

from ops.logs import HIDDEN, configure_logs, drop_secrets

SEED = bytes(range(32))
TOKEN = "plybook_" + "Q7" * 21 + "x"


@pytest.fixture(autouse=True)
def _restored() -> Iterator[None]:
    """The test process gets its own logging back."""
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    yield
    root.handlers[:] = before
    root.setLevel(level)
    structlog.reset_defaults()
    structlog.contextvars.clear_contextvars()


def lines_of(stream: io.StringIO) -> list[dict[str, Any]]:
    """The JSON lines written so far."""
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_our_lines_and_a_librarys_look_the_same() -> None:
    """structlog, uvicorn and Celery end in one stream of JSON lines with the bound context."""
    stream = io.StringIO()
    configure_logs("json", "info", stream)
    structlog.contextvars.bind_contextvars(match="m-1", version=7, command="play")
    structlog.get_logger("plybook").info("played")
    for library in ("uvicorn.error", "celery.worker", "anything"):
        logging.getLogger(library).warning("took %s", "long")
    lines = lines_of(stream)
    assert [line["event"] for line in lines] == ["played", "took long", "took long", "took long"]
    for line in lines:
        assert (line["match"], line["version"], line["command"]) == ("m-1", 7, "play")
        assert line["timestamp"].endswith("Z")


def test_a_console_line_is_for_people() -> None:
    """The console form is text, without colours where nobody sees them."""
    stream = io.StringIO()
    configure_logs("console", "info", stream)
    structlog.get_logger("plybook").info("listening", url="http://127.0.0.1:8080")
    text = stream.getvalue()
    assert "listening" in text
    assert "http://127.0.0.1:8080" in text
    assert "\x1b" not in text


def test_less_than_the_level_is_not_written() -> None:
    """The level of the settings holds for everybody."""
    stream = io.StringIO()
    configure_logs("json", "warning", stream)
    structlog.get_logger("plybook").info("quiet")
    logging.getLogger("uvicorn.error").info("quiet")
    assert stream.getvalue() == ""


@pytest.mark.parametrize("form", ["json", "console"])
def test_no_secret_reaches_a_line(form: str) -> None:
    """Not by name, not inside texts, not in an exception, not among a traceback's locals."""
    stream = io.StringIO()
    configure_logs(form, "debug", stream)
    log = structlog.get_logger("plybook")
    log.info("made", seed=SEED, secret_key=SEED.hex(), nested={"Token": TOKEN, "list": [SEED]})
    log.info("asked", headers={"Authorization": f"Bearer {TOKEN}", "Cookie": TOKEN})
    log.warning("GET /v1/stream?ticket=%s with Bearer %s", TOKEN, TOKEN)
    logging.getLogger("kombu").error("cannot reach amqp://plybook:hunter2-long@broker//")
    logging.getLogger("uvicorn.error").info("token: %s", TOKEN)
    seed_in_a_frame = SEED.hex()
    try:
        int(TOKEN)
    except ValueError:
        log.exception("failed")
    text = stream.getvalue()
    assert seed_in_a_frame not in text
    assert TOKEN not in text
    assert "hunter2" not in text
    assert repr(SEED) not in text
    assert "amqp://plybook:…@broker//" in text
    assert text.count(HIDDEN) >= 8


def test_what_is_no_secret_stays_as_it_is() -> None:
    """Heads, match ids, numbers and addresses without a password are for reading."""
    line = {"event": "done", "head": "ab" * 32, "match": "m-1", "n": 3, "url": "amqp://host//"}
    assert drop_secrets(None, "", dict(line)) == line
