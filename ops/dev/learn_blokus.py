"""Learns what a promising move of Blokus looks like from the engine's own games.

``python -m ops.dev.learn_blokus classic,classic-2 --games 40 --budget 20000`` plays games of the
engine against itself, notes for every move how many playouts it got, and fits the weights of the
priors so that they foretell these shares: a softmax regression over the features of each legal
move, by phase. It prints that part of ``seeds/blokus/priors.toml``. Better priors make better
searches, so it may be run again on what it has learned; new weights are a new engine version.
"""

import argparse
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from services.games import registry
from workers.engines import blokus_priors, blokus_search
from workers.engines.blokus_positions import sheet_of, state_of
from workers.engines.dice import Dice
from workers.engines.kernels.blokus import State, refresh
from workers.engines.kernels.blokus_geometry import GROWTH, PLACEMENTS_MAX, SHAPES
from workers.engines.kernels.blokus_priors import (
    FEATURES,
    PHASES,
    draw_maps,
    new_maps,
    phase_of,
    score,
)

OPENING_PLIES = 8
DRAWN_OF = 6
"""So many plies, and later one in so many, are drawn by their shares: no two games are alike."""
STEPS = 400
PACE, PULL = 0.05, 1e-3
"""How fast weights move, and how strongly they are drawn towards nothing."""
HUNDREDTHS = 100


class Lesson(NamedTuple):
    """A position: the features of each legal move, and the share of playouts it got."""

    phase: int
    features: NDArray[np.int16]
    shares: NDArray[np.float64]


def lessons(options: dict[str, Any], budget: int, seed: int) -> Iterator[Lesson]:
    """The positions of one game of the engine against itself."""
    rules = registry.game("blokus").rules
    position, dice, ply = rules.setup(rules.ruleset(options)), Dice(seed), 0
    while position.next >= 0:
        lesson, codes = _lesson(position, dice, budget)
        if len(codes) > 1:
            yield lesson
        best = int(lesson.shares.argmax())
        if ply < OPENING_PLIES or dice.below(DRAWN_OF) == 0:
            drawn = dice.below(1 << 32) / (1 << 32)
            best = min(int(lesson.shares.cumsum().searchsorted(drawn)), len(codes) - 1)
        text = blokus_search.text_of(position, codes[best])
        position, ply = rules.apply(position, text).position, ply + 1


def _lesson(position: Any, dice: Dice, budget: int) -> tuple[Lesson, list[int]]:
    desk, _ = blokus_search.searched(position, dice.draw64(), budget)
    colour, state = position.next, state_of(position)
    n = refresh(state, SHAPES, GROWTH, colour)
    codes = state.moves[colour * PLACEMENTS_MAX :][:n].astype(np.int64).tolist()
    visits = blokus_search.visits_of(desk)
    counts = np.array([visits.get(code, 0) for code in codes], np.float64)
    features = _features(position, state, codes)
    return Lesson(int(phase_of(state, colour)), features, counts / counts.sum()), codes


def _features(position: Any, state: State, codes: list[int]) -> NDArray[np.int16]:
    """A row a move: scores are linear in the weights, so each weight is asked by itself."""
    sheet = sheet_of(position.ruleset, position.out, blokus_search.draw_weights())
    maps, features = new_maps(), np.zeros((len(codes), FEATURES), np.int16)
    for feature, alone in enumerate(np.eye(FEATURES, dtype=np.int64)):
        draw_maps(state, sheet, alone, position.next, maps)
        features[:, feature] = [score(maps, alone, SHAPES, np.int64(code)) for code in codes]
    return features


def learned(known: list[Lesson], start: NDArray[np.int64]) -> NDArray[np.int64]:
    """Weights that foretell the shares, by phase; a phase without lessons stays as it was."""
    weights = start.copy()
    for phase in range(PHASES):
        if of_phase := [lesson for lesson in known if lesson.phase == phase]:
            weights[phase] = np.rint(_fitted(of_phase, start[phase]) * HUNDREDTHS)
    return weights


def _fitted(known: list[Lesson], start: NDArray[np.int64]) -> NDArray[np.float64]:
    """Gradient descent with moments (Kingma and Ba, "Adam", 2015) on the cross-entropy."""
    sizes = [len(lesson.shares) for lesson in known]
    firsts, owner = np.cumsum([0, *sizes[:-1]]), np.repeat(np.arange(len(known)), sizes)
    features = np.concatenate([lesson.features for lesson in known]).astype(np.float64)
    shares = np.concatenate([lesson.shares for lesson in known])
    scale = np.maximum(features.std(axis=0), 0.1)
    features /= scale
    weights = start / HUNDREDTHS * scale
    mean, spread = np.zeros(FEATURES), np.zeros(FEATURES)
    for step in range(1, STEPS + 1):
        odds = features @ weights
        odds = np.exp(odds - np.maximum.reduceat(odds, firsts)[owner])
        odds /= np.add.reduceat(odds, firsts)[owner]
        slope = features.T @ (odds - shares) / len(known) + PULL * weights
        mean, spread = 0.9 * mean + 0.1 * slope, 0.99 * spread + 0.01 * slope**2
        size = np.sqrt(spread / (1 - 0.99**step)) + 1e-8
        weights -= PACE * mean / (1 - 0.9**step) / size
    surprise = -(shares * np.log(odds + 1e-12)).sum() / len(known)
    print(f"# {len(known)} positions, {surprise:.3f} nats a move")
    fitted: NDArray[np.float64] = weights / scale
    return fitted


def main() -> None:
    """Play, learn and print."""
    parser = argparse.ArgumentParser(description="Learn the priors of Blokus from its own games.")
    parser.add_argument("variants", help="duo, or several of the large board: classic,classic-2")
    parser.add_argument("--games", type=int, default=40, help="of each variant")
    parser.add_argument("--budget", type=int, default=20_000, help="placements a move")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    variants = asked.variants.split(",")
    rules, known = registry.game("blokus").rules, list[Lesson]()
    size = rules.setup(rules.ruleset({"variant": variants[0]})).board.size
    for variant in variants:
        corners = {} if variant == "duo" else {"corners": "fixed"}
        for game in range(asked.games):
            known += lessons({"variant": variant, **corners}, asked.budget, asked.seed + game)
    print(blokus_priors.as_text(size, learned(known, blokus_priors.weights(size))))


if __name__ == "__main__":
    main()
