"""The little Markdown our own rule sheets use, as HTML. Everything else stays plain text.

Headings, paragraphs, lists, tables, indented and fenced code; in a line: code, bold, emphasis
and links. All text is escaped first, so a sheet can never bring markup of its own.
"""

import re
from collections.abc import Callable, Iterator
from html import escape

_HEADING = re.compile(r"(#{1,4}) +(.+)")
_ITEM = re.compile(r"(?:[-*]|(\d+)\.) +(.+)")
_RULE = re.compile(r"\|?[\s:|-]+\|[\s:|-]*")
_INLINE = (
    (re.compile(r"\*\*(.+?)\*\*"), r"<strong>\1</strong>"),
    (re.compile(r"(?<![\w*])\*([^*\s][^*]*)\*(?![\w*])"), r"<em>\1</em>"),
    (re.compile(r"\[([^\]]+)\]\((https?://[^)\s]+|[\w./#-]+)\)"), r'<a href="\2">\1</a>'),
)


def to_html(text: str) -> str:
    r"""The sheet as HTML.

    >>> to_html("# Play\n\nOne *piece*, `a1`.")
    '<h1>Play</h1>\n<p>One <em>piece</em>, <code>a1</code>.</p>'
    """
    return "\n".join(_blocks(text.replace("\t", "    ").splitlines()))


def inline(text: str) -> str:
    """One line's marks; what stands between backticks is left alone."""
    parts = escape(text, quote=True).split("`")
    if len(parts) % 2 == 0:  # a lonely backtick is a character like any other
        parts[-2:] = ["`".join(parts[-2:])]
    return "".join(
        f"<code>{part}</code>" if number % 2 else _marked(part) for number, part in enumerate(parts)
    )


def _marked(text: str) -> str:
    for pattern, replacement in _INLINE:
        text = pattern.sub(replacement, text)
    return text


def _blocks(lines: list[str]) -> Iterator[str]:
    at = 0
    while at < len(lines):
        if not lines[at].strip():
            at += 1
            continue
        for begins, end_of, block in _KINDS:
            if begins(lines, at):
                end = end_of(lines, at)
                yield block(lines[at:end])
                at = end
                break


def _run(inside: Callable[[str], bool]) -> Callable[[list[str], int], int]:
    """The end of the lines from ``at`` on that belong together."""

    def end_of(lines: list[str], at: int) -> int:
        end = at + 1
        while end < len(lines) and inside(lines[end]):
            end += 1
        return end

    return end_of


def _is_table(lines: list[str], at: int) -> bool:
    return "|" in lines[at] and at + 1 < len(lines) and bool(_RULE.fullmatch(lines[at + 1].strip()))


def _end_of_fence(lines: list[str], at: int) -> int:
    end = at + 1
    while end < len(lines) and not lines[end].startswith("```"):
        end += 1
    return min(end + 1, len(lines))


def _is_text(line: str) -> bool:
    return bool(line.strip()) and not (_HEADING.match(line) or _ITEM.match(line))


def _heading(lines: list[str]) -> str:
    match = _HEADING.match(lines[0])
    assert match is not None, "only headings come here"
    level = len(match[1])
    return f"<h{level}>{inline(match[2])}</h{level}>"


def _fenced(lines: list[str]) -> str:
    inner = lines[1:-1] if lines[-1].startswith("```") else lines[1:]
    return _code(inner)


def _code(lines: list[str]) -> str:
    return f"<pre><code>{escape(chr(10).join(lines))}</code></pre>"


def _indented(lines: list[str]) -> str:
    return _code([line[4:] for line in lines])


def _table(lines: list[str]) -> str:
    head, rows = _cells(lines[0]), [_cells(line) for line in lines[2:]]
    return (
        '<div class="wide"><table><thead>' + _row(head, "th") + "</thead><tbody>"
        + "".join(_row(row, "td") for row in rows)
        + "</tbody></table></div>"
    )  # fmt: skip


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def _row(cells: list[str], tag: str) -> str:
    return f"<tr>{''.join(f'<{tag}>{inline(cell)}</{tag}>' for cell in cells)}</tr>"


def _list(lines: list[str]) -> str:
    items: list[str] = []
    for line in lines:
        if match := _ITEM.match(line):
            items.append(match[2])
        elif items:
            items[-1] += f" {line.strip()}"
    first = _ITEM.match(lines[0])
    tag = "ol" if first and first[1] else "ul"
    return f"<{tag}>{''.join(f'<li>{inline(item)}</li>' for item in items)}</{tag}>"


def _paragraph(lines: list[str]) -> str:
    return f"<p>{inline(' '.join(line.strip() for line in lines))}</p>"


_Begins = Callable[[list[str], int], bool]
_End = Callable[[list[str], int], int]
_KINDS: tuple[tuple[_Begins, _End, Callable[[list[str]], str]], ...] = (
    (lambda lines, at: bool(_HEADING.match(lines[at])), lambda _lines, at: at + 1, _heading),
    (lambda lines, at: lines[at].startswith("```"), _end_of_fence, _fenced),
    (
        lambda lines, at: lines[at].startswith("    "),
        _run(lambda line: line.startswith("    ")),
        _indented,
    ),
    (_is_table, _run(lambda line: "|" in line), _table),
    (
        lambda lines, at: bool(_ITEM.match(lines[at])),
        _run(lambda line: bool(_ITEM.match(line)) or line.startswith("  ")),
        _list,
    ),
    (lambda _lines, _at: True, _run(_is_text), _paragraph),
)
"""How a block begins, where it ends, and what it becomes; the first kind that fits."""
