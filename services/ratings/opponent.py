"""A player's adaptive opponents, one a game: how they follow the player. All pure.

A level has a fixed skill: level 4 that of an unknown player, each further level so much more that
it wins about three of four against the one below. The player's skill begins at the level of their
first match and moves with every result against the opponent. Then the opponent takes a step
towards the level that is nearest, one level a match, so that no single game throws it far.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from events import event_kinds as kinds
from events.codec import decode
from events.event_kinds import Event
from events.recorded import Foldable
from services.match.commands import Command
from services.match.contests import Lesson
from services.match.refusals import Refusal
from services.ratings.skill import Skill, skills_after

Decision = tuple[Event, ...] | Refusal

MIDDLE_LEVEL = 4
STEP = 4_167
"""Between levels: openskill's beta, the difference that wins three of four."""
SURE = 1_000
"""How unsure the skill of a level is; little, since it stands still."""


class Opponent(msgspec.Struct, frozen=True):
    """An adaptive opponent: its level of now, and what it knows of its player."""

    level: int
    skill: Skill


class FollowedPlayer(msgspec.Struct, frozen=True):
    """A player's stream after ``version`` events: their opponents by game."""

    player: str
    version: int = 0
    opponents: Mapping[str, Opponent] = {}


class CountLesson(Command, frozen=True, tag="count-lesson"):
    """Learn from a match of this game, which had these levels then. The server's own step."""

    match: str
    game: str
    level: int
    place: int
    against: tuple[int, ...]
    levels: tuple[int, ...]


def count_lesson(match: str, game: str, lesson: Lesson, levels: Sequence[int]) -> CountLesson:
    """The command that a match's lesson leads to."""
    return CountLesson(match, game, lesson.level, lesson.place, lesson.against, tuple(levels))


def fold(state: FollowedPlayer, events: Iterable[Foldable]) -> FollowedPlayer:
    """The player after more stored events; ``UnknownKind`` on kinds of the future."""
    for recorded in events:
        state = evolve(state, decode(recorded.kind, recorded.data))
    return state


def evolve(state: FollowedPlayer, event: Event) -> FollowedPlayer:
    """The player after one more event."""
    after: FollowedPlayer = _STEPS[type(event)](state, event)
    return replace(after, version=state.version + 1)


def decide(state: FollowedPlayer, command: CountLesson) -> Decision:
    """The player's new skill, and the opponent's step if it takes one."""
    if not command.levels:
        return Refusal("no-level", f"There are no levels of {command.game} to choose from.")
    known = state.opponents.get(command.game)
    was, before = (known.level, known.skill) if known else (command.level, begins_at(command.level))
    levels = [Skill(skill_of(command.level), SURE) for _ in command.against]
    skill = skills_after([before, *levels], [command.place, *command.against])[0]
    rated = kinds.ResultRated(
        game=command.game,
        match=command.match,
        level=command.level,
        place=command.place,
        against=command.against,
        levels=command.levels,
        mu=skill.mu,
        sigma=skill.sigma,
    )
    level = _one_step(was, nearest(skill, command.levels))
    if level == was:
        return (rated,)
    changed = kinds.OpponentLevelChanged(
        game=command.game, match=command.match, reason=_reason(command), was=was, level=level
    )
    return (rated, changed)


def begins_at(level: int) -> Skill:
    """What is thought of a player who chose this level to begin with."""
    return Skill(mu=skill_of(level))


def skill_of(level: int) -> int:
    """The skill of a level, in thousandths.

    >>> [skill_of(level) for level in (1, 4, 5)]
    [12499, 25000, 29167]
    """
    return Skill().mu + STEP * (level - MIDDLE_LEVEL)


def nearest(skill: Skill, levels: Sequence[int]) -> int:
    """The level whose skill is nearest to the player's; of two, the lower."""
    return min(sorted(levels), key=lambda level: abs(skill_of(level) - skill.mu))


def _one_step(was: int, to: int) -> int:
    return was + (to > was) - (to < was)


def _reason(command: CountLesson) -> str:
    best = min(command.against)
    if command.place == best:
        return "match-drawn"
    return "match-won" if command.place < best else "match-lost"


def _rated(state: FollowedPlayer, event: kinds.ResultRated) -> FollowedPlayer:
    known = state.opponents.get(event.game)
    level = known.level if known else event.level
    return _with(state, event.game, Opponent(level, Skill(event.mu, event.sigma)))


def _level_changed(state: FollowedPlayer, event: kinds.OpponentLevelChanged) -> FollowedPlayer:
    known = state.opponents[event.game]
    return _with(state, event.game, replace(known, level=event.level))


def _with(state: FollowedPlayer, game: str, opponent: Opponent) -> FollowedPlayer:
    return replace(state, opponents={**state.opponents, game: opponent})


_STEPS: dict[type[Event], Any] = {
    kinds.ResultRated: _rated,
    kinds.OpponentLevelChanged: _level_changed,
}
