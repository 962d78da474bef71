"""``plybook gtp``: a computer level for programs that speak the Go Text Protocol."""

import secrets
import sys

import click

from ops.gtp_protocol import GtpError, answers
from ops.gtp_session import Session
from ops.refused import Refused


@click.command("gtp")
@click.option("--game", "slug", required=True, help="blokus, caltrop or hedgerow.")
@click.option("--level", type=int, required=True, help="The computer level that answers.")
@click.option("--ruleset", default=None, help="A way to play it, such as duo; set_game changes it.")
@click.option("--seed", type=int, default=None, help="The same seed and moves: the same answers.")
def command(slug: str, level: int, ruleset: str | None, seed: int | None) -> None:
    """Answer GTP commands on standard input until `quit`.

    So that other programs can play ours: `list_commands` names what it knows.
    """
    seed = secrets.randbits(64) if seed is None else seed
    try:
        session = Session(f"{slug} {ruleset or ''}", level, seed)
    except GtpError as wrong:
        raise Refused(f"It cannot be played here: {str(wrong).rstrip('.')}.") from None
    for answer in answers(sys.stdin, session.commands):
        sys.stdout.write(answer)
        sys.stdout.flush()
