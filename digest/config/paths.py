"""Paths that the configuration names: the home of a user, and the folder in which relative paths begin."""

from __future__ import annotations

from pathlib import Path

from digest.errors import ConfigError


def expand_path(text: str, folder: Path) -> Path:
    """Return the path that a key names.

    Args:
        text: the value of the key.
        folder: the folder in which a relative path begins.

    Raises:
        ConfigError: no file can have this path, or it begins with the home folder of an unknown user.
    """
    return folder / expand_home(text)


def expand_home(text: str) -> Path:
    """Return a path with ``~`` and ``~user`` replaced by the home folder of a user.

    Raises:
        ConfigError: no file can have this path, or it begins with the home folder of an unknown user.
    """
    if "\0" in text:
        raise ConfigError("a path cannot contain the character NUL; remove \\u0000 from it")
    if not text.startswith("~"):  # pathlib would take "./~name" for "~name"
        return Path(text)
    try:
        return Path(text).expanduser()
    except RuntimeError:
        home = Path(text).parts[0]
        raise ConfigError(
            f"this machine knows no home folder for {home}; write the whole path, "
            f'or "./{home}" if it is the name of a folder'
        ) from None


def require_existing(path: Path) -> Path:
    """Return a path if a file or folder has it.

    Raises:
        ConfigError: none has, or it may not be looked at.
    """
    try:
        exists = path.exists()
    except OSError as error:  # for example, the name is too long
        raise ConfigError(f"{path} cannot be opened: {error.strerror}") from None
    if not exists:
        raise ConfigError(f"there is no {path}; write the path relative to this file")
    return path
