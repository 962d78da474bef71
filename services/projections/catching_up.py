"""The projections that follow the log with a checkpoint, together."""

from events.projector import Projection
from services.projections.campaign_list import CAMPAIGN_LIST
from services.projections.match_list import MATCH_LIST
from services.projections.ratings import RATINGS
from services.projections.standings import STANDINGS

CATCHING_UP: tuple[Projection, ...] = (MATCH_LIST, STANDINGS, RATINGS, CAMPAIGN_LIST)
