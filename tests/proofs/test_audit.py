"""An audit trusts nothing that is stored: what was changed is named, whoever changed it."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from events import event_kinds as kinds
from events.codec import encode
from events.event_kinds import Thought
from events.recorded import Recorded
from services.formats.judge import Judged, judge
from services.games.registry import REGISTRY, Registry
from services.match import commands as cmd
from services.match.jobs import AiJob
from services.match.secret import Secret
from services.proofs.audit import Awaited, EngineMissing, audit_match
from services.proofs.report import CHAIN_ONLY, PROVED, Report
from tests.kit.nim import NIM
from tests.kit.tree import ROOT
from tests.proofs.stories import ANN, BOB, SEED, Story, forged, rehashed

NIMS = Registry((NIM,))
SEED_MATCHES = ROOT / "seeds" / "blokus" / "matches"
COMPUTER = "computer:B"
THOUGHT = Thought(engine="greedy", engine_version=1, level=2, budget=0)

Change = Callable[[dict[str, Any]], object]


def set_to(**values: object) -> Change:
    """A change of an event's data."""
    return lambda data: data.update(values)


def nim() -> Story:
    """A whole match of the toy game, with a takeback and a declined draw on the way."""
    story = Story(NIMS).tell(ANN, cmd.CreateMatch("nim"), cmd.TakeSeat("A"))
    story.tell(BOB, cmd.TakeSeat("B")).tell(ANN, cmd.StartMatch(), cmd.PlayMove("A", "1", 0))
    story.tell(BOB, cmd.MakeOffer("takeback", "B", 0)).tell(
        ANN, cmd.AnswerOffer("takeback", "A", yes=True), cmd.PlayMove("A", "2", 2)
    )
    story.tell(BOB, cmd.MakeOffer("draw", "B")).tell(ANN, cmd.AnswerOffer("draw", "A", yes=False))
    return story.tell(BOB, cmd.PlayMove("B", "2", 3)).tell(ANN, cmd.PlayMove("A", "1", 4))


def sealed_at_a(secret: Secret = SEED) -> Story:
    """A match that waits for Bob's entry; Ann's is sealed."""
    create = cmd.CreateMatch("nim", {"heap": 5, "seats": 2, "sealed": True})
    story = Story(NIMS, secret).tell(ANN, create, cmd.TakeSeat("A")).tell(BOB, cmd.TakeSeat("B"))
    return story.tell(ANN, cmd.SealEntry("A", "3"))


def called_off() -> Story:
    """Ann sealed her entry, Bob never did."""
    return sealed_at_a().tell(ANN, cmd.CancelMatch())


def imported(name: str = "duo-engine-level-4") -> Story:
    """A seed match as it comes into a log."""
    (judged,) = judge((SEED_MATCHES / f"{name}.record").read_bytes(), name)
    assert isinstance(judged, Judged)
    return Story(secret=None, match=judged.match).tell("file", judged.command)


def with_computer(moves: int = 0) -> Story:
    """Ann against a computer at level 2, after some moves of both: the first that is legal."""
    story = Story().tell(ANN, cmd.CreateMatch("blokus", {"variant": "duo"}), cmd.TakeSeat("A"))
    story.tell(ANN, cmd.TakeSeat("B", level=2), cmd.StartMatch())
    rules = REGISTRY.game("blokus").rules
    for turn in range(moves):
        move = rules.moves(story.state.position).texts[0]
        if story.state.to_move() == "A":
            story.tell(ANN, cmd.PlayMove("A", move, turn))
        else:
            story.tell(COMPUTER, cmd.PlayMove("B", move, turn, THOUGHT))
    return story


def at_once(job: AiJob, _thought: Thought) -> Awaited:
    """The engine of ``with_computer``: the first legal move."""
    game = REGISTRY.game(job.game, job.rules_version)
    move = game.rules.moves(game.notation.parse_position(job.view)).texts[0]
    return lambda: move


def version_of(events: list[Recorded], kind: str, nth: int = 1) -> int:
    """The version of the n-th event of a kind."""
    return [event.version for event in events if event.kind == kind][nth - 1]


def only_difference(report: Report) -> tuple[int, str]:
    """The version and the thing of the one difference of a report."""
    (difference,) = report.differences
    assert report.verdict == f"differs at event {difference.version}"
    assert difference.match == report.match
    assert difference.stored != difference.derived
    return difference.version, difference.what


def test_a_whole_match_is_proved() -> None:
    """Every move, the takeback, the result and the seed behind the commitment."""
    story = nim()
    report = audit_match(story.events, games=NIMS)
    assert report.verdict == PROVED
    assert (report.game, report.plies, report.forced) == ("nim", 4, 1)
    assert report.events == len(story.events)


@pytest.mark.parametrize("path", sorted(SEED_MATCHES.glob("*.record")), ids=lambda path: path.stem)
def test_imported_matches_are_proved_too(path: Any) -> None:
    """Nobody played them here; the rules judge them like any other."""
    story = imported(path.stem)
    report = audit_match(story.events)
    assert report.verdict == PROVED
    assert report.plies == story.state.ply
    assert report.forced == sum(len(ply.facts) for ply in story.state.line) > 0


def test_every_length_of_a_running_match_is_chain_only_until_its_seed_is_known() -> None:
    """The commitment is not opened; with the secret in hand everything can be checked."""
    story = nim()
    ends = version_of(story.events, "match.ended.1")
    whole = {5, 6, 8, 9, 10, 11, ends}  # places between decisions, not inside one
    for length in sorted(whole - {ends}):
        events = story.events[:length]
        assert audit_match(events, games=NIMS).verdict == CHAIN_ONLY, length
        assert audit_match(events, games=NIMS, secret=SEED).verdict == PROVED, length


def test_a_cancelled_match_reveals_its_seed_and_is_proved() -> None:
    """The fair shuffle asks for it, also before the start."""
    story = Story(NIMS).tell(ANN, cmd.CreateMatch("nim"), cmd.CancelMatch())
    assert audit_match(story.events, games=NIMS).verdict == PROVED


def test_an_entry_that_was_never_opened_is_proved_with_the_match_that_was_called_off() -> None:
    """Its text stays secret; who sealed it, where and when is judged all the same."""
    assert audit_match(called_off().events, games=NIMS).verdict == PROVED


@pytest.mark.parametrize(
    ("change", "twice"),
    [(set_to(seat="B"), False), (set_to(commit="no hash"), False), (set_to(), True)],
    ids=["at another's seat", "not a commitment", "twice"],
)
def test_an_entry_that_could_not_be_sealed_so_differs(change: Change, *, twice: bool) -> None:
    """Also if nobody ever opened it, and every hash was made anew."""
    events = called_off().events
    sealed = version_of(events, "match.entry_sealed.1")
    lie = forged(events, sealed, change)
    report = audit_match(rehashed([*lie[: sealed + twice - 1], *lie[sealed - 1 :]]), games=NIMS)
    assert only_difference(report) == (sealed + twice, "match.entry_sealed.1")


def test_a_match_that_began_has_opened_every_entry() -> None:
    """Entries kept back by leaving their opening out are found where they were due."""
    secret = Secret(SEED.seed, {"A": "3", "B": "1"})
    story = sealed_at_a(secret).tell(BOB, cmd.SealEntry("B", "1")).tell(ANN, cmd.StartMatch())
    story.tell(ANN, cmd.Resign("A"))
    assert audit_match(story.events, games=NIMS).verdict == PROVED
    opened = version_of(story.events, "match.entries_opened.1")
    kept = [event for event in story.events if event.version != opened]
    assert only_difference(audit_match(rehashed(kept), games=NIMS))[0] == opened


@pytest.mark.parametrize("told", [nim, imported], ids=["played", "imported"])
def test_one_changed_byte_is_found_in_any_event(told: Callable[[], Story]) -> None:
    """Match, version and what differs: the hash, and mostly what the rules say of it."""
    events = told().events
    for event in events:
        for place in {0, len(event.data) // 2, len(event.data) - 1}:
            data = bytearray(event.data)
            data[place] ^= 1
            changed = [*events]
            changed[event.version - 1] = replace(event, data=bytes(data))
            report = audit_match(changed, games=REGISTRY.plus(NIM))
            assert (event.version, "hash") in {(d.version, d.what) for d in report.differences}
            assert report.verdict == f"differs at event {event.version}"


def test_an_event_inserted_without_new_hashes_breaks_the_chain() -> None:
    """Its version is there twice, or its hash does not follow."""
    events = nim().events
    for place in range(1, len(events)):
        copied = replace(events[place], version=place + 1)
        report = audit_match([*events[:place], copied, *events[place:]], games=NIMS)
        assert report.differences[0].version in (place + 1, place + 2)


def test_an_event_inserted_with_new_hashes_is_found_by_the_rules() -> None:
    """A whole new chain does not make a move legal, a seat taken twice or a second offer."""
    events = nim().events
    for place in range(len(events)):
        report = audit_match(
            rehashed([*events[: place + 1], *events[place:]]), games=NIMS, secret=SEED
        )
        assert not report.is_good, events[place].kind
        assert report.differences[0].what.startswith("match.")


def test_an_event_left_out_with_new_hashes_is_found_by_the_rules() -> None:
    """Except where what is left is a whole match of its own: a draw that was never offered."""
    events = nim().events
    unnoticed = []
    for place, event in enumerate(events):
        report = audit_match(rehashed([*events[:place], *events[place + 1 :]]), games=NIMS)
        if report.is_good:
            unnoticed.append(event.kind)
    assert unnoticed == ["match.offer_answered.1"]


@pytest.mark.parametrize(
    ("kind", "change", "what"),
    [
        ("match.created.1", set_to(seats=3), "seats"),
        ("match.created.1", set_to(host=BOB), "host"),
        ("match.created.1", set_to(ruleset={"heap": 5, "seats": 2, "x": 1}), ""),
        ("match.created.1", set_to(seed_commit="00" * 32), "seed_commit"),
        ("match.seat_taken.1", set_to(player="p-cccccccccccccccc"), ""),
        ("match.move_played.1", set_to(turn=7), "turn"),
        ("match.move_played.1", set_to(seat="B"), ""),
        ("match.move_played.1", set_to(move="3"), ""),
        ("match.move_played.1", set_to(move=" 1"), "move"),
        ("match.move_played.1", set_to(facts=["heap gone"]), "facts"),
        ("match.offer_made.1", set_to(offer="kiss"), ""),
        ("match.taken_back.1", set_to(to_turn=1), "to_turn"),
        ("match.taken_back.1", set_to(turn=1), "turn"),
        ("match.ended.1", set_to(how="resign"), "how"),
        ("match.ended.1", set_to(points={"A": 0, "B": 1}), "points"),
        ("match.ended.1", set_to(winners=["B"]), "winners"),
        ("match.ended.1", set_to(parts={"left": 1}), "parts"),
        ("match.ended.1", set_to(server_seed=""), "server_seed"),
        ("match.ended.1", set_to(server_seed="x"), "server_seed"),
    ],
)
def test_a_lie_with_new_hashes_is_found_by_deciding_again(
    kind: str, change: Change, what: str
) -> None:
    """Whoever owns the database can compute every hash; the rules they cannot change."""
    events = nim().events
    version = version_of(events, kind)
    report = audit_match(rehashed(forged(events, version, change)), games=NIMS)
    assert only_difference(report) == (version, f"{kind} {what}".strip())


def test_a_false_seed_does_not_open_the_commitment() -> None:
    """Another seed with all its hashes new: the first event shows it."""
    events = nim().events
    version = version_of(events, "match.ended.1")
    forgery = rehashed(forged(events, version, set_to(server_seed="ab" * 32)))
    report = audit_match(forgery, games=NIMS)
    assert only_difference(report) == (1, "match.created.1 seed_commit")


def test_facts_of_blokus_are_derived_and_not_believed() -> None:
    """A forced pass left out, and a pass that nobody was forced to."""
    story = imported()
    events = story.events
    forced = next(ply for ply in story.state.line if ply.facts)
    for version, facts in ((forced.turn + 1, []), (2, ["pass green"])):
        report = audit_match(rehashed(forged(events, version, set_to(facts=facts))))
        assert only_difference(report) == (version, "match.move_played.1 facts")


def test_a_score_of_an_imported_match_is_derived_again() -> None:
    """Parts, points and winners alike."""
    events = imported().events
    last = len(events)
    for field, value in (
        ("parts", {"blue": -10, "green": -37}),
        ("points", {"A": -10, "B": -37}),
        ("winners", ["B"]),
        ("how", "unfinished"),
    ):
        report = audit_match(rehashed(forged(events, last, set_to(**{field: value}))))
        assert only_difference(report) == (last, f"match.ended.1 {field}")


def test_an_illegal_move_of_an_imported_match_is_named() -> None:
    """The version of the move, and the reason of the rules."""
    events = imported().events
    report = audit_match(rehashed(forged(events, 6, set_to(move="a1"))))
    assert only_difference(report) == (6, "match.move_played.1")
    assert "no-own-corner-contact" in report.differences[0].derived


def test_an_imported_match_under_another_name_is_found() -> None:
    """Its id follows from what was played, so one game cannot stand for another."""
    story = imported()
    events = [replace(event, stream="match/m-bbbbbbbbbbbbbbbb") for event in story.events]
    report = audit_match(rehashed(events))
    assert only_difference(report) == (1, "match id")
    assert report.differences[0].derived == story.state.match


def test_an_end_cut_off_is_found_where_it_was_due() -> None:
    """A decision is whole: the move that ends a match and its result are one append."""
    events = imported().events
    report = audit_match(events[:-1])
    assert only_difference(report) == (len(events), "match.ended.1")
    assert report.differences[0].stored == "nothing"


def test_actors_have_to_hold_their_seats() -> None:
    """A move by somebody else, a computer's move by a player, a seat taken for another."""
    events = nim().events
    for version, actor in ((5, BOB), (5, "computer:A"), (2, BOB), (8, BOB), (5, "server")):
        changed = [*events]
        changed[version - 1] = replace(events[version - 1], actor=actor)
        assert not audit_match(rehashed(changed), games=NIMS).is_good, (version, actor)


def test_unknown_rules_and_kinds_are_not_checkable() -> None:
    """Nothing is claimed about a match that only other code can judge."""
    events = nim().events
    for change in (set_to(game="go"), set_to(rules_version=2)):
        report = audit_match(rehashed(forged(events, 1, change)), games=NIMS)
        assert report.verdict.startswith("not checkable (")
    newer = [*events[:5], replace(events[5], kind="match.danced.1")]
    assert "danced" in audit_match(rehashed(newer), games=NIMS).verdict


def test_computer_moves_are_counted_and_rerun_only_when_asked() -> None:
    """The engine gets the job of then, with the seed that follows from the match key."""
    events = with_computer(6).tell(ANN, cmd.Resign("A")).events
    plain = audit_match(events)
    assert (plain.verdict, plain.thoughts, plain.rerun) == (PROVED, 3, 0)
    seeds: list[int] = []

    def engine(job: AiJob, thought: Thought) -> Awaited:
        seeds.append(job.seed)
        assert (job.seat, job.level, thought) == ("B", 2, THOUGHT)
        return at_once(job, thought)

    rerun = audit_match(events, engines=engine)
    assert (rerun.verdict, rerun.thoughts, rerun.rerun) == (PROVED, 3, 3)
    assert len(set(seeds)) == 3


def test_a_computer_move_that_the_engine_would_not_play_differs() -> None:
    """It is legal, and still not what level 2 answers to that position."""
    events = with_computer(2).tell(ANN, cmd.Resign("A")).events
    report = audit_match(events, engines=lambda _job, _thought: lambda: "j5,j6")
    version = version_of(events, "match.move_played.1", nth=2)
    assert only_difference(report) == (version, "match.move_played.1 move by greedy 1")


def test_a_missing_engine_makes_a_match_not_checkable() -> None:
    """And says which one, whether it is not installed or gives no answer."""

    def missing() -> str:
        raise EngineMissing("engine greedy 1 not installed")

    def not_here(_job: AiJob, _thought: Thought) -> Awaited:
        missing()
        return missing

    def silent(_job: AiJob, _thought: Thought) -> Awaited:
        return missing

    events = with_computer(2).tell(ANN, cmd.Resign("A")).events
    for engines in (not_here, silent):
        report = audit_match(events, engines=engines)
        assert report.verdict == "not checkable (engine greedy 1 not installed)"


def test_the_first_computer_move_that_differs_is_the_one_reported() -> None:
    """All are asked for before the first is waited for; the order of the match decides."""
    events = with_computer(6).tell(ANN, cmd.Resign("A")).events
    asked: list[int] = []

    def engine(job: AiJob, thought: Thought) -> Awaited:
        asked.append(job.turn)
        return at_once(job, thought) if len(asked) == 1 else lambda: "j5,j6"

    report = audit_match(events, engines=engine)
    version = version_of(events, "match.move_played.1", nth=4)
    assert only_difference(report) == (version, "match.move_played.1 move by greedy 1")
    assert (asked, report.rerun) == ([1, 3, 5], 2)


def test_moves_of_a_weaker_engine_that_stood_in_are_counted_and_played_again() -> None:
    """The evidence names the level that played and why; it is asked again like any other."""
    story = with_computer(1)
    state = story.state
    move = state.the_game.rules.moves(state.position).texts[0]
    thought = replace(THOUGHT, level=1, fallback="time")
    story.tell(COMPUTER, cmd.PlayMove("B", move, 1, thought)).tell(ANN, cmd.Resign("A"))
    asked: list[int] = []

    def engine(job: AiJob, thought: Thought) -> Awaited:
        asked.append(job.level)
        return at_once(job, thought)

    report = audit_match(story.events, engines=engine)
    assert (report.verdict, report.thoughts, report.fallbacks) == (PROVED, 1, 1)
    assert (asked, report.rerun) == ([1], 1)


def test_a_running_match_keeps_its_engine_seeds_to_itself() -> None:
    """No seed, no run; with the secret the same engine runs now."""
    events = with_computer(2).events
    waiting = audit_match(events, engines=at_once)
    assert (waiting.verdict, waiting.rerun) == (CHAIN_ONLY, 0)
    opened = audit_match(events, engines=at_once, secret=SEED)
    assert (opened.verdict, opened.rerun) == (PROVED, 1)


@pytest.mark.parametrize("level", [1, 3])
def test_evidence_names_the_level_that_holds_the_seat(level: int) -> None:
    """A computer that plays above or below its level is found without any engine."""
    events = with_computer(2).events
    version = version_of(events, "match.move_played.1", nth=2)
    thought = {"engine": "greedy", "engine_version": 1, "level": level, "budget": 0}
    report = audit_match(rehashed(forged(events, version, set_to(thought=thought))))
    assert only_difference(report) == (version, "match.move_played.1 thought.level")


def test_a_computer_seat_without_evidence_and_a_person_with_it_differ() -> None:
    """Evidence belongs to computers, and they never go without."""
    events = with_computer(2).events
    first, second = (version_of(events, "match.move_played.1", nth=n) for n in (1, 2))
    thought = {"engine": "greedy", "engine_version": 1, "level": 2, "budget": 0}
    for version, value in ((first, thought), (second, None)):
        report = audit_match(rehashed(forged(events, version, set_to(thought=value))))
        assert only_difference(report) == (version, "match.move_played.1 thought.level")


BYTES = st.binary(max_size=40) | st.sampled_from(
    [encode(event).data for event in (kinds.MatchStarted(), kinds.SeatLeft("A"))]
)


@given(st.integers(1, 13), st.sampled_from(kinds.EVENT_TYPES), BYTES)
def test_no_bytes_make_an_audit_fail(version: int, kind: type[kinds.Event], data: bytes) -> None:
    """Any kind with any data in any place: a report, and never a good one for nothing."""
    events = nim().events
    changed = replace(events[version - 1], kind=kind.kind, data=data)
    report = audit_match([*events[: version - 1], changed, *events[version:]], games=NIMS)
    is_same = (kind.kind, data) == (events[version - 1].kind, events[version - 1].data)
    assert report.is_good == is_same
