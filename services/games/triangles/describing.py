"""A view of Triangles in words, for pictures and for the text board."""

from collections.abc import Iterator

from services.games.triangles.points import leaders, match_is_over
from services.games.triangles.position import NOBODY, Position
from services.games.triangles.tiles import NO_TILE, TILES, tiles_in


def sentences(view: Position) -> Iterator[str]:
    """What is to be seen, in words."""
    yield f"Triangles, round {view.round}, target {view.ruleset.target}."
    if view.turns:
        turn = view.turns[-1]
        seat = view.seats[turn.seat]
        drawn = f", after drawing {turn.drawn}" if turn.drawn else ""
        did = f"placed {turn.placement.text}" if turn.placement else "passed"
        yield f"Turn {len(view.turns)}: {seat} {did}{drawn}, {turn.points:+d}."
    yield _what_is_due(view)
    for number, seat in enumerate(view.seats):
        yield f"Seat {seat}: {view.sums()[number]} points; {state_of(view, number)}."
        if view.hands[number] and not view.hidden[number]:
            yield f"{seat} holds {' '.join(TILES[t] for t in tiles_in(view.hands[number]))}."
    yield f"Market: {view.market_count} tiles."


def _what_is_due(view: Position) -> str:
    if view.out != NOBODY:
        return f"Seat {view.seats[view.out]} gave up; the match is over."
    if view.is_running:
        seat = view.seats[view.next]
        drew = f" after drawing {view.drawn}" if view.drawn else ""
        due = view.opening.tile if view.opening and not view.turns else NO_TILE
        first = f", and begins with {TILES[due]}" if due != NO_TILE else ""
        return f"To place: seat {seat}{drew}{first}."
    if view.end is None:
        return "The first round has not been dealt yet."
    won = "nobody" if view.end.winner == NOBODY else f"seat {view.seats[view.end.winner]}"
    told = f"The round is over ({view.end.kind}): {won} won it"
    if not match_is_over(view.ruleset, view.sums(), view.round):
        return f"{told}; the next is to be dealt."
    best = leaders(view.sums())
    names = " and ".join(view.seats[number] for number in best)
    ending = f"seat {names} won" if len(best) == 1 else f"a draw between {names}"
    return f"{told}. The match is over: {ending}."


def state_of(view: Position, number: int) -> str:
    """A seat in a few words: points of the round, tiles, and what it is about to do."""
    tiles = view.hand_count(number)
    words = [f"{view.points[number]:+d} this round", f"{tiles} tile{'' if tiles == 1 else 's'}"]
    if number == view.out:
        words.append("gave up")
    elif view.is_running and number == view.next and view.out == NOBODY:
        words.append(f"to place, {view.drawn} drawn" if view.drawn else "to place")
    elif view.end is not None and view.end.points[number]:
        words.append(f"{view.end.points[number]:+d} at its end")
    return ", ".join(words)
