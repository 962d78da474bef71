"""Accounts: a token is the only key, only its hash is kept, and a person can be erased."""

import re

from sqlalchemy import select

from events import schema
from events.sqlite_store import SqliteStore
from services.players.accounts import NAME_KEPT_US, NAMES_KEPT, Players
from services.players.invites import Invites
from services.players.tokens import token_hash
from tests.players.conftest import Hands


def everything(store: SqliteStore) -> str:
    """Every row of people's tables, as one text."""
    tables = (schema.player, schema.invite)
    rows = store.read(lambda c: [c.execute(select(table)).all() for table in tables])
    return repr(rows)


def test_a_token_names_its_player_and_nothing_else_does(store: SqliteStore, clock: Hands) -> None:
    """256 random bits; every other text is nobody's."""
    players = Players(store, clock)
    ada, bob = players.register("Ada"), players.register("Bob")
    assert players.by_token(ada.token) == ada.player != bob.player
    for wrong in ("", ada.token[:-1], ada.token + "x", ada.player, "x" * 10_000):
        assert players.by_token(wrong) is None
    assert re.fullmatch(r"p-[a-z2-7]{16}", ada.player)


def test_only_the_hash_of_a_token_is_stored(store: SqliteStore, clock: Hands) -> None:
    """Whoever reads the database cannot act as anybody."""
    ada = Players(store, clock).register("Ada")
    assert ada.token not in everything(store)
    assert repr(token_hash(ada.token)) in everything(store)


def test_two_people_may_have_one_name(store: SqliteStore, clock: Hands) -> None:
    """Names are for people; ids tell them apart."""
    players = Players(store, clock)
    first, second = players.register("Ada"), players.register("Ada")
    assert players.names([first.player, second.player, "p-nobody"]) == {
        first.player: "Ada",
        second.player: "Ada",
    }


def test_an_erased_person_leaves_no_personal_data(store: SqliteStore, clock: Hands) -> None:
    """Name, token and traces in invitations go; the token opens nothing any more."""
    players, invites = Players(store, clock), Invites(store, clock)
    ada = players.register("Ada Lovelace")
    token = invites.issue("m-1", "B")
    assert invites.redeem(token, ada.player)
    assert players.erase(ada.player)
    assert players.by_token(ada.token) is None
    assert players.names([ada.player]) == {}
    assert "Lovelace" not in everything(store)
    assert ada.player not in everything(store)
    assert not players.erase(ada.player), "there is nobody left to erase"
    assert invites.redeem(token, "p-other") is None, "the invitation stays used"


def test_an_erased_name_is_gone_at_once_here_and_soon_elsewhere(
    store: SqliteStore, clock: Hands
) -> None:
    """Names are kept in memory for half a minute; erasing does not wait for that."""
    here, elsewhere = Players(store, clock), Players(store, clock)
    ada = here.register("Ada")
    for players in (here, elsewhere):
        assert players.names([ada.player]) == {ada.player: "Ada"}
    here.erase(ada.player)
    assert (here.names([ada.player]), here.exists(ada.player)) == ({}, False)
    assert not elsewhere.exists(ada.player)
    clock.now += NAME_KEPT_US
    assert elsewhere.names([ada.player]) == {}


def test_the_names_kept_in_memory_are_bounded(store: SqliteStore, clock: Hands) -> None:
    """The ones read least recently are read again when they are wanted."""
    players = Players(store, clock)
    ada = players.register("Ada")
    players.names([ada.player])
    players._names.keep({f"p-{number}": "x" for number in range(NAMES_KEPT)}, clock())
    assert len(players._names._kept) == NAMES_KEPT
    assert players.names([ada.player]) == {ada.player: "Ada"}
