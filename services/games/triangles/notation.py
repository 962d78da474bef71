"""Triangles as text: placements and turns (``seeds/triangles/RULES.md`` §2, §12), positions.

A position is one whole line, e.g. (shortened)::

    triangles target=400 … players=2 round=2 totals=36,159 start=B reason=previous-winner tile=-
    turns=B:333u0.0,A++:133d0.-1,B+ A=012+?7 B=?8 market=?37 out=-

``?7`` are seven tiles that are not shown, ``-`` is nothing; the last turn without a colon is
the one that is still to be made. A market that is shown lists the next tile first.
"""

import re
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from services.games.contract import BadText, Seat
from services.games.triangles import play
from services.games.triangles.lattice import Placement
from services.games.triangles.legality import contact_objection, opening_objection
from services.games.triangles.options import VALUES, Ruleset, option_text, option_value, ruleset
from services.games.triangles.points import match_is_over
from services.games.triangles.position import (
    NOBODY,
    Opening,
    Position,
    first_position,
    known_tiles,
)
from services.games.triangles.tiles import (
    NO_TILE,
    NUMBERS,
    READINGS,
    TILES,
    TRIPLES,
    as_set,
    tiles_in,
)

POSITION_CHARS_MAX = 3_000
"""More than any position needs: 56 turns, 40 draws, 56 tiles, and the names."""

NOTHING = "-"
REASONS = ("triple", "highest-sum", "previous-winner")

_PLACEMENT = re.compile(
    r"([0-5])([0-5])([0-5])([ud])(0|-?[1-9][0-9]?)\.(0|-?[1-9][0-9]?)", re.ASCII
)
_TURN = re.compile(r"([A-D])(\+{0,56})(?::(.+))?", re.ASCII)
_SUM = re.compile(r"0|-?[1-9][0-9]{0,5}", re.ASCII)
_COUNT = re.compile(r"0|[1-9][0-9]{0,4}", re.ASCII)
_FIELDS = ("round", "totals", "start", "reason", "tile", "turns")


class BadPlacement(BadText):
    """A text that is no placement; ``code`` is the sheet's reason (§5)."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


def read_placement(text: str) -> Placement:
    """The placement of a text; ``BadPlacement`` with the first reason that applies."""
    found = _PLACEMENT.fullmatch(text)
    if found is None:
        sentence = "A placement is three digits from 0 to 5 and a cell, like 232d0.-1."
        raise BadPlacement("notation", sentence)
    a, b, c, kind, q, r = found.groups()
    tile = READINGS.get(a + b + c)
    if tile is None:
        sentence = f"There is no tile {a}{b}{c}: clockwise from the smallest, digits never fall."
        raise BadPlacement("no-such-tile", sentence)
    return Placement(tile, (int(a), int(b), int(c)), (kind, int(q), int(r)))


def canonical(position: Position, move: str) -> str:  # noqa: ARG001 - the same in any position
    """A placement has one spelling; ``BadText`` if the text is none."""
    return read_placement(move).text


def tiles_text(tiles: Sequence[int]) -> str:
    """Tiles joined as in ``012+133``; ``-`` is none."""
    return "+".join(TILES[tile] for tile in tiles) or NOTHING


def read_tiles(text: str) -> tuple[int, ...]:
    """The tiles of such a text, in its order; ``BadText`` if one is none or comes twice."""
    names = [] if text == NOTHING else text.split("+")
    if any(name not in NUMBERS for name in names) or len(set(names)) < len(names):
        raise BadText(f"{text[:40]!r} is no list of different tiles, as 012+133 is.")
    return tuple(NUMBERS[name] for name in names)


def turn_text(seat: Seat, drawn: Sequence[int] | int, placement: Placement | None) -> str:
    """A finished turn: ``B+012+045:450d0.-1``, with a count ``B++:450d0.-1``; a pass ``A:-``."""
    made = placement.text if placement else NOTHING
    return f"{draws_text(seat, drawn)}:{made}"


def draws_text(seat: Seat, drawn: Sequence[int] | int) -> str:
    """The seat and what it drew, as a turn begins."""
    if isinstance(drawn, int):
        return seat + "+" * drawn
    return seat + "".join(f"+{TILES[tile]}" for tile in drawn)


def format_position(position: Position) -> str:
    """The position as one line; see the module's own words for its shape."""
    return " ".join(("triangles", *_format_fields(position)))


def _format_fields(position: Position) -> Iterator[str]:
    seats, opening = position.seats, position.opening
    for name in VALUES:
        yield f"{name}={option_text(getattr(position.ruleset, name))}"
    yield f"round={position.round}"
    yield f"totals={','.join(map(str, position.totals))}"
    yield f"start={seats[opening.seat] if opening else NOTHING}"
    yield f"reason={opening.reason if opening else NOTHING}"
    yield f"tile={TILES[opening.tile] if opening and opening.tile != NO_TILE else NOTHING}"
    turns = [turn_text(seats[t.seat], t.drawn, t.placement) for t in position.turns]
    if position.drawn:
        turns.append(draws_text(seats[position.next], position.drawn))
    yield f"turns={','.join(turns) or NOTHING}"
    for seat, hand, hidden in zip(seats, position.hands, position.hidden, strict=True):
        yield f"{seat}={_some_shown(tiles_in(hand), hidden)}"
    yield f"market={_some_shown(position.market, position.unseen)}"
    yield f"out={NOTHING if position.out == NOBODY else seats[position.out]}"


def _some_shown(tiles: Sequence[int], hidden: int) -> str:
    shown = [TILES[tile] for tile in tiles]
    if hidden:
        shown.append(f"?{hidden}")
    return "+".join(shown) or NOTHING


def parse_position(text: str) -> Position:
    """The position of a line; it has to be spelled exactly as ``format_position`` spells it.

    The turns are played again, so points, counts and whose turn it is follow from them.
    """
    if len(text) > POSITION_CHARS_MAX:
        raise BadText(f"A position line has at most {POSITION_CHARS_MAX} characters.")
    head, *rest = text.split(" ")
    if head != "triangles":
        raise BadText("A position line begins with triangles.")
    fields = dict(field.partition("=")[::2] for field in rest)
    if tuple(fields)[: len(VALUES)] != tuple(VALUES):
        raise BadText(f"After triangles stand the options {', '.join(VALUES)}, each once.")
    options = ruleset({name: option_value(name, fields.pop(name)) for name in VALUES})
    names = (*_FIELDS, *options.seats, "market", "out")
    if tuple(fields) != names:
        raise BadText(f"After the options stand {', '.join(names)}, each once.")
    position = _shown(_replayed(_at_deal(options, fields), fields["turns"]), fields)
    if format_position(position) != text:
        raise BadText(f"This position is spelled: {format_position(position)}")
    return position


def _at_deal(options: Ruleset, fields: dict[str, str]) -> Position:
    """The round as it was dealt, with nothing shown."""
    totals = tuple(_number(_SUM, total, "a total") for total in fields["totals"].split(","))
    number = _number(_COUNT, fields["round"], "round")
    if len(totals) != options.players:
        raise BadText("totals has a number for each seat.")
    before = first_position(options)
    if not number:
        if any(totals) or any(fields[name] != NOTHING for name in _FIELDS[2:]):
            raise BadText("Before the first round there are no totals, no start and no turns.")
        return _given_up(before, fields)
    if (number == 1 and any(totals)) or (number > 1 and match_is_over(options, totals, number - 1)):
        raise BadText("No round is dealt with these totals.")
    before = replace(before, totals=totals, round=number - 1)
    return _given_up(play.dealt(before, _opening(options, number, fields)), fields)


def _number(shape: re.Pattern[str], text: str, what: str) -> int:
    if not shape.fullmatch(text):
        raise BadText(f"{text[:20]!r} is not {what}: a number without leading zeros.")
    return int(text)


def _opening(options: Ruleset, number: int, fields: dict[str, str]) -> Opening:
    reason, tile = fields["reason"], fields["tile"]
    if fields["start"] not in options.seats or reason not in REASONS:
        raise BadText(f"start is a seat, and reason one of {', '.join(REASONS)}.")
    seat = options.seats.index(fields["start"])
    if reason == "previous-winner" or options.opening_tile == "free":
        if tile != NOTHING or (reason == "previous-winner" and number == 1):
            raise BadText("tile is - where none has to be played, and round 1 follows no winner.")
        return Opening(seat, reason)
    if tile not in NUMBERS or bool(TRIPLES >> NUMBERS[tile] & 1) != (reason == "triple"):
        raise BadText("tile is the qualifying tile: a triple exactly where the reason says so.")
    return Opening(seat, reason, NUMBERS[tile])


def _given_up(position: Position, fields: dict[str, str]) -> Position:
    if fields["out"] == NOTHING:
        return position
    if fields["out"] not in position.seats:
        raise BadText("out is the seat that gave up, or -.")
    return replace(position, out=position.seats.index(fields["out"]))


def _replayed(position: Position, text: str) -> Position:
    """The position after the turns of a line, as far as everybody can see them."""
    turns = [] if text == NOTHING else text.split(",")
    for number, turn in enumerate(turns, start=1):
        found = _TURN.fullmatch(turn)
        if found is None:
            raise BadText(f"{turn[:40]!r} is no turn, as B++:450d0.-1 and A:- are.")
        seat, drawn, made = found.groups()
        if not position.is_running or play.round_is_over(position):
            raise BadText("No turn follows the end of a round.")
        if seat not in position.seats or position.seats.index(seat) != position.next:
            raise BadText(f"turn {number} is that of {position.seats[position.next]}.")
        position = _drawn(position, len(drawn))
        if made is None:
            if not drawn or number < len(turns):
                raise BadText("Only the last turn can stand without a colon, after draws.")
        elif made == NOTHING:
            if position.market_count or not position.turns:
                raise BadText("Nobody passes on an empty table or while there is a market.")
            position = play.pass_turn(position)
        else:
            position = _placed(position, made)
    return position


def _drawn(position: Position, count: int) -> Position:
    if not count:
        return position
    if count > position.market_count or not position.turns:
        raise BadText("Nobody draws on an empty table or more than there is.")
    return play.draw(position, count)


def _placed(position: Position, text: str) -> Position:
    placement = read_placement(text)
    if any(known.tile == placement.tile for known in position.placed):
        raise BadText(f"{TILES[placement.tile]} is placed twice.")
    objection = opening_objection(position, placement) or contact_objection(
        position.layout, placement
    )
    if objection:
        raise BadText(f"{text}: {objection.sentence}")
    return play.place(position, placement)[0]


def _shown(position: Position, fields: dict[str, str]) -> Position:
    """The position with the tiles that the line shows."""
    hands, hidden = [], []
    for seat, name in enumerate(position.seats):
        tiles, rest = _read_some_shown(fields[name])
        if len(tiles) + rest != position.hand_count(seat):
            raise BadText(f"{name} has {position.hand_count(seat)} tiles after these turns.")
        hands.append(as_set(tiles))
        hidden.append(rest)
    market, unseen = _read_some_shown(fields["market"])
    if (market and unseen) or len(market) + unseen != position.market_count:
        raise BadText(f"The market has {position.market_count} tiles, all shown or none.")
    is_over = play.round_is_over(position)
    position = replace(
        position, hands=tuple(hands), hidden=tuple(hidden), market=market, unseen=unseen
    )
    _check_tiles(position)
    if not is_over:
        _check_seat_to_move(position)
        return position
    if any(hidden):
        raise BadText("When a round is over all hands are shown.")
    return play.end_round(position, position.hands)


def _read_some_shown(text: str) -> tuple[tuple[int, ...], int]:
    shown, mark, hidden = text.rpartition("?")
    if not mark:
        return read_tiles(text), 0
    if shown and not shown.endswith("+"):
        raise BadText(f"{text[:40]!r} is no list of tiles, as 012+?7 is.")
    return read_tiles(shown[:-1] or NOTHING), _number(_COUNT, hidden, "a count")


def _check_tiles(position: Position) -> None:
    shown = known_tiles(position)
    hands = sum(hand.bit_count() for hand in position.hands)
    if shown.bit_count() != len(position.placed) + hands + len(position.market):
        raise BadText("No tile is in two places.")


def _check_seat_to_move(position: Position) -> None:
    """Draws and passes come of themselves, so a seat to move has something to place."""
    if not position.is_running or position.hidden[position.next]:
        return
    fitting = position.layout.playable()
    if not position.turns and position.opening and position.opening.tile != NO_TILE:
        fitting = 1 << position.opening.tile
    if not position.hands[position.next] & fitting:
        raise BadText("The seat to move has nothing to place.")
