"""Blokus: pieces that may touch their own colour at corners only (`rules.py` is the sheet)."""
