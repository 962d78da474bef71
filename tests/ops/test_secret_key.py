"""The key and the database belong together: no start with the wrong half."""

from pathlib import Path

import pytest

from ops.secret_key import KEY_FILE
from ops.settings import WrongSetting, settings_from
from ops.wiring import alone
from services.match.commands import CreateMatch

OTHER_KEY = "cd" * 32


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder whose log holds a match, so a sealed seed."""
    with alone(settings_from({"PLYBOOK_DATA": str(tmp_path)})) as house:
        house.handler.create(
            CreateMatch(game="blokus", ruleset={}),
            actor="player:p-a",
            command_id=None,
            received_at=1,
        )
    return tmp_path


def refusal_of(environ: dict[str, str]) -> str:
    """How the house says that it does not open."""
    with pytest.raises(WrongSetting) as stopped, alone(settings_from(environ)):
        pass
    return str(stopped.value)


def test_a_lost_key_is_asked_for_and_never_replaced(data: Path) -> None:
    """A new key beside old secrets would look like a healthy server and open nothing."""
    key = data / KEY_FILE
    key.rename(data / "elsewhere")
    assert refusal_of({"PLYBOOK_DATA": str(data)}).startswith(f"{key} is gone, and the database")
    assert not key.exists()
    (data / "elsewhere").rename(key)
    with alone(settings_from({"PLYBOOK_DATA": str(data)})) as house:
        assert house.key.raw.hex() == key.read_text().strip()


def test_another_key_is_refused_before_it_seals_anything(data: Path) -> None:
    """From a file or from the environment; the sentence says which, and shows neither."""
    said = refusal_of({"PLYBOOK_DATA": str(data), "PLYBOOK_SECRET_KEY": OTHER_KEY})
    assert said.startswith("PLYBOOK_SECRET_KEY is not the key that sealed the secrets")
    (data / KEY_FILE).write_text(OTHER_KEY)
    said += refusal_of({"PLYBOOK_DATA": str(data)})
    assert f"{data / KEY_FILE} is not the key that sealed the secrets" in said
    assert OTHER_KEY not in said
