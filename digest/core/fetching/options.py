"""Options that sources and enrichers share, and their validation; errors carry the key of the option."""

from __future__ import annotations

from dataclasses import dataclass, fields
from urllib.parse import urlsplit

from digest.errors import OptionError


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceOptions:
    """Options that every source has. A subclass sets defaults, and adds and validates its own options.

    Attributes:
        url: the address of the service; other options that end in ``_url`` are web addresses, too.
        name: its name in tables and messages.
        pace: minimum number of seconds between two requests.
        max_bytes: maximum size of a response, in bytes.
    """

    url: str
    name: str
    pace: float = 1.0
    max_bytes: int = 20_000_000

    def __post_init__(self) -> None:
        if self.pace < 0:
            raise OptionError("pace must be at least 0 seconds", "pace")
        if self.max_bytes < 1:
            raise OptionError("max_bytes must be at least 1 byte", "max_bytes")
        for option in fields(self):
            if option.name == "url" or (option.name.endswith("_url") and getattr(self, option.name)):
                _require_web_address(getattr(self, option.name), option.name)
        self.check_options()

    def check_options(self) -> None:
        """Validate the options of a subclass, and complete defaults that depend on other options.

        Raises:
            OptionError: one of them is invalid.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class EnricherOptions(ServiceOptions):
    """Options that every enricher has.

    Attributes:
        quota: maximum number of requests a day (UTC).
    """

    quota: int

    def check_options(self) -> None:
        """Require a quota."""
        if self.quota < 1:
            raise OptionError("quota must be at least 1 request per day", "quota")


def _require_web_address(address: str, key: str) -> None:
    parts = urlsplit(address)
    if parts.scheme not in {"http", "https"} or not parts.netloc:
        message = f"the {key} {address!r} is not a web address; it must start with https:// or http://"
        raise OptionError(message, key)
