"""Records of Caltrop (rule sheet §10), both ways: one line ``CT1 …`` a game.

A line by itself is a whole record: a match of one game with set decks (form ``run``). A record
with the heading ``plybook-caltrop 1`` adds the form, the seats' names and the result of the
match, so that a duel of two games fits. A game that has no result yet ends with ``= -``. Who
placed first in a single game was drawn, which nobody could check from a record: such a duel is
written as a match with set decks.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from services.formats.draft import Claimed, Draft, Format, Notes, Result
from services.formats.errors import FormatError
from services.games.caltrop import notation, rules
from services.games.caltrop.board import BLUE, COLOURS, LETTERS, RED, SQUARES
from services.games.caltrop.decks import Deck, deck_text
from services.games.caltrop.position import SEAT_NAMES, Game, Position, decided
from services.games.contract import BadText, Seat
from services.match.state import MatchState

HEADING = "plybook-caltrop 1"
LINE = "CT1"
NOTHING = "-"
NAME_CHARS_MAX = 100
GAMES_MAX = 2
DUELS = ("classic", "budget")
BROKEN_OFF = ("resign", "time")
HOWS = ("points", *BROKEN_OFF, "abandoned", "draw")
"""How a match can have ended: the sheet's words, and a draw agreed."""
_PAIR = re.compile(r"([0-9]{1,3}):([0-9]{1,3})")
_NUMBER = re.compile(r"[0-9]{1,3}")


class _Line(msgspec.Struct, frozen=True):
    """One game as its line has it; ``by`` is empty where the line ends with ``= -``."""

    first: int
    decks: tuple[str, str]
    moves: tuple[str, ...]
    winner: int = BLUE
    points: tuple[int, int] = (0, 0)
    spikes: tuple[int, int] = (0, 0)
    by: str = ""


def read(text: str) -> Iterator[Draft | FormatError]:
    """The one match of a record, or what is wrong with it."""
    reader = _RecordReader()
    lines = enumerate(text.splitlines(), start=1)
    for number, line in lines:
        try:
            if number > 1 or line.split()[0] == LINE:
                reader.take(line.split())
        except BadText as error:
            yield FormatError("bad-record", f"Line {number}: {error}", game=1)
            return
    try:
        draft = reader.draft()
    except BadText as error:
        yield FormatError("bad-record", f"The record does not fit together: {error}", game=1)
        return
    yield draft


class _RecordReader:
    """Takes a record line by line; the first word says what a line is. Raises ``BadText``."""

    def __init__(self) -> None:
        self.form = "run"
        self.names: dict[Seat, str] = {}
        self.games: list[_Line] = []
        self.result: Result | None = None
        self.seen: set[str] = set()

    def take(self, words: Sequence[str]) -> None:
        match words:
            case []:
                pass
            case _ if "result" in self.seen:
                raise BadText("nothing comes after the result.")
            case ["match", *_]:
                self._once("match")  # and no more: the id of a match follows from its content
            case ["form", form] if not self.games:
                self._once("form")
                if form not in (*DUELS, "run"):
                    raise BadText(f"the form is one of {', '.join(DUELS)}, run.")
                self.form = form
            case ["seat", seat, *name] if seat in SEAT_NAMES:
                self._once(f"seat {seat}")
                if name and name != [NOTHING]:
                    self.names[seat] = " ".join(name)[:NAME_CHARS_MAX]
            case [first_word, *rest] if first_word == LINE:
                self._game(_read_line(rest))
            case ["result", *claims]:
                self._once("result")
                self.result = _result(claims)
            case _:
                raise BadText(f"a line begins with match, form, seat, {LINE} or result.")

    def _once(self, key: str) -> None:
        if key in self.seen:
            raise BadText(f"a second line says {key!r}.")
        self.seen.add(key)

    def _game(self, game: _Line) -> None:
        if self.games and (self.form not in DUELS or len(self.games) == GAMES_MAX):
            raise BadText("a duel has two games at most, any other match one.")
        if self.games and len(self.games[0].moves) != SQUARES:
            raise BadText("the second game follows when the first one is over.")
        self.games.append(game)

    def draft(self) -> Draft:
        """The match, its lines checked against each other."""
        if not self.games:
            raise BadText(f"there is no game, no line {LINE}.")
        data, start = self._ruleset(), ""
        ruleset = rules.ruleset(data)
        decks = dict(zip(SEAT_NAMES, self.games[0].decks, strict=True))
        opened = rules.setup(ruleset, decks)
        if opened != rules.setup(ruleset):
            start = notation.format_position(opened)
        for number, game in enumerate(self.games, start=1):
            named = tuple(map(deck_text, _game_decks(opened, number)))
            if game.decks != named or game.first != opened.game.first:
                head = f"{LETTERS[opened.game.first]} {' '.join(named)}"
                raise BadText(f"game {number} of this match begins with {LINE} {head}.")
        return Draft(
            game=rules.slug,
            ruleset=rules.ruleset_data(ruleset),
            start=start,
            moves=tuple(self._moves(opened)),
            notes=Notes(names=self.names),
            result=self._whole_result(opened),
        )

    def _ruleset(self) -> dict[str, object]:
        if self.form in DUELS:
            return {"form": self.form, "games": 2}
        game = self.games[0]
        return {
            "form": "run",
            "blue": game.decks[BLUE],
            "red": game.decks[RED],
            "first": LETTERS[game.first],
        }

    def _moves(self, opened: Position) -> Iterator[Claimed]:
        node = 0
        for number, game in enumerate(self.games, start=1):
            for ply, move in enumerate(game.moves):
                node += 1
                yield Claimed(node, opened.seat_of(game.first ^ (ply & 1), number), move)

    def _whole_result(self, opened: Position) -> Result | None:
        """The claims of all lines; a record of one line has its result in that line."""
        last, parts = self.games[-1], dict[str, int]()
        for number, game in enumerate(self.games, start=1):
            if game.by:
                parts |= _parts(game, f"game {number} " if self.form in DUELS else "")
        if self.result is not None:
            if last.by in BROKEN_OFF and self.result.how != last.by:
                raise BadText(f"the last game ended by {last.by}, the match did not.")
            return Result(self.result.how, self.result.points, parts, self.result.winners)
        if "result" in self.seen or self.form in DUELS or not last.by:
            return None
        how = last.by if last.by in BROKEN_OFF else "points"
        points = dict(zip(SEAT_NAMES, last.points, strict=True))
        return Result(how, points, parts, (opened.seat_of(last.winner, 1),))


def _game_decks(opened: Position, number: int) -> tuple[Deck, ...]:
    """The decks of Blue and of Red in the ``number``-th game."""
    return tuple(opened.decks[SEAT_NAMES.index(opened.seat_of(c, number))] for c in (BLUE, RED))


def _parts(game: _Line, head: str) -> Mapping[str, int]:
    """The numbers of a game under the names that ``rules.standing`` gives them."""
    return {
        **{f"{head}{name}": game.points[colour] for colour, name in enumerate(COLOURS)},
        **{f"{head}{name} spikes": game.spikes[colour] for colour, name in enumerate(COLOURS)},
    }


def _read_line(words: Sequence[str]) -> _Line:
    """What stands behind ``CT1``."""
    match words:
        case [first, blue, red, *moves, "=", "-"] if first in tuple(LETTERS):
            return _Line(LETTERS.index(first), (blue, red), tuple(moves))
        case [first, blue, red, *moves, "=", winner, points, spikes, by] if first in tuple(
            LETTERS
        ) and winner in tuple(LETTERS):
            game = _Line(
                LETTERS.index(first),
                (blue, red),
                tuple(moves),
                LETTERS.index(winner),
                _pair(points),
                _pair(spikes),
                by,
            )
        case _:
            raise BadText(
                f"a game reads {LINE} <first> <blue deck> <red deck> <moves> = "
                f"<winner> <points> <spikes> <by>, or = - where it has no result."
            )
    _check_decision(game)
    return game


def _check_decision(game: _Line) -> None:
    """Winner and reason follow from the numbers; the numbers are for the judge."""
    if game.by in BROKEN_OFF:
        if len(game.moves) >= SQUARES:
            raise BadText(f"a full board does not end by {game.by}.")
        return
    winner, by = decided(game.points, game.spikes, game.first)
    if len(game.moves) != SQUARES:
        raise BadText(f"a game of {len(game.moves)} moves has no result by {game.by[:12]}.")
    if (game.winner, game.by) != (winner, by):
        raise BadText(f"with these numbers {LETTERS[winner]} wins by {by}.")


def _pair(text: str) -> tuple[int, int]:
    found = _PAIR.fullmatch(text)
    if not found:
        raise BadText("numbers are written Blue's first: 9:7.")
    return int(found[1]), int(found[2])


def _result(claims: Sequence[str]) -> Result | None:
    """The claims of a result line; None for a match that was still running (``-``)."""
    if list(claims) == [NOTHING]:
        return None
    if not claims or claims[-1] not in HOWS:
        raise BadText(f"a result ends with one of {', '.join(HOWS)}.")
    values = dict(claim.partition("=")[::2] for claim in claims[:-1])
    winners = values.pop("winners", NOTHING)
    named = () if winners == NOTHING else tuple(sorted(winners.split(",")))
    numbers = {seat: int(text) for seat, text in values.items() if _NUMBER.fullmatch(text)}
    if tuple(values) != SEAT_NAMES or len(numbers) != len(values) or set(named) - set(SEAT_NAMES):
        raise BadText("a result reads A=<points> B=<points> winners=<seats> <how>.")
    return Result(claims[-1], numbers, {}, named)


def write(state: MatchState, notes: Notes) -> str:
    """The line that stands as a record, a game to a line."""
    position: Position = state.position
    two = position.ruleset.games == GAMES_MAX
    lines = [HEADING, f"match {state.match}", f"form {position.ruleset.form if two else 'run'}"]
    for seat in SEAT_NAMES:
        name = " ".join(notes.names.get(seat, "").split()) or NOTHING
        lines.append(f"seat {seat} {name}")
    lines += (_game_text(state, number) for number in range(1, len(position.games) + 1))
    lines.append(f"result {_result_text(state)}")
    return "".join(f"{line}\n" for line in lines)


def _game_text(state: MatchState, number: int) -> str:
    position: Position = state.position
    game = position.games[number - 1]
    head = (LINE, LETTERS[game.first], *map(deck_text, game.decks), *game.moves)
    return " ".join((*head, "=", _game_result(state, game, number)))


def _game_result(state: MatchState, game: Game, number: int) -> str:
    position: Position = state.position
    result = rules.results(position)[number - 1]
    if game.is_over:
        return rules.result_text(result)
    if state.ended is None or state.ended.how not in BROKEN_OFF or not state.ended.winners:
        return NOTHING
    winner = position.colour_of(state.ended.winners[0], number)
    return rules.result_text(msgspec.structs.replace(result, winner=winner, by=state.ended.how))


def _result_text(state: MatchState) -> str:
    if state.ended is None or state.ended.how not in HOWS:
        return NOTHING
    points = rules.standing(state.position).points
    winners = ",".join(state.ended.winners) or NOTHING
    seats = " ".join(f"{seat}={number}" for seat, number in points.items())
    return f"{seats} winners={winners} {state.ended.how}"


def mover(position: Position) -> Seat | None:
    """The seat whose turn it is; None when play is over."""
    awaited = rules.awaiting(position)
    return awaited if isinstance(awaited, str) else None


CALTROP_RECORD = Format(HEADING, rules.slug, "move", read, write, mover)
