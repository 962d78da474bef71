"""What always holds in Caltrop (sheet §4.2), as checks of one match of any decks."""

from collections.abc import Iterator, Sequence

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
from services.games.caltrop.position import Game, turn_of
from services.games.caltrop.preview import preview
from services.games.caltrop.stones import PIA, SPIKES_MAX, SUE
from services.games.caltrop.turn import is_at_rest
from services.games.contract import Facts
from tests.kit.playouts import Turn


def sides(board: Board, square: int) -> tuple[int, ...]:
    """The spikes of a stone, north, east, south, west."""
    return tuple(board.spikes[4 * square : 4 * square + 4])


def placements(match: Sequence[Turn]) -> Iterator[tuple[Turn, Game, Game]]:
    """Every turn with its game before and after it; the draw of who begins is none."""
    for turn in match:
        if turn.move:
            number = len(turn.position.games) - 1
            yield turn, turn.position.game, turn.step.position.games[number]


def a_game_is_sixteen_placements_and_one_square_each(match: Sequence[Turn]) -> None:
    """After n turns exactly n squares are occupied; after the sixteenth there is a result."""
    for turn, before, after in placements(match):
        assert sum(owner != EMPTY for owner in before.board.owners) == len(before.moves)
        assert sum(owner != EMPTY for owner in after.board.owners) == len(before.moves) + 1
        assert any(fact.startswith("end ") for fact in turn.step.facts) == after.is_over
    games = match[-1].step.position.games
    assert sum(len(game.moves) for game in games) == SQUARES * len(games)


def no_enemies_touch_with_a_spike_between_them(match: Sequence[Turn]) -> None:
    """The resting rule, read off the board square by square."""
    for _, _, after in placements(match):
        board = after.board
        assert is_at_rest(board)
        for square in range(SQUARES):
            for touch in TOUCHES[BLUE][square]:
                if {board.owners[square], board.owners[touch.other]} == {BLUE, RED}:
                    assert not board.spikes[touch.own] + board.spikes[touch.facing]


def spikes_never_grow_except_by_sharpening(match: Sequence[Turn]) -> None:
    """Neither in sum nor on a side; Pia may turn, Sue sharpens friends beside her once."""
    for turn, before, after in placements(match):
        old, new = before.board, after.board
        placed = NUMBERS[turn.move[1:]]
        friends: set[int] = set()
        if new.codes[placed] == SUE:
            beside = (touch.other for touch in TOUCHES[BLUE][placed])
            friends = {square for square in beside if old.owners[square] == before.next}
        for square in set(range(SQUARES)) - {placed}:
            was, is_now = sides(old, square), sides(new, square)
            gain = [n > 0 and square in friends for n in was]
            assert sum(is_now) <= sum(was) + sum(gain)
            if new.codes[square] != PIA:
                assert all(n <= w + g for n, w, g in zip(is_now, was, gain, strict=True))
        assert max(new.spikes) <= SPIKES_MAX


def every_fight_breaks_a_spike_so_chains_end(match: Sequence[Turn]) -> None:
    """No more fights in a turn than spikes are gone after it."""
    for turn, before, _ in placements(match):
        fights = sum(fact[0] in "FC" for fact in turn.step.facts)
        board = turn_of(before, int(turn.move[0]) - 1, NUMBERS[turn.move[1:]]).board
        added = 4 * SPIKES_MAX * 2  # the new stone, and what Sharpen adds
        assert fights <= sum(before.board.spikes) + added - sum(board.spikes)


def the_events_tell_every_change_of_colour(match: Sequence[Turn]) -> None:
    """Replaying the T events alone gives every owner on the board."""
    for turn, before, after in placements(match):
        owners = list(before.board.owners)
        owners[NUMBERS[turn.move[1:]]] = before.next
        for fact in turn.step.facts:
            if fact.startswith("T "):
                _, square, colour = fact.split()
                assert owners[NUMBERS[square]] == 1 - "br".index(colour)
                owners[NUMBERS[square]] = "br".index(colour)
        assert tuple(owners) == after.board.owners


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
    told = [event for event in events if not event.startswith("end")]
    return [e for e in told if e[0] not in "HP"], sorted(e for e in told if e[0] in "HP")


def turning_the_board_and_swapping_colours_commutes(match: Sequence[Turn]) -> None:
    """Game by game, the turned match has the turned boards and the turned events."""
    for turn, before, after in placements(match):
        if not before.moves:
            blue, red = before.decks
            turned = {"blue": deck_text(red), "red": deck_text(blue), "first": "rb"[before.first]}
            position = rules.setup(rules.ruleset({"form": "run", **turned}))
        step = rules.apply(position, turned_move(turn.move))
        expected = tuple(map(turned_event, turn.step.facts))
        assert in_any_order(step.facts) == in_any_order(expected)
        position = step.position
        assert position.game.board == turned_board(after.board)


def the_dry_run_tells_what_the_turn_does(match: Sequence[Turn]) -> None:
    """§10: yellow and red are the changes of colour of the whole turn; faded spikes are lost."""
    for turn, before, after in placements(match):
        text = format_board(before.board)
        dry = preview(turn.position, turn.move)
        assert format_board(before.board) == text
        mover, placed = before.next, turn.move[1:]
        owners = dict(zip(NAMES, after.board.owners, strict=True))
        now = {name for name in NAMES if owners[name] != before.board.owners[NUMBERS[name]]}
        assert set(dry.yellow) == {name for name in now - {placed} if owners[name] == mover}
        assert set(dry.red) == {name for name in now if owners[name] == 1 - mover}
        assert dry.events == tuple(f for f in turn.step.facts if not f.startswith("end"))
        faded = {one.square for one in dry.faded}
        for name in set(NAMES) - {placed}:
            square = NUMBERS[name]
            less = sum(sides(before.board, square)) - sum(sides(after.board, square))
            assert less <= 0 or name in faded


LAWS = (
    a_game_is_sixteen_placements_and_one_square_each,
    no_enemies_touch_with_a_spike_between_them,
    spikes_never_grow_except_by_sharpening,
    every_fight_breaks_a_spike_so_chains_end,
    the_events_tell_every_change_of_colour,
    turning_the_board_and_swapping_colours_commutes,
    the_dry_run_tells_what_the_turn_does,
)


def sharpens(match: Sequence[Turn]) -> bool:
    """Whether a stone that lay there has more spikes after a turn than before it."""
    return any(
        before.board.owners[square] != EMPTY
        and sum(sides(after.board, square)) > sum(sides(before.board, square))
        for _, before, after in placements(match)
        for square in range(SQUARES)
    )


def has(event: str, times: int, match: Sequence[Turn]) -> bool:
    """Whether an event happens so often in one turn."""
    return any(sum(f[0] == event for f in turn.step.facts) >= times for turn in match)


SIGHTS = {
    "Sue sharpens": sharpens,
    "a chain of ten fights": lambda match: has("C", 10, match),
    "luck": lambda match: has("L", 1, match),
    "a slip": lambda match: has("S", 1, match),
    "a cure": lambda match: has("H", 1, match),
    "poison that works": lambda match: has("P", 1, match),
    "two games": lambda match: len(match[-1].step.position.games) > 1,
    "a draw of who begins": lambda match: not match[0].move,
}
