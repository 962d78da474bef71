"""What is known of a player decided a second time, from the matches it was learnt from."""

from collections.abc import Callable, Sequence

from events import event_kinds as kinds
from events.chain import Fault
from events.event_kinds import Event
from services.match.contests import lesson_of
from services.match.decider import SERVER
from services.match.folding import fold
from services.match.handler import stream_of
from services.match.state import initial
from services.proofs.report import Report
from services.proofs.stream_audit import Decision, Read, StreamAudit, no_command
from services.ratings.handler import player_stream
from services.ratings.opponent import FollowedPlayer, count_lesson, decide, evolve


def audit_player(player: str, read: Read, chain_faults: Sequence[Fault] = ()) -> Report:
    """The audit of a player's stream from stored events; never raises on any bytes."""
    return _PlayerAudit(player, player_stream(player), read, chain_faults).report()


class _PlayerAudit(StreamAudit):
    def _walk(self, events: list[Event]) -> None:
        state = FollowedPlayer(self.name)
        while state.version < len(events):
            at = state.version
            again = self._decided(at, self._command(state, events[at]))
            if not again or not self._agrees(at, again, SERVER):
                return
            for event in again:
                state = evolve(state, event)

    def _command(self, state: FollowedPlayer, event: Event) -> Callable[[], Decision]:
        if not isinstance(event, kinds.ResultRated):
            return no_command

        def learnt_again() -> Decision:
            match = fold(initial(event.match), self.read(stream_of(event.match)))
            lesson = lesson_of(match)
            if lesson is None or lesson.player != self.name:
                return no_command()
            game = match.the_game.rules.slug
            return decide(state, count_lesson(event.match, game, lesson, event.levels))

        return learnt_again
