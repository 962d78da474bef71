"""Draw the board of the README, from a demo match and by the code that draws every board.

python -m ops.dev.board_picture > docs/board.svg
"""

from pathlib import Path

from services.formats.judge import Judged, judge
from services.games.picture import to_svg
from services.games.registry import game

MATCH = Path("seeds/blokus/matches/classic-engine-level-5.record")
PLIES = 44


def board_picture(repository: Path) -> str:
    """The SVG of the demo match after ``PLIES`` moves."""
    (judged,) = judge((repository / MATCH).read_bytes(), MATCH.name)
    assert isinstance(judged, Judged), judged
    blokus = game(judged.command.game)
    position = blokus.rules.setup(blokus.rules.ruleset(judged.command.ruleset))
    for move in judged.command.moves[:PLIES]:
        position = blokus.rules.apply(position, move).position
    return to_svg(blokus.drawing.picture(blokus.rules.view(position, None), None))


if __name__ == "__main__":
    print(board_picture(Path(__file__).resolve().parents[2]))
