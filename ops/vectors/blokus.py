"""``plybook-blokus-vectors/1``: the cases described at the end of the Blokus rule sheet."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from ops.vectors.blokus_play import by_piece, pieces_left, played
from ops.vectors.report import (
    Case,
    Document,
    Verdict,
    by_kind,
    differences,
    unknown_keys,
    verdicts,
)
from services.games.blokus import rules
from services.games.blokus.notation import read_placement
from services.games.blokus.pieces import PIECE_NUMBERS, PIECES
from services.games.blokus.position import Position, Ruleset, put

FORMAT = "plybook-blokus-vectors/1"

_EVERY_KIND = ("variant", "options", "expect")


def run(document: Document) -> Iterator[Verdict]:
    """Every case of a file."""
    defaults = document.get("defaults", {})
    kinds = {"place": _place, "count": _count, "score": _score, "game": _game}
    judges = {kind: partial(judge, defaults=defaults) for kind, judge in kinds.items()}
    return verdicts(document["cases"], by_kind(judges))


def _ruleset(case: Case, defaults: Case) -> Ruleset:
    variant = {"variant": case["variant"]} if "variant" in case else {}
    return rules.ruleset({**defaults, **variant, **case.get("options", {})})


def _set_up(case: Case, defaults: Case) -> Position:
    """The setup, each piece legal for its colour; whose turn it is plays no part (sheet §8)."""
    position = rules.setup(_ruleset(case, defaults))
    for colour, move in case["setup"]:
        number = position.sheet.number(colour)
        if wrong := rules.colour_objection(position, number, move):
            raise ValueError(f"setup: {colour} {move}: {wrong.code}")
        position = put(position, number, read_placement(position.board, move).mask)
    return position


def _place(case: Case, defaults: Case) -> str:
    if strange := unknown_keys(case, *_EVERY_KIND, "setup", "color", "move"):
        return strange
    position, move = _set_up(case, defaults), case["move"]
    wrong = rules.colour_objection(position, position.sheet.number(case["color"]), move)
    found: dict[str, Any] = {"legal": wrong is None}
    if wrong is None:
        placement = read_placement(position.board, move)
        found |= {"piece": PIECES[placement.piece].name, "canonical": placement.text}
    else:
        found["reason"] = wrong.code
    return differences(case["expect"], found)


def _count(case: Case, defaults: Case) -> str:
    if strange := unknown_keys(case, *_EVERY_KIND, "setup", "color", "covering"):
        return strange
    position, covering = _set_up(case, defaults), case.get("covering")
    moves = [
        move
        for move in rules.colour_moves(position, position.sheet.number(case["color"]))
        if covering is None or covering in move.split(",")
    ]
    pieces = {PIECES[number].name: n for number, n in by_piece(position, moves).items()}
    return differences(case["expect"], {"moves": len(moves), "by_piece": pieces})


def _score(case: Case, defaults: Case) -> str:  # noqa: ARG001 - scores are the same in all variants
    if strange := unknown_keys(case, *_EVERY_KIND, "colors", "players"):
        return strange
    scores = {
        colour: _colour_score(pieces["left"], pieces.get("last"))
        for colour, pieces in case["colors"].items()
    }
    players = {
        seat: sum(scores[colour] for colour in colours)
        for seat, colours in case.get("players", {}).items()
    }
    winners = list(rules.best(players or scores))
    return differences(
        case["expect"], {"scores": scores, "player_scores": players, "winners": winners}
    )


def _colour_score(left: list[str], last: str | None) -> int:
    pieces = sum(1 << PIECE_NUMBERS[name] for name in left)
    return rules.colour_score(pieces, None if last is None else PIECE_NUMBERS[last])


def _game(case: Case, defaults: Case) -> str:
    if strange := unknown_keys(case, *_EVERY_KIND, "record"):
        return strange
    position = played(_ruleset(case, defaults), case["record"])
    standing, sheet = rules.standing(position), position.sheet
    colour_of = dict(zip(sheet.owners, sheet.colours, strict=True))
    one_each = sorted(sheet.owners) == sorted(sheet.seat_names)
    found = {
        "over": rules.outcome(position) is not None,
        "scores": dict(standing.parts),
        "player_scores": dict(standing.points),
        "winners": [colour_of[seat] if one_each else seat for seat in standing.winners],
        "left": {
            colour: [PIECES[number].name for number in left]
            for colour, left in pieces_left(position).items()
        },
    }
    return differences(case["expect"], found)
