"""``plybook replay``: a match at any ply, as anybody may see it."""

from pathlib import Path

import click

from ops.reading import match_at, reading
from ops.refused import Refused
from ops.settings import settings_from
from services.games.picture import to_svg
from services.match.state import MatchState
from services.match.views import view_of


@click.command("replay")
@click.argument("match")
@click.option("--ply", type=click.IntRange(min=0), default=None, help="After so many moves (now).")
@click.option(
    "--svg",
    type=click.Path(dir_okay=False, path_type=Path),
    default=None,
    help="Write the board as a picture instead of showing it.",
)
def command(match: str, ply: int | None, svg: Path | None) -> None:
    """Show the board of MATCH after any of its moves."""
    with reading(settings_from()) as opened:
        state = match_at(opened.log, match, ply)
    if state.position is None:
        raise Refused(f"{match} has not started: there is no board yet.")
    drawing = state.the_game.drawing
    board = state.the_game.rules.view(state.position, None)
    if svg is None:
        click.echo("\n".join(_lines(state, drawing.text(board, None))))
    else:
        svg.write_text(to_svg(drawing.picture(board, None)), "utf-8")
        click.echo(f"{svg} shows {match} after ply {state.ply}.")


def _lines(state: MatchState, board: str) -> list[str]:
    view = view_of(state)
    lines = [f"{view.match}: {view.title}, ply {view.ply}", board.rstrip("\n")]
    if view.moves:
        lines += [f"After {view.moves[-1].move}: {fact}" for fact in view.moves[-1].facts]
    if view.status == "ended":
        points = ", ".join(f"{seat} {view.points[seat]}" for seat in sorted(view.points))
        winners = " and ".join(view.winners) or "nobody"
        lines.append(f"Ended by {view.how}: {points}; won by {winners}.")
    return lines
