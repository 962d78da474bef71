"""One description, one SVG: well formed, the same bytes, never by colour alone."""

from itertools import pairwise
from typing import get_args
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.games.picture import (
    PALETTE,
    Circle,
    Label,
    Line,
    Paint,
    Picture,
    Polygon,
    Rectangle,
    to_svg,
)

SVG = "{http://www.w3.org/2000/svg}"
OWNERS: tuple[Paint, ...] = ("owner-1", "owner-2", "owner-3", "owner-4")

EVERY_SHAPE = Picture(
    100,
    50,
    "Shapes & <marks>",
    'Said "aloud".',
    (
        Rectangle(0, 0, 100, 50, "ground", rounding=4),
        Polygon(((1, 1), (9, 1), (9, 9)), "owner-1", "outline", 3),
        Circle(20, 20, 5, "none", "quiet"),
        Line(0, 0, 10, 10, "line"),
        Label(5, 40, "a < b & c", 12, "text", "middle", bold=True),
    ),
)


def parsed(picture: Picture) -> ET.Element:
    """The SVG as a tree."""
    return ET.fromstring(to_svg(picture))  # noqa: S314 - our own text


def test_every_shape_is_drawn_in_order() -> None:
    """Later shapes lie on top of earlier ones."""
    tags = [child.tag.removeprefix(SVG) for child in parsed(EVERY_SHAPE)]
    assert tags[4:] == ["rect", "polygon", "circle", "line", "text"]


def test_title_and_description_are_read_out() -> None:
    """Both are there, are pointed at, and keep their characters."""
    root = parsed(EVERY_SHAPE)
    assert root.get("role") == "img"
    title, description = root[0], root[1]
    assert (title.text, description.text) == ("Shapes & <marks>", 'Said "aloud".')
    assert root.get("aria-labelledby") == f"{title.get('id')} {description.get('id')}"


def test_the_same_picture_is_the_same_text_and_another_has_other_ids() -> None:
    """Bytes can be compared and cached, and two pictures live in one page."""
    other = Picture(100, 50, "Other", "Other.", EVERY_SHAPE.shapes)
    assert to_svg(EVERY_SHAPE) == to_svg(EVERY_SHAPE)
    ids = [{e.get("id") for e in parsed(p).iter() if e.get("id")} for p in (EVERY_SHAPE, other)]
    assert len(ids[0]) == len(ids[1]) == 3
    assert ids[0].isdisjoint(ids[1])


def test_what_is_filled_with_an_owner_has_the_owners_pattern() -> None:
    """The pattern comes with the meaning: a game cannot forget it."""
    root = parsed(EVERY_SHAPE)
    polygon = root.find(f"{SVG}polygon")
    pattern = root.find(f"{SVG}defs/{SVG}pattern")
    assert polygon is not None
    assert pattern is not None
    assert polygon.get("fill") == f"url(#{pattern.get('id')})"


def test_owners_differ_in_pattern_and_in_lightness() -> None:
    """Four owners stay apart for every eye, in grey, on a light and on a dark page."""
    assert len({PALETTE[owner].pattern for owner in OWNERS}) == 4
    for colours in ([PALETTE[o].light for o in OWNERS], [PALETTE[o].dark for o in OWNERS]):
        lightness = sorted(luminance(colour) + 0.05 for colour in colours)
        assert all(high / low >= 1.4 for low, high in pairwise(lightness))


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_words_can_be_read_on_their_ground(mode: str) -> None:
    """Contrast of at least 4.5 to 1 (WCAG 2 AA) on picture and board."""
    for ink in ("text", "quiet"):
        for ground in ("ground", "board"):
            colours = [getattr(PALETTE[paint], mode) for paint in (ink, ground)]
            low, high = sorted(luminance(colour) + 0.05 for colour in colours)
            assert high / low >= 4.5, (ink, ground)


def luminance(colour: str) -> float:
    """Relative luminance of ``#rrggbb`` (WCAG 2)."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return sum(weight * p for weight, p in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def test_every_meaning_has_its_colours() -> None:
    """Both modes, and an ink wherever there is a pattern."""
    assert set(PALETTE) == set(get_args(Paint)) - {"none"}
    for tint in PALETTE.values():
        assert (tint.pattern == "plain") == (tint.ink_light == tint.ink_dark == "")


@given(text=st.text(max_size=30))
def test_any_words_make_well_formed_svg(text: str) -> None:
    """Names and sentences come from people; none of them breaks the page."""
    root = parsed(Picture(9, 9, text, text, (Label(1, 1, text, 9),)))
    assert root[0].tag == f"{SVG}title"
    assert "<script" not in to_svg(Picture(9, 9, "<script>", "", ()))
