"""Validation of options that many sources have; errors carry the key of the option."""

from __future__ import annotations

from urllib.parse import urlsplit

from digest.errors import OptionError


def require_web_address(address: str, key: str) -> None:
    """Require an address of http or https.

    Raises:
        OptionError: the address is invalid.
    """
    parts = urlsplit(address)
    if parts.scheme not in {"http", "https"} or not parts.netloc:
        message = f"the {key} {address!r} is no web address; it starts with https:// or http://"
        raise OptionError(message, key)


def require_limits(*, pace: float, max_bytes: int) -> None:
    """Require valid limits: a pace in seconds, and a maximum response size in bytes.

    Raises:
        OptionError: one of them is invalid.
    """
    if pace < 0:
        raise OptionError("pace is at least 0 seconds", "pace")
    if max_bytes < 1:
        raise OptionError("max_bytes is at least 1 byte", "max_bytes")


def require_quota(quota: int) -> None:
    """Require a valid number of requests a day.

    Raises:
        OptionError: the number is invalid.
    """
    if quota < 1:
        raise OptionError("quota is at least 1 request a day", "quota")
