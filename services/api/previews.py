"""A move tried out: the objection to it, or what comes of it. Nothing is kept."""

from services.api.messages import DryRun, Preview
from services.api.problems import Problem, refused
from services.api.seen import Seen
from services.games.contract import Foretold, Seat
from services.games.picture import to_svg
from services.match.refusals import Refusal


def preview_of(seen: Seen, to_move: Seat, move: str) -> Preview:
    """What the move would do in an open game; the rules judge it as they would the real one."""
    state, game = seen.state, seen.state.the_game
    rules, position = game.rules, seen.state.position
    if objection := rules.objection(position, move):
        return Preview(state.turn, to_move, move, objection.code, objection.sentence)
    canonical = game.notation.canonical(position, move)
    step = rules.apply(position, canonical)
    told = _foretold(seen, canonical)
    return Preview(
        turn=state.turn,
        to_move=to_move,
        move=canonical,
        facts=step.facts,
        position=game.notation.format_position(step.position),
        points=dict(rules.standing(step.position).points),
        board=game.drawing.text(step.position, to_move),
        svg=to_svg(game.drawing.picture(step.position, to_move)),
        dry_run=DryRun(dict(told.marks), told.sentence) if told else None,
    )


def dry_run_svg(seen: Seen, move: str) -> bytes:
    """The board with the dry run of a move marked on it, as an SVG document."""
    game, position = seen.state.the_game, seen.state.position
    if objection := game.rules.objection(position, move):
        raise refused(Refusal(objection.code, objection.sentence))
    told = _foretold(seen, game.notation.canonical(position, move))
    if told is None:
        raise Problem(409, "no-dry-run", f"{game.title} has no dry run to show.")
    return to_svg(told.picture).encode()


def _foretold(seen: Seen, move: str) -> Foretold | None:
    foretelling = seen.state.the_game.foretelling
    return foretelling.foretell(seen.state.position, move, seen.eyes) if foretelling else None
