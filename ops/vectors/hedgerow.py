"""``plybook-hedgerow-vectors/1``: the cases described in section 11 of the Hedgerow rule sheet."""

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain
from typing import Any

from msgspec.structs import replace

from ops.vectors.report import (
    Case,
    Document,
    Verdict,
    by_kind,
    differences,
    flat_differences,
    unknown_keys,
    verdicts,
)
from services.games.hedgerow import harvest, notation, rules
from services.games.hedgerow.board import AREA, NAMES, Board, read_diagram, set_of
from services.games.hedgerow.harvest import Walk
from services.games.hedgerow.pieces import TRIANGLES, TYPE_OF, TYPE_TRIANGLES, TYPES, piece_name
from services.games.hedgerow.position import Position, Ruleset, Score
from services.games.hedgerow.regions import BARE, SINGLE, Region, regions
from services.games.hedgerow.tokens import path_text, read_path, read_placement

FORMAT = "plybook-hedgerow-vectors/1"
RULES = f"{rules.slug}/{rules.version}"


def run(document: Document) -> Iterator[Verdict]:
    """Every case and every game of a file."""
    head = differences({"rules": document["rules"]}, {"rules": RULES})
    yield Verdict("rules", not head, head)
    ruleset = rules.ruleset(document["options"])
    kinds = {
        "notation": _notation,
        "place": _place,
        "regions": _regions,
        "harvest": _harvest,
        "match": _match,
    }
    judges = {kind: partial(judge, ruleset=ruleset) for kind, judge in kinds.items()}
    yield from verdicts(document["cases"], by_kind(judges))
    yield from verdicts(document["games"], partial(_game, ruleset=ruleset))


def _first(faults: Iterable[str]) -> str:
    """The first fault of several looks, or none; every look is taken only until then."""
    return next(filter(None, faults), "")


def _notation(case: Case, ruleset: Ruleset) -> str:
    position = rules.setup(ruleset)
    read = (_token(position, token) for token in case["valid"])
    refused = (_unread(position, text) for text in case["invalid"])
    return unknown_keys(case, "valid", "invalid") or _first(chain(read, refused))


def _token(position: Position, token: Case) -> str:
    _, glyph = read_placement(token["text"])
    found = {
        "canonical": notation.canonical(position, token["text"]),
        "type": TYPES[TYPE_OF[glyph]],
        "triangles": TRIANGLES[glyph],
    }
    return flat_differences(token, ("text",), found)


def _unread(position: Position, text: str) -> str:
    wrong = rules.objection(position, text)
    return "" if wrong and wrong.code == "notation" else f"{text} can be read"


def _placed(ruleset: Ruleset, moves: Iterable[str]) -> Iterator[Position]:
    """The positions before each move and after the last one, each move judged."""
    position = rules.setup(ruleset)
    for number, move in enumerate(moves, start=1):
        yield position
        if wrong := rules.objection(position, move):
            raise ValueError(f"move {number}: {move}: {wrong.code}: {wrong.sentence}")
        position = rules.apply(position, move).position
    yield position


def _place(case: Case, ruleset: Ruleset) -> str:
    *_, position = _placed(ruleset, case["moves"])
    # Being stuck ends the match; what could still be said of the board is asked here.
    asked = replace(position, over=False, loser="")
    found = {
        "to_move": position.mover if position.is_placing else None,
        "legal_count": len(rules.moves(asked).texts),
        "loses_at_once": position.scores[-1].stuck or None,
    }
    checks = (_check_placement(asked, check) for check in case["checks"])
    return flat_differences(case, ("moves", "checks"), found) or _first(checks)


def _check_placement(position: Position, check: Case) -> str:
    wrong = rules.objection(position, check["move"])
    found = {"legal": wrong is None, "reason": wrong and wrong.code}
    fault = flat_differences(check, ("move",), found)
    return fault and f"{check['move']}: {fault}"


def _regions(case: Case, ruleset: Ruleset) -> str:
    found = regions(read_diagram(case["board"]), ruleset.cross_presence)
    expected = {**case["expect"], "regions": _in_order(case["expect"]["regions"])}
    return unknown_keys(case, "board", "expect") or differences(
        expected,
        {
            "net_first": sum(region.points for region in found),
            "regions": _in_order(_described(r) for r in found if r.kind != BARE),
            "cross_only_regions": sum(1 for region in found if region.kind == BARE),
        },
    )


def _described(region: Region) -> dict[str, Any]:
    return {
        "squares": [NAMES[square] for square in region.squares],
        "cross_quarters": region.quarters,
        "kind": region.kind,
        "first_triangles": region.triangles[0],
        "second_triangles": region.triangles[1],
        "net_first": region.points,
    }


def _in_order(described: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(described, key=lambda region: list(region["squares"]))


def _harvest(case: Case, ruleset: Ruleset) -> str:  # noqa: ARG001 - no option changes a harvest
    board, mover = read_diagram(case["board"]), case["mover"]
    standing = set_of(square for square in range(AREA) if board[square])
    paths = list(Walk(board, standing, mover).paths())
    found = {
        "all_paths": sorted(map(path_text, paths)),
        "distinct_removed_sets": len(set(map(set_of, paths))),
    }
    given = ("board", "mover", "isolation_value", "checks")
    checks = (
        _check_path(board, standing, mover, case["isolation_value"], check)
        for check in case["checks"]
    )
    return flat_differences(case, given, found) or _first(checks)


def _check_path(board: Board, standing: int, mover: int, isolation: int, check: Case) -> str:
    path = read_path(check["path"])
    found: dict[str, Any]
    if wrong := harvest.path_objection(board, standing, mover, path):
        found = {"legal": False, "reason": wrong.code}
    else:
        found = {"legal": True, "score": harvest.path_score(board, mover, path, isolation)}
    fault = flat_differences(check, ("path",), found)
    return fault and f"{check['path']}: {fault}"


def _match(case: Case, ruleset: Ruleset) -> str:
    results = (_result(result, ruleset) for result in case["results"])
    return unknown_keys(case, "results") or _first(results)


def _result(result: Case, ruleset: Ruleset) -> str:
    position = rules.setup(replace(ruleset, first=result["games"][0]["first"]))
    for game in result["games"]:
        due = {"first": position.seat_of(1)}
        if fault := flat_differences(game, ("net_first", "stuck_seat"), due):
            return fault
        if "stuck_seat" in game:
            position = rules.stuck(replace(position, turns=game["stuck_seat"] - 1)).position
        else:
            scores = (*position.scores[:-1], Score(game["net_first"]))
            position = rules.game_over(replace(position, scores=scores), ()).position
    outcome = rules.outcome(position)
    if outcome is None:
        return "the match is not over"
    winner = outcome.winners[0] if len(outcome.winners) == 1 else "draw"
    return flat_differences(result, ("games",), {"total_A": outcome.points["A"], "winner": winner})


def _game(case: Case, ruleset: Ruleset) -> str:
    *before, full = _placed(ruleset, case["placements"])
    found = regions(full.board, ruleset.cross_presence)
    end, turns = _harvested(full, case["harvests"])
    score = end.scores[0]
    scoring = [region for region in found if region.kind not in (SINGLE, BARE)]
    case = {**case, "regions": _in_order(case["regions"])}
    case["final_board"] = [row.split() for row in case["final_board"]]
    left = [kind for kind, count in enumerate(full.left(2)) for _ in range(count)]
    return flat_differences(
        case,
        ("placements",),
        {
            "legal_placements": [len(rules.moves(position).texts) for position in before],
            "leftover": ", ".join(TYPES[kind] for kind in left),
            "isolation_value": sum(TYPE_TRIANGLES[kind] for kind in left),
            "final_board": _diagram(full),
            "regions": _in_order(map(_described, scoring)),
            "single_owner_regions": sum(1 for region in found if region.kind == SINGLE),
            "cross_only_regions": sum(1 for region in found if region.kind == BARE),
            "regions_net_first": full.scores[-1].regions,
            "placement_net_first": full.scores[-1].net,
            "harvests": turns,
            "harvest_net_first": score.harvest,
            "left_on_board": AREA - len({s for t in turns for s in t["path"].split("-")}),
            "final_net_first": score.net,
        },
    )


def _harvested(
    position: Position, harvests: Iterable[Case]
) -> tuple[Position, list[dict[str, Any]]]:
    """The position after these harvests, and what there is to say of each of them."""
    turns = []
    for number, turn in enumerate(harvests, start=1):
        if wrong := rules.objection(position, turn["path"]):
            raise ValueError(f"harvest {number}: {wrong.code}: {wrong.sentence}")
        paths = [read_path(text) for text in rules.moves(position).texts]
        step = rules.apply(position, turn["path"])
        turns.append(
            {
                "path": turn["path"],
                "mover": position.mover,
                "score": int(step.facts[0].rpartition("=")[2]),
                "legal_paths": len(paths),
                "distinct_removed_sets": len(set(map(set_of, paths))),
            }
        )
        position = step.position
    return position, turns


def _diagram(position: Position) -> list[list[str]]:
    names = list(map(piece_name, position.board))
    return [names[low : low + 7] for low in range(AREA - 7, -1, -7)]
