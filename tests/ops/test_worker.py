"""``plybook worker``: which queues it works for, and what it refuses before it begins."""

import sys

import pytest

from ops.cli import run
from ops.commands.worker import command, weights_of


def test_only_a_worker_that_hosts_a_program_takes_its_turns() -> None:
    """The queue of outside programs goes with ``--gtp``, whatever else is asked for."""
    usual = str(command.params[0].default)
    assert "ai.gtp" not in usual.split(",")
    assert weights_of(usual, hosts=False) == tuple(usual.split(","))
    assert weights_of(usual, hosts=True) == (*usual.split(","), "ai.gtp")
    assert weights_of("ai.gtp", hosts=True) == ("ai.gtp",)
    assert weights_of("ai.quick, ai.gtp", hosts=True) == ("ai.quick", "ai.gtp")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--queues", "ai.gtp"], "ai.gtp needs a program: --gtp COMMAND"),
        (["--queues", "ai.quick,ai.slow"], "there is no queue 'ai.slow'"),
        (["--gtp", "no-such-program"], "PLYBOOK_GTP is 'no-such-program': a command is needed"),
        (["--gtp", sys.executable, "--queues", "x"], "there is no queue 'x'"),
    ],
)
def test_what_cannot_work_is_said_before_it_begins(
    options: list[str],
    said: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A sentence and exit status 2; no broker is looked for."""
    monkeypatch.setenv("PLYBOOK_BROKER", "amqp://nowhere.invalid//")
    monkeypatch.setenv("PLYBOOK_DATABASE", "postgresql://nowhere.invalid/none")
    monkeypatch.setenv("PLYBOOK_SECRET_KEY", "ab" * 32)
    assert run(["worker", *options]) == 2
    assert said in capsys.readouterr().err
