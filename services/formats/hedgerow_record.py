"""Records of Hedgerow, ``hedgerow 1`` (rule sheet §9), both ways: a line a field.

``#`` begins a comment, a name of ``-`` is no name. What a ``score``, ``stuck`` or ``result``
line says is checked against the moves, never believed. A match that ended in a way the sheet
has no line for (a draw agreed, a match abandoned) is written without a result, and a comment
says how it ended.
"""

import re
from collections.abc import Iterator, Sequence

from services.formats.draft import Claimed, Draft, Format, Notes, Result
from services.formats.errors import FormatError
from services.games.contract import BadText, Seat
from services.games.hedgerow import rules
from services.games.hedgerow.position import (
    GAMES,
    HARVESTS,
    OPTIONS,
    PLACEMENTS,
    SEAT_NAMES,
    Position,
    Score,
    other,
    seat_of,
)
from services.games.hedgerow.tokens import is_placement
from services.match.state import MatchState

HEADING = "hedgerow 1"
NOTHING = "-"
NAME_CHARS_MAX = 100
BROKEN_OFF = ("resign", "time")
"""The ways in which a seat can have lost the match before its end."""
_OPTIONS = tuple(option for option in OPTIONS if option != "first")
"""Who begins is said by the first game's own line."""
_PARTS = ("regions", "isolation", "harvest", "net")
_NUMBER = re.compile(r"[+-][0-9]{1,3}")
_COMMENT = re.compile(r"(?:^|\s)#.*")


def read(text: str) -> Iterator[Draft | FormatError]:
    """The one match of a record, or what is wrong with it."""
    reader = _RecordReader()
    for number, line in enumerate(text.splitlines()[1:], start=2):
        try:
            reader.take(_COMMENT.sub("", line).split())
        except BadText as error:
            sentence = f"Line {number}: {error}"
            yield FormatError("bad-record", sentence, game=1, node=len(reader.moves))
            return
    if not reader.games:
        yield FormatError("bad-record", "No line begins a game.", game=1)
        return
    yield reader.draft()


class _RecordReader:
    """Takes a record line by line; the first word says what a line is. Raises ``BadText``.

    ``turns`` counts the moves of the game that is being read, ``stage`` says how far its lines
    have come.
    """

    def __init__(self) -> None:
        self.options: dict[str, str] = {}
        self.names: dict[Seat, str] = {}
        self.games: list[Seat] = []
        self.moves: list[Claimed] = []
        self.parts: dict[str, int] = {}
        self.turns = 0
        self.stage = ""
        self.how = ""
        self.loser: Seat = ""
        self.result: Result | None = None
        self.seen: set[str] = set()

    def draft(self) -> Draft:
        claims = self.result
        if claims is None and self.parts:
            claims = Result("unfinished", {}, self.parts, ())
        return Draft(
            game=rules.slug,
            ruleset={**self.options, "first": self.games[0]},
            start="",
            moves=tuple(self.moves),
            notes=Notes(names=self.names),
            result=claims,
        )

    def take(self, words: Sequence[str]) -> None:
        match words:
            case []:
                pass
            case _ if "result" in self.seen:
                raise BadText("nothing comes after the result.")
            case ["options", *options] if not self.games:
                self._once("options")
                self.options = _pairs(options, _OPTIONS)
            case [("A" | "B") as seat, *name] if name and not self.games:
                self._once(seat)
                if name != [NOTHING]:
                    self.names[seat] = " ".join(name)[:NAME_CHARS_MAX]
            case ["game", number, first]:
                self._game(number, _pairs([first], ("first",))["first"])
            case ["result", winner, total]:
                self._once("result")
                self._result(winner, _pairs([total], ("total",))["total"])
            case [word, *claims] if self.games and claims:
                self._in_game(word, claims)
            case _:
                raise BadText(f"{words[0][:20]!r} has no place here; see the rules, Records.")

    def _once(self, key: str) -> None:
        if key in self.seen:
            raise BadText(f"a second line says {key[:20]!r}.")
        self.seen.add(key)

    def _game(self, number: str, first: Seat) -> None:
        if number != str(len(self.games) + 1) or len(self.games) == GAMES:
            raise BadText("the games are game 1 and then game 2.")
        if first not in SEAT_NAMES or (self.games and first == self.games[0]):
            raise BadText("first=A or first=B begins a game; in game 2 the other one.")
        if self.stage == "ended":
            raise BadText("no game follows when a seat has lost the match.")
        self.games.append(first)
        self.turns, self.stage = 0, "game"

    def _in_game(self, word: str, claims: Sequence[str]) -> None:
        """A line of a game: ``place``, ``harvest``, then one of ``score``, ``stuck``, ``ended``."""
        match word, self.stage:
            case ("place", "game") | ("harvest", "place"):
                self._moves(word, claims)
            case "score", "harvest" if self.turns == PLACEMENTS + HARVESTS:
                self._parts({part: _number(text) for part, text in _pairs(claims, _PARTS).items()})
            case "stuck", "place":
                owner = _pairs(claims, ("seat",))["seat"]
                if owner not in ("1", "2"):
                    raise BadText("stuck names seat=1 or seat=2, the game's first or second.")
                self._parts({"stuck": int(owner)})
            case "ended", "game" | "place" | "harvest":
                said = _pairs(claims, ("loser", "by"))
                self.loser, self.how = said["loser"], said["by"]
                if self.loser not in SEAT_NAMES or self.how not in BROKEN_OFF:
                    raise BadText("ended names loser=A or B and by=resign or time.")
            case _:
                raise BadText(f"{word[:20]!r} does not stand here in a game; see Records.")
        self.stage = word

    def _moves(self, phase: str, tokens: Sequence[str]) -> None:
        game = len(self.games)
        for token in tokens:
            if is_placement(token) != (phase == "place"):
                raise BadText(f"{token[:40]!r} is no token of this phase.")
            owner = 1 + self.turns % 2
            seat = self.games[-1] if owner == 1 else other(self.games[-1])
            self.moves.append(Claimed(len(self.moves) + 1, _who(seat, game), token))
            self.turns += 1

    def _parts(self, parts: dict[str, int]) -> None:
        self.parts |= {f"game {len(self.games)} {part}": said for part, said in parts.items()}

    def _result(self, winner: str, total: str) -> None:
        if winner not in ((other(self.loser),) if self.loser else (*SEAT_NAMES, "draw")):
            raise BadText("the result names the winner: A, B or draw, and never the loser.")
        points = {"A": _number(total), "B": -_number(total)}
        winners = SEAT_NAMES if winner == "draw" else (winner,)
        self.result = Result(self.how or "points", points, self.parts, winners)


def _pairs(words: Sequence[str], names: Sequence[str]) -> dict[str, str]:
    """Words like ``name=value``, each of these names once and in this order."""
    pairs = dict(word.partition("=")[::2] for word in words)
    if tuple(pairs) != tuple(names) or len(pairs) != len(words):
        raise BadText(f"here stand {', '.join(f'{name}=…' for name in names)}, in this order.")
    return pairs


def _number(text: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise BadText(f"{text[:20]!r} is no number with its sign, like +6.")
    return int(text)


def _who(seat: Seat, game: int) -> str:
    """Who moves, in the words of the record: so that no move slips into another game."""
    return f"{seat} in game {game}"


def mover(position: Position) -> str | None:
    """Who is to move, in the same words; None when the match is over."""
    return None if position.over else _who(position.seat_of(position.mover), position.game)


def write(state: MatchState, notes: Notes) -> str:
    """The line that stands as a record."""
    start: Position = state.start
    end: Position = state.position
    if start != rules.setup(start.ruleset):
        raise FormatError("cannot-export", "A record of Hedgerow begins with the empty board.")
    lines = [HEADING, f"options {' '.join(_option_texts(start))}"]
    for seat in SEAT_NAMES:
        words = (word.lstrip("#") for word in notes.names.get(seat, "").split())
        lines.append(f"{seat} {' '.join(filter(None, words)) or NOTHING}")
    how = state.ended.how if state.ended else ""
    for game, score in enumerate(end.scores, start=1):
        moves = _moves_of(state, game)
        if moves or how in BROKEN_OFF or game == 1:
            lines += _game_lines(start, game, moves, score)
    if how in BROKEN_OFF and state.ended:
        (loser,) = set(SEAT_NAMES) - set(state.ended.winners)
        lines.append(f"ended loser={loser} by={how}")
    if state.ended and how in ("points", *BROKEN_OFF):
        winners = state.ended.winners
        winner = winners[0] if len(winners) == 1 else "draw"
        lines.append(f"result {winner} total={end.total:+d}")
    elif state.ended:
        lines.append(f"# the match ended without a result of its own: {how}")
    return "".join(f"{line}\n" for line in lines)


def _option_texts(start: Position) -> Iterator[str]:
    for option in _OPTIONS:
        yield f"{option}={getattr(start.ruleset, option)}"


def _moves_of(state: MatchState, game: int) -> list[str]:
    """The moves played in a game of the match."""
    before: Position = state.start
    moves = []
    for ply in state.line:
        if before.game == game:
            moves.append(ply.move)
        before = ply.position
    return moves


def _game_lines(start: Position, game: int, moves: Sequence[str], score: Score) -> Iterator[str]:
    yield f"game {game} first={seat_of(start.ruleset, game, 1)}"
    for word, first, last in (("place", 0, PLACEMENTS), ("harvest", PLACEMENTS, len(moves))):
        if tokens := moves[first:last]:
            yield f"{word} {' '.join(tokens)}"
    if score.stuck:
        yield f"stuck seat={score.stuck}"
    elif len(moves) == PLACEMENTS + HARVESTS:
        yield f"score {' '.join(f'{part}={getattr(score, part):+d}' for part in _PARTS)}"


HEDGEROW_RECORD = Format(HEADING, rules.slug, "move", read, write, mover)
