"""What many sources demand of their options, told with the option's key."""

from __future__ import annotations

from urllib.parse import urlsplit

from digest.errors import OptionError


def require_web_address(address: str, key: str) -> None:
    """Demand an address that can be asked.

    Raises:
        OptionError: it is none.
    """
    parts = urlsplit(address)
    if parts.scheme not in {"http", "https"} or not parts.netloc:
        message = f"the {key} {address!r} is not a web address; it must start with https:// or http://"
        raise OptionError(message, key)


def require_limits(*, pace: float, max_bytes: int) -> None:
    """Demand a pace, in seconds, and a longest answer, in bytes, that can be kept to.

    Raises:
        OptionError: one of them cannot.
    """
    if pace < 0:
        raise OptionError("pace must be at least 0 seconds", "pace")
    if max_bytes < 1:
        raise OptionError("max_bytes must be at least 1 byte", "max_bytes")


def require_quota(quota: int) -> None:
    """Demand a number of requests a day that can be kept to.

    Raises:
        OptionError: it cannot.
    """
    if quota < 1:
        raise OptionError("quota must be at least 1 request per day", "quota")
