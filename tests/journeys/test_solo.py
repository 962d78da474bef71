"""A run on the real server: fought over HTTP against the workers' own engines.

By default two matches on Easy. With ``PLYBOOK_RUN_MATCHES`` (``make solo``) so many matches on
every difficulty: a run as far as the player's engine comes, and the next one from there.
"""

import logging
import os
from collections.abc import Iterator
from typing import Any

import pytest

from services.campaigns.solo_rules import Offering
from services.games.caltrop import notation
from services.games.caltrop.moves import MOVE_TEXTS
from services.games.caltrop.position import Position
from services.games.caltrop.rewards import MATCHES as RUN_MATCHES
from tests.campaigns.sheet import after_wins
from tests.kit.client import Client
from tests.kit.machine import PATIENCE_SECONDS, Machine, until
from workers.engines.caltrop_search import OutOfBudget, Search

MATCHES = int(os.environ.get("PLYBOOK_RUN_MATCHES", "2"))
IS_SHORT = MATCHES <= 2
DIFFICULTIES = ("easy",) if IS_SHORT else ("easy", "normal", "hard", "very-hard")
BUDGET = 3_000 if IS_SHORT else 20_000
"""Positions the player looks at for a move: strong enough to win the first matches."""
LOG = logging.getLogger(__name__)
ROSTER = {one.number: " ".join(stone.type for stone in one.deck) for one in Offering.load().roster}


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    """A new installation whose server runs."""
    machine = Machine(tmp_path_factory.mktemp("home") / "data")
    with machine.serving():
        yield machine


@pytest.fixture(scope="module")
def ann(machine: Machine) -> Iterator[Client]:
    """A player who has come to it."""
    with Client(machine.url) as client:
        yield client


def best_move(position: Position) -> str:
    """The player's engine: as deep as the budget goes."""
    search = Search(position.game, BUDGET)
    order = search.ordered()
    best = order
    try:
        for depth in range(2, search.empty + 1):
            best, _ = search.best(depth, order)
    except OutOfBudget:
        pass
    slot, square = best[0]
    return MOVE_TEXTS[slot][square]


def fight(ann: Client, run: str, number: int) -> bool:
    """One match of the run, and its result once it is counted."""
    match = ann.post(f"/v1/runs/{run}/fight", {"number": number})["view"]["match"]
    while (view := ann.see(match))["status"] != "ended":
        if view["to_move"] == "A":
            move = best_move(notation.parse_position(view["position"]))
            body = {"move": move, "expected_turn": view["turn"]}
            ann.post(f"/v1/matches/{match}/moves", body)
        else:
            ann.await_turn(match, view["turn"] + 1)
    assert until(lambda: seen(ann, run)["phase"] != "fighting", PATIENCE_SECONDS)
    return "A" in view["winners"]


def seen(ann: Client, run: str) -> dict[str, Any]:
    """The run as the player sees it."""
    view: dict[str, Any] = ann.get(f"/v1/runs/{run}")["view"]
    return view


def after_a_win(ann: Client, run: str, number: int) -> None:
    """Take the first upgrade, and wait until the opponents have grown."""
    view = seen(ann, run)
    assert len(view["gained"]) >= number
    if view["offer"]:
        slot = view["offer"][0]["slot"]
        ann.post(f"/v1/runs/{run}/upgrade", {"number": number, "slot": slot})
    ready = ("ready", "ended")
    assert until(lambda: seen(ann, run)["phase"] in ready, PATIENCE_SECONDS), seen(ann, run)


def fight_a_run(ann: Client, campaign: str, number: int, difficulty: str, most: int) -> int:
    """A run to its end, or to so many matches: how many were fought; a stone is kept."""
    run = ann.post(f"/v1/campaigns/{campaign}/runs", {"number": number})["run"]
    for match in range(1, most + 1):
        opponent = seen(ann, run)["opponent"]
        grown = after_wins(ROSTER[opponent["number"]], difficulty, match - 1, opponent["number"])
        assert ",".join(opponent["deck"]) == grown
        is_won = fight(ann, run, match)
        LOG.info("%s, run %d, match %d: %s", difficulty, number, match, "won" if is_won else "lost")
        if not is_won:
            break
        after_a_win(ann, run, match)

    view = seen(ann, run)
    matches = [match["number"] for match in view["matches"]]
    assert matches == list(range(1, len(matches) + 1))
    assert view["wins"] == sum(match["won"] for match in view["matches"])
    audit = ann.get(f"/v1/runs/{run}/audit")
    assert audit["good"], audit["differences"]
    assert audit["verdict"] == ("proved" if view["how"] else "chain only (keys not revealed yet)")
    if view["how"]:
        keep_the_best(ann, campaign, number, view)
    return len(matches)


def keep_the_best(ann: Client, campaign: str, number: int, run: dict[str, Any]) -> None:
    """After a run: the gained stone with the most spikes, if one was gained."""
    gained = [stone for stone in run["stones"] if stone["number"] in run["gained"]]
    best = max(gained, key=lambda stone: sum(stone["sides"]), default={"number": 0})
    ann.post(f"/v1/campaigns/{campaign}/keep", {"number": number, "stone": best["number"]})


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_runs_are_fought_against_opponents_who_grow(ann: Client, difficulty: str) -> None:
    """Every opponent comes with the sheet's levels; each run's audit agrees with every draw."""
    campaign = ann.post("/v1/campaigns", {"difficulty": difficulty})["campaign"]
    fought, run = 0, 0
    while fought < MATCHES:
        run += 1
        most = min(MATCHES - fought, RUN_MATCHES)
        fought += fight_a_run(ann, campaign, run, difficulty, most)
