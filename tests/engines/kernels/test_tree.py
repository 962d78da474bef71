"""Tree search, blind to games: tried on a game of one move with known odds."""

import numpy as np
import pytest

from workers.engines.kernels import chance, tree
from workers.engines.kernels.tree import ROOT, Tree

WEIGHT, UNSEEN = 1.0, 0.1


def grown(odds: list[int], playouts: int, priors: list[float] | None = None) -> Tree:
    """The tree of a game in which move i wins for seat 1 in ``odds[i]`` of 100 playouts."""
    arms, luck = tree.new_tree(len(odds) + 1), chance.seeded(1)
    for move, _ in enumerate(odds):
        prior = priors[move] if priors else 1 / len(odds)
        tree.add_child(arms, ROOT, 1, move, prior)
    path, rewards = np.zeros(2, np.int64), np.zeros(2)
    for _ in range(playouts):
        path[1] = tree.best_child(arms, ROOT, WEIGHT, UNSEEN)
        rewards[1] = chance.below(luck, 100) < odds[arms.move[path[1]]]
        rewards[0] = 1 - rewards[1]
        tree.back_up(arms, path, 2, rewards)
    return arms


def test_the_best_of_several_moves_gets_most_of_the_playouts() -> None:
    """Search spends its time where it pays."""
    arms = grown([20, 50, 80, 50], 1_000)
    assert arms.move[tree.favourite(arms)] == 2
    assert arms.visits[tree.favourite(arms)] > 500


def test_every_playout_is_counted_once_on_its_way() -> None:
    """The children's visits are the root's, and rewards stay between 0 and 1."""
    arms = grown([20, 50, 80], 300)
    assert arms.visits[ROOT] == arms.visits[1:].sum() == 300
    assert (arms.total <= arms.visits).all()


def test_a_prior_decides_before_anything_is_known() -> None:
    """The first playout goes where the game's own guess is highest."""
    arms = grown([50, 50, 50], 1, priors=[0.2, 0.3, 0.5])
    assert arms.visits.tolist() == [1, 0, 0, 1]


def test_of_equal_moves_the_first_in_the_games_order_is_played() -> None:
    """Nothing but the canonical order parts equals."""
    arms = grown([100, 100, 100], 3)
    assert arms.visits[1:].tolist() == [1, 1, 1]
    assert arms.move[tree.favourite(arms)] == 0


def test_a_child_nobody_visited_is_a_little_worse_than_what_is_known() -> None:
    """Half of the rewards are known to the first; a tenth less is expected of the second."""
    arms = grown([100, 0], 0)
    path, rewards = np.array([0, 1]), np.array([0.0, 1.0])
    tree.back_up(arms, path, 2, rewards)
    assert tree.best_child(arms, ROOT, 0.0, UNSEEN) == 1
    tree.back_up(arms, path, 2, np.zeros(2))
    assert tree.best_child(arms, ROOT, 0.0, UNSEEN) == 1
    assert tree.best_child(arms, ROOT, 0.0, -UNSEEN) == 2


@pytest.mark.parametrize(("children", "fits"), [(4, True), (5, False)])
def test_a_tree_says_when_it_is_full(children: int, fits: bool) -> None:
    """The root takes one of the rows."""
    assert tree.has_room(tree.new_tree(5), children) is fits
