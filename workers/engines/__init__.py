"""Engines: pure functions from a question to a move; they know games and nothing else."""
