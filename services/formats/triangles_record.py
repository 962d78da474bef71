"""Our own record of a Triangles match, ``plybook-triangles 1`` (rule sheet §12), both ways.

A round is told by its deal, its turns and its end; with its key it can be played again, and
every line has to follow from key and placements. Two additions to the sheet: a round that was
broken off ends with ``end broken - …`` where its key is known, and a draw that was agreed on
is a way to end. Matches that came from a file have no seed and no commitments.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from services.formats.draft import Claimed, Draft, Format, Notes, Result
from services.formats.errors import FormatError
from services.games.contract import BadText, Over, Seat
from services.games.triangles import rules
from services.games.triangles.notation import NOTHING, draws_text, turn_text
from services.games.triangles.options import Ruleset, option_text, option_value
from services.games.triangles.points import leaders
from services.games.triangles.position import NOBODY, Position
from services.games.triangles.tiles import NO_TILE, TILES
from services.match import shuffle
from services.match.state import MatchState

HEADING = "plybook-triangles 1"
NAME_CHARS_MAX = 100
TURNS_IN_LINE = 8
ROUNDS_MAX = 1_000
HOWS = ("points", "cap", "resign", "time", "abandoned", "draw")
"""How a match can have ended: the sheet's words, and a draw agreed."""

_KEY = re.compile(r"[0-9a-f]{64}", re.ASCII)
_ENTROPY = re.compile(r"([0-9a-f]{2}){0,64}", re.ASCII)
_TURN = re.compile(r"([A-D])(?:\+[0-5]{0,3})*(?::(.+))?", re.ASCII)
_NUMBER = re.compile(r"0|-?[1-9][0-9]{0,5}", re.ASCII)


class _Told(msgspec.Struct, frozen=True):
    """A round as a record tells it: how it began, its turns, its end (empty: it still runs)."""

    start: str
    turns: tuple[str, ...] = ()
    end: str = ""

    def field(self, name: str) -> str:
        """A value of the first or last line, e.g. the key; empty if it is not there."""
        words = [*self.start.split(" "), *self.end.split(" ")]
        found = [word.partition("=")[2] for word in words if word.startswith(f"{name}=")]
        return found[-1] if found else ""


# Writing


def write(state: MatchState, notes: Notes) -> str:
    """The match as a record; drawn tiles are named in rounds whose key is known."""
    ruleset: Ruleset = state.ruleset
    options = [f"{k}={option_text(v)}" for k, v in rules.ruleset_data(ruleset).items()]
    lines = [HEADING, f"match {state.match}", f"options {' '.join(options)}"]
    lines += [f"seat {seat} {_name(state, seat, notes)}" for seat in ruleset.seats]
    if state.seed_commit:
        given = " ".join(f"{seat}={state.entropy.get(seat, '')}" for seat in ruleset.seats)
        lines += [f"shuffle {shuffle.ALGORITHM} commit={state.seed_commit}", f"entropy {given}"]
    for known in state.rounds:
        plies = [p.position for p in state.line if p.position.round == known.number]
        position = plies[-1] if plies else state.position
        told = _told(position, known.commit, known.key)
        lines.append(told.start)
        lines += _in_lines(told.turns)
        lines += [told.end] if told.end else []
    lines.append(f"result {_result_text(state)}")
    return "".join(f"{line}\n" for line in lines)


def _name(state: MatchState, seat: Seat, notes: Notes) -> str:
    holder = state.holder(seat)
    if holder is not None and holder.level:
        return f"bot:{holder.level}"
    return " ".join(notes.names.get(seat, "").split()) or NOTHING


def _in_lines(turns: Sequence[str]) -> Iterator[str]:
    for start in range(0, len(turns), TURNS_IN_LINE):
        yield " ".join(turns[start : start + TURNS_IN_LINE])


def _told(position: Position, commit: str, key: str) -> _Told:
    """A round by its last position; the drawn tiles follow from its key."""
    opening, seats = position.opening, position.seats
    assert opening is not None, "a round that was dealt has an opener"
    tile = NOTHING if opening.tile == NO_TILE else TILES[opening.tile]
    start = f"round {position.round} start={seats[opening.seat]} reason={opening.reason}"
    start += f" tile={tile} commit={commit}"
    drawn = _Market(position.ruleset, key)
    turns = [turn_text(seats[t.seat], drawn.next(t.drawn), t.placement) for t in position.turns]
    if position.drawn:
        turns.append(draws_text(seats[position.next], drawn.next(position.drawn)))
    return _Told(start, tuple(turns), _end_text(position, key))


class _Market:
    """The tiles of a round's market in the order of drawing; counts where the key is secret."""

    def __init__(self, ruleset: Ruleset, key: str) -> None:
        deck = shuffle.Stream(bytes.fromhex(key)).permutation(len(TILES)) if key else ()
        self._tiles = deck[ruleset.players * ruleset.hand_size :]

    def next(self, count: int) -> tuple[int, ...] | int:
        drawn, self._tiles = self._tiles[:count], self._tiles[count:]
        return drawn or count


def _end_text(position: Position, key: str) -> str:
    if not key:
        return ""
    end, seats = position.end, position.seats
    kind, winner = (end.kind, end.winner) if end else ("broken", NOBODY)
    return (
        f"end {kind} {NOTHING if winner == NOBODY else seats[winner]}"
        f" points {_by_seat(seats, position.points)} totals {_by_seat(seats, position.sums())}"
        f" key={key}"
    )


def _by_seat(seats: Sequence[Seat], values: Sequence[int]) -> str:
    return " ".join(f"{seat}={value}" for seat, value in zip(seats, values, strict=True))


def _result_text(state: MatchState) -> str:
    position: Position = state.position
    totals = f"totals {_by_seat(position.seats, position.sums())}"
    ended = state.ended
    if ended is None or ended.how not in HOWS:
        return f"{NOTHING} {totals}"
    how = _by_rules(position) if ended.how == "points" else ended.how
    seed = f" seed={ended.server_seed}" if ended.server_seed else ""
    return f"{_winner_text(ended.winners)} {how} {totals}{seed}"


def _winner_text(winners: Sequence[Seat]) -> str:
    if len(winners) == 1:
        return winners[0]
    return "draw" if winners else NOTHING


def _by_rules(position: Position) -> str:
    """``points`` where one seat alone reached the target, else the cap ended the match."""
    sums = position.sums()
    alone = len(leaders(sums)) == 1 and max(sums) >= position.ruleset.target
    return "points" if alone else "cap"


# Reading


def read(text: str) -> Iterator[Draft | FormatError]:
    """The one match of a record, or what is wrong with it."""
    reader = _RecordReader()
    for number, line in enumerate(text.splitlines()[1:], start=2):
        try:
            reader.take(line.split())
        except BadText as error:
            yield FormatError("bad-record", f"Line {number}: {error}", game=1)
            return
    try:
        yield reader.draft()
    except BadText as error:
        yield FormatError("bad-record", f"The record does not fit together: {error}", game=1)


class _RecordReader:
    """Takes a record line by line; the first word says what a line is. Raises ``BadText``."""

    def __init__(self) -> None:
        self.match = ""
        self.ruleset: Ruleset | None = None
        self.names: dict[Seat, str] = {}
        self.commit = ""
        self.entropy: list[bytes] = []
        self.rounds: list[_Told] = []
        self.result: tuple[str, ...] = ()
        self.seen: set[str] = set()

    def take(self, words: Sequence[str]) -> None:
        match words:
            case []:
                pass
            case _ if self.result:
                raise BadText("nothing comes after the result.")
            case ["match", match]:
                self._once("match")
                self.match = match
            case ["options", *options]:
                self._once("options")
                self.ruleset = _ruleset(options)
            case _ if self.ruleset is None:
                raise BadText("the options have to be named before seats, rounds and turns.")
            case ["result", *claims]:
                self.result = tuple(claims) or (NOTHING,)
            case ["seat" | "shuffle" | "entropy" as kind, *rest]:
                self._of_table(self.ruleset, kind, rest)
            case _:
                self._of_round(words)

    def _of_table(self, ruleset: Ruleset, kind: str, words: Sequence[str]) -> None:
        """Who sits where, and what the chance follows from."""
        match kind, words:
            case "seat", [seat, *name] if seat in ruleset.seats:
                self._once(f"seat {seat}")
                if name and name != [NOTHING] and not name[0].startswith("bot:"):
                    self.names[seat] = " ".join(name)[:NAME_CHARS_MAX]
            case "shuffle", [shuffle.ALGORITHM, commit] if commit.startswith("commit="):
                self._once(kind)
                self.commit = _key(commit)
            case "entropy", given:
                self._once(kind)
                self.entropy = _entropy(ruleset, given)
            case _:
                raise BadText(f"this line says nothing of a {kind} here.")

    def _once(self, key: str) -> None:
        if key in self.seen:
            raise BadText(f"a second line says {key!r}.")
        self.seen.add(key)

    def _of_round(self, words: Sequence[str]) -> None:
        last = self.rounds[-1] if self.rounds else None
        if words[0] == "round":
            if len(self.rounds) == ROUNDS_MAX or (last and not last.end):
                raise BadText("a round begins when the one before it has ended.")
            self.rounds.append(_Told(" ".join(words)))
        elif last is None or last.end:
            raise BadText("a line begins with match, options, seat, round, end or result.")
        elif words[0] == "end":
            self.rounds[-1] = msgspec.structs.replace(last, end=" ".join(words))
        else:
            turns = (*last.turns, *words)
            self.rounds[-1] = msgspec.structs.replace(last, turns=turns)

    def draft(self) -> Draft:
        """The match, every line checked against the keys and the placements."""
        if self.ruleset is None:
            raise BadText("no line names the options.")
        keys = tuple(_key(f"key={told.field('key')}") for told in self.rounds)
        self._check_seed(keys)
        moves = tuple(self._moves())
        position = _replayed(self.ruleset, self.rounds, keys)
        return Draft(
            game=rules.slug,
            ruleset=rules.ruleset_data(self.ruleset),
            start="",
            moves=moves,
            notes=Notes(names=self.names),
            result=_result(self.ruleset, self.result, position),
            deals=keys,
        )

    def _check_seed(self, keys: Sequence[str]) -> None:
        """A seed that is told opens the commitment, and every key follows from it."""
        seeds = [word.partition("=")[2] for word in self.result if word.startswith("seed=")]
        if not seeds:
            return
        seed = bytes.fromhex(_key(f"seed={seeds[0]}"))
        if shuffle.seed_commit(seed).hex() != self.commit:
            raise BadText("the seed does not open the commitment of the shuffle.")
        match_key = shuffle.match_key(seed, self.match, self.entropy)
        for number, key in enumerate(keys, start=1):
            if shuffle.round_key(match_key, number).hex() != key:
                raise BadText(f"the key of round {number} does not follow from the seed.")

    def _moves(self) -> Iterator[Claimed]:
        node = 0
        for told in self.rounds:
            for turn in told.turns:
                found = _TURN.fullmatch(turn)
                if found is None:
                    raise BadText(f"{turn[:40]!r} is no turn, as B+012:450d0.-1 and A:- are.")
                if found[2] not in (None, NOTHING):
                    node += 1
                    yield Claimed(node, found[1], found[2])


def _ruleset(options: Sequence[str]) -> Ruleset:
    pairs = [option.partition("=")[::2] for option in options]
    if len(dict(pairs)) < len(pairs):
        raise BadText("an option is named twice.")
    return rules.ruleset({name: option_value(name, text) for name, text in pairs})


def _key(word: str) -> str:
    name, _, key = word.partition("=")
    if not _KEY.fullmatch(key):
        raise BadText(f"{name} is 64 hex digits; a round whose key is secret cannot be checked.")
    return key


def _entropy(ruleset: Ruleset, given: Sequence[str]) -> list[bytes]:
    pairs = [word.partition("=")[::2] for word in given]
    if [seat for seat, _ in pairs] != list(ruleset.seats):
        raise BadText("entropy names every seat, in order.")
    if not all(_ENTROPY.fullmatch(entropy) for _, entropy in pairs):
        raise BadText("entropy is at most 64 bytes, in hex digits.")
    return [bytes.fromhex(entropy) for _, entropy in pairs]


def _replayed(ruleset: Ruleset, rounds: Sequence[_Told], keys: Sequence[str]) -> Position | None:
    """The last position, if every line reads as it follows; None if a move is against the rules.

    Such a move is left to the judge of all records, which says what is wrong with it.
    """
    position: Position = rules.setup(ruleset)
    for told, key in zip(rounds, keys, strict=True):
        if isinstance(rules.awaiting(position), str | Over):
            raise BadText("no round begins here.")
        position = rules.deal(position, shuffle.Stream(bytes.fromhex(key))).position
        for turn in told.turns:
            seat, _, move = turn.partition(":")
            if move in ("", NOTHING):
                continue
            if seat[:1] != rules.awaiting(position) or rules.objection(position, move):
                return None
            position = rules.apply(position, move).position
        commit = told.field("commit") and shuffle.round_commit(bytes.fromhex(key)).hex()
        _compare(told, _told(position, commit, key))
    return position


def _compare(told: _Told, expected: _Told) -> None:
    if told.start != expected.start:
        raise BadText(f"this round begins: {expected.start}")
    for said, follows in zip(
        (*told.turns, told.end), (*expected.turns, expected.end), strict=False
    ):
        if said != follows:
            raise BadText(f"{said[:80]!r} does not follow; {follows!r} does.")
    if len(told.turns) != len(expected.turns):
        raise BadText(f"round {expected.start.split()[1]} has {len(expected.turns)} turns.")


def _result(ruleset: Ruleset, claims: Sequence[str], position: Position | None) -> Result | None:
    """The claims of the result line; None for a match that was still running."""
    if not claims or list(claims[:2]) in ([NOTHING], [NOTHING, "totals"]):
        return None
    winner, how, *rest = (*claims, NOTHING)  # a winner alone says nothing of how
    told = [word for word in rest[:-1] if not word.startswith("seed=")]
    totals = dict(word.partition("=")[::2] for word in told)
    if how not in HOWS or tuple(totals) != ("totals", *ruleset.seats):
        raise BadText(f"a result reads: winner, one of {', '.join(HOWS)}, totals A=… B=….")
    if not all(_NUMBER.fullmatch(totals[seat]) for seat in ruleset.seats):
        raise BadText("totals are whole numbers.")
    if how in ("points", "cap") and position is not None and how != _by_rules(position):
        raise BadText(f"the match ended by {_by_rules(position)}.")
    points = {seat: int(totals[seat]) for seat in ruleset.seats}
    how = "points" if how == "cap" else how
    return Result(how, points, {}, _winners(ruleset, winner, points))


def _winners(ruleset: Ruleset, winner: str, points: Mapping[Seat, int]) -> tuple[Seat, ...]:
    if winner == "draw":
        return tuple(ruleset.seats[seat] for seat in leaders(tuple(points.values())))
    if winner in (*ruleset.seats, NOTHING):
        return () if winner == NOTHING else (winner,)
    raise BadText(f"the winner is one of {', '.join(ruleset.seats)}, draw, -.")


def _seat_to_move(position: Position) -> str | None:
    awaited = rules.awaiting(position)
    return awaited if isinstance(awaited, str) else None


TRIANGLES_RECORD = Format(HEADING, rules.slug, "move", read, write, _seat_to_move)
