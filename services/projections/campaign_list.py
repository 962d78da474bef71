"""``campaign_list``: one row a campaign, so that players find theirs; catches up with the log."""

from collections.abc import Sequence

import msgspec
from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    insert,
    select,
    update,
)

from events.codec import decode
from events.event_kinds import CampaignStarted, RunClosed
from events.pointers import pointer
from events.recorded import Recorded

LISTED_MAX = 200


class ListedCampaign(msgspec.Struct, frozen=True):
    """A campaign in a list: its difficulty, and how many runs are over."""

    campaign: str
    difficulty: str
    runs: int


class CampaignList:
    """The projection; a row is written when a campaign begins, and counts its runs."""

    name = "campaign_list"
    shape = 1

    def table(self, metadata: MetaData, table_name: str) -> Table:
        """One row a campaign."""
        return Table(
            table_name,
            metadata,
            Column("campaign", Text, primary_key=True),
            Column("player", Text, nullable=False),
            Column("difficulty", Text, nullable=False),
            Column("runs", Integer, nullable=False),
            Column("position", BigInteger, nullable=False),
            Index(f"{table_name}_player", "player", "position"),
        )

    def apply(self, connection: Connection, table: Table, recorded: Recorded) -> None:
        """Insert at the first event, then count."""
        event = decode(recorded.kind, recorded.data)
        campaign = recorded.stream.removeprefix("campaign/")
        if isinstance(event, CampaignStarted):
            row = {
                "campaign": campaign,
                "player": event.player,
                "difficulty": event.rules["difficulty"]["slug"],
                "runs": 0,
                "position": recorded.position,
            }
            connection.execute(insert(table).values(row))
        elif isinstance(event, RunClosed):
            of_campaign = update(table).where(table.c.campaign == campaign)
            connection.execute(of_campaign.values(runs=event.number))


CAMPAIGN_LIST = CampaignList()


def campaigns_of(connection: Connection, player: str) -> Sequence[ListedCampaign]:
    """A player's campaigns, newest first."""
    to = pointer(connection, CAMPAIGN_LIST.name)
    if to is None:
        return []
    table = CAMPAIGN_LIST.table(MetaData(), to.table_name)
    query = (
        select(table.c.campaign, table.c.difficulty, table.c.runs)
        .where(table.c.player == player)
        .order_by(table.c.position.desc())
        .limit(LISTED_MAX)
    )
    return [ListedCampaign(**row) for row in connection.execute(query).mappings()]
