"""Learns openings of Blokus by searches longer than any level's.

``python -m ops.dev.learn_openings duo --plies 4 --budget 3000000`` thinks about the first
position, then about each that its best answers lead to, and prints that part of
``seeds/blokus/openings.toml`` as it comes. Another file is another version of ``blokus-opening``.
"""

import argparse
import sys
from collections import Counter, deque
from collections.abc import Iterator
from typing import Any

from ops.rulesets import ruleset_named
from workers.engines.blokus_openings import Opening, as_text
from workers.engines.blokus_search import searched, text_of, visits_of

SEARCHES = 3
"""Of each position, by other chances: what is about as good comes out on top of one or other."""
ANSWERS_MAX = 3
OF_THE_BEST = 0.25
"""An answer has at least so much of the playouts that the best one has."""


def learned(ruleset: str, plies: int, budget: int) -> Iterator[Opening]:
    """The first positions of a ruleset, each before those it leads to."""
    options = ruleset_named("blokus", ruleset)
    waiting: deque[tuple[str, ...]] = deque([()])
    while waiting:
        after = waiting.popleft()
        found = Opening(options, after, {})
        found.answers.update(answers(found.position(), budget))
        yield found
        if len(after) + 1 < plies:
            waiting += [(*after, text) for text in found.answers]


def answers(position: Any, budget: int) -> dict[str, int]:
    """The placements that long searches come back to, in hundredths of what these got."""
    visits: Counter[int] = Counter()
    for seed in range(SEARCHES):
        visits.update(visits_of(searched(position, seed, budget)[0]))
    best = visits.most_common(ANSWERS_MAX)
    kept = [(code, got) for code, got in best if got >= OF_THE_BEST * best[0][1]]
    whole = sum(got for _, got in kept)
    return {text_of(position, code): round(100 * got / whole) for code, got in kept}


def main() -> None:
    """Think, and print."""
    parser = argparse.ArgumentParser(description="Learn openings of Blokus by long searches.")
    parser.add_argument("ruleset", help="a file of seeds/blokus/rulesets, without .toml")
    parser.add_argument("--plies", type=int, default=4, help="placements that are foreseen")
    parser.add_argument("--budget", type=int, default=3_000_000, help="placements a search")
    asked = parser.parse_args()
    for found in learned(asked.ruleset, asked.plies, asked.budget):
        print(as_text(found))
        sys.stdout.flush()


if __name__ == "__main__":
    main()
