"""The engine of last resort plays every game there is, by its rules alone."""

import pytest
from msgspec.structs import replace

from services.games.contract import Game
from services.games.registry import REGISTRY
from services.match.shuffle import Stream
from tests.engines.arena import question
from workers.engines import any_legal
from workers.engines.registry import think

KEY = bytes(32)


def begun(game: Game) -> tuple[object, object]:
    """The usual ruleset, and a position in which a seat is to move."""
    ruleset = game.rules.ruleset({})
    position = game.rules.setup(ruleset, {})
    if not isinstance(game.rules.awaiting(position), str):
        position = game.rules.deal(position, Stream(KEY)).position
    return ruleset, position


@pytest.mark.parametrize("slug", REGISTRY.slugs())
def test_it_plays_a_legal_move_of_every_game_and_not_always_the_same(slug: str) -> None:
    """Drawn by the seed of the turn alone, and only from what the seat sees."""
    game = REGISTRY.game(slug)
    ruleset, position = begun(game)
    moves = set()
    for seed in range(20):
        asked = replace(
            question(game, position, ruleset, level=1, seed=seed),
            engine=any_legal.NAME,
            engine_version=any_legal.VERSION,
        )
        again = [think(asked).move for _ in range(2)]
        assert again[0] == again[1]
        assert game.rules.objection(position, again[0]) is None
        moves.add(again[0])
    assert len(moves) >= min(2, len(game.rules.moves(position).texts))
