"""Pentobi's ``.blksgf``: Blokus games as SGF trees, in today's dialect and the older ones.

Read are the four games we play, always with ``corners: fixed``, as Pentobi plays them:

* moves by ``1 2 3 4`` (four colours) or ``B W`` (two); older files say ``BLUE YELLOW RED
  GREEN``, or ``1 2`` for two colours, also mixed in one tree; a move is one value with commas
  or, older still, one value for each square; a move without squares is skipped;
* pieces set up in the root: ``A1``…``A4``, ``AB``, ``AW``, taken away by ``AE``, ``PL`` to play;
* the main line (first variations); the other lines are counted and left out;
* names (``PB PW P1``…``P4``), date (``DT``) and comments (``C``) apart from the game itself.

Nothing is judged here but the dialect itself; moves go to the rules as they are claimed.
"""

import textwrap
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from services.formats import sgf
from services.formats.draft import Claimed, LeftOut, Notes
from services.formats.errors import FormatError
from services.games.contract import Seat

NAME_CHARS_MAX = 100
"""A longer name is cut: it is for display only."""


class Dialect(msgspec.Struct, frozen=True):
    """How one of Pentobi's games writes things: its title, our variant, colours, players.

    ``marks`` are the colours by property name, first as written today, then as also read.
    """

    title: str
    variant: str
    marks: Mapping[str, str]
    names: Mapping[str, Seat]

    def mark(self, colour: str) -> str:
        """The property name written for a colour."""
        return next(mark for mark, name in self.marks.items() if name == colour)


_FOUR = dict(zip("1234", ("blue", "yellow", "red", "green"), strict=True))
_FOUR |= {"BLUE": "blue", "YELLOW": "yellow", "RED": "red", "GREEN": "green"}
_TWO = {"B": "blue", "W": "green"}
_TWO |= {"1": "blue", "2": "green", "BLUE": "blue", "GREEN": "green"}
_EVERY_MARK = frozenset(_FOUR) | frozenset(_TWO)
_SETUP = {"A1": "1", "A2": "2", "A3": "3", "A4": "4", "AB": "B", "AW": "W", "AE": "", "PL": ""}
"""Properties that set up a position, and the colour whose pieces they add."""

DIALECTS = (
    Dialect("Blokus", "classic", _FOUR, {"P1": "A", "P2": "B", "P3": "C", "P4": "D"}),
    Dialect("Blokus Two-Player", "classic-2", _FOUR, {"PB": "A", "PW": "B"}),
    Dialect("Blokus Three-Player", "classic-3", _FOUR, {"P1": "A", "P2": "B", "P3": "C"}),
    Dialect("Blokus Duo", "duo", _TWO, {"PB": "A", "PW": "B"}),
)


class Game(msgspec.Struct, frozen=True):
    """One game of a file as it stands there; ``to_play`` is a colour, or empty (not said)."""

    variant: str
    moves: tuple[Claimed, ...]
    setup: tuple[Claimed, ...] = ()
    to_play: str = ""
    notes: Notes = Notes()
    left_out: LeftOut = LeftOut()


def read(text: str) -> Iterator[Game | FormatError]:
    """Every game of a file, or what is wrong with it; raises only if the file is no SGF.

    >>> game, = read("(;GM[Blokus Duo]PB[Ann];B[E10][e9]C[hello](;W[])(;W[j5]))")
    >>> game.moves, game.notes.comments, game.left_out
    ((Claimed(node=2, who='blue', move='E10,e9'),), {1: 'hello'}, LeftOut(lines=1, nodes=1))
    """
    for number, tree in enumerate(sgf.read(text), start=1):
        try:
            yield _TreeReader(number, tree).game()
        except FormatError as error:
            yield error


class _TreeReader:
    """Walks the main line of one tree."""

    def __init__(self, number: int, tree: sgf.Tree) -> None:
        self.number = number
        self.tree = tree
        self.moves: list[Claimed] = []
        self.comments: dict[int, list[str]] = {}

    def game(self) -> Game:
        root = self.tree.nodes[0].properties
        self.dialect = self._dialect(root)
        line = self.tree.main_line()
        for index in line:
            self._visit(index)
        return Game(
            variant=self.dialect.variant,
            moves=tuple(self.moves),
            setup=tuple(self._setup(root)),
            to_play=self._to_play(root),
            notes=self._notes(root),
            left_out=LeftOut(self.tree.leaves() - 1, len(self.tree.nodes) - len(line)),
        )

    def _dialect(self, root: sgf.Properties) -> Dialect:
        ours = ", ".join(dialect.title for dialect in DIALECTS)
        if "GM" not in root:
            raise self._error(
                "no-game-name", f"the first node has no GM property; it names the game ({ours})"
            )
        title = " ".join(_text(root, "GM").split())
        for dialect in DIALECTS:
            if dialect.title == title:
                return dialect
        raise self._error(
            "game-not-played", f"the game {_short(title)} is not played here; read are {ours}"
        )

    def _visit(self, index: int) -> None:
        properties = self.tree.nodes[index].properties
        if index > 0 and (found := _SETUP.keys() & properties.keys()):
            raise self._error(
                "setup-after-start",
                f"{min(found)} changes the board in mid-game; pieces are set up in node 1 only",
                index,
            )
        if marks := [mark for mark in properties if mark in _EVERY_MARK]:
            self._move(index, marks)
        if comment := _text(properties, "C").strip():
            self.comments.setdefault(len(self.moves), []).append(comment)

    def _move(self, index: int, marks: Sequence[str]) -> None:
        properties = self.tree.nodes[index].properties
        if len(marks) > 1:
            raise self._error("two-moves", f"holds two moves ({', '.join(marks)})", index)
        if marks[0] not in self.dialect.marks:
            raise self._error(
                "no-such-colour",
                f"{marks[0]} is no colour of {self.dialect.title}; "
                f"its colours are {', '.join(self.dialect.marks)}",
                index,
            )
        move = ",".join(filter(None, map(str.strip, properties[marks[0]])))
        if move:
            self.moves.append(Claimed(index + 1, self.dialect.marks[marks[0]], move))

    def _setup(self, root: sgf.Properties) -> Iterator[Claimed]:
        """The pieces set up, less those that ``AE`` takes away again."""
        gone = [_squares(value) for value in root.get("AE", ())]
        for name in root.keys() & _SETUP.keys():
            mark = _SETUP[name]
            if mark and mark not in self.dialect.marks:
                raise self._error("no-such-colour", f"{name} is no colour of {self.dialect.title}")
        for name, mark in _SETUP.items():
            for value in root.get(name, ()) if mark else ():
                if _squares(value) in gone:
                    gone.remove(_squares(value))
                else:
                    yield Claimed(1, self.dialect.marks[mark], value.strip())
        if gone:
            raise self._error("nothing-to-remove", "AE takes away a piece that was not set up")

    def _to_play(self, root: sgf.Properties) -> str:
        mark = _text(root, "PL").strip().upper()
        if mark and mark not in self.dialect.marks:
            marks = ", ".join(self.dialect.marks)
            raise self._error(
                "no-such-colour", f"PL[{_short(mark)}] is no colour of this game ({marks})"
            )
        return self.dialect.marks[mark] if mark else ""

    def _notes(self, root: sgf.Properties) -> Notes:
        names = {
            seat: " ".join(_text(root, name).split())[:NAME_CHARS_MAX]
            for name, seat in self.dialect.names.items()
        }
        return Notes(
            names={seat: name for seat, name in names.items() if name},
            date=_text(root, "DT").strip()[:NAME_CHARS_MAX],
            comments={ply: "\n\n".join(texts) for ply, texts in self.comments.items()},
        )

    def _error(self, code: str, what: str, index: int = 0) -> FormatError:
        return FormatError(
            code,
            f"Game {self.number}, node {index + 1}: {what}.",
            game=self.number,
            node=index + 1,
            offset=self.tree.nodes[index].offset,
        )


def _text(properties: sgf.Properties, name: str) -> str:
    return " ".join(properties.get(name, ()))


def _squares(value: str) -> frozenset[str]:
    return frozenset(value.strip().lower().split(","))


def _short(text: str) -> str:
    """A stranger's word, cut for a sentence."""
    return repr(textwrap.shorten(text, 40, placeholder=" …"))


def write(game: Game) -> str:
    """One game as Pentobi writes it: a node a line, names and set-up pieces in the first.

    >>> print(write(Game("duo", (Claimed(0, "blue", "e9,e10"),))), end="")
    (
    ;GM[Blokus Duo]
     CA[UTF-8]
     AP[Plybook]
    ;B[e9,e10]
    )
    """
    dialect = next(dialect for dialect in DIALECTS if dialect.variant == game.variant)
    properties: dict[str, list[str]] = {"GM": [dialect.title], "CA": ["UTF-8"], "AP": ["Plybook"]}
    if game.notes.date:
        properties["DT"] = [game.notes.date]
    for name, seat in dialect.names.items():
        if seat in game.notes.names:
            properties[name] = [game.notes.names[seat]]
    for placed in game.setup:
        properties.setdefault("A" + dialect.mark(placed.who), []).append(placed.move)
    if game.to_play:
        properties["PL"] = [dialect.mark(game.to_play)]
    nodes = [properties, *({dialect.mark(move.who): [move.move]} for move in game.moves)]
    for ply, comment in game.notes.comments.items():
        if ply < len(nodes):
            nodes[ply]["C"] = [comment]
    tree = (sgf.Node(index - 1, -1, properties) for index, properties in enumerate(nodes))
    return sgf.write([sgf.Tree(tuple(tree))])
