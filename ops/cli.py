"""``plybook``: one door to everything the machine can do.

A command's module is imported when that command runs, so ``plybook --help`` is quick. Errors
are one sentence on stderr; exit codes: 0 done, 1 refused or different, 2 wrong usage or settings.
"""

import importlib
import os
import sys

import click

from events.codec import DamagedEvent
from events.log import LogFailure
from ops.logs import configure_logs
from ops.printable import printable
from ops.refused import Refused
from ops.settings import WrongSetting

DONE, REFUSED, WRONG_USAGE, INTERRUPTED = 0, 1, 2, 130  # the last as shells have it

COMMANDS = {
    "serve": "Run the server: page, log and computer players in one process.",
    "worker": "Run a worker that thinks about computer turns (production).",
    "relay": "Run the relay and the dispatcher (production).",
    "warm": "Compile the engines ahead, so that no turn waits for it.",
    "migrate": "Bring the database to this program's shape.",
    "play": "Play a game in the terminal against a computer level.",
    "gtp": "Answer other programs as a computer level, in the Go Text Protocol.",
    "import": "Bring in games from files, each judged by the rules first.",
    "export": "Write a match as a file.",
    "replay": "Show a match at any ply.",
    "audit": "Judge stored matches again: chain, moves, scores, computer turns.",
    "ratings": "Show how well people and computer levels play a game.",
    "heads": "Print the newest hash of every stream, to keep it elsewhere.",
    "rebuild": "Make the projections anew from the log.",
    "seed": "Bring in the demo matches.",
    "check-vectors": "Run conformance files and print the cases that fail.",
    "bench": "Measure this machine beside the anchors of the design.",
    "backup": "Copy the SQLite log while the server runs.",
}
"""Every command and what it is for; its module is ``ops.commands.<name>``."""

MODULES = {"import": "import_games"}
"""Modules whose name cannot be the command's."""


class Commands(click.Group):
    """A group that imports a command's module only to run it."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All names, in the order of the table."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, imported now."""
        del ctx
        if cmd_name not in COMMANDS:
            return None
        module = MODULES.get(cmd_name, cmd_name.replace("-", "_"))
        command = importlib.import_module(f"ops.commands.{module}").command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The table as help, without importing anything."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="plybook")
def plybook() -> None:
    """A game service in which every move is an immutable event.

    Settings come from the environment (PLYBOOK_DATA, PLYBOOK_PORT, …): see the README.
    """
    configure_logs("console", "warning")  # processes that stay configure theirs by the settings


def main(arguments: list[str] | None = None) -> None:
    """Run the program and leave with its exit code."""
    sys.exit(run(sys.argv[1:] if arguments is None else arguments))


def run(arguments: list[str]) -> int:
    """The exit code of one call; whatever goes wrong is told in a sentence."""
    try:
        return plybook.main(arguments, prog_name="plybook", standalone_mode=False) or DONE
    except click.ClickException as wrong:
        wrong.show()
        return WRONG_USAGE
    except WrongSetting as wrong:
        click.echo(str(wrong), err=True)
        return WRONG_USAGE
    except Refused as refused:
        click.echo(printable(str(refused)), err=True)
        return REFUSED
    except DamagedEvent as damaged:
        click.echo(f"The log cannot be read: {damaged}. `plybook audit` says more.", err=True)
        return REFUSED
    except LogFailure as failure:
        click.echo(f"It failed: {failure}.", err=True)
        return REFUSED
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read our lines has enough of them; nothing may be flushed there any more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except OSError as failure:  # a folder that is not there, not ours, or full
        place = f"{failure.filename}: " if failure.filename else ""
        click.echo(f"It failed: {place}{failure.strerror or failure}.", err=True)
        return REFUSED
