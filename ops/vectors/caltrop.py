"""``plybook-caltrop-vectors/1``: the cases of the Caltrop rule sheet, every type of them."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from ops.vectors.report import Case, Document, Verdict, by_kind, differences, unknown_keys, verdicts
from services.games.caltrop import rules
from services.games.caltrop.board import (
    BLUE,
    LETTERS,
    NAMES,
    NUMBERS,
    RED,
    as_it_lies,
    board_of,
    format_board,
    parse_board,
    token,
)
from services.games.caltrop.decks import (
    Deck,
    deck_objection,
    deck_text,
    read_deck,
    slot_for,
    upgraded,
    with_stone,
)
from services.games.caltrop.growth import Difficulty, grown, read_difficulties
from services.games.caltrop.position import result_of
from services.games.caltrop.stones import KINDS, Sides, stone
from services.games.caltrop.turn import play
from services.games.contract import BadText

FORMAT = "plybook-caltrop-vectors/1"

DIFFICULTIES_FILE = Path(__file__).parents[2] / "seeds" / "caltrop" / "difficulties.toml"
_DIGITS = re.compile(r"(?:([A-Z]{1,2}):)?([0-5]{4})")


def run(document: Document) -> Iterator[Verdict]:
    """Every case of a file."""
    kinds = {
        "place": _place,
        "score": _score,
        "levels": _levels,
        "gain": _gain,
        "autodeck": _autodeck,
        "upgrade": _upgrade,
        "deck": _deck,
        "game": _game,
    }
    return verdicts(document["cases"], by_kind(kinds, key="type"))


def _checked(case: Case, *known: str, expect: Mapping[str, Any], found: Mapping[str, Any]) -> str:
    return unknown_keys(case, "type", *known) or differences(expect, found)


def _placed(text: str) -> tuple[str, Sides]:
    """Special code and spikes (front, right, back, left) of a stone to place."""
    digits = _DIGITS.fullmatch(text)
    if digits is None:
        return stone(text).special, stone(text).sides
    if digits[1] and not KINDS[digits[1]].power:
        raise BadText(f"{digits[1]} is no special stone")
    front, right, back, left = map(int, digits[2])
    return digits[1] or "", (front, right, back, left)


def _place(case: Case) -> str:
    mover, (special, sides) = LETTERS.index(case["mover"]), _placed(case["stone"])
    if case["at"] in case["board"]:
        raise ValueError(f"{case['at']} is taken")
    turned = play(
        board_of(case["board"]), mover, NUMBERS[case["at"]], special, as_it_lies(sides, mover)
    )
    tokens = {name: token(turned.board, square) for square, name in enumerate(NAMES)}
    found = {
        "board": {name: text for name, text in tokens.items() if text != "-"},
        "events": list(turned.events),
    }
    return _checked(
        case, "board", "mover", "stone", "at", "expect", expect=case["expect"], found=found
    )


def _score(case: Case) -> str:
    result = result_of(parse_board(case["position"]), LETTERS.index(case["first"]))
    found = {
        "points": list(result.points),
        "spikes": list(result.spikes),
        "winner": LETTERS[result.winner],
        "by": result.by,
    }
    return _checked(case, "position", "first", "expect", expect=case["expect"], found=found)


def _levels(case: Case) -> str:
    found = {text: "".join(map(str, stone(text).sides)) for text in case["stones"]}
    return _checked(case, "stones", expect=case["stones"], found=found)


@cache
def _difficulties() -> Mapping[str, Difficulty]:
    return read_difficulties(tomllib.loads(DIFFICULTIES_FILE.read_text(encoding="utf-8")))


def _deck_of(codes: list[str]) -> Deck:
    return read_deck(",".join(codes))


def _codes(deck: Deck) -> list[str]:
    return deck_text(deck).split(",")


def _gain(case: Case) -> str:
    deck = _deck_of(case["deck"])
    for win in case["wins"]:
        deck, _ = grown(deck, _difficulties()[case["difficulty"]], win, boss=case["boss"])
    known = ("difficulty", "boss", "deck", "wins", "expect")
    return _checked(case, *known, expect={"deck": case["expect"]}, found={"deck": _codes(deck)})


def _autodeck(case: Case) -> str:
    deck, new = _deck_of(case["deck"]), stone(case["new"])
    slot = slot_for(deck, new)
    after = deck if slot is None else with_stone(deck, slot, new)
    known = ("deck", "new", "expect")
    return _checked(case, *known, expect={"deck": case["expect"]}, found={"deck": _codes(after)})


def _upgrade(case: Case) -> str:
    deck, old = upgraded(_deck_of(case["deck"]), case["slot"] - 1)
    box = [stone(code).text for code in case["box"]] + ([old.text] if old else [])
    found = {"deck": _codes(deck), "box": box}
    return _checked(case, "deck", "box", "slot", "expect", expect=case["expect"], found=found)


def _deck(case: Case) -> str:
    expected = {str(number): one["legal"] for number, one in enumerate(case["decks"], start=1)}
    found = {
        str(number): deck_objection(_deck_of(one["deck"])) is None
        for number, one in enumerate(case["decks"], start=1)
    }
    strange = [wrong for one in case["decks"] if (wrong := unknown_keys(one, "deck", "legal"))]
    return "; ".join(strange) or _checked(case, "decks", expect=expected, found=found)


def _game(case: Case) -> str:
    decks = {"blue": ",".join(case["decks"]["b"]), "red": ",".join(case["decks"]["r"])}
    position = rules.setup(rules.ruleset({"form": "run", **decks, "first": case["first"]}))
    positions, events = [], []
    for ply, move in enumerate(case["moves"], start=1):
        if wrong := rules.objection(position, move):
            raise ValueError(f"ply {ply}: {move}: {wrong.code}: {wrong.sentence}")
        step = rules.apply(position, move)
        position = step.position
        positions.append(format_board(position.game.board))
        events.append([fact for fact in step.facts if not fact.startswith("end ")])
    (result,) = rules.results(position)
    moves = " ".join(position.game.moves)
    head = f"CT1 {case['first']} {decks['blue']} {decks['red']}"
    found = {
        "points": [result.points[BLUE], result.points[RED]],
        "spikes": [result.spikes[BLUE], result.spikes[RED]],
        "winner": LETTERS[result.winner],
        "by": result.by,
        "record": f"{head} {moves} = {rules.result_text(result)}",
        "positions": positions,
        "events": events,
    }
    stated = ("record", "positions", "events")
    expect = {**case["expect"], **{key: case[key] for key in stated if key in case}}
    known = ("decks", "first", "moves", "expect", *stated)
    return _checked(case, *known, expect=expect, found=found)
