"""One description of a drawing, and its SVG. Games describe; this module never sees a position.

A ``Picture`` holds plain shapes in whole units, y downwards. They are painted by *meaning*
(``owner-1``, ``board``, ``quiet``), never by colour: ``PALETTE`` gives each meaning its colours
for light and dark, and each owner a pattern of its own, so nothing is told by colour alone.
"""

import zlib
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Literal
from xml.sax.saxutils import escape

import msgspec

Paint = Literal[
    "none", "ground", "board", "line", "text", "quiet", "outline", "seam", "mark", "halo",
    "owner-1", "owner-2", "owner-3", "owner-4", "field-1", "field-2", "field-3",
]  # fmt: skip
Pattern = Literal["plain", "stripes", "dots", "checks", "bars"]
Anchor = Literal["start", "middle", "end"]


class Rectangle(msgspec.Struct, frozen=True, tag="rectangle"):
    """An upright rectangle; ``x``, ``y`` is its upper left corner."""

    x: int
    y: int
    width: int
    height: int
    fill: Paint
    edge: Paint = "none"
    edge_width: int = 2
    rounding: int = 0


class Polygon(msgspec.Struct, frozen=True, tag="polygon"):
    """A closed outline through at least three points."""

    points: tuple[tuple[int, int], ...]
    fill: Paint
    edge: Paint = "none"
    edge_width: int = 2


class Circle(msgspec.Struct, frozen=True, tag="circle"):
    """A circle round ``x``, ``y``."""

    x: int
    y: int
    radius: int
    fill: Paint
    edge: Paint = "none"
    edge_width: int = 2


class Line(msgspec.Struct, frozen=True, tag="line"):
    """A straight line between two points."""

    x1: int
    y1: int
    x2: int
    y2: int
    edge: Paint
    edge_width: int = 2


class Label(msgspec.Struct, frozen=True, tag="label"):
    """A short text; ``y`` is its baseline, ``size`` the height of its letters' box."""

    x: int
    y: int
    text: str
    size: int
    fill: Paint = "text"
    anchor: Anchor = "start"
    bold: bool = False


Shape = Rectangle | Polygon | Circle | Line | Label


class Area(msgspec.Struct, frozen=True):
    """An upright part of a drawing that has a name; ``x``, ``y`` is its upper left corner."""

    name: str
    x: int
    y: int
    width: int
    height: int


class Picture(msgspec.Struct, frozen=True):
    """A drawing of ``width`` by ``height`` units; later shapes lie on top of earlier ones.

    ``title`` and ``description`` say in words what the drawing shows. ``board`` is its main part
    (by itself the square at the upper left), ``asides`` are those that can stand elsewhere on a
    page; ``spots`` are what can be pointed at, named as moves name them.
    """

    width: int
    height: int
    title: str
    description: str
    shapes: tuple[Shape, ...]
    board: Area | None = None
    asides: tuple[Area, ...] = ()
    spots: tuple[Area, ...] = ()


def board_area(picture: Picture) -> Area:
    """The main part of a drawing, with the margin round it."""
    side = min(picture.width, picture.height)
    return picture.board or Area("board", 0, 0, side, side)


class Tint(msgspec.Struct, frozen=True):
    """How a meaning looks: its colour on a light and a dark page, and the pattern over it."""

    light: str
    dark: str
    pattern: Pattern = "plain"
    ink_light: str = ""
    ink_dark: str = ""


PALETTE: Mapping[Paint, Tint] = MappingProxyType(
    {
        "ground": Tint("#fbfaf6", "#191b1f"),
        "board": Tint("#ece8dd", "#2b2e34"),
        "line": Tint("#cfc8b8", "#454a53"),
        "text": Tint("#24221d", "#f0eee8"),
        "quiet": Tint("#69645a", "#aba79d"),
        "outline": Tint("#24221d", "#08090a"),
        "seam": Tint("#24221d", "#08090a"),
        "mark": Tint("#111111", "#111111"),
        "halo": Tint("#ffffff", "#ffffff"),
        # Lightness differs step by step, so the four stay apart in grey and for every eye.
        "owner-1": Tint("#17528f", "#2a6db3", "stripes", "#7fb2e2", "#8fbfee"),
        "owner-2": Tint("#f4d13d", "#f4d13d", "dots", "#8a6a00", "#8a6a00"),
        "owner-3": Tint("#cf4a26", "#e0603c", "checks", "#f6b9a6", "#7f2209"),
        "owner-4": Tint("#45bd95", "#45bd95", "bars", "#12694e", "#12694e"),
        # Ground that counts for an owner: a breath of its colour, under whatever stands on it.
        "field-1": Tint("#c9dcef", "#203a58", "stripes", "#b0cbe6", "#2c4c70"),
        "field-2": Tint("#f7ebb5", "#4d4520", "dots", "#e5d27c", "#6d6230"),
        "field-3": Tint("#f3d3c8", "#56281b", "checks", "#e6b3a2", "#773a29"),
    }
)

PATTERN_SIZE = 10
_PATTERN_PATHS: Mapping[Pattern, str] = MappingProxyType(
    {
        "stripes": "M-2 12L12 -2M-2 2L2 -2M8 12L12 8",
        "dots": "M5 3.2a1.8 1.8 0 1 0 .01 0z",
        "checks": "M0 0L10 10M10 0L0 10",
        "bars": "M0 5H10",
    }
)


def to_svg(picture: Picture) -> str:
    """The picture as a complete SVG document: the same text for the same picture.

    >>> to_svg(Picture(9, 9, "A dot", "One dot.", (Circle(5, 5, 2, "mark"),))).splitlines()[-2]
    '<circle cx="5" cy="5" r="2" class="ply-mark"/>'
    """
    # Ids of their own let many pictures stand in one page.
    mark = f"p{zlib.crc32(msgspec.json.encode(picture)):08x}"
    used = [paint for paint in PALETTE if paint in _paints(picture)]
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img"'
        f' aria-labelledby="{mark}-title {mark}-desc"'
        f' viewBox="0 0 {picture.width} {picture.height}"'
        f' width="{picture.width}" height="{picture.height}">'
    )
    lines = (
        head,
        f'<title id="{mark}-title">{_text(picture.title)}</title>',
        f'<desc id="{mark}-desc">{_text(picture.description)}</desc>',
        f"<style>{_style(used)}</style>",
        f"<defs>{''.join(_patterns(used, mark))}</defs>",
        *(_shape(shape, mark) for shape in picture.shapes),
        "</svg>\n",
    )
    return "\n".join(lines)


def _paints(picture: Picture) -> set[str]:
    fills = {getattr(shape, "fill", "none") for shape in picture.shapes}
    return fills | {getattr(shape, "edge", "none") for shape in picture.shapes}


def _style(paints: list[Paint]) -> str:
    light = [rule for p in paints for rule in _rules(p, PALETTE[p].light, PALETTE[p].ink_light)]
    dark = [rule for p in paints for rule in _rules(p, PALETTE[p].dark, PALETTE[p].ink_dark)]
    return (
        ".ply-text{font-family:system-ui,sans-serif}.ply-seam-edge{stroke-opacity:.28}"
        + "".join(light)
        + "@media(prefers-color-scheme:dark){"
        + "".join(dark)
        + "}"
    )


def _rules(paint: Paint, colour: str, ink: str) -> Iterator[str]:
    yield f".ply-{paint}{{fill:{colour}}}"
    yield f".ply-{paint}-edge{{stroke:{colour}}}"
    if PALETTE[paint].pattern == "dots":
        yield f".ply-{paint}-ink{{fill:{ink}}}"
    elif ink:
        yield f".ply-{paint}-ink{{fill:none;stroke:{ink};stroke-width:1.8}}"


def _patterns(paints: list[Paint], mark: str) -> Iterator[str]:
    side = PATTERN_SIZE
    for paint in paints:
        pattern = PALETTE[paint].pattern
        if pattern != "plain":
            yield (
                f'<pattern id="{mark}-{paint}" width="{side}" height="{side}"'
                f' patternUnits="userSpaceOnUse">'
                f'<rect class="ply-{paint}" width="{side}" height="{side}"/>'
                f'<path class="ply-{paint}-ink" d="{_PATTERN_PATHS[pattern]}"/></pattern>'
            )


def _shape(shape: Shape, mark: str) -> str:
    match shape:
        case Rectangle():
            place = f'x="{shape.x}" y="{shape.y}" width="{shape.width}" height="{shape.height}"'
            rounding = f' rx="{shape.rounding}"' if shape.rounding else ""
            return f"<rect {place}{rounding}{_surface(shape, mark)}/>"
        case Polygon():
            points = " ".join(f"{x},{y}" for x, y in shape.points)
            return f'<polygon points="{points}" stroke-linejoin="round"{_surface(shape, mark)}/>'
        case Circle():
            place = f'cx="{shape.x}" cy="{shape.y}" r="{shape.radius}"'
            return f"<circle {place}{_surface(shape, mark)}/>"
        case Line():
            place = f'x1="{shape.x1}" y1="{shape.y1}" x2="{shape.x2}" y2="{shape.y2}"'
            return (
                f'<line {place} class="ply-{shape.edge}-edge" stroke-width="{shape.edge_width}"/>'
            )
        case Label():
            weight = ' font-weight="bold"' if shape.bold else ""
            return (
                f'<text x="{shape.x}" y="{shape.y}" font-size="{shape.size}"{weight}'
                f' text-anchor="{shape.anchor}" class="ply-text ply-{shape.fill}">'
                f"{_text(shape.text)}</text>"
            )


def _surface(shape: Rectangle | Polygon | Circle, mark: str) -> str:
    classes, attributes = [], ""
    if shape.fill == "none":
        attributes += ' fill="none"'
    elif PALETTE[shape.fill].pattern == "plain":
        classes.append(f"ply-{shape.fill}")
    else:
        attributes += f' fill="url(#{mark}-{shape.fill})"'
    if shape.edge != "none":
        classes.append(f"ply-{shape.edge}-edge")
        attributes += f' stroke-width="{shape.edge_width}"'
    return attributes + (f' class="{" ".join(classes)}"' if classes else "")


def _text(text: str) -> str:
    """Characters XML cannot carry are shown as the replacement character."""
    return escape("".join(c if _is_xml(c) else "\ufffd" for c in text))


def _is_xml(character: str) -> bool:
    point = ord(character)
    if point < 0x20:
        return character in "\t\n\r"
    return not (0xD800 <= point <= 0xDFFF or point in (0xFFFE, 0xFFFF))
