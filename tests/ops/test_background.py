"""Loops that go on by themselves: what fails in them is known outside the log."""

from ops.background import TROUBLE_SECONDS, Troubles


def test_a_failing_loop_is_named_until_it_has_been_quiet_for_a_while() -> None:
    """Readiness says which loop fails and why; a loop that recovered is not held against it."""
    now = [0.0]
    troubles = Troubles(clock=lambda: now[0])
    assert troubles.now() == ""
    troubles.tell("relay", OSError("no room"))
    troubles.tell("dispatcher", OSError("no room either"))
    assert troubles.now() == "dispatcher: no room either; relay: no room"
    now[0] = TROUBLE_SECONDS - 1
    troubles.tell("relay", ValueError())
    now[0] = TROUBLE_SECONDS + 1
    assert troubles.now() == "relay: ValueError"
