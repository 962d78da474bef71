"""Whole matches of every game, held to the laws of all games and to those of its own sheet.

``PLYBOOK_MATCHES`` plays more of them: ``make matches MATCHES=10000`` over all games together.
"""

import os
from functools import lru_cache
from importlib import import_module
from types import ModuleType
from typing import Any

import pytest
from msgspec.structs import replace

from services.games.contract import BadText, Game
from services.games.registry import REGISTRY
from tests.kit import match_laws
from tests.kit.playouts import Dice, Turn, play_module, seeded_rulesets, with_deals

GAMES = REGISTRY.games()
BATCH = 40
"""Matches of a game that are played and judged by one test."""
MATCHES = int(os.environ.get("PLYBOOK_MATCHES", str(BATCH * len(GAMES)))) // len(GAMES)


def sheet_of(game: Game) -> ModuleType:
    """The laws of the game's own sheet, and sights without which they would prove little."""
    return import_module(f"tests.games.{game.rules.slug}_laws")


def first_position(game: Game, seed: int, dice: Dice) -> Any:
    """The seeded rulesets in turn; every second match as the game's own play begins, if it can."""
    start = getattr(play_module(game.rules.slug), "start", None)
    if start and seed % 2:
        return start(dice)
    rulesets = list(seeded_rulesets(game.rules.slug).values())
    return game.rules.setup(game.rules.ruleset(rulesets[seed // 2 % len(rulesets)]))


@lru_cache(maxsize=len(GAMES))
def matches(game: Game, batch: int) -> tuple[tuple[Turn, ...], ...]:
    """A batch of matches, each with its deals, chosen as random matches of the game are."""
    played = []
    for seed in range(batch * BATCH, min((batch + 1) * BATCH, MATCHES)):
        dice = Dice(seed)
        played.append(tuple(with_deals(game, first_position(game, seed, dice), dice)))
    return tuple(played)


@pytest.mark.parametrize("batch", range(-(-MATCHES // BATCH)))
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.rules.slug)
def test_every_law_of_the_sheets_holds_in_every_match(game: Game, batch: int) -> None:
    """Whatever was played, from the laws of all games to those of its own sheet."""
    for seed, match in enumerate(matches(game, batch), start=batch * BATCH):
        try:
            for of_all_games in match_laws.LAWS:
                of_all_games(game, match)
            for of_its_own in sheet_of(game).LAWS:
                of_its_own(match)
        except Exception as broken:
            broken.add_note(f"in match {seed} of {game.rules.slug}")
            raise


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.rules.slug)
def test_the_matches_show_what_the_laws_are_about(game: Game) -> None:
    """The control: a law that is never put to the test would prove nothing."""
    sights = sheet_of(game).SIGHTS
    assert sights
    for sight, is_seen in sights.items():
        assert any(map(is_seen, matches(game, 0))), sight


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.rules.slug)
def test_a_match_that_is_not_whole_or_not_true_breaks_the_laws(game: Game) -> None:
    """The other control: what the rules did not do is seen, and so is an end that is missing."""
    *played, last = matches(game, 0)[0]
    untrue = replace(last, step=replace(last.step, facts=("nothing of the kind",)))
    with pytest.raises((AssertionError, BadText)):
        match_laws.every_turn_is_derived_again(game, [*played, untrue])
    with pytest.raises((AssertionError, BadText)):
        match_laws.everybody_can_follow(game, [*played, untrue])
    with pytest.raises(AssertionError):
        match_laws.it_ends_in_time_and_only_then(game, played)
