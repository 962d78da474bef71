"""Blokus: the rule sheet in code (``seeds/blokus/RULES.md``), in its order; rules version 1.

This module judges; nothing else does. Inside, a colour is its place in the order of play, a
set of squares an integer (``board.py``). The game is open and has no chance.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from msgspec.structs import replace

from services.games.blokus.board import Placement, squares_of
from services.games.blokus.notation import BadMove, read_placement, read_squares
from services.games.blokus.pieces import PIECES, pieces_in, squares_in
from services.games.blokus.position import (
    NOBODY,
    SHARED,
    VARIANTS,
    Position,
    Ruleset,
    empty,
    put,
)
from services.games.contract import (
    MOVES_LISTED_MAX,
    SEATS,
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

slug = "blokus"
version = 1

Passes = Callable[[Position, int], bool]
"""Whether a colour whose turn has come passes for good."""


# Rulesets (§5)


def ruleset(data: Mapping[str, Any]) -> Ruleset:
    """A checked ruleset: ``variant`` (usually ``classic``) and ``corners`` (``any``, ``fixed``).

    In Duo every colour has its own start square, whatever ``corners`` says.
    """
    if unknown := sorted(set(data) - {"variant", "corners"}):
        raise BadText(f"Blokus has no option {unknown[0]!r}; it has variant and corners.")
    variant = data.get("variant", "classic")
    if not isinstance(variant, str) or variant not in VARIANTS:
        raise BadText(f"variant is one of {', '.join(VARIANTS)}.")
    corners = data.get("corners", VARIANTS[variant].corners[0])
    if corners not in ("any", "fixed"):
        raise BadText("corners is any or fixed.")
    return Ruleset(variant, corners if corners in VARIANTS[variant].corners else "fixed")


def ruleset_data(ruleset: Ruleset) -> dict[str, Any]:
    """The whole ruleset as plain data."""
    return {"variant": ruleset.variant, "corners": ruleset.corners}


def terms(ruleset: Ruleset) -> Terms:
    """What the ruleset asks of a match; a ply is a placement, 21 a colour at most."""
    return Terms(ruleset.sheet.seats, plies_max=len(PIECES) * len(ruleset.sheet.colours))


def entry_objection(ruleset: Ruleset, seat: Seat, text: str) -> Objection | None:  # noqa: ARG001
    """Blokus is played without entries: nothing is handed in."""
    return Objection("no-entry", "Blokus is played without decks or other entries.")


def setup(ruleset: Ruleset, entries: Mapping[Seat, str] = {}) -> Position:  # noqa: ARG001
    """The empty board; the first colour is to place."""
    return empty(ruleset)


# Whose turn it is (§3, §5)


def awaiting(position: Position) -> Seat | Deal | Over:
    """The seat that places the next piece, or ``Over``."""
    return Over() if position.next == NOBODY else position.seat_of(position.next)


def colour_to_place(position: Position) -> str | None:
    """The name of the colour that places the next piece; None when play is over."""
    return None if position.next == NOBODY else position.sheet.colours[position.next]


def deal(
    position: Position,  # noqa: ARG001
    chance: Chance | None,  # noqa: ARG001
    recorded: Facts | None = None,  # noqa: ARG001
) -> Step:
    """Never asked for: Blokus has no chance."""
    raise ValueError("Blokus has no chance: there is nothing to deal")


# What may be placed (§3)


def objection(position: Position, move: str) -> Objection | None:
    """Why the awaited colour may not play this move, or None if it may."""
    if position.next == NOBODY:
        return Objection("match-over", "Play is over: no colour places any more.")
    return colour_objection(position, position.next, move)


def colour_objection(position: Position, colour: int, move: str) -> Objection | None:
    """The same for any colour, whosever turn it is: the first reason that applies."""
    try:
        placement = read_placement(position.board, move)
    except BadMove as bad:
        return Objection(bad.code, str(bad))
    return _material_objection(position, colour, placement) or _contact_objection(
        position, colour, placement
    )


def _material_objection(position: Position, colour: int, placement: Placement) -> Objection | None:
    if not position.left[colour] >> placement.piece & 1:
        name, piece = position.sheet.colours[colour], PIECES[placement.piece].name
        return Objection("piece-used", f"{name.capitalize()} has placed its {piece} already.")
    if overlap := placement.mask & taken(position):
        return Objection("overlap", f"Taken: {position.board.text(overlap)}.")
    return None


def _contact_objection(position: Position, colour: int, placement: Placement) -> Objection | None:
    board, own, name = position.board, position.covered[colour], position.sheet.colours[colour]
    if not own:
        starts = start_squares(position.ruleset)[colour]
        if placement.mask & starts:
            return None
        squares = board.text(starts).replace(",", ", ")
        return Objection(
            "first-move-start-square", f"The first {name} piece covers a start square: {squares}."
        )
    if beside := placement.mask & board.beside(own):
        sentence = f"{board.text(beside)}: an edge touches {name}'s own pieces."
        return Objection("own-edge-contact", sentence)
    if not placement.mask & board.diagonal(own):
        sentence = f"The piece touches no {name} piece at a corner."
        return Objection("no-own-corner-contact", sentence)
    return None


@cache
def start_squares(ruleset: Ruleset) -> tuple[int, ...]:
    """By colour: the start squares of its first piece (§3, rule 2)."""
    squares = ruleset.sheet.board.squares
    own = tuple(1 << squares[name] for name in ruleset.sheet.starts)
    return own if ruleset.corners == "fixed" else (sum(own),) * len(own)


def taken(position: Position) -> int:
    """All squares with a piece on them."""
    squares = 0
    for covered in position.covered:
        squares |= covered
    return squares


def colour_placements(position: Position, colour: int) -> Iterator[Placement]:
    """Every legal placement of a colour, whosever turn it is, piece by piece.

    A placement comes once for every open contact of its colour that it covers.
    """
    board, own = position.board, position.covered[colour]
    barred = taken(position) | board.beside(own)
    contacts = board.diagonal(own) if own else start_squares(position.ruleset)[colour]
    pieces = pieces_in(position.left[colour])
    for square in squares_of(contacts & ~barred):
        by_piece = board.covering[square]
        for piece in pieces:
            for mask, number in by_piece[piece]:
                if not mask & barred:
                    yield board.placements[number]


def colour_moves(position: Position, colour: int) -> tuple[str, ...]:
    """Every legal move of a colour, whosever turn it is, in the canonical order.

    The order is that of the pieces in the sheet (§1), then of the squares.
    """
    placements = {p.number: p.text for p in colour_placements(position, colour)}
    return tuple(placements[number] for number in sorted(placements))


def _is_blocked(position: Position, colour: int) -> bool:
    return next(colour_placements(position, colour), None) is None


def moves(position: Position, limit: int = MOVES_LISTED_MAX) -> Moves:
    """The legal moves of the awaited colour in the canonical order."""
    if position.next == NOBODY:
        return Moves(())
    texts = colour_moves(position, position.next)
    return Moves(texts[:limit], truncated=len(texts) > limit)


def steps(position: Position, prefix: str) -> tuple[NextStep, ...]:
    """The squares that can be named after those of ``prefix``, in any order of naming."""
    if position.next == NOBODY:
        return ()
    board = position.board
    try:
        named = read_squares(board, prefix) if prefix else 0
    except BadMove:
        return ()
    placements = colour_placements(position, position.next)
    fitting = {p.mask for p in placements if p.mask & named == named}
    further = 0
    for mask in fitting:
        further |= mask & ~named
    return tuple(
        _step(board.names[s], prefix, named | 1 << s, fitting) for s in squares_of(further)
    )


def _step(square: str, prefix: str, named: int, fitting: set[int]) -> NextStep:
    return NextStep(
        text=f"{prefix},{square}" if prefix else square,
        ends=named in fitting,
        completable=any(mask & named == named and mask != named for mask in fitting),
    )


# Placing, and passing for good (§3)


def apply(position: Position, move: str, recorded: Facts | None = None) -> Step:
    """The position after the awaited colour's move, with the passes that follow it as facts.

    Facts: ``pass yellow`` (yellow places nothing more), ``skip green`` (the turn of a shared
    colour belonged to a seat that gave up, and is used up).
    """
    if position.next == NOBODY:
        raise BadText("play is over: nothing can be applied")
    placement = read_placement(position.board, move)
    placed = put(position, position.next, placement.mask)
    return _turn_of_next(placed, position.next + 1, recorded)


def withdraw(position: Position, seat: Seat, recorded: Facts | None = None) -> Step:
    """The position after a seat resigned or timed out: its colours place nothing more."""
    sheet = position.sheet
    if position.next == NOBODY or seat not in sheet.seat_names or seat in position.out:
        raise ValueError(f"seat {seat} cannot leave play here")
    own = sum(1 << colour for colour, owner in enumerate(sheet.owners) if owner == seat)
    out = tuple(sorted((*position.out, seat)))
    left = replace(position, done=position.done | own, out=out)
    return _turn_of_next(left, position.next, recorded)


def _turn_of_next(position: Position, colour: int, recorded: Facts | None) -> Step:
    """Hand the turn to the first colour from ``colour`` on that places; note who passes."""
    if recorded is None:
        return _hand_turn(position, colour, _is_blocked)
    names = position.sheet.colours
    step = _hand_turn(position, colour, lambda _, c: f"pass {names[c]}" in recorded)
    if step.facts != tuple(recorded):
        raise BadText(f"the recorded facts {recorded!r} do not follow from the move")
    return step


def _hand_turn(position: Position, colour: int, passes: Passes) -> Step:
    sheet, facts = position.sheet, []
    colours, done, shares = len(sheet.colours), position.done, position.shares
    if len(position.out) == sheet.seats - 1:
        return Step(replace(position, next=NOBODY))
    colour %= colours
    while done != (1 << colours) - 1:
        if not done >> colour & 1:
            if passes(position, colour):
                done |= 1 << colour
                facts.append(f"pass {sheet.colours[colour]}")
            elif not sheet.owners[colour] and SEATS[shares % sheet.seats] in position.out:
                shares += 1
                facts.append(f"skip {sheet.colours[colour]}")
            else:
                break
        colour = (colour + 1) % colours
    else:
        colour = NOBODY
    return Step(replace(position, done=done, shares=shares, next=colour), tuple(facts))


def arrange(ruleset: Ruleset, pieces: Iterable[tuple[str, str]], colour_to_place: str) -> Position:
    """A position set up from (colour, squares) pairs, as files describe puzzles.

    The pieces have to be whole, each used once and none on another; how they touch is not
    judged. If the named colour cannot place, the next one that can is to place.
    """
    position, sheet = empty(ruleset), ruleset.sheet
    for name, squares in pieces:
        colour, placement = sheet.number(name), read_placement(sheet.board, squares)
        if wrong := _material_objection(position, colour, placement):
            raise BadText(f"{name} {squares}: {wrong.sentence}")
        position = put(position, colour, placement.mask)
    start = replace(position, last=NOBODY)
    settled: Position = _hand_turn(start, sheet.number(colour_to_place), _is_blocked).position
    return settled


# Score (§4)


def colour_score(left: int, last: int | None) -> int:
    """The points of a colour with this set of pieces left; ``last`` is the piece placed last.

    >>> colour_score(0, 0), colour_score(0, 1), colour_score(0b11, 0)
    (20, 15, -3)
    """
    if left:
        return -squares_in(left)
    return 20 if last == 0 else 15


def best(points: Mapping[str, int]) -> tuple[str, ...]:
    """Who has the highest score; level scores share the win."""
    top = max(points.values())
    return tuple(name for name, score in points.items() if score == top)


def standing(position: Position) -> Outcome:
    """Points as they stand; a seat that gave up keeps its points but does not win."""
    sheet, by_mask = position.sheet, position.board.by_mask
    parts: dict[str, int] = {}
    points: dict[Seat, int] = dict.fromkeys(sheet.seat_names, 0)
    for colour, name in enumerate(sheet.colours):
        placed, owner = position.placed[colour], sheet.owners[colour]
        last = by_mask[placed[-1]].piece if placed else None
        parts[name] = colour_score(position.left[colour], last)
        if owner != SHARED:
            points[owner] += parts[name]
    playing = {seat: score for seat, score in points.items() if seat not in position.out}
    return Outcome(points, best(playing), parts)


def outcome(position: Position) -> Outcome | None:
    """The result once nobody places any more."""
    return standing(position) if position.next == NOBODY else None


# Nothing is hidden (§6)


def view(position: Position, seat: Seat | None) -> Position:  # noqa: ARG001
    """Everybody sees everything."""
    return position


def imagine(view: Position, chance: Chance) -> Position:  # noqa: ARG001
    """There is nothing to imagine."""
    return view


def census(position: Position) -> Mapping[str, int]:
    """Pieces and squares of each colour, on the board and left: 21 and 89 for ever."""
    counts = {}
    for colour, name in enumerate(position.sheet.colours):
        left = position.left[colour]
        counts[f"{name} pieces"] = len(position.placed[colour]) + left.bit_count()
        counts[f"{name} squares"] = position.covered[colour].bit_count() + squares_in(left)
    return counts
