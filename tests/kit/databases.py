"""A PostgreSQL database of a test's own; benchmarks need it too, so it lives with them."""

from ops.dev.databases import fresh_database

__all__ = ["fresh_database"]
