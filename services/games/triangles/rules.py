"""Triangles: the rule sheet in code (``seeds/triangles/RULES.md``), in its order; version 1.

This module judges; nothing else does. Hands are hidden while a round runs, and chance enters
with each deal. Inside, a seat is its place in the order of turns, a hand a set of tiles.
"""

from collections.abc import Mapping

from msgspec.structs import replace

from services.games.contract import (
    MOVES_LISTED_MAX,
    BadText,
    Chance,
    Deal,
    Facts,
    Moves,
    NextStep,
    Objection,
    Outcome,
    Over,
    Seat,
    Step,
    Terms,
)
from services.games.triangles import facts, imagining, play
from services.games.triangles.lattice import FIRST_CELL, Placement, cell_name
from services.games.triangles.legality import contact_objection, opening_objection
from services.games.triangles.notation import BadPlacement, read_placement, tiles_text
from services.games.triangles.options import Ruleset, ruleset, ruleset_data
from services.games.triangles.points import leaders, match_is_over
from services.games.triangles.position import NOBODY, Position, first_position, known_tiles
from services.games.triangles.tiles import FITTING, FITTING_TILES, TILES, as_set, tiles_in

__all__ = [
    "apply", "awaiting", "census", "deal", "entry_objection", "imagine", "moves", "objection",
    "outcome", "ruleset", "ruleset_data", "setup", "slug", "standing", "steps", "terms",
    "version", "view", "withdraw",
]  # fmt: skip

slug = "triangles"
version = 1

ROUNDS_WITHOUT_CAP = 1_000
"""What a match without a cap is taken to last at most; the longest ever seen had a few dozen."""


# A match and its rounds (§3, §9)


def terms(ruleset: Ruleset) -> Terms:
    """What the ruleset asks of a match; a ply is a placement, 56 a round at most."""
    rounds = ruleset.max_rounds or ROUNDS_WITHOUT_CAP
    return Terms(ruleset.players, plies_max=rounds * len(TILES), hidden=True, chance=True)


def entry_objection(ruleset: Ruleset, seat: Seat, text: str) -> Objection | None:  # noqa: ARG001
    """Triangles is played without entries: nothing is handed in."""
    return Objection("no-entry", "Triangles is played without decks or other entries.")


def setup(ruleset: Ruleset, entries: Mapping[Seat, str] = {}) -> Position:  # noqa: ARG001
    """All tiles face down; the first round is to be dealt."""
    return first_position(ruleset)


def awaiting(position: Position) -> Seat | Deal | Over:
    """The seat that places next, the deal of the next round, or ``Over`` (§8)."""
    if position.out != NOBODY:
        return Over()
    if position.is_running:
        return position.seats[position.next]
    if _ended_by_points(position):
        return Over()
    return Deal(position.round + 1)


def _ended_by_points(position: Position) -> bool:
    ended = position.end is not None
    return ended and match_is_over(position.ruleset, position.sums(), position.round)


def deal(position: Position, chance: Chance | None, recorded: Facts | None = None) -> Step:
    """The next round dealt: one permutation of all tiles fixes hands and market (§3).

    Each seat in order takes ``hand_size`` tiles from the front; the rest is the market, drawn
    from its front. The opener always has something to place, so nothing follows by itself.
    """
    if not isinstance(awaiting(position), Deal):
        raise ValueError("no round is to be dealt now")  # noqa: TRY004 - the state is wrong
    ruleset = position.ruleset
    if chance is None:
        folded = play.dealt(position, facts.read_opening(ruleset, recorded))
        return _checked(Step(folded, (facts.round_fact(folded),)), recorded)
    deck, size = chance.permutation(len(TILES)), ruleset.hand_size
    dealt_tiles = ruleset.players * size
    hands = tuple(as_set(deck[start : start + size]) for start in range(0, dealt_tiles, size))
    after = replace(
        play.dealt(position, play.opening_of(position, hands)),
        hands=hands,
        hidden=(0,) * ruleset.players,
        market=tuple(deck[dealt_tiles:]),
        unseen=0,
    )
    private = {
        seat: (f"hand {tiles_text(tiles_in(hand))}",)
        for seat, hand in zip(after.seats, hands, strict=True)
    }
    return _checked(Step(after, (facts.round_fact(after),), private), recorded)


# What may be placed (§5)


def objection(position: Position, move: str) -> Objection | None:
    """Why the seat to move may not place this, or None if it may."""
    awaited = awaiting(position)
    if isinstance(awaited, Over):
        return Objection("match-over", "The match is over: nobody places any more.")
    if isinstance(awaited, Deal):
        return Objection("not-your-turn", "The next round has not been dealt yet.")
    try:
        placement = read_placement(move)
    except BadPlacement as bad:
        return Objection(bad.code, str(bad))
    if not position.hands[position.next] >> placement.tile & 1:
        name = TILES[placement.tile]
        return Objection("not-in-hand", f"Seat {awaited} does not hold the tile {name}.")
    return opening_objection(position, placement) or contact_objection(position.layout, placement)


def moves(position: Position, limit: int = MOVES_LISTED_MAX) -> Moves:
    """The legal placements of the seat to move, sorted as texts; none where its hand is hidden."""
    if not isinstance(awaiting(position), str):
        return Moves(())
    hand, layout = position.hands[position.next], position.layout
    texts = []
    if not layout.cells:
        cell = cell_name(FIRST_CELL)
        hand = _that_may_open(position, hand)
        texts = [f"{TILES[tile]}{cell}" for tile in tiles_in(hand)]
    for free in layout.frontier:
        pattern = layout.pattern(free)
        if FITTING_TILES[pattern] & hand:
            cell = cell_name(free)
            texts += [f"{reading}{cell}" for tile, reading in FITTING[pattern] if hand >> tile & 1]
    texts.sort()
    return Moves(tuple(texts[:limit]), truncated=len(texts) > limit)


def _that_may_open(position: Position, hand: int) -> int:
    return as_set(tile for tile in tiles_in(hand) if play.may_open_with(position, tile))


def steps(position: Position, prefix: str) -> tuple[NextStep, ...]:
    """First how a tile can lie (its digits at corners 0, 1, 2), then the cells it fits on."""
    whole = [move for move in moves(position).texts if move.startswith(prefix)]
    reading = 3
    texts = {move[:reading] if len(prefix) < reading else move for move in whole} - {prefix}
    return tuple(
        NextStep(
            text=text,
            ends=text in whole,
            completable=any(move != text and move.startswith(text) for move in whole),
        )
        for text in sorted(texts)
    )


# A turn and what follows from it (§4, §6, §7)


def apply(position: Position, move: str, recorded: Facts | None = None) -> Step:
    """The position after a placement, with the draws, passes and the end that it causes.

    ``services/games/triangles/facts.py`` lists the facts. Recorded ones tell how many tiles
    were drawn, who passed and what the hands were: all that a view cannot derive.
    """
    if not isinstance(awaiting(position), str):
        raise BadText("no seat is to move: nothing can be applied")
    placement = read_placement(move)
    _check_holder(position, placement)
    seat = position.seats[position.next]
    after, points = play.place(position, placement)
    return settle(after, (facts.points_fact(seat, points),), recorded)


def _check_holder(position: Position, placement: Placement) -> None:
    seat = position.next
    if not position.hands[seat] >> placement.tile & 1 and not position.hidden[seat]:
        raise BadText(f"{position.seats[seat]} does not hold {TILES[placement.tile]}")


def settle(position: Position, known: Facts, recorded: Facts | None = None) -> Step:
    """Draws and passes until a seat can place or the round ends (§4, §7), after ``known`` facts."""
    told = None if recorded is None else facts.Recorded(recorded)
    found, private = list(known), {}
    while not play.round_is_over(position):
        seat = position.seats[position.next]
        drawn, passes = _forced(position) if told is None else (told.drawn(seat), told.passed(seat))
        if drawn:
            found.append(facts.draw_fact(seat, drawn))
            if position.market:
                private[seat] = (f"draw {tiles_text(position.market[:drawn])}",)
            position = _drawn(position, drawn)
        if not passes:
            return _checked(Step(position, tuple(found), private), recorded)
        found.append(facts.pass_fact(seat))
        position = play.pass_turn(position)
    ended = play.end_round(position, _open_hands(position, told))
    found.append(facts.round_end_fact(ended))
    return _checked(Step(ended, tuple(found), private), recorded)


def _open_hands(position: Position, told: facts.Recorded | None) -> tuple[int, ...]:
    """All hands at the end of a round; hidden ones as the recorded facts show them."""
    if told is None or not any(position.hidden):
        return position.hands
    hands = told.hands(position.seats)
    counts = tuple(position.hand_count(seat) for seat in range(len(hands)))
    if tuple(hand.bit_count() for hand in hands) != counts:
        raise BadText(f"the hands shown at the end of the round do not have {counts} tiles")
    return hands


def _forced(position: Position) -> tuple[int, bool]:
    """How many tiles the seat to move has to draw, and whether it has to pass all the same."""
    if position.hidden[position.next] or position.unseen:
        raise BadText("where tiles are hidden, draws and passes follow from recorded facts alone")
    playable = position.layout.playable()
    if position.hands[position.next] & playable:
        return 0, False
    for count, tile in enumerate(position.market, start=1):
        if playable >> tile & 1:
            return count, False
    return len(position.market), True


def _drawn(position: Position, count: int) -> Position:
    if count > position.market_count:
        raise BadText(f"the market has {position.market_count} tiles: {count} cannot be drawn")
    return play.draw(position, count)


def _checked(step: Step, recorded: Facts | None) -> Step:
    if recorded is not None and step.facts != tuple(recorded):
        raise BadText(f"the recorded facts {recorded!r} do not follow")
    return step


# The end of the match (§8)


def withdraw(position: Position, seat: Seat, recorded: Facts | None = None) -> Step:
    """The position after a seat resigned or timed out: the match is over, totals stay."""
    if isinstance(awaiting(position), Over) or seat not in position.seats:
        raise ValueError(f"seat {seat} cannot leave play here")
    out = replace(position, out=position.seats.index(seat))
    return _checked(Step(out), recorded)


def standing(position: Position) -> Outcome:
    """Match totals as they stand, the running round included; who leads of those still there."""
    seats, sums = position.seats, position.sums()
    parts = {"rounds": position.round}
    for seat, points in zip(seats, position.points, strict=True):
        parts[f"{seat} in this round"] = points
    winners = tuple(seats[seat] for seat in leaders(sums, position.out))
    return Outcome(dict(zip(seats, sums, strict=True)), winners, parts)


def outcome(position: Position) -> Outcome | None:
    """The result once the match is over; several winners: level at the cap, a draw."""
    return standing(position) if isinstance(awaiting(position), Over) else None


# What is hidden (§11)


def view(position: Position, seat: Seat | None) -> Position:
    """Other hands as counts, the market as a count; after a round all hands lie open."""
    p = position
    hands, hidden = p.hands, p.hidden
    if p.is_running:
        own = p.seats.index(seat) if seat in p.seats else NOBODY
        places = range(len(p.seats))
        hidden = tuple(hidden[s] if s == own else p.hand_count(s) for s in places)
        hands = tuple(hands[s] if s == own else 0 for s in places)
    return replace(p, hands=hands, hidden=hidden, market=(), unseen=p.market_count)


def imagine(view: Position, chance: Chance) -> Position:
    """A full position that fits a view and what its history tells of the hidden hands."""
    return imagining.imagine(view, chance)


def census(position: Position) -> Mapping[str, int]:
    """56 tiles, shown or not, on the table, in hands and in the market; none of them twice."""
    p = position
    hands = sum(p.hand_count(seat) for seat in range(len(p.seats)))
    shown = len(p.placed) + sum(hand.bit_count() for hand in p.hands) + len(p.market)
    hidden = sum(p.hidden) + p.unseen
    return {
        "tiles": len(p.placed) + hands + p.market_count,
        "different tiles": known_tiles(p).bit_count() + hidden,
        "shown and hidden": shown + hidden,
    }
