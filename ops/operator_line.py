"""How a command that writes reaches the server that holds the data folder."""

import time
from typing import Any, TypeVar

import httpx
import msgspec

from ops.folder_lock import RunningServer
from ops.rebuilding import AllRemade
from ops.refused import Refused
from services.api.messages import ImportAnswer
from services.api.problems import ProblemBody

TOO_MANY = 429

T = TypeVar("T")


class ServerRefused(Refused):
    """The server's no: its code and its sentence."""

    def __init__(self, problem: ProblemBody) -> None:
        super().__init__(problem.detail)
        self.code = problem.code
        self.sentence = problem.detail


class OperatorLine:
    """The operator's doors of a running server. Waits as long as the work takes."""

    def __init__(self, server: RunningServer) -> None:
        self._http = httpx.Client(
            base_url=f"{server.url}/v1",
            headers={"Authorization": f"Bearer {server.token}"},
            timeout=None,  # noqa: S113 - on this machine, and a rebuild takes what it takes
        )

    def close(self) -> None:
        """Hang up."""
        self._http.close()

    def import_file(self, data: bytes, name: str) -> ImportAnswer:
        """What became of the games of a file."""
        return self._ask("/imports", ImportAnswer, content=data, params={"file": name})

    def rebuild(self) -> AllRemade:
        """Every projection made anew."""
        return self._ask("/operations/rebuild", AllRemade)

    def _ask(self, path: str, kind: type[T], **request: Any) -> T:
        while True:
            try:
                answer = self._http.post(path, **request)
            except httpx.HTTPError as error:
                raise Refused(f"The server does not answer ({error}).") from None
            if answer.status_code != TOO_MANY:
                break
            time.sleep(float(answer.headers["Retry-After"]))
        if answer.is_error:
            raise ServerRefused(msgspec.json.decode(answer.content, type=ProblemBody))
        return msgspec.json.decode(answer.content, type=kind)
