"""What becomes of a batch: decided in memory under the log lock, from what the lock showed.

Each append is sorted into done before, refused or good, in order, so that a later one sees what
an earlier one of the batch leads to. The good ones become rows by table, which a store then
writes with as few statements as it can. Both stores plan with this and decide nothing.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from events.append_look import Done, Known, Moment, asked
from events.append_tables import (
    COMMANDS,
    EVENTS,
    HEADS,
    SECRETS,
    Row,
    Target,
)
from events.log import (
    Answer,
    Append,
    Appended,
    CommandReused,
    Expected,
    VersionConflict,
)
from events.recorded import link_hash


class Plan:
    """The answers to a batch, and the rows that make them true; keeps the moment up."""

    def __init__(self, moment: Moment, now: int) -> None:
        self.answers: list[Answer] = []
        self.position = 0
        """The newest position that the plan writes; 0 if it writes nothing."""
        self._moment = moment
        self._at = max(now, moment.last_at)
        self._heads: dict[str, Appended] = {}
        self._done: dict[Row, Done] = {}
        self._events: list[Row] = []
        self._secrets: list[Row] = []
        self._rows: dict[str, dict[tuple[str, str], Row | None]] = {}

    def take(self, append: Append, known: Known) -> None:
        """Answer the next append, and note the rows it needs."""
        self.answers.append(self._answer(append, known))

    def writes(self) -> Iterator[tuple[Target, list[Row]]]:
        """The rows to write by table, no table without rows."""
        if not self._events:
            return
        yield EVENTS, self._events
        heads = self._heads.values()
        yield HEADS, [(to.stream, to.version, to.hash, to.at, to.position) for to in heads]
        if self._done:
            yield COMMANDS, [_command_row(key, done) for key, done in self._done.items()]
        if self._secrets:
            yield SECRETS, self._secrets
        for projection, rows in self._rows.items():
            targets = self._moment.tables[projection]
            if upserts := [row for row in rows.values() if row is not None]:
                yield targets.rows, upserts
            if removals := [key for key, row in rows.items() if row is None]:
                yield targets.removals, [*removals]

    def _answer(self, append: Append, known: Known) -> Answer:
        name, command = append.command_id, asked(append)
        if name and (done := self._done.get(command, known.done)):
            if done.fingerprint != append.fingerprint:
                return CommandReused(append.stream, name.key)
            return replace(done.answer, repeated=True)
        if self._moment.refusal:
            return self._moment.refusal
        head = self._heads.get(append.stream, known)
        if append.expected not in (Expected.ANY, head.version):
            return VersionConflict(append.stream, append.expected, head.version)
        answer = self._heads[append.stream] = self._extend(append, head.version, head.hash)
        if name:
            self._done[command] = Done(append.fingerprint, answer)
        return answer

    def _extend(self, append: Append, version: int, link: bytes) -> Appended:
        """Note the rows of a good append; the head of its stream after it."""
        stream, actor, received_at = append.stream, append.actor, append.received_at
        at = self._moment.last_at = self._at
        first = version + 1
        for event in append.events:
            kind, data = event.kind, event.data
            version += 1
            position = self.position = next(self._moment.positions)
            link = link_hash(link, stream, version, kind, actor, received_at, at, data)
            self._events.append(
                (position, stream, version, kind, actor, received_at, at, data, append.cause, link)
            )
        self._secrets += [(stream, secret.name, secret.sealed) for secret in append.secrets]
        for row in append.rows:
            whole = None if row.values is None else (stream, row.key, version, *row.values)
            self._rows.setdefault(row.projection, {})[stream, row.key] = whole
        return Appended(stream, first, version, self.position, link, at)


def _command_row(key: Row, done: Done) -> Row:
    return (*key, done.fingerprint, done.answer.first_version, done.answer.version)
