"""Whether the parts of a position that was read fit together: nothing else is a position."""

from services.games.contract import BadText
from services.games.hedgerow.board import AREA, CENTRE, NAMES, set_of
from services.games.hedgerow.harvest import path_objection
from services.games.hedgerow.pieces import CORNER, CROSS, TYPE_OF, piece
from services.games.hedgerow.placement import barred, is_stuck, isolation_value
from services.games.hedgerow.position import HARVESTS, PLACEMENTS, Position
from services.games.hedgerow.regions import placement_score
from services.games.hedgerow.tokens import TOKENS, read_path


def check(position: Position) -> None:
    """Raise ``BadText`` with the first thing that no play can lead to."""
    _check_pieces(position)
    _check_harvested(position)
    _check_scores(position)
    _check_end(position)
    _check_last(position)


def _check_pieces(position: Position) -> None:
    board = position.board
    placed = [sum(1 for code in board if code >> 4 == owner) for owner in (1, 2)]
    if placed[0] - placed[1] not in (0, 1):
        raise BadText("The players place in turn: player 1 has as many pieces placed, or one more.")
    if placed[0] and (board[CENTRE] >> 4, TYPE_OF[board[CENTRE] & 15]) != (1, CORNER):
        raise BadText("The first piece is a Corner Two of player 1 on d4.")
    left = position.left(2)
    if sum(left) == left[CROSS]:
        raise BadText("Player 2 keeps a piece to the end that is not a Cross Zero.")
    for square in range(AREA):
        if board[square] & 15 & barred(position, square):
            raise BadText(f"{NAMES[square]}: two solid edges on one line, or one on the boundary.")


def _check_harvested(position: Position) -> None:
    board = position.board
    gone = [s for s in range(AREA) if board[s] and not position.standing >> s & 1]
    by_owner = [sum(1 for s in gone if board[s] == piece(owner, 0)) for owner in (1, 2)]
    if gone and 0 in board:
        raise BadText("Nothing is harvested before the board is full.")
    if by_owner[1] - by_owner[0] not in (0, 1) or (gone and not by_owner[1]):
        raise BadText("Each harvest takes one Cross Zero, in turn; player 2 begins.")


def _check_scores(position: Position) -> None:
    score, ruleset = position.scores[-1], position.ruleset
    if score.stuck != (position.mover if position.is_placing and is_stuck(position) else 0):
        raise BadText("A game is stuck exactly when the player to place has no placement.")
    regions = isolation = 0
    if not position.is_placing:
        regions = placement_score(position.board, ruleset.cross_presence)
        isolation = isolation_value(position)
    if (score.regions, score.isolation) != (regions, isolation):
        raise BadText(f"The board scores {regions:+d}, the Isolation Value is {isolation:+d}.")
    if score.harvest and position.turns <= PLACEMENTS:
        raise BadText("Nothing is harvested yet.")
    for before in position.scores[:-1]:
        if before.stuck and ruleset.stuck_loss == "match":
            raise BadText("A match ends with a stuck game.")
        if not before.stuck and before.isolation not in (1, 2, 3):
            raise BadText("The Isolation Value of a finished game is 1, 2 or 3.")


def _check_end(position: Position) -> None:
    stuck = position.scores[-1].stuck
    if not stuck and position.turns < PLACEMENTS + HARVESTS:
        if position.over != bool(position.loser):
            raise BadText("A match that is not played out is over exactly when a seat has lost it.")
        return
    lost = bool(stuck) and position.ruleset.stuck_loss == "match"
    if not position.over or position.loser != (position.seat_of(stuck) if lost else ""):
        raise BadText("The match is over; its loser is the seat that is stuck, if that loses it.")
    if position.game == 1 and not lost:
        raise BadText("After the end of game 1, game 2 is on the board.")


def _check_last(position: Position) -> None:
    if not (_is_last_path(position) if position.turns > PLACEMENTS else _is_last_piece(position)):
        raise BadText("last is the last move of this game, or - before its first.")


def _is_last_piece(position: Position) -> bool:
    board, owner, last = position.board, 3 - position.mover, position.last
    if not position.turns:
        return not last
    return any(last == TOKENS[s][board[s] & 15] for s in range(AREA) if board[s] >> 4 == owner)


def _is_last_path(position: Position) -> bool:
    path = read_path(position.last)
    squares = set_of(set(path))
    if position.standing & squares:
        return False
    before = position.standing | squares
    return path_objection(position.board, before, 3 - position.mover, path) is None
