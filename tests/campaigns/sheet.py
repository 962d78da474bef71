"""The sheet's own arithmetic of growth (§7.1, §7.4), written down a second time for tests."""

TOPS = {
    "P": 5, "N": 5, "B": 4, "R": 5, "Q": 4, "ED": 5, "VV": 5, "DD": 5, "PP": 4, "BB": 5,
    "SS": 5, "LL": 5, "PE": 5, "SL": 5, "MM": 4,
}  # fmt: skip
LEVELS_PER_WIN = {"easy": 1, "normal": 1, "hard": 2, "very-hard": 2}
FIRST_GROUP = {"easy": ("P",), "normal": ("P", "N", "B", "R"), "hard": (), "very-hard": ()}
BOSS = 24


def kind(code: str) -> str:
    """The kind of a stone without its level."""
    return code[0] if code[1:] in ("n", "e", "s", "w") else code


def after_wins(deck: str, difficulty: str, wins: int, number: int) -> str:
    """An opponent's deck (``Q B Nn …``) with its levels after so many wins of a run."""
    types = deck.split()
    levels = [0] * len(types)
    for win in range(1, wins + 1):
        if number == BOSS and win <= 3:
            continue
        for _ in range(LEVELS_PER_WIN[difficulty]):
            can = [s for s, t in enumerate(types) if t != "K" and levels[s] < TOPS[kind(t)]]
            first = [s for s in can if kind(types[s]) in FIRST_GROUP[difficulty]]
            if can:
                levels[min(first or can, key=lambda s: (levels[s], s))] += 1
    return ",".join(
        t if t == "K" else f"{t}{level}" for t, level in zip(types, levels, strict=True)
    )
