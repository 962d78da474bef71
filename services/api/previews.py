"""A move tried out: the objection to it, or the position after it. Nothing is kept."""

from services.api.messages import Preview
from services.api.seen import Seen
from services.games.contract import Seat
from services.games.picture import to_svg


def preview_of(seen: Seen, to_move: Seat, move: str) -> Preview:
    """What the move would do in an open game; the rules judge it as they would the real one."""
    state, game = seen.state, seen.state.the_game
    rules, position = game.rules, seen.state.position
    if objection := rules.objection(position, move):
        return Preview(state.turn, to_move, move, objection.code, objection.sentence)
    canonical = game.notation.canonical(position, move)
    step = rules.apply(position, canonical)
    return Preview(
        turn=state.turn,
        to_move=to_move,
        move=canonical,
        facts=step.facts,
        position=game.notation.format_position(step.position),
        points=dict(rules.standing(step.position).points),
        board=game.drawing.text(step.position, to_move),
        svg=to_svg(game.drawing.picture(step.position, to_move)),
    )
