"""What the leak test asks at every route of the application; a route without a rule fails it."""

import re
from collections.abc import Mapping
from typing import Any

import msgspec
from litestar import Litestar

from services.match.state import MatchState
from tests.kit.fruit import FRUIT

ASKED_FRUIT = FRUIT[0]
"""The one fruit of the toy game that requests name themselves."""


class Ask(msgspec.Struct, frozen=True):
    """One request at a route: what fills the path, and what is sent."""

    query: Mapping[str, str] = {}
    json: Mapping[str, Any] | None = None
    form: Mapping[str, str] | None = None
    path: Mapping[str, str] = {}

    def filled(self, method: str, path: str, match: str) -> dict[str, Any]:
        """The request for one match, as a client takes it."""
        words = {
            "match": match, "seat": "A", "offer": "draw", "token": "x", "game": "blokus",
            "ruleset": "duo", "path": "none", "file_path": "match.js", "campaign": "c-none",
            "run": "r-none", "colour": "blue", "stone": "Pn1", **self.path,
        }  # fmt: skip
        accept = "application/json" if path.startswith("/v1") else "text/html"
        return {
            "method": method,
            "url": re.sub(r"/?\{(\w+):\w+\}", lambda found: f"/{words[found[1]]}", path),
            "params": self.query,
            "json": self.json,
            "data": self.form,
            "headers": {"Accept": accept},
        }


_CAMPAIGN, _RUN = "/v1/campaigns/{campaign:str}", "/v1/runs/{run:str}"

SOLO: dict[tuple[str, str], tuple[Ask, ...]] = {
    **dict.fromkeys(
        [
            ("GET", "/v1/difficulties"), ("GET", "/v1/campaigns"), ("GET", _CAMPAIGN),
            ("GET", f"{_CAMPAIGN}/events"), ("GET", f"{_CAMPAIGN}/audit"), ("GET", _RUN),
            ("GET", f"{_RUN}/events"), ("GET", f"{_RUN}/audit"), ("GET", "/solo"),
            ("GET", "/campaigns/{campaign:str}"), ("GET", "/runs/{run:str}"),
            ("GET", "/stones/{colour:str}/{stone:str}"),
        ],
        (Ask(),),
    ),
    **dict.fromkeys(
        [
            ("POST", f"{_CAMPAIGN}/runs"), ("POST", f"{_CAMPAIGN}/keep"), ("POST", f"{_RUN}/deck"),
            ("POST", f"{_RUN}/fight"), ("POST", f"{_RUN}/upgrade"), ("POST", "/v1/campaigns"),
        ],
        (Ask(json={}),),
    ),
    **dict.fromkeys(
        [
            ("POST", "/solo"), ("POST", "/campaigns/{campaign:str}/runs"),
            ("POST", "/campaigns/{campaign:str}/keep"), ("POST", "/runs/{run:str}/fight"),
            ("POST", "/runs/{run:str}/upgrade"), ("POST", "/runs/{run:str}/deck"),
        ],
        (Ask(form={"key": "k", "number": "1"}),),
    ),
}  # fmt: skip
"""Campaigns and runs are nothing to any match but their own."""


ELSEWHERE: dict[tuple[str, str], tuple[Ask, ...]] = {
    **SOLO,
    **dict.fromkeys(
        [
            ("GET", "/account"), ("GET", "/health/live"), ("GET", "/health/ready"),
            ("GET", "/join/{token:str}"), ("POST", "/join/{token:str}"), ("GET", "/new"),
            ("GET", "/new/{game:str}/{ruleset:str}"), ("GET", "/rules"),
            ("GET", "/rules/{game:str}"), ("GET", "/schema"), ("GET", "/schema/openapi.json"),
            ("GET", "/schema/{path:str}"), ("GET", "/static/{file_path:path}"),
            ("GET", "/v1/verifier"), ("GET", "/v1/ratings/{game:str}"), ("GET", "/v1/opponents"),
            ("GET", "/ratings"), ("GET", "/ratings/{game:str}"),
            ("POST", "/v1/imports"), ("POST", "/v1/operations/rebuild"),
        ],
        (Ask(),),
    ),
    # These make or end accounts and sessions, or a match of their own: nothing of this one.
    **dict.fromkeys(
        [
            ("POST", "/account"), ("POST", "/account/erase"), ("POST", "/session"),
            ("POST", "/session/end"), ("DELETE", "/v1/me"), ("POST", "/v1/players"),
            ("POST", "/v1/matches"), ("POST", "/new/{game:str}/{ruleset:str}"),
        ],
        (),
    ),
}  # fmt: skip
"""What has to do with no match at all; asked once."""


def rules_of(state: MatchState) -> dict[tuple[str, str], tuple[Ask, ...]]:
    """What is asked at every route; nothing of it changes the match."""
    seats = state.seat_names()
    plain = (Ask(),)
    # Before the start these would change the match; then they are asked of no match at all.
    where = {"match": "m-none"} if state.status == "open" else {}
    moves = ("draw", ASKED_FRUIT, "000@0,0", "?", "pass")
    form = {"key": "k", "seat": "A", "expected_turn": "0", "offer": "takeback", "move": "?"}
    then = [Ask(), *(Ask({"seat": seat}) for seat in seats), Ask({"version": "2"})]
    then += [Ask({"ply": str(ply)}) for ply in {0, state.ply // 2, state.ply}]
    v1 = "/v1/matches/{match:str}"
    page = "/matches/{match:str}"
    tries = tuple(
        Ask(json={"move": move, "expected_turn": turn, "seat": seat})
        for seat in seats
        for turn, move in [(state.turn, "?"), (state.turn + 1, moves[0])]
    )
    return {
        ("GET", v1): tuple(then),
        ("GET", f"{v1}/board.svg"): tuple(then),
        ("GET", f"{v1}/board.txt"): tuple(then),
        ("GET", f"{v1}/legal-moves"): (Ask(), Ask({"after": "1", "limit": "2"})),
        ("GET", f"{v1}/steps"): (Ask(), *(Ask({"prefix": move[:1]}) for move in moves)),
        ("GET", f"{v1}/events"): (Ask(), Ask({"after": "2", "limit": "1"})),
        ("GET", f"{v1}/events/stream"): (Ask(), Ask({"since": "2"})),
        ("GET", f"{v1}/audit"): plain,
        ("GET", f"{v1}/export"): tuple(Ask({"format": f}) for f in ("", "record", "blksgf")),
        ("POST", f"{v1}/preview"): tuple(Ask(json={"move": move}) for move in moves),
        ("GET", f"{v1}/preview.svg"): tuple(Ask({"move": move}) for move in moves),
        ("POST", f"{v1}/moves"): tries,
        ("POST", f"{v1}/resign"): (Ask(json={}, path={"match": "m-none"}),),
        ("POST", f"{v1}/offers"): (Ask(json={"offer": "takeback"}), Ask(json={"offer": "?"})),
        ("POST", f"{v1}/offers/{{offer:str}}/answer"): (Ask(json={"yes": True}),),
        ("POST", f"{v1}/entropy"): (Ask(json={"entropy": "", "seed_commit": "00" * 32}),),
        ("POST", f"{v1}/entries"): (Ask(json={"text": ASKED_FRUIT}),),
        ("POST", f"{v1}/invites"): (Ask(json={"seat": "A"}),),
        ("POST", f"{v1}/start"): plain,
        ("POST", f"{v1}/cancel"): (Ask(path=where),),
        ("POST", f"{v1}/seats/{{seat:str}}"): (Ask(json={"level": 1}),),
        ("DELETE", f"{v1}/seats/{{seat:str}}"): (Ask(path={"seat": "D", **where}),),
        ("GET", page): (Ask(), *(Ask({"ply": str(ply)}) for ply in {0, state.ply})),
        ("POST", f"{page}/moves"): (Ask(form=form), Ask(form={**form, "seat": "B"})),
        ("POST", f"{page}/answers"): (Ask(form=form),),
        ("POST", f"{page}/offers"): (Ask(form=form),),
        ("POST", f"{page}/resign"): (Ask(form=form),),
        ("POST", f"{page}/cancel"): (Ask(form={"key": "k"}, path=where),),
        ("POST", f"{page}/invites"): (Ask(form={"seat": "A", "key": "k"}),),
        ("POST", f"{page}/entropy"): (Ask(form={**form, "entropy": "", "seed_commit": "00" * 32}),),
        ("POST", f"{page}/entries"): (Ask(form={**form, "seat": "D", "text": "x"}),),
        ("POST", f"{page}/seats"): (Ask(form={"seat": "D", "key": "k"}),),
        ("POST", f"{page}/seats/free"): (Ask(form={"seat": "D", "key": "k"}, path=where),),
        ("GET", "/v1/matches"): (Ask(), Ask({"status": "running"}), Ask({"mine": "true"})),
        ("GET", "/"): (Ask(), Ask({"before": "100000"})),
        ("POST", "/v1/tickets"): (Ask(json={"match": "m-unknown"}),),
        ("GET", "/v1/me"): plain,
    }  # fmt: skip


def routes_of(app: Litestar) -> list[tuple[str, str]]:
    """Every (method, path) the application answers."""
    return sorted(
        (method, route.path)
        for route in app.routes
        for method in getattr(route, "methods", ())
        if method not in ("OPTIONS", "HEAD")
    )
