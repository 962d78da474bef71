"""What an audit found: one verdict a match, and every difference with both values."""

import msgspec

PROVED = "proved"
CHAIN_ONLY = "chain only (keys not revealed yet)"


class Difference(msgspec.Struct, frozen=True):
    """One thing in the log that is not as it should be.

    ``version`` names the event; ``what`` is ``hash``, ``version``, ``time`` (the chain), or a
    wire kind with a field, e.g. ``match.move_played.1 facts``. ``stored`` is the log's value,
    ``derived`` what chain, rules or engine say instead.
    """

    match: str
    version: int
    what: str
    stored: str
    derived: str

    def __str__(self) -> str:
        return (
            f"{self.match} differs at event {self.version}: {self.what} is {self.stored}, "
            f"should be {self.derived}"
        )


class Report(msgspec.Struct, frozen=True):
    """The audit of one match.

    ``plies`` counts the moves judged again, ``forced`` the facts the rules derived again
    (passes, draws), ``rerun`` the computer moves an engine played again and ``thoughts`` all
    computer moves, ``fallbacks`` among them those of a weaker engine that stood in.
    """

    match: str
    verdict: str
    game: str = ""
    events: int = 0
    plies: int = 0
    forced: int = 0
    thoughts: int = 0
    rerun: int = 0
    fallbacks: int = 0
    differences: tuple[Difference, ...] = ()

    @property
    def is_good(self) -> bool:
        """Whether nothing was found that differs."""
        return not self.differences
