"""Caltrop: the rule sheet in code (``seeds/caltrop/RULES.md``), in its order; rules version 1.

This module judges; nothing else does. A turn itself is worked out in ``turn.py``, decks are
judged in ``decks.py``. Nothing is hidden once the decks are open; chance enters once at most, to
draw who places first.
"""

from collections.abc import Mapping
from typing import Any

from services.games.caltrop.board import BLUE, COLOURS, LETTERS, NAMES, RED, SQUARES
from services.games.caltrop.decks import (
    SLOTS,
    STARTER,
    Deck,
    budget_objection,
    deck_objection,
    deck_text,
    read_deck,
)
from services.games.caltrop.moves import MOVE_TEXTS, MOVES, BadMove, read_move
from services.games.caltrop.position import (
    FORMS,
    SEAT_NAMES,
    UNDRAWN,
    Game,
    Position,
    Result,
    Ruleset,
    after_turn,
    new_game,
    result_of,
    turn_of,
)
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

slug = "caltrop"
version = 1

_OPTIONS = {
    "classic": ("form", "games"),
    "budget": ("form", "games"),
    "run": ("form", "blue", "red", "first"),
}

_FIRSTS: tuple[Facts, Facts] = (("first b",), ("first r",))
"""What is recorded of the draw, by the colour that places first."""


# Rulesets (§8)


def ruleset(data: Mapping[str, Any]) -> Ruleset:
    """A checked ruleset: ``form`` (usually ``classic``) and what belongs to it.

    ``classic`` and ``budget`` have ``games`` (2 or 1); ``run`` has the decks ``blue`` and
    ``red``, written out with levels, and ``first`` (``b`` or ``r``).
    """
    form = data.get("form", "classic")
    if not isinstance(form, str) or form not in FORMS:
        raise BadText(f"form is one of {', '.join(FORMS)}.")
    if unknown := sorted(set(data) - set(_OPTIONS[form])):
        options = ", ".join(_OPTIONS[form])
        raise BadText(f"Caltrop has no option {unknown[0]!r} in this form; it has {options}.")
    if form == "run":
        return _run_ruleset(data)
    games = data.get("games", 2)
    if type(games) is not int or games not in (1, 2):  # True and 1.0 are 1 to Python
        raise BadText("games is 2 or 1.")
    return Ruleset(form, games, first=BLUE if games == 2 else UNDRAWN)


def _run_ruleset(data: Mapping[str, Any]) -> Ruleset:
    blue, red = (_set_deck(data.get(colour), colour) for colour in COLOURS)
    first = data.get("first")
    if first not in tuple(LETTERS):
        raise BadText("first is b or r: the colour that places first.")
    return Ruleset("run", 1, blue, red, LETTERS.index(first))


def _set_deck(text: object, colour: str) -> Deck:
    if not isinstance(text, str):
        raise BadText(f"{colour} is a deck like {deck_text(STARTER)}.")
    deck = read_deck(text)
    if wrong := deck_objection(deck):
        raise BadText(f"{colour}: {wrong.sentence}")
    return deck


def ruleset_data(ruleset: Ruleset) -> dict[str, Any]:
    """The whole ruleset as plain data."""
    if ruleset.form != "run":
        return {"form": ruleset.form, "games": ruleset.games}
    return {
        "form": ruleset.form,
        "blue": deck_text(ruleset.blue),
        "red": deck_text(ruleset.red),
        "first": LETTERS[ruleset.first],
    }


def terms(ruleset: Ruleset) -> Terms:
    """What the ruleset asks of a match: 16 placements a game, sealed decks on a budget."""
    return Terms(
        seats=len(SEAT_NAMES),
        plies_max=SQUARES * ruleset.games,
        chance=ruleset.first == UNDRAWN,
        sealed_entries=ruleset.form == "budget",
    )


def entry_objection(ruleset: Ruleset, seat: Seat, text: str) -> Objection | None:
    """Why a seat may not bring this deck (§6, §8), or None if it may."""
    if ruleset.form != "budget":
        return Objection("no-entry", "Here the decks are set: nothing is handed in.")
    if seat not in SEAT_NAMES:
        return Objection("no-such-seat", "A duel has the seats A and B.")
    try:
        return budget_objection(read_deck(text))
    except BadText as bad:
        return Objection("not-a-deck", str(bad))


def setup(ruleset: Ruleset, entries: Mapping[Seat, str] = {}) -> Position:
    """The empty board of the first game, or before the first placer is drawn, no game yet.

    ``entries`` are the decks of a duel on a budget, ``BadText`` if one is wrong; a seat that
    has none (yet) is shown with the starter stones.
    """
    if ruleset.form == "run":
        decks = (ruleset.blue, ruleset.red)
    else:
        decks = (_deck_of(ruleset, "A", entries), _deck_of(ruleset, "B", entries))
    position = Position(ruleset, decks)
    return position if ruleset.first == UNDRAWN else new_game(position, ruleset.first)


def _deck_of(ruleset: Ruleset, seat: Seat, entries: Mapping[Seat, str]) -> Deck:
    if ruleset.form == "classic" or seat not in entries:
        return STARTER
    if wrong := entry_objection(ruleset, seat, entries[seat]):
        raise BadText(f"Seat {seat}: {wrong.sentence}")
    return read_deck(entries[seat])


# Whose turn it is (§4, §8)


def awaiting(position: Position) -> Seat | Deal | Over:
    """The seat that places the next stone, the draw of who begins, or ``Over``."""
    if position.out:
        return Over()
    if not position.games:
        return Deal(1)
    game = position.game
    return Over() if game.is_over else position.seat_of(game.next, len(position.games))


def deal(position: Position, chance: Chance | None, recorded: Facts | None = None) -> Step:
    """Draw who places first in a single game (§8): 0 is Blue, 1 is Red; fact ``first b``."""
    if position.games or position.out:
        raise ValueError("the first placer is drawn once, before a single game")
    if recorded is not None:
        if recorded not in _FIRSTS:
            raise BadText("the draw is recorded as first b or first r")
        first = _FIRSTS.index(recorded)
    elif chance is not None:
        first = chance.below(2)
    else:
        raise ValueError("a draw needs chance or its recorded facts")
    return Step(new_game(position, first), _FIRSTS[first])


# What may be placed (§4)


def objection(position: Position, move: str) -> Objection | None:
    """Why the awaited seat may not play this move, or None if it may."""
    if isinstance(awaiting(position), Over):
        return Objection("match-over", "Play is over: nobody places any more.")
    if not position.games:
        return Objection("not-begun", "Who places first is not drawn yet.")
    try:
        slot, square = MOVES.get(move) or read_move(move)
    except BadMove as bad:
        return Objection(bad.code, str(bad))
    game = position.game
    if not game.left[game.next] >> slot & 1:
        used = game.decks[game.next][slot].text
        return Objection("stone-used", f"Stone {slot + 1} ({used}) lies on the board already.")
    if game.board.owners[square] in (BLUE, RED):
        return Objection("square-taken", f"There is a stone on {NAMES[square]} already.")
    return None


def moves(position: Position, limit: int = MOVES_LISTED_MAX) -> Moves:
    """Every stone in hand on every empty square: by slot, then a1 to d4."""
    if not isinstance(awaiting(position), str):
        return Moves(())
    game = position.game
    owners, left = game.board.owners, game.left[game.next]
    empty = [square for square in range(SQUARES) if owners[square] not in (BLUE, RED)]
    slots = [slot for slot in range(SLOTS) if left >> slot & 1]
    texts = tuple(MOVE_TEXTS[slot][square] for slot in slots for square in empty)
    return Moves(texts[:limit], truncated=len(texts) > limit)


def steps(position: Position, prefix: str) -> tuple[NextStep, ...]:
    """First the slot, then the whole move: a stone is picked up, then put down."""
    fitting = [text for text in moves(position).texts if text.startswith(prefix)]
    if not prefix:
        slots = dict.fromkeys(text[0] for text in fitting)
        return tuple(NextStep(slot, ends=False, completable=True) for slot in slots)
    return tuple(NextStep(text, ends=True, completable=False) for text in fitting if text != prefix)


# A turn (§4), and the end of a game (§5)


def apply(position: Position, move: str, recorded: Facts | None = None) -> Step:
    """The position after the awaited seat's move.

    Facts are the turn's events (§10); after the last stone of a game also its result:
    ``end b 9:7 18:14 points``. A turn is worked out faster than its events are read, so
    ``recorded`` facts are compared with what follows from the move.
    """
    if not isinstance(awaiting(position), str):
        raise BadText("nobody places now: nothing can be applied")
    slot, square = MOVES.get(move) or read_move(move)
    turned = turn_of(position.game, slot, square)
    game = after_turn(position.game, MOVE_TEXTS[slot][square], slot, turned.board)
    facts = turned.events
    after = Position(position.ruleset, position.decks, (*position.games[:-1], game))
    if game.is_over:
        facts = (*facts, f"end {result_text(result_of(game.board, game.first))}")
        if len(after.games) < position.ruleset.games:
            after = new_game(after, game.first)
    if recorded is not None and facts != tuple(recorded):
        raise BadText(f"the recorded facts {recorded!r} do not follow from {move}")
    return Step(after, facts)


def result_text(result: Result) -> str:
    """A result as the sheet's record ends with it (§10): ``b 9:7 18:14 points``."""
    points, spikes = (":".join(map(str, pair)) for pair in (result.points, result.spikes))
    return f"{LETTERS[result.winner]} {points} {spikes} {result.by}"


def withdraw(position: Position, seat: Seat, recorded: Facts | None = None) -> Step:  # noqa: ARG001
    """The position after a seat resigned or timed out: the other one has won the match (§5)."""
    if seat not in SEAT_NAMES or isinstance(awaiting(position), Over):
        raise ValueError(f"seat {seat} cannot leave play here")
    return Step(Position(position.ruleset, position.decks, position.games, seat))


# Result (§5, §8)


def results(position: Position) -> tuple[Result, ...]:
    """How each game stands, if it ended now."""
    return tuple(result_of(game.board, game.first) for game in position.games)


def standing(position: Position) -> Outcome:
    """Points of both games together, and who wins as it stands.

    ``parts`` name each game's points and spikes by colour. In a match of two games a game
    that has no stone on its board yet counts for nobody.
    """
    points: dict[Seat, int] = dict.fromkeys(SEAT_NAMES, 0)
    parts: dict[str, int] = {}
    for number, result in enumerate(results(position), start=1):
        head = f"game {number} " if position.ruleset.games == 2 else ""
        for colour, name in enumerate(COLOURS):
            points[position.seat_of(colour, number)] += result.points[colour]
            parts[f"{head}{name}"] = result.points[colour]
            parts[f"{head}{name} spikes"] = result.spikes[colour]
    return Outcome(points, _winners(position), parts)


def _winners(position: Position) -> tuple[Seat, ...]:
    """Games won, then points, then spikes in both; level in all that, the duel is drawn (§8)."""
    if position.out:
        return tuple(seat for seat in SEAT_NAMES if seat != position.out)
    tally = dict.fromkeys(SEAT_NAMES, (0, 0, 0))
    found = results(position)
    for number, (game, result) in enumerate(zip(position.games, found, strict=True), start=1):
        for seat, (won, points, spikes) in tally.items():
            colour = position.colour_of(seat, number)
            tally[seat] = (
                won + ((bool(game.moves) or len(found) == 1) and result.winner == colour),
                points + result.points[colour],
                spikes + result.spikes[colour],
            )
    best = max(tally.values())
    return tuple(seat for seat in SEAT_NAMES if tally[seat] == best)


def outcome(position: Position) -> Outcome | None:
    """The result once play is over."""
    return standing(position) if isinstance(awaiting(position), Over) else None


# Nothing is hidden (§1, A20)


def view(position: Position, seat: Seat | None) -> Position:  # noqa: ARG001
    """Everybody sees everything, both hands included."""
    return position


def imagine(view: Position, chance: Chance) -> Position:  # noqa: ARG001
    """There is nothing to imagine."""
    return view


def census(position: Position) -> Mapping[str, int]:
    """Stones of both seats, in hand and placed by them, and the squares: 8, 8 and 16."""
    number = len(position.games)
    game: Game | None = position.game if number else None
    counts = {"squares": SQUARES}
    for seat in SEAT_NAMES:
        stones = SLOTS
        if game is not None:
            colour = position.colour_of(seat, number)
            placed = sum(1 for n in range(len(game.moves)) if game.placed_by(n)[0] == colour)
            stones = game.left[colour].bit_count() + placed
        counts[f"stones of {seat}"] = stones
    if game is not None:
        empty = SQUARES - sum(owner in (BLUE, RED) for owner in game.board.owners)
        counts["squares"] = empty + len(game.moves)
    return counts
