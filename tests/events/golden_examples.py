"""What the golden bytes mean: one event a file in ``golden/``, by the file's name.

``full`` examples set every field, ``least`` ones only what has no default, so a changed default
shows too. A new optional field gets a new example and file beside the old ones.
"""

from pathlib import Path

from events import event_kinds as kinds

FOLDER = Path(__file__).parent / "golden"
NAMES = sorted(path.stem for path in FOLDER.glob("*.json"))

RULESET = {"variant": "duo", "corners": "fixed", "bonuses": [15, 20], "name": "Duo å"}
HASH = "5f" * 32

EXAMPLES: dict[str, kinds.Event] = {
    "match.created.1.full": kinds.MatchCreated(
        game="blokus",
        rules_version=1,
        ruleset=RULESET,
        seats=2,
        seed_commit=HASH,
        host="player:p-abcdefghijklmnop",
        visibility="public",
        rated=True,
        per_move_s=86_400,
        algorithm="plybook/fair-shuffle/v2",
    ),
    "match.created.1.least": kinds.MatchCreated(
        game="blokus", rules_version=1, ruleset={}, seats=4, seed_commit=HASH, host="server"
    ),
    "match.imported.1.full": kinds.MatchImported(
        game="blokus",
        rules_version=1,
        ruleset=RULESET,
        seats=2,
        digest=HASH,
        start="e5,e6/- A",
        origin="mail",
    ),
    "match.imported.1.least": kinds.MatchImported(
        game="blokus", rules_version=1, ruleset={}, seats=4, digest=HASH
    ),
    "match.seat_taken.1.full": kinds.SeatTaken(seat="B", player="p-abcdefghijklmnop", level=3),
    "match.seat_taken.1.least": kinds.SeatTaken(seat="B"),
    "match.seat_left.1.full": kinds.SeatLeft(seat="B"),
    "match.entropy_given.1.full": kinds.EntropyGiven(seat="B", entropy="00ff5a", seed_commit=HASH),
    "match.entry_sealed.1.full": kinds.EntrySealed(seat="A", commit=HASH),
    "match.entries_opened.1.full": kinds.EntriesOpened(
        entries={"A": "Pn1,Pe1,K", "B": "Q1,B1"}, salts={"A": HASH, "B": HASH}
    ),
    "match.dealt.1.full": kinds.Dealt(
        turn=1, number=1, round_commit=HASH, facts=("opener B triple 222",)
    ),
    "match.dealt.1.least": kinds.Dealt(turn=1, number=1, round_commit=HASH),
    "match.round_ended.1.full": kinds.RoundEnded(number=2, round_key=HASH),
    "match.started.1.full": kinds.MatchStarted(),
    "match.move_played.1.full": kinds.MovePlayed(
        turn=7,
        seat="A",
        move="e5,e6,f6",
        facts=("pass B", "pass C"),
        thought=kinds.Thought(
            engine="contacts", engine_version=1, level=2, budget=500, fallback="timeout"
        ),
    ),
    "match.move_played.1.least": kinds.MovePlayed(turn=1, seat="A", move="e5"),
    "match.move_played.1.thought": kinds.MovePlayed(
        turn=2,
        seat="B",
        move="e6",
        thought=kinds.Thought(engine="contacts", engine_version=1, level=1, budget=0),
    ),
    "match.seat_resigned.1.full": kinds.SeatResigned(turn=8, seat="B", facts=("out B",)),
    "match.seat_resigned.1.least": kinds.SeatResigned(turn=8, seat="B"),
    "match.seat_timed_out.1.full": kinds.SeatTimedOut(turn=9, seat="C", facts=("out C",)),
    "match.seat_timed_out.1.least": kinds.SeatTimedOut(turn=9, seat="C"),
    "match.offer_made.1.full": kinds.OfferMade(offer="takeback", seat="A", to_turn=4),
    "match.offer_made.1.least": kinds.OfferMade(offer="draw", seat="A"),
    "match.offer_answered.1.full": kinds.OfferAnswered(offer="draw", seat="B", yes=True),
    "match.taken_back.1.full": kinds.TakenBack(turn=10, to_turn=4),
    "match.ended.1.full": kinds.MatchEnded(
        how="points",
        points={"A": 64, "B": -3},
        winners=("A",),
        parts={"squares": 64, "bonus": 15},
        server_seed=HASH,
    ),
    "match.ended.1.least": kinds.MatchEnded(how="cancelled", points={}, winners=()),
}


def kind_of(name: str) -> str:
    """``match.started.1.full`` is an example of ``match.started.1``."""
    return name.rpartition(".")[0]


def golden(name: str) -> bytes:
    """The stored bytes of an example; the file's last line break is not part of them."""
    return (FOLDER / f"{name}.json").read_bytes().removesuffix(b"\n")
