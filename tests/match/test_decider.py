"""What a match allows, whose turn it is, and what is refused: given, when, then."""

from msgspec.structs import replace

from events import event_kinds as kinds
from services.games.registry import Registry
from services.match import commands as cmd
from services.match.clock import GRACE_S, SECOND_US
from tests.kit.given import (
    ANN_AT_A,
    BOB_AT_B,
    BOTH_VERSIONS,
    COMPUTER_AT_B,
    CREATED,
    GUEST,
    HOST,
    SEED,
    STARTED,
    TWO_PEOPLE,
    WITH_COMPUTER,
    Given,
    played,
)
from tests.kit.nim import NIM, Heap, NimRules

A_WINS = kinds.MatchEnded(how="points", points={"A": 1, "B": 0}, winners=("A",), parts={"left": 0})


class TestOpening:
    """Before the start: seats come and go."""

    def test_creating_writes_the_whole_ruleset_and_the_commitment(self) -> None:
        """The first event holds every default and the seed's commitment, never the seed."""
        given = Given().when(cmd.CreateMatch(game="nim"))

        given.then(CREATED)
        assert SEED.hex() not in repr(given.state)

    def test_a_match_is_created_once(self) -> None:
        """A second creation under the same id is refused."""
        Given(CREATED).when(cmd.CreateMatch(game="nim")).refused("match-exists")

    def test_an_unknown_game_is_refused_with_the_known_ones(self) -> None:
        """The refusal tells which games there are."""
        refusal = Given().when(cmd.CreateMatch(game="go")).refused("no-such-game")

        assert refusal.details == {"games": ("nim",)}

    def test_an_unknown_option_is_refused(self) -> None:
        """A typing error in the options never becomes a default in silence."""
        Given().when(cmd.CreateMatch(game="nim", ruleset={"heaps": 3})).refused("bad-ruleset")

    def test_the_first_free_seat_is_given_where_none_is_named(self) -> None:
        """B is the first free seat once A is taken."""
        Given(CREATED, ANN_AT_A).when(cmd.TakeSeat(), GUEST).then(BOB_AT_B)

    def test_a_taken_seat_stays_taken(self) -> None:
        """Nobody is pushed from a seat."""
        Given(CREATED, ANN_AT_A).when(cmd.TakeSeat(seat="A"), GUEST).refused("seat-taken")

    def test_a_match_has_only_its_own_seats(self) -> None:
        """Seat C does not exist in a match of two."""
        Given(CREATED).when(cmd.TakeSeat(seat="C")).refused("no-such-seat")

    def test_only_the_host_seats_computers(self) -> None:
        """A guest cannot fill the match with machines."""
        Given(CREATED).when(cmd.TakeSeat(seat="B", level=1), GUEST).refused("not-the-host")
        Given(CREATED).when(cmd.TakeSeat(seat="B", level=1), HOST).then(COMPUTER_AT_B)

    def test_nobody_takes_a_seat_for_somebody_else(self) -> None:
        """The player named has to be the one who asks; the server has no body to sit with."""
        take = cmd.TakeSeat(seat="A", player="p-ann")

        Given(CREATED).when(take, GUEST).refused("not-yourself")
        Given(CREATED).when(cmd.TakeSeat(seat="A"), "server").refused("not-yourself")

    def test_a_seat_is_left_by_its_holder_or_cleared_by_the_host(self) -> None:
        """Anybody else is refused, and an empty seat cannot be left."""
        given = Given(CREATED, BOB_AT_B)
        left = kinds.SeatLeft(seat="B")

        given.when(cmd.LeaveSeat(seat="B"), GUEST).then(left)
        given.when(cmd.LeaveSeat(seat="B"), HOST).then(left)
        given.when(cmd.LeaveSeat(seat="B"), "player:p-eve").refused("not-your-seat")
        given.when(cmd.LeaveSeat(seat="A"), HOST).refused("seat-free")

    def test_a_match_starts_when_every_seat_is_taken(self) -> None:
        """The host or a seated player starts it; free seats are named."""
        refusal = Given(CREATED, ANN_AT_A).when(cmd.StartMatch()).refused("seats-free")
        full = Given(CREATED, ANN_AT_A, BOB_AT_B)

        assert refusal.details == {"free": ("B",)}
        full.when(cmd.StartMatch(), GUEST).then(STARTED)
        full.when(cmd.StartMatch(), "player:p-eve").refused("not-seated")

    def test_seats_are_closed_after_the_start(self) -> None:
        """Nobody joins or leaves a running match."""
        Given(*TWO_PEOPLE).when(cmd.TakeSeat(), "player:p-eve").refused("not-open")
        Given(*TWO_PEOPLE).when(cmd.LeaveSeat(seat="A")).refused("not-open")

    def test_calling_off_opens_the_seed(self) -> None:
        """A cancelled match reveals its seed like every other end (fair shuffle §2, step 8)."""
        given = Given(CREATED).when(cmd.CancelMatch())

        given.then(kinds.MatchEnded(how="cancelled", points={}, winners=()))
        assert isinstance(given._answer, tuple)
        ended = given._answer[0]
        assert isinstance(ended, kinds.MatchEnded)
        assert ended.server_seed == SEED.hex()


class TestPlaying:
    """One move at a time, by whom it is due, at the turn it was made for."""

    def test_a_move_is_recorded_in_its_canonical_text(self) -> None:
        """Blanks typed by a person do not reach the log."""
        move = cmd.PlayMove(seat="A", move=" 2 ", expected_turn=0)

        Given(*TWO_PEOPLE).when(move).then(played(1, "A", "2"))

    def test_the_last_move_brings_the_result_in_the_same_decision(self) -> None:
        """There is no moment in which play is over and the match is not."""
        given = Given(*TWO_PEOPLE, played(1, "A", "2"), played(2, "B", "1"))

        given.when(cmd.PlayMove(seat="A", move="2", expected_turn=2)).then(
            played(3, "A", "2", "heap gone"), A_WINS
        )

    def test_a_move_for_another_turn_is_stale_and_learns_the_turn(self) -> None:
        """An old page cannot play into a new position."""
        given = Given(*TWO_PEOPLE, played(1, "A", "2"), played(2, "B", "1"))
        refusal = given.when(cmd.PlayMove(seat="A", move="1", expected_turn=0)).refused(
            "stale-turn"
        )

        assert refusal.details == {"turn": 2}

    def test_only_the_awaited_seat_moves(self) -> None:
        """The other seat is told whose turn it is."""
        move = cmd.PlayMove(seat="B", move="1", expected_turn=0)

        refusal = Given(*TWO_PEOPLE).when(move, GUEST).refused("not-your-turn")
        assert refusal.details == {"to_move": "A"}

    def test_nobody_moves_for_another_seat(self) -> None:
        """Not another player, not a stranger, not a person for a computer or the reverse."""
        a_move = cmd.PlayMove(seat="A", move="1", expected_turn=0)
        b_move = cmd.PlayMove(seat="B", move="1", expected_turn=1)
        after_a = Given(*WITH_COMPUTER, played(1, "A", "1"))

        Given(*TWO_PEOPLE).when(a_move, GUEST).refused("not-your-seat")
        Given(*TWO_PEOPLE).when(a_move, "computer:A").refused("not-your-seat")
        after_a.when(b_move, HOST).refused("not-your-seat")
        after_a.when(b_move, "player:").refused("not-your-seat")
        after_a.when(b_move, "computer:B").then(played(2, "B", "1"))

    def test_the_rules_reason_is_passed_on(self) -> None:
        """The game's own code and sentence reach the player."""
        move = cmd.PlayMove(seat="A", move="4", expected_turn=0)

        Given(*TWO_PEOPLE).when(move).refused("not-a-take")

    def test_nothing_is_played_before_the_start_or_after_the_end(self) -> None:
        """Both are told apart."""
        move = cmd.PlayMove(seat="A", move="1", expected_turn=0)

        Given(CREATED, ANN_AT_A).when(move).refused("not-started")
        Given(*TWO_PEOPLE, A_WINS).when(move).refused("match-over")

    def test_resigning_ends_a_match_of_two(self) -> None:
        """The seat that is left wins."""
        won = kinds.MatchEnded(
            how="resign", points={"A": 0, "B": 1}, winners=("B",), parts={"left": 5}
        )

        Given(*TWO_PEOPLE).when(cmd.Resign(seat="A")).then(
            kinds.SeatResigned(turn=1, seat="A"), won
        )

    def test_rules_versions_are_pinned_by_the_match(self) -> None:
        """Taking 3 is legal in version 2 only; an old match goes on under version 1."""
        take_3 = cmd.PlayMove(seat="A", move="3", expected_turn=0)
        new = replace(CREATED, rules_version=2)

        Given().when(cmd.CreateMatch(game="nim")).then(CREATED)
        Given(games=BOTH_VERSIONS).when(cmd.CreateMatch(game="nim")).then(new)
        Given(*TWO_PEOPLE, games=BOTH_VERSIONS).when(take_3).refused("not-a-take")
        Given(new, *TWO_PEOPLE[1:], games=BOTH_VERSIONS).when(take_3).then(played(1, "A", "3"))


class TestTime:
    """A flag falls only after deadline and grace, by when a move was received."""

    timed = replace(CREATED, per_move_s=86_400)
    deadline = 86_400 * SECOND_US
    flag = deadline + GRACE_S * SECOND_US

    def test_a_move_received_within_the_grace_counts(self) -> None:
        """Judged by when it was received, not by when it was handled."""
        move = cmd.PlayMove(seat="A", move="1", expected_turn=0)
        given = Given(self.timed, *TWO_PEOPLE[1:])

        given.when(move, at=self.flag).then(played(1, "A", "1"))
        given.when(move, at=self.flag + 1).refused("time-over")

    def test_time_is_called_only_past_the_flag(self) -> None:
        """Then the seat is out as if it had resigned, and the reason is time."""
        given = Given(self.timed, *TWO_PEOPLE[1:])
        lost = kinds.MatchEnded(
            how="time", points={"A": 0, "B": 1}, winners=("B",), parts={"left": 5}
        )

        given.when(cmd.CallTime(seat="A"), "server", self.flag).refused("time-not-over")
        given.when(cmd.CallTime(seat="B"), "server", self.flag + 1).refused("time-not-over")
        given.when(cmd.CallTime(seat="A"), "server", self.flag + 1).then(
            kinds.SeatTimedOut(turn=1, seat="A"), lost
        )

    def test_a_match_without_a_clock_never_times_out(self) -> None:
        """However long it takes."""
        Given(*TWO_PEOPLE).when(cmd.CallTime(seat="A"), "server", 10**18).refused("time-not-over")

    def test_a_computer_has_no_flag(self) -> None:
        """Its delay is the server's own."""
        given = Given(self.timed, ANN_AT_A, COMPUTER_AT_B, STARTED, played(1, "A", "1"))

        given.when(cmd.CallTime(seat="B"), "server", 10**18).refused("time-not-over")


class TestImporting:
    """A record comes in whole or not at all."""

    def test_a_record_becomes_one_decision(self) -> None:
        """First event, moves with their facts, and the result by the rules."""
        given = Given().when(cmd.ImportMatch(game="nim", ruleset={}, moves=("2", "1", "2")))

        assert isinstance(given._answer, tuple)
        first = given._answer[0]
        assert isinstance(first, kinds.MatchImported)
        given.then(
            first,
            played(1, "A", "2"),
            played(2, "B", "1"),
            played(3, "A", "2", "heap gone"),
            A_WINS,
        )

    def test_a_bad_move_refuses_the_whole_record(self) -> None:
        """The refusal names the ply."""
        record = cmd.ImportMatch(game="nim", ruleset={}, moves=("2", "9"))

        assert Given().when(record).refused("not-a-take").details["ply"] == 2

    def test_moves_after_the_end_refuse_the_record(self) -> None:
        """A record longer than its game is damaged."""
        record = cmd.ImportMatch(game="nim", ruleset={}, moves=("2", "1", "2", "1"))

        Given().when(record).refused("match-over")

    def test_a_record_that_stops_early_is_unfinished(self) -> None:
        """It has points as they stand and no winners."""
        given = Given().when(cmd.ImportMatch(game="nim", ruleset={}, moves=("2",)))

        assert isinstance(given._answer, tuple)
        ended = given._answer[-1]
        assert isinstance(ended, kinds.MatchEnded)
        assert (ended.how, ended.winners) == ("unfinished", ())

    def test_a_start_that_waits_for_ever_is_refused(self) -> None:
        """An empty heap with somebody still to move is no position to play from."""

        class Stuck(NimRules):
            def awaiting(self, position: Heap) -> str:
                return position.seat

        stuck = Registry([replace(NIM, rules=Stuck(1, 2))])
        record = cmd.ImportMatch(game="nim", ruleset={}, moves=(), start="0:A:B::2")

        Given(games=stuck).when(record).refused("bad-record")

    def test_the_same_record_is_already_here(self) -> None:
        """A second import changes nothing and says so."""
        given = Given().when(cmd.ImportMatch(game="nim", ruleset={}, moves=("2",)))
        assert isinstance(given._answer, tuple)

        again = Given(*given._answer).when(cmd.ImportMatch(game="nim", ruleset={}, moves=("2",)))
        again.refused("already-here")


def test_no_command_reaches_a_match_twice_over() -> None:
    """A state is a value: deciding leaves it as it was."""
    given = Given(*TWO_PEOPLE)
    before = repr(given.state)

    given.when(cmd.PlayMove(seat="A", move="2", expected_turn=0))
    given.when(cmd.MakeOffer(offer="draw", seat="A"))

    assert repr(given.state) == before
