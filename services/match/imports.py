"""A record from outside becomes one match: judged move by move, or refused as a whole.

The match id follows from the content (game, main line, ruleset, start, deals), so the same
record is the same match whoever brings it, and comes in once. Chance is taken in only with its
opened keys: each deal is made again, and public facts are recorded as in any match.
"""

import hashlib
from typing import Any

import msgspec
from msgspec.structs import replace

from events.event_kinds import Dealt, Event, MatchEnded, MatchImported, MovePlayed, RoundEnded
from services.games.contract import BadText, Deal, Game, Over
from services.games.registry import UnknownGame
from services.match import shuffle
from services.match.commands import ImportMatch
from services.match.folding import evolve
from services.match.ids import id_of
from services.match.refusals import Refusal
from services.match.results import result_as_it_stands, result_by_rules
from services.match.state import MatchState


def digest_of(
    game: str,
    ruleset: dict[str, Any],
    moves: tuple[str, ...],
    start: str = "",
    deals: tuple[str, ...] = (),
) -> str:
    """SHA-256 (hex) of a record's content; ``ruleset`` whole, the texts canonical."""
    content = [game, ruleset, moves, start, *([deals] if deals else [])]
    return hashlib.sha256(msgspec.json.encode(content, order="deterministic")).hexdigest()


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
    imported = MatchImported(
        game=command.game,
        rules_version=game.rules.version,
        ruleset=game.rules.ruleset_data(ruleset),
        seats=game.rules.terms(ruleset).seats,
        digest="",
        start="" if start is None else game.notation.format_position(start),
    )
    return _Record(evolve(state, imported), imported, command).events()


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


class _Record:
    """A record on its way in: the public fold, and beside it the position with nothing hidden."""

    def __init__(self, state: MatchState, imported: MatchImported, command: ImportMatch) -> None:
        self.state = state
        self.rules = state.the_game.rules
        self.position = state.position
        self.imported = imported
        self.command = command
        self.played: list[Event] = []

    def events(self) -> tuple[Event, ...] | Refusal:
        """All events, or the first thing wrong with the record."""
        line: list[str] = []
        for ply, text in enumerate(self.command.moves, start=1):
            if refusal := self._deal_if_due() or self._objection(ply, text):
                return refusal
            line.append(self.state.the_game.notation.canonical(self.position, text))
            self._move(line[-1])
        if len(self.state.rounds) < len(self.command.deals) and (refusal := self._deal_if_due()):
            return refusal
        if len(self.state.rounds) < len(self.command.deals):
            return Refusal("bad-record", "The record has more deals than play asks for.")
        self._open_round()
        asked, start = self.command, self.imported.start
        digest = digest_of(asked.game, self.imported.ruleset, tuple(line), start, asked.deals)
        return (replace(self.imported, digest=digest), *self.played, _end_of(self.state))

    def _add(self, event: Event) -> None:
        self.played.append(event)
        self.state = evolve(self.state, event)

    def _deal_if_due(self) -> Refusal | None:
        while isinstance(awaited := self.rules.awaiting(self.position), Deal):
            if awaited.number > len(self.command.deals):
                title = self.state.the_game.title
                sentence = f"{title}: deal {awaited.number} follows from a key that is not opened."
                return Refusal("cannot-import", sentence)
            key = bytes.fromhex(self.command.deals[awaited.number - 1])
            step = self.rules.deal(self.position, shuffle.Stream(key))
            self.position = step.position
            commit = shuffle.round_commit(key).hex()
            self._add(Dealt(self.state.turn + 1, awaited.number, commit, step.facts))
        return None

    def _objection(self, ply: int, text: str) -> Refusal | None:
        if not isinstance(self.rules.awaiting(self.position), str):
            return Refusal("match-over", f"Move {ply} comes after the end.", {"ply": ply})
        if objection := self.rules.objection(self.position, text):
            sentence = f"Move {ply} ({text}): {objection.sentence}"
            return Refusal(objection.code, sentence, {"ply": ply, "move": text})
        return None

    def _move(self, move: str) -> None:
        seat = self.rules.awaiting(self.position)
        step = self.rules.apply(self.position, move)
        self.position = step.position
        self._add(MovePlayed(self.state.turn + 1, str(seat), move, step.facts))
        if not isinstance(self.rules.awaiting(self.position), str):
            self._open_round()

    def _open_round(self) -> None:
        """The key of the last deal, once: what was dealt is over, or the record ends."""
        if self.state.rounds and not self.state.rounds[-1].key:
            number = self.state.rounds[-1].number
            self._add(RoundEnded(number, self.command.deals[number - 1]))


def _end_of(state: MatchState) -> MatchEnded:
    if state.over():
        return result_by_rules(state, "points")
    return result_as_it_stands(state, "unfinished", ())
