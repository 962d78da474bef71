"""The door of the players' streams, and the step that joins one to its matches.

A match against an adaptive computer leaves a due row in its own stream when it ends (``lesson``):
``learn`` records it in the host's stream under the match's id, then notes in the match that it is
counted, which takes the row away. The step may be made twice or late; it is recorded once.
"""

import msgspec
from msgspec.structs import replace

from events.codec import UnknownKind
from events.log import CommandId, EventLog, Namespace
from services.levels import Levels
from services.match.contests import lesson_of
from services.match.decider import SERVER
from services.match.door import Asked, Judge, newer_log, through
from services.match.handler import Handler, fingerprint_of
from services.match.refusals import Refusal
from services.ratings.opponent import (
    CountLesson,
    FollowedPlayer,
    count_lesson,
    decide,
    evolve,
    fold,
)


class Learnt(msgspec.Struct, frozen=True):
    """The lesson is in the log; ``player`` is the fold of the player's stream now."""

    player: FollowedPlayer
    repeated: bool = False


class Opponents:
    """The adaptive opponents of all players. Thread-safe; holds nothing that the log does not."""

    def __init__(self, log: EventLog, matches: Handler, levels: Levels) -> None:
        self._log = log
        self._matches = matches
        self._levels = levels

    def of(self, player: str) -> FollowedPlayer:
        """The opponents a player has met so far."""
        return followed(self._log, player)

    def learn(self, match: str, received_at: int) -> Learnt | Refusal:
        """Give the host's opponent the result of a match that is over, and note it there."""
        state = self._matches.load(match)
        lesson = lesson_of(state) if state else None
        if state is None or lesson is None or state.is_counted:
            return Refusal("not-waiting", f"Match {match} has no result that anybody waits for.")
        game = state.the_game.rules.slug
        command = count_lesson(match, game, lesson, self._levels.own(game))
        answer = self._count(lesson.player, command, received_at)
        if isinstance(answer, Learnt):
            self._matches.note_counted(state, received_at)
        return answer

    def _count(self, player: str, command: CountLesson, received_at: int) -> Learnt | Refusal:
        # The levels of a game may change between two deliveries: the match alone names the lesson.
        asked = Asked(
            stream=player_stream(player),
            actor=SERVER,
            command_id=CommandId(Namespace.INSIDE, command.match),
            fingerprint=fingerprint_of(replace(command, levels=())),
            received_at=received_at,
        )
        judge = Judge(
            before=lambda: self.of(player),
            decide=lambda state: decide(state, command),
            evolve=evolve,
            rows=lambda _before, _after: (),
            secrets=lambda _before: (),
        )
        passed = through(self._log, asked, judge)
        if isinstance(passed, Refusal):
            return passed
        try:
            return Learnt(passed.after or self.of(player), passed.after is None)
        except UnknownKind as error:
            return newer_log(error)


def followed(log: EventLog, player: str) -> FollowedPlayer:
    """A player's stream, folded."""
    return fold(FollowedPlayer(player), log.told(player_stream(player)))


def level_of_opponent(log: EventLog, player: str, game: str) -> int:
    """The level of a player's adaptive opponent in a game; 0 before they first met."""
    opponent = followed(log, player).opponents.get(game)
    return opponent.level if opponent else 0


def player_stream(player: str) -> str:
    """The stream of what follows from a player's results."""
    return f"player/{player}"
