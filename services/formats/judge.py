"""A whole file judged before anything of it is kept: each game by the rules, as a stranger's.

Only the line of play that would become the match is judged. Other lines of a tree are counted
and left out, so what they hold, legal or not, refuses nothing.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from services.formats.draft import Claimed, Draft, Format, LeftOut, Notes
from services.formats.errors import FormatError
from services.formats.known import format_of
from services.formats.texts import decode_text
from services.games.contract import BadText, Deal, Game, Outcome, Over, Rules, Seat
from services.games.registry import REGISTRY, Registry, UnknownGame
from services.match import shuffle
from services.match.commands import ImportMatch
from services.match.imports import digest_of, match_id_of


class Judged(msgspec.Struct, frozen=True):
    """A game that keeps the rules to its last move, and the command that brings it in.

    ``number`` counts the games of the file from 1. ``points`` (by seat) and ``parts`` stand as
    after the last move, ``is_over`` says whether play had ended there by the rules.
    """

    file: str
    number: int
    match: str
    digest: str
    command: ImportMatch
    points: Mapping[Seat, int]
    parts: Mapping[str, int]
    is_over: bool
    notes: Notes
    left_out: LeftOut

    @property
    def variant(self) -> str:
        """The ruleset's variant, or the game where rulesets have none."""
        return str(self.command.ruleset.get("variant", self.command.game))

    @property
    def plies(self) -> int:
        """Moves of the main line."""
        return len(self.command.moves)


class Refused(msgspec.Struct, frozen=True):
    """A game that is not taken, or a file (``number`` 0), and why.

    ``node`` counts from 1 inside the game: nodes of a tree, moves of a record; 0: none of them.
    """

    file: str
    number: int
    node: int
    code: str
    sentence: str


Verdict = Judged | Refused


def judge(data: bytes, file: str, games: Registry = REGISTRY) -> list[Verdict]:
    """Every game of a file judged, in order; never raises, whatever the bytes are.

    ``file`` is only a name for answers.
    """
    try:
        text = decode_text(data)
        format_ = format_of(text)
        drafts = list(enumerate(format_.read(text), start=1))
    except FormatError as error:
        return [_refused(file, error.game, error)]
    return [_judge_one(draft, number, file, format_, games) for number, draft in drafts]


def _judge_one(
    draft: Draft | FormatError, number: int, file: str, format_: Format, games: Registry
) -> Verdict:
    if isinstance(draft, FormatError):
        return _refused(file, number, draft)
    try:
        return _Judge(draft, number, file, format_, games).judged()
    except FormatError as error:
        return _refused(file, number, error)


def _refused(file: str, number: int, error: FormatError) -> Refused:
    return Refused(file, number, error.node, error.code, error.sentence)


class _Judge:
    """Plays one draft by the rules."""

    def __init__(
        self, draft: Draft, number: int, file: str, format_: Format, games: Registry
    ) -> None:
        self.draft = draft
        self.number = number
        self.file = file
        self.format = format_
        self.games = games

    def judged(self) -> Judged:
        draft = self.draft
        if not draft.moves and not draft.start:
            raise self._error("empty", 0, "there is no move and no position: nothing to keep")
        game, ruleset, position = self._start()
        rules = game.rules
        moves: list[str] = []
        for claimed in draft.moves:
            position = self._dealt(rules, position)
            self._check_mover(position, claimed)
            if objection := rules.objection(position, claimed.move):
                raise self._error(objection.code, claimed.node, objection.sentence)
            moves.append(game.notation.canonical(position, claimed.move))
            position = rules.apply(position, moves[-1]).position
        position = self._dealt(rules, position)
        standing = rules.standing(position)
        is_over = isinstance(rules.awaiting(position), Over)
        self._check_result(standing, is_over)
        data = rules.ruleset_data(ruleset)
        command = ImportMatch(draft.game, data, tuple(moves), draft.start, draft.deals)
        digest = digest_of(draft.game, data, command.moves, draft.start, draft.deals)
        return Judged(
            file=self.file,
            number=self.number,
            match=match_id_of(digest),
            digest=digest,
            command=command,
            points=standing.points,
            parts=standing.parts,
            is_over=is_over,
            notes=draft.notes,
            left_out=draft.left_out,
        )

    def _start(self) -> tuple[Game, Any, Any]:
        try:
            game = self.games.game(self.draft.game)
            ruleset = game.rules.ruleset(self.draft.ruleset)
            if self.draft.start:
                return game, ruleset, game.notation.parse_position(self.draft.start)
        except UnknownGame as error:
            raise self._error("no-such-game", 0, str(error)) from None
        except BadText as error:
            raise self._error("bad-record", 0, str(error)) from None
        return game, ruleset, game.rules.setup(ruleset, {})

    def _dealt(self, rules: Rules, position: Any) -> Any:
        """The position after the deal it waits for, where the file has the key of it."""
        awaited = rules.awaiting(position)
        if isinstance(awaited, Deal) and awaited.number <= len(self.draft.deals):
            key = bytes.fromhex(self.draft.deals[awaited.number - 1])
            return rules.deal(position, shuffle.Stream(key)).position
        return position

    def _check_mover(self, position: Any, claimed: Claimed) -> None:
        to_move = self.format.mover(position)
        if to_move is None:
            raise self._error("match-over", claimed.node, "play is over before this move.")
        if claimed.who != to_move:
            raise self._error(
                "not-your-turn",
                claimed.node,
                f"{claimed.who[:20]} is said to move, but it is the turn of {to_move}.",
            )

    def _check_result(self, standing: Outcome, is_over: bool) -> None:
        claimed = self.draft.result
        if claimed is None:
            return
        derived = {**standing.parts, **standing.points}
        for name, said in {**claimed.parts, **claimed.points}.items():
            if said != derived.get(name):
                raise self._wrong_result(f"{name} has {derived.get(name)} points, not {said}.")
        if claimed.how != "points":
            return
        if not is_over:
            raise self._wrong_result("play is not over after the last move.")
        if claimed.winners != standing.winners:
            raise self._wrong_result(f"the winners are {', '.join(standing.winners)}.")

    def _wrong_result(self, what: str) -> FormatError:
        return self._error("wrong-result", 0, what)

    def _error(self, code: str, node: int, what: str) -> FormatError:
        where = f"Game {self.number}, {self.format.place} {node}" if node else f"Game {self.number}"
        return FormatError(code, f"{where}: {what}", game=self.number, node=node)
