"""Templates to responses, always under the same strict policy of what a page may load."""

from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from litestar import MediaType, Response

from services.campaigns.stones import stone_name, stone_words

HERE = Path(__file__).parent
STATIC = HERE / "static"

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
    " form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""Content-Security-Policy of every page: our own files and nothing inline."""

HEADERS = {
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}
"""On every answer, whoever makes it."""

_templates = Environment(
    loader=FileSystemLoader(HERE / "templates"),
    autoescape=select_autoescape(),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_templates.filters["stone_name"] = stone_name
_templates.filters["stone_words"] = stone_words
_templates.filters["signed"] = lambda points: str(points).replace("-", "\u2212")


def render(template: str, **context: Any) -> str:
    """A template as text."""
    return _templates.get_template(template).render(**context)


def page(template: str, *, status: int = 200, **context: Any) -> Response[str]:
    """A template as an HTML response."""
    html = render(template, **context)
    return Response(
        html,
        status_code=status,
        media_type=MediaType.HTML,
        headers={**HEADERS, "Cache-Control": "private, no-cache"},
    )
