"""The only list of games. A match names its rules by slug and version; both are found here."""

from collections.abc import Iterable

from services.games.blokus import drawing, notation, rules
from services.games.caltrop import drawing as caltrop_drawing
from services.games.caltrop import foretelling as caltrop_foretelling
from services.games.caltrop import notation as caltrop_notation
from services.games.caltrop import rules as caltrop_rules
from services.games.contract import Game
from services.games.hedgerow import drawing as hedgerow_drawing
from services.games.hedgerow import notation as hedgerow_notation
from services.games.hedgerow import rules as hedgerow_rules
from services.games.triangles import drawing as triangles_drawing
from services.games.triangles import notation as triangles_notation
from services.games.triangles import rules as triangles_rules


class UnknownGame(LookupError):
    """No such game, or not at that rules version; says what there is."""


class Registry:
    """A fixed set of games, keyed by (slug, rules version).

    An old version stays beside the new one as long as a stored match names it: its frozen
    rules are one more ``Game`` in the list.
    """

    def __init__(self, games: Iterable[Game]) -> None:
        self._games: dict[tuple[str, int], Game] = {}
        for game in games:
            key = (game.rules.slug, game.rules.version)
            if key in self._games:
                raise ValueError(f"{key[0]} version {key[1]} is listed twice")
            self._games[key] = game

    def game(self, slug: str, version: int | None = None) -> Game:
        """A game at a rules version, the newest if none is named; ``UnknownGame`` if not here."""
        versions = [v for name, v in self._games if name == slug]
        if not versions:
            raise UnknownGame(f"There is no game {slug!r}; there are: {', '.join(self.slugs())}.")
        if version is None:
            version = max(versions)
        if version not in versions:
            known = ", ".join(str(v) for v in sorted(versions))
            raise UnknownGame(f"{slug} has no rules version {version}; it has: {known}.")
        return self._games[slug, version]

    def slugs(self) -> tuple[str, ...]:
        """The names of the games, in the order of the alphabet."""
        return tuple(sorted({slug for slug, _ in self._games}))

    def games(self) -> tuple[Game, ...]:
        """Every game at its newest version, in the order of ``slugs``."""
        return tuple(self.game(slug) for slug in self.slugs())

    def versions(self) -> tuple[Game, ...]:
        """Every game at every version, oldest first: what the law suite runs over."""
        return tuple(self._games[key] for key in sorted(self._games))

    def plus(self, *games: Game) -> "Registry":
        """A registry with more games; this one stays as it is."""
        return Registry((*self._games.values(), *games))


REGISTRY = Registry(
    (
        Game("Blokus", rules, notation, drawing),
        Game("Caltrop", caltrop_rules, caltrop_notation, caltrop_drawing, caltrop_foretelling),
        Game("Hedgerow", hedgerow_rules, hedgerow_notation, hedgerow_drawing),
        Game("Triangles", triangles_rules, triangles_notation, triangles_drawing),
    )
)


def game(slug: str, version: int | None = None) -> Game:
    """A game of the house, at its newest rules version unless another is named."""
    return REGISTRY.game(slug, version)


def games() -> tuple[Game, ...]:
    """Every game of the house at its newest rules version."""
    return REGISTRY.games()
