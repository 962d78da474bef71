"""``plybook ratings``: how well people and computer levels play a game."""

import click
import msgspec

from ops.printable import printable
from ops.reading import reading
from ops.refused import Refused
from ops.settings import settings_from
from services.games.registry import REGISTRY
from services.players.accounts import Players
from services.projections.ratings import Rated, ratings
from services.ratings.skill import UNIT


@click.command("ratings")
@click.argument("game")
@click.option("--json", "as_json", is_flag=True, help="A JSON object a line.")
def command(game: str, as_json: bool) -> None:
    """Show the table of GAME: what everybody's skill surely is, what it seems to be, and how sure.

    Players who left keep their id and have no name.
    """
    if game not in REGISTRY.slugs():
        raise Refused(f"There is no game {game!r}; there are: {', '.join(REGISTRY.slugs())}.")
    with reading(settings_from()) as opened:
        found = opened.store.read(lambda connection: ratings(connection, game))
        names = Players(opened.store, int).names({one.player for one in found if one.player})
    for place, one in enumerate(found, start=1):
        named = names.get(one.player, one.player) if one.player else f"level {one.level}"
        click.echo(msgspec.json.encode(one) if as_json else _line(place, printable(named), one))
    if not found:
        click.echo("Nobody has finished a match of this game yet.", err=True)


def _line(place: int, named: str, one: Rated) -> str:
    skill, sigma = one.skill.mu / UNIT, one.skill.sigma / UNIT
    sure = one.skill.at_least / UNIT
    return f"{place:4}  {sure:6.1f}  {skill:5.1f} ± {sigma:3.1f}  {one.played:5} played  {named}"
