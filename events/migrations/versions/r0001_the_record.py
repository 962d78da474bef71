"""The tables of the record, and the triggers that keep events as they are.

Until the first release this revision follows ``events/schema.py``; then it is frozen by
writing the tables out here, and every later change is a revision of its own.
"""

from alembic import op

from events.ddl import refuse_changes
from events.schema import metadata

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the tables and the triggers."""
    connection = op.get_bind()
    metadata.create_all(connection)
    for statement in refuse_changes(connection.dialect.name):
        op.execute(statement)
