"""The one door: every command is recorded once, whatever is sent twice or comes between."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from events.event_kinds import Thought
from events.log import Append, CommandId, Namespace
from events.recorded import NewEvent
from services.match import commands as cmd
from services.match.handler import Done, Handler, stream_of
from services.match.jobs import ai_job
from services.match.refusals import Refusal
from services.projections.inline import rows_of
from tests.kit.desk import Desk, desk, new_handler
from tests.kit.given import GAMES, GUEST, HOST

ANN_MOVES = cmd.PlayMove(seat="A", move="1", expected_turn=0)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Desk]:
    """A log that can play the toy game."""
    with desk(tmp_path, GAMES) as made:
        yield made


def key(text: str, namespace: Namespace = Namespace.OUTSIDE) -> CommandId:
    """An idempotency key from outside, unless said otherwise."""
    return CommandId(namespace, text)


def ask(
    handler: Handler,
    match: str,
    command: cmd.MatchCommand,
    actor: str = HOST,
    command_id: CommandId | None = None,
) -> Done | Refusal:
    """One command, received at moment 1."""
    return handler.handle(match, command, actor=actor, command_id=command_id, received_at=1)


def started(house: Desk, *, computer: bool = False) -> str:
    """A running match of Ann against Bob, or against a computer."""
    opened = house.handler.create(
        cmd.CreateMatch(game="nim"), actor=HOST, command_id=None, received_at=1
    )
    assert isinstance(opened, Done)
    for command, actor in (
        (cmd.TakeSeat(seat="A"), HOST),
        (cmd.TakeSeat(seat="B", level=1), HOST) if computer else (cmd.TakeSeat(seat="B"), GUEST),
        (cmd.StartMatch(), HOST),
    ):
        assert isinstance(ask(house.handler, opened.match, command, actor), Done)
    return opened.match


def test_a_recorded_command_tells_the_new_head(house: Desk) -> None:
    """The answer is what the log holds now."""
    match = started(house)

    done = ask(house.handler, match, ANN_MOVES)

    assert isinstance(done, Done)
    head = house.log.head(stream_of(match))
    assert (done.version, done.head, done.turn) == (head.version, head.hash.hex(), 1)


def test_the_same_command_twice_is_one_event_and_one_answer(house: Desk) -> None:
    """A retry gets the first answer, also after the match went on (PA-01)."""
    match = started(house)
    first = ask(house.handler, match, ANN_MOVES, command_id=key("k"))
    ask(house.handler, match, cmd.PlayMove(seat="B", move="1", expected_turn=1), GUEST)

    again = ask(house.handler, match, ANN_MOVES, command_id=key("k"))

    assert isinstance(first, Done)
    assert isinstance(again, Done)
    assert again.repeated
    assert (again.version, again.turn, again.head) == (first.version, 1, first.head)
    assert house.log.head(stream_of(match)).version == 6


def test_two_equal_commands_at_once_are_one_event(house: Desk) -> None:
    """Also when both are decided before either is recorded."""
    match = started(house)
    answers: list[Done | Refusal] = []
    both = threading.Barrier(2)

    def play() -> None:
        both.wait()
        answers.append(ask(house.handler, match, ANN_MOVES, command_id=key("k")))

    threads = [threading.Thread(target=play) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert [type(answer) for answer in answers] == [Done, Done]
    assert len({answer.head for answer in answers if isinstance(answer, Done)}) == 1
    assert house.log.head(stream_of(match)).version == 5


def test_a_twin_recorded_during_the_judgement_gives_its_answer(house: Desk) -> None:
    """The second command finds the turn gone, but it is its own turn that is gone."""
    match = started(house)
    other = new_handler(house.log, GAMES)
    original = house.log.repeated
    looks: list[object] = []

    def look_then_lose(*args: object) -> object:
        found = original(*args)  # type: ignore[arg-type]
        looks.append(found)
        if len(looks) == 1:
            ask(other, match, ANN_MOVES, command_id=key("k"))
        return found

    house.log.repeated = look_then_lose  # type: ignore[method-assign, assignment]
    answer = ask(house.handler, match, ANN_MOVES, command_id=key("k"))

    assert looks[0] is None
    assert isinstance(answer, Done)
    assert answer.repeated
    assert (answer.version, house.log.head(stream_of(match)).version) == (5, 5)


def test_two_different_moves_for_one_turn_are_one_event_and_one_stale_turn(house: Desk) -> None:
    """Exactly one is recorded, the other is told plainly (PA-02)."""
    match = started(house)
    other = cmd.PlayMove(seat="A", move="2", expected_turn=0)
    answers = [ask(house.handler, match, ANN_MOVES), ask(house.handler, match, other)]

    assert isinstance(answers[0], Done)
    assert isinstance(answers[1], Refusal)
    assert answers[1].code == "stale-turn"
    assert answers[1].details == {"turn": 1}


def test_a_key_used_for_another_command_is_refused(house: Desk) -> None:
    """An idempotency key means one thing for ever."""
    match = started(house)
    ask(house.handler, match, ANN_MOVES, command_id=key("k"))

    reused = ask(house.handler, match, cmd.Resign(seat="A"), command_id=key("k"))

    assert isinstance(reused, Refusal)
    assert reused.code == "command-reused"


def test_a_client_cannot_claim_the_computers_command_id(house: Desk) -> None:
    """Ids from outside and from inside never meet."""
    match = started(house, computer=True)
    ask(house.handler, match, ANN_MOVES, command_id=key("ai:1"))
    move = cmd.PlayMove(seat="B", move="1", expected_turn=1)

    answer = ask(house.handler, match, move, "computer:B", key("ai:1", Namespace.INSIDE))

    assert isinstance(answer, Done)
    assert not answer.repeated


def test_the_evidence_of_a_thought_is_no_part_of_the_command(house: Desk) -> None:
    """A turn played by another engine after a retry is still the same command."""
    match = started(house, computer=True)
    ask(house.handler, match, ANN_MOVES)
    plain = cmd.PlayMove(seat="B", move="1", expected_turn=1)
    inside = key("ai:1", Namespace.INSIDE)
    ask(house.handler, match, plain, "computer:B", inside)
    thought = Thought("first", 1, 1, 0, fallback="hung")

    again = ask(
        house.handler,
        match,
        cmd.PlayMove(seat="B", move="1", expected_turn=1, thought=thought),
        "computer:B",
        inside,
    )

    assert isinstance(again, Done)
    assert again.repeated


def test_a_move_is_decided_again_when_only_chatter_came_between(house: Desk) -> None:
    """An offer recorded by another server between folding and appending costs nothing."""
    match = started(house)
    other = new_handler(house.log, GAMES)
    original = house.log.told
    interrupted: list[bool] = []

    def read_then_chatter(*args: object, **kwargs: object) -> object:
        events = original(*args, **kwargs)  # type: ignore[arg-type]
        if not interrupted:
            interrupted.append(True)
            ask(other, match, cmd.MakeOffer(offer="draw", seat="B"), GUEST)
        return events

    house.log.told = read_then_chatter  # type: ignore[method-assign, assignment]
    done = ask(house.handler, match, ANN_MOVES)

    assert interrupted
    assert isinstance(done, Done)
    assert (done.version, done.turn) == (6, 1)


def test_a_server_that_comes_later_folds_the_same_match(house: Desk) -> None:
    """Nothing lives in a process that is not in the log, secrets included."""
    match = started(house)
    ask(house.handler, match, ANN_MOVES)
    state = house.handler.load(match)

    fresh = new_handler(house.log, GAMES).load(match)

    assert state is not None
    assert fresh is not None
    assert rows_of(fresh) == rows_of(state)
    assert fresh.match_key() == state.match_key()


def test_every_ply_and_version_can_be_seen_again(house: Desk) -> None:
    """Ply 0 is the start; a ply or version that is not there is None."""
    match = started(house)
    ask(house.handler, match, ANN_MOVES)
    at = house.handler.at

    plies = [at(match, ply=ply) for ply in range(3)]
    assert [p and (p.ply, p.position.left) for p in plies] == [(0, 5), (1, 4), None]
    assert [s.status for v in range(1, 6) if (s := at(match, version=v))] == ["open"] * 3 + [
        "running"
    ] * 2
    assert at(match, version=0) is None
    assert at(match, version=6) is None
    assert at("m-nowhere") is None


def test_the_inline_rows_in_the_log_are_those_of_the_state(house: Desk) -> None:
    """Board and due work are written with the events that made them."""
    match = started(house, computer=True)
    done = ask(house.handler, match, ANN_MOVES)
    assert isinstance(done, Done)

    stored = {name: house.log.rows(name, stream_of(match)) for name in ("boards", "work_due")}

    assert stored == rows_of(done.state)
    assert stored["work_due"]["ai_turn"] == ("ai_turn", "nim", "B", 1, 1, 1)


def test_the_same_idempotency_key_opens_one_match(house: Desk) -> None:
    """A retried creation finds its match; other players' keys lead elsewhere."""
    create = cmd.CreateMatch(game="nim")
    answers = [
        house.handler.create(create, actor=actor, command_id=key("k"), received_at=1)
        for actor in (HOST, HOST, GUEST)
    ]

    matches = [answer.match for answer in answers if isinstance(answer, Done)]
    assert matches[0] == matches[1] != matches[2]


def test_an_unknown_level_is_refused_with_the_known_ones(house: Desk) -> None:
    """The refusal tells what would be right."""
    opened = house.handler.create(
        cmd.CreateMatch(game="nim"), actor=HOST, command_id=None, received_at=1
    )
    assert isinstance(opened, Done)

    refused = ask(house.handler, opened.match, cmd.TakeSeat(seat="B", level=7))

    assert isinstance(refused, Refusal)
    assert (refused.code, refused.details) == ("no-such-level", {"levels": (1,)})


def test_a_kind_from_the_future_is_refused_not_guessed(house: Desk) -> None:
    """Old code never decides about a match it cannot read whole."""
    match = started(house)
    head = house.log.head(stream_of(match))
    future = NewEvent("match.teleported.1", b"{}")
    house.log.append([Append(stream_of(match), head.version, "server", 1, (future,))])

    refused = ask(new_handler(house.log, GAMES), match, ANN_MOVES)

    assert isinstance(refused, Refusal)
    assert refused.code == "newer-log"


def test_a_job_tells_its_seed_to_nobody_but_the_engine(house: Desk) -> None:
    """Whatever prints or logs a job shows neither seed nor view."""
    match = started(house, computer=True)
    ask(house.handler, match, ANN_MOVES)
    state = house.handler.load(match)
    assert state is not None
    job = ai_job(state)

    assert job is not None
    assert str(job.seed) not in repr(job)
    assert job.view not in repr(job)
