"""The Blokus engine that knows openings: at once and legal in them, a search everywhere else."""

from collections import Counter
from hashlib import sha256

import msgspec
import pytest
from msgspec.structs import replace

from services.games import registry
from services.games.blokus import notation, rules
from services.games.blokus.position import Position
from tests.engines.arena import question
from workers.engines.blokus_openings import Answers, openings
from workers.engines.contract import Question
from workers.engines.registry import think

GAME = registry.game("blokus")
OPENINGS_1 = "cccd4765f96c8c1d1381ebf05b0175c7ec319c16a2ccf993f00ba5ae36ba1d78"
"""Of the openings of version 1: others are another version."""
ASKED = 400
KNOWN = [(notation.parse_position(text), answers) for text, answers in openings().items()]


def asked_in(position: Position, seed: int = 1, engine: str = "blokus-opening") -> Question:
    """What the engine is asked in a position."""
    asked = question(GAME, position, position.ruleset, 1, seed)
    return replace(asked, engine=engine, engine_version=1, budget=300, noise=0)


def test_the_openings_of_a_version_stay_as_they_are() -> None:
    """Old matches are audited by them."""
    text = msgspec.json.encode([(view, dict(known)) for view, known in openings().items()])
    assert sha256(text).hexdigest() == OPENINGS_1


@pytest.mark.parametrize(("position", "answers"), KNOWN)
def test_every_answer_is_legal_and_has_its_share(position: Position, answers: Answers) -> None:
    """The shares of a position are hundredths of the whole."""
    assert all(rules.objection(position, text) is None for text in answers)
    assert min(answers.values()) > 0
    assert sum(answers.values()) == pytest.approx(100, abs=1)


def test_answers_are_drawn_by_their_shares() -> None:
    """Every one comes, the likelier the more often; the same question has the same answer."""
    start = rules.setup(rules.ruleset({"variant": "classic-2", "corners": "fixed"}))
    answers = openings()[notation.format_position(start)]
    drawn = Counter(think(asked_in(start, seed)).move for seed in range(ASKED))
    assert len(answers) > 1
    assert set(drawn) == set(answers)
    for text, share in answers.items():
        assert drawn[text] == pytest.approx(ASKED * share / 100, abs=ASKED / 10)
    assert think(asked_in(start)) == think(asked_in(start))


def test_elsewhere_it_answers_like_the_engine_that_searches() -> None:
    """Another ruleset, or a first placement nobody would make: the search alone decides."""
    free = rules.setup(rules.ruleset({"variant": "classic", "corners": "any"}))
    odd = rules.apply(rules.setup(rules.ruleset({"variant": "duo"})), "e10").position
    for position in (free, odd):
        assert think(asked_in(position)) == think(asked_in(position, engine="blokus-search"))


def test_rules_of_another_version_are_not_answered() -> None:
    """An opening of today says nothing about them."""
    start = rules.setup(rules.ruleset({"variant": "duo"}))
    with pytest.raises(ValueError, match="not by these rules"):
        think(replace(asked_in(start), rules_version=99))
