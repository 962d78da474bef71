"""Collections as the log keeps them, both ways; and the draws of a run, written down."""

from collections.abc import Sequence

from events.event_kinds import Draw, OwnedStone
from services.games.caltrop.collection import Collection, Owned
from services.games.caltrop.decks import upgradable, upgrade_offer
from services.games.caltrop.rewards import Weighted, draw
from services.games.caltrop.stones import Stone, stone
from services.games.contract import Chance
from services.match import shuffle
from services.match.secret import Secret

RUN_ORDER = "run-order"
NEW_STONE = "new-stone"
UPGRADE_OFFER = "upgrade-offer"


def written(owned: Sequence[Owned]) -> tuple[OwnedStone, ...]:
    """Owned stones for an event."""
    return tuple(OwnedStone(one.number, one.stone.text, one.source) for one in owned)


def collection_of(
    stones: Sequence[OwnedStone], deck: Sequence[int], next_number: int
) -> Collection:
    """The collection of an event."""
    owned = tuple(Owned(one.number, stone(one.stone), one.source) for one in stones)
    return Collection(owned, tuple(deck), next_number)


def chance(run: str, secret: Secret, purpose: str, counter: int) -> Chance:
    """The chance of one draw of a run (fair shuffle, Runs): no seats, so no entropy."""
    return shuffle.Stream(shuffle.purpose_key(secret.match_key(run, []), purpose, counter))


def draw_stone(weights: Weighted, number: int, dice: Chance) -> Draw:
    """The new stone after the ``number``-th match."""
    return Draw(NEW_STONE, number, weights, (draw(weights, dice),))


def draw_upgrades(deck: Sequence[Stone], number: int, dice: Chance) -> Draw:
    """The upgrades offered after the ``number``-th match: slots (from 1), each as likely."""
    slots = upgradable(deck)
    drawn = tuple(slots.index(slot) for slot in upgrade_offer(deck, dice))
    return Draw(UPGRADE_OFFER, number, tuple((str(slot + 1), 1) for slot in slots), drawn)


def drawn_slots(drawn: Draw) -> tuple[int, ...]:
    """The slots (from 1) of an upgrade draw, in the order drawn."""
    return tuple(int(drawn.items[place][0]) for place in drawn.drawn)
