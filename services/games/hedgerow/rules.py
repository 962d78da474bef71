"""Hedgerow: the rule sheet in code (``seeds/hedgerow/RULES.md``), in its order; version 1.

This module judges; nothing else does. A match is two games, and a position holds all of it. A
seat (A, B) plays as owner 1, who begins a game, or as owner 2; between the games they swap. The
game is open and has no chance.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

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
from services.games.hedgerow import harvest, placement
from services.games.hedgerow.board import set_of
from services.games.hedgerow.harvest import Walk
from services.games.hedgerow.pieces import GLYPHS, OWNERS, SPELLINGS, TYPE_OF, TYPES, piece
from services.games.hedgerow.position import (
    GAMES,
    HARVESTS,
    OPTIONS,
    PLACEMENTS,
    SEAT_NAMES,
    Position,
    Ruleset,
    Score,
    other,
    read_ruleset,
)
from services.games.hedgerow.regions import placement_score
from services.games.hedgerow.tokens import (
    TOKENS,
    is_placement,
    path_text,
    read_path,
    read_placement,
)

slug = "hedgerow"
version = 1


# Rulesets (§10)


def ruleset(data: Mapping[str, Any]) -> Ruleset:
    """A checked ruleset: ``boundary_edges``, ``cross_presence``, ``stuck_loss``, ``first``."""
    return read_ruleset(data)


def ruleset_data(ruleset: Ruleset) -> dict[str, Any]:
    """The whole ruleset as plain data."""
    return {option: getattr(ruleset, option) for option in OPTIONS}


def terms(ruleset: Ruleset) -> Terms:  # noqa: ARG001 - the same for every ruleset
    """What a match asks: two seats; a ply is a placement or a harvest, 59 a game at most."""
    return Terms(len(SEAT_NAMES), plies_max=GAMES * (PLACEMENTS + HARVESTS))


def entry_objection(ruleset: Ruleset, seat: Seat, text: str) -> Objection | None:  # noqa: ARG001
    """Hedgerow is played without entries: nothing is handed in."""
    return Objection("no-entry", "Hedgerow is played without decks or other entries.")


def setup(ruleset: Ruleset, entries: Mapping[Seat, str] = {}) -> Position:  # noqa: ARG001
    """The empty board of game 1."""
    return Position(ruleset)


def awaiting(position: Position) -> Seat | Deal | Over:
    """The seat whose turn it is, or ``Over``."""
    return Over() if position.over else position.seat_of(position.mover)


def deal(
    position: Position,  # noqa: ARG001
    chance: Chance | None,  # noqa: ARG001
    recorded: Facts | None = None,  # noqa: ARG001
) -> Step:
    """Never asked for: Hedgerow has no chance."""
    raise ValueError("Hedgerow has no chance: there is nothing to deal")


# What may be placed (§4) and harvested (§7)


def objection(position: Position, move: str) -> Objection | None:
    """Why the awaited seat may not play this move, or None if it may."""
    if position.over:
        return Objection("match-over", "The match is over: nothing is placed or harvested.")
    try:
        if is_placement(move):
            square, glyph = read_placement(move)
            if not position.is_placing:
                return Objection("phase", "The board is full: a move is a harvest, like c3-c6-b5.")
            return placement.objection(position, square, glyph)
        path = read_path(move)
    except BadText as bad:
        return Objection("notation", str(bad))
    if position.is_placing:
        return Objection("phase", "The board is not full: a move is a placement, like NE@d4.")
    return harvest.path_objection(position.board, position.standing, position.mover, path)


def moves(position: Position, limit: int = MOVES_LISTED_MAX) -> Moves:
    """The legal moves in the canonical order: placements by square and glyph, paths by squares."""
    if position.over:
        return Moves(())
    if position.is_placing:
        texts = tuple(islice(placement.tokens(position), limit + 1))
        return Moves(texts[:limit], truncated=len(texts) > limit)
    walk = _walk(position)
    texts = tuple(map(path_text, islice(walk.paths(), limit + 1)))
    return Moves(texts[:limit], truncated=len(texts) > limit or walk.is_cut)


def _walk(position: Position) -> Walk:
    return Walk(position.board, position.standing, position.mover)


def steps(position: Position, prefix: str) -> tuple[NextStep, ...]:
    """How a move goes on: a glyph and then its squares, or a path square by square (§13).

    Of the squares of a path only those are named from which some legal end can be reached.
    """
    if position.over:
        return ()
    return tuple((_placement_steps if position.is_placing else _path_steps)(position, prefix))


def _placement_steps(position: Position, prefix: str) -> Iterator[NextStep]:
    fitting = tuple(placement.fitting(position))
    if not prefix:
        for glyph in sorted({glyph for _, glyphs in fitting for glyph in glyphs}):
            yield NextStep(f"{GLYPHS[glyph]}@", ends=False, completable=True)
    elif prefix.endswith("@") and (glyph := SPELLINGS.get(prefix[:-1], -1)) >= 0:
        for square, glyphs in fitting:
            if glyph in glyphs:
                yield NextStep(TOKENS[square][glyph], ends=True, completable=False)


def _path_steps(position: Position, prefix: str) -> Iterator[NextStep]:
    walk = _walk(position)
    try:
        path = read_path(prefix) if prefix else ()
    except BadText:
        return
    ways = walk.starts()
    for number, square in enumerate(path, start=1):
        if square not in ways:
            return
        ways = walk.after(path[:number])
    for square in ways:
        ends = walk.ends(square)
        yield NextStep(path_text((*path, square)), ends, completable=not ends)


# Playing a move, and what follows from it


def apply(position: Position, move: str, recorded: Facts | None = None) -> Step:
    """The position after the awaited seat's move, with what follows from it as facts (§9).

    Facts, points from owner 1's side unless a seat is named: ``phase_scored game=1 regions=+6
    isolation=+1`` after the last placement, ``stuck game=1 seat=2``, ``harvested game=1 turn=3
    seat=2 score=-1`` for the harvester, ``game_ended game=1 net=+3``, ``match_ended winner=A
    total=+3`` with A's total.
    """
    if position.over:
        raise BadText("the match is over: nothing can be applied")
    play = _place if position.is_placing else _harvest
    return _as_recorded(play(position, move, recorded), recorded)


def withdraw(position: Position, seat: Seat, recorded: Facts | None = None) -> Step:
    """The position after a seat resigned or timed out: it has lost the match (§9)."""
    if position.over or seat not in SEAT_NAMES:
        raise ValueError(f"seat {seat} cannot leave play here")
    facts = (f"ended game={position.game} loser={seat}",)
    return _as_recorded(_match_over(replace(position, loser=seat), facts), recorded)


def _as_recorded(step: Step, recorded: Facts | None) -> Step:
    if recorded is not None and step.facts != tuple(recorded):
        raise BadText(f"the recorded facts {recorded!r} do not follow from the move")
    return step


def _place(position: Position, move: str, recorded: Facts | None) -> Step:
    square, glyph = read_placement(move)
    owner, board, supply = position.mover, position.board, position.supply
    kind = TYPE_OF[glyph] + (owner - 1) * len(TYPES)
    placed = Position(
        position.ruleset,
        board[:square] + bytes((piece(owner, glyph),)) + board[square + 1 :],
        position.standing | 1 << square,
        supply[:kind] + bytes((supply[kind] - 1,)) + supply[kind + 1 :],
        position.turns + 1,
        position.scores,
        last=TOKENS[square][glyph],
    )
    if not placed.is_placing:
        return _phase_over(placed, recorded)
    if placement.is_stuck(placed) if recorded is None else _is_said(recorded, "stuck"):
        return stuck(placed)
    return Step(placed)


def _phase_over(position: Position, recorded: Facts | None) -> Step:
    """The placement score (§6): all regions, and the Isolation Value from owner 2 to owner 1."""
    if recorded is None:
        points = placement_score(position.board, position.ruleset.cross_presence)
    else:
        points = _said(recorded, "phase_scored", "regions")
    value = placement.isolation_value(position)
    score = Score(regions=points, isolation=value)
    fact = f"phase_scored game={position.game} regions={points:+d} isolation={value:+d}"
    return Step(replace(position, scores=(*position.scores[:-1], score)), (fact,))


def stuck(position: Position) -> Step:
    """The end of a game whose mover has no legal placement (§4, rule 7)."""
    owner, seat = position.mover, position.seat_of(position.mover)
    fact = f"stuck game={position.game} seat={owner}"
    after = replace(position, scores=(*position.scores[:-1], Score(stuck=owner)))
    if position.ruleset.stuck_loss == "match":
        return _match_over(replace(after, loser=seat), (fact,))
    return game_over(after, (fact,))


def _harvest(position: Position, move: str, recorded: Facts | None) -> Step:
    path, owner, score = read_path(move), position.mover, position.scores[-1]
    if recorded is None:
        points = harvest.path_score(position.board, owner, path, score.isolation)
    else:
        points = _said(recorded, "harvested", "score")
    gained = points if owner == 1 else -points
    turn = position.turns + 1 - PLACEMENTS
    after = Position(
        position.ruleset,
        position.board,
        position.standing & ~set_of(path),
        position.supply,
        position.turns + 1,
        (
            *position.scores[:-1],
            Score(score.regions, score.isolation, score.harvest + gained),
        ),
        last=move,
    )
    fact = f"harvested game={position.game} turn={turn} seat={owner} score={points:+d}"
    return Step(after, (fact,)) if turn < HARVESTS else game_over(after, (fact,))


def _is_said(recorded: Facts, name: str) -> bool:
    return any(fact.split(" ")[0] == name for fact in recorded)


def _said(recorded: Facts, name: str, number: str) -> int:
    """A number of the recorded fact of this name."""
    for fact in recorded:
        if found := re.fullmatch(rf"{name} .*\b{number}=([+-][0-9]{{1,3}})(?: .*)?", fact):
            return int(found[1])
    raise BadText(f"no recorded fact {name} tells {number}")


# The end of a game and of the match (§8)


def game_over(position: Position, facts: Facts) -> Step:
    """The next game after one whose score is whole, or the end of the match."""
    fact = f"game_ended game={position.game} net={position.scores[-1].net:+d}"
    if position.game == GAMES:
        return _match_over(position, (*facts, fact))
    return Step(Position(position.ruleset, scores=(*position.scores, Score())), (*facts, fact))


def _match_over(position: Position, facts: Facts) -> Step:
    end = replace(position, over=True)
    won = winners(end)
    winner = won[0] if len(won) == 1 else "draw"
    return Step(end, (*facts, f"match_ended winner={winner} total={end.total:+d}"))


def winners(position: Position) -> tuple[Seat, ...]:
    """Who has won, or leads: both on level points; a seat that lost the match has not."""
    if position.loser:
        return (other(position.loser),)
    if not position.total:
        return SEAT_NAMES
    return SEAT_NAMES[:1] if position.total > 0 else SEAT_NAMES[1:]


def standing(position: Position) -> Outcome:
    """A's total of the finished games and B's, its opposite; parts are what each game holds."""
    total = position.total
    parts: dict[str, int] = {}
    for game, score in enumerate(position.scores, start=1):
        if score.stuck:
            parts[f"game {game} stuck"] = score.stuck
        else:
            parts[f"game {game} regions"] = score.regions
            parts[f"game {game} isolation"] = score.isolation
            parts[f"game {game} harvest"] = score.harvest
        parts[f"game {game} net"] = score.net
    return Outcome({"A": total, "B": -total}, winners(position), parts)


def outcome(position: Position) -> Outcome | None:
    """The result once the match is over."""
    return standing(position) if position.over else None


# Nothing is hidden


def view(position: Position, seat: Seat | None) -> Position:  # noqa: ARG001
    """Everybody sees everything."""
    return position


def imagine(view: Position, chance: Chance) -> Position:  # noqa: ARG001
    """There is nothing to imagine."""
    return view


def census(position: Position) -> Mapping[str, int]:
    """Each player's pieces of each type, placed in this game (harvested or not) and left."""
    counts = {}
    for owner in OWNERS:
        placed = [TYPE_OF[code & 15] for code in position.board if code >> 4 == owner]
        for kind, left in enumerate(position.left(owner)):
            counts[f"player {owner} {TYPES[kind]}"] = placed.count(kind) + left
    return counts
