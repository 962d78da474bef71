"""How much is measured: enough to trust the middle, or just enough to see that it runs."""

import msgspec


class Sizes(msgspec.Struct, frozen=True):
    """Rounds are repetitions by turns; the rest is how much one run does."""

    rounds: int
    clients: int
    matches_alone: int
    """Matches that a single client appends in one run."""
    bare_alone: int
    bare_events: int
    """Bare events a client appends in one run; the library, being slower, fewer."""
    bare_events_library: int
    replays: int
    judged: int
    """Matches of each variant that are folded and audited."""
    imported: int
    engine_positions: int
    placements: int
    """Pieces placed in the playouts of one search."""
    ends: int
    """Ends of games of Caltrop that are searched."""
    http_matches: int
    http_rounds: int


FULL = Sizes(
    rounds=9,
    clients=64,
    matches_alone=4,
    bare_alone=200,
    bare_events=80,
    bare_events_library=10,
    replays=20,
    judged=8,
    imported=2_000,
    engine_positions=12,
    placements=1_000_000,
    ends=50,
    http_matches=50,
    http_rounds=6,
)
QUICK = Sizes(
    rounds=1,
    clients=4,
    matches_alone=1,
    bare_alone=5,
    bare_events=3,
    bare_events_library=2,
    replays=1,
    judged=1,
    imported=8,
    engine_positions=1,
    placements=2_000,
    ends=2,
    http_matches=4,
    http_rounds=1,
)
