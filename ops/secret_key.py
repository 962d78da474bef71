"""The key that seals secrets in the database: from the environment, or a file made once."""

import secrets
import stat
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Connection, select

from events.schema import secret
from events.secret_store import CannotUnseal, Sealer
from ops.folder_lock import make_private, write_private
from ops.settings import KEY_BYTES, SecretKey, Settings, WrongSetting

KEY_FILE = "secret.key"


class Sealed(NamedTuple):
    """A secret as it lies in the database."""

    stream: str
    name: str
    sealed: bytes


def any_sealed(connection: Connection) -> Sealed | None:
    """Some secret of the database, to try a key on; None where nothing was ever sealed."""
    row = connection.execute(select(secret).limit(1)).one_or_none()
    return None if row is None else Sealed(row.stream, row.name, row.sealed)


def secret_key_of(settings: Settings, *, may_make: bool = True) -> SecretKey:
    """The key of this data folder; the file is made (mode 0600) at the first call.

    Losing it makes every sealed seed unreadable: ``plybook backup`` names it apart, and beside
    a database with secrets (``may_make`` is false) no new one is made in its place.
    """
    if settings.secret_key is not None:
        return settings.secret_key
    path = settings.data / KEY_FILE
    if not path.exists():
        if not may_make:
            raise WrongSetting(
                f"{path} is gone, and the database holds secrets that only this key opens: "
                "put it back, or set PLYBOOK_SECRET_KEY."
            )
        make_private(settings.data)
        write_private(path, secrets.token_hex(KEY_BYTES).encode() + b"\n")
    return _read(path)


def need_right_key(settings: Settings, sealer: Sealer, found: Sealed | None) -> None:
    """Stop before another key than the one that sealed the secrets seals more of them."""
    try:
        if found is not None:
            sealer.unseal(*found)
    except CannotUnseal:
        ours = "PLYBOOK_SECRET_KEY" if settings.secret_key else str(settings.data / KEY_FILE)
        raise WrongSetting(
            f"{ours} is not the key that sealed the secrets in the database: running matches "
            "cannot go on without that one."
        ) from None


def _read(path: Path) -> SecretKey:
    if stat.S_IMODE(path.stat().st_mode) & (stat.S_IRWXG | stat.S_IRWXO):
        raise WrongSetting(f"{path} can be read by others: it needs mode 0600 (chmod 600).")
    try:
        raw = bytes.fromhex(path.read_text().strip())
    except ValueError:
        raw = b""
    if len(raw) != KEY_BYTES:
        raise WrongSetting(f"{path} does not hold {2 * KEY_BYTES} hexadecimal digits.")
    return SecretKey(raw)
