"""The stones of Caltrop (sheet §3): kinds, turns, levels, spikes and powers.

Four numbers in a row are the spikes on the front, right, back and left side, as the owner sees
the stone in the hand.
"""

from collections.abc import Mapping
from types import MappingProxyType

import msgspec

from services.games.contract import BadText

Sides = tuple[int, int, int, int]
"""One number for each side: front, right, back, left."""

SPIKES_MAX = 5
TURNS = "nesw"
"""How far a pawn or knight is turned: 0 to 3 quarters clockwise."""

KING, QUEEN, PAWN = "K", "Q", "P"
EDNA, VERONICA, DOT, PIA, BERTHA = "ED", "VV", "DD", "PP", "BB"
SUE, LOU, PEARL, SID, MILLSTONE = "SS", "LL", "PE", "SL", "MM"


class Kind(msgspec.Struct, frozen=True):
    """A kind of stone: the spikes at level 1, and what every further level adds to them."""

    code: str
    name: str
    base: Sides
    growth: Sides
    turns: str = ""
    power: str = ""

    @property
    def is_rare(self) -> bool:
        """Whether it is one of the ten rare stones; King Kobe is not."""
        return bool(self.power) and self.code != KING


KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        kind.code: kind
        for kind in (
            Kind(PAWN, "Tiny", (1, 0, 0, 0), (1, 0, 0, 0), TURNS),
            Kind("N", "knight", (2, 1, 0, 0), (1, 1, 0, 0), TURNS),
            Kind("B", "bishop", (0, 2, 0, 2), (0, 1, 0, 1)),
            Kind("R", "rook", (2, 1, 2, 1), (1, 1, 1, 1)),
            Kind(QUEEN, "queen", (2, 2, 2, 2), (1, 1, 1, 1)),
            Kind(KING, "King Kobe", (0, 0, 0, 0), (0, 0, 0, 0), power="Shields"),
            Kind(EDNA, "Experienced Edna", (1, 2, 1, 2), (1, 1, 1, 1), power="Cure"),
            Kind(VERONICA, "Venom Veronica", (2, 1, 1, 1), (1, 1, 0, 1), power="Poison"),
            Kind(DOT, "Diamond Dot", (3, 0, 1, 0), (1, 0, 1, 0), power="Hard"),
            Kind(PIA, "Pirouette Pia", (3, 0, 2, 0), (1, 0, 1, 0), power="Spin"),
            Kind(BERTHA, "Bursting Bertha", (1, 1, 1, 1), (1, 1, 1, 1), power="Burst"),
            Kind(SUE, "Sergeant Sue", (1, 1, 0, 1), (1, 1, 0, 1), power="Sharpen"),
            Kind(LOU, "Lucky Lou", (1, 2, 1, 1), (0, 1, 1, 1), power="Luck"),
            Kind(PEARL, "Precious Pearl", (1, 1, 1, 1), (1, 0, 1, 0), power="Worth"),
            Kind(SID, "Slippery Sid", (1, 1, 2, 1), (1, 1, 1, 1), power="Slip"),
            Kind(MILLSTONE, "Mother Millstone", (2, 2, 2, 2), (1, 1, 1, 1), power="Grind"),
        )
    }
)
"""Every kind by its code, in the order of the sheet."""


def spikes_at(kind: Kind, level: int) -> Sides:
    """The spikes of an unturned stone: one fewer on every spiked side at level 0 (§3.1).

    >>> spikes_at(KINDS["R"], 0), spikes_at(KINDS["R"], 2)
    ((1, 0, 1, 0), (3, 2, 3, 2))
    """
    if level == 0:
        a, b, c, d = (max(0, side - 1) for side in kind.base)
    else:
        a, b, c, d = (
            min(SPIKES_MAX, side + (level - 1) * more)
            for side, more in zip(kind.base, kind.growth, strict=True)
        )
    return (a, b, c, d)


def top_level(kind: Kind) -> int:
    """The first level at which the next one adds nothing.

    >>> [top_level(KINDS[code]) for code in ("P", "B", "K", "PP")]
    [5, 4, 1, 4]
    """
    level = 1
    while spikes_at(kind, level + 1) != spikes_at(kind, level):
        level += 1
    return level


def turned(sides: Sides, quarters: int) -> Sides:
    """The sides after so many quarter turns clockwise.

    >>> turned((2, 1, 0, 0), 1)
    (0, 2, 1, 0)
    """
    back = -quarters % 4
    a, b, c, d = sides[back:] + sides[:back]
    return (a, b, c, d)


class Stone(msgspec.Struct, frozen=True):
    """A stone at a level; ``text`` is its code (§10), ``sides`` its spikes in the hand.

    ``type`` is the code without the level: what pawns and knights of one turn share.
    """

    text: str
    type: str
    kind: str
    level: int
    sides: Sides
    top: int

    @property
    def spikes(self) -> int:
        """All its spikes."""
        return sum(self.sides)

    @property
    def is_rare(self) -> bool:
        """Whether it is one of the rare stones."""
        return KINDS[self.kind].is_rare

    @property
    def can_grow(self) -> bool:
        """Whether it is below its top level; King Kobe never is."""
        return self.level < self.top

    @property
    def cost(self) -> int:
        """What it costs in a duel on a budget (§8)."""
        return 6 if self.kind == KING else self.spikes + 3 * self.is_rare

    @property
    def special(self) -> str:
        """The code it carries on the board: of King Kobe and of rare stones; else nothing."""
        return self.kind if KINDS[self.kind].power else ""

    def at(self, level: int) -> "Stone":
        """The same stone at another level of its own (0 to ``top``)."""
        return self if self.kind == KING else STONES[f"{self.type}{level}"]


def _stones() -> dict[str, Stone]:
    found = {}
    for kind in KINDS.values():
        top = top_level(kind)
        for quarters, turn in enumerate(kind.turns or ("",)):
            for level in range(top + 1) if kind.code != KING else (1,):
                type_ = kind.code + turn
                text = type_ if kind.code == KING else f"{type_}{level}"
                sides = turned(spikes_at(kind, level), quarters)
                found[text] = Stone(text, type_, kind.code, level, sides, top)
    return found


STONES: Mapping[str, Stone] = MappingProxyType(_stones())
"""Every stone there can be, by its text."""

TURNED_TYPES = tuple(kind + turn for kind in (PAWN, "N") for turn in TURNS)
"""The pawn and knight turns in the order of the sheet (§7.4)."""


def stone(text: str) -> Stone:
    """The stone of a code with its level; codes are case sensitive (§10).

    >>> stone("PE2").kind, stone("Pe2").type
    ('PE', 'Pe')
    """
    found = STONES.get(text)
    if found is None:
        raise BadText(
            f"{text[:12]!r} is no stone; stones are written like Pn1, Ne3, B2, Q4, K, ED2."
        )
    return found


def first_of(type_: str) -> Stone:
    """The weakest stone of a type: level 0, King Kobe as he is (opponents' decks, §7.2)."""
    return stone(type_ if type_ == KING else f"{type_}0")
