"""The tables of the record, the same names on SQLite and PostgreSQL.

Only ``plybook migrate`` and the embedded server create or change them (``events/migrations``).
Shaped projection tables (``boards_1``) are not here: projections declare their own shape
(``events.log.InlineTable``) and ``projection_pointer`` says which table stands for each.
"""

from sqlalchemy import (
    BigInteger,
    Column,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData()

NAME = Text().with_variant(Text(collation="C"), "postgresql")
"""Names of streams and keys in them: compared byte by byte, in one order on every database."""

# SQLite only counts an INTEGER PRIMARY KEY by itself; PostgreSQL wants 64 bits.
_BIG = BigInteger().with_variant(Integer, "sqlite")

stream = Table(
    "stream",
    metadata,
    Column("stream", NAME, primary_key=True),
    Column("version", BigInteger, nullable=False),
    Column("hash", LargeBinary, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("position", BigInteger, nullable=False),
)
"""The head of every stream, written with each append."""

event = Table(
    "event",
    metadata,
    Column("position", _BIG, primary_key=True, autoincrement=True),
    Column("stream", NAME, nullable=False),
    Column("version", BigInteger, nullable=False),
    Column("kind", Text, nullable=False),
    Column("actor", Text, nullable=False),
    Column("received_at", BigInteger, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("data", LargeBinary, nullable=False),
    Column("cause", Text, nullable=False),
    Column("hash", LargeBinary, nullable=False),
    UniqueConstraint("stream", "version", name="event_stream_version"),
    sqlite_autoincrement=True,
)
"""The log itself. UPDATE and DELETE are refused by trigger (and by role on PostgreSQL)."""

command = Table(
    "command",
    metadata,
    Column("stream", NAME, primary_key=True),
    Column("namespace", Text, primary_key=True),
    Column("actor", Text, primary_key=True),
    Column("key", Text, primary_key=True),
    Column("fingerprint", LargeBinary, nullable=False),
    Column("first_version", BigInteger, nullable=False),
    Column("version", BigInteger, nullable=False),
)
"""Which append a command id stands for; never part of a public event."""

secret = Table(
    "secret",
    metadata,
    Column("stream", NAME, primary_key=True),
    Column("name", Text, primary_key=True),
    Column("sealed", LargeBinary, nullable=False),
)
"""Sealed secrets, written by the same append; readable by a role of their own."""

projection_pointer = Table(
    "projection_pointer",
    metadata,
    Column("projection", Text, primary_key=True),
    Column("shape", Integer, nullable=False),
    Column("table_name", Text, nullable=False),
)
"""Which table stands for a projection now; a rebuild flips it under the log lock."""

rebuild = Table(
    "rebuild",
    metadata,
    Column("projection", Text, primary_key=True),
    Column("table_name", Text, nullable=False),
    Column("shape", Integer, nullable=False),
    Column("after_stream", Text, nullable=False),
    Column("from_position", BigInteger, nullable=False),
)
"""Where a stopped rebuild goes on."""

checkpoint = Table(
    "checkpoint",
    metadata,
    Column("subscriber", Text, primary_key=True),
    Column("position", BigInteger, nullable=False),
    Column("hash", LargeBinary, nullable=False),
    Column("needs_rebuild", Text, nullable=False, server_default=""),
)
"""How far each catching-up reader is; moves in the transaction of its effect."""

claim = Table(
    "claim",
    metadata,
    Column("stream", NAME, primary_key=True),
    Column("key", NAME, primary_key=True),
    Column("turn", BigInteger, primary_key=True),
    Column("queue", Text, nullable=False),
    Column("offered_until", BigInteger, nullable=False),
    Column("lease_until", BigInteger, nullable=False),
    Column("holder", Text, nullable=False),
    Column("attempts", Integer, nullable=False),
    Index("claim_queue", "queue"),
)
"""Offers and leases of due work; no rebuild touches it (``workers/dispatcher.py``)."""

lease = Table(
    "lease",
    metadata,
    Column("name", Text, primary_key=True),
    Column("holder", Text, nullable=False),
    Column("until", BigInteger, nullable=False),
)
"""Elections: who is the one dispatcher, the one relay, until when."""

player = Table(
    "player",
    metadata,
    Column("player", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("token_hash", LargeBinary, nullable=False, unique=True),
    Column("created_at", BigInteger, nullable=False),
)
"""Accounts: personal data, erasable, never in an event."""

invite = Table(
    "invite",
    metadata,
    Column("token_hash", LargeBinary, primary_key=True),
    Column("match", Text, nullable=False),
    Column("seat", Text, nullable=False),
    Column("expires_at", BigInteger, nullable=False),
    Column("used_by", Text, nullable=False, server_default=""),
)
"""Single-use invitations; only the hash of the 256-bit token is kept."""

record_note = Table(
    "record_note",
    metadata,
    Column("match", Text, primary_key=True),
    Column("names", Text, nullable=False),
    Column("comments", Text, nullable=False),
)
"""Names and comments that came with imported records (JSON texts); erasable."""
