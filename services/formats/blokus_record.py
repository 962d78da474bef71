"""Our own record of a Blokus match, ``plybook-blokus 1`` (rule sheet §9), both ways.

One addition to the sheet: a line ``start`` with a position text, before the moves, for a match
that did not begin with the empty board. A name of ``-`` is no name.
"""

import re
from collections.abc import Iterator, Sequence

from services.formats.blokus import movers_of, pieces_of, start_text
from services.formats.draft import Claimed, Draft, Format, Notes, Result
from services.formats.errors import FormatError
from services.games.blokus import notation, rules
from services.games.blokus.position import Ruleset, Variant
from services.games.contract import BadText, Outcome, Seat
from services.match.state import MatchState

HEADING = "plybook-blokus 1"
NOTHING = "-"
NAME_CHARS_MAX = 100
HOWS = ("points", "resign", "time", "abandoned", "draw")
"""How a match can have ended: the sheet's words, and a draw agreed."""
_NUMBER = re.compile(r"-?[0-9]{1,4}")


def read(text: str) -> Iterator[Draft | FormatError]:
    """The one match of a record, or what is wrong with it."""
    reader = _RecordReader()
    for number, line in enumerate(text.splitlines()[1:], start=2):
        try:
            reader.take(line.split())
        except BadText as error:
            sentence = f"Line {number}: {error}"
            yield FormatError("bad-record", sentence, game=1, node=len(reader.moves))
            return
    if reader.ruleset is None:
        yield FormatError("bad-record", "No line names the variant.", game=1)
        return
    yield reader.draft(reader.ruleset)


class _RecordReader:
    """Takes a record line by line; the first word says what a line is. Raises ``BadText``."""

    def __init__(self) -> None:
        self.ruleset: Ruleset | None = None
        self.names: dict[Seat, str] = {}
        self.start = ""
        self.moves: list[Claimed] = []
        self.result: Result | None = None
        self.seen: set[str] = set()

    def draft(self, ruleset: Ruleset) -> Draft:
        return Draft(
            game=rules.slug,
            ruleset=rules.ruleset_data(ruleset),
            start=self.start,
            moves=tuple(self.moves),
            notes=Notes(names=self.names),
            result=self.result,
        )

    def take(self, words: Sequence[str]) -> None:
        match words:
            case []:
                pass
            case _ if "result" in self.seen:
                raise BadText("nothing comes after the result.")
            case ["match", *_]:
                self._once("match")  # and no more: the id of a match follows from its content
            case ["variant", variant, *options]:
                self._once("variant")
                pairs = (option.partition("=")[::2] for option in options)
                self.ruleset = rules.ruleset({"variant": variant, **dict(pairs)})
            case _ if self.ruleset is None:
                raise BadText("the variant has to be named before the seats and the moves.")
            case ["seat", seat, *name, colours]:
                self._once(f"seat {seat}")
                self._seat(self.ruleset.sheet, seat, " ".join(name), colours)
            case ["start", *position] if not self.moves:
                self._once("start")
                self.start = _checked_start(self.ruleset, " ".join(position))
            case ["result", *claims]:
                self._once("result")
                self.result = _result(self.ruleset.sheet, claims)
            case _:
                self.moves.extend(map(self._move, words))

    def _once(self, key: str) -> None:
        if key in self.seen:
            raise BadText(f"a second line says {key[:20]!r}.")
        self.seen.add(key)

    def _seat(self, sheet: Variant, seat: Seat, name: str, colours: str) -> None:
        if seat not in sheet.seat_names or colours != _colours_of(sheet, seat):
            lines = "; ".join(f"seat {s} <name> {_colours_of(sheet, s)}" for s in sheet.seat_names)
            raise BadText(f"the seats of this variant are: {lines}.")
        if name not in ("", NOTHING):
            self.names[seat] = name[:NAME_CHARS_MAX]

    def _move(self, word: str) -> Claimed:
        colour, colon, squares = word.partition(":")
        if not colon:
            raise BadText(f"{word[:40]!r} is no move, as red:t1,t2 is (colour, colon, squares).")
        return Claimed(len(self.moves) + 1, colour, squares)


def _colours_of(sheet: Variant, seat: Seat) -> str:
    """The colours a seat's line names; a shared colour is nobody's."""
    return ",".join(c for c, o in zip(sheet.colours, sheet.owners, strict=True) if o == seat)


def _checked_start(ruleset: Ruleset, text: str) -> str:
    """A start position, if nothing in it is claimed beyond its pieces and the colour to place."""
    position = notation.parse_position(text)
    colour = rules.colour_to_place(position) or ruleset.sheet.colours[0]
    again = start_text(ruleset, pieces_of(position), colour)
    if again != text:
        raise BadText(f"the start position has to read: {again or 'nothing, it is the usual'}.")
    return again


def _result(sheet: Variant, claims: Sequence[str]) -> Result | None:
    """The claims of a result line; None for a match that was still running (``-``)."""
    if list(claims) == [NOTHING]:
        return None
    how = claims[-1] if claims and "=" not in claims[-1] else "points"
    if how not in HOWS:
        raise BadText(f"{how[:20]!r} is no way to end; there are: {', '.join(HOWS)}.")
    values = dict(claim.partition("=")[::2] for claim in claims if claim != how)
    winners = values.pop("winners", "")
    numbers = {key: int(text) for key, text in values.items() if _NUMBER.fullmatch(text)}
    parts = {key: numbers.pop(key) for key in sheet.colours if key in numbers}
    if len(parts) + len(numbers) != len(values) or len(parts) != len(sheet.colours):
        raise BadText(f"the result names a score for each of {', '.join(sheet.colours)}.")
    seats = {_winner_name(sheet, seat): seat for seat in sheet.seat_names}
    named = winners.split(",") if winners not in ("", NOTHING) else []
    if not seats.keys() >= set(named) or not set(sheet.seat_names) >= numbers.keys():
        raise BadText(f"winners are among {', '.join(seats)}.")
    return Result(how, numbers, parts, tuple(sorted(seats[name] for name in named)))


def _winner_name(sheet: Variant, seat: Seat) -> str:
    """What a winner is called: its colour where every seat has one, else the seat."""
    return seat if _has_seat_scores(sheet) else _colours_of(sheet, seat)


def _has_seat_scores(sheet: Variant) -> bool:
    """Whether seats have scores of their own beside their colours' (sheet §9)."""
    return len(sheet.colours) != sheet.seats


def write(state: MatchState, notes: Notes) -> str:
    """The line that stands as a record, a round of colours to a line."""
    ruleset: Ruleset = state.ruleset
    sheet = ruleset.sheet
    lines = [HEADING, f"match {state.match}"]
    lines.append(f"variant {ruleset.variant} corners={ruleset.corners}")
    for seat in sheet.seat_names:
        name = " ".join(notes.names.get(seat, "").split()) or NOTHING
        lines.append(f"seat {seat} {name} {_colours_of(sheet, seat)}")
    if state.start != rules.setup(ruleset):
        lines.append(f"start {notation.format_position(state.start)}")
    moves = [f"{colour}:{squares}" for colour, squares in movers_of(state)]
    per_line = len(sheet.colours)
    lines += (" ".join(moves[i : i + per_line]) for i in range(0, len(moves), per_line))
    lines.append(f"result {_result_text(state, sheet)}")
    return "".join(f"{line}\n" for line in lines)


def _result_text(state: MatchState, sheet: Variant) -> str:
    if state.ended is None or state.ended.how not in HOWS:
        return NOTHING
    standing: Outcome = rules.standing(state.position)
    scores = [f"{colour}={score}" for colour, score in standing.parts.items()]
    winners = ",".join(_winner_name(sheet, seat) for seat in state.ended.winners)
    seats = [f"{seat}={score}" for seat, score in standing.points.items()]
    named = [*scores, f"winners={winners or NOTHING}"]
    return " ".join([*named, *(seats if _has_seat_scores(sheet) else ()), state.ended.how])


BLOKUS_RECORD = Format(HEADING, rules.slug, "move", read, write, rules.colour_to_place)
