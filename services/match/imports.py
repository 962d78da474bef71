"""A record from outside becomes one match: judged move by move, or refused as a whole.

The match id follows from the content (game, main line, ruleset, start), so the same record
is the same match whoever brings it, and comes in once.
"""

import hashlib
from typing import Any

import msgspec
from msgspec.structs import replace

from events.event_kinds import Event, MatchEnded, MatchImported, MovePlayed
from services.games.contract import BadText, Game, Over
from services.games.registry import UnknownGame
from services.match.commands import ImportMatch
from services.match.folding import evolve
from services.match.ids import id_of
from services.match.refusals import Refusal
from services.match.results import result_as_it_stands, result_by_rules
from services.match.state import MatchState


def digest_of(game: str, ruleset: dict[str, Any], moves: tuple[str, ...], start: str = "") -> str:
    """SHA-256 (hex) of a record's content; ``ruleset`` whole, the texts canonical."""
    content = msgspec.json.encode([game, ruleset, moves, start], order="deterministic")
    return hashlib.sha256(content).hexdigest()


def match_id_of(digest: str) -> str:
    """The match id that stands for a record's content."""
    return id_of("m", bytes.fromhex(digest))


def events_of(state: MatchState, command: ImportMatch) -> tuple[Event, ...] | Refusal:
    """All events of the imported match, or the first thing wrong with the record."""
    try:
        game = state.games.game(command.game)
        ruleset = game.rules.ruleset(command.ruleset)
        start = _start_position(game, command.start)
    except UnknownGame as error:
        return Refusal("no-such-game", str(error), {"games": state.games.slugs()})
    except BadText as error:
        return Refusal("bad-record", str(error))
    if game.rules.terms(ruleset).chance:
        sentence = f"{game.title} records cannot be taken in: their deals follow from a secret."
        return Refusal("cannot-import", sentence)
    imported = MatchImported(
        game=command.game,
        rules_version=game.rules.version,
        ruleset=game.rules.ruleset_data(ruleset),
        seats=game.rules.terms(ruleset).seats,
        digest="",
        start="" if start is None else game.notation.format_position(start),
    )
    return _played_out(evolve(state, imported), imported, game, command.moves)


def _start_position(game: Game, text: str) -> Any:
    """The position a record starts from, None for the usual one.

    ``BadText`` also for one that waits for a seat without a move: it would wait for ever.
    """
    if not text:
        return None
    start = game.notation.parse_position(text)
    waits = not isinstance(game.rules.awaiting(start), Over)
    if waits and not game.rules.moves(start, 1).texts:
        raise BadText("The start position waits for a seat that has no move.")
    return start


def _played_out(
    state: MatchState, imported: MatchImported, game: Game, moves: tuple[str, ...]
) -> tuple[Event, ...] | Refusal:
    played: list[MovePlayed] = []
    for ply, text in enumerate(moves, start=1):
        seat = state.to_move()
        if seat is None:
            return Refusal("match-over", f"Move {ply} comes after the end.", {"ply": ply})
        if objection := game.rules.objection(state.position, text):
            sentence = f"Move {ply} ({text}): {objection.sentence}"
            return Refusal(objection.code, sentence, {"ply": ply, "move": text})
        move = game.notation.canonical(state.position, text)
        facts = game.rules.apply(state.position, move).facts
        played.append(MovePlayed(turn=state.turn + 1, seat=seat, move=move, facts=facts))
        state = evolve(state, played[-1])
    line = tuple(event.move for event in played)
    digest = digest_of(imported.game, imported.ruleset, line, imported.start)
    return (replace(imported, digest=digest), *played, _end_of(state))


def _end_of(state: MatchState) -> MatchEnded:
    if state.over():
        return result_by_rules(state, "points")
    return result_as_it_stands(state, "unfinished", ())
