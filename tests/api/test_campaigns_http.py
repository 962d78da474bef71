"""The solo game over HTTP: begin, fight, grow, choose, keep; and every no with its reason."""

from typing import Any

import pytest

from tests.api.house import House, Person


class Solo:
    """A player's campaign, and the workers' steps made by hand."""

    def __init__(self, home: House, player: Person, difficulty: str = "easy") -> None:
        self.home = home
        self.player = player
        begun = player.post("/campaigns", {"difficulty": difficulty})
        assert begun.status_code == 201, begun.text
        self.campaign: str = begun.json()["campaign"]
        self.run: str = self.says("campaigns", self.campaign, "runs", number=1)["run"]

    def says(self, what: str, name: str, do: str, **body: Any) -> dict[str, Any]:
        """A request that succeeds."""
        answer = self.player.post(f"/{what}/{name}/{do}", body)
        assert answer.status_code == 201, answer.text
        done: dict[str, Any] = answer.json()
        return done

    def view(self) -> dict[str, Any]:
        """The run now."""
        seen: dict[str, Any] = self.player.get(f"/runs/{self.run}").json()["view"]
        return seen

    def fights(self, *, won: bool) -> str:
        """The next match, which one side gives up at once; its result is counted."""
        number = self.view()["next_match"]
        match: str = self.says("runs", self.run, "fight", number=number)["view"]["match"]
        seat, actor = ("B", "computer:B") if won else ("A", f"player:{self.player.player}")
        self.home.resigns(match, seat, actor)
        self.home.services.campaigns.count(match, 1)
        return match

    def grows(self) -> None:
        """The growth that the run waits for."""
        self.home.services.campaigns.grow(self.run, self.view()["wins"], 1)

    def chooses(self) -> None:
        """The first upgrade on offer."""
        view = self.view()
        if view["offer"]:
            slot = view["offer"][0]["slot"]
            self.says("runs", self.run, "upgrade", number=view["wins"], slot=slot)


@pytest.fixture
def solo(home: House, ada: Person) -> Solo:
    """Ada's first run, on Easy."""
    return Solo(home, ada)


def refusal(player: Person, path: str, **body: Any) -> tuple[int, str]:
    """Status and code of a request that is refused."""
    problem = player.post(path, body).json()
    return problem["status"], problem["code"]


def test_difficulties_are_cards_that_tell_the_levels_per_win(ada: Person) -> None:
    """Easy, Normal, Hard, Very hard, as the sheet has them."""
    cards = ada.get("/difficulties").json()
    assert [card["slug"] for card in cards] == ["easy", "normal", "hard", "very-hard"]
    assert [card["levels_per_win"] for card in cards] == [1, 1, 2, 2]


def test_a_new_run_shows_the_next_opponent_and_no_other(solo: Solo) -> None:
    """Eight starter stones, an opponent at level 0, and nothing of the order or the seed."""
    view = solo.view()
    assert (view["phase"], view["next_match"], view["wins"]) == ("ready", 1, 0)
    deck = [stone["stone"] for stone in view["stones"] if stone["slot"]]
    assert deck == ["Pn1", "Pe1", "Pw1", "Nn1", "Ne1", "B1", "R1", "Q1"]
    assert {stone[-1] for stone in view["opponent"]["deck"]} <= {"0", "K"}
    assert (view["order"], view["server_seed"]) == ([], "")
    events = solo.player.get(f"/runs/{solo.run}/events").json()["events"]
    assert [event["kind"] for event in events] == ["run.started.1"]
    assert "order" not in events[0]["data"]


def test_a_fight_is_an_ordinary_match_with_the_player_at_a(solo: Solo) -> None:
    """Its decks and first placer come from the run, its opponent is a computer of the level."""
    fought = solo.says("runs", solo.run, "fight", number=1)["view"]
    assert fought["phase"] == "fighting"
    match = solo.player.get(f"/matches/{fought['match']}").json()
    assert match["you"] == ["A"]
    view = match["view"]
    assert (view["status"], view["to_move"], view["host"]) == ("running", "A", f"run:{solo.run}")
    assert view["seats"][1]["level"] == 2
    assert view["ruleset"]["blue"] == "Pn1,Pe1,Pw1,Nn1,Ne1,B1,R1,Q1"
    assert view["ruleset"]["red"] == fought["matches"][0]["against"]
    again = solo.player.post(f"/runs/{solo.run}/fight", {"number": 1}).json()
    assert (again["code"], again["details"]["match"]) == ("match-running", fought["match"])


def test_a_match_of_a_run_has_no_takebacks(solo: Solo) -> None:
    """What was played was played."""
    match = solo.says("runs", solo.run, "fight", number=1)["view"]["match"]
    solo.player.plays(match, 0, "1a1")
    solo.home.computer_plays(match)
    path = f"/matches/{match}/offers"
    assert refusal(solo.player, path, offer="takeback") == (422, "takeback-run")


def test_a_win_brings_a_stone_an_offer_and_growth_before_the_next_match(solo: Solo) -> None:
    """In the sheet's order; the next match waits for the choice and for the growth."""
    solo.fights(won=True)
    view = solo.view()
    assert (view["wins"], view["phase"], len(view["gained"])) == (1, "upgrade", 1)
    fight = f"/runs/{solo.run}/fight"
    assert refusal(solo.player, fight, number=2) == (409, "upgrade-first")
    offered = {one["slot"] for one in view["offer"]}
    (other, *_) = set(range(1, 9)) - offered
    upgrade = f"/runs/{solo.run}/upgrade"
    assert refusal(solo.player, upgrade, number=1, slot=other) == (422, "not-offered")
    assert refusal(solo.player, upgrade, number=2, slot=min(offered)) == (409, "no-offer")

    solo.chooses()
    assert solo.view()["phase"] == "growing"
    assert refusal(solo.player, fight, number=2) == (409, "opponents-growing")

    solo.grows()
    view = solo.view()
    assert (view["phase"], view["opponent"]["first"], len(view["gained"])) == ("ready", True, 2)
    assert any(stone.endswith("1") for stone in view["opponent"]["deck"])
    assert refusal(solo.player, fight, number=3) == (409, "stale-match")


def test_stones_are_changed_between_matches_only(solo: Solo) -> None:
    """Owned stones, each once, a legal deck."""
    path = f"/runs/{solo.run}/deck"
    changed = solo.says("runs", solo.run, "deck", deck=[8, 7, 6, 5, 4, 3, 2, 1])["view"]
    assert {stone["number"]: stone["slot"] for stone in changed["stones"]}[8] == 1
    assert refusal(solo.player, path, deck=[1, 1, 2, 3, 4, 5, 6, 7]) == (422, "stone-twice")
    assert refusal(solo.player, path, deck=[1, 2, 3, 4, 5, 6, 7, 9]) == (422, "not-owned")
    assert refusal(solo.player, path, deck=[1, 2]) == (422, "deck-size")
    solo.says("runs", solo.run, "fight", number=1)
    assert refusal(solo.player, path, deck=[1, 2, 3, 4, 5, 6, 7, 8]) == (409, "match-running")


def test_a_loss_ends_the_run_and_opens_its_seed(solo: Solo) -> None:
    """One gained stone is kept for good; then the next run may begin."""
    solo.fights(won=True)
    solo.chooses()
    solo.grows()
    solo.fights(won=False)
    view = solo.view()
    assert (view["phase"], view["how"], view["wins"]) == ("ended", "lost", 1)
    assert len(view["order"]) == 20
    assert len(view["server_seed"]) == 64
    audit = solo.player.get(f"/runs/{solo.run}/audit").json()
    assert (audit["good"], audit["verdict"]) == (True, "proved")

    campaign = solo.player.get(f"/campaigns/{solo.campaign}").json()["view"]
    assert campaign["may_keep"] == view["gained"]
    runs, keep = f"/campaigns/{solo.campaign}/runs", f"/campaigns/{solo.campaign}/keep"
    assert refusal(solo.player, runs, number=1) == (409, "keep-first")
    assert refusal(solo.player, runs, number=2) == (409, "stale-run")
    assert refusal(solo.player, keep, number=1, stone=1) == (422, "not-gained")
    kept = solo.says("campaigns", solo.campaign, "keep", number=1, stone=view["gained"][0])
    assert [stone["number"] for stone in kept["view"]["stones"]][-1] == view["gained"][0]
    assert kept["view"]["closed"][0]["how"] == "lost"
    second = solo.says("campaigns", solo.campaign, "runs", number=2)
    assert second["run"] != solo.run
    assert len(second["view"]["stones"]) == 9
    audit = solo.player.get(f"/campaigns/{solo.campaign}/audit").json()
    assert audit["verdict"] == "proved"


def test_nothing_gained_nothing_to_keep(solo: Solo) -> None:
    """A run lost at once is settled by the beginning of the next."""
    solo.fights(won=False)
    assert solo.says("campaigns", solo.campaign, "runs", number=2)["view"]["number"] == 2
    closed = solo.player.get(f"/campaigns/{solo.campaign}").json()["view"]["closed"]
    assert [(run["number"], run["kept"]) for run in closed] == [(1, 0)]


def test_a_repeated_request_is_one_effect(home: House, ada: Person) -> None:
    """The same key: the same campaign, the same run, the same match."""
    for _ in range(2):
        begun = ada.post("/campaigns", {"difficulty": "hard"}, key="new")
    campaign = begun.json()["campaign"]
    assert begun.headers["Idempotent-Replayed"] == "true"
    runs = [
        ada.post(f"/campaigns/{campaign}/runs", {"number": 1}, key="run").json() for _ in range(2)
    ]
    assert runs[0] == runs[1]
    fights = [
        ada.post(f"/runs/{runs[0]['run']}/fight", {"number": 1}, key="fight").json()
        for _ in range(2)
    ]
    assert fights[0] == fights[1]
    home.catch_up()
    assert [one["campaign"] for one in ada.get("/campaigns").json()] == [campaign]
    other = ada.post("/campaigns", {"difficulty": "easy"}, key="new").json()
    assert (other["status"], other["code"]) == (409, "command-reused")


def test_a_match_left_half_open_is_finished_by_asking_again(
    solo: Solo, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run says which match it is, so opening it needs nothing else."""
    campaigns = solo.home.services.campaigns
    with monkeypatch.context() as patched:
        patched.setattr(campaigns, "_open_match", lambda *_: None)
        match = solo.says("runs", solo.run, "fight", number=1)["view"]["match"]
    assert solo.player.get(f"/matches/{match}").status_code == 404
    assert refusal(solo.player, f"/runs/{solo.run}/fight", number=1) == (409, "match-running")
    assert solo.player.get(f"/matches/{match}").json()["view"]["status"] == "running"


def test_others_may_look_and_not_touch(solo: Solo, bob: Person) -> None:
    """Whoever has the address reads it; only the player acts."""
    assert bob.get(f"/runs/{solo.run}").json()["mine"] is False
    assert bob.get(f"/campaigns/{solo.campaign}").json()["mine"] is False
    assert refusal(bob, f"/runs/{solo.run}/fight", number=1) == (403, "not-your-run")
    runs, keep = f"/campaigns/{solo.campaign}/runs", f"/campaigns/{solo.campaign}/keep"
    assert refusal(bob, runs, number=1) == (403, "not-your-campaign")
    assert refusal(bob, keep, number=1) == (403, "not-your-campaign")
    assert refusal(solo.player, keep, number=1) == (409, "run-not-over")
    assert refusal(solo.player, runs, number=1) == (409, "run-open")


@pytest.mark.parametrize(
    ("path", "body", "expected"),
    [
        ("/campaigns", {"difficulty": "nightmare"}, (400, "no-such-difficulty")),
        ("/campaigns", {"difficulty": "Easy!"}, (400, "bad-input")),
        ("/campaigns/c-aaaaaaaaaaaaaaaa/runs", {"number": 1}, (404, "no-such-campaign")),
        ("/campaigns/nonsense/keep", {"number": 1}, (404, "no-such-campaign")),
        ("/runs/r-aaaaaaaaaaaaaaaa/fight", {"number": 1}, (404, "no-such-run")),
        ("/runs/r-aaaaaaaaaaaaaaaa/fight", {"number": 0}, (400, "bad-input")),
        ("/runs/nonsense/upgrade", {"number": 1, "slot": 9}, (400, "bad-input")),
    ],
)
def test_bad_requests_are_told_what_is_wrong(
    ada: Person, path: str, body: dict[str, Any], expected: tuple[int, str]
) -> None:
    """A code and a sentence for each."""
    assert refusal(ada, path, **body) == expected
