"""What the dispatcher decides: most urgent first, never more than the window, never twice."""

import pytest

from workers.offers import ATTEMPTS_MAX, Claim, Due, what_to_offer

NOW = 1_000


def due(
    stream: str, at: int = 0, *, queue: str = "quick", turn: int = 1, kind: str = "ai_turn"
) -> Due:
    """A row that is due since ``at``."""
    return Due(stream, kind, turn, kind, queue, at)


def claim(
    stream: str, *, offered: int = 0, leased: int = 0, attempts: int = 0, queue: str = "quick"
) -> Claim:
    """A claim on the row of ``due``."""
    return Claim(stream, "ai_turn", 1, queue, offered, leased, attempts)


@pytest.mark.parametrize(
    ("given", "claims", "window", "offered"),
    [
        pytest.param([], [], 4, "", id="nothing is due, nothing is offered"),
        pytest.param([due("b", 2), due("a", 9), due("c", 1)], [], 4, "cba", id="urgent first"),
        pytest.param([due("b", 5), due("a", 5)], [], 4, "ab", id="equally urgent: by stream"),
        pytest.param(
            [due("a", NOW, kind="deadline"), due("b", NOW + 1, kind="deadline")],
            [],
            4,
            "a",
            id="a deadline not before its time",
        ),
        pytest.param(
            [
                due("a", NOW + 9, kind="upgrade"),
                due("b", NOW + 2, kind="run_step"),
                due("c", NOW + 1),
            ],
            [],
            4,
            "cba",
            id="all else at once and in order, even if the clock was set back",
        ),
        pytest.param([due("a"), due("b"), due("c")], [], 2, "ab", id="never more than the window"),
        pytest.param([due("a")], [], 0, "", id="no workers, no offers"),
        pytest.param([due("a"), due("b")], [claim("a", offered=NOW + 1)], 4, "b", id="not twice"),
        pytest.param(
            [due("a")], [claim("a", leased=NOW + 1)], 4, "", id="not while a worker has it"
        ),
        pytest.param(
            [due("a")], [claim("a", offered=NOW)], 4, "a", id="again when the offer is over"
        ),
        pytest.param([due("a")], [claim("a", leased=NOW, attempts=1)], 4, "a", id="or the lease"),
        pytest.param(
            [due("c"), due("d")],
            [claim("a", offered=NOW + 1), claim("b", leased=NOW + 1, attempts=1)],
            3,
            "c",
            id="offers and leases both fill the window",
        ),
        pytest.param(
            [due("b")], [claim("a", offered=NOW - 1)], 1, "b", id="what has run out fills nothing"
        ),
        pytest.param(
            [due("b")],
            [claim("a", leased=NOW + 1, attempts=ATTEMPTS_MAX + 1)],
            1,
            "b",
            id="a row that fails for ever keeps nobody waiting",
        ),
        pytest.param(
            [due("b")], [claim("a", leased=NOW + 1, queue="deep")], 1, "b", id="queues are apart"
        ),
    ],
)
def test_given_due_rows_and_claims_then_these_are_offered(
    given: list[Due], claims: list[Claim], window: int, offered: str
) -> None:
    """One law a case; its id says it."""
    windows = {"quick": window, "deep": 1}
    assert [row.stream for row in what_to_offer(given, claims, NOW, windows)] == list(offered)


def test_a_new_turn_is_offered_while_the_old_ones_claim_lives() -> None:
    """Claims are of one turn: the answer to the next need not wait for the last to be forgotten."""
    rows = [due("a", turn=2)]
    assert what_to_offer(rows, [claim("a", leased=NOW + 1)], NOW, {"quick": 4}) == tuple(rows)


def test_an_outage_ends_in_the_order_of_urgency() -> None:
    """A thousand rows waited; each round offers the most urgent window, until all are done."""
    waiting = {due(f"m{n:04}", at=(n * 7919) % 1_000) for n in range(1_000)}
    order: list[int] = []
    while waiting:
        chosen = what_to_offer(waiting, [], NOW, {"quick": 8})
        assert len(chosen) == 8
        order += [row.due_at for row in chosen]
        waiting -= set(chosen)
    assert order == sorted(order)
