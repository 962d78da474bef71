"""Positions of Caltrop to search: seeded, by any ruleset, with so many empty squares."""

from services.games import registry
from services.games.caltrop import rules
from services.games.caltrop.board import SQUARES
from services.games.caltrop.position import Position
from tests.games import caltrop_play
from tests.kit.playouts import Dice

GAME = registry.game("caltrop")
FORMS = ("classic", "budget", "run")


def start(form: str, dice: Dice) -> Position:
    """The empty board of a game of this form; decks that are brought along are drawn."""
    if form == "run":
        begun: Position = caltrop_play.start(dice)
        return begun
    ruleset = rules.ruleset({"form": form, "games": 2})
    return rules.setup(ruleset, {seat: budget_deck(dice) for seat in "AB"})


def budget_deck(dice: Dice) -> str:
    """A deck for a duel on a budget, of any stones that may be in one."""
    ruleset = rules.ruleset({"form": "budget"})
    while rules.entry_objection(ruleset, "A", deck := caltrop_play.random_deck(dice)):
        pass
    return deck


def position(empty: int, seed: int) -> Position:
    """A position with so many empty squares, after moves that like to fight; forms alternate."""
    dice = Dice(seed)
    found = start(FORMS[seed % len(FORMS)], dice)
    while SQUARES - len(found.game.moves) > empty:
        move = caltrop_play.choose(found, rules.moves(found).texts, dice)
        found = rules.apply(found, move).position
    return found
