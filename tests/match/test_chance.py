"""Chance that nobody can steer, and entries that nobody sees before all are in."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from events import event_kinds as kinds
from services.match import commands as cmd
from services.match import shuffle
from services.match.folding import fold
from services.match.handler import Done, stream_of
from services.match.secret import entry_commit
from services.match.state import initial
from services.proofs.audit import audit_match
from services.proofs.report import CHAIN_ONLY, PROVED
from tests.kit.desk import Desk, desk, new_handler
from tests.kit.given import (
    ANN_AT_A,
    BOB_AT_B,
    COMPUTER_AT_B,
    CREATED,
    GAMES,
    GUEST,
    HOST,
    SEED,
    TWO_PEOPLE,
    Given,
    played,
)

DRAWN = replace(CREATED, ruleset={"heap": 5, "seats": 2, "drawn": True})
SEALED = replace(CREATED, ruleset={"heap": 5, "seats": 2, "sealed": True})
COMMIT = CREATED.seed_commit
ANN_GIVES = kinds.EntropyGiven(seat="A", entropy="00ff", seed_commit=COMMIT)
BOB_DECLINES = kinds.EntropyGiven(seat="B", entropy="", seed_commit=COMMIT)


class TestEntropy:
    """Each person gives or declines once, after the commitment (fair shuffle §2, step 3)."""

    def test_entropy_quotes_the_commitment(self) -> None:
        """Entropy that was chosen before the commitment proves nothing."""
        given = Given(DRAWN, ANN_AT_A, BOB_AT_B)

        given.when(cmd.GiveEntropy("A", "00ff", COMMIT)).then(ANN_GIVES)
        given.when(cmd.GiveEntropy("A", "00ff", "00" * 32)).refused("wrong-commitment")

    def test_entropy_is_given_once_and_by_the_seats_holder(self) -> None:
        """Nobody tries until a deal pleases, and nobody speaks for a computer."""
        given = Given(DRAWN, ANN_AT_A, COMPUTER_AT_B, ANN_GIVES)

        given.when(cmd.GiveEntropy("A", "aa", COMMIT)).refused("entropy-given")
        given.when(cmd.GiveEntropy("B", "aa", COMMIT)).refused("not-your-seat")

    def test_a_game_without_chance_asks_for_none(self) -> None:
        """It would be a promise without a meaning."""
        Given(CREATED, ANN_AT_A).when(cmd.GiveEntropy("A", "", COMMIT)).refused("no-chance")

    def test_who_gave_entropy_keeps_the_seat(self) -> None:
        """Holders are fixed before their entropy counts."""
        given = Given(DRAWN, ANN_AT_A, ANN_GIVES)

        given.when(cmd.LeaveSeat(seat="A")).refused("seat-committed")

    def test_the_start_waits_for_every_person_and_for_no_computer(self) -> None:
        """Declining counts; computers give nothing, so that the server cannot steer."""
        one = Given(DRAWN, ANN_AT_A, BOB_AT_B, ANN_GIVES)

        assert one.when(cmd.StartMatch()).refused("seats-not-ready").details == {"seats": ("B",)}
        against = Given(DRAWN, ANN_AT_A, COMPUTER_AT_B, ANN_GIVES).when(cmd.StartMatch())
        assert isinstance(against._answer, tuple)

    def test_the_start_deals_at_once_and_the_end_opens_the_key(self) -> None:
        """No moment in which chance is due and nobody has drawn."""
        entropy = [bytes.fromhex("00ff"), b""]
        key = shuffle.round_key(shuffle.match_key(SEED, "m-test", entropy), 1)
        first = "AB"[shuffle.Stream(key).below(2)]
        dealt = kinds.Dealt(
            turn=1,
            number=1,
            round_commit=shuffle.round_commit(key).hex(),
            facts=(f"first {first}",),
        )
        ready = (DRAWN, ANN_AT_A, BOB_AT_B, ANN_GIVES, BOB_DECLINES)

        Given(*ready).when(cmd.StartMatch()).then(kinds.MatchStarted(), dealt)
        other = "B" if first == "A" else "A"
        running = Given(
            *ready, kinds.MatchStarted(), dealt, played(2, first, "2"), played(3, other, "2")
        )
        actor = HOST if first == "A" else GUEST
        last = cmd.PlayMove(seat=first, move="1", expected_turn=3)
        points = {"A": int(first == "A"), "B": int(first == "B")}
        won = kinds.MatchEnded(how="points", points=points, winners=(first,), parts={"left": 0})
        running.when(last, actor).then(
            played(4, first, "1", "heap gone"),
            kinds.RoundEnded(number=1, round_key=key.hex()),
            won,
        )


class TestEntries:
    """Sealed until all are in, then opened together."""

    def test_an_entry_shows_only_its_salted_commitment(self) -> None:
        """The salt is not the text's own: a deck cannot be found by trying all decks."""
        given = Given(SEALED, ANN_AT_A, BOB_AT_B).when(cmd.SealEntry("A", "4"))

        assert isinstance(given._answer, tuple)
        (sealed,) = given._answer
        assert isinstance(sealed, kinds.EntrySealed)
        assert given.state.secret is not None
        salt = given.state.secret.entry_salt("m-test", "A")
        assert sealed == kinds.EntrySealed(seat="A", commit=entry_commit(salt, "4"))
        assert len(salt) == 32
        assert sealed.commit != entry_commit(b"", "4")

    def test_a_bad_entry_is_refused_before_it_is_sealed(self) -> None:
        """The rules judge it while it can still be changed."""
        given = Given(SEALED, ANN_AT_A)

        given.when(cmd.SealEntry("A", "four")).refused("not-a-digit")
        Given(CREATED, ANN_AT_A).when(cmd.SealEntry("A", "4")).refused("no-entries")

    def test_an_entry_is_handed_in_once(self) -> None:
        """What is sealed stays."""
        given = Given(SEALED, ANN_AT_A, kinds.EntrySealed(seat="A", commit="00" * 32))

        given.when(cmd.SealEntry("A", "4")).refused("entry-sealed")
        given.when(cmd.LeaveSeat(seat="A")).refused("seat-committed")


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Desk]:
    """A log that can play the toy game."""
    with desk(tmp_path, GAMES) as made:
        yield made


def test_entries_live_in_the_secret_store_until_one_append_opens_and_starts(house: Desk) -> None:
    """The log shows commitments first, then texts and salts; a new server knows them too."""
    create = cmd.CreateMatch(game="nim", ruleset={"sealed": True})
    opened = house.handler.create(create, actor=HOST, command_id=None, received_at=1)
    assert isinstance(opened, Done)
    stream = stream_of(opened.match)
    for actor, seat, text in ((HOST, "A", "3"), (GUEST, "B", "4")):
        _done(house, opened.match, cmd.TakeSeat(seat=seat), actor)
        _done(house, opened.match, cmd.SealEntry(seat, text), actor)
    before = b"".join(r.data for r in house.log.read(stream))
    later = replace(house, handler=new_handler(house.log, GAMES))

    started = _done(later, opened.match, cmd.StartMatch(), HOST)

    assert b'"text"' not in before
    assert started.state.position.left == 7
    assert dict(started.state.entries) == {"A": "3", "B": "4"}
    running = audit_match(house.log.read(stream), games=GAMES)
    assert (running.verdict, running.differences) == (CHAIN_ONLY, ())
    _done(later, opened.match, cmd.Resign(seat="A"), HOST)
    assert audit_match(house.log.read(stream), games=GAMES).verdict == PROVED


def test_the_public_fold_of_a_draw_needs_no_secret(house: Desk) -> None:
    """Recorded facts give strangers the same position that the server has."""
    create = cmd.CreateMatch(game="nim", ruleset={"drawn": True})
    opened = house.handler.create(create, actor=HOST, command_id=None, received_at=1)
    assert isinstance(opened, Done)
    commit = opened.state.seed_commit
    for actor, seat in ((HOST, "A"), (GUEST, "B")):
        _done(house, opened.match, cmd.TakeSeat(seat=seat), actor)
        _done(house, opened.match, cmd.GiveEntropy(seat, "ab", commit), actor)
    started = _done(house, opened.match, cmd.StartMatch(), HOST)
    recorded = house.log.read(stream_of(opened.match))

    public = fold(initial(opened.match, games=GAMES), recorded)

    assert public.position == started.state.position
    assert audit_match(recorded, games=GAMES).verdict == CHAIN_ONLY
    _done(house, opened.match, cmd.Resign(seat="B"), GUEST)
    assert audit_match(house.log.read(stream_of(opened.match)), games=GAMES).verdict == PROVED


def test_records_of_games_of_chance_are_not_taken_in() -> None:
    """Their deals follow from a secret that a file does not have."""
    record = cmd.ImportMatch(game="nim", ruleset={"drawn": True}, moves=("2",))

    Given().when(record).refused("cannot-import")


def test_two_people_without_chance_start_as_ever() -> None:
    """Nothing is asked that the game does not need."""
    Given(*TWO_PEOPLE[:3]).when(cmd.StartMatch()).then(kinds.MatchStarted())


def _done(house: Desk, match: str, command: cmd.MatchCommand, actor: str) -> Done:
    answer = house.handler.handle(match, command, actor=actor, command_id=None, received_at=1)
    assert isinstance(answer, Done), answer
    return answer
