"""Golden questions of the Caltrop engines: those in Python, and the compiled one.

``python -m tests.engines.caltrop_golden`` writes them anew; only with a new engine version.
"""

from collections.abc import Iterator
from itertools import islice

from msgspec.structs import replace

from services.games import registry
from services.games.contract import Outcome, Seat
from tests.engines.arena import question
from tests.engines.golden import Golden, keep, kept_in
from workers.engines.contract import Question
from workers.engines.dice import Dice
from workers.engines.registry import think

FILE = "caltrop_1.json"
DEEP_FILE = "caltrop_deep_1.json"
DECKS = (
    ("Pn1,Pe1,Pw1,Nn1,Ne1,B1,R1,Q1", "B0,Nn0,Ne0,Nw0,Pn0,Pe0,Ps0,Pw0"),
    ("Q2,K,R1,B1,Nn2,Ne1,Pe3,LL2", "VV2,Q2,R2,Nn2,Nw2,Pn2,Pe2,Pw2"),
    ("ED2,SS1,R2,B2,Nn2,PE3,Pn4,SL2", "MM2,Q2,K,R2,B2,Nn2,Pn3,Pn3"),
    ("PP2,BB1,R1,R1,R1,B1,B1,Q1", "DD2,K,R1,Nn1,Ne1,Pn1,Pe1,Pw1"),
)
DEEPER = 4_000
"""The budget at which the questions of level 1 are asked once more."""
DEEP = 20_000
"""The budget of the compiled engine's questions: exact with seven empty squares."""
EVERY = 5
"""Of each game every so many-th question is kept, so that all stages of play are there."""


def played(ruleset: int, levels: dict[Seat, int], seed: int) -> Iterator[tuple[Question, str]]:
    """A game between levels with a pair of decks; every question and its answer."""
    game, dice = registry.game("caltrop"), Dice(seed)
    blue, red = DECKS[ruleset]
    sheet = game.rules.ruleset(
        {"form": "run", "blue": blue, "red": red, "first": "br"[ruleset % 2]}
    )
    position = game.rules.setup(sheet)
    while isinstance(seat := game.rules.awaiting(position), str):
        asked = question(game, position, sheet, levels[seat], dice.draw64())
        move = think(asked).move
        yield asked, move
        position = game.rules.apply(position, move).position


def result(last: tuple[Question, str]) -> Outcome:
    """How a game came out, from its last question and answer."""
    game = registry.game("caltrop")
    position = game.notation.parse_position(last[0].view)
    outcome = game.rules.outcome(game.rules.apply(position, last[1]).position)
    assert outcome is not None
    return outcome


def golden() -> list[Golden]:
    """The golden questions that are kept in the file."""
    return kept_in(FILE)


def deep_golden() -> list[Golden]:
    """The golden questions of the compiled engine."""
    return kept_in(DEEP_FILE)


def to_deep(asked: Question, budget: int = DEEP) -> Question:
    """The same question to the compiled engine."""
    return replace(asked, engine="caltrop-deep", engine_version=1, budget=budget, noise=0)


def _deep_written_anew() -> Iterator[Golden]:
    for number in range(len(DECKS)):
        questions = [asked for asked, _ in played(number, {"A": 1, "B": 2}, number)]
        for asked in map(to_deep, questions[number % 2 :: 2]):
            yield Golden(asked, think(asked).move)


def main() -> None:
    """Write both files."""
    kept = []
    for number in range(len(DECKS)):
        for levels in ({"A": 1, "B": 2}, {"A": 2, "B": 1}):
            for asked, move in islice(played(number, levels, number), number, None, EVERY):
                kept.append(Golden(asked, move))
                if asked.engine == "caltrop-far":
                    deeper = replace(asked, budget=DEEPER)
                    kept.append(Golden(deeper, think(deeper).move))
    keep(FILE, kept)
    keep(DEEP_FILE, _deep_written_anew())


if __name__ == "__main__":
    main()
