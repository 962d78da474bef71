"""A stop is one request, however many signals bring it; impatience ends a process at once."""

import signal
import subprocess
import sys
from pathlib import Path

from ops.folder_lock import SERVER_FILE
from tests.kit.machine import PATIENCE_SECONDS, Machine, until

SIGNALS_IN_A_BURST = 40
SIGNALLED_AGAIN_AT_EVERY_LINE = """
import itertools, signal, sys
from ops.stopping import stop_signal

def seen_to_stop(at):  # whether a second signal still came, at this line of what runs meanwhile
    lines = itertools.count()
    def interrupt(frame, event, arg):
        if next(lines) == at:
            signal.raise_signal(signal.SIGTERM)
        return interrupt
    with stop_signal() as stop:
        sys.settrace(interrupt)
        signal.raise_signal(signal.SIGTERM)
        stop.wait()
        sys.settrace(None)
    return next(lines) > at

lines = sum(itertools.takewhile(bool, map(seen_to_stop, itertools.count())))
print(f"stopped, {lines > 5}")
"""
SLOW_TO_STOP = """
import time
from ops import stopping
stopping.SAME_REQUEST_SECONDS = 0.0
with stopping.stop_signal() as stop:
    print("ready", flush=True)
    stop.wait()
    print("asked", flush=True)
    time.sleep(3600)
"""


def test_a_burst_of_signals_is_one_polite_stop(tmp_path: Path) -> None:
    """A supervisor, ``make`` and a hand on Ctrl-C at once: the server still says goodbye."""
    machine = Machine(tmp_path / "data")
    with machine.start("serve") as server:
        machine.until_ready(server)
        for number in range(SIGNALS_IN_A_BURST):
            server.signal(signal.SIGINT if number % 2 else signal.SIGTERM)
        assert until(lambda: server.ended), server.lines()
        assert server.stop() == 0, server.lines()
    assert not (machine.data / SERVER_FILE).exists()  # what a killed one leaves behind


def test_a_signal_may_come_in_the_middle_of_another_ones_handler() -> None:
    """Handlers nest: none waits for a lock that the one below it holds."""
    done = subprocess.run(
        [sys.executable, "-c", SIGNALLED_AGAIN_AT_EVERY_LINE],
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert done.stdout == "stopped, True\n", done.stderr


def test_a_second_signal_ends_a_process_that_is_slow_to_stop() -> None:
    """Whoever asks again, later, does not want to wait."""
    slow = subprocess.Popen([sys.executable, "-c", SLOW_TO_STOP], stdout=subprocess.PIPE, text=True)
    with slow:
        assert slow.stdout is not None
        assert slow.stdout.readline() == "ready\n"
        slow.send_signal(signal.SIGTERM)
        assert slow.stdout.readline() == "asked\n"
        slow.send_signal(signal.SIGTERM)
        assert slow.wait(PATIENCE_SECONDS) == -signal.SIGTERM
