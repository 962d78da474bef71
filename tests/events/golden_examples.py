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
    "match.seat_taken.1.adaptive": kinds.SeatTaken(seat="B", level=3, adaptive=True),
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
    "match.started.1.levels": kinds.MatchStarted(levels={"B": 4}),
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
    "match.move_played.1.noise": kinds.MovePlayed(
        turn=2,
        seat="B",
        move="e6",
        thought=kinds.Thought("contacts", engine_version=1, level=1, budget=0, noise=800),
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

RULES = {"difficulty": {"slug": "easy"}, "opponents": [{"number": 1, "name": "Ash", "deck": "B"}]}
STONES = (kinds.OwnedStone(1, "Pn1"), kinds.OwnedStone(9, "Q2", source=8))
DRAW = kinds.Draw(purpose="new-stone", counter=3, items=(("B1", 2), ("Pe1", 4)), drawn=(1,))

EXAMPLES |= {
    "match.counted.1.full": kinds.MatchCounted(by="run:r-abcdefghijklmnop"),
    "match.counted.1.player": kinds.MatchCounted(by="player:p-abcdefghijklmnop"),
    "player.result_rated.1.full": kinds.ResultRated(
        game="blokus",
        match="m-abcdefghijklmnop",
        level=3,
        place=2,
        against=(1, 3),
        levels=(1, 2, 3),
        mu=27_512,
        sigma=6_980,
    ),
    "player.opponent_level_changed.1.full": kinds.OpponentLevelChanged(
        game="blokus", match="m-abcdefghijklmnop", reason="match-won", was=3, level=4
    ),
    "campaign.started.1.full": kinds.CampaignStarted(
        player="p-abcdefghijklmnop",
        game="caltrop",
        rules_version=1,
        rules=RULES,
        stones=STONES,
        deck=(9, 1),
        next_number=10,
    ),
    "campaign.run_closed.1.full": kinds.RunClosed(
        run="r-abcdefghijklmnop",
        number=2,
        how="lost",
        wins=7,
        kept=9,
        stones=STONES,
        deck=(9, 1),
        next_number=10,
    ),
    "run.started.1.full": kinds.RunStarted(
        campaign="c-abcdefghijklmnop",
        number=2,
        player="p-abcdefghijklmnop",
        game="caltrop",
        rules_version=1,
        rules=RULES,
        stones=STONES,
        deck=(9, 1),
        next_number=10,
        seed_commit=HASH,
        opponent=15,
        algorithm="plybook/fair-shuffle/v2",
    ),
    "run.started.1.least": kinds.RunStarted(
        campaign="c-abcdefghijklmnop",
        number=1,
        player="p-abcdefghijklmnop",
        game="caltrop",
        rules_version=1,
        rules={},
        stones=(),
        deck=(),
        next_number=1,
        seed_commit=HASH,
        opponent=1,
    ),
    "run.deck_changed.1.full": kinds.DeckChanged(deck=(1, 9)),
    "run.match_opened.1.full": kinds.RunMatchOpened(
        number=3,
        match="m-abcdefghijklmnop",
        opponent=15,
        deck="Q2,Pn1",
        against="ED0,Q0",
        first="b",
        level=2,
    ),
    "run.match_ended.1.full": kinds.RunMatchEnded(
        number=3, match="m-abcdefghijklmnop", won=True, how="points", next_opponent=16
    ),
    "run.match_ended.1.least": kinds.RunMatchEnded(
        number=20, match="m-abcdefghijklmnop", won=False, how="resign"
    ),
    "run.stone_won.1.full": kinds.StoneWon(
        number=3, draw=DRAW, stone=kinds.OwnedStone(10, "Pe1"), slot=2
    ),
    "run.stone_won.1.least": kinds.StoneWon(number=3, draw=DRAW, stone=kinds.OwnedStone(10, "Pe1")),
    "run.upgrade_offered.1.full": kinds.UpgradeOffered(
        number=3,
        draw=kinds.Draw("upgrade-offer", 3, (("1", 1), ("2", 1), ("5", 1)), (2, 0, 1)),
        slots=(5, 1, 2),
    ),
    "run.upgrade_chosen.1.full": kinds.UpgradeChosen(
        number=3, slot=2, stone=kinds.OwnedStone(11, "Pe2", source=10)
    ),
    "run.opponents_grew.1.full": kinds.OpponentsGrew(
        number=3,
        match="m-abcdefghijklmnop",
        reason="match-won",
        raised=(kinds.Raised(1, 5, "Pn0", "Pn1"), kinds.Raised(2, 5, "Pn0", "Pn1")),
    ),
    "run.ended.1.full": kinds.RunEnded(how="won", wins=20, order=(3, 15, 16, 24), server_seed=HASH),
}


def kind_of(name: str) -> str:
    """``match.started.1.full`` is an example of ``match.started.1``."""
    return name.rpartition(".")[0]


def golden(name: str) -> bytes:
    """The stored bytes of an example; the file's last line break is not part of them."""
    return (FOLDER / f"{name}.json").read_bytes().removesuffix(b"\n")
