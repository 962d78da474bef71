"""SGF in general: what is read, what is refused and where, and that nothing can hurt."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.formats import sgf
from services.formats.errors import FormatError
from services.formats.texts import BYTES_MAX, decode_text

NAMES = st.text("ABCXYZ0129", min_size=1, max_size=3)
VALUES = st.lists(st.text(max_size=20).filter(lambda text: "\0" not in text), min_size=1)
PROPERTIES = st.dictionaries(NAMES, VALUES, max_size=4)


@st.composite
def trees(draw: st.DrawFn) -> sgf.Tree:
    """A tree in the order a file has it: every node hangs on one of the line being written."""
    nodes = [sgf.Node(-1, 0, draw(PROPERTIES))]
    line = [0]
    for index in range(1, draw(st.integers(1, 12))):
        place = draw(st.integers(0, len(line) - 1))
        nodes.append(sgf.Node(line[place], 0, draw(PROPERTIES)))
        line = [*line[: place + 1], index]
    return sgf.Tree(tuple(nodes))


def shape(read: tuple[sgf.Tree, ...]) -> list[list[tuple[int, dict[str, list[str]]]]]:
    """Trees without the places their nodes had in the text."""
    return [
        [(n.parent, {k: list(v) for k, v in n.properties.items()}) for n in t.nodes] for t in read
    ]


def test_a_file_holds_trees_of_nodes_of_properties_with_values() -> None:
    """Two games, a variation, two values of one property, white space anywhere between."""
    first, second = sgf.read(" (;A[1] [2]B[] (;C[x]\n;D[y])\n(;E[z])) (;F[])")
    assert [node.parent for node in first.nodes] == [-1, 0, 1, 0]
    assert first.nodes[0].properties == {"A": ["1", "2"], "B": [""]}
    assert first.main_line() == (0, 1, 2)
    assert first.leaves() == 2
    assert second.nodes[0].properties == {"F": [""]}


def test_a_backslash_keeps_a_bracket_and_joins_broken_lines() -> None:
    """Escapes as FF[4] has them."""
    (tree,) = sgf.read("(;C[a\\]b\\\\c\\\nd\\:e\nf])")
    assert tree.nodes[0].properties["C"] == ["a]b\\cd:e\nf"]


@pytest.mark.parametrize(
    ("text", "offset", "node"),
    [
        ("", 0, 0),
        ("hello", 0, 0),
        ("(", 1, 0),
        ("()", 1, 0),
        ("((;))", 1, 0),
        (";", 0, 0),
        (")", 0, 0),
        ("(;", 2, 1),
        ("(;A", 3, 1),
        ("(;A)", 3, 1),
        ("(;A[1];B)", 8, 2),
        ("(;A[1", 3, 1),
        ("(;A[1\\]", 3, 1),
        ("(;A[1]A[2])", 6, 1),
        ("(;[1])", 2, 1),
        ("(A[1])", 1, 0),
        ("(;(;);)", 5, 2),
        ("(;)(;)x", 6, 0),
        ("(;A[1]{)", 6, 1),
    ],
)
def test_a_broken_text_is_refused_with_node_and_offset(text: str, offset: int, node: int) -> None:
    """The error names the place where reading had to stop."""
    with pytest.raises(FormatError) as refused:
        sgf.read(text)
    assert (refused.value.code, refused.value.offset) == ("bad-sgf", offset)
    assert refused.value.node == node
    assert str(offset) in refused.value.sentence


@pytest.mark.parametrize(
    "text",
    [
        "(;" * (sgf.DEPTH_MAX + 1),
        "(" + ";" * (sgf.NODES_MAX + 1) + ")",
        "(;)" * (sgf.NODES_MAX + 1),
    ],
    ids=["depth", "nodes of one game", "nodes of many games"],
)
def test_more_than_the_limits_is_refused(text: str) -> None:
    """Nesting and nodes are bounded, whatever they hold."""
    with pytest.raises(FormatError) as refused:
        sgf.read(text)
    assert refused.value.code == "too-large"


def test_up_to_the_limits_is_read_and_written_without_recursion() -> None:
    """The deepest and the longest allowed file come back the same."""
    deep = sgf.read("(;" * sgf.DEPTH_MAX + ")" * sgf.DEPTH_MAX)
    long = sgf.read("(" + ";" * sgf.NODES_MAX + ")")
    assert len(deep[0].nodes) == sgf.DEPTH_MAX
    assert len(long[0].main_line()) == sgf.NODES_MAX
    assert shape(sgf.read(sgf.write(deep))) == shape(deep)


@pytest.mark.parametrize(
    "text",
    ["(;A" + "[" * BYTES_MAX, "(;A[" + "\\" * BYTES_MAX, "(;A" + "[]" * 400_000, " " * BYTES_MAX],
    ids=["open values", "backslashes", "values", "blanks"],
)
def test_a_megabyte_of_one_thing_takes_linear_work(text: str) -> None:
    """Nothing in the reader backtracks; the quadratic way would outlast the test's time."""
    with pytest.raises(FormatError):
        sgf.read(text)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"x" * (BYTES_MAX + 1), "too-large"),
        (b"(;C[\xff])", "not-utf-8"),
        (b"(;C[\xed\xa0\x80])", "not-utf-8"),
        (b"(;C[\0])", "not-text"),
        (b"\xff\xfe(\0;\0)\0", "not-utf-8"),
    ],
)
def test_bytes_that_are_no_text_are_refused(data: bytes, code: str) -> None:
    """Size, UTF-8 and NUL are looked at before anything else."""
    with pytest.raises(FormatError) as refused:
        decode_text(data)
    assert refused.value.code == code


def test_a_byte_order_mark_is_dropped() -> None:
    """Editors on Windows write one."""
    assert decode_text("\ufeff(;)".encode()) == "(;)"


@given(st.lists(trees(), min_size=1, max_size=3))
def test_what_is_written_reads_back(written: list[sgf.Tree]) -> None:
    """For any trees and any values: brackets, backslashes, line breaks."""
    assert shape(sgf.read(sgf.write(written))) == shape(tuple(written))


@given(st.text("();[]\\AB1 \n", max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    """A reader answers with trees or with a ``FormatError``, never with anything else."""
    trees_or_none = None
    with suppress(FormatError):
        trees_or_none = sgf.read(text)
    assert trees_or_none is None or shape(trees_or_none) == shape(
        sgf.read(sgf.write(trees_or_none))
    )
