"""Settings: a wrong value stops the start with one plain sentence that shows no secret."""

from pathlib import Path

import pytest

from ops.folder_lock import write_private
from ops.secret_key import KEY_FILE, secret_key_of
from ops.settings import SETTINGS, SecretKey, Settings, WrongSetting, settings_from
from ops.wiring import levels_of
from services.levels import Levels

KEY = "ab" * 32

WRONG = [
    ({"PLYBOOK_PORT": "ninety"}, "PLYBOOK_PORT is 'ninety': a whole number from 0 to 65535"),
    ({"PLYBOOK_PORT": "65536"}, "PLYBOOK_PORT is '65536': a whole number from 0 to 65535"),
    ({"PLYBOOK_PORT": "-1"}, "PLYBOOK_PORT is '-1'"),
    ({"PLYBOOK_PORT": "²"}, "PLYBOOK_PORT is '²'"),
    ({"PLYBOOK_METRICS_PORT": "x"}, "PLYBOOK_METRICS_PORT is 'x'"),
    ({"PLYBOOK_WORKER_SLOTS": "0"}, "PLYBOOK_WORKER_SLOTS is '0': a whole number from 1 to 256"),
    ({"PLYBOOK_DATABASE": "mysql://h/d"}, "PLYBOOK_DATABASE is 'mysql://h/d': sqlite:///path"),
    ({"PLYBOOK_DATABASE": "sqlite:///"}, "PLYBOOK_DATABASE is 'sqlite:///'"),
    ({"PLYBOOK_DATABASE": "sqlite:///:memory:"}, "PLYBOOK_DATABASE is 'sqlite:///:memory:': the"),
    ({"PLYBOOK_BROKER": "redis://h"}, "PLYBOOK_BROKER is 'redis://h': memory:// or amqp://"),
    ({"PLYBOOK_PUBLIC_URL": "here"}, "PLYBOOK_PUBLIC_URL is 'here': an address"),
    ({"PLYBOOK_PUBLIC_URL": "https://"}, "PLYBOOK_PUBLIC_URL is 'https://': an address like"),
    ({"PLYBOOK_GTP": "no-such-program -x"}, "PLYBOOK_GTP is 'no-such-program -x': a command is"),
    ({"PLYBOOK_GTP": "'open"}, 'PLYBOOK_GTP is "\'open": a command is'),
    ({"PLYBOOK_LOG": "xml"}, "PLYBOOK_LOG is 'xml': one of console, json is needed"),
    ({"PLYBOOK_LOG_LEVEL": "loud"}, "PLYBOOK_LOG_LEVEL is 'loud': one of debug, info"),
    ({"PLYBOOK_SECRET_KEY": "abc"}, "PLYBOOK_SECRET_KEY is not usable: 64 hexadecimal digits"),
    ({"PLYBOOK_BROKR": "amqp://"}, "PLYBOOK_BROKR is not a setting of Plybook; did you mean"),
    ({"PLYBOOK_XYZ": ""}, "PLYBOOK_XYZ is not a setting of Plybook; the README's table"),
    (
        {"PLYBOOK_BROKER": "amqp://h", "PLYBOOK_SECRET_KEY": KEY},
        "PLYBOOK_BROKER is 'amqp://h' beside a SQLite log",
    ),
    (
        {"PLYBOOK_BROKER": "amqp://h", "PLYBOOK_DATABASE": "postgresql://h/d"},
        "PLYBOOK_SECRET_KEY is not set",
    ),
]


@pytest.mark.parametrize(("environ", "sentence"), WRONG)
def test_a_wrong_value_is_named_in_one_sentence(environ: dict[str, str], sentence: str) -> None:
    """The sentence names the variable, its value and what would be right."""
    with pytest.raises(WrongSetting) as stopped:
        settings_from(environ)
    said = str(stopped.value)
    assert said.startswith(sentence)
    assert said.endswith((".", "?"))
    assert "\n" not in said


def test_a_folder_that_is_a_file_is_refused(tmp_path: Path) -> None:
    """Nothing is written beside somebody's file."""
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(WrongSetting, match=r"PLYBOOK_DATA is .*: a folder is needed"):
        settings_from({"PLYBOOK_DATA": str(file)})


@pytest.mark.parametrize(
    "environ",
    [
        {"PLYBOOK_SECRET_KEY": "hunter2"},
        {"PLYBOOK_DATABASE": "mysql://u:hunter2@h/d"},
        {"PLYBOOK_BROKER": "redis://u:hunter2@h"},
        {"PLYBOOK_BROKER": "amqp://u:hunter2@h", "PLYBOOK_SECRET_KEY": KEY},
    ],
)
def test_no_sentence_shows_a_secret(environ: dict[str, str]) -> None:
    """Passwords and keys stay out of what a terminal or a log keeps."""
    with pytest.raises(WrongSetting) as stopped:
        settings_from(environ)
    assert "hunter2" not in str(stopped.value)


def test_without_any_setting_everything_lies_in_one_folder() -> None:
    """The embedded default: SQLite, in-process queue, this machine only."""
    settings = settings_from({})
    assert settings.sqlite_file == settings.data / "plybook.sqlite"
    assert settings.heads.parent == settings.data
    assert (settings.host, settings.embedded) == ("127.0.0.1", True)
    assert settings.url == "http://127.0.0.1:8080"


@pytest.mark.parametrize(
    ("database", "broker"),
    [
        ("sqlite:///x.sqlite", "memory://"),
        ("postgresql://h/d", "amqp://h"),
        ("postgresql://h/d", "memory://"),
    ],
)
def test_the_three_pairs_that_are_allowed(database: str, broker: str) -> None:
    """SQLite goes in one process; PostgreSQL with RabbitMQ, or alone for tests."""
    settings = settings_from(
        {"PLYBOOK_DATABASE": database, "PLYBOOK_BROKER": broker, "PLYBOOK_SECRET_KEY": KEY}
    )
    assert (settings.database, settings.broker) == (database, broker)
    assert KEY not in repr(settings)


def test_an_empty_variable_is_an_unset_one() -> None:
    """Compose files pass empty texts for what was not set."""
    assert settings_from({setting.name: "" for setting in SETTINGS}) == settings_from({})


def test_the_suite_may_have_names_of_its_own() -> None:
    """The tests' variables are not the service's business."""
    assert settings_from({"PLYBOOK_TEST_POSTGRES": "x"}) == settings_from({})


def test_the_key_file_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    """The second start finds the same key; nobody else can read it."""
    settings = settings_from({"PLYBOOK_DATA": str(tmp_path / "data")})
    key = secret_key_of(settings)
    assert secret_key_of(settings) == key
    assert (settings.data / KEY_FILE).stat().st_mode & 0o777 == 0o600
    assert key.raw.hex() not in repr(key)


def test_a_key_in_the_environment_wins_and_makes_no_file(tmp_path: Path) -> None:
    """Production keeps the key where it keeps its secrets."""
    settings = settings_from({"PLYBOOK_DATA": str(tmp_path), "PLYBOOK_SECRET_KEY": KEY})
    assert secret_key_of(settings) == SecretKey(bytes.fromhex(KEY))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("text", "mode"), [("short", 0o600), (KEY, 0o644)])
def test_a_key_file_that_is_cut_or_open_stops_the_start(
    tmp_path: Path, text: str, mode: int
) -> None:
    """Better no start than secrets sealed with a key that others read."""
    write_private(tmp_path / KEY_FILE, text.encode())
    (tmp_path / KEY_FILE).chmod(mode)
    with pytest.raises(WrongSetting, match=r"secret\.key") as stopped:
        secret_key_of(settings_from({"PLYBOOK_DATA": str(tmp_path)}))
    assert KEY not in str(stopped.value)


def further(tmp_path: Path, *lines: str) -> Settings:
    """Settings with a file of levels of the operator's own."""
    file = tmp_path / "levels.toml"
    game = () if any(line.startswith("game =") for line in lines) else ('game = "blokus"',)
    file.write_text("\n".join(("[[level]]", *game, *lines)))
    return settings_from({"PLYBOOK_LEVELS": str(file)})


def test_an_operator_adds_levels_to_those_of_the_house(tmp_path: Path) -> None:
    """An outside program is a level like any other: it has a number, and matches may name it."""
    lines = ("level = 42", 'engine = "gtp-x"', "engine_version = 3", "budget = 5")
    levels = levels_of(further(tmp_path, *lines, 'queue = "ai.gtp"'))
    assert levels.known("blokus") == (*Levels.load().known("blokus"), 42)
    assert levels.known("caltrop") == Levels.load().known("caltrop")


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (("level = 1", 'engine = "gtp-x"', 'queue = "ai.gtp"'), "blokus level 1 is listed twice"),
        (("level = 42", 'engine = "gtp-x"'), "have queue = 'ai.gtp'"),
        (("level = 42", 'engine = "blokus-greedy"', 'queue = "ai.gtp"'), "have queue = 'ai.gtp'"),
        (
            ("level = 42", 'engine = "gtp-x"', 'queue = "ai.slow"'),
            "'ai.slow' is none of the queues",
        ),
        (("level = 42", 'engine = "gtp-x"', "speed = 3"), "unknown field"),
        (('game = "halma"', "level = 42", 'engine = "blokus-greedy"'), "no game 'halma'"),
        (("level = 42", 'engine = "blokus-greedy"'), "no engine 'blokus-greedy' of version 3"),
        (
            ('game = "hedgerow"', "level = 42", 'engine = "gtp-x"', 'queue = "ai.gtp"'),
            "gtp-… engines play blokus, not 'hedgerow'",
        ),
        (("level =",), "Invalid value"),
    ],
)
def test_levels_that_cannot_be_are_told_in_a_sentence(
    tmp_path: Path, lines: tuple[str, ...], said: str
) -> None:
    """What nobody would ever answer stops the start."""
    whole = (*lines, "engine_version = 3", "budget = 5")
    with pytest.raises(WrongSetting, match=r"^PLYBOOK_LEVELS is '.*levels.toml': .*\.$") as stopped:
        levels_of(further(tmp_path, *whole))
    assert said in str(stopped.value)
    with pytest.raises(WrongSetting, match="No such file"):
        levels_of(settings_from({"PLYBOOK_LEVELS": str(tmp_path / "gone.toml")}))
