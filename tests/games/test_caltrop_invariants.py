"""What always holds in Caltrop (sheet §4.2), over some hundred random matches of any decks."""

import itertools
from functools import cache

from services.games.caltrop import rules
from services.games.caltrop.board import (
    BLUE,
    EMPTY,
    NAMES,
    NUMBERS,
    RED,
    SQUARES,
    TOUCHES,
    Board,
    format_board,
)
from services.games.caltrop.decks import deck_text
from services.games.caltrop.position import Position, turn_of
from services.games.caltrop.preview import preview
from services.games.caltrop.stones import PIA, SPIKES_MAX, SUE
from services.games.caltrop.turn import is_at_rest
from services.games.contract import Facts
from tests.games.caltrop_play import random_match

MATCHES = 300


@cache
def matches() -> tuple[list[tuple[Position, str, Facts]], ...]:
    """The matches, played once for all tests here."""
    return tuple(random_match(seed) for seed in range(MATCHES))


def sides(board: Board, square: int) -> tuple[int, ...]:
    """The spikes of a stone, north, east, south, west."""
    return tuple(board.spikes[4 * square : 4 * square + 4])


def test_a_game_is_sixteen_placements_and_one_square_each() -> None:
    """After n turns exactly n squares are occupied; then there is a result."""
    for match in matches():
        assert len(match) == SQUARES + 1
        for turns, (position, _, _) in enumerate(match):
            assert sum(owner != EMPTY for owner in position.game.board.owners) == turns
        assert rules.outcome(match[-1][0]) is not None
        assert match[-2][2][-1].startswith("end ")


def test_between_turns_no_enemies_touch_with_a_spike_between_them() -> None:
    """The resting rule, read off the board square by square."""
    for match in matches():
        for position, _, _ in match:
            board = position.game.board
            assert is_at_rest(board)
            for square in range(SQUARES):
                for touch in TOUCHES[BLUE][square]:
                    if {board.owners[square], board.owners[touch.other]} == {BLUE, RED}:
                        assert not board.spikes[touch.own] + board.spikes[touch.facing]


def test_a_board_that_is_not_at_rest_is_seen() -> None:
    """The control."""
    owners = (BLUE, RED, *(EMPTY,) * 14)
    assert is_at_rest(Board(owners))
    assert not is_at_rest(Board(owners, bytes((0, 1, 0, 0) + (0,) * 60)))


def test_spikes_never_grow_except_by_sharpening() -> None:
    """Neither in sum nor on a side; Pia may turn, Sue sharpens friends beside her once."""
    sharpened = 0
    for match in matches():
        for (before, move, _), (after, _, _) in itertools.pairwise(match):
            old, new = before.game.board, after.game.board
            placed = NUMBERS[move[1:]]
            friends: set[int] = set()
            if new.codes[placed] == SUE:
                beside = (touch.other for touch in TOUCHES[BLUE][placed])
                friends = {s for s in beside if old.owners[s] == before.game.next}
            for square in set(range(SQUARES)) - {placed}:
                was, is_now = sides(old, square), sides(new, square)
                gain = [n > 0 and square in friends for n in was]
                assert sum(is_now) <= sum(was) + sum(gain)
                if new.codes[square] != PIA:
                    assert all(n <= w + g for n, w, g in zip(is_now, was, gain, strict=True))
                sharpened += sum(is_now) > sum(was)
            assert max(new.spikes) <= SPIKES_MAX
    assert sharpened > 20


def test_every_fight_of_a_chain_breaks_a_spike_so_chains_end() -> None:
    """No more fights than spikes; chains of some length do occur."""
    longest = 0
    for match in matches():
        for position, move, facts in match[:-1]:
            fights = sum(fact[0] in "FC" for fact in facts)
            board = turn_of(position.game, int(move[0]) - 1, NUMBERS[move[1:]]).board
            lost = (
                sum(position.game.board.spikes)
                + 4 * SPIKES_MAX * 2  # the new stone, and what Sharpen adds
                - sum(board.spikes)
            )
            assert fights <= lost
            longest = max(longest, sum(fact[0] == "C" for fact in facts))
    assert longest >= 10


def turned_move(move: str) -> str:
    """The same slot, the square turned by 180 degrees."""
    return move[0] + NAMES[SQUARES - 1 - NUMBERS[move[1:]]]


def turned_event(event: str) -> str:
    """An event as it reads after turning the board and swapping the colours."""
    words = [
        NAMES[SQUARES - 1 - NUMBERS[word]]
        if word in NUMBERS
        else {"b": "r", "r": "b"}.get(word, word)
        for word in event.split()
    ]
    if words[0] == "C":  # the lower square comes first
        low, high, met = words[2], words[1], ":".join(reversed(words[3].split(":")))
        words[1:4] = [low, high, met]
    return " ".join(words)


def turned_board(board: Board) -> Board:
    """The board turned by 180 degrees, the colours swapped."""
    spikes = [0] * len(board.spikes)
    for side, number in enumerate(board.spikes):
        square, which = divmod(side, 4)
        spikes[4 * (SQUARES - 1 - square) + (which + 2) % 4] = number

    def flipped(squares: int) -> int:
        return sum(1 << SQUARES - 1 - s for s in range(SQUARES) if squares >> s & 1)

    owners = (owner if owner == EMPTY else 1 - owner for owner in reversed(board.owners))
    codes = tuple(reversed(board.codes))
    return Board(tuple(owners), bytes(spikes), codes, flipped(board.poisoned), flipped(board.spent))


def in_any_order(events: Facts) -> tuple[list[str], list[str]]:
    """Events in order, but what happens square by square at the end of a turn by itself."""
    return [e for e in events if e[0] not in "HP"], sorted(e for e in events if e[0] in "HP")


def test_turning_the_board_and_swapping_colours_commutes_with_the_rules() -> None:
    """The turned match has the turned boards and the turned events."""
    for match in matches()[:150]:
        start = match[0][0]
        data = {
            "form": "run",
            "blue": deck_text(start.decks[1]),
            "red": deck_text(start.decks[0]),
            "first": "rb"[start.game.first],
        }
        position = rules.setup(rules.ruleset(data))
        for (_, move, facts), (after, _, _) in itertools.pairwise(match):
            step = rules.apply(position, turned_move(move))
            position = step.position
            expected = tuple(turned_event(f) for f in facts if not f.startswith("end"))
            found = tuple(f for f in step.facts if not f.startswith("end"))
            assert in_any_order(found) == in_any_order(expected)
            assert position.game.board == turned_board(after.game.board)


def test_the_events_tell_every_change_of_colour() -> None:
    """Replaying the T events alone gives every owner on the board."""
    for match in matches():
        for (before, move, facts), (after, _, _) in itertools.pairwise(match):
            owners = list(before.game.board.owners)
            owners[NUMBERS[move[1:]]] = before.game.next
            for fact in facts:
                if fact.startswith("T "):
                    _, square, colour = fact.split()
                    assert owners[NUMBERS[square]] == 1 - "br".index(colour)
                    owners[NUMBERS[square]] = "br".index(colour)
            assert tuple(owners) == after.game.board.owners


def test_the_dry_run_tells_what_the_turn_does_and_touches_nothing() -> None:
    """Yellow and red are the changes of colour of the whole turn; faded spikes are lost."""
    for match in matches()[:60]:
        for (before, move, facts), (after, _, _) in itertools.pairwise(match):
            text = format_board(before.game.board)
            dry = preview(before, move)
            assert format_board(before.game.board) == text
            mover, placed = before.game.next, move[1:]
            now = {
                name
                for square, name in enumerate(NAMES)
                if after.game.board.owners[square] != before.game.board.owners[square]
            }
            assert set(dry.yellow) == {
                n for n in now - {placed} if after.game.board.owners[NUMBERS[n]] == mover
            }
            assert set(dry.red) == {
                n for n in now if after.game.board.owners[NUMBERS[n]] == 1 - mover
            }
            assert dry.events == tuple(f for f in facts if not f.startswith("end"))
            colour_of_loss = {faded.square for faded in dry.faded}
            for square in set(range(SQUARES)) - {NUMBERS[placed]}:
                less = sum(sides(before.game.board, square)) - sum(sides(after.game.board, square))
                if less > 0:
                    assert NAMES[square] in colour_of_loss
