"""Triangles as its sheet says: rounds, forced draws and passes, ends, options, what is hidden."""

from typing import Any

import pytest
from msgspec.structs import replace

from services.games.contract import BadText, Deal, Over
from services.games.triangles import rules
from services.games.triangles.notation import parse_position
from services.games.triangles.options import VALUES
from services.games.triangles.position import NOBODY, Position, RoundEnd
from services.games.triangles.tiles import NO_TILE, TILES, tiles_in
from services.match import shuffle
from tests.games.triangles_tables import laid, tiles
from tests.kit.playouts import Dice, seeded_rulesets

THREES = "333u0.0"


def code(position: Position, move: str) -> str:
    """The reason against a move, ``ok`` if there is none."""
    objection = rules.objection(position, move)
    return objection.code if objection else "ok"


def dealt(seed: int = 1, **options: Any) -> Position:
    """The first round of a match."""
    position: Position = rules.deal(rules.setup(rules.ruleset(options)), Dice(seed)).position
    return position


def test_the_deal_is_that_of_the_fair_shuffle() -> None:
    """Seat s takes ``a[sH]`` and so on, the rest is the market with the next tile first."""
    key = bytes(range(32))
    deck = shuffle.Stream(key).permutation(56)
    step = rules.deal(rules.setup(rules.ruleset({})), shuffle.Stream(key))
    position = step.position
    assert [tiles_in(hand) for hand in position.hands] == [
        tuple(sorted(deck[:8])),
        tuple(sorted(deck[8:16])),
    ]
    assert position.market == deck[16:]
    named = {
        seat: set(facts[0].removeprefix("hand ").split("+")) for seat, facts in step.private.items()
    }
    assert named == {"A": {TILES[t] for t in deck[:8]}, "B": {TILES[t] for t in deck[8:16]}}


def test_a_deal_says_in_public_who_opens_and_what_is_counted() -> None:
    """§11: opener, reason, qualifying tile, counts; nothing of the hands."""
    step = rules.deal(rules.setup(rules.ruleset({})), Dice(1))
    tile = TILES[step.position.opening.tile]
    seat = rules.awaiting(step.position)
    (fact,) = step.facts
    assert fact == f"round 1 start={seat} reason=triple tile={tile} hands A=8 B=8 market=40"


def test_the_qualifying_tile_comes_first() -> None:
    """§3: the seat that qualifies has no choice of its first tile."""
    position = dealt()
    assert position.opening is not None
    tile = position.opening.tile
    assert rules.moves(position).texts == (f"{TILES[tile]}u0.0",)
    other = next(t for t in tiles_in(position.hands[position.next]) if t != tile)
    assert code(position, f"{TILES[other]}u0.0") == "opening-tile"


def test_with_a_free_opening_the_tile_stays_in_the_hand() -> None:
    """§9, §11: only opener and reason are told, and any tile of the hand can come first."""
    step = rules.deal(rules.setup(rules.ruleset({"opening_tile": "free"})), Dice(1))
    assert step.position.opening.tile == NO_TILE
    assert "tile=-" in step.facts[0]
    assert len(rules.moves(step.position).texts) == 8


def test_the_winner_of_a_round_opens_the_next_with_any_tile() -> None:
    """§3: also where another tile would qualify."""
    position = laid([THREES], (tiles("335"), tiles("000 012 455")), "111")
    ended = rules.apply(position, "335d0.0").position
    assert rules.awaiting(ended) == Deal(2)
    step = rules.deal(ended, Dice(3))
    assert step.facts[0].startswith("round 2 start=A reason=previous-winner tile=- ")
    assert len(rules.moves(step.position).texts) == 8


def test_after_a_round_nobody_won_the_seats_qualify_again() -> None:
    """§3, §10: blocked and level."""
    position = laid([THREES], (tiles("133 555"), tiles("555")), to_move=0)
    ended = rules.apply(position, "133d0.-1").position
    assert ended.end == RoundEnd("blocked", NOBODY, (0, 0))
    assert rules.deal(ended, Dice(3)).position.opening.reason in ("triple", "highest-sum")


@pytest.mark.parametrize(
    ("move", "expected"),
    [
        ("", "notation"),
        ("433d0.-1 ", "notation"),
        ("433D0.-1", "notation"),
        ("433d0,-1", "notation"),
        ("463d0.-1", "notation"),
        ("433d0.-01", "notation"),
        ("433d0.-100", "notation"),
        ("433d0.\u0661", "notation"),
        ("321d0.-1", "no-such-tile"),
        ("555u0.0", "not-in-hand"),
        ("334u0.0", "occupied"),
        ("334u7.7", "no-shared-side"),
        ("334d-1.-1", "no-shared-side"),
        ("343d0.-1", "corner-mismatch"),
        ("433d0.-1", "ok"),
    ],
)
def test_the_first_reason_of_the_sheets_order_is_given(move: str, expected: str) -> None:
    """§5, in its order."""
    position = laid([THREES], (tiles("334"), tiles("000")))
    assert code(position, move) == expected


def test_between_rounds_it_is_nobodys_turn_and_nothing_is_listed() -> None:
    """The next round has to be dealt first."""
    for position in (rules.setup(rules.ruleset({})), blocked()):
        assert isinstance(rules.awaiting(position), Deal)
        assert rules.moves(position).texts == ()
        assert code(position, "333u0.0") == "not-your-turn"
        with pytest.raises(BadText):
            rules.apply(position, "333u0.0")


def test_draws_come_at_once_cost_five_each_and_stop_at_the_first_tile_that_fits() -> None:
    """§4.1: 012 and 045 do not fit, the third tile does, the fourth stays."""
    position = laid([THREES], (tiles("133 000"), tiles("555")), "012 045 334 335")
    step = rules.apply(position, "133d0.-1")
    assert step.facts == ("points A tile=7", "draw B 3")
    assert step.private == {"B": ("draw 012+045+334",)}
    assert step.position.market == (TILES.index("335"),)
    assert step.position.points == (7, -15)


def test_only_the_drawn_tile_that_fits_can_be_placed() -> None:
    """§4.1: its owner chooses where."""
    position = laid([THREES], (tiles("133 000"), tiles("555")), "012 334 335")
    after = rules.apply(position, "133d0.-1").position
    assert after.drawn == 2
    assert {move[:3] for move in rules.moves(after).texts} <= {"334", "343", "433"}
    assert after.points == (7, -10)


def test_without_a_market_a_seat_that_cannot_place_passes_for_ten() -> None:
    """§4.3: and the turn comes back."""
    position = laid([THREES], (tiles("133 334"), tiles("555")))
    step = rules.apply(position, "133d0.-1")
    assert step.facts == ("points A tile=7", "pass B")
    assert rules.awaiting(step.position) == "A"
    assert step.position.points == (7, -10)


def blocked() -> Position:
    """A round that ended blocked: A keeps 000, B 555."""
    position = laid([THREES], (tiles("133 000"), tiles("555")))
    ended: Position = rules.apply(position, "133d0.-1").position
    return ended


def test_a_blocked_round_gives_the_lowest_hand_the_difference() -> None:
    """§7: each has lost ten by its pass; no 25."""
    ended = blocked()
    assert ended.end == RoundEnd("blocked", 0, (15, 0))
    assert ended.points == (7 - 10 + 15, -10)


def test_going_out_ends_the_round_even_when_others_could_go_on() -> None:
    """§7: 25 and the other hands."""
    position = laid([THREES], (tiles("335"), tiles("334 455")), "111")
    step = rules.apply(position, "335d0.0")
    assert step.facts == (
        "points A tile=11",
        "round-end out winner=A end A=49 B=0 points A=60 B=0 totals A=60 B=0 hands A=- B=334+455",
    )


def test_with_many_seats_all_pass_in_succession_and_the_lowest_gets_every_difference() -> None:
    """§9: three seats, hands of 0, 15 and 14."""
    hands = (tiles("133 000"), tiles("555"), tiles("455"))
    step = rules.apply(laid([THREES], hands, players=3), "133d0.-1")
    assert step.facts[1:4] == ("pass B", "pass C", "pass A")
    assert step.position.end == RoundEnd("blocked", 0, (29, 0, 0))
    level = (tiles("133 555"), tiles("555"), tiles("555"))
    ended = rules.apply(laid([THREES], level, players=3), "133d0.-1").position
    assert ended.end == RoundEnd("blocked", NOBODY, (0, 0, 0))


def after_round(totals: tuple[int, ...], rounds: int = 3, **options: Any) -> Position:
    """A match with these totals after a round."""
    ruleset = rules.ruleset({"players": len(totals), **options})
    ended = RoundEnd("out", 0, (0,) * len(totals))
    return replace(rules.setup(ruleset), totals=totals, round=rounds, end=ended)


@pytest.mark.parametrize(
    ("totals", "rounds", "over", "winners"),
    [
        ((399, 120), 3, False, ("A",)),
        ((400, 120), 3, True, ("A",)),
        ((405, 430), 3, True, ("B",)),
        ((430, 430), 3, False, ("A", "B")),
        ((430, 430), 40, True, ("A", "B")),
        ((-30, -20), 40, True, ("B",)),
        ((100, 500, 500, 3), 9, False, ("B", "C")),
    ],
)
def test_the_match_ends_after_a_round_with_one_seat_ahead_at_the_target(
    totals: tuple[int, ...], rounds: int, over: bool, winners: tuple[str, ...]
) -> None:
    """§8: level at the top means another round, and the cap ends it in any case."""
    position = after_round(totals, rounds)
    assert isinstance(rules.awaiting(position), Over) == over
    assert rules.standing(position).winners == winners
    assert (rules.outcome(position) is not None) == over


def test_without_a_cap_a_level_match_goes_on() -> None:
    """§9: ``max_rounds`` 0."""
    position = after_round((430, 430), 90, max_rounds=0)
    assert rules.awaiting(position) == Deal(91)


def test_the_target_in_the_middle_of_a_round_changes_nothing() -> None:
    """§8, §10: the round is played on."""
    position = laid([THREES], (tiles("133 334"), tiles("335 000")))
    rich = replace(position, totals=(900, 0))
    assert rules.awaiting(rules.apply(rich, "133d0.-1").position) == "B"


def test_who_gives_up_ends_the_match_and_totals_stay() -> None:
    """§8: with many seats the highest of the others wins, level is a draw."""
    position = replace(
        laid([THREES], (tiles("133"), tiles("334"), tiles("335")), players=3), totals=(90, 50, 50)
    )
    step = rules.withdraw(position, "A")
    outcome = rules.outcome(step.position)
    assert outcome is not None
    assert (outcome.points, outcome.winners) == ({"A": 90, "B": 50, "C": 50}, ("B", "C"))
    assert step.facts == ()
    with pytest.raises(ValueError, match="cannot leave"):
        rules.withdraw(step.position, "B")
    with pytest.raises(ValueError, match="cannot leave"):
        rules.withdraw(position, "D")


def test_hands_stay_hidden_when_a_match_breaks_off() -> None:
    """§11: only the end of a round opens them."""
    out = rules.withdraw(dealt(), "A").position
    assert rules.view(out, None).hands == (0, 0)


def test_a_view_shows_the_own_hand_and_counts() -> None:
    """§11: for each seat and for strangers."""
    position = dealt(players=3)
    view = rules.view(position, "B")
    assert view.hands == (0, position.hands[1], 0)
    assert view.hidden == (7, 0, 7)
    assert (view.market, view.unseen) == ((), 35)
    assert rules.view(position, None).hidden == (7, 7, 7)
    assert rules.moves(rules.view(position, None)).texts == ()


def test_a_tile_counts_nothing_where_only_bonuses_do() -> None:
    """§9: ``score_placement``."""
    position = laid([THREES], (tiles("133 000"), tiles("334 000")), score_placement=False)
    assert rules.apply(position, "133d0.-1").facts[0] == "points A tile=0"


@pytest.mark.parametrize(
    "data",
    [
        {"target": 300},
        {"target": True},
        {"target": "400"},
        {"hand_size": 6},
        {"hand_size": 17},
        {"hand_size": 8.0},
        {"players": 5},
        {"score_placement": 1},
        {"opening_tile": "any"},
        {"max_rounds": -1},
        {"max_rounds": [1]},
        {"bridges": True},
    ],
)
def test_a_ruleset_that_is_not_in_the_sheet_is_refused(data: dict[str, Any]) -> None:
    """§9: options and values are those of the sheet, nothing else."""
    with pytest.raises(BadText):
        rules.ruleset(data)


def test_three_and_four_seats_are_dealt_seven_whatever_is_asked() -> None:
    """§9: four hands of sixteen would be more than there is."""
    for players in (3, 4):
        assert rules.ruleset({"players": players, "hand_size": 16}).hand_size == 7


def test_every_value_of_every_option_is_in_some_ruleset_of_the_seeds() -> None:
    """§9: players can reach all of them; of caps the usual one and none."""
    whole = [rules.ruleset_data(rules.ruleset(d)) for d in seeded_rulesets("triangles").values()]
    for name, values in VALUES.items():
        wanted = (0, 40) if name == "max_rounds" else values
        assert {data[name] for data in whole} >= set(wanted)


@pytest.mark.parametrize(
    "facts",
    [
        (),
        ("points A tile=8", "draw B 2"),
        ("points A tile=7", "draw B 99"),
        ("points A tile=7", "draw A 2"),
        ("points A tile=7", "draw B 2", "pass C"),
        ("points A tile=7", "draw B 2", "pass B", "pass A"),
        ("points A tile=7", "draw B 2", "draw B 2"),
        ("points A tile=7", "pass B", "pass A", "round-end out hands A=000 B=555 C=-"),
        ("points A tile=7", "pass B", "pass A", "round-end out hands A=- B=555"),
        ("points A tile=7", "pass B", "pass A", "round-end out hands A=000 B=556"),
    ],
)
def test_recorded_facts_that_do_not_follow_are_refused(facts: tuple[str, ...]) -> None:
    """A record that says too much, too little, or another thing is no record."""
    position = laid([THREES], (tiles("133 000"), tiles("555")), "012 334 335")
    with pytest.raises(BadText):
        rules.apply(rules.view(position, None), "133d0.-1", facts)


@pytest.mark.parametrize(
    "facts",
    [
        None,
        (),
        ("round 1 start=C reason=triple tile=222 hands A=8 B=8 market=40",),
        ("round 1 start=A reason=luck tile=222 hands A=8 B=8 market=40",),
        ("round 1 start=A reason=triple tile=321 hands A=8 B=8 market=40",),
        ("round 2 start=A reason=triple tile=222 hands A=8 B=8 market=40",),
        ("round 1 start=A reason=triple tile=222 hands A=9 B=8 market=40",),
    ],
)
def test_recorded_facts_of_a_deal_are_checked_too(facts: tuple[str, ...] | None) -> None:
    """They have to be those of this deal, in their one spelling."""
    with pytest.raises(BadText):
        rules.deal(rules.setup(rules.ruleset({})), None, facts)


def test_what_is_hidden_is_not_guessed() -> None:
    """Without recorded facts a view cannot be played on: draws depend on what it hides."""
    position = laid([THREES], (tiles("133 000"), tiles("555")), "012 334")
    with pytest.raises(BadText, match="hidden"):
        rules.apply(rules.view(position, "A"), "133d0.-1")
    with pytest.raises(BadText, match="does not hold"):
        rules.apply(position, "334d0.-1")


def test_an_imagined_hand_keeps_what_the_table_told() -> None:
    """§11: a seat that drew held nothing that fitted; the qualifying triple was the largest."""
    position = dealt(4)
    dice, asked = Dice(4), 0
    while isinstance(seat := rules.awaiting(position), str):
        view = rules.view(position, "A")
        last = [n for n, turn in enumerate(view.turns) if turn.seat == 1 and turn.drawn]
        if view.opening and view.opening.reason == "triple" and seat == "B" and not last:
            larger = [
                t
                for t in tiles_in(rules.imagine(view, dice).hands[1])
                if len(set(TILES[t])) == 1 and t > view.opening.tile
            ]
            assert not larger
        if last and seat == "A":
            before = laid([p.text for p in view.placed[: last[-1]]], (0, 0)).layout
            for seed in range(3):
                assert not rules.imagine(view, Dice(seed)).hands[1] & before.playable()
                asked += 1
        moves = rules.moves(position).texts
        position = rules.apply(position, moves[dice.below(len(moves))]).position
    assert asked


def test_a_position_made_by_hand_that_no_deal_fits_is_still_filled() -> None:
    """The history cannot be kept then; counts are."""
    line = (
        "triangles target=400 hand_size=16 score_placement=true opening_tile=qualifying"
        " bridge_two_sides=false max_rounds=40 players=2 round=1 totals=0,0 start=A reason=triple"
        " tile=000 turns=- A=?16 B=?16 market=?24 out=-"
    )
    view = parse_position(line)
    full = rules.imagine(view, Dice(1))
    assert rules.view(full, None) == view
    assert rules.census(full) == rules.census(view)
