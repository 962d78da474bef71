"""Tests get real services, or a sentence that says what to do; nothing is skipped in silence."""

import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import msgspec
import pytest

from ops.dev import test_services
from ops.dev.own_servers import CannotStart, OwnServer
from ops.dev.test_services import (
    Program,
    Service,
    Unavailable,
    Way,
    advice,
    installer,
    need_program,
    provide,
    way_to,
)


@pytest.mark.parametrize(
    ("configured", "running", "installed", "may_install", "way"),
    [
        (True, True, True, True, Way.CONFIGURED),
        (False, True, True, True, Way.RUNNING),
        (False, False, True, True, Way.OWN),
        (False, False, False, True, Way.INSTALL),
        (False, False, False, False, Way.NONE),
    ],
)
def test_the_nearest_way_is_taken(
    configured: bool, running: bool, installed: bool, may_install: bool, way: Way
) -> None:
    """Configured before running before installed before installable."""
    chosen = way_to(
        configured=configured, running=running, installed=installed, may_install=may_install
    )
    assert chosen is way


@pytest.mark.parametrize(
    ("uid", "programs", "sudo", "starts_with"),
    [
        (0, {"apt-get"}, False, ["apt-get", "install"]),
        (1000, {"apt-get", "sudo"}, True, ["sudo", "-n", "apt-get", "install"]),
        (1000, {"apt-get", "sudo"}, False, None),
        (1000, {"apt-get"}, True, None),
        (0, set(), True, None),
    ],
)
def test_packages_are_installed_only_by_who_may(
    uid: int, programs: set[str], sudo: bool, starts_with: list[str] | None
) -> None:
    """Root, or sudo without a password; never a prompt in the middle of a test run."""
    command = installer(uid, lambda name: name if name in programs else None, lambda: sudo)
    assert (command and command[: len(starts_with or [])]) == starts_with


class _Shop(OwnServer):
    """A server of our own that answers at once."""

    def start(self) -> None:
        self.url = "toy://own"


def _service(*, program: Path | None = None, usable: tuple[str, ...] = ()) -> Service:
    return Service(
        name="Toy",
        variable="PLYBOOK_TEST_TOY",
        usual_url="toy://usual",
        package="toy-server",
        objection=lambda url: "" if url in usable else "connection refused",
        program=lambda: program,
        own=lambda _: _Shop("toy", "nobody"),
    )


def test_a_configured_server_that_does_not_answer_stops_the_run() -> None:
    """Somebody meant that server: another one would hide the mistake."""
    service = _service(program=Path("toy"), usable=("toy://usual",))
    with ExitStack() as stack, pytest.raises(Unavailable, match=r"PLYBOOK_TEST_TOY.*refused"):
        provide(service, {"PLYBOOK_TEST_TOY": "toy://wrong"}, stack, own=False)


def test_a_running_server_is_used_and_left_alone() -> None:
    """What was not started here is not stopped here."""
    service = _service(program=Path("toy"), usable=("toy://usual",))
    with ExitStack() as stack:
        assert provide(service, {}, stack, own=False) == "toy://usual"


def test_an_own_server_leaves_nothing_behind() -> None:
    """Its folder is gone when the run is over."""
    server = _Shop("toy", "nobody")
    service = msgspec.structs.replace(_service(program=Path("toy")), own=lambda _: server)
    with ExitStack() as stack:
        assert provide(service, {}, stack, own=True) == "toy://own"
        assert server.folder.exists()
    assert not server.folder.exists()


def test_without_any_way_the_run_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sentence names the package to install and the variable to set."""
    monkeypatch.setattr(test_services, "installer", lambda *_: None)
    service = _service()
    with ExitStack() as stack, pytest.raises(Unavailable) as failure:
        provide(service, {}, stack, own=False)
    assert str(failure.value) == advice(service)
    assert "toy-server" in advice(service)
    assert "PLYBOOK_TEST_TOY=toy://usual" in advice(service)


def test_packages_are_installed_when_that_is_the_only_way(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """After the installation a server of our own is started from what came with it."""
    apt = tmp_path / "apt-get"
    apt.write_text(
        f'#!/bin/sh\necho "$@" >> {tmp_path}/asked\n[ $1 = update ] || touch {tmp_path}/toy\n'
    )
    apt.chmod(0o755)
    monkeypatch.setattr(test_services, "installer", lambda *_: [str(apt), "install", "--yes"])
    toy = tmp_path / "toy"
    service = msgspec.structs.replace(_service(), program=lambda: toy if toy.exists() else None)
    with ExitStack() as stack:
        assert provide(service, {}, stack, own=False) == "toy://own"
    assert (tmp_path / "asked").read_text().splitlines() == [
        "update",
        "install --yes toy-server",
    ]


def test_a_program_that_tests_call_is_installed_or_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A missing program is named before the run, not found missing in the middle of it."""
    need_program(Program(names=("no-such-program", "sh"), package="dash"))
    monkeypatch.setattr(test_services, "installer", lambda *_: None)
    with pytest.raises(Unavailable, match="install the package toy-tools"):
        need_program(Program(names=("no-such-program",), package="toy-tools"))


def test_a_server_that_does_not_come_up_shows_its_last_words() -> None:
    """A failed start is explained by the server's own log, and leaves no folder."""

    class Broken(OwnServer):
        def start(self) -> None:
            self._spawn(["/bin/sh", "-c", "echo no space left; exit 1"])
            self._wait(lambda _: "connection refused")

    server = Broken("broken", "nobody")
    with pytest.raises(CannotStart, match=r"ended while starting(.|\n)*no space left"), server:
        pass
    assert not server.folder.exists()


def test_the_commands_status_and_environment_pass_through() -> None:
    """``make test`` fails exactly when the tests do."""
    code = "import os, sys; sys.exit(7 if os.environ['PLYBOOK_TEST_POSTGRES'] else 0)"
    command = [sys.executable, "-m", "ops.dev.test_services", "--", sys.executable, "-c", code]
    assert subprocess.run(command, check=False, capture_output=True).returncode == 7
