"""The key that seals secrets in the database: from the environment, or a file made once."""

import secrets
import stat
from pathlib import Path

from ops.folder_lock import write_private
from ops.settings import KEY_BYTES, SecretKey, Settings, WrongSetting

KEY_FILE = "secret.key"


def secret_key_of(settings: Settings) -> SecretKey:
    """The key of this data folder; the file is made (mode 0600) at the first call.

    Losing it makes every sealed seed unreadable: ``plybook backup`` names it apart.
    """
    if settings.secret_key is not None:
        return settings.secret_key
    path = settings.data / KEY_FILE
    if not path.exists():
        settings.data.mkdir(parents=True, exist_ok=True)
        write_private(path, secrets.token_hex(KEY_BYTES).encode() + b"\n")
    return _read(path)


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
