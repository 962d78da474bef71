"""A Triangles engine that searches many imagined worlds in one tree, and ends of rounds exactly.

It plays for the match: what counts is the chance to win it from the totals after the round. The
worlds are drawn with equal chance from all that fit the view (``triangles_worlds.py``). Once the
market is empty, two seats know each other's hands, and the rest of the round is searched to its
last tile if that can be done. ``budget`` counts playouts, ``noise`` is not used.
"""

from services.games.triangles import notation, rules
from services.games.triangles.position import Position
from workers.engines.contract import Answer, Question
from workers.engines.dice import Dice
from workers.engines.kernels import triangles_endgame as endgame
from workers.engines.kernels import triangles_search as search
from workers.engines.kernels import triangles_worlds as worlds_kernel
from workers.engines.kernels.triangles import TABLES
from workers.engines.triangles_arrays import move_text, round_of
from workers.engines.triangles_greedy import seen_by
from workers.engines.triangles_stakes import stakes_of
from workers.engines.triangles_worlds import worlds_of

NAME = "triangles-tree"
VERSION = 1

ROWS = 2
"""Moves kept for each playout, at most."""
POSITIONS = 4
"""Positions looked at in an exact search, at most, for each playout of the budget."""


def choose(question: Question) -> Answer:
    """The move for the seat to move, the same for the same question for ever."""
    view = seen_by(question)
    moves = rules.moves(view).texts
    if len(moves) == 1:
        return Answer(moves[0], nodes=1)
    found, stakes, worlds = round_of(view), stakes_of(view), worlds_of(view, question.seed)
    budget = max(1, question.budget)
    if _is_open(view):
        worlds_kernel.hand_out(worlds, found)
        move, positions = endgame.best_move(TABLES, found, stakes, POSITIONS * budget)
        if move >= 0:
            return Answer(move_text(move), nodes=positions)
        found = round_of(view)
    tree = search.new_tree(ROWS * budget + len(moves) + 1)
    search.think(TABLES, found, worlds, stakes, tree, budget)
    return Answer(move_text(search.favourite(tree)), nodes=budget)


def _is_open(view: Position) -> bool:
    """Whether two seats know all there is to know, and few enough tiles are left to see the end."""
    held = sum(view.hand_count(seat) for seat in range(len(view.seats)))
    return len(view.seats) == 2 and not view.unseen and held <= endgame.TILES_MAX  # noqa: PLR2004


def warm() -> None:
    """Compile all that an answer may need, by answering."""
    dealt = rules.deal(rules.setup(rules.ruleset({"opening_tile": "free"})), Dice(1)).position
    view = rules.view(dealt, dealt.seats[dealt.next])
    choose(
        Question(
            game=rules.slug,
            rules_version=rules.version,
            ruleset=rules.ruleset_data(view.ruleset),
            view=notation.format_position(view),
            seat=view.seats[view.next],
            seed=0,
            engine=NAME,
            engine_version=VERSION,
            level=1,
            budget=2,
            noise=0,
        )
    )
    endgame.best_move(TABLES, round_of(dealt), stakes_of(dealt), 2)
