"""The door, watched from outside: refusals counted, and match, version and command in the log."""

import structlog

from events.log import CommandId
from ops import metrics
from services.match.commands import MatchCommand
from services.match.handler import Answer, Done, Handler

_log = structlog.get_logger("plybook.matches")


class MeasuredHandler(Handler):
    """The handler, with a line and a count for each answer."""

    def handle(
        self,
        match: str,
        command: MatchCommand,
        *,
        actor: str,
        command_id: CommandId | None,
        received_at: int,
        cause: str = "",
        request: bytes = b"",
    ) -> Answer:
        """Decide and record one command."""
        name = str(command.__struct_config__.tag)
        with structlog.contextvars.bound_contextvars(match=match, command=name):
            answer = super().handle(
                match,
                command,
                actor=actor,
                command_id=command_id,
                received_at=received_at,
                cause=cause,
                request=request,
            )
            if isinstance(answer, Done):
                _log.info(
                    "done", version=answer.version, turn=answer.turn, repeated=answer.repeated
                )
            else:
                metrics.refusals_total.labels(answer.code).inc()
                _log.info("refused", code=answer.code)
            return answer
