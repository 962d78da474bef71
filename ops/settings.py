"""What the machine may be told: every setting comes from the environment and is judged here.

A wrong value stops the start with one plain sentence that names the variable, the value (never
a secret) and what would be right. The README's table is made of ``SETTINGS`` and checked
against it.
"""

import difflib
import os
import shlex
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec

PREFIX = "PLYBOOK_"
TESTS_PREFIX = "PLYBOOK_TEST_"
"""Names the test suite keeps for itself; the service does not read them."""

KEY_BYTES = 32
LOG_FORMS = ("console", "json")
LOG_LEVELS = ("debug", "info", "warning", "error")
PORT_MAX = 65_535
SLOTS_MAX = 256
WINDOW_MAX = 10_000
ENGINE_SECONDS_MAX = 3_600


class WrongSetting(Exception):
    """A setting that cannot be used; the message is the whole sentence a person needs."""


class Setting(msgspec.Struct, frozen=True):
    """One variable. ``unset`` tells in words what stands in for an empty ``default``."""

    name: str
    default: str
    meaning: str
    read: Callable[[str], Any]
    unset: str = ""
    secret: bool = False


class SecretKey(msgspec.Struct, frozen=True):
    """Thirty-two bytes that are never printed."""

    raw: bytes

    def __repr__(self) -> str:
        return "SecretKey(…)"


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of one process, all judged; empty texts mean what ``SETTINGS`` says."""

    data: Path
    database: str
    broker: str
    host: str
    port: int
    public_url: str
    proxies: str
    secret_key: SecretKey | None
    heads: Path
    worker_slots: int
    engine_seconds: int
    levels: str
    gtp: str
    window: int
    metrics_port: int
    log: str
    log_level: str

    @property
    def sqlite(self) -> bool:
        """Whether the log is a file of ours."""
        return self.database.startswith("sqlite:")

    @property
    def sqlite_file(self) -> Path:
        """Where that file lies."""
        return Path(self.database.removeprefix("sqlite:///"))

    @property
    def shown_broker(self) -> str:
        """The broker without its password."""
        return without_password(self.broker)

    @property
    def url(self) -> str:
        """Where commands find the server of these settings."""
        return self.public_url or f"http://{self.host}:{self.port}"

    @property
    def embedded(self) -> bool:
        """Whether web, dispatcher, relay and worker share one process."""
        return self.broker == "memory://"

    @property
    def slots(self) -> int:
        """How many searches run at the same time: one a core, and the page keeps one for itself."""
        return self.worker_slots or (1 if self.embedded else cores())


class _NotRight(ValueError):
    """What would be right, as the end of a sentence."""


def _unless_empty(read: Callable[[str], str]) -> Callable[[str], str]:
    return lambda value: read(value) if value else ""


def _folder(value: str) -> str:
    if Path(value).exists() and not Path(value).is_dir():
        raise _NotRight("a folder is needed, and that is a file")
    return value


def _database(value: str) -> str:
    if value == "sqlite:///:memory:":
        raise _NotRight("the log needs a file, or it would be forgotten")
    for scheme in ("sqlite:///", "postgresql://"):
        if value.startswith(scheme) and value != scheme:
            return value
    raise _NotRight("sqlite:///path/to/file or postgresql://user@host/name is needed")


def _broker(value: str) -> str:
    if value == "memory://" or value.startswith(("amqp://", "amqps://")):
        return value
    raise _NotRight("memory:// or amqp://user@host:5672// is needed")


def _public_url(value: str) -> str:
    scheme, _, rest = value.partition("://")
    if scheme in ("http", "https") and rest.strip("/"):
        return value.rstrip("/")
    raise _NotRight("an address like https://play.example.org is needed")


def _number(least: int, most: int) -> Callable[[str], int]:
    def read(value: str) -> int:
        if value.isascii() and value.isdigit() and least <= int(value) <= most:
            return int(value)
        raise _NotRight(f"a whole number from {least} to {most} is needed")

    return read


def _command(value: str) -> str:
    try:
        words = shlex.split(value)
    except ValueError:
        words = []
    if not words or shutil.which(words[0]) is None:
        raise _NotRight("a command is needed whose program is here and may be run")
    return value


def _unless_unset(read: Callable[[str], int]) -> Callable[[str], int]:
    return lambda value: read(value) if value else 0


def _one_of(allowed: tuple[str, ...]) -> Callable[[str], str]:
    def read(value: str) -> str:
        if value in allowed:
            return value
        raise _NotRight(f"one of {', '.join(allowed)} is needed")

    return read


def _secret_key(value: str) -> SecretKey | None:
    if value == "":
        return None
    try:
        raw = bytes.fromhex(value)
    except ValueError:
        raw = b""
    if len(raw) != KEY_BYTES:
        raise _NotRight(f"{2 * KEY_BYTES} hexadecimal digits are needed")
    return SecretKey(raw)


SETTINGS: tuple[Setting, ...] = (
    Setting("PLYBOOK_DATA", "data", "the data folder: log file, key, heads, locks", _folder),
    Setting(
        "PLYBOOK_DATABASE",
        "",
        "where the log is kept: `sqlite:///path` or `postgresql://user@host/name`",
        _unless_empty(_database),
        unset="`plybook.sqlite` in the data folder",
    ),
    Setting(
        "PLYBOOK_BROKER",
        "memory://",
        "what carries work: `memory://` (everything in one process) or `amqp://user@host//`",
        _broker,
    ),
    Setting("PLYBOOK_HOST", "127.0.0.1", "the address the server listens on", str),
    Setting(
        "PLYBOOK_PORT",
        "8080",
        "the port the server listens on; 0 takes a free one",
        _number(0, PORT_MAX),
    ),
    Setting(
        "PLYBOOK_PUBLIC_URL",
        "",
        "how people reach the server, for the links it hands out",
        _unless_empty(_public_url),
        unset="as each request says",
    ),
    Setting(
        "PLYBOOK_PROXIES",
        "127.0.0.1",
        "addresses of proxies that are believed when they say whom they ask for; commas between",
        str,
    ),
    Setting(
        "PLYBOOK_SECRET_KEY",
        "",
        "seals the secrets in the database; 64 hexadecimal digits, the same for every process",
        _secret_key,
        unset="`secret.key` in the data folder, made at the first start",
        secret=True,
    ),
    Setting(
        "PLYBOOK_HEADS",
        "",
        "the file outside the database that the newest heads are appended to",
        str,
        unset="`heads.log` in the data folder",
    ),
    Setting(
        "PLYBOOK_WORKER_SLOTS",
        "",
        "computer turns that one worker thinks about at the same time",
        _unless_unset(_number(1, SLOTS_MAX)),
        unset="one a core; the embedded server: 1",
    ),
    Setting(
        "PLYBOOK_ENGINE_SECONDS",
        "10",
        "longest an engine may think about a turn; then the fallback engine plays it",
        _number(1, ENGINE_SECONDS_MAX),
    ),
    Setting(
        "PLYBOOK_LEVELS",
        "",
        "a file of further computer levels, such as outside programs; the same for every process",
        str,
        unset="none",
    ),
    Setting(
        "PLYBOOK_GTP",
        "",
        "the command of a program that speaks GTP and answers for levels whose engine is `gtp-…`",
        _unless_empty(_command),
        unset="none",
    ),
    Setting(
        "PLYBOOK_WINDOW",
        "0",
        "most work offered to a queue at a time; 0: four times the slots of one worker",
        _number(0, WINDOW_MAX),
    ),
    Setting(
        "PLYBOOK_METRICS_PORT",
        "0",
        "a port of its own for `/metrics`; 0: none, the embedded server shows them beside its page",
        _number(0, PORT_MAX),
    ),
    Setting(
        "PLYBOOK_LOG", "console", "how log lines look: `console` or `json`", _one_of(LOG_FORMS)
    ),
    Setting(
        "PLYBOOK_LOG_LEVEL",
        "info",
        "the least level that is written: `debug`, `info`, `warning` or `error`",
        _one_of(LOG_LEVELS),
    ),
)
"""Every variable, in the order of the README's table."""


def cores() -> int:
    """The cores that this process may use (a container may have fewer than its machine)."""
    return min(len(os.sched_getaffinity(0)), SLOTS_MAX)


def settings_from(environ: Mapping[str, str] = os.environ) -> Settings:
    """The judged settings of an environment; ``WrongSetting`` with one sentence otherwise.

    >>> settings_from({"PLYBOOK_PORT": "ninety"})
    Traceback (most recent call last):
    ops.settings.WrongSetting: PLYBOOK_PORT is 'ninety': a whole number from 0 to 65535 is needed.
    """
    _refuse_unknown(environ)
    read = {
        setting.name.removeprefix(PREFIX).lower(): _value(setting, environ) for setting in SETTINGS
    }
    data = Path(read.pop("data")).absolute()
    database = read.pop("database") or f"sqlite:///{data / 'plybook.sqlite'}"
    heads = Path(read.pop("heads") or data / "heads.log")
    settings = Settings(data=data, database=database, heads=heads, **read)
    _refuse_pairs(settings)
    return settings


def _value(setting: Setting, environ: Mapping[str, str]) -> Any:
    text = environ.get(setting.name, "") or setting.default
    try:
        return setting.read(text)
    except _NotRight as wrong:
        shown = "not usable" if setting.secret else repr(without_password(text))
        raise WrongSetting(f"{setting.name} is {shown}: {wrong}.") from None


def without_password(url: str) -> str:
    """The value as it may be shown: whatever stands between ``:`` and ``@`` is hidden."""
    scheme, slashes, rest = url.partition("://")
    login, at, place = rest.rpartition("@")
    if not at:
        return url
    return f"{scheme}{slashes}{login.partition(':')[0]}:…@{place}"


def _refuse_unknown(environ: Mapping[str, str]) -> None:
    known = {setting.name.removeprefix(PREFIX): setting.name for setting in SETTINGS}
    for name in sorted(environ):
        if not name.startswith(PREFIX) or name.startswith(TESTS_PREFIX):
            continue
        bare = name.removeprefix(PREFIX)
        if bare not in known:
            near = difflib.get_close_matches(bare, known, n=1)
            hint = f"did you mean {known[near[0]]}?" if near else "the README's table has them all."
            raise WrongSetting(f"{name} is not a setting of Plybook; {hint}")


def _refuse_pairs(settings: Settings) -> None:
    """SQLite goes with an in-process queue, PostgreSQL with RabbitMQ (in-process: for tests)."""
    if settings.sqlite and not settings.embedded:
        raise WrongSetting(
            f"PLYBOOK_BROKER is {without_password(settings.broker)!r} beside a SQLite log: several "
            "processes need PLYBOOK_DATABASE=postgresql://…, a SQLite log needs memory://."
        )
    if not settings.embedded and settings.secret_key is None:
        raise WrongSetting(
            "PLYBOOK_SECRET_KEY is not set: processes that share a database need the same key of "
            f"{2 * KEY_BYTES} hexadecimal digits."
        )
