"""``[delivery]``: sending rates, retries, and limits beyond which a run is held."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Annotated

from pydantic import Field

from digest import plugins
from digest.config.context import Table
from digest.config.settings import DeliverySettings
from digest.config.values import read_by
from digest.core.delivery.throttling.rates import Rate, parse_rate
from digest.errors import ConfigError

_UNITS = {"second": 1, "minute": 60, "hour": 3600, "day": 86400}
_DURATION = re.compile(r"\s*(\d{1,6})\s+(second|minute|hour|day)s?\s*")
_DOMAIN = re.compile(r"\*|[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?")
_MAX_DURATION = timedelta(days=30)


def read_duration(text: str) -> timedelta:
    """Parse a duration: ``30 minutes``, ``2 days``, ``0``."""
    match = _DURATION.fullmatch(text.lower())
    if match:
        duration = timedelta(seconds=int(match[1]) * _UNITS[match[2]])
        if duration <= _MAX_DURATION:
            return duration
    elif text.strip() == "0":
        return timedelta(0)
    raise ConfigError(
        f'{text!r} is not a duration; write "30 minutes", "2 hours" or "2 days" (at most 30 days), or "0"'
    )


def _read_channel(text: str) -> str:
    """Validate the name of a channel with destinations of its own; ``sendmail`` is not one, it counts as ``smtp``."""
    names = [name for name in plugins.list_names("channels") if name != "sendmail"]
    if text not in names:
        raise ConfigError(f"there is no channel {text!r}{plugins.suggest_names(text, names)}")
    return text


def _read_domain(text: str) -> str:
    if not _DOMAIN.fullmatch(text.lower()):
        raise ConfigError(f'{text!r} is not a domain; write "gmail.com", or "*" for all other domains')
    return text.lower()


def _read_keep_trying(text: str) -> timedelta:
    duration = read_duration(text)
    if duration < timedelta(hours=1):
        raise ConfigError(
            f'{text!r} is too short, because some servers make new senders wait; write "1 hour" or more'
        )
    return duration


_RateText = Annotated[Rate, read_by(parse_rate)]


class DeliveryTable(Table):
    """Sending rates, retries, and limits beyond which a run is held."""

    rate: _RateText | None = Field(default=None, description="all messages together", examples=["100/second"])
    rates: dict[Annotated[str, read_by(_read_channel)], _RateText] = Field(
        default={}, description="by channel"
    )
    domains: dict[Annotated[str, read_by(_read_domain)], _RateText] = Field(
        default={},
        description='by domain of the recipient, or service of a chat; "*" for each of the others',
    )
    spread: Annotated[timedelta, read_by(read_duration)] = Field(
        default="0",
        validate_default=True,
        description="time over which to spread a run of more than 1,000 deliveries",
    )
    keep_trying: Annotated[timedelta, read_by(_read_keep_trying)] = Field(
        default="2 days", validate_default=True, description="how long to retry deferred deliveries"
    )
    most_bounces: float = Field(
        default=0.05, ge=0, le=1, description="hold a run if a larger share of its mails is refused; 0: never"
    )
    unusual: float = Field(
        default=2.0,
        ge=0,
        allow_inf_nan=False,
        description="hold a run if it is this many times larger than usual; 0: never",
    )
    processes: int = Field(
        default=0,
        ge=0,
        le=64,
        description="processes that compose and deliver a run of more than 50,000 digests; 0: one per core, at most 4",
    )

    def to_settings(self) -> DeliverySettings:
        """Convert the table to settings."""
        return DeliverySettings(**{name: getattr(self, name) for name in type(self).model_fields})
