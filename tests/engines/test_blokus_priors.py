"""What a promising move of Blokus looks like: counted as the rules count, and learned."""

from itertools import islice

import numpy as np
import pytest

from ops.dev import learn_blokus
from ops.dev.learn_blokus import Lesson, lessons
from services.games import registry
from services.games.blokus import rules
from services.games.blokus.pieces import PIECES
from services.games.blokus.position import Position
from tests.kit import playouts
from workers.engines import blokus_priors
from workers.engines.blokus_positions import state_of
from workers.engines.kernels.blokus import refresh
from workers.engines.kernels.blokus_geometry import GROWTH, PLACEMENTS_MAX, SHAPES, numbering
from workers.engines.kernels.blokus_priors import FEATURES, PHASES

GAME = registry.game("blokus")


def counted(position: Position) -> tuple[list[int], dict[str, list[int]]]:
    """The masks of the legal moves, and how often each of them shows each feature."""
    state, colour, board = state_of(position), position.next, position.board
    n = refresh(state, SHAPES, GROWTH, colour)
    codes = state.moves[colour * PLACEMENTS_MAX :][:n].astype(np.int64).tolist()
    found = learn_blokus._features(position, state, codes)
    masks = [board.placements[numbering(board.size).number[code]].mask for code in codes]
    return masks, dict(zip(blokus_priors.NAMES, found.T.tolist(), strict=True))


def contacts(position: Position, colour: int) -> int:
    """The squares where a colour's next piece can touch its own."""
    board, own = position.board, position.covered[colour]
    return board.diagonal(own) & ~rules.taken(position) & ~board.beside(own)


@pytest.mark.parametrize("variant", ["duo", "classic", "classic-2"])
def test_features_are_counted_as_the_rules_would_count_them(variant: str) -> None:
    """Threats met, own contacts used and spoilt, points made, the partner's contacts, the piece."""
    start = rules.setup(rules.ruleset({"variant": variant}))
    turns = list(playouts.playout(GAME, start, playouts.Dice(3)))
    for turn in turns[8:28:5]:
        position = turn.position
        board, colour, owners = position.board, position.next, position.sheet.owners
        masks, found = counted(position)
        own, old = contacts(position, colour), position.covered[colour]
        others = [n for n in range(len(owners)) if n != colour and not position.done >> n & 1]
        for row, mask in enumerate(masks):
            shown = {name: counts[row] for name, counts in found.items()}
            met = {n: (mask & contacts(position, n)).bit_count() for n in others}
            rivals = [n for n in others if owners[n] != owners[colour]]
            partners = [n for n in others if owners[n] == owners[colour]]
            assert shown["newest_threat"] + shown["threat"] == sum(met[n] for n in rivals)
            assert shown["partners_contact"] == sum(met[n] for n in partners)
            assert shown["own_contact"] == (mask & own).bit_count()
            assert shown["spoilt_contact"] == (board.beside(mask) & own & ~mask).bit_count()
            barred = rules.taken(position) | board.beside(old) | mask | board.beside(mask)
            made = board.diagonal(mask) & ~barred & ~own
            points = sum(shown[f"point_in_{n}"] for n in range(5))
            assert points == made.bit_count()
            piece = board.by_mask[mask].piece
            assert [shown[each.name] for each in PIECES] == [n == piece for n in range(21)]


def test_weights_that_chose_the_moves_are_found_again() -> None:
    """From shares that follow planted weights the regression foretells shares like them."""
    dice, planted = np.random.default_rng(5), np.zeros(FEATURES)
    planted[21], planted[30] = 1.5, -0.8
    known = []
    for _ in range(200):
        features = dice.integers(0, 4, (12, FEATURES)).astype(np.int16)
        odds = np.exp(features @ planted)
        known.append(Lesson(1, features, odds / odds.sum()))
    found = learn_blokus.learned(known, np.zeros((PHASES, FEATURES), np.int64))
    assert np.abs(found[1] - 100 * planted).max() < 25
    assert not found[[0, 2]].any()


def test_a_game_gives_the_same_lessons_each_time_it_is_played() -> None:
    """What is learned follows from the seed: shares add up, and phases come in order."""
    first = list(islice(lessons({"variant": "duo"}, budget=100, seed=4), 10))
    again = list(islice(lessons({"variant": "duo"}, budget=100, seed=4), 10))
    assert len(first) == len(again) == 10
    assert all((a.shares == b.shares).all() for a, b in zip(first, again, strict=True))
    assert all(abs(lesson.shares.sum() - 1) < 1e-9 for lesson in first)
    assert [lesson.phase for lesson in first] == sorted(lesson.phase for lesson in first)


def test_the_file_is_written_as_it_is_read() -> None:
    """What the lesson prints is a part of the file."""
    for size in (14, 20):
        text = blokus_priors.as_text(size, blokus_priors.weights(size))
        assert text in blokus_priors.FILE.read_text("utf-8")
