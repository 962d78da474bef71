"""Draws, takebacks and abandoning: only by consent, at most one offer a seat and turn."""

from msgspec.structs import replace

from events import event_kinds as kinds
from services.match import commands as cmd
from services.match.folding import evolve
from tests.kit.given import (
    CREATED,
    GUEST,
    HOST,
    TWO_PEOPLE,
    WITH_COMPUTER,
    Given,
    played,
)

DRAW_OFFERED = kinds.OfferMade(offer="draw", seat="A")
DRAWN = kinds.MatchEnded(how="draw", points={"A": 0, "B": 0}, winners=("A", "B"), parts={"left": 5})


def test_a_draw_needs_the_other_seat() -> None:
    """The offer alone changes nothing; the yes ends the match, all share it."""
    yes = cmd.AnswerOffer(offer="draw", seat="B", yes=True)

    Given(*TWO_PEOPLE).when(cmd.MakeOffer(offer="draw", seat="A")).then(DRAW_OFFERED)
    Given(*TWO_PEOPLE, DRAW_OFFERED).when(yes, GUEST).then(
        kinds.OfferAnswered(offer="draw", seat="B", yes=True), DRAWN
    )


def test_a_no_ends_the_offer_and_it_cannot_be_repeated_in_the_same_turn() -> None:
    """Nobody is worn down by a stream of offers."""
    no = kinds.OfferAnswered(offer="draw", seat="B", yes=False)
    declined = Given(*TWO_PEOPLE, DRAW_OFFERED, no)

    assert declined.state.offers == ()
    declined.when(cmd.MakeOffer(offer="draw", seat="A")).refused("offer-repeated")
    declined.when(cmd.AnswerOffer(offer="draw", seat="B", yes=True), GUEST).refused("no-such-offer")


def test_an_offer_lapses_with_the_next_move() -> None:
    """Whoever plays on has declined; then it may be offered again."""
    moved_on = Given(*TWO_PEOPLE, DRAW_OFFERED, played(1, "A", "1"))

    assert moved_on.state.offers == ()
    moved_on.when(cmd.MakeOffer(offer="draw", seat="A")).then(DRAW_OFFERED)


def test_chatter_leaves_the_turn_alone() -> None:
    """An offer counts as a version, not as a turn: no move becomes stale by it."""
    before = Given(*TWO_PEOPLE).state
    after = evolve(before, DRAW_OFFERED)

    assert (after.version, after.turn) == (before.version + 1, before.turn)


def test_an_open_offer_is_answered_not_offered_back() -> None:
    """The same offer from the other side is told to answer."""
    open_offer = Given(*TWO_PEOPLE, DRAW_OFFERED)

    open_offer.when(cmd.MakeOffer(offer="draw", seat="B"), GUEST).refused("offer-open")
    open_offer.when(cmd.AnswerOffer(offer="draw", seat="A", yes=True)).refused("not-asked")


def test_a_computer_declines_a_draw_at_once() -> None:
    """The answer is in the same append."""
    Given(*WITH_COMPUTER).when(cmd.MakeOffer(offer="draw", seat="A")).then(
        DRAW_OFFERED, kinds.OfferAnswered(offer="draw", seat="B", yes=False)
    )


def test_a_computer_agrees_to_abandon_at_once() -> None:
    """Nobody wins an abandoned match."""
    Given(*WITH_COMPUTER).when(cmd.MakeOffer(offer="abandon", seat="A")).then(
        kinds.OfferMade(offer="abandon", seat="A"),
        kinds.OfferAnswered(offer="abandon", seat="B", yes=True),
        kinds.MatchEnded(how="abandoned", points={"A": 0, "B": 0}, winners=(), parts={"left": 5}),
    )


def test_a_takeback_after_the_computers_answer_takes_both_moves() -> None:
    """Without a turn named, the match goes back to before the seat's own last move."""
    given = Given(*WITH_COMPUTER, played(1, "A", "1"), played(2, "B", "1"))
    offer = kinds.OfferMade(offer="takeback", seat="A", to_turn=0)
    yes = kinds.OfferAnswered(offer="takeback", seat="B", yes=True)
    back = kinds.TakenBack(turn=3, to_turn=0)

    given.when(cmd.MakeOffer(offer="takeback", seat="A")).then(offer, yes, back)
    state = Given(*WITH_COMPUTER, played(1, "A", "1"), played(2, "B", "1"), offer, yes, back).state
    assert (state.turn, state.ply, state.to_move(), state.position) == (3, 0, "A", state.start)


def test_a_takeback_can_name_any_turn_of_the_line_that_stands() -> None:
    """Turn numbers go on counting, so a turn that was taken back is gone for good."""
    back = kinds.TakenBack(turn=3, to_turn=1)
    given = Given(*TWO_PEOPLE, played(1, "A", "1"), played(2, "B", "1"), back, played(4, "B", "2"))

    assert [ply.turn for ply in given.state.line] == [1, 4]
    gone = given.when(cmd.MakeOffer(offer="takeback", seat="A", to_turn=2))
    assert gone.refused("no-such-turn").details == {"turns": [0, 1]}
    given.when(cmd.MakeOffer(offer="takeback", seat="A", to_turn=1)).then(
        kinds.OfferMade(offer="takeback", seat="A", to_turn=1)
    )


def test_there_is_nothing_to_take_back_before_the_first_move() -> None:
    """Neither by default nor by naming the turn that stands."""
    given = Given(*TWO_PEOPLE)

    given.when(cmd.MakeOffer(offer="takeback", seat="A")).refused("nothing-to-take-back")
    given.when(cmd.MakeOffer(offer="takeback", seat="A", to_turn=0)).refused("nothing-to-take-back")


def test_a_rated_match_has_no_takebacks() -> None:
    """Otherwise a loss could be argued away."""
    rated = replace(CREATED, rated=True)
    given = Given(rated, *TWO_PEOPLE[1:], played(1, "A", "1"))

    given.when(cmd.MakeOffer(offer="takeback", seat="A")).refused("takeback-rated")


def test_no_takeback_goes_behind_a_resignation() -> None:
    """A seat that gave up stays out."""
    three = replace(CREATED, ruleset={"heap": 9, "seats": 3}, seats=3)
    seated = (*TWO_PEOPLE[1:3], kinds.SeatTaken(seat="C", player="p-cat"), TWO_PEOPLE[3])
    given = Given(
        three,
        *seated,
        played(1, "A", "1"),
        kinds.SeatResigned(turn=2, seat="B"),
        played(3, "C", "1"),
    )

    back = cmd.MakeOffer(offer="takeback", seat="C", to_turn=1)
    given.when(back, "player:p-cat").refused("no-such-turn")
    given.when(cmd.MakeOffer(offer="takeback", seat="C"), "player:p-cat").then(
        kinds.OfferMade(offer="takeback", seat="C", to_turn=2)
    )


def test_a_seat_that_gave_up_has_no_say() -> None:
    """With B out, the agreement of A and C is enough."""
    three = replace(CREATED, ruleset={"heap": 9, "seats": 3}, seats=3)
    seated = (*TWO_PEOPLE[1:3], kinds.SeatTaken(seat="C", player="p-cat"), TWO_PEOPLE[3])
    resigned = kinds.SeatResigned(turn=1, seat="B")
    given = Given(three, *seated, resigned, DRAW_OFFERED)
    yes = cmd.AnswerOffer(offer="draw", seat="C", yes=True)

    given.when(cmd.MakeOffer(offer="draw", seat="B"), GUEST).refused("seat-out")
    given.when(cmd.AnswerOffer(offer="draw", seat="B", yes=False), GUEST).refused("not-asked")
    drawn = given.when(yes, "player:p-cat")._answer
    assert isinstance(drawn, tuple)
    assert isinstance(drawn[-1], kinds.MatchEnded)
    assert drawn[-1].winners == ("A", "C")


def test_whoever_holds_several_seats_answers_for_all_of_them() -> None:
    """The offer is their yes for every seat of theirs: only the others are asked."""
    three = replace(CREATED, ruleset={"heap": 9, "seats": 3}, seats=3)
    ann_twice = (TWO_PEOPLE[1], TWO_PEOPLE[2], kinds.SeatTaken(seat="C", player="p-ann"))
    given = Given(three, *ann_twice, TWO_PEOPLE[3])
    offered = Given(three, *ann_twice, TWO_PEOPLE[3], DRAW_OFFERED)

    given.when(cmd.MakeOffer(offer="draw", seat="A")).then(DRAW_OFFERED)
    offered.when(cmd.AnswerOffer(offer="draw", seat="C", yes=True)).refused("not-asked")
    agreed = offered.when(cmd.AnswerOffer(offer="draw", seat="B", yes=True), GUEST)._answer
    assert isinstance(agreed, tuple)
    assert isinstance(agreed[-1], kinds.MatchEnded)
    assert agreed[-1].winners == ("A", "B", "C")


def test_whoever_plays_alone_needs_nobodys_consent() -> None:
    """Both seats are theirs: the offer is agreed as it is made."""
    alone = Given(CREATED, TWO_PEOPLE[1], kinds.SeatTaken(seat="B", player="p-ann"), TWO_PEOPLE[3])

    alone.when(cmd.MakeOffer(offer="draw", seat="A")).then(DRAW_OFFERED, DRAWN)


def test_only_the_seats_holder_offers() -> None:
    """Nobody speaks for another seat."""
    Given(*TWO_PEOPLE).when(cmd.MakeOffer(offer="draw", seat="B"), HOST).refused("not-your-seat")
