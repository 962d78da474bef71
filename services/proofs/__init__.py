"""Proofs: what can be shown about a match to somebody who trusts nobody."""
