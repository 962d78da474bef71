"""The arithmetic of the solo game (sheet §7): rosters, growth, rewards, collections."""

import tomllib
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.games.caltrop.collection import (
    NOTHING,
    Collection,
    after_run,
    choice_objection,
    gained,
    starter,
    with_deck,
    with_new_stone,
    with_upgrade,
)
from services.games.caltrop.decks import (
    STARTER,
    deck_objection,
    deck_text,
    read_deck,
    upgradable,
    upgrade_offer,
)
from services.games.caltrop.growth import Difficulty, deck_after, grown, read_difficulties
from services.games.caltrop.opponents import Opponent, read_roster
from services.games.caltrop.rewards import (
    BOSS,
    MATCHES,
    draw,
    drawn_stone,
    new_stone_weights,
    places_first,
    run_order,
)
from services.games.caltrop.stones import KINDS, STONES, stone
from services.games.contract import BadText
from tests.kit.playouts import Dice
from tests.kit.tree import ROOT

SEEDS = ROOT / "seeds" / "caltrop"


def roster() -> tuple[Opponent, ...]:
    """The opponents of the seeds."""
    text = (SEEDS / "rosters" / "opponents.toml").read_text(encoding="utf-8")
    return read_roster(tomllib.loads(text))


def difficulties() -> dict[str, Difficulty]:
    """The difficulties of the seeds."""
    text = (SEEDS / "difficulties.toml").read_text(encoding="utf-8")
    return dict(read_difficulties(tomllib.loads(text)))


class Fixed:
    """Chance that is given by hand: a permutation, then numbers."""

    def __init__(self, permutation: Sequence[int] = (), numbers: Sequence[int] = ()) -> None:
        self._permutation = tuple(permutation)
        self._numbers = list(numbers)

    def below(self, m: int) -> int:
        """The next number."""
        number = self._numbers.pop(0)
        assert 0 <= number < m
        return number

    def permutation(self, n: int) -> tuple[int, ...]:
        """The permutation, which has to be of this size."""
        assert sorted(self._permutation) == list(range(n))
        return self._permutation


# Rosters and difficulties


def test_the_roster_is_the_sheets() -> None:
    """24 opponents; ten bring a rare stone each, the two named ones at their numbers."""
    people = roster()
    rare = {one.number: [s.kind for s in one.deck if s.is_rare] for one in people}
    assert [number for number, kinds in rare.items() if kinds] == list(range(15, 25))
    assert sorted(kind for kinds in rare.values() for kind in kinds) == sorted(
        kind.code for kind in KINDS.values() if kind.is_rare
    )
    assert (people[14].name, rare[15]) == ("Lady Lux", ["ED"])
    assert (people[15].name, rare[16]) == ("Madame Swerve", ["VV"])
    assert [one.name for one in people if one.is_boss] == ["Grandmother Granite"]
    assert deck_text(people[23].deck) == "MM0,Q0,K,R0,B0,Nn0,Pn0,Pn0"


def test_the_difficulties_are_the_sheets() -> None:
    """Levels per win and how far the opponents look."""
    found = [(d.slug, d.look_ahead, d.levels_per_win) for d in difficulties().values()]
    assert found == [("easy", 2, 1), ("normal", 0, 1), ("hard", 2, 2), ("very-hard", 0, 2)]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("number = 3", "number = 4", "in order"),
        ('"R B Nn Ns Pn Pn Pe Pw"', '"R B Nn Ns Pn Pn Pe"', "Baker Bo: A deck has 8 stones"),
        ('"R B Nn Ns Pn Pn Pe Pw"', '"R B Nn Ns Pn Pn Pe Px"', "is no stone"),
        ("name = ", "title = ", "cannot be read"),
        ('"ED Q B', '"B Q B', "bring a rare stone"),
    ],
)
def test_a_spoiled_roster_is_refused(old: str, new: str, said: str) -> None:
    """With a sentence that says what is wrong."""
    text = (SEEDS / "rosters" / "opponents.toml").read_text(encoding="utf-8")
    assert old in text
    with pytest.raises(BadText, match=said):
        read_roster(tomllib.loads(text.replace(old, new)))


def test_a_spoiled_difficulty_is_refused() -> None:
    """Unknown kinds and unknown keys."""
    text = (SEEDS / "difficulties.toml").read_text(encoding="utf-8")
    with pytest.raises(BadText, match="'X' is no kind"):
        read_difficulties(tomllib.loads(text.replace('"P"', '"X"')))
    with pytest.raises(BadText, match="cannot be read"):
        read_difficulties(tomllib.loads(text.replace("title", "name")))


# Growth


@pytest.mark.parametrize("slug", ["easy", "normal", "hard", "very-hard"])
def test_a_deck_gains_the_levels_of_its_difficulty_until_it_is_full(slug: str) -> None:
    """Level by level; the king never; a full deck stays; the boss is three wins behind."""
    hardness = difficulties()[slug]
    for one in roster():
        deck = one.deck
        for win in range(1, 60):
            after, slots = grown(deck, hardness, win, boss=one.is_boss)
            levels = sum(s.level for s in after) - sum(s.level for s in deck)
            waits = one.is_boss and win <= 3
            room = sum(s.top - s.level for s in deck)
            assert levels == len(slots) == (0 if waits else min(hardness.levels_per_win, room))
            assert all(deck[slot].kind != "K" for slot in slots)
            deck = after
            assert deck == deck_after(one.deck, hardness, win, boss=one.is_boss)
        assert all(s.level == s.top for s in deck)


def test_on_easy_nothing_but_four_tinies_grows_in_a_run() -> None:
    """20 levels of four Tinies last for all 19 wins before the boss (A9)."""
    deck = deck_after(read_deck("B0,Nn0,Ne0,Nw0,Pn0,Pe0,Ps0,Pw0"), difficulties()["easy"], 19)
    assert deck_text(deck) == "B0,Nn0,Ne0,Nw0,Pn5,Pe5,Ps5,Pw4"


# The order of a run


def test_lady_lux_comes_before_madame_swerve_in_every_run() -> None:
    """19 different ones of 23, both always among them, and the boss last."""
    for seed in range(500):
        order = run_order(Dice(seed))
        assert len(set(order)) == len(order) == MATCHES
        assert order[-1] == BOSS
        assert set(order[:-1]) <= set(range(1, 24))
        assert order.index(15) < order.index(16)


def test_the_missing_ones_replace_the_drawn_entries() -> None:
    """Lady Lux first, each among the entries that are neither of the two (§7.3)."""
    last = [14, 15, 21, 22]
    permutation = [n for n in range(23) if n not in last] + last
    assert run_order(Fixed(permutation, [0, 0]))[:3] == (15, 16, 3)
    # Entry 4 gives way to Lady Lux; of the 18 others, number 1 is the second in order.
    assert run_order(Fixed(permutation, [4, 1]))[:6] == (1, 15, 3, 4, 16, 6)


def test_the_two_are_swapped_when_they_come_the_wrong_way_round() -> None:
    """Only their places change."""
    order = run_order(Fixed([15, 14, *range(14), *range(16, 23)]))
    assert order[:3] == (15, 16, 1)


def test_the_player_places_first_in_odd_matches() -> None:
    """A8; so the opponent, the boss as well, does in even ones."""
    assert [places_first(match) for match in (1, 2, 19, 20)] == [True, False, True, False]


# New stones


def test_the_weights_of_a_new_stone_are_whole_numbers_in_the_sheets_order() -> None:
    """Eight stones, four times for a rare one not owned, then the missing turns (§7.4, 2)."""
    opponent = read_deck("ED3,Q0,B1,Nn2,Ne0,Pn1,Pe0,K")
    weights = new_stone_weights(opponent, STARTER)
    missing = ("Ps", "Ns", "Nw")
    assert weights == (
        ("ED3", 12),
        ("Q1", 3),
        ("B1", 3),
        ("Nn2", 3),
        ("Ne1", 3),
        ("Pn1", 3),
        ("Pe1", 3),
        ("K", 3),
        *((f"{turn}1", 4) for turn in missing),
    )


def test_with_every_turn_owned_only_the_opponents_stones_can_come() -> None:
    """Weight one each; a rare stone owned at any level counts like the others."""
    owned = [*STARTER, *map(stone, ("Ps1", "Ns4", "Nw1", "ED5"))]
    weights = new_stone_weights(read_deck("ED0,VV0,B0,Nn0,Ne0,Pn0,Pe0,Pw0"), owned)
    assert [weight for _, weight in weights] == [1, 4, 1, 1, 1, 1, 1, 1]
    assert weights[0][0] == "ED1"


@given(seed=st.integers(0, 10_000))
def test_the_total_weight_stays_a_number_that_can_be_drawn(seed: int) -> None:
    """At most 256 (fair shuffle), and every place of the list can come up."""
    dice = Dice(seed)
    texts = list(STONES)
    owned = [STONES[texts[dice.below(len(texts))]] for _ in range(dice.below(12))]
    weights = new_stone_weights(roster()[dice.below(24)].deck, owned)
    total = sum(weight for _, weight in weights)
    assert total <= 256
    places = [draw(weights, Fixed(numbers=[number])) for number in range(total)]
    assert [places.count(place) for place in range(len(weights))] == [w for _, w in weights]
    assert all(drawn_stone(weights, place).level >= 1 for place in places)


# Upgrades


def test_three_different_slots_below_their_top_are_offered() -> None:
    """The first three of the permutation of the slots that can grow (§7.4, 4)."""
    deck = read_deck("K,Q4,R1,B1,Nn1,Ne1,Pe5,Pw1")
    assert upgradable(deck) == (2, 3, 4, 5, 7)
    assert upgrade_offer(deck, Fixed([4, 0, 2, 1, 3])) == (7, 2, 4)


def test_fewer_are_offered_where_fewer_can_grow() -> None:
    """Two, or none at all."""
    assert upgrade_offer(read_deck("K,Q4,R5,B4,Nn5,Ne5,Pe4,Pw1"), Fixed([1, 0])) == (7, 6)
    assert upgrade_offer(read_deck("K,Q4,R5,B4,Nn5,Ne5,Pe5,Pw5"), Fixed()) == ()


# Collections


def codes(collection: Collection) -> str:
    """The deck as text."""
    return deck_text(collection.stones)


def test_a_game_starts_with_the_starter_stones_in_the_deck() -> None:
    """Eight stones, all of level 1, nothing in the box."""
    assert codes(starter()) == "Pn1,Pe1,Pw1,Nn1,Ne1,B1,R1,Q1"
    assert starter().box == ()


def test_a_better_new_stone_goes_into_the_deck_and_the_weakest_to_the_box() -> None:
    """And a worse one to the box."""
    better, slot = with_new_stone(starter(), stone("ED2"))
    assert (codes(better), slot) == ("Pn1,Pe1,ED2,Nn1,Ne1,B1,R1,Q1", 2)
    assert [one.stone.text for one in better.box] == ["Pw1"]
    worse, slot = with_new_stone(starter(), stone("Ps1"))
    assert (codes(worse), slot) == (codes(starter()), None)
    assert [one.stone.text for one in worse.box] == ["Ps1"]


def test_an_upgraded_stone_takes_the_slot_of_the_old_one() -> None:
    """The old one is kept in the box, a queen is not."""
    rook = with_upgrade(starter(), 6)
    assert codes(rook) == "Pn1,Pe1,Pw1,Nn1,Ne1,B1,R2,Q1"
    assert [one.stone.text for one in rook.box] == ["R1"]
    queen = with_upgrade(rook, 7)
    assert codes(queen) == "Pn1,Pe1,Pw1,Nn1,Ne1,B1,R2,Q2"
    assert [one.stone.text for one in queen.box] == ["R1"]


@pytest.mark.parametrize(
    ("deck", "code"),
    [
        ((1, 2, 3, 4, 5, 6, 7, 8), None),
        ((9, 2, 3, 4, 5, 6, 7, 8), None),
        ((1, 2, 3, 4, 5, 6, 7, 77), "not-owned"),
        ((1, 1, 3, 4, 5, 6, 7, 8), "stone-twice"),
        ((1, 2, 3, 4, 5, 6, 7), "deck-size"),
        ((10, 2, 3, 4, 5, 6, 7, 8), "two-queens"),
    ],
)
def test_stones_are_changed_among_those_owned(deck: tuple[int, ...], code: str | None) -> None:
    """Each stone once, and the deck has to be legal."""
    owned, _ = with_new_stone(starter(), stone("Ns1"))
    owned, _ = with_new_stone(owned, stone("Q1"))
    wrong = choice_objection(owned, deck)
    assert (wrong.code if wrong else None) == code
    if wrong is None:
        assert with_deck(owned, deck).deck == deck


def test_chosen_stones_that_lie_in_the_deck_keep_their_slots() -> None:
    """The others fill the free slots in the order in which they were acquired."""
    owned, _ = with_new_stone(starter(), stone("Ps1"))
    owned, _ = with_new_stone(owned, stone("Ns1"))
    shuffled = with_deck(owned, (8, 7, 6, 5, 4, 3, 2, 1))
    assert shuffled.arranged({10, 9, 8, 6, 5, 4, 3, 1}) == (8, 9, 6, 5, 4, 3, 10, 1)
    assert shuffled.arranged({8, 7}) == (8, 7)


@given(st.lists(st.sampled_from(sorted(STONES)), max_size=12))
def test_no_single_swap_makes_the_strongest_deck_stronger(codes_won: list[str]) -> None:
    """It is legal, and every stone left out is weaker, equal, or a second king or queen."""
    owned = starter()
    for code in codes_won:
        owned, _ = with_new_stone(owned, stone(code))
    deck = owned.strongest()
    assert choice_objection(owned, deck) is None
    strongest = with_deck(owned, deck)
    for one in strongest.box:
        for slot, number in enumerate(deck):
            swapped = (*deck[:slot], one.number, *deck[slot + 1 :])
            weaker = one.stone.spikes <= owned.one(number).stone.spikes
            assert weaker or choice_objection(owned, swapped) is not None
    assert strongest.strongest() == deck


def test_without_gains_nothing_is_kept_and_all_returns() -> None:
    """The collection after such a run is that before it, the deck as it was last."""
    run = with_deck(starter(), (8, 7, 6, 5, 4, 3, 2, 1))
    assert gained(starter(), run) == ()
    assert after_run(starter(), run).owned == starter().owned
    assert codes(after_run(starter(), run)) == "Q1,R1,B1,Ne1,Nn1,Pw1,Pe1,Pn1"


def test_a_slot_gets_back_what_its_stone_was_upgraded_from() -> None:
    """Repeatedly: two upgrades back, if that is what is owned."""
    run = with_upgrade(with_upgrade(with_upgrade(starter(), 3), 3), 7)
    assert codes(run) == "Pn1,Pe1,Pw1,Nn3,Ne1,B1,R1,Q2"
    assert codes(after_run(starter(), run)) == codes(starter())
    (knight,) = [one for one in run.owned if one.stone.text == "Nn3"]
    kept = after_run(starter(), run, knight.number)
    assert codes(kept) == "Pn1,Pe1,Pw1,Nn3,Ne1,B1,R1,Q1"
    assert [one.stone.text for one in kept.box] == ["Nn1"]


def test_a_kept_queen_replaces_the_one_she_was_upgraded_from() -> None:
    """The old queen is no longer owned, also after two upgrades."""
    run = with_upgrade(with_upgrade(starter(), 7), 7)
    queen = run.deck[7]
    kept = after_run(starter(), run, queen)
    assert codes(kept).endswith("Q3")
    assert sum(one.stone.kind == "Q" for one in kept.owned) == 1
    again = with_upgrade(kept, 7)
    assert codes(after_run(kept, again)).endswith("Q3")
    assert codes(after_run(kept, again, again.deck[7])).endswith("Q4")
    assert sum(o.stone.kind == "Q" for o in after_run(kept, again, again.deck[7]).owned) == 1


def test_a_lost_gain_gives_way_to_the_strongest_that_fits() -> None:
    """Of equally strong ones the one owned longest; a second queen or king does not fit."""
    run, _ = with_new_stone(starter(), stone("ED2"))  # takes the slot of Pw1
    assert codes(after_run(starter(), run)) == codes(starter())
    with_spare, _ = with_new_stone(starter(), stone("Q1"))
    assert with_spare.box[0].stone.text == "Q1"
    home = Collection(with_spare.owned, with_spare.deck, with_spare.next)
    lost, _ = with_new_stone(home, stone("R3"))
    assert codes(after_run(home, lost)) == codes(starter())


def test_only_a_gained_stone_can_be_kept() -> None:
    """Not one owned for good, and not one that nobody has."""
    run, _ = with_new_stone(starter(), stone("Ps1"))
    with pytest.raises(BadText, match="was not gained"):
        after_run(starter(), run, 1)
    with pytest.raises(BadText, match="not among"):
        after_run(starter(), run, 99)
    assert after_run(starter(), run, NOTHING).owned == starter().owned


@given(seed=st.integers(0, 100_000))
def test_collections_stay_whole_over_many_runs(seed: int) -> None:
    """Decks stay legal, numbers stay different, at most one stone more is owned after a run."""
    dice, for_good = Dice(seed), starter()
    people = roster()
    for _ in range(4):
        run = for_good
        for _ in range(dice.below(8)):
            weights = new_stone_weights(
                people[dice.below(24)].deck, [one.stone for one in run.owned]
            )
            run, _ = with_new_stone(run, drawn_stone(weights, draw(weights, dice)))
            if offer := upgrade_offer(run.stones, dice):
                run = with_upgrade(run, offer[dice.below(len(offer))])
            if run.box:
                swapped = (*run.deck[:-1], run.box[dice.below(len(run.box))].number)
                if choice_objection(run, swapped) is None:
                    run = with_deck(run, swapped)
            assert deck_objection(run.stones) is None
        gains = gained(for_good, run)
        keep = gains[dice.below(len(gains))].number if gains else NOTHING
        after = after_run(for_good, run, keep)
        assert deck_objection(after.stones) is None
        numbers = [one.number for one in after.owned]
        assert sorted(set(numbers)) == numbers
        assert len(set(after.deck)) == 8
        assert set(numbers) - {one.number for one in for_good.owned} <= {keep}
        assert 0 <= len(after.owned) - len(for_good.owned) <= 1
        assert after.next == run.next
        still = [n for n in run.deck if n in numbers]
        assert [n for n, old in zip(after.deck, run.deck, strict=True) if n == old] == still
        for_good = after
