"""SGF, the general part: brackets, nodes, properties, escapes; nothing of any game.

A tree is kept flat: every node names its parent by its place in the tuple, so neither reading
nor walking nor freeing a tree recurses, however deep the file is nested.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from services.formats.errors import FormatError

NODES_MAX = 10_000
"""Most nodes in a file, all trees together."""
DEPTH_MAX = 1_000
"""Deepest nesting of brackets."""

Properties = Mapping[str, Sequence[str]]


class Node(msgspec.Struct, frozen=True):
    """A node: where it stands and what it says.

    ``parent`` is an index into the tree's nodes (-1 for the root), ``offset`` the place of
    its semicolon in the text, ``properties`` the values by name, in the order of the file.
    """

    parent: int
    offset: int
    properties: Properties


class Tree(msgspec.Struct, frozen=True):
    """One game: its nodes in the order of the file, the root first.

    A parent precedes its children; its first child continues the main line.
    """

    nodes: tuple[Node, ...]

    def main_line(self) -> tuple[int, ...]:
        """Indices from the root along first children to the end.

        >>> read("(;C[root](;C[a];C[b])(;C[c]))")[0].main_line()
        (0, 1, 2)
        """
        line = [0]
        for index, node in enumerate(self.nodes):
            if node.parent == line[-1]:
                line.append(index)
        return tuple(line)

    def leaves(self) -> int:
        """How many lines of play the tree holds (1: no variations)."""
        return len(self.nodes) - len({node.parent for node in self.nodes if node.parent >= 0})


def read(text: str) -> tuple[Tree, ...]:
    """Every game tree of a text; ``FormatError`` (code ``bad-sgf`` or ``too-large``) otherwise.

    >>> read("(;GM[Blokus];1[a20])(;GM[Blokus Duo])")[0].nodes[1].properties
    {'1': ['a20']}
    """
    return _Reader(text).collection()


# One token after optional blanks. A value is possessive (*+, ++): no backtracking on a missing ].
_TOKEN = re.compile(
    r"\s*+(?:(?P<sign>[();])|(?P<name>[A-Za-z0-9]++)|"
    r"\[(?P<value>(?:[^\]\\]++|\\.)*+)\]|(?P<end>\Z))",
    re.DOTALL,
)
_ESCAPE = re.compile(r"\\(\r\n|\n\r|.)", re.DOTALL)


def _unescape(raw: str) -> str:
    """A backslash keeps the next character, but joins lines when that is a line break."""
    if "\\" not in raw:
        return raw
    return _ESCAPE.sub(lambda found: "" if found[1][0] in "\r\n" else found[1], raw)


class _Reader:
    """A loop over tokens; a stack holds, for each open bracket, the node that comes last in it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.offset = 0  # of the token being looked at
        self.trees: list[Tree] = []
        self.earlier = 0  # nodes of the trees already closed
        self.nodes: list[Node] = []  # of the open tree
        self.last: list[int] = []  # the stack: what the next node of each open bracket hangs on
        self.values: dict[str, list[str]] = {}  # the properties of the newest node
        self.name = ""  # the property whose values may still come
        self.after = ""  # the last sign: "(" ")" ";" or nothing yet

    def collection(self) -> tuple[Tree, ...]:
        at = 0
        while token := _TOKEN.match(self.text, at):
            kind = str(token.lastgroup)
            self.offset = token.start(kind) - (kind == "value")  # a value starts at its bracket
            at = token.end()
            if kind == "end":
                return self._finished()
            self._take(kind, token[kind])
        self.offset = len(self.text) - len(self.text[at:].lstrip())
        if self.text[self.offset] == "[":
            raise self._wrong("a value is opened with [ and never closed with ]")
        raise self._wrong(f"{self.text[self.offset]!r} has no meaning here")

    def _take(self, kind: str, token: str) -> None:
        if kind == "value":
            self._value(token)
            return
        if self.name and not self.values[self.name]:
            raise self._wrong(f"property {self.name} has no value")
        if kind == "name":
            self._property(token)
            return
        self.name = ""
        {"(": self._open, ")": self._close, ";": self._node}[token]()
        self.after = token

    def _open(self) -> None:
        if self.after == "(":
            raise self._wrong("a bracket opens where a node (;) has to come")
        if len(self.last) == DEPTH_MAX:
            raise self._too_large(f"brackets are nested deeper than {DEPTH_MAX}")
        self.last.append(self.last[-1] if self.last else -1)

    def _close(self) -> None:
        if not self.last:
            raise self._wrong("a bracket closes that was never opened")
        if self.after == "(":
            raise self._wrong("a bracket closes before its first node (;)")
        self.last.pop()
        if not self.last:
            self.trees.append(Tree(tuple(self.nodes)))
            self.earlier += len(self.nodes)
            self.nodes = []

    def _node(self) -> None:
        if not self.last:
            raise self._wrong("a node (;) stands outside the brackets of a game")
        if self.after == ")":
            raise self._wrong(
                "a node (;) follows a closed variation; it belongs before it or inside"
            )
        if self.earlier + len(self.nodes) == NODES_MAX:
            raise self._too_large(f"there are more than {NODES_MAX} nodes")
        self.values = {}
        self.nodes.append(Node(self.last[-1], self.offset, self.values))
        self.last[-1] = len(self.nodes) - 1

    def _property(self, name: str) -> None:
        if self.after != ";":
            raise self._wrong(f"property {name[:20]} stands outside a node")
        if name in self.values:
            raise self._wrong(f"property {name[:20]} comes twice in one node")
        self.name = name
        self.values[name] = []

    def _value(self, raw: str) -> None:
        if not self.name:
            raise self._wrong("a value stands without a property before it")
        self.values[self.name].append(_unescape(raw))

    def _finished(self) -> tuple[Tree, ...]:
        if self.last:
            raise self._wrong(f"the text ends with {len(self.last)} brackets still open")
        if not self.trees:
            raise self._wrong("there is no game: the text is empty")
        return tuple(self.trees)

    def _wrong(self, what: str) -> FormatError:
        return self._error("bad-sgf", what)

    def _too_large(self, what: str) -> FormatError:
        return self._error("too-large", what)

    def _error(self, code: str, what: str) -> FormatError:
        game, node = len(self.trees) + 1, len(self.nodes)
        where = f"node {node} of game {game}" if node else f"before the first node of game {game}"
        return FormatError(
            code,
            f"Not readable as SGF at offset {self.offset} ({where}): {what}.",
            game=game,
            node=node,
            offset=self.offset,
        )


def write(trees: Iterable[Tree]) -> str:
    """The trees as text, in the layout other programs write.

    One node a line, every further property on a line of its own, one blank of indent for each
    variation it lies in.

    >>> print(write(read("(;GM[Blokus]PL[2];2[t20](;3[t1])(;3[t1,t2]))")), end="")
    (
    ;GM[Blokus]
     PL[2]
    ;2[t20]
     (
     ;3[t1]
     )
     (
     ;3[t1,t2]
     )
    )
    """
    lines: list[str] = []
    for tree in trees:
        _write_tree(tree, lines)
    return "".join(f"{line}\n" for line in lines)


def _write_tree(tree: Tree, lines: list[str]) -> None:
    children: list[list[int]] = [[] for _ in tree.nodes]
    for index, node in enumerate(tree.nodes[1:], start=1):
        children[node.parent].append(index)
    work: list[str | tuple[int, int]] = [")", (0, 0), "("]  # a bracket, or a node and its level
    while work:
        item = work.pop()
        if isinstance(item, str):
            lines.append(item)
            continue
        index, level = item
        lines.extend(_node_lines(tree.nodes[index].properties, " " * level))
        if len(children[index]) == 1:
            work.append((children[index][0], level))
            continue
        indent = " " * (level + 1)
        for child in reversed(children[index]):
            work += [f"{indent})", (child, level + 1), f"{indent}("]


def _node_lines(properties: Properties, indent: str) -> Iterable[str]:
    texts = [name + "".join(map(_value_text, values)) for name, values in properties.items()]
    yield indent + ";" + (texts[0] if texts else "")
    for text in texts[1:]:
        yield f"{indent} {text}"


def _value_text(value: str) -> str:
    r"""A value in its brackets, with what would end or escape it escaped.

    >>> _value_text("a]b\\")
    '[a\\]b\\\\]'
    """
    return "[" + value.replace("\\", "\\\\").replace("]", "\\]") + "]"
