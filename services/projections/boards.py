"""``boards``: how every match stands, as anybody may see it; written with each append."""

from events.log import InlineTable, Value
from services.match.state import MatchState
from services.match.views import position_text

BOARDS = InlineTable(
    name="boards",
    shape=1,
    columns=(
        ("game", "text"),
        ("rules_version", "int"),
        ("status", "text"),
        ("visibility", "text"),
        ("turn", "int"),
        ("ply", "int"),
        ("to_move", "text"),
        ("position", "text"),
    ),
)


def board_rows(state: MatchState) -> dict[str, tuple[Value, ...]]:
    """The one row of a match; nothing hidden is ever in it."""
    game = state.the_game
    row = (
        game.rules.slug,
        game.rules.version,
        state.status,
        state.visibility,
        state.turn,
        state.ply,
        state.to_move() or "",
        position_text(state),
    )
    return {"": row}
