"""Mutants of Caltrop: each rule broken on purpose is caught by a case of the vector files."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ops.check_vectors import run_file
from services.games.caltrop import board, growth, position, turn
from services.games.caltrop.board import BLUE, SQUARES, TOUCHES
from services.games.caltrop.turn import NOBODY, Fray

VECTORS = Path(__file__).parent / "vectors"
SHEET = VECTORS / "caltrop_vectors.json"
OWN = VECTORS / "own_caltrop_vectors.json"

Patch = pytest.MonkeyPatch


def mutant_bare_sides_cost_nothing(patch: Patch) -> None:
    """A spike that hits a bare side stays (reading a of A1; every match would need a bound)."""
    patch.setattr(turn, "used_up", lambda met, _special: met)
    patch.setattr(turn, "chain", lambda _fray: None)


def mutant_every_spike_hits(patch: Patch) -> None:
    """All spikes on the winning side are used up (reading d of A1)."""
    fight = turn.fight

    def lavish(fray: Fray, one: int, its: int, two: int, other: int) -> int:
        winner = fight(fray, one, its, two, other)
        fray.spikes[its] = fray.spikes[other] = 0
        return winner

    patch.setattr(turn, "fight", lavish)


def mutant_taking_costs_one_more(patch: Patch) -> None:
    """Every taking uses a spike (reading c of A1)."""
    fight = turn.fight

    def dear(fray: Fray, one: int, its: int, two: int, other: int) -> int:
        winner = fight(fray, one, its, two, other)
        for square, side in ((one, its), (two, other)):
            if square == winner and fray.spikes[side]:
                fray.spikes[side] -= 1
        return winner

    patch.setattr(turn, "fight", dear)


def mutant_no_chains(patch: Patch) -> None:
    """Taken stones do not fight on."""
    patch.setattr(turn, "live_pair", lambda _fray, _order: None)


def mutant_chain_in_board_order(patch: Patch) -> None:
    """Chains go over the board from a1, not from the new stone."""
    order = tuple(tuple(sorted(board.CHAIN_ORDER[0][0]) for _ in range(SQUARES)) for _ in "br")
    patch.setattr(turn, "CHAIN_ORDER", order)


def mutant_ties_go_right(patch: Patch) -> None:
    """At equal distance the right pair goes first."""

    def mirrored(pair: board.Pair, square: int) -> tuple[int, int, int]:
        distance, back, left = board._nearness(pair, square, BLUE)
        return distance, back, -left

    blue = tuple(
        tuple(sorted(board._PAIRS, key=lambda pair: mirrored(pair, square)))
        for square in range(SQUARES)
    )
    patch.setattr(turn, "CHAIN_ORDER", (blue, board.CHAIN_ORDER[1]))


def mutant_first_loss_ends_the_fights(patch: Patch) -> None:
    """A new stone that loses a fight takes nothing (A6 read otherwise)."""
    change = turn.change_colours

    def only_new(fray: Fray, squares: Any) -> None:
        change(fray, [fray.square] if fray.square in squares else squares)

    patch.setattr(turn, "change_colours", only_new)


def mutant_red_faces_up(patch: Patch) -> None:
    """Red's stones lie like Blue's."""
    patch.setattr(position, "as_it_lies", lambda sides, _colour: sides)


def mutant_red_fights_in_blues_order(patch: Patch) -> None:
    """The order of events does not turn with the mover."""
    patch.setattr(turn, "TOUCHES", (TOUCHES[BLUE], TOUCHES[BLUE]))


def mutant_poison_before_cure(patch: Patch) -> None:
    """Poison works before Edna can cure."""
    cure, works = turn.cure, turn.poison_works
    patch.setattr(turn, "cure", works)
    patch.setattr(turn, "poison_works", cure)


def mutant_poison_for_losers_only(patch: Patch) -> None:
    """Veronica poisons nobody who beats her."""
    fight = turn.fight

    def mild(fray: Fray, one: int, its: int, two: int, other: int) -> int:
        before = fray.poisoned
        winner = fight(fray, one, its, two, other)
        if winner != NOBODY and fray.codes[winner] != "VV":
            fray.poisoned = before
        return winner

    patch.setattr(turn, "fight", mild)


def mutant_luck_never_ends(patch: Patch) -> None:
    """Lou is spared every time."""
    spared = turn.spared

    def always(fray: Fray, square: int, sides: Any) -> bool:
        fray.spent &= ~(1 << square)
        return spared(fray, square, sides)

    patch.setattr(turn, "spared", always)


def mutant_pia_turns_the_other_way(patch: Patch) -> None:
    """Three quarters instead of one."""
    spin = turn.spin

    def thrice(fray: Fray, square: int) -> None:
        for _ in range(3):
            spin(fray, square)

    patch.setattr(turn, "spin", thrice)


def mutant_kobe_without_shields(patch: Patch) -> None:
    """King Kobe is taken like anybody."""
    patch.setattr(turn, "KING", "no king")


def mutant_dot_is_soft(patch: Patch) -> None:
    """Diamond Dot uses up spikes like anybody."""
    patch.setattr(turn, "DOT", "no dot")


def mutant_burst_spares_friends(patch: Patch) -> None:
    """Nothing breaks when Bertha turns."""
    patch.setattr(turn, "burst", lambda _fray, _square: None)


def mutant_sharpen_grows_bare_sides(patch: Patch) -> None:
    """Sue gives a spike to every side."""

    def generous(fray: Fray) -> None:
        for touch in TOUCHES[fray.mover][fray.square]:
            if fray.owners[touch.other] == fray.mover:
                for side in range(4 * touch.other, 4 * touch.other + 4):
                    fray.spikes[side] = min(5, fray.spikes[side] + 1)

    patch.setattr(turn, "sharpen", generous)


def mutant_grind_for_all(patch: Patch) -> None:
    """Millstone grinds friends as well."""

    def grind(fray: Fray) -> None:
        for touch in TOUCHES[fray.mover][fray.square]:
            fray.spikes[touch.facing] = max(0, fray.spikes[touch.facing] - 1)

    patch.setattr(turn, "grind", grind)


def mutant_sid_never_slips(patch: Patch) -> None:
    """Sid is taken in chains."""
    patch.setattr(turn, "slips", lambda _fray, _square: False)


def mutant_level_points_go_to_the_first(patch: Patch) -> None:
    """Spikes do not decide."""
    decided = position.decided
    patch.setattr(position, "decided", lambda points, _s, first: decided(points, (0, 0), first))


def mutant_pearl_counts_one(patch: Patch) -> None:
    """Precious Pearl is one stone."""
    patch.setattr(board, "PEARL", "no pearl")


def mutant_the_boss_grows_at_once(patch: Patch) -> None:
    """No wins are skipped."""
    patch.setattr(growth, "BOSS_SKIPS", 0)


def mutant_decks_grow_from_the_left(patch: Patch) -> None:
    """The first stone that can grow does, whatever its level."""

    def first(deck: Any, _groups: Any) -> int | None:
        return next((slot for slot, one in enumerate(deck) if one.can_grow), None)

    patch.setattr(growth, "growing_slot", first)


MUTANTS = [found for name, found in list(globals().items()) if name.startswith("mutant_")]


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.__name__)
def test_a_broken_rule_is_caught(mutant: Callable[[Patch], None], monkeypatch: Patch) -> None:
    """Each mutant fails a case of the sheet's file or of our own."""
    mutant(monkeypatch)
    assert not (run_file(SHEET).ok and run_file(OWN).ok)


def test_the_rules_as_they_are_fail_no_case() -> None:
    """The control: without a mutant all cases hold."""
    assert run_file(SHEET).ok
    assert run_file(OWN).ok
