"""Give the tests a real PostgreSQL, a real RabbitMQ and the programs they call, then run them.

    python -m ops.dev.test_services [--own] [--programs] -- COMMAND…

Each service is looked for in this order: the one a variable names, one that listens on the
usual port and lets us in, the installed programs (a throw-away server of our own), the
system's packages. When nothing helps the run fails and says what to do: tests are never
skipped in silence. The command finds the addresses in ``PLYBOOK_TEST_POSTGRES`` and
``PLYBOOK_TEST_RABBITMQ``; its exit status is ours. Only what was started here is stopped here.
"""

import argparse
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from enum import Enum
from pathlib import Path

import msgspec

from ops.dev.own_servers import (
    CannotStart,
    OwnPostgres,
    OwnRabbitMQ,
    OwnServer,
    postgres_objection,
    rabbitmq_objection,
)


class Unavailable(Exception):
    """A service can be had in no way; the message says what to do."""


class Service(msgspec.Struct, frozen=True):
    """What the tests need, and how it is recognised, found and started.

    ``objection(url)`` says why a running server does not serve (empty: it does);
    ``program()`` finds the installed one; ``own(program)`` makes a server of our own of it.
    """

    name: str
    variable: str
    usual_url: str
    package: str
    objection: Callable[[str], str]
    program: Callable[[], Path | None]
    own: Callable[[Path], OwnServer]


class Program(msgspec.Struct, frozen=True):
    """A program that tests call, by the names it goes by, and the package it comes in."""

    names: tuple[str, ...]
    package: str

    @property
    def path(self) -> str | None:
        """Where it is installed; None if it is not."""
        return next((path for name in self.names if (path := shutil.which(name))), None)


class Way(Enum):
    """How a service is come by."""

    CONFIGURED = "as configured"
    RUNNING = "the one that runs here"
    OWN = "one of our own"
    INSTALL = "from the system's packages"
    NONE = "none"


def way_to(*, configured: bool, running: bool, installed: bool, may_install: bool) -> Way:
    """The first way that is open.

    >>> way_to(configured=False, running=False, installed=True, may_install=True)
    <Way.OWN: 'one of our own'>
    """
    ways = {
        Way.CONFIGURED: configured,
        Way.RUNNING: running,
        Way.OWN: installed,
        Way.INSTALL: may_install,
    }
    return next((way for way, is_open in ways.items() if is_open), Way.NONE)


def advice(service: Service) -> str:
    """What somebody can do whose machine offers no way to a service."""
    return (
        f"The tests need {service.name}: none is running on its usual port, none is installed, "
        f"and it cannot be installed from here (that takes Debian's apt-get, as root or by sudo). "
        f"Install the package {service.package}, or start a server anywhere and set "
        f"{service.variable}={service.usual_url}"
    )


def installer(
    uid: int, which: Callable[[str], str | None], sudo_works: Callable[[], bool]
) -> list[str] | None:
    """The command that installs packages here, without their names; None if there is none.

    >>> installer(0, lambda name: f"/usr/bin/{name}", lambda: False)
    ['apt-get', 'install', '--yes', '--no-install-recommends']
    """
    if not which("apt-get"):
        return None
    install = ["apt-get", "install", "--yes", "--no-install-recommends"]
    if uid == 0:
        return install
    return ["sudo", "-n", *install] if which("sudo") and sudo_works() else None


def newest(folders: Sequence[Path]) -> Path | None:
    """The folder of the highest version number in its path.

    >>> newest([Path("/usr/lib/postgresql/9/bin"), Path("/usr/lib/postgresql/15/bin")]).parts[-2]
    '15'
    """

    def version(folder: Path) -> tuple[int, ...]:
        return tuple(int(part) for part in folder.as_posix().split("/") if part.isdecimal())

    return max(folders, key=version, default=None)


def postgres_program() -> Path | None:
    """The folder of an installed PostgreSQL's ``initdb`` and ``postgres``."""
    on_path = shutil.which("postgres")
    folders = [Path(on_path).resolve().parent] if on_path else []
    folders += Path("/usr/lib/postgresql").glob("*/bin")
    return newest([f for f in folders if (f / "initdb").exists() and (f / "postgres").exists()])


def rabbitmq_program() -> Path | None:
    """An installed RabbitMQ's start script: Debian's own one, not the wrapper bound to root."""
    debian = Path("/usr/lib/rabbitmq/bin/rabbitmq-server")
    if debian.exists():
        return debian
    on_path = shutil.which("rabbitmq-server")
    return Path(on_path) if on_path else None


CURL = Program(names=("curl",), package="curl")
CHROMIUM = Program(names=("chromium", "chromium-browser", "google-chrome"), package="chromium")
PROGRAMS = (CURL, CHROMIUM)

SERVICES = (
    Service(
        name="PostgreSQL",
        variable="PLYBOOK_TEST_POSTGRES",
        usual_url="postgresql://postgres@127.0.0.1:5432/postgres",
        package="postgresql",
        objection=postgres_objection,
        program=postgres_program,
        own=OwnPostgres,
    ),
    Service(
        name="RabbitMQ",
        variable="PLYBOOK_TEST_RABBITMQ",
        usual_url="amqp://guest:guest@127.0.0.1:5672//",
        package="rabbitmq-server",
        objection=rabbitmq_objection,
        program=rabbitmq_program,
        own=OwnRabbitMQ,
    ),
)


def provide(service: Service, env: Mapping[str, str], stack: ExitStack, *, own: bool) -> str:
    """The address of a service that answers; what had to be started ends with ``stack``.

    With ``own`` no running server is looked for.
    """
    configured = "" if own else env.get(service.variable, "")
    if configured and (reason := service.objection(configured)):
        raise Unavailable(f"{service.variable} names a {service.name} of no use: {reason}")
    running = not own and not configured and not service.objection(service.usual_url)
    install = installer(os.geteuid(), shutil.which, _sudo_works)
    way = way_to(
        configured=bool(configured),
        running=running,
        installed=service.program() is not None,
        may_install=install is not None,
    )
    _say(f"{service.name}: {way.value}")
    if way is Way.CONFIGURED:
        return configured
    if way is Way.RUNNING:
        return service.usual_url
    if way is Way.INSTALL and install:
        _install(install, service.package)
    program = service.program()
    if program is None:
        raise Unavailable(advice(service))
    return stack.enter_context(service.own(program)).url


def need_program(program: Program) -> None:
    """Install a program's package if the program is missing and that can be done here."""
    if program.path:
        return
    install = installer(os.geteuid(), shutil.which, _sudo_works)
    _say(f"{program.names[0]}: {(Way.INSTALL if install else Way.NONE).value}")
    if install:
        _install(install, program.package)
    if not program.path:
        raise Unavailable(f"Tests call {program.names[0]}: install the package {program.package}.")


def run(command: Sequence[str], env: Mapping[str, str]) -> int:
    """Run the command to its end, also through Ctrl-C; a signal's end is 128 + its number."""
    with subprocess.Popen(command, env=env) as process:
        while True:
            try:
                code = process.wait()
            except KeyboardInterrupt:
                continue  # the terminal told the command too: let it finish its report
            return code if code >= 0 else 128 - code


def main(arguments: Sequence[str]) -> int:
    """Provide both services, run the command, stop what was started; the command's status."""
    parser = argparse.ArgumentParser(prog="python -m ops.dev.test_services")
    parser.add_argument("--own", action="store_true", help="start own servers in any case")
    parser.add_argument("--programs", action="store_true", help="see to the tests' programs too")
    parser.add_argument("command", nargs="+", help="what to run, after --")
    options = parser.parse_args(arguments)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    env = dict(os.environ)
    with ExitStack() as stack:
        try:
            for program in PROGRAMS if options.programs else ():
                need_program(program)
            for service in SERVICES:
                env[service.variable] = provide(service, env, stack, own=options.own)
        except (Unavailable, CannotStart) as failure:
            _say(str(failure))
            return 2
        return run(options.command, env)


def _install(command: Sequence[str], package: str) -> None:
    """Install one package; a failure shows in the missing program."""
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    update = [*command[: command.index("install")], "update"]
    for step in (update, [*command, package]):
        subprocess.call(step, env=quiet, stdout=sys.stderr)


def _sudo_works() -> bool:
    """Whether sudo asks no password."""
    return subprocess.call(["sudo", "-n", "true"], stderr=subprocess.DEVNULL) == 0


def _say(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
